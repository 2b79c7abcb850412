/* reproduce_print.c - the paper's tables as text and as Markdown. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/output/output.h"
#include "reproduce_parts.h"

#include <stdio.h>
#include <stdlib.h>

enum { CELL = 48 };

rg_status cli_pages_table(const cli_pages *p, const char *title, cli_table *table, rg_error *err)
{
    rg_text text = {0};
    if (p->markdown)
        cli_table_print_markdown(&text, table);
    else
        cli_table_print_text(&text, table);
    cli_table_free(table);
    char *whole = rg_text_take(&text);
    if (!whole)
        return rg_fail_memory(err, "printing a table");
    cli_bold(stdout, !p->markdown);
    fputs(title, stdout);
    cli_bold(stdout, false);
    printf("\n\n%s\n", whole);
    rg_free(whole);
    return RG_OK;
}

void cli_pages_note(const cli_pages *p, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (p->markdown)
        printf("%s\n\n", text);
    else
        cli_wrap(stdout, text, 0, 0);
}

/* ---- cells */

void cli_pages_spread(cli_table *t, const cli_pages *p, double mean, double deviation)
{
    char text[CELL];
    snprintf(text, sizeof text, "%.1f %s %.1f", mean, p->markdown ? "\xc2\xb1" : "+-", deviation);
    cli_cell_text(t, text);
}

void cli_pages_published(cli_table *t, const cli_pages *p, const rg_published *published)
{
    char text[CELL];
    snprintf(text, sizeof text, "%s %s %s", published->mean, p->markdown ? "\xc2\xb1" : "+-",
             published->deviation);
    cli_cell_text(t, text);
}

/* Three digits that count, and never powers of ten: 0.0000712, 0.0123, 1.23, 123.0. */
static void add_seconds(cli_table *t, double seconds)
{
    char text[CELL];
    int digits = 1;
    for (double limit = 10; seconds < limit && digits < 9; limit /= 10)
        digits++;
    snprintf(text, sizeof text, "%.*f", seconds > 0 ? digits : 0, seconds);
    cli_cell_text(t, text);
}

/* ---- accuracies */

static bool is_in(const cli_reproduced *r, bool synthetic)
{
    return r->has_accuracy && r->row->synthetic == synthetic;
}

/* What was not as published in one row. */
static void note_row(const cli_pages *p, const cli_reproduced *r)
{
    const char *name = r->row->data;
    if (r->generated)
        cli_pages_note(
            p, "%s: other graphs than the published, made by the rules of the paper; splits %s.",
            name, r->splits);
    else if (r->made_splits)
        cli_pages_note(p, "%s: splits %s.", name, r->splits);
    else if (r->better_splits)
        cli_pages_note(
            p,
            "%s: splits from %s.json, as in those of %s.json the validation part is the test "
            "part.",
            name, r->row->better_splits, name);
    if (r->resumed)
        cli_pages_note(p, "%s: went on with a run that was there; seconds are those of this call.",
                       name);
}

static rg_status print_accuracy(const cli_pages *p, bool synthetic, rg_error *err)
{
    static const cli_column columns[] = {
        {"data", "RuleGNN", CLI_CELL_TEXT},           {"accuracy", "test", CLI_CELL_SPREAD},
        {"published", "published", CLI_CELL_TEXT},    {"difference", "difference", CLI_CELL_TEXT},
        {"seconds", "wall s", CLI_CELL_FIXED},        {"cpu_seconds", "CPU s", CLI_CELL_FIXED},
        {"peak_rss_mb", "memory MB", CLI_CELL_COUNT}, {"training", "training", CLI_CELL_TEXT}};
    cli_table t = {.columns = columns, .n_columns = CLI_COUNT(columns) - !synthetic};
    bool chosen = false;
    for (size_t k = 0; k < p->all->n; k++) {
        const cli_reproduced *r = &p->all->rows[k];
        const rg_paper_result *a = &r->accuracy;
        char difference[CELL];
        if (!is_in(r, synthetic))
            continue;
        chosen = chosen || cli_reproduce_chosen(p->wish, r->row);
        snprintf(difference, sizeof difference, "%+.1f",
                 a->mean - strtod(r->row->accuracy.mean, NULL));
        cli_cell_text(&t, r->row->data);
        cli_cell_spread(&t, a->mean / 100, a->deviation / 100);
        cli_pages_published(&t, p, &r->row->accuracy);
        cli_cell_text(&t, difference);
        cli_cell_real(&t, r->seconds);
        cli_cell_real(&t, a->cpu_seconds);
        cli_cell_count(&t, (a->peak_rss + 500000) / 1000000);
        if (synthetic)
            cli_cell_text(&t, a->configuration[0] ? a->configuration : "as published");
    }
    if (cli_table_rows(&t) == 0)
        return RG_OK;
    rg_status status = cli_pages_table(
        p, synthetic ? "Synthetic sets: accuracy" : "Real-world sets: accuracy", &t, err);
    for (size_t k = 0; !status && k < p->all->n; k++)
        if (is_in(&p->all->rows[k], synthetic))
            note_row(p, &p->all->rows[k]);
    if (!status && chosen)
        cli_pages_note(
            p, "Training: chosen on the validation parts from " RG_PAPER_GRID
               "; --as-published has the printed settings (lr 0.1, batch 128, 200 epochs).");
    if (!status)
        cli_pages_note(
            p, "Protocol global: means over runs, then mean and sample deviation over folds.");
    return status;
}

