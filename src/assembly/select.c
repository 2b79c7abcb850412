/* select.c - parts of data sets, and several as one. */
#include "base/alloc.h"
#include "base/error.h"
#include "graph/unpack.h"
#include "name_values.h"
#include "regula/build.h"

#include <string.h>

rg_status rg_dataset_select(rg_dataset **out, const rg_dataset *data, const uint32_t *graphs,
                            size_t n, rg_error *err)
{
    rg_raw raw = {.n_graphs = n};
    rg_unpack unpack;
    if (n && !graphs)
        return rg_fail(err, RG_EUSAGE, "found no list of graphs, expected %zu", n);
    for (size_t k = 0; k < n; k++)
        if (graphs[k] >= data->n_graphs)
            return rg_fail(err, RG_EUSAGE, "'%s' has %zu graphs: there is no graph %u", data->name,
                           data->n_graphs, (unsigned)graphs[k]);
    rg_status status = rg_unpack_open(&unpack, &raw, data, err);
    if (status)
        return status;
    raw.name = rg_copy_text(data->name, strlen(data->name));
    bool fine = raw.name && rg_unpack_names(&unpack);
    for (size_t k = 0; fine && k < n; k++)
        fine = rg_unpack_graph(&unpack, graphs[k], (uint32_t)k, NULL);
    rg_unpack_close(&unpack);
    if (fine)
        return rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    return rg_fail_memory(err, "selecting graphs");
}

/* ---- joining */

/* A set without edges, say, has no columns of them, and lacks none: the first set that has some
 * edges tells; NULL: there is none. */
static const rg_dataset *teller(const rg_dataset *const *sets, size_t n, rg_column kind)
{
    for (size_t s = 0; s < n; s++)
        if (rg_dataset_n_items(sets[s], kind))
            return sets[s];
    return NULL;
}

static rg_status check_columns(const rg_dataset *const *sets, size_t n, rg_error *err)
{
    for (int k = 0; k < RG_N_COLUMN_KINDS; k++) {
        rg_column kind = (rg_column)k;
        const rg_dataset *first = teller(sets, n, kind);
        for (size_t s = 0; first && s < n; s++) {
            size_t own = rg_dataset_n_columns(sets[s], kind);
            if (own != rg_dataset_n_columns(first, kind) && rg_dataset_n_items(sets[s], kind))
                return rg_fail(err, RG_EDATA, "'%s' has %zu columns of %s, expected %zu as in '%s'",
                               sets[s]->name, own, rg_column_words(kind),
                               rg_dataset_n_columns(first, kind), first->name);
        }
    }
    return RG_OK;
}

/* Equal names, equal values: changes the values of every set that is to be joined. */
static rg_status unify(rg_unpack *unpacks, size_t n, rg_column kind, size_t column, rg_error *err)
{
    rg_name_values known;
    rg_status status =
        rg_name_values_open(&known) ? RG_OK : rg_fail_memory(err, "joining data sets");
    size_t slot = rg_column_slot(kind);
    for (size_t s = 0; !status && s < n; s++) {
        const rg_dataset *data = unpacks[s].data;
        if (column < rg_dataset_n_columns(data, kind))
            status = rg_name_values_add_column(unpacks[s].values[slot] +
                                                   data->labels[slot].value_start[column],
                                               &known, data, kind, column, err);
    }
    rg_name_values_close(&known);
    return status;
}

static rg_status unify_all(rg_unpack *unpacks, size_t n, rg_error *err)
{
    rg_status status = RG_OK;
    for (int k = 0; !status && k < RG_N_COLUMN_KINDS; k++) {
        rg_column kind = (rg_column)k;
        size_t columns = 0;
        for (size_t s = 0; s < n; s++)
            if (rg_dataset_n_columns(unpacks[s].data, kind) > columns)
                columns = rg_dataset_n_columns(unpacks[s].data, kind);
        for (size_t c = 0; !status && rg_column_is_label(kind) && c < columns; c++)
            status = unify(unpacks, n, kind, c, err);
    }
    return status;
}

static bool add_set(rg_unpack *unpack)
{
    rg_raw *raw = unpack->raw;
    bool fine = rg_unpack_names(unpack);
    for (size_t g = 0; fine && g < unpack->data->n_graphs; g++)
        fine = rg_unpack_graph(unpack, g, (uint32_t)raw->n_graphs++, NULL);
    return fine;
}

/* Sets of more graphs or nodes than there are numbers must not wrap around. */
static rg_status check_total(const rg_dataset *const *sets, size_t n, rg_error *err)
{
    uint64_t graphs = 0, nodes = 0, arcs = 0;
    for (size_t s = 0; s < n; s++) {
        graphs += sets[s]->n_graphs;
        nodes += sets[s]->n_nodes;
        arcs += sets[s]->n_arcs;
    }
    if (graphs >= UINT32_MAX || nodes >= UINT32_MAX || arcs >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "found 2^32 or more nodes, graphs or edges, expected less");
    return RG_OK;
}

rg_status rg_dataset_join(rg_dataset **out, const char *name, const rg_dataset *const *sets,
                          size_t n, rg_error *err)
{
    rg_raw raw = {0};
    size_t n_open = 0;
    if (!n || !sets)
        return rg_fail(err, RG_EUSAGE, "found no data set, expected at least one to join");
    for (size_t s = 1; s < n; s++)
        if (sets[s]->sequence != sets[0]->sequence)
            return rg_fail(err, RG_EDATA,
                           "'%s' and '%s' are not both sequences of words, of letters, or graphs",
                           sets[0]->name, sets[s]->name);
    rg_status status = check_columns(sets, n, err);
    if (!status)
        status = check_total(sets, n, err);
    if (status)
        return status;
    rg_unpack *unpacks = rg_alloc_zero(n, sizeof *unpacks);
    name = name ? name : sets[0]->name;
    raw.name = rg_copy_text(name, strlen(name));
    if (!unpacks || !raw.name)
        status = rg_fail_memory(err, "joining data sets");
    for (; !status && n_open < n; n_open += !status)
        status = rg_unpack_open(&unpacks[n_open], &raw, sets[n_open], err);
    if (!status)
        status = unify_all(unpacks, n, err);
    for (size_t s = 0; !status && s < n; s++)
        status = add_set(&unpacks[s]) ? RG_OK : rg_fail_memory(err, "joining data sets");
    for (size_t s = 0; s < n_open; s++)
        rg_unpack_close(&unpacks[s]);
    rg_free(unpacks);
    if (!status)
        return rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    return status;
}
