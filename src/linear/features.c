/* features.c - see regula/features.h: keys counted graph by graph.
 *
 * Connection tables are built for some graphs at a time, counted and thrown away, so that memory goes by
 * the counts and not by the pairs of nodes. */
#include "features.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 4096 }; /* nodes of the graphs whose tables are there at once, about */

void rg_rule_features_free(rg_rule_features *f)
{
    if (!f)
        return;
    for (size_t k = 0; k < f->n_labels; k++) {
        if (f->names)
            rg_free(f->names[k]);
        if (f->labelings)
            rg_labeling_free(f->labelings[k]);
    }
    for (size_t r = 0; r < f->n_rules; r++) {
        if (f->rules)
            rg_rule_free(f->rules[r]);
        if (f->keys)
            rg_rule_keys_free(f->keys[r]);
        if (f->column)
            rg_free(f->column[r]);
    }
    rg_free(f->names);
    rg_free(f->known);
    rg_free(f->labelings);
    rg_free(f->rules);
    rg_free(f->keys);
    rg_free(f->column);
    rg_free(f->rule_of);
    rg_free(f->key_of);
    rg_free(f->cache);
    rg_free(f->data);
    rg_free(f);
}

void rg_count_matrix_free(rg_count_matrix *m)
{
    if (!m)
        return;
    rg_free(m->row);
    rg_free(m->col);
    rg_free(m->count);
    rg_free(m);
}

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "rule features");
}

static rg_label_options label_options(const rg_rule_features *f)
{
    rg_label_options o = rg_label_options_default();
    o.n_threads = f->n_threads;
    o.cache = f->cache;
    return o;
}

/* ---- counting */

/* Counts of one rule over some graphs; `next` is called per graph with its counts. */
typedef struct key_counter {
    const rg_rule_features *f;
    uint32_t *count; /* [column], all 0 between graphs */
    uint32_t *seen;  /* [n_seen]: columns of the graph at hand */
    size_t n_seen;
} key_counter;

