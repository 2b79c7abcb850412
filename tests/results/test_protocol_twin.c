/* test_protocol_twin.c - protocols against a slow second way in whole numbers, where equal is
 * equal. */
#include "base/random.h"
#include "made_up_runs.h"

/* ---- the slow way */

typedef struct expected {
    bool known, whole;
    size_t configuration[F], n_ties;
    uint32_t most_frequent, epoch;
    double tests[F]; /* what counts in each fold */
    double validation;
} expected;

static bool has_all(const made_up_runs *t, size_t c, size_t from, size_t to)
{
    bool all = true;
    for (size_t f = from; f < to; f++)
        for (size_t r = 0; r < t->n_runs; r++)
            all &= t->there[c][f][r] && !t->failed[c][f][r];
    return all;
}

static int sum(int what[F][R], const made_up_runs *t, size_t from, size_t to)
{
    int total = 0;
    for (size_t f = from; f < to; f++)
        for (size_t r = 0; r < t->n_runs; r++)
            total += what[f][r];
    return total;
}

/* (score, loss, number) is better than (score, loss, number). */
static bool beats(const made_up_runs *t, int a, int a_loss, size_t a_number, int b, int b_loss,
                  size_t b_number)
{
    if (a != b)
        return t->low ? a < b : a > b;
    return a_loss != b_loss ? a_loss < b_loss : a_number < b_number;
}

/* The one that no other beats. */
static bool pick(size_t *out, size_t *n_ties, made_up_runs *t, size_t from, size_t to)
{
    for (size_t c = 0; c < t->n_configurations; c++) {
        bool best = has_all(t, c, from, to);
        size_t ties = 0;
        int own = sum(t->validation[c], t, from, to), loss = sum(t->loss[c], t, from, to);
        for (size_t d = 0; d < t->n_configurations; d++) {
            int other = sum(t->validation[d], t, from, to);
            if (d == c || !has_all(t, d, from, to))
                continue;
            ties += other == own;
            best &= !beats(t, other, sum(t->loss[d], t, from, to), d, own, loss, c);
        }
        if (best) {
            *out = c;
            *n_ties += ties;
            return true;
        }
    }
    return false;
}

static expected expect_choice(made_up_runs *t, rg_protocol protocol)
{
    expected x = {.known = true, .whole = true};
    size_t votes[C] = {0};
    for (size_t c = 0; c < t->n_configurations; c++)
        x.whole &= has_all(t, c, 0, t->n_folds);
    if (protocol == RG_PROTOCOL_GLOBAL)
        x.known = pick(&x.configuration[0], &x.n_ties, t, 0, t->n_folds);
    for (size_t f = 0; f < t->n_folds && x.known; f++) {
        if (protocol == RG_PROTOCOL_GLOBAL)
            x.configuration[f] = x.configuration[0];
        else
            x.known = pick(&x.configuration[f], &x.n_ties, t, f, f + 1);
        if (!x.known)
            break;
        size_t c = x.configuration[f];
        votes[c]++;
        x.tests[f] = sum(t->test[c], t, f, f + 1) / 10.0 / t->n_runs;
        x.validation += sum(t->validation[c], t, f, f + 1) / 10.0 / t->n_runs / t->n_folds;
    }
    for (uint32_t c = 1; c < t->n_configurations; c++)
        if (votes[c] > votes[x.most_frequent])
            x.most_frequent = c;
    return x;
}

/* Score or loss of all runs of a configuration in one epoch; a run that is over stays as it was. */
static int at_epoch(int what[F][R][E], const made_up_runs *t, size_t c, size_t e, size_t from,
                    size_t to)
{
    int total = 0;
    for (size_t f = from; f < to; f++)
        for (size_t r = 0; r < t->n_runs; r++) {
            uint32_t n = t->n_epochs[c][f][r];
            total += what[f][r][e < n ? e : n - 1];
        }
    return total;
}

static expected expect_gin(made_up_runs *t)
{
    expected x = {.known = false, .whole = true};
    int best = 0, best_loss = 0, peak[C];
    bool usable[C] = {false};
    for (uint32_t c = 0; c < t->n_configurations; c++) {
        usable[c] = has_all(t, c, 0, t->n_folds);
        x.whole &= usable[c];
        for (uint32_t e = 0; e < E && usable[c]; e++) {
            int own = at_epoch(t->curve[c], t, c, e, 0, t->n_folds);
            int loss = at_epoch(t->curve_loss[c], t, c, e, 0, t->n_folds);
            peak[c] = e == 0 || (t->low ? own < peak[c] : own > peak[c]) ? own : peak[c];
            if (x.known && !beats(t, own, loss, 1, best, best_loss, 0))
                continue;
            x.known = true;
            best = own;
            best_loss = loss;
            x.most_frequent = c;
            x.epoch = e + 1;
        }
    }
    size_t c = x.most_frequent;
    for (size_t d = 0; d < t->n_configurations; d++)
        x.n_ties += x.known && d != c && usable[d] && peak[d] == best;
    for (size_t f = 0; f < t->n_folds && x.known; f++) {
        x.configuration[f] = c;
        x.tests[f] = at_epoch(t->curve[c], t, c, x.epoch - 1, f, f + 1) / 10.0 / t->n_runs;
        x.validation += x.tests[f] / t->n_folds;
    }
    return x;
}

