/* label.h - one small integer per node.  Data flow: dataset -> LABELS -> rule.
 *
 * A labeling is written as a spec, for example
 *     wl(depth=2, from=degree, max=500)      cycles(kind=induced, max=5)      combine(node, degree)
 * (docs/labels.md has all of them). Fitting it on graphs collects a vocabulary: which keys occur,
 * and their numbers. Applying it gives every node of any graph, seen or not, the number of its key.
 * Keys are compared in full, so two nodes share a label if and only if the definition says so.
 *
 * Labels are numbered by how often they occur in the graphs of the fit, the most frequent first,
 * ties by key; so neither the order of nodes nor that of graphs matters. After them come, where
 * they apply, the label "other" (keys beyond max=L), the labels of smaller depths (unseen=backoff),
 * and always last the label "unseen". */
#ifndef REGULA_LABEL_H
#define REGULA_LABEL_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_labeling rg_labeling; /* fitted; never changes; any thread may use it */
typedef struct rg_labels rg_labels;     /* of the nodes of one data set; never changes */

typedef struct rg_label_options {
    size_t size;        /* sizeof(rg_label_options): RG_LABEL_OPTIONS_INIT sets it */
    unsigned n_threads; /* 0: all processors; the result is the same for any number */
    uint64_t budget;    /* fit: steps that counting in one graph may take before it is capped. The
                           labeling keeps it, and applying it goes by what was kept */
    const char *cache;  /* directory of counts to use again, made if need be; NULL: none. What is
                           damaged there is counted again, and what cannot be written is left out */
    /* May be NULL. Called from the calling thread: part done, 0 .. 1. */
    void (*progress)(void *context, double done);
    void *progress_context;
    /* May be NULL. Asked from the calling thread, at least every 100 ms; not 0: stop, RG_EFAIL. */
    int (*cancel)(void *context);
    void *cancel_context;
} rg_label_options;

#define RG_LABEL_OPTIONS_INIT RG_OPTIONS(rg_label_options, .budget = (uint64_t)1 << 30)
RG_OPTIONS_FUNCTIONS(rg_label_options)

/* Where results are kept unless told: $XDG_CACHE_HOME/regula/labels, else ~/.cache/regula/labels.
 * Owned (rg_text_free). RG_EFAIL if the environment does not tell, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_label_cache_directory(char **out, rg_error *err);

/* Parse a spec only; *normal, if asked for, is its normal form with all defaults. Owned
 * (rg_text_free). RG_EUSAGE with the column, RG_EDATA (a pattern's file), RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_labeling_check(char **normal, const char *spec, rg_error *err);

/* Fit on graphs[0 .. n_graphs-1] of data (graphs NULL: on all). labels, if not NULL, gets the
 * labels of all graphs of data, as rg_labeling_apply would give them but without counting twice.
 * out, *labels: owned (rg_labeling_free, rg_labels_free), untouched on failure. options: NULL for
 * the defaults. RG_EUSAGE (spec), RG_EDATA (the set lacks what the spec needs), RG_EIO (a file that
 * the spec names), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_labeling_fit(rg_labeling **out, rg_labels **labels,
                                               const char *spec, const rg_dataset *data,
                                               const uint32_t *graphs, size_t n_graphs,
                                               const rg_label_options *options, rg_error *err);
RG_API void rg_labeling_free(rg_labeling *labeling);

/* Apply to every graph of any set, with the budget of the fit: another one would make other keys.
 * out: owned (rg_labels_free), untouched on failure. Cost: O(arcs * depth) for wl, O(nodes + arcs)
 * and the counting itself for the others. RG_EDATA, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_labeling_apply(rg_labels **out, const rg_labeling *labeling,
                                                 const rg_dataset *data,
                                                 const rg_label_options *options, rg_error *err);
RG_API void rg_labels_free(rg_labels *labels);

/* The normal form of the spec. Borrowed. */
RG_API const char *rg_labeling_spec(const rg_labeling *labeling);
/* Steps that counting in one graph may take, as it was when the labeling was fitted. */
RG_API uint64_t rg_labeling_budget(const rg_labeling *labeling);
/* How many labels there are, "unseen" included: every label is below it. */
RG_API uint32_t rg_labeling_size(const rg_labeling *labeling);
/* How many of them stand for keys that occurred ("other" counts as one). */
RG_API uint32_t rg_labeling_seen(const rg_labeling *labeling);
/* The label of a key that never occurred: rg_labeling_size - 1. */
RG_API uint32_t rg_labeling_unseen(const rg_labeling *labeling);
/* Nodes of the fit with this label; 0 for labels of smaller depths and "unseen". */
RG_API uint64_t rg_labeling_count(const rg_labeling *labeling, uint32_t label);
/* Does more than half of the nodes of the fit (of 100 or more) have a label that no other node has, so that what is
 * learned about it tells nothing about others? Then 1, and a sentence in `text`: how many, and with which smaller depth or
 * which bound labels repeat. Else 0. O(labels). */
RG_API int rg_labeling_warning(char *text, size_t size, const rg_labeling *labeling);
/* What a label means, in words, into `text`: one line, always terminated, ending with "..." where
 * it does not fit. RG_EUSAGE if there is no such label. */
RG_API RG_MUST_CHECK rg_status rg_labeling_describe(char *text, size_t size,
                                                    const rg_labeling *labeling, uint32_t label,
                                                    rg_error *err);

#define RG_LABELING_MAGIC "RGLABEL1" /* how the bytes below begin */

/* As bytes, the same on every machine, and back (with every byte checked). bytes: owned
 * (rg_bytes_free); out: owned (rg_labeling_free). RG_EDATA (damaged bytes), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_labeling_encode(void **bytes, size_t *n,
                                                  const rg_labeling *labeling, rg_error *err);
RG_API RG_MUST_CHECK rg_status rg_labeling_decode(rg_labeling **out, const void *bytes, size_t n,
                                                  rg_error *err);
RG_API void rg_bytes_free(void *bytes);

/* Labels of all nodes of the set, graph after graph. Borrowed. */
RG_API const uint32_t *rg_labels_data(const rg_labels *labels);
RG_API uint64_t rg_labels_n_nodes(const rg_labels *labels);
/* Nodes with the label "unseen"; graphs in which a count was over the budget. */
RG_API uint64_t rg_labels_n_unseen(const rg_labels *labels);
RG_API size_t rg_labels_n_capped(const rg_labels *labels);

#ifdef __cplusplus
}
#endif

#endif
