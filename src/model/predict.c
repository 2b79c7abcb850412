/* predict.c - predictions of a model, sample by sample. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "members.h"
#include "network/engine.h"

#include <string.h>

RG_DEFINE_INIT(rg_predict_options, RG_PREDICT_OPTIONS_INIT)

/* The vector that goes into the last layer with weights. A dense layer, one on shapes or sequences: its input
 * as it is. An aggregation: for every key of its output 0 the sum (or mean) of the signals of the
 * nodes with it, which the layer's weights then weigh. Nodes: the row of each node. */
typedef struct embedding {
    size_t layer;
    size_t n;        /* numbers per row */
    bool pooled;     /* of an aggregation */
    uint32_t *place; /* pooled: of each key of rule 0 in the vector, UINT32_MAX: none; owned */
} embedding;

/* What a prediction needs besides the pass. */
typedef struct predictor {
    const rg_model *model;
    const rg_samples *samples;
    const rg_kernels *kernels;
    rg_pass *pass;
    embedding embedding;
    bool embed;
    double *outputs, *probabilities, *vector, *signal; /* of the largest sample */
    void *scratch;                                     /* reals: probabilities */
    uint32_t *classes;
} predictor;

/* ---- embeddings */

/* Keys of an aggregation that its output 0 can have. */
static rg_status place_keys(embedding *e, const rg_net_rule *rule, rg_error *err)
{
    size_t n = rg_rule_keys_size(rule->keys), width = rg_rule_keys_width(rule->keys), out = width;
    for (size_t k = 0; k < width; k++)
        if (strcmp(rg_rule_key_text(rule->rule, k), "out") == 0)
            out = k;
    e->place = rg_alloc(n, sizeof *e->place);
    if (!e->place)
        return rg_fail_memory(err, "embeddings");
    uint32_t next = 0;
    for (size_t k = 0; k < n; k++)
        e->place[k] = out == width || rg_rule_keys_data(rule->keys)[k * width + out] == 0
                          ? next++
                          : UINT32_MAX;
    e->n = next;
    return RG_OK;
}

/* Is what goes into layer k what an embedding should be: one vector per sample, or per node where nodes are
 * what is predicted? */
static bool embeds(const rg_network *net, size_t k)
{
    const rg_net_layer *layer = &net->layers[k];
    bool vector =
        net->arrays || rg_task_on_nodes(net->task) || layer->rows_in || layer->kind->outputs;
    return layer->kind->weighs && vector;
}

/* The last such layer. False: there is none, or the input of the network goes into it. */
static bool find_embedding(size_t *out, const rg_network *net)
{
    size_t k = net->n_layers;
    while (k > 0 && !embeds(net, k - 1))
        k--;
    if (k == 0)
        return false;
    const rg_net_layer *layer = &net->layers[k - 1];
    *out = k - 1;
    return layer->kind->outputs || !(layer->fixed || (net->batched && layer->ins[0] == 0));
}

bool rg_model_embeds(const rg_model *model)
{
    size_t ignored;
    return !model->members && find_embedding(&ignored, model->net);
}

static rg_status open_embedding(embedding *e, const rg_network *net, rg_error *err)
{
    if (!find_embedding(&e->layer, net))
        return rg_fail(err, RG_EUSAGE, "%s",
                       net->n_layers == 1
                           ? "the network has only one layer: there is no embedding before it"
                           : "no layer with weights has a vector before it: there is no embedding");
    const rg_net_layer *layer = &net->layers[e->layer];
    e->pooled = layer->kind->outputs;
    e->n = layer->n_in * (size_t)(layer->rows_in ? layer->rows_in : 1);
    rg_status status = e->pooled ? place_keys(e, &layer->rules[0], err) : RG_OK;
    if (e->pooled)
        e->n *= layer->n_in;
    return status;
}

