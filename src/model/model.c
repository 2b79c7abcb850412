/* model.c - see model.h: making and writing. model_read.c reads, model_compact.c drops weights. */
#include "model.h"

#include "base/alloc.h"
#include "base/error.h"
#include "members.h"
#include "safetensors.h"

#include <stdio.h>
#include <string.h>

double rg_model_weight(const rg_model *m, size_t k)
{
    return rg_real_at(m->precision, m->w, k);
}

void rg_model_set_weight(rg_model *m, size_t k, double value)
{
    if (m->precision == RG_FLOAT)
        ((float *)m->w)[k] = (float)value;
    else
        ((double *)m->w)[k] = value;
}

size_t rg_model_real(const rg_model *m)
{
    return rg_real_size(m->precision);
}

void rg_model_free(rg_model *model)
{
    if (!model)
        return;
    if (model->members || model->shares)
        rg_members_free(model);
    rg_network_free(model->net);
    rg_free(model->w);
    rg_free(model->training);
    rg_free(model->record);
    rg_free(model->spec);
    rg_free(model);
}

rg_status rg_model_new(rg_model **out, rg_network *net, const double *weights,
                       rg_precision precision, const char *training, const char *record,
                       rg_error *err)
{
    rg_model *m = rg_alloc_zero(1, sizeof *m);
    if (!m) {
        rg_network_free(net);
        return rg_fail_memory(err, "a model");
    }
    m->net = net;
    m->precision = precision;
    m->w = rg_alloc(rg_model_numbers(m), rg_model_real(m));
    m->training = rg_copy_text(training, strlen(training));
    m->record = rg_copy_text(record, strlen(record));
    rg_status status = m->w && m->training && m->record ? rg_spec_print(&m->spec, net->spec, err)
                                                        : rg_fail_memory(err, "a model");
    if (status) {
        rg_model_free(m);
        return status;
    }
    for (size_t k = 0; k < rg_model_numbers(m); k++)
        rg_model_set_weight(m, k, weights[k]);
    *out = m;
    return RG_OK;
}

/* ---- writing */

/* A file while it is put together. The first failure stays, and what follows does nothing. */
typedef struct model_writer {
    const rg_model *model;
    rg_tensors *set;
    void *labelings[RG_SPEC_LABELS_MAX]; /* encoded, owned */
    char *names;                         /* owned */
    void **blocks;                       /* of members, owned */
    int64_t shape[4];
    rg_status status;
    rg_error *err;
} model_writer;

static void put(model_writer *w, const rg_tensor_name *name, rg_dtype dtype, const void *data,
                size_t rows, size_t cols)
{
    rg_tensor tensor = {.name = name->text, .dtype = dtype, .n_dims = cols ? 2 : 1, .data = data};
    tensor.shape[0] = rows;
    tensor.shape[1] = cols;
    if (!w->status)
        w->status = rg_tensors_add(w->set, &tensor, w->err);
}

static void put_text(model_writer *w, const char *key, const char *text)
{
    if (!w->status)
        w->status = rg_tensors_add_metadata(w->set, key, text, w->err);
}

/* Weights from `at` on, [rows][cols]. */
static void put_weights(model_writer *w, const rg_tensor_name *name, size_t at, size_t rows,
                        size_t cols)
{
    const rg_model *m = w->model;
    put(w, name, m->precision == RG_FLOAT ? RG_DTYPE_F32 : RG_DTYPE_F64,
        (const char *)m->w + at * rg_model_real(m), rows, cols);
}

static void put_rule(model_writer *w, const rg_net_rule *rule, size_t layer, size_t part,
                     size_t per_key)
{
    rg_tensor_name keys = rg_model_name(layer, part, "keys");
    rg_tensor_name weights = rg_model_name(layer, part, "weights");
    rg_tensor_name facts = rg_model_name(layer, part, "facts");
    if (rule->rule) {
        put(w, &keys, RG_DTYPE_I64, rg_rule_keys_data(rule->keys), rg_rule_keys_size(rule->keys),
            rg_rule_keys_width(rule->keys));
        put(w, &facts, RG_DTYPE_F64, &rule->facts, sizeof rule->facts / sizeof(double), 0);
        put_weights(w, &weights, rule->at, rg_rule_keys_size(rule->keys), per_key);
        size_t n_edges;
        const double *edges = rg_rule_keys_edges(rule->keys, &n_edges);
        rg_tensor_name name = rg_model_name(layer, part, "edges");
        if (n_edges)
            put(w, &name, RG_DTYPE_F64, edges, n_edges, 0);
    } else if (rule->n_params)
        put_weights(w, &weights, rule->at, rule->n_params, 0);
}

