/* blocks.h - a graph cut at the nodes whose removal would disconnect it.
 *
 * A block (biconnected component) with at least three nodes is where cycles live: every cycle lies
 * in exactly one block, and bridges and trees are in none. Two blocks share at most one node. */
#ifndef REGULA_COUNT_BLOCKS_H
#define REGULA_COUNT_BLOCKS_H

#include "space.h"

/* One block with numbers of its own, 0 .. n-1. Neighbours of i: col[row[i]] .. col[row[i+1] - 1],
 * in no particular order. */
typedef struct rg_block {
    uint32_t n;
    size_t n_arcs;
    const uint32_t *node; /* number in the graph */
    const size_t *row;    /* n + 1 */
    const uint32_t *col;
} rg_block;

/* Slots 0 .. RG_BLOCK_SLOTS-1 hold the blocks. */
#define RG_BLOCK_SLOTS 6

/* The blocks of three nodes and more; *out and what it points to live in the space. Cost: O(nodes +
 * arcs), no recursion. False: no memory. */
bool rg_blocks_find(const rg_block **out, size_t *n_blocks, const rg_graph *graph,
                    rg_count_space *space);

/* Sets of nodes of a block as bits. */
static inline size_t rg_block_words(const rg_block *block)
{
    return ((size_t)block->n + 63) / 64;
}

/* Bits that are set. Portable x86-64 has no instruction for it, and the call would cost more. */
static inline uint32_t rg_bits_count(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(bits * 0x0101010101010101 >> 56);
}

/* Whether rows of bits beat lists of neighbours. */
bool rg_block_is_dense(const rg_block *block);

/* Neighbours as bits, n rows of rg_block_words; NULL: no memory. */
uint64_t *rg_block_bits(const rg_block *block, unsigned slot, rg_count_space *space);

#endif
