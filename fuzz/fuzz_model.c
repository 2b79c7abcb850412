/* fuzz_model.c - any container of tensors as a model: refused with a message, or it answers for a
 * few graphs and arrays and, stored again, answers the same.
 *
 * Inputs are mutated part by part: the bytes of one tensor, one text, or what tensors there are, in
 * a container that stays whole, so that the reader of models is reached and not only that of
 * containers (fuzz_safetensors.c). */
#include "base/alloc.h"
#include "graph/raw.h"
#include "network/model.h"
#include "network/safetensors.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t max);

#define CHECK(condition)  \
    do {                  \
        if (!(condition)) \
            abort();      \
    } while (0)

/* ---- what is answered for */

/* No node, one node, a triangle with a tail, a path; two columns of labels, two attributes. */
static rg_dataset *make_graphs(void)
{
    static const uint32_t sizes[] = {0, 1, 5, 3};
    static const uint32_t pairs[][2] = {{1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 5}, {6, 7}, {7, 8}};
    rg_raw raw = {.n_graphs = 4};
    rg_dataset *data = NULL;
    for (uint32_t g = 0; g < 4; g++)
        for (uint32_t i = 0; i < sizes[g]; i++) {
            CHECK(rg_raw_add_node(&raw, g));
            int64_t *labels = rg_int_rows_add(&raw.node_labels, 2);
            double *attributes = rg_real_rows_add(&raw.node_attributes, 2);
            CHECK(labels && attributes);
            labels[0] = 3 + 2 * (int64_t)(i % 2);
            labels[1] = i == 2 ? 7 : 0;
            attributes[0] = attributes[1] = (double)i / 4;
        }
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        CHECK(rg_raw_add_pair(&raw, pairs[k][0], pairs[k][1]));
        int64_t *label = rg_int_rows_add(&raw.edge_labels, 1);
        CHECK(label);
        *label = (int64_t)k % 2;
    }
    CHECK(rg_dataset_build(&data, &raw, NULL) == RG_OK);
    return data;
}

static rg_arrays *make_arrays(void)
{
    double x[48];
    rg_arrays *arrays = NULL;
    for (size_t k = 0; k < 48; k++)
        x[k] = (double)(k * k % 17) / 8 - 1;
    rg_arrays_content content = {.n_samples = 2, .shape = {4, 3, 2}, .doubles = x};
    CHECK(rg_arrays_build(&arrays, &content, NULL) == RG_OK);
    return arrays;
}

typedef struct answers {
    double outputs[4096];
    size_t n;
} answers;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    answers *a = context;
    (void)err;
    for (size_t k = 0; k < p->n_rows * p->n_outputs && a->n < 4096; k++)
        a->outputs[a->n++] = p->outputs[k];
    for (size_t k = 0; k < p->n_rows && p->classes; k++)
        CHECK(p->classes[k] < p->n_outputs);
    return RG_OK;
}

/* Would a pass over the small samples take long? */
static bool is_large(const rg_network *net)
{
    double cost = 0;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        double rows = layer->rows_out ? layer->rows_out : 5;
        double in = layer->rows_in ? layer->rows_in : 5;
        cost += layer->n_rules ? rows * in * layer->n_out * layer->n_in
                               : rows * layer->n_out * layer->n_in;
    }
    return cost > 1e6;
}

static rg_status answer(answers *out, const rg_model *model, int embed)
{
    static rg_dataset *graphs;
    static rg_arrays *arrays;
    if (!graphs) {
        graphs = make_graphs();
        arrays = make_arrays();
    }
    rg_source source = {.graphs = model->net->arrays ? NULL : graphs,
                        .arrays = model->net->arrays ? arrays : NULL};
    rg_predict_options options = {.n_threads = 1, .memory = 1 << 20, .embed = embed};
    rg_error err = {""};
    out->n = 0;
    rg_status status = rg_model_predict(model, &source, &options, note, out, NULL, &err);
    CHECK(!status == !err.message[0] && status != RG_ENOMEM);
    return status;
}

