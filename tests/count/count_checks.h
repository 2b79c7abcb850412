/* count_checks.h - what counts of cycles and of cliques have in common: caps, and all small graphs. */
#ifndef REGULA_TESTS_COUNT_COUNT_CHECKS_H
#define REGULA_TESTS_COUNT_COUNT_CHECKS_H

#include "support/graphs.h"

#include "count/count.h"

enum { COUNT_NODES = 64, COUNT_DIMS = 8 }; /* the largest graphs of the tests; sizes 3 .. 10 */

/* Counts of every node, COUNT_DIMS each. `option`: induced cycles, maximal cliques. */
typedef void count_function(int64_t *out, test_graph *s, bool option, uint64_t budget, bool *capped,
                            rg_count_space *space);

/* How many counts had a cap, and how many of those were known for the smallest size. */
typedef struct count_caps {
    size_t capped, partly;
} count_caps;

/* Renumbering the nodes by `seed` renumbers the counts and nothing else, for budgets up to the largest, each
 * more than the one before by its n-th part: a size is capped for all nodes or none, and what is not capped
 * is exact. */
void count_assert_caps(count_caps *caps, count_function *count, test_graph *s, uint64_t seed,
                       uint64_t largest, uint64_t part, rg_count_space *space);

/* Calls visit for every graph of 1 to 7 nodes; false if nauty's geng, which lists them, is not there. */
bool count_each_small_graph(void (*visit)(test_graph *s, void *context), void *context);

/* Entries of the fast and the slow way are equal; `what` and `option` say whose they are if not. */
void count_assert_equal(const int64_t *fast, const int64_t *slow, size_t n, const char *what,
                        bool option);

#endif
