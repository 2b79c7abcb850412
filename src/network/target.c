/* target.c - what is learned: from columns of the data to outputs of the network. */
#include "base/alloc.h"
#include "base/error.h"
#include "samples.h"

#include <math.h>
#include <string.h>

rg_column rg_network_target_kind(const rg_network *net)
{
    return net->task == RG_TASK_NODES         ? (net->node_classes ? RG_NODE_CLASS : RG_NODE_LABEL)
           : net->task == RG_TASK_NODE_VALUES ? RG_NODE_TARGET
           : net->task == RG_TASK_VALUES      ? RG_TARGET
                                              : RG_CLASS;
}

size_t rg_source_columns(const rg_source *source, rg_column kind)
{
    return source->graphs ? rg_dataset_n_columns(source->graphs, kind)
                          : rg_arrays_n_columns(source->arrays, kind);
}

rg_column rg_source_target_kind(const rg_source *source, rg_task task)
{
    if (task == RG_TASK_NODES)
        return source->graphs && rg_dataset_n_columns(source->graphs, RG_NODE_CLASS)
                   ? RG_NODE_CLASS
                   : RG_NODE_LABEL;
    return task == RG_TASK_NODE_VALUES ? RG_NODE_TARGET
           : task == RG_TASK_VALUES    ? RG_TARGET
                                       : RG_CLASS;
}

const uint8_t *rg_source_node_mask(const rg_source *source, rg_part_kind part)
{
    return source->graphs ? rg_node_mask(source->graphs, part) : NULL;
}

static const int64_t *class_values(const rg_source *source, rg_column kind, size_t column,
                                   size_t *n)
{
    if (source->arrays)
        return rg_arrays_class_values(source->arrays, column, n);
    return rg_dataset_values(source->graphs, kind, column, n);
}

static const uint32_t *class_ranks(const rg_source *source, rg_column kind, size_t column)
{
    if (source->arrays)
        return rg_arrays_classes(source->arrays, column);
    return rg_dataset_ranks(source->graphs, kind, column);
}

const uint32_t *rg_source_classes(const rg_source *source, rg_column kind, size_t column, size_t *n)
{
    class_values(source, kind, column, n);
    return class_ranks(source, kind, column);
}

/* ---- which task */

/* Have the columns that are asked for at most two classes each? */
static bool all_binary(const rg_spec *spec, const rg_source *source)
{
    size_t there = rg_source_columns(source, RG_CLASS), n;
    for (size_t k = 0; k < (spec->n_targets ? spec->n_targets : there); k++) {
        size_t column = spec->n_targets ? spec->targets[k] : k;
        if (column >= there)
            continue; /* the check of the columns complains */
        class_values(source, RG_CLASS, column, &n);
        if (n > 2)
            return false;
    }
    return true;
}

static rg_status choose_task(rg_network *net, const rg_source *source, rg_error *err)
{
    size_t n_classes = rg_source_columns(source, RG_CLASS),
           n_reals = rg_source_columns(source, RG_TARGET);
    net->task = net->spec->task;
    if (net->task != RG_TASK_AUTO)
        return RG_OK;
    if (n_classes == 1 || (n_classes > 1 && net->spec->n_targets == 1))
        net->task = RG_TASK_CLASSES;
    else if (n_classes > 1 && all_binary(net->spec, source))
        net->task = RG_TASK_MULTILABEL;
    else if (n_classes > 1)
        return rg_fail(err, RG_EDATA,
                       "'%s' has %zu columns of classes: 'target' must say which one to learn",
                       rg_source_name(source), n_classes);
    else if (n_reals)
        net->task = RG_TASK_VALUES;
    else if (source->graphs && rg_dataset_n_columns(source->graphs, RG_NODE_CLASS))
        net->task = RG_TASK_NODES;
    else if (source->graphs && rg_dataset_n_columns(source->graphs, RG_NODE_TARGET))
        net->task = RG_TASK_NODE_VALUES;
    else
        return rg_fail(err, RG_EDATA,
                       "'%s' has neither classes nor real targets: there is nothing to learn",
                       rg_source_name(source));
    net->spec->task = net->task;
    return RG_OK;
}

/* ---- which columns, and their classes */

