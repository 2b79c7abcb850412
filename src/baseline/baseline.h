/* baseline.h - what rule networks are compared with: kernels with support vector machines, the most
 * frequent class, and message passing networks by name, which are networks like all others.  Data flow: data set -> BASELINE -> jobs.
 *
 * To an experiment all of them look the same. A map with the key `model` (docs/baselines.md)
 * becomes a baseline: its settings, which never change. On data a baseline has prepared data: what
 * all of its runs share (a Gram matrix, node features, batches), built once. A run trains on one
 * fold of a prepared and says how well it did. The result of a run depends on (settings, data,
 * fold, seed, number of the run) and on nothing else, so results are the same for any number of
 * threads, shards and ranks.
 *
 * A kind of baseline is one table of functions (rg_baseline_kind); kinds.h has the list. */
#ifndef REGULA_BASELINE_BASELINE_H
#define REGULA_BASELINE_BASELINE_H

#include "regula/model.h"
#include "text/text.h"
#include "text/yaml.h"

#include <stdbool.h>

typedef struct rg_baseline rg_baseline; /* settings; any thread may use it */
typedef struct rg_baseline_prepared
    rg_baseline_prepared; /* any number of threads may run on it at once */

/* ---- settings */

/* Is this the map of a baseline: has it the key `model`? */
bool rg_baseline_is(const rg_yaml *root);
/* out: owned (rg_baseline_free), untouched on failure. RG_EDATA with line and column: a model that
 * is not known (with what is known), a setting that it does not have, a value out of range.
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_baseline_from_yaml(rg_baseline **out, const rg_yaml *root,
                                              rg_error *err);
RG_MUST_CHECK rg_status rg_baseline_parse(rg_baseline **out, const char *name, const char *text,
                                          size_t n, rg_error *err);
void rg_baseline_free(rg_baseline *baseline);              /* NULL is fine */
const char *rg_baseline_name(const rg_baseline *baseline); /* of its kind: "wl". Static */
/* The normal form: every setting, defaults too, `model: NAME` first. It parses back as an equal
 * baseline. Borrowed. */
const char *rg_baseline_text(const rg_baseline *baseline);
/* The part of it that prepared data depend on: baselines with equal texts share them. Borrowed. */
const char *rg_baseline_prepared_text(const rg_baseline *baseline);
/* The network that it is: owned (rg_recipe_free); NULL: a kernel. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_baseline_recipe(rg_recipe **out, const rg_baseline *baseline,
                                           rg_error *err);
uint32_t rg_baseline_epochs(const rg_baseline *baseline); /* at most; kernels: 1 */
/* All runs on a fold have the same result: training one of them is enough. */
bool rg_baseline_is_fixed(const rg_baseline *baseline);

/* ---- prepared data */

typedef struct rg_baseline_options {
    const uint32_t *fit; /* samples that vocabularies are taken from; NULL: all */
    size_t n_fit;
    unsigned n_threads;
    uint64_t memory;   /* bytes that it may take; 0: any */
    const char *cache; /* of labels; NULL: none */
    rg_cpu cpu;
} rg_baseline_options;

/* source: kept. out: owned (rg_baseline_prepared_free), untouched on failure. RG_EDATA (arrays
 * instead of graphs; no classes; what the model needs is not in the data), RG_EFAIL (over the
 * memory), RG_ENOMEM.
 */
RG_MUST_CHECK rg_status rg_baseline_prepared_new(rg_baseline_prepared **out,
                                                 const rg_baseline *baseline,
                                                 const rg_source *source,
                                                 const rg_baseline_options *options, rg_error *err);
void rg_baseline_prepared_free(rg_baseline_prepared *prepared); /* NULL is fine */
/* How large it is, for tables: weights of a network; 0 for kernels. */
uint64_t rg_baseline_prepared_parameters(const rg_baseline_prepared *prepared);
uint32_t rg_baseline_prepared_classes(const rg_baseline_prepared *prepared);
/* [graph], RG_NO_CLASS where none is known. Borrowed. */
const uint32_t *rg_baseline_prepared_targets(const rg_baseline_prepared *prepared);

/* ---- runs */

/* The result of a run. Ends with rg_baseline_run_free. */
typedef struct rg_baseline_run {
    rg_run run;        /* kernels: epochs and best_epoch 1; losses that are not measured are NaN */
    rg_epoch *epochs;  /* run.epochs of them, owned */
    float *numbers;    /* [sample of the test set][class]: probabilities, or decision values that a
                         softmax made into numbers 0 .. 1; owned, NULL: not asked for */
    float *validation; /* the same of the validation set */
    bool stopped;      /* `stop` ended it on the way: the rest is empty */
} rg_baseline_run;

