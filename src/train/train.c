/* train.c - see train.h: the epoch, and which epoch was the best. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "trainer.h"

#include <math.h>
#include <string.h>

/* Streams of random numbers: no two uses share one. */
enum { STREAM_RUN = 1, STREAM_START = 2 };
#define STREAM_ORDER(epoch) ((UINT64_C(1) << 32) + (epoch))
#define STREAM_DROPOUT(epoch) ((UINT64_C(2) << 32) + (uint64_t)(epoch)*RG_SPEC_LAYERS_MAX)

/* ---- start values */

static void *number(rg_trainer *t, size_t k)
{
    return (char *)t->w + k * t->kernels->real_size * t->kernels->lanes;
}

static void fill(rg_trainer *t, size_t first, size_t n, const rg_start *start)
{
    rg_start_fill(number(t, first), n, start, t->kernels, t->seeds, STREAM_START, first);
}

static void put(rg_trainer *t, size_t k, double value)
{
    for (size_t l = 0; l < t->options.lanes; l++)
        rg_real_put(t->settings.precision, number(t, k), l, value);
}

/* Weights that no rule has: drawn, or as their kind begins. */
static void start_own(rg_trainer *t, const rg_net_layer *layer, const rg_start *start)
{
    double value = 0;
    if (!layer->kind->begin)
        fill(t, layer->weights, rg_net_n_weights(layer), start);
    for (size_t k = 0; layer->kind->begin && k < rg_net_n_weights(layer); k++)
        if (layer->kind->begin(layer, k, &value))
            put(t, layer->weights + k, value);
        else
            fill(t, layer->weights + k, 1, start);
    for (size_t k = 0; k < layer->n_state; k++)
        put(t, layer->state + k, layer->kind->begin_state ? layer->kind->begin_state(layer, k) : 0);
}

static void start_layer(rg_trainer *t, const rg_net_layer *layer)
{
    rg_start start = {.n_possible = 0}, bias;
    if (layer->kind->start)
        start = layer->kind->start(layer);
    start.kind = t->settings.start;
    bias = start;
    if (start.kind == RG_START_GLOROT)
        bias.kind = RG_START_ZERO;
    if (layer->like != RG_NO_INDEX) /* they are those of another layer */
        return;
    for (size_t r = 0; r < layer->n_rules; r++)
        fill(t, layer->rules[r].at, layer->rules[r].n_params, &start);
    start_own(t, layer, &start);
    fill(t, layer->bias.at, layer->bias.n_params, &bias);
}

static void start_weights(rg_trainer *t)
{
    const rg_network *net = t->samples->net;
    for (size_t k = 0; k < net->n_layers; k++)
        start_layer(t, &net->layers[k]);
}

/* ---- making and freeing */

void rg_trainer_free(rg_trainer *t)
{
    if (!t)
        return;
    rg_batch_parts_close(&t->parts);
    rg_lazy_close(t->lazy);
    rg_measure_close(&t->measure);
    rg_free(t->numbers);
    rg_free(t->best);
    rg_free(t->mask);
    rg_free(t->sizes);
    rg_free(t->groups);
    rg_free(t->decays);
    rg_free(t->order);
    rg_free(t->history);
    rg_free(t);
}

static size_t n_batches(const rg_trainer *t)
{
    size_t of = t->fold.train.n / t->settings.batch;
    return of ? of : 1;
}

/* The optimiser goes over these four at once. They begin at the beginning of a cache line, and each at
 * another place of a page: a load waits for the stores before it that have its place there. */
static bool make_numbers(rg_trainer *t, size_t item)
{
    enum { LINE = 64, PAGE = 4096, APART = 1024 };
    void **const arrays[] = {&t->w, &t->g, &t->m, &t->v};
    size_t of[] = {t->n_all, t->n, t->n, t->settings.optimiser.method == RG_SGD ? 0 : t->n};
    size_t begin[4], bytes = 0, own;
    for (size_t k = 0; k < 4; k++) {
        if (!rg_size_mul(&own, of[k], item) || !rg_size_add(&own, own, 2 * PAGE))
            return false;
        begin[k] = (bytes + PAGE - 1) / PAGE * PAGE + k * APART;
        if (!rg_size_add(&bytes, begin[k], own))
            return false;
    }
    t->numbers = rg_alloc_zero(bytes, 1);
    if (!t->numbers)
        return false;
    size_t past = (uintptr_t)t->numbers % LINE, skip = past ? LINE - past : 0;
    for (size_t k = 0; k < 4; k++)
        *arrays[k] = t->numbers + skip + begin[k];
    return true;
}

