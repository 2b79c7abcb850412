/* split.h - training, validation and test sets of graphs, or of samples of arrays, fold by fold. */
#ifndef REGULA_SPLIT_H
#define REGULA_SPLIT_H

#include "arrays.h"
#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ascending or not: graphs by their number in the set, from 0. Borrowed from the splits. */
typedef struct rg_part {
    const uint32_t *graphs; /* or samples */
    size_t n;
} rg_part;

typedef struct rg_fold {
    rg_part train, validation, test;
} rg_fold;

typedef struct rg_splits rg_splits;

RG_API void rg_splits_free(rg_splits *splits);
RG_API size_t rg_splits_n_folds(const rg_splits *splits);
RG_API rg_fold rg_splits_fold(const rg_splits *splits, size_t fold); /* fold < n_folds */

/* Read the JSON of fold lists: [{"test": [...], "model_selection": [{"train": [...],
 * "validation": [...]}]}, ...], no other keys, one entry in model_selection. out: owned, untouched
 * on failure. Numbers are checked for type only; rg_splits_check does the rest. At most 64 MiB and
 * 2^23 numbers. RG_EDATA with file, line and column for the syntax, and a path ("fold 3,
 * model_selection[0].train[17]: found ..., expected ...", from 0) for the content; RG_EIO,
 * RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_splits_read(rg_splits **out, const char *path, rg_error *err);
/* Write them, byte for byte the same each time, whole or not at all; one line without a newline, as
 * Python's json.dump does, so that published files come out as they were. RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_splits_write(const rg_splits *splits, const char *path,
                                               rg_error *err);

typedef struct rg_split_options {
    size_t size; /* sizeof(rg_split_options): RG_SPLIT_OPTIONS_INIT sets it */
    uint64_t seed;
    size_t n_folds;    /* k of k-fold, 10; 1: hold-out */
    double test;       /* hold-out: fraction for the test set, 0 < test < 1; 0.1 */
    double validation; /* fraction of the graphs outside the test set, 0 <= validation < 1; 0.1 */
    int stratified;    /* keep the proportions of the classes of column 0; 1 */
} rg_split_options;

#define RG_SPLIT_OPTIONS_INIT \
    RG_OPTIONS(rg_split_options, .n_folds = 10, .test = 0.1, .validation = 0.1, .stratified = 1)
RG_OPTIONS_FUNCTIONS(rg_split_options)
RG_API RG_MUST_CHECK rg_status rg_split_options_check(const rg_split_options *options,
                                                      rg_error *err);

/* Masks of nodes (RG_NODE_MASK) called train, validation and test (or train_mask, valid, val_mask, ...) are
 * a split that lies inside of the graphs: where targets are those of nodes, training and evaluation
 * count the nodes of their part alone. Not 0: the set has such masks, or three without names. */
RG_API int rg_dataset_has_parts(const rg_dataset *data);
/* Nodes of the part "train", "validation" or "test"; 0: no such mask. O(nodes). */
RG_API size_t rg_dataset_part_size(const rg_dataset *data, const char *part);
/* One fold, whose parts are the graphs that have nodes in them; a graph may be in all three. out: owned,
 * untouched on failure. O(nodes). RG_EDATA (no masks), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_splits_from_masks(rg_splits **out, const rg_dataset *data,
                                                    rg_error *err);

/* Make splits from a seed. Same options, same number of graphs and classes: same splits.
 * out: owned, untouched on failure. options: NULL for the defaults. Numbers ascend in every part.
 * k folds: the test sets of any two folds differ by one graph at most, and so does every class in
 * them. Hold-out and validation: the number of graphs is the part asked for, rounded, at least one
 * where two are there to be parted; each class has its proportion of them, rounded down or up.
 * Graphs whose class is not known count as a class. Cost: O(folds * (graphs + classes log
 * classes)). RG_EUSAGE (e.g. more folds than graphs; stratified without classes), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_splits_make(rg_splits **out, const rg_dataset *data,
                                              const rg_split_options *options, rg_error *err);

/* The items to split: n of them, with their classes if known. All borrowed. */
typedef struct rg_items {
    const char *name; /* of the set, for messages */
    const char *word; /* for one item: "graph", "sample" */
    size_t n;
    const uint32_t *classes; /* ranks, or RG_NO_CLASS; NULL: there are none */
    size_t n_classes;
} rg_items;

/* By the classes of column 0. O(1). */
RG_API rg_items rg_dataset_items(const rg_dataset *data);
RG_API rg_items rg_arrays_items(const rg_arrays *arrays);

/* The same as rg_splits_make and rg_splits_check, for any items. */
RG_API RG_MUST_CHECK rg_status rg_splits_make_for(rg_splits **out, const rg_items *items,
                                                  const rg_split_options *options, rg_error *err);

/* Splits that keep groups together: group[i] < n_groups is that of item i, and none is empty. Seed
 * 0: the largest groups first (DeepChem's scaffold split): each goes into the training set while that
 * has room, else into the validation set, else into the test set. Other seeds: in random order, with
 * groups that would fill half of the validation or test set in the training set. Classes are not
 * looked at. out: owned, untouched on failure. RG_EUSAGE (fewer groups than folds), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_splits_make_groups(rg_splits **out, const rg_items *items,
                                                     const uint32_t *group, size_t n_groups,
                                                     const rg_split_options *options,
                                                     rg_error *err);

/* Findings of a check that are warnings, not errors. */
typedef struct rg_split_report {
    size_t size; /* sizeof(rg_split_report): RG_SPLIT_REPORT_INIT sets it */
    size_t n_folds;
    size_t validation_is_test; /* folds whose validation set equals their test set */
    size_t empty_validation;   /* folds without a validation set */
    size_t untested;           /* graphs in no test set */
    size_t unused;             /* (graph, fold) pairs in which the graph is in no part */
    size_t missing_classes;    /* (class, fold) pairs in which the training set lacks the class */
} rg_split_report;
#define RG_SPLIT_REPORT_INIT RG_SIZED(rg_split_report)

/* Every number in range; in no fold twice in a part, nor in two parts (validation = test as a
 * whole, in any order, is reported, not refused); train and test sets not empty; with several
 * folds no graph in two test sets, and every graph in one. out: untouched on failure. `path` names
 * the file in messages (NULL: "splits"). Cost: O(numbers + folds * classes). RG_EDATA, RG_ENOMEM.
 */
RG_API RG_MUST_CHECK rg_status rg_splits_check(rg_split_report *out, const rg_splits *splits,
                                               const rg_dataset *data, const char *path,
                                               rg_error *err);

RG_API RG_MUST_CHECK rg_status rg_splits_check_for(rg_split_report *out, const rg_splits *splits,
                                                   const rg_items *items, const char *path,
                                                   rg_error *err);

/* SHA-256 of the parts in order: fold by fold test, train, validation, each with its length. */
RG_API void rg_splits_digest(const rg_splits *splits, char out[RG_DIGEST_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
