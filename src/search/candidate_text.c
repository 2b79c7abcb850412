/* candidate_text.c - candidates as network files, and in one line. */
#include "candidate.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/text.h"

enum { UNBOUNDED = 50000, SECOND_REACH = 3, STEP_EVERY = 10, USUAL_BATCH = 128 };

static unsigned value(const rg_candidate *c, rg_candidate_axis axis)
{
    return (unsigned)rg_candidate_value(axis, c->pick[axis]);
}

/* Graphs without labels tend to be dense: there cycles without chords are counted, as published. */
static void add_cycles(rg_text *text, const rg_candidate_space *space, const rg_candidate *c,
                       unsigned bound)
{
    rg_text_add(text, "cycles(kind=%s, max=%u", space->node_labels ? "simple" : "induced",
                value(c, RG_AXIS_CYCLES));
    if (bound)
        rg_text_add(text, ", max_labels=%u", bound);
    rg_text_add(text, ")");
}

/* What refinement begins with: the labels of depth 0. */
static void add_base(rg_text *text, const rg_candidate_space *space, const rg_candidate *c)
{
    rg_label_pick labels = (rg_label_pick)c->pick[RG_AXIS_LABELS];
    if (labels == RG_LABELS_WL_CYCLES) {
        rg_text_add(text, "combine(node, ");
        add_cycles(text, space, c, 0);
        rg_text_add(text, ")");
    } else
        rg_text_add(text, labels == RG_LABELS_WL_DEGREE ? "degree" : "node");
}

static void add_labels_at(rg_text *text, const rg_candidate_space *space, const rg_candidate *c,
                          unsigned depth, unsigned bound)
{
    switch ((rg_label_pick)c->pick[RG_AXIS_LABELS]) {
    case RG_LABELS_WL_NODE:
        rg_text_add(text, "wl(depth=%u, from=node, max=%u)", depth, bound);
        break;
    case RG_LABELS_WL_BONDS:
        rg_text_add(text, "wl(depth=%u, from=node, edges=true, max=%u)", depth, bound);
        break;
    case RG_LABELS_WL_CYCLES:
        rg_text_add(text, "wl(depth=%u, from=combine(node, ", depth);
        add_cycles(text, space, c, 0);
        rg_text_add(text, "), max=%u)", bound);
        break;
    case RG_LABELS_WL_DEGREE:
        rg_text_add(text, "wl(depth=%u, from=degree, max=%u)", depth, bound);
        break;
    case RG_LABELS_NODE_CYCLES:
        rg_text_add(text, "combine(node, ");
        add_cycles(text, space, c, 0);
        rg_text_add(text, ", max_labels=%u)", bound);
        break;
    case RG_LABELS_NODE:
        rg_text_add(text, "node");
        break;
    case RG_LABELS_CYCLES:
        add_cycles(text, space, c, bound);
        break;
    case RG_LABELS_DEGREE:
        rg_text_add(text, "degree");
        break;
    case RG_LABELS_PATTERNS:
        rg_text_add(text, "pattern(triangle, edge, max_labels=%u)", bound);
        break;
    case RG_LABELS_CLIQUES:
        rg_text_add(text, "cliques(max=5, max_labels=%u)", bound);
        break;
    }
}

static void add_labels(rg_text *text, const rg_candidate_space *space, const rg_candidate *c,
                       unsigned bound)
{
    add_labels_at(text, space, c, value(c, RG_AXIS_DEPTH), bound);
}

/* Depths below that of the labels that are in the same layer. */
static unsigned n_below(const rg_candidate *c)
{
    return value(c, RG_AXIS_DEPTHS) ? value(c, RG_AXIS_DEPTH) : 0;
}

static void add_depths(rg_text *text, const rg_candidate_space *space, const rg_candidate *c)
{
    for (unsigned d = 0; d < n_below(c); d++) {
        rg_text_add(text, "\n  kind%u: ", d);
        if (d == 0)
            add_base(text, space, c);
        else
            add_labels_at(text, space, c, d, value(c, RG_AXIS_BOUND));
    }
}

static void add_pool(rg_text *text, const rg_candidate_space *space, const rg_candidate *c)
{
    switch ((rg_pool_pick)c->pick[RG_AXIS_POOL]) {
    case RG_POOL_ALL:
        add_labels(text, space, c, UNBOUNDED);
        break;
    case RG_POOL_SAME:
        add_labels(text, space, c, value(c, RG_AXIS_BOUND));
        break;
    case RG_POOL_CYCLES:
        add_cycles(text, space, c, 0);
        break;
    case RG_POOL_NODE:
        rg_text_add(text, "node");
        break;
    }
}

static void add_layer(rg_text *text, const rg_candidate *c, unsigned reach)
{
    bool bonds = value(c, RG_AXIS_BONDS) > 0, many = bonds || n_below(c);
    unsigned least = value(c, RG_AXIS_LEAST);
    rg_text_add(text, "  - rule:%s share kind(i), kind(j), dist(i,j) when dist(i,j) in %u..%u\n",
                many ? "\n      -" : "", least, reach);
    for (unsigned d = 0; d < n_below(c); d++)
        rg_text_add(text,
                    "      - share kind%u(i), kind%u(j), dist(i,j) when dist(i,j) in %u..%u\n", d,
                    d, least, reach);
    if (bonds)
        rg_text_add(text, "      - share kind(i), kind(j), bond(i,j) when edge(i,j)\n");
    rg_text_add(text, "    bias: share kind(i)\n");
    if (value(c, RG_AXIS_HEADS) > 1)
        rg_text_add(text, "    heads: %u\n", value(c, RG_AXIS_HEADS));
}

