/* settings.h - how a network is trained, as its file says it: the key `training`. */
#ifndef REGULA_TRAIN_SETTINGS_H
#define REGULA_TRAIN_SETTINGS_H

#include "math/start.h"
#include "metric/metric.h"
#include "network/spec.h"
#include "optimiser.h"
#include "schedule.h"

typedef enum rg_loss {
    RG_LOSS_AUTO, /* classes: cross entropy; values: squared; multi-label: logistic */
    RG_LOSS_CROSS_ENTROPY,
    RG_LOSS_SQUARED,  /* "mse" */
    RG_LOSS_ABSOLUTE, /* "mae" */
    RG_LOSS_LOGISTIC  /* "bce" */
} rg_loss;

typedef enum rg_best { RG_BEST_SCORE, RG_BEST_LOSS, RG_BEST_LAST } rg_best;

typedef enum rg_lasso_groups { RG_LASSO_RULES, RG_LASSO_LABELS, RG_LASSO_KEYS } rg_lasso_groups;

enum { RG_CLASS_WEIGHTS_MAX = 256 };

typedef struct rg_settings {
    rg_loss loss;
    bool balanced; /* class weights n / (classes * count), from the training set */
    double class_weights[RG_CLASS_WEIGHTS_MAX]; /* or as listed */
    size_t n_class_weights;                     /* 0: none listed */
    rg_optimiser_options optimiser;
    rg_schedule_options schedule; /* its `lr` and `epochs` are those of the run */
    uint32_t epochs;
    uint32_t batch;    /* samples: floor(n / batch) batches, at least one, of nearly equal size */
    uint32_t patience; /* stop once the best epoch is more than this many ago; 0: never */
    rg_best best;      /* which epoch's weights are kept: highest score (ties: lower loss), lowest
                          loss, or the last; on the validation set, else on the training set */
    rg_metric metric;  /* what scores are */
    uint32_t smooth; /* an epoch is judged by the mean of so many, itself the last; 1: by itself */
    rg_start_kind start;
    rg_precision precision;
    /* Pruning on a schedule: after epochs prune_from .. prune_to, counted from 1, the weights
     * smallest in size are dropped for good, so that in the end a part `prune` of them is gone
     * (cubic ramp). 0: none. */
    double prune;
    uint32_t prune_from, prune_to;
    /* A batch is cut into so many parts, whose gradients meet in one fixed tree: threads share the
     * parts (batch_parts.h). 1: none; 0: auto, by the size of the training set. */
    uint32_t parts;
    /* Group lasso (lasso.c): the strength of a penalty that drops whole groups of weights of rules; 0: none. */
    double lasso;
    rg_lasso_groups lasso_of;
} rg_settings;

enum { RG_PARTS_MAX = 64 };

/* Those of the paper's program on its real-world sets (design of `preset: paper`): Adam, lr 0.05
 * halved every 10 epochs while above 1e-4, 50 epochs, batch 128, patience 25, float. */
rg_settings rg_settings_default(void);
/* RG_EUSAGE with the name of the setting that is out of range. */
RG_MUST_CHECK rg_status rg_settings_check(const rg_settings *settings, rg_error *err);
/* Other names of settings, as other programs have them: learning_rate for lr, batch_size, optimizer,
 * weight_decay. NULL: `name` is none. Static. */
const char *rg_settings_alias(const char *name);
/* Gives the settings below `training` in the tree of a file their names of here. RG_EDATA (a setting by both
 * names), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_settings_rename(rg_yaml *root, rg_error *err);
/* The key `training` of the tree of a file (absent: the defaults). RG_EDATA with position. */
RG_MUST_CHECK rg_status rg_settings_from_yaml(rg_settings *out, const rg_yaml *root, rg_error *err);
/* The same over other defaults: those that *out has. */
RG_MUST_CHECK rg_status rg_settings_over(rg_settings *out, const rg_yaml *root, rg_error *err);
/* From the text of a `training:` mapping, as a model keeps it. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_settings_parse(rg_settings *out, const char *text, rg_error *err);
/* As the text of a `training:` mapping in normal form. Owned (rg_free). */
RG_MUST_CHECK rg_status rg_settings_print(char **out, const rg_settings *settings, rg_error *err);

/* A whole network file: both parts, and no key that neither knows. *spec: owned (rg_spec_free); it
 * and *settings are untouched on failure. `name` stands for the file in messages. RG_EDATA, RG_EIO,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_file_read(rg_spec **spec, rg_settings *settings,
                                             const char *path, rg_error *err);
RG_MUST_CHECK rg_status rg_network_file_parse(rg_spec **spec, rg_settings *settings,
                                              const char *name, const char *text, size_t n,
                                              rg_error *err);
RG_MUST_CHECK rg_status rg_network_file_from_yaml(rg_spec **spec, rg_settings *settings,
                                                  const rg_yaml *root, rg_error *err);
/* Both parts in normal form, one file again. Owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_file_print(char **out, const rg_spec *spec,
                                              const rg_settings *settings, rg_error *err);

#endif
