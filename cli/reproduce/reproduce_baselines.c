/* reproduce_baselines.c - the other rows of the paper's tables: running them, and their tables. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/model/use.h"
#include "cli/output/output.h"
#include "reproduce_parts.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- which rows */

static bool is_named(const cli_reproduce *wish, const char *name)
{
    for (size_t k = 0; k < wish->n_rows; k++)
        if (strcasecmp(wish->rows[k], name) == 0)
            return true;
    return wish->n_rows == 0;
}

bool cli_reproduce_rule(const cli_reproduce *wish)
{
    return is_named(wish, CLI_RULE_ROW);
}

bool cli_reproduce_model(const cli_reproduce *wish, const rg_paper_baseline *baseline,
                         bool synthetic)
{
    return wish->baselines && rg_paper_baseline_in(baseline, synthetic) &&
           is_named(wish, baseline->name);
}

/* Is it in one of the tables that are asked for? */
static bool is_printed(const cli_reproduce *wish, const rg_paper_baseline *baseline)
{
    return ((wish->tables & CLI_REAL_WORLD) && rg_paper_baseline_in(baseline, false)) ||
           ((wish->tables & CLI_SYNTHETIC) && rg_paper_baseline_in(baseline, true));
}

rg_status cli_reproduce_check_rows(const cli_reproduce *wish, rg_error *err)
{
    size_t n;
    const rg_paper_baseline *all = rg_paper_baselines(&n);
    if (wish->baselines && !(wish->tables & (CLI_REAL_WORLD | CLI_SYNTHETIC)))
        return rg_fail(err, RG_EUSAGE,
                       "options '--baselines' and '--rows' are for tables of accuracies: "
                       "real-world, synthetic or all");
    for (size_t k = 0; k < wish->n_rows; k++) {
        const rg_paper_baseline *row = rg_paper_baseline_find(wish->rows[k]);
        if (strcasecmp(wish->rows[k], CLI_RULE_ROW) == 0 || (row && is_printed(wish, row)))
            continue;
        rg_text names = {0};
        for (size_t b = 0; b < n; b++)
            if (is_printed(wish, &all[b]))
                rg_text_add(&names, "%s, ", all[b].name);
        rg_text_add(&names, CLI_RULE_ROW);
        char *list = rg_text_take(&names);
        rg_status status =
            list ? rg_fail(err, RG_EUSAGE, "option '--rows': found '%s', expected one of %s",
                           wish->rows[k], list)
                 : rg_fail_memory(err, "the rows of a table");
        rg_free(list);
        return status;
    }
    return RG_OK;
}

/* ---- running them */

/* What came of one, for people who wait. */
static void tell(const cli_reproduced_model *m, const rg_paper_row *row, const cli_reproduce *wish)
{
    rg_published published = rg_paper_baseline_published(m->baseline, row);
    if (m->why.message[0])
        cli_message("%s on %s: %s", m->baseline->name, row->data, m->why.message);
    if (wish->quiet || !m->done)
        return;
    fprintf(stderr, "%s  %s  %.1f +- %.1f", row->data, m->baseline->name, m->result.mean,
            m->result.deviation);
    if (published.mean)
        fprintf(stderr, ", published %s +- %s", published.mean, published.deviation);
    fprintf(stderr, ", %.1f s\n", m->seconds);
}

static rg_status run_one(cli_reproduced_model *m, bool *stopped, cli_experiment *job,
                         const rg_paper_row *row, const cli_reproduce_shared *b, rg_error *err)
{
    const rg_paper_baseline *baseline = m->baseline;
    rg_text path = {0};
    double start = cli_now();
    cli_reproduce_forget();
    cli_reproduce_drop(job);
    rg_status status = rg_paper_baseline_experiment(&job->experiment, &job->file, baseline, row,
                                                    b->wish->overrides, b->wish->n_overrides, err);
    if (status)
        return status;
    job->info = *rg_experiment_describe(job->experiment);
    rg_text_add(&path, "%s/%s-%s%s", b->work, row->data, baseline->file,
                baseline->features ? "-features" : "");
    char *directory = rg_text_take(&path);
    status = directory
                 ? cli_reproduce_run_job(&m->result, &m->resumed, stopped, job, directory, b, err)
                 : rg_fail_memory(err, "an experiment");
    rg_free(directory);
    m->seconds = cli_now() - start;
    m->done = !status && !*stopped;
    return status;
}

