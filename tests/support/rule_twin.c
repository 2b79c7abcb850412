/* rule_twin.c - see rule_twin.h. */
#include "rule_twin.h"

#include "property/pair_table.h"

#include <math.h>
#include <string.h>

static const char *const label_names[N_LABELS] = {"wl", "cyc", "deg"};
static const char *const label_specs[N_LABELS] = {"wl(depth=1,from=node)", "cycles(max=5)",
                                                  "degree(max=3)"};

labeled_set labeled_set_of(rg_dataset *data)
{
    labeled_set s = {.data = data};
    for (int k = 0; k < N_LABELS; k++) {
        s.fitted[k] = test_fit(&s.labels[k], label_specs[k], data);
        s.known[k] = (rg_rule_labeling){
            .name = label_names[k], .labels = s.labels[k], .labeling = s.fitted[k]};
    }
    return s;
}

void labeled_set_free(labeled_set *s)
{
    for (int k = 0; k < N_LABELS; k++) {
        rg_labels_free(s->labels[k]);
        rg_labeling_free(s->fitted[k]);
    }
    rg_dataset_free(s->data);
}

rg_rule_input input_of(const labeled_set *s)
{
    return (rg_rule_input){.size = sizeof(rg_rule_input),
                           .data = s->data,
                           .labels = s->known,
                           .n_labels = N_LABELS,
                           .n_outputs = 3};
}

/* One pair for the twin. */
typedef struct moment {
    const double *values; /* of the sample */
    const rg_rule *rule;
    const rg_rule_input *input;
    rg_graph graph;
    size_t number;
    uint32_t i, j, out;
} moment;

static bool joined(const moment *m, uint32_t a, uint32_t b, uint64_t *arc)
{
    for (uint64_t k = m->graph.row[a]; k < m->graph.row[a + 1]; k++)
        if (m->graph.col[k] == b) {
            *arc = k;
            return true;
        }
    return false;
}

static int64_t twin_dist(const moment *m, uint32_t a, uint32_t b)
{
    uint32_t n = m->graph.n_nodes;
    int64_t *d = malloc((n + 1) * sizeof *d);
    assert_non_null(d);
    for (uint32_t k = 0; k < n; k++)
        d[k] = k == a ? 0 : RG_NO_VALUE;
    for (uint32_t round = 0; round < n; round++)
        for (uint32_t u = 0; u < n; u++)
            for (uint64_t k = m->graph.row[u]; d[u] == round && k < m->graph.row[u + 1]; k++)
                if (d[m->graph.col[k]] == RG_NO_VALUE)
                    d[m->graph.col[k]] = round + 1;
    int64_t value = d[b];
    free(d);
    return value;
}

/* A path from `here` to `start` of at most `left` edges through nodes not used that meets b? */
static bool walk(const moment *m, uint32_t start, uint32_t here, uint32_t b, uint32_t left,
                 bool *used, bool met, uint32_t length)
{
    for (uint64_t k = m->graph.row[here]; k < m->graph.row[here + 1]; k++) {
        uint32_t next = m->graph.col[k];
        if (next == start && length >= 2 && met)
            return true;
        if (used[next] || left <= 1)
            continue;
        used[next] = true;
        bool found = walk(m, start, next, b, left - 1, used, met || next == b, length + 1);
        used[next] = false;
        if (found)
            return true;
    }
    return false;
}

