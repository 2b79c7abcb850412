/* bench_load.c - how long reading a data set takes, and how much memory.
 *
 * In one run, best of N: (a) unpacking the archive with libarchive and counting its lines, (b)
 * rg_dataset_read. And the memory that reading needs beyond what unpacking alone takes, relative to
 * the data set it makes; measured in a process of its own. */
#define _GNU_SOURCE
#include "regula/regula.h"

#include <archive.h>
#include <archive_entry.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What reading may cost, from NCI1 (4 MB of text) up: below that, what every process needs once
 * outweighs the data. */
#define RATIO_MAX 3.0
#define MEMORY_MAX 4.0
#define MEGABYTES_MIN 4.0

static const char help[] =
    "Usage: bench_load [--json] [--repeat N] [ARCHIVE ...]\n"
    "\n"
    "Measures how long reading a data set takes, and how much memory.\n"
    "\n"
    "  ARCHIVE      packed data sets [default: a list of those in $REGULA_DATA]\n"
    "  --repeat N   measure N times and take the shortest time [default: 5]\n"
    "  --json       one JSON object a set, with all that was measured\n"
    "  --help       this text\n"
    "\n"
    "Columns: megabytes of text; seconds by the clock on the wall for unpacking the\n"
    "archive and counting its lines, and for reading the data set; their ratio; the same\n"
    "in processor time, which other programs disturb less; memory at its peak, beyond\n"
    "that of unpacking, in sizes of the data set. '!' marks what is above its limit.\n";

typedef struct result {
    const char *path;
    char name[64];
    double megabytes, lines, memory; /* memory: times the data set */
    double unpack, read;             /* seconds on the wall */
    double unpack_used, read_used;   /* processor seconds of all threads */
} result;

/* CLOCK_MONOTONIC: what somebody waits for. CLOCK_PROCESS_CPUTIME_ID: what all threads used. */
static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int counts(const result *r)
{
    return r->megabytes >= MEGABYTES_MIN;
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

/* Pages of programs and libraries that are in memory: code that runs for the first time is no
 * memory of the data. */
static long code_kilobytes(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "RssFile:", 8) == 0)
            kilobytes = strtol(line + 8, NULL, 10);
    if (file)
        fclose(file);
    return kilobytes;
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
        result unpacked = *r; /* libarchive's code and buffers are in memory after this */
        count_lines(&unpacked);
        long before = peak_kilobytes() - code_kilobytes();
        rg_dataset *data = read_set(r);
        double extra = 1024.0 * (double)(peak_kilobytes() - code_kilobytes() - before);
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

static void keep_smaller(double *least, double value)
{
    if (value < *least)
        *least = value;
}

static void measure(result *r, int repeats)
{
    r->unpack = r->read = r->unpack_used = r->read_used = 1e9;
    for (int k = 0; k < repeats; k++) {
        double wall = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
        count_lines(r);
        keep_smaller(&r->unpack, now(CLOCK_MONOTONIC) - wall);
        keep_smaller(&r->unpack_used, now(CLOCK_PROCESS_CPUTIME_ID) - used);
        wall = now(CLOCK_MONOTONIC);
        used = now(CLOCK_PROCESS_CPUTIME_ID);
        rg_dataset *data = read_set(r);
        keep_smaller(&r->read, now(CLOCK_MONOTONIC) - wall);
        keep_smaller(&r->read_used, now(CLOCK_PROCESS_CPUTIME_ID) - used);
        snprintf(r->name, sizeof r->name, "%s", rg_dataset_name(data));
        rg_dataset_free(data);
    }
}

static void print_json(const result *r, int last)
{
    double ratio = r->read / r->unpack;
    printf("  {\"name\": \"%s\", \"megabytes\": %.3f, \"lines\": %.0f, \"unpack_seconds\": %.6f, "
           "\"read_seconds\": %.6f, \"ratio\": %.3f, \"processor_ratio\": %.3f, "
           "\"memory\": %.3f, \"limits_apply\": %s, \"within_limits\": %s}%s\n",
           r->name, r->megabytes, r->lines, r->unpack, r->read, ratio,
           r->read_used / r->unpack_used, r->memory, counts(r) ? "true" : "false",
           ratio <= RATIO_MAX && r->memory <= MEMORY_MAX ? "true" : "false", last ? "" : ",");
}

static void print_row(const result *r)
{
    double ratio = r->read / r->unpack;
    printf("%-22s %9.2f %10.4f %10.4f %7.2f%c %9.2f %8.2f%c\n", r->name, r->megabytes, r->unpack,
           r->read, ratio, counts(r) && ratio > RATIO_MAX ? '!' : ' ',
           r->read_used / r->unpack_used, r->memory,
           counts(r) && r->memory > MEMORY_MAX ? '!' : ' ');
}

static void print_summary(const result *results, int n)
{
    int slow = 0, large = 0, limited = 0;
    for (int k = 0; k < n; k++) {
        limited += counts(&results[k]);
        slow += counts(&results[k]) && results[k].read / results[k].unpack > RATIO_MAX;
        large += counts(&results[k]) && results[k].memory > MEMORY_MAX;
    }
    printf(
        "\nLimits, from %.0f MB of text up: ratio %.0f, memory %.0f. Of %d such sets %d above the "
        "first, %d above the second.\n",
        MEGABYTES_MIN, RATIO_MAX, MEMORY_MAX, limited, slow, large);
}

int main(int argc, char **argv)
{
    /* The allocator learns from what is freed and would treat the tenth reading unlike the first;
     * this keeps it as it is in a new process. */
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
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
        if (strcmp(argv[k], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (strcmp(argv[k], "--json") == 0)
            json = 1;
        else if (strcmp(argv[k], "--repeat") == 0 && k + 1 < argc)
            repeats = atoi(argv[++k]);
        else if (argv[k][0] == '-')
            quit(argv[k], "no such option, or its value is missing (see --help)");
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
        printf("%-22s %9s %10s %10s %7s  %9s %8s\n", "name", "MB text", "unpack s", "read s",
               "ratio", "cpu ratio", "memory x");
    static result results[256];
    for (int k = 0; k < n; k++) {
        results[k].path = chosen[k];
        results[k].memory = measure_memory(&results[k]);
    }
    for (int k = 0; k < n; k++) {
        measure(&results[k], repeats);
        if (json)
            print_json(&results[k], k + 1 == n);
        else
            print_row(&results[k]);
        fflush(stdout);
    }
    if (json)
        printf("]\n");
    else
        print_summary(results, n);
    return 0;
}
