/* test_kernel_models.c - kernels as models: settings, runs, and what folds may be like. */
/* threads */
#include "base/alloc.h"
#include "baseline/baseline.h"
#include "kernel/svm_vote.h"
#include "support/networks.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static rg_baseline *parse(const char *text)
{
    rg_baseline *baseline = NULL;
    ASSERT_OK(rg_baseline_parse(&baseline, "m.yml", text, strlen(text), err));
    return baseline;
}

/* ---- settings */

static void settings_have_a_normal_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *normal, *prepared;
    } cases[] = {
        {"model: nog", "model: nog\ngamma: scale\nc: 1\n", "model: nog\ngamma: scale\n"},
        {"model: nog\ngamma: 0.50\nc: 2^-11", "model: nog\ngamma: 0.5\nc: 0.00048828125\n",
         "model: nog\ngamma: 0.5\n"},
        {"model: wl",
         "model: wl\niterations: 5\nlabels: auto\nedges: false\nnormalise: true\nc: 1\n",
         "model: wl\niterations: 5\nlabels: auto\nedges: false\nnormalise: true\n"},
        {"{c: 2^3, model: wl-oa, edges: true, labels: \"wl( depth=2 )\", iterations: 0}",
         "model: wl-oa\niterations: 0\nlabels: wl(depth=2, from=degree, edges=false, "
         "unseen=label)\nedges: true\nnormalise: true\nc: 8\n",
         NULL},
        {"model: shortest-path\ndistance: 4\nnormalise: false",
         "model: shortest-path\ndistance: 4\nlabels: auto\nnormalise: false\nc: 1\n", NULL},
        {"model: shortest-path\ndistance: any",
         "model: shortest-path\ndistance: any\nlabels: auto\nnormalise: true\nc: 1\n", NULL},
        {"model: cycles\nlog: true\nbudget: 77\nc: 1e3",
         "model: cycles\ncounts: cycles(kind=simple, min=3, max=8)\nlog: true\nbudget: 77\n"
         "normalise: true\nc: 1000\n",
         NULL},
        {"model: graphlet\ncounts: cliques(max=5)",
         "model: graphlet\ncounts: cliques(max=5, maximal=false)\nlog: false\n"
         "budget: 1073741824\nnormalise: true\nc: 1\n",
         NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *a = parse(cases[k].text), *b = parse(rg_baseline_text(a));
        assert_string_equal(rg_baseline_text(a), cases[k].normal);
        assert_string_equal(rg_baseline_text(b), cases[k].normal);
        if (cases[k].prepared)
            assert_string_equal(rg_baseline_prepared_text(a), cases[k].prepared);
        assert_int_equal(rg_baseline_epochs(a), 1);
        assert_true(rg_baseline_is_fixed(a));
        rg_baseline_free(a);
        rg_baseline_free(b);
    }
}

static void mistakes_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"model: wl\nc: 0", "m.yml:2:4: found '0', expected a number above 0 and at most 1e9, or a "
                            "power of two such as 2^-3"},
        {"model: wl\nc: -1", "m.yml:2:4: found '-1', expected a number above 0 and at most 1e9, or "
                             "a power of two such as 2^-3"},
        {"model: wl\nc: 2^x", "m.yml:2:4: found '2^x', expected a number above 0 and at most 1e9, "
                              "or a power of two such as 2^-3"},
        {"model: wl\nc: 2^99", "m.yml:2:4: found '2^99', expected a number above 0 and at most "
                               "1e9, or a power of two such as 2^-3"},
        {"model: wl\niterations: 65", "m.yml:2:13: found '65', expected a whole number 0..64"},
        {"model: wl\nrounds: 3", "m.yml:2:1: found the key 'rounds', expected model, iterations, "
                                 "labels, edges, normalise or c"},
        {"model: wl\nitertions: 3", "m.yml:2:1: found the key 'itertions', expected model, "
                                    "iterations, labels, edges, normalise or c "
                                    "(did you mean 'iterations'?)"},
        {"model: nog\nnormalise: true",
         "m.yml:2:1: found the key 'normalise', expected model, gamma or c"},
        {"model: nog\ngamma: 0",
         "m.yml:2:8: found '0', expected 'scale', or a number above 0 and at most 1e9"},
        {"model: nog\ngamma: auto",
         "m.yml:2:8: found 'auto', expected 'scale', or a number above 0 and at most 1e9"},
        {"model: wl-oa\nedges: maybe", "m.yml:2:8: found 'maybe', expected true or false"},
        {"model: shortest-path\ndistance: 0",
         "m.yml:2:11: found '0', expected 'any', or a number of edges from 1 on"},
        {"model: graphlet\ncounts: degree", "m.yml:2:9: found 'degree', expected a labeling that "
                                            "counts: walks(...), cycles(...), cliques(...) or "
                                            "pattern(...)"},
        {"model: graphlet\ncounts: [cycles]", "m.yml:2:9: found a list, expected a labeling that "
                                              "counts: walks(...), cycles(...), cliques(...) or "
                                              "pattern(...)"},
        {"model: cycles\nbudget: 0",
         "m.yml:2:9: found '0', expected a whole number 1..1099511627776"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *baseline = NULL;
        rg_error err = {""};
        assert_int_equal(
            rg_baseline_parse(&baseline, "m.yml", cases[k].text, strlen(cases[k].text), &err),
            RG_EDATA);
        assert_string_equal(err.message, cases[k].message);
        assert_null(baseline);
    }
    rg_baseline *baseline = NULL;
    rg_error err = {""};
    static const char wrong[] = "model: wl\nlabels: wl(dept=2)";
    assert_int_equal(rg_baseline_parse(&baseline, "m.yml", wrong, strlen(wrong), &err), RG_EDATA);
    assert_memory_equal(err.message, "m.yml:2:9: ", 11);
    assert_non_null(strstr(err.message, "'dept'"));
}

