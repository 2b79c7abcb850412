/* choices.c - see choices.h. */
#include "choices.h"

#include "cli/output/output.h"
#include "format/format.h"
#include "regula/fetch.h"

const char *cli_format_words(size_t k)
{
    return k < RG_N_FORMATS ? rg_format_name((rg_format)k) : NULL;
}

const char *cli_writable_words(size_t k)
{
    for (int f = RG_FORMAT_AUTO + 1; f < RG_N_FORMATS; f++)
        if (rg_format_kind_of((rg_format)f)->write && k-- == 0)
            return rg_format_name((rg_format)f);
    return NULL;
}

const char *cli_catalogue_words(size_t k)
{
    return k < rg_catalogue_size() ? rg_catalogue_entry_at(k)->name : NULL;
}

const char *cli_hydrogen_words(size_t k)
{
    static const char *const words[] = {"implicit", "explicit"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

rg_read_options cli_read_options(const cli_arguments *args)
{
    rg_read_options o = rg_read_options_default();
    if (!args)
        return o;
    o.format = (rg_format)cli_get(args, "format")->choice;
    o.columns.smiles = cli_text(args, "smiles");
    o.columns.id = cli_text(args, "id");
    o.columns.targets = cli_text(args, "target");
    o.explicit_hydrogens = cli_get(args, "hydrogens")->choice == 1;
    o.largest_fragment = cli_flag(args, "largest-fragment");
    o.strict = cli_flag(args, "strict");
    return o;
}

/* Molecules that are left out: the first of them with a caret, the rest as a number. */
enum { SHOWN = 10, SPAN = 60 };

static void tell(void *context, const rg_left_out *item)
{
    size_t *n = context;
    if (++*n > SHOWN)
        return;
    fprintf(stderr, "regula: ");
    cli_print_to(stderr, item->file);
    fprintf(stderr, ":%zu: left out%s", item->line, *item->name ? " molecule " : "");
    cli_print_to(stderr, item->name);
    fprintf(stderr, ": %s\n", item->reason);
    cli_print_caret(stderr, item->text, item->n, item->at, SPAN);
}

static rg_status read_graphs(rg_dataset **out, const char *path, const rg_read_options *options,
                             rg_error *err)
{
    rg_read_options o = *options;
    size_t n = 0;
    if (!o.left_out) {
        o.left_out = tell;
        o.context = &n;
    }
    rg_status status = rg_dataset_read(out, path, &o, err);
    if (n > SHOWN)
        cli_message("%s: %zu molecules left out; 'regula data info' lists them", path, n);
    return status;
}

static rg_status find_and_read(rg_dataset **out, char **path, const char *data,
                               const rg_read_options *options, rg_error *err)
{
    char *found = NULL;
    rg_status status = rg_data_find(&found, data, err);
    if (!status)
        status = read_graphs(out, found, options, err);
    if (!status && path) {
        *path = found;
        found = NULL;
    }
    rg_text_free(found);
    return status;
}

rg_status cli_read_data(rg_dataset **out, char **path, const char *data, const cli_arguments *args,
                        rg_error *err)
{
    rg_read_options options = cli_read_options(args);
    return find_and_read(out, path, data, &options, err);
}

rg_status cli_read_either(rg_dataset **graphs, rg_arrays **arrays, char **path, const char *data,
                          const cli_arguments *args, const rg_read_options *options, rg_error *err)
{
    rg_read_options chosen = options ? *options : cli_read_options(args);
    char *found = NULL;
    int there = 0;
    rg_status status = rg_data_find(&found, data, err);
    if (status)
        return status;
    /* If it cannot be told, reading graphs says why. */
    if (chosen.format != RG_FORMAT_AUTO || rg_arrays_are_there(&there, found, NULL) || !there) {
        rg_text_free(found);
        return find_and_read(graphs, path, data, &chosen, err);
    }
    status = rg_arrays_read(arrays, found, NULL, err);
    if (!status && path) {
        *path = found;
        found = NULL;
    }
    rg_text_free(found);
    return status;
}
