/* search_final.c - the test of a search: all selections are made before a test set is used. */
#include "halving.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>

/* What is trained, and which finalist each fold chooses. */
typedef struct final_choice {
    size_t n;      /* finalists: s->ranked[0] .. [n - 1] */
    size_t *folds; /* [fold]: place of the one that is best there, owned */
    bool *wanted;  /* [finalist][fold], owned */
} final_choice;

/* By the validation set of the fold: score, then loss, then rank. */
static size_t best_on(const rg_search *s, size_t fold, size_t n)
{
    size_t best = 0, n_folds = s->result.final.n_folds;
    for (size_t k = 1; k < n; k++) {
        const double *own = s->result.entries[s->ranked[k]].validation;
        const double *other = s->result.entries[s->ranked[best]].validation;
        if (isnan(own[fold]))
            continue;
        bool wins =
            rg_metric_is_low(s->result.metric) ? own[fold] < other[fold] : own[fold] > other[fold];
        if (wins || (own[fold] == other[fold] && own[n_folds + fold] < other[n_folds + fold]))
            best = k;
    }
    return best;
}

static void choose(final_choice *c, const rg_search *s, size_t n)
{
    size_t n_folds = s->result.final.n_folds;
    c->n = n;
    for (size_t f = 0; f < n_folds; f++) {
        c->folds[f] = best_on(s, f, n);
        for (size_t k = 0; k < n; k++)
            c->wanted[k * n_folds + f] = k == 0 || k == c->folds[f];
    }
}

static double time_for(const rg_search *s, const final_choice *c)
{
    const rg_search_round *level = &s->result.final;
    double time = rg_search_expected(s, s->ranked[0], level);
    for (size_t f = 0; f < level->n_folds; f++)
        if (c->folds[f] > 0)
            time += rg_search_expected(s, s->ranked[c->folds[f]], level) / level->n_folds;
    return time;
}

/* The whole test if time allows; else without what folds choose, with one run, on fewer folds. */
static void fit_into_time(final_choice *c, rg_search *s)
{
    rg_search_round *level = &s->result.final;
    double left = s->options->seconds - rg_search_now(s);
    if (!s->timed || time_for(s, c) <= left)
        return;
    choose(c, s, 1);
    if (time_for(s, c) > left)
        level->n_runs = 1;
    while (level->n_folds > 1 && time_for(s, c) > left)
        level->n_folds--;
    choose(c, s, 1);
}

/* Mean and deviation over the folds that were tested, of the finalist that each fold has. */
static rg_status summarise(rg_search_test *out, const rg_search_batch *b, const size_t *folds,
                           rg_error *err)
{
    double *scores = rg_alloc(b->level.n_folds, sizeof *scores);
    if (!scores)
        return rg_fail_memory(err, "a search");
    out->validation = 0;
    for (size_t f = 0; f < b->level.n_folds; f++) {
        const rg_cell *cell = &b->cells.at[(folds ? folds[f] : 0) * b->level.n_folds + f];
        if (isnan(cell->test))
            continue;
        scores[out->n_folds++] = cell->test;
        out->validation += cell->validation;
    }
    rg_mean_deviation(scores, out->n_folds, &out->mean, &out->deviation);
    out->validation = out->n_folds ? out->validation / (double)out->n_folds : (double)NAN;
    rg_free(scores);
    return RG_OK;
}

rg_status rg_search_final(rg_search *s, rg_error *err)
{
    rg_search_result *r = &s->result;
    const rg_search_entry *winner = &r->entries[s->ranked[0]];
    size_t all = r->rounds[winner->round - 1].n_folds == r->final.n_folds ? s->n_ranked : 1;
    final_choice c = {.n = 0};
    rg_search_batch b = {.search = s, .splits = s->splits, .members = s->ranked};
    double start = rg_search_now(s);
    c.folds = rg_alloc_zero(r->final.n_folds, sizeof *c.folds);
    c.wanted = rg_alloc_zero(r->final.n_folds * all, sizeof *c.wanted);
    rg_status status = c.folds && c.wanted ? RG_OK : rg_fail_memory(err, "a search");
    if (!status) {
        choose(&c, s, all);
        fit_into_time(&c, s);
        b.level = r->final;
        b.n = c.n;
        b.wanted = c.wanted;
        s->deadline = s->options->seconds;
        s->state.round = RG_SEARCH_ROUNDS + 1;
        s->state.n_done = 0;
        s->state.n_left = 1;
        status = rg_search_train(&b, err);
    }
    if (!status)
        status = summarise(&r->winner, &b, NULL, err);
    if (!status)
        status = summarise(&r->finalists, &b, c.folds, err);
    r->n_finalists = c.n;
    r->final.n_candidates = r->winner.n_folds > 0;
    r->final.seconds = rg_search_now(s) - start;
    rg_search_batch_free(&b);
    rg_free(c.folds);
    rg_free(c.wanted);
    return status;
}
