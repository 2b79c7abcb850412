/* test_ensemble.c - several configurations that answer as one: members and weights by validation sets alone,
 * scores worked out by hand, and clear answers where there can be no ensemble. */
#include "base/alloc.h"
#include "results/calibrate.h"
#include "results/ensemble_data.h"
#include "results/results.h"
#include "results/stack.h"
#include "support/stores.h"
#include "support/support.h"

#include <math.h>

enum { ROWS = 4, MEMBERS = 3, FOLDS = 2 };

/* Probability of class 1 in tenths, [configuration][fold][row], the validation set first; what is right is class 0
 * of the rows 0 and 1, class 1 of the others. */
typedef struct made_up_ensemble {
    int said[MEMBERS][FOLDS][2][ROWS];
    double validation[MEMBERS][FOLDS]; /* scores that runs report */
    bool missing[MEMBERS][FOLDS], failed[MEMBERS][FOLDS];
    size_t width[MEMBERS]; /* 0: two */
    const char *score;
    bool one_class; /* on the test set of fold 1 */
    bool kernel;    /* configuration 2 is one */
} made_up_ensemble;

static const made_up_ensemble known = {
    .said = {{{{1, 2, 9, 8}, {1, 6, 9, 8}}, {{4, 4, 6, 6}, {6, 4, 6, 4}}},
             {{{4, 6, 6, 4}, {4, 3, 4, 9}}, {{1, 1, 9, 9}, {1, 1, 9, 9}}},
             {{{9, 9, 1, 1}, {1, 9, 5, 1}}, {{9, 1, 1, 9}, {9, 9, 4, 1}}}},
    .validation = {{1, 0.75}, {0.5, 1}, {0.25, 0.5}},
};

static void put_runs(rg_store *store, const made_up_ensemble *m)
{
    static const uint32_t samples[ROWS] = {7, 5, 3, 1};
    static const uint16_t right[ROWS] = {0, 0, 1, 1}, same[ROWS] = {1, 1, 1, 1};
    rg_epoch epoch = {.number = 1};
    size_t job = 0;
    for (uint32_t c = 0; c < MEMBERS; c++)
        for (uint32_t f = 0; f < FOLDS; f++, job++) {
            rg_store_outcome outcome = {.state = RG_JOB_DONE};
            size_t width = m->width[c] ? m->width[c] : 2;
            float numbers[2][ROWS * 3] = {{0}};
            for (size_t part = 0; part < 2; part++)
                for (size_t k = 0; k < ROWS; k++) {
                    numbers[part][k * width + 1] = (float)m->said[c][f][part][k] / 10;
                    numbers[part][k * width] = 1 - numbers[part][k * width + 1];
                }
            rg_store_prediction said[2] = {
                {.n_rows = ROWS, .width = width, .samples = samples, .numbers = numbers[0]},
                {.n_rows = ROWS, .width = width, .samples = samples, .numbers = numbers[1]}};
            rg_store_prediction target = {.n_rows = ROWS, .samples = samples, .classes = right};
            rg_store_prediction other = {
                .n_rows = ROWS, .samples = samples, .classes = m->one_class && f ? same : right};
            rg_store_run run = {.configuration = c,
                                .fold = f,
                                .run = {.epochs = 1,
                                        .best_epoch = !m->failed[c][f],
                                        .validation_score = m->validation[c][f],
                                        .test_score = 0.5},
                                .epochs = &epoch,
                                .prediction = &said[1],
                                .validation = &said[0],
                                .targets = {&target, &other}};
            if (!m->missing[c][f])
                ASSERT_OK(rg_store_put_job(store, job, &outcome, &run, err));
        }
}

typedef struct ensemble_setup {
    char *root;
    rg_store *store;
    rg_results r;
} ensemble_setup;

static ensemble_setup set_up(const made_up_ensemble *m, const char *ensembles)
{
    ensemble_setup s = {.root = test_directory_make()};
    test_store_plan *plan = test_store_plan_make(MEMBERS, FOLDS, 1, 1);
    char *resolved = test_format("data: TOY\n%s", ensembles);
    plan->experiment.resolved = resolved;
    plan->experiment.protocols = "fair global";
    plan->experiment.score = m->score;
    if (m->kernel)
        plan->configurations[2].recipe = "model: wl\nc: 1\n";
    ASSERT_OK(rg_store_create(&s.store, NULL, s.root, &plan->plan, err));
    put_runs(s.store, m);
    rg_store_close(s.store);
    s.store = NULL;
    test_store_plan_free(plan);
    free(resolved);
    return s;
}

