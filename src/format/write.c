/* write.c - data sets as text, byte for byte the same each time.
 *
 * What is written reads back as the same set, with the same digest; what a format has no words for
 * is refused before the first file is made. The files of a set are one whole: all of them are on
 * the disk before the first one appears under its name. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "format.h"
#include "graph/dataset.h"
#include "text/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void rg_set_writer_row(rg_set_writer *w, rg_column kind, uint64_t k, const char *first,
                       const char *before)
{
    size_t n = rg_dataset_n_columns(w->data, kind), n_values;
    for (size_t c = 0; c < n; c++) {
        rg_file_text(w->file, c ? before : first);
        if (!rg_column_is_label(kind)) {
            rg_file_real(w->file, rg_dataset_reals(w->data, kind)[k * n + c]);
            continue;
        }
        uint32_t rank = rg_dataset_ranks(w->data, kind, c)[k];
        if (rank == RG_NO_CLASS)
            rg_file_text(w->file, "nan");
        else
            rg_file_int(w->file, rg_dataset_values(w->data, kind, c, &n_values)[rank]);
    }
}

/* DIRECTORY/NAME + ending; owned, NULL if memory is short. */
static char *path_of(const rg_set_writer *w, const char *ending)
{
    size_t n = strlen(w->name) + strlen(ending) + 1;
    char *file = rg_alloc(n, 1), *path = NULL;
    if (file) {
        snprintf(file, n, "%s%s", w->name, ending);
        path = rg_path_join(w->directory, file);
    }
    rg_free(file);
    return path;
}

rg_status rg_set_writer_add(rg_set_writer *w, const char *ending, void (*put)(rg_set_writer *w),
                            rg_error *err)
{
    char *path = path_of(w, ending);
    if (!path)
        return rg_fail_memory(err, "writing a data set");
    rg_status status = rg_file_create(&w->file, path, err);
    rg_free(path);
    if (status)
        return status;
    w->files[w->n_files++] = w->file;
    put(w);
    return rg_file_seal(w->file, err);
}

rg_status rg_set_writer_remove(const rg_set_writer *w, const char *ending, rg_error *err)
{
    char *path = path_of(w, ending);
    if (!path)
        return rg_fail_memory(err, "writing a data set");
    int failed = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : unlink(path);
    rg_status status = failed && errno != ENOENT ? rg_fail_io(err, errno, "remove", path) : RG_OK;
    rg_free(path);
    return status;
}

static rg_status commit_files(rg_set_writer *w, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; k < w->n_files; k++) {
        if (!status)
            status = rg_file_commit(w->files[k], err);
        else
            rg_file_discard(w->files[k]);
        w->files[k] = NULL;
    }
    return status;
}

static rg_status fail_only_read(rg_format format, rg_error *err)
{
    const char *words[RG_N_FORMATS];
    char expected[128];
    size_t n = 0;
    for (int k = RG_FORMAT_AUTO + 1; k < RG_N_FORMATS; k++)
        if (rg_format_kind_of((rg_format)k)->write)
            words[n++] = rg_format_name((rg_format)k);
    rg_words_list(expected, sizeof expected, words, n, " or ", "");
    return rg_fail(err, RG_EUSAGE, "format %s: found one that is only read, expected %s",
                   rg_format_name(format), expected);
}

rg_status rg_dataset_write(const rg_dataset *data, const char *directory, const char *name,
                           rg_format format, rg_error *err)
{
    rg_set_writer w = {
        .data = data, .directory = directory, .name = name ? name : rg_dataset_name(data)};
    const rg_format_kind *kind = rg_format_kind_of(format);
    if (!kind || !kind->write)
        return fail_only_read(format, err);
    if (w.name[0] == '\0' || w.name[0] == '.' || strchr(w.name, '/'))
        return rg_fail(err, RG_EUSAGE,
                       "name '%s': expected one that is not empty, has no '/' and does not begin "
                       "with '.'",
                       w.name);
    rg_status status = rg_dir_make(directory, err);
    if (!status)
        status = kind->write(&w, err);
    if (!status)
        return commit_files(&w, err);
    for (size_t k = 0; k < w.n_files; k++)
        rg_file_discard(w.files[k]);
    return status;
}
