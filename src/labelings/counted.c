/* counted.c - counts of structures in words, for every labeling that counts. */
#include "base/error.h"
#include "label/kind.h"

#include <inttypes.h>

rg_status rg_label_check_range(uint32_t min, uint32_t max, size_t column, rg_error *err)
{
    if (min <= max)
        return RG_OK;
    return rg_fail(err, RG_EUSAGE,
                   "labels: column %zu: found min=%u above max=%u, expected it below", column, min,
                   max);
}

/* What dimension d of a vector of counts is about: "length 5", "4 nodes", "cycle(4)". */
static void say_dimension(rg_label_words *out, const rg_label_spec *spec, size_t d)
{
    const rg_label_counted *c = spec->kind->counted;
    if (c->text)
        rg_label_say(out, "%s", c->text(spec, d));
    else
        rg_label_say(out, "%s%u%s", c->before_size, c->size(spec, d), c->after_size);
}

/* "1 cycle of length 5", and after the first one "2 of length 6"; "2 x cycle(4)". */
static void say_count(rg_label_words *out, const rg_label_spec *spec, size_t d, int64_t count,
                      bool first)
{
    const rg_label_counted *c = spec->kind->counted;
    rg_label_say(out, "%" PRId64 "%s", count, c->text ? " x " : "");
    if (!c->text && first)
        rg_label_say(out, " %s%s%s", c->qualified(spec) ? c->qualifier : "", c->noun,
                     count != 1 ? "s" : "");
    rg_label_say(out, "%s", c->text ? "" : " of ");
    say_dimension(out, spec, d);
    if (c->words)
        c->words(out, spec, d);
}

void rg_counted_describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    const rg_label_spec *spec = labeling->spec;
    const rg_label_counted *c = spec->kind->counted;
    size_t dims = rg_label_spec_dims(spec), n_present = 0, n_capped = 0;
    for (size_t d = 0; d < dims; d++) {
        int64_t count = rg_words_to_int(key + 2 * d);
        n_capped += count == RG_CAPPED;
        if (count == RG_CAPPED || count == 0)
            continue;
        rg_label_say(out, "%s%s", n_present ? "," : c->place, " ");
        say_count(out, spec, d, count, n_present == 0);
        n_present++;
    }
    if (n_capped == dims) {
        rg_label_say(out, "not counted: over the budget");
        return;
    }
    if (n_present == 0 && n_capped == 0 && c->text)
        rg_label_say(out, "%s none of the %ss", c->place, c->noun);
    else if (n_present == 0)
        rg_label_say(out, "%s no %s%s", c->place, c->noun, n_capped ? " that was counted" : "");
    const char *before = "; not counted, over the budget: ";
    for (size_t d = 0; d < dims; d++)
        if (rg_words_to_int(key + 2 * d) == RG_CAPPED) {
            rg_label_say(out, "%s", before);
            say_dimension(out, spec, d);
            before = ", ";
        }
}

/* "a ring of 6", "2 chordless rings of 5", and after the first one "3 of 6"; "2 x cycle(4)". */
static void phrase_count(rg_label_words *out, const rg_label_spec *spec, size_t d, int64_t count,
                         bool first)
{
    const rg_label_counted *c = spec->kind->counted;
    if (c->text) {
        rg_label_say(out, "%" PRId64 " x %s", count, c->text(spec, d));
        return;
    }
    if (count > 1 || !first)
        rg_label_say(out, "%" PRId64 " ", count);
    else
        rg_label_say(out, "a ");
    if (first)
        rg_label_say(out, "%s%s%s ", c->qualified(spec) ? c->plain_qualifier : "", c->plain,
                     count > 1 ? "s" : "");
    rg_label_say(out, "of %u", c->size(spec, d));
}

void rg_counted_phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                       bool brief)
{
    const rg_label_spec *spec = labeling->spec;
    const rg_label_counted *c = spec->kind->counted;
    size_t dims = rg_label_spec_dims(spec), n = 0, present = 0, capped = 0;
    for (size_t d = 0; d < dims; d++) {
        int64_t count = rg_words_to_int(key + 2 * d);
        capped += count == RG_CAPPED;
        n += count != RG_CAPPED && count != 0;
    }
    if (!n && !capped && brief)
        return;
    for (size_t d = 0; d < dims; d++) {
        int64_t count = rg_words_to_int(key + 2 * d);
        if (count == RG_CAPPED || count == 0)
            continue;
        rg_label_say(out, "%s ", !present ? c->place : present + 1 == n ? " and" : ",");
        phrase_count(out, spec, d, count, present++ == 0);
    }
    if (!present)
        rg_label_say(out, "%s no %s", c->place, c->plain);
    if (!present && c->says_most)
        rg_label_say(out, " of up to %u", c->size(spec, dims - 1));
    for (size_t d = 0; !present && c->text && d < dims; d++)
        rg_label_say(out, "%s%s", d ? ", " : " of ", c->text(spec, d));
    if (capped)
        rg_label_say(out, " (%zu of %zu counts were over the budget)", capped, dims);
}
