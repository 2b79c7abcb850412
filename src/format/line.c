/* line.c - graphs in lines, each graph6 or a JSON object.
 *
 *   {"nodes": 3, "edges": [[0, 1], [1, 2]],        needed; every edge once or in both directions
 *    "node_labels": [6, 6, 8],                     one per node, or a list of as many for each node
 *    "edge_labels": [1, 2],                        the same for edges, in the order of "edges"
 *    "node_attributes": [[0.5], [0.1], [2]],       real numbers
 *    "edge_attributes": [[1.4], [1.2]]}
 *
 * A syntax error has its column; of an error in the content the tree no longer knows it, so it has
 * a path. */
#include "line.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/json.h"

#include <stdio.h>
#include <string.h>

static const char *const keys[] = {"nodes",       "edges",           "node_labels",
                                   "edge_labels", "node_attributes", "edge_attributes"};

enum { WHERE = 48 };

static rg_status complain(const rg_line *line, const char *where, const json_t *found,
                          const char *expected, rg_error *err)
{
    char text[RG_JSON_WORDS];
    return rg_fail(err, RG_EDATA, "%s:%zu: %s: found %s, expected %s", line->name, line->number,
                   where, rg_json_describe(text, found), expected);
}

static rg_status check_keys(const rg_line *line, json_t *object, rg_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t k = 0;
        while (k < sizeof keys / sizeof *keys && strcmp(key, keys[k]) != 0)
            k++;
        if (k == sizeof keys / sizeof *keys)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found the key \"%.40s\", expected nodes, edges, node_labels, "
                           "edge_labels, node_attributes or edge_attributes",
                           line->name, line->number, key);
    }
    return RG_OK;
}

static rg_status add_nodes(rg_raw *raw, const rg_line *line, const json_t *nodes, rg_error *err)
{
    json_int_t n = json_integer_value(nodes);
    if (!json_is_integer(nodes) || n < 0 || n > RG_LINE_NODES_MAX)
        return complain(line, "nodes", nodes, "a whole number 0 .. 16777216", err);
    if (raw->n_nodes + (size_t)n >= UINT32_MAX || raw->n_graphs + 1 >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "%s:%zu: found 2^32 or more nodes or graphs, expected less",
                       line->name, line->number);
    for (json_int_t k = 0; k < n; k++)
        if (!rg_raw_add_node(raw, (uint32_t)raw->n_graphs))
            return rg_fail_memory(err, line->name);
    raw->n_graphs++;
    return RG_OK;
}

/* first, n: nodes of the graph. */
static rg_status add_edges(rg_raw *raw, const rg_line *line, const json_t *edges, uint32_t first,
                           uint32_t n, rg_error *err)
{
    char where[WHERE], expected[WHERE];
    if (!json_is_array(edges))
        return complain(line, "edges", edges, "a list of pairs of nodes", err);
    for (size_t k = 0; k < json_array_size(edges); k++) {
        const json_t *pair = json_array_get(edges, k);
        uint32_t ends[2];
        if (!json_is_array(pair) || json_array_size(pair) != 2) {
            snprintf(where, sizeof where, "edges[%zu]", k);
            return complain(line, where, pair, "a list of two nodes", err);
        }
        for (size_t e = 0; e < 2; e++) {
            const json_t *end = json_array_get(pair, e);
            json_int_t node = json_integer_value(end);
            if (!json_is_integer(end) || node < 0 || node >= n) {
                snprintf(where, sizeof where, "edges[%zu][%zu]", k, e);
                snprintf(expected, sizeof expected, "a node, a number below %lu", (unsigned long)n);
                return complain(line, where, end, expected, err);
            }
            ends[e] = first + (uint32_t)node;
        }
        if (!rg_raw_add_pair(raw, ends[0], ends[1]))
            return rg_fail_memory(err, line->name);
    }
    return RG_OK;
}

/* Numbers in a row of a table: rows of one number may stand without brackets. */
static size_t row_size(const json_t *row)
{
    return json_is_array(row) ? json_array_size(row) : 1;
}

static const json_t *row_item(const json_t *row, size_t k)
{
    return json_is_array(row) ? json_array_get(row, k) : row;
}

