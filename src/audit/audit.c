/* audit.c - counts of a set: one pass over its graphs, then the search for copies. */
#include "regula/audit.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "copies.h"
#include "diameter.h"

RG_DEFINE_INIT(rg_audit_options, RG_AUDIT_OPTIONS_INIT)

typedef struct set_survey {
    const rg_dataset *data;
    const rg_audit_options *options;
    rg_progress progress;
    rg_diameter *diameter;  /* by graph */
    rg_diameter_work *work; /* by worker */
} set_survey;

static rg_status survey_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    set_survey *s = context;
    rg_graph g = rg_dataset_graph(s->data, index);
    rg_progress_tell(&s->progress, worker, index, rg_dataset_n_graphs(s->data));
    return rg_diameter_find(&s->diameter[index], &g, s->options->diameter_budget, &s->work[worker],
                            err);
}

static void range_add(rg_range *range, uint64_t value, bool first)
{
    if (first || value < range->min)
        range->min = value;
    if (value > range->max)
        range->max = value;
    range->total += value;
}

static double mean(uint64_t total, uint64_t n)
{
    return n ? (double)total / (double)n : 0.0;
}

static void count_degrees(rg_audit *audit, const rg_graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint64_t degree = g->row[i + 1] - g->row[i];
        audit->isolated_nodes += degree == 0;
        if (degree > audit->max_degree)
            audit->max_degree = degree;
    }
}

static void count_graphs(rg_audit *audit, const rg_dataset *data, const rg_diameter *diameter)
{
    size_t n = rg_dataset_n_graphs(data);
    for (size_t k = 0; k < n; k++) {
        rg_graph g = rg_dataset_graph(data, k);
        uint64_t edges = g.n_arcs / 2;
        range_add(&audit->nodes, g.n_nodes, k == 0);
        range_add(&audit->edges, edges, k == 0);
        range_add(&audit->diameter, diameter[k].diameter, k == 0);
        range_add(&audit->diameter_connected,
                  diameter[k].components == 1 ? diameter[k].diameter : 0, k == 0);
        audit->bounded_diameters += diameter[k].bounded;
        audit->empty_graphs += g.n_nodes == 0;
        audit->connected_graphs += diameter[k].components == 1;
        audit->disconnected_graphs += diameter[k].components > 1;
        audit->trees += diameter[k].components == 1 && edges + 1 == g.n_nodes;
        count_degrees(audit, &g);
    }
    audit->nodes.mean = mean(audit->nodes.total, n);
    audit->edges.mean = mean(audit->edges.total, n);
    audit->diameter.mean = mean(audit->diameter.total, n);
    audit->diameter_connected.mean = mean(audit->diameter_connected.total, n);
    audit->mean_degree = mean(rg_dataset_n_arcs(data), rg_dataset_n_nodes(data));
}

/* Do the targets of two graphs differ? One that is not known differs from none. */
static bool targets_differ(const rg_dataset *data, size_t a, size_t b)
{
    size_t n_classes = rg_dataset_n_columns(data, RG_CLASS);
    for (size_t c = 0; c < n_classes; c++) {
        const uint32_t *rank = rg_dataset_ranks(data, RG_CLASS, c);
        if (rank[a] != rank[b] && rank[a] != RG_NO_CLASS && rank[b] != RG_NO_CLASS)
            return true;
    }
    size_t n_targets = n_classes ? 0 : rg_dataset_n_columns(data, RG_TARGET);
    const double *value = rg_dataset_reals(data, RG_TARGET);
    for (size_t c = 0; c < n_targets; c++) {
        double x = value[a * n_targets + c], y = value[b * n_targets + c];
        if (x < y || x > y) /* false where one is not known */
            return true;
    }
    return false;
}

static rg_status count_copies(rg_audit *audit, const rg_dataset *data, const rg_copies *copies,
                              rg_error *err)
{
    size_t n = rg_dataset_n_graphs(data);
    uint32_t *size = rg_alloc_zero(n, sizeof *size); /* of the group, at its first graph */
    if (!size)
        return rg_fail_memory(err, "counting copies");
    for (size_t k = 0; k < n; k++) {
        uint32_t first = copies->first[k];
        size[first]++;
        if (first == k)
            continue;
        audit->isomorphic_copies++;
        audit->copies_other_class += targets_differ(data, first, k);
        audit->copy_groups += size[first] == 2;
        if (size[first] > audit->largest_group)
            audit->largest_group = size[first];
    }
    audit->undecided_pairs = copies->undecided;
    rg_free(size);
    return RG_OK;
}

static rg_status survey_all(rg_audit *audit, set_survey *s, rg_pool *pool, rg_error *err)
{
    size_t n = rg_dataset_n_graphs(s->data);
    unsigned n_workers = rg_pool_size(pool);
    rg_status status = RG_OK;
    s->diameter = rg_alloc(n, sizeof *s->diameter);
    s->work = rg_alloc_zero(n_workers, sizeof *s->work);
    if (!s->diameter || !s->work)
        status = rg_fail_memory(err, "looking at graphs");
    if (!status)
        status = rg_pool_run(pool, n, survey_graph, s, err);
    if (!status)
        count_graphs(audit, s->data, s->diameter);
    for (unsigned k = 0; s->work && k < n_workers; k++)
        rg_diameter_work_free(&s->work[k]);
    rg_free(s->work);
    rg_free(s->diameter);
    return status;
}

rg_status rg_audit_run(rg_audit *out, const rg_dataset *data, const rg_audit_options *options,
                       rg_error *err)
{
    rg_audit_options own = RG_AUDIT_OPTIONS_INIT;
    rg_audit audit = RG_AUDIT_INIT;
    rg_copies copies = {0};
    rg_pool *pool = NULL;
    rg_status status = RG_TAKE(rg_audit_options, &own, options, err);
    options = &own;
    double middle = options->copies ? 0.4 : 1.0; /* a guess at what takes how long */
    set_survey s = {.data = data, .options = options, .progress = {options, 0.0, middle}};
    rg_progress rest = {options, middle, 1.0};
    if (!status)
        status = rg_sized_check(out, "rg_audit", err);
    rg_cancel cancel;
    rg_cancel_open(&cancel, own.cancel, own.cancel_context);
    if (!status)
        status = rg_pool_new(&pool, options->n_threads, err);
    if (!status)
        rg_pool_cancel(pool, &cancel);
    if (!status)
        status = survey_all(&audit, &s, pool, err);
    if (!status && options->copies)
        status = rg_copies_find(&copies, data, pool, options->copies_budget, &rest, err);
    if (!status && options->copies)
        status = count_copies(&audit, data, &copies, err);
    if (!status) {
        rg_dataset_digest(data, audit.digest);
        if (options->progress)
            options->progress(options->progress_context, 1.0);
        rg_sized_put(out, &audit, sizeof audit);
    }
    rg_copies_free(&copies);
    rg_pool_free(pool);
    return status;
}
