/* evaluate.c - see evaluate.h. */
#include "evaluate.h"

#include "base/alloc.h"
#include "base/error.h"
#include "bins.h"
#include "property/pair_table.h"

#include <math.h>
#include <string.h>

/* Can a property be answered from the graph alone? */
static bool is_direct(const rg_slot *slot)
{
    return slot->first == slot->second && rg_property_table_of(slot->property.kind)->of_node;
}

/* Does the term look at the variable? */
static bool looks_at(const rg_rule *rule, int term, rg_variable variable)
{
    if (term == RG_NO_TERM)
        return false;
    const rg_term *t = &rule->terms[term];
    const rg_slot *slot = t->op == RG_OP_PROPERTY ? &rule->slots[t->index] : NULL;
    if (slot)
        return slot->first == variable || slot->second == variable;
    if (t->op <= RG_OP_CHANNEL)
        return t->op != RG_OP_NUMBER && t->op != RG_OP_REAL && t->variable == variable;
    return looks_at(rule, t->a, variable) || looks_at(rule, t->b, variable) ||
           looks_at(rule, t->c, variable);
}

/* A bias has no rows: its parts are all terms. */
static void sort_parts(rg_evaluator *e)
{
    const rg_rule *rule = e->world->rule;
    rg_variable input = rule->info.kind == RG_RULE_AGGREGATE ? RG_VAR_I : RG_VAR_J;
    for (size_t k = 0; k < rule->info.n_keys; k++) {
        rg_key_part *part = &e->parts[k];
        const rg_term *t = &rule->terms[rule->keys[k]];
        part->term = rule->keys[k];
        if (rule->info.kind == RG_RULE_BIAS)
            continue;
        if (!looks_at(rule, part->term, input)) {
            part->way = RG_PART_FIXED;
        } else if (t->op == RG_OP_LABEL) {
            part->way = RG_PART_LABEL;
            part->labels = e->world->labels[t->index];
        } else if (t->op == RG_OP_PROPERTY) {
            part->way = RG_PART_SLOT;
            part->slot = t->index;
        }
    }
}

rg_status rg_evaluator_open(rg_evaluator *e, const rg_world *world, const rg_plan *plan,
                            rg_error *err)
{
    const rg_rule *rule = world->rule;
    memset(e, 0, sizeof *e);
    e->world = world;
    e->plan = plan;
    sort_parts(e);
    for (size_t k = 0; k < rule->n_slots; k++) {
        rg_property property = rule->slots[k].property;
        if (is_direct(&rule->slots[k]))
            continue;
        if (rg_property_table_of(property.kind)->metric) /* further away nobody is asked about */
            property.parameter = rg_plan_reach(plan, rule);
        rg_status status = rg_property_space_new(&e->spaces[k], &property, world->input->data, err);
        if (status)
            return status;
    }
    if (rule->info.on_values) {
        e->values = rg_alloc(world->n_values, sizeof *e->values);
        if (!e->values)
            return rg_fail_memory(err, "the values of a rule");
    }
    if (rule->n_tables && !plan->all) {
        e->listed = rg_alloc(world->n_in, sizeof *e->listed);
        if (!e->listed)
            return rg_fail_memory(err, "the pairs of a rule");
    }
    for (int k = 0; k < 2 && !plan->all; k++) {
        e->found[k] = rg_alloc(world->n_in, sizeof *e->found[k]);
        if (!e->found[k])
            return rg_fail_memory(err, "the pairs of a rule");
    }
    return RG_OK;
}

void rg_evaluator_close(rg_evaluator *e)
{
    for (size_t k = 0; k < RG_RULE_SLOTS; k++)
        rg_property_space_free(e->spaces[k]);
    rg_free(e->values);
    rg_free(e->listed);
    rg_free(e->found[0]);
    rg_free(e->found[1]);
}

