/* report_graphs.c - see report_explain.h: graphs with their strongest rules, for the viewer. */
#include "base/alloc.h"
#include "base/error.h"
#include "layout/layout.h"
#include "report_explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 600  /* of a graph that is drawn */
#define MOST_ARROWS 100 /* of each sign, in a layer of a graph */
#define MOST_LABELS 64  /* with names and colours of their own */
#define LETTERS 3       /* of a name that fits into a node */

/* ---- which graphs */

typedef struct graph_choice {
    uint32_t sample, truth;
    bool right;
    double sure;
    size_t rank; /* among those of its class that are right, or wrong */
} graph_choice;

/* Classes one after another, in each the right ones first: the surest of them, and the worst of the
 * wrong ones. */
static int compare_choices(const void *x, const void *y)
{
    const graph_choice *a = x, *b = y;
    if (a->truth != b->truth)
        return a->truth < b->truth ? -1 : 1;
    if (a->right != b->right)
        return a->right ? -1 : 1;
    if (a->sure != b->sure && !isnan(a->sure) && !isnan(b->sure))
        return (a->sure > b->sure) == a->right ? -1 : 1;
    return a->sample < b->sample ? -1 : 1;
}

static int compare_ranks(const void *x, const void *y)
{
    const graph_choice *a = x, *b = y;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : compare_choices(x, y);
}

/* The first of every kind, then the second of every kind, and so on. */
static size_t cut_choices(graph_choice *list, size_t n, size_t most)
{
    qsort(list, n, sizeof *list, compare_choices);
    for (size_t k = 0; k < n; k++) {
        bool same = k && list[k - 1].truth == list[k].truth && list[k - 1].right == list[k].right;
        list[k].rank = same ? list[k - 1].rank + 1 : 0;
    }
    qsort(list, n, sizeof *list, compare_ranks);
    n = n < most ? n : most;
    qsort(list, n, sizeof *list, compare_choices);
    return n;
}

static graph_choice make_choice(const rg_report *report, uint32_t sample)
{
    const rg_said *said = report->said;
    graph_choice c = {.sample = sample, .truth = RG_NO_CLASS, .sure = (double)NAN};
    if (said && said->n_said[sample]) {
        c.truth = said->truth[sample];
        c.right = 2 * said->n_right[sample] > said->n_said[sample];
        c.sure = said->sure[sample];
    }
    return c;
}

/* Those of the test set that fit into a drawing; those asked for if some are; the first ones if
 * nothing is known of the part. *part says which: "test", "chosen" or "any". */
static rg_status choose_graphs(graph_choice **out, size_t *n_out, const char **part,
                               const rg_report *report, const rg_speaker *s, rg_error *err)
{
    const rg_report_options *o = report->options;
    const rg_store_run run = {
        .configuration = s->of->configuration, .fold = s->of->fold, .run = {.number = s->of->run}};
    rg_store_prediction *p = NULL;
    size_t all = rg_dataset_n_graphs(o->source->graphs), n = 0;
    rg_status status =
        o->graphs ? RG_OK : rg_store_prediction_read(&p, report->results->store, &run, err);
    if (status)
        return status;
    const uint32_t *from = o->graphs ? o->graphs : p ? p->samples : NULL;
    size_t n_from = o->graphs ? o->n_graphs : p ? p->n_rows : all;
    *part = o->graphs ? "chosen" : p ? "test" : "any";
    graph_choice *list = rg_alloc(n_from, sizeof *list);
    if (!list)
        status = rg_fail_memory(err, "graphs of a report");
    for (size_t k = 0; !status && k < n_from; k++) {
        uint32_t sample = from ? from[k] : (uint32_t)k;
        uint32_t n_nodes = sample < all ? rg_dataset_graph(o->source->graphs, sample).n_nodes : 0;
        if (sample >= all)
            status = rg_fail(err, o->graphs ? RG_EUSAGE : RG_EDATA,
                             "there is no graph %u: '%s' has %zu graphs", (unsigned)sample,
                             rg_dataset_name(o->source->graphs), all);
        else if (n_nodes && n_nodes <= MOST_NODES && (!n || list[n - 1].sample != sample))
            list[n++] = make_choice(report, sample);
    }
    rg_free(p);
    if (status) {
        rg_free(list);
        return status;
    }
    *n_out = o->graphs ? n : cut_choices(list, n, o->n_graphs);
    *out = list;
    return RG_OK;
}

