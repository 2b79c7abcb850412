/* describe.c - what a label means, in words.
 *
 * Keys hold numbers of the level or the part below, so words are found by going down until a
 * labeling says something of its own. Text that does not fit ends with "..."; nothing is written
 * past that, so the work is bounded by the size of the text, however deep the labeling is. */
#include "base/error.h"
#include "kind.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rg_label_say(rg_label_words *out, const char *format, ...)
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

static void say_parts(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    for (size_t p = 0; p < labeling->spec->n_parts && !out->full; p++) {
        rg_label_say(out, "%s", p ? " and " : "");
        rg_label_say_label(out, labeling->parts[p], (uint32_t)rg_words_to_int(key + 2 * p));
    }
}

/* The node's own first label, found by going down its own numbers. */
static void say_root(rg_label_words *out, const rg_labeling *labeling, size_t level,
                     uint32_t number)
{
    size_t n;
    for (; level > 0; level--)
        number = *rg_vocabulary_key(labeling->levels[level], number, &n);
    rg_label_say_label(out, labeling->parts[0],
                       *rg_vocabulary_key(labeling->levels[0], number, &n));
}

/* "degree 1, degree 2 x2", each with its own neighbours in brackets while there are levels. */
static void say_neighbours(rg_label_words *out, const rg_labeling *labeling, size_t level,
                           uint32_t number)
{
    size_t n, stride = labeling->spec->edges ? RG_WL_EDGE_WORDS : 1, same;
    const uint32_t *key = rg_vocabulary_key(labeling->levels[level], number, &n);
    for (size_t k = 1; k < n && !out->full; k += same * stride) {
        const uint32_t *item = key + k;
        uint32_t neighbour = item[stride - 1];
        for (same = 1; k + same * stride < n; same++)
            if (memcmp(item, item + same * stride, stride * sizeof *item) != 0)
                break;
        rg_label_say(out, "%s", k > 1 ? ", " : "");
        say_root(out, labeling, level - 1, neighbour);
        if (labeling->spec->edges)
            rg_label_say(out, " by edge label %" PRId64, rg_words_to_int(item));
        if (level > 1) {
            rg_label_say(out, " [");
            say_neighbours(out, labeling, level - 1, neighbour);
            rg_label_say(out, "]");
        }
        if (same > 1)
            rg_label_say(out, " x%zu", same);
    }
}

static void say_refined(rg_label_words *out, const rg_labeling *labeling, size_t level,
                        uint32_t number)
{
    size_t n;
    rg_vocabulary_key(labeling->levels[level], number, &n);
    rg_label_say(out, "depth-%zu WL class: ", level);
    say_root(out, labeling, level, number);
    if (level == 0)
        return;
    rg_label_say(out, n > 1 ? "; neighbours: " : "; no neighbours");
    say_neighbours(out, labeling, level, number);
}

/* Which smaller depth a label of unseen=backoff belongs to: labels go from deep to shallow. */
static void say_backoff(rg_label_words *out, const rg_labeling *labeling, uint32_t label)
{
    size_t depth = labeling->n_levels - 1, level = 0;
    while (labeling->backoff_start[level] > label)
        level++;
    rg_label_say(out, "not seen at depth %zu; ", depth);
    say_refined(out, labeling, level, label - labeling->backoff_start[level]);
}

void rg_label_say_label(rg_label_words *out, const rg_labeling *labeling, uint32_t label)
{
    size_t top = labeling->n_levels - 1, n;
    const rg_vocabulary *keys = labeling->levels[top];
    if (label >= labeling->size - 1)
        rg_label_say(out, "unseen: a key that did not occur in the fit");
    else if (label >= labeling->n_kept + labeling->has_other)
        say_backoff(out, labeling, label);
    else if (label >= labeling->n_kept)
        rg_label_say(out, "other: one of %zu rarer keys",
                     rg_vocabulary_size(keys) - labeling->n_kept);
    else if (labeling->spec->kind->describe)
        labeling->spec->kind->describe(out, labeling, rg_vocabulary_key(keys, label, &n));
    else if (labeling->spec->kind->joins)
        say_parts(out, labeling, rg_vocabulary_key(keys, label, &n));
    else
        say_refined(out, labeling, top, label);
}

rg_status rg_labeling_describe(char *text, size_t size, const rg_labeling *labeling, uint32_t label,
                               rg_error *err)
{
    if (label >= labeling->size)
        return rg_fail(err, RG_EUSAGE, "found label %u, expected one below %u", label,
                       labeling->size);
    if (size == 0)
        return RG_OK;
    rg_label_words out = {.text = text, .size = size};
    *text = '\0';
    rg_label_say_label(&out, labeling, label);
    return RG_OK;
}
