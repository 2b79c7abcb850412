/* rule.h - which pairs share a weight.  Data flow: labels, properties -> RULE -> layer.
 *
 * A rule gives every pair (output i, input j) a key, or none. Pairs with the same key share one
 * weight; pairs without a key are not connected. It is written in one line, for example
 *     share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..10
 * (docs/rules.md has the grammar). Parsing checks names, arity and types. Compiling walks over the
 * graphs of a set, or over one fixed shape, and gives two things: the keys that occur, in
 * ascending order, whose places are the numbers of the weights; and the connections, for every
 * output the inputs it has and the weight of each. Keys are compared in full. Neither the order of
 * nodes nor that of graphs changes the number of a weight, nor does the number of threads. */
#ifndef REGULA_RULE_H
#define REGULA_RULE_H

#include "label.h"
#include "pairs.h"
#include "property.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_rule rg_rule;               /* parsed; never changes; any thread may use it */
typedef struct rg_rule_keys rg_rule_keys;     /* the key of every weight; never changes */
typedef struct rg_connections rg_connections; /* tables of one set or shape; never changes */

#define RG_RULE_KEYS_MAX 16     /* expressions between `share` and `when` */
#define RG_NO_WEIGHT UINT32_MAX /* an output without a bias */

typedef enum rg_rule_kind {
    RG_RULE_PAIR,      /* weights of a layer: output i, input j */
    RG_RULE_BIAS,      /* one number per output: i */
    RG_RULE_AGGREGATE, /* from nodes to a fixed number of outputs: out, node i */
    RG_N_RULE_KINDS
} rg_rule_kind;

/* A labeling, or a table of pairs, under the name that rules use for it. Parsing looks at the name and
 * at is_table only. */
typedef struct rg_rule_labeling {
    const char *name;
    const rg_labels *labels;     /* of the set that is compiled over */
    const rg_labeling *labeling; /* may be NULL: the number of possible labels is then unknown */
    int is_table; /* rules say near(i,j) or near(i), and take the number from `pairs` */
    const rg_pair_table *pairs;
} rg_rule_labeling;

/* Position of an error in the text: line and column from 1, in letters; length n. */
typedef struct rg_rule_place {
    size_t line, column, n;
} rg_rule_place;

typedef struct rg_rule_info {
    rg_rule_kind kind;
    size_t n_keys;
    int is_static; /* looks at positions and constants only: the same for every sample */
    int on_graphs; /* looks at labels or properties of graphs */
    int on_shapes; /* looks at rows, columns or channels of a fixed shape; never both */
    int on_values; /* looks at the values of a sample: value(i), on graphs and shapes alike */
    size_t n_bins; /* of different numbers or sizes: bin(value(j), 8) */
    int on_tables; /* looks at tables of pairs; on graphs and shapes alike */
} rg_rule_info;

/* Parse and check. known[0 .. n_known-1]: the labelings that may be named.
 * out: owned (rg_rule_free), untouched on failure. place: may be NULL; set on RG_EUSAGE (n is 0
 * where no place in the text is to blame). O(length). RG_EUSAGE, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_rule_parse(rg_rule **out, const char *text, rg_rule_kind kind,
                                             const rg_rule_labeling *known, size_t n_known,
                                             rg_rule_place *place, rg_error *err);
RG_API void rg_rule_free(rg_rule *rule); /* NULL is fine */

/* The line of `text` that the place is on and, below it, a caret under the place: two lines, each
 * with its end, cut where they do not fit. "" if the place is nowhere. */
RG_API void rg_rule_point(char *out, size_t size, const char *text, const rg_rule_place *place);

/* All borrowed. The normal form: one line that parses to the same rule, and to itself. */
RG_API const char *rg_rule_text(const rg_rule *rule);
/* The expression of one key in normal form, k < n_keys. */
RG_API const char *rg_rule_key_text(const rg_rule *rule, size_t k);
RG_API const rg_rule_info *rg_rule_describe(const rg_rule *rule);

