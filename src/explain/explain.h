/* explain.h - what a model learned: its weights as statements, its answers taken apart.
 * Data flow: model -> EXPLAIN -> report.
 *
 * A statement is one key of a rule with its weight: something that the network says of a kind of
 * pair, as "from a nitrogen to a carbon on a ring of 6, 3 bonds away: +0.41". It has a weight for
 * each channel; one of an aggregation has a weight for each output. Dense layers and norms have no
 * rule, so there is nothing to say of single pairs there.
 *
 * Contributions. z is what comes out of the last layer with weights, before its activation. Every
 * layer is a sum, y = b + sum w x, and every activation has f(0) = 0. So f(y) = (f(y) / y) y, and
 * what a number adds to z is shared over the terms of its sum in proportion to w x:
 *     m(y) = m(f(y)) f(y) / y,  m(x) = sum of w m(y),  contribution of a term: m(y) w x
 * with m = 1 at z, and f'(0) for f(y) / y where y = 0. (A norm counts as linear, with the deviation
 * that it has.) At every layer the terms of that layer, the biases of it and of later layers, and
 * what a residual passes by add up to z; nothing is left over but rounding, for any depth. Through
 * the last aggregation the contributions of nodes are exact and no matter of taste: no activation
 * lies between. Further down they are the share above. All is computed in double. */
#ifndef REGULA_EXPLAIN_EXPLAIN_H
#define REGULA_EXPLAIN_EXPLAIN_H

#include "draw/names.h"
#include "regula/model.h"
#include "text/json_write.h"

typedef struct rg_explainer rg_explainer;

#define RG_STATEMENT_BIAS SIZE_MAX /* in place of the number of a rule */
#define RG_NO_OUTPUT UINT32_MAX
#define RG_NO_STATEMENT UINT32_MAX

/* One number of a statement. */
typedef struct rg_statement_weight {
    size_t param; /* of the model */
    double value;
    uint32_t in;  /* channel that comes in */
    uint32_t out; /* channel that goes out; of an aggregation the output, RG_NO_OUTPUT if its key
                     does not say which */
} rg_statement_weight;

typedef struct rg_statement {
    size_t layer; /* of the network, from 0 */
    size_t rule;  /* of the layer, or RG_STATEMENT_BIAS */
    uint32_t key; /* the first of its keys: of an aggregation there is one per output */
    size_t first; /* its weights: n of them from this one on */
    uint32_t n;
    double weight; /* the one that is largest in size */
    /* After rg_explainer_measure: */
    uint64_t graphs;     /* graphs (samples) in which it occurs */
    uint64_t pairs;      /* pairs (of a bias or an aggregation: nodes) in them that have it */
    double contribution; /* mean over all samples: to output `towards`, compared with the mean over
                            the outputs where a class is chosen */
    uint32_t towards;    /* the output that it speaks for, or against, most */
    double share; /* mean contribution on its axis (rg_explainer_effect) over the samples that
                            have it */
    /* After rg_explainer_remove, for those asked for: what setting its weights to 0 does. */
    bool removed;     /* there were targets to score */
    bool tried;       /* effect is measured */
    double effect;    /* on its axis: the answer with it less that without it, mean over `occurs` */
    double removal;   /* change of accuracy, 0 .. 1; for values of the mean absolute error */
    uint64_t changed; /* answers that are others then */
    uint64_t occurs;  /* samples of that part in which it occurs */
} rg_statement;

/* ---- opening */

/* Statements and words need the model alone. model and names (NULL: none) are kept. out: owned
 * (rg_explainer_free), untouched on failure. O(parameters). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_new(rg_explainer **out, const rg_model *model,
                                         const rg_names *names, rg_error *err);
void rg_explainer_free(rg_explainer *explainer); /* NULL is fine */
/* The data that all functions below ask of. source is kept; of the options threads, memory and
 * cache count; NULL for the defaults. RG_EDATA (data of another kind), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_read(rg_explainer *explainer, const rg_source *source,
                                          const rg_predict_options *options, rg_error *err);

/* ---- statements */

size_t rg_explainer_n_statements(const rg_explainer *explainer);
const rg_statement *rg_explainer_statement(const rg_explainer *explainer, size_t k);
/* Multiplies the weights of statement k by a factor in `model`, which is the one of the explainer and not
 * const: what was measured is then that of the model before. */
