/* test_baseline.c - baselines by themselves: settings of every kind, the most frequent class, data
 * that none of them learns from. */
#include "base/alloc.h"
#include "baseline/baseline.h"
#include "baseline/contender.h"
#include "support/networks.h"
#include "support/stores.h"

#include <math.h>
#include <string.h>

static rg_baseline *parse(const char *text)
{
    rg_baseline *baseline = NULL;
    ASSERT_OK(rg_baseline_parse(&baseline, "m.yml", text, strlen(text), err));
    return baseline;
}

/* ---- settings */

/* A model that says nothing but what it must. Owned (free). */
static char *usual_text(const rg_baseline_kind *kind)
{
    bool list = strcmp(kind->name, "message-passing") == 0;
    bool rules = strcmp(kind->name, "linear") == 0;
    return test_format(
        "model: %s\n%s", kind->name,
        list    ? "layers: [gin: 4, pool: sum, dense: auto]\n"
        : rules ? "rules: [\"share degree(i), degree(j) when edge(i,j)\", share degree(i)]\n"
                : "");
}

static void the_normal_form_of_every_kind_reads_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        const rg_baseline_kind *kind = rg_baseline_kind_at(k);
        char *text = usual_text(kind), *head = test_format("model: %s\n", kind->name);
        rg_baseline *a = parse(text), *b = parse(rg_baseline_text(a));
        assert_string_equal(rg_baseline_name(a), kind->name);
        assert_ptr_equal(rg_baseline_kind_find(kind->name), kind);
        assert_string_equal(rg_baseline_text(a), rg_baseline_text(b));
        assert_string_equal(rg_baseline_prepared_text(a), rg_baseline_prepared_text(b));
        assert_memory_equal(rg_baseline_text(a), head, strlen(head));
        assert_memory_equal(rg_baseline_prepared_text(a), head, strlen(head));
        assert_true(rg_baseline_epochs(a) >= 1 && kind->about[0]);
        rg_baseline_free(a);
        rg_baseline_free(b);
        free(head);
        free(text);
    }
}

/* What help lists is what there is: every setting but those of `training` is in the normal form or
 * may be left out, and is known to the parser. */
static void settings_that_help_lists_are_known(void **state)
{
    (void)state;
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        const rg_baseline_kind *kind = rg_baseline_kind_at(k);
        rg_baseline_setting s;
        for (size_t n_s = 0; kind->setting && kind->setting(&s, kind, n_s); n_s++) {
            size_t n = strcspn(s.key, ".");
            char *text =
                test_format("model: %s\n%.*s: {\"?\": \"?\"}\n", kind->name, (int)n, s.key);
            rg_baseline *baseline = NULL;
            rg_error err = {""};
            assert_true(s.values[0] && s.about[0]);
            assert_int_equal(rg_baseline_parse(&baseline, "m", text, strlen(text), &err), RG_EDATA);
            char *unknown = test_format("found the key '%.*s'", (int)n, s.key);
            if (strstr(err.message, unknown))
                fail_msg("%s: %s", kind->name, err.message);
            free(unknown);
            free(text);
        }
    }
}

/* One matrix serves all values of c, and one set of features all ways to train. */
static void benches_are_shared_by_what_they_depend_on(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool shared;
    } cases[] = {
        {"model: wl\nc: 1\n", "model: wl\nc: 2^5\n", true},
        {"model: wl\niterations: 1\n", "model: wl\niterations: 2\n", false},
        {"model: wl\n", "model: wl-oa\n", false},
        {"model: nog\nc: 1\n", "model: nog\nc: 4\n", true},
        {"model: gin\ntraining: {lr: 1}\n", "model: gin\ntraining: {lr: 2}\n", true},
        {"model: gin\nfeatures: degree\n", "model: gin\nfeatures: constant\n", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *a = parse(cases[k].a), *b = parse(cases[k].b);
        assert_string_not_equal(rg_baseline_text(a), rg_baseline_text(b));
        assert_int_equal(strcmp(rg_baseline_prepared_text(a), rg_baseline_prepared_text(b)) == 0,
                         cases[k].shared);
        rg_baseline_free(a);
        rg_baseline_free(b);
    }
}

