/* classes.c - the samples that are typical of a class, and the statements that tell two apart. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rg_status check_class(const rg_explainer *e, uint32_t class, rg_error *err)
{
    rg_status status = rg_explainer_check_sample(e, 0, err);
    if (status)
        return status;
    if (e->net.task != RG_TASK_CLASSES)
        return rg_fail(err, RG_EUSAGE, "the model is not a classifier: it is for %s",
                       rg_task_name(e->net.task));
    if (class >= e->net.n_outputs)
        return rg_fail(err, RG_EUSAGE, "the model has %u classes: there is no number %u",
                       (unsigned)e->net.n_outputs, (unsigned)class);
    return rg_samples_check_targets(e->samples, err);
}

/* ---- typical samples */

typedef struct typical_gathering {
    const rg_samples *samples;
    uint32_t class;
    double *mean; /* of the class: [n_embedding], owned */
    size_t n_class;
    bool second; /* the mean is known */
    rg_typical *found;
    size_t n, capacity;
} typical_gathering;

static double margin_of(const rg_prediction *p, uint32_t class)
{
    double best = -INFINITY;
    for (uint32_t c = 0; c < p->n_outputs; c++)
        if (c != class && p->outputs[c] > best)
            best = p->outputs[c];
    return p->n_outputs > 1 ? p->outputs[class] - best : p->outputs[class];
}

static double distance_of(const typical_gathering *g, const rg_prediction *p)
{
    double sum = 0;
    if (!p->embedding)
        return (double)NAN;
    for (size_t k = 0; k < p->n_embedding; k++) {
        double d = p->embedding[k] - g->mean[k] / (double)g->n_class;
        sum += d * d;
    }
    return sqrt(sum);
}

static rg_status gather(void *context, const rg_prediction *p, rg_error *err)
{
    typical_gathering *g = context;
    if (g->samples->classes[p->sample] != g->class)
        return RG_OK;
    if (!g->second) {
        g->n_class++;
        if (p->embedding && !g->mean) {
            g->mean = rg_alloc_zero(p->n_embedding, sizeof *g->mean);
            if (!g->mean)
                return rg_fail_memory(err, "typical samples");
        }
        for (size_t k = 0; p->embedding && k < p->n_embedding; k++)
            g->mean[k] += p->embedding[k];
        return RG_OK;
    }
    if (p->classes[0] != g->class)
        return RG_OK;
    if (!rg_grow(&g->found, &g->capacity, g->n + 1, sizeof *g->found))
        return rg_fail_memory(err, "typical samples");
    g->found[g->n++] = (rg_typical){(uint32_t)p->sample, distance_of(g, p), margin_of(p, g->class)};
    return RG_OK;
}

static int by_distance(const void *a, const void *b)
{
    const rg_typical *x = a, *y = b;
    if (!isnan(x->distance) && x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (isnan(x->distance) && x->margin != y->margin)
        return x->margin > y->margin ? -1 : 1;
    return (x->sample > y->sample) - (x->sample < y->sample);
}

rg_status rg_explainer_typical(rg_typical *out, size_t *n, size_t *n_class, size_t *n_right,
                               rg_explainer *e, uint32_t class, size_t most, rg_error *err)
{
    rg_samples *samples = NULL;
    rg_predict_options o = e->options;
    rg_status status = check_class(e, class, err);
    if (status)
        return status;
    typical_gathering g = {.samples = e->samples, .class = class};
    o.progress = NULL;
    o.samples = NULL;
    o.embed = rg_model_embeds(e->model);
    status = rg_model_samples(&samples, e->model, &e->source, &o, NULL, err);
    if (!status)
        status = rg_model_walk(e->model, samples, &o, gather, &g, err);
    g.second = true;
    if (!status)
        status = rg_model_walk(e->model, samples, &o, gather, &g, err);
    if (!status) {
        if (g.n)
            qsort(g.found, g.n, sizeof *g.found, by_distance);
        *n = g.n < most ? g.n : most;
        *n_class = g.n_class;
        *n_right = g.n;
        if (*n)
            memcpy(out, g.found, *n * sizeof *out);
    }
    rg_samples_free(samples);
    rg_free(g.mean);
    rg_free(g.found);
    return status;
}

/* ---- what separates */

typedef struct separating {
    rg_explainer *e;
    double *g[2];        /* [param], of either side */
    uint64_t *graphs[2]; /* [statement] */
    uint32_t *stamp;
    uint32_t at;
    int side;
    double *seed;
    uint64_t n[2];
} separating;

static void count(void *context, const rg_statement *statement, uint32_t number, uint32_t key,
                  uint32_t from, uint32_t to)
{
    separating *s = context;
    (void)statement;
    (void)key;
    (void)from;
    (void)to;
    if (s->stamp[number] == s->at)
        return;
    s->stamp[number] = s->at;
    s->graphs[s->side][number]++;
}

/* z of a less that of b, or less the mean of all others. */
static void aim(separating *s, uint32_t a, uint32_t b)
{
    uint32_t n = s->e->net.n_outputs;
    memset(s->seed, 0, n * sizeof *s->seed);
    s->seed[a] = 1;
    for (uint32_t c = 0; c < n; c++)
        if (c != a && (b == RG_NO_OUTPUT || c == b))
            s->seed[c] = b == RG_NO_OUTPUT ? -1.0 / (n - 1) : -1.0;
}

static rg_status walk_sides(separating *s, uint32_t a, uint32_t b, rg_error *err)
{
    rg_explainer *e = s->e;
    uint32_t *all = rg_explainer_all(e->samples->n);
    size_t n = 0;
    if (!all)
        return rg_fail_memory(err, "what separates classes");
    for (size_t k = 0; k < e->samples->n; k++) {
        uint32_t class = e->samples->classes[k];
        if (class == a || class == b || (b == RG_NO_OUTPUT && class != RG_NO_CLASS))
            all[n++] = (uint32_t)k;
    }
    rg_walk_begin(&e->walk, all, n);
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < n; k++) {
        rg_sample sample;
        status = rg_walk_next(&sample, &e->walk, err);
        if (status)
            break;
        s->at++;
        s->side = e->samples->classes[sample.number] != a;
        s->n[s->side]++;
        for (size_t l = 0; l < e->net.n_layers; l++)
            rg_explainer_visit(e, &sample, l, count, s);
        rg_pass_forward(e->pass, &sample, 1, e->w, NULL);
        rg_pass_share(e->pass, s->seed, s->g[s->side], NULL, NULL);
    }
    rg_free(all);
    return status;
}