void rg_explainer_scale(const rg_explainer *explainer, rg_model *model, size_t k, double factor);
/* Adds to the bias of an output. False: the network has no bias of outputs that stands right before them. */
bool rg_explainer_shift(const rg_explainer *explainer, rg_model *model, uint32_t output, double by);
/* n weights of statement k. Borrowed. */
const rg_statement_weight *rg_explainer_weights(const rg_explainer *explainer, size_t k);
/* n_outputs means over all samples, for statement k: what it adds to each output. Borrowed; NULL
 * before rg_explainer_measure. */
const double *rg_explainer_means(const rg_explainer *explainer, size_t k);

/* A layer of the network. A layer of the file may be made of several (layer/layer.h). Texts are
 * borrowed. */
typedef struct rg_layer_facts {
    const char *kind;    /* "rule", "aggregate", "dense", "batch-norm", ... */
    size_t of;           /* the layer of the file that it belongs to, from 0 */
    const char *of_kind; /* "rule", "gin", "readout", ...; equal to kind if it is that layer */
    bool residual;       /* that layer adds its input to its output */
    const char *weights; /* name of the layer with rules whose weights it shares; NULL: own */
    size_t n_rules;      /* 0: it has none */
    bool has_bias;       /* statements of it have the rule RG_STATEMENT_BIAS */
    size_t first, n;     /* its statements */
    uint64_t n_params;
    uint32_t n_in, n_out;
    const char *activation;
} rg_layer_facts;

size_t rg_explainer_n_layers(const rg_explainer *explainer);
/* Layers of the file. */
size_t rg_explainer_n_file_layers(const rg_explainer *explainer);
/* Is every layer of the file one layer of the network? */
bool rg_explainer_is_plain(const rg_explainer *explainer);
rg_layer_facts rg_explainer_layer(const rg_explainer *explainer, size_t layer);
/* The text of a rule of a layer, or of its bias (RG_STATEMENT_BIAS; "one value per output" if it
 * has no rule). Borrowed. */
const char *rg_explainer_rule(const rg_explainer *explainer, size_t layer, size_t rule);

/* The sentence of a statement, without its weight: "from a nitrogen to a carbon, 3 bonds away".
 * Where a part of a key is nothing that there are words for, it says "EXPRESSION = VALUE". */
void rg_explainer_words(rg_text *out, const rg_explainer *explainer, size_t k);
/* What label `label` of labeling `labeling` (of the network file, from 0) is, as a noun: "a carbon
 * with neighbours C, C, N". */
void rg_explainer_label_words(rg_text *out, const rg_explainer *explainer, size_t labeling,
                              uint32_t label);
/* "class 1", with its name if there is one; "value 0", "answer 2". */
void rg_explainer_output_words(rg_text *out, const rg_explainer *explainer, uint32_t output);

/* ---- effects: what weights do to the answer, on one signed axis
 *
 * A weight alone says little: times a negative input it lowers what it seems to lift. An effect is
 * the weight times what comes in, times what follows. All channels (heads) add up to one effect. */

#define RG_EACH_OUTPUT (UINT32_MAX - 1) /* up: of every pair of an aggregation its own output */

/* Of two classes: log odds of class 1 (up) over class 0 (down). Of more classes: those of class `up`
 * over the mean of the others. Else output `up`, values in the unit of the data. */
typedef struct rg_effect_axis {
    uint32_t up, down; /* down: RG_NO_OUTPUT but of two classes */
} rg_effect_axis;

/* output: which one it is to be about where the task leaves a choice. */
rg_effect_axis rg_explainer_axis(const rg_explainer *explainer, uint32_t output);
/* Where differences of the outputs lie on it. */
double rg_explainer_on_axis(const rg_explainer *explainer, rg_effect_axis axis,
                            const double *outputs);
/* What its upper or lower end is: "class 1 (active)", "the other classes",
 * "a lower value 0". */
void rg_explainer_axis_words(rg_text *out, const rg_explainer *explainer, rg_effect_axis axis,
                             bool up);

/* The effect of a statement, over the samples that have it. */
typedef struct rg_effect {
    rg_effect_axis axis;
    double value;
    bool measured;  /* by removing it; else it is the mean contribution */
    bool disagrees; /* the mean contribution has the other sign */
} rg_effect;

