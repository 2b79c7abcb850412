/* explain_rules.c - the strongest statements of each layer. */
#include "explain.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing */

/* The statements that are shown of a layer: rules, then biases. */
typedef struct shown {
    uint32_t *list; /* owned */
    size_t n_rules, n_biases;
} shown;

/* How many statements are tried where the order is that of removing. */
static size_t n_tried(const cli_explain *job)
{
    return job->top < 20 ? 200 : job->top > SIZE_MAX / 10 ? SIZE_MAX : 10 * job->top;
}

static rg_status choose(shown *out, const cli_explain *job, size_t layer, rg_explain_order by,
                        size_t most, rg_error *err)
{
    rg_layer_facts facts = rg_explainer_layer(job->explainer, layer);
    if (most > facts.n)
        most = facts.n;
    *out = (shown){.list = rg_alloc(2 * most, sizeof *out->list)};
    if (!out->list)
        return rg_fail_memory(err, "the order of statements");
    rg_status status =
        rg_explainer_rank(out->list, &out->n_rules, job->explainer, layer, false, by, most, err);
    if (!status)
        status = rg_explainer_rank(out->list + out->n_rules, &out->n_biases, job->explainer, layer,
                                   true, by, most, err);
    if (status) {
        rg_free(out->list);
        out->list = NULL;
    }
    return status;
}

/* What removing does, for all that will be shown (or might be, if that is the order). */
static rg_status remove_chosen(cli_explain *job, rg_explain_score *score, rg_error *err)
{
    uint32_t *list = NULL;
    size_t n = 0, capacity = 0, n_layers = rg_explainer_n_layers(job->explainer);
    bool first = job->by == RG_BY_REMOVAL;
    rg_status status = RG_OK;
    for (size_t l = 0; !status && l < n_layers; l++) {
        if (!cli_explain_asked(job, l))
            continue;
        shown s;
        status = choose(&s, job, l, first ? RG_BY_CONTRIBUTION : job->by,
                        first ? n_tried(job) : job->top, err);
        if (status)
            break;
        size_t m = s.n_rules + s.n_biases;
        if (!rg_grow(&list, &capacity, n + m, sizeof *list))
            status = rg_fail_memory(err, "the order of statements");
        else if (m)
            memcpy(list + n, s.list, m * sizeof *list);
        n += m;
        rg_free(s.list);
    }
    if (!status && n)
        status =
            rg_explainer_remove(score, job->explainer, list, n, job->part.graphs, job->part.n, err);
    rg_free(list);
    return status;
}

/* All that data tell. Without targets there is nothing to score. */
static rg_status measure(cli_explain *job, rg_error *err)
{
    rg_error inner;
    rg_predict_report report;
    rg_status status = rg_explainer_measure(job->explainer, NULL, 0, err);
    if (!status)
        status = rg_explainer_report(&report, job->explainer, err);
    if (status)
        return status;
    status = remove_chosen(job, &job->score, &inner);
    if (status == RG_EDATA && job->by != RG_BY_REMOVAL) {
        rg_error again;
        cli_message("warning: the accuracy without a rule is not measured: %s", inner.message);
        status = remove_chosen(job, NULL, &again);
        inner = again;
    }
    cli_progress_end(&job->use.progress);
    cli_warn_unseen(&report);
    return status ? rg_fail(err, status, "%s", inner.message) : RG_OK;
}

/* ---- for people */

/* Has each rule an output of its own that its effect is about? Of two classes the axis is one. */
static bool has_towards(const cli_explain *job)
{
    return job->use.info.n_outputs > 1 && rg_explainer_axis(job->explainer, 0).down == RG_NO_OUTPUT;
}

static void print_head(const cli_explain *job, bool bias)
{
    if (!job->has_data)
        printf("\n%9s", bias ? "bias" : "weight");
    else {
        printf("\n%9s", "effect");
        printf(has_towards(job) ? " %5s %7s" : "%.0s %7s", "to", cli_explain_samples(job));
        if (job->score.n)
            printf(" %9s", "removal");
    }
    printf("  %s\n", bias ? "bias of" : "rule");
}

