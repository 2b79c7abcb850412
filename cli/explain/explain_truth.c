/* explain_truth.c - how good the explanations of a model are: against known causes, and without them. */
#include "explain.h"

#include "base/alloc.h"
#include "base/error.h"
#include "explain/truth_score.h"

#include <math.h>
#include <string.h>

/* What was found. */
typedef struct truth_findings {
    uint32_t *graphs; /* with a cause; owned */
    size_t n;
    rg_node_effects effects; /* owned */
    rg_truth_score score;
    rg_fidelity fidelity;
    double order;
    double agree[CLI_REPEATS_MAX]; /* with each of the other models */
    rg_truth_score others[CLI_REPEATS_MAX];
} truth_findings;

static rg_status read_truth(rg_truth **out, const cli_explain *job, rg_error *err)
{
    const rg_dataset *data = job->use.source.graphs;
    if (!data)
        return rg_fail(err, RG_EUSAGE, "option '--truth' is for graphs");
    return *job->truth ? rg_truth_read(out, job->truth, data, err)
                       : rg_truth_find(out, job->use.source.path, data, err);
}

/* Graphs of the test part, or of all data, of which a cause is known. */
static rg_status list_graphs(truth_findings *f, const cli_explain *job, const rg_truth *truth,
                             rg_error *err)
{
    const rg_part *test = &job->use.split.fold.test;
    size_t n = job->split ? test->n : rg_dataset_n_graphs(job->use.source.graphs);
    f->graphs = rg_alloc(n, sizeof *f->graphs);
    if (!f->graphs)
        return rg_fail_memory(err, "graphs with a known cause");
    for (size_t k = 0; k < n; k++) {
        uint32_t graph = job->split ? test->graphs[k] : (uint32_t)k;
        if (rg_truth_n(truth, graph))
            f->graphs[f->n++] = graph;
    }
    if (!f->n)
        return rg_fail(err, RG_EDATA, "no cause is known for any graph of the %s",
                       job->split ? "test set" : "data");
    return RG_OK;
}

/* The same of another model. */
static rg_status compare(truth_findings *f, size_t k, const cli_explain *job, const rg_truth *truth,
                         rg_error *err)
{
    rg_model *model = NULL;
    rg_explainer *other = NULL;
    rg_node_effects effects = {0};
    rg_source source = cli_source_view(&job->use.source);
    rg_predict_options options = job->use.options;
    options.progress = NULL;
    rg_status status = rg_model_load(&model, job->beside->texts[k], err);
    if (!status)
        status = rg_explainer_new(&other, model, job->names, err);
    if (!status)
        status = rg_explainer_read(other, &source, &options, err);
    if (!status)
        rg_explainer_set_spread(other, job->spread);
    if (!status)
        status = rg_explainer_node_effects(&effects, other, f->graphs, f->n, err);
    if (!status) {
        f->agree[k] = rg_node_effects_agree(&f->effects, &effects);
        f->others[k] = rg_truth_judge(&effects, truth, f->graphs);
    }
    rg_node_effects_free(&effects);
    rg_explainer_free(other);
    rg_model_free(model);
    return status;
}

static rg_status find(truth_findings *f, const cli_explain *job, const rg_truth *truth,
                      rg_error *err)
{
    rg_explainer *e = job->explainer;
    rg_status status = list_graphs(f, job, truth, err);
    if (!status)
        status = rg_explainer_node_effects(&f->effects, e, f->graphs, f->n, err);
    if (status)
        return status;
    f->score = rg_truth_judge(&f->effects, truth, f->graphs);
    status = rg_explainer_fidelity(&f->fidelity, e, &f->effects, f->graphs, err);
    if (!status)
        status = rg_explainer_order_error(&f->order, e, &f->effects, f->graphs, job->seed, err);
    for (size_t k = 0; !status && k < job->beside->n_texts; k++)
        status = compare(f, k, job, truth, err);
    return status;
}

/* ---- for people */

static void print_sparsity(const char *name, const double *values)
{
    printf("%-10s", name);
    for (size_t k = 0; k < RG_SPARSITIES; k++)
        printf(" %6.3f", values[k]);
    printf("\n");
}

