/* generate_rings.c - LongRings, EvenOddRings and EvenOddRingsCount: cycles with labels.
 *
 * A sketch has its nodes in the order of the ring; node i is joined to i+1. */
#include "family.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/random.h"
#include "base/table.h"

static rg_status plan_ring(rg_draw *recipe, const rg_generate_options *options, uint32_t size,
                           uint32_t n_classes, rg_error *err)
{
    if (!recipe->n_graphs)
        recipe->n_graphs = 1200;
    if (!recipe->size)
        recipe->size = size;
    recipe->n_groups = n_classes;
    if (recipe->size % 4 != 0 || recipe->size < 8 || recipe->size > RG_GENERATE_SIZE_MAX)
        return rg_fail(err, RG_EUSAGE,
                       "%s: found size %u, expected a multiple of 4 between 8 and %u", recipe->name,
                       recipe->size, RG_GENERATE_SIZE_MAX);
    rg_status status = rg_draw_check_unused(recipe, options->smallest, "smallest", err);
    if (!status)
        status = rg_draw_check_unused(recipe, options->largest, "largest", err);
    if (!status)
        status = rg_draw_check_groups(recipe, "classes", err);
    return status;
}

static void measure_ring(const rg_draw *recipe, size_t graph, uint32_t *n_nodes, uint32_t *n_edges)
{
    (void)graph;
    *n_nodes = *n_edges = recipe->size;
}

static void join_ring(rg_sketch *out, uint32_t size)
{
    out->n_nodes = out->n_edges = size;
    for (uint32_t i = 0; i < size; i++) {
        out->edges[i][0] = i;
        out->edges[i][1] = i + 1 < size ? i + 1 : 0;
    }
}

/* ---- LongRings: source is the class */

static rg_status plan_long(rg_draw *recipe, const rg_generate_options *options, rg_error *err)
{
    return plan_ring(recipe, options, 100, 3, err);
}

static rg_status choose_long(uint32_t *source, const rg_draw *recipe, rg_error *err)
{
    (void)err;
    for (size_t k = 0; k < recipe->n_graphs; k++)
        source[k] = (uint32_t)(k % recipe->n_groups);
    rg_random_shuffle(recipe->seed, rg_generate_stream(RG_FOR_CLASSES, 0, 0), source,
                      recipe->n_graphs);
    return RG_OK;
}

/* Label 1, and a quarter of the ring on each: another, the one that faces 1, the last. Which of the
 * two others comes first makes no difference: the ring has no direction. */
static void sketch_long(rg_sketch *out, const rg_draw *recipe, size_t graph, uint32_t source)
{
    (void)graph;
    static const uint32_t around[3][4] = {{1, 3, 2, 4}, {1, 2, 3, 4}, {1, 2, 4, 3}};
    join_ring(out, recipe->size);
    for (uint32_t i = 0; i < recipe->size; i++)
        out->labels[i] = 0;
    for (uint32_t quarter = 0; quarter < 4; quarter++)
        out->labels[quarter * (recipe->size / 4)] = around[source][quarter];
    out->graph_class = source;
}

/* ---- EvenOddRings and its Count: source is the number of a random ring
 *
 * Both go over the same endless list of random rings and take those that are new and whose class is
 * not full yet. So one seed gives both sets nearly the same graphs, as far as two different classes
 * can both be balanced. */

static rg_status plan_even_odd(rg_draw *recipe, const rg_generate_options *options, rg_error *err)
{
    return plan_ring(recipe, options, 16, 4, err);
}

static rg_status plan_count(rg_draw *recipe, const rg_generate_options *options, rg_error *err)
{
    return plan_ring(recipe, options, 16, 2, err);
}

/* Ring number `source`: 0, then 1 .. size-1 in random order, of the two directions the one whose
 * second label is smaller. Labels are all different, so rings are isomorphic only if equal. */
static void label_ring(uint32_t *labels, const rg_draw *recipe, uint32_t source)
{
    uint32_t n = recipe->size;
    for (uint32_t i = 0; i < n; i++)
        labels[i] = i;
    rg_random_shuffle(recipe->seed, rg_generate_stream(RG_FOR_SKETCH, source, 0), labels + 1,
                      n - 1);
    if (labels[1] < labels[n - 1])
        return;
    for (uint32_t i = 1, j = n - 1; i < j; i++, j--) {
        uint32_t label = labels[i];
        labels[i] = labels[j];
        labels[j] = label;
    }
}

