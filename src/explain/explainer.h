/* explainer.h - the inside of an explainer, and a sample traced through a network. */
#ifndef REGULA_EXPLAIN_EXPLAINER_H
#define REGULA_EXPLAIN_EXPLAINER_H

#include "explain.h"
#include "model/model.h"

/* One sample on its way through a network, in double, one lane, with all that contributions need.
 * Shapes are those of network/pass.h. Places that a layer does not need are NULL. */
typedef struct rg_explain_pass {
    const rg_network *net;     /* kept */
    const rg_kernels *kernels; /* double, one lane */
    const double *w;           /* n_params, kept */
    size_t last;               /* the layer that gives z */
    uint32_t n_rows;
    rg_sample sample;
    double *signal[RG_SPEC_LAYERS_MAX + 1];    /* into layer k; the last one: what comes out */
    double *sum[RG_SPEC_LAYERS_MAX];           /* of layer k, before its activation */
    double *gain[RG_SPEC_LAYERS_MAX];          /* f(y) / y; NULL: no activation, 1 */
    double *stat[RG_SPEC_LAYERS_MAX];          /* norm: means and 1 / deviations */
    double *by_signal[RG_SPEC_LAYERS_MAX + 1]; /* m of signal k */
    double *by_sum[RG_SPEC_LAYERS_MAX];        /* m of sum k */
    uint32_t *identity;                        /* 0, 1, 2, ...: biases of aggregations */
    void *block;
} rg_explain_pass;

/* most_rows: of any sample. net must not have its input in the tables. out: owned. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explain_pass_new(rg_explain_pass **out, const rg_network *net,
                                            const double *w, uint32_t most_rows, rg_error *err);
void rg_explain_pass_free(rg_explain_pass *pass); /* NULL is fine */
/* sample: copied; what it borrows must stay until the last rg_explain_pass_back. */
void rg_explain_pass_forward(rg_explain_pass *pass, const rg_sample *sample);
/* From z back to the input; seed [n_z] says how much of each number of z. Adds m(y) x of every
 * parameter to g [n_params], so that w g is what the parameter contributes. */
void rg_explain_pass_back(rg_explain_pass *pass, const double *seed, double *g);
/* Numbers that the last layer gives before its activation; rows and channels of layer k. */
size_t rg_explain_pass_n_z(const rg_explain_pass *pass);
uint32_t rg_explain_pass_rows_in(const rg_explain_pass *pass, size_t layer);
uint32_t rg_explain_pass_rows_out(const rg_explain_pass *pass, size_t layer);
/* Adds `share` of one output to a seed; of classes of nodes, share / nodes in each row. */
void rg_explain_pass_seed(const rg_explain_pass *pass, double *seed, uint32_t output, double share);

struct rg_explainer {
    const rg_model *model; /* kept */
    const rg_names *names; /* kept; NULL: none */
    rg_network net;        /* the model's, but that no layer has its input in the tables; all it
                              points to is the model's */
    double *w;             /* n_params, owned; so are all below */
    rg_statement *statements;
    size_t n;
    rg_statement_weight *weights;
    size_t n_weights;
    uint32_t *of_param;                   /* [param]: its statement, or RG_NO_STATEMENT */
    size_t first[RG_SPEC_LAYERS_MAX + 1]; /* statement of each layer */
    bool atoms;    /* nodes are named, and their names are atoms: people say bonds */
    double *means; /* [statement][output] */
    rg_source source;
    rg_predict_options options;
    rg_samples *samples; /* NULL: no data yet */
    rg_walk walk;
    rg_explain_pass *pass;
};

/* RG_EUSAGE: there is no such sample, or no data were read. */
RG_MUST_CHECK rg_status rg_explainer_check_sample(const rg_explainer *explainer, size_t sample,
                                                  rg_error *err);
/* 0, 1, 2, ... up to n. Owned (rg_free); NULL if memory is short. */
uint32_t *rg_explainer_all(size_t n);
/* Calls `each` for every entry of the rules and the bias of layer k on a sample of e->samples.
 * from: the input row (of a bias: the row), to: the output row. An aggregation's own bias is one
 * entry. */
typedef void (*rg_entry_visit)(void *context, const rg_statement *statement, uint32_t number,
                               uint32_t key, uint32_t from, uint32_t to);
void rg_explainer_visit(const rg_explainer *explainer, const rg_sample *sample, size_t layer,
                        rg_entry_visit each, void *context);

/* phrase.c: a node with these labels, as a noun. Begins as {.names, .place}; ends with
 * rg_phrase_end, which writes "a carbon on a ring of 6, of degree 3". */
typedef struct rg_phrase {
    const rg_names *names;
    bool place;      /* of an array, no node */
    bool brief;      /* no article, symbols for atoms, nothing of rings that it is not on */
    rg_text noun;    /* "carbon"; empty: node */
    rg_text details; /* " on a ring of 6, of degree 3" */
    size_t n_details;
} rg_phrase;
/* name: of the labeling, for what it cannot say. */
void rg_phrase_label(rg_phrase *phrase, const rg_labeling *labeling, uint32_t label,
                     const char *name);
void rg_phrase_node_label(rg_phrase *phrase, uint32_t column, int64_t value);
void rg_phrase_add(rg_phrase *phrase, const char *format, ...) RG_PRINTF(2, 3);
/* Moves the phrase into the text. */
void rg_phrase_end(rg_text *out, rg_phrase *phrase);

/* sentence.c: the key of a weight in words. */
void rg_sentence_say(rg_text *out, const rg_explainer *explainer, const rg_rule *rule,
                     const int64_t *key);

#endif
