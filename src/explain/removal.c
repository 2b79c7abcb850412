/* removal.c - what a statement is worth: the score without it, measured.
 *
 * A sample's answer can only change if the statement occurs in it. So all statements that are asked
 * for are tried on one sample after another, each by a forward pass with its weights at 0, and the
 * passes are those of predicting: the model's own precision, tables and order. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

typedef struct removing {
    rg_explainer *e;
    const uint32_t *list; /* the statements, n of them */
    size_t n;
    rg_samples *samples;
    rg_walk walk;
    rg_pass *pass;
    char *w; /* the model's weights, to change */
    size_t real;
    uint32_t *of_param; /* place in the list + 1; 0: not asked for */
    uint32_t *stamp;    /* [place]: sample in which it was seen last, from 1 */
    uint32_t *here;     /* places that occur in the sample at hand */
    size_t n_here;
    double *base, *other; /* outputs */
    double *kept;         /* weights of the statement that is out */
    double score;         /* sums over all samples: right answers, or errors */
    uint64_t n_answers;
    double *change; /* [place] */
    double *moved;  /* [place]: on its axis, with it less without it */
    double *mean;   /* [output]: of one sample, over its rows */
    bool scored;    /* there are targets */
    uint32_t at;
} removing;

/* ---- scores of one sample */

static size_t n_rows(const removing *r, const rg_sample *sample)
{
    return rg_task_on_nodes(r->e->net.task) ? sample->n_nodes : 1;
}

static size_t best_of(const double *z, size_t n)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        if (z[c] > z[best])
            best = c;
    return best;
}

static uint32_t class_of(const removing *r, const rg_sample *sample, size_t row)
{
    const rg_samples *s = r->samples;
    if (rg_task_on_nodes(r->e->net.task))
        return s->classes[rg_dataset_graph(s->source.graphs, sample->number).first_node + row];
    return s->classes[sample->number];
}

/* Right answers, or the sum of errors, of outputs z; *n: answers with a target. */
static double score_of(const removing *r, const rg_sample *sample, const double *z, uint64_t *n)
{
    size_t width = r->e->net.n_outputs;
    rg_task task = r->e->net.task;
    double sum = 0;
    *n = 0;
    if (rg_task_of_classes(task)) {
        for (size_t i = 0; i < n_rows(r, sample); i++) {
            uint32_t class = class_of(r, sample, i);
            *n += class != RG_NO_CLASS;
            sum += class == best_of(z + i * width, width);
        }
        return sum;
    }
    size_t rows = n_rows(r, sample);
    const double *right =
        r->samples->reals +
        (rg_task_on_nodes(task) ? (size_t)sample->first_row : sample->number) * width;
    for (size_t k = 0; k < rows * width; k++) {
        if (isnan(right[k]))
            continue;
        ++*n;
        sum += rg_task_of_values(task)
                   ? fabs(rg_network_value(&r->e->net, k % width, z[k]) - right[k])
                   : (double)((z[k] > 0) == (right[k] > 0.5));
    }
    return sum;
}

/* How many answers of two sets of outputs differ. */
static uint64_t n_changed(const removing *r, const rg_sample *sample)
{
    size_t width = r->e->net.n_outputs;
    rg_task task = r->e->net.task;
    uint64_t n = 0;
    if (rg_task_of_classes(task)) {
        for (size_t i = 0; i < n_rows(r, sample); i++)
            n += best_of(r->base + i * width, width) != best_of(r->other + i * width, width);
        return n;
    }
    for (size_t c = 0; c < n_rows(r, sample) * width; c++)
        n += rg_task_of_values(task) ? r->base[c] != r->other[c]
                                     : (r->base[c] > 0) != (r->other[c] > 0);
    return n;
}

/* ---- one sample */

static void note(removing *r, size_t param)
{
    uint32_t place = r->of_param[param];
    if (place && r->stamp[place - 1] != r->at) {
        r->stamp[place - 1] = r->at;
        r->here[r->n_here++] = place - 1;
    }
}