static void wrong_models_say_where_and_what(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "m.yml:1:1: found no key 'model', expected the name of a model"},
        {"[a]", "m.yml:1:1: found no key 'model', expected the name of a model"},
        {"model: majorty\n", "m.yml:1:8: found 'majorty', expected majority"},
        {"model: majorty\n", "(did you mean 'majority'?)"},
        {"model: [majority]\n", "m.yml:1:8: found a list, expected majority"},
        {"model: majority\nc: 1\n", "m.yml:2:1: found the key 'c', expected model"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *baseline = NULL;
        ASSERT_REFUSED(
            rg_baseline_parse(&baseline, "m.yml", cases[k].text, strlen(cases[k].text), err),
            RG_EDATA, cases[k].words);
        assert_null(baseline);
    }
}

static void a_map_with_a_model_is_a_baseline_and_any_other_a_network(void **state)
{
    (void)state;
    static const char network[] = "layers: [dense: auto]\n";
    rg_contender a = {NULL, NULL}, b = {NULL, NULL};
    char *one = NULL, *two = NULL;
    ASSERT_OK(rg_contender_parse(&a, "f", "model: majority\n", 16, err));
    ASSERT_OK(rg_contender_parse(&b, "f", network, strlen(network), err));
    assert_true(a.baseline && !a.recipe && b.recipe && !b.baseline);
    assert_true(rg_contender_is_fixed(&a) && !rg_contender_is_fixed(&b));
    assert_string_equal(rg_contender_text(&a), "model: majority\n");
    assert_int_equal(rg_contender_epochs(&a), 1);
    assert_int_equal(rg_contender_epochs(&b), 50);
    ASSERT_OK(rg_contender_prepared_text(&one, &a, err));
    ASSERT_OK(rg_contender_prepared_text(&two, &b, err));
    assert_string_not_equal(one, two);
    rg_free(one);
    rg_free(two);
    rg_contender_free(&a);
    rg_contender_free(&b);
    rg_recipe *recipe = NULL;
    ASSERT_REFUSED(rg_recipe_parse(&recipe, "m.yml", "model: majority\n", 16, err), RG_EDATA,
                   "m.yml:1:8: found a baseline model, expected a network: 'regula run' trains "
                   "baselines in experiments");
}

/* ---- the most frequent class */

/* The first samples of the classes that are asked for; classes of `data` are 0, 1, 2. */
static void take(uint32_t *out, size_t n, const uint32_t *wanted, const rg_dataset *data,
                 size_t skip)
{
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    for (size_t k = 0; k < n; k++) {
        size_t left = skip + k;
        for (uint32_t g = 0;; g++) {
            assert_true(g < rg_dataset_n_graphs(data));
            if (classes[g] == wanted[k] && left-- == 0) {
                out[k] = g;
                break;
            }
        }
    }
}

/* A network by name: it trains as every other does. */
static rg_status train_network(rg_run *out, const rg_baseline *baseline, const rg_dataset *data,
                               const rg_fold *fold, rg_error *err)
{
    rg_train_options options = rg_train_options_default();
    rg_recipe *recipe = NULL;
    rg_model *model = NULL;
    rg_train_report report = {.size = sizeof report, .n_runs = 0};
    rg_source source = {.graphs = data};
    options.n_threads = 1;
    rg_status status = rg_baseline_recipe(&recipe, baseline, err);
    if (!status)
        status = rg_model_train(&model, &report, recipe, &source, fold, &options, err);
    *out = report.runs[0];
    rg_model_free(model);
    rg_recipe_free(recipe);
    return status;
}

