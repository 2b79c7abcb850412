/* bonds.c - bonds(i,j): the labels of the edges on the shortest paths between two nodes.
 *
 * How often each label occurs is a digit of the value to base 16: label l counts 16^l. An edge
 * counts once for every shortest path that it is on. Labels are 0 .. 14, and a pair with a label
 * that occurs more than 15 times has no value; so equal values are equal multisets. */
#include "base/error.h"
#include "kind.h"

#include <inttypes.h>

enum { DISTANCE, PATHS, LOW, HIGH, N_ARRAYS };
enum { N_LABELS = 15, BITS = 4, MOST = 15 };

static rg_status check(uint32_t parameter, const rg_dataset *data, rg_error *err)
{
    (void)parameter;
    size_t n;
    if (rg_dataset_n_columns(data, RG_EDGE_LABEL) == 0)
        return rg_fail(err, RG_EDATA, "bonds: '%s' has no edge labels", rg_dataset_name(data));
    const int64_t *values = rg_dataset_values(data, RG_EDGE_LABEL, 0, &n);
    for (size_t k = 0; k < n; k++)
        if (values[k] < 0 || values[k] >= N_LABELS)
            return rg_fail(err, RG_EDATA,
                           "bonds: found the edge label %" PRId64 " in '%s', expected 0..%d",
                           values[k], rg_dataset_name(data), N_LABELS - 1);
    return RG_OK;
}

static uint64_t packed(const rg_property_space *space, uint32_t j)
{
    return (uint64_t)space->arrays[HIGH][j] << 32 | space->arrays[LOW][j];
}

static void pack(rg_property_space *space, uint32_t j, uint64_t digits)
{
    space->arrays[HIGH][j] = (uint32_t)(digits >> 32);
    space->arrays[LOW][j] = (uint32_t)digits;
}

/* Adds digit by digit; false: one does not fit. */
static bool add(uint64_t *digits, uint64_t more)
{
    for (unsigned shift = 0; shift < N_LABELS * BITS; shift += BITS)
        if ((*digits >> shift & MOST) + (more >> shift & MOST) > MOST)
            return false;
    *digits += more;
    return true;
}

/* All paths to `here` go on to its neighbour j by an edge with a label. value: 1 of a node with too
 * many edges of one label, else 0. */
static void go_on(rg_property_space *space, uint32_t here, uint32_t j, int64_t label)
{
    uint32_t *value = space->value, *paths = space->arrays[PATHS];
    uint64_t digits = packed(space, j), last = (uint64_t)paths[here] << (label * BITS);
    paths[j] = paths[j] + paths[here] > MOST + 1 ? MOST + 1 : paths[j] + paths[here];
    if (value[here] || value[j] || paths[here] > MOST || !add(&digits, packed(space, here)) ||
        !add(&digits, last))
        value[j] = 1;
    else
        pack(space, j, digits);
}

static void find(rg_property_space *space, uint32_t i, uint32_t reach)
{
    const rg_graph *graph = &space->graph;
    uint32_t *value = space->value, *queue = space->queue, *distance = space->arrays[DISTANCE];
    const uint32_t *ranks = rg_dataset_ranks(space->data, RG_EDGE_LABEL, 0);
    size_t n = 0, n_values;
    const int64_t *values = rg_dataset_values(space->data, RG_EDGE_LABEL, 0, &n_values);
    value[i] = 0;
    distance[i] = 0;
    space->arrays[PATHS][i] = 1;
    pack(space, i, 0);
    queue[n++] = i;
    for (size_t k = 0; k < n && distance[queue[k]] < reach; k++) {
        uint32_t here = queue[k];
        for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (value[j] == RG_EMPTY) {
                value[j] = 0;
                distance[j] = distance[here] + 1;
                space->arrays[PATHS][j] = 0;
                pack(space, j, 0);
                queue[n++] = j;
            }
            if (distance[j] == distance[here] + 1)
                go_on(space, here, j, values[ranks[arc]]);
        }
    }
    space->n_found = n;
}

static int64_t held(const rg_property_space *space, uint32_t j)
{
    return space->value[j] ? RG_NO_VALUE : (int64_t)packed(space, j);
}

static rg_property_bounds bounds(const rg_property_space *space)
{
    (void)space;
    return (rg_property_bounds){0, ((int64_t)1 << (N_LABELS * BITS)) - 1};
}

static rg_property_bounds range(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    (void)scope;
    return bounds(NULL);
}

/* ", with 2 edges labelled 1 and 1 labelled 3 on shortest paths" */
static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)parameter;
    (void)high;
    const char *before = ", with ", *noun = words->atoms ? "bond" : "edge";
    if (words->loop || low == 0)
        return;
    if (low == RG_NO_VALUE) {
        rg_text_add(out, ", with no or too many %ss between them", noun);
        return;
    }
    for (unsigned label = 0; label < N_LABELS; label++) {
        unsigned n = (unsigned)(low >> (label * BITS)) & MOST;
        if (n == 0)
            continue;
        rg_text_add(out, "%s%u %s%s labelled %u", before, n, noun, n == 1 ? "" : "s", label);
        before = " and ";
    }
    rg_text_add(out, " on shortest paths");
}

const rg_property_table rg_property_bonds = {
    .info = {.name = "bonds",
             .n_nodes = 2,
             .parameter = "cut-off",
             .low = 1,
             .high = N_LABELS * MOST,
             .usual = MOST,
             .elsewhere = RG_NO_VALUE},
    .optional = true,
    .pairs = 64,
    .n_arrays = N_ARRAYS,
    .check = check,
    .find = find,
    .held = held,
    .bounds = bounds,
    .of_node = rg_property_zero,
    .range = range,
    .reach = rg_property_reach,
    .say = say,
};
