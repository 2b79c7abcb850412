/* layer.h - THE table of layers: every layer that a network file can name is one row.
 *
 * Data flow: math, batch, rule -> LAYER -> network -> train.
 *
 * A row (rg_layer_kind) says how the layer is read from a file and printed again, which shapes it
 * takes and gives, how its parameters start, and how numbers go forward, back, and back as shares of
 * an explanation. Whoever needs to know something about a layer asks its row: nobody else asks which
 * layer it is. Some rows are made of others (`expand`): "gin: 64" is an aggregation, two dense
 * layers and two norms. One file has a layer with its formulas; table.c lists them. */
#ifndef REGULA_LAYER_LAYER_H
#define REGULA_LAYER_LAYER_H

#include "math/start.h"
#include "regula/rule.h"
#include "text/text.h"
#include "text/yaml.h"

enum {
    RG_SPEC_LABELS_MAX = 32, /* labelings of one network */
    RG_SPEC_TABLES_MAX = 16, /* tables of pairs */
    RG_SPEC_NAMES_MAX = RG_SPEC_LABELS_MAX + RG_SPEC_TABLES_MAX,
    RG_SPEC_LAYERS_MAX = 64,     /* layers of a file */
    RG_SPEC_RULES_MAX = 8,       /* rules that add up in one layer */
    RG_SPEC_CHANNELS_MAX = 4096, /* of what a layer gives */
    RG_NET_LAYERS_MAX = 512,     /* layers once all rows that are made of others are expanded */
    RG_LAYER_SETTINGS = 4        /* settings that are a layer's own */
};

typedef struct rg_layer_kind rg_layer_kind;

/* ---- a layer as the file says it */

typedef struct rg_layer_spec {
    const rg_layer_kind *kind;
    size_t line;                    /* of the file, for messages; 0: none */
    char *name;                     /* others may take its output by it; NULL: none. Owned */
    char *from[RG_SPEC_LAYERS_MAX]; /* names of its inputs; none: the layer before. Owned */
    size_t n_from;
    bool every;    /* "of: every": all layers with nodes before it */
    char *weights; /* name of the layer whose weights it shares; NULL: own. Owned */
    char *rules[RG_SPEC_RULES_MAX]; /* texts, owned; their outputs add up */
    size_t n_rules;
    char *bias;          /* the text of its rule, owned; NULL: none */
    uint32_t width;      /* channels or outputs; 0: not said */
    rg_rule_shape shape; /* on arrays: the shape that comes out; rows 0: none */
    bool has_activation; /* said in the file; else the default of its place */
    rg_activation activation;
    bool residual;                 /* the input is added after the activation */
    bool has_decay;                /* said in the file; else that of the training */
    double decay;                  /* weight decay of all its parameters */
    double own[RG_LAYER_SETTINGS]; /* as `settings` of its kind says; words by their number */
} rg_layer_spec;

/* What stands behind the key of a layer, "- KEY: HEAD". */
typedef enum rg_layer_head {
    RG_HEAD_RULES,      /* a rule, or a list of them */
    RG_HEAD_WIDTH,      /* how many channels come out */
    RG_HEAD_AUTO_WIDTH, /* the same, or auto: as many as the task has outputs */
    RG_HEAD_ACTIVATION, /* the word of an activation */
    RG_HEAD_SETTING,    /* the first setting of its own */
    RG_HEAD_NAMES       /* names of layers before */
} rg_layer_head;

typedef enum rg_setting_type {
    RG_SETTING_NONE, /* ends a list */
    RG_SETTING_FLAG,
    RG_SETTING_WORD,  /* one of `words` */
    RG_SETTING_WORDS, /* one of them or a list: a set of bits */
    RG_SETTING_REAL,  /* low <= value < high; or the first of `words`, which is NaN */
    RG_SETTING_COUNT  /* a whole number, low <= value <= high */
} rg_setting_type;

/* A setting of a layer's own. */
typedef struct rg_layer_setting {
    rg_setting_type type;
    const char *key;          /* NULL: the head */
    const char *const *words; /* n_words of them */
    size_t n_words;
    double low, high, usual;
    const char *what; /* for messages: what is expected; NULL: what the type says */
    bool young;       /* younger than version 0.1.0: printed only where it differs from `usual` */
    bool bare;        /* WORDS: one alone is printed without brackets */
} rg_layer_setting;

/* ---- a layer of a network that was fitted to data */

/* What compiling a rule over the data of the fit told. */
typedef struct rg_net_facts {
    double possible;    /* keys that could occur */
    double connections; /* pairs with a key */
    double fan;         /* connections of an output, on average */
    double nodes;       /* in the graphs of the fit */
} rg_net_facts;

