/* samples.h - data as a network sees it: inputs, targets, and the tables of its rules.
 *
 * Tables lie in blocks, each with those of some samples. As many samples as the memory allows have
 * theirs for good; those of the others are built when a walk comes to them and thrown away behind
 * it. What a sample's tables hold does not depend on which block they are in, so results are the
 * same for any memory. */
#ifndef REGULA_NETWORK_SAMPLES_H
#define REGULA_NETWORK_SAMPLES_H

#include "base/pool.h"
#include "batch/colours.h"
#include "layer/tables.h"
#include "network.h"

#include <stdatomic.h>

#define RG_SIGNAL_UNKNOWN 1e300 /* of a node label that the network never saw */

typedef struct rg_samples {
    const rg_network *net; /* kept */
    rg_source source;      /* kept */
    size_t n;
    rg_precision precision;
    unsigned n_threads;
    rg_cancel *cancel;                     /* asked while labels and tables are made; may be NULL */
    rg_labels *labels[RG_SPEC_LABELS_MAX]; /* owned */
    rg_rule_labeling known[RG_SPEC_NAMES_MAX];
    size_t n_known;
    double *of_rank[RG_SPEC_SIGNALS_MAX]; /* owned: input of each rank of a column of labels */
    double *counts[RG_SPEC_SIGNALS_MAX];  /* owned: COUNT, [node of the set][channel] */
    bool has_targets;
    bool has_new_class; /* a sample has the class new_class, which the network does not know */
    int64_t new_class;
    uint32_t
        *classes;  /* owned: [sample] or, for nodes, [node of the set]; RG_NO_CLASS: not known */
    double *reals; /* owned: [sample][n_targets], NaN: not known */
    rg_table_block **blocks; /* owned */
    size_t n_blocks;
    uint32_t *block_of, *place_of; /* [sample]; block_of RG_NO_BLOCK: none */
    rg_table_block *shared;        /* arrays: the tables that are the same for all samples */
    rg_features *features; /* owned: inputs of a network on batches, and one-hot ones; else NULL */
    rg_colouring *colouring; /* owned: nodes that such a network cannot tell apart */
    bool sparse;             /* blocks have sparse rows in place of the input */
    size_t most_sparse;      /* their entries in a sample at most */
    double *edges;      /* owned: [arc of the set][attribute], standardised; NULL: not wanted */
    uint32_t most_rows; /* of a sample */
    uint64_t bytes;     /* of the tables that are kept */
    uint64_t max_block; /* entries that a block should have */
    double per_node;    /* entries that a node is expected to have */
    uint64_t spare;     /* bytes that a block that is thrown away may take; UINT64_MAX: any */
    /* pairs (not biases) whose key the network does not know, in all tables built */
    atomic_uint_least64_t unseen;
    uint64_t *unseen_of; /* owned: the same of each sample; NULL: not wanted */
} rg_samples;

#define RG_NO_BLOCK UINT32_MAX

typedef struct rg_samples_options {
    rg_precision precision;
    unsigned n_threads;
    uint64_t memory; /* bytes that all of it may take; 0: any */
    bool keep;       /* build the tables now; else all are built on the way */
    bool matrix;     /* the input is never sparse: somebody looks at it */
    const char *label_cache;
    void (*progress)(void *context, double done); /* part done, 0 .. 1; may be NULL */
    void *progress_context;
    rg_cancel *cancel; /* kept; may be NULL */
    bool count_unseen; /* fill unseen_of */
} rg_samples_options;

/* labels: of the fit, moved (also on failure); NULL: the labelings are applied. net and source are
 * kept. RG_EDATA (data of another kind than the network was built for), RG_EFAIL (a sample alone is
 * over the memory), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_samples_open(rg_samples **out, const rg_network *net,
                                        const rg_source *source, rg_labels **labels,
                                        const rg_samples_options *options, rg_error *err);
void rg_samples_free(rg_samples *samples); /* NULL is fine */