static rg_status make_room(rg_trainer *t, rg_error *err)
{
    size_t item = t->kernels->real_size * t->kernels->lanes;
    bool prune = t->settings.prune > 0, made = make_numbers(t, item);
    t->best = rg_alloc_zero(t->n_all, item);
    t->mask = prune ? rg_alloc(t->n, item) : NULL;
    t->sizes = prune ? rg_alloc(t->n, sizeof *t->sizes) : NULL;
    t->order = rg_alloc(t->fold.train.n, sizeof *t->order);
    t->history = rg_alloc_zero(t->settings.epochs, t->kernels->lanes * sizeof *t->history);
    if (!made || !t->best || !t->order || !t->history || (prune && (!t->mask || !t->sizes)))
        return rg_fail_memory(err, "the parameters of a network");
    size_t of = n_batches(t), longest = t->fold.train.n;
    longest = t->fold.validation.n > longest ? t->fold.validation.n : longest;
    longest = t->fold.test.n > longest ? t->fold.test.n : longest;
    rg_batch_parts_options options = {.parts = t->settings.parts,
                                      .group = (uint32_t)(t->fold.train.n / of + 1),
                                      .n_train = t->fold.train.n,
                                      .n_longest = longest,
                                      .n_threads = t->options.n_threads};
    return rg_batch_parts_open(&t->parts, t->samples, t->kernels, &t->measure, t->mask, t->g,
                               &options, err);
}

/* Behind the last parameter of a layer; `from` if it has none of its own. */
static size_t end_of(const rg_net_layer *layer, size_t from)
{
    size_t end = from;
    for (size_t r = 0; r < layer->n_rules; r++)
        end = layer->rules[r].at + layer->rules[r].n_params;
    if (layer->like != RG_NO_INDEX)
        return end;
    end = rg_net_n_weights(layer) ? layer->weights + rg_net_n_weights(layer) : end;
    return layer->bias.n_params ? layer->bias.at + layer->bias.n_params : end;
}

/* Layers with a weight decay of their own. */
static rg_status open_decays(rg_trainer *t, rg_error *err)
{
    const rg_network *net = t->samples->net;
    size_t end = 0;
    bool own = false;
    for (size_t k = 0; k < net->spec->n_layers; k++)
        own = own || net->spec->layers[k].has_decay;
    if (!own)
        return RG_OK;
    t->decays = rg_alloc(net->n_layers, sizeof *t->decays);
    if (!t->decays)
        return rg_fail_memory(err, "an optimiser");
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_layer_spec *spec = &net->spec->layers[net->layers[k].of];
        end = end_of(&net->layers[k], end);
        t->decays[k] = (rg_optimiser_part){
            .end = end, .decay = spec->has_decay ? spec->decay : t->settings.optimiser.decay};
    }
    t->optimiser.parts = t->decays;
    t->optimiser.n_parts = net->n_layers;
    return RG_OK;
}

/* Weights that a batch does not use may wait, if it pays or is asked for. */
static rg_status open_lazy(rg_trainer *t, rg_error *err)
{
    bool asked = t->settings.optimiser.method == RG_LAZY_ADAM;
    bool pays = t->parts.n == 1 && !t->decays &&
                rg_lazy_pays(t->samples, &t->settings.optimiser, t->options.lanes, t->fold.train.n,
                             n_batches(t), t->settings.prune > 0);
    if (!asked && !pays)
        return RG_OK;
    rg_status status = rg_lazy_open(&t->lazy, t->samples->net, &t->optimiser, n_batches(t), err);
    t->parts.lazy = t->lazy;
    return status;
}

rg_status rg_trainer_check(const rg_fold *fold, const rg_settings *settings,
                           const rg_trainer_options *options, rg_error *err)
{
    rg_status status = rg_settings_check(settings, err);
    if (status)
        return status;
    if (options->lanes != 1 && options->lanes != 4 && options->lanes != 8)
        return rg_fail(err, RG_EUSAGE, "lanes: found %u, expected 1, 4 or 8",
                       (unsigned)options->lanes);
    if (fold->train.n == 0)
        return rg_fail(err, RG_EDATA, "the training set is empty");
    return RG_OK;
}

