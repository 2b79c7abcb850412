/* model_tables.c - tables of pairs in model files, and given to a model. */
#include "base/alloc.h"
#include "base/error.h"
#include "model.h"
#include "property/pair_table.h"

#include <stdio.h>
#include <string.h>

/* "table.K.PART" */
static rg_tensor_name name_of(size_t k, const char *part)
{
    rg_tensor_name name;
    snprintf(name.text, sizeof name.text, "table.%zu.%s", k, part);
    return name;
}

static rg_status put(rg_tensors *set, size_t k, const char *part, rg_dtype dtype, const void *data,
                     size_t n, rg_error *err)
{
    rg_tensor_name name = name_of(k, part);
    rg_tensor tensor = {.name = name.text, .dtype = dtype, .n_dims = 1, .data = data};
    tensor.shape[0] = n;
    return rg_tensors_add(set, &tensor, err);
}

rg_status rg_model_put_tables(rg_tensors *set, const rg_network *net, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < net->spec->n_tables; k++) {
        rg_pair_table *t = net->tables[k];
        size_t n = t->info.n_samples, n_entries = (size_t)t->info.n_entries;
        t->head[0] = t->info.n_places;
        t->head[1] = t->info.exact;
        t->head[2] = t->info.per_sample;
        status = put(set, k, "head", RG_DTYPE_I64, t->head, 3, err);
        if (!status)
            status = put(set, k, "rows", RG_DTYPE_U32, t->rows, n, err);
        if (!status)
            status = put(set, k, "cols", RG_DTYPE_U32, t->cols, n, err);
        if (!status)
            status = put(set, k, "start", RG_DTYPE_I64, t->start, n + 1, err);
        if (!status)
            status = put(set, k, "pairs", RG_DTYPE_I64, t->key, n_entries, err);
        if (!status)
            status = put(set, k, "values", RG_DTYPE_I64, t->value, n_entries, err);
        if (!status && net->tables_of[k][0])
            status = put(set, k, "data", RG_DTYPE_U8, net->tables_of[k], RG_DIGEST_SIZE - 1, err);
    }
    return status;
}

/* One dimension, of any length if *n is SIZE_MAX. */
static rg_status get(const void **out, const rg_tensors *set, size_t k, const char *part,
                     rg_dtype dtype, size_t *n, rg_error *err)
{
    rg_tensor_name name = name_of(k, part);
    const rg_tensor *tensor = rg_tensors_get(set, name.text);
    if (*n == SIZE_MAX)
        *n = tensor && tensor->n_dims == 1 ? tensor->shape[0] : 0;
    return rg_tensors_find(out, set, name.text, dtype, 1, n, err);
}

static rg_status read_table(rg_pair_table **out, const rg_tensors *set, size_t k, rg_error *err)
{
    const void *head, *rows, *cols, *start, *pairs, *values;
    size_t three = 3, n = SIZE_MAX, n_entries = SIZE_MAX;
    rg_pair_table *t = NULL;
    rg_status status = get(&head, set, k, "head", RG_DTYPE_I64, &three, err);
    if (!status)
        status = get(&rows, set, k, "rows", RG_DTYPE_U32, &n, err);
    size_t ends = n + 1;
    if (!status && (n == 0 || n >= UINT32_MAX))
        return rg_fail(err, RG_EDATA, "it has %zu samples", n);
    if (!status)
        status = get(&cols, set, k, "cols", RG_DTYPE_U32, &n, err);
    if (!status)
        status = get(&start, set, k, "start", RG_DTYPE_I64, &ends, err);
    if (!status)
        status = get(&pairs, set, k, "pairs", RG_DTYPE_I64, &n_entries, err);
    if (!status)
        status = get(&values, set, k, "values", RG_DTYPE_I64, &n_entries, err);
    if (!status)
        status = rg_pair_table_room(&t, n, n_entries, err);
    if (status)
        return status;
    const int64_t *kind = head;
    memcpy(t->rows, rows, n * sizeof *t->rows);
    memcpy(t->cols, cols, n * sizeof *t->cols);
    memcpy(t->start, start, ends * sizeof *t->start);
    if (n_entries) {
        memcpy(t->key, pairs, n_entries * sizeof *t->key);
        memcpy(t->value, values, n_entries * sizeof *t->value);
    }
    t->info.n_places = (int)kind[0];
    t->info.exact = kind[1] != 0;
    t->info.per_sample = kind[2] != 0;
    if ((kind[0] != 1 && kind[0] != 2) || (!t->info.per_sample && n != 1))
        status = rg_fail(err, RG_EDATA, "its head is out of range");
    if (!status)
        status = rg_pair_table_check(t, err);
    if (status)
        rg_pair_table_free(t);
    else
        *out = t;
    return status;
}

rg_status rg_model_read_tables(rg_network *net, const char *path, const rg_tensors *set,
                               rg_error *err)
{
    for (size_t k = 0; k < net->spec->n_tables; k++) {
        size_t n = RG_DIGEST_SIZE - 1;
        const void *digest;
        rg_error inner;
        rg_status status = read_table(&net->tables[k], set, k, &inner);
        if (!status && net->tables[k]->info.per_sample) {
            status = get(&digest, set, k, "data", RG_DTYPE_U8, &n, &inner);
            if (!status)
                memcpy(net->tables_of[k], digest, n);
        }
        if (status)
            return rg_fail(err, status, "%s: the table '%s': %s", path, net->spec->table_names[k],
                           inner.message);
    }
    return RG_OK;
}

rg_status rg_model_set_table(rg_model *model, const char *name, const rg_pair_table *table,
                             const rg_source *source, rg_error *err)
{
    const rg_spec *spec = model->net->spec;
    rg_pair_table *own = NULL;
    size_t k = 0;
    while (k < spec->n_tables && strcmp(spec->table_names[k], name) != 0)
        k++;
    if (k == spec->n_tables)
        return rg_fail(err, RG_EUSAGE, "the model has no table '%s'", name);
    if (model->members)
        return rg_fail(err, RG_EUSAGE,
                       "the model has several networks: tables of other data are for one alone");
    rg_status status = rg_pair_table_copy(&own, table, err);
    if (!status)
        status = rg_network_set_table(model->net, k, own, source, err);
    if (status)
        rg_pair_table_free(own);
    return status;
}
