/* model.h - train networks, save them, and predict on new data.
 * Data flow: layer -> NETWORK -> TRAIN -> experiment.
 *
 * A recipe is what a network file says (docs/networks.md): labels, rules, layers, training. Trained
 * on data it becomes a model: everything that is needed to predict on other graphs, in one file. */
#ifndef REGULA_MODEL_H
#define REGULA_MODEL_H

#include "arrays.h"
#include "metric.h"
#include "rule.h"
#include "split.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_recipe rg_recipe; /* never changes; any thread may use it */
typedef struct rg_model rg_model;

/* Samples: exactly one of the two is not NULL. Borrowed. Final: the fields will not change. */
typedef struct rg_source {
    const rg_dataset *graphs;
    const rg_arrays *arrays;
} rg_source;

/* ---- recipes */

/* out: owned (rg_recipe_free), untouched on failure. name: stands for the file in messages.
 * RG_EDATA with line and column, RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_recipe_read(rg_recipe **out, const char *path, rg_error *err);
RG_API RG_MUST_CHECK rg_status rg_recipe_parse(rg_recipe **out, const char *name, const char *text,
                                               size_t n, rg_error *err);
RG_API void rg_recipe_free(rg_recipe *recipe); /* NULL is fine */
/* The normal form: a file that reads back as an equal recipe. Borrowed. */
RG_API const char *rg_recipe_text(const rg_recipe *recipe);
RG_API uint32_t rg_recipe_epochs(const rg_recipe *recipe);  /* the maximum */
RG_API rg_metric rg_recipe_metric(const rg_recipe *recipe); /* as the file says it: AUTO may be */

/* ---- training */

/* Result of one epoch of one run. Final: the fields will not change. Scores are of the `metric` of the training; by default accuracies, 0 .. 1, or for
 * real values mean absolute errors. NaN: there is no such set, or the metric is not defined on it. */
typedef struct rg_epoch {
    uint32_t number; /* from 1 */
    double lr;
    double train_loss, train_score; /* measured while the weights change */
    double validation_loss, validation_score;
} rg_epoch;

/* The result of a run, with the weights of its best epoch. Final. */
typedef struct rg_run {
    uint32_t number;     /* of the run, from 0 */
    uint32_t epochs;     /* done before it stopped */
    uint32_t best_epoch; /* from 1; 0: none, the loss was NaN from the start */
    int stopped;         /* before the last epoch: by patience, or because the loss was NaN */
    int failed;          /* the loss was NaN or infinite */
    double train_loss, train_score, validation_loss, validation_score, test_loss, test_score;
} rg_run;

#define RG_RUNS_MAX 8 /* trained at once */

/* Progress of the training, after every epoch. */
typedef struct rg_train_state {
    uint32_t epoch, epochs; /* done, and at most */
    uint32_t best_epoch;    /* of the best run so far */
    const rg_epoch *last;   /* n_runs of them, borrowed */
    size_t n_runs;
    int errors;       /* lower scores are better */
    double seconds;   /* in epochs so far */
    rg_metric metric; /* of the scores */
} rg_train_state;

/* What became of the weights of a layer where a model of other data is the start: of a rule, of its bias rule,
 * or of weights and biases that no rule has. Texts are borrowed. Final: the fields will not change. */
typedef struct rg_start_part {
    size_t layer;      /* of the network file, from 0 */
    const char *kind;  /* "rule", "aggregate", "dense", ... */
    const char *what;  /* the rule, "weights" or "bias" */
    uint64_t n, taken; /* keys of a rule, else numbers: in all, and with the values of the model */
    const char *why;   /* why none was taken; NULL: some were */
} rg_start_part;