static void put_layers(model_writer *w)
{
    const rg_network *net = w->model->net;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        rg_tensor_name weights = rg_model_name(k, RG_MODEL_WHOLE, "weights");
        rg_tensor_name state = rg_model_name(k, RG_MODEL_WHOLE, "state");
        for (size_t r = 0; layer->like == RG_NO_INDEX && r < layer->n_rules; r++)
            put_rule(w, &layer->rules[r], k, r, rg_net_per_key(layer));
        if (layer->like == RG_NO_INDEX)
            put_rule(w, &layer->bias, k, RG_MODEL_BIAS, layer->n_out);
        if (layer->weight_rows && layer->like == RG_NO_INDEX)
            put_weights(w, &weights, layer->weights, layer->weight_rows, layer->weight_cols);
        if (layer->n_state)
            put_weights(w, &state, layer->state, layer->n_state, 0);
    }
}

static void put_vocabularies(model_writer *w)
{
    const rg_network *net = w->model->net;
    for (size_t k = 0; !w->status && k < net->spec->n_labels; k++) {
        rg_tensor_name name = rg_model_part("labels", k);
        size_t n = 0;
        w->status = rg_labeling_encode(&w->labelings[k], &n, net->labelings[k], w->err);
        if (!w->status)
            put(w, &name, RG_DTYPE_U8, w->labelings[k], n, 0);
    }
    for (size_t k = 0; k < net->spec->n_signals; k++) {
        rg_tensor_name name = rg_model_part("input", k);
        if (net->signals[k].values)
            put(w, &name, RG_DTYPE_I64, net->signals[k].values, net->signals[k].n_values, 0);
    }
    for (size_t k = 0; k < net->spec->n_signals; k++) {
        const rg_net_signal *signal = &net->signals[k];
        rg_tensor_name shift = rg_model_part("shift", k), factor = rg_model_part("factor", k);
        if (signal->shift) {
            put(w, &shift, RG_DTYPE_F64, signal->shift, signal->n_channels, 0);
            put(w, &factor, RG_DTYPE_F64, signal->factor, signal->n_channels, 0);
        }
    }
    if (net->edge_shift) {
        rg_tensor_name shift = {"edges.shift"}, factor = {"edges.factor"};
        put(w, &shift, RG_DTYPE_F64, net->edge_shift, net->n_edge_channels, 0);
        put(w, &factor, RG_DTYPE_F64, net->edge_factor, net->n_edge_channels, 0);
    }
    for (size_t k = 0; k < net->n_targets; k++) {
        rg_tensor_name name = rg_model_part("target", k); /* shift and factor */
        if (net->targets[k].factor != 0)
            put(w, &name, RG_DTYPE_F64, &net->targets[k].shift, 2, 0);
    }
    for (size_t k = 0; k < net->n_targets; k++) {
        rg_tensor_name name = rg_model_part("classes", k);
        if (net->targets[k].values)
            put(w, &name, RG_DTYPE_I64, net->targets[k].values, net->targets[k].n, 0);
    }
}

/* Channels of the input and, for arrays, their shape: what the spec alone does not tell. */
static void put_shape(model_writer *w, int64_t shape[4])
{
    const rg_network *net = w->model->net;
    rg_tensor_name name = {"shape"};
    shape[0] = net->n_channels;
    shape[1] = net->arrays ? net->shape.rows : 0;
    shape[2] = net->arrays ? net->shape.cols : (int64_t)net->sequence;
    /* Volumes: planes, and above 32 bits the depth. */
    shape[3] = net->arrays ? net->shape.channels | (int64_t)net->shape.depth << 32 : 0;
    put(w, &name, RG_DTYPE_I64, shape, 4, 0);
}

