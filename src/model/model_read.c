/* model_read.c - a model from its file. Nothing in it is trusted: every shape, key and vocabulary
 * is checked against the network that the file itself describes. */
#include "base/alloc.h"
#include "base/error.h"
#include "label/labeling.h"
#include "members.h"
#include "safetensors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
    const char *path;
    const rg_tensors *set;
    rg_network *net;
    rg_error *err;
} reading;

static rg_status bad(const reading *in, const char *what)
{
    return rg_fail(in->err, RG_EDATA, "%s: %s", in->path, what);
}

/* A tensor of one dimension, of any length; NULL data and RG_OK if it is not there. */
static rg_status vector(const reading *in, const rg_tensor_name *name, rg_dtype dtype,
                        const void **data, size_t *n)
{
    const rg_tensor *tensor = rg_tensors_get(in->set, name->text);
    *data = NULL;
    *n = 0;
    if (!tensor)
        return RG_OK;
    *n = tensor->shape[0];
    return rg_tensors_find(data, in->set, name->text, dtype, 1, n, in->err);
}

/* Values that must ascend, copied. */
static rg_status read_values(const reading *in, const char *what, size_t k, int64_t **out,
                             size_t *n)
{
    rg_tensor_name name = rg_model_part(what, k);
    const void *data;
    rg_status status = vector(in, &name, RG_DTYPE_I64, &data, n);
    if (status)
        return status;
    const int64_t *values = data;
    if (!values || *n == 0 || *n > UINT32_MAX / 2)
        return rg_fail(in->err, RG_EDATA, "%s: tensor '%s' is missing or empty", in->path,
                       name.text);
    for (size_t v = 1; v < *n; v++)
        if (values[v - 1] >= values[v])
            return rg_fail(in->err, RG_EDATA, "%s: the values of '%s' do not ascend", in->path,
                           name.text);
    *out = rg_alloc(*n, sizeof **out);
    if (!*out)
        return rg_fail_memory(in->err, "a model");
    memcpy(*out, values, *n * sizeof **out);
    return RG_OK;
}

/* ---- what the network was fitted to */

static rg_status read_shape(const reading *in)
{
    const void *data;
    size_t four = 4;
    rg_status status = rg_tensors_find(&data, in->set, "shape", RG_DTYPE_I64, 1, &four, in->err);
    if (status)
        return status;
    const int64_t *shape = data;
    int64_t planes = shape[3] & UINT32_MAX, depth = shape[3] >> 32;
    for (size_t k = 0; k < 4; k++)
        if (shape[k] < 0 || (k < 3 ? shape[k] : planes) > UINT32_MAX / 2)
            return bad(in, "tensor 'shape' is out of range");
    if (depth && (depth == 1 || shape[1] == 0 || planes % depth))
        return bad(in, "tensor 'shape' is out of range");
    in->net->arrays = shape[1] > 0;
    in->net->n_channels = (uint32_t)shape[0];
    in->net->shape =
        (rg_rule_shape){(uint32_t)shape[1], (uint32_t)shape[2], (uint32_t)planes, (uint32_t)depth};
    double size = (double)shape[1] * (double)shape[2] * (double)planes;
    if (!in->net->arrays && shape[2] >= RG_N_SEQUENCES)
        return bad(in, "tensor 'shape' is out of range");
    in->net->sequence = in->net->arrays ? RG_SEQUENCE_NONE : (rg_sequence)shape[2];
    if (in->net->arrays && (size < 1 || size > UINT32_MAX / 2))
        return bad(in, "tensor 'shape' is out of range");
    return RG_OK;
}

static rg_status read_targets(const reading *in)
{
    rg_network *net = in->net;
    net->task = net->spec->task;
    net->n_targets = net->spec->n_targets;
    bool one = rg_task_of_classes(net->task);
    const char *kind = rg_tensors_metadata(in->set, RG_MODEL_TARGET);
    net->node_classes = kind && net->task == RG_TASK_NODES;
    if (kind && (!net->node_classes || strcmp(kind, "node_class") != 0))
        return bad(in, "metadata '" RG_MODEL_TARGET "' does not fit the task");
    if (net->task == RG_TASK_AUTO || net->n_targets == 0 || (one && net->n_targets != 1))
        return bad(in, "the network does not name its task");
    for (size_t k = 0; k < net->n_targets; k++) {
        net->targets[k].column = net->spec->targets[k];
        if (rg_task_of_values(net->task))
            continue;
        rg_status status =
            read_values(in, "classes", k, &net->targets[k].values, &net->targets[k].n);
        if (status)
            return status;
        if (net->targets[k].n < 2 || (net->task == RG_TASK_MULTILABEL && net->targets[k].n != 2))
            return bad(in, "the number of classes does not fit the task");
    }
    net->n_outputs = one ? (uint32_t)net->targets[0].n : (uint32_t)net->n_targets;
    return RG_OK;
}