typedef struct rg_train_options {
    size_t size;    /* sizeof(rg_train_options): RG_TRAIN_OPTIONS_INIT sets it */
    uint64_t seed;  /* of the order of the samples, and with the number of a run of its rest; 1 */
    uint32_t lanes; /* runs that train at once: 1, 4 or 8; 1 */
    uint32_t first_run; /* run of the first lane; 0 */
    unsigned
        n_threads;     /* for labels and tables; 0: all processors. The bits are the same for any */
    rg_cpu cpu;        /* refused if the processor does not have it; RG_CPU_AUTO */
    uint64_t memory;   /* bytes that tables may take together with all else; 0: any */
    int fit_on_train;  /* vocabularies from the training set alone, not from all graphs; 0 */
    const char *cache; /* directory of counts to use again (label.h); NULL: none */
    /* Where the state of the run is kept while it trains; NULL: nowhere. It is written every
     * checkpoint_seconds, and when progress asks to stop; the caller removes it when the model is
     * safe. resume: go on from what is there (nothing there: begin). */
    const char *checkpoint;
    double checkpoint_seconds; /* 30 */
    int resume;
    /* May be NULL. building: labels and tables, part done 0 .. 1. progress: after every epoch; not
     * 0: stop here. Both from the calling thread. */
    void (*building)(void *context, double done);
    int (*progress)(void *context, const rg_train_state *state);
    void *context;
    /* May be NULL. Asked from the calling thread, at least every 100 ms; not 0: stop at once, inside of
     * an epoch, too. The model then has the weights of the best epoch so far, with its scores; before the
     * first epoch is done: RG_EFAIL. */
    int (*cancel)(void *context);
    void *cancel_context;
    rg_metric metric; /* in place of that of the recipe; RG_METRIC_DEFAULT: that of the recipe */
    /* Tables of pairs by the names that the network file gives them, in place of its files, with
     * is_table and pairs set. Copied, and kept by the model. */
    const rg_rule_labeling *tables;
    size_t n_tables;
    /* A model to start from, of these or other data; NULL: none. Weights with the same meaning are taken: keys
     * are compared by what their labels and properties say, labels and classes of data files by their names, those
     * of data and model and the ones given here (n_names, n_start_names of them); all others start as without.
     * start_same_values: values without a name mean the same in both data sets. Borrowed until training returns.
     * started: told what was taken, before the first epoch. */
    const rg_model *start;
    int start_same_values;
    const rg_value_name *names, *start_names; /* of the data; of those of the model */
    size_t n_names, n_start_names;
    void (*started)(void *context, const rg_start_part *parts, size_t n);
    void *started_context;
} rg_train_options;

#define RG_TRAIN_OPTIONS_INIT \
    RG_OPTIONS(rg_train_options, .seed = 1, .lanes = 1, .checkpoint_seconds = 30)
RG_OPTIONS_FUNCTIONS(rg_train_options)

typedef struct rg_train_report {
    size_t size; /* sizeof(rg_train_report): RG_TRAIN_REPORT_INIT sets it */
    rg_run runs[RG_RUNS_MAX];
    size_t n_runs;
    size_t best;          /* the run whose weights the model has: best on the validation set */
    uint32_t epochs;      /* trained by this call and by those that it resumed */
    int interrupted;      /* progress or cancel asked to stop: the model has the weights so far */
    double build_seconds; /* until the first epoch began */
    double seconds;       /* in epochs, this call's */
    double seconds_per_epoch;  /* of all lanes together: per model it is this / n_runs */
    uint64_t connections;      /* of the rules from nodes to nodes */
    uint64_t weights_possible; /* keys of these rules that labels and properties allow */
    uint64_t weights_used;     /* of them occur */
    uint64_t parameters;       /* of the whole model */
    uint64_t table_bytes;
    rg_metric metric; /* of the scores */
    double
        majority; /* part of the training targets that are of the most frequent class of their column; NaN: real
                         values */
} rg_train_report;
#define RG_TRAIN_REPORT_INIT RG_SIZED(rg_train_report)

/* Train a recipe on one fold; validation and test may be empty. out: owned (rg_model_free). report:
 * may be NULL. Both untouched on failure. The same inputs give the same bytes of model for any
 * number of threads, any memory and any processor; lane l has the bits of run first_run + l alone.
 * Cost of an epoch: a few operations for every connection and parameter; nothing is allocated in
 * it, unless tables are over the memory. RG_EDATA (the recipe does not fit the data), RG_EUSAGE,
 * RG_EFAIL (the loss is no number; a checkpoint of another run), RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_model_train(rg_model **out, rg_train_report *report,
                                              const rg_recipe *recipe, const rg_source *source,
                                              const rg_fold *fold, const rg_train_options *options,
                                              rg_error *err);

/* ---- models */

RG_API void rg_model_free(rg_model *model); /* NULL is fine */