static rg_baseline_run run_majority(const rg_dataset *data, const rg_fold *fold)
{
    rg_source source = {.graphs = data};
    rg_baseline_options options = {.n_threads = 1};
    rg_baseline_wish wish = {.fold = fold, .seed = 1, .number = 4, .numbers = true};
    rg_baseline *baseline = parse("model: majority\n");
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_run run;
    ASSERT_OK(rg_baseline_prepared_new(&prepared, baseline, &source, &options, err));
    assert_int_equal(rg_baseline_prepared_parameters(prepared), 0);
    assert_int_equal(rg_baseline_prepared_classes(prepared), 3);
    ASSERT_OK(rg_baseline_train(&run, baseline, prepared, &wish, err));
    rg_baseline_prepared_free(prepared);
    rg_baseline_free(baseline);
    return run;
}

static void the_most_frequent_class_is_always_said(void **state)
{
    (void)state;
    static const struct {
        uint32_t train[5];
        uint32_t said;
        double scores[3]; /* of the parts below */
    } cases[] = {
        {{2, 2, 0, 1, 2}, 2, {0.6, 0.5, 0.25}},
        {{1, 1, 1, 1, 1}, 1, {1, 0.5, 0.25}},   /* one class alone */
        {{2, 2, 1, 1, 0}, 1, {0.4, 0.5, 0.25}}, /* ties go to the lowest */
        {{0, 1, 2, 0, 0}, 0, {0.6, 0, 0.5}},
    };
    static const uint32_t validation[] = {1, 2}, test[] = {0, 1, 0, 2};
    rg_dataset *data = test_dataset_with_classes(120, 5, 9);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t parts[3][5];
        take(parts[0], 5, cases[k].train, data, 0);
        take(parts[1], 2, validation, data, 5);
        take(parts[2], 4, test, data, 7);
        rg_fold fold = {{parts[0], 5}, {parts[1], 2}, {parts[2], 4}};
        rg_baseline_run run = run_majority(data, &fold);
        assert_true(run.run.number == 4 && run.run.epochs == 1 && run.run.best_epoch == 1);
        assert_true(!run.run.failed && !run.run.stopped && !run.stopped);
        assert_true(run.run.train_score == cases[k].scores[0] &&
                    run.run.validation_score == cases[k].scores[1] &&
                    run.run.test_score == cases[k].scores[2]);
        assert_true(isnan(run.run.train_loss) && isnan(run.run.test_loss));
        assert_int_equal(run.epochs[0].number, 1);
        for (size_t row = 0; row < 4; row++)
            for (uint32_t c = 0; c < 3; c++)
                assert_true(run.numbers[row * 3 + c] == (c == cases[k].said));
        rg_baseline_run_free(&run);
    }
    rg_dataset_free(data);
}

static void parts_may_be_empty_but_that_of_training(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_classes(40, 5, 9);
    rg_source source = {.graphs = data};
    rg_baseline_options options = {.n_threads = 1};
    uint32_t some[] = {0, 1, 2, 3};
    rg_fold fold = {{some, 4}, {some, 0}, {some, 0}}, none = {{some, 0}, {some, 4}, {some, 4}};
    rg_baseline_run run = run_majority(data, &fold);
    assert_true(isnan(run.run.validation_score) && isnan(run.run.test_score));
    rg_baseline_run_free(&run);
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        char *text = usual_text(rg_baseline_kind_at(k));
        rg_baseline *baseline = parse(text);
        rg_baseline_prepared *prepared = NULL;
        rg_baseline_wish wish = {.fold = &none, .seed = 1};
        rg_run ignored;
        if (rg_baseline_kind_at(k)->network)
            ASSERT_REFUSED(train_network(&ignored, baseline, data, &none, err), RG_EDATA,
                           "the training set is empty");
        else {
            ASSERT_OK(rg_baseline_prepared_new(&prepared, baseline, &source, &options, err));
            ASSERT_REFUSED(rg_baseline_train(&run, baseline, prepared, &wish, err), RG_EDATA,
                           "the training set has no graph with a known class");
        }
        rg_baseline_prepared_free(prepared);
        rg_baseline_free(baseline);
        free(text);
    }
    rg_dataset_free(data);
}

/* ---- data that no baseline learns from */