static rg_status read_labelings(const reading *in)
{
    rg_network *net = in->net;
    if (net->arrays && net->spec->n_labels)
        return bad(in, "labels are for graphs, and the network is for arrays");
    for (size_t k = 0; k < net->spec->n_labels; k++) {
        rg_tensor_name name = rg_model_part("labels", k);
        const void *bytes;
        size_t n;
        rg_error inner;
        rg_status status = vector(in, &name, RG_DTYPE_U8, &bytes, &n);
        if (status)
            return status;
        if (!bytes)
            return bad(in, "the vocabulary of a labeling is missing");
        status = rg_labeling_decode(&net->labelings[k], bytes, n, &inner);
        if (status)
            return rg_fail(in->err, status, "%s: labels '%s': %s", in->path,
                           net->spec->label_names[k], inner.message);
    }
    return RG_OK;
}

/* n finite numbers, copied; factor: none is 0. */
static rg_status read_reals(double *out, const reading *in, const char *what, size_t k, size_t n,
                            bool factor)
{
    rg_tensor_name name = rg_model_part(what, k);
    const void *data;
    rg_status status = rg_tensors_find(&data, in->set, name.text, RG_DTYPE_F64, 1, &n, in->err);
    if (status)
        return status;
    memcpy(out, data, n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(out[i]) || (factor && out[i] == 0))
            return bad(in, "what standardises the numbers is out of range");
    return RG_OK;
}

static rg_status copy_edge_numbers(double **out, const reading *in, const rg_tensor_name *name,
                                   bool factor)
{
    const void *data;
    size_t n;
    rg_status status = vector(in, name, RG_DTYPE_F64, &data, &n);
    if (status)
        return status;
    if (!n || n > RG_SPEC_CHANNELS_MAX ||
        (in->net->n_edge_channels && n != in->net->n_edge_channels))
        return bad(in, "the attributes of edges do not fit the network");
    in->net->n_edge_channels = (uint32_t)n;
    *out = rg_alloc(n, sizeof **out);
    if (!*out)
        return rg_fail_memory(in->err, "a model");
    memcpy(*out, data, n * sizeof **out);
    for (size_t i = 0; i < n; i++)
        if (!isfinite((*out)[i]) || (factor && (*out)[i] == 0))
            return bad(in, "what standardises the attributes of edges is out of range");
    return RG_OK;
}

static rg_status read_edge_attributes(const reading *in)
{
    rg_tensor_name shift = {"edges.shift"}, factor = {"edges.factor"};
    if (!rg_network_takes_edges(in->net))
        return RG_OK;
    rg_status status = copy_edge_numbers(&in->net->edge_shift, in, &shift, false);
    return status ? status : copy_edge_numbers(&in->net->edge_factor, in, &factor, true);
}

static rg_status read_standard(const reading *in)
{
    rg_network *net = in->net;
    rg_status status = RG_OK;
    for (size_t k = 0; !status && net->spec->standardise && k < net->spec->n_signals; k++) {
        rg_net_signal *signal = &net->signals[k];
        if (signal->kind != RG_SIGNAL_ATTRIBUTES && signal->kind != RG_SIGNAL_COUNT)
            continue;
        signal->shift = rg_alloc(signal->n_channels, sizeof *signal->shift);
        signal->factor = rg_alloc(signal->n_channels, sizeof *signal->factor);
        if (!signal->shift || !signal->factor)
            return rg_fail_memory(in->err, "a model");
        status = read_reals(signal->shift, in, "shift", k, signal->n_channels, false);
        if (!status)
            status = read_reals(signal->factor, in, "factor", k, signal->n_channels, true);
    }
    for (size_t k = 0;
         !status && net->spec->standardise && rg_task_of_values(net->task) && k < net->n_targets;
         k++) {
        double both[2];
        status = read_reals(both, in, "target", k, 2, false);
        if (!status && both[1] == 0)
            return bad(in, "what standardises the numbers is out of range");
        net->targets[k].shift = status ? 0 : both[0];
        net->targets[k].factor = status ? 0 : both[1];
    }
    return status;
}

