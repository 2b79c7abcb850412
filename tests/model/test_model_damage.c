/* test_model_damage.c - files of models that were damaged, or made by somebody else. */
#include "support/models.h"

#include "base/alloc.h"
#include "model/safetensors.h"

#include <string.h>

/* ---- containers with one thing changed and a fresh digest */

typedef enum change {
    REMOVE,
    SHORTEN,  /* one row less */
    FLATTEN,  /* one dimension */
    RETYPE,   /* U32 or I32 for what it was */
    OVERWRITE /* number `place` becomes `value` */
} change;

typedef struct edit {
    const char *tensor; /* NULL: a text */
    change kind;
    size_t place;
    double value;
    const char *key, *text; /* of a text; text NULL: it is removed */
    const char *message;
} edit;

static void overwrite(void *data, rg_dtype dtype, size_t place, double value)
{
    if (dtype == RG_DTYPE_I64)
        ((int64_t *)data)[place] = (int64_t)value;
    else if (dtype == RG_DTYPE_F64)
        ((double *)data)[place] = value;
    else
        ((uint8_t *)data)[place] = (uint8_t)value;
}

/* Owned. *copy: what it borrows from, owned (free). */
static rg_tensors *edited(const rg_tensors *set, const edit *e, void **copy)
{
    rg_tensors *out = rg_tensors_new();
    assert_non_null(out);
    *copy = NULL;
    for (size_t k = 0; k < rg_tensors_size(set); k++) {
        rg_tensor tensor = *rg_tensors_at(set, k);
        if (e->tensor && strcmp(e->tensor, tensor.name) == 0) {
            *copy = malloc(tensor.bytes + 1);
            assert_non_null(*copy);
            memcpy(*copy, tensor.data, tensor.bytes);
            tensor.data = *copy;
            if (e->kind == REMOVE)
                continue;
            if (e->kind == SHORTEN)
                tensor.shape[0]--;
            if (e->kind == FLATTEN) {
                tensor.shape[0] = tensor.bytes / rg_dtype_size(tensor.dtype);
                tensor.n_dims = tensor.n_dims == 1 ? 0 : 1;
            }
            if (e->kind == RETYPE) {
                tensor.dtype = tensor.dtype == RG_DTYPE_U8 ? RG_DTYPE_U32 : RG_DTYPE_U8;
                tensor.shape[0] = tensor.dtype == RG_DTYPE_U8 ? tensor.bytes : tensor.bytes / 4;
                tensor.n_dims = 1;
            }
            if (e->kind == OVERWRITE)
                overwrite(*copy, tensor.dtype, e->place, e->value);
        }
        ASSERT_OK(rg_tensors_add(out, &tensor, err));
    }
    for (size_t k = 0; k < rg_tensors_n_metadata(set); k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        bool hit = e->key && strcmp(e->key, entry->key) == 0;
        const char *text = hit ? e->text : entry->text;
        if (text && strcmp(entry->key, RG_TENSORS_DIGEST) != 0)
            ASSERT_OK(rg_tensors_add_metadata(out, entry->key, text, err));
    }
    return out;
}

/* As a file and back, with a digest. Owned. */
static rg_tensors *stored(const rg_tensors *set)
{
    rg_tensors *out = NULL;
    void *bytes = NULL;
    size_t n;
    ASSERT_OK(rg_tensors_encode(&bytes, &n, set, err));
    ASSERT_OK(rg_tensors_parse(&out, "bad", bytes, n, true, err));
    rg_free(bytes);
    return out;
}

/* The model is refused with a message that has this in it. */
static void refuse(const rg_tensors *set, const edit *e)
{
    void *copy;
    rg_tensors *changed = edited(set, e, &copy), *again = stored(changed);
    rg_model *model = NULL;
    rg_error err = {""};
    rg_status status = rg_model_decode(&model, "bad", again, &err);
    if (status != RG_EDATA || model || strncmp(err.message, "bad:", 4) != 0 ||
        (e->message && !strstr(err.message, e->message)))
        fail_msg("'%s' changed (%d): status %d, found\n%s\nexpected\n%s",
                 e->tensor ? e->tensor : e->key, e->kind, status, err.message,
                 e->message ? e->message : "");
    rg_tensors_free(changed);
    rg_tensors_free(again);
    free(copy);
}

