/* read.c - from a path to a data set: whose files are these?
 *
 * The first file that a format knows decides the format and the name of the set; every other known
 * file must agree. What no format knows is counted and left alone. */
#include "read.h"

#include "archive.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sized.h"
#include "base/table.h"
#include "format.h"
#include "text/suggest.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#define FORMAT(upper, lower) [RG_FORMAT_##upper] = &rg_format_##lower,
static const rg_format_kind *const formats[RG_N_FORMATS] = {RG_FORMATS(FORMAT)};
#undef FORMAT
enum { FIRST = RG_FORMAT_AUTO + 1 };

const rg_format_kind *rg_format_kind_of(rg_format format)
{
    return (unsigned)format < RG_N_FORMATS ? formats[format] : NULL;
}

rg_status rg_format_open(void **state, const rg_format_kind *format, rg_error *err)
{
    *state = rg_alloc_zero(1, format->size);
    return *state ? RG_OK : rg_fail_memory(err, "reading a data set");
}

const char *rg_format_name(rg_format format)
{
    const rg_format_kind *kind = rg_format_kind_of(format);
    return kind ? kind->name : format == RG_FORMAT_AUTO ? "auto" : "unknown";
}

rg_format rg_format_find(const char *name)
{
    int k = 0;
    while (k < RG_N_FORMATS && strcmp(name, rg_format_name((rg_format)k)) != 0)
        k++;
    return k < RG_N_FORMATS ? (rg_format)k : RG_NO_FORMAT;
}

RG_DEFINE_INIT(rg_read_options, RG_READ_OPTIONS_INIT)

rg_status rg_read_options_check(const rg_read_options *given, rg_error *err)
{
    rg_read_options own = RG_READ_OPTIONS_INIT, *options = &own;
    rg_status status = RG_TAKE(rg_read_options, &own, given, err);
    if (status)
        return status;
    if ((unsigned)options->format >= RG_N_FORMATS)
        return rg_fail(err, RG_EUSAGE, "format: found %d, expected one of the known formats",
                       (int)options->format);
    if (!options->max_bytes || !options->max_ratio || !options->max_entries)
        return rg_fail(err, RG_EUSAGE, "%s: found 0, expected at least 1",
                       !options->max_bytes   ? "max_bytes"
                       : !options->max_ratio ? "max_ratio"
                                             : "max_entries");
    return RG_OK;
}

/* ---- names */

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcasecmp(text + n - m, ending) == 0;
}

/* What people put beside their data for people: no data, and nothing odd. */
static bool is_for_people(const char *file)
{
    return strncasecmp(file, "readme", 6) == 0 || strncasecmp(file, "licen", 5) == 0 ||
           strncasecmp(file, "citation", 8) == 0 || ends_with(file, "_readme.txt") ||
           ends_with(file, ".md");
}

char *rg_read_name(const char *where)
{
    size_t end = strlen(where), start, ending = 0;
    for (;;) {
        while (end > 0 && where[end - 1] == '/')
            end--;
        start = end;
        while (start > 0 && where[start - 1] != '/')
            start--;
        size_t n = end - start;
        bool empty = (n == 3 && memcmp(where + start, "raw", 3) == 0) ||
                     (n == 1 && where[start] == '.') ||
                     (n == 2 && memcmp(where + start, "..", 2) == 0);
        if (!empty || start == 0)
            break;
        end = start;
    }
    char *name = rg_copy_text(where + start, end - start);
    if (!name)
        return NULL;
    if (!rg_archive_promised(name, &ending))
        ending = rg_archive_ending(name);
    name[strlen(name) - ending] = '\0';
    if (ends_with(name, ".g6"))
        name[strlen(name) - 3] = '\0';
    if (*name && *name != '.')
        return name;
    rg_free(name);
    return rg_copy_text("data", 4);
}

/* ---- whose file is it */

typedef struct collector {
    const char *where, *only;
    rg_format wanted;
    const rg_read_options *options; /* NULL: the defaults */
    bool alone;                     /* the current file is all there is */
    const rg_format_kind *format;
    void *state;
    rg_table *seen;  /* names of the files that were taken */
    char *first;     /* the file that decided */
    size_t n_prefix; /* bytes of `first` that are the set's name */
    rg_quirks quirks;
} collector;

/* Does the format take the file whatever it is called? */
static bool takes_any(const collector *c, const char *file, int format, size_t *n_prefix)
{
    const char *dot = strrchr(file, '.');
    if ((int)c->wanted != format || !c->alone || !formats[format]->any)
        return false;
    *n_prefix = dot && dot != file ? (size_t)(dot - file) : strlen(file);
    return true;
}

static const rg_format_kind *find_format(const collector *c, const char *file, size_t *n_prefix)
{
    for (int k = FIRST; k < RG_N_FORMATS; k++)
        if ((c->wanted == RG_FORMAT_AUTO || (int)c->wanted == k) &&
            (c->alone || !formats[k]->alone) &&
            (formats[k]->knows(file, n_prefix) || takes_any(c, file, k, n_prefix)))
            return formats[k];
    return NULL;
}

bool rg_read_knows(const char *file, const char *only)
{
    const collector any = {.wanted = RG_FORMAT_AUTO};
    size_t n_prefix = 0;
    if (!find_format(&any, file, &n_prefix))
        return false;
    return !only || (strlen(only) == n_prefix && memcmp(file, only, n_prefix) == 0);
}

