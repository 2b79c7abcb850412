/* graph6.c - one graph per line, as nauty writes it.
 *
 *   line    [>>graph6<<] size bits        the header on the first line only
 *   size    n + 63                        n < 63
 *           126, 3 bytes of 6 bits        n < 2^18
 *           126, 126, 6 bytes of 6 bits   n < 2^36
 *   bits    x(0,1) x(0,2) x(1,2) x(0,3) x(1,3) x(2,3) ...: is {i,j} an edge? Six to a byte, the
 *           highest first, filled up with zeros; 63 is added to each byte
 *
 * A graph of n nodes needs n(n-1)/12 bytes, which are held against the line before anything is
 * allocated, so memory depends on the size of the file only. */
#include "base/alloc.h"
#include "base/error.h"
#include "format.h"
#include "line.h"
#include "mixed.h"

#include <inttypes.h>
#include <string.h>

typedef struct graph6 {
    char *file; /* for messages; NULL: not taken */
    rg_raw raw;
} graph6;

static bool graph6_knows(const char *file, size_t *prefix)
{
    static const char *const ends[] = {".g6", ".graph6"};
    size_t n = strlen(file);
    for (size_t k = 0; k < 2; k++) {
        size_t m = strlen(ends[k]);
        if (n > m && strcmp(file + n - m, ends[k]) == 0) {
            *prefix = n - m;
            return true;
        }
    }
    return false;
}

static void graph6_close(void *state)
{
    graph6 *g = state;
    if (!g)
        return;
    rg_free(g->file);
    rg_raw_free(&g->raw);
    rg_free(g);
}

static rg_status fail_at(const rg_line *line, size_t at, const char *found, const char *expected,
                         rg_error *err)
{
    return rg_fail(err, RG_EDATA, "%s:%zu:%zu: found %s, expected %s", line->name, line->number,
                   at + 1, found, expected);
}

/* Kin of graph6 that look alike; each says what it is. */
static rg_status check_kind(const rg_line *line, size_t at, rg_error *err)
{
    char first = at < line->n ? line->text[at] : '?';
    if (first == ':')
        return fail_at(line, at, "a sparse6 line", "graph6 (nauty's copyg -g converts)", err);
    if (first == ';')
        return fail_at(line, at, "a line of incremental sparse6", "graph6", err);
    if (first == '&')
        return fail_at(line, at, "a digraph6 line", "graph6: graphs are undirected", err);
    if (line->n >= 2 && at == 0 && memcmp(line->text, ">>", 2) == 0)
        return fail_at(line, at, "a header", "'>>graph6<<' at the start of line 1, or none", err);
    return RG_OK;
}

static rg_status check_bytes(const rg_line *line, size_t at, rg_error *err)
{
    for (size_t k = at; k < line->n; k++) {
        unsigned char byte = (unsigned char)line->text[k];
        if (byte < 63 || byte > 126)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu:%zu: found byte %u, expected a byte from 63 to 126", line->name,
                           line->number, k + 1, byte);
    }
    return RG_OK;
}

/* Moves *at behind the size. */
static rg_status read_size(const rg_line *line, size_t *at, uint64_t *size, rg_error *err)
{
    size_t n_bytes = 1;
    const char *p = line->text + *at;
    if (line->n - *at > 0 && p[0] == 126) {
        n_bytes = 3;
        ++*at;
        if (line->n - *at > 0 && p[1] == 126) {
            n_bytes = 6;
            ++*at;
        }
    }
    if (line->n - *at < n_bytes)
        return fail_at(line, line->n, "the end of the line", "the number of nodes", err);
    *size = 0;
    for (size_t k = 0; k < n_bytes; k++)
        *size = *size << 6 | (uint64_t)(line->text[(*at)++] - 63);
    return RG_OK;
}

