/* test_cli_train.c - regula train as users and scripts meet it: bytes, stops, resumes, messages. */
#include "support/program.h"

#include "cli/command/command.h"
#include "cli/output/epochs.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const char network[] = "preset: paper\n"
                              "input: scaled\n"
                              "labels: {label: node}\n"
                              "layers:\n"
                              "  - rule: share label(i), label(j) when dist(i,j) in {8}\n"
                              "    bias: share label(i)\n"
                              "  - aggregate: share out, label(i)\n"
                              "training:\n"
                              "  lr: 0.1\n"
                              "  schedule: constant\n"
                              "  patience: none\n";

static void write_network(const char *directory, const char *name, const char *more)
{
    char *text = test_format("%s%s", network, more);
    test_write(directory, name, text);
    free(text);
}

/* rings/ (120 graphs), rings.json (4 folds); short.yml, long.yml (many epochs). mols/: two classes
 * and a real target apart. */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    expect(directory, "regula data generate EvenOddRingsCount --out rings --graphs 120", 0,
           "120 graphs", "");
    expect(directory, "regula data split rings --folds 4 --out rings.json", 0, "4 folds", "");
    write_network(directory, "short.yml", "  epochs: 10\n");
    write_network(directory, "long.yml", "  epochs: 3000\n");
    write_network(directory, "typo.yml", "  epoch: 10\n");
    write_network(directory, "double.yml", "  epochs: 10\n  precision: double\n");
    test_write(directory, "bonds.yml",
               "layers:\n  - rule: share bond(i,j) when edge(i,j)\n  - aggregate: share out\n");
    test_write(directory, "image.yml",
               "layers:\n  - rule: share i, j\n    shape: [1, 8]\n  - dense: auto\n");
    test_write(directory, "far.yml",
               "labels: {a: attribute(0)}\n"
               "layers:\n  - rule: share a(i) when edge(i,j)\n"
               "  - aggregate: share out\n");
    test_write(directory, "leak.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 3, 4, 5, 6, 7], "
               "\"validation\": [0, 1]}]}]");
    test_write(directory, "large.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 300], "
               "\"validation\": []}]}]");
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula train rings -n short.yml -m a", 0,
         "EvenOddRingsCount: 108 training, 12 validation and 0 test samples\n", ""},
        {"regula train rings -n short.yml -m a", 0, "weights used", ""}, /* over the old one */
        {"regula train rings -n short.yml -m a --validation 0", 0, "120 training, 0 validation",
         ""},
        {"regula train rings -n short.yml -m a --split rings.json --fold 3", 0,
         "EvenOddRingsCount, fold 3: 81 training, 9 validation and 30 test samples\n", ""},
        {"regula train rings -n short.yml -m a --lanes 4", 0, "         deviation", ""},
        {"regula train rings -n short.yml -m a --fit train", 0, "model              a\n", ""},
        {"regula train rings -n short.yml -m a --resume", 0, "epochs             10, ", ""},
        {"regula train rings -n short.yml -m a --split leak.json", 0, "fold 0",
         "regula: warning: in 1 of 1 folds the validation set equals the test set"},
        {"regula train", 2, "", "argument DATA of 'regula train' is missing"},
        {"regula train rings", 2, "", "option '--model FILE' of 'regula train' is missing"},
        {"regula train rings -n short.yml", 2, "", "option '--model FILE' of 'regula train'"},
        {"regula train rings -n short.yml -m a --fold 1", 2, "", "'--fold' is for '--split'"},
        {"regula train rings -n short.yml -m a --split rings.json --validation 0.2", 2, "",
         "options '--split' and '--validation' exclude each other"},
        {"regula train rings -n short.yml -m a --split rings.json --fold 4", 2, "",
         "rings.json: found 4 folds, expected one with number 4"},
        {"regula train rings -n short.yml -m a --split large.json", 3, "", "large.json"},
        {"regula train rings -n short.yml -m a --split nowhere.json", 4, "", "nowhere.json"},
        {"regula train rings -n short.yml -m a --lanes 2", 2, "", "known: 1, 4, 8"},
        {"regula train rings -n short.yml -m a --memory 5X", 2, "", "a size such as 500M or 2G"},
        {"regula train rings -n short.yml -m a --validation 1", 2, "", "below 1"},
        {"REGULA_CPU=avx regula train rings -n short.yml -m a", 2, "",
         "regula: REGULA_CPU: found 'avx', expected 'auto', 'portable', "
         "'avx2' or 'avx512'"},
        {"REGULA_CPU= regula train rings -n short.yml -m a", 0, "model ", ""},
        {"REGULA_CPU=auto regula train rings -n short.yml -m a", 0, "model ", ""},
        {"regula train nowhere -n short.yml -m a", 4, "", "nowhere"},
        {"regula train rings -n nowhere.yml -m a", 4, "", "nowhere.yml"},
        {"regula train nowhere -n typo.yml -m a", 3, "", "typo.yml:12:"},
        {"regula train rings -n rings.json -m a", 3, "", "rings.json:1:"},
        {"regula train rings -n far.yml -m a", 3, "", "0 node attributes"},
        {"regula train rings -n bonds.yml -m a", 3, "", "has no edge labels"},
        {"regula train rings -n image.yml -m a", 3, "", "'shape' is for arrays"},
        {"regula train nowhere -n short.yml -m gone/a", 4, "", "cannot create 'gone/a'"},
        {"regula train nowhere -n short.yml -m rings", 4, "", "cannot create 'rings'"},
        {"regula train rings -n short.yml -m a > /dev/full", 4, "", "No space left"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static void json_has_the_keys_that_scripts_rely_on(void **state)
{
    static const char *const keys[] = {"model",
                                       "data",
                                       "network",
                                       "split",
                                       "fold",
                                       "seed",
                                       "run",
                                       "lanes",
                                       "epochs",
                                       "best_epoch",
                                       "train_accuracy",
                                       "validation_accuracy",
                                       "test_accuracy",
                                       "train_error",
                                       "train_loss",
                                       "validation_loss",
                                       "test_loss",
                                       "seconds_per_epoch",
                                       "build_seconds",
                                       "seconds_per_epoch_per_model",
                                       "seconds",
                                       "connections",
                                       "weights_used",
                                       "weights_possible",
                                       "parameters",
                                       "table_bytes",
                                       "peak_rss_mb",
                                       "interrupted",
                                       "data_digest",
                                       "split_digest",
                                       "model_digest",
                                       "runs",
                                       "best_run",
                                       "test_error",
                                       "validation_error"};
    program_result result =
        run(*state, "regula train rings -n short.yml -m j --split rings.json --fold 1 "
                    "--seed 18446744073709551615 --run 3 --lanes 4 --json");
    json_t *root = program_result_json(&result), *runs = json_object_get(root, "runs");
    for (size_t k = 0; k < CLI_COUNT(keys); k++)
        if (!json_object_get(root, keys[k]))
            fail_msg("key %s is missing", keys[k]);
    assert_string_equal(result.err, "");
    assert_int_equal(json_array_size(runs), 4);
    size_t best = (size_t)json_integer_value(json_object_get(root, "best_run")) - 3;
    static const char *const same[] = {"train_accuracy", "validation_accuracy", "test_accuracy",
                                       "train_loss", "best_epoch"};
    for (size_t k = 0; k < CLI_COUNT(same); k++)
        assert_true(json_equal(json_object_get(root, same[k]),
                               json_object_get(json_array_get(runs, best), same[k])));
    assert_true(json_is_null(json_object_get(root, "train_error")));
    assert_true(json_is_false(json_object_get(root, "interrupted")));
    assert_int_equal(json_integer_value(json_object_get(root, "weights_possible")), 256);
    assert_string_equal(json_string_value(json_object_get(root, "seed")), "18446744073709551615");
    json_decref(root);
    program_result_free(&result);
    result = run(*state, "regula train rings -n short.yml -m j --json");
    root = program_result_json(&result);
    assert_true(json_is_null(json_object_get(root, "test_accuracy")));
    assert_true(json_is_null(json_object_get(root, "split")));
    json_decref(root);
    program_result_free(&result);
}

/* Nothing that changes the speed changes a byte; what changes the answer changes them. */
static void bytes_depend_on_what_was_asked_alone(void **state)
{
    static const char *const same[] = {"--threads 1",  "--threads 2", "--threads 4",
                                       "--memory 40K", "--quiet",     "--save-every 0"};
    static const char *const other[] = {"--seed 2", "--run 1", "--validation 0.2"};
    static const char *const cpus[] = {"auto", "portable", "avx2", "avx512", "baseline"};
    expect(*state, "regula train rings -n double.yml -m d >/dev/null", 0, "", "");
    for (size_t f = 0; f < 2; f++) {
        const char *file = f ? "double.yml" : "short.yml";
        program_result first = run(*state, "regula train rings -n %s -m one", file);
        assert_int_equal(first.code, 0);
        program_result_free(&first);
        char *line;
        for (size_t k = 0; k < CLI_COUNT(cpus); k++) {
            bool missing = rg_cpu_check((rg_cpu)k, NULL) != RG_OK; /* cpus[4] is no rg_cpu */
            line = test_format("REGULA_CPU=%s regula train rings -n %s -m two >/dev/null "
                               "&& cmp one two",
                               cpus[k], file);
            expect(*state, line, missing && k < 4 ? 2 : 0, "", missing && k < 4 ? cpus[k] : "");
            free(line);
        }
        for (size_t k = 0; k < CLI_COUNT(same) + CLI_COUNT(other); k++) {
            bool equal = k < CLI_COUNT(same);
            line = test_format("regula train rings -n %s -m two %s >/dev/null && cmp -s one two",
                               file, equal ? same[k] : other[k - CLI_COUNT(same)]);
            expect(*state, line, equal ? 0 : 1, "", "");
            free(line);
        }
    }
}

static void a_lane_is_the_run_alone(void **state)
{
    program_result four = run(*state, "regula train rings -n short.yml -m four --lanes 4 --json");
    json_t *root = program_result_json(&four), *runs = json_object_get(root, "runs");
    for (size_t k = 0; k < 4; k++) {
        program_result one =
            run(*state, "regula train rings -n short.yml -m one --run %zu --json", k);
        json_t *alone = program_result_json(&one);
        assert_true(
            json_equal(json_array_get(json_object_get(alone, "runs"), 0), json_array_get(runs, k)));
        json_decref(alone);
        program_result_free(&one);
    }
    json_decref(root);
    program_result_free(&four);
}

/* Stops a long run with a signal once its first checkpoint is there; what it printed. A signal that
 * scripts have ignored in the background is made to work again. */
static program_result stop(const char *directory, const char *signal, const char *more)
{
    return run(directory,
               "rm -f stopped stopped.checkpoint; env --default-signal=INT regula train rings "
               "-n long.yml -m stopped --save-every 0 %s > out & pid=$!; "
               "until [ -e stopped.checkpoint ]; do sleep 0.01; done; kill -%s $pid; wait $pid; "
               "echo ends with $?",
               more, signal);
}

static void a_run_that_is_stopped_goes_on_to_the_same_bytes(void **state)
{
    static const char *const signals[] = {"INT", "TERM", "HUP", "KILL"};
    static const char *const lanes[] = {"--lanes 1", "--lanes 4", "--lanes 1", "--lanes 4"};
    for (size_t k = 0; k < CLI_COUNT(signals); k++) {
        if (!test_in_sample(k))
            continue;
        bool killed = k == 3;
        program_result result = stop(*state, signals[k], lanes[k]);
        if (!strstr(result.out, killed ? "ends with 137\n" : "ends with 1\n"))
            fail_msg("SIG%s: %s\n%s", signals[k], result.out, result.err);
        if (!killed)
            assert_non_null(strstr(result.err, "'stopped' has the best weights so far; continue "
                                               "with the same command and --resume\n"));
        program_result_free(&result);
        if (!killed)
            expect(*state, "grep -c 'so far' out; ls stopped", 0, "1\nstopped\n", "");
        expect(*state, "regula train rings -n long.yml -m stopped", 1, "",
               "regula: 'stopped.checkpoint' exists, from a run that was stopped: continue with "
               "--resume, or delete it to start again\n");
        char *line = test_format("regula train rings -n long.yml -m whole %s >/dev/null && "
                                 "regula train rings -n long.yml -m stopped %s --resume && "
                                 "cmp whole stopped && ls -A | grep -c checkpoint",
                                 lanes[k], lanes[k]);
        expect(*state, line, 1, "epochs             3000, ", "");
        free(line);
    }
}

static void a_checkpoint_of_another_run_is_refused(void **state)
{
    program_result result = stop(*state, "TERM", "--seed 5");
    assert_non_null(strstr(result.out, "ends with 1\n"));
    program_result_free(&result);
    static const struct {
        const char *line;
        int code;
        const char *err;
    } cases[] = {
        {"regula train rings -n long.yml -m stopped --resume --seed 6", 1, "stopped.checkpoint"},
        {"regula train rings -n short.yml -m stopped --resume --seed 5", 1, "stopped.checkpoint"},
        {"cp stopped.checkpoint kept; printf x >> stopped.checkpoint; "
         "regula train rings -n long.yml -m stopped --resume --seed 5",
         3, "stopped.checkpoint"},
        {": > stopped.checkpoint; regula train rings -n long.yml -m stopped --resume --seed 5", 3,
         "stopped.checkpoint"},
        {"mv kept stopped.checkpoint; "
         "regula train rings -n long.yml -m stopped --resume --seed 5 > /dev/null",
         0, ""},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++)
        expect(*state, cases[k].line, cases[k].code, "", cases[k].err);
}

static void a_terminal_sees_how_far_it_is(void **state)
{
    int code;
    char *text = run_on_terminal(
        *state, "regula train rings -n long.yml -m t --save-every 0.001 | cat >/dev/null", &code);
    assert_int_equal(code, 0);
    assert_non_null(strstr(text, "EvenOddRingsCount  epoch "));
    assert_non_null(strstr(text, "/3000, "));
    assert_non_null(strstr(text, " s left  loss 0."));
    free(text);
    text = run_on_terminal(*state, "regula train rings -n long.yml -m t -q >/dev/null", &code);
    assert_string_equal(text, "");
    free(text);
}

static void the_line_says_what_there_is(void **state)
{
    (void)state;
    static const struct {
        rg_epoch last[2];
        size_t n_runs;
        uint32_t best;
        double best_score, left;
        bool errors;
        const char *line;
    } cases[] = {
        {{{0, 0, 0.33124, 0.912, 0.5, 0.804}},
         1,
         9,
         0.811,
         3,
         false,
         "X  epoch 12/50, 3 s left  loss 0.3312  train 91.2 %  validation 80.4 % (best 81.1 %, "
         "epoch 9)"},
        {{{0, 0, 0.5, 0.25, NAN, NAN}},
         1,
         12,
         NAN,
         -1,
         false,
         "X  epoch 12/50  loss 0.5  train 25.0 %"},
        {{{0, 0, 0.5, 0.25, 0.1, 0.5}, {0, 0, 1.5, 0.75, 0.1, 0.7}},
         2,
         11,
         NAN,
         61,
         false,
         "X  epoch 12/50, 1:01 left  loss 1  train 50.0 %  validation 60.0 % (best: epoch 11)"},
        {{{0, 0, 0.5, 0.25, 0.1, 0.123456}},
         1,
         12,
         0.123456,
         0,
         true,
         "X  epoch 12/50, 0 s left  loss 0.5  train 0.25  validation 0.1235 (best 0.1235, "
         "epoch 12)"},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        char line[200];
        rg_train_state now = {.epoch = 12,
                              .epochs = 50,
                              .last = cases[k].last,
                              .n_runs = cases[k].n_runs,
                              .errors = cases[k].errors,
                              .metric = cases[k].errors ? RG_METRIC_MAE : RG_METRIC_ACCURACY};
        cli_epochs epochs = {
            .title = "X", .best = cases[k].best, .best_score = cases[k].best_score};
        cli_epochs_line(&epochs, &now, cases[k].left, line, sizeof line);
        assert_string_equal(line, cases[k].line);
        for (size_t size = 1; size < sizeof line; size++)
            cli_epochs_line(&epochs, &now, cases[k].left, line, size); /* cut, never past it */
    }
}

static void real_values_have_errors(void **state)
{
    expect(*state,
           "mkdir -p real && for f in A graph_indicator node_labels; do "
           "cp rings/EvenOddRingsCount_$f.txt real/REAL_$f.txt; done && "
           "awk '{ print ($1 + 1) / 4 }' rings/EvenOddRingsCount_graph_labels.txt "
           "> real/REAL_graph_attributes.txt",
           0, "", "");
    program_result result = run(*state, "regula train real -n short.yml -m r --json");
    json_t *root = program_result_json(&result);
    assert_true(json_is_null(json_object_get(root, "validation_accuracy")));
    assert_true(json_number_value(json_object_get(root, "validation_error")) > 0);
    assert_true(json_is_null(json_object_get(root, "test_error")));
    json_decref(root);
    program_result_free(&result);
    expect(*state, "regula train real -n short.yml -m r", 0, "validation         mean error 0.",
           "");
}

static void images_are_trained_on_too(void **state)
{
    test_write(*state, "shapes.yml",
               "layers:\n"
               "  - rule: share row(j)-row(i), col(j)-col(i) when row(j)-row(i) in 0..2 and "
               "col(j)-col(i) in 0..2\n"
               "    shape: [10, 10]\n"
               "  - rule: share i, j\n"
               "    shape: [1, 4]\n"
               "  - dense: auto\n"
               "training: {epochs: 3}\n");
    expect(*state,
           "regula data generate Shapes --out shapes --graphs 80 --size 12 >/dev/null && "
           "regula train shapes -n shapes.yml -m s.safetensors",
           0, ": 72 training, 8 validation", "");
    expect(*state, "regula train shapes -n short.yml -m s.safetensors", 3, "",
           "has arrays, and labelings are for graphs");
}

/* What is taken is told; names decide, unless the line says that values are the same. */
static void a_model_of_other_data_is_a_start(void **state)
{
    const char *d = *state;
    expect(d, "regula train rings -n short.yml -m begin.safetensors --quiet", 0, "epochs", "");
    expect(d,
           "regula train rings -n short.yml -m more.safetensors --start begin.safetensors --quiet",
           0, "(its input means something else)", "");
    expect(d,
           "regula train rings -n short.yml -m more.safetensors --start begin.safetensors "
           "--same-values --quiet",
           0, "taken from the model:\n  layer 1 rule", "");
    program_result result = run(d, "regula train rings -n short.yml -m more.safetensors --start "
                                   "begin.safetensors --same-values --json --quiet");
    json_t *root = program_result_json(&result), *part;
    json_t *parts = json_object_get(root, "start");
    size_t k;
    assert_true(json_array_size(parts) >= 3);
    json_array_foreach(parts, k, part)
    {
        assert_int_equal(json_integer_value(json_object_get(part, "taken")),
                         json_integer_value(json_object_get(part, "n")));
        assert_true(json_is_null(json_object_get(part, "why")));
    }
    json_decref(root);
    program_result_free(&result);
    expect(d, "regula train rings -n short.yml -m more.safetensors --same-values", 2, "",
           "options '--same-values' and '--label-names' are for '--start'");
    expect(d, "regula train rings -n short.yml -m more.safetensors --start short.yml", 3, "",
           "short.yml");
}

static void rules_that_are_dropped_are_named(void **state)
{
    const char *d = *state;
    test_write(d, "lasso.yml",
               "labels: {label: node}\n"
               "layers:\n"
               "  - rule: [share label(i) when i = j, \"share dist(i,j) when dist(i,j) in 1..2\"]\n"
               "    bias: share 1\n"
               "  - aggregate: share out, label(i)\n"
               "training: {epochs: 40, best: last, patience: none, lasso: {strength: 5}}\n");
    expect(d, "regula train rings -n lasso.yml -m lasso.safetensors --quiet", 0,
           "the rules it kept: 1 of 3", "");
    expect(d, "regula train rings -n lasso.yml -m lasso.safetensors --quiet", 0,
           "share label(i) when i = j (dropped)", "");
}

static void places_are_read_with_the_data(void **state)
{
    const char *d = *state;
    test_write(d, "some.yml",
               "labels: {label: node, place: node(1)}\n"
               "layers:\n"
               "  - rule: share label(j) when edge(i,j) and node(i,1) = 1 and node(j,1) = 0\n"
               "    bias: share place(i)\n"
               "  - aggregate: share out, place(i)\n"
               "training: {epochs: 2}\n");
    expect(d, "regula train rings -n some.yml -m p.safetensors --places edges --quiet", 0, "epochs",
           "");
    expect(d, "regula predict p.safetensors rings --places edges", 0, "class", "");
    expect(d, "regula predict p.safetensors rings", 3, "", "found 1 column of node labels");
    expect(d, "regula data info rings --places 'rings(2)'", 2, "", "expected edges, rings(K)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(json_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(bytes_depend_on_what_was_asked_alone),
        cmocka_unit_test(a_lane_is_the_run_alone),
        cmocka_unit_test(a_run_that_is_stopped_goes_on_to_the_same_bytes),
        cmocka_unit_test(a_checkpoint_of_another_run_is_refused),
        cmocka_unit_test(a_terminal_sees_how_far_it_is),
        cmocka_unit_test(the_line_says_what_there_is),
        cmocka_unit_test(real_values_have_errors),
        cmocka_unit_test(images_are_trained_on_too),
        cmocka_unit_test(a_model_of_other_data_is_a_start),
        cmocka_unit_test(rules_that_are_dropped_are_named),
        cmocka_unit_test(places_are_read_with_the_data),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
