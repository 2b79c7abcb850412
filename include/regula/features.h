/* features.h - rule keys as features of graphs: how often each key of some rules occurs.
 *
 * A rule gives pairs of nodes keys ("a carbon and a nitrogen three bonds away"); counted over a graph
 * they are a row of numbers that any other model can learn from. A rule without j, such as
 * "share wl(i)", counts nodes. Labels and keys are those of the graphs of the fit; keys that did not
 * occur there are not counted. Nothing depends on the order of nodes or on the number of threads. */
#ifndef REGULA_FEATURES_H
#define REGULA_FEATURES_H

#include "rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_rule_features rg_rule_features; /* never changes; any thread may use it */

/* Begins as RG_RULE_FEATURES_OPTIONS_INIT. Texts are copied. */
typedef struct rg_rule_features_options {
    size_t size; /* sizeof(rg_rule_features_options): RG_RULE_FEATURES_OPTIONS_INIT sets it */
    const char *const *rules; /* n_rules, at least one */
    size_t n_rules;
    const char *const *label_names; /* n_labels: what rules call a labeling */
    const char *const *label_specs; /* and what it is ("wl(depth=2)") */
    size_t n_labels;
    const uint32_t *graphs; /* of the fit; NULL: all */
    size_t n_graphs;
    uint32_t support;   /* graphs of the fit that must have a key; 0 is 1 */
    unsigned n_threads; /* 0: all processors */
    const char *cache;  /* directory of counts (rg_label_cache_directory); NULL: none */
} rg_rule_features_options;

#define RG_RULE_FEATURES_OPTIONS_INIT RG_OPTIONS(rg_rule_features_options, .support = 1)
RG_OPTIONS_FUNCTIONS(rg_rule_features_options)

/* out: owned (rg_rule_features_free), untouched on failure. Cost: that of labels and rules. RG_EUSAGE (a
 * rule or labeling with a mistake, and where), RG_EDATA (the data lack what they ask for), RG_EFAIL (too
 * large), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_rule_features_fit(rg_rule_features **out, const rg_dataset *data,
                                                    const rg_rule_features_options *options,
                                                    rg_error *err);
RG_API void rg_rule_features_free(rg_rule_features *features); /* NULL is fine */

RG_API size_t rg_rule_features_size(const rg_rule_features *features); /* columns */
/* Which rule column k < size comes from, and its key: rg_rule_features_width numbers as those of
 * rg_rule_keys_data. Borrowed. */
RG_API size_t rg_rule_features_rule(const rg_rule_features *features, size_t column);
RG_API const int64_t *rg_rule_features_key(const rg_rule_features *features, size_t column);
RG_API size_t rg_rule_features_width(const rg_rule_features *features, size_t column);
/* Column k in words, such as "a carbon, from a nitrogen 3 bonds away". *out: owned (rg_text_free).
 * RG_EUSAGE (no such column), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_rule_features_name(char **out, const rg_rule_features *features,
                                                     size_t column, rg_error *err);

/* Counts in compressed sparse rows: those of row r are entries row[r] .. row[r + 1] - 1, columns
 * ascending. Owned (rg_count_matrix_free). */
typedef struct rg_count_matrix {
    size_t n_rows, n_cols;
    uint64_t *row;   /* n_rows + 1 */
    uint32_t *col;   /* row[n_rows] */
    uint32_t *count; /* row[n_rows], all above 0 */
} rg_count_matrix;

/* A row per graph of the data, which may be others than those of the fit. out: untouched on failure.
 * Cost: that of labels and rules. As rg_rule_features_fit. */
RG_API RG_MUST_CHECK rg_status rg_rule_features_count(rg_count_matrix **out,
                                                      const rg_rule_features *features,
                                                      const rg_dataset *data, rg_error *err);
/* Into a file that ends with .npz (for scipy.sparse.load_npz) or .svm (lines of LIBSVM; targets: one per
 * row, NaN: not known; NULL: 0 everywhere). The file appears whole or not at all. RG_EUSAGE (another
 * ending), RG_EFAIL (too large for .npz), RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_count_matrix_write(const rg_count_matrix *matrix,
                                                     const double *targets, const char *path,
                                                     rg_error *err);
RG_API void rg_count_matrix_free(rg_count_matrix *matrix); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