rg_status rg_evaluator_graph(rg_evaluator *e, size_t k, rg_error *err)
{
    const rg_world *world = e->world;
    const rg_rule_values *values = world->input->values;
    rg_status status = RG_OK;
    e->number = world->by_sample ? rg_world_graph(world, k) : 0;
    if (e->values)
        values->read(values->context, e->number, e->values);
    if (!world->input->data)
        return RG_OK;
    size_t number = rg_world_graph(world, k);
    e->graph = rg_dataset_graph(world->input->data, number);
    for (size_t s = 0; !status && s < world->rule->n_slots; s++)
        if (e->spaces[s])
            status = rg_property_space_graph(e->spaces[s], number, err);
    return status;
}

/* a and b ascend; so does what comes out, each number once. */
static size_t merge(uint32_t *out, const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
    size_t n = 0, x = 0, y = 0;
    while (x < n_a || y < n_b) {
        uint32_t next = y == n_b || (x < n_a && a[x] <= b[y]) ? a[x] : b[y];
        x += x < n_a && a[x] == next;
        y += y < n_b && b[y] == next;
        out[n++] = next;
    }
    return n;
}

void rg_evaluator_pair(rg_evaluator *e, uint32_t output, uint32_t input)
{
    bool aggregate = e->world->rule->info.kind == RG_RULE_AGGREGATE;
    e->out = output;
    e->i = aggregate ? input : output;
    e->j = input;
    e->have = 0;
    e->scanned++;
}

static int64_t slot_value(rg_evaluator *e, uint32_t index)
{
    const rg_slot *slot = &e->world->rule->slots[index];
    if (e->have >> index & 1)
        return e->slot[index];
    uint32_t first = slot->first == RG_VAR_I ? e->i : e->j;
    uint32_t second = slot->second == RG_VAR_I ? e->i : e->j;
    int64_t value = e->spaces[index]
                        ? rg_property_value(e->spaces[index], first, second)
                        : rg_property_table_of(slot->property.kind)->of_node(&e->graph, first);
    e->slot[index] = value;
    e->have |= UINT32_C(1) << index;
    return value;
}

static int64_t value_of(rg_evaluator *e, int term);

static int64_t leaf_value(rg_evaluator *e, const rg_term *t)
{
    const rg_world *world = e->world;
    uint32_t v = t->variable == RG_VAR_I ? e->i : t->variable == RG_VAR_J ? e->j : e->out;
    rg_rule_shape shape;
    size_t n;
    switch (t->op) {
    case RG_OP_NUMBER:
        return t->value;
    case RG_OP_LABEL:
        return world->labels[t->index][e->graph.first_node + v];
    case RG_OP_NODE_LABEL: {
        const rg_dataset *data = world->input->data;
        const uint32_t *ranks = rg_dataset_ranks(data, RG_NODE_LABEL, t->index);
        return rg_dataset_values(data, RG_NODE_LABEL, t->index, &n)[ranks[e->graph.first_node + v]];
    }
    case RG_OP_PLACE:
        return (int64_t)v + 1;
    case RG_OP_ROW:
        shape = rg_world_shape(world, t->variable);
        return v / shape.cols % shape.rows;
    case RG_OP_COL:
        return v % rg_world_shape(world, t->variable).cols;
    case RG_OP_CHANNEL:
        shape = rg_world_shape(world, t->variable);
        return v / shape.cols / shape.rows / rg_shape_depth(shape);
    case RG_OP_DEPTH:
        shape = rg_world_shape(world, t->variable);
        return v / shape.cols / shape.rows % rg_shape_depth(shape);
    default:
        return v;
    }
}

/* ---- real numbers */

/* Where in the sample the value stands; false: nowhere. */
static bool value_place(rg_evaluator *e, const rg_term *t, size_t *at)
{
    const rg_rule_input *input = e->world->input;
    const rg_term *place = &e->world->rule->terms[t->a];
    rg_rule_shape shape = input->values->shape;
    int64_t plane = (int64_t)shape.rows * shape.cols * rg_shape_depth(shape);
    int64_t v = value_of(e, t->a);
    if (v == RG_NO_VALUE)
        return false;
    if (place->type != RG_TYPE_NODE)
        v--; /* counted from 1 */
    if (input->data)
        v = v * input->values->n_channels + t->index;
    else if (t->value)
        v = v % plane + t->index * plane;
    else if (v < 0 || v >= (int64_t)shape.rows * shape.cols * shape.channels)
        return false;
    *at = (size_t)v;
    return true;
}

