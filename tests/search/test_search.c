/* test_search.c - the search over rules: what it tries, what it may look at, and when it ends. */
/* threads */
#include "base/alloc.h"
#include "search/board.h"
#include "searches.h"
#include "support/networks.h"
#include "support/stores.h"
#include "train/recipe.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

static rg_search_result search(const rg_dataset *data, const rg_splits *splits,
                               const rg_search_options *options)
{
    rg_source source = {.graphs = data};
    rg_search_result result;
    ASSERT_OK(rg_search_run(&result, &source, splits, options, err));
    return result;
}

static void assert_same(double a, double b)
{
    assert_true(memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)));
}

/* All that was chosen, and what it was chosen by: the same bits. */
static void assert_same_choices(const rg_search_result *a, const rg_search_result *b)
{
    assert_int_equal(a->n_entries, b->n_entries);
    for (size_t k = 0; k < a->n_entries; k++) {
        assert_int_equal(a->entries[k].number, b->entries[k].number);
        assert_int_equal(a->entries[k].round, b->entries[k].round);
        assert_int_equal(a->entries[k].n_weights, b->entries[k].n_weights);
        assert_memory_equal(&a->entries[k].candidate, &b->entries[k].candidate,
                            sizeof(rg_candidate));
        assert_string_equal(a->entries[k].line, b->entries[k].line);
        assert_same(a->entries[k].mean, b->entries[k].mean);
        assert_same(a->entries[k].deviation, b->entries[k].deviation);
        assert_same(a->entries[k].loss, b->entries[k].loss);
        assert_same(a->entries[k].first, b->entries[k].first);
    }
    assert_same(a->winner.validation, b->winner.validation);
    assert_same(a->finalists.validation, b->finalists.validation);
}

/* ---- candidates */

static void check_candidates(const rg_dataset *data, const char *first, size_t most)
{
    rg_candidate_space space;
    rg_candidate all[120], again;
    size_t n = 0;
    ASSERT_OK(rg_candidate_space_make(&space, data, 1e9, err));
    for (; n < most && rg_candidate_draw(&all[n], &space, 5, all, n); n++) {
        char *text = NULL, *line = NULL;
        rg_recipe *recipe = NULL;
        for (size_t k = 0; k < n; k++)
            assert_memory_not_equal(&all[k], &all[n], sizeof *all);
        assert_true(rg_candidate_draw(&again, &space, 5, all, n));
        assert_memory_equal(&again, &all[n], sizeof again);
        ASSERT_OK(rg_candidate_text(&text, &space, &all[n], 12, 50, err));
        ASSERT_OK(rg_candidate_line(&line, &space, &all[n], err));
        ASSERT_OK(rg_recipe_parse(&recipe, line, text, strlen(text), err));
        bool cosine = strstr(text, "kind: cosine") != NULL; /* has epochs of its own */
        assert_true(rg_recipe_epochs(recipe) == 12 || (cosine && rg_recipe_epochs(recipe) == 8));
        assert_int_equal(strstr(text, "kind0") != NULL, strstr(line, "depths 0..") != NULL);
        assert_non_null(strstr(text, space.classes ? "preset: paper" : "labels:"));
        if (n == 0)
            assert_string_equal(line, first);
        if (!space.edge_labels)
            assert_null(strstr(text, "bond"));
        if (!space.node_labels)
            assert_null(strstr(text, "from=node"));
        rg_recipe_free(recipe);
        rg_free(line);
        rg_free(text);
    }
    assert_true(n == most);
}

static void candidates_differ_and_are_networks(void **state)
{
    (void)state;
    rg_dataset *data[] = {test_dataset_with_targets(30, 9, 1), test_dataset_bare(30, 9, 1),
                          searches_rings(20)};
    const char *of_paper = "wl(depth=2, from=degree, max=500), dist 1..10, out unbounded, lr 0.05";
    check_candidates(data[0], of_paper, 120);
    check_candidates(data[1],
                     "pattern(triangle, edge, max_labels=4000), dist 1..2, out "
                     "cycles(kind=induced, max=5), lr 0.05",
                     120);
    check_candidates(data[2], of_paper, 120);
    for (size_t k = 0; k < 3; k++)
        rg_dataset_free(data[k]);
}

