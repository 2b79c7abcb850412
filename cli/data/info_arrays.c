/* info_arrays.c - regula data info of vectors and images, for people and as JSON. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "info.h"

#include <math.h>
#include <string.h>

#define NAME "%-18s"  /* what a line is about */
#define MOST_LINES 12 /* of classes, columns or targets, one by one */

/* Samples of each class of a column, by rank; *missing have none. Owned (rg_free). */
static uint64_t *count_classes(const rg_arrays *arrays, size_t column, uint64_t *missing)
{
    size_t n;
    rg_arrays_class_values(arrays, column, &n);
    const uint32_t *ranks = rg_arrays_classes(arrays, column);
    uint64_t *counts = rg_alloc_zero(n, sizeof *counts);
    *missing = 0;
    for (size_t k = 0; counts && k < rg_arrays_n_samples(arrays); k++) {
        if (ranks[k] == RG_NO_CLASS)
            ++*missing;
        else
            counts[ranks[k]]++;
    }
    return counts;
}

static cli_span target_span(const rg_arrays *arrays, size_t column)
{
    const double *values = rg_arrays_reals(arrays);
    size_t n_columns = rg_arrays_n_columns(arrays, RG_TARGET);
    cli_span span = {INFINITY, -INFINITY, 0};
    for (size_t k = 0; k < rg_arrays_n_samples(arrays); k++) {
        double value = values[k * n_columns + column];
        if (isnan(value))
            continue;
        span.min = fmin(span.min, value);
        span.max = fmax(span.max, value);
        span.n++;
    }
    return span;
}

/* ---- text */

static rg_status print_classes(const rg_arrays *arrays, rg_error *err)
{
    size_t n, columns = rg_arrays_n_columns(arrays, RG_CLASS);
    uint64_t missing;
    if (!columns) {
        printf(NAME " none\n", "classes");
        return RG_OK;
    }
    const int64_t *values = rg_arrays_class_values(arrays, 0, &n);
    uint64_t *counts = count_classes(arrays, 0, &missing);
    if (!counts)
        return rg_fail_memory(err, "counting classes");
    printf(NAME " %zu\n", "classes", n);
    for (size_t k = 0; k < n && k < MOST_LINES; k++)
        printf("  class %-10lld %llu\n", (long long)values[k], (unsigned long long)counts[k]);
    if (n > MOST_LINES)
        printf("  and %zu more, up to class %lld\n", n - MOST_LINES, (long long)values[n - 1]);
    if (missing)
        printf("  %-16s %llu\n", "not known", (unsigned long long)missing);
    if (columns > 1)
        printf("  and %zu more columns of classes\n", columns - 1);
    rg_free(counts);
    return RG_OK;
}

static void print_targets(const rg_arrays *arrays)
{
    size_t n = rg_arrays_n_columns(arrays, RG_TARGET);
    if (!n)
        printf(NAME " none\n", "real targets");
    else
        printf(NAME " %zu %s\n", "real targets", n, n == 1 ? "column" : "columns");
    for (size_t c = 0; c < n && c < MOST_LINES; c++) {
        char min[RG_NUMBER_MAX], max[RG_NUMBER_MAX];
        cli_span span = target_span(arrays, c);
        rg_number_print(min, span.min);
        rg_number_print(max, span.max);
        if (span.n)
            printf("  column %-9zu from %s to %s\n", c, min, max);
        else
            printf("  column %-9zu no value\n", c);
    }
    if (n > MOST_LINES)
        printf("  and %zu more\n", n - MOST_LINES);
}

static void print_values(const cli_info_arrays *info)
{
    const rg_arrays_audit *a = &info->audit;
    rg_array_shape shape = rg_arrays_shape(info->arrays);
    size_t n = rg_arrays_n_values(info->arrays);
    char min[RG_NUMBER_MAX], max[RG_NUMBER_MAX];
    rg_number_print(min, a->min);
    rg_number_print(max, a->max);
    if (shape.rows == 1 && shape.channels == 1)
        printf(NAME " vectors of %zu values\n", "shape", n);
    else if (shape.depth > 1)
        printf(NAME " %u rows, %u columns, depth %u, %u %s: %zu values\n", "shape", shape.rows,
               shape.cols, shape.depth, shape.channels / shape.depth,
               shape.channels == shape.depth ? "channel" : "channels", n);
    else
        printf(NAME " %u rows, %u columns, %u %s: %zu values\n", "shape", shape.rows, shape.cols,
               shape.channels, shape.channels == 1 ? "channel" : "channels", n);
    printf(NAME " from %s to %s\n", "values", min, max);
    printf(NAME " %.6g, standard deviation %.6g\n", "  mean", a->mean, a->deviation);
    printf(NAME " %s\n", "  kept as", rg_arrays_floats(info->arrays) ? "floats" : "doubles");
    printf(NAME " %llu of %zu\n", "constant places", (unsigned long long)a->constant, n);
}

