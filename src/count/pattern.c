/* pattern.c - patterns by shape, from files and from texts. */
#include "pattern.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "format/format.h"
#include "text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void join(rg_pattern *pattern, unsigned a, unsigned b, int64_t label)
{
    pattern->edge[a][b] = pattern->edge[b][a] = true;
    pattern->edge_label[a][b] = pattern->edge_label[b][a] = label;
    if (label != RG_ANY_LABEL)
        pattern->has_edge_labels = true;
}

static void clear(rg_pattern *pattern, unsigned n_nodes)
{
    memset(pattern, 0, sizeof *pattern);
    pattern->n_nodes = n_nodes;
    for (unsigned a = 0; a < RG_PATTERN_MAX; a++)
        pattern->node_label[a] = RG_ANY_LABEL;
}

/* ---- shapes */

static char *shape_text(const rg_pattern *pattern)
{
    rg_text text = {0};
    unsigned n = pattern->n_nodes;
    rg_pattern_form form = rg_pattern_form_of(pattern);
    if (form == RG_FORM_EDGE)
        rg_text_add(&text, "edge");
    else if (form == RG_FORM_CLIQUE && n == 3)
        rg_text_add(&text, "triangle");
    else
        rg_text_add(&text, "%s(%u)",
                    form == RG_FORM_CLIQUE  ? "clique"
                    : form == RG_FORM_CYCLE ? "cycle"
                    : form == RG_FORM_PATH  ? "path"
                                            : "star",
                    form == RG_FORM_STAR ? n - 1 : n);
    return rg_text_take(&text);
}

rg_status rg_pattern_shape(rg_pattern *out, const char *shape, uint32_t n, rg_error *err)
{
    static const struct {
        const char *name;
        uint32_t low, high; /* of n; both 0: n does not matter */
    } shapes[] = {{.name = "cycle", .low = 3, .high = RG_PATTERN_MAX},
                  {.name = "star", .low = 1, .high = RG_PATTERN_MAX - 1},
                  {.name = "path", .low = 2, .high = RG_PATTERN_MAX},
                  {.name = "clique", .low = 2, .high = RG_PATTERN_MAX},
                  {.name = "triangle"},
                  {.name = "edge"}};
    enum { CYCLE, STAR, PATH, CLIQUE, TRIANGLE, EDGE, N_SHAPES };
    unsigned which = 0;
    while (which < N_SHAPES && strcmp(shapes[which].name, shape) != 0)
        which++;
    if (which == N_SHAPES)
        return rg_fail(err, RG_EUSAGE,
                       "found '%s', expected cycle, star, path, clique, triangle or edge", shape);
    if (shapes[which].high && (n < shapes[which].low || n > shapes[which].high))
        return rg_fail(err, RG_EUSAGE, "found %s(%" PRIu32 "), expected a number %u..%u", shape, n,
                       (unsigned)shapes[which].low, (unsigned)shapes[which].high);
    rg_pattern pattern;
    n = which == TRIANGLE ? 3 : which == EDGE ? 2 : which == STAR ? n + 1 : n;
    clear(&pattern, n);
    for (unsigned b = 1; b < n; b++)
        for (unsigned a = 0; a < b; a++)
            if (which == STAR ? a == 0 : which == PATH || which == CYCLE ? a == b - 1 : true)
                join(&pattern, a, b, RG_ANY_LABEL);
    if (which == CYCLE)
        join(&pattern, 0, n - 1, RG_ANY_LABEL);
    rg_pattern_plan_make(&pattern);
    pattern.text = shape_text(&pattern);
    if (!pattern.text)
        return rg_fail_memory(err, "a pattern");
    *out = pattern;
    return RG_OK;
}

/* ---- lines */

/* One line of a file, or what stands between two ';' in a spec. */
typedef struct pattern_row {
    const char *file; /* NULL: a spec */
    size_t line;      /* of the file */
    size_t column;    /* of text[0], from 1 */
    const char *text;
    size_t n, at;
    bool last; /* of the spec's text */
    rg_error *err;
} pattern_row;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(pattern_row *r)
{
    while (r->at < r->n && is_blank(r->text[r->at]))
        r->at++;
}

static size_t word_length(const pattern_row *r)
{
    size_t n = 0;
    while (r->at + n < r->n && !is_blank(r->text[r->at + n]))
        n++;
    return n;
}

/* "FILE:LINE:COLUMN: " or "labels: column COLUMN: ", then what was found. */
static rg_status complain_of(const pattern_row *r, const char *found, const char *expected)
{
    if (r->file)
        return rg_fail(r->err, RG_EDATA, "%s:%zu:%zu: found %s, expected %s", r->file, r->line,
                       r->column + r->at, found, expected);
    return rg_fail(r->err, RG_EUSAGE, "labels: column %zu: found %s, expected %s",
                   r->column + r->at, found, expected);
}

