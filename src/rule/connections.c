/* connections.c - the tables that a rule becomes. */
#include "base/alloc.h"
#include "base/error.h"
#include "compile.h"

#include <string.h>

static bool is_small(const rg_world *world)
{
    return world->n_in <= 65536;
}

/* Where each array starts. */
typedef struct arrays {
    rg_carve carve;
    size_t outputs, inputs, first, start, row, col, weight;
} arrays;

static arrays lay_out(const rg_world *world, uint64_t size)
{
    bool bias = world->rule->info.kind == RG_RULE_BIAS;
    size_t n_outputs = (size_t)world->n_outputs, n = (size_t)size;
    arrays a = {.carve = {0}};
    rg_carve_add(&a.carve, 1, sizeof(rg_connections));
    a.outputs = rg_carve_add(&a.carve, world->n_graphs, sizeof(uint32_t));
    a.inputs = rg_carve_add(&a.carve, world->n_graphs, sizeof(uint32_t));
    a.first = rg_carve_add(&a.carve, world->n_graphs + 1, sizeof(uint64_t));
    a.start = rg_carve_add(&a.carve, bias ? 0 : world->n_graphs, sizeof(uint64_t));
    a.row = rg_carve_add(&a.carve, bias ? 0 : n_outputs + world->n_graphs, sizeof(uint32_t));
    a.col = rg_carve_add(&a.carve, bias ? 0 : n, is_small(world) ? 2 : 4);
    a.weight = rg_carve_add(&a.carve, n, sizeof(uint32_t));
    return a;
}

uint64_t rg_connections_need(const rg_world *world, uint64_t size)
{
    arrays a = lay_out(world, size);
    return a.carve.overflow || size > SIZE_MAX ? UINT64_MAX : a.carve.bytes;
}

rg_status rg_connections_new(rg_connections **out, const rg_world *world, uint64_t size,
                             rg_error *err)
{
    arrays a = lay_out(world, size);
    char *block = size > SIZE_MAX ? NULL : rg_carve_alloc(&a.carve);
    if (!block)
        return rg_fail_memory(err, "the connections of a rule");
    rg_connections *c = (void *)block;
    bool bias = world->rule->info.kind == RG_RULE_BIAS;
    *c = (rg_connections){.bias = bias,
                          .small = is_small(world),
                          .n_graphs = world->n_graphs,
                          .bytes = a.carve.bytes,
                          .size = size,
                          .n_outputs = (void *)(block + a.outputs),
                          .n_inputs = (void *)(block + a.inputs),
                          .first = (void *)(block + a.first),
                          .start = bias ? NULL : (void *)(block + a.start),
                          .row = bias ? NULL : (void *)(block + a.row),
                          .col = bias ? NULL : block + a.col,
                          .weight = (void *)(block + a.weight)};
    c->first[0] = 0;
    for (size_t k = 0; k < c->n_graphs; k++) {
        rg_world_size(world, k, &c->n_outputs[k], &c->n_inputs[k]);
        c->first[k + 1] = c->first[k] + c->n_outputs[k];
    }
    *out = c;
    return RG_OK;
}

void rg_connections_free(rg_connections *connections)
{
    rg_free(connections);
}

size_t rg_connections_n_graphs(const rg_connections *connections)
{
    return connections->n_graphs;
}

uint64_t rg_connections_size(const rg_connections *connections)
{
    return connections->size;
}

size_t rg_connections_bytes(const rg_connections *connections)
{
    return connections->bytes;
}

rg_connection_table rg_connections_graph(const rg_connections *c, size_t graph)
{
    uint64_t first = c->first[graph], start = c->bias ? 0 : c->start[graph];
    return (rg_connection_table){
        .n_outputs = c->n_outputs[graph],
        .n_inputs = c->n_inputs[graph],
        .row = c->bias ? NULL : c->row + first + graph,
        .col16 = c->small && !c->bias ? (const uint16_t *)c->col + start : NULL,
        .col32 = c->small || c->bias ? NULL : (const uint32_t *)c->col + start,
        .weight = c->weight + (c->bias ? first : start),
    };
}
