/* toy.h - small archives, made in memory, for a server to serve. */
#ifndef REGULA_TESTS_FETCH_TOY_H
#define REGULA_TESTS_FETCH_TOY_H

#include <stddef.h>

typedef struct test_member {
    const char *path, *text;
    const char *link; /* not NULL: a symbolic link to there */
} test_member;

/* A zip that is not compressed. Owned (free). */
void *test_zip(const test_member *members, size_t n_members, size_t *n);

/* The set TOY, two graphs, as TUDataset would pack it, with a README of 100,000 bytes that makes it
 * large enough to break off. Owned (free). */
void *download_archive(size_t *n);

#endif