static int64_t twin_property(const moment *m, const rg_slot *slot)
{
    uint32_t a = slot->first == RG_VAR_I ? m->i : m->j, b = slot->second == RG_VAR_I ? m->i : m->j;
    const rg_dataset *data = m->input->data;
    uint64_t arc = 0;
    size_t n;
    switch (slot->property.kind) {
    case RG_PROPERTY_DIST:
        return twin_dist(m, a, b);
    case RG_PROPERTY_EDGE:
        return joined(m, a, b, &arc);
    case RG_PROPERTY_BOND:
        if (!joined(m, a, b, &arc))
            return RG_NO_VALUE;
        return rg_dataset_values(data, RG_EDGE_LABEL, 0,
                                 &n)[rg_dataset_ranks(data, RG_EDGE_LABEL, 0)[arc]];
    case RG_PROPERTY_SAME_CYCLE: {
        bool used[64] = {false};
        used[a] = true;
        return walk(m, a, a, b, slot->property.parameter, used, a == b, 0);
    }
    case RG_PROPERTY_COMMON: {
        int64_t count = 0;
        for (uint32_t k = 0; k < m->graph.n_nodes; k++)
            count += joined(m, a, k, &arc) && joined(m, b, k, &arc);
        return count;
    }
    case RG_PROPERTY_PATHS:
    case RG_PROPERTY_BONDS:
    case RG_PROPERTY_MARKED: { /* tests/property has their own twins; this is about plans */
        rg_property_space *space = NULL;
        ASSERT_OK(rg_property_space_new(&space, &slot->property, data, err));
        ASSERT_OK(rg_property_space_graph(space, m->number, err));
        int64_t value = rg_property_value(space, a, b);
        rg_property_space_free(space);
        return value;
    }
    case RG_PROPERTY_POS:
        return a;
    case RG_PROPERTY_OFFSET:
        return (int64_t)m->j - (int64_t)m->i;
    default:
        return (int64_t)(m->graph.row[a + 1] - m->graph.row[a]);
    }
}

static int64_t twin_value(const moment *m, int term);

/* A number of a table, looked for from its first entry to its last. */
static int64_t twin_table(const moment *m, const rg_term *t)
{
    const rg_pair_table *table = NULL;
    for (size_t k = 0; k < m->input->n_labels; k++)
        if (strcmp(m->input->labels[k].name, m->rule->tables[t->index].name) == 0)
            table = m->input->labels[k].pairs;
    uint64_t i = (uint64_t)twin_value(m, t->a), j = 0;
    size_t sample = table->info.per_sample ? m->number : 0;
    if (t->b != RG_NO_TERM)
        j = (uint64_t)twin_value(m, t->b);
    for (uint64_t k = 0; k < table->info.n_entries; k++)
        if (sample < table->info.n_samples && k >= table->start[sample] &&
            k < table->start[sample + 1] && table->key[k] == (i << 32 | j))
            return table->value[k];
    return 0;
}

/* Where value(...) looks; false: nowhere. */
static bool twin_place(const moment *m, const rg_term *t, size_t *at)
{
    const rg_term *place = &m->rule->terms[t->a];
    const rg_rule_values *values = m->input->values;
    size_t plane = values->shape.rows * values->shape.cols;
    int64_t v = twin_value(m, t->a);
    if (place->type == RG_TYPE_NUMBER) {
        *at = (size_t)v - 1;
        return v != RG_NO_VALUE && v >= 1 && v <= (int64_t)(plane * values->shape.channels);
    }
    *at = m->input->data ? (size_t)v * values->n_channels + t->index
          : t->value     ? t->index * plane + (size_t)v % plane
                         : (size_t)v;
    return true;
}

static size_t twin_group(const moment *m, size_t at)
{
    rg_rule_shape shape = m->input->values->shape;
    if (m->input->data)
        return 0;
    return shape.rows == 1 && shape.channels == 1 ? at : at / (shape.rows * shape.cols);
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The attribute of an edge, looked for among all arcs of the node. */
static double twin_edge(const moment *m, const rg_term *t)
{
    const rg_dataset *data = m->input->data;
    size_t width = rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE);
    uint32_t a = (uint32_t)twin_value(m, t->a), b = (uint32_t)twin_value(m, t->b);
    for (uint64_t arc = m->graph.row[a]; arc < m->graph.row[a + 1]; arc++)
        if (m->graph.col[arc] == b)
            return rg_dataset_reals(data, RG_EDGE_ATTRIBUTE)[arc * width + t->index];
    return NAN;
}

/* All numbers of the fit that are binned together, sorted; the edges are the smallest of them with at
 * least k/n of them at most that. */
