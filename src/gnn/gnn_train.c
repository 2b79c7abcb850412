/* gnn_train.c - one run of a message passing network: epochs over batches, the best weights.
 *
 * The order of the samples is that of the seed, start values and dropout belong to the run; batches
 * are as in training of rule networks. Nothing is allocated in an epoch. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "gnn.h"

#include <math.h>
#include <string.h>

/* Streams of random numbers: no two uses share one. */
enum { STREAM_RUN = 1, STREAM_START = 2 };
#define STREAM_ORDER(epoch) ((UINT64_C(1) << 32) + (epoch))
#define STREAM_DROPOUT(epoch) ((UINT64_C(2) << 32) + (uint64_t)(epoch)*4096)

/* Sums over samples. */
typedef struct gnn_tally {
    double loss, weight; /* each sample with the weight of its class */
    double right, n;
} gnn_tally;

typedef struct gnn_training {
    const rg_gnn_settings *settings;
    const rg_gnn_prepared *prepared;
    const rg_baseline_wish *wish;
    const rg_kernels *kernels;
    uint64_t seed; /* of the run */
    rg_batch batch;
    rg_tape_pass *pass;
    void *w, *best;  /* parameters, then what norms keep */
    void *g, *m, *v; /* of the parameters */
    size_t n, n_all; /* parameters, and both */
    uint32_t *order; /* training samples with a class; n_order of them */
    size_t n_order;
    uint32_t *target; /* classes of a batch */
    size_t most;      /* graphs of a batch */
    double *weight;   /* of classes; NULL: all 1 */
    rg_optimiser optimiser;
    rg_schedule schedule;
    uint32_t best_epoch;
    double best_score, best_loss;
    rg_epoch *epochs;
    uint32_t epoch; /* done */
    bool stopped, failed;
} gnn_training;

/* ---- making and freeing */

static void run_close(gnn_training *r)
{
    rg_batch_close(&r->batch);
    rg_tape_pass_free(r->pass);
    rg_free(r->w);
    rg_free(r->best);
    rg_free(r->g);
    rg_free(r->m);
    rg_free(r->v);
    rg_free(r->order);
    rg_free(r->target);
    rg_free(r->weight);
    rg_free(r->epochs);
}

static size_t n_batches(size_t n, uint32_t batch)
{
    return n / batch ? n / batch : 1;
}

/* The largest batch of any part. */
static rg_status batch_size(rg_batch_size *out, const gnn_training *r, rg_error *err)
{
    const rg_part *parts[] = {&r->wish->fold->train, &r->wish->fold->validation,
                              &r->wish->fold->test};
    *out = (rg_batch_size){0};
    for (size_t k = 0; k < 3; k++) {
        rg_batch_size size;
        rg_status status = rg_batch_measure(&size, r->prepared->task.graphs, parts[k]->graphs,
                                            parts[k]->n, (uint32_t)r->most, err);
        if (status)
            return status;
        out->graphs = size.graphs > out->graphs ? size.graphs : out->graphs;
        out->nodes = size.nodes > out->nodes ? size.nodes : out->nodes;
        out->arcs = size.arcs > out->arcs ? size.arcs : out->arcs;
    }
    return RG_OK;
}

/* Class weights as in training of rule networks: n / (classes count), or as listed. */
static rg_status class_weights(gnn_training *r, rg_error *err)
{
    const rg_settings *s = &r->settings->training;
    uint32_t classes = r->prepared->task.n_classes;
    if (s->n_class_weights && s->n_class_weights != classes)
        return rg_fail(err, RG_EDATA,
                       "found %zu class weights, expected one for each of %u classes",
                       s->n_class_weights, (unsigned)classes);
    if (!s->balanced && !s->n_class_weights)
        return RG_OK;
    r->weight = rg_alloc_zero(classes, sizeof *r->weight);
    if (!r->weight)
        return rg_fail_memory(err, "class weights");
    for (size_t k = 0; k < r->n_order && s->balanced; k++)
        r->weight[r->prepared->task.classes[r->order[k]]]++;
    for (uint32_t c = 0; c < classes; c++)
        if (!s->balanced)
            r->weight[c] = s->class_weights[c];
        else if (r->weight[c] > 0)
            r->weight[c] = (double)r->n_order / (classes * r->weight[c]);
    return RG_OK;
}

static rg_status make_room(gnn_training *r, rg_error *err)
{
    const rg_settings *s = &r->settings->training;
    size_t real = r->kernels->real_size;
    rg_batch_size size;
    rg_status status = batch_size(&size, r, err);
    if (status)
        return status;
    r->w = rg_alloc_zero(r->n_all, real);
    r->best = rg_alloc_zero(r->n_all, real);
    r->g = rg_alloc_zero(r->n, real);
    r->m = rg_alloc_zero(r->n, real);
    r->v = rg_alloc_zero(r->n, real);
    r->target = rg_alloc(r->most, sizeof *r->target);
    r->epochs = rg_alloc_zero(s->epochs, sizeof *r->epochs);
    if (!r->w || !r->best || !r->g || !r->m || !r->v || !r->target || !r->epochs)
        return rg_fail_memory(err, "the parameters of a network");
    status = rg_batch_open(&r->batch, &size, r->prepared->colouring, s->precision, err);
    if (!status)
        status = rg_tape_pass_new(&r->pass, &r->prepared->tape, &size, s->precision,
                                  r->prepared->cpu, err);
    return status;
}