static void data_without_classes_of_graphs_are_refused(void **state)
{
    (void)state;
    rg_dataset *many = test_dataset_with_targets(20, 5, 3), *bare = test_dataset_bare(20, 5, 3);
    rg_arrays *arrays = test_arrays(10, 3);
    const struct {
        rg_source source;
        const char *words;
    } cases[] = {
        {{.graphs = many}, "'toy' has 3 columns of classes: baseline models learn one"},
        {{.graphs = bare}, "'toy' has no classes: baseline models classify graphs"},
        {{.arrays = arrays}, "'grid' holds vectors or images"},
    };
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        if (rg_baseline_kind_at(k)->network)
            continue; /* networks learn other things too */
        char *text = usual_text(rg_baseline_kind_at(k));
        rg_baseline *baseline = parse(text);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            rg_baseline_options options = {.n_threads = 1};
            rg_baseline_prepared *prepared = NULL;
            ASSERT_REFUSED(
                rg_baseline_prepared_new(&prepared, baseline, &cases[c].source, &options, err),
                RG_EDATA, cases[c].words);
            assert_null(prepared);
        }
        rg_baseline_free(baseline);
        free(text);
    }
    rg_dataset_free(many);
    rg_dataset_free(bare);
    rg_arrays_free(arrays);
}

/* ---- data and parts that are odd */

/* Trains a model for a few epochs on a part, with the rest of the set to test. RG_OK: all numbers
 * are sound. */
static rg_status try_kind(rg_run *out, const rg_baseline_kind *kind, const rg_dataset *data,
                          const rg_part *train, rg_error *err)
{
    rg_source source = {.graphs = data};
    rg_baseline_options options = {.n_threads = 1};
    uint32_t all[64], n = (uint32_t)rg_dataset_n_graphs(data);
    for (uint32_t k = 0; k < n; k++)
        all[k] = k;
    rg_fold fold = {*train, {all, n}, {all, n}};
    rg_baseline_wish wish = {.fold = &fold, .seed = 5, .numbers = true};
    char *usual = usual_text(kind);
    char *text = test_format("%s%s", usual, kind->training ? "training: {epochs: 3}\n" : "");
    rg_baseline *baseline = parse(text);
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_run run = {.numbers = NULL};
    rg_status status = RG_OK;
    if (kind->network)
        status = train_network(&run.run, baseline, data, &fold, err);
    else
        status = rg_baseline_prepared_new(&prepared, baseline, &source, &options, err);
    if (!status && !kind->network)
        status = rg_baseline_train(&run, baseline, prepared, &wish, err);
    for (size_t k = 0;
         !status && prepared && k < (size_t)n * rg_baseline_prepared_classes(prepared); k++)
        assert_true(run.numbers[k] >= 0 && run.numbers[k] <= 1);
    *out = run.run;
    rg_baseline_run_free(&run);
    rg_baseline_prepared_free(prepared);
    rg_baseline_free(baseline);
    free(text);
    free(usual);
    return status;
}

static void one_class_alone_is_always_said(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_classes(40, 7, 11);
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    uint32_t ones[40];
    size_t n = 0, n_known = 0;
    for (uint32_t g = 0; g < 40; g++) {
        n_known += classes[g] != RG_NO_CLASS;
        if (classes[g] == 1)
            ones[n++] = g;
    }
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        const rg_baseline_kind *kind = rg_baseline_kind_at(k);
        rg_part part = {ones, n};
        rg_run run;
        ASSERT_OK(try_kind(&run, kind, data, &part, err));
        if (!kind->training) /* those that learn step by step need not have learned it yet */
            assert_true(run.train_score == 1 &&
                        fabs(run.test_score - (double)n / (double)n_known) < 1e-12);
    }
    rg_dataset_free(data);
}