static rg_status read_signals(const reading *in)
{
    rg_network *net = in->net;
    uint64_t n_channels = 0, n_attributes = 0;
    for (size_t k = 0; k < net->spec->n_signals; k++) {
        const rg_signal *signal = &net->spec->signals[k];
        rg_net_signal *out = &net->signals[k];
        rg_status status = RG_OK;
        *out = (rg_net_signal){.kind = signal->kind,
                               .column = signal->column,
                               .value = signal->value,
                               .labeling = SIZE_MAX,
                               .n_channels = 1};
        for (size_t l = 0; signal->labeling && l < net->spec->n_labels; l++)
            if (strcmp(net->spec->label_names[l], signal->labeling) == 0)
                out->labeling = l;
        bool open = signal->kind == RG_SIGNAL_AUTO || signal->kind == RG_SIGNAL_LABELS ||
                    signal->column == RG_ALL_COLUMNS; /* not resolved */
        if (open || (signal->kind == RG_SIGNAL_VALUES) != net->arrays)
            return bad(in, "the input of the network does not fit its samples");
        if (signal->kind == RG_SIGNAL_SIGNED || signal->kind == RG_SIGNAL_SCALED ||
            (signal->kind == RG_SIGNAL_ONE_HOT && out->labeling == SIZE_MAX))
            status = read_values(in, "input", k, &out->values, &out->n_values);
        if (status)
            return status;
        if (signal->kind == RG_SIGNAL_ONE_HOT)
            out->n_channels = out->values ? (uint32_t)out->n_values
                                          : rg_labeling_size(net->labelings[out->labeling]);
        if (signal->kind == RG_SIGNAL_COUNT) {
            rg_error inner;
            if (rg_label_counts_size(&out->n_channels, signal->labeling, &inner))
                return bad(in, "the input counts nothing");
        }
        if (signal->kind == RG_SIGNAL_ATTRIBUTES)
            n_attributes++;
        else
            n_channels += out->n_channels;
    }
    uint64_t left = net->n_channels < n_channels ? 0 : net->n_channels - n_channels;
    uint64_t each = n_attributes ? left / n_attributes : 0; /* attributes: all that others leave */
    for (size_t k = 0; k < net->spec->n_signals; k++)
        if (net->signals[k].kind == RG_SIGNAL_ATTRIBUTES)
            net->signals[k].n_channels = (uint32_t)each;
    if (n_channels + n_attributes * each != net->n_channels || (n_attributes && !each) ||
        !net->n_channels || net->n_channels > INT32_MAX)
        return bad(in, "the channels of the input do not add up");
    return read_standard(in);
}

/* ---- keys and weights */

/* Edges of bins, if the rule has some; how many there should be is checked against the shape of the
 * input when the keys are used. */
static rg_status read_edges(const reading *in, rg_net_rule *rule, size_t layer, size_t part)
{
    rg_tensor_name name = rg_model_name(layer, part, "edges");
    const rg_tensor *tensor = rg_tensors_get(in->set, name.text);
    size_t n = tensor ? tensor->shape[0] : 0;
    const void *data;
    rg_error inner;
    if (!rg_rule_describe(rule->rule)->n_bins)
        return RG_OK;
    rg_status status = rg_tensors_find(&data, in->set, name.text, RG_DTYPE_F64, 1, &n, in->err);
    if (status)
        return status;
    status = rg_rule_keys_set_edges(rule->keys, data, n, &inner);
    return status
               ? rg_fail(in->err, status, "%s: tensor '%s': %s", in->path, name.text, inner.message)
               : RG_OK;
}

