/* trainer.h - the state of training: what a checkpoint keeps. */
#ifndef REGULA_TRAIN_TRAINER_H
#define REGULA_TRAIN_TRAINER_H

#include "batch_parts.h"
#include "model/tensors.h"
#include "train.h"

typedef struct rg_lane {
    rg_schedule schedule;
    uint32_t best_epoch; /* 0: none yet */
    double best_score, best_loss;
    bool stopped, failed;
    uint32_t epochs; /* until it stopped */
} rg_lane;

/* Numbers that become zero together. */
typedef struct rg_lasso_group {
    size_t first, n;
} rg_lasso_group;

struct rg_trainer {
    rg_samples *samples;
    rg_fold fold;
    rg_settings settings;
    rg_trainer_options options;
    const rg_kernels *kernels;
    rg_measure measure;
    rg_batch_parts parts;
    size_t n;               /* parameters of a lane */
    size_t n_all;           /* and what layers keep, behind them */
    char *numbers;          /* of w, g, m and v */
    void *w, *best;         /* [n_all][lanes] */
    void *g, *m, *v;        /* [n][lanes] */
    void *mask;             /* [n][lanes], 0: dropped; NULL: nothing is pruned */
    double *sizes;          /* scratch of pruning */
    rg_lasso_group *groups; /* of the penalty that drops rules; n_groups, none without one */
    size_t n_groups;
    rg_optimiser optimiser;
    rg_optimiser_part *decays; /* [network's n_layers]; NULL: all layers have one weight decay */
    rg_lazy *lazy;             /* NULL: every step is for all parameters */
    uint64_t seeds[RG_MAX_LANES];
    uint32_t *order; /* of the training set */
    uint32_t epoch;  /* done so far */
    rg_lane lanes[RG_MAX_LANES];
    rg_epoch *history; /* [epoch][lane] */
};

/* The weights as they are become those of the best epoch, in every lane. */
void rg_trainer_keep_all(rg_trainer *t);
/* checkpoint.c: rg_trainer_load from a container that was read; path: of its file, for messages. */
RG_MUST_CHECK rg_status rg_trainer_restore(rg_trainer *t, const rg_tensors *set, const char *path,
                                           const char *about, rg_error *err);
/* lasso.c: the groups of the settings, and the step after one of the optimiser. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_trainer_open_lasso(rg_trainer *t, rg_error *err);
void rg_trainer_lasso(rg_trainer *t);
/* prune.c: after an epoch, the smallest weights of every lane are dropped. */
void rg_trainer_prune(rg_trainer *t);
/* The value that would stand at place k < n if the values were sorted; their order is changed.
 * Expected O(n). */
double rg_select(double *values, size_t n, size_t k);

#endif
