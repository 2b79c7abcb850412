/* marks.c - see rg_power_marks: a tree of marks, a node of it for every tuple. */
#include "space.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"

#include <string.h>

/* A way down to cells of one node each: the cell of every further mark, and the trace it gave. */
typedef struct mark_path {
    bool found;
    uint32_t n, cell[RG_MARKS_MAX], trace[RG_MARKS_MAX];
} mark_path;

enum { TRIES = 4 }; /* looking for a symmetry costs no more than this many times doing without */

/* A tuple that was computed, for those beside it that may be symmetric to it. */
typedef struct rg_mark_sibling {
    uint32_t trace, number;
    uint64_t steps; /* what it took, or would have taken */
    mark_path path;
} mark_sibling;

/* One graph on its way. */
typedef struct mark_walk {
    rg_power_space *space;
    rg_node_cells *cells;
    rg_power *out;
    uint32_t most; /* marks */
    bool smallest; /* further marks go to one cell */
    uint32_t marks[RG_MARKS_MAX];
    rg_cancel *cancel;
    uint64_t steps, budget, once; /* once: steps of one refinement */
    rg_error *err;
} mark_walk;

/* The number of a key on a level; new ones are added. */
static rg_status number_of(uint32_t *number, const mark_walk *w, size_t level,
                           const uint32_t *words, size_t n)
{
    *number = rg_table_add(w->out->levels[level], words, n * sizeof *words);
    return *number == RG_TABLE_NONE ? rg_fail_memory(w->err, "marks") : RG_OK;
}

static void save(const mark_walk *w, uint32_t n_marks)
{
    rg_power_saved *saved = &w->space->saved[n_marks];
    rg_node_cells_save(w->cells, saved->order, saved->size);
    saved->n_cells = w->cells->n_cells;
}

static void restore(const mark_walk *w, uint32_t n_marks)
{
    const rg_power_saved *saved = &w->space->saved[n_marks];
    rg_node_cells_restore(w->cells, saved->order, saved->size, saved->n_cells);
}

/* From what was saved at n_marks to the tuple with node i as well, and its trace in words. */
static size_t go_down(mark_walk *w, uint32_t n_marks, uint32_t i)
{
    restore(w, n_marks);
    w->marks[n_marks] = i;
    rg_node_cells_mark(w->cells, i);
    rg_node_cells_refine(w->cells);
    return rg_node_cells_trace(w->cells, w->space->words, w->marks, n_marks + 1);
}

/* Counts steps, also those that a symmetry has spared: so what is over the budget does not depend
 * on the order of nodes. */
static void spend(mark_walk *w, uint64_t steps)
{
    w->steps = steps > UINT64_MAX - w->steps ? UINT64_MAX : w->steps + steps;
}

static bool spent(const mark_walk *w)
{
    return w->steps > w->budget;
}

static bool discrete(const mark_walk *w)
{
    return w->cells->n_cells == w->cells->n;
}

/* Leads a way like `path`, from its step on, down from the cells as they are? Then a symmetry maps
 * the tuple of the path onto this one: its end parts all nodes and has the same trace. */
static bool follow(mark_walk *w, uint32_t n_marks, const mark_path *path, uint32_t step)
{
    uint32_t cell = path->cell[step], n = w->cells->size[cell];
    save(w, n_marks);
    const uint32_t *order = w->space->saved[n_marks].order;
    for (uint32_t k = 0; k < n; k++) {
        size_t n_words = go_down(w, n_marks, order[cell + k]);
        uint32_t trace =
            rg_table_find(w->out->levels[0], w->space->words, n_words * sizeof *w->space->words);
        if (trace == path->trace[step] &&
            (step + 1 == path->n || follow(w, n_marks + 1, path, step + 1)))
            return true;
    }
    return false;
}

static rg_status visit(mark_walk *w, uint32_t n_marks, uint32_t trace, uint32_t *number,
                       mark_path *path);