static void rules_reach_no_further_than_pairs_allow(void **state)
{
    (void)state;
    /* 160 nodes with 1, 2, 2, 2, 1 nodes at distance 0 .. 4 */
    rg_dataset *data = searches_rings(20);
    static const struct {
        double pairs;
        uint32_t reach;
    } cases[] = {{1e9, 15}, {160 * 8, 15}, {160 * 7, 3}, {160 * 5, 2}, {160 * 3, 1}, {0, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_candidate_space space;
        rg_candidate all[40];
        ASSERT_OK(rg_candidate_space_make(&space, data, cases[k].pairs, err));
        assert_int_equal(space.reach, cases[k].reach);
        for (size_t n = 0; n < 40; n++) {
            assert_true(rg_candidate_draw(&all[n], &space, 1, all, n));
            assert_true(rg_candidate_value(RG_AXIS_REACH, all[n].pick[RG_AXIS_REACH]) <=
                        space.reach);
        }
    }
    rg_dataset_free(data);
}

/* ---- honesty */

static void the_same_rounds_give_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 4);
    rg_search_options options = searches_plan(9, 4, 3, 2);
    options.n_threads = 1;
    rg_search_result one = search(data, splits, &options);
    assert_int_equal(one.n_entries, 9);
    assert_int_equal(one.rounds[1].n_candidates, 4);
    assert_int_equal(one.rounds[3].n_candidates, 2);
    assert_int_equal(one.n_finalists, 2);
    assert_int_equal(one.winner.n_folds, 4);
    for (unsigned threads = 2; threads <= 4; threads += 2) {
        options.n_threads = threads;
        rg_search_result many = search(data, splits, &options);
        assert_same_choices(&one, &many);
        assert_same(one.winner.mean, many.winner.mean);
        assert_same(one.finalists.mean, many.finalists.mean);
        rg_search_free(&many);
    }
    rg_search_free(&one);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

/* The same graphs; those of the test part have the other class. */
static rg_dataset *with_wrong_tests(const rg_dataset *data, const rg_part *test)
{
    char *directory = test_directory_make();
    rg_dataset *out = NULL;
    ASSERT_OK(rg_dataset_write(data, directory, "set", RG_FORMAT_TU, err));
    size_t n = rg_dataset_n_graphs(data);
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    bool *wrong = calloc(n, sizeof *wrong);
    for (size_t k = 0; k < test->n; k++)
        wrong[test->graphs[k]] = true;
    char *text = calloc(n, 3);
    for (size_t k = 0; k < n; k++)
        memcpy(text + strlen(text), (classes[k] == 1) != wrong[k] ? "1\n" : "0\n", 2);
    test_write(directory, "set_graph_labels.txt", text);
    ASSERT_OK(rg_dataset_read(&out, directory, NULL, err));
    free(text);
    free(wrong);
    test_directory_remove(directory);
    return out;
}