/* A part that is not empty must have something to learn from, or to judge by. */
static rg_status check_targets(const rg_measure *measure, const rg_part *part, const char *word,
                               rg_error *err)
{
    for (size_t k = 0; k < part->n; k++)
        if (rg_measure_weight(measure, part->graphs[k]) > 0)
            return RG_OK;
    return part->n ? rg_fail(err, RG_EDATA, "no sample of the %s set has a target", word) : RG_OK;
}

/* The part that epochs are judged by must have a score, whatever is said of it. `auto` has another metric then. */
static rg_status check_metric(rg_trainer *t, rg_error *err)
{
    rg_measure *m = &t->measure;
    const rg_part *part = t->fold.validation.n ? &t->fold.validation : &t->fold.train;
    if (rg_measure_is_defined(m, part->graphs, part->n))
        return RG_OK;
    if (t->settings.metric != RG_METRIC_AUTO)
        return rg_fail(err, RG_EDATA,
                       "training: metric '%s' is not defined on the %s set: %s there",
                       rg_metric_name(m->metric), t->fold.validation.n ? "validation" : "training",
                       rg_metric_is_of_values(m->metric) ? "fewer than two samples have a target"
                                                         : "all targets are of one class");
    m->metric = RG_METRIC_ACCURACY;
    return RG_OK;
}

rg_status rg_trainer_new(rg_trainer **out, rg_samples *samples, const rg_fold *fold,
                         const rg_settings *settings, const rg_trainer_options *options,
                         rg_error *err)
{
    rg_status status = rg_trainer_check(fold, settings, options, err);
    if (!status && samples->net->batched && options->lanes != 1)
        status = rg_fail(err, RG_EUSAGE,
                         "lanes: found %u, expected 1: layers of the network look at whole batches",
                         (unsigned)options->lanes);
    if (!status && settings->precision != samples->precision)
        status = rg_fail(err, RG_EUSAGE, "the tables were built for a different precision");
    if (status)
        return status;
    rg_trainer *t = rg_alloc_zero(1, sizeof *t);
    if (!t)
        return rg_fail_memory(err, "training");
    t->samples = samples;
    t->fold = *fold;
    t->settings = *settings;
    t->options = *options;
    t->settings.schedule.epochs = settings->epochs;
    if (options->metric != RG_METRIC_DEFAULT)
        t->settings.metric = options->metric;
    t->kernels = rg_kernels_get(settings->precision, options->lanes, options->cpu);
    t->n = samples->net->n_params;
    t->n_all = t->n + samples->net->n_state;
    status = rg_measure_open(&t->measure, samples, t->kernels, &t->settings, fold->train.graphs,
                             fold->train.n, err);
    if (!status)
        status = check_targets(&t->measure, &t->fold.train, "training", err);
    if (!status && fold->validation.n)
        rg_measure_part(&t->measure, RG_PART_OF_VALIDATION);
    if (!status)
        status = check_targets(&t->measure, &t->fold.validation, "validation", err);
    if (!status)
        status = check_metric(t, err);
    if (!status)
        status = make_room(t, err);
    if (!status)
        status = rg_trainer_open_lasso(t, err);
    if (status) {
        rg_trainer_free(t);
        return status;
    }
    for (uint32_t l = 0; l < options->lanes; l++) {
        t->seeds[l] = rg_random_u64(options->seed, STREAM_RUN, options->first_run + l);
        rg_schedule_begin(&t->lanes[l].schedule, &t->settings.schedule);
    }
    rg_optimiser_begin(&t->optimiser, &t->settings.optimiser, t->kernels, t->n, t->w, t->g, t->m,
                       t->v);
    status = open_decays(t, err);
    if (!status)
        status = open_lazy(t, err);
    if (status) {
        rg_trainer_free(t);
        return status;
    }
    start_weights(t);
    for (size_t k = 0; options->start && k < t->n_all; k++)
        if (!isnan(options->start[k]))
            put(t, k, options->start[k]);
    t->options.start = NULL;
    rg_trainer_keep_all(t);
    if (t->mask)
        rg_start_fill(t->mask, t->n, &(rg_start){.kind = RG_START_ONE}, t->kernels, t->seeds, 0, 0);
    *out = t;
    return RG_OK;
}

/* ---- an epoch */

