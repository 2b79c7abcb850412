/* report_rules.c - see report_parts.h: the rules of a model that was kept, in words. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "report_explain.h"

#include <math.h>
#include <string.h>

/* ---- the model */

static void speaker_close(rg_speaker *s)
{
    rg_explainer_free(s->explainer);
    rg_model_free(s->model);
    rg_free(s->models);
    rg_free(s->picked);
}

/* The first model of a configuration that was chosen on its fold. NULL: none. */
static const rg_store_model *pick_model(const rg_report *report, const rg_store_model *models,
                                        size_t n)
{
    uint64_t wanted = report->options->fold;
    for (uint32_t f = 0; f < report->results->about->n_folds; f++) {
        if (wanted != UINT64_MAX && rg_results_fold(report->results, f) != wanted)
            continue;
        for (size_t k = 0; k < n; k++)
            if (models[k].fold == f && models[k].configuration == report->chosen[f])
                return &models[k];
    }
    return NULL;
}

static rg_status check_fold(const rg_report *report, rg_error *err)
{
    const rg_results *r = report->results;
    uint64_t wanted = report->options->fold;
    for (uint32_t f = 0; f < r->about->n_folds; f++)
        if (wanted == UINT64_MAX || rg_results_fold(r, f) == wanted)
            return RG_OK;
    return rg_fail(err, RG_EUSAGE, "there is no fold %llu in '%s'", (unsigned long long)wanted,
                   rg_store_directory(r->store));
}

/* A file that is gone or damaged is told of: s->model stays NULL, and *why is filled. */
static rg_status load_model(rg_speaker *s, const rg_report *report, rg_error *why, rg_error *err)
{
    size_t n;
    rg_store *store = report->results->store;
    rg_status status = check_fold(report, err);
    if (!status)
        status = rg_store_models(&s->models, &n, store, err);
    if (status)
        return status;
    s->of = pick_model(report, s->models, n);
    if (!s->of) {
        rg_fail(why, RG_EDATA, "%s",
                n ? "The run kept no model of the configuration selected on this fold."
                  : "The run kept no models (its experiment says 'keep: none', or it is not "
                    "finished).");
        return RG_OK;
    }
    char *path = rg_path_join(rg_store_directory(store), s->of->file);
    status = path ? rg_model_load(&s->model, path, why) : RG_ENOMEM;
    rg_free(path);
    if (status && report->options->unread)
        *report->options->unread = *why;
    return status == RG_ENOMEM ? rg_fail_memory(err, "a model") : RG_OK;
}

/* ---- which rules */

/* Up to `quota` of a layer: half of them the largest weights, the rest what adds most. */
static rg_status pick_group(rg_speaker *s, size_t layer, bool bias, size_t quota, rg_error *err)
{
    uint32_t *list = rg_alloc(quota, sizeof *list);
    rg_explain_order orders[2] = {RG_BY_WEIGHT, s->measured ? RG_BY_CONTRIBUTION : RG_BY_WEIGHT};
    size_t n, taken = 0;
    rg_status status = list ? RG_OK : rg_fail_memory(err, "rules");
    for (int o = 0; o < 2 && !status; o++) {
        size_t most = o == 0 ? (quota + 1) / 2 : quota;
        status = rg_explainer_rank(list, &n, s->explainer, layer, bias, orders[o], quota, err);
        for (size_t k = 0; !status && k < n && taken < most; k++) {
            taken += !s->picked[list[k]];
            s->picked[list[k]] = 1;
        }
    }
    rg_free(list);
    return status;
}

/* Statements of a layer: of its rules, or of its bias. */
static size_t group_size(const rg_speaker *s, size_t layer, bool bias)
{
    rg_layer_facts facts = rg_explainer_layer(s->explainer, layer);
    size_t n = 0;
    for (size_t k = facts.first; k < facts.first + facts.n; k++)
        n += (rg_explainer_statement(s->explainer, k)->rule == RG_STATEMENT_BIAS) == bias;
    return n;
}

