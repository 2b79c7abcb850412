/* arcs.c - see arcs.h.
 *
 * Lists that are sorted stay as they are; those that come graph by graph are sorted in place. For
 * the rest two counting sorts, by column and then by row, leave the arcs in (row, column) order and
 * equal arcs in the order they were listed. */
#include "arcs.h"

#include "base/alloc.h"
#include "base/error.h"
#include "pairs.h"

#include <string.h>

void rg_arcs_free(rg_arcs *arcs)
{
    rg_free(arcs->row);
    rg_free(arcs->col);
    rg_free(arcs->source);
    memset(arcs, 0, sizeof *arcs);
}

/* Turns counts at [1 .. n] into starts at [0 .. n]; afterwards start[k] moves on as items are put.
 */
static void counts_to_starts(uint64_t *start, size_t n)
{
    for (size_t k = 0; k < n; k++)
        start[k + 1] += start[k];
}

/* After every item was put, start[k] is where k+1 began: shift back. */
static void restore_starts(uint64_t *start, size_t n)
{
    memmove(start + 1, start, n * sizeof *start);
    start[0] = 0;
}

/* Counts what can be told from the list alone. True if it is in (row, column) order. */
static bool look_at_pairs(rg_raw *raw)
{
    uint32_t before[2] = {0, 0};
    uint64_t n_unsorted = 0, n_loops = 0;
    for (size_t k = 0; k < raw->n_pairs; k++) {
        uint32_t a = raw->pairs[k][0], b = raw->pairs[k][1];
        n_unsorted += a < before[0] || (a == before[0] && b < before[1]);
        n_loops += a == b;
        before[0] = a;
        before[1] = b;
    }
    raw->quirks.listed_edges += raw->n_pairs;
    raw->quirks.unsorted_edges += n_unsorted;
    raw->quirks.self_loops += n_loops;
    return n_unsorted == 0;
}

/* The block of the pairs, cut down to n numbers, as room for columns. New memory would have to be
 * cleared by the system first, which takes longer than all the sorting. NULL if memory is short. */
static uint32_t *reuse_pairs(rg_raw *raw, size_t n)
{
    uint32_t *room = rg_realloc(raw->pairs, n, sizeof *room);
    if (!room)
        return NULL;
    raw->pairs = NULL;
    raw->n_pairs = raw->pair_capacity = 0;
    return room;
}

/* Pairs in order: the columns move to the front of the block that the pairs lie in. Number k is
 * written after pair k was read. order: place of each pair in the list; NULL: as they are. */
static bool take_sorted(rg_arcs *out, rg_raw *raw, bool with_source, uint32_t *order)
{
    size_t n = raw->n_nodes, kept = 0;
    uint32_t *col = raw->pairs ? raw->pairs[0] : NULL;
    out->row = rg_alloc_zero(n + 2, sizeof *out->row);
    out->source = order;
    if (with_source && !order)
        out->source = rg_alloc(raw->n_pairs, sizeof *out->source);
    if (!out->row || (with_source && !out->source))
        return false;
    for (size_t k = 0; k < raw->n_pairs; k++) {
        uint32_t a = raw->pairs[k][0], b = raw->pairs[k][1];
        if (a == b)
            continue;
        out->row[a + 1]++;
        if (with_source)
            out->source[kept] = order ? order[k] : (uint32_t)k;
        col[kept++] = b;
    }
    counts_to_starts(out->row, n);
    out->n = kept;
    out->col = reuse_pairs(raw, kept);
    return out->col != NULL;
}

/* By column: for each b the a's of pairs (a, b), as listed; self-loops are left out. */
static bool sort_by_column(rg_arcs *out, const rg_raw *raw, bool with_source)
{
    size_t n = raw->n_nodes;
    out->row = rg_alloc_zero(n + 2, sizeof *out->row);
    out->col = rg_alloc(raw->n_pairs, sizeof *out->col);
    if (with_source)
        out->source = rg_alloc(raw->n_pairs, sizeof *out->source);
    if (!out->row || !out->col || (with_source && !out->source))
        return false;
    for (size_t k = 0; k < raw->n_pairs; k++)
        out->row[raw->pairs[k][1] + 1] += raw->pairs[k][0] != raw->pairs[k][1];
    counts_to_starts(out->row, n);
    for (size_t k = 0; k < raw->n_pairs; k++) {
        uint32_t a = raw->pairs[k][0], b = raw->pairs[k][1];
        if (a == b)
            continue;
        uint64_t at = out->row[b]++;
        out->col[at] = a;
        if (with_source)
            out->source[at] = (uint32_t)k;
    }
    restore_starts(out->row, n);
    out->n = out->row[n];
    return true;
}

/* The transpose: rows of `out` hold the columns of `in` in ascending order. The pairs are done with
 * and give their room. */