static double mean_of(const separating *s, int side, const rg_statement *statement)
{
    const rg_statement_weight *weights = s->e->weights + statement->first;
    double sum = 0;
    for (uint32_t k = 0; k < statement->n; k++)
        sum += weights[k].value * s->g[side][weights[k].param];
    return s->n[side] ? sum / (double)s->n[side] : 0;
}

static int by_difference(const void *a, const void *b)
{
    const rg_separation *x = a, *y = b;
    double p = fabs(x->mean_a - x->mean_b), q = fabs(y->mean_a - y->mean_b);
    if (p != q)
        return p > q ? -1 : 1;
    return (x->statement > y->statement) - (x->statement < y->statement);
}

static rg_status open_separating(separating *s, rg_error *err)
{
    const rg_explainer *e = s->e;
    bool fine = true;
    for (int side = 0; side < 2; side++) {
        s->g[side] = rg_alloc_zero(e->net.n_params, sizeof *s->g[side]);
        s->graphs[side] = rg_alloc_zero(e->n, sizeof *s->graphs[side]);
        fine &= s->g[side] && s->graphs[side];
    }
    s->stamp = rg_alloc_zero(e->n, sizeof *s->stamp);
    s->seed = rg_alloc_zero(e->net.n_outputs, sizeof *s->seed);
    return fine && s->stamp && s->seed ? RG_OK : rg_fail_memory(err, "what separates classes");
}

static void close_separating(separating *s)
{
    for (int side = 0; side < 2; side++) {
        rg_free(s->g[side]);
        rg_free(s->graphs[side]);
    }
    rg_free(s->stamp);
    rg_free(s->seed);
}

rg_status rg_explainer_separate(rg_separation *out, size_t *n, uint64_t n_samples[2],
                                rg_explainer *e, uint32_t a, uint32_t b, size_t layer, size_t most,
                                rg_error *err)
{
    separating s = {.e = e};
    rg_separation *list = NULL;
    size_t m = 0;
    rg_status status = check_class(e, a, err);
    if (!status && b != RG_NO_OUTPUT)
        status = check_class(e, b, err);
    if (!status && a == b)
        status = rg_fail(err, RG_EUSAGE, "a class cannot be compared with itself");
    if (status)
        return status;
    status = open_separating(&s, err);
    if (!status) {
        list = rg_alloc(e->n, sizeof *list);
        status = list ? RG_OK : rg_fail_memory(err, "what separates classes");
    }
    if (!status) {
        aim(&s, a, b);
        status = walk_sides(&s, a, b, err);
    }
    for (size_t k = 0; !status && k < e->n; k++) {
        const rg_statement *statement = &e->statements[k];
        if ((layer == SIZE_MAX || statement->layer == layer) &&
            statement->rule != RG_STATEMENT_BIAS && s.graphs[0][k] + s.graphs[1][k])
            list[m++] = (rg_separation){(uint32_t)k, mean_of(&s, 0, statement),
                                        mean_of(&s, 1, statement), s.graphs[0][k], s.graphs[1][k]};
    }
    if (!status) {
        if (m)
            qsort(list, m, sizeof *list, by_difference);
        *n = m < most ? m : most;
        if (*n)
            memcpy(out, list, *n * sizeof *out);
        memcpy(n_samples, s.n, sizeof s.n);
    }
    close_separating(&s);
    rg_free(list);
    return status;
}