/* ---- labels */

static const char *name_of(char out[RG_NAME_MAX], const rg_report *report, size_t label)
{
    size_t n;
    const rg_dataset *data = report->options->source->graphs;
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n);
    return rg_names_text(out, report->options->names, RG_NAME_NODE, values[label]);
}

/* The label's name, its colour, and what is written into its nodes. */
static void add_label(rg_report *report, size_t label)
{
    rg_json *json = &report->json;
    char name[RG_NAME_MAX], colour[8];
    name_of(name, report, label);
    bool atom = rg_name_is_atom(name);
    snprintf(colour, sizeof colour, "#%06x",
             (unsigned)(atom ? rg_atom_colour(name) : rg_palette_colour(label)) & 0xffffffu);
    rg_json_open(json, NULL, '[');
    rg_json_string(json, NULL, name);
    rg_json_string(json, NULL, colour);
    rg_json_string(json, NULL, strlen(name) <= LETTERS ? name : "");
    rg_json_close(json, '[');
}

static void add_labels(rg_report *report)
{
    const rg_dataset *data = report->options->source->graphs;
    size_t n = 0;
    if (rg_dataset_n_columns(data, RG_NODE_LABEL))
        rg_dataset_values(data, RG_NODE_LABEL, 0, &n);
    rg_json_open(&report->json, "labels", '[');
    for (size_t k = 0; k < n && k < MOST_LABELS; k++)
        add_label(report, k);
    rg_json_close(&report->json, '[');
}

/* ---- one graph */

/* What red and blue are towards. */
static void add_ends(rg_json *json, const rg_speaker *s, rg_effect_axis axis)
{
    rg_json_open(json, "ends", '[');
    for (int down = 0; down < 2; down++) {
        rg_text text = {0};
        rg_explainer_axis_words(&text, s->explainer, axis, !down);
        char *words = rg_text_take(&text);
        json->text.failed |= words == NULL;
        rg_json_string(json, NULL, words);
        rg_free(words);
    }
    rg_json_close(json, '[');
}

static rg_status add_nodes(rg_report *report, const rg_speaker *s, const rg_graph *graph,
                           const rg_attribution *attribution, rg_effect_axis axis, rg_error *err)
{
    const rg_dataset *data = report->options->source->graphs;
    const uint32_t *ranks = rg_dataset_n_columns(data, RG_NODE_LABEL)
                                ? rg_dataset_ranks(data, RG_NODE_LABEL, 0) + graph->first_node
                                : NULL;
    uint32_t n_outputs = attribution->n_outputs;
    rg_json *json = &report->json;
    rg_point *points = rg_alloc(graph->n_nodes, sizeof *points);
    rg_status status =
        points ? rg_graph_layout(points, graph, err) : rg_fail_memory(err, "drawing a graph");
    rg_json_open(json, "nodes", '[');
    for (uint32_t i = 0; i < graph->n_nodes && !status; i++) {
        const double *adds = attribution->nodes + (size_t)i * n_outputs;
        rg_json_open(json, NULL, '[');
        rg_json_short(json, NULL, points[i].x);
        rg_json_short(json, NULL, points[i].y);
        rg_json_count(json, NULL, ranks ? ranks[i] : MOST_LABELS);
        rg_json_short(json, NULL, rg_explainer_on_axis(s->explainer, axis, adds));
        rg_json_close(json, '[');
    }
    rg_json_close(json, '[');
    rg_free(points);
    return status;
}

