/* test_paper.c - the paper's tables in the library: published numbers, networks, experiments, and
 * what is read from a run directory or measured on data. */
#include "base/alloc.h"
#include "cli/reproduce/paper.h"
#include "jobs/run.h"
#include "support/stores.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Typed from the paper, apart from cli/reproduce/paper.c. NAN: "-". */
static const struct {
    const char *data, *title;
    double accuracy[2], parameters[3], best_epoch[2], epoch[2], distances, labels;
} printed[] = {
    {"NCI1", "NCI1", {82.8, 2.0}, {2500500, 4220}, {8.3, 5.3}, {377.1, 20.7}, 2.0, 11.9},
    {"NCI109", "NCI109", {83.2, 2.1}, {2500500, 4336}, {6.4, 2.9}, {386.7, 1.9}, 2.4, 13.2},
    {"Mutagenicity",
     "Mutagenicity",
     {81.5, 1.3},
     {750500, 4972},
     {10.1, 4.1},
     {575.8, 66.4},
     2.2,
     15.2},
    {"DHFR", "DHFR", {84.3, 3.2}, {1382880, 112}, {24.1, 14.6}, {44.4, 9.0}, 0.7, 3.1},
    {"IMDB-BINARY",
     "IMDB-BINARY",
     {75.4, 3.3},
     {963966, 990},
     {12.3, 4.6},
     {24.3, 0.9},
     0.2,
     206.5},
    {"IMDB-MULTI", "IMDB-MULTI", {52.0, 4.3}, {551775, 1578}, {7.7, 3.5}, {19.6, 1.3}, 0.2, 195.0},
    {"LongRings100", "LongRings", {99.0, 3.3}, {30, 18}, {195.2, 15.1}, {0.7, 0.2}, 6.6, NAN},
    {"EvenOddRings2_16",
     "EvenOddRings",
     {90.2, 7.2},
     {272, 272, 68},
     {177.1, 15.2},
     {1.2, 0.3},
     0.2,
     NAN},
    {"EvenOddRingsCount16",
     "EvenOddRingsCount",
     {100.0, 0.0},
     {272, 34},
     {200.0, 0.0},
     {0.5, 0.1},
     0.1,
     NAN},
    {"CSL", "CSL", {100.0, 0.0}, {8930, 950}, {50.0, 0.0}, {1.6, 0.0}, 0.1, 11.8},
    {"Snowflakes", "Snowflakes", {97.9, 3.2}, {90, 20}, {192.7, 18.9}, {0.5, 0.1}, 7.1, 116.8},
};

static void assert_number(const char *text, double number)
{
    if (!text)
        assert_true(isnan(number));
    else if (strtod(text, NULL) != number)
        fail_msg("%s is not %g", text, number);
}

static void assert_published(const rg_published *p, const double numbers[2])
{
    assert_number(p->mean, numbers[0]);
    assert_number(p->deviation, numbers[1]);
}

static void published_numbers_are_those_of_the_paper(void **state)
{
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    (void)state;
    assert_int_equal(n, COUNT(printed));
    for (size_t k = 0; k < n; k++) {
        assert_string_equal(rows[k].data, printed[k].data);
        assert_string_equal(rows[k].title, printed[k].title);
        assert_int_equal(rows[k].synthetic, k >= 6);
        assert_published(&rows[k].accuracy, printed[k].accuracy);
        assert_published(&rows[k].best_epoch, printed[k].best_epoch);
        assert_published(&rows[k].epoch, printed[k].epoch);
        assert_number(rows[k].distances, printed[k].distances);
        assert_number(rows[k].labels, printed[k].labels);
        for (size_t l = 0; l < RG_PAPER_LAYERS_MAX; l++) {
            assert_int_equal(rows[k].rules[l] != NULL, printed[k].parameters[l] > 0);
            if (rows[k].rules[l])
                assert_number(rows[k].parameters[l], printed[k].parameters[l]);
        }
    }
}

