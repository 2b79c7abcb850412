/* meaning.c - see meaning.h: keys hold numbers of one fit; with what these mean in their place, keys of several
 * fits can be compared word by word.
 *
 * What is interned begins with a word that says what it is, so that a degree is never taken for a ring. */
#include "meaning.h"

#include "base/alloc.h"
#include "base/error.h"
#include "kind.h"

#include <stdlib.h>
#include <string.h>

enum { OF_TEXT = 1, OF_NAME, OF_VALUE, OF_NUMBERS, OF_LEVEL, OF_BIN };

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "the meaning of labels");
}

uint32_t rg_meaning_of_words(const rg_meanings *m, const uint32_t *words, size_t n)
{
    return rg_table_add(m->words, words, n * sizeof *words);
}

/* The number of a tag and a text. */
static uint32_t of_text(const rg_meanings *m, uint32_t tag, const char *text)
{
    size_t n = strlen(text);
    char *bytes = rg_alloc(n + sizeof tag, 1);
    if (!bytes)
        return RG_TABLE_NONE;
    memcpy(bytes, &tag, sizeof tag);
    memcpy(bytes + sizeof tag, text, n);
    uint32_t number = rg_table_add(m->words, bytes, n + sizeof tag);
    rg_free(bytes);
    return number;
}

static const char *name_of(const rg_meanings *m, rg_column kind, size_t column, int64_t value)
{
    for (size_t list = 0; list < 2; list++)
        for (size_t k = 0; k < m->n_names[list]; k++) {
            const rg_value_name *name = &m->names[list][k];
            if (name->kind == kind && name->column == column && name->value == value)
                return name->name;
        }
    return NULL;
}

rg_status rg_meaning_of_value(uint32_t *out, const rg_meanings *m, rg_column kind, size_t column,
                              int64_t value, rg_error *err)
{
    const char *name = name_of(m, kind, column, value);
    uint32_t words[5] = {OF_VALUE, (uint32_t)kind, (uint32_t)column};
    *out = RG_UNSEEN;
    if (!name && !m->by_value)
        return RG_OK;
    rg_words_from_int(words + 3, value);
    uint32_t number = name ? of_text(m, OF_NAME, name) : rg_meaning_of_words(m, words, 5);
    if (number == RG_TABLE_NONE)
        return no_memory(err);
    *out = number;
    return RG_OK;
}

/* ---- the keys of one labeling */

typedef struct label_reading {
    const rg_labeling *labeling;
    const rg_meanings *m;
    uint32_t what;    /* the labeling itself */
    uint32_t **parts; /* [part][label] */
    uint32_t *words;  /* scratch: a key */
    rg_error *err;
} label_reading;

/* Several numbers: labels of parts, values with names, or numbers that mean the same everywhere. */
static rg_status read_numbers(uint32_t *out, const label_reading *r, const uint32_t *key, size_t n)
{
    const rg_label_spec *spec = r->labeling->spec;
    bool values = spec->kind->column != NULL;
    uint32_t *to = r->words;
    *to++ = OF_NUMBERS;
    *to++ = r->what;
    for (size_t k = 0; k < n / 2; k++) {
        int64_t value = rg_words_to_int(key + 2 * k);
        uint32_t meaning = 0;
        rg_status status = RG_OK;
        if (spec->kind->joins)
            meaning = r->parts[k][value];
        else if (values)
            status = rg_meaning_of_value(&meaning, r->m, RG_NODE_LABEL, spec->kind->column(spec),
                                         value, r->err);
        if (status || meaning == RG_UNSEEN) {
            *out = RG_UNSEEN;
            return status;
        }
        if (spec->kind->joins || values)
            *to++ = meaning;
        else
            memcpy(to, key + 2 * k, 2 * sizeof *to);
        to += spec->kind->joins || values ? 0 : 2;
    }
    *out = rg_meaning_of_words(r->m, r->words, (size_t)(to - r->words));
    return *out == RG_TABLE_NONE ? no_memory(r->err) : RG_OK;
}

/* A quantile means the numbers that it holds. */
static rg_status read_bin(uint32_t *out, const label_reading *r, const uint32_t *key)
{
    const rg_labeling *l = r->labeling;
    int64_t bin = rg_words_to_int(key);
    uint32_t words[6] = {OF_BIN, r->what, 0, 0, 0, 0};
    *out = RG_UNSEEN;
    if (!r->m->by_value || bin < 0 || (uint64_t)bin > l->n_bounds)
        return RG_OK;
    if (bin > 0)
        memcpy(words + 2, &l->bounds[bin - 1], sizeof(double));
    if ((size_t)bin < l->n_bounds)
        memcpy(words + 4, &l->bounds[bin], sizeof(double));
    *out = rg_meaning_of_words(r->m, words, 6);
    return *out == RG_TABLE_NONE ? no_memory(r->err) : RG_OK;
}

