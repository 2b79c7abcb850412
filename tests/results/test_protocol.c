/* test_protocol.c - from runs to published numbers, worked out by hand. test_protocol_twin.c
 * compares protocols with a second implementation. */
#include "made_up_runs.h"

/* Configurations 0 and 1 on three folds, two runs. Means on the validation parts: .7 .9 .6 and .8
 * .8 .6, which is the same over all folds; losses .5 .3 .5 and .4 .4 .6. */
static const made_up_runs known = {
    .n_configurations = 2,
    .n_folds = 3,
    .n_runs = 2,
    .validation = {{{6, 8}, {9, 9}, {5, 7}}, {{8, 8}, {7, 9}, {6, 6}}},
    .loss = {{{4, 6}, {3, 3}, {4, 6}}, {{4, 4}, {4, 4}, {6, 6}}},
    .test = {{{5, 7}, {8, 8}, {4, 8}}, {{7, 9}, {6, 6}, {9, 7}}},
    .there = {{{1, 1}, {1, 1}, {1, 1}}, {{1, 1}, {1, 1}, {1, 1}}},
};

typedef struct protocol_answer {
    rg_protocol protocol;
    bool low;
    double mean, deviation, validation;
    uint32_t configuration;
    size_t n_ties;
    uint32_t folds[3];
} protocol_answer;

static void known_runs_give_known_numbers(void **state)
{
    (void)state;
    static const protocol_answer answers[] = {
        {RG_PROTOCOL_FAIR, false, 2.2 / 3, 0.11547005383792516, 2.3 / 3, 0, 1, {1, 0, 0}},
        {RG_PROTOCOL_FAIR, true, 0.6, 0, 2.1 / 3, 0, 1, {0, 1, 0}},
        {RG_PROTOCOL_GLOBAL, false, 2.0 / 3, 0.11547005383792516, 2.2 / 3, 0, 1, {0, 0, 0}},
        {RG_PROTOCOL_GLOBAL, true, 2.0 / 3, 0.11547005383792516, 2.2 / 3, 0, 1, {0, 0, 0}},
    };
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        const protocol_answer *a = &answers[k];
        made_up_runs t = known;
        t.low = a->low;
        rg_cells cells = made_up_cells(&t);
        rg_protocol_result r;
        ASSERT_OK(rg_protocol_run(&r, a->protocol, &cells, NULL, err));
        made_up_near(r.mean, a->mean);
        made_up_near(r.deviation, a->deviation);
        made_up_near(r.validation, a->validation);
        assert_int_equal(r.configuration, a->configuration);
        assert_int_equal(r.n_ties, a->n_ties);
        assert_true(r.whole);
        for (size_t f = 0; f < 3; f++)
            assert_int_equal(r.folds[f].configuration, a->folds[f]);
        rg_protocol_free(&r);
        rg_cells_free(&cells);
    }
}

static void cells_are_means_over_runs(void **state)
{
    (void)state;
    made_up_runs t = known;
    t.there[1][1][0] = false;
    t.failed[1][2][1] = true;
    t.there[0][2][0] = t.there[0][2][1] = false;
    rg_cells cells = made_up_cells(&t);
    assert_int_equal(rg_cells_whole(&cells), 4);
    const rg_cell *whole = &cells.at[0], *part = &cells.at[4], *failed = &cells.at[5];
    made_up_near(whole->validation, 0.7);
    made_up_near(whole->validation_loss, 0.5);
    made_up_near(whole->test, 0.6);
    made_up_near(whole->train, 1);
    made_up_near(whole->test_deviation, sqrt(0.02));
    made_up_near(whole->best_epoch, 1);
    assert_int_equal(part->n_runs, 1);
    assert_int_equal(failed->n_failed, 1);
    const rg_cell *unknown[] = {part, failed, &cells.at[2]};
    for (size_t k = 0; k < 3; k++)
        assert_true(isnan(unknown[k]->validation) && isnan(unknown[k]->test) &&
                    isnan(unknown[k]->test_deviation) && isnan(unknown[k]->best_epoch));
    rg_cells_free(&cells);
}

