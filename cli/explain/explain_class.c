/* explain_class.c - graphs that are typical of a class, and rules that separate it from others. */
#include "explain.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>

enum { TYPICAL = 3 };

/* What was found. */
typedef struct class_findings {
    rg_typical *typical; /* owned */
    size_t n, n_class, n_right;
    rg_separation *rules; /* owned */
    size_t n_rules;
    uint64_t n_samples[2];
} class_findings;

static void free_found(class_findings *f)
{
    rg_free(f->typical);
    rg_free(f->rules);
}

static rg_status find(class_findings *out, cli_explain *job, size_t n_typical, rg_error *err)
{
    size_t most = rg_explainer_n_statements(job->explainer);
    size_t n_samples = cli_source_items(&job->use.source).n;
    most = job->top < most ? job->top : most;
    n_typical = n_typical < n_samples ? n_typical : n_samples;
    *out = (class_findings){.typical = rg_alloc(n_typical, sizeof *out->typical),
                            .rules = rg_alloc(most, sizeof *out->rules)};
    rg_status status =
        out->typical && out->rules ? RG_OK : rg_fail_memory(err, "explaining a class");
    if (!status)
        status = rg_explainer_typical(out->typical, &out->n, &out->n_class, &out->n_right,
                                      job->explainer, job->class, n_typical, err);
    if (!status)
        status = rg_explainer_separate(out->rules, &out->n_rules, out->n_samples, job->explainer,
                                       job->class, job->against, cli_explain_layer(job), most, err);
    return status;
}

/* ---- for people */

static void print_typical(const cli_explain *job, const class_findings *f)
{
    char number[CLI_SIGNED];
    cli_bold(stdout, true);
    cli_print(cli_source_items(&job->use.source).name);
    printf(", class %" PRId64, cli_explain_output(job, job->class));
    cli_bold(stdout, false);
    printf(": %zu of %zu %s are predicted correctly\n", f->n_right, f->n_class,
           cli_explain_samples(job));
    if (f->n == 0)
        return;
    printf("\nMost typical: closest to the mean embedding of the class%s\n\n"
           "%9s %10s %10s\n",
           isnan(f->typical[0].distance) ? " (by margin, as there are no embeddings)" : "",
           job->use.info.arrays ? "sample" : "graph", "distance", "margin");
    for (size_t k = 0; k < f->n; k++) {
        printf("%9u ", (unsigned)f->typical[k].sample);
        if (isnan(f->typical[k].distance))
            printf("%10s", "-");
        else
            printf("%10.4g", f->typical[k].distance);
        printf(" %10s\n", cli_signed(number, f->typical[k].margin));
    }
}

static void print_share(uint64_t n, uint64_t of)
{
    printf(" %8.1f %%", of ? 100 * (double)n / (double)of : 0.0);
}

static rg_status print_rules(const cli_explain *job, const class_findings *f, rg_error *err)
{
    char other[32] = "others", number[CLI_SIGNED];
    rg_status status = RG_OK;
    if (f->n_rules == 0) {
        printf("\nNo rule occurs in these %s.\n", cli_explain_samples(job));
        return RG_OK;
    }
    if (job->against != RG_NO_OUTPUT)
        snprintf(other, sizeof other, "%" PRId64, cli_explain_output(job, job->against));
    rg_text intro = {0};
    rg_text_add(&intro,
                "Rules that separate class %" PRId64 " (%" PRIu64 " %s) from %s%s (%" PRIu64
                "). Columns: the mean contribution to the output of class %" PRId64
                " minus that to the other output, in both groups of graphs; their difference; and "
                "the share of graphs in which the rule occurs.",
                cli_explain_output(job, job->class), f->n_samples[0], cli_explain_samples(job),
                job->against == RG_NO_OUTPUT ? "" : "class ", other, f->n_samples[1],
                cli_explain_output(job, job->class));
    printf("\n");
    status = cli_explain_wrap(&intro, 0, err);
    printf("\n%10s %10s %10s %10s %10s %5s  rule\n", "difference", "in class", "in other", "has it",
           "other has", "layer");
    for (size_t k = 0; !status && k < f->n_rules; k++) {
        const rg_separation *r = &f->rules[k];
        const rg_statement *s = rg_explainer_statement(job->explainer, r->statement);
        rg_text text = {0};
        printf("%10s", cli_signed(number, r->mean_a - r->mean_b));
        printf(" %10s", cli_signed(number, r->mean_a));
        printf(" %10s", cli_signed(number, r->mean_b));
        print_share(r->graphs_a, f->n_samples[0]);
        print_share(r->graphs_b, f->n_samples[1]);
        printf(" %5zu  ", rg_explainer_layer(job->explainer, s->layer).of + 1);
        rg_explainer_words(&text, job->explainer, r->statement);
        status = cli_explain_wrap(&text, 62, err);
    }
    return status;
}