/* Rows times columns times channels values; with a depth of more than 1, `channels` counts planes, of
 * which each channel has `depth`: value ((c * depth + d) * rows + r) * cols + k stands in channel c, at
 * depth d, in row r, column k. Without, value (c * rows + r) * cols + k stands in channel c,
 * row r, column k. */
typedef struct rg_rule_shape {
    uint32_t rows, cols, channels;
    uint32_t depth; /* 0 is 1; divides `channels` */
} rg_rule_shape;

/* The numbers that `value(j)` of a rule looks at: of a graph [node][channel], of an array [place] (the
 * order of rg_rule_shape). NaN: none is known. Final: the fields will not change. */
typedef struct rg_rule_values {
    /* Writes the numbers of one sample; called from several threads at once. */
    void (*read)(void *context, size_t sample, double *out);
    void *context;
    size_t n_samples;    /* arrays: how many there are; graphs: not looked at */
    uint32_t n_channels; /* graphs: numbers per node */
    rg_rule_shape shape; /* arrays: of a sample */
    /* Samples that the edges of bins are taken from when a rule is compiled; NULL: all. */
    const uint32_t *fit;
    size_t n_fit;
} rg_rule_values;

/* What to compile over: the graphs of a set, or (data NULL) one pair of shapes. A pair rule on
 * graphs has as many outputs as inputs, the nodes. A rule that looks at the values of arrays has a
 * table for every sample that is wanted, other rules on shapes have one. */
typedef struct rg_rule_input {
    size_t size; /* sizeof(rg_rule_input): RG_RULE_INPUT_INIT sets it */
    const rg_dataset *data;
    const rg_rule_labeling *labels; /* at least those that the rule names */
    size_t n_labels;
    const uint32_t *graphs; /* those wanted, in this order; NULL: all */
    size_t n_graphs;
    rg_rule_shape in, out;        /* without a set; a bias looks at `out`, an aggregation at `in` */
    uint32_t n_outputs;           /* of an aggregation */
    const rg_rule_values *values; /* may be NULL: then no rule may look at them */
} rg_rule_input;
#define RG_RULE_INPUT_INIT RG_SIZED(rg_rule_input)

/* Do samples of one shape have connections of their own? Then there is a table for each that is wanted
 * (values->n_samples of them, or those in `graphs`). Of graphs always. */
RG_API int rg_rule_by_sample(const rg_rule *rule, const rg_rule_input *input);

typedef struct rg_rule_options {
    size_t size;                  /* sizeof(rg_rule_options): RG_RULE_OPTIONS_INIT sets it */
    unsigned n_threads;           /* 0: all processors; the result is the same for any number */
    uint64_t max_bytes;           /* that the connections may take; more is RG_EFAIL */
    int (*cancel)(void *context); /* as for labels (label.h); may be NULL */
    void *cancel_context;
    /* rg_rule_apply: [graph of the input], to which the pairs left out are added; NULL: not wanted. */
    uint64_t *unseen_of;
} rg_rule_options;

#define RG_RULE_OPTIONS_INIT RG_OPTIONS(rg_rule_options, .max_bytes = UINT64_MAX)
RG_OPTIONS_FUNCTIONS(rg_rule_options)

/* Statistics of compiling. */
typedef struct rg_rule_report {
    size_t size;          /* sizeof(rg_rule_report): RG_RULE_REPORT_INIT sets it */
    uint64_t pairs;       /* of outputs and inputs that there are */
    uint64_t scanned;     /* of them looked at one by one */
    uint64_t connections; /* pairs with a key */
    uint64_t weights;     /* distinct keys: those that occurred, or of the fit */
    uint64_t possible;    /* keys that the ranges of labels and properties allow; UINT64_MAX: more
                             than that */
    uint64_t unseen;      /* rg_rule_apply: pairs left out because their key is not in the fit */
    int all_pairs;        /* nothing in the condition says where to look: every pair is scanned */
    char plan[160];       /* how pairs are found, in words */
} rg_rule_report;
#define RG_RULE_REPORT_INIT RG_SIZED(rg_rule_report)

