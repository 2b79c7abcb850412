/* generate_snowflakes.c - circles that carry one of M_0 .. M_3 at every node.
 *
 * Colour refinement sees the same in every graph of one circle length; the class is which of the
 * four hangs at the circle's marked node. */
#include "family.h"
#include "snowflake.h"

#include "base/error.h"
#include "base/random.h"

enum { HALF_EDGES = RG_SNOWFLAKE_EDGES / 2 };

/* One half: a .. v are nodes a, a+1, .., a+5. */
static void add_half(uint32_t edges[HALF_EDGES][2], uint32_t hub, uint32_t tip, uint32_t a,
                     uint32_t is_b)
{
    uint32_t b = a + 1, c = a + 2, d = a + 3, u = a + 4, v = a + 5;
    const uint32_t half[HALF_EDGES][2] = {
        {hub, a},          {hub, b},          {hub, c}, {hub, d}, {a, b}, {c, d},
        {u, tip},          {v, tip},          {a, u},   {d, v}, /* in both kinds */
        {is_b ? b : c, u}, {is_b ? c : b, v},
    };
    for (uint32_t e = 0; e < HALF_EDGES; e++) {
        edges[e][0] = half[e][0];
        edges[e][1] = half[e][1];
    }
}

void rg_snowflake_part(uint32_t edges[RG_SNOWFLAKE_EDGES][2], uint32_t kind, uint32_t first)
{
    uint32_t root = first, hub = first + 1;
    add_half(edges, hub, root, first + 2, kind / 2);
    add_half(edges + HALF_EDGES, hub, first + RG_SNOWFLAKE_NODES - 1, first + 8, kind % 2);
}

static rg_status plan_snowflakes(rg_draw *recipe, const rg_generate_options *options, rg_error *err)
{
    if (!recipe->smallest)
        recipe->smallest = 3;
    if (!recipe->largest)
        recipe->largest = 12;
    if (recipe->smallest < 3 || recipe->largest < recipe->smallest ||
        recipe->largest > RG_GENERATE_SIZE_MAX)
        return rg_fail(err, RG_EUSAGE,
                       "%s: found circles of %u to %u nodes, expected 3 <= smallest <= largest <= "
                       "%u",
                       recipe->name, recipe->smallest, recipe->largest, RG_GENERATE_SIZE_MAX);
    recipe->n_groups = recipe->largest - recipe->smallest + 1;
    if (!recipe->n_graphs)
        recipe->n_graphs = (size_t)100 * recipe->n_groups;
    rg_status status = rg_draw_check_unused(recipe, options->n_nodes, "size", err);
    if (!status)
        status = rg_draw_check_groups(recipe, "circle lengths", err);
    return status;
}

/* Short circles first, as in the published set. */
static uint32_t circle(const rg_draw *recipe, size_t graph)
{
    return recipe->smallest + (uint32_t)(graph / (recipe->n_graphs / recipe->n_groups));
}

static void measure_snowflakes(const rg_draw *recipe, size_t graph, uint32_t *n_nodes,
                               uint32_t *n_edges)
{
    uint32_t n = circle(recipe, graph);
    *n_nodes = RG_SNOWFLAKE_NODES * n;
    *n_edges = (RG_SNOWFLAKE_EDGES + 1) * n;
}

static void sketch_snowflakes(rg_sketch *out, const rg_draw *recipe, size_t graph, uint32_t source)
{
    uint64_t stream = rg_generate_stream(RG_FOR_SKETCH, source, 0);
    uint32_t n = circle(recipe, graph);
    measure_snowflakes(recipe, graph, &out->n_nodes, &out->n_edges);
    for (uint32_t i = 0; i < out->n_nodes; i++)
        out->labels[i] = 0;
    uint32_t marked = rg_random_below(recipe->seed, stream, n, n);
    for (uint32_t r = 0; r < n; r++) {
        uint32_t kind = rg_random_below(recipe->seed, stream, r, RG_SNOWFLAKE_KINDS);
        uint32_t root = r * RG_SNOWFLAKE_NODES;
        uint32_t(*edges)[2] = out->edges + (size_t)r * (RG_SNOWFLAKE_EDGES + 1);
        rg_snowflake_part(edges, kind, root);
        edges[RG_SNOWFLAKE_EDGES][0] = root;
        edges[RG_SNOWFLAKE_EDGES][1] = (r + 1 < n ? r + 1 : 0) * RG_SNOWFLAKE_NODES;
        if (r == marked) {
            out->labels[root] = 1;
            out->graph_class = kind;
        }
    }
}

const rg_family rg_family_snowflakes = {"Snowflakes", plan_snowflakes, measure_snowflakes, NULL,
                                        sketch_snowflakes};

/* ---- M_0 .. M_3 alone: the root has label 1, the class is which of the four it is */

static rg_status plan_parts(rg_draw *recipe, const rg_generate_options *options, rg_error *err)
{
    recipe->n_groups = RG_SNOWFLAKE_KINDS;
    if (!recipe->n_graphs)
        recipe->n_graphs = RG_SNOWFLAKE_KINDS;
    rg_status status = rg_draw_check_unused(recipe, options->n_nodes, "size", err);
    if (!status)
        status = rg_draw_check_unused(recipe, options->smallest, "smallest", err);
    if (!status)
        status = rg_draw_check_unused(recipe, options->largest, "largest", err);
    if (!status)
        status = rg_draw_check_groups(recipe, "classes", err);
    return status;
}

static void measure_parts(const rg_draw *recipe, size_t graph, uint32_t *n_nodes, uint32_t *n_edges)
{
    (void)recipe;
    (void)graph;
    *n_nodes = RG_SNOWFLAKE_NODES;
    *n_edges = RG_SNOWFLAKE_EDGES;
}

static void sketch_parts(rg_sketch *out, const rg_draw *recipe, size_t graph, uint32_t source)
{
    (void)source;
    measure_parts(recipe, graph, &out->n_nodes, &out->n_edges);
    out->graph_class = (uint32_t)(graph / (recipe->n_graphs / recipe->n_groups));
    rg_snowflake_part(out->edges, out->graph_class, 0);
    for (uint32_t i = 0; i < out->n_nodes; i++)
        out->labels[i] = i == 0;
}

const rg_family rg_family_snowflake_parts = {"SnowflakeParts", plan_parts, measure_parts, NULL,
                                             sketch_parts};
