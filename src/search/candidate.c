/* candidate.c - see candidate.h: axes, the space of a data set, drawing. */
#include "candidate.h"

#include "base/random.h"
#include "regula/property.h"

#include <string.h>

enum { DRAWS_MAX = 200, SAMPLE_GRAPHS = 200, REACH_MAX = 15 };

/* A choice, and how often it is drawn on sets with and without node labels. */
typedef struct weighted_choice {
    const char *text;
    double value;
    double labelled, bare;
} weighted_choice;

typedef struct axis {
    const char *name;
    weighted_choice choices[RG_CHOICES_MAX];
} axis;

static const axis axes[RG_AXES] = {
    [RG_AXIS_LABELS] = {"labels",
                        {[RG_LABELS_WL_NODE] = {"wl of node labels", 0, 6, 0},
                         [RG_LABELS_WL_BONDS] = {"wl of node labels and bonds", 0, 2, 0},
                         [RG_LABELS_WL_CYCLES] = {"wl of node labels and cycles", 0, 1.5, 0},
                         [RG_LABELS_WL_DEGREE] = {"wl of degrees", 0, 2, 3},
                         [RG_LABELS_NODE_CYCLES] = {"node labels and cycles", 0, 1.5, 0},
                         [RG_LABELS_NODE] = {"node labels", 0, 1, 0},
                         [RG_LABELS_CYCLES] = {"cycles", 0, 0.5, 2},
                         [RG_LABELS_DEGREE] = {"degrees", 0, 0.3, 1.5},
                         [RG_LABELS_PATTERNS] = {"small patterns", 0, 0.3, 4},
                         [RG_LABELS_CLIQUES] = {"cliques", 0, 0, 4}}},
    [RG_AXIS_DEPTH] = {"depth", {{"1", 1, 2, 3}, {"2", 2, 3, 3}, {"3", 3, 2, 1}}},
    [RG_AXIS_BOUND] = {"bound",
                       {{"100", 100, 1, 1},
                        {"500", 500, 3, 3},
                        {"1000", 1000, 2, 2},
                        {"2000", 2000, 3, 1},
                        {"4000", 4000, 1.5, 1}}},
    [RG_AXIS_CYCLES] = {"longest cycle",
                        {{"5", 5, 0, 3}, {"6", 6, 2, 1}, {"8", 8, 1, 0}, {"10", 10, 2, 0}}},
    [RG_AXIS_REACH] = {"largest distance",
                       {{"1", 1, 1, 2},
                        {"2", 2, 1, 3},
                        {"3", 3, 2, 2},
                        {"4", 4, 1.5, 1},
                        {"6", 6, 2, 1},
                        {"8", 8, 1.5, 0.5},
                        {"10", 10, 3, 0.5},
                        {"12", 12, 1, 0},
                        {"15", 15, 2, 0.5}}},
    [RG_AXIS_LEAST] = {"least distance", {{"1", 1, 3, 3}, {"0", 0, 1.5, 1.5}}},
    [RG_AXIS_BONDS] = {"bond rule", {{"no", 0, 3, 3}, {"yes", 1, 1.5, 1.5}}},
    [RG_AXIS_LAYERS] = {"rule layers", {{"1", 1, 4, 4}, {"2", 2, 1, 1}}},
    [RG_AXIS_HEADS] = {"heads", {{"1", 1, 4, 4}, {"2", 2, 1, 1}, {"4", 4, 1, 1}}},
    [RG_AXIS_POOL] = {"aggregation",
                      {[RG_POOL_ALL] = {"the same, unbounded", 0, 4, 2},
                       [RG_POOL_SAME] = {"the same labels", 0, 2, 2},
                       [RG_POOL_CYCLES] = {"cycles", 0, 1, 2},
                       [RG_POOL_NODE] = {"node labels", 0, 0.7, 0}}},
    [RG_AXIS_RATE] = {"learning rate",
                      {{"0.05", 0.05, 2, 3},
                       {"0.02", 0.02, 3, 2},
                       {"0.01", 0.01, 1.5, 1},
                       {"0.005", 0.005, 1, 0.5}}},
    [RG_AXIS_BATCH] = {"batch", {{"128", 128, 3, 3}, {"64", 64, 1, 1}, {"32", 32, 1, 1}}},
    [RG_AXIS_DEPTHS] = {"depths in a layer", {{"one", 0, 2, 3}, {"all up to it", 1, 2, 1}}},
    [RG_AXIS_SCHEDULE] = {"schedule",
                          {{"step", 0, 2, 2},
                           {"cosine, 12 epochs", 12, 1, 1},
                           {"cosine, 8 epochs", 8, 1, 1}}},
    [RG_AXIS_DROPOUT] = {"dropout", {{"no", 0, 2, 2}, {"0.3", 0.3, 1, 1}}},
    [RG_AXIS_BEST] = {"best epoch by", {{"score", 0, 2, 2}, {"loss", 1, 1, 1}}},
    [RG_AXIS_INPUT] = {"attributes", {{"no", 0, 1, 1}, {"yes", 1, 3, 3}}},
};