static int table_width(const cli_explain *job)
{
    int data = 8 + (has_towards(job) ? 6 : 0) + (job->score.n ? 10 : 0);
    return 11 + (job->has_data ? data : 0);
}

static void print_removal(const cli_explain *job, const rg_statement *s)
{
    char text[32];
    if (!s->removed)
        printf(" %9s", "-");
    else if (job->use.info.task == RG_MODEL_VALUES)
        printf(" %9s", cli_signed(text, s->removal));
    else {
        snprintf(text, sizeof text, "%+.2f %%", 100 * s->removal);
        printf(" %9s", s->changed == 0 ? "0" : text);
    }
}

/* The place of the largest weight that is smaller than the last one, or as large and behind it. */
static uint32_t next_weight(const rg_statement_weight *w, uint32_t n, uint32_t last)
{
    uint32_t best = n;
    for (uint32_t p = 0; p < n; p++) {
        double size = fabs(w[p].value);
        bool left =
            last == n || size < fabs(w[last].value) || (size == fabs(w[last].value) && p > last);
        if (left && (best == n || size > fabs(w[best].value)))
            best = p;
    }
    return best;
}

/* " to class 1 from channel 2" */
static void add_ends(rg_text *out, const cli_explain *job, const rg_statement *s,
                     const rg_statement_weight *w)
{
    rg_layer_facts facts = rg_explainer_layer(job->explainer, s->layer);
    bool outputs = strcmp(facts.kind, "aggregate") == 0;
    if (outputs && w->out < job->use.info.n_outputs &&
        s->layer + 1 == rg_explainer_n_layers(job->explainer)) {
        rg_text_add(out, " to ");
        rg_explainer_output_words(out, job->explainer, w->out);
    } else if (w->out != RG_NO_OUTPUT)
        rg_text_add(out, " to %s %u", outputs ? "output" : "channel", (unsigned)w->out);
    if (facts.n_in > 1)
        rg_text_add(out, " from channel %u", (unsigned)w->in);
}

/* ": +0.31 to class 0, -0.22 to class 1": what the one number in front leaves out. All of them in
 * order if they are few, else the largest. */
static void add_weights(rg_text *out, const cli_explain *job, uint32_t k)
{
    enum { SHOWN = 4 };
    const rg_statement *s = rg_explainer_statement(job->explainer, k);
    const rg_statement_weight *w = rg_explainer_weights(job->explainer, k);
    char number[CLI_SIGNED];
    if (s->n == 1 && (s->rule == RG_STATEMENT_BIAS || w[0].out == 0 || w[0].out == RG_NO_OUTPUT))
        return;
    uint32_t at = s->n;
    for (uint32_t p = 0; p < s->n && p < SHOWN; p++) {
        at = s->n > SHOWN ? next_weight(w, s->n, at) : p;
        if (at == s->n)
            break; /* weights that are no numbers */
        rg_text_add(out, "%s%s", p ? ", " : ": ", cli_signed(number, w[at].value));
        add_ends(out, job, s, &w[at]);
    }
    if (s->n > SHOWN)
        rg_text_add(out, " and %u more", (unsigned)(s->n - SHOWN));
}

static rg_status print_statement(const cli_explain *job, uint32_t k, rg_error *err)
{
    const rg_statement *s = rg_explainer_statement(job->explainer, k);
    rg_effect effect = rg_explainer_effect(job->explainer, k);
    char number[CLI_SIGNED];
    rg_text text = {0};
    printf("%9s", cli_signed(number, job->has_data ? effect.value : s->weight));
    if (job->has_data) {
        if (has_towards(job))
            printf(" %5" PRId64, cli_explain_output(job, effect.axis.up));
        printf(" %7" PRIu64, s->graphs);
        if (job->score.n)
            print_removal(job, s);
    }
    printf("  ");
    rg_explainer_words(&text, job->explainer, k);
    if (!job->has_data)
        add_weights(&text, job, k);
    if (job->has_data && effect.disagrees)
        rg_text_add(&text, " (its contribution has the other sign: %s)",
                    cli_signed(number, s->share));
    return cli_explain_wrap(&text, table_width(job), err);
}