static void add_edges(rg_report *report, const rg_graph *graph)
{
    const rg_dataset *data = report->options->source->graphs;
    rg_json *json = &report->json;
    size_t n = 0;
    bool labels = rg_dataset_n_columns(data, RG_EDGE_LABEL) > 0;
    const uint32_t *ranks = labels ? rg_dataset_ranks(data, RG_EDGE_LABEL, 0) : NULL;
    const int64_t *values = labels ? rg_dataset_values(data, RG_EDGE_LABEL, 0, &n) : NULL;
    rg_json_open(json, "edges", '[');
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        for (uint64_t k = graph->row[i]; k < graph->row[i + 1]; k++) {
            if (graph->col[k] < i)
                continue;
            const char *name =
                ranks ? rg_names_find(report->options->names, RG_NAME_EDGE, values[ranks[k]])
                      : NULL;
            rg_json_open(json, NULL, '[');
            rg_json_count(json, NULL, i);
            rg_json_count(json, NULL, graph->col[k]);
            rg_json_count(json, NULL, (uint64_t)rg_name_bond(name));
            rg_json_close(json, '[');
        }
    rg_json_close(json, '[');
}

/* Larger ones first; of equal ones the first. */
static int compare_arrows(const void *x, const void *y)
{
    const rg_pair_weight *a = *(const rg_pair_weight *const *)x;
    const rg_pair_weight *b = *(const rg_pair_weight *const *)y;
    double p = fabs(a->effect), q = fabs(b->effect);
    if (p != q)
        return p > q ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void add_arrow(rg_json *json, const rg_pair_weight *arrow)
{
    rg_json_open(json, NULL, '[');
    rg_json_count(json, NULL, arrow->from);
    rg_json_count(json, NULL, arrow->to);
    rg_json_short(json, NULL, arrow->effect);
    rg_json_count(json, NULL, arrow->statement);
    rg_json_close(json, '[');
}

static rg_status add_arrows(rg_json *json, const rg_pair_weights *pairs, unsigned char *used,
                            bool all, rg_error *err)
{
    const rg_pair_weight **order = rg_alloc(pairs->n, sizeof(const rg_pair_weight *));
    size_t n[2] = {0, 0};
    if (!order)
        return rg_fail_memory(err, "drawing a graph");
    for (size_t k = 0; k < pairs->n; k++)
        order[k] = &pairs->pairs[k];
    qsort(order, pairs->n, sizeof(const rg_pair_weight *), compare_arrows);
    rg_json_open(json, "arrows", '[');
    for (size_t k = 0; k < pairs->n; k++) {
        size_t *count = &n[order[k]->effect < 0];
        bool drawn = isfinite(order[k]->effect) && order[k]->effect != 0;
        if (!drawn || (!all && *count >= MOST_ARROWS))
            continue;
        ++*count;
        used[order[k]->statement] = 1;
        add_arrow(json, order[k]);
    }
    rg_json_close(json, '[');
    rg_free(order);
    return RG_OK;
}

/* axis: of the graph; pairs of an aggregation add to outputs of their own. */
static rg_status add_layer(rg_report *report, rg_speaker *s, size_t sample, size_t layer,
                           rg_effect_axis axis, unsigned char *used, rg_error *err)
{
    rg_json *json = &report->json;
    rg_pair_weights pairs;
    bool aggregate = strcmp(rg_explainer_layer(s->explainer, layer).kind, "aggregate") == 0;
    rg_status status = rg_explainer_pairs(&pairs, s->explainer, sample, layer, SIZE_MAX, err);
    if (status)
        return status;
    if (aggregate)
        axis = (rg_effect_axis){.up = RG_EACH_OUTPUT, .down = RG_NO_OUTPUT};
    status = rg_explainer_pair_effects(&pairs, s->explainer, sample, layer, axis, err);
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "layer", layer);
    rg_json_count(json, "pairs", pairs.n);
    if (!status)
        status = add_arrows(json, &pairs, used, aggregate, err);
    rg_json_open(json, "bias", '[');
    for (uint32_t i = 0; i < pairs.n_nodes && !aggregate; i++) {
        if (pairs.bias_statement[i] == RG_NO_STATEMENT)
            continue;
        used[pairs.bias_statement[i]] = 1;
        rg_json_open(json, NULL, '[');
        rg_json_count(json, NULL, i);
        rg_json_short(json, NULL, pairs.bias_effect[i]);
        rg_json_count(json, NULL, pairs.bias_statement[i]);
        rg_json_close(json, '[');
    }
    rg_json_close(json, '[');
    rg_json_close(json, '{');
    rg_pair_weights_free(&pairs);
    return status;
}

