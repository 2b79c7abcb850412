/* rule.c - see rule.h. */
#include "rule.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/output/output.h"
#include "regula/fetch.h"

#include <string.h>

rg_status cli_label_declare(char **name, const char **spec, const char *text, rg_error *err)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;
    /* A spec has an equals sign of its own: the name must come before any bracket. */
    if (n == 0 || memchr(text, '(', n))
        return rg_fail(err, RG_EUSAGE,
                       "option '--labels': found '%s', expected NAME=SPEC, such as "
                       "'wl=wl(depth=2)'",
                       text);
    rg_status status = rg_labeling_check(NULL, equals + 1, err);
    if (status)
        return status;
    char *copy = rg_copy_text(text, n);
    if (!copy)
        return rg_fail_memory(err, "the name of a labeling");
    *name = copy;
    *spec = equals + 1;
    return RG_OK;
}

static rg_status declare(cli_rule *out, const char *text, rg_error *err)
{
    size_t k = out->n_known;
    rg_status status = cli_label_declare(&out->names[k], &out->specs[k], text, err);
    if (!status)
        out->known[out->n_known++].name = out->names[k];
    return status;
}

rg_status cli_rule_open(cli_rule *out, const cli_arguments *args, const char *text, rg_error *err)
{
    const cli_value *labels = cli_get(args, "labels"), *outputs = cli_get(args, "aggregate");
    rg_status status = RG_OK;
    if (cli_flag(args, "bias") && outputs->given)
        return rg_fail(err, RG_EUSAGE, "options '--bias' and '--aggregate' exclude each other");
    for (size_t k = 0; !status && k < labels->n_texts; k++)
        status = declare(out, labels->texts[k], err);
    if (status)
        return status;
    rg_rule_kind kind = cli_flag(args, "bias") ? RG_RULE_BIAS
                        : outputs->given       ? RG_RULE_AGGREGATE
                                               : RG_RULE_PAIR;
    rg_rule_place place = {0};
    status = rg_rule_parse(&out->rule, text, kind, out->known, out->n_known, &place, err);
    if (status == RG_EUSAGE) {
        char lines[1000];
        rg_rule_point(lines, sizeof lines, text, &place);
        fputs(lines, stderr);
    }
    out->input.size = sizeof out->input;
    out->input.labels = out->known;
    out->input.n_labels = out->n_known;
    out->input.n_outputs = outputs->given ? (uint32_t)outputs->integer : 0;
    return status;
}

/* "28x28", "28x28x3" for 3 channels, "9x9x9x2" for a depth of 9 and 2 channels */
static rg_status read_shape(rg_rule_shape *out, const cli_arguments *args, const char *name,
                            rg_error *err)
{
    const char *text = cli_text(args, name), *c = text;
    uint32_t channels = 1, *fields[] = {&out->rows, &out->cols, &out->channels, &channels};
    size_t n = 0;
    out->channels = 1;
    out->depth = 0;
    for (; c && n < CLI_COUNT(fields); n++) {
        uint64_t value = 0;
        const char *start = c;
        for (; *c >= '0' && *c <= '9' && value < 1000000000; c++)
            value = value * 10 + (uint64_t)(*c - '0');
        if (c == start || value == 0 || value > 1000000000)
            break;
        *fields[n] = (uint32_t)value;
        if (*c != 'x') {
            n++;
            break;
        }
        c++;
    }
    if (c && (*c || n < 2))
        return rg_fail(err, RG_EUSAGE,
                       "option '--%s': found '%s', expected ROWSxCOLUMNS, ROWSxCOLUMNSxCHANNELS or "
                       "ROWSxCOLUMNSxDEPTHxCHANNELS, such as 28x28",
                       name, text);
    if (n == 4 && out->channels > 1)
        out->depth = out->channels;
    if (n == 4 && (uint64_t)out->channels * channels > UINT32_MAX)
        return rg_fail(err, RG_EUSAGE, "option '--%s': found '%s', expected fewer values", name,
                       text);
    out->channels *= channels;
    return RG_OK;
}

