/* explain_graphs.c - the answers for single graphs, taken apart by node and by rule. */
#include "explain.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS_SHOWN = 4, NUMBER = 10 };

/* What is printed of one sample. */
typedef struct sample_sheet {
    const cli_explain *job;
    const rg_attribution *attribution;
    uint32_t outputs[OUTPUTS_SHOWN]; /* that have a column */
    size_t n;
    bool pair; /* of two classes: one column of effects, the log odds of the second */
    rg_effect_axis axis;
} sample_sheet;

/* The class that was said and the true one come first if not all fit. */
static sample_sheet open_sheet(const cli_explain *job, const rg_attribution *attribution)
{
    sample_sheet s = {
        .job = job, .attribution = attribution, .axis = rg_explainer_axis(job->explainer, 0)};
    if (attribution->n_outputs > OUTPUTS_SHOWN && attribution->said != RG_NO_OUTPUT) {
        s.outputs[s.n++] = attribution->said;
        if (attribution->truth < attribution->n_outputs && attribution->truth != attribution->said)
            s.outputs[s.n++] = attribution->truth;
    }
    for (uint32_t c = 0; c < attribution->n_outputs && s.n < OUTPUTS_SHOWN; c++) {
        bool there = false;
        for (size_t k = 0; k < s.n; k++)
            there |= s.outputs[k] == c;
        if (!there)
            s.outputs[s.n++] = c;
    }
    return s;
}

/* ---- rows of numbers */

/* What stands in column k of outputs with these values. */
static double value_of(const sample_sheet *s, const double *values, size_t k)
{
    return s->pair ? rg_explainer_on_axis(s->job->explainer, s->axis, values)
                   : values[s->outputs[k]];
}

static void print_numbers(const sample_sheet *s, const double *values)
{
    char number[CLI_SIGNED];
    for (size_t k = 0; k < s->n; k++)
        printf(" %*s", NUMBER, cli_signed(number, value_of(s, values, k)));
}

static void print_heads(const sample_sheet *s)
{
    if (s->pair) {
        printf(" %*s", NUMBER, "effect");
        return;
    }
    for (size_t k = 0; k < s->n; k++)
        printf(" %*" PRId64, NUMBER, cli_explain_output(s->job, s->outputs[k]));
}

static void print_line(const sample_sheet *s, const double *values, const char *text)
{
    print_numbers(s, values);
    printf("  %s\n", text);
}

static bool any(const sample_sheet *s, const double *values)
{
    for (uint32_t c = 0; c < s->attribution->n_outputs; c++)
        if (values[c] != 0)
            return true;
    return false;
}

/* ---- sorted by size */

typedef struct sized_row {
    size_t place;
    double size;
} sized_row;