#define NO RG_PICK_NONE

/* Picks in the order of the axes: models of the paper, then what an experiment found. */
static const rg_candidate labelled[] = {
    {{RG_LABELS_WL_DEGREE, 1, 1, NO, 6, 0, 0, 0, 0, RG_POOL_ALL, 0, 0}},        /* NCI1, NCI109 */
    {{RG_LABELS_WL_NODE, 1, 3, NO, 6, 0, 0, 0, 0, RG_POOL_ALL, 1, 0, 1, 2, 1}}, /* all depths */
    {{RG_LABELS_WL_CYCLES, 1, 3, 1, 6, 1, 0, 0, 0, RG_POOL_ALL, 1, 0, 1, 2, 1}},
    {{RG_LABELS_WL_NODE, 1, 1, NO, 6, 0, 0, 0, 0, RG_POOL_ALL, 0, 0}},     /* from node labels */
    {{RG_LABELS_WL_NODE, 1, 3, NO, 6, 0, 0, 0, 0, RG_POOL_ALL, 1, 0}},     /* more labels */
    {{RG_LABELS_WL_DEGREE, 1, 1, 3, 4, 0, 0, 0, 0, RG_POOL_CYCLES, 0, 0}}, /* DHFR */
    {{RG_LABELS_WL_DEGREE, 1, 1, NO, 2, 0, 0, 0, 0, RG_POOL_ALL, 0, 0}},   /* Mutagenicity */
    {{RG_LABELS_WL_NODE, 1, 2, NO, 8, 0, 0, 0, 0, RG_POOL_ALL, 1, 0}},     /* larger distances */
    {{RG_LABELS_WL_NODE, 1, 4, NO, 4, 1, 0, 0, 0, RG_POOL_ALL, 3, 0}},     /* and themselves */
    {{RG_LABELS_NODE, NO, NO, NO, 6, 0, 0, 0, 0, RG_POOL_SAME, 0, 0}},
};
static const rg_candidate bare[] = {
    {{RG_LABELS_PATTERNS, NO, 4, 0, 1, 0, 0, 0, 0, RG_POOL_CYCLES, 0, 0}}, /* IMDB-BINARY */
    {{RG_LABELS_PATTERNS, NO, 4, NO, 1, 0, 0, 0, 0, RG_POOL_SAME, 0, 0}},  /* IMDB-MULTI */
    {{RG_LABELS_CLIQUES, NO, 2, NO, 1, 1, 0, 0, 2, RG_POOL_SAME, 0, 0, 0, 0, 1, 1}},
    {{RG_LABELS_WL_DEGREE, 1, 1, NO, 1, 0, 0, 0, 0, RG_POOL_ALL, 0, 0}},
    {{RG_LABELS_DEGREE, NO, NO, NO, 1, 0, 0, 0, 0, RG_POOL_SAME, 0, 0}},
};

const char *rg_candidate_axis_name(rg_candidate_axis kind)
{
    return axes[kind].name;
}

const char *rg_candidate_choice(rg_candidate_axis kind, size_t pick)
{
    return pick < RG_CHOICES_MAX ? axes[kind].choices[pick].text : NULL;
}

double rg_candidate_value(rg_candidate_axis kind, size_t pick)
{
    return pick < RG_CHOICES_MAX ? axes[kind].choices[pick].value : 0;
}

/* ---- the space */

/* pairs[d]: pairs (i,j) at distance d or less, i = j included, in the whole set: from a sample. */
static rg_status count_pairs(double pairs[REACH_MAX + 1], const rg_dataset *data, rg_error *err)
{
    rg_property dist = {RG_PROPERTY_DIST, REACH_MAX};
    rg_property_space *space = NULL;
    size_t n = rg_dataset_n_graphs(data), n_seen = n < SAMPLE_GRAPHS ? n : SAMPLE_GRAPHS;
    memset(pairs, 0, (REACH_MAX + 1) * sizeof *pairs);
    rg_status status = rg_property_space_new(&space, &dist, data, err);
    for (size_t k = 0; !status && k < n_seen; k++) {
        size_t graph = k * n / n_seen;
        status = rg_property_space_graph(space, graph, err);
        for (uint32_t i = 0; !status && i < rg_dataset_graph(data, graph).n_nodes; i++) {
            rg_property_row row = rg_property_list(space, i, 0, REACH_MAX);
            for (size_t r = 0; r < row.n; r++)
                pairs[row.value[r]] += (double)n / (double)n_seen;
        }
    }
    for (size_t d = 1; d <= REACH_MAX; d++)
        pairs[d] += pairs[d - 1];
    rg_property_space_free(space);
    return status;
}

