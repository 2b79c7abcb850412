/* split_json.c - splits as a JSON file, in the layout that json.dump of Python writes by default:
 *
 * [{"test": [..], "model_selection": [{"train": [..], "validation": [..]}]}, ..]
 *
 * A syntax error has its line and column; of an error in the content the tree no longer knows them,
 * so it has a path. Folds count from 0. */
#include "regula/split.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "parts.h"
#include "text/json.h"
#include "text/json_write.h"
#include "text/reader.h"

#include <stdio.h>
#include <string.h>

/* ---- text to tree: lines of the reader, handed to jansson in pieces */

typedef struct feed {
    rg_reader *in;
    const char *text; /* rest of the current line */
    size_t n;
    bool newline; /* the newline before it is still to come */
    bool ended;
    size_t n_commas;
    rg_status status; /* why the feed stopped early */
    rg_error *err;
} feed;

static bool feed_next_line(feed *f)
{
    bool more = false;
    f->status = rg_reader_next(f->in, &more, f->err);
    if (f->status || !more) {
        f->ended = true;
        return false;
    }
    f->text = rg_reader_text(f->in, &f->n);
    f->newline = rg_reader_line_number(f->in) > 1;
    if (rg_reader_bytes(f->in) > RG_SPLIT_FILE_MAX)
        f->status = rg_fail(f->err, RG_EDATA, "%s: found more than %zu bytes, expected splits",
                            rg_reader_name(f->in), RG_SPLIT_FILE_MAX);
    for (const char *p = f->text, *end = p + f->n; (p = memchr(p, ',', (size_t)(end - p))); p++)
        f->n_commas++;
    if (!f->status && f->n_commas > RG_SPLIT_NUMBERS_MAX)
        f->status = rg_fail(f->err, RG_EDATA, "%s: found more than %zu numbers, expected fewer",
                            rg_reader_name(f->in), RG_SPLIT_NUMBERS_MAX);
    return f->status == RG_OK;
}

static size_t feed_read(void *buffer, size_t size, void *state)
{
    feed *f = state;
    size_t n = 0;
    while (n == 0) { /* an empty first line has no bytes, and none would mean the end */
        if (f->n == 0 && !f->newline && (f->ended || f->status || !feed_next_line(f)))
            return f->status ? (size_t)-1 : 0;
        if (f->newline) {
            ((char *)buffer)[n++] = '\n';
            f->newline = false;
        }
        size_t part = f->n < size - n ? f->n : size - n;
        memcpy((char *)buffer + n, f->text, part);
        f->text += part;
        f->n -= part;
        n += part;
    }
    return n;
}

static rg_status parse(json_t **out, rg_reader *in, rg_error *err)
{
    feed f = {.in = in, .err = err};
    json_error_t error = {.text = ""};
    json_t *tree = json_load_callback(feed_read, &f, JSON_REJECT_DUPLICATES, &error);
    if (tree && !f.status) {
        *out = tree;
        return RG_OK;
    }
    json_decref(tree);
    if (f.status)
        return f.status;
    if (rg_json_starved(&error))
        return rg_fail_memory(err, "reading splits");
    return rg_fail(err, RG_EDATA, "%s:%d:%d: %s", rg_reader_name(in), error.line, error.column,
                   error.text);
}

/* ---- tree to splits */

static const char *const part_paths[RG_PARTS] = {"test", "model_selection[0].train",
                                                 "model_selection[0].validation"};

static rg_status complain(const char *name, const char *where, const json_t *found,
                          const char *expected, rg_error *err)
{
    char text[RG_JSON_WORDS];
    return rg_fail(err, RG_EDATA, "%s: %s: found %s, expected %s", name, where,
                   rg_json_describe(text, found), expected);
}

/* Every key is one of both names. */
static rg_status check_keys(const char *name, const char *where, json_t *object, const char *first,
                            const char *second, rg_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (strcmp(key, first) != 0 && strcmp(key, second) != 0)
            return rg_fail(err, RG_EDATA,
                           "%s: %s: found the key \"%.40s\", expected \"%s\" and \"%s\"", name,
                           where, key, first, second);
    }
    return RG_OK;
}

/* The lists of one fold. Borrowed from the tree. */
static rg_status find_parts(json_t *parts[RG_PARTS], const char *name, size_t fold, json_t *object,
                            rg_error *err)
{
    char where[64];
    snprintf(where, sizeof where, "fold %zu", fold);
    if (!json_is_object(object))
        return complain(name, where, object, "an object with \"test\" and \"model_selection\"",
                        err);
    rg_status status = check_keys(name, where, object, "test", "model_selection", err);
    if (status)
        return status;
    json_t *selection = json_object_get(object, "model_selection");
    snprintf(where, sizeof where, "fold %zu, model_selection", fold);
    if (!json_is_array(selection))
        return complain(name, where, selection, "a list of one object", err);
    if (json_array_size(selection) != 1)
        return rg_fail(err, RG_EDATA, "%s: %s: found %zu entries, expected 1", name, where,
                       json_array_size(selection));
    json_t *inner = json_array_get(selection, 0);
    snprintf(where, sizeof where, "fold %zu, model_selection[0]", fold);
    if (!json_is_object(inner))
        return complain(name, where, inner, "an object with \"train\" and \"validation\"", err);
    status = check_keys(name, where, inner, "train", "validation", err);
    if (status)
        return status;
    parts[RG_PART_TEST] = json_object_get(object, "test");
    parts[RG_PART_TRAIN] = json_object_get(inner, "train");
    parts[RG_PART_VALIDATION] = json_object_get(inner, "validation");
    for (int part = 0; part < RG_PARTS; part++)
        if (!json_is_array(parts[part])) {
            snprintf(where, sizeof where, "fold %zu, %s", fold, part_paths[part]);
            return complain(name, where, parts[part], "a list of graph numbers", err);
        }
    return RG_OK;
}

