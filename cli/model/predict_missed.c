/* predict_missed.c - molecules that could not be read: a row each, where it would stand.
 *
 *   -   error   drugs.smi:2:2: molecule two: found '(' that is never closed, expected ')' */
#include "predict.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

typedef struct cli_missed_item {
    size_t graph, line, column;
    char *file, *name, *reason; /* owned */
} cli_missed_item;

void cli_missed_take(void *context, const rg_left_out *item)
{
    cli_missed *missed = context;
    if (!rg_grow(&missed->items, &missed->capacity, missed->n + 1, sizeof *missed->items)) {
        missed->failed = true;
        return;
    }
    cli_missed_item *own = &missed->items[missed->n++];
    *own = (cli_missed_item){.graph = item->graph,
                             .line = item->line,
                             .column = item->column,
                             .file = rg_copy_text(item->file, strlen(item->file)),
                             .name = rg_copy_text(item->name, strlen(item->name)),
                             .reason = rg_copy_text(item->reason, strlen(item->reason))};
    missed->failed |= !own->file || !own->name || !own->reason;
}

void cli_missed_free(cli_missed *missed)
{
    for (size_t k = 0; k < missed->n; k++) {
        rg_free(missed->items[k].file);
        rg_free(missed->items[k].name);
        rg_free(missed->items[k].reason);
    }
    rg_free(missed->items);
    *missed = (cli_missed){.items = NULL};
}

/* A cell holds neither tabs nor the ends of lines. */
static void clean(rg_text *text)
{
    for (size_t k = 0; !text->failed && k < text->n; k++)
        if ((unsigned char)text->data[k] < ' ')
            text->data[k] = ' ';
}

/* "-", "error", and why. */
static rg_status put_row(const cli_predict *job, rg_text *why, rg_error *err)
{
    clean(why);
    if (why->failed)
        return rg_fail_memory(err, "printing a row");
    cli_predict_text(job, "-");
    cli_predict_text(job, job->gap);
    cli_predict_text(job, "error");
    cli_predict_text(job, job->gap);
    cli_predict_cell(job, why->data ? why->data : "");
    cli_predict_text(job, job->csv ? "\r\n" : "\n");
    return RG_OK;
}

static rg_status tell_row(const cli_predict *job, const cli_missed_item *item, rg_error *err)
{
    rg_text text = {0};
    rg_text_add(&text, "%s:%zu:", item->file, item->line);
    if (item->column)
        rg_text_add(&text, "%zu:", item->column);
    if (*item->name)
        rg_text_add(&text, " molecule %s:", item->name);
    rg_text_add(&text, " %s", item->reason);
    rg_status status = put_row(job, &text, err);
    rg_text_drop(&text);
    return status;
}

rg_status cli_predict_error(cli_predict *job, size_t line, const char *message, rg_error *err)
{
    rg_text text = {0};
    rg_status status = RG_OK;
    job->n_bad++;
    if (job->table) {
        cli_predict_head(job);
        rg_text_add(&text, "%s", message);
        status = put_row(job, &text, err);
        rg_text_drop(&text);
        return status;
    }
    json_t *object = json_object();
    cli_json_set(&object, "sample", json_null());
    cli_json_set(&object, "error", cli_json_text(message));
    cli_json_set(&object, "line", cli_json_count(line));
    return cli_predict_json(job, object, err);
}

static json_t *as_json(const cli_missed_item *item)
{
    json_t *object = json_object();
    cli_json_set(&object, "sample", json_null());
    cli_json_set(&object, "error", cli_json_text(item->reason));
    cli_json_set(&object, "file", cli_json_text(item->file));
    cli_json_set(&object, "line", cli_json_count(item->line));
    cli_json_set(&object, "column", item->column ? cli_json_count(item->column) : json_null());
    cli_json_set(&object, "name", *item->name ? cli_json_text(item->name) : json_null());
    return object;
}

rg_status cli_missed_tell(cli_predict *job, size_t sample, rg_error *err)
{
    cli_missed *missed = job->missed;
    rg_status status = RG_OK;
    if (missed && missed->failed)
        return rg_fail_memory(err, "listing molecules");
    while (missed && !status && missed->n_told < missed->n &&
           missed->items[missed->n_told].graph <= sample) {
        const cli_missed_item *item = &missed->items[missed->n_told++];
        status = job->table ? tell_row(job, item, err) : cli_predict_json(job, as_json(item), err);
    }
    return status;
}