static void look(ensemble_setup *s)
{
    ASSERT_OK(rg_store_open(&s->store, s->root, false, err));
    ASSERT_OK(rg_results_make(&s->r, s->store, NULL, 0, err));
}

static void tear_down(ensemble_setup *s)
{
    rg_results_free(&s->r);
    rg_store_close(s->store);
    test_directory_remove(s->root);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-9))
        fail_msg("%.17g is not %.17g", a, b);
}

static const rg_ensemble_result *find(const rg_results *r, rg_ensemble_kind kind,
                                      rg_protocol protocol)
{
    for (size_t k = 0; k < r->n_ensembles; k++)
        if (r->ensembles[k].ensemble.kind == kind && r->ensembles[k].protocol == protocol)
            return &r->ensembles[k];
    fail_msg("there is no such ensemble");
    return NULL;
}

static bool has_warning(const rg_results *r, const char *words)
{
    for (size_t k = 0; k < r->n_warnings; k++)
        if (strstr(r->warnings[k], words))
            return true;
    return false;
}

#define ALL "ensemble: [all, {top: 1}, {top: 2}, stack]\n"

static void means_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    ensemble_setup s = set_up(&known, ALL);
    look(&s);
    assert_int_equal(s.r.n_ensembles, 8);
    /* Test sums, fold 0: 6, 18, 18, 18 of 30: 3 right of 4. Fold 1: 16, 14, 19, 14: 2. */
    const rg_ensemble_result *all = find(&s.r, RG_ENSEMBLE_ALL, RG_PROTOCOL_FAIR);
    assert_true(all->known);
    assert_near(all->tests[0], 0.75);
    assert_near(all->tests[1], 0.5);
    assert_near(all->mean, 0.625);
    assert_near(all->deviation, 0.25 / sqrt(2));
    assert_int_equal(all->n_members, 3);
    /* Validation sums, fold 0: 14, 17, 16, 13; fold 1: 14, 6, 16, 24. */
    assert_near(all->validations[0], 0.5);
    assert_near(all->validations[1], 1);
    assert_near(all->validation, 0.75);
    /* Fair takes configuration 0 on fold 0 and 1 on fold 1, global 0 by its mean of 0.875. */
    const rg_ensemble_result *fair = find(&s.r, RG_ENSEMBLE_TOP, RG_PROTOCOL_FAIR);
    assert_near(fair->weights[0], 1);
    assert_near(fair->weights[MEMBERS + 1], 1);
    assert_near(fair->tests[0], 0.75);
    assert_near(fair->tests[1], 1);
    assert_int_equal(fair->n_members, 2);
    const rg_ensemble_result *global = find(&s.r, RG_ENSEMBLE_TOP, RG_PROTOCOL_GLOBAL);
    assert_near(global->weights[0], 1);
    assert_near(global->weights[MEMBERS], 1);
    assert_near(global->mean, 0.625);
    assert_int_equal(global->n_members, 1);
    tear_down(&s);
}

static void weights_are_learned_from_validation_sets_alone(void **state)
{
    (void)state;
    made_up_ensemble other = known;
    for (size_t c = 0; c < MEMBERS; c++)
        for (size_t f = 0; f < FOLDS; f++)
            for (size_t k = 0; k < ROWS; k++)
                other.said[c][f][1][k] = 10 - known.said[c][f][1][k];
    ensemble_setup s = set_up(&known, ALL), t = set_up(&other, ALL);
    look(&s);
    look(&t);
    for (size_t k = 0; k < s.r.n_ensembles; k++)
        assert_memory_equal(s.r.ensembles[k].weights, t.r.ensembles[k].weights,
                            FOLDS * MEMBERS * sizeof(double));
    const double *w = find(&s.r, RG_ENSEMBLE_STACK, RG_PROTOCOL_FAIR)->weights;
    assert_true(w[0] > w[1] && w[1] > w[2]); /* fold 0: 0 is right and sure */
    assert_true(w[MEMBERS + 1] > w[MEMBERS] && w[MEMBERS + 1] > 0.5); /* fold 1: 1 is */
    assert_near(w[0] + w[1] + w[2], 1);
    tear_down(&s);
    tear_down(&t);
}

