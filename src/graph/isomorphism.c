/* isomorphism.c - refine both graphs together, pair two nodes, refine again, take back what fails.
 *
 * Two things keep the search small. Between two cells, and inside one, nodes are often all joined
 * alike: all or none, in one colour. Then any pairing of such a cell's nodes will do (cliques,
 * twins, leaves of a star), and it needs no search. And cells that are joined unlike only among
 * themselves form a knot: how one knot is resolved has no bearing on another, so that a knot that
 * cannot be resolved sends the search back to the choice that made it and not to the last one made
 * elsewhere. Costs of knots add up instead of multiplying.
 *
 * Where that is not enough (regular graphs), nodes are told apart by what lies at which distance
 * from them; then the search goes on until the budget is spent. */
#include "isomorphism.h"

#include "base/alloc.h"
#include "base/error.h"

#include <assert.h>

#define NONE UINT32_MAX
#define MIXED (UINT32_C(1) << 31) /* a count of arcs of more than one colour */
#define FIRST_EFFORT 256          /* times the size of a graph, before nodes are told apart */

typedef struct knot {
    uint32_t cell;   /* one of its cells */
    uint32_t parent; /* frame whose choice made it; NONE: it was there from the start */
} knot;

/* One choice: node a of the first graph goes to b, a node of the second in the same cell. */
typedef struct frame {
    knot knot;
    uint32_t cell, a;
    uint32_t first; /* partner tried first, any; then the others, ascending */
    uint32_t b;     /* partner tried last */
    uint32_t n_knots;
    size_t n_trail;
} frame;

typedef struct isomorphism_search {
    rg_partition *p;
    frame *frames;
    uint32_t n_frames;
    knot *knots; /* still to be resolved, last one first */
    uint32_t n_knots;
    uint32_t (*spans)[2]; /* cells of the knot at work before the choice: place, length */
    uint32_t n_spans;
    uint32_t spans_of;    /* the frame they belong to; NONE: they are out of date */
    uint32_t *list;       /* cells of a knot, as they are found */
    uint32_t *arc_colour; /* by cell: colour of the first arc that leads there */
    uint64_t *seen;       /* by cell, or by node when checking: equals stamp */
    uint64_t stamp;
    uint64_t *value; /* by node */
} isomorphism_search;

void rg_isomorphism_work_free(rg_isomorphism_work *work)
{
    rg_partition_free(&work->partition);
    rg_invariant_work_free(&work->invariant);
    rg_free(work->block);
    *work = (rg_isomorphism_work){0};
}

static bool reserve(isomorphism_search *s, rg_isomorphism_work *work, size_t n)
{
    size_t capacity = work->capacity;
    if (!work->block || n > capacity)
        capacity = n > 2 * capacity ? n : 2 * capacity;
    rg_carve l = {0};
    size_t seen = rg_carve_add(&l, 2 * capacity, sizeof *s->seen);
    size_t value = rg_carve_add(&l, 2 * capacity, sizeof *s->value);
    size_t frames = rg_carve_add(&l, capacity, sizeof *s->frames);
    size_t knots = rg_carve_add(&l, capacity, sizeof *s->knots);
    size_t spans = rg_carve_add(&l, 2 * capacity, sizeof *s->spans);
    size_t list = rg_carve_add(&l, 2 * capacity, sizeof *s->list);
    size_t colour = rg_carve_add(&l, 2 * capacity, sizeof *s->arc_colour);
    if (!work->block || capacity != work->capacity) {
        void *block = rg_carve_alloc(&l);
        if (!block)
            return false;
        rg_free(work->block);
        work->block = block;
        work->capacity = capacity;
    }
    char *block = work->block;
    *s = (isomorphism_search){.p = &work->partition,
                              .frames = (void *)(block + frames),
                              .knots = (void *)(block + knots),
                              .spans = (void *)(block + spans),
                              .spans_of = NONE,
                              .list = (void *)(block + list),
                              .arc_colour = (void *)(block + colour),
                              .seen = (void *)(block + seen),
                              .value = (void *)(block + value)};
    for (size_t k = 0; k < 2 * n; k++)
        s->seen[k] = 0;
    return true;
}

/* Counts the arcs of one node of the cell into every cell (p->marked; p->cells lists those above
 * 0). The partition is stable, so that any of its nodes will do. */
static uint32_t count_joins(isomorphism_search *s, uint32_t cell)
{
    rg_partition *p = s->p;
    uint32_t i, shift, n = 0;
    const rg_coloured *side = rg_partition_side(p, p->order[cell], &i, &shift);
    const rg_graph *g = &side->graph;
    for (uint64_t arc = g->row[i]; arc < g->row[i + 1]; arc++) {
        uint32_t other = p->cell[g->col[arc] + shift];
        uint32_t colour = side->arc_colour ? side->arc_colour[arc] : 0;
        if (p->marked[other]++ == 0) {
            p->cells[n++] = other;
            s->arc_colour[other] = colour;
        } else if (s->arc_colour[other] != colour) {
            p->marked[other] |= MIXED;
        }
    }
    p->followed += g->row[i + 1] - g->row[i];
    return n;
}