/* Checks a table: n_rows rows, all as long as the first. *n_columns: 0 without rows. */
static rg_status check_table(size_t *n_columns, const rg_line *line, const char *key,
                             const json_t *table, size_t n_rows, rg_error *err)
{
    if (!json_is_array(table))
        return complain(line, key, table, "a list", err);
    if (json_array_size(table) != n_rows)
        return rg_fail(err, RG_EDATA, "%s:%zu: %s: found %zu, expected %zu", line->name,
                       line->number, key, json_array_size(table), n_rows);
    *n_columns = n_rows ? row_size(json_array_get(table, 0)) : 0;
    for (size_t k = 0; k < n_rows; k++) {
        size_t size = row_size(json_array_get(table, k));
        if (size == 0 || size != *n_columns)
            return rg_fail(err, RG_EDATA, "%s:%zu: %s[%zu]: found %zu numbers, expected %s",
                           line->name, line->number, key, k, size,
                           size ? "as many as before" : "at least one");
    }
    return RG_OK;
}

/* Tables go on from line to line: before this graph there were `before` nodes or edges, for n_have
 * of which there are rows of have_columns numbers; of n_rows more there are n_columns each. */
static rg_status check_columns(const rg_line *line, const char *key, size_t before, size_t n_have,
                               size_t have_columns, size_t n_rows, size_t n_columns, rg_error *err)
{
    size_t expected = n_have ? have_columns : 0;
    if (before == 0 || n_rows == 0 || n_columns == expected)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "%s:%zu: %s: found %zu columns, expected %zu as in lines before",
                   line->name, line->number, key, n_columns, expected);
}

static rg_status add_labels(rg_int_rows *rows, size_t before, const rg_line *line, const char *key,
                            const json_t *table, size_t n_rows, rg_error *err)
{
    char where[WHERE];
    size_t n_columns = 0;
    rg_status status = table ? check_table(&n_columns, line, key, table, n_rows, err) : RG_OK;
    if (!status)
        status =
            check_columns(line, key, before, rows->n_rows, rows->n_columns, n_rows, n_columns, err);
    for (size_t k = 0; k < n_rows && n_columns && !status; k++) {
        int64_t *out = rg_int_rows_add(rows, n_columns);
        if (!out)
            return rg_fail_memory(err, line->name);
        for (size_t c = 0; c < n_columns && !status; c++) {
            const json_t *item = row_item(json_array_get(table, k), c);
            out[c] = json_integer_value(item);
            snprintf(where, sizeof where, "%s[%zu]", key, k);
            if (!json_is_integer(item) || out[c] == RG_MISSING)
                status = complain(line, where, item, "a whole number", err);
        }
    }
    return status;
}

static rg_status add_attributes(rg_real_rows *rows, size_t before, const rg_line *line,
                                const char *key, const json_t *table, size_t n_rows, rg_error *err)
{
    char where[WHERE];
    size_t n_columns = 0;
    rg_status status = table ? check_table(&n_columns, line, key, table, n_rows, err) : RG_OK;
    if (!status)
        status =
            check_columns(line, key, before, rows->n_rows, rows->n_columns, n_rows, n_columns, err);
    for (size_t k = 0; k < n_rows && n_columns && !status; k++) {
        double *out = rg_real_rows_add(rows, n_columns);
        if (!out)
            return rg_fail_memory(err, line->name);
        for (size_t c = 0; c < n_columns && !status; c++) {
            const json_t *item = row_item(json_array_get(table, k), c);
            out[c] = json_number_value(item);
            snprintf(where, sizeof where, "%s[%zu]", key, k);
            if (!json_is_number(item))
                status = complain(line, where, item, "a number", err);
        }
    }
    return status;
}

static rg_status add_object(rg_raw *raw, const rg_line *line, json_t *object, rg_error *err)
{
    uint32_t first = (uint32_t)raw->n_nodes;
    size_t first_pair = raw->n_pairs;
    rg_status status = check_keys(line, object, err);
    if (!status)
        status = add_nodes(raw, line, json_object_get(object, "nodes"), err);
    if (status)
        return status;
    size_t n = raw->n_nodes - first;
    status = add_edges(raw, line, json_object_get(object, "edges"), first, (uint32_t)n, err);
    if (status)
        return status;
    size_t m = raw->n_pairs - first_pair;
    status = add_labels(&raw->node_labels, first, line, keys[2], json_object_get(object, keys[2]),
                        n, err);
    if (!status)
        status = add_labels(&raw->edge_labels, first_pair, line, keys[3],
                            json_object_get(object, keys[3]), m, err);
    if (!status)
        status = add_attributes(&raw->node_attributes, first, line, keys[4],
                                json_object_get(object, keys[4]), n, err);
    if (!status)
        status = add_attributes(&raw->edge_attributes, first_pair, line, keys[5],
                                json_object_get(object, keys[5]), m, err);
    return status;
}

