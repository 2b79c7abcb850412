/* generate_csl.c - circular skip links: a ring 0 .. m-1 in which i is also joined to i + skip.
 *
 * All skips of a size give 4-regular graphs that 1-WL cannot tell apart. Skips s and t give
 * isomorphic graphs if and only if t = +-s or s * t = +-1 modulo m (multiplying by t carries one
 * into the other; for four neighbours there is no other way). The smallest of each kind is a class:
 * 2, 3, 4, 5, 6, 9, 11, 12, 13, 16 for m = 41. */
#include "csl.h"
#include "family.h"

#include "base/error.h"

/* The inverse of s modulo m, or 0 if there is none. */
static uint32_t inverse(uint32_t s, uint32_t m)
{
    int64_t a = s, b = m, x = 1, y = 0; /* a = x * s and b = y * s modulo m */
    while (b) {
        int64_t q = a / b, next = a - q * b;
        a = b;
        b = next;
        next = x - q * y;
        x = y;
        y = next;
    }
    if (a != 1)
        return 0;
    return (uint32_t)(x < 0 ? x + m : x);
}

uint32_t rg_csl_next(uint32_t size, uint32_t skip)
{
    for (uint32_t s = skip + 1; s < size - s; s++) {
        uint32_t t = inverse(s, size);
        if (t > size / 2)
            t = size - t;
        if (t == 0 || t >= s)
            return s;
    }
    return 0;
}

static rg_status plan_csl(rg_draw *recipe, const rg_generate_options *options, rg_error *err)
{
    if (!recipe->size)
        recipe->size = 41;
    if (recipe->size < 8 || recipe->size > RG_GENERATE_SIZE_MAX)
        return rg_fail(err, RG_EUSAGE,
                       "%s: found size %u, expected 8 to %u (smaller graphs have one skip only)",
                       recipe->name, recipe->size, RG_GENERATE_SIZE_MAX);
    recipe->n_groups = 0;
    for (uint32_t skip = 1; (skip = rg_csl_next(recipe->size, skip)) != 0;)
        recipe->n_groups++;
    if (!recipe->n_graphs)
        recipe->n_graphs = (size_t)15 * recipe->n_groups;
    rg_status status = rg_draw_check_unused(recipe, options->smallest, "smallest", err);
    if (!status)
        status = rg_draw_check_unused(recipe, options->largest, "largest", err);
    if (!status)
        status = rg_draw_check_groups(recipe, "classes", err);
    return status;
}

static void measure_csl(const rg_draw *recipe, size_t graph, uint32_t *n_nodes, uint32_t *n_edges)
{
    (void)graph;
    *n_nodes = recipe->size;
    *n_edges = 2 * recipe->size;
}

/* Source is the skip: class by class, as in the published set. */
static rg_status choose_csl(uint32_t *source, const rg_draw *recipe, rg_error *err)
{
    (void)err;
    size_t group = recipe->n_graphs / recipe->n_groups;
    uint32_t skip = 1;
    for (size_t k = 0; k < recipe->n_graphs; k++) {
        if (k % group == 0)
            skip = rg_csl_next(recipe->size, skip);
        source[k] = skip;
    }
    return RG_OK;
}

static void sketch_csl(rg_sketch *out, const rg_draw *recipe, size_t graph, uint32_t source)
{
    uint32_t m = recipe->size;
    out->n_nodes = m;
    out->n_edges = 2 * m;
    for (uint32_t i = 0; i < m; i++) {
        out->labels[i] = 0;
        out->edges[2 * i][0] = out->edges[2 * i + 1][0] = i;
        out->edges[2 * i][1] = (i + 1) % m;
        out->edges[2 * i + 1][1] = (i + source) % m;
    }
    out->graph_class = (uint32_t)(graph / (recipe->n_graphs / recipe->n_groups));
}

const rg_family rg_family_csl = {"CSL", plan_csl, measure_csl, choose_csl, sketch_csl};