/* An attribute of the edge; no number: there is no edge. */
static double edge_value(rg_evaluator *e, const rg_term *t)
{
    const rg_dataset *data = e->world->input->data;
    size_t width = rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE);
    uint32_t a = (uint32_t)value_of(e, t->a);
    uint64_t arc = rg_space_arc(&e->graph, a, (uint32_t)value_of(e, t->b));
    return arc == e->graph.row[a + 1]
               ? NAN
               : rg_dataset_reals(data, RG_EDGE_ATTRIBUTE)[arc * width + t->index];
}

static double real_of(rg_evaluator *e, int term)
{
    const rg_term *t = &e->world->rule->terms[term];
    size_t at;
    if (t->type != RG_TYPE_REAL)
        return rg_rule_real(value_of(e, term));
    if (t->op == RG_OP_VALUE && t->b != RG_NO_TERM)
        return edge_value(e, t);
    if (t->op == RG_OP_VALUE)
        return value_place(e, t, &at) ? e->values[at] : NAN;
    if (t->op == RG_OP_REAL)
        return rg_rule_literal(t);
    if (t->op == RG_OP_IF)
        return real_of(e, value_of(e, t->a) ? t->b : t->c);
    return rg_rule_real_arithmetic(t->op, real_of(e, t->a),
                                   t->b == RG_NO_TERM ? 0 : real_of(e, t->b));
}

static int64_t bin_of(rg_evaluator *e, const rg_term *t)
{
    const rg_rule_bin *bin = &e->world->rule->bins[t->index];
    size_t at;
    if (bin->pair)
        return rg_bins_find(e->world->edges + e->world->first_edge[t->index], bin->n,
                            edge_value(e, &e->world->rule->terms[t->a]));
    if (!value_place(e, &e->world->rule->terms[t->a], &at))
        return RG_NO_VALUE;
    size_t group = rg_world_bin_group(e->world, bin, at);
    const double *edges = e->world->edges + e->world->first_edge[t->index] + group * (bin->n - 1);
    return rg_bins_find(edges, bin->n, e->values[at]);
}

static bool is_in_reals(rg_evaluator *e, const rg_term *t)
{
    double value = real_of(e, t->a);
    if (t->op == RG_OP_IN_RANGE)
        return value >= real_of(e, t->b) && value <= real_of(e, t->c);
    for (int item = t->b; item != RG_NO_TERM; item = e->world->rule->terms[item].b)
        if (real_of(e, e->world->rule->terms[item].a) == value)
            return true;
    return false;
}

/* ---- whole numbers, conditions and nodes */

static bool is_in(rg_evaluator *e, const rg_term *t)
{
    if (t->index)
        return is_in_reals(e, t);
    int64_t value = value_of(e, t->a);
    if (value == RG_NO_VALUE)
        return false;
    if (t->op == RG_OP_IN_RANGE)
        return rg_rule_compare(RG_OP_AT_LEAST, value, value_of(e, t->b)) &&
               rg_rule_compare(RG_OP_AT_MOST, value, value_of(e, t->c));
    for (int item = t->b; item != RG_NO_TERM; item = e->world->rule->terms[item].b)
        if (value_of(e, e->world->rule->terms[item].a) == value)
            return true;
    return false;
}

static int64_t value_of(rg_evaluator *e, int term)
{
    const rg_term *t = &e->world->rule->terms[term];
    if (t->op >= RG_OP_NEGATE && t->op <= RG_OP_MODULO)
        return rg_rule_arithmetic(t->op, value_of(e, t->a),
                                  t->b == RG_NO_TERM ? 0 : value_of(e, t->b));
    switch (t->op) {
    case RG_OP_PROPERTY:
        return slot_value(e, t->index);
    case RG_OP_EQUAL:
    case RG_OP_UNEQUAL:
    case RG_OP_LESS:
    case RG_OP_AT_MOST:
    case RG_OP_MORE:
    case RG_OP_AT_LEAST:
        return t->index ? rg_rule_real_compare(t->op, real_of(e, t->a), real_of(e, t->b))
                        : rg_rule_compare(t->op, value_of(e, t->a), value_of(e, t->b));
    case RG_OP_IN_RANGE:
    case RG_OP_IN_SET:
        return is_in(e, t);
    case RG_OP_NOT:
        return !value_of(e, t->a);
    case RG_OP_AND:
        return value_of(e, t->a) && value_of(e, t->b);
    case RG_OP_OR:
        return value_of(e, t->a) || value_of(e, t->b);
    case RG_OP_IF:
        return value_of(e, value_of(e, t->a) ? t->b : t->c);
    case RG_OP_BIN:
        return bin_of(e, t);
    case RG_OP_TABLE:
        return rg_pair_table_value(e->world->tables[t->index], e->number,
                                   (uint32_t)value_of(e, t->a),
                                   t->b == RG_NO_TERM ? 0 : (uint32_t)value_of(e, t->b));
    default:
        return leaf_value(e, t);
    }
}

