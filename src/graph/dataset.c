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

/* Everything about a kind of column. */
static const struct {
    size_t item, slot;
    int is_label, is_mask;
    const char *words;
} kinds[RG_N_COLUMN_KINDS] = {
    [RG_NODE_LABEL] = {0, 0, 1, 0, "node labels"},
    [RG_EDGE_LABEL] = {1, 1, 1, 0, "edge labels"},
    [RG_CLASS] = {2, 2, 1, 0, "classes"},
    [RG_NODE_CLASS] = {0, 3, 1, 0, "classes of nodes"},
    [RG_EDGE_CLASS] = {1, 4, 1, 0, "classes of edges"},
    [RG_NODE_ATTRIBUTE] = {0, 0, 0, 0, "node attributes"},
    [RG_EDGE_ATTRIBUTE] = {1, 1, 0, 0, "edge attributes"},
    [RG_TARGET] = {2, 2, 0, 0, "targets"},
    [RG_NODE_TARGET] = {0, 3, 0, 0, "targets of nodes"},
    [RG_EDGE_TARGET] = {1, 4, 0, 0, "targets of edges"},
    [RG_NODE_MASK] = {0, 0, 0, 1, "masks of nodes"},
    [RG_EDGE_MASK] = {1, 1, 0, 1, "masks of edges"},
    [RG_MASK] = {2, 2, 0, 1, "masks of graphs"},
};

const char *rg_column_words(rg_column kind)
{
    return kinds[kind].words;
}

size_t rg_column_item(rg_column kind)
{
    return kinds[kind].item;
}

int rg_column_is_label(rg_column kind)
{
    return kinds[kind].is_label;
}

int rg_column_is_mask(rg_column kind)
{
    return kinds[kind].is_mask;
}

size_t rg_column_slot(rg_column kind)
{
    return kinds[kind].slot;
}

size_t rg_slot_item(size_t slot)
{
    return slot < 3 ? slot : slot - 3;
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
    if (rg_column_is_mask(kind))
        return data->masks[rg_column_item(kind)].n_columns;
    size_t slot = rg_column_slot(kind);
    return rg_column_is_label(kind) ? data->labels[slot].n_columns : data->reals[slot].n_columns;
}

const uint64_t *rg_dataset_first_nodes(const rg_dataset *data)
{
    return data->graph_start;
}

const uint64_t *rg_dataset_first_arcs(const rg_dataset *data)
{
    return data->row;
}

const uint32_t *rg_dataset_neighbours(const rg_dataset *data)
{
    return data->col;
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

size_t rg_dataset_n_items(const rg_dataset *data, rg_column kind)
{
    size_t counts[3] = {(size_t)data->n_nodes, (size_t)data->n_arcs, data->n_graphs};
    return counts[rg_column_item(kind)];
}

const uint32_t *rg_dataset_ranks(const rg_dataset *data, rg_column kind, size_t column)
{
    const rg_label_columns *labels = &data->labels[rg_column_slot(kind)];
    assert(rg_column_is_label(kind) && column < labels->n_columns);
    return labels->ranks + column * rg_dataset_n_items(data, kind);
}

const int64_t *rg_dataset_values(const rg_dataset *data, rg_column kind, size_t column, size_t *n)
{
    const rg_label_columns *labels = &data->labels[rg_column_slot(kind)];
    assert(rg_column_is_label(kind) && column < labels->n_columns);
    *n = labels->value_start[column + 1] - labels->value_start[column];
    return labels->values + labels->value_start[column];
}

const double *rg_dataset_reals(const rg_dataset *data, rg_column kind)
{
    assert(!rg_column_is_label(kind) && !rg_column_is_mask(kind));
    const rg_real_columns *reals = &data->reals[rg_column_slot(kind)];
    return reals->n_columns ? reals->data : NULL;
}

const uint8_t *rg_dataset_mask(const rg_dataset *data, rg_column kind, size_t column)
{
    const rg_mask_columns *masks = &data->masks[rg_column_item(kind)];
    assert(rg_column_is_mask(kind) && column < masks->n_columns);
    return masks->data + column * rg_dataset_n_items(data, kind);
}

/* ---- names */

static const char *name_at(const rg_dataset *data, const size_t *places, size_t k)
{
    return places && places[k] ? data->names.text + places[k] : NULL;
}

const char *rg_dataset_value_name(const rg_dataset *data, rg_column kind, size_t column,
                                  size_t rank)
{
    size_t slot = rg_column_slot(kind);
    const rg_label_columns *labels = &data->labels[slot];
    assert(rg_column_is_label(kind) && column < labels->n_columns);
    assert(rank < labels->value_start[column + 1] - labels->value_start[column]);
    return name_at(data, data->names.values[slot], labels->value_start[column] + rank);
}

const char *rg_dataset_column_name(const rg_dataset *data, rg_column kind, size_t column)
{
    assert(column < rg_dataset_n_columns(data, kind));
    return name_at(data, data->names.columns[kind], column);
}

const char *rg_dataset_graph_name(const rg_dataset *data, size_t graph)
{
    assert(graph < data->n_graphs);
    return name_at(data, data->names.graphs, graph);
}

/* ---- targets and digest */

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
        rg_digest_u32_array(digest, rg_dataset_ranks(data, kind, c),
                            rg_dataset_n_items(data, kind));
    }
}