static rg_status take_part(uint32_t *out, const char *name, size_t fold, int part, json_t *list,
                           rg_error *err)
{
    size_t k;
    json_t *value;
    json_array_foreach(list, k, value)
    {
        json_int_t graph = json_integer_value(value);
        if (!json_is_integer(value) || graph < 0 || graph >= UINT32_MAX) {
            char where[96];
            snprintf(where, sizeof where, "fold %zu, %s[%zu]", fold, part_paths[part], k);
            return complain(name, where, value, "a graph number", err);
        }
        out[k] = (uint32_t)graph;
    }
    return RG_OK;
}

/* How many numbers all folds have together. */
static rg_status count_numbers(size_t *n, const char *name, json_t *tree, rg_error *err)
{
    json_t *parts[RG_PARTS];
    rg_status status = RG_OK;
    *n = 0;
    for (size_t fold = 0; !status && fold < json_array_size(tree); fold++) {
        status = find_parts(parts, name, fold, json_array_get(tree, fold), err);
        for (int part = 0; !status && part < RG_PARTS; part++)
            *n += json_array_size(parts[part]); /* no more than the file has bytes */
    }
    return status;
}

static rg_status take_tree(rg_splits **out, const char *name, json_t *tree, rg_error *err)
{
    json_t *parts[RG_PARTS];
    if (!json_is_array(tree))
        return rg_fail(err, RG_EDATA, "%s: found an object, expected a list of folds", name);
    size_t n_folds = json_array_size(tree), n_numbers;
    if (n_folds == 0)
        return rg_fail(err, RG_EDATA, "%s: found an empty list, expected a list of folds", name);
    rg_status status = count_numbers(&n_numbers, name, tree, err);
    if (status)
        return status;
    rg_splits *splits = rg_splits_new(n_folds, n_numbers);
    if (!splits)
        return rg_fail_memory(err, "reading splits");
    size_t *start = splits->start;
    for (size_t fold = 0; !status && fold < n_folds; fold++) {
        status = find_parts(parts, name, fold, json_array_get(tree, fold), err);
        for (int part = 0; part < RG_PARTS && !status; part++, start++) {
            status = take_part(splits->graphs + *start, name, fold, part, parts[part], err);
            start[1] = start[0] + json_array_size(parts[part]);
        }
    }
    if (!status)
        *out = splits;
    else
        rg_splits_free(splits);
    return status;
}

rg_status rg_splits_read(rg_splits **out, const char *path, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_open(&in, path, err);
    if (!status)
        status = rg_splits_take(out, in, err);
    rg_reader_close(in);
    return status;
}

rg_status rg_splits_take(rg_splits **out, rg_reader *in, rg_error *err)
{
    json_t *tree = NULL;
    rg_status status = parse(&tree, in, err);
    if (!status)
        status = take_tree(out, rg_reader_name(in), tree, err);
    json_decref(tree);
    return status;
}

/* ---- splits to text */

static void add_part(rg_json *json, const char *key, rg_part part)
{
    rg_json_open(json, key, '[');
    for (size_t k = 0; k < part.n; k++)
        rg_json_count(json, NULL, part.graphs[k]);
    rg_json_close(json, '[');
}

char *rg_splits_json(const rg_splits *splits)
{
    rg_json json = {.layout = RG_JSON_BLANKS};
    rg_json_open(&json, NULL, '[');
    for (size_t k = 0; k < splits->n_folds; k++) {
        rg_fold fold = rg_splits_fold(splits, k);
        rg_json_open(&json, NULL, '{');
        add_part(&json, "test", fold.test);
        rg_json_open(&json, "model_selection", '[');
        rg_json_open(&json, NULL, '{');
        add_part(&json, "train", fold.train);
        add_part(&json, "validation", fold.validation);
        rg_json_close(&json, '{');
        rg_json_close(&json, '[');
        rg_json_close(&json, '{');
    }
    rg_json_close(&json, '[');
    return rg_json_take(&json);
}

rg_status rg_splits_write(const rg_splits *splits, const char *path, rg_error *err)
{
    char *text = rg_splits_json(splits);
    rg_status status = text ? rg_file_save(path, text, err) : rg_fail_memory(err, "writing splits");
    rg_free(text);
    return status;
}