static rg_status run_open(gnn_training *r, rg_error *err)
{
    const rg_settings *s = &r->settings->training;
    const rg_part *train = &r->wish->fold->train;
    r->kernels = rg_kernels_get(s->precision, 1, r->prepared->cpu);
    r->seed = rg_random_u64(r->wish->seed, STREAM_RUN, r->wish->number);
    r->n = r->prepared->tape.n_params;
    r->n_all = r->n + r->prepared->tape.n_state;
    r->order = rg_alloc(train->n, sizeof *r->order);
    if (!r->order)
        return rg_fail_memory(err, "the order of samples");
    for (size_t k = 0; k < train->n; k++)
        if (r->prepared->task.classes[train->graphs[k]] != RG_NO_CLASS)
            r->order[r->n_order++] = train->graphs[k];
    size_t of = n_batches(r->n_order, s->batch);
    r->most = (r->n_order + of - 1) / of;
    rg_status status = class_weights(r, err);
    if (!status)
        status = make_room(r, err);
    if (status)
        return status;
    rg_tape_start_values(r->w, &r->prepared->tape, s->start, r->kernels, r->seed, STREAM_START);
    rg_optimiser_begin(&r->optimiser, &s->optimiser, r->kernels, r->n, r->w, r->g, r->m, r->v);
    rg_schedule_begin(&r->schedule, &s->schedule);
    return RG_OK;
}

/* ---- measuring */

static double weight_of(const gnn_training *r, uint32_t class)
{
    return r->weight ? r->weight[class] : 1;
}

static uint32_t largest(const gnn_training *r, const void *z, size_t row)
{
    uint32_t classes = r->prepared->task.n_classes, best = 0;
    for (uint32_t c = 1; c < classes; c++)
        if (rg_real_at(r->kernels->precision, z, row * classes + c) >
            rg_real_at(r->kernels->precision, z, row * classes + best))
            best = c;
    return best;
}

/* Adds row k of z, whose sample is of the class. */
static void measure_row(const gnn_training *r, gnn_tally *t, const void *z, size_t k,
                        uint32_t class)
{
    uint32_t classes = r->prepared->task.n_classes;
    const char *row = (const char *)z + k * classes * r->kernels->real_size;
    r->kernels->cross_entropy(&t->loss, NULL, 1, classes, row, &class, r->weight, 1);
    t->weight += weight_of(r, class);
    t->right += largest(r, z, k) == class;
    t->n++;
}

/* All samples of a part with weights w; numbers: NULL, or [sample][class] for probabilities. */
static void measure(gnn_training *r, gnn_tally *t, void *w, const rg_part *part, float *numbers)
{
    const rg_baseline_task *task = &r->prepared->task;
    uint32_t classes = task->n_classes;
    void *p = rg_tape_gradient(r->pass); /* as large as the outputs, and free between batches */
    *t = (gnn_tally){0};
    for (size_t first = 0; first < part->n; first += r->most) {
        size_t n = part->n - first < r->most ? part->n - first : r->most;
        rg_batch_fill(&r->batch, task->graphs, part->graphs + first, (uint32_t)n);
        const void *z = rg_tape_forward(r->pass, &r->batch, w, NULL);
        for (size_t k = 0; k < n; k++)
            if (task->classes[part->graphs[first + k]] != RG_NO_CLASS)
                measure_row(r, t, z, k, task->classes[part->graphs[first + k]]);
        if (!numbers)
            continue;
        r->kernels->softmax(p, n, classes, z);
        for (size_t k = 0; k < n * classes; k++)
            numbers[first * classes + k] = (float)rg_real_at(r->kernels->precision, p, k);
    }
}

static double loss_of(const gnn_tally *t)
{
    return t->weight > 0 ? t->loss / t->weight : (double)NAN;
}

static double score_of(const gnn_tally *t)
{
    return t->n > 0 ? t->right / t->n : (double)NAN;
}

/* ---- an epoch */

