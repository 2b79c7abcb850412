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

static void add_labels(rg_text *text, const rg_candidate_space *space, const rg_candidate *c,
                       unsigned bound)
{
    unsigned depth = value(c, RG_AXIS_DEPTH);
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
    bool bonds = value(c, RG_AXIS_BONDS) > 0;
    rg_text_add(text, "  - rule:%s share kind(i), kind(j), dist(i,j) when dist(i,j) in %u..%u\n",
                bonds ? "\n      -" : "", value(c, RG_AXIS_LEAST), reach);
    if (bonds)
        rg_text_add(text, "      - share kind(i), kind(j), bond(i,j) when edge(i,j)\n");
    rg_text_add(text, "    bias: share kind(i)\n");
    if (value(c, RG_AXIS_HEADS) > 1)
        rg_text_add(text, "    heads: %u\n", value(c, RG_AXIS_HEADS));
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
    unsigned reach = value(candidate, RG_AXIS_REACH), every = STEP_EVERY;
    if (space->classes) /* tanh on the outputs is no help to real values */
        rg_text_add(&text, "preset: paper\n");
    rg_text_add(&text, "labels:\n  kind: ");
    add_labels(&text, space, candidate, value(candidate, RG_AXIS_BOUND));
    rg_text_add(&text, "\n  pool: ");
    add_pool(&text, space, candidate);
    rg_text_add(&text, "\nlayers:\n");
    add_layer(&text, candidate, reach);
    if (value(candidate, RG_AXIS_LAYERS) > 1)
        add_layer(&text, candidate, reach < SECOND_REACH ? reach : SECOND_REACH);
    rg_text_add(&text, "  - aggregate: share out, pool(i)\n");
    rg_text_add(&text, "training:\n  lr: %s\n  epochs: %u\n",
                rg_candidate_choice(RG_AXIS_RATE, candidate->pick[RG_AXIS_RATE]), (unsigned)epochs);
    if (value(candidate, RG_AXIS_BATCH) != USUAL_BATCH)
        rg_text_add(&text, "  batch: %u\n", value(candidate, RG_AXIS_BATCH));
    if (space->metric != RG_METRIC_DEFAULT)
        rg_text_add(&text, "  metric: %s\n", rg_metric_name(space->metric));
    if (epochs < all) {
        every = (unsigned)((2 * STEP_EVERY * epochs + all) / (2 * all));
        rg_text_add(&text, "  schedule: {kind: step, every: %u}\n", every ? every : 1);
    }
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
    return finish(out, &text, err);
}