rg_status cli_reproduce_models(cli_reproduced *out, cli_experiment *job, bool *stopped,
                               const cli_reproduce_shared *b, rg_error *err)
{
    size_t n;
    const rg_paper_baseline *all = rg_paper_baselines(&n);
    rg_status status = RG_OK;
    out->models = rg_alloc_zero(n, sizeof *out->models);
    if (!out->models)
        return rg_fail_memory(err, "the rows of a table");
    for (size_t k = 0; k < n && !status && !*stopped; k++) {
        if (!cli_reproduce_model(b->wish, &all[k], out->row->synthetic))
            continue;
        cli_reproduced_model *m = &out->models[out->n_models++];
        m->baseline = &all[k];
        if (!all[k].file)
            continue;
        status = run_one(m, stopped, job, out->row, b, &m->why);
        *stopped = *stopped || cli_stop_asked();
        if (status == RG_ENOMEM)
            *err = m->why;
        else
            status = RG_OK; /* this one alone */
        tell(m, out->row, b->wish);
    }
    return status;
}

void cli_reproduced_models_free(cli_reproduced *r)
{
    for (size_t k = 0; k < r->n_models; k++)
        rg_paper_result_free(&r->models[k].result);
    rg_free(r->models);
    r->models = NULL;
    r->n_models = 0;
}

/* ---- tables: models below each other, data sets side by side */

static const cli_reproduced_model *find_model(const cli_reproduced *r,
                                              const rg_paper_baseline *baseline)
{
    for (size_t k = 0; k < r->n_models; k++)
        if (r->models[k].baseline == baseline)
            return &r->models[k];
    return NULL;
}

static void add_result(cli_table *t, const cli_pages *p, const rg_paper_result *result)
{
    if (result)
        cli_pages_spread(t, p, result->mean, result->deviation);
    else
        cli_cell_none(t);
}

static bool is_in(const cli_reproduced *r, bool synthetic)
{
    return r->row->synthetic == synthetic && (r->n_models || r->has_accuracy);
}

/* Ours, of one model, or of the RuleGNN (baseline NULL). */
static void add_ours(cli_table *t, const cli_pages *p, bool synthetic,
                     const rg_paper_baseline *baseline)
{
    cli_cell_text(t, baseline ? baseline->name : CLI_RULE_ROW);
    for (size_t k = 0; k < p->all->n; k++) {
        const cli_reproduced *r = &p->all->rows[k];
        const cli_reproduced_model *m = baseline ? find_model(r, baseline) : NULL;
        if (!is_in(r, synthetic))
            continue;
        if (baseline)
            add_result(t, p, m && m->done ? &m->result : NULL);
        else
            add_result(t, p, r->has_accuracy ? &r->accuracy : NULL);
    }
}

/* The paper's. */
static void add_theirs(cli_table *t, const cli_pages *p, bool synthetic,
                       const rg_paper_baseline *baseline)
{
    cli_cell_text(t, baseline && !baseline->file ? baseline->name : "  published");
    for (size_t k = 0; k < p->all->n; k++) {
        const cli_reproduced *r = &p->all->rows[k];
        rg_published published =
            baseline ? rg_paper_baseline_published(baseline, r->row) : r->row->accuracy;
        if (!is_in(r, synthetic))
            continue;
        if (published.mean)
            cli_pages_published(t, p, &published);
        else
            cli_cell_none(t);
    }
}

static rg_status print_models(const cli_pages *p, bool synthetic, rg_error *err)
{
    cli_column columns[1 + RG_PAPER_SETS] = {{"model", "model", CLI_CELL_TEXT}};
    size_t n_columns = 1, n;
    const rg_paper_baseline *all = rg_paper_baselines(&n);
    for (size_t k = 0; k < p->all->n; k++)
        if (is_in(&p->all->rows[k], synthetic)) {
            const char *name = p->all->rows[k].row->title;
            columns[n_columns++] = (cli_column){name, name, CLI_CELL_TEXT};
        }
    cli_table t = {.columns = columns, .n_columns = n_columns};
    for (size_t k = 0; k < n; k++) {
        if (!cli_reproduce_model(p->wish, &all[k], synthetic))
            continue;
        if (all[k].file)
            add_ours(&t, p, synthetic, &all[k]);
        if (all[k].published[0].mean)
            add_theirs(&t, p, synthetic, &all[k]);
    }
    if (cli_reproduce_rule(p->wish)) {
        add_ours(&t, p, synthetic, NULL);
        add_theirs(&t, p, synthetic, NULL);
    }
    return cli_pages_table(p,
                           synthetic ? "Synthetic sets: accuracy in percent"
                                     : "Real-world sets: accuracy in percent",
                           &t, err);
}

