/* count_checks.c - see count_checks.h. */
#include "count_checks.h"

static void assert_renamed(const int64_t *a, const int64_t *b, const int64_t *exact, uint32_t n,
                           const uint32_t *order)
{
    for (uint32_t i = 0; i < n; i++)
        for (size_t d = 0; d < COUNT_DIMS; d++) {
            int64_t found = a[i * COUNT_DIMS + d];
            assert_true(found == b[order[i] * COUNT_DIMS + d]);
            assert_true((found == RG_CAPPED) == (a[d] == RG_CAPPED));
            if (found != RG_CAPPED)
                assert_true(found == exact[i * COUNT_DIMS + d]);
        }
}

static bool any_capped(const int64_t *counts, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (counts[k] == RG_CAPPED)
            return true;
    return false;
}

void count_assert_caps(count_caps *caps, count_function *count, test_graph *s, uint64_t seed,
                       uint64_t largest, uint64_t part, rg_count_space *space)
{
    enum { N = COUNT_NODES * COUNT_DIMS };
    uint32_t order[COUNT_NODES];
    test_order(order, s->n, seed);
    test_graph other = test_renamed(s, order);
    for (int option = 0; option < 2; option++) {
        int64_t a[N], b[N], exact[N];
        bool capped_a, capped_b;
        count(exact, s, option, UINT64_MAX, &capped_a, space);
        assert_false(capped_a);
        for (uint64_t budget = 0; budget < largest; budget += budget / part + 1) {
            count(a, s, option, budget, &capped_a, space);
            count(b, &other, option, budget, &capped_b, space);
            assert_int_equal(capped_a, capped_b);
            assert_int_equal(capped_a, any_capped(a, (size_t)s->n * COUNT_DIMS));
            assert_renamed(a, b, exact, s->n, order);
            caps->capped += capped_a;
            caps->partly += capped_a && a[0] != RG_CAPPED;
        }
    }
    test_graph_free(&other);
}

bool count_each_small_graph(void (*visit)(test_graph *s, void *context), void *context)
{
    static const size_t expected[] = {0, 1, 2, 4, 11, 34, 156, 1044};
    for (uint32_t n = 1; n <= 7; n++) {
        size_t found = test_each_graph(n, visit, context);
        if (n == 1 && !found)
            return false;
        assert_int_equal(found, expected[n]);
    }
    return true;
}

void count_assert_equal(const int64_t *fast, const int64_t *slow, size_t n, const char *what,
                        bool option)
{
    for (size_t k = 0; k < n; k++)
        if (fast[k] != slow[k])
            fail_msg("%s, option %d, entry %zu: %lld, expected %lld", what, option, k,
                     (long long)fast[k], (long long)slow[k]);
}
