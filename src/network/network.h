/* network.h - a network that was fitted to data: labelings, rules, keys, and where every parameter
 * lies.  Data flow: rule, layer -> NETWORK -> train -> model.
 *
 * It holds everything but the parameters themselves, which are one flat array of the caller's. It
 * never changes after it was built, so any number of threads and runs may use it. */
#ifndef REGULA_NETWORK_NETWORK_H
#define REGULA_NETWORK_NETWORK_H

#include "base/pool.h"
#include "regula/model.h"
#include "spec.h"
#include "split/masks.h"

size_t rg_source_size(const rg_source *source); /* samples */
const char *rg_source_name(const rg_source *source);
void rg_source_digest(const rg_source *source, char out[RG_DIGEST_SIZE]); /* O(size) */

/* A signal as it was resolved on the data of the fit. */
typedef struct rg_net_signal {
    rg_signal_kind kind;
    uint32_t column;
    size_t labeling; /* ONE_HOT: which, or SIZE_MAX: the column of node labels */
    double value;    /* CONSTANT */
    /* SIGNED, SCALED, ONE_HOT of a column: labels that are known, ascending, owned */
    int64_t *values;
    size_t n_values;
    uint32_t n_channels;
    double *shift, *factor; /* [channel] what comes in is (x - shift) factor; owned; NULL: x */
} rg_net_signal;

/* Classes of one column of targets. */
typedef struct rg_net_classes {
    uint32_t column;
    int64_t *values; /* ascending, owned; NULL: real values */
    size_t n;
    double shift,
        factor; /* real values: an output z stands for z factor + shift; factor 0: for z */
} rg_net_classes;

/* Names in the data of the fit: first of values, by kind, column and value, then of columns, whose
 * value is 0. */
typedef struct rg_net_names {
    rg_value_name *list; /* owned, with the texts behind it; NULL: there are none */
    size_t n_values, n;
} rg_net_names;

struct rg_network {
    rg_spec *spec; /* owned; `auto` resolved */
    bool arrays;   /* on arrays of shape `shape`, else on graphs */
    rg_rule_shape shape;
    rg_task task;      /* never AUTO */
    bool node_classes; /* NODES: of the columns of node classes, not of node labels */
    rg_net_classes targets[RG_SPEC_TARGETS_MAX];
    size_t n_targets;
    uint32_t n_outputs;
    rg_net_names names;
    rg_sequence sequence;                       /* of the data of the fit */
    rg_labeling *labelings[RG_SPEC_LABELS_MAX]; /* owned */
    rg_pair_table *tables[RG_SPEC_TABLES_MAX];  /* owned */
    /* Digest of the data whose samples a table has numbers for; "": one table for all samples. */
    char tables_of[RG_SPEC_TABLES_MAX][RG_DIGEST_SIZE];
    rg_net_signal signals[RG_SPEC_SIGNALS_MAX];
    uint32_t n_edge_channels;         /* attributes of edges that layers take */
    double *edge_shift, *edge_factor; /* [attribute] they take (x - shift) factor; owned */
    uint32_t n_channels;              /* of the input */
    rg_net_layer *layers;             /* owned; n_layers of RG_NET_LAYERS_MAX */
    rg_value *values; /* owned; [n_layers + 1]: the input, then what each layer gives */
    size_t n_layers;
    size_t last;     /* the layer that gives the outputs, before its activation */
    bool batched;    /* layers work on batches of graphs, without lanes */
    size_t n_params; /* that are learned */
    size_t n_state;  /* kept behind them, not learned */
};
typedef struct rg_network rg_network;

typedef struct rg_build_options {
    const uint32_t *fit; /* samples that vocabularies and keys are taken from; NULL: all */
    size_t n_fit;
    const uint32_t *train; /* those that the edges of bins are taken from; NULL: as `fit` */
    size_t n_train;
    const rg_rule_labeling *tables; /* in place of the files that the network names; copied */
    size_t n_tables;
    unsigned n_threads;
    const char *label_cache;                      /* as rg_label_options; NULL: none */
    void (*progress)(void *context, double done); /* part done, 0 .. 1; may be NULL */
    void *progress_context;
    rg_cancel *cancel; /* may be NULL */
} rg_build_options;

/* Fits labelings, resolves what is `auto`, compiles the rules to keys and lays out the parameters.
 * spec: moved, also on failure. labels[k], if labels is not NULL, gets the labels of all graphs by
 * labeling k (owned: rg_labels_free). RG_EDATA or RG_EUSAGE say what does not fit, with the line of
 * the layer; RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_build(rg_network **out, rg_labels **labels, rg_spec *spec,
                                         const rg_source *source, const rg_build_options *options,
                                         rg_error *err);
void rg_network_free(rg_network *net); /* NULL is fine */

/* shape.c: channels, rows and offsets of all layers, once the keys are there. `spec`, `task`,
 * `n_outputs`, `n_channels` and the keys must be set. RG_EDATA with the line of the layer. */