static rg_status train_batch(rg_trainer *t, rg_tally *tally, const rg_pass_draws *draws,
                             size_t from, size_t to, rg_error *err)
{
    double weight, lr[RG_MAX_LANES];
    rg_status status =
        rg_batch_parts_learn(tally, &weight, &t->parts, t->order, from, to, t->w, draws, err);
    if (status || weight <= 0) /* nothing in the batch has a target: there is nowhere to go */
        return status;
    for (uint32_t l = 0; l < t->options.lanes; l++)
        lr[l] = t->lanes[l].schedule.lr;
    rg_batch_parts_step(&t->parts, &t->optimiser, lr);
    rg_trainer_lasso(t);
    return RG_OK;
}

static rg_status train_part(rg_trainer *t, rg_tally *tally, rg_error *err)
{
    size_t n = t->fold.train.n, of = n_batches(t), from = 0;
    rg_pass_draws draws = {.stream = STREAM_DROPOUT(t->epoch)};
    rg_status status = RG_OK;
    *tally = (rg_tally){.weight = 0};
    memcpy(draws.seed, t->seeds, sizeof draws.seed);
    memcpy(t->order, t->fold.train.graphs, n * sizeof *t->order);
    rg_random_shuffle(t->options.seed, STREAM_ORDER(t->epoch), t->order, n);
    if (t->lazy)
        rg_lazy_begin(t->lazy);
    status = rg_batch_parts_begin(&t->parts, t->order, n, of, err);
    for (size_t b = 0; !status && b < of; b++) {
        size_t to = rg_batch_end(n, of, b);
        status = train_batch(t, tally, &draws, from, to, err);
        from = to;
    }
    return status;
}

/* Is the epoch better than the best one so far? */
static bool is_better(const rg_trainer *t, const rg_lane *lane, double score, double loss)
{
    bool low = rg_metric_is_low(t->measure.metric);
    if (t->settings.best == RG_BEST_LAST || lane->best_epoch == 0)
        return true;
    if (t->settings.best == RG_BEST_LOSS)
        return loss < lane->best_loss;
    if (score != lane->best_score)
        return low ? score < lane->best_score : score > lane->best_score;
    return loss < lane->best_loss;
}

static void keep_lane(rg_trainer *t, size_t lane)
{
    size_t lanes = t->options.lanes;
    if (t->settings.precision == RG_FLOAT)
        for (size_t k = 0; k < t->n_all; k++)
            ((float *)t->best)[k * lanes + lane] = ((const float *)t->w)[k * lanes + lane];
    else
        for (size_t k = 0; k < t->n_all; k++)
            ((double *)t->best)[k * lanes + lane] = ((const double *)t->w)[k * lanes + lane];
}

void rg_trainer_keep_all(rg_trainer *t)
{
    memcpy(t->best, t->w, t->n_all * t->kernels->real_size * t->kernels->lanes);
}

/* What an epoch of a lane is judged by: means over the last epochs, of the part that tells. False: they are too few. */
static bool smooth(double *score, double *loss, const rg_trainer *t, size_t lane)
{
    uint32_t n = t->settings.smooth < t->settings.epochs ? t->settings.smooth : t->settings.epochs;
    *score = *loss = 0;
    for (uint32_t k = 0; k < n && t->epoch >= n; k++) {
        const rg_epoch *e = rg_trainer_report(t, t->epoch - k, lane);
        bool validated = t->fold.validation.n > 0;
        *score += (validated ? e->validation_score : e->train_score) / n;
        *loss += (validated ? e->validation_loss : e->train_loss) / n;
    }
    return t->epoch >= n;
}

/* What one lane makes of an epoch. */
static void judge(rg_trainer *t, size_t l, rg_epoch *report)
{
    rg_lane *lane = &t->lanes[l];
    bool validated = t->fold.validation.n > 0;
    double score = validated ? report->validation_score : report->train_score;
    double loss = validated ? report->validation_loss : report->train_loss;
    if (lane->stopped)
        return;
    lane->epochs = t->epoch;
    if (!isfinite(report->train_loss) || !isfinite(loss)) {
        lane->failed = lane->stopped = true;
        return;
    }
    double mean, mean_loss;
    bool pruned = smooth(&mean, &mean_loss, t, l) &&
                  (t->settings.prune <= 0 || t->epoch >= t->settings.prune_to);
    if (pruned && is_better(t, lane, mean, mean_loss)) {
        lane->best_epoch = t->epoch;
        lane->best_score = mean;
        lane->best_loss = mean_loss;
        keep_lane(t, l);
    } else if (pruned && t->settings.patience && t->epoch - lane->best_epoch > t->settings.patience)
        lane->stopped = true;
    if (!pruned) /* the caller now gets the weights as they are */
        keep_lane(t, l);
    bool low = rg_metric_is_low(t->measure.metric) || t->settings.best == RG_BEST_LOSS;
    rg_schedule_next(&lane->schedule, &t->settings.schedule,
                     t->settings.best == RG_BEST_LOSS ? -loss
                     : low                            ? -score
                                                      : score);
}

