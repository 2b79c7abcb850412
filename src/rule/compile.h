/* compile.h - compiling with what the public functions leave to us. */
#ifndef REGULA_RULE_COMPILE_H
#define REGULA_RULE_COMPILE_H

#include "codes.h"

/* How the tests compare ways that must give the same. */
typedef struct rg_compile_ways {
    bool all_pairs; /* whatever the condition says */
    bool tables;    /* never pack keys */
} rg_compile_ways;

/* known NULL: compile, *keys gets the keys; else apply, and keys is not looked at. out may be NULL
 * while compiling. As the public functions. */
RG_MUST_CHECK rg_status rg_rule_run(rg_rule_keys **keys, rg_connections **out,
                                    rg_rule_report *report, const rg_rule_keys *known,
                                    const rg_rule *rule, const rg_rule_input *input,
                                    const rg_rule_options *options, const rg_compile_ways *ways,
                                    rg_error *err);

/* One block of memory for the tables of all graphs. col has 2 or 4 bytes per entry. */
struct rg_connections {
    bool bias, small; /* small: 16-bit columns */
    size_t n_graphs, bytes;
    uint64_t size;
    uint32_t *n_outputs, *n_inputs; /* n_graphs each */
    uint64_t *first;                /* n_graphs + 1: outputs of the graphs before */
    uint64_t *start;                /* n_graphs: entries of the graphs before */
    uint32_t *row;                  /* outputs + 1 a graph, from 0; NULL: a bias */
    void *col;
    uint32_t *weight;
};

/* Room for tables with `size` entries (bias: as many as outputs); first, n_outputs and n_inputs are
 * filled in. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_connections_new(rg_connections **out, const rg_world *world,
                                           uint64_t size, rg_error *err);
/* What rg_connections_new would take. UINT64_MAX: more than there is. */
uint64_t rg_connections_need(const rg_world *world, uint64_t size);

#endif