static void print_layer(const cli_explain *job, size_t l, const rg_layer_facts *facts)
{
    char title[CLI_LAYER_TITLE];
    cli_explain_title(title, job, l);
    cli_bold(stdout, true);
    printf("\n%s", title);
    cli_bold(stdout, false);
    printf(": %" PRIu64 " parameters", facts->n_params);
    if (facts->n_in > 1 || (facts->n_out > 1 && facts->n_rules))
        printf(", %u in and %u out", (unsigned)facts->n_in, (unsigned)facts->n_out);
    if (facts->weights)
        printf(", those of layer '%s'", facts->weights);
    printf("\n");
    for (size_t r = 0; r < facts->n_rules; r++) {
        printf("  ");
        cli_wrap_at(stdout, rg_explainer_rule(job->explainer, l, r), 2, 4, cli_width());
    }
    if (facts->n_rules == 0)
        printf("  It has no rule, so its weights do not describe pairs of nodes.\n");
}

/* "the 10 strongest of 812 rules, by weight" */
static void print_which(const cli_explain *job, size_t n, size_t of, const char *what)
{
    static const char *const words[] = {"weight", "contribution", "support", "removal"};
    if (n == of)
        printf("  %zu %s, by %s\n", of, what, words[job->by]);
    else
        printf("  the first %zu of %zu %s, by %s\n", n, of, what, words[job->by]);
}

static size_t n_biases(const cli_explain *job, const rg_layer_facts *facts)
{
    size_t n = 0;
    for (size_t k = 0; k < facts->n; k++)
        n += rg_explainer_statement(job->explainer, facts->first + k)->rule == RG_STATEMENT_BIAS;
    return n;
}

/* By what they do to the answer, where nothing else was asked for. */
static void sort_by_effect(const cli_explain *job, uint32_t *list, size_t n)
{
    for (size_t k = 1; job->has_data && job->by == RG_BY_CONTRIBUTION && k < n; k++)
        for (size_t at = k; at > 0; at--) {
            double size = fabs(rg_explainer_effect(job->explainer, list[at]).value);
            if (!(size > fabs(rg_explainer_effect(job->explainer, list[at - 1]).value)))
                break;
            uint32_t swap = list[at];
            list[at] = list[at - 1];
            list[at - 1] = swap;
        }
}

static rg_status print_rules(const cli_explain *job, size_t l, rg_error *err)
{
    rg_layer_facts facts = rg_explainer_layer(job->explainer, l);
    size_t biases = n_biases(job, &facts);
    shown s;
    print_layer(job, l, &facts);
    rg_status status = choose(&s, job, l, job->by, job->top, err);
    if (status)
        return status;
    sort_by_effect(job, s.list, s.n_rules);
    sort_by_effect(job, s.list + s.n_rules, s.n_biases);
    if (facts.n_rules) {
        print_which(job, s.n_rules, facts.n - biases, "rules");
        print_head(job, false);
    }
    for (size_t k = 0; !status && k < s.n_rules; k++)
        status = print_statement(job, s.list[k], err);
    if (!status && s.n_biases) {
        printf("\n  bias: ");
        cli_print(rg_explainer_rule(job->explainer, l, RG_STATEMENT_BIAS));
        printf("\n");
        if (biases > 1)
            print_which(job, s.n_biases, biases, "biases");
        print_head(job, true);
    }
    for (size_t k = 0; !status && k < s.n_biases; k++)
        status = print_statement(job, s.list[s.n_rules + k], err);
    rg_free(s.list);
    return status;
}

/* ---- a layer of the file that is made of several, none of them with rules: one line */