static void train_batch(gnn_training *r, gnn_tally *t, const uint32_t *list, size_t n)
{
    const rg_baseline_task *task = &r->prepared->task;
    rg_tape_draws draws = {.seed = r->seed, .stream = STREAM_DROPOUT(r->epoch)};
    double weight = 0, loss = 0;
    rg_batch_fill(&r->batch, task->graphs, list, (uint32_t)n);
    const void *z = rg_tape_forward(r->pass, &r->batch, r->w, &draws);
    for (size_t k = 0; k < n; k++) {
        r->target[k] = task->classes[list[k]];
        weight += weight_of(r, r->target[k]);
        t->right += largest(r, z, k) == r->target[k];
    }
    r->kernels->cross_entropy(&loss, rg_tape_gradient(r->pass), n, task->n_classes, z, r->target,
                              r->weight, 1 / weight);
    t->loss += loss * weight;
    t->weight += weight;
    t->n += (double)n;
    rg_tape_back(r->pass, r->w, r->g);
    rg_optimiser_step(&r->optimiser, &r->schedule.lr);
}

static bool is_better(const gnn_training *r, double score, double loss)
{
    rg_best best = r->settings->training.best;
    if (best == RG_BEST_LAST || r->best_epoch == 0)
        return true;
    if (best == RG_BEST_SCORE && score != r->best_score)
        return score > r->best_score;
    return loss < r->best_loss;
}

/* Keeps the weights if they are the best so far, and says when to stop. */
static void judge(gnn_training *r, const rg_epoch *report)
{
    bool validated = !isnan(report->validation_score);
    double score = validated ? report->validation_score : report->train_score;
    double loss = validated ? report->validation_loss : report->train_loss;
    uint32_t patience = r->settings->training.patience;
    if (!isfinite(report->train_loss) || !isfinite(loss)) {
        r->failed = r->stopped = true;
        return;
    }
    if (is_better(r, score, loss)) {
        r->best_epoch = r->epoch;
        r->best_score = score;
        r->best_loss = loss;
        memcpy(r->best, r->w, r->n_all * r->kernels->real_size);
    } else if (patience && r->epoch - r->best_epoch > patience)
        r->stopped = true;
    rg_schedule_next(&r->schedule, &r->settings->training.schedule,
                     r->settings->training.best == RG_BEST_LOSS ? -loss : score);
}

static void train_epoch(gnn_training *r)
{
    size_t n = r->n_order, of = n_batches(n, r->settings->training.batch);
    gnn_tally train = {0}, validation = {0};
    rg_random_shuffle(r->wish->seed, STREAM_ORDER(r->epoch), r->order, n);
    for (size_t b = 0; b < of; b++)
        train_batch(r, &train, r->order + n * b / of, n * (b + 1) / of - n * b / of);
    measure(r, &validation, r->w, &r->wish->fold->validation, NULL);
    rg_epoch *report = &r->epochs[r->epoch++];
    *report = (rg_epoch){.number = r->epoch,
                         .lr = r->schedule.lr,
                         .train_loss = loss_of(&train),
                         .train_score = score_of(&train),
                         .validation_loss = loss_of(&validation),
                         .validation_score = score_of(&validation)};
    judge(r, report);
}

/* ---- the end */

static rg_status finish(rg_baseline_run *out, gnn_training *r, rg_error *err)
{
    const rg_fold *fold = r->wish->fold;
    gnn_tally train, validation, test;
    float *numbers = NULL;
    if (r->wish->numbers) {
        numbers = rg_alloc(fold->test.n, r->prepared->task.n_classes * sizeof *numbers);
        if (!numbers)
            return rg_fail_memory(err, "predictions");
    }
    measure(r, &train, r->best, &fold->train, NULL);
    measure(r, &validation, r->best, &fold->validation, NULL);
    measure(r, &test, r->best, &fold->test, numbers);
    out->run = (rg_run){.number = r->wish->number,
                        .epochs = r->epoch,
                        .best_epoch = r->best_epoch,
                        .stopped = r->stopped,
                        .failed = r->failed,
                        .train_loss = loss_of(&train),
                        .train_score = score_of(&train),
                        .validation_loss = loss_of(&validation),
                        .validation_score = score_of(&validation),
                        .test_loss = loss_of(&test),
                        .test_score = score_of(&test)};
    out->epochs = r->epochs;
    r->epochs = NULL; /* the caller's */
    out->numbers = numbers;
    return RG_OK;
}

rg_status rg_gnn_train(rg_baseline_run *out, const void *settings, const void *prepared,
                       const rg_baseline_wish *wish, rg_error *err)
{
    gnn_training r = {.settings = settings, .prepared = prepared, .wish = wish};
    rg_status status = run_open(&r, err);
    while (!status && !out->stopped && !r.stopped && r.epoch < r.settings->training.epochs) {
        if (wish->stop && wish->stop(wish->context))
            out->stopped = true;
        else
            train_epoch(&r);
    }
    if (!status && !out->stopped && !r.best_epoch)
        status = rg_fail(
            err, RG_EFAIL,
            "training: the loss is not a number in epoch %u; a smaller 'lr' or 'clip' may help",
            (unsigned)r.epoch);
    if (!status && !out->stopped)
        status = finish(out, &r, err);
    run_close(&r);
    return status;
}
