/* members.c - see members.h. */
#include "members.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"
#include "safetensors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char what[] = "a model of several networks";

/* ---- putting them together */

/* What keeps two networks from answering together; NULL: nothing. */
static const char *differs(const rg_network *a, const rg_network *b)
{
    if (a->task != b->task)
        return "they have different tasks";
    if (a->arrays != b->arrays)
        return "one is for graphs, the other for arrays";
    if (a->n_outputs != b->n_outputs || a->n_targets != b->n_targets)
        return "they have different numbers of outputs";
    for (size_t k = 0; k < a->n_targets; k++) {
        const rg_net_classes *x = &a->targets[k], *y = &b->targets[k];
        if (x->column != y->column || x->n != y->n ||
            (x->values && memcmp(x->values, y->values, x->n * sizeof *x->values) != 0))
            return "they predict other columns or classes";
    }
    return NULL;
}

static rg_status check(rg_model *const *members, size_t n, uint32_t n_runs, const double *weights,
                       rg_error *err)
{
    double sum = 0;
    if (n < 1 || n > RG_MEMBERS_MAX || n_runs < 1 || n % n_runs)
        return rg_fail(err, RG_EUSAGE,
                       "found %zu networks in groups of %u, expected 1..%d of them in whole groups",
                       n, (unsigned)n_runs, RG_MEMBERS_MAX);
    for (size_t k = 0; k < n; k++) {
        const char *other = members[k]->members ? "one has several networks itself"
                                                : differs(members[0]->net, members[k]->net);
        if (other)
            return rg_fail(err, RG_EDATA, "networks 1 and %zu cannot answer together: %s", k + 1,
                           other);
    }
    for (size_t k = 0; weights && k < n / n_runs; k++) {
        if (!(weights[k] >= 0 && weights[k] <= 1))
            return rg_fail(err, RG_EDATA, "found the weight %g of a network, expected 0..1",
                           weights[k]);
        sum += weights[k];
    }
    if (weights && !(fabs(sum - 1) < 1e-6))
        return rg_fail(err, RG_EDATA, "the weights of the networks add up to %g, not to 1", sum);
    return RG_OK;
}

/* The first member stands for all where only one is looked at. */
static void borrow_first(rg_model *m)
{
    m->net = m->members[0]->net;
    m->w = m->members[0]->w;
    m->spec = m->members[0]->spec;
    m->precision = m->members[0]->precision;
}

rg_status rg_model_combine(rg_model **out, rg_model *const *members, size_t n, uint32_t n_runs,
                           const double *weights, rg_error *err)
{
    rg_status status = check(members, n, n_runs, weights, err);
    if (status)
        return status;
    rg_model *m = rg_alloc_zero(1, sizeof *m);
    size_t groups = n / n_runs;
    if (m) {
        m->members = rg_alloc_zero(n, sizeof *m->members);
        m->shares = rg_alloc(groups, sizeof *m->shares);
        m->training = rg_copy_text(members[0]->training, strlen(members[0]->training));
        m->record = rg_copy_text(members[0]->record, strlen(members[0]->record));
    }
    if (!m || !m->members || !m->shares || !m->training || !m->record) {
        rg_model_free(m);
        return rg_fail_memory(err, what);
    }
    for (size_t k = 0; k < n; k++)
        m->members[k] = members[k];
    for (size_t k = 0; k < groups; k++)
        m->shares[k] = weights ? weights[k] : 1 / (double)groups;
    m->n_members = n;
    m->n_runs = n_runs;
    borrow_first(m);
    *out = m;
    return RG_OK;
}

rg_status rg_model_select(rg_model **model, size_t k, rg_error *err)
{
    rg_model *m = *model;
    size_t n = m->members ? m->n_members : 1;
    if (k >= n)
        return rg_fail(err, RG_EUSAGE, "the model has %zu network%s: there is no %zu", n,
                       n == 1 ? "" : "s", k + 1);
    if (!m->members)
        return RG_OK;
    *model = m->members[k];
    m->members[k] = NULL;
    rg_model_free(m);
    return RG_OK;
}