rg_status rg_model_embedding_size(size_t *out, const rg_model *model, rg_error *err)
{
    embedding e = {0};
    if (model->members)
        return rg_fail(err, RG_EUSAGE, "the model has several networks: there is no one embedding");
    rg_status status = open_embedding(&e, model->net, err);
    rg_free(e.place);
    if (!status)
        *out = e.n;
    return status;
}

/* Of sample k of those that have just gone through the pass. */
static void fill_embedding(predictor *p, const rg_sample *sample, size_t k)
{
    const embedding *e = &p->embedding;
    const rg_net_layer *layer = &p->model->net->layers[e->layer];
    uint32_t channels = layer->n_in;
    if (!layer->fixed)
        rg_pass_signal(e->pooled ? p->signal : p->vector, p->pass, layer->ins[0], k);
    if (!e->pooled)
        return;
    rg_links links;
    double scale = layer->mean && sample->n_nodes ? 1.0 / sample->n_nodes : 1;
    memset(p->vector, 0, e->n * sizeof *p->vector);
    rg_block_links(&links, sample->block, e->layer, 0, sample->place);
    for (uint32_t at = links.row[0]; at < links.row[1]; at++)
        for (uint32_t c = 0; c < channels; c++) {
            size_t in = (size_t)(links.col16   ? links.col16[at]
                                 : links.col32 ? links.col32[at]
                                               : 0) *
                            channels +
                        c;
            if (e->place[links.id[at]] != UINT32_MAX)
                p->vector[(size_t)e->place[links.id[at]] * channels + c] +=
                    scale * (links.value ? rg_real_at(p->model->precision, links.value, at)
                                         : p->signal[in]);
        }
}

/* ---- one sample */

static void fill_classes(predictor *p, size_t n_rows, size_t n)
{
    for (size_t i = 0; i < n_rows; i++) {
        size_t best = 0;
        for (size_t c = 1; c < n; c++)
            if (p->outputs[i * n + c] > p->outputs[i * n + best])
                best = c;
        p->classes[i] = (uint32_t)best;
    }
}

/* Of sample k of those that have just gone through the pass. */
static rg_prediction predict(predictor *p, const rg_sample *sample, size_t k)
{
    const rg_network *net = p->model->net;
    size_t n = net->n_outputs, n_rows = rg_task_on_nodes(net->task) ? sample->n_nodes : 1;
    const void *z =
        (const char *)rg_pass_outputs(p->pass) + rg_pass_output(p->pass, k) * p->kernels->real_size;
    bool classes = rg_task_of_classes(net->task);
    for (size_t i = 0; i < n_rows * n; i++)
        p->outputs[i] = rg_network_value(net, i % n, rg_real_at(p->model->precision, z, i));
    if (classes)
        p->kernels->softmax(p->scratch, n_rows, net->n_outputs, z);
    else if (net->task == RG_TASK_MULTILABEL)
        p->kernels->sigmoid(p->scratch, n_rows * n, z);
    for (size_t i = 0; !rg_task_of_values(net->task) && i < n_rows * n; i++)
        p->probabilities[i] = rg_real_at(p->model->precision, p->scratch, i);
    if (classes)
        fill_classes(p, n_rows, n);
    if (p->embed)
        fill_embedding(p, sample, k);
    uint64_t unknown, labels, pairs;
    rg_samples_unseen_of(&unknown, &labels, &pairs, p->samples, sample->number);
    bool graphs = p->samples->source.graphs != NULL;
    return (rg_prediction){.sample = sample->number,
                           .unknown_labels = unknown,
                           .unseen_labels = labels,
                           .unseen_pairs = pairs,
                           .n_rows = n_rows,
                           .n_outputs = n,
                           .outputs = p->outputs,
                           .probabilities = rg_task_of_values(net->task) ? NULL : p->probabilities,
                           .classes = classes ? p->classes : NULL,
                           .embedding = p->embed ? p->vector : NULL,
                           .n_embedding = p->embed ? p->embedding.n : 0,
                           .n_nodes = graphs ? sample->n_nodes : 0,
                           .n_unseen =
                               graphs ? rg_samples_unseen_nodes(p->samples, sample->number) : 0};
}

