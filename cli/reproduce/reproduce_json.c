/* reproduce_json.c - the paper's tables as one JSON object. */
#include "base/error.h"
#include "cli/output/output.h"
#include "reproduce_parts.h"

#include <stdlib.h>

static json_t *real_text(const char *text)
{
    return text ? json_real(strtod(text, NULL)) : json_null();
}

static json_t *spread(double mean, double deviation)
{
    json_t *object = json_object();
    cli_json_set(&object, "mean", cli_json_real(mean));
    cli_json_set(&object, "std", cli_json_real(deviation));
    return object;
}

static json_t *published(const rg_published *p)
{
    json_t *object = json_object();
    cli_json_set(&object, "mean", real_text(p->mean));
    cli_json_set(&object, "std", real_text(p->deviation));
    return object;
}

static json_t *begin(const char *table, const char *model, const cli_reproduced *r)
{
    json_t *object = json_object();
    cli_json_set(&object, "table", json_string(table));
    cli_json_set(&object, "model", json_string(model));
    cli_json_set(&object, "data", json_string(r->row->data));
    return object;
}

static const char *table_of(const cli_reproduced *r)
{
    return r->row->synthetic ? "synthetic" : "real-world";
}

/* What every row of a run has; theirs: as published, mean NULL: it is not. */
static json_t *ours(const char *model, const cli_reproduced *r, const rg_paper_result *a,
                    const rg_published *theirs, double seconds, bool resumed)
{
    json_t *object = begin(table_of(r), model, r);
    cli_json_set(&object, "protocol", json_string(rg_protocol_name(RG_PROTOCOL_GLOBAL)));
    cli_json_set(&object, "accuracy", spread(a->mean, a->deviation));
    cli_json_set(&object, "published", theirs->mean ? published(theirs) : json_null());
    cli_json_set(&object, "difference",
                 theirs->mean ? cli_json_real(a->mean - strtod(theirs->mean, NULL)) : json_null());
    cli_json_set(&object, "validation", cli_json_real(a->validation));
    cli_json_set(&object, "seconds", cli_json_real(seconds));
    cli_json_set(&object, "cpu_seconds", cli_json_real(a->cpu_seconds));
    cli_json_set(&object, "peak_rss_mb", cli_json_real((double)a->peak_rss / 1e6));
    cli_json_set(&object, "configuration", cli_json_text(a->configuration));
    cli_json_set(&object, "configurations", cli_json_count(a->n_configurations));
    cli_json_set(&object, "runs", cli_json_count(a->n_runs));
    cli_json_set(&object, "folds", cli_json_count(a->n_folds));
    cli_json_set(&object, "splits", cli_json_text(r->splits));
    cli_json_set(&object, "generated", json_boolean(r->generated));
    cli_json_set(&object, "resumed", json_boolean(resumed));
    cli_json_set(&object, "digest", json_string(a->digest));
    return object;
}

static json_t *accuracy(const cli_reproduced *r, const cli_reproduce *wish)
{
    json_t *object = ours(CLI_RULE_ROW, r, &r->accuracy, &r->row->accuracy, r->seconds, r->resumed);
    cli_json_set(&object, "as_published", json_boolean(!cli_reproduce_chosen(wish, r->row)));
    return object;
}

static json_t *not_done(const char *data, const char *model, const char *message)
{
    json_t *object = json_object();
    cli_json_set(&object, "data", json_string(data));
    if (model)
        cli_json_set(&object, "model", json_string(model));
    cli_json_set(&object, "message", cli_json_text(message));
    return object;
}

/* Rows that are quoted have no accuracy. */
static void add_models(json_t **rows, json_t **missing, const cli_reproduced *r)
{
    for (size_t k = 0; k < r->n_models; k++) {
        const cli_reproduced_model *m = &r->models[k];
        rg_published theirs = rg_paper_baseline_published(m->baseline, r->row);
        json_t *object = NULL;
        if (m->why.message[0])
            cli_json_add(missing, not_done(r->row->data, m->baseline->name, m->why.message));
        if (m->done) {
            object = ours(m->baseline->name, r, &m->result, &theirs, m->seconds, m->resumed);
            cli_json_set(&object, "grid",
                         m->baseline->grid ? json_string(m->baseline->grid) : json_null());
        } else if (!m->baseline->file && theirs.mean) {
            object = begin(table_of(r), m->baseline->name, r);
            cli_json_set(&object, "accuracy", json_null());
            cli_json_set(&object, "published", published(&theirs));
        } else
            continue;
        cli_json_add(rows, object);
    }
}