static void digest_reals(rg_digest *digest, const rg_dataset *data, rg_column kind)
{
    size_t columns = rg_dataset_n_columns(data, kind);
    rg_digest_u64(digest, columns);
    rg_digest_real_array(digest, rg_dataset_reals(data, kind),
                         columns * rg_dataset_n_items(data, kind));
}

static void digest_masks(rg_digest *digest, const rg_dataset *data, rg_column kind)
{
    const rg_mask_columns *masks = &data->masks[rg_column_item(kind)];
    rg_digest_u64(digest, masks->n_columns);
    rg_digest_bytes(digest, masks->data, masks->n_columns * rg_dataset_n_items(data, kind));
}

/* What came later goes in only where it is there: the digests of all other sets stay. */
static void digest_more(rg_digest *digest, const rg_dataset *data)
{
    for (int kind = RG_NODE_CLASS; kind < RG_N_COLUMN_KINDS; kind++) {
        if (!rg_dataset_n_columns(data, (rg_column)kind))
            continue;
        rg_digest_u64(digest, (uint64_t)kind);
        if (rg_column_is_label((rg_column)kind))
            digest_labels(digest, data, (rg_column)kind);
        else if (rg_column_is_mask((rg_column)kind))
            digest_masks(digest, data, (rg_column)kind);
        else
            digest_reals(digest, data, (rg_column)kind);
    }
}

rg_sequence rg_dataset_sequence(const rg_dataset *data)
{
    return data->sequence;
}

int64_t rg_token_value(const char *text, size_t n)
{
    const unsigned char *t = (const unsigned char *)text;
    const uint64_t after_letters = 0x110000, mask = (UINT64_C(1) << 52) - 1;
    size_t length = n == 0 || t[0] < 0x80 ? 1 : t[0] < 0xe0 ? 2 : t[0] < 0xf0 ? 3 : 4;
    if (n == 1 && t[0] < 0x80)
        return t[0];
    if (n == length && t[0] >= 0xc2 && t[0] < 0xf5) { /* one letter of several bytes */
        uint32_t letter = t[0] & (0xffu >> (n + 1));
        for (size_t k = 1; k < n; k++)
            letter = letter << 6 | (t[k] & 0x3fu);
        return letter;
    }
    uint64_t value = rg_hash(text, n, 0) & mask;
    return (int64_t)(value < after_letters ? value + after_letters : value);
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
    digest_more(&digest, data);
    if (data->sequence)
        rg_digest_text(&digest, data->sequence == RG_SEQUENCE_WORDS ? "words" : "chars");
    rg_digest_finish(&digest, out);
}