static int64_t twin_bin(const moment *m, const rg_term *t)
{
    const rg_rule_bin *bin = &m->rule->bins[t->index];
    const rg_rule_values *values = m->input->values;
    const rg_dataset *data = m->input->data;
    size_t at, n = 0,
               n_fit = values->fit ? values->n_fit
                       : data      ? rg_dataset_n_graphs(data)
                                   : values->n_samples;
    static double sample[4096], all[1 << 16];
    double own = bin->pair ? twin_edge(m, &m->rule->terms[t->a]) : NAN;
    if (!bin->pair && twin_place(m, &m->rule->terms[t->a], &at))
        own = m->values[at];
    if (isnan(own))
        return RG_NO_VALUE;
    size_t group = bin->pair ? 0 : twin_group(m, at);
    for (size_t k = 0; k < n_fit; k++) {
        size_t number = values->fit ? values->fit[k] : k;
        size_t n_own = data ? rg_dataset_graph(data, number).n_nodes * values->n_channels
                            : values->shape.rows * values->shape.cols * values->shape.channels;
        rg_graph graph = data ? rg_dataset_graph(data, number) : (rg_graph){0};
        for (uint32_t i = 0; bin->pair && i < graph.n_nodes; i++)
            for (uint64_t arc = graph.row[i]; arc < graph.row[i + 1]; arc++)
                if (i < graph.col[arc])
                    all[n++] = rg_dataset_reals(
                        data,
                        RG_EDGE_ATTRIBUTE)[arc * rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE) +
                                           bin->channel];
        values->read(values->context, number, sample);
        for (size_t v = 0; v < n_own && !bin->pair; v++)
            if (!isnan(sample[v]) &&
                (data ? v % values->n_channels == bin->channel : twin_group(m, v) == group))
                all[n++] = sample[v];
    }
    qsort(all, n, sizeof *all, compare_reals);
    int64_t number = 0;
    for (size_t k = 1; k < bin->n; k++)
        number += own > (n ? all[(k * n + bin->n - 1) / bin->n - 1] : 0);
    return number;
}

static double twin_real(const moment *m, int term)
{
    const rg_term *t = &m->rule->terms[term];
    size_t at;
    if (t->type != RG_TYPE_REAL) {
        int64_t value = twin_value(m, term);
        return value == RG_NO_VALUE ? NAN : (double)value;
    }
    if (t->op == RG_OP_REAL)
        return rg_rule_literal(t);
    if (t->op == RG_OP_VALUE && t->b != RG_NO_TERM)
        return twin_edge(m, t);
    if (t->op == RG_OP_VALUE)
        return twin_place(m, t, &at) ? m->values[at] : NAN;
    if (t->op == RG_OP_IF)
        return twin_value(m, t->a) ? twin_real(m, t->b) : twin_real(m, t->c);
    double a = twin_real(m, t->a), b = t->b == RG_NO_TERM ? 0 : twin_real(m, t->b);
    double result = t->op == RG_OP_NEGATE     ? -a
                    : t->op == RG_OP_ABS      ? fabs(a)
                    : t->op == RG_OP_MIN      ? (isnan(a) || isnan(b) ? NAN : fmin(a, b))
                    : t->op == RG_OP_MAX      ? (isnan(a) || isnan(b) ? NAN : fmax(a, b))
                    : t->op == RG_OP_ADD      ? a + b
                    : t->op == RG_OP_SUBTRACT ? a - b
                    : t->op == RG_OP_MULTIPLY ? a * b
                                              : a / b;
    return isfinite(result) ? result : NAN;
}

/* What a sign says of real numbers; of no number nothing holds. */
static bool twin_holds(rg_op op, double a, double b)
{
    bool there = !isnan(a) && !isnan(b);
    return there && (op == RG_OP_EQUAL     ? a == b
                     : op == RG_OP_UNEQUAL ? a != b
                     : op == RG_OP_LESS    ? a < b
                     : op == RG_OP_AT_MOST ? a <= b
                     : op == RG_OP_MORE    ? a > b
                                           : a >= b);
}