/* A rule of a layer, or its bias: the weights are params[at + weight * (numbers per key)]. */
typedef struct rg_net_rule {
    rg_rule *rule;      /* owned; NULL: no bias */
    rg_rule_keys *keys; /* owned: the weights */
    size_t at;          /* first parameter */
    size_t n_params;
    /* An aggregation whose outputs see the same nodes: its tables have one row, for so many outputs,
     * each `stride` weights behind the one before (rg_links). 0: a row per output. */
    uint32_t outputs, stride;
    rg_net_facts facts;
} rg_net_rule;

/* What connections of a rule layer are multiplied by, with n the connections of the row, m those of the
 * column, all rules of the layer together: 1, 1/n, 1/sqrt(n m). */
typedef enum rg_normalise {
    RG_NORMALISE_NONE,
    RG_NORMALISE_ROW,
    RG_NORMALISE_SYMMETRIC
} rg_normalise;

/* What flows between layers: rows of channels. Value 0 is the input of the network, value k + 1
 * what layer k gives. */
typedef struct rg_value {
    uint32_t rows;       /* of a sample; 0: one per node */
    uint32_t channels;   /* of a row */
    rg_rule_shape shape; /* rows are the places of a shape; rows 0: they are not */
    uint32_t round;      /* rows of nodes: those of one colour of this round share one, or RG_EACH
                            (batch/colours.h) */
    bool learned;        /* parameters come before it: its gradient is wanted */
    uint32_t readers;    /* layers that take it */
} rg_value;

#define RG_NO_INDEX UINT32_MAX

typedef struct rg_net_layer {
    const rg_layer_kind *kind;
    size_t of;                        /* the layer of the file that it belongs to */
    uint32_t ins[RG_SPEC_LAYERS_MAX]; /* values that it takes */
    uint32_t n_ins;
    uint32_t skip; /* a value of the same shape as its output that is added after the activation, or
                      RG_NO_INDEX */
    bool add[RG_SPEC_LAYERS_MAX]; /* a later layer fills the gradient of this input first */
    bool skip_add;
    rg_net_rule rules[RG_SPEC_RULES_MAX];
    size_t n_rules;
    rg_net_rule bias; /* by a rule; without one only at and n_params, or 0 of them */
    size_t n_bias;    /* biases without a rule */
    size_t weights;   /* first of the parameters that are no rule's, [weight_rows][weight_cols] */
    size_t weight_rows, weight_cols; /* cols 0: one dimension; rows 0: none */
    uint32_t like;                   /* parameters are those of this layer; RG_NO_INDEX: own */
    size_t state, n_state;           /* numbers that are kept, not learned, behind all parameters */
    uint32_t rows_in, n_in;          /* of its first input: as rg_value */
    uint32_t rows_out, n_out;        /* of its linear part; an aggregation has an output per row */
    bool full, mean;
    rg_normalise normalise; /* of rules */
    uint32_t support;       /* a key of its rules occurs in so many training graphs; 0, 1: any */
    bool fixed; /* the input is that of the network, one channel, graphs: it stands in the tables */
    rg_rule_shape shape_in, shape_out; /* of rules on shapes */
    rg_activation activation;
    uint32_t size, stride;         /* of sequences */
    double own[RG_LAYER_SETTINGS]; /* as those of the spec */
} rg_net_layer;

/* ---- reading: what the layers before have decided, and the names that rules may use */

typedef struct rg_layer_reading {
    const rg_rule_labeling *known;
    size_t n_known;
    bool on_graphs, on_shapes; /* never both */
    bool aggregated;           /* there are no nodes any more */
    bool bins; /* a rule has bins, whose edges are those of the training part, or support */
} rg_layer_reading;

/* The map of a layer. out: zeros; what it owns ends with rg_layer_spec_clear, also on failure.
 * Names of layers are not looked up yet. RG_EDATA with line and column, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_layer_read(rg_layer_spec *out, rg_layer_reading *past,
                                      const rg_yaml *map, rg_error *err);
void rg_layer_spec_clear(rg_layer_spec *layer);
/* Adds the layer as an item of a list, "  - KEY: ...\n" and the lines of its settings, in normal
 * form. A setting younger than version 0.1.0 is printed only where it differs from its default. */
void rg_layer_print(rg_text *out, const rg_layer_spec *layer);

/* ---- from a file to a network: one layer after another adds its values */

