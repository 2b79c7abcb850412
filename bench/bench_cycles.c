/* bench_cycles.c - how long counting cycles and cliques takes, and how igraph does.
 *
 *   bench_cycles [FOLDER]      default: $REGULA_DATA
 *
 * One thread, processor time, one run. igraph counts with VF2 (igraph_count_subisomorphisms_vf2,
 * which only counts; attributing to nodes would take it longer), its totals must be ours. A set
 * that is not in the folder is left out; without igraph its column stays empty. */
#include "count/count.h"
#include "regula/regula.h"

#ifdef HAVE_IGRAPH
#include <igraph.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CYCLES, INDUCED, CLIQUES, MAXIMAL };

static const struct {
    const char *file;
    int kind;
    uint32_t min, max;
    double wanted; /* ratio to igraph that is asked for; 0: not compared */
} rows[] = {
    {"NCI1.zip", CYCLES, 3, 8, 30},        {"IMDB-BINARY.zip", CYCLES, 3, 3, 20},
    {"IMDB-BINARY.zip", CYCLES, 4, 4, 20}, {"NCI1.zip", CYCLES, 3, 10, 0},
    {"NCI1.zip", INDUCED, 3, 10, 0},       {"DHFR.zip", CYCLES, 3, 10, 0},
    {"CSL.zip", CYCLES, 3, 10, 0},         {"Snowflakes.zip", CYCLES, 3, 10, 0},
    {"IMDB-BINARY.zip", CYCLES, 3, 5, 0},  {"IMDB-BINARY.zip", INDUCED, 3, 5, 0},
    {"IMDB-MULTI.zip", CYCLES, 3, 5, 0},   {"IMDB-MULTI.zip", INDUCED, 3, 5, 0},
    {"DD.zip", CYCLES, 3, 6, 0},           {"REDDIT-BINARY.zip", CYCLES, 3, 5, 0},
    {"COLLAB.tar.zst", CYCLES, 3, 4, 0},   {"COLLAB.tar.zst", INDUCED, 3, 4, 0},
    {"IMDB-BINARY.zip", CLIQUES, 3, 6, 0}, {"IMDB-BINARY.zip", MAXIMAL, 3, 10, 0},
    {"COLLAB.tar.zst", CLIQUES, 3, 4, 0},  {"COLLAB.tar.zst", MAXIMAL, 3, 10, 0},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void quit(const char *what, const char *why)
{
    fprintf(stderr, "bench_cycles: %s: %s\n", what, why);
    exit(1);
}

/* Seconds; total[length]: sum over all nodes; *n_capped graphs. */
static double count_ours(uint64_t *total, size_t *n_capped, const rg_dataset *data, size_t row)
{
    uint32_t min = rows[row].min, max = rows[row].max, dims = max - min + 1;
    rg_count_space *space = rg_count_space_new();
    rg_error err = {""};
    size_t largest = 1;
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++)
        if (rg_dataset_graph(data, g).n_nodes > largest)
            largest = rg_dataset_graph(data, g).n_nodes;
    int64_t *out = malloc(largest * dims * sizeof *out);
    if (!space || !out)
        quit(rows[row].file, "out of memory");
    double start = now();
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        bool capped = false;
        const uint64_t budget = rg_label_options_default().budget;
        rg_status status = rows[row].kind >= CLIQUES
                               ? rg_count_cliques(out, &graph, max, rows[row].kind == MAXIMAL,
                                                  budget, &capped, space, &err)
                               : rg_count_cycles(out, &graph, min, max, rows[row].kind == INDUCED,
                                                 budget, &capped, space, &err);
        if (status)
            quit(rows[row].file, err.message);
        *n_capped += capped;
        for (size_t k = 0; k < (size_t)graph.n_nodes * dims; k++)
            if (out[k] != RG_CAPPED)
                total[min + k % dims] += (uint64_t)out[k];
    }
    double seconds = now() - start;
    free(out);
    rg_count_space_free(space);
    return seconds;
}

#ifdef HAVE_IGRAPH
static void graph_copy(igraph_t *out, const rg_graph *graph)
{
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, (igraph_integer_t)graph->n_arcs);
    igraph_integer_t k = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        for (uint64_t a = graph->row[i]; a < graph->row[i + 1]; a++)
            if (graph->col[a] > i) {
                VECTOR(edges)[k++] = i;
                VECTOR(edges)[k++] = graph->col[a];
            }
    igraph_create(out, &edges, graph->n_nodes, IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&edges);
}

/* Seconds, without making igraph's graphs. A cycle of length l is 2 l mappings of a ring, and it is
 * in our total once for each of its l nodes. */
static double count_igraph(const uint64_t *total, const rg_dataset *data, size_t row)
{
    double seconds = 0;
    uint64_t found[64] = {0};
    igraph_t ring[64];
    for (uint32_t length = rows[row].min; length <= rows[row].max; length++)
        igraph_ring(&ring[length], length, IGRAPH_UNDIRECTED, false, true);
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        igraph_t copy;
        graph_copy(&copy, &graph);
        double start = now();
        for (uint32_t length = rows[row].min; length <= rows[row].max; length++) {
            igraph_integer_t n = 0;
            if (length <= graph.n_nodes &&
                igraph_count_subisomorphisms_vf2(&copy, &ring[length], NULL, NULL, NULL, NULL, &n,
                                                 NULL, NULL, NULL) != IGRAPH_SUCCESS)
                quit(rows[row].file, "igraph failed");
            found[length] += (uint64_t)n;
        }
        seconds += now() - start;
        igraph_destroy(&copy);
    }
    for (uint32_t length = rows[row].min; length <= rows[row].max; length++) {
        igraph_destroy(&ring[length]);
        if (found[length] != 2 * total[length])
            quit(rows[row].file, "igraph counts other cycles");
    }
    return seconds;
}
#endif

static void run_row(const char *folder, size_t row)
{
    static const char *const kinds[] = {"cycles", "induced", "cliques", "maximal"};
    char path[4096];
    rg_dataset *data = NULL;
    rg_error err = {""};
    uint64_t total[64] = {0};
    size_t n_capped = 0;
    (void)snprintf(path, sizeof path, "%s/%s", folder, rows[row].file);
    if (access(path, R_OK) != 0)
        return;
    if (rg_dataset_read(&data, path, NULL, &err))
        quit(path, err.message);
    double ours = count_ours(total, &n_capped, data, row);
    printf("%-18s %-8s %2u..%-2u %8.3f", rows[row].file, kinds[rows[row].kind], rows[row].min,
           rows[row].max, ours);
#ifdef HAVE_IGRAPH
    if (rows[row].wanted > 0) {
        double theirs = count_igraph(total, data, row);
        printf(" %9.3f %8.1f %7.0f", theirs, theirs / ours, rows[row].wanted);
    } else
#endif
        printf(" %9s %8s %7s", "", "", "");
    printf(" %7zu\n", n_capped);
    fflush(stdout);
    rg_dataset_free(data);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : getenv("REGULA_DATA");
    if (!folder || !*folder)
        quit("no folder", "give one, or set REGULA_DATA");
    printf("%-18s %-8s %-6s %8s %9s %8s %7s %7s\n", "set", "count", "size", "regula s", "igraph s",
           "ratio", "wanted", "capped");
    for (size_t row = 0; row < N_ROWS; row++)
        run_row(folder, row);
    return 0;
}