static rg_status read_keys(const reading *in, rg_net_rule *rule, size_t layer, size_t part)
{
    rg_tensor_name name = rg_model_name(layer, part, "keys");
    rg_tensor_name facts = rg_model_name(layer, part, "facts");
    const rg_tensor *tensor = rg_tensors_get(in->set, name.text);
    size_t width = rg_rule_describe(rule->rule)->n_keys, n_facts = sizeof rule->facts / 8;
    size_t shape[2] = {tensor ? tensor->shape[0] : 0, width};
    const void *data;
    rg_error inner;
    rg_status status = rg_tensors_find(&data, in->set, name.text, RG_DTYPE_I64, 2, shape, in->err);
    if (status)
        return status;
    status = rg_rule_keys_new(&rule->keys, data, shape[0], width, &inner);
    if (status)
        return rg_fail(in->err, status, "%s: tensor '%s': %s", in->path, name.text, inner.message);
    status = rg_tensors_find(&data, in->set, facts.text, RG_DTYPE_F64, 1, &n_facts, in->err);
    for (size_t k = 0; !status && k < n_facts; k++)
        if (!(((const double *)data)[k] >= 0 && ((const double *)data)[k] <= 2e19))
            status =
                rg_fail(in->err, RG_EDATA, "%s: tensor '%s' is out of range", in->path, facts.text);
    if (!status)
        memcpy(&rule->facts, data, sizeof rule->facts);
    return status ? status : read_edges(in, rule, layer, part);
}

static rg_status read_all_keys(const reading *in)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < in->net->n_layers; k++) {
        rg_net_layer *layer = &in->net->layers[k];
        if (layer->like != RG_NO_INDEX) {
            status = rg_network_share_keys(in->net, layer, in->err);
            continue;
        }
        for (size_t r = 0; !status && r < layer->n_rules; r++)
            status = read_keys(in, &layer->rules[r], k, r);
        if (!status && layer->bias.rule)
            status = read_keys(in, &layer->bias, k, RG_MODEL_BIAS);
    }
    return status;
}

static rg_status copy_weights(const reading *in, rg_model *m, const rg_tensor_name *name, size_t at,
                              size_t rows, size_t cols)
{
    size_t shape[2] = {rows, cols}, n = rows * (cols ? cols : 1);
    const void *data;
    rg_status status = rg_tensors_find(&data, in->set, name->text,
                                       m->precision == RG_FLOAT ? RG_DTYPE_F32 : RG_DTYPE_F64,
                                       cols ? 2 : 1, shape, in->err);
    if (!status && n > 0)
        memcpy((char *)m->w + at * rg_model_real(m), data, n * rg_model_real(m));
    return status;
}

static rg_status read_weights(const reading *in, rg_model *m)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < in->net->n_layers; k++) {
        const rg_net_layer *layer = &in->net->layers[k];
        for (size_t r = 0; !status && layer->like == RG_NO_INDEX && r < layer->n_rules; r++) {
            rg_tensor_name name = rg_model_name(k, r, "weights");
            status = copy_weights(in, m, &name, layer->rules[r].at,
                                  rg_rule_keys_size(layer->rules[r].keys), rg_net_per_key(layer));
        }
        rg_tensor_name bias = rg_model_name(k, RG_MODEL_BIAS, "weights");
        rg_tensor_name whole = rg_model_name(k, RG_MODEL_WHOLE, "weights");
        rg_tensor_name state = rg_model_name(k, RG_MODEL_WHOLE, "state");
        if (!status && layer->n_state)
            status = copy_weights(in, m, &state, layer->state, layer->n_state, 0);
        if (layer->like != RG_NO_INDEX) /* they are those of another layer */
            continue;
        if (!status && layer->bias.rule)
            status = copy_weights(in, m, &bias, layer->bias.at, rg_rule_keys_size(layer->bias.keys),
                                  layer->n_out);
        else if (!status && layer->bias.n_params)
            status = copy_weights(in, m, &bias, layer->bias.at, layer->bias.n_params, 0);
        if (!status && layer->weight_rows)
            status =
                copy_weights(in, m, &whole, layer->weights, layer->weight_rows, layer->weight_cols);
    }
    return status;
}

/* Whichever precision its first tensor of weights has. */
static rg_precision find_precision(const rg_tensors *set)
{
    for (size_t k = 0; k < rg_tensors_size(set); k++) {
        const char *name = rg_tensors_at(set, k)->name;
        size_t n = strlen(name);
        if (n > 8 && strcmp(name + n - 8, ".weights") == 0)
            return rg_tensors_at(set, k)->dtype == RG_DTYPE_F64 ? RG_DOUBLE : RG_FLOAT;
    }
    return RG_FLOAT;
}

/* ---- all of it */

static rg_status read_spec(const reading *in)
{
    const char *text = rg_tensors_metadata(in->set, "regula.network");
    rg_yaml *root = NULL;
    if (!text)
        return bad(in, "not a model of regula: metadata 'regula.network' is missing");
    rg_status status = rg_yaml_parse(&root, in->path, text, strlen(text), in->err);
    if (!status)
        status = rg_spec_from_yaml(&in->net->spec, root, in->err);
    rg_yaml_free(root);
    return status;
}