static json_t *parameters(const cli_reproduced *r)
{
    json_t *object = begin("parameters", CLI_RULE_ROW, r), *layers = json_array();
    for (size_t l = 0; l < r->size.n_layers; l++) {
        json_t *layer = json_object();
        cli_json_set(&layer, "rule", json_string(r->row->rules[l]));
        cli_json_set(&layer, "published",
                     cli_json_count(strtoull(r->row->parameters[l], NULL, 10)));
        cli_json_set(&layer, "possible", cli_json_count((uint64_t)r->size.possible[l]));
        cli_json_set(&layer, "occur", cli_json_count(r->size.used[l]));
        cli_json_add(&layers, layer);
    }
    cli_json_set(&object, "layers", layers);
    cli_json_set(&object, "generated", json_boolean(r->generated));
    cli_json_set(&object, "note", r->row->note ? json_string(r->row->note) : json_null());
    return object;
}

static json_t *runtimes(const cli_reproduced *r)
{
    json_t *object = begin("runtimes", CLI_RULE_ROW, r), *theirs = json_object();
    cli_json_set(&object, "graphs", cli_json_count(r->n_graphs));
    cli_json_set(&object, "best_epoch",
                 spread(r->runtime.best_epoch, r->runtime.best_epoch_deviation));
    cli_json_set(&object, "epoch_seconds", cli_json_real(r->runtime.epoch_seconds));
    cli_json_set(&object, "table_seconds", cli_json_real(r->size.table_seconds));
    cli_json_set(&object, "label_seconds", cli_json_real(r->size.label_seconds));
    cli_json_set(&theirs, "best_epoch", published(&r->row->best_epoch));
    cli_json_set(&theirs, "epoch_seconds", published(&r->row->epoch));
    cli_json_set(&theirs, "distance_seconds", real_text(r->row->distances));
    cli_json_set(&theirs, "label_seconds", real_text(r->row->labels));
    cli_json_set(&object, "published", theirs);
    cli_json_set(&object, "generated", json_boolean(r->generated));
    cli_json_set(&object, "digest", json_string(r->runtime.digest));
    return object;
}

/* `rows` has the accuracies, or the rows of the one table that is asked for. */
rg_status cli_reproduction_json(const cli_reproduction *all, const cli_reproduce *wish,
                                rg_error *err)
{
    json_t *root = json_object(), *rows = json_array();
    json_t *sizes = json_array(), *times = json_array(), *missing = json_array();
    json_t *overrides = json_array();
    bool accuracies = (wish->tables & (CLI_REAL_WORLD | CLI_SYNTHETIC)) != 0;
    for (size_t k = 0; k < all->n; k++) {
        const cli_reproduced *r = &all->rows[k];
        if (r->has_accuracy)
            cli_json_add(&rows, accuracy(r, wish));
        add_models(&rows, &missing, r);
        if (r->has_size && (wish->tables & CLI_PARAMETERS))
            cli_json_add(accuracies ? &sizes : &rows, parameters(r));
        if (r->has_size && r->has_runtime)
            cli_json_add(accuracies ? &times : &rows, runtimes(r));
        if (r->why.message[0])
            cli_json_add(&missing, not_done(r->row->data, NULL, r->why.message));
    }
    for (size_t k = 0; k < wish->n_overrides; k++)
        cli_json_add(&overrides, cli_json_text(wish->overrides[k]));
    cli_json_set(&root, "rows", rows);
    if (accuracies && (wish->tables & CLI_PARAMETERS))
        cli_json_set(&root, "parameters", sizes);
    else
        json_decref(sizes);
    if (accuracies && (wish->tables & CLI_RUNTIMES))
        cli_json_set(&root, "runtimes", times);
    else
        json_decref(times);
    cli_json_set(&root, "missing", missing);
    cli_json_set(&root, "overrides", overrides);
    cli_json_set(&root, "stopped", json_boolean(all->stopped));
    return cli_print_json(root, err);
}