/* After rg_explainer_measure; what was removed (rg_explainer_remove) is what was measured. */
rg_effect rg_explainer_effect(const rg_explainer *explainer, size_t k);

/* ---- on data */

/* Sets graphs, pairs, contribution, towards and share of all statements, from samples[0 .. n-1] (NULL:
 * all). Cost: that of predicting, times the number of outputs. RG_EUSAGE (no such sample),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_measure(rg_explainer *explainer, const uint32_t *samples,
                                             size_t n, rg_error *err);

/* What in the data was new to the model. Pairs are those of the walks so far: ask once, after
 * rg_explainer_measure. RG_EUSAGE if there are no data. */
RG_MUST_CHECK rg_status rg_explainer_report(rg_predict_report *out, const rg_explainer *explainer,
                                            rg_error *err);

/* How the model does on a part, with all its weights. */
typedef struct rg_explain_score {
    uint64_t n;   /* samples, nodes or answers with a target */
    double score; /* accuracy, or mean absolute error; NaN: n is 0 */
} rg_explain_score;

/* Sets what removing does, for statements[0 .. n-1], measured on samples[0 .. n_samples-1] (NULL:
 * all) by predicting again, with the model's own precision, wherever the statement occurs. score
 * NULL: effects alone, which need no targets. Effects have the axis that rg_explainer_measure found.
 * RG_EDATA (no targets), RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_remove(rg_explain_score *score, rg_explainer *explainer,
                                            const uint32_t *statements, size_t n,
                                            const uint32_t *samples, size_t n_samples,
                                            rg_error *err);

typedef enum rg_explain_order {
    RG_BY_WEIGHT,       /* |weight| */
    RG_BY_CONTRIBUTION, /* |contribution| */
    RG_BY_SUPPORT,      /* graphs, then pairs */
    RG_BY_REMOVAL,      /* |removal|, then answers changed; those not measured come last */
    RG_N_EXPLAIN_ORDERS
} rg_explain_order;

/* The first `most` statements of a layer, rules and bias apart; ties by number. out: room for
 * `most`. How many there are. O(statements log). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_rank(uint32_t *out, size_t *n, const rg_explainer *explainer,
                                          size_t layer, bool bias, rg_explain_order order,
                                          size_t most, rg_error *err);

/* ---- attribution: one sample, by nodes and by statements */

/* What a statement adds in one sample. */
typedef struct rg_share {
    uint32_t statement;
    uint64_t pairs;
} rg_share;

/* Of one layer: its statements that occur, and what else there is. */
typedef struct rg_share_list {
    rg_share *shares; /* by number of statement */
    double *values;   /* [share][output] */
    size_t n;
    double *dense;  /* [output]: weights without a rule of this layer: dense; else 0 */
    double *bias;   /* [output]: biases of this layer without a statement: dense, norm; else 0 */
    double *later;  /* [output]: biases of later layers */
    double *passed; /* [output]: what goes past the layer: by a residual, in other branches */
    double *sum;    /* [output]: all of it, added up */
} rg_share_list;

typedef struct rg_attribution {
    size_t sample;
    uint32_t n_nodes; /* of arrays: values */
    uint32_t n_outputs;
    uint32_t said;         /* the class; RG_NO_OUTPUT where no class is chosen for a sample */
    uint32_t truth;        /* the same of the data, RG_NO_OUTPUT: not known */
    bool of_nodes;         /* classes of nodes: outputs are means over the nodes */
    double *z;             /* [output]: before the last activation */
    double *outputs;       /* [output]: after it */
    double *nodes;         /* [node][output]: through the last layer that sees nodes, spread */
    double *rest;          /* [output]: biases from that layer on: z = rest + sum of nodes */
    rg_share_list *layers; /* n_layers; of layers without weights empty */
    size_t n_layers;
    /* What the model had not seen in training, as rg_predict_report counts it, in this sample. */
    uint64_t unknown_labels, unseen_labels, unseen_pairs;
    void *block; /* where all of it lies */
} rg_attribution;

/* A label speaks for an environment: wl(depth=2) for all nodes within two edges, cycles for the rings of
 * the node. So what a node adds is shared among the nodes that its labels in the last rules describe,
 * in equal parts; sums stay. false: it stays with the node, exactly as the sum over nodes has it. */
