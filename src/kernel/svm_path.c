/* svm_path.c - see svm_path.h. */
#include "svm_path.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/table.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { N_STOPS = 24, FIRST_POWER = -11 }; /* up to 2^35 */

/* A solution, of the samples of the task, or of all if the sums are known of all. */
typedef struct halt {
    double *numbers; /* beta, then sums; NULL: not there */
    rg_svm_answer answer;
    bool known;
    uint64_t since;
} halt;

struct rg_svm_paths {
    pthread_mutex_t lock;
    rg_table *tasks; /* keys: sides, and the number of the matrix */
    halt *halts;     /* [task][stop] */
    size_t capacity; /* of halts */
    uint64_t used, memory;
};

rg_status rg_svm_paths_new(rg_svm_paths **out, uint64_t memory, rg_error *err)
{
    rg_svm_paths *paths = rg_alloc_zero(1, sizeof *paths);
    if (!paths || !(paths->tasks = rg_table_new())) {
        rg_free(paths);
        return rg_fail_memory(err, "support vector machines");
    }
    pthread_mutex_init(&paths->lock, NULL);
    paths->memory = memory;
    *out = paths;
    return RG_OK;
}

void rg_svm_paths_free(rg_svm_paths *paths)
{
    if (!paths)
        return;
    for (size_t k = 0; k < rg_table_size(paths->tasks) * N_STOPS && paths->halts; k++)
        rg_free(paths->halts[k].numbers);
    rg_free(paths->halts);
    rg_table_free(paths->tasks);
    pthread_mutex_destroy(&paths->lock);
    rg_free(paths);
}

static double stop_c(size_t k)
{
    return ldexp(1, FIRST_POWER + 2 * (int)k);
}

/* ---- what is kept */

typedef struct path_key {
    char *bytes;
    size_t n;
} path_key;

static rg_status key_open(path_key *out, const rg_svm_task *task, double matrix, rg_error *err)
{
    out->n = task->n + sizeof matrix;
    out->bytes = rg_alloc(out->n, 1);
    if (!out->bytes)
        return rg_fail_memory(err, "support vector machines");
    memcpy(out->bytes, &matrix, sizeof matrix);
    if (task->n)
        memcpy(out->bytes + sizeof matrix, task->side, task->n);
    return RG_OK;
}

static void restore(rg_svm_point *point, rg_svm_answer *answer, const halt *h,
                    const rg_svm_task *task)
{
    size_t k = 0, n = 0;
    for (size_t t = 0; t < task->n; t++)
        n += h->known || task->side[t];
    for (size_t t = 0; t < task->n; t++) {
        bool kept = h->known || task->side[t];
        point->beta[t] = kept ? h->numbers[k] : 0;
        point->sum[t] = kept ? h->numbers[n + k] : 0;
        k += kept;
    }
    point->known = h->known;
    point->since = h->since;
    *answer = h->answer;
}

/* The last stop before `end` that is kept; SIZE_MAX: none. */
static size_t find(rg_svm_point *point, rg_svm_answer *answer, rg_svm_paths *paths,
                   const rg_svm_task *task, const path_key *name, size_t end)
{
    pthread_mutex_lock(&paths->lock);
    uint32_t number = rg_table_find(paths->tasks, name->bytes, name->n);
    size_t stop = SIZE_MAX;
    for (size_t k = end; k-- > 0 && stop == SIZE_MAX && number != RG_TABLE_NONE;) {
        const halt *h = &paths->halts[(size_t)number * N_STOPS + k];
        if (h->numbers) {
            restore(point, answer, h, task);
            stop = k;
        }
    }
    pthread_mutex_unlock(&paths->lock);
    return stop;
}

/* Where a stop is kept; NULL: memory is short. Under the lock. */
static halt *place_of(rg_svm_paths *paths, const path_key *name, size_t stop)
{
    size_t before = rg_table_size(paths->tasks);
    /* Room first: a task in the table has its halts. */
    if (!rg_grow(&paths->halts, &paths->capacity, (before + 1) * N_STOPS, sizeof *paths->halts))
        return NULL;
    uint32_t number = rg_table_add(paths->tasks, name->bytes, name->n);
    if (number == RG_TABLE_NONE)
        return NULL;
    if (number == before)
        memset(paths->halts + before * N_STOPS, 0, N_STOPS * sizeof *paths->halts);
    return &paths->halts[(size_t)number * N_STOPS + stop];
}

/* It may be that another thread has kept the same meanwhile. */
static rg_status keep(rg_svm_paths *paths, const rg_svm_task *task, const path_key *name,
                      size_t stop, const rg_svm_point *point, const rg_svm_answer *answer,
                      rg_error *err)
{
    size_t n = 0, k = 0;
    rg_status status = RG_OK;
    for (size_t t = 0; t < task->n; t++)
        n += point->known || task->side[t];
    uint64_t bytes = 2 * n * sizeof(double);
    pthread_mutex_lock(&paths->lock);
    if (paths->used + bytes <= paths->memory) {
        halt *h = place_of(paths, name, stop);
        double *numbers = h && !h->numbers ? rg_alloc(2 * n, sizeof *numbers) : NULL;
        if (!h || (!h->numbers && !numbers))
            status = rg_fail_memory(err, "support vector machines");
        for (size_t t = 0; t < task->n && numbers; t++)
            if (point->known || task->side[t]) {
                numbers[k] = point->beta[t];
                numbers[n + k++] = point->sum[t];
            }
        if (numbers) {
            *h = (halt){numbers, *answer, point->known, point->since};
            paths->used += bytes;
        }
    }
    pthread_mutex_unlock(&paths->lock);
    return status;
}

/* ---- along the path */

static rg_status go_on(rg_svm_point *point, rg_svm_answer *answer, const rg_svm_task *task,
                       double *from, double c, rg_error *err)
{
    rg_svm_task next = *task;
    next.c = c;
    if (*from > 0)
        rg_svm_stretch(point, &next, *from);
    else
        rg_svm_start(point, &next);
    *from = c;
    return rg_svm_solve(point, answer, &next, err);
}

static rg_status walk(rg_svm_point *point, rg_svm_answer *answer, rg_svm_paths *paths,
                      const path_key *name, const rg_svm_task *task, rg_error *err)
{
    size_t end = 0; /* stops up to here are not above C */
    rg_status status = RG_OK;
    while (end < N_STOPS && stop_c(end) <= task->c)
        end++;
    size_t at = find(point, answer, paths, task, name, end);
    double from = at == SIZE_MAX ? 0 : stop_c(at);
    answer->stopped = false;
    for (size_t k = at + 1; k < end && !status && !answer->stopped; k++) { /* SIZE_MAX + 1 is 0 */
        status = go_on(point, answer, task, &from, stop_c(k), err);
        if (!status && !answer->stopped)
            status = keep(paths, task, name, k, point, answer, err);
    }
    if (!status && !answer->stopped && from != task->c)
        status = go_on(point, answer, task, &from, task->c, err);
    if (!status && !answer->stopped && !point->known)
        rg_svm_measure(point, task);
    return status;
}

rg_status rg_svm_paths_solve(rg_svm_point *point, rg_svm_answer *answer, rg_svm_paths *paths,
                             double matrix, const rg_svm_task *task, rg_error *err)
{
    path_key name = {NULL, 0};
    rg_status status = key_open(&name, task, matrix, err);
    if (!status)
        status = walk(point, answer, paths, &name, task, err);
    rg_free(name.bytes);
    return status;
}
