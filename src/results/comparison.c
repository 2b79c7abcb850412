/* comparison.c - see comparison.h. */
#include "comparison.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "text/suggest.h"
#include "text/text.h"

#include <math.h>
#include <string.h>

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "comparing methods");
}

const rg_comparison_cell *rg_comparison_at(const rg_comparison *comparison, size_t method,
                                           size_t data)
{
    return &comparison->cells[method * comparison->n_data + data];
}

void rg_comparison_free(rg_comparison *comparison)
{
    for (size_t k = 0; comparison->methods && k < comparison->n_methods; k++)
        rg_free(comparison->methods[k]);
    for (size_t k = 0; comparison->data && k < comparison->n_data; k++)
        rg_free(comparison->data[k]);
    rg_free(comparison->methods);
    rg_free(comparison->data);
    rg_free(comparison->cells);
    *comparison = (rg_comparison){0};
}

/* ---- names */

/* The last part of the run directory. */
static char *directory_name(const rg_results *r)
{
    const char *path = rg_store_directory(r->store);
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    return rg_copy_text(path + begin, end - begin);
}

/* "NCI1-gin" on NCI1 is gin. */
static char *plain_name(const rg_results *r)
{
    const char *name = r->about->name, *data = rg_path_name(r->about->data);
    size_t n = strlen(name), m = strlen(data);
    if (m && n > m + 1 && strncmp(name, data, m) == 0 && strchr("-_. ", name[m]))
        return rg_copy_text(name + m + 1, n - m - 1);
    if (m && n > m + 1 && strcmp(name + n - m, data) == 0 && strchr("-_. ", name[n - m - 1]))
        return rg_copy_text(name, n - m - 1);
    return strcmp(name, data) == 0 ? directory_name(r) : rg_copy_text(name, n);
}

static char *method_name(const rg_compared_run *run, size_t method)
{
    const char *own = run->results->methods[method].name;
    rg_text text = {0};
    if (!own && !run->name)
        return plain_name(run->results);
    rg_text_add(&text, "%s%s%s", run->name ? run->name : "", run->name && own ? "/" : "",
                own ? own : "");
    return rg_text_take(&text);
}

static size_t find_name(char *const *names, size_t n, const char *name)
{
    size_t k = 0;
    while (k < n && strcmp(names[k], name) != 0)
        k++;
    return k;
}

/* ---- the cells */

typedef struct comparison_builder {
    rg_comparison all; /* cells: as many data sets as there are runs */
    const rg_compared_run *runs;
    const rg_results **first; /* [data] the first run of it, owned */
    size_t n;
    size_t protocol;
} comparison_builder;

/* Scores of another kind are like those of other data. */
static rg_status find_data(size_t *out, comparison_builder *b, const rg_results *r, rg_error *err)
{
    size_t k = 0;
    while (k < b->all.n_data &&
           (b->first[k]->metric != r->metric ||
            strcmp(b->first[k]->about->data_digest, r->about->data_digest) != 0))
        k++;
    *out = k;
    if (k < b->all.n_data)
        return RG_OK;
    const char *name = rg_path_name(r->about->data);
    rg_text text = {0};
    rg_text_add(&text, "%s", name);
    for (size_t n = 2;
         find_name(b->all.data, b->all.n_data, text.failed ? "" : text.data) < b->all.n_data;
         n++) { /* other data of the same name */
        rg_text_cut(&text, text.n);
        rg_text_add(&text, "%s (%zu)", name, n);
    }
    b->all.data[k] = rg_text_take(&text);
    if (!b->all.data[k])
        return no_memory(err);
    b->first[k] = r;
    b->all.n_data++;
    return RG_OK;
}

