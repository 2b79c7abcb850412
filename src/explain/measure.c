/* measure.c - statements on data: where they occur, what they add to the outputs. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

rg_status rg_explainer_read(rg_explainer *e, const rg_source *source,
                            const rg_predict_options *options, rg_error *err)
{
    rg_samples *samples = NULL;
    rg_pass *pass = NULL;
    rg_pass_options sharing = {.shares = true};
    rg_walk walk = {0};
    rg_predict_options o = options ? *options : rg_predict_options_default();
    rg_samples_options how = {.precision = RG_DOUBLE,
                              .matrix = true,
                              .n_threads = o.n_threads,
                              .memory = o.memory,
                              .label_cache = o.cache,
                              .count_unseen = true};
    rg_status status = rg_samples_open(&samples, &e->net, source, NULL, &how, err);
    if (!status)
        status = rg_walk_open(&walk, samples, err);
    if (!status)
        status =
            rg_pass_new(&pass, samples, rg_kernels_get(RG_DOUBLE, 1, RG_CPU_AUTO), &sharing, err);
    if (status) {
        rg_walk_close(&walk);
        rg_samples_free(samples);
        return status;
    }
    rg_walk_close(&e->walk);
    rg_pass_free(e->pass);
    rg_samples_free(e->samples);
    e->source = *source;
    e->options = o;
    e->samples = samples;
    e->walk = walk;
    e->pass = pass;
    return RG_OK;
}

rg_status rg_explainer_check_sample(const rg_explainer *e, size_t sample, rg_error *err)
{
    if (!e->samples)
        return rg_fail(err, RG_EUSAGE, "there are no data to explain the model on");
    const char *what = e->source.graphs ? "graph" : "sample";
    if (e->samples->n == 0)
        return rg_fail(err, RG_EUSAGE, "'%s' has no %ss", rg_source_name(&e->source), what);
    if (sample >= e->samples->n)
        return rg_fail(err, RG_EUSAGE, "'%s' has %ss 0 .. %zu: there is no %s %zu",
                       rg_source_name(&e->source), what, e->samples->n - 1, what, sample);
    return RG_OK;
}

uint32_t *rg_explainer_all(size_t n)
{
    uint32_t *all = rg_alloc(n, sizeof *all);
    for (size_t k = 0; all && k < n; k++)
        all[k] = (uint32_t)k;
    return all;
}

size_t rg_explainer_n_z(const rg_explainer *e)
{
    return rg_pass_reals(e->pass, (uint32_t)e->net.last + 1);
}

void rg_explainer_seed(const rg_explainer *e, double *seed, uint32_t output, double share)
{
    size_t n = rg_explainer_n_z(e), width = e->net.n_outputs;
    if (!rg_task_on_nodes(e->net.task)) {
        seed[output] += share;
        return;
    }
    for (size_t k = output; k < n; k += width)
        seed[k] += share / (double)(n / width);
}

/* ---- entries of a layer */

void rg_explainer_visit(const rg_explainer *e, const rg_sample *sample, size_t l,
                        rg_entry_visit each, void *context)
{
    const rg_net_layer *layer = &e->net.layers[l];
    if (!layer->kind->rules)
        return;
    size_t per_key = rg_net_per_key(layer);
    for (size_t r = 0; r < layer->n_rules; r++) {
        rg_links links;
        rg_block_links(&links, sample->block, l, r, sample->place);
        uint32_t outputs = rg_links_outputs(&links);
        for (uint32_t i = 0; i < links.n_rows * outputs; i++)
            for (uint32_t k = links.row[i / outputs]; k < links.row[i / outputs + 1]; k++) {
                uint32_t weight = rg_links_weight(&links, k, i % outputs);
                uint32_t s = e->of_param[layer->rules[r].at + weight * per_key];
                uint32_t from = links.col16 ? links.col16[k] : links.col32[k];
                each(context, &e->statements[s], s, weight, from, i);
            }
    }
    if (layer->kind->outputs) {
        uint32_t s = layer->bias.n_params ? e->of_param[layer->bias.at] : RG_NO_STATEMENT;
        if (s != RG_NO_STATEMENT)
            each(context, &e->statements[s], s, 0, 0, 0);
        return;
    }
    const uint32_t *bias = layer->bias.rule ? rg_block_bias(sample->block, l, sample->place) : NULL;
    uint32_t n_rows = layer->rows_out ? layer->rows_out : sample->n_rows;
    for (uint32_t i = 0; bias && i < n_rows; i++)
        if (bias[i] != RG_NO_WEIGHT) {
            uint32_t s = e->of_param[layer->bias.at + (size_t)bias[i] * layer->n_out];
            each(context, &e->statements[s], s, bias[i], i, i);
        }
}

/* ---- all samples */

typedef struct measuring {
    rg_explainer *e;
    uint64_t *graphs, *pairs; /* [statement] */
    uint32_t *stamp;          /* [statement]: the sample it was last seen in, from 1 */
    uint32_t *row;            /* [statement]: the output row it was first seen in there */
    uint32_t at;
    double *g;    /* [output][param] */
    double *seed; /* [z] */
} measuring;

static void count(void *context, const rg_statement *statement, uint32_t number, uint32_t key,
                  uint32_t from, uint32_t to)
{
    measuring *m = context;
    (void)key;
    (void)from;
    if (m->stamp[number] != m->at) {
        m->stamp[number] = m->at;
        m->row[number] = to;
        m->graphs[number]++;
    }
    /* an aggregation may have the node in every output */
    bool aggregate = m->e->net.layers[statement->layer].kind->outputs;
    m->pairs[number] += !aggregate || m->row[number] == to;
}

