/* variable.c - $name and ${name} in the texts of a network. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/suggest.h"

#include <string.h>

enum { LONGEST = 60 };

/* What stands at a '$'. */
typedef struct variable_piece {
    const char *name; /* of the variable */
    size_t n;         /* bytes of the name; 0: a '$' and no variable */
    size_t length;    /* bytes of all: "$name", "${name}", "$$" or "$" */
} variable_piece;

static size_t name_length(const char *p)
{
    size_t n = 0;
    while ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || p[n] == '_' ||
           (n > 0 && p[n] >= '0' && p[n] <= '9'))
        n++;
    return n;
}

static variable_piece piece_at(const char *p)
{
    bool braces = p[1] == '{';
    const char *name = p + 1 + braces;
    size_t n = name_length(name);
    if (n > 0 && (!braces || name[n] == '}'))
        return (variable_piece){name, n, n + 1 + (braces ? 2 : 0)};
    return (variable_piece){NULL, 0, p[1] == '$' ? 2 : 1};
}

/* ---- checks before anything is put together */

static bool uses(const rg_yaml *node, const char *name)
{
    const char *p = node ? rg_yaml_text(node) : NULL;
    for (p = p ? strchr(p, '$') : NULL; p; p = strchr(p, '$')) {
        variable_piece found = piece_at(p);
        if (found.n && found.n == strlen(name) && memcmp(found.name, name, found.n) == 0)
            return true;
        p += found.length;
    }
    for (size_t k = 0; node && k < rg_yaml_size(node); k++)
        if (uses(rg_yaml_item(node, k), name))
            return true;
    return false;
}

rg_status rg_draft_variables(const rg_draft *draft, rg_error *err)
{
    size_t n = draft->grid ? rg_yaml_size(draft->grid) : 0;
    if (n > RG_VARIABLES_MAX)
        return rg_yaml_complain(draft->grid, err, "found %zu variables, expected at most %d", n,
                                RG_VARIABLES_MAX);
    for (size_t k = 0; k < n; k++) {
        const rg_yaml *key = rg_yaml_key_node(draft->grid, k);
        const char *name = rg_yaml_text(key);
        if (name_length(name) != strlen(name) || strlen(name) > LONGEST)
            return rg_yaml_expected(key, "a name of letters, digits and '_'", err);
        bool used =
            uses(draft->labels, name) || uses(draft->input, name) || uses(draft->training, name);
        for (size_t network = 0; network < draft->n_networks && !used; network++)
            used = uses(draft->networks[network].tree, name);
        if (!used)
            return rg_yaml_complain(key, err,
                                    "found the variable '%s', which nothing uses, expected '$%s' "
                                    "in labels, rules, input or settings",
                                    name, name);
    }
    return RG_OK;
}

/* ---- replacing */

static rg_status unknown(const rg_draft *draft, const rg_yaml *node, const variable_piece *variable,
                         rg_error *err)
{
    const char *known[RG_VARIABLES_MAX];
    char word[LONGEST + 1] = "";
    size_t n = draft->grid ? rg_yaml_size(draft->grid) : 0;
    for (size_t k = 0; k < n; k++)
        known[k] = rg_yaml_key(draft->grid, k);
    if (variable->n <= LONGEST)
        memcpy(word, variable->name, variable->n);
    const char *near = n ? rg_suggest(word, known, n) : NULL;
    return rg_yaml_complain(node, err,
                            "found the variable '$%.*s', expected one of the key 'grid', or '$$' "
                            "for a '$'%s%s%s",
                            (int)(variable->n < LONGEST ? variable->n : LONGEST), variable->name,
                            near ? " (did you mean '$" : "", near ? near : "", near ? "'?)" : "");
}

/* The value of a variable as it was chosen. Borrowed. */
static rg_status look_up(const rg_yaml **out, const rg_draft *draft, const rg_yaml *node,
                         const variable_piece *variable, const uint32_t *picks, rg_error *err)
{
    for (size_t k = 0; draft->grid && k < rg_yaml_size(draft->grid); k++) {
        const char *key = rg_yaml_key(draft->grid, k);
        if (strlen(key) == variable->n && memcmp(key, variable->name, variable->n) == 0) {
            *out = rg_draft_pick(draft, rg_yaml_item(draft->grid, k), picks);
            return RG_OK;
        }
    }
    return unknown(draft, node, variable, err);
}

