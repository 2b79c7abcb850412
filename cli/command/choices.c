/* choices.c - see choices.h. */
#include "choices.h"

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

rg_status cli_read_data(rg_dataset **out, char **path, const char *data, const cli_value *format,
                        rg_error *err)
{
    char *found = NULL;
    rg_read_options options = rg_read_options_default();
    if (format)
        options.format = (rg_format)format->choice;
    rg_status status = rg_data_find(&found, data, err);
    if (!status)
        status = rg_dataset_read(out, found, &options, err);
    if (!status && path) {
        *path = found;
        found = NULL;
    }
    rg_text_free(found);
    return status;
}

rg_status cli_read_either(rg_dataset **graphs, rg_arrays **arrays, char **path, const char *data,
                          const cli_value *format, rg_error *err)
{
    char *found = NULL;
    int there = 0;
    rg_status status = rg_data_find(&found, data, err);
    if (status)
        return status;
    /* If it cannot be told, reading graphs says why. */
    bool wanted = !format || (rg_format)format->choice == RG_FORMAT_AUTO;
    if (!wanted || rg_arrays_are_there(&there, found, NULL) || !there) {
        rg_text_free(found);
        return cli_read_data(graphs, path, data, format, err);
    }
    status = rg_arrays_read(arrays, found, NULL, err);
    if (!status && path) {
        *path = found;
        found = NULL;
    }
    rg_text_free(found);
    return status;
}