/* Comparisons of real numbers. */
static bool twin_compares(const moment *m, const rg_term *t)
{
    double a = twin_real(m, t->a);
    bool found = false;
    if (t->op == RG_OP_IN_RANGE)
        return twin_holds(RG_OP_AT_LEAST, a, twin_real(m, t->b)) &&
               twin_holds(RG_OP_AT_MOST, a, twin_real(m, t->c));
    for (int k = t->b; t->op == RG_OP_IN_SET && k != RG_NO_TERM; k = m->rule->terms[k].b)
        found = found || twin_holds(RG_OP_EQUAL, a, twin_real(m, m->rule->terms[k].a));
    return t->op == RG_OP_IN_SET ? found : twin_holds(t->op, a, twin_real(m, t->b));
}

static int64_t twin_value(const moment *m, int term)
{
    const rg_term *t = &m->rule->terms[term];
    uint32_t v = t->variable == RG_VAR_I ? m->i : t->variable == RG_VAR_J ? m->j : m->out;
    bool inward = t->variable == RG_VAR_J || m->rule->info.kind == RG_RULE_AGGREGATE;
    rg_rule_shape shape = inward ? m->input->in : m->input->out;
    size_t n;
    if (t->op >= RG_OP_NEGATE && t->op <= RG_OP_MODULO)
        return rg_rule_arithmetic(t->op, twin_value(m, t->a),
                                  t->b == RG_NO_TERM ? 0 : twin_value(m, t->b));
    if (t->op >= RG_OP_EQUAL && t->op <= RG_OP_IN_SET && t->index)
        return twin_compares(m, t);
    if (t->op >= RG_OP_EQUAL && t->op <= RG_OP_AT_LEAST)
        return rg_rule_compare(t->op, twin_value(m, t->a), twin_value(m, t->b));
    switch (t->op) {
    case RG_OP_NUMBER:
        return t->value;
    case RG_OP_VARIABLE:
        return v;
    case RG_OP_PLACE:
        return (int64_t)v + 1;
    case RG_OP_BIN:
        return twin_bin(m, t);
    case RG_OP_TABLE:
        return twin_table(m, t);
    case RG_OP_IF: {
        int64_t yes = twin_value(m, t->b), no = twin_value(m, t->c);
        return twin_value(m, t->a) ? yes : no;
    }
    case RG_OP_LABEL:
        for (size_t k = 0;; k++)
            if (strcmp(m->input->labels[k].name, m->rule->names[t->index]) == 0)
                return rg_labels_data(m->input->labels[k].labels)[m->graph.first_node + v];
    case RG_OP_NODE_LABEL:
        return rg_dataset_values(
            m->input->data, RG_NODE_LABEL, t->index,
            &n)[rg_dataset_ranks(m->input->data, RG_NODE_LABEL, t->index)[m->graph.first_node + v]];
    case RG_OP_PROPERTY:
        return twin_property(m, &m->rule->slots[t->index]);
    case RG_OP_ROW:
        return v % (shape.rows * shape.cols) / shape.cols;
    case RG_OP_COL:
        return v % (shape.rows * shape.cols) % shape.cols;
    case RG_OP_CHANNEL:
        return v / (shape.rows * shape.cols * (shape.depth ? shape.depth : 1));
    case RG_OP_DEPTH:
        return v / (shape.rows * shape.cols) % (shape.depth ? shape.depth : 1);
    case RG_OP_IN_RANGE:
        return rg_rule_compare(RG_OP_AT_MOST, twin_value(m, t->b), twin_value(m, t->a)) &&
               rg_rule_compare(RG_OP_AT_MOST, twin_value(m, t->a), twin_value(m, t->c));
    case RG_OP_IN_SET: {
        bool found = false;
        for (int k = t->b; k != RG_NO_TERM; k = m->rule->terms[k].b)
            found = found || rg_rule_compare(RG_OP_EQUAL, twin_value(m, t->a),
                                             twin_value(m, m->rule->terms[k].a));
        return found;
    }
    case RG_OP_NOT:
        return !twin_value(m, t->a);
    case RG_OP_AND: {
        int64_t a = twin_value(m, t->a), b = twin_value(m, t->b);
        return a && b;
    }
    default: {
        int64_t a = twin_value(m, t->a), b = twin_value(m, t->b);
        return a || b;
    }
    }
}