/* ---- all of them */

static void predictor_close(predictor *p)
{
    rg_pass_free(p->pass);
    rg_free(p->embedding.place);
    rg_free(p->outputs);
    rg_free(p->probabilities);
    rg_free(p->vector);
    rg_free(p->signal);
    rg_free(p->scratch);
    rg_free(p->classes);
}

static rg_status predictor_open(predictor *p, const rg_model *model, const rg_samples *samples,
                                const rg_predict_options *o, rg_error *err)
{
    const rg_network *net = model->net;
    size_t rows = rg_task_on_nodes(net->task) && samples->most_rows ? samples->most_rows : 1;
    size_t n = rows * net->n_outputs, wide, input = 0;
    rg_pass_options passing = {.group = RG_MODEL_GROUP};
    *p = (predictor){.model = model, .samples = samples, .embed = o->embed};
    p->kernels = rg_kernels_get(model->precision, 1, o->cpu);
    rg_status status = rg_pass_new(&p->pass, samples, p->kernels, &passing, err);
    if (!status && o->embed)
        status = open_embedding(&p->embedding, net, err);
    if (status)
        return status;
    if (o->embed && p->embedding.pooled)
        input = net->layers[p->embedding.layer].n_in;
    if (!rg_size_mul(&wide, rows, p->embedding.n) ||
        !rg_size_mul(&input, input, samples->most_rows))
        return rg_fail_memory(err, "embeddings");
    p->signal = rg_alloc(input, sizeof *p->signal);
    p->outputs = rg_alloc(n, sizeof *p->outputs);
    p->probabilities = rg_alloc(n, sizeof *p->probabilities);
    p->scratch = rg_alloc(n, p->kernels->real_size);
    p->classes = rg_alloc(rows, sizeof *p->classes);
    p->vector = rg_alloc(wide, sizeof *p->vector);
    return p->outputs && p->probabilities && p->scratch && p->classes && p->vector && p->signal
               ? RG_OK
               : rg_fail_memory(err, "predictions");
}

static rg_status check_samples(const rg_samples *samples, const rg_predict_options *o,
                               rg_error *err)
{
    for (size_t k = 0; o->samples && k < o->n_samples; k++)
        if (o->samples[k] >= samples->n)
            return rg_fail(err, RG_EUSAGE, "'%s' has %zu samples: there is no %u",
                           rg_source_name(&samples->source), samples->n, (unsigned)o->samples[k]);
    return RG_OK;
}

void rg_model_report(rg_predict_report *out, const rg_samples *s)
{
    *out =
        (rg_predict_report){.n_nodes = s->source.graphs ? rg_dataset_n_nodes(s->source.graphs) : 0,
                            .unknown_labels = rg_samples_unknown_labels(s),
                            .unseen_labels = rg_samples_unseen_labels(s),
                            .unseen_pairs = s->unseen};
}

rg_status rg_model_walk(const rg_model *model, rg_samples *samples, const rg_predict_options *o,
                        rg_status (*each)(void *context, const rg_prediction *prediction,
                                          rg_error *err),
                        void *context, rg_error *err)
{
    predictor p;
    rg_walk walk = {0};
    uint32_t *all = NULL;
    size_t n = o->samples ? o->n_samples : samples->n;
    if (model->members)
        return rg_members_walk(model, samples, o, each, context, err);
    rg_status status = check_samples(samples, o, err);
    if (status)
        return status;
    status = predictor_open(&p, model, samples, o, err);
    if (!status)
        status = rg_walk_open(&walk, samples, err);
    if (!status && !o->samples) {
        all = rg_alloc(n, sizeof *all);
        if (!all)
            status = rg_fail_memory(err, "predictions");
        for (size_t k = 0; all && k < n; k++)
            all[k] = (uint32_t)k;
    }
    if (!status)
        rg_walk_begin(&walk, all ? all : o->samples, n);
    for (size_t at = 0, taken; !status && at < n; at += taken) {
        const rg_sample *group;
        status = rg_pass_take(&group, &taken, p.pass, &walk, n, err);
        if (!status)
            rg_pass_forward(p.pass, group, taken, model->w, NULL);
        for (size_t k = 0; !status && k < taken; k++) {
            rg_prediction prediction = predict(&p, &group[k], k);
            status = each(context, &prediction, err);
        }
        if (o->progress && !status)
            o->progress(o->progress_context, (double)(at + taken) / (double)n);
    }
    rg_walk_close(&walk);
    predictor_close(&p);
    rg_free(all);
    return status;
}

