/* test_cli_models.c - baselines as users and scripts meet them: regula models, run, show,
 * reproduce.
 */
#include "support/program.h"

#include "baseline/baseline.h"
#include "cli/command/command.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define SPLITS "data: rings\nsplits: {folds: 3, seed: 1}\n"
#define NETWORK "{name: rule, layers: [aggregate: 'share out, node(i)'], training: {epochs: 2}}"

/* rings/ (60 graphs) and experiments on it. */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "majority.yml", SPLITS "model: majority\n");
    test_write(directory, "wl.yml",
               SPLITS "runs: 2\nmodel: {kind: wl, iterations: [0, 1], c: 1}\n");
    test_write(directory, "both.yml",
               SPLITS "runs: 1\nkeep: all\nnetwork: [" NETWORK ", model.yml, {model: majority}]\n");
    test_write(directory, "model.yml", "model: nog\nc: [1, 4]\n");
    test_write(directory, "typo.yml", SPLITS "model: wll\n");
    expect(directory, "regula data generate EvenOddRingsCount --out rings --graphs 60", 0, NULL,
           "");
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula models", 0, "majority  ", ""},
        {"regula models wl", 0, "model: wl\niterations: 5\n", ""},
        {"regula models gin", 0, "training:\n", ""},
        {"regula models wll", 2, "", "'wll'"},
        {"regula help models", 0, "docs/baselines.md", ""},
        {"regula run typo.yml", 3, "", "typo.yml:3:8: found 'wll', expected majority, nog, wl"},
        {"regula run typo.yml", 3, "", "(did you mean 'wl'?)"},
        {"regula run wl.yml --set model.c=-1", 3, "", "--set model.c:1:1: found '-1'"},
        {"regula train rings --network model.yml --model m.safetensors", 3, "",
         "model.yml:1:8: found a baseline model, expected a network: 'regula run' trains baselines "
         "in experiments"},
        {"regula run majority.yml -o a -q", 0, "baselines: 3 runs, which have no model files",
         NULL},
        {"regula run both.yml -o b -q", 0, "models: 3, in b/models\n", NULL},
        {"regula run both.yml -o b -q", 0, "baselines: 9 runs, which have no model files", NULL},
        {"regula show b --table configurations --format csv", 0, "network=model.yml c=4", NULL},
        {"regula show a --table runs --format csv", 0, ",,", NULL}, /* no losses */
        {"regula runs .", 0, "./b  EvenOddRingsCount  12/12", ""},
        {"regula reproduce real-world --rows GINN", 2, "", "option '--rows': found 'GINN'"},
        {"regula reproduce real-world --rows GINN", 2, "", "GIN (features), GSN (ours)"},
        {"regula reproduce synthetic --rows 'CIN (paper)'", 2, "",
         "expected one of NoG, WL-Kernel, DGCNN, DGCNN (features), GraphSAGE, "
         "GraphSAGE (features), GIN, GIN (features), GSN (ours), RuleGNN"},
        {"regula reproduce parameters --baselines", 2, "", "are for tables of accuracies"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static void every_model_is_listed(void **state)
{
    json_t *all = run_json(*state, "regula models --json");
    assert_int_equal(json_array_size(all), rg_baseline_n_kinds());
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        const rg_baseline_kind *kind = rg_baseline_kind_at(k);
        const json_t *object = json_array_get(all, k);
        char *line = test_format("regula models %s", kind->name);
        assert_string_equal(json_string_value(json_object_get(object, "name")), kind->name);
        assert_true(json_is_array(json_object_get(object, "settings")));
        program_result told = run(*state, "%s", line);
        assert_int_equal(told.code, 0);
        assert_string_equal(told.err, "");
        assert_non_null(strstr(told.out, kind->about));
        rg_baseline_setting s;
        for (size_t n_s = 0; kind->setting && kind->setting(&s, kind, n_s); n_s++)
            assert_non_null(strstr(told.out, s.key));
        program_result_free(&told);
        free(line);
    }
    json_decref(all);
}