/* Lists the cells of the knot that `cell` belongs to, marks them seen, and says how many. 0 if it
 * is no knot: one cell whose nodes are joined alike to everything. */
static uint32_t trace(isomorphism_search *s, uint32_t cell)
{
    rg_partition *p = s->p;
    uint32_t n = 1;
    bool unlike_itself = false;
    s->list[0] = cell;
    s->seen[cell] = s->stamp;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t c = s->list[k], n_joined = count_joins(s, c);
        for (uint32_t m = 0; m < n_joined; m++) {
            uint32_t other = p->cells[m], count = p->marked[other];
            p->marked[other] = 0;
            if (count == p->length[other] / 2 - (other == c))
                continue;
            if (other == c)
                unlike_itself = true;
            if (s->seen[other] == s->stamp)
                continue;
            s->seen[other] = s->stamp;
            s->list[n++] = other;
        }
    }
    return n > 1 || unlike_itself ? n : 0;
}

/* The knots among the cells that the spans have become. */
static void push_knots(isomorphism_search *s, uint32_t parent)
{
    rg_partition *p = s->p;
    s->stamp++;
    for (uint32_t k = 0; k < s->n_spans; k++) {
        uint32_t end = s->spans[k][0] + s->spans[k][1];
        for (uint32_t cell = s->spans[k][0]; cell < end; cell += p->length[cell])
            if (p->length[cell] > 2 && s->seen[cell] != s->stamp && trace(s, cell))
                s->knots[s->n_knots++] = (knot){cell, parent};
        p->followed++;
    }
    s->spans_of = NONE;
}

static void find_spans(isomorphism_search *s, uint32_t number)
{
    if (s->spans_of == number)
        return;
    s->stamp++;
    s->n_spans = trace(s, s->frames[number].knot.cell);
    for (uint32_t k = 0; k < s->n_spans; k++) {
        s->spans[k][0] = s->list[k];
        s->spans[k][1] = s->p->length[s->list[k]];
    }
    s->spans_of = number;
}

/* A new frame for the last knot: its smallest cell, and any node of the first graph in there. */
static void open_frame(isomorphism_search *s)
{
    rg_partition *p = s->p;
    uint32_t number = s->n_frames++;
    frame *f = &s->frames[number];
    f->knot = s->knots[--s->n_knots];
    f->n_knots = s->n_knots;
    f->n_trail = p->n_trail;
    f->first = f->b = NONE;
    s->spans_of = NONE;
    find_spans(s, number);
    f->cell = s->spans[0][0];
    for (uint32_t k = 1; k < s->n_spans; k++)
        if (s->spans[k][1] < p->length[f->cell])
            f->cell = s->spans[k][0];
    uint32_t k = f->cell;
    while (p->order[k] >= p->n)
        k++;
    f->a = p->order[k];
}

/* The next node of the second graph to try; NONE if all were tried. The first is the next best: as
 * a rule it will do, and to look through the cell for it would make many small choices in a large
 * cell expensive. The others come in ascending order, since places inside a cell change. */
static uint32_t next_partner(isomorphism_search *s, frame *f)
{
    rg_partition *p = s->p;
    uint32_t end = f->cell + p->length[f->cell];
    if (f->first == NONE) {
        uint32_t k = end - 1;
        while (p->order[k] < p->n)
            k--;
        f->first = p->order[k];
        f->b = p->n - 1; /* the others begin above it */
        return f->first;
    }
    uint32_t best = NONE;
    for (uint32_t k = f->cell; k < end; k++)
        if (p->order[k] > f->b && p->order[k] < best && p->order[k] != f->first)
            best = p->order[k];
    p->followed += p->length[f->cell];
    f->b = best;
    return best;
}

/* Tries on from the last frame until a choice holds, going back to a knot's parent when all its
 * choices failed. RG_UNEVEN: nothing holds. */
static rg_refined choose(isomorphism_search *s)
{
    rg_partition *p = s->p;
    uint32_t number = s->n_frames - 1;
    while (number != NONE) {
        frame *f = &s->frames[number];
        rg_partition_undo(p, f->n_trail);
        s->n_frames = number + 1;
        s->n_knots = f->n_knots;
        uint32_t partner = next_partner(s, f);
        if (partner == NONE) {
            number = f->knot.parent;
            continue;
        }
        find_spans(s, number);
        rg_partition_pair(p, f->a, partner);
        rg_refined state = rg_partition_refine(p);
        if (state == RG_OVERSPENT)
            return state;
        if (state == RG_STABLE) {
            push_knots(s, number);
            return state;
        }
    }
    return RG_UNEVEN;
}

/* From a stable partition. RG_STABLE: any pairing inside the cells is an isomorphism. */
static rg_refined resolve(isomorphism_search *s)
{
    s->n_frames = s->n_knots = 0;
    s->spans[0][0] = 0;
    s->spans[0][1] = 2 * s->p->n;
    s->n_spans = 1;
    push_knots(s, NONE);
    while (s->n_knots) {
        open_frame(s);
        rg_refined state = choose(s);
        if (state != RG_STABLE)
            return state;
    }
    return RG_STABLE;
}

