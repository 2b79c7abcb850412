/* stores.c - see stores.h. */
#include "stores.h"

#include "base/alloc.h"
#include "base/random.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char digest_a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char digest_b[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

static void *zeroed(size_t n, size_t size)
{
    void *block = calloc(n ? n : 1, size);
    assert_non_null(block);
    return block;
}

test_store_plan *test_store_plan_make(size_t n_configurations, uint32_t n_folds, uint32_t n_runs,
                                      uint32_t lanes)
{
    test_store_plan *t = zeroed(1, sizeof *t);
    uint32_t per_fold = (n_runs + lanes - 1) / lanes;
    size_t n_jobs = 0;
    t->configurations = zeroed(n_configurations, sizeof *t->configurations);
    t->folds = zeroed(n_folds, sizeof *t->folds);
    for (uint32_t f = 0; f < n_folds; f++)
        t->folds[f] =
            (rg_store_fold){f + 1, 80, 10 + f, 10, f ? UINT64_MAX : 2, 0.5 + 0.1 * f, 0.25, f == 1};
    t->texts = zeroed(n_configurations, sizeof *t->texts);
    t->jobs = zeroed(n_configurations * n_folds * per_fold, sizeof *t->jobs);
    for (size_t c = 0; c < n_configurations; c++) {
        snprintf(t->texts[c][0], 64, "lr=0.%zu", c + 1);
        snprintf(t->texts[c][1], 64, "task: classes\nlr: 0.%zu\n", c + 1);
        t->configurations[c].choices = t->texts[c][0];
        t->configurations[c].recipe = t->texts[c][1];
        for (uint32_t f = 0; f < n_folds; f++)
            for (uint32_t r = 0; r < n_runs; r += lanes) {
                uint32_t n = n_runs - r < lanes ? n_runs - r : lanes;
                t->jobs[n_jobs++] = (rg_store_job){(uint32_t)c, f, r, n, lanes, {0}};
            }
    }
    t->experiment = (rg_store_experiment){.name = "small",
                                          .file = "data: TOY\n",
                                          .resolved = "data: TOY\nruns: 3\n",
                                          .data = "TOY",
                                          .data_path = "sets/TOY",
                                          .data_digest = digest_a,
                                          .splits = "made from seed 1",
                                          .splits_digest = digest_b,
                                          .seed = UINT64_MAX - 6,
                                          .n_runs = n_runs,
                                          .n_folds = n_folds,
                                          .fit = "all",
                                          .protocols = "fair"};
    t->plan = (rg_store_plan){&t->experiment, t->configurations, n_configurations, t->jobs,
                              n_jobs,         t->folds};
    return t;
}

void test_store_plan_free(test_store_plan *t)
{
    free(t->configurations);
    free(t->folds);
    free(t->texts);
    free(t->jobs);
    free(t);
}

/* Most are plain; some are what a text would not keep. */
static double number(uint64_t stream, uint64_t index)
{
    static const double odd[] = {NAN, INFINITY, DBL_MIN / 4, 1, 0, -1e300, 0.1, 1e15};
    double x = rg_random_unit(7, stream, index);
    return x < 0.1 ? odd[index % 8] : x;
}

static rg_epoch *make_epochs(uint64_t stream, uint32_t n)
{
    rg_epoch *epochs = rg_alloc(n, sizeof *epochs);
    assert_non_null(epochs);
    for (uint32_t e = 0; e < n; e++) {
        uint64_t k = 100 + 8 * (uint64_t)e;
        epochs[e] = (rg_epoch){e + 1,
                               number(stream, k),
                               number(stream, k + 1),
                               number(stream, k + 2),
                               number(stream, k + 3),
                               number(stream, k + 4)};
    }
    return epochs;
}

static rg_store_prediction *make_prediction(uint64_t stream)
{
    enum { N = 5, WIDTH = 2 };
    typedef struct block {
        rg_store_prediction head;
        uint32_t samples[N];
        uint16_t classes[N];
        float numbers[N * WIDTH];
    } block;
    block *p = rg_alloc(1, sizeof *p);
    assert_non_null(p);
    p->head = (rg_store_prediction){N, WIDTH, p->samples, p->classes, p->numbers};
    for (uint32_t k = 0; k < N; k++) {
        p->samples[k] = 70000 * k + (uint32_t)stream;
        p->classes[k] = (uint16_t)(65535 - k - stream);
    }
    for (size_t k = 0; k < (size_t)N * WIDTH; k++)
        p->numbers[k] = (float)k / 3 + (float)stream;
    return &p->head;
}

rg_store_run *test_runs_make(const rg_store_job *job)
{
    rg_store_run *runs = rg_alloc_zero(job->n_runs, sizeof *runs);
    assert_non_null(runs);
    for (uint32_t k = 0; k < job->n_runs; k++) {
        uint64_t s = 1000000u * job->configuration + 1000u * job->fold + job->first_run + k;
        uint32_t epochs = 3 + (uint32_t)(s % 4), run = job->first_run + k;
        runs[k].configuration = job->configuration;
        runs[k].fold = job->fold;
        runs[k].run = (rg_run){run,          epochs,       epochs - 1,   s % 2,
                               s % 5 == 0,   number(s, 0), number(s, 1), number(s, 2),
                               number(s, 3), number(s, 4), number(s, 5)};
        runs[k].epochs = make_epochs(s, epochs);
        runs[k].prediction = run % 2 ? NULL : make_prediction(s % 100);
        runs[k].validation = run % 3 ? NULL : make_prediction(s % 90);
        for (uint32_t part = 0; part < 2; part++)
            runs[k].targets[part] = make_prediction(10 * job->fold + part);
    }
    return runs;
}