void number_list_push(number_list *l, int64_t value)
{
    if (l->n == l->capacity) {
        l->capacity = l->capacity ? l->capacity * 2 : 256;
        l->values = realloc(l->values, l->capacity * sizeof *l->values);
        assert_non_null(l->values);
    }
    l->values[l->n++] = value;
}

static void sizes(const rg_rule *rule, const rg_rule_input *input, size_t g, uint32_t *n_out,
                  uint32_t *n_in)
{
    rg_rule_shape in = input->in, out = input->out;
    *n_in =
        input->data ? rg_dataset_graph(input->data, g).n_nodes : in.rows * in.cols * in.channels;
    *n_out = rule->info.kind == RG_RULE_AGGREGATE ? input->n_outputs
             : input->data                        ? *n_in
                                                  : out.rows * out.cols * out.channels;
    if (rule->info.kind == RG_RULE_BIAS)
        *n_in = 1;
}

number_list rule_twin(const rg_rule *rule, const rg_rule_input *input)
{
    number_list out = {0};
    size_t n_graphs = !rg_rule_by_sample(rule, input) ? 1
                      : input->graphs                 ? input->n_graphs
                      : input->data                   ? rg_dataset_n_graphs(input->data)
                                                      : input->values->n_samples;
    static double values[4096];
    for (size_t g = 0; g < n_graphs; g++) {
        moment m = {.rule = rule, .input = input, .number = input->graphs ? input->graphs[g] : g};
        uint32_t n_out, n_in;
        m.values = values;
        if (rule->info.on_values)
            input->values->read(input->values->context, m.number, values);
        if (input->data)
            m.graph = rg_dataset_graph(input->data, m.number);
        sizes(rule, input, m.number, &n_out, &n_in);
        for (uint32_t o = 0; o < n_out; o++) {
            for (uint32_t k = 0; k < n_in; k++) {
                m.out = o;
                m.i = rule->info.kind == RG_RULE_AGGREGATE ? k : o;
                m.j = k;
                if (rule->condition != RG_NO_TERM && !twin_value(&m, rule->condition))
                    continue;
                number_list_push(&out, k);
                for (size_t p = 0; p < rule->info.n_keys; p++)
                    number_list_push(&out, twin_value(&m, rule->keys[p]));
            }
            number_list_push(&out, ROW_END);
        }
    }
    return out;
}

void write_out(number_list *out, const rg_connections *c, const rg_rule_keys *keys)
{
    size_t width = rg_rule_keys_width(keys);
    for (size_t g = 0; g < rg_connections_n_graphs(c); g++) {
        rg_connection_table t = rg_connections_graph(c, g);
        for (uint32_t i = 0; i < t.n_outputs; i++) {
            uint64_t from = t.row ? t.row[i] : i, to = t.row ? t.row[i + 1] : i + 1;
            for (uint64_t k = from; k < to; k++) {
                if (!t.row && t.weight[k] == RG_NO_WEIGHT)
                    continue;
                assert_true(t.weight[k] < rg_rule_keys_size(keys));
                number_list_push(out, !t.row ? 0 : t.col16 ? t.col16[k] : t.col32[k]);
                for (size_t p = 0; p < width; p++)
                    number_list_push(out, rg_rule_keys_data(keys)[t.weight[k] * width + p]);
            }
            number_list_push(out, ROW_END);
        }
    }
}

void assert_same(const number_list *a, const number_list *b, const char *text)
{
    if (a->n != b->n || (a->n && memcmp(a->values, b->values, a->n * sizeof *a->values) != 0))
        fail_msg("'%s': %zu numbers, expected %zu, or others", text, b->n, a->n);
}

