/* svm_vote.c - see svm_vote.h. */
#include "svm_vote.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

#define EPS 1e-3 /* as in LIBSVM */

enum { MOST_STEPS = 10000000 }; /* the same */

static const char what[] = "support vector machines";

/* The classes of the training set are numbered again, without those that are not in it. */
typedef struct council {
    const rg_svm_vote_task *task;
    size_t n;             /* graphs */
    uint32_t n_there;     /* classes of the training set */
    uint32_t *there;      /* [n_there]: ascending */
    uint32_t *place;      /* [n_classes]: in `there`, or UINT32_MAX */
    int8_t *side;         /* [n] */
    double *beta, *sum;   /* [n]: a point */
    double *votes, *sums; /* [n][n_there] */
    double *loss;         /* [n]: sums */
} council;

static rg_status council_open(council *c, const rg_svm_vote_task *task, rg_error *err)
{
    uint32_t n_classes = task->learned->n_classes;
    size_t n = task->learned->n_graphs, cells = 0;
    *c = (council){.task = task, .n = n};
    c->there = rg_alloc(n_classes, sizeof *c->there);
    c->place = rg_alloc(n_classes, sizeof *c->place);
    if (!c->there || !c->place)
        return rg_fail_memory(err, what);
    memset(c->place, 0xff, n_classes * sizeof *c->place);
    for (size_t k = 0; k < task->train->n; k++) {
        uint32_t class = task->learned->classes[task->train->graphs[k]];
        if (class != RG_NO_CLASS)
            c->place[class] = 0;
    }
    for (uint32_t k = 0; k < n_classes; k++)
        if (c->place[k] == 0) {
            c->there[c->n_there] = k;
            c->place[k] = c->n_there++;
        }
    c->side = rg_alloc(n, sizeof *c->side);
    c->beta = rg_alloc(n, sizeof *c->beta);
    c->sum = rg_alloc(n, sizeof *c->sum);
    c->loss = rg_alloc_zero(n, sizeof *c->loss);
    if (rg_size_mul(&cells, n, c->n_there)) {
        c->votes = rg_alloc_zero(cells, sizeof *c->votes);
        c->sums = rg_alloc_zero(cells, sizeof *c->sums);
    }
    bool fine = c->side && c->beta && c->sum && c->loss && c->votes && c->sums;
    return fine ? RG_OK : rg_fail_memory(err, what);
}

static void council_close(council *c)
{
    rg_free(c->there);
    rg_free(c->place);
    rg_free(c->side);
    rg_free(c->beta);
    rg_free(c->sum);
    rg_free(c->votes);
    rg_free(c->sums);
    rg_free(c->loss);
}

/* The SVM that separates two classes, and what it says of all graphs. */
static rg_status ask(council *c, uint32_t first, uint32_t second, bool *stopped, rg_error *err)
{
    const rg_svm_vote_task *task = c->task;
    const uint32_t *classes = task->learned->classes;
    rg_svm_point point = {.beta = c->beta, .sum = c->sum};
    rg_svm_answer answer = {.bias = 0};
    rg_svm_task pair = {.gram = task->gram->values,
                        .n = c->n,
                        .stride = task->gram->stride,
                        .side = c->side,
                        .c = task->c,
                        .eps = EPS,
                        .max_steps = MOST_STEPS,
                        .loops = rg_svm_loops_get(task->cpu),
                        .stop = task->stop,
                        .context = task->context};
    memset(c->side, 0, c->n);
    for (size_t k = 0; k < task->train->n; k++) {
        uint32_t graph = task->train->graphs[k], class = classes[graph];
        c->side[graph] = (int8_t)(class == c->there[first]    ? 1
                                  : class == c->there[second] ? -1
                                                              : 0);
    }
    rg_status status = rg_svm_paths_solve(&point, &answer, task->paths, task->matrix, &pair, err);
    *stopped = !status && answer.stopped;
    for (size_t k = 0; k < c->n && !status && !*stopped; k++) {
        double d = c->sum[k] + answer.bias;
        uint32_t own = classes[k] == RG_NO_CLASS ? UINT32_MAX : c->place[classes[k]];
        c->votes[k * c->n_there + (d > 0 ? first : second)]++;
        c->sums[k * c->n_there + first] += d;
        c->sums[k * c->n_there + second] -= d;
        if (own == first || own == second)
            c->loss[k] += fmax(0, own == first ? 1 - d : 1 + d);
    }
    return status;
}

/* One number per class whose softmax is the answer, in place of the votes. */
static void weigh(council *c)
{
    for (size_t k = 0; k < c->n; k++) {
        double *votes = c->votes + k * c->n_there, *sums = c->sums + k * c->n_there;
        double most = 0, best = -INFINITY;
        for (uint32_t p = 0; p < c->n_there; p++) {
            most = fmax(most, votes[p]);
            if (c->n_there > 2)
                sums[p] /= 3 * (fabs(sums[p]) + 1);
        }
        for (uint32_t p = 0; p < c->n_there; p++)
            best = votes[p] == most ? fmax(best, sums[p]) : best;
        for (uint32_t p = 0; p < c->n_there; p++)
            votes[p] =
                c->n_there == 2 ? sums[p] / 2 : votes[p] + (votes[p] == most ? best : sums[p]);
    }
}

static rg_status finish(rg_svm_vote *out, council *c, rg_error *err)
{
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, c->task->cpu);
    uint32_t n_classes = c->task->learned->n_classes;
    size_t cells = 0;
    float *numbers =
        rg_size_mul(&cells, c->n, n_classes) ? rg_alloc_zero(cells, sizeof *numbers) : NULL;
    if (!numbers)
        return rg_fail_memory(err, what);
    if (c->n_there)
        kernels->softmax(c->votes, c->n, c->n_there, c->votes);
    for (size_t k = 0; k < c->n; k++) {
        uint32_t class = c->task->learned->classes[k];
        bool known = class != RG_NO_CLASS && c->place[class] != UINT32_MAX && c->n_there > 1;
        for (uint32_t p = 0; p < c->n_there; p++)
            numbers[k * n_classes + c->there[p]] = (float)c->votes[k * c->n_there + p];
        c->loss[k] = known ? c->loss[k] / (c->n_there - 1) : (double)NAN;
    }
    *out = (rg_svm_vote){.numbers = numbers, .losses = c->loss};
    c->loss = NULL;
    return RG_OK;
}

rg_status rg_svm_vote_train(rg_svm_vote *out, const rg_svm_vote_task *task, rg_error *err)
{
    council c;
    bool stopped = false;
    rg_status status = council_open(&c, task, err);
    for (uint32_t a = 0; a < c.n_there && !status && !stopped; a++)
        for (uint32_t b = a + 1; b < c.n_there && !status && !stopped; b++)
            status = ask(&c, a, b, &stopped, err);
    if (!status && stopped)
        *out = (rg_svm_vote){.stopped = true};
    else if (!status) {
        weigh(&c);
        status = finish(out, &c, err);
    }
    council_close(&c);
    return status;
}

void rg_svm_vote_free(rg_svm_vote *vote)
{
    rg_free(vote->numbers);
    rg_free(vote->losses);
    *vote = (rg_svm_vote){.numbers = NULL};
}