/* ---- runs */

static const char *const models[] = {
    "{model: nog, c: 8}",
    "{model: nog, gamma: 0.01, c: 8}",
    "{model: wl, iterations: 2, c: 8}",
    "{model: wl, iterations: 1, edges: true, normalise: false, labels: degree, c: 2^-5}",
    "{model: wl-oa, iterations: 3, c: 1}",
    "{model: shortest-path, c: 3}",
    "{model: graphlet, log: true, c: 100}",
    "{model: cycles, c: 1}",
};
enum { N_MODELS = sizeof models / sizeof *models, N_GRAPHS = 60 };

/* Data with three classes, some unknown, and a fold of it; some graphs have no nodes or edges. */
typedef struct lesson {
    rg_dataset *data;
    rg_source source;
    uint32_t order[N_GRAPHS];
    rg_fold fold;
} lesson;

static lesson lesson_open(bool labelled)
{
    lesson l = {.data = labelled ? test_dataset_with_classes(N_GRAPHS, 12, 3)
                                 : test_dataset_plain(N_GRAPHS, 12, 3)};
    for (uint32_t k = 0; k < N_GRAPHS; k++)
        l.order[k] = k * 7 % N_GRAPHS;
    l.source = (rg_source){l.data, NULL};
    return l;
}

static rg_fold fold_of(const lesson *l)
{
    return (rg_fold){{l->order, 40}, {l->order + 40, 10}, {l->order + 50, 10}};
}

static rg_baseline_prepared *prepared_of(const rg_baseline *baseline, const lesson *l,
                                         unsigned n_threads, rg_cpu cpu)
{
    rg_baseline_options options = {.n_threads = n_threads, .cpu = cpu};
    rg_baseline_prepared *prepared = NULL;
    ASSERT_OK(rg_baseline_prepared_new(&prepared, baseline, &l->source, &options, err));
    return prepared;
}

static rg_baseline_run run(const rg_baseline *baseline, const rg_baseline_prepared *prepared,
                           const rg_fold *fold)
{
    rg_baseline_wish wish = {.fold = fold, .seed = 1, .numbers = true};
    rg_baseline_run out = {.numbers = NULL};
    ASSERT_OK(rg_baseline_train(&out, baseline, prepared, &wish, err));
    return out;
}

static void same_runs(const rg_baseline_run *a, const rg_baseline_run *b, size_t n)
{
    assert_memory_equal(&a->run.train_loss, &b->run.train_loss, 6 * sizeof(double));
    assert_memory_equal(a->numbers, b->numbers, n * sizeof *a->numbers);
}

