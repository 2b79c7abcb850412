/* choices.c - see choices.h. */
#include "choices.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/output/output.h"
#include "format/format.h"
#include "regula/build.h"
#include "regula/fetch.h"

#include <string.h>

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
    o.format = (rg_format)cli_get(args, "input-format")->choice;
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

/* ---- a molecule instead of a file */

static void note_fault(void *context, const rg_left_out *item)
{
    rg_text *reason = context;
    rg_text_add(reason, "SMILES '%.60s', character %zu: %s", item->text ? item->text : "",
                item->at + 1, item->reason);
}

static rg_status read_molecule(rg_dataset **out, const char *smiles, const rg_read_options *options,
                               rg_error *err)
{
    rg_text reason = {0};
    rg_read_options o = *options;
    rg_dataset *data = NULL;
    o.left_out = note_fault;
    o.context = &reason;
    o.strict = 0;
    rg_status status = rg_dataset_from_smiles(&data, "molecule", smiles, strlen(smiles), &o, err);
    if (!status && rg_dataset_n_graphs(data) != 1)
        status = rg_fail(err, RG_EDATA, "%s",
                         reason.n ? reason.data : "found no molecule, expected a SMILES");
    rg_text_drop(&reason);
    if (status)
        rg_dataset_free(data);
    else
        *out = data;
    return status;
}

/* What no name of a file or of a set is likely to have. */
static bool looks_like_smiles(const char *data)
{
    return strpbrk(data, "()[]=#@") != NULL;
}

/* DATA that is no file: `failed` is what looking for it said. */
static rg_status try_molecule(rg_dataset **out, const char *data, const rg_read_options *options,
                              rg_status failed, rg_error *err)
{
    rg_error why = {0};
    bool may = options->format == RG_FORMAT_AUTO || options->format == RG_FORMAT_SMI;
    if (failed != RG_EIO || !may)
        return failed;
    rg_status status = read_molecule(out, data, options, &why);
    if (status == RG_EDATA && looks_like_smiles(data))
        return rg_fail(err, status, "%s (and there is no file of this name)", why.message);
    return status == RG_EDATA ? failed : status;
}

/* A file, then *path is set; or a molecule, then *graphs is. */
static rg_status find(char **path, rg_dataset **graphs, const char *data, const cli_arguments *args,
                      const rg_read_options *options, rg_error *err)
{
    if (args && cli_flag(args, "smiles") && !cli_text(args, "smiles"))
        return read_molecule(graphs, data, options, err);
    rg_status status = rg_data_find(path, data, err);
    return status ? try_molecule(graphs, data, options, status, err) : RG_OK;
}

/* Of --places; data becomes another set. */
static rg_status add_places(rg_dataset **data, const cli_arguments *args, rg_error *err)
{
    const char *places = args ? cli_text(args, "places") : NULL;
    rg_dataset *with = NULL;
    if (!places)
        return RG_OK;
    if (!*data)
        return rg_fail(err, RG_EUSAGE, "option '--places' is for graphs");
    rg_status status = rg_dataset_with_places(&with, *data, places, err);
    if (!status) {
        rg_dataset_free(*data);
        *data = with;
    }
    return status;
}

rg_status cli_read_either(rg_dataset **graphs, rg_arrays **arrays, char **path, const char *data,
                          const cli_arguments *args, const rg_read_options *options, rg_error *err)
{
    rg_read_options chosen = options ? *options : cli_read_options(args);
    rg_dataset *read = NULL;
    rg_arrays *read_arrays = NULL;
    char *found = NULL;
    int there = 0;
    rg_status status = find(&found, &read, data, args, &chosen, err);
    if (status)
        return status;
    if (read && path && !(found = rg_copy_text(data, strlen(data))))
        status = rg_fail_memory(err, "reading a molecule");
    /* If it cannot be told, reading graphs says why. */
    if (!read) {
        bool graph = !arrays || chosen.format != RG_FORMAT_AUTO ||
                     rg_arrays_are_there(&there, found, NULL) || !there;
        status = graph ? read_graphs(&read, found, &chosen, err)
                       : rg_arrays_read(&read_arrays, found, NULL, err);
    }
    if (!status)
        status = add_places(&read, args, err);
    if (status) {
        rg_dataset_free(read);
        rg_text_free(found);
        return status;
    }
    if (read)
        *graphs = read;
    else
        *arrays = read_arrays;
    if (path) {
        *path = found;
        found = NULL;
    }
    rg_text_free(found);
    return RG_OK;
}

rg_status cli_read_data(rg_dataset **out, char **path, const char *data, const cli_arguments *args,
                        rg_error *err)
{
    return cli_read_either(out, NULL, path, data, args, NULL, err);
}

bool cli_is_molecule(const rg_dataset *data)
{
    bool one =
        data && rg_dataset_n_graphs(data) == 1 && rg_dataset_n_columns(data, RG_NODE_LABEL) > 0;
    const char *column = one ? rg_dataset_column_name(data, RG_NODE_LABEL, 0) : NULL;
    return column && strcmp(column, "element") == 0;
}