/* The first file of a format, or one that must agree with the first. */
static rg_status settle(collector *c, const rg_format_kind *format, const char *file,
                        size_t n_prefix, rg_error *err)
{
    if (!c->format) {
        c->first = rg_copy_text(file, strlen(file));
        if (!c->first)
            return rg_fail_memory(err, "reading a data set");
        c->n_prefix = n_prefix;
        c->format = format;
        rg_status status = rg_format_open(&c->state, format, err);
        if (!status && format->configure && c->options)
            format->configure(c->state, c->options);
        return status;
    }
    if (format != c->format)
        return rg_fail(err, RG_EDATA,
                       "%s: found files of two formats, '%s' (%s) and '%s' (%s), expected one; "
                       "choose a format",
                       c->where, c->first, c->format->name, file, format->name);
    if (n_prefix != c->n_prefix || memcmp(file, c->first, n_prefix) != 0)
        return rg_fail(
            err, RG_EDATA,
            "%s: found two data sets, '%.*s' and '%.*s', expected one (where a directory "
            "holds several, DIRECTORY/NAME chooses one)",
            c->where, (int)c->n_prefix, c->first, (int)n_prefix, file);
    return RG_OK;
}

static rg_status take(collector *c, rg_entries *entries, const char *path, rg_error *err)
{
    rg_reader *in = NULL;
    size_t n_prefix = 0;
    const char *file = rg_path_name(path);
    c->alone = rg_entries_alone(entries);
    const rg_format_kind *format = find_format(c, file, &n_prefix);
    if (!format && c->format && c->format->beside && c->format->beside(c->state, file)) {
        format = c->format;
        n_prefix = c->n_prefix;
    }
    if (c->only && (!format || file != path || strlen(c->only) != n_prefix ||
                    memcmp(file, c->only, n_prefix) != 0))
        return RG_OK; /* of another set */
    if (!format) {
        c->quirks.ignored_files += !is_for_people(file);
        return RG_OK;
    }
    rg_status status = settle(c, format, file, n_prefix, err);
    if (status)
        return status;
    size_t before = rg_table_size(c->seen);
    if (rg_table_add(c->seen, file, strlen(file)) == RG_TABLE_NONE)
        return rg_fail_memory(err, "reading a data set");
    if (rg_table_size(c->seen) == before)
        return rg_fail(err, RG_EDATA, "%s: found '%s' a second time, expected each file once",
                       c->where, file);
    status = rg_entries_reader(entries, &in, err);
    if (!status)
        status = format->take(c->state, file, in, err);
    if (status)
        return status;
    c->quirks.missing_newlines += rg_reader_unended(in);
    return RG_OK;
}

static rg_status fail_nothing(const collector *c, const rg_entries *entries, rg_error *err)
{
    const char *words[RG_N_FORMATS];
    char expected[400];
    size_t n = 0;
    for (int k = FIRST; k < RG_N_FORMATS; k++)
        if (c->wanted == RG_FORMAT_AUTO || (int)c->wanted == k)
            words[n++] = formats[k]->files;
    rg_words_list(expected, sizeof expected, words, n, ", or ", "");
    if (c->only)
        return rg_fail_io(err, ENOENT, "open", c->where);
    if (rg_entries_closed(entries)) /* the set may well be in there */
        return rg_fail(err, RG_EIO, "%s", rg_entries_closed(entries));
    return rg_fail(err, RG_EDATA, "%s: found no data set, expected %s", c->where, expected);
}

static rg_status build(rg_dataset **out, collector *c, rg_error *err)
{
    rg_raw raw = {0};
    rg_status status = c->format->finish(c->state, &raw, err);
    if (!status) {
        rg_free(raw.name);
        raw.name = c->n_prefix ? rg_copy_text(c->first, c->n_prefix) : rg_read_name(c->where);
        raw.quirks.ignored_files += c->quirks.ignored_files;
        raw.quirks.missing_newlines += c->quirks.missing_newlines;
        status =
            raw.name ? rg_dataset_build(out, &raw, err) : rg_fail_memory(err, "reading a data set");
    }
    rg_raw_free(&raw);
    return status;
}

rg_status rg_dataset_read_entries(rg_dataset **out, rg_entries *entries, const char *where,
                                  const char *only, const rg_read_options *options, rg_error *err)
{
    collector c = {.where = where,
                   .only = only,
                   .wanted = options ? options->format : RG_FORMAT_AUTO,
                   .options = options,
                   .seen = rg_table_new()};
    const char *name = NULL;
    rg_status status =
        c.seen ? rg_entries_next(entries, &name, err) : rg_fail_memory(err, "reading a data set");
    while (!status && name) {
        status = take(&c, entries, name, err);
        if (!status)
            status = rg_entries_next(entries, &name, err);
    }
    if (!status)
        status = c.format ? build(out, &c, err) : fail_nothing(&c, entries, err);
    if (c.format)
        c.format->close(c.state);
    rg_table_free(c.seen);
    rg_free(c.first);
    return status;
}

rg_status rg_dataset_read(rg_dataset **out, const char *path, const rg_read_options *options,
                          rg_error *err)
{
    rg_read_options chosen = RG_READ_OPTIONS_INIT;
    rg_entries *entries = NULL;
    char *directory = NULL;
    const char *only = NULL;
    rg_status status = RG_TAKE(rg_read_options, &chosen, options, err);
    if (!status)
        status = rg_read_options_check(&chosen, err);
    if (status)
        return status;
    /* DIR/NAME that is not there itself may stand for DIR/NAME_*. */
    if (!rg_path_exists(path)) {
        directory = rg_path_directory(path);
        if (!directory)
            return rg_fail_memory(err, "reading a data set");
        if (*rg_path_name(path) && rg_path_is_directory(directory))
            only = rg_path_name(path);
    }
    status = rg_entries_open(&entries, only ? directory : path, &chosen, err);
    if (!status)
        status = rg_dataset_read_entries(out, entries, path, only, &chosen, err);
    rg_entries_close(entries);
    rg_free(directory);
    return status;
}