typedef struct rg_baseline_wish {
    const rg_fold *fold;
    uint64_t seed;
    uint32_t number;            /* of the run */
    bool numbers;               /* of the test and the validation set */
    rg_metric metric;           /* what scores are; DEFAULT: accuracies */
    int (*stop)(void *context); /* asked between epochs; NULL: never */
    void *context;
} rg_baseline_wish;

/* baseline: one with the prepared_text of these data. RG_EDATA (a training set that is empty; one
 * class alone is no failure: it is always said), RG_EFAIL (the loss is no number), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_baseline_train(rg_baseline_run *out, const rg_baseline *baseline,
                                          const rg_baseline_prepared *prepared,
                                          const rg_baseline_wish *wish, rg_error *err);
void rg_baseline_run_free(rg_baseline_run *run);

/* ---- kinds: what a baseline has to bring; each is one constant table, listed in kinds.h */

/* A setting, for help; what its default is, the normal form says. */
typedef struct rg_baseline_setting {
    const char *key;
    char values[64];   /* "1 .. 20", "sum or mean" */
    const char *about; /* one line */
} rg_baseline_setting;

typedef struct rg_baseline_kind rg_baseline_kind;
struct rg_baseline_kind {
    const char *name;  /* the word behind `model:` */
    const char *about; /* one line, for help and messages */
    /* *settings: owned. `root`: the whole map, the key `model` included; every other key is the
     * kind's to check. */
    rg_status (*parse)(void **settings, const rg_baseline_kind *kind, const rg_yaml *root,
                       rg_error *err);
    void (*settings_free)(void *settings);
    /* Adds lines "KEY: VALUE\n" of all settings, or of those that prepared data depend on.
     * NULL: it has no settings. */
    void (*print)(rg_text *out, const void *settings, bool prepared_only);
    /* It is a network like others: adds the network file, training included, that the settings stand
     * for. All below is then NULL, up to `setting`. NULL: it is none. */
    void (*network)(rg_text *out, const void *settings);
    uint32_t (*epochs)(const void *settings); /* NULL: 1 */
    rg_status (*prepared_new)(void **prepared, const void *settings, const rg_source *source,
                              const rg_baseline_options *options, rg_error *err);
    void (*prepared_free)(void *prepared);
    uint64_t (*parameters)(const void *prepared); /* NULL: 0 */
    rg_status (*train)(rg_baseline_run *out, const void *settings, const void *prepared,
                       const rg_baseline_wish *wish, rg_error *err);
    /* The result of a run depends on neither seed nor number: all runs of a fold are one. */
    bool fixed;
    /* Setting k, for help. False: there are no more. NULL: it has no settings. */
    bool (*setting)(rg_baseline_setting *out, const rg_baseline_kind *kind, size_t k);
    const void *own; /* what tells it from other kinds with the same functions */
    /* It has the map `training`, as networks have: that of an experiment is laid over it. */
    bool training;
    /* Settings whose values are lists, or maps with lists in them, up to a NULL; in all others a
     * list is one to choose from. NULL: none. */
    const char *const *lists;
};

/* Kind k < rg_baseline_n_kinds(); static. */
size_t rg_baseline_n_kinds(void);
const rg_baseline_kind *rg_baseline_kind_at(size_t k);
const rg_baseline_kind *rg_baseline_kind_find(const char *name); /* NULL: none */

/* What is learned: the classes of graphs. Borrowed from the source. */
typedef struct rg_baseline_task {
    const rg_dataset *graphs;
    const uint32_t *classes; /* [graph], RG_NO_CLASS where none is known */
    uint32_t n_classes;
    size_t n_graphs;
} rg_baseline_task;

/* Every source that a kind is given passes this. RG_EDATA: arrays instead of graphs, no classes or
 * one alone, several columns of them. */
RG_MUST_CHECK rg_status rg_baseline_task_open(rg_baseline_task *out, const rg_source *source,
                                              rg_error *err);

/* A cost: a number above 0, or a power of two as papers write it (2^-3). RG_EDATA. */
RG_MUST_CHECK rg_status rg_baseline_read_c(double *out, const rg_yaml *node, rg_error *err);

/* The result of a model without epochs, from what it says of every graph. numbers: [graph][class], the
 * largest is the answer; losses: [graph], NaN: not measured; NULL: none is. out: as rg_baseline_train. RG_EDATA (a metric
 * of real values), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_baseline_report(rg_baseline_run *out, const rg_baseline_task *task,
                                           const float *numbers, const double *losses,
                                           const rg_baseline_wish *wish, rg_error *err);

#endif