static bool transpose(rg_arcs *out, const rg_arcs *in, rg_raw *raw)
{
    size_t n = raw->n_nodes;
    out->n = in->n;
    out->row = rg_alloc_zero(n + 2, sizeof *out->row);
    out->col = reuse_pairs(raw, (size_t)in->n);
    if (in->source)
        out->source = rg_alloc((size_t)in->n, sizeof *out->source);
    if (!out->row || !out->col || (in->source && !out->source))
        return false;
    for (uint64_t k = 0; k < in->n; k++)
        out->row[in->col[k] + 1]++;
    counts_to_starts(out->row, n);
    for (size_t b = 0; b < n; b++)
        for (uint64_t k = in->row[b]; k < in->row[b + 1]; k++) {
            uint64_t at = out->row[in->col[k]]++;
            out->col[at] = (uint32_t)b;
            if (in->source)
                out->source[at] = in->source[k];
        }
    restore_starts(out->row, n);
    return true;
}

static bool int_rows_differ(const rg_int_rows *rows, uint32_t a, uint32_t b)
{
    size_t n = rows->n_columns;
    for (size_t c = 0; c < n; c++)
        if (rg_int_rows_at(rows, a, c) != rg_int_rows_at(rows, b, c))
            return true;
    return false;
}

static bool real_rows_differ(const rg_real_rows *rows, uint32_t a, uint32_t b)
{
    size_t n = rows->n_columns;
    return n && memcmp(rows->data + a * n, rows->data + b * n, n * sizeof *rows->data) != 0;
}

/* Do two listed pairs say different things about their edge? */
static bool pairs_differ(const rg_raw *raw, uint32_t a, uint32_t b)
{
    return int_rows_differ(&raw->edge_labels, a, b) ||
           real_rows_differ(&raw->edge_attributes, a, b) ||
           int_rows_differ(&raw->edge_classes, a, b) ||
           real_rows_differ(&raw->edge_targets, a, b) || int_rows_differ(&raw->masks[1], a, b);
}

/* Equal arcs stand side by side, the one listed first in front: keep that one. */
static void drop_duplicates(rg_arcs *arcs, rg_raw *raw)
{
    uint64_t kept = 0, begin = 0;
    for (size_t a = 0; a < raw->n_nodes; a++) {
        uint64_t end = arcs->row[a + 1], first = kept;
        for (uint64_t k = begin; k < end; k++) {
            if (kept > first && arcs->col[kept - 1] == arcs->col[k]) {
                raw->quirks.duplicate_edges++;
                if (arcs->source && pairs_differ(raw, arcs->source[kept - 1], arcs->source[k]))
                    raw->quirks.edge_conflicts++;
                continue;
            }
            arcs->col[kept] = arcs->col[k];
            if (arcs->source)
                arcs->source[kept] = arcs->source[k];
            kept++;
        }
        begin = end;
        arcs->row[a + 1] = kept;
    }
    arcs->n = kept;
}

/* Marks every arc whose reverse exists. For a fixed b the a's of arcs (a, b) come in ascending
 * order, so a place in row b that only moves forward finds all reverses in one sweep. */
static uint64_t mark_two_way(rg_arcs *arcs, rg_raw *raw, uint64_t *place, unsigned char *two_way)
{
    uint64_t marked = 0;
    memcpy(place, arcs->row, raw->n_nodes * sizeof *place);
    for (size_t a = 0; a < raw->n_nodes; a++)
        for (uint64_t k = arcs->row[a]; k < arcs->row[a + 1]; k++) {
            uint32_t b = arcs->col[k];
            uint64_t at = place[b], end = arcs->row[b + 1];
            while (at < end && arcs->col[at] < a)
                at++;
            if (at < end && arcs->col[at] == a) {
                two_way[at / 8] |= (unsigned char)(1u << (at % 8));
                marked++;
                if (arcs->source && a < b) {
                    uint32_t s = arcs->source[k], t = arcs->source[at];
                    raw->quirks.edge_conflicts += pairs_differ(raw, s, t);
                    arcs->source[k] = arcs->source[at] = s < t ? s : t;
                }
                at++;
            }
            place[b] = at;
        }
    return marked;
}

#define ONE_WAY(k) (!(two_way[(k) / 8] >> ((k) % 8) & 1))

/* The missing reverses as arcs of their own, sorted because b ascends. */
static void reverse_missing(rg_arcs *extra, const rg_arcs *arcs, size_t n,
                            const unsigned char *two_way)
{
    for (uint64_t k = 0; k < arcs->n; k++)
        if (ONE_WAY(k))
            extra->row[arcs->col[k] + 1]++;
    counts_to_starts(extra->row, n);
    for (size_t b = 0; b < n; b++)
        for (uint64_t k = arcs->row[b]; k < arcs->row[b + 1]; k++)
            if (ONE_WAY(k)) {
                uint64_t at = extra->row[arcs->col[k]]++;
                extra->col[at] = (uint32_t)b;
                if (extra->source)
                    extra->source[at] = arcs->source[k];
            }
    restore_starts(extra->row, n);
}