int64_t rg_evaluator_value(rg_evaluator *e, int term)
{
    return value_of(e, term);
}

/* What is the same for all inputs of an output. */
static void fix_parts(rg_evaluator *e, uint32_t output)
{
    e->out = e->i = output; /* of an aggregation nothing here looks at i */
    e->have = 0;
    for (size_t k = 0; k < e->world->rule->info.n_keys; k++)
        if (e->parts[k].way == RG_PART_FIXED)
            e->parts[k].value = value_of(e, e->parts[k].term);
}

/* The pairs of a row that a table lists. */
static rg_property_row list_table(rg_evaluator *e, size_t table, uint32_t i)
{
    const rg_pair_table *t = e->world->tables[table];
    uint64_t first;
    size_t n = rg_pair_table_row(t, e->number, i, &first);
    for (size_t k = 0; k < n; k++)
        e->listed[k] = (uint32_t)t->key[first + k];
    return (rg_property_row){e->listed, NULL, n};
}

rg_candidates rg_evaluator_row(rg_evaluator *e, uint32_t i, uint32_t n_inputs)
{
    const rg_plan *plan = e->plan;
    fix_parts(e, i);
    if (e->fixed && e->fixed->there)
        return (rg_candidates){e->fixed->j + e->fixed->row[i], NULL,
                               e->fixed->row[i + 1] - e->fixed->row[i]};
    if (plan->all)
        return (rg_candidates){NULL, NULL, n_inputs};
    if (plan->n == 1 && plan->sources[0].slot != RG_SELF && plan->sources[0].slot < RG_RULE_SLOTS) {
        const rg_pair_source *s = &plan->sources[0];
        rg_property_row row = rg_property_list(e->spaces[s->slot], i, s->low, s->high);
        return (rg_candidates){row.j, row.value, row.n};
    }
    size_t n = 0;
    for (size_t k = 0; k < plan->n; k++) {
        const rg_pair_source *s = &plan->sources[k];
        rg_property_row row = {&i, NULL, i < n_inputs};
        if (s->slot >= RG_RULE_SLOTS)
            row = list_table(e, (size_t)s->slot - RG_RULE_SLOTS, i);
        else if (s->slot != RG_SELF)
            row = rg_property_list(e->spaces[s->slot], i, s->low, s->high);
        n = merge(e->found[1], e->found[0], n, row.j, row.n);
        uint32_t *swap = e->found[0];
        e->found[0] = e->found[1];
        e->found[1] = swap;
    }
    return (rg_candidates){e->found[0], NULL, n};
}

bool rg_evaluator_key(rg_evaluator *e, int64_t key[RG_RULE_KEYS_MAX])
{
    const rg_rule *rule = e->world->rule;
    if (rule->condition != RG_NO_TERM && !e->plan->exact && !value_of(e, rule->condition))
        return false;
    for (size_t k = 0; k < rule->info.n_keys; k++) {
        const rg_key_part *part = &e->parts[k];
        switch (part->way) {
        case RG_PART_FIXED:
            key[k] = part->value;
            break;
        case RG_PART_LABEL:
            key[k] = part->labels[e->graph.first_node + e->j];
            break;
        case RG_PART_SLOT:
            key[k] = slot_value(e, part->slot);
            break;
        default:
            key[k] = value_of(e, part->term);
        }
    }
    return true;
}
