/* bench_load.c - how long reading a data set takes, and how much memory.
 *
 *   bench_load [--json] [--repeat N] [DATA ...]      default: archives in $REGULA_DATA
 *
 * In one run, best of N: (a) unpacking the archive with libarchive and counting its lines, (b)
 * rg_dataset_read. And the memory that reading needs beyond what the process had, relative to the
 * data set it makes; measured in a process of its own. */
#define _GNU_SOURCE
#include "regula/regula.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct result {
    const char *path;
    char name[64];
    double megabytes, lines, unpack, read, memory; /* seconds; memory: times the data set */
} result;

/* Processor time: both ways are one thread, and what else runs on the machine must not count. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void quit(const char *what, const char *why)
{
    fprintf(stderr, "bench_load: %s: %s\n", what, why);
    exit(1);
}

/* (a): every byte unpacked, every newline counted. */
static void count_lines(result *r)
{
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    archive_read_support_filter_all(archive);
    archive_read_support_format_all(archive);
    if (archive_read_open_filename(archive, r->path, 1 << 16) != ARCHIVE_OK)
        quit(r->path, archive_error_string(archive));
    uint64_t bytes = 0, lines = 0;
    int status;
    while ((status = archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
        const void *block;
        size_t n;
        la_int64_t offset;
        while ((status = archive_read_data_block(archive, &block, &n, &offset)) == ARCHIVE_OK) {
            const char *p = block, *end = p + n;
            while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
                lines++;
                p++;
            }
            bytes += n;
        }
        if (status != ARCHIVE_EOF)
            quit(r->path, archive_error_string(archive));
    }
    if (status != ARCHIVE_EOF)
        quit(r->path, archive_error_string(archive));
    archive_read_free(archive);
    r->megabytes = (double)bytes / 1e6;
    r->lines = (double)lines;
}

static rg_dataset *read_set(const result *r)
{
    rg_dataset *data = NULL;
    rg_error err = {""};
    if (rg_dataset_read(&data, r->path, NULL, &err))
        quit(r->path, err.message);
    return data;
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* The child starts with what this process has by now: to be called before anything was read, since
 * memory that was given back to the allocator would serve again and not be seen. */
static double measure_memory(const result *r)
{
    int ends[2];
    double times = -1;
    if (pipe(ends) != 0)
        quit("pipe", "failed");
    pid_t child = fork();
    if (child < 0)
        quit("fork", "failed");
    if (child == 0) {
        long before = peak_kilobytes();
        rg_dataset *data = read_set(r);
        double extra = 1024.0 * (double)(peak_kilobytes() - before);
        times = extra / (double)rg_dataset_bytes(data);
        rg_dataset_free(data);
        _exit(write(ends[1], &times, sizeof times) == sizeof times ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &times, sizeof times) != sizeof times)
        quit(r->path, "the measuring process failed");
    close(ends[0]);
    waitpid(child, NULL, 0);
    return times;
}

static void measure(result *r, int repeats)
{
    r->unpack = r->read = 1e9;
    for (int k = 0; k < repeats; k++) {
        double start = now();
        count_lines(r);
        double middle = now();
        rg_dataset *data = read_set(r);
        double end = now();
        snprintf(r->name, sizeof r->name, "%s", rg_dataset_name(data));
        rg_dataset_free(data);
        if (middle - start < r->unpack)
            r->unpack = middle - start;
        if (end - middle < r->read)
            r->read = end - middle;
    }
}

static void print(const result *r, int json, int last)
{
    if (json)
        printf(
            "  {\"name\": \"%s\", \"megabytes\": %.3f, \"lines\": %.0f, \"unpack_seconds\": %.6f, "
            "\"read_seconds\": %.6f, \"ratio\": %.3f, \"memory\": %.3f}%s\n",
            r->name, r->megabytes, r->lines, r->unpack, r->read, r->read / r->unpack, r->memory,
            last ? "" : ",");
    else
        printf("%-22s %9.2f %10.4f %10.4f %7.2f %8.2f\n", r->name, r->megabytes, r->unpack, r->read,
               r->read / r->unpack, r->memory);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"CSL.zip",           "MUTAG.zip",        "NCI1.zip",
                                        "NCI109.zip",        "Mutagenicity.zip", "DHFR.zip",
                                        "IMDB-BINARY.zip",   "PROTEINS.zip",     "ENZYMES.zip",
                                        "Snowflakes.zip",    "ZINC_alt.zip",     "DD.zip",
                                        "REDDIT-BINARY.zip", "ogbg-molhiv.zip",  "COLLAB.tar.zst"};
    enum { N_NAMES = sizeof names / sizeof *names };
    static char paths[N_NAMES][4096];
    const char *chosen[256];
    int n = 0, json = 0, repeats = 5;
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
        quit("nothing to do", "give archives, or set REGULA_DATA");
    if (json)
        printf("[\n");
    else
        printf("%-22s %9s %10s %10s %7s %8s\n", "name", "MB text", "unpack s", "read s", "ratio",
               "memory x");
    static result results[256];
    for (int k = 0; k < n; k++) {
        results[k].path = chosen[k];
        results[k].memory = measure_memory(&results[k]);
    }
    for (int k = 0; k < n; k++) {
        measure(&results[k], repeats);
        print(&results[k], json, k + 1 == n);
    }
    if (json)
        printf("]\n");
    return 0;
}
