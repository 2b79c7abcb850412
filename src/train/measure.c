/* measure.c - see measure.h. */
#include "measure.h"

#include "base/alloc.h"
#include "base/error.h"
#include "choose_metric.h"

#include <math.h>
#include <string.h>

/* ---- which loss, which weights */

static rg_status check_loss(rg_measure *m, rg_loss asked, rg_error *err)
{
    static const char *const names[] = {"auto", "cross-entropy", "mse", "mae", "bce"};
    rg_task task = m->samples->net->task;
    bool classes = rg_task_of_classes(task);
    m->loss = asked != RG_LOSS_AUTO        ? asked
              : classes                    ? RG_LOSS_CROSS_ENTROPY
              : task == RG_TASK_MULTILABEL ? RG_LOSS_LOGISTIC
                                           : RG_LOSS_SQUARED;
    bool fits = classes ? m->loss == RG_LOSS_CROSS_ENTROPY
                : task == RG_TASK_MULTILABEL
                    ? m->loss == RG_LOSS_LOGISTIC
                    : m->loss == RG_LOSS_SQUARED || m->loss == RG_LOSS_ABSOLUTE;
    if (fits)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "training: loss '%s' does not fit the task '%s'", names[m->loss],
                   rg_task_name(task));
}

/* Answers of each class (multi-label: yes for each column) in the training set. */
static rg_status balance(rg_measure *m, const uint32_t *train, size_t n_train, rg_error *err)
{
    const rg_samples *s = m->samples;
    const rg_network *net = s->net;
    double count[RG_CLASS_WEIGHTS_MAX] = {0}, n = 0;
    if (!rg_task_of_classes(net->task))
        return rg_fail(err, RG_EDATA, "training: 'class_weights: balanced' is for classification");
    for (size_t k = 0; k < n_train; k++) {
        uint64_t from = train[k], to = from + 1;
        if (rg_task_on_nodes(net->task)) {
            rg_graph graph = rg_dataset_graph(s->source.graphs, train[k]);
            from = graph.first_node;
            to = from + graph.n_nodes;
        }
        for (uint64_t v = from; v < to; v++)
            if (s->classes[v] != RG_NO_CLASS && (!m->mask || m->mask[v])) {
                count[s->classes[v]]++;
                n++;
            }
    }
    for (uint32_t c = 0; c < net->n_outputs; c++)
        m->class_weights[c] = count[c] > 0 ? n / (net->n_outputs * count[c]) : 1;
    m->n_class_weights = net->n_outputs;
    return RG_OK;
}

/* ---- which score */

/* Rows of outputs before sample k, and of it. */
static size_t rows_of(const rg_samples *s, size_t sample, size_t *n)
{
    if (!rg_task_on_nodes(s->net->task)) {
        *n = 1;
        return sample;
    }
    rg_graph graph = rg_dataset_graph(s->source.graphs, sample);
    *n = graph.n_nodes;
    return (size_t)graph.first_node;
}

static rg_status choose_metric(rg_measure *m, rg_metric asked, const uint32_t *train,
                               size_t n_train, rg_error *err)
{
    const rg_network *net = m->samples->net;
    uint32_t columns[RG_SPEC_TARGETS_MAX];
    rg_part part = {train, n_train};
    for (size_t k = 0; k < net->n_targets; k++)
        columns[k] = net->targets[k].column;
    rg_status status = rg_targets_majority(&m->majority, &m->samples->source, net->task, columns,
                                           net->n_targets, &part, 1, err);
    if (status)
        return status;
    m->metric = rg_metric_choose(asked, net->task, m->majority);
    if (!rg_metric_is_of_values(m->metric) == (!rg_task_of_values(net->task)))
        return RG_OK;
    return rg_fail(err, RG_EDATA, "training: metric '%s' does not fit the task '%s'",
                   rg_metric_name(m->metric), rg_task_name(net->task));
}

