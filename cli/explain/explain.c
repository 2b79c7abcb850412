/* explain.c - what the tables of regula explain share, and graphs as one picture. */
#include "explain.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

json_t *cli_explain_question(const cli_explain *job)
{
    const cli_use *use = &job->use;
    json_t *root = json_object();
    cli_json_set(&root, "model", cli_json_text(job->path));
    cli_json_set(&root, "model_digest", cli_json_text(use->info.digest));
    if (job->has_data) {
        cli_json_set(&root, "data", cli_json_text(cli_source_items(&use->source).name));
        cli_json_set(&root, "path", cli_json_text(use->source.path));
        cli_json_set(&root, "samples", cli_json_count(cli_source_items(&use->source).n));
    } else
        cli_json_set(&root, "data", json_null());
    const char *names = rg_names_source(job->names);
    cli_json_set(&root, "names", names ? cli_json_text(names) : json_null());
    json_t *outputs = json_array();
    for (uint32_t c = 0; c < use->info.n_outputs; c++)
        cli_json_add(&outputs, json_integer(cli_explain_output(job, c)));
    cli_json_set(&root, "outputs", outputs);
    return root;
}

json_t *cli_explain_tree(rg_json *json)
{
    char *data = rg_json_take(json);
    json_t *tree = data ? json_loads(data, 0, NULL) : NULL;
    rg_free(data);
    return tree;
}

const char *cli_signed(char out[CLI_SIGNED], double value)
{
    double size = fabs(value);
    if (value == 0)
        snprintf(out, CLI_SIGNED, "0");
    else if (!isfinite(value))
        snprintf(out, CLI_SIGNED, "%f", value);
    else if (size < 0.0005 || size >= 10000)
        snprintf(out, CLI_SIGNED, "%+.1e", value);
    else
        snprintf(out, CLI_SIGNED, size < 0.1 ? "%+.4f" : "%+.3f", value);
    return out;
}

const char *cli_explain_samples(const cli_explain *job)
{
    return job->use.info.arrays ? "samples" : "graphs";
}

int64_t cli_explain_output(const cli_explain *job, uint32_t output)
{
    rg_model_task task = job->use.info.task;
    bool classes = task == RG_MODEL_CLASSES || task == RG_MODEL_NODES;
    return classes ? rg_model_class(job->use.model, output) : (int64_t)output;
}

bool cli_explain_asked(const cli_explain *job, size_t layer)
{
    rg_layer_facts facts = rg_explainer_layer(job->explainer, layer);
    return (job->layer == SIZE_MAX || job->layer == facts.of) && facts.n_params > 0;
}

size_t cli_explain_layer(const cli_explain *job)
{
    size_t found = SIZE_MAX;
    bool rules = false;
    for (size_t l = 0; l < rg_explainer_n_layers(job->explainer); l++) {
        rg_layer_facts facts = rg_explainer_layer(job->explainer, l);
        if (facts.of != job->layer || (rules && !facts.n_rules))
            continue;
        found = l;
        rules = facts.n_rules > 0;
    }
    return found;
}

void cli_explain_title(char out[CLI_LAYER_TITLE], const cli_explain *job, size_t layer)
{
    rg_layer_facts facts = rg_explainer_layer(job->explainer, layer);
    if (strcmp(facts.kind, facts.of_kind) == 0)
        snprintf(out, CLI_LAYER_TITLE, "Layer %zu, %s", facts.of + 1, facts.kind);
    else
        snprintf(out, CLI_LAYER_TITLE, "Layer %zu (%s), %s, layer.%zu of the model", facts.of + 1,
                 facts.of_kind, facts.kind, layer);
}

rg_status cli_explain_wrap(rg_text *text, int column, rg_error *err)
{
    char *data = rg_text_take(text);
    if (!data)
        return rg_fail_memory(err, "printing a rule");
    for (char *c = data; *c; c += rg_printable(c) ? rg_printable(c) : 1)
        if (!rg_printable(c))
            *c = '?';
    cli_wrap_at(stdout, data, column, column, cli_width());
    rg_free(data);
    return RG_OK;
}

rg_status cli_explain_draw(cli_explain *job, rg_error *err)
{
    rg_explain_figure *figure = NULL;
    rg_explain_figure_options options = {.graphs = job->graphs,
                                         .n_graphs = job->n_graphs,
                                         .columns = job->columns,
                                         .n_columns = job->n_columns,
                                         .numbers = job->numbers,
                                         .layer = cli_explain_layer(job),
                                         .channel = SIZE_MAX};
    rg_status status = rg_explain_figure_new(&figure, job->explainer, &options, err);
    if (!status)
        status = rg_figure_write(rg_explain_figure_get(figure), job->out, err);
    cli_progress_end(&job->use.progress);
    rg_explain_figure_free(figure);
    return status;
}
