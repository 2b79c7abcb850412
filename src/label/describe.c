/* describe.c - what a label means, in words.
 *
 * Keys hold numbers of the level or the part below, so words are found by going down until a
 * labeling says something of its own. Text that does not fit ends with "..."; nothing is written
 * past that, so the work is bounded by the size of the text, however deep the labeling is. */
#include "base/error.h"
#include "base/number.h"
#include "labeling.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct words {
    char *text;
    size_t size, n;
    bool full;
} words;

static void say(words *out, const char *format, ...) RG_PRINTF(2, 3);

static void say(words *out, const char *format, ...)
{
    if (out->full)
        return;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(out->text + out->n, out->size - out->n, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < out->size - out->n) {
        out->n += (size_t)n;
        return;
    }
    out->full = true;
    if (out->size > 3)
        memcpy(out->text + out->size - 4, "...", 4);
}

static void say_label(words *out, const rg_labeling *labeling, uint32_t label);

/* What dimension d of a vector of counts is about: "length 5", "4 nodes", "cycle(4)". */
static void say_dimension(words *out, const rg_label_spec *spec, size_t d)
{
    if (spec->kind == RG_LABEL_CYCLES)
        say(out, "length %zu", d + spec->min);
    else if (spec->kind == RG_LABEL_CLIQUES)
        say(out, "%zu nodes", d + 3);
    else
        say(out, "%s", spec->patterns[d].text);
}

/* "1 cycle of length 5", and after the first one "2 of length 6"; "2 x cycle(4)". */
static void say_count(words *out, const rg_label_spec *spec, size_t d, int64_t count, bool first)
{
    say(out, "%" PRId64, count);
    if (spec->kind == RG_LABEL_PATTERN) {
        say(out, " x ");
    } else {
        if (first && spec->kind == RG_LABEL_CYCLES)
            say(out, "%s cycle", spec->induced ? " induced" : "");
        else if (first)
            say(out, "%s clique", spec->maximal ? " maximal" : "");
        say(out, "%s of ", first && count != 1 ? "s" : "");
    }
    say_dimension(out, spec, d);
}

static void say_counts(words *out, const rg_label_spec *spec, const uint32_t *key)
{
    static const char *const nothing[][2] = {
        [RG_LABEL_CYCLES] = {"on no cycle", "on no cycle that was counted"},
        [RG_LABEL_CLIQUES] = {"in no clique", "in no clique that was counted"},
        [RG_LABEL_PATTERN] = {"in none of the patterns", "in no pattern that was counted"}};
    size_t dims = rg_label_spec_dims(spec), n_present = 0, n_capped = 0;
    for (size_t d = 0; d < dims; d++) {
        int64_t count = rg_words_to_int(key + 2 * d);
        n_capped += count == RG_CAPPED;
        if (count == RG_CAPPED || count == 0)
            continue;
        say(out, "%s", n_present ? ", " : spec->kind == RG_LABEL_CYCLES ? "on " : "in ");
        say_count(out, spec, d, count, n_present == 0);
        n_present++;
    }
    if (n_capped == dims) {
        say(out, "not counted: over the budget");
        return;
    }
    if (n_present == 0)
        say(out, "%s", nothing[spec->kind][n_capped > 0]);
    const char *before = "; not counted, over the budget: ";
    for (size_t d = 0; d < dims; d++)
        if (rg_words_to_int(key + 2 * d) == RG_CAPPED) {
            say(out, "%s", before);
            say_dimension(out, spec, d);
            before = ", ";
        }
}

static void say_bin(words *out, const rg_labeling *labeling, int64_t bin)
{
    char low[RG_NUMBER_MAX] = "", high[RG_NUMBER_MAX] = "";
    uint32_t column = labeling->spec->column;
    if (bin < 0 || (uint64_t)bin > labeling->n_bounds) {
        say(out, "attribute %u has no value", column);
        return;
    }
    if (bin > 0)
        rg_number_print(low, labeling->bounds[bin - 1]);
    if ((size_t)bin < labeling->n_bounds)
        rg_number_print(high, labeling->bounds[bin]);
    say(out, "bin %" PRId64 " of attribute %u: ", bin, column);
    if (!*low && !*high)
        say(out, "any x");
    else
        say(out, "%s%sx%s%s", low, *low ? " <= " : "", *high ? " < " : "", high);
}