/* The protocol says what was expected. */
static void compare(const made_up_runs *t, rg_protocol protocol, const expected *x, rg_store *store)
{
    rg_cells cells = made_up_cells(t);
    rg_protocol_result r;
    double mean = 0, squares = 0;
    if (!x->known) {
        ASSERT_REFUSED(rg_protocol_run(&r, protocol, &cells, store, err), RG_EFAIL,
                       "': no configuration has all its runs (");
        rg_cells_free(&cells);
        return;
    }
    ASSERT_OK(rg_protocol_run(&r, protocol, &cells, store, err));
    assert_int_equal(r.protocol, protocol);
    assert_int_equal(r.whole, x->whole);
    assert_int_equal(r.configuration, x->most_frequent);
    assert_int_equal(r.n_ties, x->n_ties);
    assert_int_equal(r.epoch, x->epoch);
    assert_int_equal(r.n_folds, t->n_folds);
    for (size_t f = 0; f < t->n_folds; f++) {
        assert_int_equal(r.folds[f].configuration, x->configuration[f]);
        made_up_near(r.folds[f].test, x->tests[f]);
        mean += x->tests[f] / t->n_folds;
    }
    for (size_t f = 0; f < t->n_folds; f++)
        squares += pow(x->tests[f] - mean, 2);
    made_up_near(r.mean, mean);
    if (protocol != RG_PROTOCOL_HOLDOUT)
        made_up_near(r.deviation, t->n_folds > 1 ? sqrt(squares / (t->n_folds - 1)) : 0);
    made_up_near(r.validation, x->validation);
    rg_protocol_free(&r);
    rg_cells_free(&cells);
}

/* ---- trials from a seed: few values, so that much is equal */

static void invent_run(made_up_runs *t, uint64_t s, size_t c, size_t f, size_t r)
{
    uint64_t k = 16 * ((c * F + f) * R + r);
    t->validation[c][f][r] = 5 + (int)rg_random_below(s, 1, k, 3);
    t->loss[c][f][r] = (int)rg_random_below(s, 2, k, 2);
    t->test[c][f][r] = (int)rg_random_below(s, 3, k, 11);
    t->there[c][f][r] = rg_random_below(s, 4, k, 40) > 0;
    t->failed[c][f][r] = rg_random_below(s, 5, k, 40) == 0;
    t->n_epochs[c][f][r] = 1 + rg_random_below(s, 6, k, E);
    for (size_t e = 0; e < E; e++) {
        t->curve[c][f][r][e] = 5 + (int)rg_random_below(s, 7, k + e, 3);
        t->curve_loss[c][f][r][e] = (int)rg_random_below(s, 8, k + e, 2);
    }
}

static made_up_runs invent(uint64_t s)
{
    made_up_runs t = {.n_configurations = 1 + rg_random_below(s, 0, 0, C),
                      .n_folds = 1 + rg_random_below(s, 0, 1, F),
                      .n_runs = 1 + rg_random_below(s, 0, 2, R),
                      .low = rg_random_below(s, 0, 3, 2)};
    for (size_t c = 0; c < C; c++)
        for (size_t f = 0; f < F; f++)
            for (size_t r = 0; r < R; r++)
                invent_run(&t, s, c, f, r);
    t.n_epochs[0][0][0] = E; /* so that curves have that length */
    return t;
}

static void choices_are_those_of_the_slow_way(void **state)
{
    (void)state;
    size_t n_known = 0, n_ties = 0;
    for (uint64_t s = 0; s < 3000; s++) {
        made_up_runs t = invent(s);
        static const rg_protocol protocols[] = {RG_PROTOCOL_FAIR, RG_PROTOCOL_GLOBAL,
                                                RG_PROTOCOL_HOLDOUT};
        for (size_t p = 0; p < (t.n_folds == 1 ? 3 : 2); p++) {
            expected x = expect_choice(&t, protocols[p]);
            compare(&t, protocols[p], &x, NULL);
            n_known += x.known;
            n_ties += x.n_ties > 0;
        }
    }
    assert_true(n_known > 3000 && n_ties > 1000);
}

static void curves_are_those_of_the_slow_way(void **state)
{
    (void)state;
    size_t n_known = 0, n_ties = 0;
    char *root = test_directory_make();
    for (uint64_t s = 0; s < 150; s++) {
        made_up_runs t = invent(s);
        char *directory = test_format("%s/%d", root, (int)s);
        t.there[0][0][0] = true;
        rg_store *store = made_up_store(directory, &t);
        expected x = expect_gin(&t);
        compare(&t, RG_PROTOCOL_GIN, &x, store);
        n_known += x.known;
        n_ties += x.n_ties > 0;
        rg_store_close(store);
        free(directory);
    }
    assert_true(n_known > 60 && n_ties > 10);
    test_directory_remove(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_those_of_the_slow_way),
        cmocka_unit_test(curves_are_those_of_the_slow_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
