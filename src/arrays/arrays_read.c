/* arrays_read.c - from a path to files of arrays that belong together, found by their names. */
#include "array_files.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/sized.h"
#include "format/archive.h"
#include "format/entries.h"
#include "format/read.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

typedef struct file_gathering {
    rg_array_files all;
    const char *only; /* the name of the set that is wanted; NULL: the only one there is */
    const rg_read_options *bounds;
} file_gathering;

RG_DEFINE_INIT(rg_arrays_options, RG_ARRAYS_OPTIONS_INIT)

/* ---- gathering files */

static rg_status fail_two(const rg_array_files *all, const char *what, const char *a, const char *b,
                          rg_error *err)
{
    return rg_fail(err, RG_EDATA, "%s: found %s, '%s' and '%s', expected one", all->where, what, a,
                   b);
}

/* Does this file go with those that were taken? *twin: it is there already, only not compressed, or
 * compressed in another way. */
static rg_status check_fellow(const rg_array_files *all, const char *path,
                              const rg_array_name *name, bool *twin, rg_error *err)
{
    const rg_array_file *there = &all->files[name->part][name->values];
    *twin = false;
    if (!all->first)
        return RG_OK;
    if (there->path && strcmp(there->path, path) == 0) {
        *twin = true;
        return RG_OK;
    }
    if (name->n_prefix != all->first->name.n_prefix ||
        memcmp(rg_path_name(path), rg_path_name(all->first->path), name->n_prefix) != 0)
        return fail_two(all, "files of two sets", all->first->path, path, err);
    if (there->path)
        return fail_two(all, name->values ? "two files of values" : "two files of targets",
                        there->path, path, err);
    if ((name->part == RG_ARRAY_WHOLE) != (all->first->name.part == RG_ARRAY_WHOLE))
        return fail_two(all, "files of a whole and of a part", all->first->path, path, err);
    return RG_OK;
}

/* The file that the entries have come to, if it is one of ours. */
static rg_status take(file_gathering *g, rg_entries *entries, const char *path, rg_error *err)
{
    rg_array_name name;
    rg_reader *in = NULL;
    bool twin;
    const char *base = rg_path_name(path);
    if (!rg_array_name_parse(&name, base))
        return RG_OK;
    if (g->only && (base != path || strlen(g->only) != name.n_prefix ||
                    memcmp(base, g->only, name.n_prefix) != 0))
        return RG_OK; /* of another set */
    rg_status status = check_fellow(&g->all, path, &name, &twin, err);
    if (status || twin)
        return status;
    rg_array_file *f = &g->all.files[name.part][name.values];
    char *copy = rg_copy_text(path, strlen(path));
    if (!copy)
        return rg_fail_memory(err, "reading arrays");
    *f = (rg_array_file){.path = copy, .name = name};
    g->all.first = g->all.first ? g->all.first : f;
    status = rg_entries_reader(entries, &in, err);
    if (status)
        return status;
    return name.idx ? rg_idx_read(&f->numbers, in, err) : rg_npy_read(&f->numbers, in, err);
}

static rg_status take_all(file_gathering *g, const char *path, rg_error *err)
{
    rg_entries *entries = NULL;
    rg_status status = rg_entries_open(&entries, path, g->bounds, err);
    for (const char *name = ""; !status && name;) {
        status = rg_entries_next(entries, &name, err);
        if (!status && name)
            status = take(g, entries, name, err);
    }
    if (!status && !g->all.first && rg_entries_closed(entries)) /* they may well be in there */
        status = rg_fail(err, RG_EIO, "%s", rg_entries_closed(entries));
    rg_entries_close(entries);
    return status;
}

/* A name without ".gz" and the like. Owned; NULL if memory is short. */
static char *unpacked_name(const char *path)
{
    const char *base = rg_path_name(path);
    return rg_copy_text(base, strlen(base) - rg_archive_ending(base));
}

/* The file of targets that goes with a file of values, in the same directory: of several, the first
 * by name, so that one that is not compressed goes before its twin. Owned; NULL: there is none. */
static rg_status find_targets(char **out, const char *path, const rg_array_name *values,
                              rg_error *err)
{
    rg_status status = RG_OK;
    char *directory = rg_path_directory(path), *best = NULL, *plain = NULL;
    DIR *list = NULL;
    if (directory)
        list = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, NULL) : opendir(directory);
    if (!directory)
        status = rg_fail_memory(err, "looking for targets");
    else if (!list)
        status = rg_fail_io(err, errno, "open directory", directory);
    for (struct dirent *entry; !status && list && (entry = readdir(list));) {
        rg_array_name name;
        rg_free(plain);
        plain = unpacked_name(entry->d_name);
        if (!plain) {
            status = rg_fail_memory(err, "looking for targets");
        } else if (rg_array_name_parse(&name, plain) && !name.values && name.idx == values->idx &&
                   name.part == values->part && name.n_prefix == values->n_prefix &&
                   memcmp(plain, rg_path_name(path), name.n_prefix) == 0 &&
                   (!best || strcmp(entry->d_name, best) < 0)) {
            rg_free(best);
            best = rg_copy_text(entry->d_name, strlen(entry->d_name));
            status = best ? RG_OK : rg_fail_memory(err, "looking for targets");
        }
    }
    if (list)
        closedir(list);
    if (!status && best && !(*out = rg_path_join(directory, best)))
        status = rg_fail_memory(err, "looking for targets");
    rg_free(plain);
    rg_free(best);
    rg_free(directory);
    return status;
}

