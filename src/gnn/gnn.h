/* gnn.h - message passing networks by name, `model: gin`: their settings, and the network files that
 * these stand for. The formulas of every network are in docs/baselines.md. */
#ifndef REGULA_GNN_GNN_H
#define REGULA_GNN_GNN_H

#include "baseline/baseline.h"
#include "features_spec.h"
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

typedef enum rg_gathering {
    RG_GATHER_SUM,
    RG_GATHER_MEAN,
    RG_GATHER_GCN,
    RG_GATHER_MAX
} rg_gathering;
typedef enum rg_pooling { RG_POOL_SUM, RG_POOL_MEAN, RG_POOL_MAX } rg_pooling;

typedef struct rg_gnn_layer_kind rg_gnn_layer_kind; /* of a list; gnn_list.c has their table */

/* One layer of a list. */
typedef struct rg_gnn_layer {
    const rg_gnn_layer_kind *kind;
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

/* gnn.c: the keys of a model's map. out: owned (rg_gnn_settings_free). RG_EDATA, RG_EIO,
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
/* Adds the layers of a network file. */
void rg_gnn_list_network(rg_text *out, const rg_gnn_settings *settings);

/* gnn_nets.c: adds the network file that the settings stand for, with its training. */
void rg_gnn_network(rg_text *out, const void *settings);

#endif