/* The line must be exactly as long as the graph needs. */
static rg_status check_length(const rg_line *line, size_t at, uint64_t size, rg_error *err)
{
    size_t left = line->n - at;
    if (size >= UINT32_MAX)
        return rg_fail(err, RG_EDATA,
                       "%s:%zu: found a graph of %" PRIu64 " nodes, expected less than 2^32",
                       line->name, line->number, size);
    uint64_t n_bits = size ? size * (size - 1) / 2 : 0, n_bytes = (n_bits + 5) / 6;
    if (left != n_bytes)
        return rg_fail(err, RG_EDATA,
                       "%s:%zu: found %zu bytes for the edges of %" PRIu64
                       " nodes, expected %" PRIu64,
                       line->name, line->number, left, size, n_bytes);
    unsigned unused = (unsigned)(n_bytes * 6 - n_bits);
    if (n_bytes && ((unsigned)(line->text[line->n - 1] - 63) & ((1u << unused) - 1)))
        return fail_at(line, line->n - 1, "bits behind the last pair of nodes", "zeros", err);
    return RG_OK;
}

/* Pairs come as (j, i) with i < j: so they are in ascending order. */
static rg_status add_graph(rg_raw *raw, const rg_line *line, size_t at, uint32_t size,
                           rg_error *err)
{
    if (raw->n_nodes + size >= UINT32_MAX || raw->n_graphs + 1 >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "%s:%zu: found 2^32 or more nodes or graphs, expected less",
                       line->name, line->number);
    uint32_t first = (uint32_t)raw->n_nodes, i = 0, j = 1;
    for (uint32_t k = 0; k < size; k++)
        if (!rg_raw_add_node(raw, (uint32_t)raw->n_graphs))
            return rg_fail_memory(err, line->name);
    raw->n_graphs++;
    for (size_t k = at; k < line->n; k++) {
        unsigned byte = (unsigned)(line->text[k] - 63);
        for (unsigned bit = 32; bit > 0; bit >>= 1) {
            if ((byte & bit) && !rg_raw_add_pair(raw, first + j, first + i))
                return rg_fail_memory(err, line->name);
            if (++i == j) {
                i = 0;
                j++;
            }
        }
    }
    return RG_OK;
}

rg_status rg_line_graph6(rg_raw *raw, const rg_line *line, size_t at, rg_error *err)
{
    uint64_t size = 0;
    rg_status status = check_kind(line, at, err);
    if (!status)
        status = check_bytes(line, at, err);
    if (!status)
        status = read_size(line, &at, &size, err);
    if (!status)
        status = check_length(line, at, size, err);
    if (!status)
        status = add_graph(raw, line, at, (uint32_t)size, err);
    return status;
}

static rg_status graph6_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    static const char header[] = ">>graph6<<";
    static const size_t header_size = sizeof header - 1;
    (void)file;
    graph6 *g = state;
    rg_status status = rg_row_file(&g->file, in, err);
    bool more = false;
    while (!status && !(status = rg_row_next(in, &more, "a graph", err)) && more) {
        rg_line line = {.name = rg_reader_name(in), .number = rg_reader_line_number(in)};
        size_t at = 0;
        line.text = rg_reader_text(in, &line.n);
        if (line.number == 1 && line.n >= header_size &&
            memcmp(line.text, header, header_size) == 0)
            at = header_size;
        if (at > 0 && at == line.n)
            continue; /* the header on a line of its own */
        status = rg_line_graph6(&g->raw, &line, at, err);
    }
    return status;
}

static rg_status graph6_finish(void *state, rg_raw *raw, rg_error *err)
{
    graph6 *g = state;
    (void)err;
    *raw = g->raw;
    g->raw = (rg_raw){0};
    raw->pair_file = g->file;
    return RG_OK;
}

const rg_format_kind rg_format_graph6 = {
    .name = "graph6",
    .files = "a .g6 file",
    .size = sizeof(graph6),
    .knows = graph6_knows,
    .take = graph6_take,
    .finish = graph6_finish,
    .close = graph6_close,
};