static void nothing_that_is_chosen_depends_on_a_test_part(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(60);
    rg_splits *splits = searches_folds(data, 1); /* else a test part trains in other folds */
    rg_fold fold = rg_splits_fold(splits, 0);
    rg_dataset *wrong = with_wrong_tests(data, &fold.test);
    rg_search_options options = searches_plan(12, 6, 4, 3);
    rg_search_result a = search(data, splits, &options), b = search(wrong, splits, &options);
    assert_same_choices(&a, &b);
    /* but the test in the end does */
    assert_int_equal(a.winner.n_folds, 1);
    assert_true(fabs(a.winner.mean + b.winner.mean - 1) < 1e-9);
    assert_true(fabs(a.finalists.mean + b.finalists.mean - 1) < 1e-9);
    rg_search_free(&a);
    rg_search_free(&b);
    rg_dataset_free(wrong);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

static void what_cannot_be_searched_is_refused(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    char *path = test_format("%s/leak.json", directory);
    rg_dataset *data = searches_rings(4);
    rg_arrays *arrays = test_arrays(10, 1);
    rg_splits *splits = searches_folds(data, 1), *leak = NULL, *none = NULL;
    rg_search_options options = searches_plan(2, 0, 0, 0);
    rg_source graphs = {.graphs = data}, grid = {.arrays = arrays};
    rg_search_result result;
    ASSERT_REFUSED(rg_search_run(&result, &grid, splits, &options, err), RG_EUSAGE,
                   "for graphs, not for vectors or images");
    test_write(directory, "leak.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 3], "
               "\"validation\": [1, 0]}]}]");
    ASSERT_OK(rg_splits_read(&leak, path, err));
    ASSERT_REFUSED(rg_search_run(&result, &graphs, leak, &options, err), RG_EUSAGE,
                   "in 1 of 1 folds the validation set equals the test set");
    test_write(directory, "leak.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 3], "
               "\"validation\": []}]}]");
    ASSERT_OK(rg_splits_read(&none, path, err));
    ASSERT_REFUSED(rg_search_run(&result, &graphs, none, &options, err), RG_EUSAGE,
                   "fold 0 has no validation set");
    rg_splits_free(none);
    rg_splits_free(leak);
    rg_splits_free(splits);
    rg_arrays_free(arrays);
    rg_dataset_free(data);
    free(path);
    test_directory_remove(directory);
}

/* ---- time */

/* A clock that goes on by some milliseconds whenever someone looks at it. */
typedef struct fake {
    atomic_long looks;
    double tick;
    long stop_at; /* looks; 0: never */
    atomic_long calls;
    uint32_t last_round;
    bool wrong;
} fake;

static double fake_now(void *context)
{
    fake *f = context;
    return 1000 + f->tick * (double)atomic_fetch_add(&f->looks, 1);
}

static int fake_stop(void *context)
{
    fake *f = context;
    return f->stop_at && atomic_load(&f->looks) >= f->stop_at;
}

static void fake_progress(void *context, const rg_search_state *s)
{
    fake *f = context;
    atomic_fetch_add(&f->calls, 1);
    f->wrong = f->wrong || s->round < f->last_round || s->round > RG_SEARCH_ROUNDS + 1 ||
               (s->round > 1 && isnan(s->best));
    f->last_round = s->round;
}

static rg_search_options on_clock(fake *f, double seconds)
{
    rg_search_options options = searches_plan(0, 0, 0, 0);
    options.seconds = seconds;
    options.n_threads = 2;
    options.now = fake_now;
    options.stop = fake_stop;
    options.progress = fake_progress;
    options.context = f;
    return options;
}

static void it_keeps_to_its_time(void **state)
{
    (void)state;
    static const double times[] = {2, 5, 10, 30};
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 4);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        fake f = {.tick = 0.01};
        rg_search_options options = on_clock(&f, times[k]);
        rg_search_result r = search(data, splits, &options);
        size_t before = r.n_entries;
        assert_true(r.seconds <= 1.1 * times[k]);
        assert_true(r.n_entries >= 1 && r.winner.n_folds == 4);
        assert_int_equal(r.rounds[0].n_candidates, r.n_entries);
        for (size_t n = 1; n < RG_SEARCH_ROUNDS; n++) {
            assert_true(r.rounds[n].n_candidates <= before);
            assert_int_not_equal(r.rounds[n].n_candidates, 1);
            before = r.rounds[n].n_candidates ? r.rounds[n].n_candidates : before;
        }
        if (times[k] >= 30)
            assert_true(r.rounds[3].n_candidates >= 2 && r.final.n_runs == 3);
        assert_true(atomic_load(&f.calls) > 0 && !f.wrong);
        rg_search_free(&r);
    }
    rg_splits_free(splits);
    rg_dataset_free(data);
}

static void time_that_is_too_short_is_said(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 4);
    rg_source source = {.graphs = data};
    fake f = {.tick = 1};
    rg_search_options options = on_clock(&f, 5);
    rg_search_result result;
    ASSERT_REFUSED(rg_search_run(&result, &source, splits, &options, err), RG_EFAIL,
                   "the time was up before the first candidate was trained");
    rg_splits_free(splits);
    rg_dataset_free(data);
}

static void what_is_stopped_has_a_winner_without_a_test(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 4);
    rg_source source = {.graphs = data};
    fake f = {.tick = 0.01, .stop_at = 300};
    rg_search_options options = on_clock(&f, 60);
    rg_search_result r = search(data, splits, &options);
    assert_true(r.stopped && r.n_entries > 0 && r.winner.n_folds == 0 && !isnan(r.entries[0].mean));
    rg_search_free(&r);
    f = (fake){.tick = 0.01, .stop_at = 1};
    ASSERT_REFUSED(rg_search_run(&r, &source, splits, &options, err), RG_EFAIL,
                   "stopped before the first candidate was trained");
    rg_splits_free(splits);
    rg_dataset_free(data);
}

/* ---- what is learned */