static int by_size(const void *a, const void *b)
{
    const sized_row *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Rows of values [n][outputs], the one with the largest number first. Owned; NULL: no memory. */
static sized_row *sort_rows(const sample_sheet *s, const double *values, size_t n)
{
    size_t n_outputs = s->attribution->n_outputs;
    sized_row *rows = rg_alloc(n, sizeof *rows);
    for (size_t k = 0; rows && k < n; k++) {
        rows[k] = (sized_row){k, 0};
        if (s->pair)
            rows[k].size = fabs(value_of(s, values + k * n_outputs, 0));
        for (size_t c = 0; !s->pair && c < n_outputs; c++)
            rows[k].size = fmax(rows[k].size, fabs(values[k * n_outputs + c]));
    }
    if (rows && n)
        qsort(rows, n, sizeof *rows, by_size);
    return rows;
}

/* The sum of the rows from `first` on, in one line: "and 12 others". */
static void print_others(const sample_sheet *s, const double *values, const sized_row *rows,
                         size_t first, size_t n)
{
    double sums[OUTPUTS_SHOWN] = {0};
    char number[CLI_SIGNED];
    if (first >= n)
        return;
    for (size_t k = first; k < n; k++)
        for (size_t c = 0; c < s->n; c++)
            sums[c] += value_of(s, values + rows[k].place * s->attribution->n_outputs, c);
    for (size_t c = 0; c < s->n; c++)
        printf(" %*s", NUMBER, cli_signed(number, sums[c]));
    printf("  %zu other%s\n", n - first, n - first == 1 ? "" : "s");
}

/* ---- by nodes */

/* The statement of each node in the layer that it is seen by last, to say what the node is. Owned;
 * NULL if there is no such layer. */
static rg_status node_statements(uint32_t **out, const sample_sheet *s, rg_error *err)
{
    rg_explainer *e = s->job->explainer;
    rg_pair_weights pairs = {0};
    size_t layer = SIZE_MAX;
    for (size_t l = 0; l < rg_explainer_n_layers(e); l++)
        if (strcmp(rg_explainer_layer(e, l).kind, "aggregate") == 0)
            layer = l;
    *out = NULL;
    if (layer == SIZE_MAX)
        return RG_OK;
    rg_status status = rg_explainer_pairs(&pairs, e, s->attribution->sample, layer, SIZE_MAX, err);
    if (status)
        return status;
    uint32_t *list = rg_alloc(s->attribution->n_nodes, sizeof *list);
    for (size_t i = 0; list && i < s->attribution->n_nodes; i++)
        list[i] = RG_NO_STATEMENT;
    for (size_t k = pairs.n; list && k-- > 0;)
        list[pairs.pairs[k].from] = pairs.pairs[k].statement;
    rg_pair_weights_free(&pairs);
    *out = list;
    return list ? RG_OK : rg_fail_memory(err, "the parts of an answer");
}

static rg_status print_node(const sample_sheet *s, size_t i, const uint32_t *statements,
                            rg_error *err)
{
    rg_text text = {0};
    print_numbers(s, s->attribution->nodes + i * s->attribution->n_outputs);
    rg_text_add(&text, "%s %zu", s->job->use.info.arrays ? "value" : "node", i);
    if (statements && statements[i] != RG_NO_STATEMENT) {
        rg_text_add(&text, ": ");
        rg_explainer_words(&text, s->job->explainer, statements[i]);
    }
    printf("  ");
    return cli_explain_wrap(&text, (int)s->n * (NUMBER + 1) + 2, err);
}

static rg_status print_nodes(const sample_sheet *s, rg_error *err)
{
    const rg_attribution *a = s->attribution;
    size_t n = a->n_nodes < s->job->top ? a->n_nodes : s->job->top;
    sized_row *rows = sort_rows(s, a->nodes, a->n_nodes);
    uint32_t *statements = NULL;
    rg_status status =
        rows ? node_statements(&statements, s, err) : rg_fail_memory(err, "the parts of an answer");
    printf("\nBy %s%s:\n", s->job->use.info.arrays ? "values that come in" : "nodes",
           s->job->use.info.arrays ? ""
           : s->job->spread        ? ", shared among the nodes that their labels describe"
                                   : ", through the last layer that sees them (exact)");
    for (size_t k = 0; !status && k < n; k++)
        status = print_node(s, rows[k].place, statements, err);
    if (!status) {
        print_others(s, a->nodes, rows, n, a->n_nodes);
        print_line(s, a->rest, "biases");
        print_line(s, a->z, "sum: the output before the last activation");
    }
    rg_free(rows);
    rg_free(statements);
    return status;
}

/* ---- by statements */

static rg_status print_share(const sample_sheet *s, const rg_share_list *list, size_t place,
                             rg_error *err)
{
    const rg_share *share = &list->shares[place];
    const rg_statement *statement = rg_explainer_statement(s->job->explainer, share->statement);
    rg_text text = {0};
    print_numbers(s, list->values + place * s->attribution->n_outputs);
    printf(" %6" PRIu64 "  ", share->pairs);
    if (statement->rule == RG_STATEMENT_BIAS)
        rg_text_add(&text, "bias of ");
    rg_explainer_words(&text, s->job->explainer, share->statement);
    return cli_explain_wrap(&text, (int)s->n * (NUMBER + 1) + 9, err);
}

static rg_status print_layer(const sample_sheet *s, size_t l, rg_error *err)
{
    rg_layer_facts facts = rg_explainer_layer(s->job->explainer, l);
    const rg_share_list *list = &s->attribution->layers[l];
    size_t n = list->n < s->job->top ? list->n : s->job->top;
    sized_row *rows = sort_rows(s, list->values, list->n);
    if (!rows)
        return rg_fail_memory(err, "the parts of an answer");
    rg_status status = RG_OK;
    char title[CLI_LAYER_TITLE];
    cli_explain_title(title, s->job, l);
    printf("\n%s:\n", title);
    print_heads(s);
    printf(list->n ? " %6s  rule\n" : "%.0s\n", "pairs");
    for (size_t k = 0; !status && k < n; k++)
        status = print_share(s, list, rows[k].place, err);
    print_others(s, list->values, rows, n, list->n);
    if (any(s, list->dense))
        print_line(s, list->dense,
                   rg_explainer_is_plain(s->job->explainer) || strcmp(facts.kind, "dense") == 0
                       ? "weights without a rule (dense)"
                       : "through this layer");
    if (any(s, list->bias))
        print_line(s, list->bias, "biases of this layer");
    if (any(s, list->passed))
        print_line(s, list->passed, facts.residual ? "residual connection" : "past this layer");
    if (any(s, list->later))
        print_line(s, list->later, "biases of later layers");
    print_line(s, list->sum, "sum");
    rg_free(rows);
    return status;
}

/* ---- layers of the file that are made of several, none of them with rules: a line each */

/* What reaches the output through layer `of` of the file, which is made of layers first .. last of the
 * network: all that was there before it, less what goes past it. */
static void through(double *out, const sample_sheet *s, size_t first, size_t last)
{
    const rg_share_list *list = s->attribution->layers;
    for (size_t c = 0; c < s->attribution->n_outputs; c++)
        out[c] = list[first].dense[c] + list[first].passed[c] - list[last].passed[c];
}

/* From the last layer to the first. */
static rg_status print_file_layers(const sample_sheet *s, rg_error *err)
{
    rg_explainer *e = s->job->explainer;
    double *values = rg_alloc(s->attribution->n_outputs, sizeof *values);
    if (!values)
        return rg_fail_memory(err, "the parts of an answer");
    printf("\nThrough layers without rules (--layer K takes one apart):\n");
    print_heads(s);
    printf("\n");
    for (size_t last = s->attribution->n_layers, first; last-- > 0; last = first) {
        rg_layer_facts facts = rg_explainer_layer(e, last);
        bool rules = facts.n_rules > 0, weighs = facts.n_params > 0;
        for (first = last; first > 0 && rg_explainer_layer(e, first - 1).of == facts.of; first--) {
            rules |= rg_explainer_layer(e, first - 1).n_rules > 0;
            weighs |= rg_explainer_layer(e, first - 1).n_params > 0;
        }
        if (rules || !weighs)
            continue;
        through(values, s, first, last);
        print_numbers(s, values);
        printf("  layer %zu, %s\n", facts.of + 1, facts.of_kind);
    }
    rg_free(values);
    return RG_OK;
}

/* ---- the whole */

/* ", predicted class 0 (mutagen)" */
static void print_class(const cli_explain *job, const char *before, uint32_t output)
{
    int64_t value = cli_explain_output(job, output);
    const char *name = rg_names_find(job->names, RG_NAME_CLASS, value);
    printf("%s %" PRId64, before, value);
    if (name) {
        printf(" (");
        cli_print(name);
        printf(")");
    }
}

static void print_answer(const sample_sheet *s)
{
    const cli_explain *job = s->job;
    const rg_attribution *a = s->attribution;
    cli_bold(stdout, true);
    cli_print(cli_source_items(&job->use.source).name);
    printf(", %s %zu", job->use.info.arrays ? "sample" : "graph", a->sample);
    cli_bold(stdout, false);
    printf(": %u %s", (unsigned)a->n_nodes, job->use.info.arrays ? "values" : "nodes");
    if (a->said != RG_NO_OUTPUT)
        print_class(job, ", predicted class", a->said);
    if (a->truth < a->n_outputs) {
        print_class(job, ", true class", a->truth);
        printf(": %s", a->truth == a->said ? "correct" : "wrong");
    }
    printf("\n\n");
    print_heads(s);
    printf("  %s\n", a->said != RG_NO_OUTPUT ? "class" : "output");
    print_line(s, a->z, "output before the last activation");
    print_line(s, a->outputs, "output");
    if (a->of_nodes)
        printf("  Outputs are averages over the nodes.\n");
    if (a->n_nodes == 0)
        printf("  The graph has no nodes: the output comes from biases alone.\n");
    char unseen[CLI_UNSEEN_TEXT];
    if (cli_unseen_text(unseen, a->unknown_labels, a->unseen_labels, a->unseen_pairs))
        printf("  Not in the model: %s.\n", unseen);
}

/* Of two classes: what the one column of effects is. */
static void print_axis(const sample_sheet *s)
{
    rg_text text = {0};
    if (s->axis.down == RG_NO_OUTPUT)
        return;
    rg_text_add(&text, "Effects are log odds, + towards ");
    rg_explainer_axis_words(&text, s->job->explainer, s->axis, true);
    rg_text_add(&text, " and - towards ");
    rg_explainer_axis_words(&text, s->job->explainer, s->axis, false);
    char *words = rg_text_take(&text);
    printf("  ");
    cli_print(words ? words : "Effects are log odds");
    printf(".\n");
    rg_free(words);
}

static rg_status print_sample(const cli_explain *job, uint32_t sample, rg_error *err)
{
    rg_attribution attribution;
    rg_status status = rg_explainer_attribute(&attribution, job->explainer, sample, err);
    if (status)
        return status;
    sample_sheet s = open_sheet(job, &attribution);
    print_answer(&s);
    if (s.n < attribution.n_outputs)
        printf("  Showing %zu of %u outputs; --json has all.\n", s.n,
               (unsigned)attribution.n_outputs);
    print_axis(&s);
    s.pair = s.axis.down != RG_NO_OUTPUT;
    s.n = s.pair ? 1 : s.n;
    if (attribution.n_nodes)
        status = print_nodes(&s, err);
    bool brief = job->layer == SIZE_MAX && !rg_explainer_is_plain(job->explainer);
    for (size_t l = attribution.n_layers; !status && l-- > 0;)
        if (cli_explain_asked(job, l) && (!brief || rg_explainer_layer(job->explainer, l).n_rules))
            status = print_layer(&s, l, err);
    if (!status && brief)
        status = print_file_layers(&s, err);
    rg_attribution_free(&attribution);
    return status;
}

rg_status cli_explain_graphs(cli_explain *job, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < job->n_graphs; k++) {
        printf("%s", k ? "\n" : "");
        status = print_sample(job, job->graphs[k], err);
    }
    return status;
}