static rg_status make_room(rg_measure *m, rg_error *err)
{
    const rg_samples *s = m->samples;
    size_t width = s->net->n_outputs, item = m->kernels->lanes * m->kernels->real_size, n = s->n;
    if (rg_task_on_nodes(s->net->task))
        n = (size_t)rg_dataset_n_nodes(s->source.graphs);
    size_t row;
    if (rg_size_mul(&row, width, item)) {
        m->kept = rg_alloc_zero(n, row);
        m->said = rg_alloc(n, width * sizeof *m->said);
        m->right = rg_alloc(s->reals ? n : 0, width * sizeof *m->right);
        m->classes = rg_alloc(s->reals ? 0 : n, sizeof *m->classes);
    }
    if (!m->kept || !m->said || !m->right || !m->classes)
        return rg_fail_memory(err, "scores");
    return rg_metric_scratch_new(&m->scratch, n, width, err);
}

void rg_measure_close(rg_measure *m)
{
    rg_free(m->kept);
    rg_free(m->said);
    rg_free(m->right);
    rg_free(m->classes);
    rg_metric_scratch_free(&m->scratch);
    *m = (rg_measure){.n_class_weights = 0};
}

rg_status rg_measure_open(rg_measure *out, const rg_samples *samples, const rg_kernels *kernels,
                          const rg_settings *settings, const uint32_t *train, size_t n_train,
                          rg_error *err)
{
    rg_measure m = {.samples = samples,
                    .kernels = kernels,
                    .doubles = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best())};
    uint32_t n = samples->net->n_outputs;
    for (int k = 0; k < 3 && rg_task_on_nodes(samples->net->task); k++)
        m.masks[k] = rg_source_node_mask(&samples->source, (rg_part_kind)k);
    rg_measure_part(&m, RG_PART_OF_TRAIN);
    *out = m;
    rg_status status = rg_samples_check_targets(samples, err);
    if (!status)
        status = check_loss(&m, settings->loss, err);
    if (!status)
        status = choose_metric(&m, settings->metric, train, n_train, err);
    if (status)
        return status;
    if ((settings->balanced || settings->n_class_weights) && n > RG_CLASS_WEIGHTS_MAX)
        return rg_fail(err, RG_EDATA, "training: class weights are for at most %d classes",
                       RG_CLASS_WEIGHTS_MAX);
    if (settings->n_class_weights && settings->n_class_weights != n)
        return rg_fail(err, RG_EDATA, "training: found %zu class weights, expected %u",
                       settings->n_class_weights, (unsigned)n);
    m.n_class_weights = settings->n_class_weights;
    memcpy(m.class_weights, settings->class_weights,
           settings->n_class_weights * sizeof *m.class_weights);
    if (settings->balanced)
        status = balance(&m, train, n_train, err);
    if (status)
        return status;
    *out = m;
    return settings->metric == RG_METRIC_DEFAULT ? RG_OK : make_room(out, err);
}

/* ---- one sample */

static double weight_of(const rg_measure *m, uint32_t class)
{
    return m->n_class_weights ? m->class_weights[class] : 1;
}

void rg_measure_part(rg_measure *m, rg_part_kind part)
{
    m->mask = m->masks[part];
}

static bool counts(const rg_measure *m, size_t row)
{
    return !m->mask || m->mask[row];
}

/* The class of a row of outputs, which counts now; RG_NO_CLASS: it does not. */
static uint32_t class_of(const rg_measure *m, size_t row)
{
    return counts(m, row) ? m->samples->classes[row] : RG_NO_CLASS;
}

double rg_measure_weight(const rg_measure *m, size_t sample)
{
    const rg_samples *s = m->samples;
    double sum = 0;
    if (m->loss == RG_LOSS_CROSS_ENTROPY) {
        size_t n, first = rows_of(s, sample, &n);
        for (size_t row = first; row < first + n; row++) {
            uint32_t class = class_of(m, row);
            sum += class == RG_NO_CLASS ? 0 : weight_of(m, class);
        }
        return sum;
    }
    size_t n = s->net->n_targets, n_rows, first = rows_of(s, sample, &n_rows);
    for (size_t row = first; row < first + n_rows; row++)
        for (size_t c = 0; c < n && counts(m, row); c++)
            sum += isnan(s->reals[row * n + c]) ? 0 : weight_of(m, (uint32_t)c);
    return sum;
}