typedef struct rg_layer_plan {
    rg_net_layer *layers; /* [RG_NET_LAYERS_MAX] of the network's */
    rg_value *values;     /* [RG_NET_LAYERS_MAX + 1] */
    size_t n_layers;
    uint32_t *of_spec; /* [layer of the file]: its value */
    bool arrays;
    bool nodes;               /* the task is about nodes */
    uint32_t n_outputs;       /* of the task */
    uint32_t n_edge_channels; /* attributes of an edge */
    const rg_layer_spec *specs;
    size_t n_specs;
    /* the layer of the file at hand */
    size_t at;
    bool last;                        /* it is the one that gives the outputs */
    rg_activation activation;         /* that it ends with */
    uint32_t ins[RG_SPEC_LAYERS_MAX]; /* values that it takes */
    uint32_t n_ins;
    bool batched; /* the network works on batches: rows of nodes of one colour are shared */
    rg_status status;
    rg_error *err; /* the first failure, with line and layer */
} rg_layer_plan;

/* Adds a layer of a kind that takes value x, with the settings, activation, rules and width of
 * `spec` (NULL: defaults, identity). NULL once something failed. The caller may change it before
 * rg_plan_shape, which must follow and gives its value. */
rg_net_layer *rg_plan_add(rg_layer_plan *plan, const rg_layer_kind *kind, uint32_t x,
                          const rg_layer_spec *spec);
uint32_t rg_plan_shape(rg_layer_plan *plan, rg_net_layer *layer);
/* Both at once, with n_out channels (0: as the kind says). */
uint32_t rg_plan_put(rg_layer_plan *plan, const rg_layer_kind *kind, uint32_t x, uint32_t n_out);
/* x with a row for every node, whatever its colour. */
uint32_t rg_plan_each(rg_layer_plan *plan, uint32_t x);
/* Several values of one shape added up, or side by side. */
uint32_t rg_plan_many(rg_layer_plan *plan, const rg_layer_kind *kind, const uint32_t *xs,
                      uint32_t n);
/* The first failure, said with the line and number of the layer at hand. */
void rg_plan_complain(rg_layer_plan *plan, const char *format, ...) RG_PRINTF(2, 3);
const rg_value *rg_plan_value(const rg_layer_plan *plan, uint32_t x);
/* Channels that come out where `width` says 0: those of the task in the last layer. Complains. */
uint32_t rg_plan_width(rg_layer_plan *plan, uint32_t width);

/* Do the layers of a file need batches of graphs? */
bool rg_specs_batched(const rg_layer_spec *specs, size_t n);
/* The last layer of a file that gives outputs; n: there is none. */
size_t rg_specs_last(const rg_layer_spec *specs, size_t n);
/* What a layer of the file ends with: what the file says, else what its kind usually does, but
 * identity in the layer that gives the outputs unless `paper`. */
rg_activation rg_specs_activation(const rg_layer_spec *specs, size_t n, size_t layer, bool paper);
/* Input n of a layer of the file: the layer of the file with that name, or SIZE_MAX: the input of
 * the network. *found false: no layer before has the name. */
size_t rg_specs_find(const rg_layer_spec *specs, size_t layer, const char *name, bool *found);

/* All layers of a file: plan's layers, values (the first set), of_spec, specs, n_specs, arrays,
 * nodes, n_outputs, err. The first failure is plan->status. */
void rg_plan_all(rg_layer_plan *plan, bool paper);

/* ---- the rows */

typedef struct rg_pass rg_pass;

struct rg_layer_kind {
    const char *name; /* its key in network files */
    rg_layer_head head;
    rg_layer_setting settings[RG_LAYER_SETTINGS + 1];
    const char *keys[6]; /* other keys that it has: residual, activation, bias, heads, ... */
    rg_activation usual; /* activation where the file says none (but: identity of the outputs) */
    bool weighs;         /* has weights, so that it can give the outputs */
    bool plain;          /* row by row, shapes stay: outputs before it are those of the network */
    bool nodes;          /* takes nodes */
    bool aggregates;     /* takes nodes, gives one row per graph */
    bool outputs;        /* each row of its linear part is an output, of one channel */
    bool rules;          /* connections are those of rules */
    bool prunes;         /* its `weights` may be pruned, as those of rules */
    bool batched;        /* works on batches of graphs, without lanes */
    uint32_t batched_if; /* or does so if its first setting is this; 0: never */
    bool many;           /* takes several values */
    bool every;          /* all layers with nodes are its inputs, where none is named */
    bool in_place;       /* its gradient may take the place of that of its input */
    bool features;       /* takes one-hot input as it is, without a matrix */
    bool sparse;         /* hands sparse input on to layers that take `features` */
    bool scratch;        /* backward always wants room for the gradient of its input */
    bool each;           /* takes a row for every node, not one per colour */
    bool rounds;         /* goes to the next round of colours */
    bool edges;          /* takes the attributes of edges */
    bool inner;          /* no word of files: other layers are made of it */