/* ---- for programs */

static json_t *sample_json(const cli_explain *job, const rg_attribution *attribution, rg_error *err)
{
    rg_json json = {0};
    rg_explain_json_attribution(&json, job->explainer, attribution, job->top);
    json_t *item = cli_explain_tree(&json), *layers = json_array();
    for (size_t l = 0; l < rg_explainer_n_layers(job->explainer); l++) {
        rg_pair_weights pairs;
        if (rg_explainer_layer(job->explainer, l).n_rules == 0 || !cli_explain_asked(job, l))
            continue;
        if (rg_explainer_pairs(&pairs, job->explainer, attribution->sample, l, SIZE_MAX, err))
            cli_json_add(&layers, NULL);
        else {
            rg_explain_json_pairs(&json, job->explainer, l, &pairs);
            rg_pair_weights_free(&pairs);
            cli_json_add(&layers, cli_explain_tree(&json));
        }
    }
    cli_json_set(&item, "weights", layers);
    cli_json_set(&item, "unknown_labels", cli_json_count(attribution->unknown_labels));
    cli_json_set(&item, "unseen_labels", cli_json_count(attribution->unseen_labels));
    cli_json_set(&item, "unseen_pairs", cli_json_count(attribution->unseen_pairs));
    return item;
}

rg_status cli_explain_graphs_json(cli_explain *job, rg_error *err)
{
    json_t *root = cli_explain_question(job), *list = json_array();
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < job->n_graphs; k++) {
        rg_attribution attribution;
        status = rg_explainer_attribute(&attribution, job->explainer, job->graphs[k], err);
        if (status)
            break;
        cli_json_add(&list, sample_json(job, &attribution, err));
        rg_attribution_free(&attribution);
    }
    cli_json_set(&root, "graphs", list);
    cli_json_set(&root, "out", job->out ? cli_json_text(job->out) : json_null());
    if (status) {
        json_decref(root);
        return status;
    }
    return cli_print_json(root, err);
}