static int by_numbers(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* The node's own number and those of its neighbours, with what edges mean. lower: of the level below. */
static rg_status read_refined(uint32_t *out, const label_reading *r, size_t level,
                              const uint32_t *lower, const uint32_t *key, size_t n)
{
    size_t stride = r->labeling->spec->edges ? RG_WL_EDGE_WORDS : 1, n_near = (n - 1) / stride;
    uint32_t *to = r->words;
    to[0] = OF_LEVEL;
    to[1] = r->what;
    to[2] = (uint32_t)level;
    to[3] = lower[key[0]];
    bool known = to[3] != RG_UNSEEN;
    for (size_t k = 0; k < n_near; k++) {
        const uint32_t *item = key + 1 + k * stride;
        uint32_t *pair = to + 4 + 2 * k;
        pair[0] = 0;
        pair[1] = lower[item[stride - 1]];
        rg_status status = stride == 1 ? RG_OK
                                       : rg_meaning_of_value(&pair[0], r->m, RG_EDGE_LABEL, 0,
                                                             rg_words_to_int(item), r->err);
        if (status)
            return status;
        known = known && pair[0] != RG_UNSEEN && pair[1] != RG_UNSEEN;
    }
    qsort(to + 4, n_near, 2 * sizeof *to, by_numbers);
    *out = known ? rg_meaning_of_words(r->m, to, 4 + 2 * n_near) : RG_UNSEEN;
    return known && *out == RG_TABLE_NONE ? no_memory(r->err) : RG_OK;
}

/* numbers[number of the level]. */
static rg_status read_level(uint32_t *numbers, const label_reading *r, size_t level,
                            const uint32_t *lower)
{
    const rg_labeling *l = r->labeling;
    rg_status status = RG_OK;
    for (uint32_t k = 0; !status && k < rg_vocabulary_size(l->levels[level]); k++) {
        size_t n;
        const uint32_t *key = rg_vocabulary_key(l->levels[level], k, &n);
        if (l->spec->kind == &rg_label_wl && level == 0)
            numbers[k] = r->parts[0][key[0]];
        else if (l->spec->kind == &rg_label_wl)
            status = read_refined(&numbers[k], r, level, lower, key, n);
        else if (l->spec->kind == &rg_label_attribute)
            status = read_bin(&numbers[k], r, key);
        else
            status = read_numbers(&numbers[k], r, key, n);
    }
    return status;
}

static size_t longest_key(const rg_labeling *l)
{
    size_t most = 0, n;
    for (size_t level = 0; level < l->n_levels; level++)
        for (uint32_t k = 0; k < rg_vocabulary_size(l->levels[level]); k++) {
            rg_vocabulary_key(l->levels[level], k, &n);
            most = n > most ? n : most;
        }
    return most;
}

/* What the labeling is, but for its parts and for how many labels it keeps. */
static rg_status read_spec(uint32_t *out, const rg_labeling *l, const rg_meanings *m, rg_error *err)
{
    bool plain = l->spec->n_parts > 0;
    char *text = plain ? NULL : rg_label_spec_print_unbounded(l->spec);
    if (!plain && !text)
        return no_memory(err);
    uint32_t words[3] = {OF_TEXT, of_text(m, OF_TEXT, plain ? l->spec->kind->name : text),
                         l->spec->edges};
    rg_free(text);
    *out = words[1] == RG_TABLE_NONE ? words[1] : rg_meaning_of_words(m, words, 3);
    return *out == RG_TABLE_NONE ? no_memory(err) : RG_OK;
}

static rg_status read_levels(uint32_t *out, label_reading *r)
{
    const rg_labeling *l = r->labeling;
    uint32_t *lower = NULL;
    rg_status status = RG_OK;
    for (size_t level = 0; !status && level < l->n_levels; level++) {
        uint32_t *numbers = rg_alloc(rg_vocabulary_size(l->levels[level]) + 1, sizeof *numbers);
        status = numbers ? read_level(numbers, r, level, lower) : no_memory(r->err);
        rg_free(lower);
        lower = numbers;
    }
    for (uint32_t k = 0; !status && k < l->n_kept; k++)
        out[k] = lower[k];
    rg_free(lower);
    return status;
}

rg_status rg_labeling_meanings(uint32_t *out, const rg_labeling *l, const rg_meanings *m,
                               rg_error *err)
{
    label_reading r = {.labeling = l, .m = m, .err = err};
    size_t n_parts = l->spec->n_parts;
    bool refines = l->spec->kind->refine != NULL;
    for (uint32_t k = 0; k < l->size; k++)
        out[k] = RG_UNSEEN;
    if ((refines && l->spec->kind != &rg_label_wl) || (l->spec->path && !m->by_value))
        return RG_OK;
    r.parts = rg_alloc_zero(n_parts + 1, sizeof *r.parts);
    r.words = rg_alloc(2 * longest_key(l) + 8, sizeof *r.words);
    rg_status status = r.parts && r.words ? read_spec(&r.what, l, m, err) : no_memory(err);
    for (size_t p = 0; !status && p < n_parts; p++) {
        r.parts[p] = rg_alloc(l->parts[p]->size, sizeof **r.parts);
        status =
            r.parts[p] ? rg_labeling_meanings(r.parts[p], l->parts[p], m, err) : no_memory(err);
    }
    if (!status)
        status = read_levels(out, &r);
    for (size_t p = 0; r.parts && p < n_parts; p++)
        rg_free(r.parts[p]);
    rg_free(r.parts);
    rg_free(r.words);
    return status;
}
