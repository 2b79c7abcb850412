/* rank.c - see rank.h. */
#include "rank.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static int compare_values(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One column of some rows. */
typedef struct column_view {
    const int64_t *data;
    const int16_t *shorts; /* instead of data */
    size_t stride, n;
    const uint32_t *index;
} column_view;

static int64_t value_at(const column_view *view, size_t k)
{
    size_t row = view->index ? view->index[k] : k;
    return view->shorts ? view->shorts[row] : view->data[row * view->stride];
}

/* Values that span little: a mark for each possible one. */
static bool rank_directly(rg_ranking *out, const column_view *view, int64_t low, size_t span)
{
    out->n_direct = span;
    out->direct = rg_alloc_zero(span, sizeof *out->direct);
    if (!out->direct)
        return false;
    for (size_t k = 0; k < view->n; k++) {
        int64_t value = value_at(view, k);
        if (value != RG_MISSING)
            out->direct[(uint64_t)value - (uint64_t)low] = 1;
    }
    for (size_t k = 0; k < span; k++)
        out->n += out->direct[k];
    out->values = rg_alloc(out->n, sizeof *out->values);
    if (!out->values)
        return false;
    uint32_t rank = 0;
    for (size_t k = 0; k < span; k++)
        if (out->direct[k]) {
            out->values[rank] = (int64_t)((uint64_t)low + k);
            out->direct[k] = rank++;
        }
    return true;
}

static bool rank_by_sorting(rg_ranking *out, const column_view *view)
{
    out->values = rg_alloc(view->n, sizeof *out->values);
    if (!out->values)
        return false;
    size_t n = 0;
    for (size_t k = 0; k < view->n; k++) {
        int64_t value = value_at(view, k);
        if (value != RG_MISSING)
            out->values[n++] = value;
    }
    qsort(out->values, n, sizeof *out->values, compare_values);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || out->values[k] != out->values[k - 1])
            out->values[out->n++] = out->values[k];
    return true;
}

bool rg_ranking_build(rg_ranking *out, const rg_int_rows *rows, size_t column,
                      const uint32_t *index, size_t n)
{
    rg_ranking ranking = {0};
    column_view view = {.stride = rows->n_columns, .n = n, .index = index};
    if (rows->shorts)
        view.shorts = rows->shorts + column * rows->short_capacity;
    else
        view.data = rows->data + column;
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t k = 0; k < view.n; k++) {
        int64_t value = value_at(&view, k);
        if (value == RG_MISSING)
            continue;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    uint64_t span = low <= high ? (uint64_t)high - (uint64_t)low : 0;
    bool fine = low <= high && span < 2 * (uint64_t)n + 1024
                    ? rank_directly(&ranking, &view, low, (size_t)span + 1)
                    : rank_by_sorting(&ranking, &view);
    if (!fine) {
        rg_ranking_free(&ranking);
        return false;
    }
    *out = ranking;
    return true;
}

void rg_ranking_free(rg_ranking *ranking)
{
    rg_free(ranking->values);
    rg_free(ranking->direct);
    memset(ranking, 0, sizeof *ranking);
}

uint32_t rg_ranking_search(const rg_ranking *ranking, int64_t value)
{
    size_t low = 0, high = ranking->n; /* values[low - 1] < value <= values[high] */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranking->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

bool rg_ranking_is_plain(const rg_ranking *ranking)
{
    return ranking->n == 0 ||
           (ranking->values[0] == 0 && ranking->values[ranking->n - 1] == (int64_t)ranking->n - 1);
}