static rg_status complain(const pattern_row *r, const char *expected)
{
    enum { SHOWN = 40 };
    char found[SHOWN + 6];
    size_t n = word_length(r), shown = n < SHOWN ? n : SHOWN;
    if (n == 0)
        return complain_of(r,
                           r->file   ? "the end of the line"
                           : r->last ? "the end"
                                     : "';'",
                           expected);
    found[0] = '\'';
    for (size_t k = 0; k < shown; k++)
        found[1 + k] = r->text[r->at + k] ? r->text[r->at + k] : '?';
    strcpy(found + 1 + shown, n > SHOWN ? "...'" : "'");
    return complain_of(r, found, expected);
}

static rg_status read_number(pattern_row *r, int64_t low, int64_t high, const char *expected,
                             int64_t *out)
{
    skip_blanks(r);
    const char *p = r->text + r->at, *end = p + word_length(r);
    int64_t value;
    if (p == end || rg_number_int(p, end, &value) != end || value < low || value > high)
        return complain(r, expected);
    r->at = (size_t)(end - r->text);
    *out = value;
    return RG_OK;
}

static rg_status read_node(pattern_row *r, rg_pattern *pattern, unsigned *out)
{
    int64_t value;
    rg_status status = read_number(r, 0, RG_PATTERN_MAX - 1, "a node 0..15", &value);
    if (status)
        return status;
    *out = (unsigned)value;
    if (*out >= pattern->n_nodes)
        pattern->n_nodes = *out + 1;
    return RG_OK;
}

/* A label, if the line goes on; then it must end. */
static rg_status read_label(pattern_row *r, int64_t *out)
{
    *out = RG_ANY_LABEL;
    skip_blanks(r);
    if (r->at == r->n)
        return RG_OK;
    rg_status status =
        read_number(r, RG_ANY_LABEL + 1, INT64_MAX, "a label, which is a whole number", out);
    if (status)
        return status;
    skip_blanks(r);
    return r->at == r->n ? RG_OK : complain(r, r->file ? "the end of the line" : "';' or the end");
}

/* What follows "node"; the line began at `start`. */
static rg_status read_node_row(pattern_row *r, size_t start, rg_pattern *pattern,
                               unsigned *declared)
{
    unsigned a;
    int64_t label;
    rg_status status = read_node(r, pattern, &a);
    if (status || (status = read_label(r, &label)))
        return status;
    r->at = start;
    if (*declared >> a & 1)
        return complain_of(r, "a node's second line", "one line per node");
    *declared |= 1u << a;
    pattern->node_label[a] = label;
    pattern->has_node_labels = pattern->has_node_labels || label != RG_ANY_LABEL;
    return RG_OK;
}

static rg_status read_edge_row(pattern_row *r, size_t start, rg_pattern *pattern)
{
    unsigned a, b;
    int64_t label;
    rg_status status = read_node(r, pattern, &a);
    if (status || (status = read_node(r, pattern, &b)) || (status = read_label(r, &label)))
        return status;
    r->at = start;
    if (a == b)
        return complain_of(r, "an edge from a node to itself", "two different nodes");
    if (pattern->edge[a][b])
        return complain_of(r, "an edge for the second time", "each edge once");
    join(pattern, a, b, label);
    return RG_OK;
}

/* declared: bits, the nodes that had a line of their own. */
static rg_status read_row(pattern_row *r, rg_pattern *pattern, unsigned *declared)
{
    const char *comment = memchr(r->text, '#', r->n);
    if (comment)
        r->n = (size_t)(comment - r->text);
    skip_blanks(r);
    if (r->at >= r->n)
        return RG_OK;
    size_t start = r->at;
    if (word_length(r) == 4 && memcmp(r->text + r->at, "node", 4) == 0) {
        r->at += 4;
        return read_node_row(r, start, pattern, declared);
    }
    int64_t number;
    if (read_number(r, INT64_MIN, INT64_MAX, "a number", &number))
        return complain(r, "an edge 'A B', an edge 'A B LABEL' or 'node A LABEL'");
    r->at = start;
    return read_edge_row(r, start, pattern);
}

/* ---- the whole */

/* `where` stands in front of the message: "FILE" or "labels: column 9". */
static rg_status check_whole(const rg_pattern *pattern, const char *where, rg_status kind,
                             rg_error *err)
{
    if (pattern->n_nodes == 0)
        return rg_fail(err, kind, "%s: found no edge and no node, expected a graph of 1..%d nodes",
                       where, RG_PATTERN_MAX);
    unsigned reached = 1, before = 0;
    while (reached != before) {
        before = reached;
        for (unsigned a = 0; a < pattern->n_nodes; a++)
            for (unsigned b = 0; b < pattern->n_nodes; b++)
                if ((before >> a & 1) && pattern->edge[a][b])
                    reached |= 1u << b;
    }
    for (unsigned a = 0; a < pattern->n_nodes; a++)
        if (!(reached >> a & 1))
            return rg_fail(err, kind,
                           "%s: found no way from node 0 to node %u, expected a connected graph",
                           where, a);
    return RG_OK;
}

