/* dataset.c - looking into a data set; build.c makes one. */
#include "dataset.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"

#include <assert.h>

_Static_assert(RG_DIGEST_SIZE == RG_DIGEST_TEXT, "public and internal size of a digest");

void rg_dataset_free(rg_dataset *data)
{
    if (data)
        rg_free(data->block);
}

size_t rg_column_item(rg_column kind)
{
    switch (kind) {
    case RG_NODE_LABEL:
    case RG_NODE_ATTRIBUTE:
        return 0;
    case RG_EDGE_LABEL:
    case RG_EDGE_ATTRIBUTE:
        return 1;
    default:
        return 2;
    }
}

int rg_column_is_label(rg_column kind)
{
    return kind == RG_NODE_LABEL || kind == RG_EDGE_LABEL || kind == RG_CLASS;
}

const char *rg_dataset_name(const rg_dataset *data)
{
    return data->name;
}

size_t rg_dataset_n_graphs(const rg_dataset *data)
{
    return data->n_graphs;
}

uint64_t rg_dataset_n_nodes(const rg_dataset *data)
{
    return data->n_nodes;
}

uint64_t rg_dataset_n_arcs(const rg_dataset *data)
{
    return data->n_arcs;
}

size_t rg_dataset_bytes(const rg_dataset *data)
{
    return data->bytes;
}

const rg_quirks *rg_dataset_quirks(const rg_dataset *data)
{
    return &data->quirks;
}

size_t rg_dataset_n_columns(const rg_dataset *data, rg_column kind)
{
    size_t item = rg_column_item(kind);
    return rg_column_is_label(kind) ? data->labels[item].n_columns : data->reals[item].n_columns;
}

rg_graph rg_dataset_graph(const rg_dataset *data, size_t graph)
{
    assert(graph < data->n_graphs);
    uint64_t first = data->graph_start[graph], end = data->graph_start[graph + 1];
    return (rg_graph){
        .n_nodes = (uint32_t)(end - first),
        .n_arcs = data->row[end] - data->row[first],
        .first_node = first,
        .row = data->row + first,
        .col = data->col,
    };
}

static size_t n_items(const rg_dataset *data, rg_column kind)
{
    size_t counts[3] = {(size_t)data->n_nodes, (size_t)data->n_arcs, data->n_graphs};
    return counts[rg_column_item(kind)];
}

const uint32_t *rg_dataset_ranks(const rg_dataset *data, rg_column kind, size_t column)
{
    const rg_label_columns *labels = &data->labels[rg_column_item(kind)];
    assert(rg_column_is_label(kind) && column < labels->n_columns);
    return labels->ranks + column * n_items(data, kind);
}

const int64_t *rg_dataset_values(const rg_dataset *data, rg_column kind, size_t column, size_t *n)
{
    const rg_label_columns *labels = &data->labels[rg_column_item(kind)];
    assert(rg_column_is_label(kind) && column < labels->n_columns);
    *n = labels->value_start[column + 1] - labels->value_start[column];
    return labels->values + labels->value_start[column];
}

const double *rg_dataset_reals(const rg_dataset *data, rg_column kind)
{
    assert(!rg_column_is_label(kind));
    const rg_real_columns *reals = &data->reals[rg_column_item(kind)];
    return reals->n_columns ? reals->data : NULL;
}

rg_status rg_dataset_target(rg_column *out, const rg_dataset *data, rg_target_choice choice,
                            rg_error *err)
{
    size_t n_classes = rg_dataset_n_columns(data, RG_CLASS);
    size_t n_reals = rg_dataset_n_columns(data, RG_TARGET);
    if (choice != RG_TARGET_REAL && n_classes) {
        *out = RG_CLASS;
        return RG_OK;
    }
    if (choice != RG_TARGET_CLASS && n_reals) {
        *out = RG_TARGET;
        return RG_OK;
    }
    return rg_fail(err, RG_EDATA, "'%s' has %s, expected %s", data->name,
                   n_classes ? "classes only"
                   : n_reals ? "real-valued targets only"
                             : "no targets",
                   choice == RG_TARGET_REAL    ? "real-valued targets"
                   : choice == RG_TARGET_CLASS ? "classes"
                                               : "classes or real-valued targets");
}

/* Values, not ranks alone, go in: two sets with other label values are other sets. */
static void digest_labels(rg_digest *digest, const rg_dataset *data, rg_column kind)
{
    size_t columns = rg_dataset_n_columns(data, kind);
    rg_digest_u64(digest, columns);
    for (size_t c = 0; c < columns; c++) {
        size_t n;
        const int64_t *values = rg_dataset_values(data, kind, c, &n);
        rg_digest_u64(digest, n);
        for (size_t k = 0; k < n; k++)
            rg_digest_u64(digest, (uint64_t)values[k]);
        rg_digest_u32_array(digest, rg_dataset_ranks(data, kind, c), n_items(data, kind));
    }
}

static void digest_reals(rg_digest *digest, const rg_dataset *data, rg_column kind)
{
    size_t columns = rg_dataset_n_columns(data, kind);
    rg_digest_u64(digest, columns);
    rg_digest_real_array(digest, rg_dataset_reals(data, kind), columns * n_items(data, kind));
}

void rg_dataset_digest(const rg_dataset *data, char out[RG_DIGEST_SIZE])
{
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_text(&digest, "regula data set 1");
    rg_digest_u64(&digest, data->n_graphs);
    for (size_t g = 0; g <= data->n_graphs; g++)
        rg_digest_u64(&digest, data->graph_start[g]);
    for (uint64_t i = 0; i <= data->n_nodes; i++)
        rg_digest_u64(&digest, data->row[i]);
    rg_digest_u32_array(&digest, data->col, (size_t)data->n_arcs);
    digest_labels(&digest, data, RG_NODE_LABEL);
    digest_labels(&digest, data, RG_EDGE_LABEL);
    digest_labels(&digest, data, RG_CLASS);
    digest_reals(&digest, data, RG_NODE_ATTRIBUTE);
    digest_reals(&digest, data, RG_EDGE_ATTRIBUTE);
    digest_reals(&digest, data, RG_TARGET);
    rg_digest_finish(&digest, out);
}
