/* labeling.h - the inside of a fitted labeling. */
#ifndef REGULA_LABEL_LABELING_H
#define REGULA_LABEL_LABELING_H

#include "base/pool.h"
#include "refine/power.h"
#include "regula/label.h"
#include "spec.h"
#include "vocabulary.h"

/* How numbers become labels:
 *     0 .. n_kept-1                  the keys of the last level, by frequency
 *     n_kept                         "other", if max=L leaves some out (then n_kept = L-1)
 *     backoff_start[d] ..            wl with unseen=backoff: keys of depth d, d = depth-1 .. 0
 *     size-1                         "unseen" */
struct rg_labeling {
    rg_label_spec *spec;
    bool owns_spec;      /* the outermost labeling owns the whole tree of specs */
    char *text;          /* the spec in normal form */
    uint64_t budget;     /* of the fit; the outermost labeling's is that of its parts too */
    rg_labeling **parts; /* spec->n_parts: what it is made from, fitted */
    rg_vocabulary **levels;
    size_t n_levels; /* wl: depth + 1; else 1 */
    double *bounds;  /* attribute: bin b holds bounds[b-1] <= value < bounds[b] */
    size_t n_bounds;
    uint32_t n_kept;
    bool has_other;
    uint32_t *backoff_start; /* n_levels - 1 of them, or NULL */
    uint32_t size;
};

struct rg_labels {
    uint64_t n_nodes, n_unseen;
    size_t n_capped;
    uint32_t data[];
};

/* A spec's tree without vocabularies. out: owned; spec is moved if `owns`, also on failure, and
 * kept otherwise. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_labeling_new(rg_labeling **out, rg_label_spec *spec, bool owns,
                                        rg_error *err);
/* After the levels are there: n_kept and all that follows. RG_EDATA if there are too many. */
RG_MUST_CHECK rg_status rg_labeling_number(rg_labeling *labeling, rg_error *err);

/* One set on its way through a labeling. */
typedef struct rg_label_frame {
    const rg_dataset *data;
    const bool *selected_graph; /* those of the fit; NULL: all, or nothing is fitted */
    const bool *selected_node;
    bool needed_only; /* the labels of other graphs are not asked for */
    const rg_label_options *options;
    rg_pool *pool;
    rg_cancel asked, *cancel;    /* the caller, who may want to stop */
    rg_count_space **spaces;     /* one per worker */
    bool *capped;                /* one per graph; only ever set */
    char digest[RG_DIGEST_SIZE]; /* of the data, if the cache needs it; else "" */
    size_t step, n_steps;        /* labelings of the tree: done, in all */
    uint32_t *rounds; /* [round][node]: numbers of wl after every round; NULL: not asked */
} rg_label_frame;

/* To be called by the items of a pool: passes on how far we are, from the calling thread only. */
void rg_frame_tell(const rg_label_frame *frame, unsigned worker, size_t index);

/* Numbers of the keys of one level; while fitting (fit is the labeling itself, else NULL) they are
 * collected first. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_level_number(uint32_t *numbers, const rg_labeling *labeling,
                                        rg_labeling *fit, size_t level, const rg_keys *keys,
                                        rg_error *err);
/* From a number of the last level to a label; RG_UNSEEN stays. */
uint32_t rg_labeling_top(const rg_labeling *labeling, uint32_t number);

/* The classes of all nodes after 0, 1, ... depth rounds of Weisfeiler-Leman refinement that starts
 * from labels which somebody else made: a number each, equal in a round where the keys are, and
 * below what sizes[round] becomes. Keys are those of all graphs: nothing is fitted. rounds:
 * [depth + 1][node]; sizes: [depth + 1]. RG_EDATA (no edge labels), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_wl_rounds(uint32_t *rounds, uint32_t *sizes, const uint32_t *from,
                                     uint32_t depth, bool edges, const rg_dataset *data,
                                     const rg_label_options *options, rg_error *err);

/* Labels of wl, with RG_UNSEEN where there is none. from: labels of the part. RG_EDATA (no edge
 * labels), RG_ENOMEM. */
#define RG_WL_EDGE_WORDS 3 /* of a neighbour in a key with edge labels */
RG_MUST_CHECK rg_status rg_wl_run(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                                  const rg_label_frame *frame, const uint32_t *from, rg_error *err);

/* Labels of a kind that looks at one graph at a time and gives its nodes keys on levels, as
 * refine/power.h describes: numbers of a graph become those of the vocabularies, level by level. A
 * node's key is the number of one of the level below, and node_words - 1 words more. from: labels
 * of the part. As rg_wl_run. */
typedef rg_status (*rg_levels_graph)(rg_power *out, const rg_power_task *task,
                                     const rg_label_spec *spec, rg_power_space *space,
                                     rg_error *err);
RG_MUST_CHECK rg_status rg_levels_run(uint32_t *labels, const rg_labeling *labeling,
                                      rg_labeling *fit, const rg_label_frame *frame,
                                      const uint32_t *from, rg_levels_graph keys_of,
                                      size_t node_words, rg_error *err);

/* The numbers from which a label that is no wl is made, out[node * dims + d], for all graphs (or
 * the needed ones; zero elsewhere, as it was before). part_labels: labels of the parts, for
 * combine. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_vectors_compute(int64_t *out, const rg_labeling *labeling,
                                           const rg_label_frame *frame,
                                           uint32_t *const *part_labels, rg_error *err);
/* The same of a labeling by its spec, nothing fitted, as numbers: how many, not which class. *out: [node][dims], owned
 * (rg_free), untouched on failure. RG_EUSAGE (a spec that counts nothing), RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_label_counts(double **out, const char *spec, const rg_dataset *data,
                                        const rg_label_options *options, rg_error *err);
/* Numbers per node of a spec that counts. RG_EUSAGE (it does not), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_label_counts_size(uint32_t *out, const char *spec, rg_error *err);
/* Words of int64 numbers that sort as the numbers do: two per number. */
void rg_words_from_int(uint32_t words[2], int64_t value);
int64_t rg_words_to_int(const uint32_t words[2]);

#endif