void rg_members_free(rg_model *model)
{
    for (size_t k = 0; k < model->n_members; k++)
        rg_model_free(model->members[k]);
    rg_free(model->members);
    rg_free(model->shares);
    model->net = NULL;
    model->w = NULL;
    model->spec = NULL;
}

/* ---- files */

static rg_tensor_name member_name(size_t k)
{
    return rg_model_part("member", k);
}

void rg_members_free_blocks(void **blocks, const rg_model *model)
{
    for (size_t k = 0; blocks && k < model->n_members; k++)
        rg_free(blocks[k]);
    rg_free(blocks);
}

static rg_status put(rg_tensors *set, const char *name, rg_dtype dtype, const void *data, size_t n,
                     rg_error *err)
{
    rg_tensor tensor = {.name = name, .dtype = dtype, .n_dims = 1, .shape = {n}, .data = data};
    return rg_tensors_add(set, &tensor, err);
}

rg_status rg_members_put(rg_tensors *set, void ***blocks, const rg_model *model, rg_error *err)
{
    char runs[16];
    void **own = rg_alloc_zero(model->n_members, sizeof *own);
    rg_status status = own ? RG_OK : rg_fail_memory(err, what);
    *blocks = own;
    snprintf(runs, sizeof runs, "%u", (unsigned)model->n_runs);
    for (size_t k = 0; k < model->n_members && !status; k++) {
        rg_tensor_name name = member_name(k);
        size_t n = 0;
        status = rg_model_encode(&own[k], &n, model->members[k], err);
        if (!status)
            status = put(set, name.text, RG_DTYPE_U8, own[k], n, err);
    }
    if (!status)
        status =
            put(set, "weights", RG_DTYPE_F64, model->shares, model->n_members / model->n_runs, err);
    if (!status)
        status = rg_tensors_add_metadata(set, "regula.runs", runs, err);
    return status;
}

static rg_status read_member(rg_model **out, const char *name, const rg_tensors *set, size_t k,
                             rg_error *err)
{
    rg_tensor_name tensor = member_name(k);
    const rg_tensor *found = rg_tensors_get(set, tensor.text);
    rg_tensors *inner = NULL;
    rg_error why = {""};
    const void *bytes;
    size_t n = found ? found->shape[0] : 0;
    rg_status status = rg_tensors_find(&bytes, set, tensor.text, RG_DTYPE_U8, 1, &n, err);
    if (status)
        return status;
    status = rg_tensors_parse(&inner, tensor.text, bytes, n, true, &why);
    if (!status && rg_tensors_get(inner, "member.0"))
        status = rg_fail(&why, RG_EDATA, "%s: it has several networks itself", tensor.text);
    if (!status)
        status = rg_model_decode(out, tensor.text, inner, &why);
    rg_tensors_free(inner);
    return status ? rg_fail(err, status, "%s: %s", name, why.message) : RG_OK;
}