static void numbers_say_what_is_scored(void **state)
{
    (void)state;
    for (size_t m = 0; m < 2 * N_MODELS; m++) {
        lesson l = lesson_open(m >= N_MODELS);
        rg_baseline *baseline = parse(models[m % N_MODELS]);
        if (m < N_MODELS && strstr(models[m], "edges")) { /* no labels of edges there */
            rg_baseline_options options = {.n_threads = 1};
            rg_baseline_prepared *none = NULL;
            rg_error err = {""};
            assert_int_equal(rg_baseline_prepared_new(&none, baseline, &l.source, &options, &err),
                             RG_EDATA);
            assert_non_null(strstr(err.message, "found no edge labels"));
        } else {
            rg_baseline_prepared *prepared = prepared_of(baseline, &l, 1, RG_CPU_AUTO);
            rg_fold fold = fold_of(&l);
            rg_baseline_run out = run(baseline, prepared, &fold);
            uint32_t n_classes = rg_baseline_prepared_classes(prepared);
            const uint32_t *classes = rg_dataset_ranks(l.data, RG_CLASS, 0);
            double n = 0, hits = 0;
            for (size_t k = 0; k < fold.test.n; k++) {
                const float *p = out.numbers + k * n_classes;
                double sum = 0;
                uint32_t said = 0;
                for (uint32_t c = 0; c < n_classes; c++) {
                    assert_true(p[c] >= 0 && p[c] <= 1);
                    sum += (double)p[c];
                    said = p[c] > p[said] ? c : said;
                }
                assert_true(fabs(sum - 1) < 1e-6);
                n += classes[fold.test.graphs[k]] != RG_NO_CLASS;
                hits += classes[fold.test.graphs[k]] == said;
            }
            assert_true(out.run.test_score == hits / n);
            assert_true(out.run.epochs == 1 && out.run.best_epoch == 1 && !out.stopped);
            assert_true(out.run.train_score > 0.4 && out.run.train_loss >= 0);
            assert_true(out.epochs[0].validation_score == out.run.validation_score);
            assert_int_equal(rg_baseline_prepared_parameters(prepared), 0);
            rg_baseline_run_free(&out);
            rg_baseline_prepared_free(prepared);
        }
        rg_baseline_free(baseline);
        rg_dataset_free(l.data);
    }
}

static void runs_depend_on_nothing_but_settings_data_and_fold(void **state)
{
    (void)state;
    lesson l = lesson_open(true);
    rg_fold fold = fold_of(&l);
    for (size_t m = 0; m < N_MODELS; m++) {
        rg_baseline *baseline = parse(models[m]);
        rg_baseline_prepared *alone = prepared_of(baseline, &l, 1, RG_CPU_AUTO);
        rg_baseline_run expected = run(baseline, alone, &fold);
        rg_baseline_prepared_free(alone);
        size_t n = fold.test.n * 3;
        for (unsigned n_threads = 1; n_threads <= 4; n_threads *= 2) {
            rg_baseline_prepared *prepared = prepared_of(
                baseline, &l, n_threads, n_threads == 2 ? RG_CPU_PORTABLE : RG_CPU_AUTO);
            rg_fold other = fold;
            other.train.n -= 5;
            static const char *const neighbours[] = {"2^-12", "0.1", "1", "77", "2^9"};
            for (size_t k = 0; k < 5; k++) { /* others were here before */
                int head = (int)(strstr(models[m], ", c:") - models[m]);
                char *text = test_format("%.*s, c: %s}", head, models[m], neighbours[k]);
                rg_baseline *neighbour = parse(text);
                assert_string_equal(rg_baseline_prepared_text(neighbour),
                                    rg_baseline_prepared_text(baseline));
                rg_baseline_run ignored = run(neighbour, prepared, k % 2 ? &fold : &other);
                rg_baseline_run_free(&ignored);
                rg_baseline_free(neighbour);
                free(text);
            }
            rg_baseline_run again = run(baseline, prepared, &fold);
            same_runs(&expected, &again, n);
            rg_baseline_run_free(&again);
            rg_baseline_prepared_free(prepared);
        }
        rg_baseline_run_free(&expected);
        rg_baseline_free(baseline);
    }
    rg_dataset_free(l.data);
}

/* One class in the training part: it is said of all, and no loss is measured. */
static void a_fold_with_one_class_says_that_class(void **state)
{
    (void)state;
    lesson l = lesson_open(false);
    const uint32_t *classes = rg_dataset_ranks(l.data, RG_CLASS, 0);
    uint32_t chosen[N_GRAPHS];
    for (uint32_t class = 0; class < 2; class ++) {
        rg_fold fold = fold_of(&l);
        size_t n = 0;
        double own = 0;
        for (uint32_t k = 0; k < N_GRAPHS; k++)
            if (classes[k] == class)
                chosen[n++] = k;
        fold.train = (rg_part){chosen, n};
        for (size_t k = 0; k < fold.test.n; k++)
            own += classes[fold.test.graphs[k]] == class;
        for (size_t m = 0; m < N_MODELS; m++) {
            if (strstr(models[m], "edges"))
                continue;
            rg_baseline *baseline = parse(models[m]);
            rg_baseline_prepared *prepared = prepared_of(baseline, &l, 1, RG_CPU_AUTO);
            rg_baseline_run out = run(baseline, prepared, &fold);
            assert_true(out.run.train_score == 1 && isnan(out.run.train_loss));
            assert_true(out.run.test_score == own / (double)fold.test.n);
            assert_true(out.numbers[class] == 1 && out.numbers[1 - class] == 0);
            rg_baseline_run_free(&out);
            rg_baseline_prepared_free(prepared);
            rg_baseline_free(baseline);
        }
    }
    rg_dataset_free(l.data);
}