rg_status rg_candidate_space_make(rg_candidate_space *out, const rg_dataset *data, double max_pairs,
                                  rg_error *err)
{
    rg_candidate_space s = {.node_labels = rg_dataset_n_columns(data, RG_NODE_LABEL) > 0,
                            .edge_labels = rg_dataset_n_columns(data, RG_EDGE_LABEL) > 0,
                            .attributes = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE) > 0,
                            .classes = rg_dataset_n_columns(data, RG_CLASS) > 0,
                            .reach = 1};
    double pairs[REACH_MAX + 1];
    rg_status status = count_pairs(pairs, data, err);
    if (status)
        return status;
    for (size_t a = 0; a < RG_AXES; a++)
        for (size_t c = 0; c < RG_CHOICES_MAX && axes[a].choices[c].text; c++)
            s.weight[a][c] = s.node_labels ? axes[a].choices[c].labelled : axes[a].choices[c].bare;
    if (!s.edge_labels)
        s.weight[RG_AXIS_LABELS][RG_LABELS_WL_BONDS] = s.weight[RG_AXIS_BONDS][1] = 0;
    for (size_t c = 1; c < RG_CHOICES_MAX && axes[RG_AXIS_REACH].choices[c].text; c++) {
        size_t reach = (size_t)axes[RG_AXIS_REACH].choices[c].value;
        if (pairs[reach] > max_pairs)
            s.weight[RG_AXIS_REACH][c] = 0;
        else
            s.reach = (uint32_t)reach;
    }
    *out = s;
    return RG_OK;
}

/* ---- candidates */

static bool counts_cycles(const rg_candidate *c)
{
    uint8_t labels = c->pick[RG_AXIS_LABELS];
    return labels == RG_LABELS_WL_CYCLES || labels == RG_LABELS_NODE_CYCLES ||
           labels == RG_LABELS_CYCLES || c->pick[RG_AXIS_POOL] == RG_POOL_CYCLES;
}

/* Equal networks have equal picks, and no rule reaches further than the space allows. */
static void put_in_form(rg_candidate *c, const rg_candidate_space *space)
{
    uint8_t *pick = c->pick, labels = pick[RG_AXIS_LABELS];
    bool bounded = labels != RG_LABELS_NODE && labels != RG_LABELS_DEGREE;
    if (labels > RG_LABELS_WL_DEGREE)
        pick[RG_AXIS_DEPTH] = pick[RG_AXIS_DEPTHS] = RG_PICK_NONE;
    if (pick[RG_AXIS_SCHEDULE] > 0) /* the last epoch is the one */
        pick[RG_AXIS_BEST] = RG_PICK_NONE;
    if (!space->attributes)
        pick[RG_AXIS_INPUT] = RG_PICK_NONE;
    if (!bounded)
        pick[RG_AXIS_BOUND] = RG_PICK_NONE;
    if (!bounded && pick[RG_AXIS_POOL] == RG_POOL_ALL)
        pick[RG_AXIS_POOL] = RG_POOL_SAME;
    if (labels == RG_LABELS_NODE && pick[RG_AXIS_POOL] == RG_POOL_NODE)
        pick[RG_AXIS_POOL] = RG_POOL_SAME;
    if (labels == RG_LABELS_CYCLES && pick[RG_AXIS_POOL] == RG_POOL_CYCLES)
        pick[RG_AXIS_POOL] = RG_POOL_ALL;
    if (!counts_cycles(c))
        pick[RG_AXIS_CYCLES] = RG_PICK_NONE;
    if (!space->edge_labels)
        pick[RG_AXIS_BONDS] = RG_PICK_NONE;
    while (pick[RG_AXIS_REACH] > 0 &&
           rg_candidate_value(RG_AXIS_REACH, pick[RG_AXIS_REACH]) > space->reach)
        pick[RG_AXIS_REACH]--;
}

static uint8_t pick_of(const double weight[RG_CHOICES_MAX], double unit)
{
    double sum = 0;
    uint8_t last = 0;
    for (size_t k = 0; k < RG_CHOICES_MAX; k++)
        sum += weight[k];
    unit *= sum;
    for (uint8_t k = 0; k < RG_CHOICES_MAX; k++) {
        if (weight[k] <= 0)
            continue;
        last = k;
        unit -= weight[k];
        if (unit < 0)
            break;
    }
    return last;
}

static bool is_among(const rg_candidate *c, const rg_candidate *there, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (memcmp(c, &there[k], sizeof *c) == 0)
            return true;
    return false;
}

bool rg_candidate_draw(rg_candidate *out, const rg_candidate_space *space, uint64_t seed,
                       const rg_candidate *there, size_t n)
{
    const rg_candidate *first = space->node_labels ? labelled : bare;
    size_t n_first =
        space->node_labels ? sizeof labelled / sizeof *labelled : sizeof bare / sizeof *bare;
    for (size_t k = 0; k < n_first; k++) {
        rg_candidate c = first[k];
        put_in_form(&c, space);
        if (!is_among(&c, there, n)) {
            *out = c;
            return true;
        }
    }
    for (uint64_t draw = 0; draw < DRAWS_MAX; draw++) {
        rg_candidate c;
        for (size_t a = 0; a < RG_AXES; a++)
            c.pick[a] = pick_of(space->weight[a], rg_random_unit(seed, n, draw * RG_AXES + a));
        put_in_form(&c, space);
        if (!is_among(&c, there, n)) {
            *out = c;
            return true;
        }
    }
    return false;
}