/* ---- data */

static void read_array(void *context, size_t sample, double *out)
{
    rg_arrays_copy(out, context, sample);
}

static void read_attributes(void *context, size_t graph, double *out)
{
    const rg_dataset *data = context;
    size_t n = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
    rg_graph g = rg_dataset_graph(data, graph);
    if (g.n_nodes)
        memcpy(out, rg_dataset_reals(data, RG_NODE_ATTRIBUTE) + g.first_node * n,
               g.n_nodes * n * sizeof *out);
}

/* What value(...) stands for: the attributes of nodes, or the numbers of arrays. */
static void find_values(cli_rule *out)
{
    if (out->arrays) {
        rg_array_shape shape = rg_arrays_shape(out->arrays);
        out->values =
            (rg_rule_values){.read = read_array,
                             .context = out->arrays,
                             .n_samples = rg_arrays_n_samples(out->arrays),
                             .shape = {shape.rows, shape.cols, shape.channels, shape.depth}};
        out->input.values = &out->values;
    } else if (out->data && rg_dataset_n_columns(out->data, RG_NODE_ATTRIBUTE)) {
        out->values = (rg_rule_values){
            .read = read_attributes,
            .context = out->data,
            .n_channels = (uint32_t)rg_dataset_n_columns(out->data, RG_NODE_ATTRIBUTE)};
        out->input.values = &out->values;
    }
}

static rg_status label(cli_rule *out, unsigned n_threads, rg_error *err);

rg_status cli_rule_read(cli_rule *out, bool *given, const cli_arguments *args, const char *path,
                        rg_error *err)
{
    rg_rule_input *input = &out->input;
    bool in = cli_get(args, "input")->given, to = cli_get(args, "output")->given;
    rg_status status = RG_OK;
    *given = path || in || to;
    if (path)
        status = cli_read_either(&out->data, &out->arrays, NULL, path, args, NULL, err);
    if (!status && out->data && (in || to))
        return rg_fail(err, RG_EUSAGE,
                       "options '--input' and '--output' are for arrays and rules without DATA");
    if (!status)
        status = read_shape(&input->in, args, "input", err);
    if (!status)
        status = read_shape(&input->out, args, "output", err);
    if (!status)
        find_values(out);
    if (!status && out->arrays) {
        input->in = in ? input->in : out->values.shape;
        input->out = to ? input->out : input->in;
    }
    if (!status && out->data)
        status = label(out, (unsigned)cli_get(args, "threads")->integer, err);
    return status;
}

const char *cli_rule_items(const cli_rule *rule, size_t *n)
{
    *n = rule->data ? rg_dataset_n_graphs(rule->data) : rg_arrays_n_samples(rule->arrays);
    return rule->data ? "graph" : "sample";
}

static rg_status label(cli_rule *out, unsigned n_threads, rg_error *err)
{
    rg_label_options options = rg_label_options_default();
    char *cache = NULL;
    out->input.data = out->data;
    rg_status status = rg_label_cache_directory(&cache, err);
    if (status == RG_EFAIL) /* nowhere to keep anything: that is fine */
        status = RG_OK;
    options.n_threads = n_threads;
    options.cache = cache;
    for (size_t k = 0; !status && k < out->n_known; k++) {
        status = rg_labeling_fit(&out->fitted[k], &out->labels[k], out->specs[k], out->data, NULL,
                                 0, &options, err);
        out->known[k].labels = out->labels[k];
        out->known[k].labeling = out->fitted[k];
    }
    rg_text_free(cache);
    return status;
}

void cli_rule_close(cli_rule *rule)
{
    for (size_t k = 0; k < rule->n_known; k++) {
        rg_labels_free(rule->labels[k]);
        rg_labeling_free(rule->fitted[k]);
        rg_free(rule->names[k]);
    }
    rg_rule_free(rule->rule);
    rg_dataset_free(rule->data);
    rg_arrays_free(rule->arrays);
}