static void rows_are_found_by_either_name(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(printed); k++) {
        assert_ptr_equal(rg_paper_find(printed[k].data), rg_paper_find(printed[k].title));
        assert_string_equal(rg_paper_find(printed[k].title)->data, printed[k].data);
    }
    assert_ptr_equal(rg_paper_find("snowFLAKES"), rg_paper_find("Snowflakes"));
    assert_null(rg_paper_find("MUTAG"));
    assert_null(rg_paper_find(""));
}

static void networks_inside_are_those_of_the_examples(void **state)
{
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    (void)state;
    for (size_t k = 0; k < n; k++) {
        char *path = test_format("%s/examples/paper/%s.yml", REGULA_SOURCE, rows[k].data);
        char *text = test_read(path, NULL);
        assert_string_equal(rg_paper_network_text(&rows[k]), text);
        free(text);
        free(path);
    }
}

/* ---- the other rows */

static void other_rows_are_those_of_the_paper(void **state)
{
    static const struct {
        const char *name, *data, *mean, *deviation;
    } cases[] = {{"NoG", "NCI1", "69.2", "1.9"},
                 {"NoG", "LongRings", "30.17", "3.2"},
                 {"WL-Kernel", "IMDB-MULTI", "51.9", "5.6"},
                 {"wl-kernel", "LongRings", "100.0", "0.0"},
                 {"DGCNN (features)", "DHFR", "76.1", "3.4"},
                 {"GraphSAGE", "NCI109", "77.1", "1.8"},
                 {"GIN", "Snowflakes", "24.5", "2.2"},
                 {"GIN (features)", "IMDB-BINARY", "70.9", "3.8"},
                 {"GSN (paper)", "NCI1", "83.5", "2.3"},
                 {"CIN (paper)", "NCI109", "84.0", "1.6"},
                 {"SIN (paper)", "IMDB-MULTI", "52.4", "2.9"},
                 {"PIN (paper)", "IMDB-BINARY", "76.6", "2.9"},
                 {"PIN (paper)", "IMDB-MULTI", NULL, NULL},
                 {"GSN (paper)", "DHFR", NULL, NULL},
                 {"GSN (ours)", "NCI1", NULL, NULL},
                 {"GIN (features)", "CSL", NULL, NULL}};
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        const rg_paper_baseline *baseline = rg_paper_baseline_find(cases[k].name);
        assert_non_null(baseline);
        rg_published found = rg_paper_baseline_published(baseline, rg_paper_find(cases[k].data));
        assert_int_equal(found.mean != NULL, cases[k].mean != NULL);
        if (found.mean) {
            assert_string_equal(found.mean, cases[k].mean);
            assert_string_equal(found.deviation, cases[k].deviation);
        }
    }
    assert_null(rg_paper_baseline_find("RuleGNN"));
    assert_true(rg_paper_baseline_in(rg_paper_baseline_find("GSN (ours)"), false));
    assert_true(rg_paper_baseline_in(rg_paper_baseline_find("GSN (ours)"), true));
    assert_true(rg_paper_baseline_in(rg_paper_baseline_find("GIN (features)"), true));
    assert_true(rg_paper_baseline_in(rg_paper_baseline_find("GSN (paper)"), false));
    assert_false(rg_paper_baseline_in(rg_paper_baseline_find("GSN (paper)"), true));
}

/* Every row that is run has an experiment on every data set of its tables. */
static void other_rows_have_experiments(void **state)
{
    static const char *const overrides[] = {"runs=2", "training.epochs=3"};
    size_t n, n_rows;
    const rg_paper_baseline *all = rg_paper_baselines(&n);
    const rg_paper_row *rows = rg_paper_rows(&n_rows);
    (void)state;
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < n_rows; r++) {
            rg_experiment *e = NULL;
            char *text = NULL;
            if (!all[k].file || !rg_paper_baseline_in(&all[k], rows[r].synthetic))
                continue;
            ASSERT_OK(
                rg_paper_baseline_experiment(&e, &text, &all[k], &rows[r], overrides, 2, err));
            rg_experiment_info info = *rg_experiment_describe(e);
            assert_string_equal(info.data, rows[r].data);
            assert_true(info.runs == 2 && info.keep == RG_KEEP_NONE && info.n_protocols == 1);
            assert_int_equal(info.protocols[0], RG_PROTOCOL_GLOBAL);
            assert_true(info.n_configurations > 1 && all[k].grid);
            if (strcmp(all[k].file, "wl") == 0)
                assert_int_equal(info.n_configurations, 14 * 13);
            const char *recipe = rg_experiment_recipe(e, 0);
            assert_int_equal(strstr(recipe, "epochs: 3\n") != NULL, all[k].trained);
            assert_int_equal(strstr(recipe, "features: [auto, rule]\n") != NULL, all[k].features);
            rg_experiment_free(e);
            rg_free(text);
        }
}

