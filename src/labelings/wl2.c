/* wl2.c - wl2(from, depth, edges): folklore 2-WL, the colours of pairs of nodes. */
#include "label/kind.h"

typedef struct wl2_spec {
    rg_label_spec base;
    uint32_t reach;
} wl2_spec;

static const wl2_spec *own(const rg_label_spec *spec)
{
    return (const wl2_spec *)spec;
}

/* That of the pairs, and that of the nodes: its number and the class of the node. */
static size_t levels(const rg_label_spec *spec)
{
    (void)spec;
    return 2;
}

static rg_status keys_of(rg_power *out, const rg_power_task *task, const rg_label_spec *spec,
                         rg_power_space *space, rg_error *err)
{
    rg_power_task whole = *task;
    whole.depth = own(spec)->reach;
    return rg_power_pairs(out, &whole, space, err);
}

static rg_status refine(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                        const rg_label_frame *frame, const uint32_t *from, rg_error *err)
{
    return rg_levels_run(labels, labeling, fit, frame, from, keys_of, 2, err);
}

static bool key_fits(const rg_labeling *labeling, size_t level, const uint32_t *words, size_t n)
{
    if (level == 0)
        return rg_pairs_fit(words, n, labeling->parts[0]->size - 1);
    if (n != 2 || words[0] >= rg_vocabulary_size(labeling->levels[0]))
        return false;
    const uint32_t *pairs = rg_vocabulary_key(labeling->levels[0], words[0], &n);
    return words[1] < *pairs || (words[1] == 0 && *pairs == 0);
}

static rg_pairs_facts facts_of(const rg_labeling *labeling, const uint32_t *key)
{
    size_t n;
    return rg_pairs_read(rg_vocabulary_key(labeling->levels[0], key[0], &n), key[1]);
}

static uint32_t root(const rg_labeling *labeling, const uint32_t *key)
{
    rg_pairs_facts facts = facts_of(labeling, key);
    return facts.n_nodes ? facts.label : RG_UNSEEN;
}

static void say_facts(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    rg_pairs_facts facts = facts_of(labeling, key);
    rg_label_say(out, "of class %u of the %u into which pairs part the %u node%s ", key[1] + 1,
                 facts.n_cells, facts.n_nodes, facts.n_nodes == 1 ? "" : "s");
    if (own(labeling->spec)->reach)
        rg_label_say(out, "within %u", own(labeling->spec)->reach);
    else
        rg_label_say(out, "it is joined to");
}

static void describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    if (facts_of(labeling, key).n_nodes == 0) {
        rg_label_say(out, "not refined: over the budget");
        return;
    }
    rg_label_say_label(out, labeling->parts[0], root(labeling, key));
    rg_label_say(out, ", ");
    say_facts(out, labeling, key);
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    if (brief)
        rg_label_say(out, "of a class of pairs");
    else if (facts_of(labeling, key).n_nodes == 0)
        rg_label_say(out, "not refined: over the budget");
    else
        say_facts(out, labeling, key);
}

const rg_label_kind rg_label_wl2 = {
    .name = "wl2",
    .size = sizeof(wl2_spec),
    .arguments = {{.type = RG_ARGUMENT_LABELING, .name = "from", .labeling = "degree"},
                  RG_NUMBER("depth", wl2_spec, reach, 0, 64, 0),
                  RG_FLAG("edges", rg_label_spec, edges, false),
                  RG_BOUND("max")},
    .levels = levels,
    .key_fits = key_fits,
    .refine = refine,
    .describe = describe,
    .phrase = phrase,
    .root = root,
    .partial = true,
};
