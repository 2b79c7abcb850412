/* names.c - see names.h. */
#include "names.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "names_known.h"
#include "text/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct name_entry {
    rg_name_kind kind;
    int64_t value;
    size_t line; /* of the file; 0: known */
    char name[RG_NAME_MAX];
} name_entry;

struct rg_names {
    name_entry *entries; /* ascending by kind, then value */
    size_t n, capacity;
    char *source;                                /* NULL: none */
    char columns[RG_NAMED_COLUMNS][RG_NAME_MAX]; /* of node labels; "": no name */
};

static const char *const kind_words[RG_N_NAME_KINDS] = {"node", "edge", "class"};

void rg_names_free(rg_names *names)
{
    if (!names)
        return;
    rg_free(names->entries);
    rg_free(names->source);
    rg_free(names);
}

static int by_kind_and_value(const void *a, const void *b)
{
    const name_entry *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void sort(rg_names *names)
{
    if (names->n)
        qsort(names->entries, names->n, sizeof *names->entries, by_kind_and_value);
}

/* name: n bytes, fewer than RG_NAME_MAX. */
static bool push(rg_names *names, rg_name_kind kind, int64_t value, size_t line, const char *name,
                 size_t n)
{
    if (!rg_grow(&names->entries, &names->capacity, names->n + 1, sizeof *names->entries))
        return false;
    name_entry *e = &names->entries[names->n++];
    *e = (name_entry){.kind = kind, .value = value, .line = line};
    memcpy(e->name, name, n);
    return true;
}

static bool has(const rg_names *names, rg_name_kind kind, int64_t value)
{
    for (size_t k = 0; k < names->n; k++)
        if (names->entries[k].kind == kind && names->entries[k].value == value)
            return true;
    return false;
}

/* A list "C,N,O" whose first name belongs to the value `first`; names that are there stay. */
static bool push_list(rg_names *names, rg_name_kind kind, const char *list, int64_t first)
{
    while (list && *list) {
        size_t n = strcspn(list, ",");
        if (n && !has(names, kind, first) && !push(names, kind, first, 0, list, n))
            return false;
        first++;
        list += list[n] ? n + 1 : n;
    }
    return true;
}

rg_status rg_names_known(rg_names **out, const char *dataset, size_t node_columns, rg_error *err)
{
    const rg_known_names *known = rg_known_names_find(dataset, node_columns);
    rg_names *names = rg_alloc_zero(1, sizeof *names);
    bool ok = names != NULL;
    if (ok && known) {
        names->source = rg_copy_text(known->source, strlen(known->source));
        ok = names->source && push_list(names, RG_NAME_NODE, known->nodes, known->first_node) &&
             push_list(names, RG_NAME_EDGE, known->edges, known->first_edge) &&
             push_list(names, RG_NAME_CLASS, known->classes, known->first_class);
    }
    if (!ok) {
        rg_names_free(names);
        return rg_fail_memory(err, "names of labels");
    }
    sort(names);
    *out = names;
    return RG_OK;
}

/* false: memory is short; *any: names were there. */
static bool push_values(rg_names *names, rg_name_kind kind, const rg_dataset *data,
                        rg_column column, bool *any)
{
    size_t n = 0;
    if (!rg_dataset_n_columns(data, column))
        return true;
    const int64_t *values = rg_dataset_values(data, column, 0, &n);
    for (size_t k = 0; k < n; k++) {
        const char *name = rg_dataset_value_name(data, column, 0, k);
        size_t length = name ? strlen(name) : 0;
        if (!length)
            continue;
        *any = true;
        char quoted[RG_NAME_MAX];
        if (kind == RG_NAME_NODE && rg_dataset_sequence(data) && length + 2 < RG_NAME_MAX) {
            length = (size_t)snprintf(quoted, sizeof quoted, "\"%s\"", name);
            name = quoted;
        }
        if (!push(names, kind, values[k], 0, name, length < RG_NAME_MAX ? length : RG_NAME_MAX - 1))
            return false;
    }
    return true;
}

static bool push_known(rg_names *names, const rg_known_names *known, const bool any[3])
{
    return !known ||
           ((any[0] || push_list(names, RG_NAME_NODE, known->nodes, known->first_node)) &&
            (any[1] || push_list(names, RG_NAME_EDGE, known->edges, known->first_edge)) &&
            (any[2] || push_list(names, RG_NAME_CLASS, known->classes, known->first_class)));
}

/* Its last two columns are those that rg_dataset_with_places adds. */
static bool has_places(const rg_dataset *data)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_LABEL);
    const char *place = n > 2 ? rg_dataset_column_name(data, RG_NODE_LABEL, n - 2) : NULL,
               *size = place ? rg_dataset_column_name(data, RG_NODE_LABEL, n - 1) : NULL;
    return size && strcmp(place, "place") == 0 && strcmp(size, "size") == 0;
}