RG_MUST_CHECK rg_status rg_network_lay_out(rg_network *net, rg_error *err);
/* shape.c: keys of a layer that shares its weights, copied from the other layer. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_share_keys(rg_network *net, rg_net_layer *layer, rg_error *err);
/* Before the keys are there: everything but offsets. */
RG_MUST_CHECK rg_status rg_network_shape(rg_network *net, rg_error *err);
/* Rounds of colours that nodes go through, 1 at least; each: some values have a row for every node. */
uint32_t rg_network_rounds(const rg_network *net, bool *each);
/* Can all layers that take the input take it as sparse rows? */
bool rg_network_takes_sparse(const rg_network *net);
/* Do samples have connections of their own? Of graphs all do, of arrays those with a rule over values. */
bool rg_network_dynamic(const rg_network *net);
/* tables.c: names that rules use, with what they stand for; how many. labels: of the data; may be NULL.
 * Borrowed. */
size_t rg_network_names(const rg_network *net, rg_labels *const *labels,
                        rg_rule_labeling known[RG_SPEC_NAMES_MAX]);
/* Do arrays have connections of their own by this rule? */
bool rg_network_by_sample(const rg_network *net, const rg_rule *rule);
/* Reads the tables that the spec names, or takes given ones. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_open_tables(rg_network *net, const rg_source *source,
                                               const rg_build_options *options, rg_error *err);
/* table: moved on success. RG_EDATA: it has more samples than the data. */
RG_MUST_CHECK rg_status rg_network_set_table(rg_network *net, size_t k, rg_pair_table *table,
                                             const rg_source *source, rg_error *err);
/* RG_EDATA: a table is for the samples of other data. */
RG_MUST_CHECK rg_status rg_network_check_tables(const rg_network *net, const rg_source *source,
                                                rg_error *err);
/* support.c: keys of a compiled rule that occur in fewer training graphs have no weight. input: all but
 * `graphs` as for compiling. RG_EDATA (none is left), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_drop_rare(rg_net_rule *rule, uint32_t support,
                                             const rg_rule_input *input,
                                             const rg_rule_options *rule_options,
                                             const rg_build_options *options, rg_error *err);
/* Parses all rules of the spec. */
RG_MUST_CHECK rg_status rg_network_parse(rg_network *net, rg_error *err);

/* Fails with the line and the number of a layer before what is wrong with it. */
rg_status rg_network_complain(const rg_spec *spec, size_t layer, rg_status status, rg_error *err,
                              const char *what);

/* Sets what a report says of the network: connections, weights and parameters. */
void rg_network_count(rg_train_report *out, const rg_network *net);

/* names.c: names in a data set; and a list of them, which is copied with its texts. There are none if
 * they take more than RG_NAMES_BYTES_MAX. out->list: owned (rg_free). RG_ENOMEM. */
#define RG_NAMES_BYTES_MAX ((size_t)1 << 20)
RG_MUST_CHECK rg_status rg_net_names_read(rg_net_names *out, const rg_dataset *data, rg_error *err);
RG_MUST_CHECK rg_status rg_net_names_copy(rg_net_names *out, const rg_value_name *list,
                                          size_t n_values, size_t n, rg_error *err);
/* The kind of the columns that the outputs are learned from. */
rg_column rg_network_target_kind(const rg_network *net);

/* standardise.c: shifts and factors, if the spec asks for them; train: NULL for all samples. RG_EDATA (an attribute that
 * is not finite), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_standardise(rg_network *net, const rg_source *source,
                                               const uint32_t *train, size_t n_train,
                                               rg_error *err);
/* edge_input.c: attributes of edges, if layers of the spec take them, and their shifts and factors. RG_EDATA (there are
 * none, or one is not finite), RG_ENOMEM. */
bool rg_network_takes_edges(const rg_network *net);
RG_MUST_CHECK rg_status rg_network_resolve_edges(rg_network *net, const rg_source *source,
                                                 const uint32_t *train, size_t n_train,
                                                 rg_error *err);
/* The value that an output stands for; of classes and answers the output itself. */
double rg_network_value(const rg_network *net, size_t output, double z);

/* target.c: columns of a kind; classes of samples or nodes by rank, RG_NO_CLASS: not known, *n: of ranks. Borrowed. */
size_t rg_source_columns(const rg_source *source, rg_column kind);
const uint32_t *rg_source_classes(const rg_source *source, rg_column kind, size_t column,
                                  size_t *n);
/* The kind of the columns that a task is about: of nodes their classes, where there are some, else
 * their labels. */
rg_column rg_source_target_kind(const rg_source *source, rg_task task);
/* The mask of the nodes of a part; NULL: there is none. Borrowed. */
const uint8_t *rg_source_node_mask(const rg_source *source, rg_part_kind part);

/* target.c, signal.c: what rg_network_build does first. */
RG_MUST_CHECK rg_status rg_network_resolve_targets(rg_network *net, const rg_source *source,
                                                   rg_error *err);
RG_MUST_CHECK rg_status rg_network_resolve_signals(rg_network *net, const rg_source *source,
                                                   const uint32_t *fit, size_t n_fit,
                                                   rg_error *err);

#endif
