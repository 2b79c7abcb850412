/* tables.c - see tables.h. */
#include "tables.h"

enum { PER_LAYER = RG_SPEC_RULES_MAX + 1, BIAS = RG_SPEC_RULES_MAX };

/* One table is that of all samples. */
static rg_connection_table table_of(const rg_connections *connections, size_t place)
{
    return rg_connections_graph(connections, rg_connections_n_graphs(connections) == 1 ? 0 : place);
}

void rg_block_links(rg_links *out, const rg_table_block *block, size_t layer, size_t rule,
                    size_t place)
{
    const rg_wiring *w = &block->wiring[layer * PER_LAYER + rule];
    if (w->connections) {
        rg_connection_table t = table_of(w->connections, place);
        *out = (rg_links){.n_rows = t.n_outputs,
                          .row = t.row,
                          .id = t.weight,
                          .col16 = t.col16,
                          .col32 = t.col32,
                          .outputs = w->outputs,
                          .stride = w->stride};
        return;
    }
    size_t real = rg_real_size(block->precision);
    *out = (rg_links){.n_rows = (uint32_t)(w->first[place + 1] - w->first[place] - 1),
                      .row = w->row + w->first[place],
                      .id = w->id + w->start[place],
                      .value = (const char *)w->value + w->start[place] * real,
                      .outputs = w->outputs,
                      .stride = w->stride};
}

const uint32_t *rg_block_bias(const rg_table_block *block, size_t layer, size_t place)
{
    const rg_wiring *rule = &block->wiring[layer * PER_LAYER];
    const rg_wiring *w = &block->wiring[layer * PER_LAYER + BIAS];
    if (rule->bias)
        return rule->bias + rule->first[place];
    return w->connections ? table_of(w->connections, place).weight : NULL;
}

const void *rg_block_factors(const rg_table_block *block, size_t layer, size_t place, bool input)
{
    const rg_wiring *w = &block->wiring[layer * PER_LAYER];
    const char *factors = input ? w->by_col : w->by_row;
    return factors ? factors + block->first[place] * rg_real_size(block->precision) : NULL;
}

const uint32_t *rg_block_same(const rg_table_block *block, size_t layer, size_t place)
{
    const rg_wiring *w = &block->wiring[layer * PER_LAYER];
    return w->same ? w->same + w->first_node[place] : NULL;
}