rg_status rg_members_decode(rg_model **out, const char *name, const rg_tensors *set, rg_error *err)
{
    const char *text = rg_tensors_metadata(set, "regula.runs");
    const char *version = rg_tensors_metadata(set, "regula.version");
    const rg_tensor *weights = rg_tensors_get(set, "weights");
    unsigned runs = 0;
    const void *shares = NULL;
    rg_error why = {""};
    size_t groups = weights ? weights->shape[0] : 0, n = 0;
    if (!version || !text || strlen(text) > 4 || sscanf(text, "%u", &runs) != 1 || runs < 1 ||
        groups > RG_MEMBERS_MAX || groups * runs > RG_MEMBERS_MAX)
        return rg_fail(err, RG_EDATA, "%s: found no whole number of networks", name);
    rg_status status = rg_tensors_find(&shares, set, "weights", RG_DTYPE_F64, 1, &groups, err);
    rg_model **members = status ? NULL : rg_alloc_zero(groups * runs, sizeof *members);
    if (!status && !members)
        status = rg_fail_memory(err, what);
    while (!status && n < groups * runs) {
        status = read_member(&members[n], name, set, n, err);
        n += !status;
    }
    if (!status) {
        status = rg_model_combine(out, members, n, runs, shares, &why);
        if (status)
            status =
                rg_fail(err, status == RG_EUSAGE ? RG_EDATA : status, "%s: %s", name, why.message);
    }
    if (!status) {
        strncpy((*out)->version, version, sizeof(*out)->version - 1);
        rg_tensors_digest((*out)->digest, set);
    }
    for (size_t k = 0; status && k < n; k++)
        rg_model_free(members[k]);
    rg_free(members);
    return status;
}

rg_status rg_model_copy(rg_model **out, const rg_model *model, rg_error *err)
{
    void *bytes = NULL;
    size_t n = 0;
    rg_tensors *set = NULL;
    rg_status status = rg_model_encode(&bytes, &n, model, err);
    if (!status)
        status = rg_tensors_parse(&set, "a copy of a model", bytes, n, true, err);
    if (!status)
        status = rg_model_decode(out, "a copy of a model", set, err);
    rg_tensors_free(set);
    rg_free(bytes);
    return status;
}

/* ---- predictions */

typedef struct joint {
    const rg_model *model;
    const rg_predict_options *options;
    size_t n_samples, n_rows, width;
    uint32_t *samples, *rows; /* [sample]: number, and rows; owned */
    double *group, *all;      /* [row][output], owned */
    double *outputs;          /* [row of the largest sample][output], owned */
    uint32_t *classes;        /* [row of the largest sample], owned */
    size_t at, row;           /* of the walk of a member */
} joint;

static rg_status open_joint(joint *j, const rg_model *model, const rg_samples *samples,
                            const rg_predict_options *o, rg_error *err)
{
    bool nodes = rg_task_on_nodes(model->net->task);
    size_t most = 1, cells = 0, largest = 0;
    *j = (joint){.model = model, .options = o, .width = model->net->n_outputs};
    j->n_samples = o->samples ? o->n_samples : samples->n;
    j->samples = rg_alloc(j->n_samples, sizeof *j->samples);
    j->rows = rg_alloc(j->n_samples, sizeof *j->rows);
    for (size_t k = 0; j->samples && j->rows && k < j->n_samples; k++) {
        j->samples[k] = o->samples ? o->samples[k] : (uint32_t)k;
        if (j->samples[k] >= samples->n)
            return rg_fail(err, RG_EUSAGE, "'%s' has %zu samples: there is no %u",
                           rg_source_name(&samples->source), samples->n, (unsigned)j->samples[k]);
        j->rows[k] = nodes ? rg_samples_nodes(samples, j->samples[k]) : 1;
        j->n_rows += j->rows[k];
        most = j->rows[k] > most ? j->rows[k] : most;
    }
    if (rg_size_mul(&cells, j->n_rows, j->width) && rg_size_mul(&largest, most, j->width)) {
        j->group = rg_alloc_zero(cells, sizeof *j->group);
        j->all = rg_alloc_zero(cells, sizeof *j->all);
        j->outputs = rg_alloc(largest, sizeof *j->outputs);
        j->classes = rg_alloc(most, sizeof *j->classes);
    }
    bool fine = j->samples && j->rows && j->group && j->all && j->outputs && j->classes;
    return fine ? RG_OK : rg_fail_memory(err, what);
}

static void close_joint(joint *j)
{
    rg_free(j->samples);
    rg_free(j->rows);
    rg_free(j->group);
    rg_free(j->all);
    rg_free(j->outputs);
    rg_free(j->classes);
}