static void measure_sample(measuring *m, const rg_sample *sample)
{
    rg_explainer *e = m->e;
    size_t n_z;
    m->at++;
    for (size_t l = 0; l < e->net.n_layers; l++)
        rg_explainer_visit(e, sample, l, count, m);
    rg_pass_forward(e->pass, sample, 1, e->w, NULL);
    n_z = rg_explainer_n_z(e);
    for (uint32_t c = 0; n_z && c < e->net.n_outputs; c++) {
        memset(m->seed, 0, n_z * sizeof *m->seed);
        rg_explainer_seed(e, m->seed, c, 1);
        rg_pass_share(e->pass, m->seed, m->g + c * e->net.n_params, NULL, NULL);
    }
}

/* What a statement says most: of classes the output that it lifts, or lowers, most over the mean of
 * all; else the one that it changes most. */
static void choose_output(rg_statement *s, const double *means, uint32_t n, bool classes)
{
    double mean = 0;
    for (uint32_t c = 0; classes && n > 1 && c < n; c++)
        mean += means[c] / n;
    s->contribution = means[0] - mean;
    s->towards = 0;
    for (uint32_t c = 1; c < n; c++) {
        double size = fabs(means[c] - mean), best = fabs(s->contribution);
        /* Of two classes one goes up as the other goes down: the one that goes up. */
        if (size > best || (size == best && means[c] - mean > s->contribution)) {
            s->contribution = means[c] - mean;
            s->towards = c;
        }
    }
}

static void conclude(measuring *m, size_t n_samples)
{
    rg_explainer *e = m->e;
    uint32_t n = e->net.n_outputs;
    bool classes = rg_task_of_classes(e->net.task);
    for (size_t k = 0; k < e->n; k++) {
        rg_statement *s = &e->statements[k];
        double *means = e->means + k * n;
        for (uint32_t c = 0; c < n; c++) {
            const double *g = m->g + c * e->net.n_params;
            means[c] = 0;
            for (uint32_t p = 0; p < s->n; p++)
                means[c] += e->weights[s->first + p].value * g[e->weights[s->first + p].param];
            means[c] /= n_samples ? (double)n_samples : 1;
        }
        s->graphs = m->graphs[k];
        s->pairs = m->pairs[k];
        choose_output(s, means, n, classes);
        s->share = rg_explainer_on_axis(e, rg_explainer_axis(e, s->towards), means) *
                   (s->graphs ? (double)n_samples / (double)s->graphs : 0);
    }
}

static rg_status open_measuring(measuring *m, rg_explainer *e, rg_error *err)
{
    size_t numbers, n_z = (size_t)e->net.n_outputs;
    if (rg_task_on_nodes(e->net.task))
        n_z *= e->samples->most_rows;
    *m = (measuring){.e = e};
    m->graphs = rg_alloc_zero(e->n, sizeof *m->graphs);
    m->pairs = rg_alloc_zero(e->n, sizeof *m->pairs);
    m->stamp = rg_alloc_zero(e->n, sizeof *m->stamp);
    m->row = rg_alloc_zero(e->n, sizeof *m->row);
    m->seed = rg_alloc_zero(n_z, sizeof *m->seed);
    if (rg_size_mul(&numbers, e->net.n_outputs, e->net.n_params))
        m->g = rg_alloc_zero(numbers, sizeof *m->g);
    if (!e->means && rg_size_mul(&numbers, e->net.n_outputs, e->n))
        e->means = rg_alloc_zero(numbers, sizeof *e->means);
    return m->graphs && m->pairs && m->stamp && m->row && m->seed && m->g && e->means
               ? RG_OK
               : rg_fail_memory(err, "what statements contribute");
}

rg_status rg_explainer_measure(rg_explainer *e, const uint32_t *samples, size_t n, rg_error *err)
{
    measuring m = {0};
    uint32_t *all = NULL;
    rg_status status = rg_explainer_check_sample(e, 0, err);
    for (size_t k = 0; !status && samples && k < n; k++)
        status = rg_explainer_check_sample(e, samples[k], err);
    if (status)
        return status;
    status = open_measuring(&m, e, err);
    if (!status && !samples) {
        n = e->samples->n;
        all = rg_explainer_all(n);
        status = all ? RG_OK : rg_fail_memory(err, "what statements contribute");
    }
    if (!status)
        rg_walk_begin(&e->walk, samples ? samples : all, n);
    for (size_t k = 0; !status && k < n; k++) {
        rg_sample sample;
        status = rg_walk_next(&sample, &e->walk, err);
        if (!status)
            measure_sample(&m, &sample);
        if (!status && e->options.progress)
            e->options.progress(e->options.progress_context, (double)(k + 1) / (double)n);
    }
    if (!status)
        conclude(&m, n);
    rg_free(all);
    rg_free(m.graphs);
    rg_free(m.pairs);
    rg_free(m.stamp);
    rg_free(m.row);
    rg_free(m.seed);
    rg_free(m.g);
    return status;
}

rg_status rg_explainer_report(rg_predict_report *out, const rg_explainer *e, rg_error *err)
{
    rg_status status = rg_explainer_check_sample(e, 0, err);
    if (!status)
        rg_model_report(out, e->samples);
    return status;
}