/* Where a method of a run goes; the name of its directory if the usual one is taken. */
static rg_status find_cell(rg_comparison_cell **out, comparison_builder *b,
                           const rg_compared_run *run, size_t method, size_t data, rg_error *err)
{
    char *name = method_name(run, method);
    size_t at = name ? find_name(b->all.methods, b->all.n_methods, name) : 0;
    if (name && at < b->all.n_methods && b->all.cells[at * b->n + data].results && !run->name &&
        !rg_results_compares(run->results)) {
        rg_free(name);
        name = directory_name(run->results);
        at = name ? find_name(b->all.methods, b->all.n_methods, name) : 0;
    }
    if (!name)
        return no_memory(err);
    *out = &b->all.cells[at * b->n + data];
    if (at < b->all.n_methods) {
        rg_status status =
            (*out)->results
                ? rg_fail(err, RG_EUSAGE,
                          "'%s' and '%s' are both '%s' on '%s': NAME=RUN gives a run another name",
                          rg_store_directory((*out)->results->store),
                          rg_store_directory(run->results->store), name, b->all.data[data])
                : RG_OK;
        rg_free(name);
        return status;
    }
    b->all.methods[b->all.n_methods++] = name;
    return RG_OK;
}

static rg_status add_run(comparison_builder *b, const rg_compared_run *run, rg_error *err)
{
    const rg_results *r = run->results;
    size_t data = 0;
    rg_status status = find_data(&data, b, r, err);
    for (size_t m = 0; m < r->n_methods && !status; m++) {
        rg_comparison_cell *cell = NULL;
        const rg_verdict *v = &r->verdicts[b->protocol * r->n_methods + m];
        status = find_cell(&cell, b, run, m, data, err);
        if (!status)
            *cell = (rg_comparison_cell){.results = r,
                                         .verdict = v,
                                         .mean = v->known ? v->result.mean : (double)NAN,
                                         .deviation = v->result.deviation,
                                         .difference = (double)NAN,
                                         .error = (double)NAN};
    }
    return status;
}

/* Cells had room for a data set per run. */
static void pack(rg_comparison *all, size_t stride)
{
    for (size_t m = 0; m < all->n_methods; m++)
        for (size_t d = 0; d < all->n_data; d++)
            all->cells[m * all->n_data + d] = all->cells[m * stride + d];
}

static rg_status gather(rg_comparison *out, const rg_compared_run *runs, size_t n, size_t protocol,
                        rg_error *err)
{
    comparison_builder b = {.runs = runs, .n = n, .protocol = protocol};
    size_t most = 0, n_cells = 0;
    for (size_t k = 0; k < n; k++)
        most += runs[k].results->n_methods;
    if (rg_size_mul(&n_cells, most, n))
        b.all.cells = rg_alloc_zero(n_cells, sizeof *b.all.cells);
    b.all.methods = rg_alloc_zero(most, sizeof *b.all.methods);
    b.all.data = rg_alloc_zero(n, sizeof *b.all.data);
    b.first = rg_alloc_zero(n, sizeof *b.first);
    rg_status status =
        b.all.cells && b.all.methods && b.all.data && b.first ? RG_OK : no_memory(err);
    for (size_t k = 0; k < n && !status; k++)
        status = add_run(&b, &runs[k], err);
    rg_free(b.first);
    if (status) {
        rg_comparison_free(&b.all);
        return status;
    }
    pack(&b.all, n);
    *out = b.all;
    return RG_OK;
}

/* ---- differences */

/* Score k of a method: of fold k, or with one fold of run k. NaN: there is none. */
static double score_at(const rg_comparison_cell *cell, size_t k)
{
    const rg_results *r = cell->results;
    const rg_protocol_result *result = &cell->verdict->result;
    if (r->about->n_folds > 1)
        return k < result->n_folds ? result->folds[k].test : (double)NAN;
    for (size_t run = 0; run < r->n_runs && cell->verdict->tested; run++)
        if (r->runs[run].configuration == result->configuration && r->runs[run].run.number == k)
            return r->runs[run].run.test_score;
    return (double)NAN;
}

static bool same_units(const rg_comparison_cell *a, const rg_comparison_cell *b)
{
    const rg_store_experiment *x = a->results->about, *y = b->results->about;
    bool same = a->verdict->known && b->verdict->known &&
                a->results->metric == b->results->metric &&
                a->verdict->tested == b->verdict->tested &&
                strcmp(x->splits_digest, y->splits_digest) == 0 && x->n_folds == y->n_folds &&
                (x->n_folds > 1 || x->n_runs == y->n_runs);
    for (size_t f = 0; same && f < x->n_folds; f++)
        same = rg_results_fold(a->results, f) == rg_results_fold(b->results, f);
    return same;
}