static void holdout_has_the_spread_of_the_runs(void **state)
{
    (void)state;
    made_up_runs t = known;
    rg_protocol_result r;
    rg_cells cells = made_up_cells(&t);
    ASSERT_REFUSED(rg_protocol_run(&r, RG_PROTOCOL_HOLDOUT, &cells, NULL, err), RG_EUSAGE,
                   "protocol 'holdout' is for one fold, and the experiment has 3");
    rg_cells_free(&cells);
    t.n_folds = 1;
    cells = made_up_cells(&t);
    ASSERT_OK(rg_protocol_run(&r, RG_PROTOCOL_HOLDOUT, &cells, NULL, err));
    assert_int_equal(r.configuration, 1);
    made_up_near(r.mean, 0.8);
    made_up_near(r.deviation, sqrt(0.02));
    rg_protocol_free(&r);
    rg_cells_free(&cells);
}

/* (.1 + .2 + .3) / 3 is another number than (.3 + .2 + .1) / 3. */
static void the_order_of_a_sum_breaks_no_tie(void **state)
{
    (void)state;
    made_up_runs t = {.n_configurations = 2,
                      .n_folds = 1,
                      .n_runs = 3,
                      .validation = {{{1, 2, 3}}, {{3, 2, 1}}},
                      .loss = {{{5, 5, 5}}, {{4, 4, 4}}},
                      .there = {{{1, 1, 1}}, {{1, 1, 1}}}};
    for (int low = 0; low < 2; low++) {
        t.low = low;
        rg_cells cells = made_up_cells(&t);
        rg_protocol_result r;
        assert_true(cells.at[0].validation != cells.at[1].validation);
        ASSERT_OK(rg_protocol_run(&r, RG_PROTOCOL_FAIR, &cells, NULL, err));
        assert_int_equal(r.configuration, 1);
        assert_int_equal(r.n_ties, 1);
        rg_protocol_free(&r);
        rg_cells_free(&cells);
    }
}

/* Mean curves of configuration 0: .5 .7 .8 and .6 .8 .6, so .55 .75 .7: the second epoch. Runs 1
 * stop after it. Configuration 1 has .75 in its first epoch, with the lower loss. */
static void curves_of_runs_that_stop_go_on(void **state)
{
    (void)state;
    made_up_runs t = {
        .n_configurations = 1,
        .n_folds = 2,
        .n_runs = 2,
        .there = {{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}},
        .n_epochs = {{{3, 2}, {3, 2}}, {{1, 1}, {1, 2}}},
        .curve = {{{{5, 7, 9}, {5, 7}}, {{6, 8, 4}, {6, 8}}}, {{{7}, {8}}, {{7}, {8, 8}}}},
        .curve_loss = {{{{5, 2, 2}, {5, 2}}, {{5, 2, 2}, {5, 2}}}, {{{1}, {1}}, {{1}, {1, 3}}}}};
    char *root = test_directory_make();
    for (uint32_t n = 1; n <= 2; n++) {
        char *directory = test_format("%s/%u", root, (unsigned)n);
        t.n_configurations = n;
        rg_store *store = made_up_store(directory, &t);
        rg_cells cells = made_up_cells(&t);
        rg_protocol_result r;
        ASSERT_OK(rg_protocol_run(&r, RG_PROTOCOL_GIN, &cells, store, err));
        assert_int_equal(r.epoch, n == 1 ? 2 : 1);
        assert_int_equal(r.configuration, n - 1);
        assert_int_equal(r.n_ties, n - 1);
        made_up_near(r.mean, 0.75);
        made_up_near(r.validation, 0.75);
        made_up_near(r.deviation, n == 1 ? sqrt(0.005) : 0);
        rg_protocol_free(&r);
        rg_cells_free(&cells);
        rg_store_close(store);
        free(directory);
    }
    test_directory_remove(root);
}