static void members_are_those_with_all_runs(void **state)
{
    (void)state;
    made_up_ensemble m = known;
    m.missing[0][1] = true;
    m.failed[2][0] = true;
    ensemble_setup s = set_up(&m, "ensemble: all\n");
    look(&s);
    const rg_ensemble_result *all = find(&s.r, RG_ENSEMBLE_ALL, RG_PROTOCOL_GLOBAL);
    assert_true(all->known);
    assert_int_equal(all->n_members, 1);
    assert_near(all->weights[1], 1);
    assert_near(all->tests[0], 0.75);
    assert_true(has_warning(&s.r,
                            "ensemble 'all': 2 of 3 configurations have runs that are missing "
                            "or failed (configuration 0 on fold 2): they are no members"));
    tear_down(&s);
}

static void what_cannot_be_an_ensemble_is_told(void **state)
{
    (void)state;
    made_up_ensemble cases[] = {known, known, known};
    static const char *const words[] = {
        "no configuration has all its runs on all folds",
        "are of different kinds: configuration 1 predicts 3 numbers",
        "not defined on the test set of fold 1: it is empty, or of one class"};
    for (size_t c = 0; c < MEMBERS; c++)
        cases[0].missing[c][c % 2] = true;
    cases[1].width[1] = 3;
    cases[2].score = "roc-auc";
    cases[2].one_class = true;
    for (size_t k = 0; k < 3; k++) {
        ensemble_setup s = set_up(&cases[k], "ensemble: all\n");
        look(&s);
        assert_false(s.r.ensembles[0].known);
        assert_true(isnan(s.r.ensembles[0].mean));
        if (!has_warning(&s.r, words[k]))
            fail_msg("%s, expected %s", s.r.ensembles[0].why.message, words[k]);
        tear_down(&s);
    }
}

static void a_store_of_an_older_version_says_so(void **state)
{
    (void)state;
    ensemble_setup s = set_up(&known, "ensemble: all\n");
    test_store_sql(s.root, "DROP TABLE target; DROP TABLE validation");
    look(&s);
    assert_false(s.r.ensembles[0].known);
    assert_true(
        has_warning(&s.r, "run 0 of configuration 0 on fold 0 has no targets in the store"));
    tear_down(&s);
}

static void others_take_the_place_of_those_of_the_experiment(void **state)
{
    (void)state;
    static const rg_ensemble top = {.kind = RG_ENSEMBLE_TOP, .top = 2};
    made_up_ensemble m = known;
    m.missing[0][1] = true;
    ensemble_setup s = set_up(&m, "ensemble: all\n");
    look(&s);
    assert_true(has_warning(&s.r, "ensemble 'all'"));
    ASSERT_OK(rg_results_combine(&s.r, &top, 1, err));
    assert_int_equal(s.r.n_ensembles, 2);
    assert_false(has_warning(&s.r, "ensemble 'all'"));
    assert_true(has_warning(&s.r, "ensemble 'top 2'"));
    ASSERT_OK(rg_results_combine(&s.r, NULL, 0, err));
    assert_int_equal(s.r.n_ensembles, 0);
    tear_down(&s);
}

/* ---- weights and probabilities by themselves */

/* The likelihood of two members is largest where a slow search finds it. */
static void two_members_get_the_weights_of_a_slow_search(void **state)
{
    (void)state;
    enum { N = 400 };
    double first[2 * N], second[2 * N], *said[2] = {first, second}, best = -INFINITY, at = 0;
    uint16_t right[N];
    uint32_t samples[N] = {0};
    bool members[2] = {true, true};
    for (size_t k = 0; k < N; k++) { /* the first is right on three of four, the second on two */
        right[k] = (uint16_t)(k % 2);
        first[2 * k + right[k]] = k % 4 ? 0.9 : 0.2;
        second[2 * k + right[k]] = k % 3 ? 0.8 : 0.3;
        first[2 * k + 1 - right[k]] = 1 - first[2 * k + right[k]];
        second[2 * k + 1 - right[k]] = 1 - second[2 * k + right[k]];
    }
    for (double w = 0.0005; w < 1; w += 0.0005) {
        double sum = log(w) + log(1 - w); /* the prior */
        for (size_t k = 0; k < N; k++)
            sum += log(w * first[2 * k + right[k]] + (1 - w) * second[2 * k + right[k]]);
        at = sum > best ? w : at;
        best = sum > best ? sum : best;
    }
    rg_store_prediction target = {.n_rows = N, .samples = samples, .classes = right};
    rg_stack stack = {.n_members = 2};
    ASSERT_OK(rg_stack_add(&stack, &target, said, members, 2, 2, err));
    ASSERT_OK(rg_stack_learn(&stack, err));
    if (fabs(stack.weights[0] - at) > 0.002)
        fail_msg("%g, expected %g", stack.weights[0], at);
    rg_stack_free(&stack);
}