/* 2 * (x is odd) + (y + z is odd): x faces 0, y and z are half as far from it. */
static uint32_t class_even_odd(const uint32_t *labels, uint32_t n)
{
    return 2 * (labels[n / 2] % 2) + (labels[n / 4] + labels[3 * (n / 4)]) % 2;
}

/* 1 if fewer of the sums of facing labels are even than odd; a tie is 0, as in the published set.
 */
static uint32_t class_count(const uint32_t *labels, uint32_t n)
{
    uint32_t odd = 0;
    for (uint32_t i = 0; i < n / 2; i++)
        odd += (labels[i] + labels[i + n / 2]) % 2;
    return odd > n / 2 - odd;
}

static rg_status fail_draws(const rg_draw *recipe, size_t n, rg_error *err)
{
    return rg_fail(err, RG_EUSAGE,
                   "%s: found %zu different graphs with room in their class, expected "
                   "%zu (%u draws without a new one); ask for fewer or larger graphs",
                   recipe->name, n, recipe->n_graphs, RG_GENERATE_DRAWS);
}

static rg_status choose_rings(uint32_t *source, const rg_draw *recipe,
                              uint32_t (*class_of)(const uint32_t *labels, uint32_t n),
                              rg_error *err)
{
    size_t n = 0, room[4], draws = 0;
    rg_table *seen = rg_table_new();
    uint32_t *labels = rg_alloc(recipe->size, sizeof *labels);
    rg_status status = seen && labels ? RG_OK : rg_fail_memory(err, "choosing rings");
    for (uint32_t c = 0; c < recipe->n_groups; c++)
        room[c] = recipe->n_graphs / recipe->n_groups;
    for (uint32_t ring = 0; !status && n < recipe->n_graphs; ring++) {
        if (draws++ == RG_GENERATE_DRAWS || ring == UINT32_MAX) {
            status = fail_draws(recipe, n, err);
            continue;
        }
        label_ring(labels, recipe, ring);
        size_t *left = &room[class_of(labels, recipe->size)];
        if (!*left)
            continue;
        uint64_t key = rg_hash(labels, recipe->size * sizeof *labels, 0);
        size_t before = rg_table_size(seen);
        if (rg_table_add(seen, &key, sizeof key) == RG_TABLE_NONE)
            status = rg_fail_memory(err, "choosing rings");
        if (rg_table_size(seen) == before)
            continue;
        source[n++] = ring;
        --*left;
        draws = 0;
    }
    /* the last ones are all of the class that fills up last */
    if (!status)
        rg_random_shuffle(recipe->seed, rg_generate_stream(RG_FOR_CLASSES, 0, 0), source, n);
    rg_free(labels);
    rg_table_free(seen);
    return status;
}

static rg_status choose_even_odd(uint32_t *source, const rg_draw *recipe, rg_error *err)
{
    return choose_rings(source, recipe, class_even_odd, err);
}

static rg_status choose_count(uint32_t *source, const rg_draw *recipe, rg_error *err)
{
    return choose_rings(source, recipe, class_count, err);
}

static void sketch_even_odd(rg_sketch *out, const rg_draw *recipe, size_t graph, uint32_t source)
{
    (void)graph;
    join_ring(out, recipe->size);
    label_ring(out->labels, recipe, source);
    out->graph_class = class_even_odd(out->labels, recipe->size);
}

static void sketch_count(rg_sketch *out, const rg_draw *recipe, size_t graph, uint32_t source)
{
    sketch_even_odd(out, recipe, graph, source);
    out->graph_class = class_count(out->labels, recipe->size);
}

const rg_family rg_family_long_rings = {"LongRings", plan_long, measure_ring, choose_long,
                                        sketch_long};
const rg_family rg_family_even_odd_rings = {"EvenOddRings", plan_even_odd, measure_ring,
                                            choose_even_odd, sketch_even_odd};
const rg_family rg_family_even_odd_rings_count = {"EvenOddRingsCount", plan_count, measure_ring,
                                                  choose_count, sketch_count};
