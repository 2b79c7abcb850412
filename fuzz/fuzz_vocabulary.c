/* fuzz_vocabulary.c - any bytes as a stored labeling: refused with a message, or a labeling that
 * can be described, applied and stored again as the same bytes. */
#include "base/digest.h"
#include "graph/raw.h"
#include "regula/label.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* A triangle with a tail, with labels and an attribute. */
static rg_dataset *small_set(void)
{
    static const uint32_t pairs[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
    rg_raw raw = {.n_graphs = 2};
    rg_dataset *data = NULL;
    rg_error err;
    for (uint32_t i = 0; i < 5; i++) {
        int64_t *label = rg_int_rows_add(&raw.node_labels, 1);
        double *attribute = rg_real_rows_add(&raw.node_attributes, 1);
        if (!rg_raw_add_node(&raw, i / 4) || !label || !attribute)
            abort();
        *label = i % 2;
        *attribute = i / 2.0;
    }
    for (size_t k = 0; k < 4; k++) {
        int64_t *label = rg_int_rows_add(&raw.edge_labels, 1);
        if (!rg_raw_add_pair(&raw, pairs[k][0], pairs[k][1]) || !label)
            abort();
        *label = (int64_t)k % 3;
    }
    if (rg_dataset_build(&data, &raw, &err))
        abort();
    return data;
}

static void use(const rg_labeling *labeling)
{
    rg_dataset *data = small_set();
    rg_labels *labels = NULL;
    rg_label_options options = rg_label_options_default();
    rg_error err = {""};
    options.n_threads = 1;
    options.budget = 10000;
    uint32_t size = rg_labeling_size(labeling);
    for (uint32_t k = 0; k < size && k < 200; k++) {
        char text[100];
        if (rg_labeling_describe(text, sizeof text, labeling, k, &err) || !text[0])
            abort();
    }
    /* A labeling from a file may name any: those of this machine are none of our business. */
    if (!strstr(rg_labeling_spec(labeling), "file(") &&
        !rg_labeling_apply(&labels, labeling, data, &options, &err))
        for (uint64_t k = 0; k < rg_labels_n_nodes(labels); k++)
            if (rg_labels_data(labels)[k] >= size)
                abort();
    rg_labels_free(labels);
    rg_dataset_free(data);
}

static void decode(const uint8_t *bytes, size_t n)
{
    rg_labeling *labeling = NULL;
    rg_error err = {""};
    if (rg_labeling_decode(&labeling, bytes, n, &err)) {
        if (!err.message[0] || labeling)
            abort();
        return;
    }
    void *again = NULL;
    size_t m = 0;
    if (rg_labeling_encode(&again, &m, labeling, &err) || m != n || memcmp(again, bytes, n) != 0)
        abort();
    use(labeling);
    rg_bytes_free(again);
    rg_labeling_free(labeling);
}

/* Once as they are, and once with a check sum that agrees: no fuzzer would guess it. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    decode(bytes, n);
    if (n < 16 || n > 1 << 16)
        return 0;
    uint8_t *mended = malloc(n);
    if (!mended)
        abort();
    memcpy(mended, bytes, n);
    uint64_t sum = rg_hash(mended, n - 8, 0);
    for (size_t k = 0; k < 8; k++)
        mended[n - 8 + k] = (uint8_t)(sum >> (8 * k));
    decode(mended, n);
    free(mended);
    return 0;
}