/* Lanes whose largest output, the first of them if several are, is that of the class. */
static void count_right(rg_tally *tally, const rg_measure *m, const void *z, uint32_t class)
{
    size_t lanes = m->kernels->lanes, n = m->samples->net->n_outputs;
    for (size_t l = 0; l < lanes; l++) {
        size_t best = 0;
        for (size_t c = 1; c < n; c++)
            if (rg_real_at(m->kernels->precision, z, c * lanes + l) >
                rg_real_at(m->kernels->precision, z, best * lanes + l))
                best = c;
        tally->score[l] += best == class;
    }
    tally->n++;
}

static void measure_classes(rg_tally *tally, const rg_measure *m, size_t sample, const char *z,
                            char *dz, double scale)
{
    uint32_t n_out = m->samples->net->n_outputs;
    size_t n, row = n_out * m->kernels->lanes * m->kernels->real_size;
    size_t first = rows_of(m->samples, sample, &n);
    double loss[RG_MAX_LANES] = {0};
    for (size_t k = 0; k < n; k++, z += row, dz = dz ? dz + row : NULL) {
        uint32_t class = class_of(m, first + k);
        if (class == RG_NO_CLASS) {
            if (dz)
                memset(dz, 0, row);
            continue;
        }
        m->kernels->cross_entropy(loss, dz, 1, n_out, z, &class,
                                  m->n_class_weights ? m->class_weights : NULL, scale);
        count_right(tally, m, z, class);
        tally->weight += weight_of(m, class);
    }
    for (size_t l = 0; l < m->kernels->lanes; l++)
        tally->loss[l] += loss[l] / scale;
}

static void measure_row(rg_tally *tally, const rg_measure *m, size_t row, const void *z, void *dz,
                        double scale)
{
    const rg_network *net = m->samples->net;
    const double *right = m->samples->reals + row * net->n_targets, *target = right;
    double scaled[RG_SPEC_TARGETS_MAX]; /* as outputs stand for them */
    const double *weight = m->n_class_weights ? m->class_weights : NULL;
    uint32_t n = net->n_outputs;
    size_t lanes = m->kernels->lanes;
    double loss[RG_MAX_LANES] = {0};
    for (uint32_t c = 0; net->spec->standardise && c < n; c++) {
        const rg_net_classes *own = &net->targets[c];
        scaled[c] = own->factor != 0 ? (right[c] - own->shift) / own->factor : right[c];
        target = scaled;
    }
    if (m->loss == RG_LOSS_SQUARED)
        m->kernels->squared(loss, dz, 1, n, z, target, weight, scale);
    else if (m->loss == RG_LOSS_ABSOLUTE)
        m->kernels->absolute(loss, dz, 1, n, z, target, weight, scale);
    else
        m->kernels->logistic(loss, dz, 1, n, z, target, weight, scale);
    for (size_t l = 0; l < lanes; l++)
        tally->loss[l] += loss[l] / scale;
    for (uint32_t c = 0; c < n; c++) {
        if (isnan(target[c]))
            continue;
        tally->weight += weight_of(m, c);
        tally->n++;
        for (size_t l = 0; l < lanes; l++) {
            double out = rg_real_at(m->kernels->precision, z, c * lanes + l);
            if (net->task == RG_TASK_MULTILABEL)
                tally->score[l] += (out > 0) == (right[c] > 0.5);
            else
                tally->score[l] -= fabs(rg_network_value(net, c, out) - right[c]);
        }
    }
}

static void measure_reals(rg_tally *tally, const rg_measure *m, size_t sample, const char *z,
                          char *dz, double scale)
{
    size_t bytes = m->samples->net->n_outputs * m->kernels->lanes * m->kernels->real_size;
    size_t n, first = rows_of(m->samples, sample, &n);
    for (size_t k = 0; k < n; k++, z += bytes, dz = dz ? dz + bytes : NULL) {
        if (counts(m, first + k))
            measure_row(tally, m, first + k, z, dz, scale);
        else if (dz)
            memset(dz, 0, bytes);
    }
}

void rg_measure_sample(rg_tally *tally, const rg_measure *m, const rg_sample *sample, const void *z,
                       void *dz, double scale)
{
    if (m->kept) {
        size_t n, first = rows_of(m->samples, sample->number, &n);
        size_t row = m->samples->net->n_outputs * m->kernels->lanes * m->kernels->real_size;
        if (n) /* z may be NULL otherwise */
            memcpy(m->kept + first * row, z, n * row);
    }
    if (m->loss == RG_LOSS_CROSS_ENTROPY)
        measure_classes(tally, m, sample->number, z, dz, scale);
    else
        measure_reals(tally, m, sample->number, z, dz, scale);
}

