/* marked.c - marked(k, from, depth, edges, further): individualised Weisfeiler-Leman. Mark k nodes,
 * the node itself the first, refine, and collect what they see. */
#include "label/kind.h"

typedef struct marked_spec {
    rg_label_spec base;
    uint32_t marks, reach;
    bool smallest;
} marked_spec;

static const marked_spec *own(const rg_label_spec *spec)
{
    return (const marked_spec *)spec;
}

static size_t levels(const rg_label_spec *spec)
{
    return own(spec)->marks + (size_t)1;
}

static rg_status keys_of(rg_power *out, const rg_power_task *task, const rg_label_spec *spec,
                         rg_power_space *space, rg_error *err)
{
    rg_power_task whole = *task;
    whole.depth = own(spec)->reach;
    whole.marks = own(spec)->marks;
    whole.smallest = own(spec)->smallest;
    return rg_power_marks(out, &whole, space, err);
}

static rg_status refine(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                        const rg_label_frame *frame, const uint32_t *from, rg_error *err)
{
    return rg_levels_run(labels, labeling, fit, frame, from, keys_of, 1, err);
}

/* A trace; then the number of one, with those of tuples with one mark more, ascending; then a node.
 */
static bool key_fits(const rg_labeling *labeling, size_t level, const uint32_t *words, size_t n)
{
    const rg_label_spec *spec = labeling->spec;
    if (level == 0)
        return rg_trace_fits(words, n, spec->edges, labeling->parts[0]->size - 1, own(spec)->marks);
    size_t n_below = rg_vocabulary_size(labeling->levels[level - 1]);
    if (level + 1 == labeling->n_levels)
        return n == 1 && words[0] < n_below;
    if (n == 0 || words[0] >= rg_vocabulary_size(labeling->levels[0]))
        return false;
    for (size_t k = 1; k < n; k++)
        if (words[k] >= n_below || (k > 1 && words[k] < words[k - 1]))
            return false;
    return true;
}

/* The trace of the node alone: the first word of its key, on whatever level that is. */
static const uint32_t *trace_of(const rg_labeling *labeling, const uint32_t *key, size_t *n)
{
    uint32_t number = *key;
    if (labeling->n_levels > 2)
        number = *rg_vocabulary_key(labeling->levels[labeling->n_levels - 2], number, n);
    return rg_vocabulary_key(labeling->levels[0], number, n);
}

static rg_trace_facts facts_of(const rg_labeling *labeling, const uint32_t *key)
{
    size_t n;
    const uint32_t *words = trace_of(labeling, key, &n);
    return rg_trace_read(words, n, labeling->spec->edges);
}

static uint32_t root(const rg_labeling *labeling, const uint32_t *key)
{
    rg_trace_facts facts = facts_of(labeling, key);
    return facts.n_nodes ? facts.label : RG_UNSEEN;
}

static void say_facts(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    const marked_spec *spec = own(labeling->spec);
    rg_trace_facts facts = facts_of(labeling, key);
    if (facts.n_nodes == 0) {
        rg_label_say(out, "not marked: over the budget");
        return;
    }
    rg_label_say(out, "that parts the %u node%s ", facts.n_nodes, facts.n_nodes == 1 ? "" : "s");
    if (spec->reach)
        rg_label_say(out, "within %u", spec->reach);
    else
        rg_label_say(out, "it is joined to");
    rg_label_say(out, " into %u class%s", facts.n_cells, facts.n_cells == 1 ? "" : "es");
}

/* How many kinds of tuples the next mark makes. */
static void say_further(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    size_t n, kinds = 0;
    if (labeling->n_levels == 2)
        return;
    const uint32_t *words = rg_vocabulary_key(labeling->levels[labeling->n_levels - 2], *key, &n);
    for (size_t k = 1; k < n; k++)
        kinds += k == 1 || words[k] != words[k - 1];
    if (n > 1)
        rg_label_say(out, ", with %zu more mark%s in %zu way%s", labeling->n_levels - 2,
                     labeling->n_levels == 3 ? "" : "s", kinds, kinds == 1 ? "" : "s");
}

static void describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    if (facts_of(labeling, key).n_nodes) {
        rg_label_say(out, "a mark on ");
        rg_label_say_label(out, labeling->parts[0], root(labeling, key));
        rg_label_say(out, " ");
    }
    say_facts(out, labeling, key);
    say_further(out, labeling, key);
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    rg_trace_facts facts = facts_of(labeling, key);
    if (brief || facts.n_nodes == 0)
        rg_label_say(out, brief ? "marked" : "not marked: over the budget");
    else {
        rg_label_say(out, "with a mark ");
        say_facts(out, labeling, key);
        say_further(out, labeling, key);
    }
}

const rg_label_kind rg_label_marked = {
    .name = "marked",
    .size = sizeof(marked_spec),
    .arguments = {RG_NUMBER("k", marked_spec, marks, 1, RG_MARKS_MAX, 1),
                  {.type = RG_ARGUMENT_LABELING, .name = "from", .labeling = "degree"},
                  RG_NUMBER("depth", marked_spec, reach, 0, 64, 0),
                  RG_FLAG("edges", rg_label_spec, edges, false),
                  RG_CHOICE("further", marked_spec, smallest, "all", "smallest"),
                  RG_BOUND("max")},
    .levels = levels,
    .key_fits = key_fits,
    .refine = refine,
    .describe = describe,
    .phrase = phrase,
    .root = root,
    .partial = true,
};