/* ---- for programs */

static json_t *typical_json(const class_findings *f)
{
    json_t *list = json_array();
    for (size_t k = 0; k < f->n; k++) {
        json_t *item = json_object();
        cli_json_set(&item, "sample", cli_json_count(f->typical[k].sample));
        cli_json_set(&item, "distance", cli_json_real(f->typical[k].distance));
        cli_json_set(&item, "margin", cli_json_real(f->typical[k].margin));
        cli_json_add(&list, item);
    }
    return list;
}

static json_t *rules_json(const cli_explain *job, const class_findings *f)
{
    json_t *list = json_array();
    for (size_t k = 0; k < f->n_rules; k++) {
        const rg_separation *r = &f->rules[k];
        rg_json json = {0};
        rg_explain_json_statement(&json, job->explainer, r->statement);
        json_t *item = cli_explain_tree(&json);
        cli_json_set(&item, "difference", cli_json_real(r->mean_a - r->mean_b));
        cli_json_set(&item, "in_class", cli_json_real(r->mean_a));
        cli_json_set(&item, "in_other", cli_json_real(r->mean_b));
        cli_json_set(&item, "graphs_class", cli_json_count(r->graphs_a));
        cli_json_set(&item, "graphs_other", cli_json_count(r->graphs_b));
        cli_json_add(&list, item);
    }
    return list;
}

static rg_status print_json(const cli_explain *job, const class_findings *f, rg_error *err)
{
    json_t *root = cli_explain_question(job);
    bool all = job->against == RG_NO_OUTPUT;
    cli_json_set(&root, "class", json_integer(cli_explain_output(job, job->class)));
    cli_json_set(&root, "against",
                 all ? json_null() : json_integer(cli_explain_output(job, job->against)));
    cli_json_set(&root, "n_class", cli_json_count(f->n_class));
    cli_json_set(&root, "n_right", cli_json_count(f->n_right));
    cli_json_set(&root, "n_other", cli_json_count(f->n_samples[1]));
    cli_json_set(&root, "typical", typical_json(f));
    cli_json_set(&root, "separating", rules_json(job, f));
    cli_json_set(&root, "out", job->out ? cli_json_text(job->out) : json_null());
    return cli_print_json(root, err);
}

/* ---- the whole */

/* The picture has the typical graphs as rows. */
static rg_status draw(cli_explain *job, const class_findings *f, rg_error *err)
{
    if (f->n == 0)
        return rg_fail(err, RG_EUSAGE,
                       "no graph of class %" PRId64
                       " is predicted correctly: there is nothing to draw",
                       cli_explain_output(job, job->class));
    job->graphs = rg_alloc(f->n, sizeof *job->graphs);
    if (!job->graphs)
        return rg_fail_memory(err, "explaining a class");
    job->n_graphs = f->n;
    for (size_t k = 0; k < f->n; k++)
        job->graphs[k] = f->typical[k].sample;
    return cli_explain_draw(job, err);
}

rg_status cli_explain_class(cli_explain *job, bool json, rg_error *err)
{
    class_findings f;
    rg_status status = find(&f, job, job->out && !job->top_given ? TYPICAL : job->top, err);
    cli_progress_end(&job->use.progress);
    if (!status && job->out)
        status = draw(job, &f, err);
    if (!status && json)
        status = print_json(job, &f, err);
    else if (!status) {
        print_typical(job, &f);
        status = print_rules(job, &f, err);
    }
    free_found(&f);
    return status;
}
