/* reproduce_data.c - data sets and splits of the paper: where they lie, and what stands in for
 * them.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/output/output.h"
#include "fetch/locate.h"
#include "regula/fetch.h"
#include "reproduce.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- where data and splits lie */

void cli_places_free(cli_places *p)
{
    rg_free(p->at[0]);
    rg_free(p->at[1]);
}

rg_status cli_places_find(cli_places *out, const char *data, rg_error *err)
{
    const char *chosen = data ? data : getenv("REGULA_DATA");
    cli_places p = {{NULL, NULL}};
    rg_status status = RG_OK;
    if (chosen && *chosen) {
        p.at[0] = rg_copy_text(chosen, strlen(chosen));
        if (!p.at[0])
            status = rg_fail_memory(err, "looking for data");
    }
    if (!status && !data)
        status = rg_path_cache(&p.at[1], "data", err);
    if (status)
        cli_places_free(&p);
    else
        *out = p;
    return status;
}

/* *out: owned, NULL: it is in none of them. */
static rg_status look_for(char **out, const cli_places *p, const char *name, rg_error *err)
{
    *out = NULL;
    for (int k = 0; k < 2; k++) {
        rg_status status = p->at[k] ? rg_locate(out, p->at[k], name, err) : RG_OK;
        if (status || *out)
            return status;
    }
    return RG_OK;
}

/* PLACE/splits/NAME.json. *out: owned, NULL: it is in none of them. */
static rg_status look_for_splits(char **out, const cli_places *p, const char *name, rg_error *err)
{
    rg_status status = RG_OK;
    *out = NULL;
    for (int k = 0; k < 2 && !status && !*out; k++)
        if (p->at[k])
            status = rg_splits_find(out, p->at[k], name, err);
    return status;
}

/* ---- reading them */

rg_status cli_reproduce_data(cli_experiment *job, cli_reproduced *out, bool *published,
                             const cli_places *p, const char *data, rg_error *err)
{
    const rg_paper_row *row = out->row;
    rg_dataset **graphs = &job->source.graphs;
    rg_status status = look_for(&job->source.path, p, row->data, err);
    *published = job->source.path != NULL;
    if (!status && !job->source.path && row->synthetic)
        status = look_for(&job->source.path, p, rg_generator_name(row->generator), err);
    if (status)
        return status;
    if (job->source.path) {
        status = rg_dataset_read(graphs, job->source.path, NULL, err);
    } else if (row->synthetic) {
        out->generated = true;
        job->source.path = rg_copy_text("generated", strlen("generated"));
        status = job->source.path ? rg_dataset_generate(graphs, row->generator, NULL, err)
                                  : rg_fail_memory(err, "a data set");
    } else {
        bool both = p->at[0] && p->at[1];
        const char *place = p->at[0] ? p->at[0] : p->at[1] ? p->at[1] : "";
        return rg_fail(err, RG_EDATA, "not in '%s'%s%s%s; 'regula data get %s%s%s' downloads it",
                       place, both ? " or '" : "", both ? p->at[1] : "", both ? "'" : "", row->data,
                       data ? " --dir " : "", data ? data : "");
    }
    if (!status)
        out->n_graphs = rg_dataset_n_graphs(*graphs);
    return status;
}

static rg_status describe_made(char **out, const rg_split_options *o, rg_error *err)
{
    rg_text text = {0};
    rg_text_add(&text, "made: %zu folds, validation %g, seed %llu", o->n_folds, o->validation,
                (unsigned long long)o->seed);
    *out = rg_text_take(&text);
    return *out ? RG_OK : rg_fail_memory(err, "splits");
}

rg_status cli_reproduce_splits(cli_experiment *job, cli_reproduced *out, bool published,
                               const cli_places *p, rg_error *err)
{
    const rg_paper_row *row = out->row;
    const rg_items items = cli_source_items(&job->source);
    rg_split_options make = *job->info.split;
    char *found = NULL;
    rg_status status = RG_OK;
    if (published && !job->info.splits && !job->info.make_splits) {
        if (row->better_splits)
            status = look_for_splits(&found, p, row->better_splits, err);
        out->better_splits = found != NULL;
        if (!status && !found)
            status = look_for_splits(&found, p, row->data, err);
    }
    if (!job->info.make_splits)
        make.n_folds = row->n_folds;
    const char *path = job->info.splits ? job->info.splits : found;
    out->made_splits = !path;
    if (!status)
        status = path ? rg_splits_read(&job->splits, path, err)
                      : rg_splits_make_for(&job->splits, &items, &make, err);
    job->report = (rg_split_report)RG_SPLIT_REPORT_INIT;
    if (!status)
        status = rg_splits_check_for(&job->report, job->splits, &items, path, err);
    if (!status && path) {
        rg_text text = {0};
        rg_text_add(&text, "file %s", rg_path_name(path));
        job->splits_text = rg_text_take(&text);
        status = job->splits_text ? RG_OK : rg_fail_memory(err, "splits");
    } else if (!status) {
        status = describe_made(&job->splits_text, &make, err);
    }
    rg_free(found);
    if (!status && job->report.validation_is_test)
        cli_message("warning: %s: in %zu of %zu folds the validation set equals the test set",
                    row->data, job->report.validation_is_test, job->report.n_folds);
    return status;
}
