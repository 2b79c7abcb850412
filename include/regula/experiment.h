/* experiment.h - experiment files: data, models, hyperparameter grid, protocols.
 * Data flow: train -> EXPERIMENT -> report.
 *
 * An experiment file (docs/experiments.md) names data, splits, one or more networks or baselines
 * (docs/baselines.md) and lists of values; every combination of the values is a configuration: the
 * recipe of a network, or of a baseline. An experiment is only the description: of its functions,
 * only rg_experiment_splits reads data. */
#ifndef REGULA_EXPERIMENT_H
#define REGULA_EXPERIMENT_H

#include "metric.h"
#include "split.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_experiment rg_experiment; /* never changes; any thread may use it */

#define RG_CONFIGURATIONS_MAX 100000 /* of one experiment, before equal ones are dropped */
#define RG_EXPERIMENT_RUNS_MAX 64

/* How configuration and epoch are selected, and which score is reported. */
typedef enum rg_protocol {
    RG_PROTOCOL_FAIR,   /* select on each fold by its validation set, test once */
    RG_PROTOCOL_GLOBAL, /* one configuration, by the mean over all validation sets */
    RG_PROTOCOL_GIN,    /* the best epoch of the validation curve averaged over folds */
    RG_PROTOCOL_HOLDOUT /* one fold */
} rg_protocol;
#define RG_PROTOCOLS 4

/* Which models are saved. */
typedef enum rg_keep {
    RG_KEEP_NONE,
    RG_KEEP_BEST, /* of the selected configuration, on every fold */
    RG_KEEP_ALL
} rg_keep;

/* Several configurations that answer as one: with the mean of what their runs say. */
typedef enum rg_ensemble_kind {
    RG_ENSEMBLE_ALL,  /* all of them */
    RG_ENSEMBLE_TOP,  /* the `top` best on the validation sets */
    RG_ENSEMBLE_STACK /* all of them, with weights learned on the validation sets */
} rg_ensemble_kind;

typedef struct rg_ensemble {
    rg_ensemble_kind kind;
    uint32_t top;
} rg_ensemble;
#define RG_ENSEMBLES_MAX 8

/* The words of the file: "fair", "best", ... Static. */
RG_API const char *rg_protocol_name(rg_protocol protocol);
RG_API const char *rg_keep_name(rg_keep keep);

/* Everything but the configurations, borrowed from the experiment. Fields may be added at its end. */
typedef struct rg_experiment_info {
    const char *name;
    const char *data; /* a path or a name, for rg_data_find */
    /* Splits, one of three: the file `splits`; splits made from `split` (make_splits); neither is
     * said, then $REGULA_DATA/splits/NAME.json, or, without one, splits made from `split`. */
    const char *splits; /* a path that was found, from the current directory; NULL: none is named */
    int make_splits;
    const rg_split_options *split;
    const uint32_t *folds;               /* only these, ascending */
    size_t n_folds;                      /* 0: all there are */
    rg_protocol protocols[RG_PROTOCOLS]; /* each once; the first is shown first */
    size_t n_protocols;                  /* at least 1 */
    uint32_t runs;                       /* 1..RG_EXPERIMENT_RUNS_MAX */
    uint64_t seed;
    int fit_on_train; /* vocabularies from the training set alone, not from all graphs */
    rg_keep keep;
    size_t n_configurations; /* at least 1 */
    size_t n_equal;          /* ways to choose that gave the recipe of an earlier one: dropped */
    size_t n_axes;           /* lists to choose from */
    int starts_per_fold;     /* every fold has start values of its own; else those of its run */
    rg_metric metric;        /* of all models; RG_METRIC_DEFAULT: that of the networks */
    rg_ensemble ensembles[RG_ENSEMBLES_MAX]; /* n_ensembles of them, each once */
    size_t n_ensembles;
} rg_experiment_info;

/* Read an experiment file and the network files that it names. overrides: n texts KEY=VALUE, each
 * laid over the file in turn: KEY a path of keys such as training.lr, VALUE as it would stand in
 * the file. out: owned (rg_experiment_free), untouched on failure. Cost: some microseconds for
 * every key of every configuration. RG_EDATA with file, line and column, and the choices that led
 * there; RG_EUSAGE (an override that is none), RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_experiment_read(rg_experiment **out, const char *path,
                                                  const char *const *overrides, size_t n_overrides,
                                                  rg_error *err);
/* The same from n bytes of text. `name` stands for the file in messages. Network files are refused,
 * and a file of splits is not looked for. */
RG_API RG_MUST_CHECK rg_status rg_experiment_parse(rg_experiment **out, const char *name,
                                                   const char *text, size_t n,
                                                   const char *const *overrides, size_t n_overrides,
                                                   rg_error *err);
RG_API void rg_experiment_free(rg_experiment *experiment); /* NULL is fine */

RG_API const rg_experiment_info *rg_experiment_describe(const rg_experiment *experiment); /* O(1) */

/* The splits of an experiment for its data, by the rule at rg_experiment_info; not checked.
 * out: owned (rg_splits_free). *path: the file, owned (rg_text_free), NULL: they were made. Both
 * untouched on failure. RG_EDATA, RG_EIO, RG_EUSAGE (rg_splits_make), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_experiment_splits(rg_splits **out, char **path,
                                                    const rg_experiment *experiment,
                                                    const rg_items *items, rg_error *err);

/* The recipe of a configuration: the text of a network file in normal form (rg_recipe_parse), or of
 * a baseline, which begins "model: NAME". Borrowed. Configurations are numbered from 0, the first
 * list slowest. */
RG_API const char *rg_experiment_recipe(const rg_experiment *experiment, size_t configuration);
/* The name of a list: "network", "model", "labels.wl", "lr", "schedule.factor", or a variable.
 * Borrowed. */
RG_API const char *rg_experiment_axis(const rg_experiment *experiment, size_t axis);
/* What a configuration has chosen from a list, for tables: "lr=0.05"; "" if the list is one of
 * another model. In one line. Borrowed. */
RG_API const char *rg_experiment_choice(const rg_experiment *experiment, size_t configuration,
                                        size_t axis);

/* The whole experiment as one file in normal form, networks included: rg_experiment_parse reads it
 * back as an equal experiment. Borrowed. */
RG_API const char *rg_experiment_text(const rg_experiment *experiment);
/* SHA-256 over all that results depend on: everything but `name`, `keep`, and the directory of the
 * file of splits. What the data and the file of splits hold is not in it. */
RG_API void rg_experiment_digest(const rg_experiment *experiment, char out[RG_DIGEST_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