static void nothing_to_learn_from_is_said(void **state)
{
    (void)state;
    lesson l = lesson_open(true);
    rg_baseline *baseline = parse("model: wl");
    rg_baseline_prepared *prepared = prepared_of(baseline, &l, 1, RG_CPU_AUTO);
    rg_fold fold = fold_of(&l);
    rg_baseline_wish wish = {.fold = &fold};
    rg_baseline_run out = {.numbers = NULL};
    rg_error err = {""};
    fold.train.n = 0;
    assert_int_equal(rg_baseline_train(&out, baseline, prepared, &wish, &err), RG_EDATA);
    fold = fold_of(&l);
    fold.validation.n = fold.test.n = 0; /* no parts, no scores */
    out = run(baseline, prepared, &fold);
    assert_true(isnan(out.run.validation_score) && isnan(out.run.test_loss));
    rg_baseline_run_free(&out);
    rg_baseline_prepared_free(prepared);
    rg_baseline_options little = {.n_threads = 1, .memory = 1000};
    prepared = NULL;
    assert_int_equal(rg_baseline_prepared_new(&prepared, baseline, &l.source, &little, &err),
                     RG_EFAIL);
    rg_baseline_free(baseline);
    rg_dataset_free(l.data);
}

static int at_once(void *context)
{
    (void)context;
    return 1;
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    /* Many steps: classes that have nothing to do with the graphs, and a large C. */
    rg_dataset *data = test_dataset_plain(400, 9, 5);
    rg_source source = {data, NULL};
    uint32_t all[400];
    for (uint32_t k = 0; k < 400; k++)
        all[k] = k;
    rg_fold fold = {{all, 300}, {all + 300, 50}, {all + 350, 50}};
    rg_baseline *baseline = parse("{model: wl, iterations: 1, c: 2^15}");
    rg_baseline_options options = {.n_threads = 1};
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_wish wish = {.fold = &fold, .numbers = true, .stop = at_once};
    rg_baseline_run out = {.numbers = NULL};
    ASSERT_OK(rg_baseline_prepared_new(&prepared, baseline, &source, &options, err));
    ASSERT_OK(rg_baseline_train(&out, baseline, prepared, &wish, err));
    assert_true(out.stopped && !out.numbers);
    rg_baseline_run_free(&out);
    rg_baseline_prepared_free(prepared);
    rg_baseline_free(baseline);
    rg_dataset_free(data);
}

/* ---- votes */

/* Four classes at the corners of a square: each machine is right, all votes are as they should be.
 */
