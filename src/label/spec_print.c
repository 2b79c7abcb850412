/* spec_print.c - specs in normal form, and the end of them. */
#include "base/alloc.h"
#include "count/pattern.h"
#include "kind.h"
#include "text/text.h"

#include <string.h>

void rg_label_spec_free(rg_label_spec *spec)
{
    if (!spec)
        return;
    for (size_t k = 0; k < spec->n_patterns; k++)
        rg_pattern_free(&spec->patterns[k]);
    for (size_t k = 0; k < spec->n_parts; k++)
        rg_label_spec_free(spec->parts[k]);
    rg_free(spec->patterns);
    rg_free(spec->parts);
    rg_free(spec->path);
    rg_free(spec);
}

/* In the quotes that are not in it; a path with both kinds stood without any, and can again. */
static void print_path(rg_text *out, const char *path)
{
    const char *quote = !strchr(path, '"') ? "\"" : !strchr(path, '\'') ? "'" : "";
    rg_text_add(out, "%s%s%s", quote, path, quote);
}

static void print_spec(rg_text *out, const rg_label_spec *spec, bool bounded);

/* An argument in normal form; one with a name and one by place fill the same field, so numbers by
 * place are left out. */
static void print_argument(rg_text *out, const rg_label_spec *spec, const rg_label_argument *a,
                           const char *comma)
{
    static const char *const flags[2] = {"false", "true"};
    const void *field = (const char *)spec + a->offset;
    size_t n = a->type == RG_ARGUMENT_PATTERN    ? spec->n_patterns
               : a->type == RG_ARGUMENT_LABELING ? spec->n_parts
                                                 : a->name || a->type == RG_ARGUMENT_PATH;
    for (size_t k = 0; k < n; k++, comma = ", ") {
        rg_text_add(out, "%s%s%s", comma, a->name ? a->name : "", a->name ? "=" : "");
        if (a->type == RG_ARGUMENT_INT)
            rg_text_add(out, "%u", *(const uint32_t *)field);
        else if (a->type == RG_ARGUMENT_LABELING)
            print_spec(out, spec->parts[k], true);
        else if (a->type == RG_ARGUMENT_PATTERN)
            rg_text_add(out, "%s", spec->patterns[k].text);
        else if (a->type == RG_ARGUMENT_PATH)
            print_path(out, spec->path);
        else
            rg_text_add(out, "%s",
                        (a->type == RG_ARGUMENT_FLAG ? flags : a->words)[*(const bool *)field]);
    }
}

/* The bound on labels comes last, and only if there is one. */
static void print_spec(rg_text *out, const rg_label_spec *spec, bool bounded)
{
    const rg_label_argument *bound = NULL;
    rg_text_add(out, "%s(", spec->kind->name);
    size_t start = out->n;
    for (const rg_label_argument *a = spec->kind->arguments; a->type; a++)
        if (a->offset == offsetof(rg_label_spec, max_labels))
            bound = a;
        else
            print_argument(out, spec, a, out->n == start ? "" : ", ");
    if (bound && bounded && spec->max_labels)
        print_argument(out, spec, bound, out->n == start ? "" : ", ");
    if (out->n == start)
        rg_text_cut(out, 1);
    else
        rg_text_add(out, ")");
}

/* The default of an argument, and what else a word may be; N where a number has none. */
static void print_usual(rg_text *out, const rg_label_argument *a)
{
    switch (a->type) {
    case RG_ARGUMENT_INT:
        if (a->usual < a->low)
            rg_text_add(out, "=N");
        else
            rg_text_add(out, "=%u", a->usual);
        break;
    case RG_ARGUMENT_FLAG:
        rg_text_add(out, "=%s", a->usual ? "true" : "false");
        break;
    case RG_ARGUMENT_CHOICE:
        rg_text_add(out, "=%s|%s", a->words[a->usual], a->words[!a->usual]);
        break;
    case RG_ARGUMENT_LABELING:
        if (a->name)
            rg_text_add(out, "=%s", a->labeling);
        else
            rg_text_add(out, "LABELING, ...");
        break;
    case RG_ARGUMENT_PATTERN:
        rg_text_add(out, "PATTERN, ...");
        break;
    case RG_ARGUMENT_PATH:
        rg_text_add(out, "PATH");
        break;
    case RG_ARGUMENT_END:
        break;
    }
}

bool rg_label_spec_usage(rg_text *out, size_t k)
{
    const rg_label_kind *kind = rg_label_kind_at(k);
    if (!kind)
        return false;
    const char *comma = "(";
    rg_text_add(out, "%s", kind->name);
    for (const rg_label_argument *a = kind->arguments; a->type; a++) {
        if (a->type == RG_ARGUMENT_INT && !a->name) /* the next one has its name */
            continue;
        rg_text_add(out, "%s%s", comma, a->name ? a->name : "");
        print_usual(out, a);
        comma = ", ";
    }
    rg_text_add(out, "%s", *comma == ',' ? ")" : "");
    return true;
}

char *rg_label_spec_print(const rg_label_spec *spec)
{
    rg_text out = {0};
    print_spec(&out, spec, true);
    return rg_text_take(&out);
}

char *rg_label_spec_print_unbounded(const rg_label_spec *spec)
{
    rg_text out = {0};
    print_spec(&out, spec, false);
    return rg_text_take(&out);
}

size_t rg_label_spec_dims(const rg_label_spec *spec)
{
    return spec->kind->dims ? spec->kind->dims(spec) : 1;
}