static rg_cells without_validation(uint32_t n_configurations, bool failed)
{
    rg_store_run runs[2];
    rg_cells cells;
    for (uint32_t c = 0; c < n_configurations; c++)
        runs[c] = (rg_store_run){.configuration = c,
                                 .run = {.epochs = 1,
                                         .best_epoch = !failed,
                                         .validation_score = NAN,
                                         .validation_loss = NAN,
                                         .test_score = 0.5}};
    ASSERT_OK(rg_cells_make(&cells, runs, n_configurations, n_configurations, 1, 1, false, err));
    return cells;
}

static void one_configuration_needs_no_validation_part(void **state)
{
    (void)state;
    static const rg_protocol protocols[] = {RG_PROTOCOL_FAIR, RG_PROTOCOL_GLOBAL,
                                            RG_PROTOCOL_HOLDOUT};
    for (size_t p = 0; p < 3; p++) {
        rg_protocol_result r;
        rg_cells one = without_validation(1, false), two = without_validation(2, false),
                 failed = without_validation(1, true);
        ASSERT_OK(rg_protocol_run(&r, protocols[p], &one, NULL, err));
        assert_true(r.mean == 0.5 && isnan(r.validation) && r.whole);
        rg_protocol_free(&r);
        ASSERT_REFUSED(rg_protocol_run(&r, protocols[p], &two, NULL, err), RG_EFAIL,
                       "': there is no validation set to select configurations on");
        ASSERT_REFUSED(rg_protocol_run(&r, protocols[p], &failed, NULL, err), RG_EFAIL,
                       "': no configuration has all its runs (1 of 1 cells are complete, and some "
                       "have runs that failed)");
        rg_cells_free(&one);
        rg_cells_free(&two);
        rg_cells_free(&failed);
    }
}

static void deviations_are_of_samples(void **state)
{
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    double mean, deviation;
    rg_mean_deviation(values, 8, &mean, &deviation);
    made_up_near(mean, 5);
    made_up_near(deviation, sqrt(32.0 / 7));
    rg_mean_deviation(values, 1, &mean, &deviation);
    assert_true(mean == 2 && deviation == 0);
    rg_mean_deviation(values, 0, &mean, &deviation);
    assert_true(isnan(mean));
}

/* ---- memory */

static rg_status run_all(void *context, rg_error *err)
{
    rg_store *store = context;
    rg_store_run *runs = NULL;
    rg_cells cells = {0};
    rg_protocol_result r = {.folds = NULL};
    size_t n = 0;
    rg_status status = rg_store_runs(&runs, &n, store, err);
    if (!status)
        status = rg_cells_make(&cells, runs, n, 2, 3, 2, false, err);
    for (int p = 0; !status && p < RG_PROTOCOL_HOLDOUT; p++) {
        status = rg_protocol_run(&r, (rg_protocol)p, &cells, store, err);
        if (!status)
            rg_protocol_free(&r);
    }
    rg_cells_free(&cells);
    rg_store_runs_free(runs, n);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    char *root = test_directory_make();
    made_up_runs t = known;
    rg_store *store = made_up_store(root, &t);
    assert_true(test_allocation_sweep(run_all, store) >= 10);
    rg_store_close(store);
    test_directory_remove(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_runs_give_known_numbers),
        cmocka_unit_test(cells_are_means_over_runs),
        cmocka_unit_test(holdout_has_the_spread_of_the_runs),
        cmocka_unit_test(the_order_of_a_sum_breaks_no_tie),
        cmocka_unit_test(curves_of_runs_that_stop_go_on),
        cmocka_unit_test(one_configuration_needs_no_validation_part),
        cmocka_unit_test(deviations_are_of_samples),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
