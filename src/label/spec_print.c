/* spec_print.c - specs in normal form, and the end of them. */
#include "base/alloc.h"
#include "spec.h"
#include "text/text.h"

#include <string.h>

void rg_label_spec_free(rg_label_spec *spec)
{
    if (!spec)
        return;
    for (size_t k = 0; k < spec->n_patterns; k++)
        rg_free(spec->patterns[k].text);
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

static void print_spec(rg_text *out, const rg_label_spec *spec)
{
    const char *bound =
        spec->kind == RG_LABEL_NODE || spec->kind == RG_LABEL_DEGREE || spec->kind == RG_LABEL_WL
            ? "max"
            : "max_labels";
    rg_text_add(out, "%s(", rg_label_spec_name(spec->kind));
    size_t start = out->n;
    switch (spec->kind) {
    case RG_LABEL_NODE:
        rg_text_add(out, "column=%u", spec->column);
        break;
    case RG_LABEL_ATTRIBUTE:
        rg_text_add(out, "column=%u, bins=%u", spec->column, spec->bins);
        break;
    case RG_LABEL_WL:
        rg_text_add(out, "depth=%u, from=", spec->depth);
        print_spec(out, spec->parts[0]);
        rg_text_add(out, ", edges=%s, unseen=%s", spec->edges ? "true" : "false",
                    spec->backoff ? "backoff" : "label");
        break;
    case RG_LABEL_CYCLES:
        rg_text_add(out, "kind=%s, min=%u, max=%u", spec->induced ? "induced" : "simple", spec->min,
                    spec->max);
        break;
    case RG_LABEL_CLIQUES:
        rg_text_add(out, "max=%u, maximal=%s", spec->max, spec->maximal ? "true" : "false");
        break;
    case RG_LABEL_PATTERN:
        for (size_t k = 0; k < spec->n_patterns; k++)
            rg_text_add(out, "%s, ", spec->patterns[k].text);
        rg_text_add(out, "induced=%s", spec->induced ? "true" : "false");
        break;
    case RG_LABEL_COMBINE:
        for (size_t k = 0; k < spec->n_parts; k++) {
            rg_text_add(out, k ? ", " : "");
            print_spec(out, spec->parts[k]);
        }
        break;
    case RG_LABEL_FILE:
        print_path(out, spec->path);
        break;
    case RG_LABEL_DEGREE:
    case RG_LABEL_TRIVIAL:
        break;
    }
    if (spec->max_labels)
        rg_text_add(out, "%s%s=%u", out->n == start ? "" : ", ", bound, spec->max_labels);
    if (out->n == start)
        rg_text_cut(out, 1);
    else
        rg_text_add(out, ")");
}

char *rg_label_spec_print(const rg_label_spec *spec)
{
    rg_text out = {0};
    print_spec(&out, spec);
    return rg_text_take(&out);
}

size_t rg_label_spec_dims(const rg_label_spec *spec)
{
    switch (spec->kind) {
    case RG_LABEL_CYCLES:
        return spec->max - spec->min + 1;
    case RG_LABEL_CLIQUES:
        return spec->max - 2;
    case RG_LABEL_PATTERN:
        return spec->n_patterns;
    case RG_LABEL_COMBINE:
        return spec->n_parts;
    default:
        return 1;
    }
}