/* Which of the statements occur, from the tables as predicting has them. */
static void find_here(removing *r, const rg_sample *sample)
{
    const rg_network *net = &r->e->net;
    r->n_here = 0;
    for (size_t l = 0; l < net->n_layers; l++) {
        const rg_net_layer *layer = &net->layers[l];
        if (!layer->kind->rules)
            continue;
        rg_links links = {0};
        for (size_t k = 0; k < layer->n_rules; k++) {
            rg_block_links(&links, sample->block, l, k, sample->place);
            for (uint32_t o = 0; o < rg_links_outputs(&links); o++)
                for (uint32_t x = links.row[0]; x < links.row[links.n_rows]; x++)
                    note(r, layer->rules[k].at +
                                rg_links_weight(&links, x, o) * rg_net_per_key(layer));
        }
        const uint32_t *bias =
            layer->bias.rule ? rg_block_bias(sample->block, l, sample->place) : NULL;
        for (uint32_t i = 0; bias && i < links.n_rows; i++)
            if (bias[i] != RG_NO_WEIGHT)
                note(r, layer->bias.at + (size_t)bias[i] * layer->n_out);
        if (layer->kind->outputs && layer->bias.n_params)
            note(r, layer->bias.at);
    }
}

/* Of the model: layers that share it share its absence. */
static void set_weight(removing *r, size_t param, double value)
{
    param = rg_explainer_origin(r->e, param);
    if (r->e->model->precision == RG_FLOAT)
        ((float *)(void *)r->w)[param] = (float)value;
    else
        ((double *)(void *)r->w)[param] = value;
}

static void forward(removing *r, const rg_sample *sample, double *out)
{
    const void *z = rg_pass_forward(r->pass, sample, 1, r->w, NULL);
    size_t n = n_rows(r, sample) * r->e->net.n_outputs;
    for (size_t k = 0; k < n; k++)
        out[k] = rg_real_at(r->e->model->precision, z, k);
}

/* How far the answer moved, on the axis of the statement; of nodes the mean. */
static double moved_by(const removing *r, const rg_sample *sample, uint32_t statement)
{
    size_t n = n_rows(r, sample), width = r->e->net.n_outputs;
    memset(r->mean, 0, width * sizeof *r->mean);
    for (size_t k = 0; k < n * width; k++)
        r->mean[k % width] += (r->base[k] - r->other[k]) / (double)n;
    rg_effect_axis axis = rg_explainer_axis(r->e, r->e->statements[statement].towards);
    return rg_explainer_on_axis(r->e, axis, r->mean);
}

static void try_without(removing *r, const rg_sample *sample, uint32_t place, double score)
{
    rg_statement *s = &r->e->statements[r->list[place]];
    const rg_statement_weight *weights = r->e->weights + s->first;
    uint64_t ignored;
    for (uint32_t k = 0; k < s->n; k++)
        set_weight(r, weights[k].param, 0);
    forward(r, sample, r->other);
    for (uint32_t k = 0; k < s->n; k++)
        set_weight(r, weights[k].param, weights[k].value);
    if (r->scored)
        r->change[place] += score_of(r, sample, r->other, &ignored) - score;
    r->moved[place] += moved_by(r, sample, r->list[place]);
    s->changed += n_changed(r, sample);
    s->occurs++;
}

static void try_all(removing *r, const rg_sample *sample)
{
    uint64_t n = 0;
    r->at++;
    forward(r, sample, r->base);
    double score = r->scored ? score_of(r, sample, r->base, &n) : 0;
    r->score += score;
    r->n_answers += n;
    find_here(r, sample);
    for (size_t k = 0; k < r->n_here; k++)
        try_without(r, sample, r->here[k], score);
}

/* ---- all of them */

