/* yaml_value.c - values of a YAML tree, and what is wrong with them. */
#include "base/error.h"
#include "base/number.h"
#include "suggest.h"
#include "yaml_node.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 40, EXPECTED = 700 };

rg_yaml_kind rg_yaml_kind_of(const rg_yaml *node)
{
    return node->kind;
}

size_t rg_yaml_line(const rg_yaml *node)
{
    return node->line;
}

size_t rg_yaml_size(const rg_yaml *node)
{
    return node->n_items;
}

const rg_yaml *rg_yaml_item(const rg_yaml *node, size_t k)
{
    assert(k < node->n_items);
    return node->items[k];
}

const rg_yaml *rg_yaml_key_node(const rg_yaml *map, size_t k)
{
    assert(k < map->n_keys);
    return map->keys[k];
}

const char *rg_yaml_key(const rg_yaml *map, size_t k)
{
    return rg_yaml_key_node(map, k)->text;
}

const rg_yaml *rg_yaml_find(const rg_yaml *map, const char *key)
{
    for (size_t k = 0; k < map->n_keys; k++)
        if (strcmp(map->keys[k]->text, key) == 0)
            return map->items[k];
    return NULL;
}

const char *rg_yaml_text(const rg_yaml *node)
{
    return node->text;
}

bool rg_yaml_is_quoted(const rg_yaml *node)
{
    return node->quoted;
}

rg_status rg_yaml_complain(const rg_yaml *node, rg_error *err, const char *format, ...)
{
    char text[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rg_fail(err, RG_EDATA, "%s:%zu:%zu: %s", node->name, node->line, node->column, text);
}

/* Bytes of the text that a message shows: no letter is cut. */
static int shown(const char *text)
{
    int n = (int)strnlen(text, SHOWN + 1);
    if (n > SHOWN)
        for (n = SHOWN; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80; n--)
            continue;
    return n;
}

rg_status rg_yaml_expected(const rg_yaml *node, const char *what, rg_error *err)
{
    if (node->kind == RG_YAML_LIST)
        return rg_yaml_complain(node, err, "found a list, expected %s", what);
    if (node->kind == RG_YAML_MAP)
        return rg_yaml_complain(node, err, "found a map, expected %s", what);
    if (!node->text[0] && !node->quoted)
        return rg_yaml_complain(node, err, "found nothing, expected %s", what);
    int n = shown(node->text);
    return rg_yaml_complain(node, err, "found %s'%.*s%s', expected %s",
                            node->quoted ? "the text " : "", n, node->text,
                            node->text[n] ? "..." : "", what);
}

static bool is_plain(const rg_yaml *node)
{
    return node->kind == RG_YAML_TEXT && !node->quoted;
}

rg_status rg_yaml_int(const rg_yaml *node, int64_t *out, int64_t min, int64_t max, const char *what,
                      rg_error *err)
{
    char range[80];
    int64_t value;
    if (is_plain(node)) {
        const char *end = node->text + strlen(node->text);
        if (rg_number_int(node->text, end, &value) == end && value >= min && value <= max) {
            *out = value;
            return RG_OK;
        }
    }
    snprintf(range, sizeof range, "a whole number %" PRId64 "..%" PRId64, min, max);
    return rg_yaml_expected(node, what ? what : range, err);
}

rg_status rg_yaml_real(const rg_yaml *node, double *out, const char *what, rg_error *err)
{
    double value;
    if (is_plain(node)) {
        const char *end = node->text + strlen(node->text);
        if (rg_number_real(node->text, end, &value) == end && isfinite(value)) {
            *out = value;
            return RG_OK;
        }
    }
    return rg_yaml_expected(node, what ? what : "a number", err);
}

rg_status rg_yaml_bool(const rg_yaml *node, bool *out, const char *what, rg_error *err)
{
    if (is_plain(node) && strcmp(node->text, "true") == 0)
        *out = true;
    else if (is_plain(node) && strcmp(node->text, "false") == 0)
        *out = false;
    else
        return rg_yaml_expected(node, what ? what : "true or false", err);
    return RG_OK;
}

/* "A, B or C", and "(did you mean 'B'?)" if one is near to `word`. */
static void list_words(char out[EXPECTED], const char *const *words, size_t n, const char *word)
{
    size_t used = rg_words_list(out, EXPECTED, words, n, " or ", "");
    const char *near = word ? rg_suggest(word, words, n) : NULL;
    if (near && used < EXPECTED)
        snprintf(out + used, EXPECTED - used, " (did you mean '%s'?)", near);
}

rg_status rg_yaml_word(const rg_yaml *node, size_t *out, const char *const *words, size_t n,
                       rg_error *err)
{
    char what[EXPECTED];
    for (size_t k = 0; node->text && k < n; k++)
        if (strcmp(node->text, words[k]) == 0) {
            *out = k;
            return RG_OK;
        }
    list_words(what, words, n, node->text);
    return rg_yaml_expected(node, what, err);
}

rg_status rg_yaml_keys(const rg_yaml *map, const char *const *known, size_t n, rg_error *err)
{
    char what[EXPECTED], whole[EXPECTED + 40];
    if (map->kind != RG_YAML_MAP) {
        list_words(what, known, n, NULL);
        snprintf(whole, sizeof whole, "a map with keys such as %s", what);
        return rg_yaml_expected(map, whole, err);
    }
    for (size_t k = 0; k < map->n_keys; k++) {
        const rg_yaml *key = map->keys[k];
        size_t other = 0;
        while (other < n && strcmp(key->text, known[other]) != 0)
            other++;
        if (other < n)
            continue;
        list_words(what, known, n, key->text);
        return rg_yaml_complain(key, err, "found the key '%.*s', expected %s", shown(key->text),
                                key->text, what);
    }
    return RG_OK;
}