/* Mean of a - b and its standard error; NaN: they cannot be paired. */
static void subtract(const rg_comparison_cell *a, const rg_comparison_cell *b, double *difference,
                     double *error)
{
    *difference = *error = (double)NAN;
    if (!same_units(a, b))
        return;
    const rg_store_experiment *about = a->results->about;
    size_t n = about->n_folds > 1 ? about->n_folds : about->n_runs;
    double sum = 0, squares = 0;
    for (size_t k = 0; k < n; k++)
        sum += score_at(a, k) - score_at(b, k);
    for (size_t k = 0; k < n; k++) {
        double off = score_at(a, k) - score_at(b, k) - sum / (double)n;
        squares += off * off;
    }
    *difference = sum / (double)n;
    if (n > 1)
        *error = sqrt(squares / (double)(n - 1) / (double)n);
}

static rg_comparison_cell *cell_at(const rg_comparison *all, size_t method, size_t data)
{
    return &all->cells[method * all->n_data + data];
}

/* The method with the best mean; SIZE_MAX: none is known. */
static size_t best_on(const rg_comparison *all, size_t data)
{
    size_t best = SIZE_MAX;
    for (size_t m = 0; m < all->n_methods; m++) {
        const rg_comparison_cell *cell = cell_at(all, m, data);
        if (!cell->results || isnan(cell->mean))
            continue;
        bool low = rg_metric_is_low(cell->results->metric);
        double other = best == SIZE_MAX ? cell->mean : cell_at(all, best, data)->mean;
        if (best == SIZE_MAX || (low ? cell->mean < other : cell->mean > other))
            best = m;
    }
    return best;
}

/* Is it better than every other one by more than noise? */
static bool leads(const rg_comparison *all, size_t best, size_t data)
{
    size_t n = 0;
    for (size_t m = 0; m < all->n_methods; m++) {
        const rg_comparison_cell *other = cell_at(all, m, data);
        double difference = 0, error = 0;
        if (m == best || !other->results)
            continue;
        subtract(cell_at(all, best, data), other, &difference, &error);
        if (!(fabs(difference) > RG_COMPARISON_NOISE * error))
            return false;
        n++;
    }
    return n > 0;
}

static size_t reference_on(const rg_comparison *all, size_t data, size_t best, const char *against)
{
    size_t m = 0;
    if (!against || strcmp(against, "best") == 0)
        return best;
    if (strcmp(against, "first") == 0) {
        while (m < all->n_methods && !cell_at(all, m, data)->results)
            m++;
        return m;
    }
    m = find_name(all->methods, all->n_methods, against);
    return m < all->n_methods && cell_at(all, m, data)->results ? m : SIZE_MAX;
}

static void compare_on(const rg_comparison *all, size_t data, const char *against)
{
    size_t best = best_on(all, data);
    size_t reference = reference_on(all, data, best, against);
    if (best != SIZE_MAX)
        cell_at(all, best, data)->best = leads(all, best, data);
    if (reference == SIZE_MAX)
        return;
    cell_at(all, reference, data)->reference = true;
    for (size_t m = 0; m < all->n_methods; m++) {
        rg_comparison_cell *cell = cell_at(all, m, data);
        if (cell->results && m != reference)
            subtract(cell, cell_at(all, reference, data), &cell->difference, &cell->error);
    }
}

static rg_status check_against(const rg_comparison *all, const char *against, rg_error *err)
{
    if (!against || strcmp(against, "best") == 0 || strcmp(against, "first") == 0 ||
        find_name(all->methods, all->n_methods, against) < all->n_methods)
        return RG_OK;
    const char *near = rg_suggest(against, (const char *const *)all->methods, all->n_methods);
    return rg_fail(err, RG_EUSAGE,
                   "there is no method '%s', expected best, first or one of the "
                   "methods%s%s%s",
                   against, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

rg_status rg_comparison_make(rg_comparison *out, const rg_compared_run *runs, size_t n,
                             size_t protocol, const char *against, rg_error *err)
{
    rg_comparison all = {0};
    rg_status status = gather(&all, runs, n, protocol, err);
    if (!status)
        status = check_against(&all, against, err);
    if (status) {
        rg_comparison_free(&all);
        return status;
    }
    for (size_t d = 0; d < all.n_data; d++)
        compare_on(&all, d, against);
    *out = all;
    return RG_OK;
}
