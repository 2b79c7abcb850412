/* tensor_sets.h - a set of tensors that has everything in it. */
#ifndef REGULA_TESTS_MODEL_TENSOR_SETS_H
#define REGULA_TESTS_MODEL_TENSOR_SETS_H

#include "base/alloc.h"
#include "model/safetensors.h"
#include "support/support.h"

static const float weights[6] = {0.5f, 1, -2, 0.25f, 8, -0.125f};
static const double bias[2] = {1.5, -3};
static const int64_t steps[1] = {-5000000000};
static const uint32_t keys[3] = {7, 4294967295u, 0};
static const int32_t signs[2] = {-1, 2147483647};
static const uint8_t vocabulary[5] = {'a', 0, 255, ' ', ' '};

static inline void add(rg_tensors *set, const rg_tensor *tensor)
{
    ASSERT_OK(rg_tensors_add(set, tensor, err));
}

#define TENSOR(name_, type, data_, n_dims_, ...)                                            \
    &(rg_tensor)                                                                            \
    {                                                                                       \
        .name = name_, .dtype = RG_DTYPE_##type, .n_dims = n_dims_, .shape = {__VA_ARGS__}, \
        .data = data_                                                                       \
    }

/* All types, an empty tensor and a single number, added in an order that is not that of the file.
 * Owned. */
static inline rg_tensors *sample(bool backwards)
{
    const rg_tensor *all[] = {
        TENSOR("layer.0.weight", F32, weights, 2, 2, 3),
        TENSOR("layer.0.bias", F64, bias, 1, 2),
        TENSOR("steps", I64, steps, 0, 0),
        TENSOR("keys", U32, keys, 3, 1, 3, 1),
        TENSOR("signs", I32, signs, 1, 2),
        TENSOR("vocabulary", U8, vocabulary, 1, 5),
        TENSOR("none", F32, NULL, 2, 0, 4),
        TENSOR("gr\xc3\xb6\xc3\x9f"
               "e \"x\\y\"",
               U8, vocabulary, 1, 1),
    };
    enum { N = sizeof all / sizeof *all };
    static const char *const texts[][2] = {{"network", "layers:\n\t- rule: \"share i, j\"\r\n"},
                                           {"empty", ""},
                                           {"a\\b", "\xe2\x88\x9e"}};
    rg_tensors *set = rg_tensors_new();
    assert_non_null(set);
    for (size_t k = 0; k < N; k++)
        add(set, all[backwards ? N - 1 - k : k]);
    for (size_t k = 0; k < 3; k++) {
        size_t t = backwards ? 2 - k : k;
        ASSERT_OK(rg_tensors_add_metadata(set, texts[t][0], texts[t][1], err));
    }
    return set;
}

#endif
