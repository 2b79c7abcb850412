/* info_json.c - regula data info --json: one object; scripts rely on its keys. */
#include "base/alloc.h"
#include "info.h"

#include <string.h>

static json_t *range_json(const rg_range *range, bool total)
{
    json_t *object = json_object();
    cli_json_set(&object, "min", cli_json_count(range->min));
    cli_json_set(&object, "mean", cli_json_real(range->mean));
    cli_json_set(&object, "max", cli_json_count(range->max));
    if (total)
        cli_json_set(&object, "total", cli_json_count(range->total));
    return object;
}

static size_t n_labels(const cli_info *info, rg_column kind)
{
    size_t n = 0;
    if (rg_dataset_n_columns(info->data, kind))
        rg_dataset_values(info->data, kind, 0, &n);
    return n;
}

/* One list of original values a column. */
static json_t *values_json(const cli_info *info, rg_column kind)
{
    json_t *columns = json_array();
    for (size_t c = 0; c < rg_dataset_n_columns(info->data, kind); c++) {
        json_t *list = json_array();
        size_t n = 0;
        const int64_t *values = rg_dataset_values(info->data, kind, c, &n);
        for (size_t k = 0; k < n; k++)
            cli_json_add(&list, json_integer((json_int_t)values[k]));
        cli_json_add(&columns, list);
    }
    return columns;
}

static json_t *spans_json(const cli_info *info, rg_column kind)
{
    json_t *columns = json_array();
    for (size_t c = 0; c < rg_dataset_n_columns(info->data, kind); c++) {
        cli_span span = cli_info_span(info, kind, c);
        json_t *object = json_object();
        cli_json_set(&object, "min", cli_json_real(span.min)); /* null if there is no value */
        cli_json_set(&object, "max", cli_json_real(span.max));
        cli_json_set(&object, "values", cli_json_count(span.n));
        cli_json_add(&columns, object);
    }
    return columns;
}

/* Original class value, as text, to number of graphs; NULL if memory is short. */
static json_t *class_counts_json(const cli_info *info, size_t n_classes)
{
    json_t *object = json_object();
    size_t n = 0;
    uint64_t missing;
    if (!n_classes)
        return object;
    const int64_t *values = rg_dataset_values(info->data, RG_CLASS, 0, &n);
    uint64_t *counts = rg_alloc(n, sizeof *counts);
    if (!counts) {
        json_decref(object);
        return NULL;
    }
    cli_info_classes(info, counts, &missing);
    for (size_t k = 0; k < n; k++) {
        char key[24];
        snprintf(key, sizeof key, "%lld", (long long)values[k]);
        cli_json_set(&object, key, cli_json_count(counts[k]));
    }
    rg_free(counts);
    return object;
}

static json_t *quirks_json(const rg_quirks *q)
{
    json_t *object = json_object();
    cli_json_set(&object, "listed_edges", cli_json_count(q->listed_edges));
    cli_json_set(&object, "duplicate_edges", cli_json_count(q->duplicate_edges));
    cli_json_set(&object, "self_loops", cli_json_count(q->self_loops));
    cli_json_set(&object, "one_way_edges", cli_json_count(q->one_way_edges));
    cli_json_set(&object, "edge_conflicts", cli_json_count(q->edge_conflicts));
    cli_json_set(&object, "unsorted_edges", cli_json_count(q->unsorted_edges));
    cli_json_set(&object, "unsorted_nodes", cli_json_count(q->unsorted_nodes));
    cli_json_set(&object, "isolated_nodes", cli_json_count(q->isolated_nodes));
    cli_json_set(&object, "empty_graphs", cli_json_count(q->empty_graphs));
    cli_json_set(&object, "label_gaps", cli_json_count(q->label_gaps));
    cli_json_set(&object, "class_gaps", cli_json_count(q->class_gaps));
    cli_json_set(&object, "missing_targets", cli_json_count(q->missing_targets));
    cli_json_set(&object, "missing_newlines", cli_json_count(q->missing_newlines));
    cli_json_set(&object, "ignored_files", cli_json_count(q->ignored_files));
    cli_json_set(&object, "left_out", cli_json_count(q->left_out));
    return object;
}

/* Counts of copies are null where nobody looked. */
static json_t *copies_json(const cli_info *info, uint64_t count)
{
    return info->copies ? cli_json_count(count) : json_null();
}