/* Parameters, and channels that come in and go out, of all that layer l of the file is made of. */
static rg_layer_facts whole_layer(const cli_explain *job, size_t l)
{
    rg_layer_facts whole = {.kind = NULL};
    for (size_t k = 0; k < rg_explainer_n_layers(job->explainer); k++) {
        rg_layer_facts facts = rg_explainer_layer(job->explainer, k);
        if (facts.of != l)
            continue;
        whole.kind = facts.of_kind;
        whole.n_in = whole.n_in ? whole.n_in : facts.n_in;
        whole.n_out = facts.n_out;
        whole.n_params += facts.n_params;
        whole.n_rules += facts.n_rules;
    }
    return whole;
}

static void print_whole(const cli_explain *job, size_t l, bool first)
{
    rg_layer_facts whole = whole_layer(job, l);
    if (whole.n_params == 0)
        return;
    printf("%sLayer %zu, %s: %" PRIu64 " parameters, %u in and %u out; no rule\n",
           first ? "\n" : "", l + 1, whole.kind, whole.n_params, (unsigned)whole.n_in,
           (unsigned)whole.n_out);
}

/* All layers of the file, where some are made of several. */
static rg_status print_layers(const cli_explain *job, rg_error *err)
{
    size_t n = rg_explainer_n_layers(job->explainer);
    rg_status status = RG_OK;
    bool first = true;
    for (size_t k = 0; !status && k < n; k++) {
        rg_layer_facts facts = rg_explainer_layer(job->explainer, k);
        if (facts.n_rules) {
            status = print_rules(job, k, err);
            first = true;
        } else if ((k == 0 || rg_explainer_layer(job->explainer, k - 1).of != facts.of) &&
                   whole_layer(job, facts.of).n_rules == 0) {
            print_whole(job, facts.of, first);
            first = false;
        }
    }
    return status;
}

/* What the effects of the table are. */
static void say_effect(rg_text *out, const cli_explain *job)
{
    const rg_model_info *info = &job->use.info;
    rg_effect_axis axis = rg_explainer_axis(job->explainer, 0);
    bool classes = info->task == RG_MODEL_CLASSES || info->task == RG_MODEL_NODES;
    const char *samples = cli_explain_samples(job);
    rg_text_add(out, "On %s, %zu %s. effect: how much the rule moves the ",
                cli_source_items(&job->use.source).name, cli_source_items(&job->use.source).n,
                samples);
    if (!has_towards(job) && (!classes || axis.down != RG_NO_OUTPUT)) {
        rg_text_add(out, "%s, + towards ", classes ? "log odds" : "output");
        rg_explainer_axis_words(out, job->explainer, axis, true);
        rg_text_add(out, " and - towards ");
        rg_explainer_axis_words(out, job->explainer, axis, false);
    } else if (classes && info->n_outputs > 1)
        rg_text_add(out, "log odds of the class in column 'to' against the other classes");
    else
        rg_text_add(out, "output%s", info->n_outputs > 1 ? " in column 'to'" : "");
    rg_text_add(out, ": the mean over the %s that have it, measured by removing it.", samples);
}

static rg_status print_intro(const cli_explain *job, rg_error *err)
{
    const rg_model_info *info = &job->use.info;
    rg_text text = {0};
    cli_bold(stdout, true);
    cli_print(job->path);
    cli_bold(stdout, false);
    printf(": %u output%s, %" PRIu64 " parameters\n", (unsigned)info->n_outputs,
           info->n_outputs == 1 ? "" : "s", info->n_parameters);
    if (!job->has_data) {
        rg_text_add(
            &text,
            "Only weights and sentences, as no DATA was given. A weight may multiply a negative "
            "input: 'regula explain MODEL DATA' says what each rule does to the answer, and how "
            "often it occurs.");
    } else {
        say_effect(&text, job);
        rg_status status = cli_explain_wrap(&text, 0, err);
        if (status || !job->score.n)
            return status;
        if (info->task == RG_MODEL_VALUES)
            rg_text_add(&text, "removal: change of the mean absolute error (%.4g)",
                        job->score.score);
        else
            rg_text_add(&text, "removal: change of the accuracy (%.2f %%)", 100 * job->score.score);
        if (job->split)
            rg_text_add(&text, " on the validation set of fold %zu if the rule is removed.",
                        job->use.split.number);
        else
            rg_text_add(&text, " on the whole data set (no --split given) if the rule is removed.");
    }
    return cli_explain_wrap(&text, 0, err);
}

