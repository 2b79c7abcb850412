/* blocks.c - see blocks.h. Depth-first search after Hopcroft and Tarjan (1973), on a stack of its
 * own: a path of a million nodes must not be a million calls. */
#include "blocks.h"

enum { SLOT_BLOCK, SLOT_NODE, SLOT_ROW, SLOT_COL, SLOT_SEARCH, SLOT_BUILD };
enum { NONE = 0 }; /* times of discovery start at 1 */

typedef struct block_finder {
    const rg_graph *graph;
    rg_block *block;
    uint32_t *node; /* of all blocks, one after the other */
    size_t *row;
    uint32_t *col;
    size_t n_blocks, n_nodes, n_rows, n_arcs;
    uint32_t *found, *low; /* time of discovery, earliest time reached */
    uint32_t *parent;
    uint64_t *next;  /* arc to look at */
    uint32_t *stack; /* nodes not yet in a block, by discovery */
    size_t n_stack;
    uint32_t *local; /* number inside the block being built */
    uint32_t *stamp; /* 1 + block in which `local` holds */
} block_finder;

static bool finder_init(block_finder *f, const rg_graph *graph, rg_count_space *space)
{
    size_t n = graph->n_nodes, arcs = (size_t)graph->n_arcs;
    *f = (block_finder){.graph = graph};
    /* Blocks of three nodes have three edges at least, and no edge is in two. A node is shared by
     * as many blocks as meet there, so nodes are at most n plus the number of blocks. */
    size_t most = arcs / 6;
    f->block = rg_count_space_get(space, SLOT_BLOCK, most + 1, sizeof *f->block);
    f->node = rg_count_space_get(space, SLOT_NODE, n + most + 1, sizeof *f->node);
    f->row = rg_count_space_get(space, SLOT_ROW, n + 2 * most + 1, sizeof *f->row);
    f->col = rg_count_space_get(space, SLOT_COL, arcs, sizeof *f->col);
    char *search = rg_count_space_zero(space, SLOT_SEARCH, n + 1, 24);
    char *build = rg_count_space_zero(space, SLOT_BUILD, n + 1, 8);
    if (!f->block || !f->node || !f->row || !f->col || !search || !build)
        return false;
    f->next = (uint64_t *)(void *)search;
    f->found = (uint32_t *)(void *)(search + 8 * n);
    f->low = f->found + n;
    f->parent = f->low + n;
    f->stack = f->parent + n;
    f->stamp = (uint32_t *)(void *)build;
    f->local = f->stamp + n;
    return true;
}

static uint32_t local_add(block_finder *f, rg_block *block, uint32_t i)
{
    f->local[i] = block->n;
    f->stamp[i] = (uint32_t)(f->n_blocks + 1);
    f->node[f->n_nodes++] = i;
    return block->n++;
}

/* Nodes of the stack from `from` on, and `top`, are a block. Arcs are read off the nodes other than
 * top: each is such a node in one block only, so that all blocks together cost O(arcs), however
 * many meet at one node. Two neighbours inside a block are joined by an edge of that block. */
static void block_build(block_finder *f, size_t from, uint32_t top)
{
    const rg_graph *g = f->graph;
    rg_block *block = &f->block[f->n_blocks];
    *block = (rg_block){.node = f->node + f->n_nodes};
    size_t *row = f->row + f->n_rows;
    uint32_t *col = f->col + f->n_arcs;
    for (size_t k = from; k < f->n_stack; k++)
        local_add(f, block, f->stack[k]);
    uint32_t hub = local_add(f, block, top);
    size_t n_arcs = 0, n_hub = 0;
    for (uint32_t x = 0; x < hub; x++) {
        uint32_t i = block->node[x];
        row[x] = n_arcs;
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
            if (f->stamp[g->col[k]] == f->n_blocks + 1) {
                col[n_arcs++] = f->local[g->col[k]];
                n_hub += g->col[k] == top;
            }
    }
    row[hub] = n_arcs;
    for (uint32_t x = 0; x < hub && n_hub; x++)
        for (size_t k = row[x]; k < row[x + 1]; k++)
            if (col[k] == hub)
                col[n_arcs++] = x;
    row[hub + 1] = n_arcs;
    block->row = row;
    block->col = col;
    block->n_arcs = n_arcs;
    f->n_rows += (size_t)block->n + 1;
    f->n_arcs += n_arcs;
    f->n_blocks++;
}

/* All of i's neighbours were seen. Back at its parent p: if nothing below i reaches above p, what
 * was found since i is a block together with p; two nodes alone are a bridge. */
static void node_leave(block_finder *f, uint32_t i)
{
    uint32_t p = f->parent[i];
    if (f->low[i] < f->found[p]) {
        if (f->low[i] < f->low[p])
            f->low[p] = f->low[i];
        return;
    }
    size_t from = f->n_stack;
    while (f->stack[--from] != i)
        ;
    if (f->n_stack - from >= 2)
        block_build(f, from, p);
    f->n_stack = from;
}

static void search_from(block_finder *f, uint32_t root, uint32_t *time)
{
    const rg_graph *g = f->graph;
    uint32_t i = root;
    f->found[i] = f->low[i] = ++*time;
    f->next[i] = g->row[i];
    for (;;) {
        if (f->next[i] == g->row[i + 1]) {
            if (i == root)
                return;
            node_leave(f, i);
            i = f->parent[i];
            continue;
        }
        uint32_t j = g->col[f->next[i]++];
        if (f->found[j] == NONE) {
            f->parent[j] = i;
            f->found[j] = f->low[j] = ++*time;
            f->next[j] = g->row[j];
            f->stack[f->n_stack++] = j;
            i = j;
        } else if ((i == root || j != f->parent[i]) && f->found[j] < f->low[i]) {
            f->low[i] = f->found[j];
        }
    }
}

bool rg_blocks_find(const rg_block **out, size_t *n_blocks, const rg_graph *graph,
                    rg_count_space *space)
{
    block_finder f;
    if (!finder_init(&f, graph, space))
        return false;
    uint32_t time = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (f.found[i] == NONE)
            search_from(&f, i, &time);
    *out = f.block;
    *n_blocks = f.n_blocks;
    return true;
}

/* A row of bits is read in words, a list entry by entry. The largest matrix is 2 MiB. */
bool rg_block_is_dense(const rg_block *block)
{
    size_t words = rg_block_words(block);
    return words == 1 || (words <= 64 && block->n_arcs / block->n >= words);
}

uint64_t *rg_block_bits(const rg_block *block, unsigned slot, rg_count_space *space)
{
    size_t words = rg_block_words(block);
    uint64_t *bits = rg_count_space_zero(space, slot, block->n * words, sizeof *bits);
    if (!bits)
        return NULL;
    for (uint32_t i = 0; i < block->n; i++)
        for (size_t k = block->row[i]; k < block->row[i + 1]; k++)
            bits[i * words + block->col[k] / 64] |= (uint64_t)1 << block->col[k] % 64;
    return bits;
}
