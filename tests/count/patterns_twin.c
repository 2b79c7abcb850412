/* patterns_twin.c - see patterns_twin.h. */
#include "patterns_twin.h"

rg_dataset *patterns_dataset(const test_graph *graph, bool with_labels)
{
    return test_dataset(
        graph, 1, &(test_columns){.nodes = {.step = with_labels}, .edges = {.step = with_labels}});
}

typedef struct patterns_twin {
    const test_graph *graph;
    bool with_labels;
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
        words[a] = (uint64_t)t->map[a] << PATTERNS_MOST;
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
                    (t->with_labels && p->node_label[a] == t->graph->node[i]);
        for (unsigned b = 0; fine && b < a; b++) {
            int64_t joined = t->graph->joined[i * t->graph->n + t->map[b]];
            if (p->edge[a][b])
                fine = joined && (p->edge_label[a][b] == RG_ANY_LABEL ||
                                  (t->with_labels && p->edge_label[a][b] == joined - 1));
            else
                fine = i != t->map[b] && (!t->induced || !joined);
        }
        t->map[a] = i;
        if (fine)
            try_all_maps(t, a + 1);
    }
}

void patterns_by_hand(int64_t *out, const test_graph *graph, bool with_labels,
                      const rg_pattern *pattern, bool induced)
{
    patterns_twin t = {.graph = graph,
                       .with_labels = with_labels,
                       .pattern = pattern,
                       .induced = induced,
                       .out = out};
    memset(out, 0, graph->n * sizeof *out);
    try_all_maps(&t, 0);
    free(t.seen);
}