static rg_status make_baseline(void *context, rg_error *err)
{
    rg_experiment *e = NULL;
    char *text = NULL;
    rg_status status = rg_paper_baseline_experiment(
        &e, &text, rg_paper_baseline_find("GIN (features)"), rg_paper_find("NCI1"), NULL, 0, err);
    (void)context;
    rg_experiment_free(e);
    rg_free(text);
    return status;
}

static void experiments_of_other_rows_survive_any_allocation_that_fails(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(make_baseline, NULL) > 100);
}

/* The one configuration of the published settings is the network file; a grid begins with the
 * printed rate and batch. */
static void experiments_have_the_settings_that_they_should(void **state)
{
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    (void)state;
    for (size_t k = 0; k < n; k++) {
        rg_experiment *plain = NULL, *chosen = NULL;
        rg_recipe *recipe = NULL;
        const char *network = rg_paper_network_text(&rows[k]);
        char *a = NULL, *b = NULL;
        ASSERT_OK(rg_paper_experiment(&plain, &a, &rows[k], RG_PAPER_PUBLISHED, NULL, 0, err));
        ASSERT_OK(rg_paper_experiment(&chosen, &b, &rows[k], RG_PAPER_CHOSEN, NULL, 0, err));
        ASSERT_OK(rg_recipe_parse(&recipe, "n", network, strlen(network), err));
        rg_experiment_info info = *rg_experiment_describe(plain);
        assert_int_equal(info.n_configurations, 1);
        assert_string_equal(rg_experiment_recipe(plain, 0), rg_recipe_text(recipe));
        assert_true(info.runs == 3 && info.seed == 1 && info.keep == RG_KEEP_NONE);
        assert_true(info.n_protocols == 1 && info.protocols[0] == RG_PROTOCOL_GLOBAL);
        assert_string_equal(info.data, rows[k].data);
        bool grid = rg_paper_has_grid(&rows[k]);
        assert_int_equal(grid, k >= 6 && strcmp(rows[k].data, "CSL") != 0);
        assert_int_equal(rg_experiment_describe(chosen)->n_configurations, grid ? 4 : 1);
        assert_int_equal(strcmp(a, b) == 0, !grid);
        assert_int_equal(info.starts_per_fold, grid);
        assert_false(rg_experiment_describe(chosen)->starts_per_fold);
        if (grid) {
            assert_string_equal(rg_experiment_choice(chosen, 0, 0), "lr=0.1");
            assert_string_equal(rg_experiment_choice(chosen, 0, 1), "batch=128");
            assert_string_equal(rg_experiment_choice(chosen, 3, 0), "lr=0.02");
        }
        rg_recipe_free(recipe);
        rg_experiment_free(plain);
        rg_experiment_free(chosen);
        rg_free(a);
        rg_free(b);
    }
}

static void overrides_that_are_none_are_refused(void **state)
{
    static const struct {
        const char *override;
        rg_status status;
        const char *words;
    } cases[] = {
        {"runs", RG_EUSAGE, "runs"},
        {"runs=x", RG_EDATA, "--set runs"},
        {"training.lrr=1", RG_EDATA, "did you mean 'lr'"},
        {"training.lr=0", RG_EDATA, "learning rate"},
    };
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        rg_experiment *experiment = NULL;
        char *text = NULL;
        ASSERT_REFUSED(rg_paper_experiment(&experiment, &text, rg_paper_find("CSL"),
                                           RG_PAPER_PUBLISHED, &cases[k].override, 1, err),
                       cases[k].status, cases[k].words);
        assert_true(!experiment && !text);
    }
}

/* ---- measuring */

