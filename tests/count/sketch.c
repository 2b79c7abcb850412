/* sketch.c - see sketch.h. */
#include "sketch.h"

#include "base/random.h"
#include "graph/raw.h"
#include "support/support.h"

#include <string.h>

rg_dataset *sketch_build(const sketch *s)
{
    rg_raw raw = {.n_graphs = 1};
    for (uint32_t i = 0; i < s->n; i++) {
        assert_true(rg_raw_add_node(&raw, 0));
        if (s->has_node_labels)
            *rg_int_rows_add(&raw.node_labels, 1) = s->node_label[i];
    }
    for (uint32_t k = 0; k < s->n_edges; k++) {
        assert_true(rg_raw_add_pair(&raw, s->edge[k][0], s->edge[k][1]));
        if (s->has_edge_labels)
            *rg_int_rows_add(&raw.edge_labels, 1) = s->edge_label[k];
    }
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

void sketch_connect(sketch *s, uint32_t a, uint32_t b, int64_t label)
{
    s->edge[s->n_edges][0] = a;
    s->edge[s->n_edges][1] = b;
    s->edge_label[s->n_edges++] = label;
}

sketch sketch_random(uint64_t seed, uint32_t n, double density, uint32_t n_labels)
{
    static sketch s;
    memset(&s, 0, sizeof s);
    s.n = n;
    s.has_node_labels = s.has_edge_labels = n_labels > 0;
    for (uint32_t i = 0; i < n; i++) {
        s.node_label[i] = n_labels ? rg_random_below(seed, 1, i, n_labels) : 0;
        for (uint32_t j = i + 1; j < n; j++)
            if (rg_random_unit(seed, 2, i * n + j) < density)
                sketch_connect(&s, i, j,
                               n_labels ? rg_random_below(seed, 3, i * n + j, n_labels) : 0);
    }
    return s;
}

/* ---- the twin: all maps, and the subgraphs they reach */

typedef struct patterns_twin {
    const sketch *graph;
    int64_t label[SKETCH_MOST][SKETCH_MOST]; /* INT64_MAX: no edge */
    const rg_pattern *pattern;
    bool induced;
    uint32_t map[RG_PATTERN_MAX];
    uint64_t (*seen)[RG_PATTERN_MAX]; /* subgraphs: a mask of neighbours a node of the map */
    size_t n_seen, capacity;
    int64_t *out;
} patterns_twin;

/* The image as sorted words "node, neighbours among the image", so that equal subgraphs compare
 * equal. */
static void note_subgraph(patterns_twin *t)
{
    uint64_t words[RG_PATTERN_MAX] = {0};
    unsigned n = t->pattern->n_nodes;
    for (unsigned a = 0; a < n; a++) {
        words[a] = (uint64_t)t->map[a] << SKETCH_MOST;
        for (unsigned b = 0; b < n; b++)
            if (t->pattern->edge[a][b])
                words[a] |= (uint64_t)1 << t->map[b];
    }
    for (unsigned a = 1; a < n; a++)
        for (unsigned b = a; b > 0 && words[b] < words[b - 1]; b--) {
            uint64_t word = words[b];
            words[b] = words[b - 1];
            words[b - 1] = word;
        }
    for (size_t k = 0; k < t->n_seen; k++)
        if (memcmp(t->seen[k], words, sizeof words) == 0)
            return;
    if (t->n_seen == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->seen = realloc(t->seen, t->capacity * sizeof *t->seen);
        assert_non_null(t->seen);
    }
    memcpy(t->seen[t->n_seen++], words, sizeof words);
    for (unsigned a = 0; a < n; a++)
        t->out[t->map[a]]++;
}

static void try_all_maps(patterns_twin *t, unsigned a)
{
    const rg_pattern *p = t->pattern;
    if (a == p->n_nodes) {
        note_subgraph(t);
        return;
    }
    for (uint32_t i = 0; i < t->graph->n; i++) {
        bool fine = p->node_label[a] == RG_ANY_LABEL ||
                    (t->graph->has_node_labels && p->node_label[a] == t->graph->node_label[i]);
        for (unsigned b = 0; fine && b < a; b++) {
            int64_t label = t->label[i][t->map[b]];
            if (p->edge[a][b])
                fine = label != INT64_MAX &&
                       (p->edge_label[a][b] == RG_ANY_LABEL ||
                        (t->graph->has_edge_labels && p->edge_label[a][b] == label));
            else
                fine = i != t->map[b] && (!t->induced || label == INT64_MAX);
        }
        t->map[a] = i;
        if (fine)
            try_all_maps(t, a + 1);
    }
}

void sketch_count(int64_t *out, const sketch *graph, const rg_pattern *pattern, bool induced)
{
    patterns_twin t = {.graph = graph, .pattern = pattern, .induced = induced, .out = out};
    memset(out, 0, graph->n * sizeof *out);
    for (uint32_t i = 0; i < SKETCH_MOST; i++)
        for (uint32_t j = 0; j < SKETCH_MOST; j++)
            t.label[i][j] = INT64_MAX;
    for (uint32_t k = 0; k < graph->n_edges; k++) {
        const uint32_t *e = graph->edge[k];
        t.label[e[0]][e[1]] = t.label[e[1]][e[0]] = graph->edge_label[k];
    }
    try_all_maps(&t, 0);
    free(t.seen);
}
