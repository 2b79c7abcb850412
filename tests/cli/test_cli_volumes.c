/* test_cli_volumes.c - images and volumes from the command line: the examples of docs/networks.md. */
#include "support/program.h"

#define VOLUMES REGULA_SOURCE "/examples/volumes"
#define FAR REGULA_SOURCE "/examples/far"

static int set_up(void **state)
{
    *state = test_directory_make();
    expect(*state,
           "regula data split " VOLUMES " --holdout 0.3 --validation 0.15 --seed 1 --out v.json", 0,
           "1 fold", "");
    expect(*state,
           "regula data split " FAR " --holdout 0.3 --validation 0.15 --seed 1 --out f.json", 0,
           "1 fold", "");
    return 0;
}

static double test_score(const char *directory, const char *data, const char *split,
                         const char *network)
{
    char *line =
        test_format("regula train %s --network %s/%s.yml --model %s.safetensors --split %s "
                    "--seed 2 --json --quiet",
                    data, data, network, network, split);
    json_t *root = run_json(directory, line);
    double score = json_number_value(json_object_get(root, "test_accuracy"));
    json_decref(root);
    free(line);
    return score;
}

static void a_convolution_sees_what_a_dense_layer_does_not(void **state)
{
    assert_true(test_score(*state, VOLUMES, "v.json", "convolution") > 0.75);
    assert_true(test_score(*state, VOLUMES, "v.json", "dense") < 0.7);
    static const program_line cases[] = {
        {"regula evaluate convolution.safetensors " VOLUMES " --split v.json", 0, "accuracy", ""},
        {"regula explain convolution.safetensors", 0, "1 plane behind", ""},
    };
    expect_lines(*state, cases, sizeof cases / sizeof *cases);
}

static void two_places_far_apart_are_one_kernel(void **state)
{
    assert_true(test_score(*state, FAR, "f.json", "far") > 0.93);
    assert_true(test_score(*state, FAR, "f.json", "near") < 0.7);
    expect(*state, "regula explain far.safetensors", 0, "9 columns to the right", "");
    expect(*state, "regula explain far.safetensors " FAR " --graph 0", 0, "sum: the output", "");
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula data info " VOLUMES, 0, "6 rows, 6 columns, depth 6, 1 channel: 216 values", ""},
        {"regula rule check 'share depth(j)-depth(i) when depth(j)-depth(i) in 0..1' --input "
         "2x2x3x1 "
         "--output 2x2x2x1",
         0, "weights        2 of 2 possible", ""},
        {"regula rule show --rule 'share depth(i), depth(j)' --input 1x1x2x1 --output 1x1x2x1", 0,
         "1 2\n3 4\n", ""},
        {"regula rule check 'share depth(j)' --input 2y2 --output 2x2", 2, "",
         "expected ROWSxCOLUMNS, ROWSxCOLUMNSxCHANNELS or ROWSxCOLUMNSxDEPTHxCHANNELS"},
    };
    expect_lines(*state, cases, sizeof cases / sizeof *cases);
    expect(*state,
           "printf 'layers:\\n  - rule: share i, j\\n    shape: [1, 2, 3, 4, 5]\\n' > bad.yml; "
           "regula train " VOLUMES " --network bad.yml --model x.safetensors",
           3, "", "expected [ROWS, COLS], [ROWS, COLS, CHANNELS] or [ROWS, COLS, DEPTH, CHANNELS]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolution_sees_what_a_dense_layer_does_not),
        cmocka_unit_test(two_places_far_apart_are_one_kernel),
        cmocka_unit_test(lines_end_as_they_should),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