/* One file of values, and the targets beside it. */
static rg_status take_single(file_gathering *g, const char *path, const rg_array_name *name,
                             rg_error *err)
{
    char *targets = NULL;
    if (!name->values)
        return rg_fail(err, RG_EDATA, "%s: found a file of targets, expected one of values", path);
    rg_status status = take_all(g, path, err);
    if (!status)
        status = find_targets(&targets, path, name, err);
    if (!status && targets)
        status = take_all(g, targets, err);
    rg_free(targets);
    return status;
}

/* ---- from a path */

/* Where to look: a directory, an archive or a file that is there; or a directory and the name of
 * one set of several in it. Both owned; name is NULL if there is none. */
typedef struct array_place {
    char *path, *only;
} array_place;

static rg_status find_place(array_place *out, const char *path, rg_error *err)
{
    const char *name = rg_path_name(path);
    array_place p = {0};
    bool fine;
    if (!rg_path_exists(path) && *name) {
        p.path = rg_path_directory(path);
        p.only = rg_copy_text(name, strlen(name));
        fine = p.path && p.only;
        if (fine && !rg_path_is_directory(p.path)) { /* then opening it says what is wrong */
            rg_free(p.only);
            rg_free(p.path);
            p.only = NULL;
            fine = (p.path = rg_copy_text(path, strlen(path))) != NULL;
        }
    } else {
        fine = (p.path = rg_copy_text(path, strlen(path))) != NULL;
    }
    if (!fine) {
        rg_free(p.path);
        rg_free(p.only);
        return rg_fail_memory(err, "reading arrays");
    }
    *out = p;
    return RG_OK;
}

static void gathering_free(file_gathering *g)
{
    for (size_t part = 0; part < RG_ARRAY_PARTS; part++)
        for (size_t kind = 0; kind < 2; kind++) {
            rg_numbers_free(&g->all.files[part][kind].numbers);
            rg_free(g->all.files[part][kind].path);
        }
}

static rg_status fail_nothing(const file_gathering *g, rg_error *err)
{
    if (g->only)
        return rg_fail_io(err, ENOENT, "open", g->all.where);
    return rg_fail(err, RG_EDATA,
                   "%s: found no arrays, expected x.npy and y.npy, images.npy and labels.npy, or "
                   "*-images-idx3-ubyte and *-labels-idx1-ubyte",
                   g->all.where);
}

rg_status rg_arrays_read(rg_arrays **out, const char *path, const rg_arrays_options *options,
                         rg_error *err)
{
    rg_arrays_options chosen = RG_ARRAYS_OPTIONS_INIT;
    rg_read_options bounds = RG_READ_OPTIONS_INIT;
    file_gathering g = {.all = {.where = path}, .bounds = &bounds};
    array_place p = {0};
    rg_array_name name;
    char *plain = NULL, *directory = NULL;
    bool single = false;
    rg_status status = RG_TAKE(rg_arrays_options, &chosen, options, err);
    g.all.scale = chosen.scale != 0;
    if (!status)
        status = RG_TAKE(rg_read_options, &bounds, chosen.read, err);
    if (!status)
        status = rg_read_options_check(&bounds, err);
    if (!status)
        status = find_place(&p, path, err);
    if (!status) {
        g.only = p.only;
        plain = unpacked_name(path);
        directory = rg_path_directory(path);
        if (!plain || !directory)
            status = rg_fail_memory(err, "reading arrays");
    }
    if (!status) {
        single = rg_path_is_file(path) && rg_array_name_parse(&name, plain);
        status = single ? take_single(&g, path, &name, err) : take_all(&g, p.path, err);
    }
    if (!status)
        status = g.all.first ? rg_arrays_assemble(out, &g.all, single ? directory : path, err)
                             : fail_nothing(&g, err);
    gathering_free(&g);
    rg_free(p.path);
    rg_free(p.only);
    rg_free(plain);
    rg_free(directory);
    return status;
}

rg_status rg_arrays_are_there(int *out, const char *path, rg_error *err)
{
    rg_entries *entries = NULL;
    array_place p = {0};
    bool ours = false, theirs = false;
    rg_status status = find_place(&p, path, err);
    if (!status)
        status = rg_entries_open(&entries, p.path, NULL, err);
    for (const char *entry = ""; !status && entry && !ours && !theirs;) {
        rg_array_name name;
        status = rg_entries_next(entries, &entry, err);
        if (status || !entry)
            break;
        const char *base = rg_path_name(entry);
        ours = rg_array_name_parse(&name, base) &&
               (!p.only || (base == entry && strlen(p.only) == name.n_prefix &&
                            memcmp(base, p.only, name.n_prefix) == 0));
        theirs = !ours && rg_read_knows(base, p.only);
    }
    if (!status)
        *out = ours;
    rg_entries_close(entries);
    rg_free(p.path);
    rg_free(p.only);
    return status;
}
