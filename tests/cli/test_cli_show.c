/* test_cli_show.c - regula show, runs and merge as users and scripts meet them. */
#include "support/finished_runs.h"
#include "support/program.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void fill(const char *root, const char *name, const test_store_plan *t, size_t n)
{
    char *path = test_format("%s/%s", root, name);
    finished_runs_fill(path, t, n, finished_score_known);
    free(path);
}

/* Below runs/: `whole`, `half` (with a job that failed), `begun`, `errors` and `odd`, whose names
 * are hostile; a and b are halves of one run. */
static int set_up(void **state)
{
    char *root = test_directory_make(), *half = test_format("%s/runs/half", root);
    test_store_plan *t = test_store_plan_make(2, 2, 3, 2);
    t->experiment.protocols = "fair global gin";
    t->folds[0].n_copies = 0;
    t->folds[1].validation_is_test = false;
    fill(root, "runs/whole", t, 8);
    fill(root, "runs/half", t, 5);
    finished_runs_fail(half, 6, "no luck\033[31m");
    fill(root, "runs/deep/er/begun", t, 0);
    fill(root, "a", t, 4);
    fill(root, "b", t, 0);
    t->experiment.score = RG_STORE_ERROR;
    fill(root, "runs/errors", t, 8);
    t->experiment.score = NULL;
    t->experiment.name = "O\033[31m\nK";
    t->experiment.data = "A|B, \"C\"";
    t->configurations[0].choices = t->configurations[1].choices = "x=\\input{a|b}, \"c\"";
    fill(root, "runs/odd", t, 8);
    test_store_plan_free(t);
    free(half);
    *state = root;
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula show runs/whole", 0, "fair      test         80.00 +- 7.07       55.00", ""},
        {"regula show runs/whole", 0, "vocabularies       from all graphs, as published\n", ""},
        {"regula show runs/whole", 0, "small  (runs/whole)\n\ndata               TOY, digest aaa",
         ""},
        {"regula show runs/whole", 0, "gin: no test set", ""},
        {"regula show runs/whole --protocol global", 0, "global    test  75.00 +- 14.14", ""},
        {"regula show runs/whole --protocol holdout", 1, "", "regula: protocol 'holdout' is for"},
        {"regula show runs/whole --table folds", 0, "fair         1       80            10", ""},
        {"regula show runs/whole --table folds", 0, "75.00 +- 1.00       50.00      2", ""},
        {"regula show runs/whole --table folds --protocol gin", 0, "gin          2", ""},
        {"regula show runs/whole --table configurations --top 1", 0,
         "     1  80.00 +- 14.14   0.2   100.00      2         101      2  fair           1  lr=",
         ""},
        {"regula show runs/whole --table configurations", 0,
         "\nsorted by validation score: mean over runs, then mean and standard deviation over "
         "folds;\n",
         ""},
        {"regula show runs/whole --table runs --top 2 --format csv | wc -l", 0, "3\n", ""},
        {"regula show runs/whole --table jobs --format csv | wc -l", 0, "9\n", ""},
        {"regula show runs/whole --table curves --format csv | wc -l", 0, "25\n", ""},
        {"regula show runs/half", 0, "jobs               5 of 8 done, 1 failed, 2 waiting\n",
         "regula: warning: 1 of 8 jobs failed; the first, configuration 1 on fold 2: no luck?[31m"},
        {"regula show runs/half", 0, "fair", "warning: 2 of 8 jobs are not done yet"},
        {"regula show runs/half --table jobs", 0, "no luck?[31m\n", "warning"},
        {"regula show runs/deep/er/begun", 0, "fair      test                 -",
         "no configuration"},
        {"regula show runs/deep/er/begun --table folds", 1, "", "no configuration has all its"},
        {"regula show runs/deep/er/begun --table curves", 1, "", "no configuration has all its"},
        {"regula show runs/deep/er/begun --table configurations", 0, "lr=0.2", "warning"},
        {"regula show runs/deep/er/begun --protocol fair", 1, "", "no configuration has all its"},
        {"regula show runs/errors", 0, "fair      test             0.6 +- 0.07071", ""},
        {"regula show runs/errors", 0, "protocol  part        mean absolute error", ""},
        {"regula show runs/errors --table folds", 0, "test error", ""},
        {"regula show runs/whole --format latex", 0, "$80.00 \\pm 7.07$", ""},
        {"regula show runs/whole --format markdown", 0, "| 80.00 \xc2\xb1 7.07 |", ""},
        {"regula show runs/odd", 0, "O?[31m?K  (runs/odd)\n", ""},
        {"regula show runs/odd --format latex", 0, "x=\\textbackslash{}input\\{a\\textbar{}b\\}, ",
         ""},
        {"regula show runs/odd --format latex", 0, ": O?[31m?K on A|B, \"C\"\n\\begin", ""},
        {"regula show runs/odd --format markdown", 0, "x=\\\\input\\{a\\|b\\}, \"c\" |", ""},
        {"regula show runs/odd --format csv", 0, ",\"x=\\input{a|b}, \"\"c\"\"\"\r\n", ""},
        {"regula show runs/whole --format csv --json", 2, "", "exclude each other"},
        {"regula show runs/whole --table fold", 2, "", "did you mean 'folds'?"},
        {"regula show runs", 4, "",
         "regula: 'runs' is not a run directory: there is no store.sqlite"},
        {"regula show", 2, "", "argument RUN of 'regula show' is missing"},
        {"regula show runs/whole --out t.md --format markdown && cat t.md", 0, "| fair |", ""},
        {"regula show runs/whole --out no/such/t.md", 4, "", "no/such/t.md"},
        {"regula show runs/whole > /dev/full", 4, "", "cannot write to 'standard output'"},
        {"regula show runs/whole --columns accuracy,protocol --format csv", 0,
         "accuracy,accuracy_std,protocol\r\n0.8", ""},
        {"regula show runs/whole --columns accuracy,nothing", 2, "",
         "option '--columns': found 'nothing', expected some of protocol, part, accuracy,"},
        {"regula show runs/whole --columns part,part", 2, "", "'part' is there twice"},
        {"regula show runs/whole --table folds --columns fold,test --json", 0,
         "\"test_std\": ", ""},
        {"regula show runs/whole runs/errors a=a --columns score", 0,
         "method           TOY %   TOY (2) error\nsmall    80.00 +- 7.07  0.6 +-",
         "regula: warning: 4 of 8 jobs"},
        {"regula show mine=runs/whole gin=a --against gin --format markdown 2>/dev/null", 0,
         "| mine | 80.00 \xc2\xb1 7.07 | +", ""},
        {"regula show mine=runs/whole gin=a --format csv 2>/dev/null", 0,
         "data,method,protocol,part,metric,score,score_std,difference,difference_se,against,", ""},
        {"regula show runs/whole a --against nobody", 2, "", "there is no method 'nobody'"},
        {"regula show runs/whole a --table folds", 2, "", "of several runs there is one table"},
        {"regula show mine=runs/whole mine=a", 2, "", "are both 'mine' on 'TOY'"},
        {"regula show runs/whole --plot c.svg > /dev/null && grep -c 'small, training' c.svg", 0,
         "1", ""},
        {"regula show runs/whole --plot c.txt", 2, "", "c.txt"},
        {"regula show runs/deep/er/begun --plot d.svg 2>&1 >/dev/null | tail -n 1", 0,
         "there are no curves to draw", ""},
    };
    for (size_t k = 0; k < COUNT(cases); k++)
        expect(*state, cases[k].line, cases[k].code, cases[k].out, cases[k].err);
}

