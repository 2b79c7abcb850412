/* tape.h - a message passing network as a list of steps, run forward and back over a batch.
 *
 * A step takes values and makes one. A value is rows of channels, a row for every graph of the
 * batch or for every kind of node in it (colours.h): each aggregation goes from one round to the
 * next, and behind what tells all nodes apart (rules, dropout) every node has its own row. Building
 * a tape puts steps behind each other and counts parameters, which are one flat array of the
 * caller's: first those that are learned, then what batch norms keep (running means and variances).
 * A tape never changes once it is built, so any number of threads and runs may share it; what a run
 * needs besides is its pass, taken once for the largest batch. */
#ifndef REGULA_GNN_TAPE_H
#define REGULA_GNN_TAPE_H

#include "batch/features.h"
#include "batch/loops.h"
#include "batch/sequence.h"
#include "train/start.h"

typedef enum rg_step_kind {
    RG_STEP_INPUT,     /* features as they are: nothing is learned before this */
    RG_STEP_EMBED,     /* features times weights, no matrix made of what is one-hot */
    RG_STEP_LINEAR,    /* y = x w + b, on each of `groups` equal pieces of a row */
    RG_STEP_BIAS,      /* y = x + b */
    RG_STEP_AGGREGATE, /* from nodes to their neighbours */
    RG_STEP_NORM,      /* batch norm, then ReLU */
    RG_STEP_RELU,
    RG_STEP_TANH,
    RG_STEP_DROPOUT,
    RG_STEP_POOL,          /* one row per graph */
    RG_STEP_JOIN,          /* side by side */
    RG_STEP_ADD,           /* sum of values of one width */
    RG_STEP_SORT_CHANNELS, /* the channels of every row, ascending */
    RG_STEP_RULE,          /* connections of a rule, graph by graph */
    RG_STEP_SORT_POOL,     /* sort pooling: [graph][size][channel] */
    RG_STEP_CONV1D,        /* 1-D convolution over [graph][position][channel] */
    RG_STEP_MAX_POOL       /* the larger of each two positions */
} rg_step_kind;

typedef enum rg_gathering {
    RG_GATHER_SUM,
    RG_GATHER_MEAN,
    RG_GATHER_GCN,
    RG_GATHER_MAX
} rg_gathering;
typedef enum rg_pooling { RG_POOL_SUM, RG_POOL_MEAN, RG_POOL_MAX } rg_pooling;

#define RG_NOWHERE SIZE_MAX

/* Connections of a rule over all graphs of a set, with the weights of a fit. Borrowed. */
typedef struct rg_tape_rule {
    const rg_connections *pairs;
    const rg_connections *bias; /* NULL: none */
    size_t n_weights, n_biases; /* keys */
    double fan;                 /* connections of a node, on average: for start values */
} rg_tape_rule;

typedef struct rg_value {
    bool graphs;    /* a row for every graph, else for nodes: */
    uint32_t round; /* those of one kind of this round share one; or RG_EACH */
    uint32_t width;
    bool learned;     /* parameters come before it: its gradient is wanted */
    uint32_t readers; /* steps that take it */
    uint32_t maker;   /* the step that makes it */
} rg_value;

typedef struct rg_step {
    rg_step_kind kind;
    uint32_t ins[RG_SPEC_LAYERS_MAX]; /* values */
    uint32_t n_ins;
    uint32_t out;
    bool add[RG_SPEC_LAYERS_MAX]; /* a later step has filled the gradient of this input already */
    size_t weights, bias;         /* first parameters, or RG_NOWHERE. NORM: gains, shifts */
    size_t state;                 /* NORM: running means, then variances */
    uint32_t groups;              /* LINEAR */
    rg_gathering gathering;
    double self; /* AGGREGATE: factor of the node itself, 0 or, but for sums, 1; `weights`: eps
                    is added to it */
    rg_pooling pooling;
    double dropout;
    const rg_tape_rule *rule;
    bool full;          /* RULE: every channel sees all */
    uint32_t size;      /* SORT: rows kept */
    rg_sequences shape; /* SLIDE, HALVE; its n is that of the batch */
} rg_step;

/* Start values of some parameters. */
typedef struct rg_tape_start {
    size_t at, n;
    rg_start start; /* but for its kind */
    bool bias;
    bool fixed; /* instead: all `value` */
    double value;
} rg_tape_start;