/* All numbers that are no numbers are the same. */
static void assert_bits_equal(const double *a, const double *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!(isnan(a[k]) && isnan(b[k])))
            assert_memory_equal(&a[k], &b[k], sizeof *a);
}

static void predictions_equal(const rg_store_prediction *p, const rg_store_prediction *q)
{
    assert_int_equal(p == NULL, q == NULL);
    if (!p)
        return;
    assert_int_equal(p->n_rows, q->n_rows);
    assert_int_equal(p->width, q->width);
    assert_int_equal(p->classes == NULL, q->classes == NULL);
    assert_memory_equal(p->samples, q->samples, 4 * p->n_rows);
    if (p->classes)
        assert_memory_equal(p->classes, q->classes, 2 * p->n_rows);
    if (p->width)
        assert_memory_equal(p->numbers, q->numbers, 4 * p->n_rows * p->width);
}

void test_runs_equal(const rg_store_run *a, const rg_store_run *b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const rg_run *r = &a[k].run, *s = &b[k].run;
        assert_int_equal(a[k].configuration, b[k].configuration);
        assert_int_equal(a[k].fold, b[k].fold);
        assert_int_equal(r->number, s->number);
        assert_int_equal(r->epochs, s->epochs);
        assert_int_equal(r->best_epoch, s->best_epoch);
        assert_int_equal(r->stopped, s->stopped);
        assert_int_equal(r->failed, s->failed);
        assert_bits_equal(&r->train_loss, &s->train_loss, 6);
        for (uint32_t e = 0; e < r->epochs && a[k].epochs && b[k].epochs; e++) {
            assert_int_equal(a[k].epochs[e].number, b[k].epochs[e].number);
            assert_bits_equal(&a[k].epochs[e].lr, &b[k].epochs[e].lr, 5);
        }
        predictions_equal(a[k].prediction, b[k].prediction);
        predictions_equal(a[k].validation, b[k].validation);
        predictions_equal(a[k].targets[0], b[k].targets[0]);
        predictions_equal(a[k].targets[1], b[k].targets[1]);
    }
}

rg_status test_store_put(rg_store *store, size_t job, rg_error *err)
{
    size_t n;
    const rg_store_job *place = &rg_store_jobs(store, &n)[job];
    rg_store_outcome outcome = {.state = RG_JOB_DONE,
                                .n_parameters = 100 + place->configuration,
                                .connections = 4000,
                                .weights_possible = UINT64_MAX,
                                .weights_used = 60,
                                .build_seconds = 0.25,
                                .seconds = 0.5 + (double)job,
                                .cpu_seconds = 0.5,
                                .peak_rss = 1 << 20,
                                .worker = "here"};
    rg_store_run *runs = test_runs_make(place);
    rg_status status = rg_store_put_job(store, job, &outcome, runs, err);
    rg_store_runs_free(runs, place->n_runs);
    return status;
}

void test_store_fill(const char *directory, const test_store_plan *t, size_t from, size_t step)
{
    rg_store *store = NULL;
    ASSERT_OK(rg_store_create(&store, NULL, directory, &t->plan, err));
    for (size_t k = from; k < t->plan.n_jobs; k += step)
        ASSERT_OK(test_store_put(store, k, err));
    rg_store_close(store);
}

void test_store_digest(char out[RG_DIGEST_TEXT], const char *directory)
{
    rg_store *store = NULL;
    ASSERT_OK(rg_store_open(&store, directory, false, err));
    ASSERT_OK(rg_store_check(store, err));
    ASSERT_OK(rg_store_digest(out, store, err));
    rg_store_close(store);
}

void test_store_sql(const char *directory, const char *sql)
{
    sqlite3 *db = NULL;
    char *message = NULL, *path = test_format("%s/%s", directory, RG_STORE_FILE);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message))
        fail_msg("%s: %s", sql, message);
    sqlite3_close(db);
    free(path);
}

test_store_place test_store_place_open(void)
{
    test_store_place s = {test_store_plan_make(3, 2, 3, 2), test_directory_make(), NULL};
    s.directory = test_format("%s/deep/run", s.root);
    return s;
}

void test_store_place_close(test_store_place *s)
{
    test_store_plan_free(s->t);
    test_directory_remove(s->root);
    free(s->directory);
}

rg_store *test_store_place_begin(const test_store_place *s)
{
    rg_store *store = NULL;
    ASSERT_OK(rg_store_create(&store, NULL, s->directory, &s->t->plan, err));
    return store;
}

rg_store *test_store_place_read(const test_store_place *s)
{
    rg_store *store = NULL;
    ASSERT_OK(rg_store_open(&store, s->directory, false, err));
    return store;
}
