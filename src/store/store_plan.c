/* store_plan.c - experiment, configurations and jobs: checked, written, read, compared. */
#include "base/alloc.h"
#include "base/error.h"
#include "store_parts.h"

#include <string.h>
#include <time.h>

/* Bounds that keep a file from asking for more memory than it could fill with sense. */
#define COUNT_MAX 100000000u
#define LANES_MAX RG_RUNS_MAX

static const char *const state_names[] = {"waiting", "done", "failed"};

void rg_store_time(char out[RG_STORE_TIME])
{
    struct tm parts;
    time_t now = time(NULL);
    memset(&parts, 0, sizeof parts);
    gmtime_r(&now, &parts);
    strftime(out, RG_STORE_TIME, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void rg_store_digest_of(char out[RG_DIGEST_TEXT], const char *text)
{
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_bytes(&digest, text, strlen(text));
    rg_digest_finish(&digest, out);
}

const char *rg_store_keep(rg_store *store, const char *text)
{
    if (!rg_grow(&store->texts, &store->texts_capacity, store->n_texts + 1, sizeof *store->texts))
        return NULL;
    char *copy = rg_copy_text(text, strlen(text));
    if (copy)
        store->texts[store->n_texts++] = copy;
    return copy;
}

/* ---- does it make sense? */

static int compare_places(const rg_store_job *a, const rg_store_job *b)
{
    if (a->configuration != b->configuration)
        return a->configuration < b->configuration ? -1 : 1;
    if (a->fold != b->fold)
        return a->fold < b->fold ? -1 : 1;
    return a->first_run < b->first_run ? -1 : a->first_run > b->first_run;
}

static const char *job_fault(const rg_store_plan *plan, size_t k)
{
    const rg_store_job *job = &plan->jobs[k], *last = k ? job - 1 : NULL;
    const rg_store_experiment *e = plan->experiment;
    if (job->configuration >= plan->n_configurations)
        return "there is no such configuration";
    if (job->fold >= e->n_folds)
        return "there is no such fold";
    if (job->n_runs < 1 || job->first_run >= e->n_runs || job->n_runs > e->n_runs - job->first_run)
        return "there are no such runs";
    if (job->lanes < 1 || job->lanes > LANES_MAX)
        return "lanes are 1 to 8";
    if (last && compare_places(last, job) >= 0)
        return "jobs do not ascend by configuration, fold and run";
    if (last && last->configuration == job->configuration && last->fold == job->fold &&
        job->first_run - last->first_run < last->n_runs)
        return "a run is in the job before it too";
    return NULL;
}

const char *rg_store_score(rg_metric metric)
{
    return metric == RG_METRIC_MAE ? RG_STORE_ERROR : rg_metric_name(metric);
}

rg_metric rg_store_metric(const char *score)
{
    rg_metric metric = RG_METRIC_DEFAULT;
    rg_error none;
    if (strcmp(score, RG_STORE_ERROR) == 0)
        return RG_METRIC_MAE;
    rg_status status = rg_metric_find(&metric, score, &none);
    return status || metric == RG_METRIC_AUTO || metric == RG_METRIC_MAE ? RG_METRIC_DEFAULT
                                                                         : metric;
}

rg_status rg_store_plan_check(const rg_store_plan *plan, rg_error *err)
{
    const rg_store_experiment *e = plan->experiment;
    if (e->score && rg_store_metric(e->score) == RG_METRIC_DEFAULT)
        return rg_fail(err, RG_EUSAGE, "no such score: '%s'", e->score);
    if (e->n_folds < 1 || e->n_folds > COUNT_MAX || e->n_runs < 1 || e->n_runs > COUNT_MAX)
        return rg_fail(err, RG_EUSAGE, "an experiment has 1 to %u folds and runs", COUNT_MAX);
    if (plan->n_configurations < 1 || plan->n_configurations > COUNT_MAX)
        return rg_fail(err, RG_EUSAGE, "an experiment has 1 to %u configurations", COUNT_MAX);
    for (size_t k = 0; k < plan->n_jobs; k++) {
        const char *fault = job_fault(plan, k);
        if (fault)
            return rg_fail(err, RG_EUSAGE, "job %zu: %s", k, fault);
    }
    return RG_OK;
}

/* ---- writing */

static rg_status write_experiment(rg_store *store, const rg_store_plan *plan, bool made,
                                  rg_error *err)
{
    rg_store_experiment e = *plan->experiment;
    rg_host host;
    char now[RG_STORE_TIME], digest[RG_DIGEST_TEXT];
    rg_store_digest_of(digest, e.resolved);
    if (!made) {
        rg_host_describe(&host);
        rg_store_time(now);
        e.version = rg_version();
        e.created = now;
        e.host = host.host;
        e.cpu = host.cpu;
        e.kernel = host.kernel;
        e.n_cores = host.n_cores;
    }
    rg_binding b = rg_store_bind(store, RG_SQL_ADD_EXPERIMENT);
    const char *const first[] = {e.name,      digest,        e.file,   e.resolved,     e.data,
                                 e.data_path, e.data_digest, e.splits, e.splits_digest};
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        rg_bind_text(&b, first[k]);
    rg_bind_bits(&b, e.seed);
    rg_bind_int(&b, plan->n_configurations);
    rg_bind_int(&b, e.n_folds);
    rg_bind_int(&b, e.n_runs);
    const char *const last[] = {e.fit,     e.protocols, e.score ? e.score : RG_STORE_ACCURACY,
                                e.version, e.created,   e.host,
                                e.cpu};
    for (size_t k = 0; k < sizeof last / sizeof *last; k++)
        rg_bind_text(&b, last[k]);
    rg_bind_int(&b, e.n_cores);
    rg_bind_text(&b, e.kernel);
    return rg_bind_done(&b, err);
}

static void bind_known(rg_binding *b, uint64_t count)
{
    if (count == UINT64_MAX)
        rg_bind_text(b, NULL);
    else
        rg_bind_int(b, count);
}

static rg_status write_fold(rg_store *store, uint32_t k, const rg_store_fold *fold, rg_error *err)
{
    rg_binding b = rg_store_bind(store, RG_SQL_ADD_FOLD);
    rg_bind_int(&b, k);
    rg_bind_int(&b, fold->number);
    bind_known(&b, fold->n_train);
    bind_known(&b, fold->n_validation);
    bind_known(&b, fold->n_test);
    bind_known(&b, fold->n_copies);
    rg_bind_real(&b, fold->majority);
    rg_bind_real(&b, fold->majority_validation);
    rg_bind_int(&b, fold->validation_is_test);
    return rg_bind_done(&b, err);
}

rg_status rg_store_plan_write(rg_store *store, const rg_store_plan *plan, bool made, rg_error *err)
{
    char digest[RG_DIGEST_TEXT];
    rg_status status = write_experiment(store, plan, made, err);
    for (uint32_t k = 0; plan->folds && k < plan->experiment->n_folds && !status; k++)
        status = write_fold(store, k, &plan->folds[k], err);
    for (size_t k = 0; k < plan->n_configurations && !status; k++) {
        const rg_store_configuration *c = &plan->configurations[k];
        rg_store_digest_of(digest, c->recipe);
        rg_binding b = rg_store_bind(store, RG_SQL_ADD_CONFIGURATION);
        rg_bind_int(&b, k);
        rg_bind_text(&b, c->choices);
        rg_bind_text(&b, digest);
        rg_bind_text(&b, c->recipe);
        status = rg_bind_done(&b, err);
    }
    for (size_t k = 0; k < plan->n_jobs && !status; k++) {
        const rg_store_job *job = &plan->jobs[k];
        rg_binding b = rg_store_bind(store, RG_SQL_ADD_JOB);
        const uint64_t numbers[] = {k,           job->configuration, job->fold, job->first_run,
                                    job->n_runs, job->lanes};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            rg_bind_int(&b, numbers[i]);
        status = rg_bind_done(&b, err);
    }
    return status;
}

/* ---- reading */

/* A text of a row, kept; NULL in the file is NULL where it may be. */
static const char *keep_text(rg_sql_rows *rows, int column, bool optional)
{
    if (optional && rg_rows_is_null(rows, column))
        return NULL;
    const char *text = rg_rows_text(rows, column);
    const char *kept = rows->status ? "" : rg_store_keep(rows->store, text);
    if (!kept)
        rows->status = rg_fail_memory(rows->err, "reading a run");
    return kept ? kept : "";
}

/* A digest, which must be that of `text` unless it is NULL. */
static const char *keep_digest(rg_sql_rows *rows, int column, const char *text)
{
    char digest[RG_DIGEST_TEXT];
    const char *found = keep_text(rows, column, false);
    if (text) {
        rg_store_digest_of(digest, text);
        if (strcmp(digest, found) != 0)
            rg_rows_refuse(rows, column, "the digest of the text beside it");
    }
    return found;
}

static rg_status read_experiment(rg_store *store, rg_error *err)
{
    rg_store_experiment *e = &store->experiment;
    rg_binding b = rg_store_bind(store, RG_SQL_EXPERIMENT);
    rg_sql_rows rows = rg_bind_rows(&b, "experiment", 0, err);
    bool found = rg_rows_next(&rows);
    if (found) {
        const char **const texts[] = {&e->name,        NULL,       &e->file,
                                      &e->resolved,    &e->data,   &e->data_path,
                                      &e->data_digest, &e->splits, &e->splits_digest};
        for (int k = 0; k < 9; k++)
            if (texts[k])
                *texts[k] = keep_text(&rows, 1 + k, false);
        e->digest = keep_digest(&rows, 2, e->resolved);
        e->seed = rg_rows_bits(&rows, 10);
        store->n_configurations = (size_t)rg_rows_int(&rows, 11, 1, COUNT_MAX);
        e->n_folds = (uint32_t)rg_rows_int(&rows, 12, 1, COUNT_MAX);
        e->n_runs = (uint32_t)rg_rows_int(&rows, 13, 1, COUNT_MAX);
        const char **const more[] = {&e->fit,     &e->protocols, &e->score, &e->version,
                                     &e->created, &e->host,      &e->cpu};
        for (int k = 0; k < 7; k++)
            *more[k] = keep_text(&rows, 14 + k, false);
        if (rg_store_metric(e->score) == RG_METRIC_DEFAULT)
            rg_rows_refuse(&rows, 16, "'" RG_STORE_ACCURACY "', '" RG_STORE_ERROR "' or a metric");
        e->n_cores = rg_rows_u32(&rows, 21, UINT32_MAX);
        e->kernel = keep_text(&rows, 22, false);
    }
    rg_rows_end(&rows);
    if (!found && !rows.status)
        return rg_fail(err, RG_EDATA, "'%s' is damaged: it holds no experiment", store->path);
    return rows.status;
}

static uint64_t read_known(rg_sql_rows *rows, int column)
{
    return rg_rows_is_null(rows, column) ? UINT64_MAX : rg_rows_int(rows, column, 0, INT64_MAX);
}

/* All folds or none. The array grows with the rows that are there, not with what the experiment
 * claims. */
static rg_status read_folds(rg_store *store, rg_error *err)
{
    size_t n = 0, capacity = 0;
    rg_binding b = rg_store_bind(store, RG_SQL_FOLDS);
    rg_sql_rows rows = rg_bind_rows(&b, "fold", 1, err);
    while (rg_rows_next(&rows)) {
        if (!rg_grow(&store->folds, &capacity, n + 1, sizeof *store->folds)) {
            rows.status = rg_fail_memory(err, "reading a run");
            break;
        }
        rg_rows_int(&rows, 0, n, n); /* one after another */
        store->folds[n++] = (rg_store_fold){.number = rg_rows_int(&rows, 1, 0, INT64_MAX),
                                            .n_train = read_known(&rows, 2),
                                            .n_validation = read_known(&rows, 3),
                                            .n_test = read_known(&rows, 4),
                                            .n_copies = read_known(&rows, 5),
                                            .majority = rg_rows_real(&rows, 6),
                                            .majority_validation = rg_rows_real(&rows, 7),
                                            .validation_is_test = rg_rows_u32(&rows, 8, 1)};
    }
    rg_rows_end(&rows);
    if (!rows.status && n && n != store->experiment.n_folds)
        return rg_fail(err, RG_EDATA, "%s: found %zu folds, expected %u", store->path, n,
                       (unsigned)store->experiment.n_folds);
    return rows.status;
}

static rg_status read_configurations(rg_store *store, rg_error *err)
{
    size_t n = 0, capacity = 0;
    rg_binding b = rg_store_bind(store, RG_SQL_CONFIGURATIONS);
    rg_sql_rows rows = rg_bind_rows(&b, "configuration", 1, err);
    while (rg_rows_next(&rows)) {
        if (!rg_grow(&store->configurations, &capacity, n + 1, sizeof *store->configurations)) {
            rows.status = rg_fail_memory(err, "reading a run");
            break;
        }
        rg_store_configuration *c = &store->configurations[n];
        rg_rows_int(&rows, 0, n, n); /* one after another */
        c->choices = keep_text(&rows, 1, false);
        c->recipe = keep_text(&rows, 3, false);
        c->digest = keep_digest(&rows, 2, c->recipe);
        n++;
    }
    rg_rows_end(&rows);
    if (!rows.status && n != store->n_configurations)
        return rg_fail(err, RG_EDATA, "%s: found %zu configurations, expected %zu", store->path, n,
                       store->n_configurations);
    return rows.status;
}

static rg_job_state read_state(rg_sql_rows *rows, int column)
{
    const char *text = rg_rows_text(rows, column);
    for (size_t k = 0; k < 3; k++)
        if (strcmp(text, state_names[k]) == 0)
            return (rg_job_state)k;
    rg_rows_refuse(rows, column, "waiting, done or failed");
    return RG_JOB_WAITING;
}

static void read_outcome(rg_sql_rows *rows, rg_store_outcome *o)
{
    memset(o, 0, sizeof *o);
    o->state = read_state(rows, 6);
    if (o->state == RG_JOB_WAITING) /* what a failure left before it was to be tried again */
        return;
    o->message = keep_text(rows, 7, o->state == RG_JOB_DONE);
    uint64_t *const numbers[] = {&o->n_parameters, &o->connections, &o->weights_possible,
                                 &o->weights_used};
    for (int k = 0; k < 4; k++)
        *numbers[k] = rg_rows_int(rows, 8 + k, 0, INT64_MAX);
    o->build_seconds = rg_rows_real(rows, 12);
    o->seconds = rg_rows_real(rows, 13);
    o->cpu_seconds = rg_rows_real(rows, 14);
    o->peak_rss = rg_rows_int(rows, 15, 0, INT64_MAX);
    o->worker = keep_text(rows, 16, true);
    o->version = keep_text(rows, 17, false);
    o->finished = keep_text(rows, 18, false);
}

static rg_status read_jobs(rg_store *store, rg_error *err)
{
    size_t capacity = 0;
    rg_binding b = rg_store_bind(store, RG_SQL_JOBS);
    rg_sql_rows rows = rg_bind_rows(&b, "job", 1, err);
    while (rg_rows_next(&rows)) {
        size_t n = store->n_jobs;
        if (!rg_grow(&store->jobs, &capacity, n + 1, sizeof *store->jobs)) {
            rows.status = rg_fail_memory(err, "reading a run");
            break;
        }
        rg_store_job *job = &store->jobs[n];
        rg_rows_int(&rows, 0, n, n);
        uint32_t *const places[] = {&job->configuration, &job->fold, &job->first_run, &job->n_runs,
                                    &job->lanes};
        for (int k = 0; k < 5; k++)
            *places[k] = rg_rows_u32(&rows, 1 + k, COUNT_MAX);
        read_outcome(&rows, &job->outcome);
        store->n_jobs++;
    }
    rg_rows_end(&rows);
    return rows.status;
}

rg_status rg_store_plan_read(rg_store *store, rg_error *err)
{
    rg_error why;
    rg_status status = read_experiment(store, err);
    if (!status)
        status = read_folds(store, err);
    if (!status)
        status = read_configurations(store, err);
    if (!status)
        status = read_jobs(store, err);
    if (status)
        return status;
    rg_store_plan plan = rg_store_plan_of(store);
    if (rg_store_plan_check(&plan, &why))
        return rg_fail(err, RG_EDATA, "%s: %s", store->path, why.message);
    return RG_OK;
}

rg_store_plan rg_store_plan_of(const rg_store *store)
{
    return (rg_store_plan){&store->experiment, store->configurations, store->n_configurations,
                           store->jobs,        store->n_jobs,         store->folds};
}

/* ---- comparing */

static bool same_jobs(const rg_store_plan *a, const rg_store_plan *b)
{
    if (a->n_jobs != b->n_jobs)
        return false;
    for (size_t k = 0; k < a->n_jobs; k++)
        if (compare_places(&a->jobs[k], &b->jobs[k]) != 0 || a->jobs[k].n_runs != b->jobs[k].n_runs)
            return false;
    return true;
}

const char *rg_store_plan_differs(const rg_store_plan *a, const rg_store_plan *b)
{
    const rg_store_experiment *p = a->experiment, *q = b->experiment;
    if (strcmp(p->data_digest, q->data_digest) != 0)
        return "its data differs";
    if (strcmp(p->splits_digest, q->splits_digest) != 0)
        return "its splits differ";
    if (p->seed != q->seed)
        return "its seed differs";
    if (p->n_runs != q->n_runs || p->n_folds != q->n_folds)
        return "its number of runs or folds differs";
    if (strcmp(p->fit, q->fit) != 0)
        return "the graphs that its vocabularies are fitted on differ";
    if (a->n_configurations != b->n_configurations)
        return "its number of configurations differs";
    for (size_t k = 0; k < a->n_configurations; k++)
        if (strcmp(a->configurations[k].recipe, b->configurations[k].recipe) != 0)
            return "its configurations differ";
    if (strcmp(p->resolved, q->resolved) != 0)
        return "its file differs";
    return same_jobs(a, b) ? NULL : "its jobs differ";
}