/* Keys ascend, each is used, and the report counts what is there. */
static void check_whole(const rg_rule_keys *keys, const rg_connections *c,
                        const rg_rule_report *report, const char *text)
{
    size_t width = rg_rule_keys_width(keys), n = rg_rule_keys_size(keys);
    rg_rule_keys *again = NULL;
    ASSERT_OK(rg_rule_keys_new(&again, rg_rule_keys_data(keys), n, width, err));
    assert_int_equal(rg_rule_keys_size(again), n);
    rg_rule_keys_free(again);
    bool *used = calloc(n + 1, 1);
    assert_non_null(used);
    uint64_t connections = 0;
    for (uint64_t k = 0; k < rg_connections_size(c); k++)
        if (rg_connections_graph(c, 0).weight[k] != RG_NO_WEIGHT) {
            used[rg_connections_graph(c, 0).weight[k]] = true;
            connections++;
        }
    for (size_t k = 0; k < n; k++)
        assert_true(used[k]);
    free(used);
    assert_int_equal(report->connections, connections);
    assert_int_equal(report->weights, n);
    assert_int_equal(report->unseen, 0);
    assert_true(report->scanned <= report->pairs && report->scanned >= connections);
    if (report->all_pairs)
        assert_int_equal(report->scanned, report->pairs);
    if (report->possible < n)
        fail_msg("'%s': %zu weights, %llu possible", text, n, (unsigned long long)report->possible);
}

/* All ways of compiling give what the twin gives. */
void rule_compare(const char *text, rg_rule_kind kind, const rg_rule_input *input)
{
    rg_rule *rule = NULL;
    ASSERT_OK(rg_rule_parse(&rule, text, kind, input->labels, input->n_labels, NULL, err));
    number_list expected = rule_twin(rule, input);
    for (int way = 0; way < 6; way++) {
        rg_compile_ways ways = {.all_pairs = way & 1, .tables = way & 2};
        rg_rule_options options = {
            .size = sizeof options, .n_threads = way >= 4 ? 3 : 1, .max_bytes = UINT64_MAX};
        rg_rule_keys *keys = NULL;
        rg_connections *c = NULL, *applied = NULL;
        rg_rule_report report = RG_RULE_REPORT_INIT;
        number_list found = {0}, again = {0};
        ASSERT_OK(rg_rule_run(&keys, &c, &report, NULL, rule, input, &options, &ways, err));
        write_out(&found, c, keys);
        assert_same(&expected, &found, text);
        if (input->data || !input->graphs)
            check_whole(keys, c, &report, text);
        ASSERT_OK(rg_rule_run(NULL, &applied, &report, keys, rule, input, &options, &ways, err));
        write_out(&again, applied, keys);
        assert_same(&expected, &again, text);
        assert_int_equal(report.unseen, 0);
        free(found.values);
        free(again.values);
        rg_connections_free(c);
        rg_connections_free(applied);
        rg_rule_keys_free(keys);
    }
    free(expected.values);
    rg_rule_free(rule);
}