/* Of one network, one sample after another, added to what its group says. */
static rg_status take(void *context, const rg_prediction *p, rg_error *err)
{
    joint *j = context;
    const double *said = p->probabilities ? p->probabilities : p->outputs;
    double *to = j->group + j->row * j->width;
    (void)err;
    for (size_t k = 0; k < p->n_rows * j->width; k++)
        to[k] += (double)(float)said[k] / j->model->n_runs;
    j->row += p->n_rows;
    return RG_OK;
}

static rg_status ask(joint *j, size_t member, rg_samples *first, rg_error *err)
{
    const rg_model *model = j->model->members[member];
    rg_predict_options o = *j->options;
    rg_samples *own = NULL;
    rg_status status = RG_OK;
    o.progress = NULL;
    o.embed = 0;
    j->row = 0;
    if (member > 0)
        status = rg_model_samples(&own, model, &first->source, &o, first->cancel, err);
    if (!status)
        status = rg_model_walk(model, own ? own : first, &o, take, j, err);
    rg_samples_free(own);
    if (!status && j->options->progress)
        j->options->progress(j->options->progress_context,
                             (double)(member + 1) / (double)j->model->n_members);
    return status;
}

/* A group is through: its mean is added with its weight. */
static void close_group(joint *j, double weight)
{
    size_t n = j->n_rows * j->width;
    for (size_t k = 0; k < n && weight > 0; k++)
        j->all[k] += weight * j->group[k];
    memset(j->group, 0, n * sizeof *j->group);
}

/* Outputs that give these probabilities. */
static void invert(joint *j, const double *p, size_t n, bool answers)
{
    for (size_t k = 0; k < n; k++) {
        j->outputs[k] = rg_log(fmax(p[k], 1e-300));
        if (answers)
            j->outputs[k] -= rg_log(fmax(1 - p[k], 1e-300));
    }
}

static rg_status
tell(joint *j, rg_status (*each)(void *context, const rg_prediction *prediction, rg_error *err),
     void *context, rg_error *err)
{
    rg_task task = j->model->net->task;
    bool classes = rg_task_of_classes(task);
    rg_status status = RG_OK;
    const double *p = j->all;
    for (size_t k = 0; k < j->n_samples && !status; k++) {
        size_t n = j->rows[k] * j->width;
        if (!rg_task_of_values(task))
            invert(j, p, n, task == RG_TASK_MULTILABEL);
        for (size_t i = 0; classes && i < j->rows[k]; i++) {
            j->classes[i] = 0;
            for (uint32_t c = 1; c < j->width; c++)
                if (p[i * j->width + c] > p[i * j->width + j->classes[i]])
                    j->classes[i] = c;
        }
        rg_prediction prediction = {.sample = j->samples[k],
                                    .n_rows = j->rows[k],
                                    .n_outputs = j->width,
                                    .outputs = rg_task_of_values(task) ? p : j->outputs,
                                    .probabilities = rg_task_of_values(task) ? NULL : p,
                                    .classes = classes ? j->classes : NULL};
        status = each(context, &prediction, err);
        p += n;
    }
    return status;
}

rg_status rg_members_walk(const rg_model *model, rg_samples *samples, const rg_predict_options *o,
                          rg_status (*each)(void *context, const rg_prediction *prediction,
                                            rg_error *err),
                          void *context, rg_error *err)
{
    joint j;
    if (o->embed)
        return rg_fail(err, RG_EUSAGE, "the model has several networks: there is no one embedding");
    rg_status status = open_joint(&j, model, samples, o, err);
    for (size_t k = 0; k < model->n_members && !status; k++) {
        status = ask(&j, k, samples, err);
        if (!status && (k + 1) % model->n_runs == 0)
            close_group(&j, model->shares[k / model->n_runs]);
    }
    if (!status)
        status = tell(&j, each, context, err);
    close_joint(&j);
    return status;
}