/* Rows, channels and rules, as for a network file, whose complaints do not name the model. */
static rg_status read_layers(const reading *in)
{
    rg_error inner;
    rg_status status = rg_network_shape(in->net, &inner);
    if (!status)
        status = rg_network_parse(in->net, &inner);
    return status ? rg_fail(in->err, status, "%s: %s", in->path, inner.message) : RG_OK;
}

/* Of programs before 0.1.0, and where the data had none, there are none. */
static rg_status read_names(const reading *in)
{
    const char *text = rg_tensors_metadata(in->set, RG_MODEL_NAMES);
    return text ? rg_model_names_parse(&in->net->names, in->path, text, in->err) : RG_OK;
}

static rg_status read_network(const reading *in)
{
    rg_status status = read_spec(in);
    if (!status)
        status = read_names(in);
    if (!status)
        status = read_shape(in);
    if (!status)
        status = read_targets(in);
    if (!status)
        status = read_labelings(in);
    if (!status)
        status = read_signals(in);
    if (!status)
        status = rg_model_read_tables(in->net, in->path, in->set, in->err);
    if (!status)
        status = read_edge_attributes(in);
    if (!status)
        status = read_layers(in);
    if (!status)
        status = read_all_keys(in);
    if (!status)
        status = rg_network_lay_out(in->net, in->err);
    return status;
}

static rg_status read_model(rg_model *m, const reading *in)
{
    const char *format = rg_tensors_metadata(in->set, "regula.format");
    const char *version = rg_tensors_metadata(in->set, "regula.version");
    const char *training = rg_tensors_metadata(in->set, "regula.training");
    const char *record = rg_tensors_metadata(in->set, "regula.record");
    if (!format || !version || !training || !record)
        return bad(in, "not a model of regula: metadata 'regula.format' or others are missing");
    if (strcmp(format, RG_MODEL_FORMAT) != 0)
        return rg_fail(in->err, RG_EDATA,
                       "%s: found format '%s' of models (regula %s), expected '%s'", in->path,
                       format, version, RG_MODEL_FORMAT);
    rg_status status = read_network(in);
    if (status)
        return status;
    m->precision = find_precision(in->set);
    m->w = rg_alloc_zero(rg_model_numbers(m), rg_model_real(m));
    m->training = rg_copy_text(training, strlen(training));
    m->record = rg_copy_text(record, strlen(record));
    if (!m->w || !m->training || !m->record)
        return rg_fail_memory(in->err, "a model");
    strncpy(m->version, version, sizeof m->version - 1);
    rg_tensors_digest(m->digest, in->set);
    status = rg_spec_print(&m->spec, in->net->spec, in->err);
    return status ? status : read_weights(in, m);
}

rg_status rg_model_decode(rg_model **out, const char *name, const rg_tensors *set, rg_error *err)
{
    const char *format = rg_tensors_metadata(set, "regula.format");
    if (format && strcmp(format, RG_MEMBERS_FORMAT) == 0)
        return rg_members_decode(out, name, set, err);
    rg_model *m = rg_alloc_zero(1, sizeof *m);
    reading in = {.path = name, .set = set, .err = err};
    rg_status status = RG_OK;
    if (m)
        in.net = m->net = rg_alloc_zero(1, sizeof *m->net);
    if (!m || !m->net)
        status = rg_fail_memory(err, "a model");
    if (!status)
        status = read_model(m, &in);
    if (status)
        rg_model_free(m);
    else
        *out = m;
    return status;
}

/* What is no file of tensors at all is most often a file that was taken for a model. */
static rg_status no_model(const char *path, rg_error *err)
{
    char why[sizeof err->message];
    size_t n = strlen(path);
    bool named = strncmp(err->message, path, n) == 0 && err->message[n] == ':';
    snprintf(why, sizeof why, "%s", err->message + (named ? n + 2 : 0));
    return rg_fail(err, RG_EDATA, "%s: not a model: %s", path, why);
}

rg_status rg_model_load(rg_model **out, const char *path, rg_error *err)
{
    rg_tensors *set = NULL;
    rg_status status = rg_tensors_read(&set, path, RG_MODEL_BYTES_MAX, true, err);
    if (status == RG_EDATA && err)
        return no_model(path, err);
    if (!status)
        status = rg_model_decode(out, path, set, err);
    rg_tensors_free(set);
    return status;
}