/* "exp.yml:12:11: $depth is 2", for complaints about what comes of it. */
static void add_origin(rg_text *out, const variable_piece *variable, const rg_yaml *value)
{
    rg_text_add(out, "%s%s:%zu:%zu: $%.*s is %s", out->n ? ": " : "", rg_yaml_name(value),
                rg_yaml_line(value), rg_yaml_column(value), (int)variable->n, variable->name,
                rg_yaml_text(value));
}

/* Both texts are used up. */
static rg_status retext(rg_yaml *node, rg_text *text, bool quoted, rg_text *origin, rg_error *err)
{
    char *whole = rg_text_take(text), *from = rg_text_take(origin);
    rg_status status = whole && from ? rg_yaml_retext(node, whole, quoted, *from ? from : NULL, err)
                                     : rg_fail_memory(err, "the variables of an experiment");
    rg_free(whole);
    rg_free(from);
    return status;
}

/* A text with variables in it. */
static rg_status fill_in(rg_yaml *node, const rg_draft *draft, const uint32_t *picks, rg_error *err)
{
    rg_text text = {0}, origin = {0};
    rg_status status = RG_OK;
    const char *p = rg_yaml_text(node);
    while (*p && !status) {
        size_t plain = strcspn(p, "$");
        rg_text_add(&text, "%.*s", (int)plain, p);
        p += plain;
        if (!*p)
            break;
        variable_piece found = piece_at(p);
        const rg_yaml *value = NULL;
        p += found.length;
        if (!found.n) {
            rg_text_add(&text, "$");
            continue;
        }
        status = look_up(&value, draft, node, &found, picks, err);
        if (!status && !rg_yaml_text(value))
            status = rg_yaml_complain(node, err,
                                      "found the variable '$%.*s' inside a text, expected it "
                                      "alone: its value in line %zu is no text",
                                      (int)found.n, found.name, rg_yaml_line(value));
        if (status)
            break;
        add_origin(&origin, &found, value);
        rg_text_add(&text, "%s", rg_yaml_text(value));
    }
    if (!status)
        return retext(node, &text, rg_yaml_is_quoted(node), &origin, err);
    rg_free(text.data);
    rg_free(origin.data);
    return status;
}

/* Item k if all of it is a variable: it becomes the value, whatever that is. */
static rg_status replace(rg_yaml *parent, size_t k, const variable_piece *variable,
                         const rg_draft *draft, const uint32_t *picks, rg_error *err)
{
    rg_yaml *node = rg_yaml_edit(parent, k), *copy = NULL;
    const rg_yaml *value = NULL;
    rg_status status = look_up(&value, draft, node, variable, picks, err);
    if (status)
        return status;
    if (rg_yaml_text(value)) {
        rg_text text = {0}, origin = {0};
        add_origin(&origin, variable, value);
        rg_text_add(&text, "%s", rg_yaml_text(value));
        return retext(node, &text, rg_yaml_is_quoted(value), &origin, err);
    }
    status = rg_yaml_copy(&copy, value, err);
    if (!status)
        rg_yaml_replace(parent, k, copy);
    return status;
}

rg_status rg_draft_substitute(const rg_draft *draft, rg_yaml *tree, const uint32_t *picks,
                              rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; k < rg_yaml_size(tree) && !status; k++) {
        rg_yaml *item = rg_yaml_edit(tree, k);
        const char *text = rg_yaml_text(item);
        if (!text) {
            status = rg_draft_substitute(draft, item, picks, err);
            continue;
        }
        if (!strchr(text, '$'))
            continue;
        variable_piece first = text[0] == '$' ? piece_at(text) : (variable_piece){NULL, 0, 0};
        if (first.n && first.length == strlen(text))
            status = replace(tree, k, &first, draft, picks, err);
        else
            status = fill_in(item, draft, picks, err);
    }
    return status;
}
