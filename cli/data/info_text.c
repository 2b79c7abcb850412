/* info_text.c - regula data info for people. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "graph/quirks.h"
#include "info.h"

#include <string.h>

#define NAME "%-18s"  /* what a line is about */
#define MOST_LINES 12 /* of classes or columns, one by one */
#define HEAD 64       /* bytes of what a line is about */

static void heading(const char *text)
{
    fputc('\n', stdout);
    cli_bold(stdout, true);
    puts(text);
    cli_bold(stdout, false);
}

static void print_range(const char *name, const rg_range *range, bool total)
{
    printf(NAME " %9llu %11.2f %9llu", name, (unsigned long long)range->min, range->mean,
           (unsigned long long)range->max);
    if (total)
        printf(" %12llu", (unsigned long long)range->total);
    fputc('\n', stdout);
}

static void print_class(const cli_info *info, size_t rank, int64_t value, uint64_t count)
{
    const char *name = rg_dataset_value_name(info->data, RG_CLASS, 0, rank);
    if (name && rg_dataset_sequence(info->data))
        printf("  class %-10s %llu\n", name, (unsigned long long)count);
    else
        printf("  class %-10lld %llu\n", (long long)value, (unsigned long long)count);
}

static rg_status print_classes(const cli_info *info, rg_error *err)
{
    size_t n = 0;
    uint64_t missing = 0;
    const int64_t *values = rg_dataset_values(info->data, RG_CLASS, 0, &n);
    uint64_t *counts = rg_alloc(n, sizeof *counts);
    if (!counts)
        return rg_fail_memory(err, "counting classes");
    cli_info_classes(info, counts, &missing);
    printf(NAME " %zu\n", "classes", n);
    for (size_t k = 0; k < n && k < MOST_LINES; k++)
        print_class(info, k, values[k], counts[k]);
    if (n > MOST_LINES)
        printf("  and %zu more, up to class %lld\n", n - MOST_LINES, (long long)values[n - 1]);
    if (missing)
        printf("  %-16s %llu\n", "not known", (unsigned long long)missing);
    rg_free(counts);
    return RG_OK;
}

/* What a column is called, else its number: from 0, as rules count them. */
static void column_head(char out[HEAD], const cli_info *info, rg_column kind, size_t column)
{
    const char *name = rg_dataset_column_name(info->data, kind, column);
    int n = snprintf(out, HEAD, name && *name ? "  %zu " : "  column %zu", column);
    for (size_t k = (size_t)n; name && *name && k + 1 < HEAD; k++, name++) {
        out[k] = (*name >= ' ' && *name < 127) ? *name : '?'; /* names may hold anything */
        out[k + 1] = '\0';
    }
}

static void print_labels(const cli_info *info, rg_column kind, const char *name)
{
    size_t n_columns = rg_dataset_n_columns(info->data, kind);
    if (!n_columns)
        printf(NAME " none\n", name);
    else if (n_columns > 1)
        printf(NAME " %zu columns\n", name, n_columns);
    for (size_t c = 0; c < n_columns && c < MOST_LINES; c++) {
        size_t n = 0;
        const int64_t *values = rg_dataset_values(info->data, kind, c, &n);
        char head[HEAD];
        if (n_columns > 1)
            column_head(head, info, kind, c);
        else
            snprintf(head, sizeof head, "%s", name);
        if (n)
            printf(NAME " %zu, from %lld to %lld\n", head, n, (long long)values[0],
                   (long long)values[n - 1]);
        else
            printf(NAME " 0\n", head);
    }
    if (n_columns > MOST_LINES)
        printf("  and %zu more\n", n_columns - MOST_LINES);
}

static void print_reals(const cli_info *info, rg_column kind, const char *name)
{
    size_t n_columns = rg_dataset_n_columns(info->data, kind);
    if (!n_columns)
        printf(NAME " none\n", name);
    else
        printf(NAME " %zu %s\n", name, n_columns, n_columns == 1 ? "column" : "columns");
    for (size_t c = 0; c < n_columns && c < MOST_LINES; c++) {
        char min[RG_NUMBER_MAX], max[RG_NUMBER_MAX], head[HEAD];
        cli_span span = cli_info_span(info, kind, c);
        column_head(head, info, kind, c);
        if (!span.n) {
            printf(NAME " no value\n", head);
            continue;
        }
        rg_number_print(min, span.min);
        rg_number_print(max, span.max);
        printf(NAME " from %s to %s\n", head, min, max);
    }
    if (n_columns > MOST_LINES)
        printf("  and %zu more\n", n_columns - MOST_LINES);
}

