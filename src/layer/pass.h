/* pass.h - samples on their way through the layers of a network: the scratch of one thread.
 *
 * network/engine.c makes passes and runs them; layers find their numbers here. Without batches a
 * pass has one sample at a time, all lanes side by side. With batches it has several graphs at once
 * in one lane, and nodes of one colour share a row (batch/batch.h). Signals and gradients of all
 * values lie in one block that is taken once, for the largest samples. */
#ifndef REGULA_LAYER_PASS_H
#define REGULA_LAYER_PASS_H

#include "batch/loops.h"
#include "tables.h"

#define RG_NOWHERE SIZE_MAX

/* What dropout draws from. Draws depend on the sample, not on when or beside which it is seen. */
typedef struct rg_pass_draws {
    uint64_t seed[RG_MAX_LANES];
    uint64_t stream; /* of the epoch, the first of RG_SPEC_LAYERS_MAX below 2^40 */
} rg_pass_draws;

struct rg_pass {
    const rg_net_layer *layers;
    const rg_value *values; /* [n_layers + 1] */
    size_t n_layers, n_params, last;
    const rg_kernels *kernels;
    const rg_gnn_kernels *loops; /* of batches */
    rg_precision precision;
    size_t item;  /* bytes of one number of all lanes */
    bool batched; /* several graphs at once */
    bool each;    /* batches without shared rows: every node has its own */
    bool shares;  /* for explanations: sums before activations are kept, and shares go back */
    bool backward;

    /* the samples at hand */
    rg_sample *group; /* [n_group]: room for those of rg_pass_take */
    uint32_t n_group;
    const rg_sample *samples;
    uint32_t n_samples;
    uint32_t n_rows; /* without batches: of the sample */
    size_t n_arcs;   /* that the largest batch can have */
    rg_batch batch;
    bool sparse;                 /* without batches: the input is that of the block's sparse rows */
    size_t most_sparse;          /* entries of a sample at most */
    const rg_dataset *data;      /* graphs of the batch */
    const rg_features *features; /* of all nodes of the data: input of batches */
    const double *edges;         /* [arc of the data][attribute]; NULL: no layer takes them */
    const rg_features
        *hot_input;             /* the same without batches, where the input is one-hot; or NULL */
    bool materialised;          /* it is made a matrix too: other layers than dense ones take it */
    uint32_t *hot;              /* [row of round 0][n_hot]: features of the batch */
    void *numbers;              /* [row of round 0][n_dense] */
    const rg_pass_draws *draws; /* NULL: nothing is trained */
    void *w;                    /* parameters, then what layers keep (rg_net_layer.state) */
    void *g;                    /* gradients of the parameters */

    /* places in the block, by value and by layer; RG_NOWHERE: not needed */
    size_t *signal, *gradient;
    size_t *act;                    /* what the activation gave, where the signal has more in it */
    size_t *pre;                    /* what went into it, where backward wants that */
    size_t *kept;                   /* what backward needs besides */
    size_t *by_sum;                 /* shares: of what went into the activation */
    size_t rows_act, rows_gradient; /* of a first layer whose equal rows are kept once */
    uint32_t *identity;             /* 0, 1, 2, ...: biases of aggregations */
    bool back;                      /* on the way back */
    size_t at;           /* the layer that comes next; on the way back the one above it */
    uint32_t phase;      /* and its next phase */
    double *sums;        /* of layers with phases */
    bool leads;          /* of several parts of a batch, the one that moves states */
    char *start, *block; /* start: of the first cache line in the block */
};

static inline void *rg_pass_at(const rg_pass *p, size_t place)
{
    return place == RG_NOWHERE ? NULL : p->start + place;
}

static inline void *rg_pass_value(const rg_pass *p, uint32_t v)
{
    return rg_pass_at(p, p->signal[v]);
}

static inline void *rg_pass_gradient_of(const rg_pass *p, uint32_t v)
{
    return rg_pass_at(p, p->gradient[v]);
}

static inline void *rg_pass_kept(const rg_pass *p, size_t k)
{
    return rg_pass_at(p, p->kept[k]);
}

/* What the activation of layer k gave. */
static inline void *rg_pass_act(const rg_pass *p, size_t k)
{
    return rg_pass_at(p, p->act[k] == RG_NOWHERE ? p->signal[k + 1] : p->act[k]);
}

/* Rows of a value of nodes in the batch. */
static inline uint32_t rg_pass_round(const rg_pass *p, uint32_t v)
{
    return p->each ? RG_EACH : p->values[v].round;
}

static inline const rg_rows *rg_pass_nodes(const rg_pass *p, uint32_t v)
{
    return &p->batch.rows[rg_pass_round(p, v)];
}

static inline size_t rg_pass_rows(const rg_pass *p, uint32_t v)
{
    uint32_t rows = p->values[v].rows;
    if (!p->batched)
        return rows ? rows : p->n_rows;
    return rows ? (size_t)rows * p->n_samples : rg_pass_nodes(p, v)->n;
}

static inline size_t rg_pass_reals(const rg_pass *p, uint32_t v)
{
    return rg_pass_rows(p, v) * p->values[v].channels;
}

/* Number k of an array, all lanes. */
static inline void *rg_pass_item(const rg_pass *p, const void *reals, size_t k)
{
    return (char *)reals + k * p->item;
}

static inline const void *rg_pass_param(const rg_pass *p, size_t place)
{
    return rg_pass_item(p, p->w, place);
}

static inline void *rg_pass_dparam(const rg_pass *p, size_t place)
{
    return rg_pass_item(p, p->g, place);
}

/* Bias of layer k that no rule has, or NULL; its gradient. */
static inline const void *rg_pass_bias(const rg_pass *p, size_t k)
{
    return p->layers[k].bias.n_params ? rg_pass_param(p, p->layers[k].bias.at) : NULL;
}

static inline void *rg_pass_dbias(const rg_pass *p, size_t k)
{
    return p->layers[k].bias.n_params ? rg_pass_dparam(p, p->layers[k].bias.at) : NULL;
}

/* Where the gradient of input n of layer k goes, NULL: nowhere; cleared, unless a later layer was
 * there before, for loops that add. */
static inline void *rg_pass_dx(const rg_pass *p, size_t k, uint32_t n)
{
    return rg_pass_gradient_of(p, p->layers[k].ins[n]);
}
void *rg_pass_dx_cleared(const rg_pass *p, size_t k, uint32_t n);
/* dx = or += dy, n numbers. */
void rg_pass_put(const rg_pass *p, size_t k, uint32_t n, const void *dy);
/* Adds to, or writes, n numbers. */
void rg_pass_copy(const rg_pass *p, void *to, size_t n, const void *from, bool add);

#endif