static rg_status open_removing(removing *r, rg_error *err)
{
    const rg_explainer *e = r->e;
    const rg_model *model = e->model;
    rg_pass_options passing = {.group = 1};
    rg_status status = rg_model_samples(&r->samples, model, &e->source, &e->options, NULL, err);
    if (!status && r->scored)
        status = rg_samples_check_targets(r->samples, err);
    if (!status)
        status = rg_walk_open(&r->walk, r->samples, err);
    if (!status)
        status = rg_pass_new(&r->pass, r->samples,
                             rg_kernels_get(model->precision, 1, e->options.cpu), &passing, err);
    if (status)
        return status;
    size_t rows = rg_task_on_nodes(e->net.task) ? r->samples->most_rows : 1;
    r->real = rg_model_real(model);
    r->w = rg_alloc(rg_model_numbers(model), r->real);
    r->of_param = rg_alloc_zero(e->net.n_params, sizeof *r->of_param);
    r->stamp = rg_alloc_zero(r->n, sizeof *r->stamp);
    r->here = rg_alloc(r->n, sizeof *r->here);
    r->change = rg_alloc_zero(r->n, sizeof *r->change);
    r->moved = rg_alloc_zero(r->n, sizeof *r->moved);
    r->mean = rg_alloc(e->net.n_outputs, sizeof *r->mean);
    r->base = rg_alloc_zero(rows * e->net.n_outputs, sizeof *r->base);
    r->other = rg_alloc_zero(rows * e->net.n_outputs, sizeof *r->other);
    if (!r->w || !r->of_param || !r->stamp || !r->here || !r->change || !r->moved || !r->mean ||
        !r->base || !r->other)
        return rg_fail_memory(err, "the score without a rule");
    memcpy(r->w, model->w, rg_model_numbers(model) * r->real);
    for (size_t k = 0; k < r->n; k++) {
        const rg_statement *s = &e->statements[r->list[k]];
        for (uint32_t p = 0; p < s->n; p++)
            r->of_param[e->weights[s->first + p].param] = (uint32_t)k + 1;
    }
    return RG_OK;
}

static void close_removing(removing *r)
{
    rg_walk_close(&r->walk);
    rg_pass_free(r->pass);
    rg_samples_free(r->samples);
    rg_free(r->w);
    rg_free(r->of_param);
    rg_free(r->stamp);
    rg_free(r->here);
    rg_free(r->change);
    rg_free(r->moved);
    rg_free(r->mean);
    rg_free(r->base);
    rg_free(r->other);
}

static void conclude(removing *r, rg_explain_score *score)
{
    double n = (double)r->n_answers;
    if (score)
        *score = (rg_explain_score){.n = r->n_answers,
                                    .score = r->n_answers ? r->score / n : (double)NAN};
    for (size_t k = 0; k < r->n; k++) {
        rg_statement *s = &r->e->statements[r->list[k]];
        s->tried = true;
        s->removed = r->n_answers > 0;
        s->removal = r->n_answers ? r->change[k] / n : 0;
        s->effect = s->occurs ? r->moved[k] / (double)s->occurs : 0;
    }
}

rg_status rg_explainer_remove(rg_explain_score *score, rg_explainer *e, const uint32_t *statements,
                              size_t n, const uint32_t *samples, size_t n_samples, rg_error *err)
{
    removing r = {.e = e, .list = statements, .n = n, .scored = score != NULL};
    uint32_t *all = NULL;
    rg_status status = rg_explainer_check_sample(e, 0, err);
    for (size_t k = 0; !status && samples && k < n_samples; k++)
        status = rg_explainer_check_sample(e, samples[k], err);
    if (status)
        return status;
    if (!samples) {
        n_samples = e->samples->n;
        samples = all = rg_explainer_all(n_samples);
    }
    status = samples ? open_removing(&r, err) : rg_fail_memory(err, "the score without a rule");
    for (size_t k = 0; !status && k < n; k++)
        e->statements[statements[k]].changed = e->statements[statements[k]].occurs = 0;
    if (!status)
        rg_walk_begin(&r.walk, samples, n_samples);
    for (size_t k = 0; !status && k < n_samples; k++) {
        rg_sample sample;
        status = rg_walk_next(&sample, &r.walk, err);
        if (!status)
            try_all(&r, &sample);
        if (!status && e->options.progress)
            e->options.progress(e->options.progress_context, (double)(k + 1) / (double)n_samples);
    }
    if (!status)
        conclude(&r, score);
    close_removing(&r);
    rg_free(all);
    return status;
}
