/* bench_layout.c - how long layouts take, and how good they are.
 *
 *   bench_layout [--every K] [NAME ...]      data sets from $REGULA_DATA
 *
 * Of each set every K-th graph (20 unless told): seconds a graph, the slowest, edges that cross and
 * nodes in the way of edges a graph, the closest two nodes, and how far edges are from 1. */
#include "regula/regula.h"

#include "layout/layout_component.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct layout_tally {
    size_t n;
    double seconds, slowest, closest, spread, clutter, worst;
    size_t slowest_graph, worst_graph;
} layout_tally;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void quit(const char *message)
{
    fprintf(stderr, "bench_layout: %s\n", message);
    exit(1);
}

/* What the library says of clutter, for graphs where that takes no longer than the layout. */
static double clutter_of(const rg_graph *g, rg_point *points)
{
    rg_component part = {.n = g->n_nodes, .at = points};
    if (g->n_nodes > 500 || g->n_arcs > 3000)
        return 0;
    part.row = calloc(g->n_nodes + 1u, sizeof *part.row);
    part.col = calloc(g->n_arcs + 1u, sizeof *part.col);
    if (!part.row || !part.col)
        quit("out of memory");
    for (uint32_t i = 0; i <= g->n_nodes; i++)
        part.row[i] = (uint32_t)(g->row[i] - g->row[0]);
    for (uint64_t k = 0; k < g->n_arcs; k++)
        part.col[k] = g->col[g->row[0] + k];
    double clutter = rg_component_clutter(&part, NULL);
    free(part.row);
    free(part.col);
    return clutter;
}

static void look(layout_tally *t, const rg_graph *g, rg_point *points, size_t number)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        for (uint32_t j = i + 1; j < g->n_nodes; j++) {
            double d = rg_point_distance(points[i], points[j]);
            t->closest = d < t->closest ? d : t->closest;
        }
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
            sum += fabs(rg_point_distance(points[i], points[g->col[k]]) - 1);
    }
    double clutter = clutter_of(g, points);
    t->spread += g->n_arcs ? sum / (double)g->n_arcs : 0;
    t->clutter += clutter;
    if (clutter > t->worst) {
        t->worst = clutter;
        t->worst_graph = number;
    }
}

static void measure(const char *name, size_t every)
{
    rg_error err;
    rg_dataset *data = NULL;
    char *path = NULL;
    layout_tally t = {.closest = 1e9};
    if (rg_data_find(&path, name, &err) || rg_dataset_read(&data, path, NULL, &err))
        quit(err.message);
    for (size_t k = 0; k < rg_dataset_n_graphs(data); k += every) {
        rg_graph g = rg_dataset_graph(data, k);
        rg_point *points = calloc(g.n_nodes + 1u, sizeof *points);
        double start = now();
        if (!points || rg_graph_layout(points, &g, &err))
            quit(err.message);
        double seconds = now() - start;
        t.seconds += seconds;
        t.n++;
        if (seconds > t.slowest) {
            t.slowest = seconds;
            t.slowest_graph = k;
        }
        look(&t, &g, points, k);
        free(points);
    }
    double n = (double)t.n;
    printf("%-20s %6zu %10.5f %9.4f (%5zu) %8.2f %7.1f (%5zu) %8.3f %7.3f\n", name, t.n,
           t.seconds / n, t.slowest, t.slowest_graph, t.clutter / n, t.worst, t.worst_graph,
           t.closest, t.spread / n);
    fflush(stdout);
    rg_dataset_free(data);
    rg_text_free(path);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"DHFR",         "NCI1",        "MUTAG",  "Mutagenicity",
                                        "PROTEINS",     "IMDB-BINARY", "CSL",    "EvenOddRings2_16",
                                        "LongRings100", "Snowflakes",  "ENZYMES"};
    size_t every = 20;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--every") == 0) {
        every = (size_t)atoi(argv[2]);
        first = 3;
    }
    if (every < 1)
        quit("--every K: K is 1 or more");
    printf("%-20s %6s %10s %17s %8s %15s %8s %7s\n", "name", "graphs", "s a graph",
           "slowest (graph)", "clutter", "worst (graph)", "closest", "edges");
    if (first == argc) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            measure(names[k], every);
    }
    for (int k = first; k < argc; k++)
        measure(argv[k], every);
    return 0;
}