static rg_status check_order(const cli_explain *job, rg_error *err)
{
    if (!job->has_data && job->by != RG_BY_WEIGHT)
        return rg_fail(err, RG_EUSAGE,
                       "option '--by' needs DATA for any order but 'weight': a model alone does "
                       "not show where rules occur");
    return RG_OK;
}

rg_status cli_explain_rules(cli_explain *job, rg_error *err)
{
    rg_status status = check_order(job, err);
    if (!status && job->has_data)
        status = measure(job, err);
    if (!status)
        status = print_intro(job, err);
    if (!status && job->layer == SIZE_MAX && !rg_explainer_is_plain(job->explainer))
        return print_layers(job, err);
    for (size_t l = 0; !status && l < rg_explainer_n_layers(job->explainer); l++)
        if (cli_explain_asked(job, l))
            status = print_rules(job, l, err);
    return status;
}

/* ---- for programs */

static json_t *layer_json(const cli_explain *job, size_t l, const shown *s)
{
    rg_layer_facts facts = rg_explainer_layer(job->explainer, l);
    json_t *layer = json_object(), *rules = json_array(), *texts = json_array();
    size_t biases = n_biases(job, &facts);
    cli_json_set(&layer, "layer", cli_json_count(facts.of + 1));
    cli_json_set(&layer, "kind", json_string(facts.kind));
    if (!rg_explainer_is_plain(job->explainer)) {
        cli_json_set(&layer, "part_of", json_string(facts.of_kind));
        cli_json_set(&layer, "number", cli_json_count(l));
    }
    cli_json_set(&layer, "activation", json_string(facts.activation));
    cli_json_set(&layer, "parameters", cli_json_count(facts.n_params));
    for (size_t r = 0; r < facts.n_rules; r++)
        cli_json_add(&texts, cli_json_text(rg_explainer_rule(job->explainer, l, r)));
    cli_json_set(&layer, "rules", texts);
    cli_json_set(&layer, "bias",
                 facts.has_bias
                     ? cli_json_text(rg_explainer_rule(job->explainer, l, RG_STATEMENT_BIAS))
                     : json_null());
    cli_json_set(&layer, "n_rules", cli_json_count(facts.n - biases));
    cli_json_set(&layer, "n_biases", cli_json_count(biases));
    for (size_t k = 0; k < s->n_rules + s->n_biases; k++) {
        rg_json json = {0};
        rg_explain_json_statement(&json, job->explainer, s->list[k]);
        cli_json_add(&rules, cli_explain_tree(&json));
    }
    cli_json_set(&layer, "statements", rules);
    return layer;
}

rg_status cli_explain_rules_json(cli_explain *job, rg_error *err)
{
    static const char *const words[] = {"weight", "contribution", "support", "removal"};
    rg_status status = check_order(job, err);
    if (!status && job->has_data)
        status = measure(job, err);
    if (status)
        return status;
    json_t *root = cli_explain_question(job), *layers = json_array();
    cli_json_set(&root, "by", json_string(words[job->by]));
    if (job->score.n) {
        cli_json_set(&root, "split", job->split ? cli_json_text(job->use.split.path) : json_null());
        cli_json_set(&root, "fold",
                     job->split ? cli_json_count(job->use.split.number) : json_null());
        cli_json_set(&root, "score", cli_json_real(job->score.score));
        cli_json_set(&root, "score_n", cli_json_count(job->score.n));
    }
    for (size_t l = 0; !status && l < rg_explainer_n_layers(job->explainer); l++) {
        shown s;
        if (!cli_explain_asked(job, l))
            continue;
        status = choose(&s, job, l, job->by, job->top, err);
        if (status)
            break;
        cli_json_add(&layers, layer_json(job, l, &s));
        rg_free(s.list);
    }
    cli_json_set(&root, "layers", layers);
    if (status) {
        json_decref(root);
        return status;
    }
    return cli_print_json(root, err);
}
