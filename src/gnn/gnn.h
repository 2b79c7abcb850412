/* gnn.h - message passing networks: settings, what prepared data hold, and the tape that
 * the settings stand for. The formulas of every network are in docs/baselines.md. */
#ifndef REGULA_GNN_GNN_H
#define REGULA_GNN_GNN_H

#include "baseline/baseline.h"
#include "tape.h"
#include "train/settings.h"

typedef enum rg_gnn_kind {
    RG_GNN_GIN,
    RG_GNN_GRAPHSAGE,
    RG_GNN_GCN,
    RG_GNN_DGCNN,
    RG_GNN_GSN,    /* GIN that sees counts of cycles and cliques */
    RG_GNN_LAYERS, /* as its list of layers says, rule layers among them */
    RG_N_GNNS
} rg_gnn_kind;

typedef enum rg_gnn_layer_kind {
    RG_MIXED_GIN,
    RG_MIXED_GRAPHSAGE,
    RG_MIXED_GCN,
    RG_MIXED_RULE,
    RG_MIXED_DENSE,
    RG_MIXED_POOL,
    RG_MIXED_NORM,
    RG_MIXED_DROPOUT,
    RG_MIXED_ACTIVATION,
    RG_N_MIXED
} rg_gnn_layer_kind;

/* One layer of a list. */
typedef struct rg_gnn_layer {
    rg_gnn_layer_kind kind;
    uint32_t width; /* channels that come out; DENSE 0: as many as classes */
    rg_gathering gathering;
    bool own; /* GRAPHSAGE: weights of its own for the node itself */
    rg_pooling pooling;
    bool learned; /* GIN: eps */
    double eps, dropout;
    char *rule, *bias; /* RULE: texts, owned; no bias: NULL */
    bool full, residual;
    rg_activation activation; /* identity, relu or tanh */
} rg_gnn_layer;

typedef struct rg_gnn_settings {
    rg_gnn_kind kind;
    uint32_t layers, width;
    bool learned; /* eps is learned, and starts at `eps` */
    double eps;
    rg_gathering gathering;
    bool own; /* GRAPHSAGE: weights of its own for the node itself */
    rg_pooling pooling;
    double dropout;
    double part;   /* DGCNN: rows that sort pooling keeps, so that this part of the graphs has no
                      more nodes; 0: `rows` */
    uint32_t rows; /* or as many */
    bool ordered;  /* DGCNN: the channels of a node are sorted before nodes are */
    uint32_t dense;
    rg_features_spec features;
    rg_settings training;
    rg_gnn_layer *list; /* LAYERS; owned */
    size_t n_list;      /* its rules know the labels of `features` */
} rg_gnn_settings;

/* message.c: the keys of a model's map. out: owned (rg_gnn_settings_free). RG_EDATA, RG_EIO,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_gnn_settings_read(rg_gnn_settings **out, rg_gnn_kind kind,
                                             const rg_yaml *root, rg_error *err);
void rg_gnn_settings_free(void *settings); /* NULL is fine */
void rg_gnn_settings_print(rg_text *out, const void *settings, bool prepared_only);

/* gnn_list.c: the list of layers; the features must have been read before. */
RG_MUST_CHECK rg_status rg_gnn_list_read(rg_gnn_settings *settings, const rg_yaml *root,
                                         rg_error *err);
void rg_gnn_list_free(rg_gnn_settings *settings);
void rg_gnn_list_print(rg_text *out, const rg_gnn_settings *settings);

/* A rule layer on prepared data. */
typedef struct rg_gnn_rule {
    rg_connections *pairs, *bias;
    rg_tape_rule tape;
} rg_gnn_rule;

/* What all runs share. Never changes once it is built. */
typedef struct rg_gnn_prepared {
    rg_baseline_task task;
    rg_features *features;
    rg_gnn_rule *rules; /* [layer of the list] */
    size_t n_rules;
    rg_tape tape;
    rg_colouring *colouring; /* colours of nodes, for the rounds of the tape */
    rg_cpu cpu;
} rg_gnn_prepared;

/* gnn_prepared.c. source: kept. out: owned (rg_gnn_prepared_free). RG_EDATA, RG_EFAIL (over the
 * memory), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_gnn_prepared_new(void **out, const void *settings,
                                            const rg_source *source,
                                            const rg_baseline_options *options, rg_error *err);
void rg_gnn_prepared_free(void *prepared); /* NULL is fine */

/* gnn_nets.c: the tape of the settings on prepared data that have all but its tape. RG_EDATA (a
 * network that does not fit), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_gnn_build(rg_tape *tape, const rg_gnn_settings *settings,
                                     const rg_gnn_prepared *prepared,
                                     const rg_baseline_options *options, rg_error *err);

/* gnn_train.c: one run. As rg_baseline_train. */
RG_MUST_CHECK rg_status rg_gnn_train(rg_baseline_run *out, const void *settings,
                                     const void *prepared, const rg_baseline_wish *wish,
                                     rg_error *err);

#endif