static void networks_have_the_parameters_of_the_paper_on_generated_data(void **state)
{
    static const struct {
        const char *data;
        size_t n_layers;
        double possible[3];
    } cases[] = {{"LongRings", 2, {30, 18}},
                 {"EvenOddRings", 3, {272, 272, 68}},
                 {"EvenOddRingsCount", 2, {272, 34}},
                 {"CSL", 2, {110, 110}}, /* 8930 and 950 by labels that depend on node order */
                 {"Snowflakes", 2, {90, 20}}};
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        const rg_paper_row *row = rg_paper_find(cases[k].data);
        rg_dataset *data = NULL;
        rg_paper_size size;
        if (!test_in_sample(k))
            continue;
        ASSERT_OK(rg_dataset_generate(&data, row->generator, NULL, err));
        ASSERT_OK(rg_paper_measure(&size, row, data, err));
        assert_int_equal(size.n_layers, cases[k].n_layers);
        for (size_t l = 0; l < size.n_layers; l++) {
            assert_true(size.possible[l] == cases[k].possible[l]);
            assert_true(size.used[l] > 0 && (double)size.used[l] <= size.possible[l]);
        }
        assert_true(size.label_seconds > 0 && size.table_seconds > 0);
        rg_dataset_free(data);
    }
}

static rg_dataset *small_csl(void)
{
    rg_generate_options o = rg_generate_options_default();
    rg_dataset *data = NULL;
    o.n_graphs = 20;
    o.n_threads = 1;
    ASSERT_OK(rg_dataset_generate(&data, RG_CSL, &o, err));
    return data;
}

static rg_status measure(void *context, rg_error *err)
{
    rg_paper_size size;
    return rg_paper_measure(&size, rg_paper_find("CSL"), context, err);
}

static rg_status make_experiment(void *context, rg_error *err)
{
    rg_experiment *experiment = NULL;
    char *text = NULL;
    (void)context;
    rg_status status = rg_paper_experiment(&experiment, &text, rg_paper_find("Snowflakes"),
                                           RG_PAPER_CHOSEN, NULL, 0, err);
    if (!status) {
        rg_experiment_free(experiment);
        rg_free(text);
    }
    return status;
}

static void experiments_and_measures_survive_any_allocation_that_fails(void **state)
{
    rg_dataset *data = small_csl();
    (void)state;
    assert_true(test_allocation_sweep(make_experiment, NULL) > 10);
    assert_true(test_allocation_sweep(measure, data) > 10);
    rg_dataset_free(data);
}

/* ---- results */

/* Two configurations, three folds, two runs: the second has the better validation scores. */
static void fill_store(const char *directory)
{
    test_store_plan *t = test_store_plan_make(2, 3, 2, 2);
    rg_store *store = NULL;
    ASSERT_OK(rg_store_create(&store, NULL, directory, &t->plan, err));
    for (size_t j = 0; j < t->plan.n_jobs; j++) {
        const rg_store_job *job = &t->plan.jobs[j];
        rg_epoch epochs[2][4] = {{{0}}};
        rg_store_run runs[2];
        for (uint32_t r = 0; r < 2; r++) {
            for (uint32_t e = 0; e < 4; e++)
                epochs[r][e] = (rg_epoch){.number = e + 1, .validation_score = 0.5};
            runs[r] = (rg_store_run){.configuration = job->configuration,
                                     .fold = job->fold,
                                     .epochs = epochs[r],
                                     .run = {.number = r,
                                             .epochs = 4,
                                             .best_epoch = 1 + r,
                                             .validation_score = 0.5 + 0.2 * job->configuration,
                                             .test_score = 0.6 + 0.1 * job->fold + 0.02 * r}};
        }
        rg_store_outcome outcome = {.state = RG_JOB_DONE,
                                    .build_seconds = 1,
                                    .seconds = 3,
                                    .cpu_seconds = 2,
                                    .peak_rss = 1000 + j};
        ASSERT_OK(rg_store_put_job(store, j, &outcome, runs, err));
    }
    rg_store_close(store);
    test_store_plan_free(t);
}

static rg_status read_result(void *context, rg_error *err)
{
    rg_paper_result result;
    rg_status status = rg_paper_result_read(&result, context, err);
    if (!status)
        rg_paper_result_free(&result);
    return status;
}