/* The number of the tuple with node i beside those that were saved at n_marks. *path: a way down
 * that begins with this mark. */
static rg_status child(mark_walk *w, uint32_t n_marks, uint32_t i, size_t first_sibling,
                       uint32_t *number, mark_path *path)
{
    mark_sibling self = {.steps = w->steps};
    rg_power_space *space = w->space;
    size_t n_words = go_down(w, n_marks, i);
    size_t n_tries = 0;
    uint32_t cell = w->cells->cell[i];
    rg_status status = number_of(&self.trace, w, 0, space->words, n_words);
    spend(w, w->once);
    if (!status && rg_cancel_is(w->cancel))
        status = rg_fail_cancelled(w->err);
    if (status || spent(w))
        return status;
    bool inner = n_marks + 1 < w->most && !discrete(w);
    for (size_t k = first_sibling; inner && k < space->n_siblings && n_tries < TRIES; k++) {
        const mark_sibling other = space->siblings[k];
        if (other.trace != self.trace || !other.path.found)
            continue;
        n_tries++;
        if (follow(w, n_marks + 1, &other.path, 0)) {
            *number = other.number;
            w->steps = self.steps;
            spend(w, other.steps);
            return RG_OK;
        }
        restore(w, n_marks + 1);
    }
    status = visit(w, n_marks + 1, self.trace, &self.number, &self.path);
    self.steps = w->steps - self.steps;
    if (!status && inner) {
        if (!rg_grow(&space->siblings, &space->sibling_room, space->n_siblings + 1, sizeof self))
            return rg_fail_memory(w->err, "marks");
        space->siblings[space->n_siblings++] = self;
    }
    *number = self.number;
    if (!status && self.path.found && !path->found) {
        path->found = true;
        path->n = self.path.n + 1;
        path->cell[0] = cell;
        path->trace[0] = self.trace;
        for (uint32_t k = 0; k < self.path.n; k++) {
            path->cell[k + 1] = self.path.cell[k];
            path->trace[k + 1] = self.path.trace[k];
        }
    }
    return status;
}

/* The first of the smallest cells with more than one node. There is one. */
static uint32_t smallest_cell(const rg_node_cells *p)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t at = 0; at < p->n && least > 2; at += p->size[at])
        if (p->size[at] > 1 && p->size[at] < least) {
            least = p->size[at];
            best = at;
        }
    return best;
}

/* All tuples with one mark more, whose numbers go to `numbers`; *n of them. With the first mark
 * every node is asked, later those that a mark tells something new about. */
static rg_status children(mark_walk *w, uint32_t n_marks, uint32_t *numbers, uint32_t *n,
                          mark_path *path)
{
    rg_power_space *space = w->space;
    size_t n_siblings = space->n_siblings;
    uint32_t at = n_marks && w->smallest ? smallest_cell(w->cells) : 0;
    save(w, n_marks);
    const rg_power_saved *saved = &space->saved[n_marks];
    rg_status status = RG_OK;
    *n = 0;
    for (uint32_t next; !status && at < w->cells->n; at = next) {
        next = at + saved->size[at];
        space->n_siblings = n_siblings;
        for (uint32_t k = at; !status && !spent(w) && k < next && (!n_marks || next - at > 1); k++)
            status = child(w, n_marks, saved->order[k], n_siblings, &numbers[(*n)++], path);
        if (n_marks && w->smallest)
            break;
    }
    space->n_siblings = n_siblings;
    return status;
}

/* The number of a tuple of n_marks > 0 nodes; the cells are refined by them. */
static rg_status visit(mark_walk *w, uint32_t n_marks, uint32_t trace, uint32_t *number,
                       mark_path *path)
{
    path->found = discrete(w);
    path->n = 0;
    *number = trace;
    if (n_marks == w->most)
        return RG_OK;
    uint32_t *key = w->space->keys[n_marks], n = 0;
    rg_status status = RG_OK;
    key[0] = trace;
    if (!discrete(w))
        status = children(w, n_marks, key + 1, &n, path);
    rg_sort_numbers(key + 1, n);
    if (status || spent(w))
        return status;
    return number_of(number, w, w->most - n_marks, key, n + (size_t)1);
}