/* A labeling may lie in a file of this machine, which is not to be opened. */
static bool may_open_files(const rg_tensors *set)
{
    const char *text = rg_tensors_metadata(set, "regula.network");
    return text && (strstr(text, "file") || strchr(text, '\\'));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static answers first, second;
    rg_tensors *set = NULL;
    rg_model *model = NULL;
    rg_error err = {""};
    if (rg_tensors_parse(&set, "input", bytes, n, false, &err))
        return 0;
    rg_status status = may_open_files(set) ? RG_EDATA : rg_model_decode(&model, "input", set, &err);
    if (!status && !is_large(model->net)) {
        status = answer(&first, model, 1);
        CHECK(status == answer(&second, model, 0) || status == RG_EUSAGE); /* no vector */
        if (!status)
            CHECK(first.n == second.n &&
                  memcmp(first.outputs, second.outputs, first.n * sizeof(double)) == 0);
        size_t n_dropped;
        rg_model_info info;
        CHECK(rg_model_describe(&info, model, &err) == RG_OK);
        CHECK(rg_model_compact(model, &n_dropped, &err) == RG_OK);
        CHECK(status == RG_EUSAGE || status == answer(&second, model, 0));
    } else if (status && err.message[0])
        CHECK(!model && status != RG_ENOMEM);
    rg_model_free(model);
    rg_tensors_free(set);
    return 0;
}

/* ---- mutation */

/* One part of the container changes: returns false where nothing came of it. */
static bool add_changed(rg_tensors *out, const rg_tensor *from, unsigned seed, uint8_t *buffer)
{
    rg_tensor tensor = *from;
    if (seed % 16 == 0)
        return true; /* it leaves */
    memcpy(buffer, tensor.data, tensor.bytes);
    if (seed % 16 == 1 && tensor.n_dims && tensor.shape[0])
        tensor.shape[0]--;
    else if (seed % 16 == 2 && tensor.n_dims == 2) {
        tensor.shape[0] *= tensor.shape[1];
        tensor.n_dims = 1;
    } else if (tensor.bytes)
        LLVMFuzzerMutate(buffer, tensor.bytes, tensor.bytes);
    tensor.data = buffer;
    return rg_tensors_add(out, &tensor, NULL) == RG_OK;
}

static bool add_text(rg_tensors *out, const rg_text_entry *entry, uint8_t *buffer, size_t room)
{
    size_t n = strlen(entry->text);
    if (n + 64 > room)
        return false;
    memcpy(buffer, entry->text, n);
    n = LLVMFuzzerMutate(buffer, n, n + 63);
    buffer[n] = '\0';
    if (rg_tensors_add_metadata(out, entry->key, (const char *)buffer, NULL) == RG_OK)
        return true;
    return rg_tensors_add_metadata(out, entry->key, entry->text, NULL) == RG_OK;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
    rg_tensors *set = NULL, *out = NULL;
    size_t size = 0, room = n + 128;
    void *stored = NULL;
    if (rg_tensors_parse(&set, "input", bytes, n, false, NULL))
        return LLVMFuzzerMutate(bytes, n, max);
    uint8_t *buffer = malloc(room);
    out = rg_tensors_new();
    CHECK(buffer && out);
    size_t n_tensors = rg_tensors_size(set), n_texts = rg_tensors_n_metadata(set);
    size_t pick = seed / 16 % (n_tensors + n_texts + 1);
    bool fine = true;
    for (size_t k = 0; fine && k < n_tensors; k++)
        fine = k == pick ? add_changed(out, rg_tensors_at(set, k), seed, buffer)
                         : rg_tensors_add(out, rg_tensors_at(set, k), NULL) == RG_OK;
    for (size_t k = 0; fine && k < n_texts; k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        fine = k + n_tensors == pick
                   ? add_text(out, entry, buffer, room)
                   : rg_tensors_add_metadata(out, entry->key, entry->text, NULL) == RG_OK;
    }
    if (fine && rg_tensors_encode(&stored, &size, out, NULL) == RG_OK && size <= max)
        memcpy(bytes, stored, size);
    else
        size = n;
    rg_free(stored);
    rg_tensors_free(out);
    rg_tensors_free(set);
    free(buffer);
    return size;
}