/* ---- what was chosen, and what it took */

static void add_details(cli_table *t, const cli_reproduced *r, const char *name,
                        const rg_paper_result *a, double seconds)
{
    cli_cell_text(t, r->row->data);
    cli_cell_text(t, name);
    cli_cell_count(t, a->n_configurations);
    cli_cell_text(t, a->configuration[0] ? a->configuration : "-");
    cli_cell_real(t, seconds);
    cli_cell_real(t, a->cpu_seconds);
    cli_cell_count(t, (a->peak_rss + 500000) / 1000000);
}

static rg_status print_details(const cli_pages *p, bool synthetic, rg_error *err)
{
    static const cli_column columns[] = {{"data", "data", CLI_CELL_TEXT},
                                         {"model", "model", CLI_CELL_TEXT},
                                         {"of", "of", CLI_CELL_COUNT},
                                         {"configuration", "chosen", CLI_CELL_TEXT},
                                         {"seconds", "wall s", CLI_CELL_FIXED},
                                         {"cpu_seconds", "CPU s", CLI_CELL_FIXED},
                                         {"peak_rss_mb", "memory MB", CLI_CELL_COUNT}};
    cli_table t = {.columns = columns, .n_columns = CLI_COUNT(columns)};
    for (size_t k = 0; k < p->all->n; k++) {
        const cli_reproduced *r = &p->all->rows[k];
        if (r->row->synthetic != synthetic)
            continue;
        for (size_t m = 0; m < r->n_models; m++)
            if (r->models[m].done)
                add_details(&t, r, r->models[m].baseline->name, &r->models[m].result,
                            r->models[m].seconds);
        if (r->has_accuracy)
            add_details(&t, r, CLI_RULE_ROW, &r->accuracy, r->seconds);
    }
    return cli_pages_table(p, "Selected configurations, by validation score", &t, err);
}

/* ---- notes */

static void note_grids(const cli_pages *p, bool synthetic)
{
    size_t n;
    const rg_paper_baseline *all = rg_paper_baselines(&n);
    for (size_t k = 0; k < n; k++)
        if (all[k].grid && cli_reproduce_model(p->wish, &all[k], synthetic))
            cli_pages_note(p, "%s: selected from %s.", all[k].name, all[k].grid);
}

/* What is known to be wrong in the published rows. */
static void note_slips(const cli_pages *p)
{
    const rg_paper_baseline *nog = rg_paper_baseline_find("NoG");
    const rg_paper_baseline *wl = rg_paper_baseline_find("WL-Kernel");
    if (cli_reproduce_model(p->wish, nog, true) || cli_reproduce_model(p->wish, wl, true))
        cli_pages_note(p,
                       "The paper swaps the numbers of NoG and WL-Kernel on Snowflakes, and its "
                       "47.9 for NoG on EvenOddRingsCount is a validation mean (test mean: 46.3).");
}

static void note_resumed(const cli_pages *p, bool synthetic)
{
    bool any = false;
    for (size_t k = 0; k < p->all->n; k++) {
        const cli_reproduced *r = &p->all->rows[k];
        any = any || (r->resumed && r->row->synthetic == synthetic);
        for (size_t m = 0; m < r->n_models; m++)
            any = any || (r->models[m].resumed && r->row->synthetic == synthetic);
    }
    if (any)
        cli_pages_note(p, "Some runs already existed: their wall times cover this call only.");
}

rg_status cli_pages_models(const cli_pages *p, bool synthetic, rg_error *err)
{
    bool any = false;
    for (size_t k = 0; k < p->all->n; k++)
        any = any || is_in(&p->all->rows[k], synthetic);
    if (!any)
        return RG_OK;
    rg_status status = print_models(p, synthetic, err);
    if (!status)
        status = print_details(p, synthetic, err);
    if (status)
        return status;
    note_grids(p, synthetic);
    note_resumed(p, synthetic);
    if (synthetic)
        note_slips(p);
    else
        cli_pages_note(
            p, "Rows (paper) are quoted from other papers, with other splits and protocols. Rows "
               "(features) use the labels of the RuleGNN in addition to node labels.");
    return RG_OK;
}