static rg_tensors *read_set(const char *path)
{
    rg_tensors *set = NULL;
    ASSERT_OK(rg_tensors_read(&set, path, 1 << 20, true, err));
    return set;
}

static void every_tensor_must_be_there_and_be_what_it_was(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_trained(kind);
        ASSERT_OK(rg_model_save(m.model, path, err));
        rg_tensors *set = read_set(path);
        assert_true(rg_tensors_size(set) >= 4);
        for (size_t k = 0; k < rg_tensors_size(set); k++)
            for (int way = REMOVE; way <= RETYPE; way++) {
                const rg_tensor *tensor = rg_tensors_at(set, k);
                if (way == FLATTEN && tensor->n_dims == 1 && tensor->shape[0] != 1)
                    continue; /* it is flat */
                if (way == SHORTEN && strncmp(tensor->name, "input.", 6) == 0)
                    continue; /* may be that of another model */
                refuse(set, &(edit){.tensor = tensor->name, .kind = (change)way});
            }
        for (size_t k = 0; k < rg_tensors_n_metadata(set); k++) {
            const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
            if (strcmp(entry->key, RG_TENSORS_DIGEST) != 0)
                refuse(set,
                       &(edit){.key = entry->key, .message = "not a model of regula: metadata"});
        }
        rg_tensors_free(set);
        models_close(&m);
    }
    free(path);
    test_directory_remove(directory);
}

#define NETWORK(head, rest)                         \
    "task: classification\ntarget: 0\ninput: " head \
    "\nlabels: {w: \"wl(depth=1, from=node)\", c: \"cycles(max=5)\"}\n" rest
#define LAYERS(heads)                                                                          \
    "layers:\n  - {rule: [\"share w(i), w(j) when edge(i,j)\", share c(i) when i = j], bias: " \
    "share c(i), heads: " heads "}\n  - aggregate: share out, c(i)\n"

static const edit edits[] = {
    {.key = "regula.format",
     .text = "3",
     .message = "found format '3' of models (regula 0.1.0), expected '1'"},
    {.key = "regula.format", .text = "2", .message = "no whole number of networks"},
    {.key = "regula.network", .text = "layers: [", .message = ":"},
    {.key = "regula.network",
     .text = "task: classification\nlayers: [{rule: share i whn j}]",
     .message = "rule: column"},
    {.key = "regula.network",
     .text = "layers: [{aggregate: share out}]",
     .message = "the network does not name its task"},
    {.key = "regula.network",
     .text = NETWORK("auto", LAYERS("2")),
     .message = "the input of the network does not fit its samples"},
    {.key = "regula.network",
     .text = NETWORK("values", LAYERS("2")),
     .message = "the input of the network does not fit its samples"},
    {.key = "regula.network",
     .text = NETWORK("constant", LAYERS("3")),
     .message = "tensor 'layer.0.rule.0.weights': found F32 ["},
    {.key = "regula.network",
     .text = NETWORK("[signed, signed]", LAYERS("2")),
     .message = "tensor 'input.1' is missing or empty"},
    {.key = "regula.network",
     .text = NETWORK("[signed, constant]", LAYERS("2")),
     .message = "the channels of the input do not add up"},
    {.key = "regula.network",
     .text = NETWORK("signed", "layers: [{aggregate: \"share out, w(i), c(i)\"}]\n"),
     .message = "tensor 'layer.0.rule.0.keys': found I64 ["},
    {.key = "regula.network",
     .text = NETWORK("signed", "layers: [{dense: auto}]\n"),
     .message = "the network ends with one row per node"},
    {.tensor = "shape",
     .kind = OVERWRITE,
     .place = 0,
     .value = 2,
     .message = "the channels of the input do not add up"},
    {.tensor = "shape",
     .kind = OVERWRITE,
     .place = 0,
     .value = -1,
     .message = "tensor 'shape' is out of range"},
    {.tensor = "shape",
     .kind = OVERWRITE,
     .place = 1,
     .value = 3,
     .message = "tensor 'shape' is out of range"},
    {.tensor = "classes.0",
     .kind = OVERWRITE,
     .place = 1,
     .value = 50,
     .message = "the values of 'classes.0' do not ascend"},
    {.tensor = "input.0",
     .kind = OVERWRITE,
     .place = 1,
     .value = 3,
     .message = "the values of 'input.0' do not ascend"},
    {.tensor = "labels.0", .kind = OVERWRITE, .place = 30, .value = 255, .message = "labels 'w': "},
    {.tensor = "layer.0.rule.0.keys",
     .kind = OVERWRITE,
     .place = 0,
     .value = 1e6,
     .message = "tensor 'layer.0.rule.0.keys': rule: key 1 is not above key 0"},
    {.tensor = "layer.0.bias.keys",
     .kind = OVERWRITE,
     .place = 0,
     .value = 1e6,
     .message = "tensor 'layer.0.bias.keys': rule: key 1 is not above key 0"},
    {.tensor = "layer.0.rule.1.facts",
     .kind = OVERWRITE,
     .place = 2,
     .value = -1,
     .message = "tensor 'layer.0.rule.1.facts' is out of range"},
    {.tensor = "layer.1.rule.0.facts",
     .kind = OVERWRITE,
     .place = 0,
     .value = 1e300,
     .message = "tensor 'layer.1.rule.0.facts' is out of range"},
};