static void add_pooling(rg_text *text, const rg_candidate *c)
{
    unsigned n = n_below(c);
    if (rg_candidate_value(RG_AXIS_DROPOUT, c->pick[RG_AXIS_DROPOUT]) > 0)
        rg_text_add(text, "  - dropout: %s\n",
                    rg_candidate_choice(RG_AXIS_DROPOUT, c->pick[RG_AXIS_DROPOUT]));
    rg_text_add(text, "  - aggregate:%s share out, pool(i)\n", n ? "\n      -" : "");
    for (unsigned d = 0; d < n; d++)
        rg_text_add(text, "      - share out, kind%u(i)\n", d);
}

/* Epochs and the learning rate along them. A cosine schedule has its own, few epochs. */
static void add_schedule(rg_text *text, const rg_candidate *c, uint32_t epochs, uint32_t all)
{
    unsigned own = value(c, RG_AXIS_SCHEDULE), every = STEP_EVERY;
    rg_text_add(text, "  epochs: %u\n", (unsigned)(own && own < epochs ? own : epochs));
    if (own)
        rg_text_add(text, "  schedule: {kind: cosine, floor: 0.0005}\n  patience: none\n"
                          "  best: last\n");
    else if (epochs < all) {
        every = (unsigned)((2 * STEP_EVERY * epochs + all) / (2 * all));
        rg_text_add(text, "  schedule: {kind: step, every: %u}\n", every ? every : 1);
    }
    if (value(c, RG_AXIS_BEST))
        rg_text_add(text, "  best: loss\n");
}

static rg_status finish(char **out, rg_text *text, rg_error *err)
{
    char *whole = rg_text_take(text);
    if (!whole)
        return rg_fail_memory(err, "a candidate");
    *out = whole;
    return RG_OK;
}

rg_status rg_candidate_text(char **out, const rg_candidate_space *space,
                            const rg_candidate *candidate, uint32_t epochs, uint32_t all,
                            rg_error *err)
{
    rg_text text = {0};
    unsigned reach = value(candidate, RG_AXIS_REACH);
    if (space->classes) /* tanh on the outputs is no help to real values */
        rg_text_add(&text, "preset: paper\n");
    if (value(candidate, RG_AXIS_INPUT))
        rg_text_add(&text, "input: %s\nstandardise: auto\n",
                    space->node_labels ? "[signed, attributes]" : "attributes");
    rg_text_add(&text, "labels:\n  kind: ");
    add_labels(&text, space, candidate, value(candidate, RG_AXIS_BOUND));
    add_depths(&text, space, candidate);
    rg_text_add(&text, "\n  pool: ");
    add_pool(&text, space, candidate);
    rg_text_add(&text, "\nlayers:\n");
    add_layer(&text, candidate, reach);
    if (value(candidate, RG_AXIS_LAYERS) > 1)
        add_layer(&text, candidate, reach < SECOND_REACH ? reach : SECOND_REACH);
    add_pooling(&text, candidate);
    rg_text_add(&text, "training:\n  lr: %s\n",
                rg_candidate_choice(RG_AXIS_RATE, candidate->pick[RG_AXIS_RATE]));
    add_schedule(&text, candidate, epochs, all);
    if (value(candidate, RG_AXIS_BATCH) != USUAL_BATCH)
        rg_text_add(&text, "  batch: %u\n", value(candidate, RG_AXIS_BATCH));
    if (space->metric != RG_METRIC_DEFAULT)
        rg_text_add(&text, "  metric: %s\n", rg_metric_name(space->metric));
    return finish(out, &text, err);
}

rg_status rg_candidate_line(char **out, const rg_candidate_space *space,
                            const rg_candidate *candidate, rg_error *err)
{
    rg_text text = {0};
    add_labels(&text, space, candidate, value(candidate, RG_AXIS_BOUND));
    rg_text_add(&text, ", dist %u..%u", value(candidate, RG_AXIS_LEAST),
                value(candidate, RG_AXIS_REACH));
    if (value(candidate, RG_AXIS_BONDS))
        rg_text_add(&text, ", bonds");
    if (value(candidate, RG_AXIS_LAYERS) > 1)
        rg_text_add(&text, ", 2 layers");
    if (value(candidate, RG_AXIS_HEADS) > 1)
        rg_text_add(&text, ", %u heads", value(candidate, RG_AXIS_HEADS));
    rg_text_add(&text, ", out ");
    if (candidate->pick[RG_AXIS_POOL] == RG_POOL_SAME)
        rg_text_add(&text, "the same");
    else if (candidate->pick[RG_AXIS_POOL] == RG_POOL_ALL)
        rg_text_add(&text, "unbounded");
    else
        add_pool(&text, space, candidate);
    rg_text_add(&text, ", lr %s", rg_candidate_choice(RG_AXIS_RATE, candidate->pick[RG_AXIS_RATE]));
    if (value(candidate, RG_AXIS_BATCH) != USUAL_BATCH)
        rg_text_add(&text, ", batch %u", value(candidate, RG_AXIS_BATCH));
    if (n_below(candidate))
        rg_text_add(&text, ", depths 0..%u", n_below(candidate));
    if (value(candidate, RG_AXIS_SCHEDULE))
        rg_text_add(&text, ", cosine %u", value(candidate, RG_AXIS_SCHEDULE));
    if (rg_candidate_value(RG_AXIS_DROPOUT, candidate->pick[RG_AXIS_DROPOUT]) > 0)
        rg_text_add(&text, ", dropout 0.3");
    if (value(candidate, RG_AXIS_BEST))
        rg_text_add(&text, ", best by loss");
    if (value(candidate, RG_AXIS_INPUT))
        rg_text_add(&text, ", attributes");
    return finish(out, &text, err);
}