const char *const pair_rules[] = {
    "share i, j",
    "share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..3",
    "share wl(i), wl(j), dist(i,j) when dist(i,j) in {1, 3}",
    "share cyc(i), cyc(j), dist(i,j) when 2 <= dist(i,j) and 4 > dist(i,j)",
    "share dist(i,j)",
    "share dist(i,j), wl(i) when dist(i,j) >= 2",
    "share dist(i,j), wl(i) when not dist(i,j) <= 1",
    "share dist(i,j) when dist(i,j) != 2",
    "share dist(i,j) when dist(i,j) < 0 or dist(i,j) > 9223372036854775806",
    "share i = j, node(i), node(j), bond(i,j) when i = j or edge(i,j)",
    "share i = j, node(i), node(j), bond(i,j) when not (i != j and not edge(i,j))",
    "share node(i), node(j) when same_cycle(i,j,4)",
    "share node(i), dist(i,j) when same_cycle(i,j,5) or dist(i,j) = 1 or i = j",
    "share dist(i,j) when common(i,j) > 0",
    "share common(i,j), dist(i,j) when common(i,j) >= 2 or common(i,j) in {1}",
    "share common(i,j) when common(i,j) <= 1",
    "share common(i,j) when common(i,j) != 0",
    "share common(i,j) when common(i,j) != 1",
    "share paths(i,j), dist(i,j) when dist(i,j) <= 3",
    "share wl(i), paths(i,j,2) when paths(i,j,2) > 1",
    "share paths(i,j) when paths(i,j) = 0 or edge(i,j)",
    "share bonds(i,j) when dist(i,j) in 1..4",
    "share bonds(j,i,2), paths(j,i) when bonds(i,j,2) >= 0",
    "share wl(i), marked(i,j) when i != j",
    "share marked(i,j,2), dist(i,j) when marked(i,j,2) in 0..4",
    "share marked(i,i), marked(j,j), paths(i,i), bonds(j,j) when edge(i,j)",
    "share bond(i,j) + 1, bond(i,j) / 0 when bond(i,j) % 2 = 1",
    "share bond(i,j) when bond(i,j) > -100 and dist(i,j) <= 5",
    "share dist(i,j) when dist(i,j) <= degree(i)",
    "share dist(i,j) * 3 - 1 when dist(i,j) in degree(i)..degree(j) + 1",
    "share wl(i) when dist(i,j) in {degree(i), 1}",
    "share edge(i,j), degree(j) % (degree(i) - 1) when wl(i) >= wl(j)",
    "share degree(i) / degree(j), abs(wl(i) - wl(j)), min(wl(i), cyc(j)), max(wl(i), cyc(j))",
    "share common(i,i), common(j,j), dist(j,j), edge(i,i), bond(j,j) when i != j",
    "share same_cycle(i,i,5), same_cycle(j,j,4) when edge(i,j)",
    "share wl(i) when 1 = 2",
    "share wl(i) when 1 / 0 = 1 / 0",
    "share wl(i) when dist(i,j) = 1 / 0",
    "share wl(i) when dist(i,j) in 1..1 / 0",
    "share wl(i) when dist(i,j) in {1 / 0}",
    "share wl(i) when dist(i,j) in 3..1",
    "share 9223372036854775807 + degree(i), -9223372036854775807 - degree(j)",
    "share 9223372036854775807 * (wl(i) - 1), 4000000000 * wl(j) when edge(i,j)",
    "share deg(i), deg(j), i = j when dist(i,j) <= 1 and (edge(i,j) or wl(i) = wl(j))",
    "share wl(i) when edge(i,j) = (wl(i) = wl(j))",
    "share wl(i) when dist(i,j) in 1..2 or dist(i,j) in 4..5",
    "share dist(i,j), node(j) when dist(i,j) in 3..4 or same_cycle(i,j,8) or bond(i,j) = 3",
    "share wl(i), wl(j), cyc(i), cyc(j), deg(i), deg(j), node(i), node(j), dist(i,j), common(i,j)",
    "share if edge(i,j) then wl(i) else dist(i,j), wl(j)",
    "share if edge(i,j) then bond(i,j) else if i = j then -1 else 1 / 0 when dist(i,j) <= 3",
    "share (if wl(i) > wl(j) then 1 else 2) * 3 when 0 < dist(i,j) < 4",
    "let r = if i = j then 1 else if edge(i,j) then 2 + node(i) else 0 share r when r != 0",
    ("let r = if i = j and node(i) = 1 then 1 else if dist(i,j) = 2 then 2 else 0 "
     "share r when r > 0"),
    "share wl(i) when (if i = j then 4 else dist(i,j)) in {4, 2}",
    "share wl(i) when 2 = (if wl(i) = 1 then dist(i,j) else common(i,j))",
    "share wl(i) when if wl(i) = wl(j) then edge(i,j) else dist(i,j) = 2",
    "share wl(i) when not (if wl(i) = wl(j) then edge(i,j) else i = j)",
    "let d = dist(i,j), near = d <= 2 share d, d mod 2, d // 2, near when near or d = 4",
};
const size_t n_pair_rules = sizeof pair_rules / sizeof *pair_rules;
