/* phrase.c - a node as a noun: "a carbon with neighbours C, C, N", "a node on 2 rings of 6".
 *
 * Labels are vocabularies of keys (label/labeling.h), so words are found by going down until a
 * labeling says something of its own, as label/describe.c does. Here names of atoms are used, and a
 * tree that would be long is cut at a smaller depth; then the number of the class stands beside it,
 * so that two labels never have the same words. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/number.h"
#include "label/labeling.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONG = 72 }; /* letters of a tree of neighbours that is not cut */

void rg_phrase_add(rg_phrase *p, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* "of degree 3 with neighbours ...", but "..., with a, with b" */
    bool goes_on = !p->n_details || (strncmp(text, "with ", 5) == 0 && p->n_details == 1);
    rg_text_add(&p->details, "%s%s", goes_on ? " " : ", ", text);
    p->n_details++;
}

/* ---- atoms */

static const char *element(const char *symbol)
{
    static const char *const known[][2] = {
        {"H", "hydrogen"},   {"Li", "lithium"},   {"B", "boron"},      {"C", "carbon"},
        {"N", "nitrogen"},   {"O", "oxygen"},     {"F", "fluorine"},   {"Na", "sodium"},
        {"Mg", "magnesium"}, {"Al", "aluminium"}, {"Si", "silicon"},   {"P", "phosphorus"},
        {"S", "sulfur"},     {"Cl", "chlorine"},  {"K", "potassium"},  {"Ca", "calcium"},
        {"Mn", "manganese"}, {"Fe", "iron"},      {"Co", "cobalt"},    {"Ni", "nickel"},
        {"Cu", "copper"},    {"Zn", "zinc"},      {"As", "arsenic"},   {"Se", "selenium"},
        {"Br", "bromine"},   {"Sn", "tin"},       {"I", "iodine"},     {"Pt", "platinum"},
        {"Hg", "mercury"},   {"Pb", "lead"},      {"Ag", "silver"},    {"Au", "gold"},
        {"Ti", "titanium"},  {"Cr", "chromium"},  {"Pd", "palladium"}, {"Bi", "bismuth"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(symbol, known[k][0]) == 0)
            return known[k][1];
    return NULL;
}

void rg_phrase_node_label(rg_phrase *p, uint32_t column, int64_t value)
{
    const char *name = column == 0 ? rg_names_find(p->names, RG_NAME_NODE, value) : NULL;
    const char *word = name && !p->brief ? element(name) : NULL;
    if (name && p->brief)
        rg_text_add(&p->noun, "%s%s", p->noun.n ? " " : "", name);
    else if (name && !p->noun.n)
        rg_text_add(&p->noun,
                    word                    ? "%s"
                    : rg_name_is_atom(name) ? "%s atom"
                                            : "%s",
                    word ? word : name);
    else if (name)
        rg_phrase_add(p, "which is %s", word ? word : name);
    else if (column)
        rg_phrase_add(p, "labelled %" PRId64 " in column %u", value, column);
    else
        rg_phrase_add(p, "labelled %" PRId64, value);
}

/* ---- counts */

/* "ring of 6", "clique of 4", "cycle(4)"; several: "rings of 6". */
static void say_shape(rg_text *out, const rg_label_spec *spec, size_t d, bool several, bool first)
{
    const char *s = several ? "s" : "";
    if (spec->kind == RG_LABEL_PATTERN)
        rg_text_add(out, "%s", spec->patterns[d].text);
    else if (!first)
        rg_text_add(out, "of %zu", d + (spec->kind == RG_LABEL_CYCLES ? spec->min : 3));
    else if (spec->kind == RG_LABEL_CYCLES)
        rg_text_add(out, "%sring%s of %zu", spec->induced ? "chordless " : "", s, d + spec->min);
    else
        rg_text_add(out, "%sclique%s of %zu", spec->maximal ? "maximal " : "", s, d + 3);
}

static void say_counts(rg_phrase *p, const rg_label_spec *spec, const uint32_t *key)
{
    size_t dims = rg_label_spec_dims(spec), n = 0, present = 0, capped = 0;
    rg_text text = {0};
    for (size_t d = 0; d < dims; d++) {
        int64_t count = rg_words_to_int(key + 2 * d);
        capped += count == RG_CAPPED;
        n += count != RG_CAPPED && count != 0;
    }
    if (!n && !capped && p->brief)
        return;
    for (size_t d = 0; d < dims; d++) {
        int64_t count = rg_words_to_int(key + 2 * d);
        if (count == RG_CAPPED || count == 0)
            continue;
        const char *before = spec->kind == RG_LABEL_CYCLES ? "on " : "in ";
        rg_text_add(&text, "%s", !present ? before : present + 1 == n ? " and " : ", ");
        if (spec->kind == RG_LABEL_PATTERN)
            rg_text_add(&text, "%" PRId64 " x ", count);
        else if (count > 1 || present)
            rg_text_add(&text, "%" PRId64 " ", count);
        else
            rg_text_add(&text, "a ");
        say_shape(&text, spec, d, count > 1, present++ == 0);
    }
    if (!present && spec->kind == RG_LABEL_CYCLES)
        rg_text_add(&text, "on no ring of up to %zu", dims + spec->min - 1);
    else if (!present)
        rg_text_add(&text, "in no %s", spec->kind == RG_LABEL_CLIQUES ? "clique" : "pattern");
    for (size_t d = 0; !present && spec->kind == RG_LABEL_PATTERN && d < dims; d++)
        rg_text_add(&text, "%s%s", d ? ", " : " of ", spec->patterns[d].text);
    if (capped)
        rg_text_add(&text, " (%zu of %zu counts were over the budget)", capped, dims);
    rg_phrase_add(p, "%s", text.failed ? "..." : text.data);
    p->details.failed |= text.failed;
    rg_text_drop(&text);
}

static void say_bin(rg_phrase *p, const rg_labeling *labeling, int64_t bin)
{
    char low[RG_NUMBER_MAX] = "", high[RG_NUMBER_MAX] = "";
    if (bin < 0 || (uint64_t)bin > labeling->n_bounds) {
        rg_phrase_add(p, "without a value of attribute %u", labeling->spec->column);
        return;
    }
    if (bin > 0)
        rg_number_print(low, labeling->bounds[bin - 1]);
    if ((size_t)bin < labeling->n_bounds)
        rg_number_print(high, labeling->bounds[bin]);
    if (!*low && !*high)
        rg_phrase_add(p, "with any attribute %u", labeling->spec->column);
    else
        rg_phrase_add(p, "with %s%sattribute %u%s%s", low, *low ? " <= " : "",
                      labeling->spec->column, *high ? " < " : "", high);
}

/* ---- trees of neighbours */

static void say(rg_phrase *p, const rg_labeling *labeling, uint32_t label, size_t depth, bool *cut);

/* The node's own first label, found by going down its own numbers. */
static uint32_t root_of(const rg_labeling *labeling, size_t level, uint32_t number)
{
    size_t n;
    for (; level > 0; level--)
        number = *rg_vocabulary_key(labeling->levels[level], number, &n);
    return *rg_vocabulary_key(labeling->levels[0], number, &n);
}

/* A first label in few letters: "C", "3" for a label without a name or a degree. */
static void say_short(rg_text *out, const rg_names *names, const rg_labeling *base, uint32_t label)
{
    size_t n;
    bool plain = label < base->n_kept && base->n_levels == 1;
    if (plain && (base->spec->kind == RG_LABEL_NODE || base->spec->kind == RG_LABEL_DEGREE)) {
        int64_t value = rg_words_to_int(rg_vocabulary_key(base->levels[0], label, &n));
        const char *name = base->spec->kind == RG_LABEL_NODE && !base->spec->column
                               ? rg_names_find(names, RG_NAME_NODE, value)
                               : NULL;
        if (name)
            rg_text_add(out, "%s", name);
        else
            rg_text_add(out, "%" PRId64, value);
        return;
    }
    rg_phrase inner = {.names = names, .brief = true};
    bool cut = false;
    say(&inner, base, label, 0, &cut);
    rg_phrase_end(out, &inner);
}

/* One neighbour without those of its own: "C", "C by double". */
static void say_neighbour(rg_text *out, const rg_names *names, const rg_labeling *labeling,
                          size_t level, const uint32_t *item)
{
    char edge[RG_NAME_MAX];
    size_t last = labeling->spec->edges ? RG_WL_EDGE_WORDS - 1 : 0;
    say_short(out, names, labeling->parts[0], root_of(labeling, level - 1, item[last]));
    if (labeling->spec->edges)
        rg_text_add(out, " by %s", rg_names_text(edge, names, RG_NAME_EDGE, rg_words_to_int(item)));
}

/* "C, C, N", "C [N, O] (twice)": the neighbours of a key, each with its own while there are levels.
 */
static void say_neighbours(rg_text *out, const rg_names *names, const rg_labeling *labeling,
                           size_t level, uint32_t number, size_t depth)
{
    size_t n, stride = labeling->spec->edges ? RG_WL_EDGE_WORDS : 1, same;
    const uint32_t *key = rg_vocabulary_key(labeling->levels[level], number, &n);
    for (size_t k = 1; k < n && out->n < 4 * LONG; k += same * stride) {
        const uint32_t *item = key + k;
        for (same = 1; k + same * stride < n; same++)
            if (memcmp(item, item + same * stride, stride * sizeof *item) != 0)
                break;
        bool deep = depth > 1 && level > 1;
        size_t repeats = !deep && same <= 4 ? same : 1; /* "C, C, N", but "C (5 times)" */
        for (size_t c = 0; c < repeats; c++) {
            rg_text_add(out, "%s", c || k > 1 ? ", " : "");
            say_neighbour(out, names, labeling, level, item);
        }
        if (deep) {
            rg_text_add(out, " [");
            say_neighbours(out, names, labeling, level - 1, item[stride - 1], depth - 1);
            rg_text_add(out, "]");
        }
        if (same > repeats)
            rg_text_add(out, same == 2 ? " (twice)" : " (%zu times)", same);
    }
}

/* What numbers of neighbours are: degrees, labels; names need no word. */
static const char *word_of(const rg_labeling *base, const rg_names *names)
{
    if (base->spec->kind == RG_LABEL_DEGREE)
        return "of degree ";
    bool labels = base->spec->kind == RG_LABEL_NODE && !rg_names_any(names, RG_NAME_NODE);
    return labels ? "labelled " : "";
}

/* "with three carbon neighbours": all equal, and nothing more to say of them. */
static bool say_equal(rg_phrase *p, const rg_labeling *labeling, size_t level, const uint32_t *key,
                      size_t n)
{
    static const char *const numbers[] = {"no",   "one", "two",   "three", "four",
                                          "five", "six", "seven", "eight"};
    const rg_labeling *base = labeling->parts[0];
    size_t ignored;
    if (labeling->spec->edges || base->spec->kind != RG_LABEL_NODE || base->spec->column || n > 9)
        return false;
    uint32_t label = root_of(labeling, level - 1, key[1]);
    for (size_t k = 2; k < n; k++)
        if (root_of(labeling, level - 1, key[k]) != label)
            return false;
    if (label >= base->n_kept)
        return false;
    const char *name =
        rg_names_find(p->names, RG_NAME_NODE,
                      rg_words_to_int(rg_vocabulary_key(base->levels[0], label, &ignored)));
    const char *word = name ? element(name) : NULL;
    if (word)
        rg_phrase_add(p, "with %s %s neighbour%s", numbers[n - 1], word, n == 2 ? "" : "s");
    return word != NULL;
}

/* The neighbours of a class, no deeper than `depth`. */
static void say_tree(rg_phrase *p, const rg_labeling *labeling, size_t level, uint32_t number,
                     size_t depth, bool *cut)
{
    size_t n;
    say(p, labeling->parts[0], root_of(labeling, level, number), depth, cut);
    *cut |= depth < level;
    if (level == 0 || depth == 0)
        return;
    const uint32_t *key = rg_vocabulary_key(labeling->levels[level], number, &n);
    size_t one = labeling->spec->edges ? 1 + RG_WL_EDGE_WORDS : 2;
    if (n == 1) {
        rg_phrase_add(p, "without neighbours");
        return;
    }
    if ((depth == 1 || level == 1) && say_equal(p, labeling, level, key, n))
        return;
    rg_text text = {0};
    say_neighbours(&text, p->names, labeling, level, number, depth);
    rg_phrase_add(p, "with %s %s%s", n == one ? "the neighbour" : "neighbours",
                  word_of(labeling->parts[0], p->names), text.failed ? "..." : text.data);
    p->details.failed |= text.failed;
    rg_text_drop(&text);
}

/* ---- a label */

static void say_key(rg_phrase *p, const rg_labeling *labeling, const uint32_t *key, size_t depth,
                    bool *cut)
{
    const rg_label_spec *spec = labeling->spec;
    switch (spec->kind) {
    case RG_LABEL_NODE:
        rg_phrase_node_label(p, spec->column, rg_words_to_int(key));
        break;
    case RG_LABEL_DEGREE:
        rg_phrase_add(p, "of degree %" PRId64, rg_words_to_int(key));
        break;
    case RG_LABEL_ATTRIBUTE:
        say_bin(p, labeling, rg_words_to_int(key));
        break;
    case RG_LABEL_FILE:
        rg_phrase_add(p, "labelled %" PRId64 " in the file", rg_words_to_int(key));
        break;
    case RG_LABEL_COMBINE:
        for (size_t k = 0; k < spec->n_parts; k++)
            say(p, labeling->parts[k], (uint32_t)rg_words_to_int(key + 2 * k), depth, cut);
        break;
    case RG_LABEL_CYCLES:
    case RG_LABEL_CLIQUES:
    case RG_LABEL_PATTERN:
        say_counts(p, spec, key);
        break;
    case RG_LABEL_TRIVIAL:
    case RG_LABEL_WL:
        break;
    }
}

static void say(rg_phrase *p, const rg_labeling *labeling, uint32_t label, size_t depth, bool *cut)
{
    size_t top = labeling->n_levels - 1, n, level = 0;
    const rg_vocabulary *keys = labeling->levels[top];
    const char *kind = rg_label_spec_name(labeling->spec->kind);
    if (label >= labeling->size - 1)
        rg_phrase_add(p, "of a kind (%s) that was not seen in training", kind);
    else if (label >= labeling->n_kept + labeling->has_other) {
        while (labeling->backoff_start[level] > label)
            level++;
        say_tree(p, labeling, level, label - labeling->backoff_start[level], depth, cut);
        rg_text_add(&p->details, " (new at depth %zu)", top);
    } else if (label >= labeling->n_kept)
        rg_phrase_add(p, "of a rarer kind (none of the %u most frequent of %s)",
                      (unsigned)labeling->n_kept, kind);
    else if (labeling->spec->kind == RG_LABEL_WL)
        say_tree(p, labeling, top, label, depth, cut);
    else
        say_key(p, labeling, rg_vocabulary_key(keys, label, &n), depth, cut);
}

void rg_phrase_label(rg_phrase *p, const rg_labeling *labeling, uint32_t label, const char *name)
{
    if (label >= labeling->size) { /* no label of this labeling: a key from a damaged file */
        rg_phrase_add(p, "with %s = %u", name, (unsigned)label);
        return;
    }
    size_t depth = SIZE_MAX, n = p->details.n, n_details = p->n_details, noun = p->noun.n;
    for (;;) {
        bool cut = false;
        say(p, labeling, label, depth, &cut);
        if (p->details.failed || p->noun.failed)
            return;
        if (p->details.n - n <= LONG || depth == 0) {
            if (cut)
                rg_text_add(&p->details, " (%s %u)", name, (unsigned)label);
            return;
        }
        if (p->details.n > n)
            rg_text_cut(&p->details, p->details.n - n);
        if (p->noun.n > noun)
            rg_text_cut(&p->noun, p->noun.n - noun);
        p->n_details = n_details;
        depth = depth == SIZE_MAX ? 3 : depth - 1;
    }
}

void rg_phrase_end(rg_text *out, rg_phrase *p)
{
    char *noun = p->noun.n ? p->noun.data : NULL;
    const char *word = noun ? noun : p->place ? "place" : "node";
    out->failed |= p->noun.failed || p->details.failed;
    if (!out->failed)
        rg_text_add(out, "%s%s%s",
                    p->brief                     ? ""
                    : strchr("aeiouAEIO", *word) ? "an "
                                                 : "a ",
                    word, p->details.n ? p->details.data : "");
    rg_text_drop(&p->noun);
    rg_text_drop(&p->details);
    p->n_details = 0;
}