static rg_status add_layers(rg_report *report, rg_speaker *s, size_t sample, rg_effect_axis axis,
                            unsigned char *used, rg_error *err)
{
    rg_status status = RG_OK;
    rg_json_open(&report->json, "layers", '[');
    for (size_t l = 0; l < rg_explainer_n_layers(s->explainer) && !status; l++)
        if (rg_explainer_layer(s->explainer, l).n_rules)
            status = add_layer(report, s, sample, l, axis, used, err);
    rg_json_close(&report->json, '[');
    return status;
}

static rg_status add_graph(rg_report *report, rg_speaker *s, const graph_choice *c,
                           unsigned char *used, rg_error *err)
{
    rg_graph graph = rg_dataset_graph(report->options->source->graphs, c->sample);
    rg_json *json = &report->json;
    rg_attribution attribution;
    rg_status status = rg_explainer_attribute(&attribution, s->explainer, c->sample, err);
    if (status)
        return status;
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "sample", c->sample);
    rg_json_known(json, "truth",
                  attribution.truth == RG_NO_OUTPUT ? UINT64_MAX : attribution.truth);
    rg_json_known(json, "said", attribution.said == RG_NO_OUTPUT ? UINT64_MAX : attribution.said);
    rg_json_known(json, "runs", report->said ? report->said->n_said[c->sample] : UINT64_MAX);
    rg_json_known(json, "right", report->said ? report->said->n_right[c->sample] : UINT64_MAX);
    rg_json_open(json, "z", '[');
    for (uint32_t k = 0; k < attribution.n_outputs; k++)
        rg_json_short(json, NULL, attribution.z[k]);
    rg_json_close(json, '[');
    rg_effect_axis axis = rg_explainer_axis(s->explainer, attribution.said);
    add_ends(json, s, axis);
    status = add_nodes(report, s, &graph, &attribution, axis, err);
    add_edges(report, &graph);
    if (!status)
        status = add_layers(report, s, c->sample, axis, used, err);
    rg_json_close(json, '{');
    rg_attribution_free(&attribution);
    return status;
}

/* ---- all */

/* Sentences of arrows that are not among the rules. */
static void add_words(rg_report *report, const rg_speaker *s, const unsigned char *used)
{
    rg_json *json = &report->json;
    rg_json_open(json, "words", '[');
    for (size_t k = 0; k < rg_explainer_n_statements(s->explainer); k++) {
        if (!used[k] || s->picked[k])
            continue;
        rg_json_open(json, NULL, '[');
        rg_json_count(json, NULL, k);
        rg_speaker_words(json, NULL, s, k);
        rg_json_close(json, '[');
    }
    rg_json_close(json, '[');
}

rg_status rg_report_add_graphs(rg_report *report, rg_speaker *speaker, rg_error *err)
{
    const rg_source *source = report->options->source;
    rg_json *json = &report->json;
    graph_choice *list = NULL;
    const char *part = NULL;
    size_t n = 0;
    if (!source || !source->graphs) {
        rg_report_none(json, "graphs",
                       source ? "The samples are vectors or images: there are no graphs to draw."
                              : report->options->no_source);
        return RG_OK;
    }
    unsigned char *used = rg_alloc_zero(rg_explainer_n_statements(speaker->explainer), 1);
    rg_status status = used ? choose_graphs(&list, &n, &part, report, speaker, err)
                            : rg_fail_memory(err, "graphs of a report");
    if (!status) {
        rg_json_open(json, "graphs", '{');
        rg_json_string(json, "part", part);
        add_labels(report);
        rg_json_open(json, "list", '[');
        for (size_t k = 0; k < n && !status; k++)
            status = add_graph(report, speaker, &list[k], used, err);
        rg_json_close(json, '[');
        add_words(report, speaker, used);
        rg_json_close(json, '{');
    }
    rg_free(list);
    rg_free(used);
    return status;
}