rg_status rg_line_json(rg_raw *raw, const rg_line *line, rg_error *err)
{
    json_error_t error = {.text = ""};
    if (line->n > RG_LINE_JSON_MAX)
        return rg_fail(err, RG_EDATA, "%s:%zu: found a line of %zu bytes, expected at most %zu",
                       line->name, line->number, line->n, RG_LINE_JSON_MAX);
    json_t *tree = json_loadb(line->text, line->n, JSON_REJECT_DUPLICATES, &error);
    if (!tree && rg_json_starved(&error))
        return rg_fail_memory(err, line->name);
    if (!tree)
        return rg_fail(err, RG_EDATA, "%s:%zu:%d: %s", line->name, line->number, error.column,
                       error.text);
    rg_status status = json_is_object(tree)
                           ? add_object(raw, line, tree, err)
                           : rg_fail(err, RG_EDATA, "%s:%zu: found a list, expected an object",
                                     line->name, line->number);
    json_decref(tree);
    return status;
}

/* graph6 may begin with '{' and '[' too, then graphs of 60 and 28 nodes: but no such line is as
 * short as this, and all its bytes are from 63 on, which quotes, blanks and digits are not. */
static bool looks_like_json(const rg_line *line)
{
    return (*line->text == '{' || *line->text == '[') &&
           (line->n < 3 || (unsigned char)line->text[1] < 63);
}

/* graph6 has no labels, and must not come among graphs that have some. */
static rg_status add_graph6(rg_raw *raw, const rg_line *line, rg_error *err)
{
    size_t n_nodes = raw->n_nodes, n_pairs = raw->n_pairs;
    rg_status status = rg_line_graph6(raw, line, 0, err);
    const struct {
        size_t n_rows, n_columns, before, more;
    } tables[] = {
        {raw->node_labels.n_rows, raw->node_labels.n_columns, n_nodes, raw->n_nodes - n_nodes},
        {raw->edge_labels.n_rows, raw->edge_labels.n_columns, n_pairs, raw->n_pairs - n_pairs},
        {raw->node_attributes.n_rows, raw->node_attributes.n_columns, n_nodes,
         raw->n_nodes - n_nodes},
        {raw->edge_attributes.n_rows, raw->edge_attributes.n_columns, n_pairs,
         raw->n_pairs - n_pairs},
    };
    for (size_t k = 0; k < sizeof tables / sizeof *tables && !status; k++)
        status = check_columns(line, keys[2 + k], tables[k].before, tables[k].n_rows,
                               tables[k].n_columns, tables[k].more, 0, err);
    return status;
}

/* Without the blanks around it. */
static rg_line trimmed(rg_line line)
{
    const char *end = line.text + line.n;
    while (line.text < end && (*line.text == ' ' || *line.text == '\t'))
        line.text++;
    while (line.text < end && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    line.n = (size_t)(end - line.text);
    return line;
}

rg_status rg_dataset_from_lines(rg_dataset **out, const char *name, size_t number, const char *text,
                                size_t n, rg_error *err)
{
    const char *end = text + n;
    rg_raw raw = {0};
    rg_status status = RG_OK;
    for (const char *p = text, *next; p < end && !status; p = next, number++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        next = newline ? newline + 1 : end;
        rg_line line = trimmed((rg_line){.name = name,
                                         .number = number,
                                         .text = p,
                                         .n = (size_t)((newline ? newline : end) - p)});
        if (line.n > 0)
            status = looks_like_json(&line) ? rg_line_json(&raw, &line, err)
                                            : add_graph6(&raw, &line, err);
    }
    if (!status && raw.n_graphs == 0)
        status = rg_fail(err, RG_EDATA, "%s: found nothing, expected a graph", name);
    if (!status && !(raw.name = rg_copy_text(name, strlen(name))))
        status = rg_fail_memory(err, name);
    if (!status)
        status = rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    return status;
}