/* How many of each group, so that there are `top` in all: small groups leave room to others. */
static size_t choose_quota(const size_t *sizes, size_t n, size_t top)
{
    size_t quota = 0, sum = 0;
    while (sum < top && quota < top) {
        quota++;
        sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += sizes[k] < quota ? sizes[k] : quota;
    }
    return quota;
}

static rg_status pick_rules(rg_speaker *s, size_t top, rg_error *err)
{
    size_t n_layers = rg_explainer_n_layers(s->explainer);
    size_t *sizes = rg_alloc(2 * n_layers, sizeof *sizes);
    s->picked = rg_alloc_zero(rg_explainer_n_statements(s->explainer), 1);
    rg_status status = sizes && s->picked ? RG_OK : rg_fail_memory(err, "rules");
    for (size_t k = 0; k < 2 * n_layers && !status; k++)
        sizes[k] = group_size(s, k / 2, k % 2);
    size_t quota = status ? 0 : choose_quota(sizes, 2 * n_layers, top);
    for (size_t k = 0; k < 2 * n_layers && !status; k++)
        if (sizes[k])
            status = pick_group(s, k / 2, k % 2, quota, err);
    rg_free(sizes);
    return status;
}

/* What removing each of them does, on the validation set of the fold. */
static rg_status remove_rules(rg_speaker *s, const rg_report *report, rg_error *err)
{
    size_t n = rg_explainer_n_statements(s->explainer), n_list = 0;
    uint64_t number = rg_results_fold(report->results, s->of->fold);
    if (!report->options->splits || number >= rg_splits_n_folds(report->options->splits))
        return RG_OK;
    rg_fold fold = rg_splits_fold(report->options->splits, (size_t)number);
    if (fold.validation.n == 0)
        return RG_OK;
    uint32_t *list = rg_alloc(n, sizeof *list);
    if (!list)
        return rg_fail_memory(err, "rules");
    for (size_t k = 0; k < n; k++)
        if (s->picked[k])
            list[n_list++] = (uint32_t)k;
    rg_status status = rg_explainer_remove(&s->score, s->explainer, list, n_list,
                                           fold.validation.graphs, fold.validation.n, err);
    s->removed = !status;
    rg_free(list);
    return status;
}

static rg_status open_speaker(rg_speaker *s, const rg_report *report, rg_error *err)
{
    const rg_report_options *o = report->options;
    rg_predict_options options = rg_predict_options_default();
    options.n_threads = o->n_threads;
    options.cache = o->cache;
    rg_status status = rg_explainer_new(&s->explainer, s->model, o->names, err);
    if (!status && o->source)
        status = rg_explainer_read(s->explainer, o->source, &options, err);
    if (!status && o->source)
        status = rg_explainer_measure(s->explainer, NULL, 0, err);
    s->measured = !status && o->source;
    if (!status)
        status = pick_rules(s, o->top, err);
    if (!status && o->source)
        status = remove_rules(s, report, err);
    return status;
}

/* ---- writing */

void rg_speaker_words(rg_json *json, const char *key, const rg_speaker *s, size_t statement)
{
    rg_text text = {0};
    rg_explainer_words(&text, s->explainer, statement);
    char *words = rg_text_take(&text);
    if (words)
        rg_json_string(json, key, words);
    else
        json->text.failed = true;
    rg_free(words);
}

static void add_outputs(rg_json *json, const rg_speaker *s, size_t n)
{
    rg_json_open(json, "outputs", '[');
    for (uint32_t k = 0; k < n; k++) {
        rg_text text = {0};
        rg_explainer_output_words(&text, s->explainer, k);
        char *words = rg_text_take(&text);
        json->text.failed |= words == NULL;
        rg_json_string(json, NULL, words);
        rg_free(words);
    }
    rg_json_close(json, '[');
}