static uint64_t arcs_of(const rg_node_cells *p)
{
    uint64_t arcs = 0;
    for (uint32_t k = 0; k < p->n; k++)
        arcs += p->graph.row[p->order[k] + 1] - p->graph.row[p->order[k]];
    return arcs;
}

/* All nodes that are joined to i, at once. */
static rg_status whole(mark_walk *w, uint32_t i)
{
    mark_path path = {0};
    uint32_t n, *numbers = w->space->keys[0];
    rg_node_cells_ball(w->cells, i, 0);
    rg_node_cells_start(w->cells);
    rg_node_cells_refine(w->cells);
    w->once = w->cells->n + arcs_of(w->cells);
    rg_status status = children(w, 0, numbers, &n, &path);
    for (uint32_t k = 0; !status && !spent(w) && k < n; k++)
        w->out->top[w->space->saved[0].order[k]] = numbers[k];
    return status;
}

/* Node i, and what is near. */
static rg_status around(mark_walk *w, uint32_t i, uint32_t depth)
{
    mark_path path = {0};
    uint32_t trace;
    rg_node_cells_ball(w->cells, i, depth);
    rg_node_cells_start(w->cells);
    rg_node_cells_mark(w->cells, i);
    rg_node_cells_refine(w->cells);
    w->once = w->cells->n + arcs_of(w->cells);
    spend(w, w->once);
    w->marks[0] = i;
    size_t n = rg_node_cells_trace(w->cells, w->space->words, w->marks, 1);
    rg_status status = number_of(&trace, w, 0, w->space->words, n);
    return status ? status : visit(w, 1, trace, &w->out->top[i], &path);
}

static rg_status walk(mark_walk *w, const rg_power_task *task)
{
    uint32_t n_nodes = task->graph.n_nodes, *done = w->space->done;
    rg_status status = RG_OK;
    memset(done, 0, n_nodes * sizeof *done);
    for (uint32_t i = 0; !status && !spent(w) && i < n_nodes; i++) {
        if (done[i])
            continue;
        status = task->depth ? around(w, i, task->depth) : whole(w, i);
        for (uint32_t k = 0; !task->depth && k < w->cells->n; k++)
            done[w->cells->order[k]] = 1;
        rg_node_cells_leave(w->cells);
    }
    return status;
}

/* A key that no graph has whose marks were computed: a trace of no marks, and what follows. */
static rg_status give_up(mark_walk *w, uint32_t n_nodes)
{
    uint32_t key = 0;
    rg_status status = RG_OK;
    w->out->capped = true;
    for (uint32_t level = 0; !status && level < w->most; level++)
        status = number_of(&key, w, level, &key, 1);
    for (uint32_t i = 0; i < n_nodes; i++)
        w->out->top[i] = key;
    return status;
}

rg_status rg_power_marks(rg_power *out, const rg_power_task *task, rg_power_space *space,
                         rg_error *err)
{
    rg_power power = {0};
    mark_walk w = {.space = space,
                   .cells = &space->cells,
                   .out = &power,
                   .most = task->marks,
                   .smallest = task->smallest,
                   .budget = task->budget,
                   .cancel = task->cancel,
                   .err = err};
    rg_status status = rg_power_begin(&power, task, task->marks, 1, space, err);
    if (!status)
        status = walk(&w, task);
    if (!status && spent(&w)) { /* the keys so far depend on the order of nodes */
        rg_power_drop(&power);
        status = rg_power_begin(&power, task, task->marks, 1, space, err);
        if (!status)
            status = give_up(&w, task->graph.n_nodes);
    }
    if (status)
        rg_power_drop(&power);
    else
        *out = power;
    return status;
}