rg_status cli_info_arrays_text(const cli_info_arrays *info, rg_error *err)
{
    const rg_arrays *arrays = info->arrays;
    const rg_arrays_audit *a = &info->audit;
    size_t n = rg_arrays_n_samples(arrays), n_train = rg_arrays_n_train(arrays);
    cli_bold(stdout, true);
    cli_print(rg_arrays_name(arrays));
    cli_bold(stdout, false);
    fputs("  (", stdout);
    cli_print(info->path);
    printf(")\n\n" NAME " %zu\n", "samples", n);
    if (n_train < n) {
        printf(NAME " %zu\n", "  for training", n_train);
        printf(NAME " %zu\n", "  for the test", n - n_train);
    }
    rg_status status = print_classes(arrays, err);
    if (status)
        return status;
    print_targets(arrays);
    fputc('\n', stdout);
    print_values(info);
    printf("\n" NAME " %llu equal an earlier one", "copies", (unsigned long long)a->copies);
    if (a->copies)
        printf(", %llu of them with a different target", (unsigned long long)a->copies_other);
    printf("\n\n" NAME " %s\n", "digest", a->digest);
    return RG_OK;
}

/* ---- JSON */

static json_t *class_counts_json(const rg_arrays *arrays)
{
    json_t *object = json_object();
    size_t n;
    uint64_t missing;
    if (!rg_arrays_n_columns(arrays, RG_CLASS))
        return object;
    const int64_t *values = rg_arrays_class_values(arrays, 0, &n);
    uint64_t *counts = count_classes(arrays, 0, &missing);
    if (!counts) {
        json_decref(object);
        return NULL;
    }
    for (size_t k = 0; k < n; k++) {
        char key[24];
        snprintf(key, sizeof key, "%lld", (long long)values[k]);
        cli_json_set(&object, key, cli_json_count(counts[k]));
    }
    rg_free(counts);
    return object;
}

static json_t *spans_json(const rg_arrays *arrays)
{
    json_t *columns = json_array();
    for (size_t c = 0; c < rg_arrays_n_columns(arrays, RG_TARGET); c++) {
        cli_span span = target_span(arrays, c);
        json_t *object = json_object();
        cli_json_set(&object, "min", cli_json_real(span.min)); /* null if there is no value */
        cli_json_set(&object, "max", cli_json_real(span.max));
        cli_json_set(&object, "values", cli_json_count(span.n));
        cli_json_add(&columns, object);
    }
    return columns;
}

static json_t *values_json(const cli_info_arrays *info)
{
    const rg_arrays_audit *a = &info->audit;
    json_t *object = json_object();
    cli_json_set(&object, "type", json_string(rg_arrays_floats(info->arrays) ? "float" : "double"));
    cli_json_set(&object, "min", cli_json_real(a->min));
    cli_json_set(&object, "max", cli_json_real(a->max));
    cli_json_set(&object, "mean", cli_json_real(a->mean));
    cli_json_set(&object, "deviation", cli_json_real(a->deviation));
    return object;
}

rg_status cli_info_arrays_json(const cli_info_arrays *info, rg_error *err)
{
    const rg_arrays *arrays = info->arrays;
    const rg_arrays_audit *a = &info->audit;
    rg_array_shape shape = rg_arrays_shape(arrays);
    size_t n_classes = 0, columns = rg_arrays_n_columns(arrays, RG_CLASS);
    size_t targets = rg_arrays_n_columns(arrays, RG_TARGET);
    if (columns)
        rg_arrays_class_values(arrays, 0, &n_classes);
    json_t *root = json_object();
    cli_json_set(&root, "name", cli_json_text(rg_arrays_name(arrays)));
    cli_json_set(&root, "path", cli_json_text(info->path));
    cli_json_set(&root, "samples", cli_json_count(rg_arrays_n_samples(arrays)));
    cli_json_set(&root, "train", cli_json_count(rg_arrays_n_train(arrays)));
    cli_json_set(&root, "rows", cli_json_count(shape.rows));
    cli_json_set(&root, "cols", cli_json_count(shape.cols));
    cli_json_set(&root, "channels", cli_json_count(shape.channels));
    cli_json_set(&root, "task",
                 columns   ? json_string("classification")
                 : targets ? json_string("regression")
                           : json_null());
    cli_json_set(&root, "classes", cli_json_count(n_classes));
    cli_json_set(&root, "class_counts", class_counts_json(arrays));
    cli_json_set(&root, "class_columns", cli_json_count(columns));
    cli_json_set(&root, "targets", cli_json_count(targets));
    cli_json_set(&root, "target_ranges", spans_json(arrays));
    cli_json_set(&root, "values", values_json(info));
    cli_json_set(&root, "constant", cli_json_count(a->constant));
    cli_json_set(&root, "copies", cli_json_count(a->copies));
    cli_json_set(&root, "copies_other", cli_json_count(a->copies_other));
    cli_json_set(&root, "bytes", cli_json_count(rg_arrays_bytes(arrays)));
    cli_json_set(&root, "digest", json_string(a->digest));
    cli_json_set(&root, "seconds", cli_json_real(info->seconds));
    return cli_print_json(root, err);
}