/* Two members whose errors have opposite signs: 1/3 and 2/3 make them cancel. */
static void values_get_the_weights_that_make_the_error_smallest(void **state)
{
    (void)state;
    enum { N = 60 };
    double first[N], second[N], *said[2] = {first, second};
    float right[N];
    uint32_t samples[N] = {0};
    bool members[2] = {true, true};
    for (size_t k = 0; k < N; k++) {
        right[k] = (float)k;
        first[k] = (double)k + 2 * (k % 2 ? 1 : -1);
        second[k] = (double)k - (k % 2 ? 1 : -1);
    }
    rg_store_prediction target = {.n_rows = N, .width = 1, .samples = samples, .numbers = right};
    rg_stack stack = {.n_members = 2, .values = true};
    ASSERT_OK(rg_stack_add(&stack, &target, said, members, 2, 1, err));
    ASSERT_OK(rg_stack_learn(&stack, err));
    if (fabs(stack.weights[0] - 1.0 / 3) > 0.01)
        fail_msg("%g, expected 1/3", stack.weights[0]);
    rg_stack_free(&stack);
}

static double log_loss(const double *p, const uint16_t *classes, size_t n, size_t width)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum -= log(p[k * width + classes[k]]);
    return sum / (double)n;
}

/* Three classes; the machine is right three times of four and always far too sure. */
static void sure_kernels_become_honest(void **state)
{
    (void)state;
    enum { N = 600, W = 3 };
    double validation[N * W], test[N * W], before;
    uint16_t classes[N];
    for (size_t k = 0; k < N; k++) {
        size_t said = k % W;
        classes[k] = (uint16_t)((k / W) % 4 ? said : (said + 1) % W);
        for (size_t c = 0; c < W; c++)
            validation[k * W + c] = test[k * W + c] = c == said ? 0.9998 : 0.0001;
    }
    before = log_loss(test, classes, N, W);
    ASSERT_OK(rg_calibrate(validation, classes, N, test, N, W, err));
    for (size_t k = 0; k < N; k++) {
        double sum = test[k * W] + test[k * W + 1] + test[k * W + 2];
        assert_near(sum, 1);
        if (fabs(test[k * W + k % W] - 0.75) > 0.02 ||
            fabs(validation[k * W + k % W] - 0.75) > 0.05)
            fail_msg("%g and %g, expected about 0.75", test[k * W + k % W],
                     validation[k * W + k % W]);
    }
    assert_true(log_loss(test, classes, N, W) < 0.8 && before > 2);
}

static void few_rows_change_nothing(void **state)
{
    (void)state;
    double validation[] = {0.9, 0.1, 0.2, 0.8}, test[] = {0.7, 0.3};
    uint16_t classes[] = {0, 1};
    ASSERT_OK(rg_calibrate(validation, classes, 2, test, 1, 2, err));
    assert_true(test[0] == 0.7 && validation[2] == 0.2);
    assert_true(rg_ensemble_is_kernel("model: wl-oa\nc: 1\n"));
    assert_true(rg_ensemble_is_kernel("model: linear\n"));
    assert_false(rg_ensemble_is_kernel("model: gin\nlayers: 2\n"));
    assert_false(rg_ensemble_is_kernel("layers:\n  - dense: auto\n"));
}

/* ---- memory */

static rg_status sweep(void *context, rg_error *err)
{
    ensemble_setup *s = context;
    rg_results r;
    rg_status status = rg_results_make(&r, s->store, NULL, 0, err);
    if (!status)
        rg_results_free(&r);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    made_up_ensemble m = known;
    m.kernel = true;
    ensemble_setup s = set_up(&m, ALL);
    ASSERT_OK(rg_store_open(&s.store, s.root, false, err));
    assert_true(test_allocation_sweep(sweep, &s) > 40);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_worked_out_by_hand),
        cmocka_unit_test(weights_are_learned_from_validation_sets_alone),
        cmocka_unit_test(members_are_those_with_all_runs),
        cmocka_unit_test(what_cannot_be_an_ensemble_is_told),
        cmocka_unit_test(a_store_of_an_older_version_says_so),
        cmocka_unit_test(others_take_the_place_of_those_of_the_experiment),
        cmocka_unit_test(two_members_get_the_weights_of_a_slow_search),
        cmocka_unit_test(values_get_the_weights_that_make_the_error_smallest),
        cmocka_unit_test(sure_kernels_become_honest),
        cmocka_unit_test(few_rows_change_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