static rg_status all_failed(const rg_trainer *t, rg_error *err)
{
    for (uint32_t l = 0; l < t->options.lanes; l++)
        if (!t->lanes[l].failed || t->lanes[l].best_epoch)
            return RG_OK;
    return rg_fail(
        err, RG_EFAIL,
        "training: the loss is not a number in epoch %u; a smaller 'lr' or 'clip' may help",
        (unsigned)t->epoch);
}

rg_status rg_trainer_epoch(rg_trainer *t, rg_error *err)
{
    rg_tally train, validation = {.weight = 0};
    rg_epoch *report = t->history + (size_t)t->epoch * t->options.lanes;
    double train_score[RG_MAX_LANES], score[RG_MAX_LANES];
    rg_measure_part(&t->measure, RG_PART_OF_TRAIN);
    rg_status status = train_part(t, &train, err);
    if (t->lazy)
        rg_lazy_finish(t->lazy);
    if (!status) /* before samples that are in both parts are measured again */
        rg_measure_score(train_score, &t->measure, &train, t->fold.train.graphs, t->fold.train.n);
    if (!status && t->settings.prune > 0)
        rg_trainer_prune(t);
    rg_measure_part(&t->measure, RG_PART_OF_VALIDATION);
    if (!status && t->fold.validation.n)
        status = rg_batch_parts_measure(&validation, &t->parts, t->w, t->fold.validation.graphs,
                                        t->fold.validation.n, err);
    if (status)
        return status;
    rg_measure_score(score, &t->measure, &validation, t->fold.validation.graphs,
                     t->fold.validation.n);
    t->epoch++;
    for (uint32_t l = 0; l < t->options.lanes; l++) {
        report[l] = (rg_epoch){.number = t->epoch,
                               .lr = t->lanes[l].schedule.lr,
                               .train_loss = rg_tally_loss(&train, l),
                               .train_score = train_score[l],
                               .validation_loss = rg_tally_loss(&validation, l),
                               .validation_score = score[l]};
        judge(t, l, &report[l]);
    }
    return all_failed(t, err);
}

bool rg_trainer_done(const rg_trainer *t)
{
    bool stopped = true;
    for (uint32_t l = 0; l < t->options.lanes; l++)
        stopped &= t->lanes[l].stopped;
    return stopped || t->epoch >= t->settings.epochs;
}

rg_metric rg_trainer_metric(const rg_trainer *t)
{
    return t->measure.metric;
}

double rg_trainer_majority(const rg_trainer *t)
{
    return t->measure.majority;
}

uint32_t rg_trainer_epochs(const rg_trainer *t)
{
    return t->epoch;
}

const rg_epoch *rg_trainer_report(const rg_trainer *t, uint32_t epoch, size_t lane)
{
    return &t->history[(size_t)(epoch - 1) * t->options.lanes + lane];
}

/* ---- the end */

void rg_trainer_runs(rg_run *runs, const rg_trainer *t, const rg_tally tally[3],
                     double (*score)[RG_MAX_LANES])
{
    double none = (double)NAN;
    for (uint32_t l = 0; l < t->options.lanes; l++) {
        const rg_lane *lane = &t->lanes[l];
        runs[l] = (rg_run){.number = t->options.first_run + l,
                           .epochs = lane->epochs,
                           .best_epoch = lane->best_epoch,
                           .stopped = lane->stopped,
                           .failed = lane->failed,
                           .train_loss = none,
                           .train_score = none,
                           .validation_loss = none,
                           .validation_score = none,
                           .test_loss = tally ? rg_tally_loss(&tally[2], l) : none,
                           .test_score = tally ? score[2][l] : none};
        if (tally) {
            runs[l].train_loss = rg_tally_loss(&tally[0], l);
            runs[l].train_score = score[0][l];
            runs[l].validation_loss = rg_tally_loss(&tally[1], l);
            runs[l].validation_score = score[1][l];
        } else if (lane->best_epoch) {
            const rg_epoch *best = rg_trainer_report(t, lane->best_epoch, l);
            runs[l].train_loss = best->train_loss;
            runs[l].train_score = best->train_score;
            runs[l].validation_loss = best->validation_loss;
            runs[l].validation_score = best->validation_score;
        }
    }
}