static void results_are_means_over_runs_then_over_folds(void **state)
{
    char *root = test_directory_make(), *run = test_format("%s/run", root);
    rg_paper_result r;
    (void)state;
    fill_store(run);
    ASSERT_OK(rg_paper_result_read(&r, run, err));
    assert_true(fabs(r.mean - 71) < 1e-9);      /* 61, 71, 81 */
    assert_true(fabs(r.deviation - 10) < 1e-9); /* n - 1 */
    assert_true(fabs(r.validation - 70) < 1e-9);
    assert_true(r.best_epoch == 1.5 && r.best_epoch_deviation == 0);
    assert_true(fabs(r.epoch_seconds - 6 / 24.0) < 1e-12); /* 3 jobs of 2 runs of 4 epochs */
    assert_true(r.cpu_seconds == 12 && r.peak_rss == 1005);
    assert_true(r.n_configurations == 2 && r.n_folds == 3 && r.n_runs == 2 && r.n_failed == 0);
    char digest[RG_DIGEST_TEXT];
    test_store_digest(digest, run);
    assert_string_equal(r.digest, digest);
    rg_paper_result_free(&r);
    assert_true(test_allocation_sweep(read_result, run) > 5);
    ASSERT_REFUSED(read_result(root, err), RG_EIO, "store.sqlite");
    free(run);
    test_directory_remove(root);
}

/* ---- the whole, small */

static void a_row_is_done_from_its_experiment_to_its_result(void **state)
{
    static const char *const overrides[] = {"runs=1", "folds=[0, 1]", "training.epochs=3"};
    const rg_paper_row *row = rg_paper_find("CSL");
    char *root = test_directory_make(), *run = test_format("%s/CSL", root), *text = NULL;
    rg_dataset *data = small_csl();
    rg_source source = {.graphs = data};
    rg_split_options o = rg_split_options_default();
    rg_splits *splits = NULL;
    rg_experiment *experiment = NULL;
    rg_run_options options = {.directory = run, .n_threads = 2};
    rg_run_report report;
    rg_paper_result r;
    (void)state;
    o.n_folds = 2;
    ASSERT_OK(rg_splits_make(&splits, data, &o, err));
    ASSERT_OK(rg_paper_experiment(&experiment, &text, row, RG_PAPER_CHOSEN, overrides,
                                  COUNT(overrides), err));
    ASSERT_OK(rg_experiment_run(&report, experiment, text, &source, "memory", splits, "made",
                                &options, err));
    assert_true(report.n_jobs == 2 && report.n_done == 2 && report.n_failed == 0);
    ASSERT_OK(rg_paper_result_read(&r, run, err));
    assert_true(r.n_folds == 2 && r.n_runs == 1 && r.n_configurations == 1);
    assert_true(r.mean >= 0 && r.mean <= 100 && r.best_epoch >= 1 && r.best_epoch <= 3);
    assert_true(r.epoch_seconds > 0 && r.peak_rss > 0);
    assert_string_equal(r.configuration, "");
    rg_paper_result_free(&r);
    rg_experiment_free(experiment);
    rg_splits_free(splits);
    rg_dataset_free(data);
    rg_free(text);
    free(run);
    test_directory_remove(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers_are_those_of_the_paper),
        cmocka_unit_test(rows_are_found_by_either_name),
        cmocka_unit_test(networks_inside_are_those_of_the_examples),
        cmocka_unit_test(experiments_have_the_settings_that_they_should),
        cmocka_unit_test(other_rows_are_those_of_the_paper),
        cmocka_unit_test(other_rows_have_experiments),
        cmocka_unit_test(experiments_of_other_rows_survive_any_allocation_that_fails),
        cmocka_unit_test(overrides_that_are_none_are_refused),
        cmocka_unit_test(networks_have_the_parameters_of_the_paper_on_generated_data),
        cmocka_unit_test(experiments_and_measures_survive_any_allocation_that_fails),
        cmocka_unit_test(results_are_means_over_runs_then_over_folds),
        cmocka_unit_test(a_row_is_done_from_its_experiment_to_its_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
