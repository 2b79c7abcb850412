/* locate.c - from a name to a path: $REGULA_DATA, then the cache. */
#include "locate.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/table.h"
#include "regula/fetch.h"
#include "text/suggest.h"
#include "text/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which they are tried. */
static const char *const endings[] = {"",        ".zip",     ".tar.gz", ".tgz", ".tar.zst",
                                      ".tar.xz", ".tar.bz2", ".tar",    ".npz", ".g6"};
enum { N_ENDINGS = sizeof endings / sizeof *endings };

void rg_text_free(char *text)
{
    rg_free(text);
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

rg_status rg_data_directory(char **out, rg_error *err)
{
    const char *chosen = variable("REGULA_DATA");
    char *directory = NULL;
    if (chosen) {
        directory = rg_copy_text(chosen, strlen(chosen));
        if (!directory)
            return rg_fail_memory(err, "looking for the data directory");
    } else {
        rg_status status = rg_path_cache(&directory, "data", err);
        if (status)
            return status;
    }
    if (!directory)
        return rg_fail(err, RG_EFAIL,
                       "no directory for data sets: set REGULA_DATA, XDG_CACHE_HOME or HOME");
    *out = directory;
    return RG_OK;
}

rg_status rg_locate(char **out, const char *directory, const char *name, rg_error *err)
{
    size_t n = strlen(name), bytes;
    if (!rg_size_add(&bytes, n, 16))
        return rg_fail_memory(err, "looking for a data set");
    char *file = rg_alloc(bytes, 1);
    if (!file)
        return rg_fail_memory(err, "looking for a data set");
    rg_status status = RG_OK;
    char *path = NULL;
    for (size_t k = 0; k < N_ENDINGS; k++) {
        snprintf(file, bytes, "%s%s", name, endings[k]);
        path = rg_path_join(directory, file);
        if (!path)
            status = rg_fail_memory(err, "looking for a data set");
        if (!path || rg_path_exists(path))
            break;
        rg_free(path);
        path = NULL;
    }
    rg_free(file);
    if (!status)
        *out = path;
    return status;
}

rg_status rg_splits_find(char **out, const char *directory, const char *name, rg_error *err)
{
    rg_text text = {0};
    directory = directory ? directory : variable("REGULA_DATA");
    *out = NULL;
    if (!directory)
        return RG_OK;
    rg_text_add(&text, "%s/splits/%s.json", directory, name);
    char *path = rg_text_take(&text);
    if (!path)
        return rg_fail_memory(err, "looking for splits");
    if (rg_path_is_file(path))
        *out = path;
    else
        rg_free(path);
    return RG_OK;
}

/* Length of a file's name without the ending of something we read. */
static size_t stem(const char *file)
{
    size_t n = strlen(file);
    for (size_t k = 1; k < N_ENDINGS; k++) {
        size_t m = strlen(endings[k]);
        if (n > m && strcmp(file + n - m, endings[k]) == 0)
            return n - m;
    }
    return n;
}

/* Adds the names of a directory's sets; a directory that cannot be read has none. */
static bool add_names(rg_table *names, const char *directory)
{
    DIR *dir = directory ? opendir(directory) : NULL;
    if (!dir)
        return true;
    bool fine = true;
    for (struct dirent *entry; fine && (entry = readdir(dir));) {
        char *file = entry->d_name;
        if (file[0] == '.')
            continue;
        size_t n = stem(file);
        file[n] = '\0';
        fine = rg_table_add(names, file, n + 1) != RG_TABLE_NONE; /* with its zero byte: a text */
    }
    closedir(dir);
    return fine;
}

/* The name nearest to `data` among those in the directories and in the catalogue: owned, NULL if
 * none is near. */
static rg_status suggestion(char **out, const char *data, char *const places[2], rg_error *err)
{
    rg_table *names = rg_table_new();
    const char **known = NULL;
    bool fine = names && add_names(names, places[0]) && add_names(names, places[1]);
    for (size_t k = 0; fine && k < rg_catalogue_size(); k++) {
        const char *name = rg_catalogue_entry_at(k)->name;
        fine = rg_table_add(names, name, strlen(name) + 1) != RG_TABLE_NONE;
    }
    size_t n = fine ? rg_table_size(names) : 0;
    known = fine ? rg_alloc(n, sizeof *known) : NULL;
    fine = fine && known;
    for (size_t k = 0; fine && k < n; k++)
        known[k] = rg_table_key(names, (uint32_t)k, &(size_t){0});
    const char *near = fine ? rg_suggest(data, known, n) : NULL;
    *out = NULL;
    if (near) {
        *out = rg_copy_text(near, strlen(near));
        fine = *out != NULL;
    }
    rg_free(known);
    rg_table_free(names);
    return fine ? RG_OK : rg_fail_memory(err, "looking for a data set");
}

/* RG_EIO, saying where we looked and what could be done. */
static rg_status complain(const char *data, char *const places[2], rg_error *err)
{
    char where[512] = "REGULA_DATA and HOME are not set", help[256];
    if (places[0] && places[1])
        snprintf(where, sizeof where, "not in '%s' or '%s'", places[0], places[1]);
    else if (places[0] || places[1])
        snprintf(where, sizeof where, "not in '%s'", places[0] ? places[0] : places[1]);
    const rg_catalogue_entry *entry = rg_catalogue_find(data);
    if (entry && entry->path) {
        snprintf(help, sizeof help, "'regula data get %s' downloads it", data);
    } else if (entry) {
        snprintf(help, sizeof help, "'%s' generates it", entry->source);
    } else {
        char *near = NULL;
        rg_status status = suggestion(&near, data, places, err);
        if (status)
            return status;
        if (near)
            snprintf(help, sizeof help, "did you mean '%s'?", near);
        else
            snprintf(help, sizeof help, "'regula data list' shows what can be downloaded");
        rg_free(near);
    }
    return rg_fail(err, RG_EIO, "no data set '%.200s': no such file or directory, and %s; %s", data,
                   where, help);
}

/* Is there such a path, or is it DIR/NAME for the files DIR/NAME_*, one set of several in DIR? */
static rg_status is_there(bool *out, const char *data, rg_error *err)
{
    const char *slash = strrchr(data, '/');
    size_t n = slash ? strlen(slash + 1) : 0;
    *out = *data && rg_path_exists(data);
    if (*out || n == 0)
        return RG_OK;
    char *directory = rg_path_directory(data);
    if (!directory)
        return rg_fail_memory(err, "looking for a data set");
    DIR *dir = opendir(directory);
    for (struct dirent *entry; dir && !*out && (entry = readdir(dir));)
        *out = strncmp(entry->d_name, slash + 1, n) == 0 && entry->d_name[n] == '_';
    if (dir)
        closedir(dir);
    rg_free(directory);
    return RG_OK;
}

/* Sets for node targets may stand in a folder of their own. */
static rg_status locate_below(char **out, const char *directory, const char *name, rg_error *err)
{
    char *below = rg_path_join(directory, "nodes");
    if (!below)
        return rg_fail_memory(err, "looking for a data set");
    rg_status status = rg_locate(out, below, name, err);
    rg_free(below);
    return status;
}

rg_status rg_data_find(char **out, const char *data, rg_error *err)
{
    char *places[2] = {NULL, NULL}; /* $REGULA_DATA, the cache */
    char *path = NULL;
    bool there = false;
    rg_status status = is_there(&there, data, err);
    if (status)
        return status;
    if (there) {
        path = rg_copy_text(data, strlen(data));
        if (!path)
            return rg_fail_memory(err, "looking for a data set");
        *out = path;
        return RG_OK;
    }
    if (!*data || strchr(data, '/'))
        return rg_fail(err, RG_EIO, "no data set '%.200s': no such file or directory", data);
    const char *chosen = variable("REGULA_DATA");
    if (chosen && !(places[0] = rg_copy_text(chosen, strlen(chosen))))
        return rg_fail_memory(err, "looking for a data set");
    status = rg_path_cache(&places[1], "data", err);
    for (int k = 0; k < 2 && !status && !path; k++)
        if (places[k])
            status = rg_locate(&path, places[k], data, err);
    for (int k = 0; k < 2 && !status && !path; k++)
        if (places[k])
            status = locate_below(&path, places[k], data, err);
    if (!status && !path)
        status = complain(data, places, err);
    if (!status)
        *out = path;
    rg_free(places[0]);
    rg_free(places[1]);
    return status;
}