static void leaderboards_are_sorted(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 3);
    rg_search_options options = searches_plan(16, 6, 3, 2);
    rg_search_result r = search(data, splits, &options);
    for (size_t k = 0; k + 1 < r.n_entries; k++) {
        const rg_search_entry *a = &r.entries[k], *b = &r.entries[k + 1];
        assert_true(a->round >= b->round);
        assert_true(a->round > b->round || a->mean >= b->mean);
        assert_true(a->round > b->round || a->mean > b->mean || a->loss <= b->loss);
    }
    size_t reached[RG_SEARCH_ROUNDS + 1] = {0};
    for (size_t k = 0; k < r.n_entries; k++)
        for (uint32_t n = 1; n <= r.entries[k].round; n++)
            reached[n]++;
    assert_int_equal(reached[1], 16);
    assert_int_equal(reached[2], 6);
    assert_int_equal(reached[3], 3);
    assert_int_equal(reached[4], 2);
    /* the winner was trained in the last round as in the end */
    assert_same(r.entries[0].mean, r.winner.validation);
    rg_search_free(&r);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

/* A second opinion: over the names of axes and choices. */
static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void a_report_takes_of_a_leaderboard_what_was_written(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 2);
    rg_search_options options = searches_plan(5, 2, 1, 1);
    rg_search_result r = search(data, splits, &options);
    rg_board_about about = {.data = "rings", .options = &options};
    rg_json json = {0};
    rg_board_write(&json, &r, &about);
    char *text = rg_json_take(&json);
    ASSERT_OK(rg_board_copy(&json, NULL, text, 4, err));
    char *copy = rg_json_take(&json);
    json_t *root = json_loads(copy, 0, NULL), *list = json_object_get(root, "candidates");
    assert_string_equal(json_string_value(json_object_get(root, "data")), "rings");
    assert_same(number_at(root, "minutes"), 1);
    assert_int_equal(number_at(root, "tried"), r.n_entries);
    assert_int_equal(json_array_size(list), 4);
    for (size_t k = 0; k < 4; k++) {
        const json_t *of = json_array_get(list, k), *spread = json_object_get(of, "validation");
        const rg_search_entry *e = &r.entries[k];
        assert_int_equal(number_at(of, "rank"), k + 1);
        assert_int_equal(number_at(of, "number"), e->number);
        assert_int_equal(number_at(of, "round"), e->round);
        assert_int_equal(number_at(of, "weights"), e->n_weights);
        assert_same(json_number_value(json_array_get(spread, 0)), e->mean);
        assert_same(json_number_value(json_array_get(spread, 1)), e->deviation);
        assert_same(number_at(of, "seconds"), e->seconds);
        assert_string_equal(json_string_value(json_object_get(of, "rule")), e->line);
    }
    list = json_object_get(root, "effects");
    assert_int_equal(json_array_size(list), r.n_effects);
    for (size_t k = 0; k < r.n_effects; k++) {
        const json_t *of = json_array_get(list, k);
        const rg_search_effect *e = &r.effects[k];
        assert_string_equal(json_string_value(json_object_get(of, "axis")), e->axis);
        assert_string_equal(json_string_value(json_object_get(of, "choice")), e->choice);
        assert_same(number_at(of, "with"), e->with);
        assert_same(number_at(of, "without"), e->without);
        assert_int_equal(number_at(of, "n_with"), e->n_with);
        assert_int_equal(number_at(of, "n_without"), e->n_without);
    }
    json_decref(root);
    rg_free(copy);
    rg_free(text);
    rg_search_free(&r);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

static void effects_are_means_with_and_without_a_choice(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 3);
    rg_search_options options = searches_plan(20, 0, 0, 0);
    rg_search_result r = search(data, splits, &options);
    assert_true(r.n_effects > 10);
    for (size_t e = 0; e < r.n_effects; e++) {
        double sum[2] = {0, 0}, n[2] = {0, 0};
        for (size_t k = 0; k < r.n_entries; k++)
            for (int a = 0; a < RG_AXES; a++) {
                const char *own =
                    rg_candidate_choice((rg_candidate_axis)a, r.entries[k].candidate.pick[a]);
                if (strcmp(rg_candidate_axis_name((rg_candidate_axis)a), r.effects[e].axis) || !own)
                    continue;
                bool with = strcmp(own, r.effects[e].choice) == 0;
                sum[with] += r.entries[k].first;
                n[with] += 1;
            }
        assert_true(r.effects[e].n_with == (size_t)n[1] && r.effects[e].n_without == (size_t)n[0]);
        assert_true(fabs(r.effects[e].with - sum[1] / n[1]) < 1e-12);
        assert_true(fabs(r.effects[e].without - sum[0] / n[0]) < 1e-12);
    }
    rg_search_free(&r);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