/* Warning k, from 0, about how the model was fitted: of labels that hardly repeat (rg_labeling_warning), with their name.
 * 1 and the text, or 0: there are not so many. O(labels). */
RG_API int rg_model_warning(char *text, size_t size, const rg_model *model, size_t k);

/* Files are whole or not there; reading checks every byte. Files that this version writes are read
 * by every later one. RG_EDATA (damaged, or of a newer format), RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_model_save(rg_model *model, const char *path, rg_error *err);
RG_API RG_MUST_CHECK rg_status rg_model_load(rg_model **out, const char *path, rg_error *err);

/* Several networks as one model, which answers with the mean of their probabilities, or values: predictions, scores and
 * pruning take it like any other. members: n of them, n_runs after another being runs of one configuration; moved on
 * success. weights: [n / n_runs] of the configurations, together 1; NULL: all the same. out: owned (rg_model_free).
 * RG_EUSAGE (no whole number of configurations), RG_EDATA (other tasks, targets or classes; weights that are none),
 * RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_model_combine(rg_model **out, rg_model *const *members, size_t n,
                                                uint32_t n_runs, const double *weights,
                                                rg_error *err);
/* Puts network k of a model, from 0, in its place; the others are freed. Explanations are of one network.
 * RG_EUSAGE: there is no such network. */
RG_API RG_MUST_CHECK rg_status rg_model_select(rg_model **model, size_t k, rg_error *err);

/* Gives a model numbers for the samples of other data than it was trained on, for predictions on that
 * data: a table that is for single samples answers for no others. Copied. Not while the model is asked by
 * another thread. RG_EUSAGE (no such table), RG_EDATA (more samples than the data), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_model_set_table(rg_model *model, const char *name,
                                                  const rg_pair_table *table,
                                                  const rg_source *source, rg_error *err);

typedef enum rg_model_task {
    RG_MODEL_CLASSES,    /* one class per sample */
    RG_MODEL_VALUES,     /* real values */
    RG_MODEL_MULTILABEL, /* several yes-or-no answers */
    RG_MODEL_NODES,      /* one class per node */
    RG_MODEL_NODE_VALUES /* real values of every node */
} rg_model_task;

typedef struct rg_model_info {
    size_t size; /* sizeof(rg_model_info): RG_MODEL_INFO_INIT sets it */
    rg_model_task task;
    int arrays;         /* on arrays, else on graphs */
    uint32_t n_outputs; /* classes; answers or values */
    uint64_t n_parameters;
    const char *network;  /* the network file in normal form, without training */
    const char *training; /* its training */
    const char *record;   /* result of the training: a JSON object */
    const char *digest;   /* of the file it came from or went to last; "": none */
    const char *version;  /* of regula that wrote the file; "": none */
    rg_sequence sequence; /* of words or letters, if it was trained on texts */
    uint32_t n_networks;  /* that answer together; network, training and record are of the first */
} rg_model_info;
#define RG_MODEL_INFO_INIT RG_SIZED(rg_model_info)

/* Texts are borrowed. Any number of threads may ask at once. RG_OK. */
RG_API RG_MUST_CHECK rg_status rg_model_describe(rg_model_info *out, const rg_model *model,
                                                 rg_error *err);
/* The value of class c as it stands in data files; c < n_outputs. RG_MODEL_MULTILABEL: of "yes" in
 * column c. */
RG_API int64_t rg_model_class(const rg_model *model, uint32_t c);
/* The name of output c where the data of the training had one: of class c, or of the column of answer
 * or value c; c < n_outputs. NULL: none. Borrowed. O(names). */
RG_API const char *rg_model_output_name(const rg_model *model, uint32_t c);
/* Names of the values of labels and classes in the data of the training, "C" for 6, by kind, column
 * and value; *n of them. As `known` of rg_graph_arrays they give texts in other data the values that
 * the model knows. Names that are not printable UTF-8 are not kept, and none if all of them take more
 * than 1 MiB. NULL: there are none. Borrowed. O(1). */
RG_API const rg_value_name *rg_model_value_names(const rg_model *model, size_t *n);

/* How much of a rule is left in a model: of its keys, those that have a weight that is not zero. Pruning and the
 * setting `lasso` take weights away. Final: the fields will not change. */
