/* test_experiment.c - experiment files: configurations and their order, overrides, the rest of the
 * file, the normal form, memory and disk. test_experiment_wrong.c has what is refused. */
#include "base/file.h"
#include "experiment_files.h"
#include "regula/fetch.h"
#include "regula/model.h"
#include "support/support.h"
#include "text/yaml.h"

#include <string.h>
#include <unistd.h>

#define NETWORK                                                               \
    "network:\n"                                                              \
    "  labels: {wl: \"wl(depth=$depth)\"}\n"                                  \
    "  layers:\n"                                                             \
    "    - rule: share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..$reach\n" \
    "    - aggregate: share out, wl(i)\n"                                     \
    "  training: {epochs: 20, schedule: {kind: plateau, patience: 5}}\n"
#define GRID "grid: {depth: [1, 2, 3], reach: [5, 10]}\n"
#define SMALL "network: {layers: [dense: auto]}\n"

static bool has(const rg_experiment *experiment, size_t c, const char *piece)
{
    return strstr(rg_experiment_recipe(experiment, c), piece) != NULL;
}

/* ---- configurations */

static void lists_span_a_grid_the_first_slowest(void **state)
{
    static const char *const expected[] = {
        "lr=0.05 depth=1 reach=5",  "lr=0.05 depth=1 reach=10", "lr=0.05 depth=2 reach=5",
        "lr=0.05 depth=2 reach=10", "lr=0.05 depth=3 reach=5",  "lr=0.05 depth=3 reach=10",
        "lr=0.01 depth=1 reach=5",  "lr=0.01 depth=1 reach=10", "lr=0.01 depth=2 reach=5",
        "lr=0.01 depth=2 reach=10", "lr=0.01 depth=3 reach=5",  "lr=0.01 depth=3 reach=10"};
    (void)state;
    /* Where the keys stand in the file does not matter. */
    rg_experiment *e =
        experiment_parse(GRID NETWORK "training: {lr: [0.05, 0.01], batch: 64}\ndata: X\n");
    experiment_assert_choices(e, expected, 12);
    assert_true(has(e, 0, "wl: \"wl(depth=1, ") || has(e, 0, "wl: wl(depth=1, "));
    assert_true(has(e, 0, "in 1..5\n") && has(e, 0, "  lr: 0.05\n") && has(e, 0, "  batch: 64\n"));
    assert_true(has(e, 11, "wl(depth=3, ") && has(e, 11, "in 1..10\n") &&
                has(e, 11, "  lr: 0.01\n"));
    assert_true(has(e, 11, "epochs: 20\n") && has(e, 11, "kind: plateau"));
    for (size_t c = 0; c < 12; c++) { /* a recipe in normal form */
        rg_recipe *recipe = NULL;
        const char *text = rg_experiment_recipe(e, c);
        ASSERT_OK(rg_recipe_parse(&recipe, "c", text, strlen(text), err));
        assert_string_equal(rg_recipe_text(recipe), text);
        rg_recipe_free(recipe);
    }
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void one_network_without_lists_is_one_configuration(void **state)
{
    rg_experiment *e = experiment_parse("data: MUTAG\n" SMALL);
    rg_recipe *recipe = NULL;
    static const char plain[] = "layers: [dense: auto]\n";
    (void)state;
    rg_experiment_info info = *rg_experiment_describe(e);
    assert_true(info.n_configurations == 1 && info.n_axes == 0 && info.n_equal == 0);
    ASSERT_OK(rg_recipe_parse(&recipe, "plain", plain, strlen(plain), err));
    assert_string_equal(rg_experiment_recipe(e, 0), rg_recipe_text(recipe));
    rg_recipe_free(recipe);
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void maps_are_laid_over_key_by_key(void **state)
{
    static const char *const expected[] = {"schedule.factor=0.5", "schedule.factor=0.1"};
    rg_experiment *e = experiment_parse("data: X\n" NETWORK "grid: {depth: 1, reach: 2}\n"
                                        "training: {schedule: {factor: [0.5, 0.1]}, decay: 0.5}\n");
    (void)state;
    experiment_assert_choices(e, expected, 2);
    assert_true(has(e, 0, "{kind: plateau, factor: 0.5, every: 10, floor: 0.0001, patience: 5}"));
    assert_true(has(e, 1, "{kind: plateau, factor: 0.1, every: 10, floor: 0.0001, patience: 5}"));
    assert_true(has(e, 1, "decay: 0.5\n") && has(e, 1, "in 1..2\n"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
    e = experiment_parse("data: X\n" NETWORK "grid: {depth: 1, reach: 2}\n"
                         "training: {schedule: [cosine, {kind: step}, {floor: 0.5}]}\n");
    assert_true(has(e, 0, "{kind: cosine, factor: 0.5, every: 10, floor: 0.0001, patience: 10}"));
    assert_true(has(e, 1, "{kind: step, factor: 0.5, every: 10, floor: 0.0001, patience: 5}"));
    assert_true(has(e, 2, "{kind: plateau, factor: 0.5, every: 10, floor: 0.5, patience: 5}"));
    assert_string_equal(rg_experiment_choice(e, 2, 0), "schedule={floor: 0.5}");
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void class_weights_are_a_list_and_lists_of_them_a_choice(void **state)
{
    static const struct {
        const char *value, *grid;
        size_t n;
        const char *last;
    } cases[] = {
        {"[1, 2.5]", "{}", 1, "class_weights: [1, 2.5]"},
        {"[balanced, none]", "{}", 2, "class_weights: none"},
        {"[[1, 2], [3, 4], none]", "{}", 3, "class_weights: none"},
        {"[none, [3, 4]]", "{}", 2, "class_weights: [3, 4]"},
        {"[1, $w]", "{w: 7}", 1, "class_weights: [1, 7]"},
        {"$w", "{w: [[8, 9], [9, 8]]}", 2, "class_weights: [9, 8]"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = test_format("data: X\n" SMALL "training: {class_weights: %s}\ngrid: %s\n",
                                 cases[k].value, cases[k].grid);
        rg_experiment *e = experiment_parse(text);
        assert_int_equal(rg_experiment_describe(e)->n_configurations, cases[k].n);
        assert_true(has(e, cases[k].n - 1, cases[k].last));
        experiment_assert_same_again(e);
        rg_experiment_free(e);
        free(text);
    }
}

static void networks_and_labels_can_be_alternatives(void **state)
{
    static const char text[] = "data: X\n"
                               "network:\n"
                               "  - name: near\n"
                               "    labels: {wl: degree, other: node}\n"
                               "    layers: [{aggregate: 'share out, wl(i)'}]\n"
                               "  - layers: [{dense: $width}, {dense: auto}]\n"
                               "labels: {wl: [degree, 'wl(depth=2)']}\n"
                               "grid: {width: [3, 4]}\n";
    /* The first network has no width, the second no labels: what is equal is kept once. */
    static const char *const expected[] = {
        "network=near labels.wl=degree width=3", "network=near labels.wl=wl(depth=2) width=3",
        "network=2 labels.wl=degree width=3", "network=2 labels.wl=degree width=4"};
    rg_experiment *e = experiment_parse(text);
    (void)state;
    experiment_assert_choices(e, expected, 4);
    assert_int_equal(rg_experiment_describe(e)->n_equal, 4);
    assert_true(has(e, 1, "wl: wl(depth=2, ") && has(e, 1, "other: node(column=0)"));
    assert_true(has(e, 3, "dense: 4\n"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void variables_may_stand_anywhere(void **state)
{
    static const char text[] =
        "data: X\n"
        "network:\n"
        "  labels: {a: $label, b: \"${kind}(max=${max})\"}\n"
        "  input: $input\n"
        "  layers:\n"
        "    - rule: $rules\n"
        "      heads: $heads\n"
        "    - $more\n"
        "    - aggregate: share out, a(i)\n"
        "  training: {lr: 0.0$digit, schedule: $schedule}\n"
        "grid:\n"
        "  label: wl(depth=1)\n"
        "  kind: cycles\n"
        "  max: [5, 6]\n"
        "  input: [[signed, constant]]\n"
        "  rules: [[share a(i) when i = j, 'share a(i), a(j) when edge(i,j)']]\n"
        "  heads: 4\n"
        "  more: {dropout: 0.5}\n"
        "  digit: 7\n"
        "  schedule: {kind: cosine}\n";
    rg_experiment *e = experiment_parse(text);
    (void)state;
    assert_int_equal(rg_experiment_describe(e)->n_configurations, 2);
    assert_string_equal(rg_experiment_choice(e, 0, 1), "input=[signed, constant]");
    assert_true(has(e, 0, "input:\n  - signed\n  - constant(1)\n"));
    assert_true(has(e, 0, "b: cycles(kind=simple, min=3, max=5)\n"));
    assert_true(has(e, 1, "b: cycles(kind=simple, min=3, max=6)\n"));
    assert_true(has(e, 0, "      - share a(i) when i = j\n") && has(e, 0, "heads: 4\n"));
    assert_true(has(e, 0, "- dropout: 0.5\n") && has(e, 0, "lr: 0.07\n"));
    assert_true(has(e, 0, "schedule: {kind: cosine"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
    /* '$$' is a '$', and values are taken as they are. */
    e = experiment_parse(
        "data: X\nnetwork: {labels: {a: 'file(a$$b)', c: 'file($d)'}, layers: [dense: auto]}\n"
        "grid: {d: '$d'}\n");
    assert_true(has(e, 0, "file(\\\"a$b\\\")") || has(e, 0, "file(\"a$b\")"));
    assert_true(has(e, 0, "$d"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

/* A slow twin: the choices of configuration c are the digits of c. */
static void grids_are_numbers_in_mixed_base(void **state)
{
    static const size_t sizes[] = {3, 1, 4, 2, 5};
    static const char *const names[] = {"lr", "decay", "batch", "a", "b"};
    rg_experiment *e =
        experiment_parse("data: X\nnetwork: {layers: [{dense: $a}, {dense: $b}, {dense: auto}]}\n"
                         "training: {lr: [1, 2, 3], decay: [1], batch: [1, 2, 3, 4]}\n"
                         "grid: {a: [1, 2], b: [1, 2, 3, 4, 5]}\n");
    (void)state;
    assert_int_equal(rg_experiment_describe(e)->n_configurations, 120);
    for (size_t c = 0; c < 120; c++)
        for (size_t k = 5, rest = c; k-- > 0; rest /= sizes[k]) {
            char *expected = test_format("%s=%zu", names[k], rest % sizes[k] + 1);
            assert_string_equal(rg_experiment_choice(e, c, k), expected);
            free(expected);
        }
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

/* ---- the rest of the file */

static void everything_has_a_default(void **state)
{
    rg_experiment *e = experiment_parse("data: some/MUTAG.zip\n" SMALL);
    rg_experiment_info info = *rg_experiment_describe(e);
    rg_split_options split = rg_split_options_default();
    (void)state;
    assert_string_equal(info.name, "exp");
    assert_string_equal(info.data, "some/MUTAG.zip");
    assert_null(info.splits);
    assert_true(!info.make_splits && info.n_folds == 0 && info.split->n_folds == split.n_folds);
    assert_true(info.n_protocols == 1 && info.protocols[0] == RG_PROTOCOL_FAIR);
    assert_true(info.runs == 3 && info.seed == 1 && !info.fit_on_train);
    assert_true(info.keep == RG_KEEP_BEST && !info.starts_per_fold);
    assert_null(strstr(rg_experiment_text(e), "starts"));
    rg_experiment_free(e);
}

static void everything_can_be_said(void **state)
{
    rg_experiment *e = experiment_parse(
        "name: \"a b: c\"\ndata: X\nsplits: {folds: 5, seed: 7, validation: 0.25, stratified: "
        "false}\nfolds: [4, 0, 2]\nprotocol: [global, gin, fair]\nruns: 64\nseed: 12345678901\n"
        "starts: fold\nfit: train\nkeep: all\n" SMALL);
    rg_experiment_info info = *rg_experiment_describe(e);
    (void)state;
    assert_string_equal(info.name, "a b: c");
    assert_true(info.make_splits && info.split->n_folds == 5 && info.split->seed == 7);
    assert_true(info.split->validation == 0.25 && !info.split->stratified && !info.splits);
    assert_true(info.n_folds == 3 && info.folds[0] == 0 && info.folds[1] == 2 &&
                info.folds[2] == 4);
    assert_true(info.n_protocols == 3 && info.protocols[0] == RG_PROTOCOL_GLOBAL &&
                info.protocols[1] == RG_PROTOCOL_GIN && info.protocols[2] == RG_PROTOCOL_FAIR);
    assert_true(info.runs == 64 && info.seed == 12345678901 && info.fit_on_train == 1);
    assert_true(info.keep == RG_KEEP_ALL && info.starts_per_fold == 1);
    experiment_assert_same_again(e);
    rg_experiment_free(e);
    e = experiment_parse(
        "data: X\nsplits: {folds: 1, test: 0.2}\nprotocol: holdout\nfolds: 0\nkeep: none\n" SMALL);
    info = *rg_experiment_describe(e);
    assert_true(info.split->n_folds == 1 && info.split->test == 0.2 && info.n_folds == 1);
    assert_true(info.protocols[0] == RG_PROTOCOL_HOLDOUT && info.keep == RG_KEEP_NONE);
    experiment_assert_same_again(e);
    rg_experiment_free(e);
    e = experiment_parse("data: X\nsplits: a/b.json\n" SMALL);
    assert_string_equal(rg_experiment_describe(e)->splits, "a/b.json");
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void digests_are_of_what_results_depend_on(void **state)
{
    static const struct {
        const char *set;
        bool same;
    } cases[] = {
        {"name=other", true},       {"keep=all", true},         {"splits=b/s.json", true},
        {"data=Y", false},          {"splits=a/t.json", false}, {"splits={folds: 10}", false},
        {"folds=[1]", false},       {"starts=run", true},       {"starts=fold", false},
        {"protocol=gin", false},    {"runs=2", false},          {"seed=2", false},
        {"fit=train", false},       {"training.lr=0.2", false}, {"training.lr=[0.05]", false},
        {"training.lr=0.05", true}, {"ensemble=all", false},
    };
    static const char text[] = "data: X\nsplits: a/s.json\n" SMALL;
    char base[RG_DIGEST_SIZE], other[RG_DIGEST_SIZE];
    rg_experiment *e = experiment_parse(text);
    (void)state;
    rg_experiment_digest(e, base);
    rg_experiment_free(e);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        e = experiment_parse_with(text, &cases[k].set, 1);
        rg_experiment_digest(e, other);
        if ((strcmp(base, other) == 0) != cases[k].same)
            fail_msg("%s", cases[k].set);
        rg_experiment_free(e);
    }
}

static void ensembles_are_one_or_a_list(void **state)
{
    rg_experiment *e = experiment_parse("data: X\nensemble: [all, {top: 5}, stack]\n" SMALL);
    const rg_experiment_info *info = rg_experiment_describe(e);
    (void)state;
    assert_int_equal(info->n_ensembles, 3);
    assert_int_equal(info->ensembles[0].kind, RG_ENSEMBLE_ALL);
    assert_int_equal(info->ensembles[1].kind, RG_ENSEMBLE_TOP);
    assert_int_equal(info->ensembles[1].top, 5);
    assert_int_equal(info->ensembles[2].kind, RG_ENSEMBLE_STACK);
    assert_non_null(strstr(rg_experiment_text(e), "\nensemble: [all, {top: 5}, stack]\n"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
    e = experiment_parse("data: X\nensemble: {top: 2}\n" SMALL);
    assert_non_null(strstr(rg_experiment_text(e), "\nensemble: {top: 2}\n"));
    rg_experiment_free(e);
    e = experiment_parse("data: X\n" SMALL);
    assert_null(strstr(rg_experiment_text(e), "ensemble"));
    rg_experiment_free(e);
}

static void overrides_are_laid_over_in_turn(void **state)
{
    static const char *const overrides[] = {"training.lr=0.1",
                                            "runs=1",
                                            "grid.depth=[4, 5]",
                                            "data=MUTAG",
                                            "training.schedule.floor=1",
                                            "runs=2",
                                            "labels.wl=wl(depth=$depth, max=9)",
                                            "splits.folds=3",
                                            "network.task=regression"};
    rg_experiment *e = experiment_parse_with("data: X\nruns: 9\n" NETWORK GRID, overrides, 9);
    rg_experiment_info info = *rg_experiment_describe(e);
    (void)state;
    assert_string_equal(info.data, "MUTAG");
    assert_true(info.runs == 2 && info.make_splits && info.split->n_folds == 3);
    assert_int_equal(info.n_configurations, 4);
    assert_string_equal(rg_experiment_choice(e, 3, 0), "depth=5");
    assert_true(has(e, 3, "wl(depth=5, from=degree, edges=false, unseen=label, max=9)"));
    assert_true(has(e, 3, "lr: 0.1\n") && has(e, 3, "floor: 1, patience: 5}"));
    assert_true(has(e, 3, "task: regression\n"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

/* ---- files */

static char *make_files(void)
{
    char *directory = test_directory_make();
    test_write(directory, "e/exp.yml",
               "data: X\nnetwork: [nets/a.yml, nets/b.yml]\nsplits: s.json\n"
               "training: {lr: [0.1, 0.2]}\ngrid: {width: 3}\n");
    test_write(directory, "e/nets/a.yml", "layers: [dense: $width, dense: auto]\n");
    test_write(directory, "e/nets/b.yml", "# the other\ntask: regression\nlayers: [dense: auto]\n");
    test_write(directory, "e/s.json", "[]");
    return directory;
}

static void files_are_found_beside_the_experiment(void **state)
{
    static const char *const expected[] = {"network=nets/a.yml lr=0.1", "network=nets/a.yml lr=0.2",
                                           "network=nets/b.yml lr=0.1",
                                           "network=nets/b.yml lr=0.2"};
    char *directory = make_files(), *path = test_format("%s/e/exp.yml", directory);
    char *splits = test_format("%s/e/s.json", directory), before[4096];
    rg_experiment *e = NULL, *here = NULL;
    (void)state;
    ASSERT_OK(rg_experiment_read(&e, path, NULL, 0, err));
    experiment_assert_choices(e, expected, 4);
    assert_string_equal(rg_experiment_describe(e)->name, "exp");
    assert_string_equal(rg_experiment_describe(e)->splits, splits);
    experiment_assert_same_again(e);
    /* From its own directory, and with a path from the current one. */
    static const char *const overrides[] = {"network=e/nets/b.yml", "grid={}"};
    char one[RG_DIGEST_SIZE], two[RG_DIGEST_SIZE];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(directory), 0);
    ASSERT_OK(rg_experiment_read(&here, "e/exp.yml", overrides, 2, err));
    assert_int_equal(rg_experiment_describe(here)->n_configurations, 2);
    rg_experiment_free(here);
    assert_int_equal(chdir("e"), 0);
    ASSERT_OK(rg_experiment_read(&here, "exp.yml", NULL, 0, err));
    assert_string_equal(rg_experiment_describe(here)->splits, "s.json");
    rg_experiment_digest(e, one);
    rg_experiment_digest(here, two);
    assert_string_equal(one, two);
    assert_int_equal(chdir(before), 0);
    rg_experiment_free(here);
    rg_experiment_free(e);
    test_directory_remove(directory);
    free(path);
    free(splits);
}

static void examples_are_experiments(void **state)
{
    (void)state;
    assert_true(experiment_read_all(REGULA_SOURCE "/examples/experiments") >= 3);
    assert_true(experiment_read_all(REGULA_SOURCE "/examples/grids") == 3);
}

/* As many configurations as the published program tried. */
static void grids_of_the_paper_are_whole(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        size_t n;
    } cases[] = {{REGULA_SOURCE "/examples/grids/NCI1.yml", 14},
                 {REGULA_SOURCE "/examples/grids/DHFR.yml", 15},
                 {REGULA_SOURCE "/examples/grids/IMDB-BINARY.yml", 380}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_experiment *e = NULL;
        ASSERT_OK(rg_experiment_read(&e, cases[k].path, NULL, 0, err));
        assert_int_equal(rg_experiment_describe(e)->n_configurations, cases[k].n);
        rg_experiment_free(e);
    }
}

/* Every block of the manual that begins with `data` is an experiment. */
static void examples_of_the_manual_are_experiments(void **state)
{
    char *page = test_read(REGULA_SOURCE "/docs/experiments.md", NULL), *block;
    size_t n = 0;
    (void)state;
    for (const char *at = page; (block = experiment_block(&at)); free(block)) {
        rg_experiment *e = experiment_parse(block);
        experiment_assert_same_again(e);
        if (n++ == 0)
            assert_int_equal(rg_experiment_describe(e)->n_configurations, 12);
        rg_experiment_free(e);
    }
    assert_int_equal(n, 7);
    free(page);
}

/* ---- faults */

static const char rich[] =
    "data: X\nsplits: {folds: 3}\nfolds: [1, 2]\n"
    "labels: {wl: [degree, 'wl(depth=$depth)']}\ninput: constant\n"
    "training: {schedule: {factor: [0.5]}}\n" NETWORK "grid: {depth: [1, 2], reach: 2}\n";

static rg_status parse_rich(void *context, rg_error *err)
{
    static const char *const overrides[] = {"training.lr=0.1", "grid.reach=[3]"};
    rg_experiment *e = NULL;
    (void)context;
    rg_status status = rg_experiment_parse(&e, "f", rich, strlen(rich), overrides, 2, err);
    rg_experiment_free(e);
    return status;
}

static rg_status read_files(void *context, rg_error *err)
{
    rg_experiment *e = NULL;
    rg_status status = rg_experiment_read(&e, context, NULL, 0, err);
    rg_experiment_free(e);
    return status;
}

static void every_allocation_and_every_read_may_fail(void **state)
{
    char *directory = make_files(), *path = test_format("%s/e/exp.yml", directory);
    (void)state;
    assert_true(test_allocation_sweep(parse_rich, NULL) > 200);
    assert_true(test_allocation_sweep(read_files, path) > 100);
    assert_true(test_io_sweep(read_files, path) >= 3);
    test_directory_remove(directory);
    free(path);
}

/* A file that is named, those of $REGULA_DATA by the name of the set, or made; in this order. */
static void splits_follow_the_stated_rule(void **state)
{
    static const uint32_t classes[4] = {0, 1, 0, 1};
    static const struct {
        const char *text, *file; /* NULL: made */
        size_t n_folds;
    } cases[] = {
        {"data: X\n" SMALL, "splits/X.json", 1},
        {"data: X\nsplits: own.json\n" SMALL, "own.json", 1},
        {"data: X\nsplits: {folds: 2}\n" SMALL, NULL, 2},
        {"data: Y\nsplits: {folds: 2}\n" SMALL, NULL, 2},
    };
    static const char one[] =
        "[{\"test\": [0], \"model_selection\": [{\"train\": [1, 2], \"validation\": [3]}]}]";
    (void)state;
    char *directory = test_directory_make(), *splits = test_format("%s/splits", directory);
    const char *before = getenv("REGULA_DATA");
    char *kept = before ? strdup(before) : NULL, *old = getcwd(NULL, 0);
    ASSERT_OK(rg_dir_make(splits, err));
    test_write(splits, "X.json", one);
    test_write(directory, "own.json", one);
    assert_int_equal(setenv("REGULA_DATA", directory, 1), 0);
    assert_int_equal(chdir(directory), 0);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_items items = {.name = "X", .word = "graph", .n = 4, .classes = classes, .n_classes = 2};
        rg_experiment *e = experiment_parse(cases[k].text);
        rg_splits *got = NULL;
        char *path = NULL;
        ASSERT_OK(rg_experiment_splits(&got, &path, e, &items, err));
        assert_int_equal(rg_splits_n_folds(got), cases[k].n_folds);
        assert_int_equal(path != NULL, cases[k].file != NULL);
        if (path)
            assert_non_null(strstr(path, cases[k].file));
        rg_text_free(path);
        rg_splits_free(got);
        rg_experiment_free(e);
    }
    assert_int_equal(chdir(old), 0);
    if (kept)
        setenv("REGULA_DATA", kept, 1);
    else
        unsetenv("REGULA_DATA");
    free(kept);
    free(old);
    free(splits);
    test_directory_remove(directory);
}

static void methods_that_are_compared_keep_their_configurations(void **state)
{
    (void)state;
    rg_experiment *experiment = NULL, *again = NULL;
    char digest[2][RG_DIGEST_SIZE];
    static const char text[] =
        "data: X\ncompare:\n  - {name: mine, layers: [dense: auto], training: {lr: 0.1}}\n"
        "  - {name: tuned, layers: [dense: auto], training: {lr: $lr}}\n"
        "  - majority\n  - {kind: gin, name: small, layers: 2}\n  - {layers: [dense: auto]}\n"
        "grid: {lr: [0.1, 0.2]}\n";
    static const char *const expected[] = {"method=mine",     "method=tuned", "method=tuned",
                                           "method=majority", "method=small", "method=network5"};
    ASSERT_OK(rg_experiment_parse(&experiment, "c.yml", text, strlen(text), NULL, 0, err));
    const rg_experiment_info *info = rg_experiment_describe(experiment);
    assert_int_equal(info->n_configurations, 6);
    assert_int_equal(info->n_equal, 4); /* within a method; mine is one of tuned's, and is kept */
    assert_string_equal(rg_experiment_axis(experiment, 0), "method");
    assert_string_equal(rg_experiment_recipe(experiment, 0), rg_experiment_recipe(experiment, 1));
    for (size_t c = 0; c < 6; c++)
        assert_string_equal(rg_experiment_choice(experiment, c, 0), expected[c]);
    const char *normal = rg_experiment_text(experiment);
    assert_non_null(strstr(normal, "\ncompare:\n"));
    ASSERT_OK(rg_experiment_parse(&again, "c.yml", normal, strlen(normal), NULL, 0, err));
    rg_experiment_digest(experiment, digest[0]);
    rg_experiment_digest(again, digest[1]);
    assert_memory_equal(digest[0], digest[1], RG_DIGEST_SIZE);
    rg_experiment_free(experiment);
    rg_experiment_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_follow_the_stated_rule),
        cmocka_unit_test(lists_span_a_grid_the_first_slowest),
        cmocka_unit_test(ensembles_are_one_or_a_list),
        cmocka_unit_test(one_network_without_lists_is_one_configuration),
        cmocka_unit_test(maps_are_laid_over_key_by_key),
        cmocka_unit_test(class_weights_are_a_list_and_lists_of_them_a_choice),
        cmocka_unit_test(networks_and_labels_can_be_alternatives),
        cmocka_unit_test(methods_that_are_compared_keep_their_configurations),
        cmocka_unit_test(variables_may_stand_anywhere),
        cmocka_unit_test(grids_are_numbers_in_mixed_base),
        cmocka_unit_test(everything_has_a_default),
        cmocka_unit_test(everything_can_be_said),
        cmocka_unit_test(digests_are_of_what_results_depend_on),
        cmocka_unit_test(overrides_are_laid_over_in_turn),
        cmocka_unit_test(files_are_found_beside_the_experiment),
        cmocka_unit_test(examples_are_experiments),
        cmocka_unit_test(grids_of_the_paper_are_whole),
        cmocka_unit_test(examples_of_the_manual_are_experiments),
        cmocka_unit_test(every_allocation_and_every_read_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