static void the_object_has_the_keys_that_scripts_rely_on(void **state)
{
    json_t *root = run_json(*state, "regula show runs/whole --json");
    const char *protocol, *data, *digest;
    double mean, deviation, seconds, cpu;
    json_int_t configurations, jobs, chosen;
    json_t *folds, *protocols, *warnings;
    assert_int_equal(json_unpack(root, "{s:s,s:s,s:{s:F,s:F},s:o,s:I,s:I,s:F,s:F,s:s,s:o,s:o,s:n}",
                                 "protocol", &protocol, "data", &data, "accuracy", "mean", &mean,
                                 "std", &deviation, "folds", &folds, "configurations",
                                 &configurations, "jobs", &jobs, "seconds", &seconds, "cpu_seconds",
                                 &cpu, "digest", &digest, "protocols", &protocols, "warnings",
                                 &warnings, "error"),
                     0);
    assert_string_equal(protocol, "fair");
    assert_string_equal(data, "TOY");
    assert_true(fabs(mean - 0.8) < 1e-12 && fabs(deviation - 0.1 / sqrt(2)) < 1e-12);
    assert_int_equal(configurations, 2);
    assert_int_equal(jobs, 8);
    assert_true(seconds == 8 && cpu == 16);
    assert_int_equal(strlen(digest), 64);
    assert_int_equal(json_array_size(folds), 2);
    assert_int_equal(json_array_size(protocols), 3);
    assert_int_equal(json_array_size(warnings), 0);
    assert_int_equal(
        json_unpack(json_array_get(folds, 1), "{s:F,s:I}", "test", &mean, "configuration", &chosen),
        0);
    assert_true(fabs(mean - 0.85) < 1e-12);
    assert_int_equal(chosen, 1);
    json_decref(root);
}