static void what_does_not_fit_together_is_refused(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    models m = models_trained(MODELS_CLASSES);
    ASSERT_OK(rg_model_save(m.model, path, err));
    rg_tensors *set = read_set(path);
    for (size_t k = 0; k < sizeof edits / sizeof *edits; k++)
        refuse(set, &edits[k]);
    rg_tensors_free(set);
    models_close(&m);
    m = models_trained(MODELS_ARRAYS);
    ASSERT_OK(rg_model_save(m.model, path, err));
    set = read_set(path);
    refuse(set, &(edit){.key = "regula.network",
                        .text = "task: classification\ntarget: 0\ninput: values\n"
                                "labels: {d: degree}\nlayers: [{dense: auto}]\n",
                        .message = "labels are for graphs"});
    rg_tensors_free(set);
    models_close(&m);
    free(path);
    test_directory_remove(directory);
}

static void no_damaged_byte_goes_unnoticed(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    for (int kind = 0; kind < N_MODELS; kind += 4) {
        models m = models_trained(kind);
        size_t n;
        rg_model *model = NULL;
        rg_error own;
        ASSERT_OK(rg_model_save(m.model, path, err));
        char *bytes = test_read(path, &n);
        for (size_t k = 0; k < 400; k++) {
            size_t place = k * n / 400;
            char kept = bytes[place];
            bytes[place] = (char)(kept ^ (1 << k % 8));
            test_write_bytes(directory, "model", bytes, n);
            bytes[place] = kept;
            assert_int_equal(rg_model_load(&model, path, &own), RG_EDATA);
        }
        for (size_t k = 0; k < 100; k++) { /* and none that is not there */
            test_write_bytes(directory, "model", bytes, k * n / 100);
            assert_int_equal(rg_model_load(&model, path, &own), RG_EDATA);
        }
        free(bytes);
        models_close(&m);
    }
    rg_model *model = NULL;
    rg_error own;
    assert_int_equal(rg_model_load(&model, "/nowhere/model", &own), RG_EIO);
    free(path);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tensor_must_be_there_and_be_what_it_was),
        cmocka_unit_test(what_does_not_fit_together_is_refused),
        cmocka_unit_test(no_damaged_byte_goes_unnoticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