static void take_columns(rg_names *names, const rg_dataset *data)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_LABEL);
    for (size_t c = 0; c < n && c < RG_NAMED_COLUMNS; c++) {
        const char *name = rg_dataset_column_name(data, RG_NODE_LABEL, c);
        if (name && strlen(name) < RG_NAME_MAX)
            memcpy(names->columns[c], name, strlen(name) + 1);
    }
}

rg_status rg_names_of(rg_names **out, const rg_dataset *data, rg_error *err)
{
    bool places = has_places(data); /* these alone have names of their own then, perhaps */
    size_t columns = rg_dataset_n_columns(data, RG_NODE_LABEL) - (places ? 2 : 0);
    const rg_known_names *known = rg_known_names_find(rg_dataset_name(data), columns);
    rg_names *names = rg_alloc_zero(1, sizeof *names);
    bool any[3] = {false, false, false};
    bool ok = names && push_values(names, RG_NAME_NODE, data, RG_NODE_LABEL, &any[0]) &&
              push_values(names, RG_NAME_EDGE, data, RG_EDGE_LABEL, &any[1]) &&
              push_values(names, RG_NAME_CLASS, data, RG_CLASS, &any[2]) &&
              push_known(names, known, (bool[]){any[0] && !places, any[1] && !places, any[2]});
    const char *source = any[0] || any[1] || any[2] ? "the data set" : known ? known->source : NULL;
    if (ok && source)
        ok = (names->source = rg_copy_text(source, strlen(source))) != NULL;
    if (!ok) {
        rg_names_free(names);
        return rg_fail_memory(err, "names of labels");
    }
    take_columns(names, data);
    sort(names);
    *out = names;
    return RG_OK;
}

/* ---- files */

/* The word in front of the value, if there is one: it is passed over. */
static rg_status read_kind(rg_name_kind *out, rg_reader *in, rg_error *err)
{
    size_t length;
    const char *text = rg_reader_text(in, &length);
    text += strspn(text, " \t");
    *out = RG_NAME_NODE;
    for (int k = 0; k < RG_N_NAME_KINDS; k++) {
        size_t n = strlen(kind_words[k]);
        if (strncmp(text, kind_words[k], n) != 0 || !strchr(" \t,", text[n]) || !text[n])
            continue;
        *out = (rg_name_kind)k;
        return rg_reader_word(in, &text, &length, "a kind of label", err);
    }
    return RG_OK;
}