    /* What settings and heads cannot say. NULL: nothing. */
    rg_status (*read)(rg_layer_spec *out, rg_layer_reading *past, const rg_yaml *map,
                      rg_error *err);
    void (*print)(rg_text *out, const rg_layer_spec *layer); /* behind the head */
    /* Settings that the data of the fit decide. NULL: none. RG_ENOMEM. */
    rg_status (*fit)(rg_layer_spec *layer, const rg_dataset *data, const uint32_t *graphs,
                     size_t n_graphs, rg_error *err);
    /* Made of other layers: adds them behind value x. NULL: it is a layer itself. */
    uint32_t (*expand)(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x);
    /* From rows_in, n_in and the inputs to all other shapes; *out: the value that comes out, a copy
     * of the first input to begin with. NULL: it stays as it is. */
    void (*shape)(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out);
    /* Numbers by which parameters start (not the kind of draw). NULL: as fan in says. */
    rg_start (*start)(const rg_net_layer *layer);
    /* Parameters that do not start by a draw: fills weights and bias with one value each and returns
     * true. NULL: none. */
    bool (*begin)(const rg_net_layer *layer, size_t weight, double *value);
    double (*begin_state)(const rg_net_layer *layer, size_t number); /* NULL: 0 */

    /* Bytes that backward needs of forward, for `rows` rows of output (`in` of input). NULL: 0. */
    size_t (*kept)(const rg_pass *pass, size_t k, size_t rows, size_t in);
    /* Sums over all rows of a batch that a layer needs first, in training: phase n of `phases` fills
     * the pass's `sums`, which are then summed over the parts of the batch, if it has several. The
     * same before backward, with dy. NULL: none. */
    uint32_t phases, back_phases;
    size_t (*n_sums)(const rg_net_layer *layer);
    void (*phase)(rg_pass *pass, size_t k, uint32_t phase);
    void (*back_phase)(rg_pass *pass, size_t k, uint32_t phase, const void *dy);
    /* y: the linear part of layer k. */
    void (*forward)(rg_pass *pass, size_t k, void *y);
    /* dy: by the linear part; adds to the gradients of parameters and fills those of its inputs. */
    void (*backward)(rg_pass *pass, size_t k, const void *dy);
    /* The same for shares (explain/explain.h): NULL: a gradient is a share, the layer is linear. */
    void (*share)(rg_pass *pass, size_t k, const void *dy);
    /* The activation is part of forward and backward. NULL: never. */
    bool (*fused)(const rg_pass *pass, size_t k);
    /* Shares: what the layer itself adds to the output, none of its inputs and no rule's bias.
     * NULL: weights of n_bias biases, as they are. */
    double (*constant)(const rg_pass *pass, size_t k, const void *dy);
};

/* The table. */
size_t rg_layer_n_kinds(void);
const rg_layer_kind *rg_layer_kind_at(size_t k);
const rg_layer_kind *rg_layer_kind_find(const char *name); /* NULL: none */

/* One file has one or a few of them. */
#define RG_LAYERS(X) \
    X(rule)          \
    X(aggregate)     \
    X(dense)         \
    X(dropout)       \
    X(norm)          \
    X(batch_norm)    \
    X(activation)    \
    X(embed)         \
    X(bias)          \
    X(concat)        \
    X(add)           \
    X(message)       \
    X(attention)     \
    X(edges)         \
    X(gin)           \
    X(gine)          \
    X(sage)          \
    X(gcn)           \
    X(gat)           \
    X(mlp)           \
    X(pool)          \
    X(readout)       \
    X(sort_channels) \
    X(sort_pool)     \
    X(conv1d)        \
    X(max_pool)      \
    X(window)        \
    X(each)

#define RG_LAYER_KIND(word) extern const rg_layer_kind rg_layer_##word;
RG_LAYERS(RG_LAYER_KIND)
#undef RG_LAYER_KIND

/* Numbers per key of its rules. */
size_t rg_net_per_key(const rg_net_layer *layer);
/* Numbers of its `weights`. */
size_t rg_net_n_weights(const rg_net_layer *layer);

/* Words, for messages and tables: "tanh". Static. */
const char *rg_activation_name(rg_activation activation);

#endif