/* The words of a key that is no wl's. */
static void say_vector(words *out, const rg_labeling *labeling, const uint32_t *key)
{
    const rg_label_spec *spec = labeling->spec;
    int64_t first = rg_words_to_int(key);
    switch (spec->kind) {
    case RG_LABEL_NODE:
        say(out, "node label %" PRId64, first);
        if (spec->column)
            say(out, " in column %u", spec->column);
        break;
    case RG_LABEL_DEGREE:
        say(out, "degree %" PRId64, first);
        break;
    case RG_LABEL_ATTRIBUTE:
        say_bin(out, labeling, first);
        break;
    case RG_LABEL_FILE:
        say(out, "label %" PRId64 " of the file", first);
        break;
    case RG_LABEL_COMBINE:
        for (size_t p = 0; p < spec->n_parts && !out->full; p++) {
            say(out, "%s", p ? " and " : "");
            say_label(out, labeling->parts[p], (uint32_t)rg_words_to_int(key + 2 * p));
        }
        break;
    case RG_LABEL_CYCLES:
    case RG_LABEL_CLIQUES:
    case RG_LABEL_PATTERN:
        say_counts(out, spec, key);
        break;
    case RG_LABEL_TRIVIAL:
    case RG_LABEL_WL:
        say(out, "any node");
    }
}

/* The node's own first label, found by going down its own numbers. */
static void say_root(words *out, const rg_labeling *labeling, size_t level, uint32_t number)
{
    size_t n;
    for (; level > 0; level--)
        number = *rg_vocabulary_key(labeling->levels[level], number, &n);
    say_label(out, labeling->parts[0], *rg_vocabulary_key(labeling->levels[0], number, &n));
}

/* "degree 1, degree 2 x2", each with its own neighbours in brackets while there are levels. */
static void say_neighbours(words *out, const rg_labeling *labeling, size_t level, uint32_t number)
{
    size_t n, stride = labeling->spec->edges ? RG_WL_EDGE_WORDS : 1, same;
    const uint32_t *key = rg_vocabulary_key(labeling->levels[level], number, &n);
    for (size_t k = 1; k < n && !out->full; k += same * stride) {
        const uint32_t *item = key + k;
        uint32_t neighbour = item[stride - 1];
        for (same = 1; k + same * stride < n; same++)
            if (memcmp(item, item + same * stride, stride * sizeof *item) != 0)
                break;
        say(out, "%s", k > 1 ? ", " : "");
        say_root(out, labeling, level - 1, neighbour);
        if (labeling->spec->edges)
            say(out, " by edge label %" PRId64, rg_words_to_int(item));
        if (level > 1) {
            say(out, " [");
            say_neighbours(out, labeling, level - 1, neighbour);
            say(out, "]");
        }
        if (same > 1)
            say(out, " x%zu", same);
    }
}

static void say_refined(words *out, const rg_labeling *labeling, size_t level, uint32_t number)
{
    size_t n;
    rg_vocabulary_key(labeling->levels[level], number, &n);
    say(out, "depth-%zu WL class: ", level);
    say_root(out, labeling, level, number);
    if (level == 0)
        return;
    say(out, n > 1 ? "; neighbours: " : "; no neighbours");
    say_neighbours(out, labeling, level, number);
}

/* Which smaller depth a label of unseen=backoff belongs to: labels go from deep to shallow. */
static void say_backoff(words *out, const rg_labeling *labeling, uint32_t label)
{
    size_t depth = labeling->n_levels - 1, level = 0;
    while (labeling->backoff_start[level] > label)
        level++;
    say(out, "not seen at depth %zu; ", depth);
    say_refined(out, labeling, level, label - labeling->backoff_start[level]);
}

static void say_label(words *out, const rg_labeling *labeling, uint32_t label)
{
    size_t top = labeling->n_levels - 1, n;
    const rg_vocabulary *keys = labeling->levels[top];
    if (label >= labeling->size - 1)
        say(out, "unseen: a key that did not occur in the fit");
    else if (label >= labeling->n_kept + labeling->has_other)
        say_backoff(out, labeling, label);
    else if (label >= labeling->n_kept)
        say(out, "other: one of %zu rarer keys", rg_vocabulary_size(keys) - labeling->n_kept);
    else if (labeling->spec->kind == RG_LABEL_WL)
        say_refined(out, labeling, top, label);
    else
        say_vector(out, labeling, rg_vocabulary_key(keys, label, &n));
}

rg_status rg_labeling_describe(char *text, size_t size, const rg_labeling *labeling, uint32_t label,
                               rg_error *err)
{
    if (label >= labeling->size)
        return rg_fail(err, RG_EUSAGE, "found label %u, expected one below %u", label,
                       labeling->size);
    if (size == 0)
        return RG_OK;
    words out = {.text = text, .size = size};
    *text = '\0';
    say_label(&out, labeling, label);
    return RG_OK;
}