static void half_a_run_is_an_object_too(void **state)
{
    json_t *root = run_json(*state, "regula show runs/deep/er/begun --json 2>/dev/null");
    assert_true(json_is_null(json_object_get(root, "accuracy")));
    assert_int_equal(json_array_size(json_object_get(root, "folds")), 0);
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 4);
    json_decref(root);
    root = run_json(*state, "regula show runs/errors --json");
    assert_true(json_is_null(json_object_get(root, "accuracy")));
    assert_true(json_is_null(json_object_get(root, "majority")));
    double mean = json_number_value(json_object_get(json_object_get(root, "error"), "mean"));
    assert_true(fabs(mean - 0.6) < 1e-12);
    json_decref(root);
}

static void every_table_is_an_object_with_its_protocol(void **state)
{
    static const struct {
        const char *table;
        size_t n;
    } cases[] = {{"folds", 2}, {"configurations", 2}, {"runs", 12}, {"jobs", 8}, {"curves", 24}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        char *line = test_format("regula show runs/whole --table %s --format json", cases[k].table);
        json_t *root = run_json(*state, line);
        assert_string_equal(json_string_value(json_object_get(root, "protocol")), "fair");
        assert_int_equal(json_array_size(json_object_get(root, "rows")), cases[k].n);
        json_decref(root);
        free(line);
    }
}

static void runs_are_listed_by_name(void **state)
{
    expect(*state, "regula runs", 0,
           "run                 data      jobs  protocol  score             begun", "");
    expect(*state, "regula runs", 0, "runs/deep/er/begun  TOY       0/8   fair      -", "");
    expect(*state, "regula runs | tail -n 1", 0,
           "runs/whole          TOY       8/8   fair      80.00 +- 7.07 %   20", "");
    expect(*state, "regula runs runs/errors", 0, "0.6 +- 0.07071", "");
    expect(*state, "regula runs a", 0, "a    TOY   4/8   fair", "");
    expect(*state, "regula runs nowhere", 4, "", "cannot read 'nowhere'");
    expect(*state, "mkdir none; cd none; regula runs", 0, "", "regula: found no runs in 'runs'\n");
    expect(*state, "mkdir -p none; cd none; regula runs --json", 0, "[]\n", "");
    json_t *list = run_json(*state, "regula runs --json");
    assert_int_equal(json_array_size(list), 5);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "directory")),
                        "runs/deep/er/begun");
    json_decref(list);
}

static void a_run_that_is_damaged_does_not_hide_the_others(void **state)
{
    expect(*state,
           "mkdir -p other/bad && echo no store > other/bad/store.sqlite && cp -r a other/good && "
           "ln -s ../other other/round && ln -s ../a other/link && regula runs other",
           0, "other/good", "regula: warning: 'other/bad/store.sqlite' is damaged: ");
    expect(*state, "regula runs other 2>/dev/null | wc -l", 0, "3\n", "");
}

static void runs_are_merged(void **state)
{
    expect(*state, "regula merge a b --out ab", 0, "ab: 4 of 8 jobs done, 4 waiting; from 2 runs\n",
           "regula: warning: 4 of 8 jobs are not done in any of the runs\n");
    expect(*state, "regula merge a runs/whole --out all --json", 0, "\"jobs_done\": 8", "");
    expect(*state,
           "regula show all --json | grep digest > 1; "
           "regula show runs/whole --json | grep digest > 2; cmp 1 2 && echo same",
           0, "same\n", "");
    expect(*state, "regula merge a b --out ab", 1, "", "regula: 'ab' holds a run already");
    expect(*state, "regula merge a runs/odd --out x", 0, "x: 8 of 8", ""); /* names may differ */
    expect(*state, "regula merge a nowhere --out y", 4, "", "'nowhere' is not a run directory");
    expect(*state, "regula merge a", 2, "", "option '--out DIR'");
    expect(*state, "regula merge --out x", 2, "", "argument RUN of 'regula merge' is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(the_object_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(half_a_run_is_an_object_too),
        cmocka_unit_test(every_table_is_an_object_with_its_protocol),
        cmocka_unit_test(runs_are_listed_by_name),
        cmocka_unit_test(a_run_that_is_damaged_does_not_hide_the_others),
        cmocka_unit_test(runs_are_merged),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