void rg_explainer_set_spread(rg_explainer *explainer, bool spread);
/* *out: to be freed with rg_attribution_free, untouched on failure. RG_EUSAGE (no such sample: says
 * which there are), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_attribute(rg_attribution *out, rg_explainer *explainer,
                                               size_t sample, rg_error *err);
void rg_attribution_free(rg_attribution *attribution);

/* A pair of a sample that has a weight. */
typedef struct rg_pair_weight {
    uint32_t from, to; /* of an aggregation: node and output */
    uint32_t statement;
    double weight; /* of the channels, the one that is largest in size */
    double effect; /* after rg_explainer_pair_effects; else 0 */
} rg_pair_weight;

typedef struct rg_pair_weights {
    rg_pair_weight *pairs; /* by `to`, then as the rules list them; owned */
    size_t n;
    uint32_t n_nodes;
    double *bias;             /* [node]: largest in size; 0: none; owned */
    uint32_t *bias_statement; /* [node]: RG_NO_STATEMENT: none; owned */
    double *bias_effect;      /* [node]: as the effect of a pair; owned */
} rg_pair_weights;

/* The weights of a rule or aggregate layer on one sample. channel: of what goes out, SIZE_MAX: the
 * largest of all. out: ends with rg_pair_weights_free, untouched on failure. RG_EUSAGE (no such
 * sample, layer or channel, or a layer without rules), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_pairs(rg_pair_weights *out, rg_explainer *explainer,
                                           size_t sample, size_t layer, size_t channel,
                                           rg_error *err);
/* Fills in the effects of the pairs and biases that rg_explainer_pairs gave for that sample and layer.
 * Those of one statement add up to its contribution. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_pair_effects(rg_pair_weights *pairs, rg_explainer *explainer,
                                                  size_t sample, size_t layer, rg_effect_axis axis,
                                                  rg_error *err);
void rg_pair_weights_free(rg_pair_weights *pairs);

/* ---- classes */

typedef struct rg_typical {
    uint32_t sample;
    double distance; /* to the mean of its class, in the space of embeddings */
    double margin;   /* its output over the largest of the others */
} rg_typical;

/* Samples of a class that the model answers rightly, nearest to the mean of the class first; where
 * there is no embedding by margin, distance NaN. class: by number. out: room for `most`. *n_class,
 * *n_right: samples of the class, and those answered rightly. RG_EUSAGE (the task has no classes of
 * samples), RG_EDATA (no targets), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_typical(rg_typical *out, size_t *n, size_t *n_class,
                                             size_t *n_right, rg_explainer *explainer,
                                             uint32_t class, size_t most, rg_error *err);

/* What a statement adds to z of class a over that of class b (RG_NO_OUTPUT: over the mean of all
 * others), in samples of a and in samples of b (of all others). */
typedef struct rg_separation {
    uint32_t statement;
    double mean_a, mean_b; /* over all samples of the class */
    uint64_t graphs_a, graphs_b;
} rg_separation;

/* By |mean_a - mean_b|, the largest first; ties by number. layer: SIZE_MAX for all. out: room for
 * `most`. As rg_explainer_typical. */
RG_MUST_CHECK rg_status rg_explainer_separate(rg_separation *out, size_t *n, uint64_t n_samples[2],
                                              rg_explainer *explainer, uint32_t a, uint32_t b,
                                              size_t layer, size_t most, rg_error *err);

/* ---- for programs: objects of JSON, each the same for the same input (docs/explain.md) */

/* {"statement", "layer", "rule", "words", "weight", "weights", "graphs", ...} */
void rg_explain_json_statement(rg_json *json, const rg_explainer *explainer, size_t k);
/* Which layer it is: {"layer", "kind"}, and where layers of the file are made of several {"part_of",
 * "number"} too: the kind of the layer of the file, and the number that tensors of the model have. */
void rg_explain_json_layer(rg_json *json, const rg_explainer *explainer, size_t layer);
/* {"sample", "z", "outputs", "nodes", "layers": [{"statements": ...}]} ; most: statements of a
 * layer, the largest first; the sums are of all. */
void rg_explain_json_attribution(rg_json *json, const rg_explainer *explainer,
                                 const rg_attribution *attribution, size_t most);
/* {"layer", "pairs": [[from, to, weight, statement], ...], "bias": [...]} */
void rg_explain_json_pairs(rg_json *json, const rg_explainer *explainer, size_t layer,
                           const rg_pair_weights *pairs);

#endif