typedef struct rg_tape {
    const rg_features *features; /* kept */
    rg_value *values;
    rg_step *steps;
    rg_tape_start *starts;
    size_t n_values, n_steps, n_starts;
    size_t room_values, room_steps, room_starts;
    size_t n_params, n_state; /* learned, and kept by norms */
    uint32_t n_rounds;        /* that nodes go through, 1 at least */
    bool each;                /* some values have a row for every node */
    bool failed;              /* memory was short: told by rg_tape_seal */
} rg_tape;

/* ---- building: each adds a step and gives the number of its value. The first failure sticks. */

void rg_tape_begin(rg_tape *tape, const rg_features *features); /* features: kept */
void rg_tape_free(rg_tape *tape);                               /* what it holds, not itself */

uint32_t rg_tape_input(rg_tape *tape);
uint32_t rg_tape_embed(rg_tape *tape, uint32_t width, bool bias);
uint32_t rg_tape_linear(rg_tape *tape, uint32_t x, uint32_t width, bool bias, uint32_t groups);
/* The same weights as those of the linear step that made `like`. */
uint32_t rg_tape_linear_again(rg_tape *tape, uint32_t x, uint32_t like);
uint32_t rg_tape_bias(rg_tape *tape, uint32_t x);
/* learned: eps is a parameter that starts at `eps`. Both for sums only. */
uint32_t rg_tape_aggregate(rg_tape *tape, uint32_t x, rg_gathering gathering, double eps,
                           bool learned);
/* Of the neighbours alone: sum, mean or max. */
uint32_t rg_tape_neighbours(rg_tape *tape, uint32_t x, rg_gathering gathering);
uint32_t rg_tape_norm(rg_tape *tape, uint32_t x);
uint32_t rg_tape_relu(rg_tape *tape, uint32_t x);
uint32_t rg_tape_tanh(rg_tape *tape, uint32_t x);
uint32_t rg_tape_dropout(rg_tape *tape, uint32_t x, double p); /* p 0: x itself */
uint32_t rg_tape_pool(rg_tape *tape, uint32_t x, rg_pooling pooling);
uint32_t rg_tape_join(rg_tape *tape, const uint32_t *xs, uint32_t n); /* n up to the array of ins */
uint32_t rg_tape_sum(rg_tape *tape, const uint32_t *xs, uint32_t n);
/* rule: kept. full: `width` channels come out, else as many as go in. */
uint32_t rg_tape_rule_layer(rg_tape *tape, uint32_t x, const rg_tape_rule *rule, bool full,
                            uint32_t width);
uint32_t rg_tape_sort_channels(rg_tape *tape, uint32_t x);
uint32_t rg_tape_sort_pool(rg_tape *tape, uint32_t x, uint32_t size);
/* `channels`: of the rows that x is a sequence of. */
uint32_t rg_tape_conv1d(rg_tape *tape, uint32_t x, uint32_t channels, uint32_t size,
                        uint32_t width);
uint32_t rg_tape_max_pool(rg_tape *tape, uint32_t x, uint32_t channels);
/* The last value is the output; which gradients are wanted, and who fills them first. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_tape_seal(rg_tape *tape, rg_error *err);

uint32_t rg_tape_width(const rg_tape *tape, uint32_t x);

/* Fills n_params + n_state reals. kind: of weights; biases of GLOROT start at 0. */
void rg_tape_start_values(void *w, const rg_tape *tape, rg_start_kind kind,
                          const rg_kernels *kernels, uint64_t seed, uint64_t stream);

/* ---- running */

typedef struct rg_tape_pass rg_tape_pass;

/* tape: kept. out: owned (rg_tape_pass_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_tape_pass_new(rg_tape_pass **out, const rg_tape *tape,
                                         const rg_batch_size *size, rg_precision precision,
                                         rg_cpu cpu, rg_error *err);
void rg_tape_pass_free(rg_tape_pass *pass); /* NULL is fine */

/* What dropout draws from; NULL where nothing is trained: nothing is dropped, norms use what they
 * kept. Draws depend on the sample, not on the batch it is in. */
typedef struct rg_tape_draws {
    uint64_t seed, stream; /* step k takes stream + k */
} rg_tape_draws;

/* The outputs, [graph][width of the last value]. Borrowed: valid until the next call. w: n_params +
 * n_state; norms move the latter while training. batch: kept until rg_tape_back. */
const void *rg_tape_forward(rg_tape_pass *pass, const rg_batch *batch, void *w,
                            const rg_tape_draws *draws);
/* Where the gradients of the outputs go, same shape. */
void *rg_tape_gradient(rg_tape_pass *pass);
/* After a forward pass with draws: adds to the n_params gradients g. */
void rg_tape_back(rg_tape_pass *pass, const void *w, void *g);

#endif