static rg_status copy_classes(rg_net_classes *out, const rg_network *net, const rg_source *source,
                              rg_error *err)
{
    size_t n;
    rg_column kind = rg_network_target_kind(net);
    const int64_t *values = class_values(source, kind, out->column, &n);
    if (n < 2)
        return rg_fail(err, RG_EDATA,
                       "column %u of the %s of '%s' has %zu class%s: expected at least two",
                       (unsigned)out->column,
                       kind == RG_NODE_LABEL   ? "node labels"
                       : kind == RG_NODE_CLASS ? "classes of nodes"
                                               : "classes",
                       rg_source_name(source), n, n == 1 ? "" : "es");
    if (net->task == RG_TASK_MULTILABEL && n > 2)
        return rg_fail(err, RG_EDATA,
                       "column %u of the classes of '%s' has %zu values: a multi-label target has "
                       "two",
                       (unsigned)out->column, rg_source_name(source), n);
    out->values = rg_alloc(n, sizeof *values);
    if (!out->values)
        return rg_fail_memory(err, "the classes of a network");
    memcpy(out->values, values, n * sizeof *values);
    out->n = n;
    return RG_OK;
}

rg_status rg_network_resolve_targets(rg_network *net, const rg_source *source, rg_error *err)
{
    rg_spec *spec = net->spec;
    rg_status status = choose_task(net, source, err);
    if (status)
        return status;
    bool one = rg_task_of_classes(net->task);
    rg_column kind = rg_source_target_kind(source, net->task);
    net->node_classes = kind == RG_NODE_CLASS;
    bool possible = source->graphs || !rg_task_on_nodes(net->task);
    size_t there = possible ? rg_source_columns(source, kind) : 0;
    net->n_targets = spec->n_targets ? spec->n_targets : one ? 1 : there;
    if (there == 0)
        return rg_fail(err, RG_EDATA, "'%s' has no %s: the task '%s' needs them",
                       rg_source_name(source),
                       kind == RG_NODE_LABEL    ? "node labels"
                       : kind == RG_NODE_TARGET ? "real targets of nodes"
                       : kind == RG_TARGET      ? "real targets"
                                                : "classes",
                       rg_task_name(net->task));
    if (net->n_targets > RG_SPEC_TARGETS_MAX || (one && net->n_targets > 1))
        return rg_fail(err, RG_EDATA,
                       "'%s' has %zu columns for the task %s, and the network needs %zu",
                       rg_source_name(source), there, rg_task_name(net->task), net->n_targets);
    for (size_t k = 0; !status && k < net->n_targets; k++) {
        net->targets[k].column = spec->n_targets ? spec->targets[k] : (uint32_t)k;
        if (net->targets[k].column >= there)
            return rg_fail(err, RG_EDATA, "'%s' has %zu columns for the task %s: there is no %u",
                           rg_source_name(source), there, rg_task_name(net->task),
                           (unsigned)net->targets[k].column);
        spec->targets[k] = net->targets[k].column;
        if (kind != RG_TARGET && kind != RG_NODE_TARGET)
            status = copy_classes(&net->targets[k], net, source, err);
    }
    spec->n_targets = net->n_targets;
    net->n_outputs = one && !status ? (uint32_t)net->targets[0].n : (uint32_t)net->n_targets;
    return status;
}

/* ---- targets of the samples of any data */

/* For each rank in the data the class of the network; RG_NO_CLASS: it has no such class. Owned. */
static uint32_t *map_classes(const rg_net_classes *known, const int64_t *values, size_t n)
{
    uint32_t *map = rg_alloc(n, sizeof *map);
    for (size_t r = 0, k = 0; map && r < n; r++) {
        while (k < known->n && known->values[k] < values[r])
            k++;
        map[r] = k < known->n && known->values[k] == values[r] ? (uint32_t)k : RG_NO_CLASS;
    }
    return map;
}

/* The class of the network behind a rank in the data; that of a node may be new without notice. */
static uint32_t class_of(rg_samples *s, const uint32_t *map, const int64_t *values, uint32_t rank)
{
    if (rank == RG_NO_CLASS)
        return RG_NO_CLASS;
    if (map[rank] == RG_NO_CLASS && s->net->task != RG_TASK_NODES && !s->has_new_class) {
        s->has_new_class = true;
        s->new_class = values[rank];
    }
    return map[rank];
}