static void most_votes_win(void **state)
{
    (void)state;
    enum { N = 16 };
    static const double corner[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    uint32_t classes[N], train[N];
    rg_gram gram = {.block = NULL};
    rg_svm_paths *paths = NULL;
    rg_svm_vote vote = {.numbers = NULL};
    ASSERT_OK(rg_gram_alloc(&gram, N, err));
    memset(gram.values, 0, N * gram.stride * sizeof *gram.values);
    for (uint32_t a = 0; a < N; a++) {
        classes[a] = a % 4 + (a % 4 == 3); /* 0, 1, 2, 4: there is no 3 */
        train[a] = a;
        for (uint32_t b = 0; b < N; b++)
            gram.values[a * gram.stride + b] = (float)((corner[a % 4][0] * corner[b % 4][0] +
                                                        corner[a % 4][1] * corner[b % 4][1]) *
                                                       (1 + a / 4) * (1 + b / 4));
    }
    rg_baseline_task learned = {.classes = classes, .n_classes = 5, .n_graphs = N};
    rg_part part = {train, 12}; /* the last four are new */
    ASSERT_OK(rg_svm_paths_new(&paths, 1 << 20, err));
    rg_svm_vote_task task = {.gram = &gram,
                             .learned = &learned,
                             .train = &part,
                             .c = 10,
                             .paths = paths,
                             .cpu = RG_CPU_AVX512};
    ASSERT_OK(rg_svm_vote_train(&vote, &task, err));
    for (uint32_t a = 0; a < N; a++) {
        const float *p = vote.numbers + a * 5;
        for (uint32_t c = 0; c < 5; c++)
            assert_true(c == classes[a] ? p[c] > 0.5f : c == 3 ? p[c] == 0 : p[c] < 0.3f);
        assert_true(a >= 12 || vote.losses[a] < 2e-3); /* all beyond the margin */
    }
    rg_svm_vote_free(&vote);
    rg_svm_paths_free(paths);
    rg_gram_free(&gram);
}

/* ---- memory, and published numbers */

typedef struct kernel_sweep {
    lesson l;
    rg_fold fold;
    const char *model;
} kernel_sweep;

static rg_status try_all(void *context, rg_error *err)
{
    kernel_sweep *a = context;
    rg_baseline *baseline = NULL;
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_options options = {.n_threads = 1};
    rg_baseline_wish wish = {.fold = &a->fold, .numbers = true};
    rg_baseline_run out = {.numbers = NULL};
    rg_status status = rg_baseline_parse(&baseline, "m.yml", a->model, strlen(a->model), err);
    if (!status)
        status = rg_baseline_prepared_new(&prepared, baseline, &a->l.source, &options, err);
    if (!status)
        status = rg_baseline_train(&out, baseline, prepared, &wish, err);
    rg_baseline_run_free(&out);
    rg_baseline_prepared_free(prepared);
    rg_baseline_free(baseline);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    for (size_t m = 0; m < N_MODELS; m++) {
        kernel_sweep a = {.l = lesson_open(true), .model = models[m]};
        a.fold = fold_of(&a.l);
        a.fold.train.n = 12;
        assert_true(test_allocation_sweep(try_all, &a) > 20);
        rg_dataset_free(a.l.data);
    }
}

/* Mean accuracy on the test parts of the published splits, with the published choice of settings.
 */
static void published_accuracies_come_out(void **state)
{
    (void)state;
    static const struct {
        const char *set, *model;
        double accuracy;
    } cases[] = {
        {"IMDB-BINARY", "{model: wl, iterations: 3, c: 2^-3}", 71.8},
        {"IMDB-BINARY", "{model: nog, c: 2^11}", 71.9},
        {"IMDB-MULTI", "{model: wl, iterations: 5, c: 1}", 51.9},
        {"DHFR", "{model: wl, iterations: 10, c: 2^5}", 83.5},
    };
    size_t checked = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *file = test_format("%s.zip", cases[k].set), *path = test_data(file);
        char *split = test_format("splits/%s.json", cases[k].set), *folds = test_data(split);
        if (path && folds) {
            rg_dataset *data = NULL;
            rg_splits *splits = NULL;
            rg_baseline_prepared *prepared = NULL;
            rg_baseline_options options = {.n_threads = 1};
            rg_baseline *baseline = parse(cases[k].model);
            double sum = 0;
            ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
            ASSERT_OK(rg_splits_read(&splits, folds, err));
            rg_source source = {data, NULL};
            ASSERT_OK(rg_baseline_prepared_new(&prepared, baseline, &source, &options, err));
            size_t n = rg_splits_n_folds(splits);
            for (size_t f = 0; f < n; f++) {
                rg_fold fold = rg_splits_fold(splits, f);
                rg_baseline_run out = run(baseline, prepared, &fold);
                sum += 100 * out.run.test_score / (double)n;
                rg_baseline_run_free(&out);
            }
            if (fabs(sum - cases[k].accuracy) > 1)
                fail_msg("%s, %s: %.2f, expected %.1f", cases[k].set, cases[k].model, sum,
                         cases[k].accuracy);
            rg_baseline_prepared_free(prepared);
            rg_baseline_free(baseline);
            rg_splits_free(splits);
            rg_dataset_free(data);
            checked++;
        }
        free(file);
        free(path);
        free(split);
        free(folds);
    }
    if (!checked)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_have_a_normal_form),
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(numbers_say_what_is_scored),
        cmocka_unit_test(runs_depend_on_nothing_but_settings_data_and_fold),
        cmocka_unit_test(a_fold_with_one_class_says_that_class),
        cmocka_unit_test(nothing_to_learn_from_is_said),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(most_votes_win),
        cmocka_unit_test(memory_may_fail_anywhere),
        cmocka_unit_test(published_accuracies_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
