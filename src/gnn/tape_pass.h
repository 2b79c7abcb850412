/* tape_pass.h - the room of a run over a tape, and where in it things are; for tape_pass.c and
 * tape_steps.c alone. */
#ifndef REGULA_GNN_TAPE_PASS_H
#define REGULA_GNN_TAPE_PASS_H

#include "tape.h"

struct rg_tape_pass {
    const rg_tape *tape;
    const rg_gnn_kernels *layers;
    const rg_kernels *kernels;
    size_t real;              /* bytes of one */
    const rg_batch *batch;    /* at hand */
    size_t *value, *gradient; /* [value]: places in the block, in bytes; RG_NOWHERE: none */
    size_t *kept;             /* [step]: what its way back needs besides */
    void *transposed;         /* scratch: weights transposed */
    double *sums;             /* scratch of norms */
    void *dense;              /* [row of round 0][n_dense]: features of the batch */
    uint32_t *hot;            /* [row of round 0][n_hot] */
    char *start, *block;      /* start: of the first line of the cache in the block */
};

static inline void *rg_value_at(const rg_tape_pass *p, uint32_t v)
{
    return p->start + p->value[v];
}

static inline void *rg_gradient_at(const rg_tape_pass *p, uint32_t v)
{
    return p->gradient[v] == RG_NOWHERE ? NULL : p->start + p->gradient[v];
}

/* What a step kept. */
static inline void *rg_kept_at(const rg_tape_pass *p, size_t k)
{
    return p->start + p->kept[k];
}

static inline size_t rg_width_at(const rg_tape_pass *p, uint32_t v)
{
    return p->tape->values[v].width;
}

static inline size_t rg_rows_at(const rg_tape_pass *p, uint32_t v)
{
    const rg_value *value = &p->tape->values[v];
    return value->graphs ? p->batch->n_graphs : p->batch->rows[value->round].n;
}

/* Rows of a value of nodes. */
static inline const rg_rows *rg_nodes_at(const rg_tape_pass *p, uint32_t v)
{
    return &p->batch->rows[p->tape->values[v].round];
}

static inline size_t rg_reals_at(const rg_tape_pass *p, uint32_t v)
{
    return rg_rows_at(p, v) * rg_width_at(p, v);
}

/* Real k of an array. */
static inline void *rg_real_place(const rg_tape_pass *p, const void *reals, size_t k)
{
    return (char *)reals + k * p->real;
}

static inline void *rg_param_at(const rg_tape_pass *p, const void *w, size_t place)
{
    return place == RG_NOWHERE ? NULL : rg_real_place(p, w, place);
}

/* Are so many weights few enough for the products of loops.h? */
static inline bool rg_step_is_narrow(size_t n_weights)
{
    return n_weights <= (1 << 16);
}

/* tape_steps.c: step k on the batch at hand. Back: fills the gradients of its inputs from that of
 * its value, and adds to the gradients g. */
void rg_step_forward(rg_tape_pass *p, size_t k, void *w, const rg_tape_draws *draws);
void rg_step_back(rg_tape_pass *p, size_t k, const void *w, void *g);
/* Features of the batch at hand. */
void rg_step_features(rg_tape_pass *p);

#endif