/* Pairs the nodes of each cell in order: image[i] for node i of the first graph. */
static void read_off(const isomorphism_search *s, uint32_t *image)
{
    const rg_partition *p = s->p;
    for (uint32_t cell = 0; cell < 2 * p->n; cell += p->length[cell]) {
        uint32_t end = cell + p->length[cell], b = cell;
        for (uint32_t a = cell; a < end; a++) {
            if (p->order[a] >= p->n)
                continue;
            while (p->order[b] < p->n)
                b++;
            image[p->order[a]] = p->order[b++] - p->n;
        }
    }
}

/* Is it an isomorphism? Looks at the two graphs only, not at how image came about. */
static bool check(isomorphism_search *s, const uint32_t *image)
{
    const rg_coloured *a = &s->p->side[0], *b = &s->p->side[1];
    for (uint32_t i = 0; i < a->graph.n_nodes; i++) {
        uint32_t m = image[i];
        const uint64_t *from = &a->graph.row[i], *to = &b->graph.row[m];
        if (from[1] - from[0] != to[1] - to[0])
            return false;
        if (a->node_colour && a->node_colour[i] != b->node_colour[m])
            return false;
        s->stamp++;
        for (uint64_t k = to[0]; k < to[1]; k++) {
            s->seen[b->graph.col[k]] = s->stamp;
            s->arc_colour[b->graph.col[k]] = b->arc_colour ? b->arc_colour[k] : 0;
        }
        for (uint64_t k = from[0]; k < from[1]; k++) {
            uint32_t j = image[a->graph.col[k]];
            if (s->seen[j] != s->stamp)
                return false;
            if (a->arc_colour && a->arc_colour[k] != s->arc_colour[j])
                return false;
        }
    }
    return true;
}

/* Tells the nodes of a cell apart by what lies at which distance from each. Nothing is lost where
 * that would cost more than the budget has left: it is left out. */
static rg_status tell_apart(isomorphism_search *s, rg_refined *state, rg_invariant_work *work,
                            rg_error *err)
{
    rg_partition *p = s->p;
    uint64_t n = p->n, arcs = p->side[0].graph.n_arcs + n;
    *state = RG_STABLE;
    if (p->followed > p->budget || arcs > (p->budget - p->followed) / 16 / n)
        return RG_OK;
    rg_status status = rg_invariant_nodes(s->value, &p->followed, &p->side[0], work, err);
    if (!status)
        status = rg_invariant_nodes(s->value + n, &p->followed, &p->side[1], work, err);
    if (status)
        return status;
    *state = rg_partition_split(p, s->value);
    if (*state == RG_STABLE)
        *state = rg_partition_refine(p);
    return RG_OK;
}

static rg_status decide(rg_refined *state, isomorphism_search *s, uint64_t budget,
                        rg_invariant_work *work, rg_error *err)
{
    rg_partition *p = s->p;
    p->budget = budget;
    *state = rg_partition_refine(p);
    if (*state != RG_STABLE)
        return RG_OK;
    uint64_t effort = FIRST_EFFORT * (p->n + p->side[0].graph.n_arcs);
    size_t n_trail = p->n_trail;
    if (p->followed < budget && effort < budget - p->followed)
        p->budget = p->followed + effort;
    *state = resolve(s);
    if (*state != RG_OVERSPENT || p->budget == budget)
        return RG_OK;
    rg_partition_undo(p, n_trail);
    p->budget = budget;
    rg_status status = tell_apart(s, state, work, err);
    if (!status && *state == RG_STABLE)
        *state = resolve(s);
    return status;
}

rg_status rg_isomorphism_test(rg_same_verdict *out, const rg_coloured *a, const rg_coloured *b,
                              uint64_t budget, rg_isomorphism_work *work, rg_error *err)
{
    isomorphism_search s;
    rg_refined state;
    uint32_t n = a->graph.n_nodes;
    if (n != b->graph.n_nodes || a->graph.n_arcs != b->graph.n_arcs) {
        *out = RG_DIFFERENT;
        return RG_OK;
    }
    if (n == 0) {
        *out = RG_SAME;
        return RG_OK;
    }
    if (!reserve(&s, work, n))
        return rg_fail_memory(err, "comparing graphs");
    rg_status status = rg_partition_start(s.p, &state, a, b, err);
    if (!status && state == RG_STABLE)
        status = decide(&state, &s, budget, &work->invariant, err);
    if (status)
        return status;
    if (state == RG_STABLE) {
        uint32_t *image = s.list;
        read_off(&s, image);
        bool right = check(&s, image);
        assert(right); /* if it were not: our fault, and not to be passed on as an answer */
        *out = right ? RG_SAME : RG_UNDECIDED;
    } else {
        *out = state == RG_UNEVEN ? RG_DIFFERENT : RG_UNDECIDED;
    }
    return RG_OK;
}