/* Everything behind the value, blanks at its end left out. */
static rg_status read_name(const char **name, size_t *n, rg_reader *in, rg_error *err)
{
    static const char what[] = "a name behind the value";
    size_t length;
    const char *line = rg_reader_text(in, &length), *end = line + length;
    if (rg_reader_at_end(in))
        return rg_reader_complain(in, what, err);
    rg_status status = rg_reader_word(in, name, n, what, err);
    if (status)
        return status;
    while (end > *name && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *n = (size_t)(end - *name);
    if (*n == 0)
        return rg_fail(err, RG_EDATA, "%s:%zu: found no name, expected %s", rg_reader_name(in),
                       rg_reader_line_number(in), what);
    if (*n >= RG_NAME_MAX)
        return rg_fail(err, RG_EDATA, "%s:%zu: found a name of %zu bytes, expected at most %d",
                       rg_reader_name(in), rg_reader_line_number(in), *n, RG_NAME_MAX - 1);
    for (const char *p = *name; p < end;) {
        size_t step = rg_printable(p);
        if (!step)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found a byte that is no printable UTF-8, expected a name",
                           rg_reader_name(in), rg_reader_line_number(in));
        p += step;
    }
    return RG_OK;
}

static rg_status read_line(rg_names *names, rg_reader *in, rg_error *err)
{
    size_t n;
    const char *text = rg_reader_text(in, &n), *name = NULL;
    text += strspn(text, " \t");
    if (*text == '#' || (*text == '\0' && rg_reader_at_end(in)))
        return RG_OK;
    rg_name_kind kind;
    int64_t value = 0;
    rg_status status = read_kind(&kind, in, err);
    if (!status)
        status = rg_reader_int(in, &value, "a label's value (a whole number)", err);
    if (!status)
        status = read_name(&name, &n, in, err);
    if (!status && !push(names, kind, value, rg_reader_line_number(in), name, n))
        status = rg_fail_memory(err, "names of labels");
    return status;
}

/* Of two names for one value the one further down is to blame. */
static rg_status check_twice(const rg_names *names, const char *file, rg_error *err)
{
    for (size_t k = 1; k < names->n; k++) {
        const name_entry *a = &names->entries[k - 1], *b = &names->entries[k];
        if (a->kind != b->kind || a->value != b->value)
            continue;
        size_t first = a->line < b->line ? a->line : b->line;
        return rg_fail(err, RG_EDATA, "%s:%zu: %s label %lld is named twice, first on line %zu",
                       file, a->line + b->line - first, kind_words[a->kind], (long long)a->value,
                       first);
    }
    return RG_OK;
}

/* Adds the kinds of `base` that the file says nothing of. */
static bool complete(rg_names *names, const rg_names *base)
{
    bool own[RG_N_NAME_KINDS] = {false};
    if (base)
        memcpy(names->columns, base->columns, sizeof names->columns);
    for (size_t k = 0; k < names->n; k++)
        own[names->entries[k].kind] = true;
    for (size_t k = 0; base && k < base->n; k++) {
        const name_entry *e = &base->entries[k];
        if (!own[e->kind] && !push(names, e->kind, e->value, e->line, e->name, strlen(e->name)))
            return false;
    }
    return true;
}

/* Names from the lines of `in`, unsorted. */
static rg_status read_lines(rg_names *names, rg_reader *in, rg_error *err)
{
    bool more = true;
    rg_status status = rg_reader_next(in, &more, err);
    while (!status && more) {
        status = read_line(names, in, err);
        if (!status)
            status = rg_reader_next(in, &more, err);
    }
    return status;
}

/* `in` is moved. */
static rg_status read_all(rg_names **out, rg_reader *in, const char *file, const rg_names *base,
                          rg_error *err)
{
    const char *name = rg_path_name(file);
    rg_names *names = rg_alloc_zero(1, sizeof *names);
    rg_status status = names ? read_lines(names, in, err) : rg_fail_memory(err, "names of labels");
    if (!status) {
        sort(names);
        status = check_twice(names, file, err);
    }
    if (!status && (!(names->source = rg_copy_text(name, strlen(name))) || !complete(names, base)))
        status = rg_fail_memory(err, "names of labels");
    if (!status) {
        sort(names);
        *out = names;
        names = NULL; /* now the caller's */
    }
    rg_names_free(names);
    rg_reader_close(in);
    return status;
}