/* Compile. keys: owned (rg_rule_keys_free). out: owned (rg_connections_free); NULL if only the keys
 * are wanted, which takes memory for them alone. report: may be NULL. All untouched on failure.
 * options: NULL for the defaults.
 * Cost: the rows that the plan lists, and a few steps for every pair in them; memory: 6 to 16
 * bytes per connection while compiling, half of that after it. RG_EUSAGE (shapes or labels that do
 * not fit the rule), RG_EDATA (the set has no bonds or node labels), RG_EFAIL (too large),
 * RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_rule_compile(rg_rule_keys **keys, rg_connections **out,
                                               rg_rule_report *report, const rg_rule *rule,
                                               const rg_rule_input *input,
                                               const rg_rule_options *options, rg_error *err);

/* The connections of other graphs with the weights of a fit. A pair whose key is not among them is
 * not connected, and counted. As rg_rule_compile; RG_EUSAGE if the keys are of another rule. */
RG_API RG_MUST_CHECK rg_status rg_rule_apply(rg_connections **out, rg_rule_report *report,
                                             const rg_rule_keys *keys, const rg_rule *rule,
                                             const rg_rule_input *input,
                                             const rg_rule_options *options, rg_error *err);

/* n keys of `width` numbers each, ascending and distinct, as rg_rule_keys_data gave them: to have
 * them back from a file. Copied. out: owned (rg_rule_keys_free). RG_EDATA, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_rule_keys_new(rg_rule_keys **out, const int64_t *values, size_t n,
                                                size_t width, rg_error *err);
RG_API void rg_rule_keys_free(rg_rule_keys *keys);          /* NULL is fine */
RG_API size_t rg_rule_keys_size(const rg_rule_keys *keys);  /* how many weights there are */
RG_API size_t rg_rule_keys_width(const rg_rule_keys *keys); /* numbers in a key */
/* Key of weight w: numbers [w * width] on. A condition is 0 or 1, a node or `out` its number from
 * 0, RG_NO_VALUE what has no value. Borrowed. */
RG_API const int64_t *rg_rule_keys_data(const rg_rule_keys *keys);
/* Edges of the bins that the keys were made with, *n of them (docs/values.md has their order): they
 * belong to the keys. Borrowed; NULL: the rule has no bins. */
RG_API const double *rg_rule_keys_edges(const rg_rule_keys *keys, size_t *n);
/* To have them back from a file, before the keys are used. Copied. RG_EDATA (not finite), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_rule_keys_set_edges(rg_rule_keys *keys, const double *edges,
                                                      size_t n, rg_error *err);

RG_API void rg_connections_free(rg_connections *connections);             /* NULL is fine */
RG_API size_t rg_connections_n_graphs(const rg_connections *connections); /* a shape is one */
RG_API uint64_t rg_connections_size(const rg_connections *connections);   /* entries in all */
RG_API size_t rg_connections_bytes(const rg_connections *connections);

/* The table of one graph. Borrowed.
 * Inputs of output i: entries k = row[i] .. row[i+1] - 1, with input col16[k] or col32[k]
 * (ascending) and weight weight[k]. One of col16 and col32 is NULL: 16 bits are used if all graphs
 * have at most 65536 inputs.
 * A bias has neither rows nor columns: weight[i] is the number of output i, or RG_NO_WEIGHT. */
typedef struct rg_connection_table {
    uint32_t n_outputs, n_inputs;
    const uint32_t *row;
    const uint16_t *col16;
    const uint32_t *col32;
    const uint32_t *weight;
} rg_connection_table;

/* graph < n_graphs, in the order in which they were asked for. O(1). */
RG_API rg_connection_table rg_connections_graph(const rg_connections *connections, size_t graph);

#ifdef __cplusplus
}
#endif

#endif