rg_status rg_trainer_finish(rg_trainer *t, rg_run *runs, rg_error *err)
{
    const rg_part *parts[] = {&t->fold.train, &t->fold.validation, &t->fold.test};
    rg_tally tally[3];
    double score[3][RG_MAX_LANES];
    for (size_t k = 0; k < 3; k++) {
        rg_measure_part(&t->measure, (rg_part_kind)k);
        rg_status status = rg_batch_parts_measure(&tally[k], &t->parts, t->best, parts[k]->graphs,
                                                  parts[k]->n, err);
        if (status)
            return status;
        rg_measure_score(score[k], &t->measure, &tally[k], parts[k]->graphs, parts[k]->n);
    }
    rg_trainer_runs(runs, t, tally, score);
    return RG_OK;
}

size_t rg_trainer_best(const rg_trainer *t)
{
    size_t best = 0;
    for (uint32_t l = 1; l < t->options.lanes; l++)
        if (t->lanes[l].best_epoch &&
            (!t->lanes[best].best_epoch ||
             (t->settings.best != RG_BEST_LAST &&
              is_better(t, &t->lanes[best], t->lanes[l].best_score, t->lanes[l].best_loss))))
            best = l;
    return best;
}

uint32_t rg_trainer_best_epoch(const rg_trainer *t, size_t lane)
{
    return t->lanes[lane].best_epoch;
}

void rg_trainer_weights(double *out, const rg_trainer *t, size_t lane)
{
    for (size_t k = 0; k < t->n_all; k++)
        out[k] = rg_real_at(t->settings.precision, t->best, k * t->options.lanes + lane);
}

/* ---- predictions */

/* Outputs of one sample as probabilities, all lanes, in place. */
static void to_probabilities(const rg_trainer *t, void *z, size_t n_rows)
{
    const rg_network *net = t->samples->net;
    if (rg_task_of_classes(net->task))
        t->kernels->softmax(z, n_rows, net->n_outputs, z);
    else if (net->task == RG_TASK_MULTILABEL)
        t->kernels->sigmoid(z, n_rows * net->n_outputs, z);
}

/* What is asked for, and how far it got. */
typedef struct predicted {
    uint32_t *samples;
    float *numbers;
    size_t n_runs, n_rows, row;
} predicted;

static void take_outputs(predicted *out, const rg_trainer *t, const rg_sample *sample, void *z)
{
    const rg_network *net = t->samples->net;
    size_t lanes = t->options.lanes, rows = rg_task_on_nodes(net->task) ? sample->n_nodes : 1;
    size_t width = net->n_outputs, n = rows * width;
    to_probabilities(t, z, rows);
    for (size_t r = 0; r < out->n_runs; r++)
        for (size_t k = 0; k < n; k++)
            out->numbers[(r * out->n_rows + out->row) * width + k] = (float)rg_network_value(
                net, k % width, rg_real_at(t->settings.precision, z, k * lanes + r));
    for (size_t k = 0; k < rows; k++)
        out->samples[out->row++] = (uint32_t)sample->number;
}

rg_status rg_trainer_predict(rg_trainer *t, const rg_part *part, uint32_t *samples, float *numbers,
                             size_t n_runs, size_t n_rows, rg_error *err)
{
    predicted out = {.samples = samples, .numbers = numbers, .n_runs = n_runs, .n_rows = n_rows};
    rg_pass *pass = t->parts.part[0].pass;
    rg_walk *walk = &t->parts.part[0].walk;
    size_t item = t->options.lanes * t->kernels->real_size;
    char *z = rg_pass_gradient(pass); /* as large as the outputs, and free between epochs */
    rg_walk_begin(walk, part->graphs, part->n);
    for (;;) {
        const rg_sample *taken;
        size_t n;
        rg_status status = rg_pass_take(&taken, &n, pass, walk, part->n, err);
        if (status || n == 0)
            return status;
        const void *outputs = rg_pass_forward(pass, taken, n, t->best, NULL);
        memcpy(z, outputs, rg_pass_output(pass, n) * item);
        for (size_t k = 0; k < n; k++)
            take_outputs(&out, t, &taken[k], z + rg_pass_output(pass, k) * item);
    }
}