rg_status rg_names_read(rg_names **out, const char *path, const rg_names *base, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_open(&in, path, err);
    return status ? status : read_all(out, in, path, base, err);
}

rg_status rg_names_parse(rg_names **out, const char *file, const void *text, size_t n,
                         const rg_names *base, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_memory(&in, file, text, n, err);
    return status ? status : read_all(out, in, file, base, err);
}

/* ---- names of a model or a data set */

static bool can_show(const char *name)
{
    size_t step = 1;
    const char *p = name;
    for (; *p && (step = rg_printable(p)); p += step)
        ;
    return step && *name && strlen(name) + 2 < RG_NAME_MAX;
}

rg_status rg_names_add(rg_names *names, const rg_value_name *list, size_t n, bool quoted,
                       rg_error *err)
{
    size_t before = names->n;
    bool fine = true;
    for (size_t k = 0; fine && k < n; k++) {
        rg_name_kind kind = list[k].kind == RG_NODE_LABEL   ? RG_NAME_NODE
                            : list[k].kind == RG_EDGE_LABEL ? RG_NAME_EDGE
                            : list[k].kind == RG_CLASS      ? RG_NAME_CLASS
                                                            : RG_N_NAME_KINDS;
        char text[RG_NAME_MAX];
        name_entry key = {.kind = kind, .value = list[k].value};
        if (kind == RG_N_NAME_KINDS || list[k].column || !can_show(list[k].name) ||
            (before && bsearch(&key, names->entries, before, sizeof key, by_kind_and_value)))
            continue;
        snprintf(text, sizeof text, quoted && kind == RG_NAME_NODE ? "\"%s\"" : "%s", list[k].name);
        fine = push(names, kind, list[k].value, 0, text, strlen(text));
    }
    if (!fine) {
        names->n = before;
        return rg_fail_memory(err, "names of labels");
    }
    sort(names);
    return RG_OK;
}

/* ---- asking */

const char *rg_names_column(const rg_names *names, size_t column)
{
    return names && column < RG_NAMED_COLUMNS && *names->columns[column] ? names->columns[column]
                                                                         : NULL;
}

const char *rg_names_find(const rg_names *names, rg_name_kind kind, int64_t value)
{
    name_entry key = {.kind = kind, .value = value};
    if (!names || !names->n)
        return NULL;
    const name_entry *found =
        bsearch(&key, names->entries, names->n, sizeof *names->entries, by_kind_and_value);
    return found ? found->name : NULL;
}

bool rg_names_any(const rg_names *names, rg_name_kind kind)
{
    for (size_t k = 0; names && k < names->n; k++) {
        if (names->entries[k].kind == kind)
            return true;
    }
    return false;
}

const char *rg_names_text(char out[RG_NAME_MAX], const rg_names *names, rg_name_kind kind,
                          int64_t value)
{
    static const char *const words[RG_N_NAME_KINDS] = {"label", "edge label", "class"};
    const char *name = rg_names_find(names, kind, value);
    if (name)
        snprintf(out, RG_NAME_MAX, "%s", name);
    else
        snprintf(out, RG_NAME_MAX, "%s %lld", words[kind], (long long)value);
    return out;
}

const char *rg_names_source(const rg_names *names)
{
    return names && names->n ? names->source : NULL;
}

rg_status rg_names_list(rg_value_name **out, size_t *n, const rg_names *names, rg_error *err)
{
    static const rg_column kinds[RG_N_NAME_KINDS] = {RG_NODE_LABEL, RG_EDGE_LABEL, RG_CLASS};
    rg_value_name *list = rg_alloc(names->n + 1, sizeof *list);
    if (!list)
        return rg_fail_memory(err, "names of labels");
    for (size_t k = 0; k < names->n; k++)
        list[k] = (rg_value_name){.kind = kinds[names->entries[k].kind],
                                  .value = names->entries[k].value,
                                  .name = names->entries[k].name};
    *n = names->n;
    *out = list;
    return RG_OK;
}