uint32_t rg_samples_nodes(const rg_samples *samples, size_t sample); /* arrays: 1 */
uint32_t rg_samples_rows(const rg_samples *samples, size_t sample);  /* of the input */
/* Nodes with a label in the file that the network never saw and whose input is 0; nodes with the
 * label "unseen" of some labeling. O(nodes). */
uint64_t rg_samples_unknown_labels(const rg_samples *samples);
uint64_t rg_samples_unseen_labels(const rg_samples *samples);
/* Nodes of one sample of graphs that are one or the other. O(nodes of it). */
uint32_t rg_samples_unseen_nodes(const rg_samples *samples, size_t sample);
/* The same of one sample, and its pairs without a weight, if its tables were built and `count_unseen`
 * was set (else 0). O(nodes of the sample). */
void rg_samples_unseen_of(uint64_t *unknown, uint64_t *labels, uint64_t *pairs,
                          const rg_samples *samples, size_t sample);

/* RG_EDATA if there are no targets of the network's task, or classes that it does not know. Only
 * who compares with targets needs them. */
RG_MUST_CHECK rg_status rg_samples_check_targets(const rg_samples *samples, rg_error *err);

/* target.c, signal.c */
RG_MUST_CHECK rg_status rg_samples_read_targets(rg_samples *s, rg_error *err);
RG_MUST_CHECK rg_status rg_samples_read_signals(rg_samples *s, rg_error *err);
/* The same for a network on batches, and where inputs are one-hot: of all nodes. RG_EDATA (an attribute that is not finite),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_samples_read_features(rg_samples *s, rg_error *err);
/* Attributes of edges, for layers that take them. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_samples_read_edges(rg_samples *s, rg_error *err);
/* The input of a sample, [row][channel]. */
void rg_samples_input(const rg_samples *s, size_t sample, double *out);

/* What value(...) of a rule looks at, which is the input of the network: out->context is `s`, whose
 * net and source are set. labels: of all labelings, borrowed, where `s` has none of its own. Ends with
 * rg_samples_drop_values. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_samples_values(rg_rule_values *out, rg_samples *s, rg_labels **labels,
                                          rg_error *err);
void rg_samples_drop_values(rg_samples *s);
/* The same of samples that are open. */
void rg_samples_describe_values(rg_rule_values *out, rg_samples *s);

/* block.c: the tables of the samples list[0 .. n-1]. out: owned. RG_EFAIL if they are over `max`
 * bytes, RG_ENOMEM, RG_EDATA. */
RG_MUST_CHECK rg_status rg_block_build(rg_table_block **out, rg_samples *s, const uint32_t *list,
                                       size_t n, uint64_t max, rg_error *err);
void rg_block_free(rg_table_block *block);
/* merge.c: from connections to merged ones, which takes the place of the former. bias: of the same
 * samples, or NULL. once: keep equal rows once. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_wiring_merge(rg_wiring *wiring, rg_samples *s, const uint32_t *list,
                                        size_t n, const rg_connections *bias, bool once,
                                        rg_error *err);

/* Along a list of samples, in order. Nothing is allocated while their tables are kept. */
typedef struct rg_walk {
    rg_samples *samples;
    const uint32_t *list;
    size_t n, at;
    rg_table_block *block; /* of samples that have none; owned */
    uint32_t *coming;      /* those in it, by their place; owned. NULL: all tables are shared */
    size_t place;          /* how many of them the walk has passed */
    void *values;          /* arrays: the input of the sample at hand; owned */
    double *doubles;
} rg_walk;

/* Begins as {0}. samples is kept. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_walk_open(rg_walk *walk, rg_samples *samples, rg_error *err);
void rg_walk_close(rg_walk *walk);
void rg_walk_begin(rg_walk *walk, const uint32_t *list, size_t n); /* list: kept */
/* The next sample; out->number is SIZE_MAX at the end. RG_EFAIL, RG_ENOMEM, RG_EDATA. */
RG_MUST_CHECK rg_status rg_walk_next(rg_sample *out, rg_walk *walk, rg_error *err);

#endif
