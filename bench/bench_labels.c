/* bench_labels.c - how long labels take.
 *
 *   bench_labels [--threads N]      data sets from $REGULA_DATA
 *
 * In one run: (1) every labeling of the paper's models on its six real-world sets, in all to be
 * below 10 s; (2) wl(depth=2) on NCI1 against loading the set, to be at most 3 times; (3) time a
 * node from 100 to 40,000 graphs, to be flat. */
#include "regula/regula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned n_threads;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void quit(const char *message)
{
    fprintf(stderr, "bench_labels: %s\n", message);
    exit(1);
}

static rg_dataset *load(const char *name, double *seconds)
{
    rg_error err;
    rg_dataset *data = NULL;
    char *path = NULL;
    if (rg_data_find(&path, name, &err))
        quit(err.message);
    double start = now();
    if (rg_dataset_read(&data, path, NULL, &err))
        quit(err.message);
    if (seconds)
        *seconds = now() - start;
    rg_text_free(path);
    return data;
}

/* Seconds to fit and apply; *n: how many labels. */
static double label(const rg_dataset *data, const char *spec, uint32_t *n)
{
    rg_error err;
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    rg_label_options options = rg_label_options_default();
    options.n_threads = n_threads;
    double start = now();
    if (rg_labeling_fit(&labeling, &labels, spec, data, NULL, 0, &options, &err))
        quit(err.message);
    double seconds = now() - start;
    *n = rg_labeling_seen(labeling);
    if (rg_labels_n_capped(labels))
        quit("a count was capped");
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    return seconds;
}

static void paper_models(void)
{
    static const char *const rows[][2] = {
        {"NCI1", "wl(depth=2, from=degree, max=500)"},
        {"NCI1", "wl(depth=2, from=degree, max=50000)"},
        {"NCI109", "wl(depth=2, from=degree, max=500)"},
        {"NCI109", "wl(depth=2, from=degree, max=50000)"},
        {"Mutagenicity", "wl(depth=2, from=degree, max=500)"},
        {"Mutagenicity", "wl(depth=2, from=degree, max=50000)"},
        {"DHFR", "wl(depth=2, from=degree, max=500)"},
        {"DHFR", "cycles(kind=simple, max=10)"},
        {"IMDB-BINARY", "pattern(triangle, edge)"},
        {"IMDB-BINARY", "cycles(kind=induced, max=5)"},
        {"IMDB-MULTI", "pattern(triangle, edge)"},
    };
    double total = 0;
    printf("%-14s %-40s %8s %9s\n", "data", "labels", "how many", "seconds");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        rg_dataset *data = load(rows[k][0], NULL);
        uint32_t n;
        double seconds = label(data, rows[k][1], &n);
        total += seconds;
        printf("%-14s %-40s %8u %9.4f\n", rows[k][0], rows[k][1], n, seconds);
        rg_dataset_free(data);
    }
    printf("all of them: %.2f s (limit 10)\n\n", total);
}

static void against_loading(void)
{
    double best_load = 1e9, best_label = 1e9;
    for (int k = 0; k < 9; k++) {
        double seconds;
        uint32_t n;
        rg_dataset *data = load("NCI1", &seconds);
        best_load = seconds < best_load ? seconds : best_load;
        seconds = label(data, "wl(depth=2, from=degree)", &n);
        best_label = seconds < best_label ? seconds : best_label;
        rg_dataset_free(data);
    }
    printf("NCI1, wl(depth=2): load %.4f s, label %.4f s, ratio %.2f (limit 3)\n\n", best_load,
           best_label, best_label / best_load);
}

static double best_of(int n, const rg_dataset *data, const char *spec, uint32_t *n_labels)
{
    double best = 1e9;
    while (n-- > 0) {
        double seconds = label(data, spec, n_labels);
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* Snowflakes repeat few keys, as molecules do; in EvenOddRings nearly every node has a key of its
 * own, which is as bad as it gets. */
static void scaling(void)
{
    static const struct {
        rg_generator generator;
        const char *spec;
    } rows[] = {{RG_SNOWFLAKES, "wl(depth=3, from=node)"},
                {RG_SNOWFLAKES, "cycles(max=6)"},
                {RG_EVEN_ODD_RINGS, "wl(depth=3, from=node)"}};
    printf("%-14s %-24s %9s %9s %10s\n", "data", "labels", "graphs", "how many", "ns a node");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t n_graphs = 100; n_graphs <= 40000; n_graphs *= n_graphs == 10000 ? 4 : 10) {
            rg_generate_options options = rg_generate_options_default();
            rg_dataset *data = NULL;
            rg_error err;
            uint32_t n_labels;
            options.n_graphs = n_graphs;
            if (rg_dataset_generate(&data, rows[r].generator, &options, &err))
                quit(err.message);
            double seconds = best_of(n_graphs <= 1000 ? 15 : 5, data, rows[r].spec, &n_labels);
            printf("%-14s %-24s %9zu %9u %10.1f\n", rg_generator_name(rows[r].generator),
                   rows[r].spec, n_graphs, n_labels,
                   1e9 * seconds / (double)rg_dataset_n_nodes(data));
            rg_dataset_free(data);
        }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--threads") == 0)
        n_threads = (unsigned)strtoul(argv[2], NULL, 10);
    else if (argc != 1)
        quit("usage: bench_labels [--threads N]");
    if (!getenv("REGULA_DATA"))
        quit("needs REGULA_DATA");
    paper_models();
    against_loading();
    scaling();
    return 0;
}