static void set_columns(json_t **root, const cli_info *info)
{
    const rg_dataset *data = info->data;
    cli_json_set(root, "node_labels", cli_json_count(n_labels(info, RG_NODE_LABEL)));
    cli_json_set(root, "edge_labels", cli_json_count(n_labels(info, RG_EDGE_LABEL)));
    cli_json_set(root, "node_attributes",
                 cli_json_count(rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE)));
    cli_json_set(root, "edge_attributes",
                 cli_json_count(rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE)));
    cli_json_set(root, "targets", cli_json_count(rg_dataset_n_columns(data, RG_TARGET)));
    cli_json_set(root, "node_label_columns",
                 cli_json_count(rg_dataset_n_columns(data, RG_NODE_LABEL)));
    cli_json_set(root, "edge_label_columns",
                 cli_json_count(rg_dataset_n_columns(data, RG_EDGE_LABEL)));
    cli_json_set(root, "class_columns", cli_json_count(rg_dataset_n_columns(data, RG_CLASS)));
    cli_json_set(root, "node_label_values", values_json(info, RG_NODE_LABEL));
    cli_json_set(root, "edge_label_values", values_json(info, RG_EDGE_LABEL));
    cli_json_set(root, "target_ranges", spans_json(info, RG_TARGET));
}

static void set_counts(json_t **root, const cli_info *info)
{
    const rg_quirks *q = rg_dataset_quirks(info->data);
    const rg_audit *a = &info->audit;
    cli_json_set(root, "duplicate_edges", cli_json_count(q->duplicate_edges));
    cli_json_set(root, "self_loops", cli_json_count(q->self_loops));
    cli_json_set(root, "one_way_edges", cli_json_count(q->one_way_edges));
    cli_json_set(root, "isolated_nodes", cli_json_count(a->isolated_nodes));
    cli_json_set(root, "empty_graphs", cli_json_count(a->empty_graphs));
    cli_json_set(root, "connected_graphs", cli_json_count(a->connected_graphs));
    cli_json_set(root, "disconnected_graphs", cli_json_count(a->disconnected_graphs));
    cli_json_set(root, "trees", cli_json_count(a->trees));
    cli_json_set(root, "max_degree", cli_json_count(a->max_degree));
    cli_json_set(root, "mean_degree", cli_json_real(a->mean_degree));
    cli_json_set(root, "isomorphic_copies", copies_json(info, a->isomorphic_copies));
    cli_json_set(root, "copies_other_class", copies_json(info, a->copies_other_class));
    cli_json_set(root, "copy_groups", copies_json(info, a->copy_groups));
    cli_json_set(root, "largest_group", copies_json(info, a->largest_group));
    cli_json_set(root, "bounded_diameters", cli_json_count(a->bounded_diameters));
    cli_json_set(root, "undecided_pairs", copies_json(info, a->undecided_pairs));
}

rg_status cli_info_print_json(const cli_info *info, rg_error *err)
{
    const rg_audit *a = &info->audit;
    size_t n_classes = info->target == RG_CLASS ? n_labels(info, RG_CLASS) : 0;
    json_t *root = json_object();
    cli_json_set(&root, "name", cli_json_text(rg_dataset_name(info->data)));
    cli_json_set(&root, "path", cli_json_text(info->path));
    cli_json_set(&root, "graphs", cli_json_count(rg_dataset_n_graphs(info->data)));
    cli_json_set(&root, "task",
                 info->target == RG_N_COLUMN_KINDS
                     ? json_null()
                     : json_string(info->target == RG_CLASS ? "classification" : "regression"));
    cli_json_set(&root, "classes", cli_json_count(n_classes));
    cli_json_set(&root, "class_counts", class_counts_json(info, n_classes));
    cli_json_set(&root, "nodes", range_json(&a->nodes, true));
    cli_json_set(&root, "edges", range_json(&a->edges, true));
    cli_json_set(&root, "diameter", range_json(&a->diameter, false));
    cli_json_set(&root, "diameter_connected", range_json(&a->diameter_connected, false));
    set_columns(&root, info);
    set_counts(&root, info);
    cli_json_set(&root, "quirks", quirks_json(rg_dataset_quirks(info->data)));
    cli_json_set(&root, "left_out", json_incref(info->left_out));
    cli_json_set(&root, "bytes", cli_json_count(rg_dataset_bytes(info->data)));
    cli_json_set(&root, "digest", json_string(a->digest));
    cli_json_set(&root, "seconds", cli_json_real(info->seconds));
    return cli_print_json(root, err);
}