static void count_table(key_counter *c, size_t rule, const rg_connection_table *t)
{
    const uint32_t *column = c->f->column[rule];
    uint64_t end = t->row ? t->row[t->n_outputs] : t->n_outputs;
    for (uint64_t k = t->row ? t->row[0] : 0; k < end; k++) {
        uint32_t at = t->weight[k] == RG_NO_WEIGHT ? RG_NO_WEIGHT : column[t->weight[k]];
        if (at == RG_NO_WEIGHT)
            continue;
        if (c->count[at] == 0)
            c->seen[c->n_seen++] = at;
        c->count[at] += c->count[at] != UINT32_MAX;
    }
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

typedef struct growing_counts {
    rg_count_matrix *m;
    size_t capacity, counts; /* of col and count */
} growing_counts;

static bool add_row(growing_counts *g, key_counter *c, size_t row)
{
    rg_count_matrix *m = g->m;
    uint64_t at = m->row[row];
    if (!rg_grow(&m->col, &g->capacity, at + c->n_seen, sizeof *m->col) ||
        !rg_grow(&m->count, &g->counts, at + c->n_seen, sizeof *m->count))
        return false;
    qsort(c->seen, c->n_seen, sizeof *c->seen, ascending);
    for (size_t k = 0; k < c->n_seen; k++, at++) {
        m->col[at] = c->seen[k];
        m->count[at] = c->count[c->seen[k]];
        c->count[c->seen[k]] = 0;
    }
    c->n_seen = 0;
    m->row[row + 1] = at;
    return true;
}

/* Graphs list[from .. to-1] (NULL: from .. to-1), by all rules. */
static rg_status count_some(growing_counts *g, key_counter *c, const rg_dataset *data,
                            const rg_rule_labeling *known, const uint32_t *list, size_t from,
                            size_t to, rg_error *err)
{
    const rg_rule_features *f = c->f;
    rg_rule_options how = rg_rule_options_default();
    rg_connections **tables = rg_alloc_zero(f->n_rules, sizeof *tables);
    rg_rule_input input = {.size = sizeof input,
                           .data = data,
                           .labels = known,
                           .n_labels = f->n_labels,
                           .graphs = list + from,
                           .n_graphs = to - from};
    rg_status status = tables ? RG_OK : no_memory(err);
    how.n_threads = f->n_threads;
    for (size_t r = 0; !status && r < f->n_rules; r++)
        status = rg_rule_apply(&tables[r], NULL, f->keys[r], f->rules[r], &input, &how, err);
    for (size_t k = 0; !status && k < to - from; k++) {
        for (size_t r = 0; r < f->n_rules; r++) {
            rg_connection_table t = rg_connections_graph(tables[r], k);
            count_table(c, r, &t);
        }
        if (!add_row(g, c, from + k))
            status = no_memory(err);
    }
    for (size_t r = 0; tables && r < f->n_rules; r++)
        rg_connections_free(tables[r]);
    rg_free(tables);
    return status;
}

/* list: n graphs. */
static rg_status count_all(rg_count_matrix **out, const rg_rule_features *f, const rg_dataset *data,
                           const rg_rule_labeling *known, const uint32_t *list, size_t n,
                           rg_error *err)
{
    growing_counts g = {.m = rg_alloc_zero(1, sizeof *g.m)};
    key_counter c = {.f = f,
                     .count = rg_alloc_zero(f->n + 1, sizeof *c.count),
                     .seen = rg_alloc_zero(f->n + 1, sizeof *c.seen)};
    rg_status status = g.m && c.count && c.seen ? RG_OK : no_memory(err);
    if (!status) {
        g.m->row = rg_alloc_zero(n + 1, sizeof *g.m->row);
        g.m->n_rows = n;
        g.m->n_cols = f->n;
        if (!g.m->row)
            status = no_memory(err);
    }
    for (size_t from = 0, to; !status && from < n; from = to) {
        uint64_t nodes = 0;
        for (to = from; to < n && nodes < AT_ONCE; to++)
            nodes += rg_dataset_graph(data, list[to]).n_nodes + (uint64_t)1;
        status = count_some(&g, &c, data, known, list, from, to, err);
    }
    rg_free(c.count);
    rg_free(c.seen);
    if (status)
        rg_count_matrix_free(g.m);
    else
        *out = g.m;
    return status;
}

static uint32_t *all_graphs(size_t n)
{
    uint32_t *list = rg_alloc(n + 1, sizeof *list);
    for (size_t k = 0; list && k < n; k++)
        list[k] = (uint32_t)k;
    return list;
}

rg_status rg_rule_features_count(rg_count_matrix **out, const rg_rule_features *f,
                                 const rg_dataset *data, rg_error *err)
{
    rg_label_options options = label_options(f);
    size_t n = rg_dataset_n_graphs(data);
    rg_rule_labeling *known = rg_alloc_zero(f->n_labels + 1, sizeof *known);
    rg_labels **labels = rg_alloc_zero(f->n_labels + 1, sizeof *labels);
    uint32_t *list = all_graphs(n);
    rg_status status = known && labels && list ? RG_OK : no_memory(err);
    for (size_t k = 0; !status && k < f->n_labels; k++) {
        status = rg_labeling_apply(&labels[k], f->labelings[k], data, &options, err);
        if (!status)
            known[k] = (rg_rule_labeling){f->names[k], labels[k], f->labelings[k]};
    }
    if (!status)
        status = count_all(out, f, data, known, list, n, err);
    for (size_t k = 0; labels && k < f->n_labels; k++)
        rg_labels_free(labels[k]);
    rg_free(known);
    rg_free(labels);
    rg_free(list);
    return status;
}

/* ---- the fit */

/* A rule without j is one of nodes. What is wrong is said of the pair rule that it may have been. */
static rg_status parse_rule(rg_rule **out, const char *text, const rg_rule_features *f,
                            rg_error *err)
{
    rg_rule *rule = NULL;
    rg_status status = rg_rule_parse(&rule, text, RG_RULE_BIAS, f->known, f->n_labels, NULL, err);
    if (status == RG_EUSAGE)
        status = rg_rule_parse(&rule, text, RG_RULE_PAIR, f->known, f->n_labels, NULL, err);
    if (!status && rg_rule_describe(rule)->on_shapes) {
        rg_rule_free(rule);
        return rg_fail(err, RG_EUSAGE, "found a rule on shapes, expected one on graphs: '%s'",
                       text);
    }
    if (!status)
        *out = rule;
    return status;
}

static rg_status open_features(rg_rule_features *f, const rg_dataset *data,
                               const rg_rule_features_options *o, rg_error *err)
{
    f->n_labels = o->n_labels;
    f->n_rules = o->n_rules;
    f->n_threads = o->n_threads;
    f->names = rg_alloc_zero(o->n_labels + 1, sizeof *f->names);
    f->known = rg_alloc_zero(o->n_labels + 1, sizeof *f->known);
    f->labelings = rg_alloc_zero(o->n_labels + 1, sizeof *f->labelings);
    f->rules = rg_alloc_zero(o->n_rules, sizeof *f->rules);
    f->keys = rg_alloc_zero(o->n_rules, sizeof *f->keys);
    f->column = rg_alloc_zero(o->n_rules, sizeof *f->column);
    if (!f->names || !f->known || !f->labelings || !f->rules || !f->keys || !f->column)
        return no_memory(err);
    const char *name = rg_dataset_name(data);
    f->node_columns = rg_dataset_n_columns(data, RG_NODE_LABEL);
    f->data = rg_copy_text(name, strlen(name));
    if (!f->data)
        return no_memory(err);
    if (o->cache) {
        f->cache = rg_copy_text(o->cache, strlen(o->cache));
        if (!f->cache)
            return no_memory(err);
    }
    for (size_t k = 0; k < o->n_labels; k++) {
        f->names[k] = rg_copy_text(o->label_names[k], strlen(o->label_names[k]));
        if (!f->names[k])
            return no_memory(err);
        f->known[k].name = f->names[k];
    }
    rg_status status = RG_OK;
    for (size_t r = 0; !status && r < o->n_rules; r++)
        status = parse_rule(&f->rules[r], o->rules[r], f, err);
    return status;
}

/* Every key a column of its own, for counting in how many graphs it is; then only those that stay. */
static rg_status number_columns(rg_rule_features *f, const uint32_t *in_graphs, uint32_t support,
                                rg_error *err)
{
    size_t n = 0, all = 0;
    for (size_t r = 0; r < f->n_rules; r++)
        for (size_t w = 0; w < rg_rule_keys_size(f->keys[r]); w++, all++) {
            bool stays = !in_graphs || in_graphs[all] >= support;
            f->column[r][w] = stays ? (uint32_t)n : RG_NO_WEIGHT;
            n += stays;
            if (n >= RG_NO_WEIGHT)
                return rg_fail(err, RG_EFAIL, "found more than %" PRIu32 " keys of rules",
                               RG_NO_WEIGHT - 1);
        }
    f->n = n;
    return RG_OK;
}

static rg_status compile(rg_rule_features *f, const rg_rule_input *input, rg_error *err)
{
    rg_rule_options how = rg_rule_options_default();
    how.n_threads = f->n_threads;
    for (size_t r = 0; r < f->n_rules; r++) {
        rg_status status = rg_rule_compile(&f->keys[r], NULL, NULL, f->rules[r], input, &how, err);
        if (status)
            return status;
        f->column[r] = rg_alloc(rg_rule_keys_size(f->keys[r]) + 1, sizeof **f->column);
        if (!f->column[r])
            return no_memory(err);
    }
    return RG_OK;
}

static rg_status drop_rare(rg_rule_features *f, const rg_dataset *data,
                           const rg_rule_labeling *known, const uint32_t *list, size_t n,
                           uint32_t support, rg_error *err)
{
    rg_count_matrix *m = NULL;
    rg_status status = count_all(&m, f, data, known, list, n, err);
    uint32_t *in_graphs = status ? NULL : rg_alloc_zero(f->n + 1, sizeof *in_graphs);
    if (!status && !in_graphs)
        status = no_memory(err);
    for (uint64_t k = 0; !status && k < m->row[m->n_rows]; k++)
        in_graphs[m->col[k]]++;
    if (!status)
        status = number_columns(f, in_graphs, support, err);
    rg_free(in_graphs);
    rg_count_matrix_free(m);
    return status;
}

static rg_status index_columns(rg_rule_features *f, rg_error *err)
{
    f->rule_of = rg_alloc(f->n + 1, sizeof *f->rule_of);
    f->key_of = rg_alloc(f->n + 1, sizeof *f->key_of);
    if (!f->rule_of || !f->key_of)
        return no_memory(err);
    for (size_t r = 0; r < f->n_rules; r++)
        for (size_t w = 0; w < rg_rule_keys_size(f->keys[r]); w++)
            if (f->column[r][w] != RG_NO_WEIGHT) {
                f->rule_of[f->column[r][w]] = (uint32_t)r;
                f->key_of[f->column[r][w]] = (uint32_t)w;
            }
    return RG_OK;
}

static rg_status fit(rg_rule_features *f, const rg_dataset *data, const rg_rule_features_options *o,
                     rg_error *err)
{
    rg_label_options options = label_options(f);
    size_t n = o->graphs ? o->n_graphs : rg_dataset_n_graphs(data);
    rg_labels **labels = rg_alloc_zero(f->n_labels + 1, sizeof *labels);
    rg_rule_labeling *known = rg_alloc_zero(f->n_labels + 1, sizeof *known);
    uint32_t *all = o->graphs ? NULL : all_graphs(n);
    const uint32_t *list = o->graphs ? o->graphs : all;
    rg_status status = labels && known && list ? RG_OK : no_memory(err);
    for (size_t k = 0; !status && k < f->n_labels; k++) {
        status = rg_labeling_fit(&f->labelings[k], &labels[k], o->label_specs[k], data, o->graphs,
                                 o->n_graphs, &options, err);
        if (!status)
            known[k] = (rg_rule_labeling){f->names[k], labels[k], f->labelings[k]};
    }
    rg_rule_input input = {.size = sizeof input,
                           .data = data,
                           .labels = known,
                           .n_labels = f->n_labels,
                           .graphs = list,
                           .n_graphs = n};
    if (!status)
        status = compile(f, &input, err);
    if (!status)
        status = number_columns(f, NULL, 0, err);
    if (!status && o->support > 1)
        status = drop_rare(f, data, known, list, n, o->support, err);
    if (!status)
        status = index_columns(f, err);
    for (size_t k = 0; labels && k < f->n_labels; k++) {
        rg_labels_free(labels[k]);
        f->known[k].labeling = f->labelings[k];
    }
    rg_free(labels);
    rg_free(known);
    rg_free(all);
    return status;
}

RG_DEFINE_INIT(rg_rule_features_options, RG_RULE_FEATURES_OPTIONS_INIT)

rg_status rg_rule_features_fit(rg_rule_features **out, const rg_dataset *data,
                               const rg_rule_features_options *options, rg_error *err)
{
    rg_rule_features_options o = RG_RULE_FEATURES_OPTIONS_INIT;
    rg_status status = RG_TAKE(rg_rule_features_options, &o, options, err);
    if (status)
        return status;
    if (o.n_rules == 0)
        return rg_fail(err, RG_EUSAGE,
                       "found no rule, expected at least one, such as 'share "
                       "node(i), node(j), dist(i,j) when dist(i,j) in 1..3'");
    for (size_t k = 0; o.graphs && k < o.n_graphs; k++)
        if (o.graphs[k] >= rg_dataset_n_graphs(data))
            return rg_fail(err, RG_EUSAGE, "found graph %" PRIu32 ", expected a number below %zu",
                           o.graphs[k], rg_dataset_n_graphs(data));
    rg_rule_features *f = rg_alloc_zero(1, sizeof *f);
    if (!f)
        return no_memory(err);
    status = open_features(f, data, &o, err);
    if (!status)
        status = fit(f, data, &o, err);
    if (status)
        rg_rule_features_free(f);
    else
        *out = f;
    return status;
}

/* ---- columns */

size_t rg_rule_features_size(const rg_rule_features *f)
{
    return f->n;
}

size_t rg_rule_features_rule(const rg_rule_features *f, size_t column)
{
    return f->rule_of[column];
}

const int64_t *rg_rule_features_key(const rg_rule_features *f, size_t column)
{
    const rg_rule_keys *keys = f->keys[f->rule_of[column]];
    return rg_rule_keys_data(keys) + f->key_of[column] * rg_rule_keys_width(keys);
}

size_t rg_rule_features_width(const rg_rule_features *f, size_t column)
{
    return rg_rule_keys_width(f->keys[f->rule_of[column]]);
}
