/* prepared.c - see prepared.h. */
#include "prepared.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/table.h"
#include "text/text.h"
#include "train/recipe.h"

#include <pthread.h>
#include <string.h>

typedef enum prepared_state { EMPTY, BUILDING, READY, BROKEN } prepared_state;

typedef struct prepared_slot {
    rg_prepared prepared;
    prepared_state state;
    rg_status status; /* BROKEN: why */
    rg_error err;
    size_t expected; /* jobs that are not over yet */
    size_t inside;   /* jobs that came and have not left yet */
} prepared_slot;

struct rg_prepared_cache {
    const rg_runner_plan *plan;
    const rg_runner_options *options;
    uint32_t *kind; /* [configuration]: those that need the same have the same */
    size_t n_kinds;
    bool by_fold;         /* what is prepared depends on the training part */
    prepared_slot *slots; /* [kind], or by fold [kind][fold] */
    size_t n_slots;
    uint64_t memory; /* for the tables of one prepared; 0: any */
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* ---- which configurations need the same */

static rg_status find_kinds(rg_prepared_cache *b, rg_error *err)
{
    rg_table *table = rg_table_new();
    rg_status status = table ? RG_OK : rg_fail_memory(err, "an experiment");
    for (size_t c = 0; !status && c < b->plan->n_contenders; c++) {
        char *text = NULL;
        status = rg_contender_prepared_text(&text, &b->plan->contenders[c], err);
        if (!status) {
            b->kind[c] = rg_table_add(table, text, strlen(text));
            if (b->kind[c] == RG_TABLE_NONE)
                status = rg_fail_memory(err, "an experiment");
        }
        rg_free(text);
    }
    b->n_kinds = table ? rg_table_size(table) : 0;
    rg_table_free(table);
    return status;
}

size_t rg_prepared_cache_number(const rg_prepared_cache *b, uint32_t configuration, uint32_t fold)
{
    size_t kind = b->kind[configuration];
    return b->by_fold ? kind * b->plan->n_folds + fold : kind;
}

size_t rg_prepared_cache_size(const rg_prepared_cache *b)
{
    return b->n_slots;
}

/* At most one prepared per thread is there at a time, and they share the memory. */
static uint64_t share_of_memory(const rg_prepared_cache *b)
{
    uint64_t n = b->options->n_threads ? b->options->n_threads : rg_pool_processors();
    uint64_t share = b->options->memory / (n < b->n_slots ? n : b->n_slots);
    return b->options->memory && !share ? 1 : share;
}

rg_status rg_prepared_cache_new(rg_prepared_cache **out, const rg_runner_plan *plan,
                                const rg_runner_options *options, rg_error *err)
{
    rg_prepared_cache *b = rg_alloc_zero(1, sizeof *b);
    if (!b)
        return rg_fail_memory(err, "an experiment");
    b->plan = plan;
    b->options = options;
    b->by_fold = plan->fit_on_train;
    for (size_t c = 0; c < plan->n_contenders; c++)
        b->by_fold |= plan->contenders[c].recipe && plan->contenders[c].recipe->bins;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    b->kind = rg_alloc(plan->n_contenders, sizeof *b->kind);
    rg_status status = b->kind ? find_kinds(b, err) : rg_fail_memory(err, "an experiment");
    if (!status) {
        b->n_slots = b->n_kinds * (b->by_fold ? plan->n_folds : 1);
        b->slots = rg_alloc_zero(b->n_slots, sizeof *b->slots);
        if (!b->slots)
            status = rg_fail_memory(err, "an experiment");
        else
            b->memory = share_of_memory(b);
    }
    if (status)
        rg_prepared_cache_free(b);
    else
        *out = b;
    return status;
}

static void clear(prepared_slot *s)
{
    rg_baseline_prepared_free(s->prepared.baseline);
    rg_samples_free(s->prepared.samples);
    rg_network_free(s->prepared.net);
    s->prepared = (rg_prepared){0};
    s->state = EMPTY;
}

void rg_prepared_cache_free(rg_prepared_cache *b)
{
    if (!b)
        return;
    for (size_t k = 0; b->slots && k < b->n_slots; k++)
        clear(&b->slots[k]);
    rg_free(b->slots);
    rg_free(b->kind);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    rg_free(b);
}

/* ---- building */

/* fit: samples that vocabularies are taken from; n 0: all. */
static rg_status build_network(rg_prepared *out, const rg_prepared_cache *b,
                               const rg_recipe *recipe, const rg_part *fit, uint32_t fold,
                               rg_error *err)
{
    const rg_runner_plan *plan = b->plan;
    rg_part train = {NULL, 0};
    if (b->by_fold)
        train = rg_splits_fold(plan->splits, plan->folds[fold]).train;
    rg_spec *spec = NULL;
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    rg_build_options building = {.fit = fit->graphs,
                                 .n_fit = fit->n,
                                 .train = train.graphs,
                                 .n_train = train.n,
                                 .n_threads = 1,
                                 .label_cache = b->options->cache};
    rg_samples_options tables = {
        .precision = recipe->settings.precision, .n_threads = 1, .memory = b->memory, .keep = true};
    rg_status status = rg_recipe_spec(&spec, recipe, err);
    if (!status)
        status = rg_network_build(&out->net, labels, spec, plan->source, &building, err);
    if (!status)
        status = rg_samples_open(&out->samples, out->net, plan->source, labels, &tables, err);
    return status;
}

/* With all threads: the others most likely wait for it. */
static rg_status build_baseline(rg_prepared *out, const rg_prepared_cache *b,
                                const rg_baseline *baseline, const rg_part *fit, rg_error *err)
{
    rg_baseline_options options = {.fit = fit->graphs,
                                   .n_fit = fit->n,
                                   .n_threads = b->options->n_threads,
                                   .memory = b->memory,
                                   .cache = b->options->cache,
                                   .cpu = b->options->cpu};
    return rg_baseline_prepared_new(&out->baseline, baseline, b->plan->source, &options, err);
}

static rg_status build(rg_prepared *out, const rg_prepared_cache *b, uint32_t configuration,
                       uint32_t fold, rg_error *err)
{
    const rg_runner_plan *plan = b->plan;
    const rg_contender *contender = &plan->contenders[configuration];
    rg_part fit = {NULL, 0};
    rg_prepared prepared = {0};
    double start = rg_seconds();
    if (plan->fit_on_train)
        fit = rg_splits_fold(plan->splits, plan->folds[fold]).train;
    rg_status status = contender->recipe
                           ? build_network(&prepared, b, contender->recipe, &fit, fold, err)
                           : build_baseline(&prepared, b, contender->baseline, &fit, err);
    prepared.seconds = rg_seconds() - start;
    if (status)
        rg_network_free(prepared.net);
    else
        *out = prepared;
    return status;
}

static prepared_slot *slot_of(rg_prepared_cache *b, uint32_t configuration, uint32_t fold)
{
    return &b->slots[rg_prepared_cache_number(b, configuration, fold)];
}

void rg_prepared_cache_expect(rg_prepared_cache *b, uint32_t configuration, uint32_t fold)
{
    pthread_mutex_lock(&b->lock);
    slot_of(b, configuration, fold)->expected++;
    pthread_mutex_unlock(&b->lock);
}

void rg_prepared_cache_over(rg_prepared_cache *b, uint32_t configuration, uint32_t fold)
{
    pthread_mutex_lock(&b->lock);
    slot_of(b, configuration, fold)->expected--;
    pthread_mutex_unlock(&b->lock);
}

/* Not before: jobs that need the same prepared are begun one after another, so what nobody expects
 * may well be wanted again by the next job. */
static void make_room(rg_prepared_cache *b)
{
    for (size_t k = 0; k < b->n_slots; k++) {
        prepared_slot *s = &b->slots[k];
        if (s->state == READY && s->inside == 0 && s->expected == 0)
            clear(s);
    }
}

rg_status rg_prepared_cache_enter(const rg_prepared **out, rg_prepared_cache *b,
                                  uint32_t configuration, uint32_t fold, rg_error *err)
{
    prepared_slot *s = slot_of(b, configuration, fold);
    pthread_mutex_lock(&b->lock);
    s->inside++;
    while (s->state == BUILDING)
        pthread_cond_wait(&b->changed, &b->lock);
    if (s->state == EMPTY) {
        rg_prepared prepared = {0};
        rg_error why = {""};
        s->state = BUILDING;
        make_room(b);
        pthread_mutex_unlock(&b->lock);
        rg_status status = build(&prepared, b, configuration, fold, &why);
        pthread_mutex_lock(&b->lock);
        s->prepared = prepared;
        s->status = status;
        s->err = why;
        s->state = status ? BROKEN : READY;
        pthread_cond_broadcast(&b->changed);
    }
    rg_status status = s->state == BROKEN ? s->status : RG_OK;
    if (status && err)
        *err = s->err;
    pthread_mutex_unlock(&b->lock);
    if (!status)
        *out = &s->prepared;
    return status;
}

void rg_prepared_cache_leave(rg_prepared_cache *b, uint32_t configuration, uint32_t fold)
{
    pthread_mutex_lock(&b->lock);
    slot_of(b, configuration, fold)->inside--;
    pthread_mutex_unlock(&b->lock);
}
