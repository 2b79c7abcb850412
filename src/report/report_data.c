/* report_data.c - see report_parts.h: what is in the data set, as `regula data info` says it. */
#include "base/alloc.h"
#include "base/error.h"
#include "graph/quirks.h"
#include "regula/audit.h"
#include "report_parts.h"

#include <math.h>

#define MOST_NAMES 64 /* labels or classes that are listed one by one */

static void add_range(rg_json *json, const char *key, const rg_range *range)
{
    rg_json_open(json, key, '{');
    rg_json_count(json, "min", range->min);
    rg_json_real(json, "mean", range->mean);
    rg_json_count(json, "max", range->max);
    rg_json_count(json, "total", range->total);
    rg_json_close(json, '{');
}

/* How often each value of a column occurs, most of them by name. */
static rg_status add_counts(rg_report *report, const char *key, rg_name_kind kind,
                            const uint32_t *ranks, uint64_t n, const int64_t *values,
                            size_t n_values, rg_error *err)
{
    rg_json *json = &report->json;
    uint64_t *counts = rg_alloc_zero(n_values, sizeof *counts), missing = 0;
    if (!counts)
        return rg_fail_memory(err, "counting labels");
    for (uint64_t k = 0; k < n; k++) {
        if (ranks[k] == RG_NO_CLASS)
            missing++;
        else
            counts[ranks[k]]++;
    }
    rg_json_open(json, key, '{');
    rg_json_count(json, "values", n_values);
    rg_json_count(json, "missing", missing);
    rg_json_open(json, "list", '[');
    for (size_t k = 0; k < n_values && k < MOST_NAMES; k++) {
        char name[RG_NAME_MAX];
        rg_json_open(json, NULL, '[');
        rg_json_string(json, NULL, rg_names_text(name, report->options->names, kind, values[k]));
        rg_json_count(json, NULL, counts[k]);
        rg_json_close(json, '[');
    }
    rg_json_close(json, '[');
    rg_json_close(json, '{');
    rg_free(counts);
    return RG_OK;
}

static rg_status add_column(rg_report *report, const char *key, rg_column column, rg_name_kind kind,
                            rg_error *err)
{
    const rg_dataset *data = report->options->source->graphs;
    size_t n_values;
    if (!rg_dataset_n_columns(data, column))
        return RG_OK;
    const int64_t *values = rg_dataset_values(data, column, 0, &n_values);
    uint64_t n = column == RG_CLASS        ? rg_dataset_n_graphs(data)
                 : column == RG_NODE_LABEL ? rg_dataset_n_nodes(data)
                                           : rg_dataset_n_arcs(data);
    return add_counts(report, key, kind, rg_dataset_ranks(data, column, 0), n, values, n_values,
                      err);
}

static void add_found(rg_json *json, const rg_dataset *data)
{
    char sentence[200];
    rg_json_open(json, "found", '[');
    for (size_t k = 0; rg_quirk_sentence(data, k, sentence, sizeof sentence); k++)
        if (sentence[0])
            rg_json_string(json, NULL, sentence);
    rg_json_close(json, '[');
}

static void add_audit(rg_json *json, const rg_dataset *data, const rg_audit *a)
{
    add_range(json, "nodes", &a->nodes);
    add_range(json, "edges", &a->edges);
    add_range(json, "diameter", &a->diameter);
    rg_json_count(json, "disconnected", a->disconnected_graphs);
    rg_json_count(json, "trees", a->trees);
    rg_json_count(json, "isolated_nodes", a->isolated_nodes);
    rg_json_count(json, "empty_graphs", a->empty_graphs);
    rg_json_count(json, "max_degree", a->max_degree);
    rg_json_real(json, "mean_degree", a->mean_degree);
    rg_json_count(json, "copies", a->isomorphic_copies);
    rg_json_count(json, "copies_other_class", a->copies_other_class);
    rg_json_count(json, "node_attributes", rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE));
    rg_json_count(json, "edge_attributes", rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE));
    rg_json_count(json, "targets", rg_dataset_n_columns(data, RG_TARGET));
}

static rg_status add_graphs(rg_report *report, rg_error *err)
{
    const rg_dataset *data = report->options->source->graphs;
    rg_json *json = &report->json;
    rg_audit_options options = rg_audit_options_default();
    rg_audit audit = RG_AUDIT_INIT;
    options.n_threads = report->options->n_threads;
    rg_status status = rg_audit_run(&audit, data, &options, err);
    if (status)
        return status;
    rg_json_string(json, "kind", "graphs");
    rg_json_string(json, "name", rg_dataset_name(data));
    rg_json_string(json, "digest", audit.digest);
    rg_json_count(json, "samples", rg_dataset_n_graphs(data));
    add_audit(json, data, &audit);
    status = add_column(report, "classes", RG_CLASS, RG_NAME_CLASS, err);
    if (!status)
        status = add_column(report, "node_labels", RG_NODE_LABEL, RG_NAME_NODE, err);
    if (!status)
        status = add_column(report, "edge_labels", RG_EDGE_LABEL, RG_NAME_EDGE, err);
    add_found(json, data);
    return status;
}

static rg_status add_arrays(rg_report *report, rg_error *err)
{
    const rg_arrays *arrays = report->options->source->arrays;
    rg_json *json = &report->json;
    rg_array_shape shape = rg_arrays_shape(arrays);
    rg_arrays_audit audit = RG_ARRAYS_AUDIT_INIT;
    size_t n, n_values;
    rg_status status = rg_arrays_audit_run(&audit, arrays, err);
    if (status)
        return status;
    n = rg_arrays_n_samples(arrays);
    rg_json_string(json, "kind", "arrays");
    rg_json_string(json, "name", rg_arrays_name(arrays));
    rg_json_string(json, "digest", audit.digest);
    rg_json_count(json, "samples", n);
    rg_json_count(json, "rows", shape.rows);
    rg_json_count(json, "cols", shape.cols);
    rg_json_count(json, "channels", shape.channels);
    rg_json_real(json, "min", audit.min);
    rg_json_real(json, "max", audit.max);
    rg_json_real(json, "mean", audit.mean);
    rg_json_real(json, "deviation", audit.deviation);
    rg_json_count(json, "constant", audit.constant);
    rg_json_count(json, "copies", audit.copies);
    rg_json_count(json, "copies_other_class", audit.copies_other);
    rg_json_count(json, "targets", rg_arrays_n_columns(arrays, RG_TARGET));
    if (rg_arrays_n_columns(arrays, RG_CLASS)) {
        const int64_t *values = rg_arrays_class_values(arrays, 0, &n_values);
        status = add_counts(report, "classes", RG_NAME_CLASS, rg_arrays_classes(arrays, 0), n,
                            values, n_values, err);
    }
    return status;
}

rg_status rg_report_add_data(rg_report *report, rg_error *err)
{
    const rg_source *source = report->options->source;
    if (!source) {
        rg_report_none(&report->json, "data", report->options->no_source);
        return RG_OK;
    }
    rg_json_open(&report->json, "data", '{');
    rg_json_string(&report->json, "path", report->options->source_path);
    rg_status status = source->graphs ? add_graphs(report, err) : add_arrays(report, err);
    rg_json_close(&report->json, '{');
    return status;
}
