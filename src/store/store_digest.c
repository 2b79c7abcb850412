/* store_digest.c - the digest of a run, and whether the run is complete. */
#include "base/alloc.h"
#include "base/error.h"
#include "store_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the digest */

/* Floats as doubles, which are exact, a few at a time. */
static void add_floats(rg_digest *digest, const float *values, size_t n)
{
    double block[256];
    for (size_t k = 0; k < n;) {
        size_t m = 0;
        while (m < 256 && k < n)
            block[m++] = values[k++];
        rg_digest_real_array(digest, block, m);
    }
}

static void add_prediction(rg_digest *digest, const rg_store_prediction *p)
{
    rg_digest_u64(digest, p->n_rows);
    rg_digest_u64(digest, p->width);
    rg_digest_u32_array(digest, p->samples, p->n_rows);
    rg_digest_u64(digest, p->classes != NULL);
    for (size_t k = 0; k < p->n_rows && p->classes; k++)
        rg_digest_u64(digest, p->classes[k]);
    add_floats(digest, p->numbers, p->n_rows * p->width);
}

void rg_store_digest_run(rg_digest *digest, const rg_store_run *r)
{
    const rg_run *run = &r->run;
    const uint32_t counts[] = {
        r->configuration, r->fold,           run->number,      run->epochs,
        run->best_epoch,  run->stopped != 0, run->failed != 0, r->prediction != NULL};
    const double reals[] = {run->train_loss,       run->train_score, run->validation_loss,
                            run->validation_score, run->test_loss,   run->test_score};
    rg_digest_u32_array(digest, counts, sizeof counts / sizeof *counts);
    rg_digest_real_array(digest, reals, sizeof reals / sizeof *reals);
    for (uint32_t k = 0; k < run->epochs; k++) {
        const rg_epoch *e = &r->epochs[k];
        const double row[] = {e->lr, e->train_loss, e->train_score, e->validation_loss,
                              e->validation_score};
        rg_digest_real_array(digest, row, sizeof row / sizeof *row);
    }
    if (r->prediction)
        add_prediction(digest, r->prediction);
}

static void add_plan(rg_digest *digest, const rg_store *store)
{
    const rg_store_experiment *e = &store->experiment;
    rg_digest_text(digest, "regula store 1");
    rg_digest_text(digest, e->data_digest);
    rg_digest_text(digest, e->splits_digest);
    rg_digest_text(digest, e->fit);
    rg_digest_u64(digest, e->seed);
    rg_digest_u64(digest, e->n_folds);
    rg_digest_u64(digest, e->n_runs);
    rg_digest_u64(digest, store->n_configurations);
    for (size_t k = 0; k < store->n_configurations; k++)
        rg_digest_text(digest, store->configurations[k].recipe);
}

rg_status rg_store_digest(char out[RG_DIGEST_TEXT], rg_store *store, rg_error *err)
{
    rg_store_run *runs = NULL;
    size_t n = 0;
    rg_digest digest;
    rg_status status = rg_store_runs(&runs, &n, store, err);
    if (status)
        return status;
    rg_digest_init(&digest);
    add_plan(&digest, store);
    rg_digest_u64(&digest, n);
    for (size_t k = 0; k < n && !status; k++) {
        status = rg_store_run_fill(store, &runs[k], err);
        if (!status)
            rg_store_digest_run(&digest, &runs[k]);
        rg_free((void *)runs[k].epochs); /* one at a time: the whole may be large */
        rg_free((void *)runs[k].prediction);
        runs[k].epochs = NULL;
        runs[k].prediction = NULL;
    }
    rg_store_runs_free(runs, n);
    if (!status)
        rg_digest_finish(&digest, out);
    return status;
}

/* ---- the check */

/* What the words of SQLite's check tell of the file, unless it could not be read. */
static rg_status tell_damage(const rg_store *store, const char *words, rg_error *err)
{
    static const char mark[] = "error code=";
    const char *code = strstr(words, mark);
    long number = code ? strtol(code + sizeof mark - 1, NULL, 10) : 0;
    if ((number & 0xff) == SQLITE_IOERR || (number & 0xff) == SQLITE_NOMEM)
        return rg_store_fail(store, (int)number, "read", err);
    return rg_fail(err, RG_EDATA, "'%s' is damaged: %s", store->path, words);
}

/* SQLite's own words: "ok", or what is wrong. */
static rg_status check_integrity(rg_store *store, rg_error *err)
{
    rg_binding b = rg_store_bind(store, RG_SQL_INTEGRITY);
    rg_sql_rows rows = rg_bind_rows(&b, "integrity_check", 0, err);
    while (rg_rows_next(&rows)) {
        const char *words = rg_rows_text(&rows, 0);
        if (!rows.status && strcmp(words, "ok") != 0)
            rows.status = tell_damage(store, words, err);
    }
    rg_rows_end(&rows);
    return rows.status;
}

/* A statement that gives rows only if something is wrong; `what` has a place for the key. */
static rg_status check_none(rg_store *store, rg_store_sql which, int n_keys, const char *what,
                            rg_error *err)
{
    char key[96] = "";
    rg_binding b = rg_store_bind(store, which);
    rg_sql_rows rows = rg_bind_rows(&b, "", 0, err);
    if (rg_rows_next(&rows)) {
        for (int k = 0; k < n_keys; k++) {
            const char *text = (const char *)sqlite3_column_text(rows.statement, k);
            size_t used = strlen(key);
            snprintf(key + used, sizeof key - used, "%s%.20s", k ? "/" : "", text ? text : "?");
        }
        rows.status = rg_fail(err, RG_EDATA, "'%s' is damaged: %s %s", store->path, what, key);
    }
    rg_rows_end(&rows);
    return rows.status;
}

/* What the digest does not read. */
static rg_status check_members(rg_store *store, rg_error *err)
{
    rg_store_run *runs = NULL;
    size_t n = 0;
    rg_status status = rg_store_runs(&runs, &n, store, err);
    for (size_t k = 0; k < n && !status; k++) {
        rg_store_run one = runs[k];
        bool first = k == 0 || runs[k - 1].fold != one.fold;
        status = rg_store_member_fill(store, &one, first, err);
        rg_free((void *)one.validation);
        rg_free((void *)one.targets[RG_STORE_VALIDATION]);
        rg_free((void *)one.targets[RG_STORE_TEST]);
    }
    rg_store_runs_free(runs, n);
    return status;
}

rg_status rg_store_check(rg_store *store, rg_error *err)
{
    static const struct {
        rg_store_sql which;
        int n_keys;
        const char *what;
    } wrong[] = {
        {.which = RG_SQL_HALF_JOB, .n_keys = 1, .what = "not the runs that belong to job"},
        {.which = RG_SQL_STRAY_RUN, .n_keys = 3, .what = "in no job: run"},
        {.which = RG_SQL_HALF_RUN, .n_keys = 3, .what = "not the epochs that belong to run"},
        {.which = RG_SQL_STRAY_EPOCH, .n_keys = 4, .what = "of no run: epoch"},
        {.which = RG_SQL_KEYS, .n_keys = 1, .what = "a key that leads nowhere in table"},
    };
    char digest[RG_DIGEST_TEXT];
    rg_store_model *models = NULL;
    size_t n;
    rg_status status = check_integrity(store, err);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong && !status; k++)
        status = check_none(store, wrong[k].which, wrong[k].n_keys, wrong[k].what, err);
    if (!status) /* reads every row */
        status = rg_store_digest(digest, store, err);
    if (!status)
        status = check_members(store, err);
    if (!status)
        status = rg_store_models(&models, &n, store, err);
    rg_free(models);
    return status;
}