/* Everything but the digest, which the container adds. */
static void put_all(model_writer *w, int64_t shape[4])
{
    const rg_model *m = w->model;
    put_text(w, "regula.format", RG_MODEL_FORMAT);
    put_text(w, "regula.version", RG_VERSION);
    put_text(w, "regula.network", m->spec);
    put_text(w, "regula.training", m->training);
    put_text(w, "regula.record", m->record);
    if (!w->status)
        w->status = rg_model_names_print(&w->names, &m->net->names, w->err);
    if (w->names)
        put_text(w, RG_MODEL_NAMES, w->names);
    if (m->net->node_classes)
        put_text(w, RG_MODEL_TARGET, "node_class");
    put_shape(w, shape);
    put_layers(w);
    put_vocabularies(w);
    if (!w->status)
        w->status = rg_model_put_tables(w->set, m->net, w->err);
}

/* Several networks: each as a file of its own. */
static void put_members(model_writer *w)
{
    const rg_model *m = w->model;
    put_text(w, "regula.format", RG_MEMBERS_FORMAT);
    put_text(w, "regula.version", RG_VERSION);
    put_text(w, "regula.training", m->training); /* of the first, as its network */
    put_text(w, "regula.record", m->record);
    if (!w->status)
        w->status = rg_members_put(w->set, &w->blocks, m, w->err);
}

static rg_status writer_open(model_writer *w, const rg_model *model, rg_error *err)
{
    *w = (model_writer){.model = model, .set = rg_tensors_new(), .err = err};
    if (!w->set)
        return rg_fail_memory(err, "a model");
    if (model->members)
        put_members(w);
    else
        put_all(w, w->shape);
    return w->status;
}

static void writer_close(model_writer *w)
{
    for (size_t k = 0; k < RG_SPEC_LABELS_MAX; k++)
        rg_bytes_free(w->labelings[k]);
    rg_members_free_blocks(w->blocks, w->model);
    rg_free(w->names);
    rg_tensors_free(w->set);
}

rg_status rg_model_save(rg_model *model, const char *path, rg_error *err)
{
    model_writer w;
    rg_status status = writer_open(&w, model, err);
    if (!status)
        status = rg_tensors_write(w.set, path, err);
    if (!status) {
        rg_tensors_digest(model->digest, w.set);
        memcpy(model->version, RG_VERSION, sizeof RG_VERSION);
    }
    writer_close(&w);
    return status;
}

rg_status rg_model_encode(void **bytes, size_t *n, const rg_model *model, rg_error *err)
{
    model_writer w;
    rg_status status = writer_open(&w, model, err);
    if (!status)
        status = rg_tensors_encode(bytes, n, w.set, err);
    writer_close(&w);
    return status;
}

/* ---- names of tensors */

rg_tensor_name rg_model_name(size_t layer, size_t part, const char *what)
{
    rg_tensor_name name;
    if (part == RG_MODEL_WHOLE)
        snprintf(name.text, sizeof name.text, "layer.%zu.%s", layer, what);
    else if (part == RG_MODEL_BIAS)
        snprintf(name.text, sizeof name.text, "layer.%zu.bias.%s", layer, what);
    else
        snprintf(name.text, sizeof name.text, "layer.%zu.rule.%zu.%s", layer, part, what);
    return name;
}

rg_tensor_name rg_model_part(const char *what, size_t k)
{
    rg_tensor_name name;
    snprintf(name.text, sizeof name.text, "%s.%zu", what, k);
    return name;
}

int rg_model_warning(char *text, size_t size, const rg_model *model, size_t k)
{
    char what[400];
    for (size_t l = 0; l < model->net->spec->n_labels; l++)
        if (rg_labeling_warning(what, sizeof what, model->net->labelings[l]) && k-- == 0) {
            snprintf(text, size, "labels '%s' hardly repeat%s", model->net->spec->label_names[l],
                     what + strlen("labels hardly repeat"));
            return 1;
        }
    return 0;
}
