/* bench_digest.c - SHA-256 of the library beside libmd's, in one run. */
#define _GNU_SOURCE
#include "base/digest.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "Usage: bench_digest [--help]\n"
    "\n"
    "Measures SHA-256 over 64 MB, five times in turn, and prints the shortest processor\n"
    "times of the library and of libmd, and their ratio.\n";

enum { MEGABYTES = 64, REPEATS = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double shortest(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        fputs(help, strcmp(argv[1], "--help") ? stderr : stdout);
        return strcmp(argv[1], "--help") ? 2 : 0;
    }
    size_t n = (size_t)MEGABYTES << 20;
    unsigned char *bytes = malloc(n);
    if (!bytes)
        return 1;
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(k * 2654435761U >> 13);
    char ours[RG_DIGEST_TEXT], theirs[SHA256_DIGEST_STRING_LENGTH];
    double t_ours = 1e9, t_theirs = 1e9;
    for (int k = 0; k < REPEATS; k++) {
        double start = now();
        rg_digest digest;
        rg_digest_init(&digest);
        rg_digest_bytes(&digest, bytes, n);
        rg_digest_finish(&digest, ours);
        double middle = now();
        SHA256Data(bytes, n, theirs);
        t_ours = shortest(t_ours, middle - start);
        t_theirs = shortest(t_theirs, now() - middle);
    }
    free(bytes);
    printf("regula  %.3f s, %.0f MB/s\nlibmd   %.3f s, %.0f MB/s\nratio   %.1f\n", t_ours,
           MEGABYTES / t_ours, t_theirs, MEGABYTES / t_theirs, t_theirs / t_ours);
    if (strcmp(ours, theirs)) {
        fprintf(stderr, "bench_digest: found %s, libmd %s\n", ours, theirs);
        return 1;
    }
    return 0;
}
