/* masks.c - see masks.h; and one fold from the masks of nodes. */
#include "masks.h"

#include "base/alloc.h"
#include "base/error.h"
#include "parts.h"

#include <string.h>

enum { N_PARTS = 3 };

static const char *const names[N_PARTS][6] = {
    {"train", "train_mask", "training"},
    {"validation", "valid", "val", "validation_mask", "valid_mask", "val_mask"},
    {"test", "test_mask"}};

static bool is_called(const char *name, rg_part_kind part)
{
    for (size_t k = 0; k < 6 && names[part][k]; k++)
        if (strcmp(name, names[part][k]) == 0)
            return true;
    return false;
}

const uint8_t *rg_node_mask(const rg_dataset *data, rg_part_kind part)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_MASK), named = 0;
    for (size_t c = 0; c < n; c++) {
        const char *name = rg_dataset_column_name(data, RG_NODE_MASK, c);
        if (name && is_called(name, part))
            return rg_dataset_mask(data, RG_NODE_MASK, c);
        named += name != NULL;
    }
    return n == N_PARTS && !named ? rg_dataset_mask(data, RG_NODE_MASK, part) : NULL;
}

rg_status rg_node_mask_find(const uint8_t **out, const rg_dataset *data, const char *part,
                            rg_error *err)
{
    size_t k = 0;
    *out = NULL;
    if (!part)
        return RG_OK;
    while (k < N_PARTS && strcmp(part, names[k][0]) != 0)
        k++;
    if (k == N_PARTS)
        return rg_fail(err, RG_EUSAGE, "part: found '%s', expected 'train', 'validation' or 'test'",
                       part);
    *out = data ? rg_node_mask(data, (rg_part_kind)k) : NULL;
    return *out ? RG_OK
                : rg_fail(err, RG_EUSAGE, "'%s' has no mask of nodes that is called %s",
                          data ? rg_dataset_name(data) : "arrays", part);
}

int rg_dataset_has_parts(const rg_dataset *data)
{
    return rg_node_mask(data, RG_PART_OF_TRAIN) != NULL;
}

size_t rg_dataset_part_size(const rg_dataset *data, const char *part)
{
    const uint8_t *mask;
    size_t n = 0;
    if (!part || rg_node_mask_find(&mask, data, part, NULL))
        return 0;
    for (uint64_t v = 0; v < rg_dataset_n_nodes(data); v++)
        n += mask[v];
    return n;
}

rg_status rg_splits_from_masks(rg_splits **out, const rg_dataset *data, rg_error *err)
{
    static const rg_part_kind order[RG_PARTS] = {[RG_PART_TEST] = RG_PART_OF_TEST,
                                                 [RG_PART_TRAIN] = RG_PART_OF_TRAIN,
                                                 [RG_PART_VALIDATION] = RG_PART_OF_VALIDATION};
    size_t n = rg_dataset_n_graphs(data), at = 0, room;
    if (!rg_dataset_has_parts(data))
        return rg_fail(err, RG_EDATA,
                       "'%s' has no mask of nodes that is called train: expected masks train, "
                       "validation and test",
                       rg_dataset_name(data));
    rg_splits *splits = rg_size_mul(&room, n, RG_PARTS) ? rg_splits_new(1, room) : NULL;
    if (!splits)
        return rg_fail_memory(err, "splits from masks");
    for (size_t p = 0; p < RG_PARTS; p++) {
        const uint8_t *mask = rg_node_mask(data, order[p]);
        for (size_t g = 0; mask && g < n; g++) {
            rg_graph graph = rg_dataset_graph(data, g);
            if (graph.n_nodes && memchr(mask + graph.first_node, 1, graph.n_nodes))
                splits->graphs[at++] = (uint32_t)g;
        }
        splits->start[p + 1] = at;
    }
    *out = splits;
    return RG_OK;
}