typedef struct rg_rule_left {
    size_t layer;     /* of the network file, from 0 */
    const char *kind; /* "rule", "aggregate" */
    const char *rule; /* in normal form. Borrowed from the model */
    uint64_t keys, left;
    double norm; /* of its weights: the root of the sum of their squares */
} rg_rule_left;
/* The rules of all layers in order, without those that share the weights of others; k < rg_model_n_rules.
 * O(weights). RG_EUSAGE (there is no rule k). */
RG_API size_t rg_model_n_rules(const rg_model *model);
RG_API RG_MUST_CHECK rg_status rg_model_rule_left(rg_rule_left *out, const rg_model *model,
                                                  size_t k, rg_error *err);

/* The prediction for one sample. Borrowed: valid until the callback returns. */
typedef struct rg_prediction {
    size_t sample;
    size_t n_rows;               /* 1; RG_MODEL_NODES: nodes */
    size_t n_outputs;            /* numbers per row */
    const double *outputs;       /* [row][output], as they leave the network */
    const double *probabilities; /* the same as probabilities; NULL for real values */
    const uint32_t *classes; /* [row]: the most probable, by number; NULL for values and answers */
    const double *embedding; /* [row][n_embedding]; NULL: not asked for */
    size_t n_embedding;
    size_t n_nodes;  /* of the sample; of arrays 0 */
    size_t n_unseen; /* of them, with a label that training never saw */
    /* What the model had not seen in training, as rg_predict_report counts it, in this sample. */
    uint64_t unknown_labels, unseen_labels, unseen_pairs;
} rg_prediction;

typedef struct rg_predict_options {
    size_t size; /* sizeof(rg_predict_options): RG_PREDICT_OPTIONS_INIT sets it */
    unsigned n_threads;
    uint64_t memory;         /* bytes that tables may take; 0: any */
    rg_cpu cpu;              /* as for training */
    int embed;               /* the vector that goes into the last layer: docs/networks.md */
    const uint32_t *samples; /* those wanted, in this order; NULL: all */
    size_t n_samples;
    const char *cache;
    void (*progress)(void *context, double done); /* may be NULL */
    void *progress_context;
    /* May be NULL. Asked from the calling thread, at least every 100 ms, while labels and tables are made,
     * too; not 0: stop, RG_EFAIL. */
    int (*cancel)(void *context);
    void *cancel_context;
    /* Scores of nodes are those of one part of the masks that the data have (rg_splits_from_masks): "train",
     * "validation" or "test"; NULL: of all nodes. Predictions are for all nodes anyway. */
    const char *part;
} rg_predict_options;

#define RG_PREDICT_OPTIONS_INIT RG_OPTIONS(rg_predict_options, .n_threads = 0)
RG_OPTIONS_FUNCTIONS(rg_predict_options)

/* Labels and pairs in the data that did not occur in training. Final: the fields will not change. */
typedef struct rg_predict_report {
    uint64_t n_nodes;
    uint64_t unknown_labels; /* nodes whose label in the file was new: their input is 0 */
    uint64_t unseen_labels;  /* nodes with the label "unseen" of some labeling */
    uint64_t unseen_pairs;   /* pairs whose key has no weight: not connected */
} rg_predict_report;

/* Calls back for one sample after another; a status that is not RG_OK ends it and is returned.
 * options: NULL for the defaults. report: may be NULL. RG_EDATA (data of another kind than the
 * model was trained on), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status
rg_model_predict(const rg_model *model, const rg_source *source, const rg_predict_options *options,
                 rg_status (*each)(void *context, const rg_prediction *prediction, rg_error *err),
                 void *context, rg_predict_report *report, rg_error *err);

/* Predictions into arrays of the caller. An array that is NULL is not wanted; each has room for
 * n_rows rows: one for every sample asked for (RG_MODEL_NODES: for every node of theirs), in their
 * order. */
typedef struct rg_prediction_arrays {
    size_t size;           /* sizeof(rg_prediction_arrays): RG_PREDICTION_ARRAYS_INIT sets it */
    size_t n_rows;         /* room of every array; afterwards: rows that were written */
    double *outputs;       /* [row][n_outputs of rg_model_describe] */
    double *probabilities; /* the same; untouched for real values */
    uint32_t *classes;     /* [row]: by number; untouched for values and answers */
    double *embedding;     /* [row][n_embedding] */
    size_t n_embedding;    /* room of a row; afterwards: numbers in a row */
    uint64_t *first_rows;  /* [sample + 1]: RG_MODEL_NODES: first row of each sample and the end */
} rg_prediction_arrays;