/* Classes of graphs or nodes; missing stay RG_NO_CLASS. */
static rg_status read_classes(rg_samples *s, rg_error *err)
{
    const rg_net_classes *known = &s->net->targets[0];
    rg_column kind = rg_network_target_kind(s->net);
    size_t n_values;
    const int64_t *values = class_values(&s->source, kind, known->column, &n_values);
    const uint32_t *rank = class_ranks(&s->source, kind, known->column);
    uint64_t n = s->net->task == RG_TASK_NODES ? rg_dataset_n_nodes(s->source.graphs) : s->n;
    uint32_t *map = map_classes(known, values, n_values);
    s->classes = rg_alloc((size_t)n, sizeof *s->classes);
    rg_status status = map && s->classes ? RG_OK : rg_fail_memory(err, "the classes of samples");
    for (uint64_t k = 0; !status && k < n; k++)
        s->classes[k] = class_of(s, map, values, rank[k]);
    rg_free(map);
    return status;
}

/* Yes or no as 1 or 0; missing are NaN. */
static rg_status read_answers(rg_samples *s, size_t c, rg_error *err)
{
    const rg_net_classes *known = &s->net->targets[c];
    size_t n_values;
    const int64_t *values = class_values(&s->source, RG_CLASS, known->column, &n_values);
    const uint32_t *rank = class_ranks(&s->source, RG_CLASS, known->column);
    uint32_t *map = map_classes(known, values, n_values);
    if (!map)
        return rg_fail_memory(err, "the classes of samples");
    for (size_t k = 0; k < s->n; k++) {
        uint32_t own = class_of(s, map, values, rank[k]);
        s->reals[k * s->net->n_targets + c] = own == RG_NO_CLASS ? (double)NAN : (double)own;
    }
    rg_free(map);
    return RG_OK;
}

static void read_reals(rg_samples *s, size_t n_rows, size_t c)
{
    rg_column kind = rg_network_target_kind(s->net);
    size_t n = rg_source_columns(&s->source, kind);
    const double *all = s->source.graphs ? rg_dataset_reals(s->source.graphs, kind)
                                         : rg_arrays_reals(s->source.arrays);
    for (size_t k = 0; k < n_rows; k++)
        s->reals[k * s->net->n_targets + c] = all[k * n + s->net->targets[c].column];
}

/* Does the data have the columns that the network learned? */
static bool has_targets(const rg_samples *s)
{
    rg_column kind = rg_network_target_kind(s->net);
    if (rg_task_on_nodes(s->net->task) && !s->source.graphs)
        return false;
    for (size_t c = 0; c < s->net->n_targets; c++)
        if (s->net->targets[c].column >= rg_source_columns(&s->source, kind))
            return false;
    return true;
}

rg_status rg_samples_read_targets(rg_samples *s, rg_error *err)
{
    s->has_targets = has_targets(s);
    if (!s->has_targets)
        return RG_OK;
    if (rg_task_of_classes(s->net->task))
        return read_classes(s, err);
    size_t n_rows =
        rg_task_on_nodes(s->net->task) ? (size_t)rg_dataset_n_nodes(s->source.graphs) : s->n;
    s->reals = rg_alloc(n_rows, s->net->n_targets * sizeof *s->reals);
    if (!s->reals)
        return rg_fail_memory(err, "the targets of samples");
    rg_status status = RG_OK;
    for (size_t c = 0; !status && c < s->net->n_targets; c++)
        if (s->net->task == RG_TASK_MULTILABEL)
            status = read_answers(s, c, err);
        else
            read_reals(s, n_rows, c);
    return status;
}

rg_status rg_samples_check_targets(const rg_samples *s, rg_error *err)
{
    if (!s->has_targets)
        return rg_fail(err, RG_EDATA, "'%s' does not have the targets of the task '%s'",
                       rg_source_name(&s->source), rg_task_name(s->net->task));
    if (s->has_new_class)
        return rg_fail(err, RG_EDATA,
                       "'%s' has a sample of class %lld, which the model does not know",
                       rg_source_name(&s->source), (long long)s->new_class);
    return RG_OK;
}