static void add_layers(rg_json *json, const rg_speaker *s)
{
    rg_json_open(json, "layers", '[');
    for (size_t l = 0; l < rg_explainer_n_layers(s->explainer); l++) {
        rg_layer_facts facts = rg_explainer_layer(s->explainer, l);
        rg_json_open(json, NULL, '{');
        rg_json_string(json, "kind", facts.kind);
        rg_json_count(json, "number", facts.of + 1);
        rg_json_count(json, "statements", facts.n);
        rg_json_count(json, "parameters", facts.n_params);
        rg_json_string(json, "activation", facts.activation);
        rg_json_open(json, "rules", '[');
        for (size_t k = 0; k < facts.n_rules; k++)
            rg_json_string(json, NULL, rg_explainer_rule(s->explainer, l, k));
        rg_json_close(json, '[');
        rg_json_string(json, "bias",
                       facts.has_bias ? rg_explainer_rule(s->explainer, l, RG_STATEMENT_BIAS)
                                      : NULL);
        rg_json_close(json, '{');
    }
    rg_json_close(json, '[');
}

static void add_rule(rg_json *json, const rg_speaker *s, size_t k)
{
    const rg_statement *x = rg_explainer_statement(s->explainer, k);
    rg_effect effect = rg_explainer_effect(s->explainer, k);
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "id", k);
    rg_json_count(json, "layer", x->layer);
    rg_json_bool(json, "bias", x->rule == RG_STATEMENT_BIAS);
    rg_speaker_words(json, "words", s, k);
    rg_json_short(json, "weight", x->weight);
    rg_json_short(json, "effect", s->measured ? effect.value : (double)NAN);
    rg_json_known(json, "up", s->measured ? effect.axis.up : UINT64_MAX);
    rg_json_known(json, "down",
                  s->measured && effect.axis.down != RG_NO_OUTPUT ? effect.axis.down : UINT64_MAX);
    rg_json_known(json, "graphs", s->measured ? x->graphs : UINT64_MAX);
    rg_json_known(json, "pairs", s->measured ? x->pairs : UINT64_MAX);
    rg_json_short(json, "contribution", s->measured ? x->contribution : (double)NAN);
    rg_json_known(json, "towards", s->measured ? x->towards : UINT64_MAX);
    rg_json_short(json, "removal", x->removed ? x->removal : (double)NAN);
    rg_json_known(json, "changed", x->removed ? x->changed : UINT64_MAX);
    rg_json_close(json, '{');
}

static rg_status add_rules(rg_report *report, const rg_speaker *s, rg_error *err)
{
    rg_json *json = &report->json;
    rg_model_info info = RG_MODEL_INFO_INIT;
    rg_status status = rg_model_describe(&info, s->model, err);
    if (status)
        return status;
    rg_json_open(json, "rules", '{');
    rg_json_string(json, "file", s->of->file);
    rg_json_string(json, "digest", s->of->digest);
    rg_json_count(json, "configuration", s->of->configuration);
    rg_json_count(json, "fold", rg_results_fold(report->results, s->of->fold));
    rg_json_count(json, "run", s->of->run);
    rg_json_string(json, "names", rg_names_source(report->options->names));
    rg_json_count(json, "statements", rg_explainer_n_statements(s->explainer));
    rg_json_known(json, "validation", s->removed ? s->score.n : UINT64_MAX);
    rg_json_real(json, "validation_score", s->removed ? s->score.score : (double)NAN);
    rg_json_bool(json, "compared",
                 info.n_outputs > 1 &&
                     (info.task == RG_MODEL_CLASSES || info.task == RG_MODEL_NODES));
    add_outputs(json, s, info.n_outputs);
    add_layers(json, s);
    rg_json_open(json, "list", '[');
    for (size_t k = 0; k < rg_explainer_n_statements(s->explainer); k++)
        if (s->picked[k])
            add_rule(json, s, k);
    rg_json_close(json, '[');
    rg_json_close(json, '{');
    return RG_OK;
}

rg_status rg_report_add_rules(rg_report *report, rg_error *err)
{
    rg_json *json = &report->json;
    rg_speaker s = {.model = NULL};
    rg_error why = {""};
    rg_status status = load_model(&s, report, &why, err);
    if (!status && !s.model) {
        rg_report_none(json, "rules", why.message);
        rg_report_none(json, "graphs", why.message);
    } else if (!status) {
        status = open_speaker(&s, report, err);
        if (!status)
            status = add_rules(report, &s, err);
        if (!status)
            status = rg_report_add_graphs(report, &s, err);
    }
    speaker_close(&s);
    return status;
}