void rg_measure_group(rg_tally *tally, const rg_measure *m, const rg_pass *pass,
                      const rg_sample *samples, size_t n, void *dz, double scale)
{
    size_t item = m->kernels->real_size * m->kernels->lanes;
    const char *z = rg_pass_outputs(pass);
    for (size_t k = 0; k < n; k++) {
        size_t at = rg_pass_output(pass, k) * item;
        rg_measure_sample(tally, m, &samples[k], z + at, dz ? (char *)dz + at : NULL, scale);
    }
}

rg_status rg_measure_list(rg_tally *out, const rg_measure *m, rg_walk *walk, rg_pass *pass, void *w,
                          const uint32_t *list, size_t n, rg_error *err)
{
    *out = (rg_tally){.weight = 0};
    rg_walk_begin(walk, list, n);
    for (;;) {
        const rg_sample *samples;
        size_t taken;
        rg_status status = rg_pass_take(&samples, &taken, pass, walk, n, err);
        if (status || taken == 0)
            return status;
        rg_pass_forward(pass, samples, taken, w, NULL);
        rg_measure_group(out, m, pass, samples, taken, NULL, 1);
    }
}

double rg_tally_loss(const rg_tally *tally, size_t lane)
{
    return tally->weight > 0 ? tally->loss[lane] / tally->weight : (double)NAN;
}

double rg_tally_score(const rg_tally *tally, size_t lane)
{
    return tally->n > 0 ? fabs(tally->score[lane] / tally->n) : (double)NAN;
}

/* ---- scores from outputs that were kept */

/* What is right of the samples of a list, and what one lane said; how many rows. */
static size_t gather(const rg_measure *m, size_t lane, const uint32_t *list, size_t n)
{
    const rg_samples *s = m->samples;
    size_t width = s->net->n_outputs, lanes = m->kernels->lanes, rows = 0;
    for (size_t k = 0; k < n; k++) {
        size_t count, first = rows_of(s, list[k], &count);
        for (size_t row = first; row < first + count; row++, rows++) {
            double *said = m->said + rows * width;
            const char *z = m->kept + row * width * lanes * m->kernels->real_size;
            for (size_t c = 0; c < width; c++)
                said[c] = rg_network_value(
                    s->net, c,
                    lane == SIZE_MAX ? 0 : rg_real_at(m->kernels->precision, z, c * lanes + lane));
            if (s->reals)
                for (size_t c = 0; c < width; c++)
                    m->right[rows * width + c] =
                        counts(m, row) ? s->reals[row * width + c] : (double)NAN;
            else
                m->classes[rows] = class_of(m, row);
        }
    }
    /* in double whatever the precision: no two outputs that differ become one probability */
    if (!s->reals)
        m->doubles->softmax(m->said, rows, (uint32_t)width, m->said);
    else if (s->net->task == RG_TASK_MULTILABEL)
        m->doubles->sigmoid(m->said, rows * width, m->said);
    return rows;
}

/* lane SIZE_MAX: if all were said to be the same. */
static double score_lane(const rg_measure *m, size_t lane, const uint32_t *list, size_t n)
{
    const rg_network *net = m->samples->net;
    size_t rows = gather(m, lane, list, n);
    if (m->samples->reals)
        return rg_metric_of_targets(NULL, m->metric, !rg_task_of_values(net->task), m->said,
                                    m->right, rows, net->n_outputs, &m->scratch);
    return rg_metric_of_classes(m->metric, m->said, m->classes, rows, net->n_outputs, &m->scratch);
}

bool rg_measure_is_defined(const rg_measure *m, const uint32_t *list, size_t n)
{
    return !m->kept || !isnan(score_lane(m, SIZE_MAX, list, n));
}

void rg_measure_score(double *out, const rg_measure *m, const rg_tally *tally, const uint32_t *list,
                      size_t n)
{
    for (size_t l = 0; l < m->kernels->lanes; l++)
        out[l] = m->kept ? score_lane(m, l, list, n) : rg_tally_score(tally, l);
}