static void print_found(const cli_info *info)
{
    char sentence[200];
    bool any = false;
    heading("What the loader found");
    for (size_t k = 0; rg_quirk_sentence(info->data, k, sentence, sizeof sentence); k++) {
        if (!sentence[0])
            continue;
        printf("  %s\n", sentence);
        any = true;
    }
    if (!any)
        puts("  nothing unusual");
}

static void print_left_out(const cli_info *info)
{
    size_t k;
    json_t *item;
    if (!json_array_size(info->left_out))
        return;
    heading("Molecules left out");
    json_array_foreach(info->left_out, k, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *text = json_string_value(json_object_get(item, "smiles"));
        size_t at = (size_t)json_integer_value(json_object_get(item, "at")),
               n = text ? strlen(text) : 0;
        printf("  line %lld%s", (long long)json_integer_value(json_object_get(item, "line")),
               name && *name ? ", " : "");
        cli_print(name ? name : "");
        printf(": %s\n", json_string_value(json_object_get(item, "reason")));
        if (n && at <= n)
            cli_print_caret(stdout, text, n, at, 70);
    }
}

static void print_groups(const rg_audit *a)
{
    if (a->isomorphic_copies == 1)
        puts("  1 graph is a copy of an earlier one");
    else
        printf("  %llu graphs are copies of an earlier one, in %llu %s of up to %llu\n",
               (unsigned long long)a->isomorphic_copies, (unsigned long long)a->copy_groups,
               a->copy_groups == 1 ? "group" : "groups", (unsigned long long)a->largest_group);
}

static void print_copies(const cli_info *info)
{
    const rg_audit *a = &info->audit;
    heading("Isomorphic copies");
    if (!info->copies) {
        puts("  not searched");
        return;
    }
    if (!a->isomorphic_copies)
        puts("  none");
    else
        print_groups(a);
    if (a->copies_other_class)
        printf("  %llu of them %s a different target than the first of their group\n",
               (unsigned long long)a->copies_other_class,
               a->copies_other_class == 1 ? "has" : "have");
    if (a->undecided_pairs)
        printf("  %llu pairs of graphs could not be compared in reasonable time\n",
               (unsigned long long)a->undecided_pairs);
}

static void print_shape(const cli_info *info)
{
    const rg_audit *a = &info->audit;
    printf("\n%-18s %9s %11s %9s %12s\n", "", "min", "mean", "max", "total");
    print_range("nodes", &a->nodes, true);
    print_range("edges", &a->edges, true);
    print_range("diameter", &a->diameter, false);
    if (a->disconnected_graphs)
        print_range("  0 if disconnected", &a->diameter_connected, false);
    if (a->bounded_diameters)
        printf("  %llu diameters are lower bounds: the graphs are too large for exact ones\n",
               (unsigned long long)a->bounded_diameters);
    printf(NAME " %9s %11.2f %9llu\n", "degree", "", a->mean_degree,
           (unsigned long long)a->max_degree);
    printf("\n" NAME " %llu connected, %llu disconnected, %llu trees\n", "graphs are",
           (unsigned long long)a->connected_graphs, (unsigned long long)a->disconnected_graphs,
           (unsigned long long)a->trees);
}

rg_status cli_info_print_text(const cli_info *info, rg_error *err)
{
    cli_bold(stdout, true);
    cli_print(rg_dataset_name(info->data));
    cli_bold(stdout, false);
    fputs("  (", stdout);
    cli_print(info->path);
    printf(")\n\n" NAME " %zu\n", "graphs", rg_dataset_n_graphs(info->data));
    if (info->target == RG_CLASS) {
        rg_status status = print_classes(info, err);
        if (status)
            return status;
    }
    size_t columns = rg_dataset_n_columns(info->data, RG_CLASS);
    if (columns > 1)
        printf("  and %zu more columns of classes\n", columns - 1);
    print_reals(info, RG_TARGET, "real targets");
    print_shape(info);
    fputc('\n', stdout);
    if (rg_dataset_sequence(info->data)) {
        size_t n = 0;
        bool words = rg_dataset_sequence(info->data) == RG_SEQUENCE_WORDS;
        rg_dataset_values(info->data, RG_NODE_LABEL, 0, &n);
        printf(NAME " %zu different\n", words ? "words" : "letters", n);
    } else {
        print_labels(info, RG_NODE_LABEL, "node labels");
    }
    print_labels(info, RG_EDGE_LABEL, "edge labels");
    print_reals(info, RG_NODE_ATTRIBUTE, "node attributes");
    print_reals(info, RG_EDGE_ATTRIBUTE, "edge attributes");
    print_found(info);
    print_left_out(info);
    print_copies(info);
    printf("\n" NAME " %s\n", "digest", info->audit.digest);
    return RG_OK;
}