/* ---- parameters */

static rg_status print_parameters(const cli_pages *p, rg_error *err)
{
    static const cli_column columns[] = {{"data", "parameters", CLI_CELL_TEXT},
                                         {"layer", "layer", CLI_CELL_COUNT},
                                         {"rule", "rule", CLI_CELL_TEXT},
                                         {"published", "published", CLI_CELL_COUNT},
                                         {"possible", "possible", CLI_CELL_COUNT},
                                         {"occur", "occur", CLI_CELL_COUNT},
                                         {"remark", "", CLI_CELL_TEXT}};
    cli_table t = {.columns = columns, .n_columns = CLI_COUNT(columns)};
    const char *remark = NULL;
    for (size_t k = 0; k < p->all->n; k++) {
        const cli_reproduced *r = &p->all->rows[k];
        for (size_t l = 0; r->has_size && l < r->size.n_layers; l++) {
            unsigned long long published = strtoull(r->row->parameters[l], NULL, 10);
            bool noted = r->row->note && r->size.possible[l] != (double)published;
            cli_cell_text(&t, r->row->data);
            cli_cell_count(&t, l + 1);
            cli_cell_text(&t, r->row->rules[l]);
            cli_cell_count(&t, published);
            cli_cell_count(&t, (uint64_t)r->size.possible[l]);
            cli_cell_count(&t, r->size.used[l]);
            cli_cell_text(&t, noted ? "(1)" : "");
            remark = noted ? r->row->note : remark;
        }
    }
    rg_status status = cli_pages_table(p, "Parameters a layer, biases included", &t, err);
    if (!status && remark)
        cli_pages_note(p, "(1) %s.", remark);
    if (!status)
        cli_pages_note(
            p, "Possible: L\xc2\xb7L\xc2\xb7|D| + L of a rule and M\xc2\xb7L + M of an "
               "aggregation, for L labels, the distances D and M classes. Those that do not "
               "occur are never made.");
    return status;
}

/* ---- runtimes */

static rg_status print_runtimes(const cli_pages *p, rg_error *err)
{
    static const cli_column columns[] = {
        {"data", "runtimes", CLI_CELL_TEXT},         {"best_epoch", "best epoch", CLI_CELL_TEXT},
        {"their_best", "published", CLI_CELL_TEXT},  {"epoch", "epoch s", CLI_CELL_TEXT},
        {"their_epoch", "published", CLI_CELL_TEXT}, {"tables", "tables s", CLI_CELL_TEXT},
        {"distances", "published", CLI_CELL_TEXT},   {"labels", "labels s", CLI_CELL_TEXT},
        {"their_labels", "published", CLI_CELL_TEXT}};
    cli_table t = {.columns = columns, .n_columns = CLI_COUNT(columns)};
    for (size_t k = 0; k < p->all->n; k++) {
        const cli_reproduced *r = &p->all->rows[k];
        if (!r->has_runtime || !r->has_size)
            continue;
        cli_cell_text(&t, r->row->data);
        cli_pages_spread(&t, p, r->runtime.best_epoch, r->runtime.best_epoch_deviation);
        cli_pages_published(&t, p, &r->row->best_epoch);
        add_seconds(&t, r->runtime.epoch_seconds);
        cli_pages_published(&t, p, &r->row->epoch);
        add_seconds(&t, r->size.table_seconds);
        cli_cell_text(&t, r->row->distances);
        add_seconds(&t, r->size.label_seconds);
        cli_cell_text(&t, r->row->labels);
    }
    rg_status status = cli_pages_table(p, "Best epoch, and seconds", &t, err);
    if (!status)
        cli_pages_note(
            p, "Published settings; an epoch is that of one model, in CPU seconds. Tables hold "
               "the connections of all graphs, distances included (published: distances alone); "
               "they and the labels are made on one thread, without a cache.");
    return status;
}

rg_status cli_reproduction_print(const cli_reproduction *all, const cli_reproduce *wish,
                                 cli_shape shape, rg_error *err)
{
    cli_pages p = {.all = all, .wish = wish, .markdown = shape == CLI_SHAPE_MARKDOWN};
    rg_status status = RG_OK;
    const char *between = "";
    if (shape == CLI_SHAPE_JSON)
        return cli_reproduction_json(all, wish, err);
    if (cli_reproduction_done(all) == 0)
        return RG_OK;
    for (unsigned table = 1; !status && table <= CLI_RUNTIMES; table *= 2) {
        if (!(wish->tables & table))
            continue;
        fputs(between, stdout);
        between = p.markdown ? "" : "\n";
        status = table == CLI_PARAMETERS ? print_parameters(&p, err)
                 : table == CLI_RUNTIMES ? print_runtimes(&p, err)
                 : wish->baselines       ? cli_pages_models(&p, table == CLI_SYNTHETIC, err)
                                         : print_accuracy(&p, table == CLI_SYNTHETIC, err);
    }
    for (size_t k = 0; !status && k < wish->n_overrides; k++)
        cli_pages_note(&p, "Not as published: --set %s", wish->overrides[k]);
    return status;
}
