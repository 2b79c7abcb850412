/* spec.c - parsing specs of labelings; spec_print.c prints them.
 *
 *   labeling = name [ "(" [ argument { "," argument } ] ")" ]
 *   argument = [ option "=" ] ( number | word | labeling | pattern | path )
 *   pattern  = shape [ "(" number ")" ] | "file" "(" path ")" | ( "graph" | "smarts" ) "(" quoted ")"
 *
 * Which labelings there are, and their arguments, stands in kind.h. */
#include "kind.h"

#include "base/alloc.h"
#include "base/error.h"
#include "count/pattern.h"
#include "text/suggest.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 16 }; /* labelings inside labelings */
static const char too_deep[] = "at most 16 labelings inside each other";

#define KIND(name) &rg_label_##name,
static const rg_label_kind *const kinds[] = {RG_LABEL_KINDS(KIND)};
#undef KIND
enum {
    N_KINDS = sizeof kinds / sizeof *kinds,
    N_ARGUMENTS = sizeof kinds[0]->arguments / sizeof *kinds[0]->arguments
};

const rg_label_kind *rg_label_kind_at(size_t k)
{
    return k < N_KINDS ? kinds[k] : NULL;
}

typedef struct parser {
    const char *text;
    size_t at;
    unsigned depth;
    bool stored; /* no files are opened */
    rg_error *err;
} parser;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(parser *p)
{
    while (is_blank(p->text[p->at]))
        p->at++;
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t word_length(const parser *p)
{
    size_t n = 0;
    while (in_word(p->text[p->at + n]))
        n++;
    return n;
}

/* Bytes of what stands here, for a message: a word, with a sign or point in it, or one letter of
 * any script. */
static size_t shown_length(const parser *p)
{
    enum { SHOWN = 40 };
    const char *text = p->text + p->at;
    size_t n = *text == '-' || *text == '+';
    while (n < SHOWN && (in_word(text[n]) || (n && text[n] == '.')))
        n++;
    if (n == 0)
        n = 1;
    while (n < SHOWN && ((unsigned char)text[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* "labels: column 4: found 'dept', expected WHAT" */
static rg_status complain(const parser *p, const char *what)
{
    if (!p->text[p->at])
        return rg_fail(p->err, RG_EUSAGE, "labels: column %zu: found the end, expected %s",
                       p->at + 1, what);
    return rg_fail(p->err, RG_EUSAGE, "labels: column %zu: found '%.*s', expected %s", p->at + 1,
                   (int)shown_length(p), p->text + p->at, what);
}

/* The same with "(did you mean 'depth'?)" if one of n known words is near. */
static rg_status complain_near(const parser *p, const char *what, const char *const *known,
                               size_t n)
{
    char word[64], whole[400];
    size_t length = word_length(p);
    if (length >= sizeof word)
        return complain(p, what);
    memcpy(word, p->text + p->at, length);
    word[length] = '\0';
    const char *near = rg_suggest(word, known, n);
    if (!near)
        return complain(p, what);
    snprintf(whole, sizeof whole, "%s (did you mean '%s'?)", what, near);
    return complain(p, whole);
}

/* Is this word, and no longer one, what stands here? */
static bool stands(const parser *p, const char *word)
{
    size_t n = word_length(p);
    return strlen(word) == n && memcmp(word, p->text + p->at, n) == 0;
}

static bool take(parser *p, char c)
{
    skip_blanks(p);
    if (p->text[p->at] != c)
        return false;
    p->at++;
    skip_blanks(p);
    return true;
}

static rg_status parse_number(parser *p, uint32_t low, uint32_t high, uint32_t *out)
{
    char what[64];
    snprintf(what, sizeof what, "a number %u..%u", low, high);
    uint64_t value = 0;
    size_t n = word_length(p);
    for (size_t k = 0; k < n; k++) {
        char c = p->text[p->at + k];
        if (c < '0' || c > '9' || value > high)
            return complain(p, what);
        value = value * 10 + (uint64_t)(c - '0');
    }
    if (n == 0 || value < low || value > high)
        return complain(p, what);
    p->at += n;
    *out = (uint32_t)value;
    return RG_OK;
}

static rg_status parse_choice(parser *p, const char *const words[2], bool *out)
{
    for (int k = 0; k < 2; k++)
        if (stands(p, words[k])) {
            p->at += strlen(words[k]);
            *out = k == 1;
            return RG_OK;
        }
    char what[64];
    snprintf(what, sizeof what, "%s or %s", words[0], words[1]);
    return complain_near(p, what, words, 2);
}

/* A text in quotes, either kind: *start and *n tell where it lies. */
static rg_status parse_quoted(parser *p, const char *what, const char **start, size_t *n)
{
    char quote = p->text[p->at];
    if (quote != '"' && quote != '\'')
        return complain(p, what);
    *start = p->text + p->at + 1;
    const char *end = strchr(*start, quote);
    if (!end) {
        p->at += strlen(p->text + p->at);
        return complain(p, "a closing quote");
    }
    *n = (size_t)(end - *start);
    p->at += *n + 2;
    return RG_OK;
}

/* A path: in quotes, or everything up to ',' or ')'. Owned. */
static rg_status parse_path(parser *p, char **out)
{
    const char *start = p->text + p->at;
    size_t n, at = p->at;
    if (*start == '"' || *start == '\'') {
        rg_status status = parse_quoted(p, "a path", &start, &n);
        if (status)
            return status;
    } else {
        n = strcspn(start, ",)");
        while (n && is_blank(start[n - 1]))
            n--;
        p->at += n;
    }
    if (n == 0) {
        p->at = at;
        return complain(p, "a path");
    }
    *out = rg_copy_text(start, n);
    return *out ? RG_OK : rg_fail_memory(p->err, "a path in a labeling");
}

static rg_status parse_labeling(parser *p, rg_label_spec **out);

static rg_status add_part(parser *p, rg_label_spec *spec)
{
    rg_label_spec *part = NULL;
    rg_status status = parse_labeling(p, &part);
    if (status)
        return status;
    rg_label_spec **grown = rg_realloc(spec->parts, spec->n_parts + 1, sizeof *grown);
    if (!grown) {
        rg_label_spec_free(part);
        return rg_fail_memory(p->err, "a labeling");
    }
    spec->parts = grown;
    spec->parts[spec->n_parts++] = part;
    return RG_OK;
}

/* Shapes take a number from `low` on, or nothing if low is 0. */
enum { N_SHAPES = 6, PATTERN_FILE = N_SHAPES, PATTERN_GRAPH, PATTERN_SMARTS, N_PATTERNS };
static const char *const pattern_names[] = {"cycle", "star", "path",  "clique", "triangle",
                                            "edge",  "file", "graph", "smarts"};
static const uint32_t shape_low[N_SHAPES] = {3, 1, 2, 2, 0, 0};

/* What follows the name of a pattern. */
static rg_status parse_pattern(parser *p, size_t which, rg_pattern *out)
{
    uint32_t size = 0;
    char *path = NULL;
    const char *text = NULL;
    size_t n = 0, column = 0;
    if (which == PATTERN_FILE && p->stored)
        return complain(p, "a pattern that needs no file");
    if (which < N_SHAPES && shape_low[which] == 0)
        return rg_pattern_shape(out, pattern_names[which], 0, p->err);
    if (!take(p, '('))
        return complain(p, "'('");
    rg_status status;
    if (which == PATTERN_FILE) {
        status = parse_path(p, &path);
    } else if (which == PATTERN_GRAPH) {
        column = p->at + 2;
        status = parse_quoted(p, "edges in quotes, such as \"0 1; 1 2\"", &text, &n);
    } else if (which == PATTERN_SMARTS) {
        column = p->at + 2;
        status = parse_quoted(p, "atoms in quotes, such as \"[N+](=O)[O-]\"", &text, &n);
    } else {
        bool star = strcmp(pattern_names[which], "star") == 0;
        status = parse_number(p, shape_low[which], RG_PATTERN_MAX - star, &size);
    }
    if (!status && !take(p, ')'))
        status = complain(p, "')'");
    if (!status)
        status = which == PATTERN_FILE    ? rg_pattern_read(out, path, p->err)
                 : which == PATTERN_GRAPH ? rg_pattern_parse(out, text, n, column, p->err)
                 : which == PATTERN_SMARTS
                     ? rg_pattern_smarts(out, text, n, column, p->err)
                     : rg_pattern_shape(out, pattern_names[which], size, p->err);
    rg_free(path);
    return status;
}

/* cycle(4), star(3), path(4), clique(4), triangle, edge, file(P), graph("0 1; 1 2"), smarts("C=O") */
static rg_status add_pattern(parser *p, rg_label_spec *spec)
{
    size_t which = 0;
    while (which < N_PATTERNS && !stands(p, pattern_names[which]))
        which++;
    if (which == N_PATTERNS)
        return complain_near(p,
                             "cycle(N), star(N), path(N), clique(N), triangle, edge, file(PATH), "
                             "graph(\"EDGES\"), smarts(\"ATOMS\") or an option",
                             pattern_names, N_PATTERNS);
    rg_pattern *grown = rg_realloc(spec->patterns, spec->n_patterns + 1, sizeof *grown);
    if (!grown)
        return rg_fail_memory(p->err, "a pattern");
    spec->patterns = grown;
    rg_pattern *pattern = &spec->patterns[spec->n_patterns++];
    memset(pattern, 0, sizeof *pattern);
    p->at += strlen(pattern_names[which]);
    return parse_pattern(p, which, pattern);
}

static rg_status parse_argument(parser *p, rg_label_spec *spec, const rg_label_argument *a)
{
    void *field = (char *)spec + a->offset;
    switch (a->type) {
    case RG_ARGUMENT_INT:
        return parse_number(p, a->low, a->high, field);
    case RG_ARGUMENT_FLAG:
        return parse_choice(p, (const char *const[2]){"false", "true"}, field);
    case RG_ARGUMENT_CHOICE:
        return parse_choice(p, a->words, field);
    case RG_ARGUMENT_LABELING:
        return add_part(p, spec);
    case RG_ARGUMENT_PATTERN:
        return add_pattern(p, spec);
    case RG_ARGUMENT_PATH:
        return parse_path(p, &spec->path);
    case RG_ARGUMENT_END:
        break;
    }
    return complain(p, "an argument");
}

/* What this labeling takes, for the message: "depth, from, edges, max or unseen". */
static rg_status complain_option(const parser *p, const rg_label_kind *kind)
{
    const char *known[N_ARGUMENTS];
    size_t n = 0;
    for (const rg_label_argument *a = kind->arguments; a->type; a++)
        if (a->name)
            known[n++] = a->name;
    if (n == 0)
        return complain(p, "')'");
    for (size_t k = 0; k < n; k++)
        if (stands(p, known[k])) {
            parser after = *p;
            after.at += strlen(known[k]);
            skip_blanks(&after);
            return complain(&after, "'='");
        }
    char what[256] = "";
    rg_words_list(what, sizeof what, known, n, " or ", "");
    return complain_near(p, what, known, n);
}

/* The argument that stands here: by name if "name =" follows, else the one without a name. */
static const rg_label_argument *which_argument(parser *p, const rg_label_kind *kind)
{
    size_t n = word_length(p), after = p->at + n;
    while (is_blank(p->text[after]))
        after++;
    bool named = n && p->text[after] == '=';
    for (const rg_label_argument *a = kind->arguments; a->type; a++) {
        if (named != (a->name != NULL) || (named && !stands(p, a->name)))
            continue;
        if (named) {
            p->at = after + 1;
            skip_blanks(p);
        }
        return a;
    }
    return NULL;
}

/* Was this argument given, by name or by place? Both fill the same field. */
static bool was_given(const bool *given, const rg_label_kind *kind, const rg_label_argument *a)
{
    for (size_t k = 0; k < N_ARGUMENTS; k++)
        if (given[k] && kind->arguments[k].type == a->type &&
            kind->arguments[k].offset == a->offset)
            return true;
    return false;
}

static rg_status parse_arguments(parser *p, rg_label_spec *spec)
{
    bool given[N_ARGUMENTS] = {false};
    if (!take(p, '(') || take(p, ')'))
        return RG_OK;
    do {
        size_t start = p->at;
        const rg_label_argument *a = which_argument(p, spec->kind);
        if (!a)
            return complain_option(p, spec->kind);
        if (p->text[p->at] == ')' && p->at == start)
            return complain(p, "another argument");
        bool again =
            a->type == RG_ARGUMENT_PATTERN || (a->type == RG_ARGUMENT_LABELING && !a->name);
        if (was_given(given, spec->kind, a) && !again) {
            p->at = start;
            return complain(p, "each argument once");
        }
        given[a - spec->kind->arguments] = true;
        rg_status status = parse_argument(p, spec, a);
        if (status)
            return status;
    } while (take(p, ','));
    return take(p, ')') ? RG_OK : complain(p, "',' or ')'");
}

static void set_defaults(rg_label_spec *spec)
{
    for (const rg_label_argument *a = spec->kind->arguments; a->type; a++) {
        void *field = (char *)spec + a->offset;
        if (a->type == RG_ARGUMENT_INT)
            *(uint32_t *)field = a->usual;
        else if (a->type == RG_ARGUMENT_FLAG || a->type == RG_ARGUMENT_CHOICE)
            *(bool *)field = a->usual;
    }
}

/* What only the whole labeling can tell: what is missing, and what does not go together. */
static rg_status check_whole(parser *p, rg_label_spec *spec, size_t start)
{
    p->at = start;
    for (const rg_label_argument *a = spec->kind->arguments; a->type; a++) {
        size_t n = a->type == RG_ARGUMENT_PATTERN    ? spec->n_patterns
                   : a->type == RG_ARGUMENT_LABELING ? spec->n_parts
                                                     : spec->path != NULL;
        if (a->missing && n < a->low)
            return complain(p, a->missing);
        if (a->labeling && n == 0) {
            if (p->depth == DEEPEST) /* the normal form names it and must parse */
                return complain(p, too_deep);
            parser from = {a->labeling, 0, p->depth, p->stored, p->err};
            rg_status status = add_part(&from, spec);
            if (status)
                return status;
        }
    }
    return spec->kind->check ? spec->kind->check(spec, start + 1, p->err) : RG_OK;
}

/* The names of all labelings, or of those that count; how many there are. */
static size_t list_kinds(const char *names[N_KINDS], bool counted)
{
    size_t n = 0;
    for (size_t k = 0; k < N_KINDS; k++)
        if (!counted || kinds[k]->counted)
            names[n++] = kinds[k]->name;
    return n;
}

void rg_label_spec_counted(char *out, size_t size, const char *behind)
{
    const char *names[N_KINDS];
    rg_words_list(out, size, names, list_kinds(names, true), " or ", behind);
}

static rg_status parse_labeling(parser *p, rg_label_spec **out)
{
    const char *names[N_KINDS];
    char what[256] = "";
    skip_blanks(p);
    size_t kind = 0, start = p->at;
    while (kind < N_KINDS && !stands(p, kinds[kind]->name))
        kind++;
    if (kind == N_KINDS) {
        rg_words_list(what, sizeof what, names, list_kinds(names, false), " or ", "");
        return complain_near(p, what, names, N_KINDS);
    }
    if (++p->depth > DEEPEST)
        return complain(p, too_deep);
    rg_label_spec *spec = rg_alloc_zero(1, kinds[kind]->size);
    if (!spec)
        return rg_fail_memory(p->err, "a labeling");
    spec->kind = kinds[kind];
    set_defaults(spec);
    p->at += strlen(spec->kind->name);
    rg_status status = parse_arguments(p, spec);
    size_t end = p->at;
    if (!status)
        status = check_whole(p, spec, start);
    p->at = end;
    p->depth--;
    if (status) {
        rg_label_spec_free(spec);
        return status;
    }
    *out = spec;
    return RG_OK;
}

static rg_status parse_whole(rg_label_spec **out, const char *text, bool stored, rg_error *err)
{
    parser p = {text, 0, 0, stored, err};
    rg_label_spec *spec = NULL;
    rg_status status = parse_labeling(&p, &spec);
    if (status)
        return status;
    skip_blanks(&p);
    if (p.text[p.at]) {
        rg_label_spec_free(spec);
        return complain(&p, "the end");
    }
    *out = spec;
    return RG_OK;
}

rg_status rg_label_spec_parse(rg_label_spec **out, const char *text, rg_error *err)
{
    return parse_whole(out, text, false, err);
}

rg_status rg_label_spec_restore(rg_label_spec **out, const char *text, rg_error *err)
{
    return parse_whole(out, text, true, err);
}