/* graph("0 1; 0 2 7; node 0 6") */
static char *graph_text(const rg_pattern *pattern)
{
    rg_text text = {0};
    const char *gap = "";
    rg_text_add(&text, "graph(\"");
    for (unsigned a = 0; a < pattern->n_nodes; a++)
        for (unsigned b = a + 1; b < pattern->n_nodes; b++) {
            if (!pattern->edge[a][b])
                continue;
            rg_text_add(&text, "%s%u %u", gap, a, b);
            if (pattern->edge_label[a][b] != RG_ANY_LABEL)
                rg_text_add(&text, " %" PRId64, pattern->edge_label[a][b]);
            gap = "; ";
        }
    for (unsigned a = 0; a < pattern->n_nodes; a++)
        if (pattern->node_label[a] != RG_ANY_LABEL) {
            rg_text_add(&text, "%snode %u %" PRId64, gap, a, pattern->node_label[a]);
            gap = "; ";
        }
    if (!*gap)
        rg_text_add(&text, "node 0");
    rg_text_add(&text, "\")");
    return rg_text_take(&text);
}

static rg_status finish(rg_pattern *out, rg_pattern *pattern, const char *where, rg_status kind,
                        rg_error *err)
{
    rg_status status = check_whole(pattern, where, kind, err);
    if (status)
        return status;
    rg_pattern_plan_make(pattern);
    pattern->text = graph_text(pattern);
    if (!pattern->text)
        return rg_fail_memory(err, "a pattern");
    *out = *pattern;
    return RG_OK;
}

rg_status rg_pattern_parse(rg_pattern *out, const char *text, size_t n, size_t column,
                           rg_error *err)
{
    rg_pattern pattern;
    unsigned declared = 0;
    clear(&pattern, 0);
    for (size_t start = 0; start <= n;) {
        const char *end = memchr(text + start, ';', n - start);
        size_t length = end ? (size_t)(end - text) - start : n - start;
        pattern_row r = {
            .column = column + start, .text = text + start, .n = length, .last = !end, .err = err};
        rg_status status = read_row(&r, &pattern, &declared);
        if (status)
            return status;
        start += length + 1;
    }
    char where[48];
    snprintf(where, sizeof where, "labels: column %zu", column);
    return finish(out, &pattern, where, RG_EUSAGE, err);
}

/* graph6 goes through the reader of data sets. `text` is line 1 of the file. */
static rg_status read_graph6(rg_pattern *pattern, const char *path, const char *text, size_t n,
                             rg_error *err)
{
    const rg_format_kind *format = &rg_format_graph6;
    rg_reader *in = NULL;
    void *state = NULL;
    rg_raw raw = {0};
    rg_status status = rg_reader_memory(&in, path, text, n, err);
    if (!status)
        status = rg_format_open(&state, format, err);
    if (!status)
        status = format->take(state, path, in, err);
    if (!status)
        status = format->finish(state, &raw, err);
    if (!status && raw.n_nodes > RG_PATTERN_MAX)
        status = rg_fail(err, RG_EDATA, "%s:1: found a graph of %zu nodes, expected 1..%d", path,
                         raw.n_nodes, RG_PATTERN_MAX);
    if (!status)
        pattern->n_nodes = (uint32_t)raw.n_nodes;
    for (size_t k = 0; !status && k < raw.n_pairs; k++)
        join(pattern, raw.pairs[k][0], raw.pairs[k][1], RG_ANY_LABEL);
    rg_raw_free(&raw);
    format->close(state);
    rg_reader_close(in);
    return status;
}

/* One word of bytes that graph6 has and numbers have not. Lines of the other kind have several. */
static bool is_graph6(const char *text, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (is_blank(text[k]))
            return false;
    return n && (unsigned char)text[0] > '9';
}

static rg_status read_lines(rg_pattern *pattern, rg_reader *in, rg_error *err)
{
    unsigned declared = 0;
    bool more, graph6 = false;
    rg_status status;
    while (!(status = rg_reader_next(in, &more, err)) && more) {
        pattern_row r = {.file = rg_reader_name(in), .line = rg_reader_line_number(in), .err = err};
        r.text = rg_reader_text(in, &r.n);
        r.column = 1;
        skip_blanks(&r);
        if (r.line == 1 && is_graph6(r.text, r.n)) {
            graph6 = true;
            status = read_graph6(pattern, r.file, r.text, r.n, err);
        } else if (graph6 && r.at < r.n) {
            status = complain(&r, "the end of the file after one graph");
        } else {
            status = read_row(&r, pattern, &declared);
        }
        if (status)
            return status;
    }
    return status;
}

rg_status rg_pattern_take(rg_pattern *out, rg_reader *in, rg_error *err)
{
    rg_pattern pattern;
    clear(&pattern, 0);
    rg_status status = read_lines(&pattern, in, err);
    return status ? status : finish(out, &pattern, rg_reader_name(in), RG_EDATA, err);
}

rg_status rg_pattern_read(rg_pattern *out, const char *path, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_open(&in, path, err);
    if (!status)
        status = rg_pattern_take(out, in, err);
    rg_reader_close(in);
    return status;
}
