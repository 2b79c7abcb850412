/* family.h - what one family of synthetic graphs must offer to be generated.
 *
 * generate.c knows nothing of rings or snowflakes: a family checks the options, says how large
 * graph k is and sketches it; generate.c gives the nodes a random order, refuses graphs that are
 * equal to an earlier one, and assembles the set. */
#ifndef REGULA_GENERATE_FAMILY_H
#define REGULA_GENERATE_FAMILY_H

#include "regula/generate.h"

#include <stdbool.h>

/* The options with everything filled in. */
typedef struct rg_draw {
    const char *name; /* of the set; also in front of messages */
    uint64_t seed;
    size_t n_graphs; /* at most 2^32-2, and never 0 */
    uint32_t size, smallest, largest;
    uint32_t n_groups; /* equal groups that the graphs fall into: classes or circle lengths */
} rg_draw;

/* One graph before its nodes are put into a random order. The arrays belong to the caller and are
 * as long as the largest graph of the set needs. */
typedef struct rg_sketch {
    uint32_t n_nodes, n_edges;
    uint32_t graph_class;
    uint32_t *labels;     /* n_nodes */
    uint32_t (*edges)[2]; /* n_edges, each once */
} rg_sketch;

typedef struct rg_family {
    const char *name;
    /* Fill in what the options left open and check it. RG_EUSAGE. */
    rg_status (*plan)(rg_draw *recipe, const rg_generate_options *options, rg_error *err);
    void (*measure)(const rg_draw *recipe, size_t graph, uint32_t *n_nodes, uint32_t *n_edges);
    /* source[k], one number a graph that sketch goes by, so that classes come out balanced. NULL:
     * source[k] = k. RG_EUSAGE, RG_ENOMEM. */
    rg_status (*choose)(uint32_t *source, const rg_draw *recipe, rg_error *err);
    /* Same recipe, graph and source: same sketch. */
    void (*sketch)(rg_sketch *out, const rg_draw *recipe, size_t graph, uint32_t source);
} rg_family;

extern const rg_family rg_family_long_rings, rg_family_even_odd_rings,
    rg_family_even_odd_rings_count, rg_family_csl, rg_family_snowflakes, rg_family_snowflake_parts;

#define RG_GENERATE_SIZE_MAX 1000000u /* nodes of a ring, a CSL graph or a Snowflakes circle */
#define RG_GENERATE_DRAWS (1u << 20)  /* draws in a row without a new graph: there is none */

/* What the draws are for; each purpose has streams of its own. */
typedef enum rg_purpose { RG_FOR_CLASSES = 1, RG_FOR_SKETCH, RG_FOR_ORDER } rg_purpose;

/* The stream of random numbers of one item and attempt (below RG_GENERATE_DRAWS). */
static inline uint64_t rg_generate_stream(rg_purpose purpose, uint32_t item, uint32_t attempt)
{
    return (uint64_t)purpose << 60 | (uint64_t)attempt << 32 | item;
}

/* Shared by plans. RG_EUSAGE unless n_graphs falls into n_groups equal groups; `groups` names them
 * ("classes"). */
RG_MUST_CHECK rg_status rg_draw_check_groups(const rg_draw *recipe, const char *groups,
                                             rg_error *err);
/* RG_EUSAGE if an option was given that means nothing to the family. */
RG_MUST_CHECK rg_status rg_draw_check_unused(const rg_draw *recipe, uint32_t value,
                                             const char *option, rg_error *err);

#endif
