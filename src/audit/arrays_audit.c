/* arrays_audit.c - statistics of arrays: range, constant values, repeated samples. */
#include "arrays/arrays.h"
#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/sized.h"
#include "base/table.h"

#include <math.h>
#include <string.h>

static double value_at(const rg_arrays *arrays, size_t k)
{
    return arrays->floats ? (double)arrays->floats[k] : arrays->doubles[k];
}

/* Two passes: the mean, and then what is left around it, so that nothing cancels. */
static void measure(rg_arrays_audit *out, const rg_arrays *arrays)
{
    size_t n = arrays->n_samples * arrays->n_values;
    double sum = 0, squares = 0;
    out->min = INFINITY;
    out->max = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        double value = value_at(arrays, k);
        out->min = value < out->min ? value : out->min;
        out->max = value > out->max ? value : out->max;
        sum += value;
    }
    out->mean = sum / (double)n;
    for (size_t k = 0; k < n; k++) {
        double rest = value_at(arrays, k) - out->mean;
        squares += rest * rest;
    }
    out->deviation = sqrt(squares / (double)n);
}

static rg_status count_constant(rg_arrays_audit *out, const rg_arrays *arrays, rg_error *err)
{
    size_t n = arrays->n_values;
    uint8_t *varies = rg_alloc_zero(n, 1);
    if (!varies)
        return rg_fail_memory(err, "looking at arrays");
    for (size_t sample = 1; sample < arrays->n_samples; sample++)
        for (size_t k = 0; k < n; k++)
            varies[k] |= value_at(arrays, sample * n + k) != value_at(arrays, k);
    out->constant = 0;
    for (size_t k = 0; k < n; k++)
        out->constant += !varies[k];
    rg_free(varies);
    return RG_OK;
}

/* Do two samples have targets that are known and differ? */
static bool targets_differ(const rg_arrays *arrays, size_t a, size_t b)
{
    size_t n = arrays->reals.n_columns;
    for (size_t c = 0; c < arrays->classes.n_columns; c++) {
        const uint32_t *ranks = rg_arrays_classes(arrays, c);
        if (ranks[a] != ranks[b] && ranks[a] != RG_NO_CLASS && ranks[b] != RG_NO_CLASS)
            return true;
    }
    for (size_t c = 0; c < n; c++) {
        double x = arrays->reals.data[a * n + c], y = arrays->reals.data[b * n + c];
        if (!isnan(x) && !isnan(y) && x != y)
            return true;
    }
    return false;
}

/* Samples are found by a hash and compared in full. Of two that differ and share a hash, which does
 * not happen, the later one's copies are not counted. -0 is another value than 0 here. */
static rg_status count_copies(rg_arrays_audit *out, const rg_arrays *arrays, rg_error *err)
{
    size_t size = arrays->n_values * (arrays->floats ? sizeof(float) : sizeof(double));
    const char *all = arrays->floats ? (const char *)arrays->floats : (const char *)arrays->doubles;
    rg_table *seen = rg_table_new();
    uint32_t *first = rg_alloc(arrays->n_samples, sizeof *first); /* sample of each key */
    rg_status status = seen && first ? RG_OK : rg_fail_memory(err, "looking for copies");
    out->copies = out->copies_other = 0;
    for (size_t k = 0; k < arrays->n_samples && !status; k++) {
        uint64_t key = rg_hash(all + k * size, size, 0);
        size_t before = rg_table_size(seen);
        uint32_t number = rg_table_add(seen, &key, sizeof key);
        if (number == RG_TABLE_NONE) {
            status = rg_fail_memory(err, "looking for copies");
        } else if (number == before) {
            first[number] = (uint32_t)k;
        } else if (memcmp(all + k * size, all + first[number] * size, size) == 0) {
            out->copies++;
            out->copies_other += targets_differ(arrays, k, first[number]);
        }
    }
    rg_table_free(seen);
    rg_free(first);
    return status;
}

rg_status rg_arrays_audit_run(rg_arrays_audit *out, const rg_arrays *arrays, rg_error *err)
{
    rg_arrays_audit audit = RG_ARRAYS_AUDIT_INIT;
    measure(&audit, arrays);
    rg_arrays_digest(arrays, audit.digest);
    rg_status status = rg_sized_check(out, "rg_arrays_audit", err);
    if (!status)
        status = count_constant(&audit, arrays, err);
    if (!status)
        status = count_copies(&audit, arrays, err);
    if (!status)
        rg_sized_put(out, &audit, sizeof audit);
    return status;
}