#define RG_PREDICTION_ARRAYS_INIT RG_SIZED(rg_prediction_arrays)

/* Numbers in a row of embeddings (docs/networks.md). RG_EUSAGE: the network has none. */
RG_API RG_MUST_CHECK rg_status rg_model_embedding_size(size_t *out, const rg_model *model,
                                                       rg_error *err);

/* As rg_model_predict; `embed` of the options does not count. What the arrays held is lost on
 * failure; out->n_rows and n_embedding are set on success alone. RG_EUSAGE (arrays too small for
 * the samples), RG_EFAIL (stopped), RG_EDATA, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_model_predict_arrays(rg_prediction_arrays *out,
                                                       const rg_model *model,
                                                       const rg_source *source,
                                                       const rg_predict_options *options,
                                                       rg_predict_report *report, rg_error *err);

#define RG_SCORES_MAX 64 /* classes, answers or values with figures of their own */

/* Figures of one class, answer or value. Final. */
typedef struct rg_output_score {
    uint64_t n;               /* samples or nodes with a target (classes: of this class) */
    double precision, recall; /* classes and answers; NaN: none predicted, or none there */
    double auc;           /* area under the ROC curve, this class against the rest; NaN: one kind */
    double mae, rmse, r2; /* values */
    double average_precision; /* classes, each against the rest, and answers */
} rg_output_score;

typedef struct rg_evaluation {
    size_t size; /* sizeof(rg_evaluation): RG_EVALUATION_INIT sets it */
    uint64_t n;  /* samples, or nodes, with a target */
    double loss; /* that the model was trained with, the mean over targets without class weights */
    double accuracy;  /* NaN for values */
    double majority;  /* accuracy of always predicting the most frequent class; NaN for values */
    double auc;       /* mean over classes or answers that have one */
    double mae, rmse; /* over all values; NaN for others */
    size_t n_outputs;
    rg_output_score outputs[RG_SCORES_MAX];           /* the first ones, if there are more */
    uint64_t confusion[RG_SCORES_MAX][RG_SCORES_MAX]; /* [true][predicted], if n_outputs fits */
    rg_predict_report report;
    rg_metric metric; /* that the model was trained by, as it was chosen if that was `auto` */
    double scores
        [RG_METRICS]; /* of each metric; NaN: it does not fit the task, or is not defined here */
} rg_evaluation;
#define RG_EVALUATION_INIT RG_SIZED(rg_evaluation)

/* Scores a model on data with targets. options: NULL for the defaults; `embed` does not count. As
 * rg_model_predict; RG_EDATA also if there are no targets, or classes that the model does not know.
 */
RG_API RG_MUST_CHECK rg_status rg_model_evaluate(rg_evaluation *out, const rg_model *model,
                                                 const rg_source *source,
                                                 const rg_predict_options *options, rg_error *err);

/* ---- pruning */

/* One point of accuracy against size. Final. */
typedef struct rg_prune_point {
    double part;        /* of the weights of rules and dense layers that are gone */
    uint64_t weights;   /* that are left */
    double limit;       /* the largest size of those that are gone */
    double loss, score; /* on the samples asked of: accuracy, or mean absolute error */
} rg_prune_point;

/* The effect of dropping the weights of smallest size: for each of n parts in ascending order the
 * score on `source` (with options->samples: on those). The model stays as it is. */
RG_API RG_MUST_CHECK rg_status rg_model_prune_curve(rg_prune_point *points, const double *parts,
                                                    size_t n, const rg_model *model,
                                                    const rg_source *source,
                                                    const rg_predict_options *options,
                                                    rg_error *err);
/* Drops a part of the weights for good: they become zero, and keys without weights leave the model,
 * which predicts the same as with zeros. 0 <= part < 1. *left: weights that are left; may be NULL.
 * On failure the model is as it was. RG_EUSAGE, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_model_prune(rg_model *model, double part, uint64_t *left,
                                              rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