static void merge_arcs(rg_arcs *all, const rg_arcs *arcs, const rg_arcs *extra, size_t n)
{
    uint64_t at = 0;
    for (size_t a = 0; a < n; a++) {
        uint64_t k = arcs->row[a], k_end = arcs->row[a + 1];
        uint64_t e = extra->row[a], e_end = extra->row[a + 1];
        while (k < k_end || e < e_end) {
            bool old = e == e_end || (k < k_end && arcs->col[k] < extra->col[e]);
            const rg_arcs *from = old ? arcs : extra;
            uint64_t which = old ? k++ : e++;
            all->col[at] = from->col[which];
            if (all->source)
                all->source[at] = from->source[which];
            at++;
        }
        all->row[a + 1] = at;
    }
}

/* Adds the missing reverses. */
static bool complete(rg_arcs *arcs, size_t n, const unsigned char *two_way, uint64_t n_missing)
{
    rg_arcs extra = {0}, all = {.n = arcs->n + n_missing};
    bool with_source = arcs->source != NULL;
    extra.row = rg_alloc_zero(n + 2, sizeof *extra.row);
    extra.col = rg_alloc((size_t)n_missing, sizeof *extra.col);
    all.row = rg_alloc_zero(n + 1, sizeof *all.row);
    all.col = rg_alloc((size_t)all.n, sizeof *all.col);
    if (with_source) {
        extra.source = rg_alloc((size_t)n_missing, sizeof *extra.source);
        all.source = rg_alloc((size_t)all.n, sizeof *all.source);
    }
    bool fine = extra.row && extra.col && all.row && all.col &&
                (!with_source || (extra.source && all.source));
    if (fine) {
        reverse_missing(&extra, arcs, n, two_way);
        merge_arcs(&all, arcs, &extra, n);
        rg_arcs_free(arcs);
        *arcs = all;
        all = (rg_arcs){0};
    }
    rg_arcs_free(&extra);
    rg_arcs_free(&all);
    return fine;
}

/* The arcs in (row, column) order, equal ones as they were listed. */
static bool sort_arcs(rg_arcs *out, rg_raw *raw, const uint64_t *start, bool with_source)
{
    rg_arcs by_column = {0};
    bool done = false;
    if (look_at_pairs(raw))
        return take_sorted(out, raw, with_source, NULL);
    uint32_t *order = with_source ? rg_alloc(raw->n_pairs, sizeof *order) : NULL;
    bool fine = (!with_source || order) && rg_pairs_sort(raw, start, order, &done);
    if (fine && done)
        return take_sorted(out, raw, with_source, order); /* which owns `order` now */
    rg_free(order);
    fine = fine && sort_by_column(&by_column, raw, with_source) && transpose(out, &by_column, raw);
    rg_arcs_free(&by_column);
    return fine;
}

/* Adds the missing reverses of sorted arcs without duplicates. */
static rg_status complete_arcs(rg_arcs *arcs, rg_raw *raw, rg_error *err)
{
    uint64_t *place = rg_alloc(raw->n_nodes, sizeof *place), n_missing = 0;
    unsigned char *two_way = rg_alloc_zero((size_t)arcs->n / 8 + 1, 1);
    rg_status status = place && two_way ? RG_OK : rg_fail_memory(err, "sorting edges");
    if (!status) {
        n_missing = arcs->n - mark_two_way(arcs, raw, place, two_way);
        raw->quirks.one_way_edges += n_missing;
    }
    if (n_missing && !complete(arcs, raw->n_nodes, two_way, n_missing))
        status = rg_fail_memory(err, "completing edges listed in one direction");
    rg_free(place);
    rg_free(two_way);
    return status;
}

rg_status rg_arcs_build(rg_arcs *out, rg_raw *raw, const uint64_t *start, rg_error *err)
{
    rg_arcs arcs = {0};
    bool with_source = raw->edge_labels.n_rows || raw->edge_attributes.n_rows ||
                       raw->edge_classes.n_rows || raw->edge_targets.n_rows || raw->masks[1].n_rows;
    rg_status status =
        sort_arcs(&arcs, raw, start, with_source) ? RG_OK : rg_fail_memory(err, "sorting edges");
    if (!status) {
        drop_duplicates(&arcs, raw);
        status = complete_arcs(&arcs, raw, err);
    }
    if (!status)
        *out = arcs;
    else
        rg_arcs_free(&arcs);
    return status;
}