static void the_majority_is_the_column_of_that_name(void **state)
{
    json_t *root = run_json(*state, "regula run majority.yml -o m --json -q");
    const json_t *mean = json_object_get(json_object_get(root, "accuracy"), "mean");
    double accuracy = json_number_value(mean);
    double majority = json_number_value(json_object_get(root, "majority"));
    assert_true(accuracy > 0 && fabs(accuracy - majority) < 1e-12);
    json_decref(root);
}

static void shards_make_the_whole(void **state)
{
    expect(*state, "regula run wl.yml -o whole -q -j 2", 0, NULL, NULL);
    expect(*state,
           "regula run wl.yml -o s0 --shard 0/2 -q; regula run wl.yml -o s1 --shard 1/2 -q; "
           "regula merge s0 s1 --out joined",
           0, NULL, NULL);
    expect(
        *state,
        "for d in whole joined; do regula show $d --json | grep '\"digest\"' | head -n 1; done | "
        "uniq | wc -l",
        0, "1\n", NULL);
}

/* ---- the paper's tables */

static void rows_of_the_tables_are_run_beside_the_published(void **state)
{
    static const char line[] = "regula reproduce synthetic --only CSL --rows NoG --rows wl-kernel "
                               "--rows RuleGNN --set training.epochs=2 --out kept -q";
    program_result told = run(*state, line);
    assert_int_equal(told.code, 0);
    assert_string_equal(told.err, "");
    assert_non_null(strstr(told.out, "WL-Kernel    10.0 +- 0.0\n  published  10.0 +- 0.0\n"));
    assert_non_null(strstr(told.out, "NoG: selected from C 2^-11"));
    assert_non_null(
        strstr(told.out, "The paper swaps the numbers of NoG and WL-Kernel on Snowflakes"));
    program_result_free(&told);
    expect(*state, "ls kept", 0, "CSL\nCSL-nog\nCSL-wl\n", "");
    char *again = test_format("%s --json", line);
    json_t *root = run_json(*state, again);
    const json_t *rows = json_object_get(root, "rows"), *wl = json_array_get(rows, 2);
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(json_string_value(json_object_get(wl, "model")), "WL-Kernel");
    assert_true(json_is_true(json_object_get(wl, "resumed")));
    assert_int_equal(json_integer_value(json_object_get(wl, "configurations")), 182);
    assert_true(json_number_value(json_object_get(wl, "difference")) == 0);
    json_decref(root);
    free(again);
}

static void quoted_rows_are_quoted(void **state)
{
    char *data = test_data("DHFR.zip"), *imdb = test_data("IMDB-BINARY.zip");
    if (!data || !imdb) {
        free(data);
        free(imdb);
        skip();
    }
    char *line = test_format("regula reproduce real-world --only DHFR --only IMDB-BINARY --rows "
                             "WL-Kernel --rows 'CIN (paper)' --data '%s' --json -q",
                             getenv("REGULA_DATA"));
    json_t *root = run_json(*state, line);
    const json_t *rows = json_object_get(root, "rows");
    assert_int_equal(json_array_size(rows), 3); /* CIN has no number for DHFR */
    for (size_t k = 0; k < 2; k++) {            /* the kernel, within a point of the published */
        double difference =
            json_number_value(json_object_get(json_array_get(rows, k), "difference"));
        assert_true(fabs(difference) <= 1);
    }
    const json_t *quoted = json_array_get(rows, 2);
    assert_string_equal(json_string_value(json_object_get(quoted, "model")), "CIN (paper)");
    assert_true(json_is_null(json_object_get(quoted, "accuracy")));
    assert_true(json_number_value(json_object_get(json_object_get(quoted, "published"), "mean")) ==
                75.6);
    json_decref(root);
    free(line);
    free(data);
    free(imdb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(every_model_is_listed),
        cmocka_unit_test(the_majority_is_the_column_of_that_name),
        cmocka_unit_test(shards_make_the_whole),
        cmocka_unit_test(rows_of_the_tables_are_run_beside_the_published),
        cmocka_unit_test(quoted_rows_are_quoted),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
