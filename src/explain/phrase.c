/* phrase.c - a node as a noun: "a carbon with neighbours C, C, N", "a node on 2 rings of 6".
 *
 * Labels are vocabularies of keys (label/labeling.h), so words are found by going down until a
 * labeling says something of its own, as label/describe.c does. Here names of atoms are used, and a
 * tree that would be long is cut at a smaller depth; then the number of the class stands beside it,
 * so that two labels never have the same words. */
#include "explainer.h"

#include "base/alloc.h"
#include "label/kind.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PHRASE_SIZE = 1024 };
enum { LONG = 72 }; /* letters of a tree of neighbours that is not cut */

void rg_phrase_add(rg_phrase *p, const char *format, ...)
{
    char text[PHRASE_SIZE];
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

/* "of charge +1", "with 3 hydrogens", "with ring size 6": a column that has a name. An element has no
 * charge unless it is said. */
static void say_column(rg_phrase *p, const char *column, int64_t value)
{
    static const char *const places[] = {"node", "edge", "ring", "stretch"};
    bool charge = strcmp(column, "charge") == 0;
    if (charge && value == 0 && p->noun.n)
        return;
    if (strcmp(column, "hydrogens") == 0)
        rg_phrase_add(p, "%s%" PRId64 " hydrogen%s", p->brief ? "" : "with ", value,
                      value == 1 ? "" : "s");
    else if (charge)
        rg_phrase_add(p, value ? "%scharge %+" PRId64 : "%scharge %" PRId64, p->brief ? "" : "of ",
                      value);
    else if (strcmp(column, "place") == 0 && value >= 0 && value < 4 && !p->noun.n)
        rg_text_add(&p->noun, "%s", places[value]);
    else if (strcmp(column, "aromatic") == 0)
        rg_phrase_add(p, "%s", value ? "aromatic" : "not aromatic");
    else
        rg_phrase_add(p, "%s%s %" PRId64, p->brief ? "" : "with ", column, value);
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
    else if (rg_names_column(p->names, column) && column)
        say_column(p, rg_names_column(p->names, column), value);
    else if (column)
        rg_phrase_add(p, "labelled %" PRId64 " in column %u", value, column);
    else
        rg_phrase_add(p, "labelled %" PRId64, value);
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

/* Are its numbers node labels that may have names? */
static bool is_named(const rg_label_spec *spec)
{
    return spec->kind->named && spec->kind->named(spec);
}

/* A first label in few letters: "C", "3" for a label without a name or a degree. */
static void say_short(rg_text *out, const rg_names *names, const rg_labeling *base, uint32_t label)
{
    size_t n;
    bool plain = label < base->n_kept && base->n_levels == 1;
    if (plain && base->spec->kind->bare) {
        int64_t value = rg_words_to_int(rg_vocabulary_key(base->levels[0], label, &n));
        const char *name = is_named(base->spec) ? rg_names_find(names, RG_NAME_NODE, value) : NULL;
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
    const rg_label_kind *kind = base->spec->kind;
    return kind->bare && !(kind->named && rg_names_any(names, RG_NAME_NODE)) ? kind->bare : "";
}

/* "with three carbon neighbours": all equal, and nothing more to say of them. */
static bool say_equal(rg_phrase *p, const rg_labeling *labeling, size_t level, const uint32_t *key,
                      size_t n)
{
    static const char *const numbers[] = {"no",   "one", "two",   "three", "four",
                                          "five", "six", "seven", "eight"};
    const rg_labeling *base = labeling->parts[0];
    size_t ignored;
    if (labeling->spec->edges || !is_named(base->spec) || n > 9)
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
    char text[PHRASE_SIZE + 4] = ""; /* so that the "..." at its end is never shown */
    rg_label_words words = {.text = text, .size = sizeof text};
    for (size_t k = 0; spec->kind->joins && k < spec->n_parts; k++)
        say(p, labeling->parts[k], (uint32_t)rg_words_to_int(key + 2 * k), depth, cut);
    uint32_t root = spec->kind->root ? spec->kind->root(labeling, key) : RG_UNSEEN;
    if (root != RG_UNSEEN)
        say(p, labeling->parts[0], root, depth, cut);
    *cut |= spec->kind->partial;
    const char *column =
        spec->kind->column ? rg_names_column(p->names, spec->kind->column(spec)) : NULL;
    if (is_named(spec))
        rg_phrase_node_label(p, 0, rg_words_to_int(key));
    else if (column)
        say_column(p, column, rg_words_to_int(key));
    else if (spec->kind->phrase)
        spec->kind->phrase(&words, labeling, key, p->brief);
    if (*text)
        rg_phrase_add(p, "%s", text);
}

static void say(rg_phrase *p, const rg_labeling *labeling, uint32_t label, size_t depth, bool *cut)
{
    size_t top = labeling->n_levels - 1, n, level = 0;
    const rg_vocabulary *keys = labeling->levels[top];
    const char *kind = labeling->spec->kind->name;
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
    else if (labeling->spec->kind->refine && !labeling->spec->kind->phrase)
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

void rg_phrase_number(rg_phrase *p, int64_t number)
{
    if (p->noun.n)
        rg_phrase_add(p, "at place %" PRId64, number);
    else
        rg_text_add(&p->noun, "%s %" PRId64, p->place ? "place" : "node", number);
}

bool rg_phrase_is_numbered(const char *words)
{
    return strncmp(words, "place ", 6) == 0 || strncmp(words, "node ", 5) == 0;
}

void rg_phrase_end(rg_text *out, rg_phrase *p)
{
    char *noun = p->noun.n ? p->noun.data : NULL;
    const char *word = noun ? noun : p->place ? "place" : "node";
    out->failed |= p->noun.failed || p->details.failed;
    if (!out->failed)
        rg_text_add(out, "%s%s%s",
                    p->brief || *word == '"' || rg_phrase_is_numbered(word) ? ""
                    : strchr("aeiouAEIO", *word)                            ? "an "
                                                                            : "a ",
                    word, p->details.n ? p->details.data : "");
    rg_text_drop(&p->noun);
    rg_text_drop(&p->details);
    p->n_details = 0;
}
