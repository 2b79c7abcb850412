/* print.c - an experiment as one file in normal form, and its digest. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "ensemble.h"

#include <inttypes.h>
#include <string.h>

/* ---- the file */

static void print_text(rg_text *out, const char *key, const char *value)
{
    rg_text_add(out, "%s: ", key);
    rg_yaml_print_text(out, value, false);
    rg_text_add(out, "\n");
}

static void print_splits(rg_text *out, const rg_experiment_info *info)
{
    const rg_split_options *split = info->split;
    if (info->splits)
        print_text(out, "splits", info->splits);
    if (info->make_splits) {
        rg_text_add(out, "splits: {folds: %zu, seed: %" PRIu64 ", validation: ", split->n_folds,
                    split->seed);
        rg_text_real(out, split->validation);
        if (split->n_folds == 1) {
            rg_text_add(out, ", test: ");
            rg_text_real(out, split->test);
        }
        rg_text_add(out, ", stratified: %s}\n", split->stratified ? "true" : "false");
    }
    for (size_t k = 0; k < info->n_folds; k++)
        rg_text_add(out, "%s%" PRIu32 "%s", k ? ", " : "folds: [", info->folds[k],
                    k + 1 < info->n_folds ? "" : "]\n");
}

static void print_head(rg_text *out, const rg_experiment_info *info)
{
    print_text(out, "name", info->name);
    print_text(out, "data", info->data);
    print_splits(out, info);
    rg_text_add(out, "protocol: %s", info->n_protocols > 1 ? "[" : "");
    for (size_t k = 0; k < info->n_protocols; k++)
        rg_text_add(out, "%s%s", k ? ", " : "", rg_protocol_name(info->protocols[k]));
    rg_text_add(out, "%s\nruns: %" PRIu32 "\nseed: %" PRIu64 "\n%sfit: %s\nkeep: %s\n",
                info->n_protocols > 1 ? "]" : "", info->runs, info->seed,
                info->starts_per_fold ? "starts: fold\n" : "", info->fit_on_train ? "train" : "all",
                rg_keep_name(info->keep));
    if (info->metric != RG_METRIC_DEFAULT) /* younger than 0.1.0 */
        rg_text_add(out, "metric: %s\n", rg_metric_name(info->metric));
}

/* Younger than 0.1.0. */
static void print_ensembles(rg_text *out, const rg_experiment_info *info)
{
    char text[RG_ENSEMBLE_TEXT];
    size_t n = info->n_ensembles;
    for (size_t k = 0; k < n; k++) {
        rg_ensemble_print(text, &info->ensembles[k]);
        rg_text_add(out, "%s%s%s%s", k ? ", " : "ensemble: ", !k && n > 1 ? "[" : "", text,
                    k + 1 < n ? ""
                    : n > 1   ? "]\n"
                              : "\n");
    }
}

static void print_networks(rg_text *out, const rg_draft *draft)
{
    unsigned indent = draft->alternatives ? 4 : 2;
    rg_text_add(out, "%s:\n", draft->compare ? "compare" : draft->models ? "model" : "network");
    for (size_t k = 0; k < draft->n_networks; k++) {
        const rg_draft_network *network = &draft->networks[k];
        rg_text_add(out, draft->alternatives ? "  - " : "");
        if (network->name)
            print_text(out, draft->alternatives ? "name" : "  name", network->name);
        for (size_t item = 0; item < rg_yaml_size(network->tree); item++) {
            const char *key = rg_yaml_key(network->tree, item);
            rg_text_add(out, "%*s", (int)indent, "");
            rg_yaml_print_text(out, draft->models && item == 0 ? "kind" : key, false);
            rg_text_add(out, ":");
            rg_yaml_print(out, rg_yaml_item(network->tree, item), indent);
        }
    }
}

static void print_node(rg_text *out, const char *key, const rg_yaml *node)
{
    if (!node)
        return;
    rg_text_add(out, "%s:", key);
    rg_yaml_print(out, node, 0);
}

/* ---- the digest */

static void digest(rg_experiment *experiment)
{
    const rg_experiment_info *info = &experiment->info;
    const double parts[] = {info->split->validation,
                            info->split->n_folds == 1 ? info->split->test : 0};
    rg_digest sum;
    rg_digest_init(&sum);
    rg_digest_text(&sum, "regula experiment 1");
    rg_digest_text(&sum, info->data);
    rg_digest_text(&sum, info->splits ? rg_path_name(info->splits) : "");
    rg_digest_u64(&sum, (uint64_t)info->make_splits);
    rg_digest_u64(&sum, info->split->n_folds);
    rg_digest_u64(&sum, info->split->seed);
    rg_digest_u64(&sum, info->split->stratified != 0);
    rg_digest_real_array(&sum, parts, 2);
    rg_digest_u64(&sum, info->n_folds);
    rg_digest_u32_array(&sum, info->folds, info->n_folds);
    rg_digest_u64(&sum, info->n_protocols);
    for (size_t k = 0; k < info->n_protocols; k++)
        rg_digest_text(&sum, rg_protocol_name(info->protocols[k]));
    rg_digest_u64(&sum, info->runs);
    rg_digest_u64(&sum, info->seed);
    rg_digest_u64(&sum, info->fit_on_train != 0);
    if (info->starts_per_fold)
        rg_digest_text(&sum, "starts: fold");
    if (info->metric != RG_METRIC_DEFAULT)
        rg_digest_text(&sum, rg_metric_name(info->metric));
    for (size_t k = 0; k < info->n_ensembles; k++) {
        rg_digest_text(&sum, "ensemble");
        rg_digest_u64(&sum, (uint64_t)info->ensembles[k].kind);
        rg_digest_u64(&sum, info->ensembles[k].top);
    }
    rg_digest_u64(&sum, info->n_configurations);
    rg_digest_u64(&sum, info->n_axes);
    for (size_t c = 0; c < info->n_configurations; c++) {
        rg_digest_text(&sum, rg_experiment_recipe(experiment, c));
        for (size_t k = 0; k < info->n_axes; k++)
            rg_digest_text(&sum, rg_experiment_choice(experiment, c, k));
    }
    rg_digest_finish(&sum, experiment->digest);
}

rg_status rg_draft_print(rg_draft *draft, rg_error *err)
{
    rg_experiment *experiment = draft->experiment;
    rg_yaml *again = NULL;
    rg_text text = {0};
    rg_error inner = {""};
    print_head(&text, &experiment->info);
    print_ensembles(&text, &experiment->info);
    print_networks(&text, draft);
    print_node(&text, "labels", draft->labels);
    print_node(&text, "input", draft->input);
    print_node(&text, "training", draft->training);
    print_node(&text, "grid", draft->grid);
    experiment->text = rg_text_take(&text);
    if (!experiment->text)
        return rg_fail_memory(err, "an experiment as text");
    digest(experiment);
    /* Files that are each within bounds may be beyond them together. */
    rg_status status = rg_yaml_parse(&again, "all in one file", experiment->text,
                                     strlen(experiment->text), &inner);
    rg_yaml_free(again);
    return status ? rg_fail(err, status, "%s: %s", draft->source->name, inner.message) : RG_OK;
}