/* Graphs without labels and attributes, some without edges or nodes. */
static void sets_without_labels_are_learned_from(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_plain(40, 7, 11);
    uint32_t half[20];
    for (uint32_t k = 0; k < 20; k++)
        half[k] = k;
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        rg_part part = {half, 20};
        rg_run run;
        ASSERT_OK(try_kind(&run, rg_baseline_kind_at(k), data, &part, err));
        assert_true(run.test_score >= 0 && run.test_score <= 1);
    }
    rg_dataset_free(data);
}

/* ---- every kind: what it comes to depends on nothing else */

static rg_baseline_run run_kind(const char *text, const rg_dataset *data, const rg_fold *fold,
                                unsigned n_threads, uint32_t number)
{
    rg_source source = {.graphs = data};
    rg_baseline_options options = {.n_threads = n_threads};
    rg_baseline_wish wish = {.fold = fold, .seed = 5, .number = number, .numbers = true};
    rg_baseline *baseline = parse(text);
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_run run;
    ASSERT_OK(rg_baseline_prepared_new(&prepared, baseline, &source, &options, err));
    ASSERT_OK(rg_baseline_train(&run, baseline, prepared, &wish, err));
    rg_baseline_prepared_free(prepared);
    rg_baseline_free(baseline);
    return run;
}

static void runs_of_fixed_kinds_are_all_the_same(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_classes(40, 7, 11);
    uint32_t order[40];
    for (uint32_t k = 0; k < 40; k++)
        order[k] = k;
    rg_fold fold = {{order, 24}, {order + 24, 8}, {order + 32, 8}};
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        const rg_baseline_kind *kind = rg_baseline_kind_at(k);
        if (!kind->fixed)
            continue;
        char *text = usual_text(kind);
        rg_baseline_run a = run_kind(text, data, &fold, 1, 0),
                        b = run_kind(text, data, &fold, 3, 7);
        assert_true(a.run.test_score == b.run.test_score &&
                    a.run.validation_score == b.run.validation_score &&
                    a.run.train_score == b.run.train_score && b.run.number == 7);
        assert_memory_equal(a.numbers, b.numbers, 8 * 3 * sizeof *a.numbers);
        rg_baseline_run_free(&a);
        rg_baseline_run_free(&b);
        free(text);
    }
    rg_dataset_free(data);
}

/* ---- memory */

static rg_status parse_and_run(void *context, rg_error *err)
{
    rg_source source = {.graphs = context};
    uint32_t order[] = {4, 5, 6, 7, 8, 9};
    rg_fold fold = {{order, 4}, {order + 4, 1}, {order + 5, 1}};
    rg_baseline_options options = {.n_threads = 1};
    rg_baseline_wish wish = {.fold = &fold, .numbers = true};
    rg_contender contender = {NULL, NULL};
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_run run = {.numbers = NULL};
    static const char text[] = "model: linear\nlabels: {d: degree}\nrules: share d(i)\n";
    rg_status status = rg_contender_parse(&contender, "f", text, strlen(text), err);
    if (!status)
        status = rg_baseline_prepared_new(&prepared, contender.baseline, &source, &options, err);
    if (!status)
        status = rg_baseline_train(&run, contender.baseline, prepared, &wish, err);
    rg_baseline_run_free(&run);
    rg_baseline_prepared_free(prepared);
    rg_contender_free(&contender);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_classes(20, 5, 3);
    assert_true(test_allocation_sweep(parse_and_run, data) > 10);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_form_of_every_kind_reads_back),
        cmocka_unit_test(settings_that_help_lists_are_known),
        cmocka_unit_test(benches_are_shared_by_what_they_depend_on),
        cmocka_unit_test(wrong_models_say_where_and_what),
        cmocka_unit_test(a_map_with_a_model_is_a_baseline_and_any_other_a_network),
        cmocka_unit_test(the_most_frequent_class_is_always_said),
        cmocka_unit_test(parts_may_be_empty_but_that_of_training),
        cmocka_unit_test(data_without_classes_of_graphs_are_refused),
        cmocka_unit_test(one_class_alone_is_always_said),
        cmocka_unit_test(sets_without_labels_are_learned_from),
        cmocka_unit_test(runs_of_fixed_kinds_are_all_the_same),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