static void print(const cli_explain *job, const truth_findings *f)
{
    cli_bold(stdout, true);
    cli_print(cli_source_items(&job->use.source).name);
    cli_bold(stdout, false);
    printf(": %zu graphs%s with a known cause\n\n", f->n, job->split ? " of the test set" : "");
    printf("AUROC      %.4f  nodes of the cause against the others\n", f->score.auroc);
    printf("Jaccard    %.4f  the same number of top nodes and the cause\n", f->score.jaccard);
    printf("node order %.2g  largest relative difference of an effect when nodes are reordered\n",
           f->order);
    for (size_t k = 0; k < job->beside->n_texts; k++) {
        printf("%s", k ? "" : "\n      AUROC    Jaccard  correlation  other model\n");
        printf(" %10.4f %10.4f   %10.4f  ", f->others[k].auroc, f->others[k].jaccard, f->agree[k]);
        cli_print(job->beside->texts[k]);
        printf("\n");
    }
    printf("\nChange of the probability of the class, by the part of nodes that is not in the "
           "explanation:\n\nsparsity  ");
    for (size_t k = 0; k < RG_SPARSITIES; k++)
        printf(" %6.1f", (double)(k + 1) / 10);
    printf("\n");
    print_sparsity("fidelity+", f->fidelity.plus);
    print_sparsity("fidelity-", f->fidelity.minus);
}

/* ---- for programs */

static json_t *reals(const double *values, size_t n)
{
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++)
        cli_json_add(&list, cli_json_real(values[k]));
    return list;
}

static json_t *others_json(const cli_explain *job, const truth_findings *f)
{
    json_t *list = json_array();
    for (size_t k = 0; k < job->beside->n_texts; k++) {
        json_t *item = json_object();
        cli_json_set(&item, "model", cli_json_text(job->beside->texts[k]));
        cli_json_set(&item, "auroc", cli_json_real(f->others[k].auroc));
        cli_json_set(&item, "jaccard", cli_json_real(f->others[k].jaccard));
        cli_json_set(&item, "correlation", cli_json_real(f->agree[k]));
        cli_json_add(&list, item);
    }
    return list;
}

static rg_status print_json(const cli_explain *job, const truth_findings *f, rg_error *err)
{
    json_t *root = cli_explain_question(job);
    cli_json_set(&root, "truth", *job->truth ? cli_json_text(job->truth) : json_null());
    cli_json_set(&root, "split", job->split ? cli_json_text(job->use.split.path) : json_null());
    cli_json_set(&root, "graphs", cli_json_count(f->n));
    cli_json_set(&root, "auroc", cli_json_real(f->score.auroc));
    cli_json_set(&root, "auroc_graphs", cli_json_count(f->score.n_auroc));
    cli_json_set(&root, "jaccard", cli_json_real(f->score.jaccard));
    cli_json_set(&root, "order_error", cli_json_real(f->order));
    json_t *sparsity = json_array();
    for (size_t k = 0; k < RG_SPARSITIES; k++)
        cli_json_add(&sparsity, cli_json_real((double)(k + 1) / 10));
    cli_json_set(&root, "sparsity", sparsity);
    cli_json_set(&root, "fidelity_plus", reals(f->fidelity.plus, RG_SPARSITIES));
    cli_json_set(&root, "fidelity_minus", reals(f->fidelity.minus, RG_SPARSITIES));
    cli_json_set(&root, "beside", others_json(job, f));
    return cli_print_json(root, err);
}

rg_status cli_explain_truth(cli_explain *job, bool json, rg_error *err)
{
    truth_findings f = {0};
    rg_truth *truth = NULL;
    rg_status status = read_truth(&truth, job, err);
    if (!status)
        status = find(&f, job, truth, err);
    cli_progress_end(&job->use.progress);
    if (!status && json)
        status = print_json(job, &f, err);
    else if (!status)
        print(job, &f);
    rg_node_effects_free(&f.effects);
    rg_free(f.graphs);
    rg_truth_free(truth);
    return status;
}
