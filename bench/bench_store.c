/* bench_store.c - what keeping an experiment costs, beside writing the same numbers to a file.
 *
 * usage: bench_store [JOBS [EPOCHS [DIRECTORY]]]
 * Puts JOBS jobs (11400: 380 configurations on 10 folds with 3 runs) of one run and EPOCHS epochs
 * (50) each, in an order that is not that of the keys. */
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FOLDS = 10, RUNS = 3 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(rg_status status, const rg_error *err)
{
    if (status) {
        fprintf(stderr, "%s\n", err->message);
        exit(1);
    }
}

static rg_store *begin(const char *directory, size_t n_jobs)
{
    size_t n_configurations = (n_jobs + FOLDS * RUNS - 1) / (FOLDS * RUNS);
    rg_store_configuration *configurations = calloc(n_configurations, sizeof *configurations);
    rg_store_job *jobs = calloc(n_jobs, sizeof *jobs);
    rg_store *store = NULL;
    rg_error err;
    if (!configurations || !jobs)
        exit(1);
    for (size_t k = 0; k < n_configurations; k++)
        configurations[k] = (rg_store_configuration){"lr=0.05 depth=2", "task: classes\n", NULL};
    for (size_t k = 0; k < n_jobs; k++)
        jobs[k] = (rg_store_job){.configuration = (uint32_t)(k / (FOLDS * RUNS)),
                                 .fold = (uint32_t)(k / RUNS % FOLDS),
                                 .first_run = (uint32_t)(k % RUNS),
                                 .n_runs = 1,
                                 .lanes = 1};
    rg_store_experiment experiment = {.name = "bench",
                                      .file = "",
                                      .resolved = "",
                                      .data = "",
                                      .data_path = "",
                                      .data_digest = "",
                                      .splits = "",
                                      .splits_digest = "",
                                      .n_runs = RUNS,
                                      .n_folds = FOLDS,
                                      .fit = "all",
                                      .protocols = "fair"};
    rg_store_plan plan = {&experiment, configurations, n_configurations, jobs, n_jobs, NULL};
    check(rg_store_create(&store, NULL, directory, &plan, &err), &err);
    free(configurations);
    free(jobs);
    return store;
}

static double put_all(rg_store *store, rg_epoch *epochs, uint32_t n_epochs)
{
    size_t n;
    const rg_store_job *jobs = rg_store_jobs(store, &n);
    rg_store_outcome outcome = {.state = RG_JOB_DONE, .worker = "bench"};
    rg_error err;
    double start = now();
    for (size_t k = 0; k < n; k++) {
        size_t job = k * 7919 % n; /* a prime: all of them, in disorder */
        rg_store_run run = {.configuration = jobs[job].configuration,
                            .fold = jobs[job].fold,
                            .run = {.number = jobs[job].first_run, .epochs = n_epochs},
                            .epochs = epochs};
        check(rg_store_put_job(store, job, &outcome, &run, &err), &err);
    }
    return now() - start;
}

static double write_all(const char *path, const rg_epoch *epochs, uint32_t n_epochs, size_t n)
{
    double start = now();
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    for (size_t k = 0; k < n; k++)
        if (fwrite(epochs, sizeof *epochs, n_epochs, file) != n_epochs || fflush(file) != 0)
            exit(1);
    fclose(file);
    return now() - start;
}

/* Removes what the store and we left in a directory that we made. */
static void clean(const char *directory)
{
    static const char *const names[] = {RG_STORE_FILE, RG_STORE_LOCK, "plain"};
    char path[4096];
    for (size_t k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[k]);
        unlink(path);
    }
    rmdir(directory);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 11400;
    uint32_t n_epochs = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 50;
    char made[] = "/tmp/bench-store-XXXXXX", path[4096];
    const char *directory = argc > 3 ? argv[3] : mkdtemp(made);
    rg_epoch *epochs = calloc(n_epochs, sizeof *epochs);
    rg_error err;
    char digest[RG_DIGEST_TEXT];
    if (!directory || !epochs || n == 0 || n % 7919 == 0)
        return 1;
    for (uint32_t k = 0; k < n_epochs; k++)
        epochs[k] = (rg_epoch){k + 1, 0.05, 1.0 / (k + 3), 0.7, 1.0 / (k + 7), 0.6};
    rg_store *store = begin(directory, n);
    double put = put_all(store, epochs, n_epochs), start = now();
    rg_store_close(store);
    double closed = now() - start;
    start = now();
    check(rg_store_open(&store, directory, false, &err), &err);
    double opened = now() - start;
    start = now();
    check(rg_store_digest(digest, store, &err), &err);
    double digested = now() - start;
    start = now();
    check(rg_store_check(store, &err), &err);
    double checked = now() - start;
    rg_store_close(store);
    snprintf(path, sizeof path, "%s/plain", directory);
    double plain = write_all(path, epochs, n_epochs, n);
    printf("jobs %zu, epochs %zu\n", n, n * n_epochs);
    printf("put      %8.3f s  %6.2f us an epoch, %.1f times a plain file\n", put,
           1e6 * put / (double)(n * n_epochs), put / plain);
    printf("close    %8.3f s\nopen     %8.3f s\ndigest   %8.3f s\ncheck    %8.3f s\n", closed,
           opened, digested, checked);
    if (directory == made)
        clean(made);
    free(epochs);
    return 0;
}