rg_status rg_model_samples(rg_samples **out, const rg_model *model, const rg_source *source,
                           const rg_predict_options *o, rg_cancel *cancel, rg_error *err)
{
    rg_samples_options options = {.precision = model->precision,
                                  .n_threads = o->n_threads,
                                  .memory = o->memory,
                                  .matrix = o->embed,
                                  .label_cache = o->cache,
                                  .cancel = cancel,
                                  .count_unseen = true};
    rg_status status = rg_cpu_check(o->cpu, err);
    if (!status)
        status = rg_samples_open(out, model->net, source, NULL, &options, err);
    return status;
}

rg_status
rg_model_predict(const rg_model *model, const rg_source *source, const rg_predict_options *options,
                 rg_status (*each)(void *context, const rg_prediction *prediction, rg_error *err),
                 void *context, rg_predict_report *report, rg_error *err)
{
    rg_predict_options own = RG_PREDICT_OPTIONS_INIT;
    rg_samples *samples = NULL;
    rg_cancel cancel;
    rg_status status = RG_TAKE(rg_predict_options, &own, options, err);
    rg_cancel_open(&cancel, own.cancel, own.cancel_context);
    if (!status)
        status = rg_model_samples(&samples, model, source, &own, &cancel, err);
    if (!status)
        status = rg_model_walk(model, samples, &own, each, context, err);
    if (!status && report)
        rg_model_report(report, samples);
    rg_samples_free(samples);
    return status;
}

/* ---- about a model */

int64_t rg_model_class(const rg_model *model, uint32_t c)
{
    const rg_network *net = model->net;
    if (rg_task_of_values(net->task) || c >= net->n_outputs)
        return 0;
    return net->task == RG_TASK_MULTILABEL ? net->targets[c].values[1] : net->targets[0].values[c];
}

rg_status rg_model_describe(rg_model_info *out, const rg_model *model, rg_error *err)
{
    static const rg_model_task tasks[] = {
        [RG_TASK_AUTO] = RG_MODEL_CLASSES,  [RG_TASK_CLASSES] = RG_MODEL_CLASSES,
        [RG_TASK_VALUES] = RG_MODEL_VALUES, [RG_TASK_MULTILABEL] = RG_MODEL_MULTILABEL,
        [RG_TASK_NODES] = RG_MODEL_NODES,   [RG_TASK_NODE_VALUES] = RG_MODEL_NODE_VALUES};
    rg_status status = rg_sized_check(out, "rg_model_info", err);
    uint64_t n_parameters = model->members ? 0 : model->net->n_params;
    for (size_t k = 0; k < model->n_members; k++)
        n_parameters += model->members[k]->net->n_params;
    rg_model_info info = {.size = sizeof info,
                          .task = tasks[model->net->task],
                          .arrays = model->net->arrays,
                          .sequence = model->net->sequence,
                          .n_outputs = model->net->n_outputs,
                          .n_parameters = n_parameters,
                          .network = model->spec,
                          .training = model->training,
                          .record = model->record,
                          .digest = model->digest,
                          .version = model->version,
                          .n_networks = model->members ? (uint32_t)model->n_members : 1};
    if (!status)
        rg_sized_put(out, &info, sizeof info);
    return status;
}
