/* train_start.c - see train_start.h. */
#include "train_start.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/output/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void keep_parts(void *context, const rg_start_part *parts, size_t n)
{
    cli_start *start = context;
    start->parts = rg_alloc_zero(n + 1, sizeof *start->parts);
    start->failed = start->parts == NULL;
    for (size_t k = 0; !start->failed && k < n; k++) {
        start->parts[k] = parts[k];
        start->parts[k].what = rg_copy_text(parts[k].what, strlen(parts[k].what));
        start->failed = start->parts[k].what == NULL;
        start->n_parts++;
    }
}

/* What is known of the data that the model was trained on, by their name. */
static rg_status read_model_names(cli_start *start, size_t *n, rg_error *err)
{
    rg_model_info info = RG_MODEL_INFO_INIT;
    rg_status status = rg_model_describe(&info, start->model, err);
    json_t *record = status ? NULL : json_loads(info.record, 0, NULL);
    const char *data = json_string_value(json_object_get(record, "data"));
    if (!status)
        status = rg_names_known(&start->model_names, data ? data : "", 1, err);
    json_decref(record);
    return status ? status : rg_names_list(&start->model_list, n, start->model_names, err);
}

rg_status cli_start_open(cli_start *start, rg_train_options *options, const rg_dataset *data,
                         const cli_arguments *args, rg_error *err)
{
    const char *path = cli_text(args, "start");
    if (!path && (cli_flag(args, "same-values") || cli_text(args, "label-names")))
        return rg_fail(err, RG_EUSAGE,
                       "options '--same-values' and '--label-names' are for "
                       "'--start'");
    if (!path)
        return RG_OK;
    rg_status status = rg_model_load(&start->model, path, err);
    if (!status)
        status = read_model_names(start, &options->n_start_names, err);
    if (!status && data)
        status = cli_names_read(&start->names, data, args, err);
    if (!status && data)
        status = rg_names_list(&start->list, &options->n_names, start->names, err);
    if (status)
        return status;
    options->start = start->model;
    options->start_same_values = cli_flag(args, "same-values");
    options->names = start->list;
    options->start_names = start->model_list;
    options->started = keep_parts;
    options->started_context = start;
    return RG_OK;
}

void cli_start_close(cli_start *start)
{
    for (size_t k = 0; k < start->n_parts; k++)
        rg_free((void *)(uintptr_t)start->parts[k].what);
    rg_free(start->parts);
    rg_free(start->list);
    rg_free(start->model_list);
    rg_names_free(start->names);
    rg_names_free(start->model_names);
    rg_model_free(start->model);
}

void cli_start_print(const cli_start *start)
{
    uint64_t taken = 0;
    if (!start->model || start->failed)
        return;
    printf("taken from the model:\n");
    for (size_t k = 0; k < start->n_parts; k++) {
        const rg_start_part *p = &start->parts[k];
        char count[64];
        snprintf(count, sizeof count, "%" PRIu64 " of %" PRIu64, p->taken, p->n);
        printf("  layer %zu %-9s %16s  ", p->layer + 1, p->kind, count);
        cli_print(p->what);
        if (p->why)
            printf(" (%s)", p->why);
        fputc('\n', stdout);
        taken += p->taken;
    }
    printf("%s\n", taken ? "" : "  Nothing has the same meaning: all weights start as without.\n");
}

json_t *cli_start_json(const cli_start *start)
{
    json_t *list = json_array();
    for (size_t k = 0; k < start->n_parts; k++) {
        const rg_start_part *p = &start->parts[k];
        json_t *part = json_object();
        cli_json_set(&part, "layer", cli_json_count(p->layer + 1));
        cli_json_set(&part, "kind", json_string(p->kind));
        cli_json_set(&part, "what", cli_json_text(p->what));
        cli_json_set(&part, "n", cli_json_count(p->n));
        cli_json_set(&part, "taken", cli_json_count(p->taken));
        cli_json_set(&part, "why", p->why ? json_string(p->why) : json_null());
        cli_json_add(&list, part);
    }
    return list;
}