static void the_winner_is_an_experiment(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(40);
    rg_splits *splits = searches_folds(data, 3);
    rg_search_options options = searches_plan(6, 3, 0, 0);
    rg_search_result r = search(data, splits, &options);
    char *text = NULL, *network = NULL;
    rg_experiment *experiment = NULL;
    rg_recipe *recipe = NULL;
    ASSERT_OK(rg_search_experiment(&text, &r, "rings", "a \"set\": here", "my splits.json",
                                   &options, err));
    ASSERT_OK(rg_experiment_parse(&experiment, "text", text, strlen(text), NULL, 0, err));
    rg_experiment_info info = *rg_experiment_describe(experiment);
    assert_string_equal(info.data, "a \"set\": here");
    assert_string_equal(info.splits, "my splits.json");
    assert_int_equal(info.runs, 3);
    assert_int_equal(info.n_configurations, 1);
    assert_int_equal(info.protocols[0], RG_PROTOCOL_GLOBAL);
    ASSERT_OK(rg_candidate_text(&network, &r.space, &r.entries[0].candidate, 4, 4, err));
    ASSERT_OK(rg_recipe_parse(&recipe, "network", network, strlen(network), err));
    assert_string_equal(rg_recipe_text(recipe), rg_experiment_recipe(experiment, 0));
    rg_recipe_free(recipe);
    rg_free(network);
    rg_free(text);
    rg_experiment_free(experiment);
    rg_search_free(&r);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

/* Real targets: scores are errors, and the least is the best. */
static void errors_are_searched_for_the_least(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    rg_dataset *data = searches_rings(40), *real = NULL;
    char *text = calloc(40, 8), *path = test_format("%s/set_graph_labels.txt", directory);
    ASSERT_OK(rg_dataset_write(data, directory, "set", RG_FORMAT_TU, err));
    remove(path);
    for (int k = 0; k < 40; k++)
        sprintf(text + strlen(text), "%d.5\n", k % 7);
    test_write(directory, "set_graph_attributes.txt", text);
    ASSERT_OK(rg_dataset_read(&real, directory, NULL, err));
    rg_split_options how = rg_split_options_default();
    rg_splits *splits = NULL;
    how.n_folds = 3;
    how.stratified = 0;
    ASSERT_OK(rg_splits_make(&splits, real, &how, err));
    rg_search_options options = searches_plan(6, 3, 0, 0);
    rg_search_result r = search(real, splits, &options);
    assert_true(r.metric == RG_METRIC_MAE && r.n_failed == 0);
    for (size_t k = 0; k + 1 < r.n_entries; k++)
        assert_true(r.entries[k].round > r.entries[k + 1].round ||
                    r.entries[k].mean <= r.entries[k + 1].mean);
    rg_search_free(&r);
    rg_splits_free(splits);
    rg_dataset_free(real);
    rg_dataset_free(data);
    free(path);
    free(text);
    test_directory_remove(directory);
}

static void the_best_rules_are_experiments(void **state)
{
    static const char *const names[] = {
        "DHFR", "ENZYMES", "IMDB-BINARY",          "IMDB-MULTI", "MUTAG",      "Mutagenicity",
        "NCI1", "NCI109",  "SubstructureCounting", "ZINC_alt",   "ogbg-molhiv"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *path = test_format(REGULA_SOURCE "/examples/best/%s.yml", names[k]);
        rg_experiment *experiment = NULL;
        ASSERT_OK(rg_experiment_read(&experiment, path, NULL, 0, err));
        assert_string_equal(rg_experiment_describe(experiment)->data, names[k]);
        rg_experiment_free(experiment);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_differ_and_are_networks),
        cmocka_unit_test(rules_reach_no_further_than_pairs_allow),
        cmocka_unit_test(the_same_rounds_give_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(nothing_that_is_chosen_depends_on_a_test_part),
        cmocka_unit_test(what_cannot_be_searched_is_refused),
        cmocka_unit_test(it_keeps_to_its_time),
        cmocka_unit_test(time_that_is_too_short_is_said),
        cmocka_unit_test(what_is_stopped_has_a_winner_without_a_test),
        cmocka_unit_test(leaderboards_are_sorted),
        cmocka_unit_test(a_report_takes_of_a_leaderboard_what_was_written),
        cmocka_unit_test(effects_are_means_with_and_without_a_choice),
        cmocka_unit_test(the_winner_is_an_experiment),
        cmocka_unit_test(errors_are_searched_for_the_least),
        cmocka_unit_test(the_best_rules_are_experiments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
