/* bench_property.c - how long all rows of each property take, in times that reading the set takes.
 *
 *   bench_property [--json] [--repeat N] [DATA ...]      default: archives in $REGULA_DATA
 *
 * One thread, processor time, best of N, all in one run. `pairs` is how many a property lists. */
#define _GNU_SOURCE
#include "regula/regula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct property_job {
    const char *name;
    rg_property property;
    int64_t low, high;
} property_job;

static const property_job jobs[] = {
    {"dist in 1..3", {RG_PROPERTY_DIST, 3}, 1, 3},
    {"dist in 1..10", {RG_PROPERTY_DIST, 10}, 1, 10},
    {"edge", {RG_PROPERTY_EDGE, 0}, 1, 1},
    {"common", {RG_PROPERTY_COMMON, 0}, 1, INT64_MAX},
    {"same_cycle 6", {RG_PROPERTY_SAME_CYCLE, 6}, 1, 1},
    {"same_cycle 12", {RG_PROPERTY_SAME_CYCLE, 12}, 1, 1},
};
enum { N_JOBS = sizeof jobs / sizeof *jobs };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void quit(const char *what, const char *why)
{
    fprintf(stderr, "bench_property: %s: %s\n", what, why);
    exit(1);
}

/* All rows of all graphs; returns how many pairs they list. */
static uint64_t list_all(const property_job *j, const rg_dataset *data)
{
    rg_property_space *space = NULL;
    rg_error err = {""};
    uint64_t pairs = 0;
    if (rg_property_space_new(&space, &j->property, data, &err))
        quit(j->name, err.message);
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        if (rg_property_space_graph(space, g, &err))
            quit(j->name, err.message);
        uint32_t n = rg_dataset_graph(data, g).n_nodes;
        for (uint32_t i = 0; i < n; i++)
            pairs += rg_property_list(space, i, j->low, j->high).n;
    }
    rg_property_space_free(space);
    return pairs;
}

static double read_set(rg_dataset **data, const char *path, int repeats)
{
    double best = 1e9;
    for (int k = 0; k < repeats; k++) {
        rg_error err = {""};
        rg_dataset_free(*data);
        *data = NULL;
        double start = now();
        if (rg_dataset_read(data, path, NULL, &err))
            quit(path, err.message);
        double taken = now() - start;
        best = taken < best ? taken : best;
    }
    return best;
}

static void measure(const char *path, int repeats, int json, int last)
{
    rg_dataset *data = NULL;
    double load = read_set(&data, path, repeats);
    for (int j = 0; j < N_JOBS; j++) {
        double best = 1e9;
        uint64_t pairs = 0;
        for (int k = 0; k < repeats; k++) {
            double start = now();
            pairs = list_all(&jobs[j], data);
            double taken = now() - start;
            best = taken < best ? taken : best;
        }
        if (json)
            printf("  {\"name\": \"%s\", \"property\": \"%s\", \"pairs\": %llu, \"seconds\": %.6f, "
                   "\"read_seconds\": %.6f, \"ratio\": %.3f}%s\n",
                   rg_dataset_name(data), jobs[j].name, (unsigned long long)pairs, best, load,
                   best / load, last && j + 1 == N_JOBS ? "" : ",");
        else
            printf("%-20s %-14s %12llu %10.4f %10.4f %8.2f\n", rg_dataset_name(data), jobs[j].name,
                   (unsigned long long)pairs, best, load, best / load);
        fflush(stdout);
    }
    rg_dataset_free(data);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"NCI1.zip", "Mutagenicity.zip", "IMDB-BINARY.zip",
                                        "CSL.zip", "DD.zip"};
    enum { N_NAMES = sizeof names / sizeof *names };
    static char paths[N_NAMES][4096];
    const char *chosen[256];
    int n = 0, json = 0, repeats = 3;
    for (int k = 1; k < argc && n < 256; k++) {
        if (strcmp(argv[k], "--json") == 0)
            json = 1;
        else if (strcmp(argv[k], "--repeat") == 0 && k + 1 < argc)
            repeats = atoi(argv[++k]);
        else
            chosen[n++] = argv[k];
    }
    const char *folder = getenv("REGULA_DATA");
    for (int k = 0, given = n; !given && folder && k < N_NAMES; k++) {
        snprintf(paths[k], sizeof paths[k], "%s/%s", folder, names[k]);
        if (access(paths[k], R_OK) == 0)
            chosen[n++] = paths[k];
    }
    if (n == 0 || repeats < 1)
        quit("nothing to do", "give data sets, or set REGULA_DATA");
    if (json)
        printf("[\n");
    else
        printf("%-20s %-14s %12s %10s %10s %8s\n", "name", "property", "pairs", "seconds", "read s",
               "ratio");
    for (int k = 0; k < n; k++)
        measure(chosen[k], repeats, json, k + 1 == n);
    if (json)
        printf("]\n");
    return 0;
}
