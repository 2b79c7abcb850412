/* test_cli_kept.c - what version 0.1.0 left behind goes on: a checkpoint is resumed to the same bytes of
 * model, stores to the same digest. tests/data/ has what it wrote (model-1: test_model_kept.c); a new
 * format gets new files, and no file ever leaves. */
#include "support/program.h"

#include <string.h>

static const char network[] = "labels: {c: \"degree\", d: degree}\n"
                              "layers:\n"
                              "  - rule: share c(i), d(j), dist(i,j) when dist(i,j) in 1..3\n"
                              "    bias: share d(i)\n"
                              "    heads: 2\n"
                              "  - dropout: 0.2\n"
                              "  - aggregate: share out, c(i)\n"
                              "training: {epochs: 40, batch: 64, lr: 0.01, patience: none}\n";

static const char rules[] = "name: kept\n"
                            "data: rings\n"
                            "folds: [0, 1]\n"
                            "runs: 5\n"
                            "seed: 5\n"
                            "keep: none\n"
                            "network:\n"
                            "  labels: {c: \"cycles(max=12)\", d: degree}\n"
                            "  layers:\n"
                            "    - rule: share c(i), d(j), dist(i,j) when dist(i,j) in 1..3\n"
                            "      bias: share d(i)\n"
                            "    - dropout: 0.2\n"
                            "    - aggregate: share out, c(i)\n"
                            "training: {epochs: 4, batch: 8, lr: [0.01, 0.05], patience: none}\n";

static const char gin[] = "name: kept-gin\n"
                          "data: rings\n"
                          "folds: [0]\n"
                          "runs: 2\n"
                          "keep: none\n"
                          "model: {kind: gin, layers: 2, width: 4}\n"
                          "training: {epochs: 3, batch: 8}\n";

#define GENERATE "regula data generate LongRings --seed 3 --out "

static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    expect(directory, GENERATE "rings --graphs 24 --size 12", 0, "24 graphs", "");
    expect(directory, GENERATE "big --graphs 1200 --size 40", 0, "1200 graphs", "");
    test_write(directory, "net.yml", network);
    test_write(directory, "rules.yml", rules);
    test_write(directory, "gin.yml", gin);
    return 0;
}

static void copy(const char *directory, const char *from, const char *to)
{
    program_result result = run(directory,
                                "mkdir -p rules gin && cp '%s/tests/data/%s' '%s' && "
                                "chmod u+w '%s'",
                                REGULA_SOURCE, from, to, to);
    assert_int_equal(result.code, 0);
    program_result_free(&result);
}

static void expect_text(json_t *root, const char *key, const char *text)
{
    assert_string_equal(json_string_value(json_object_get(root, key)), text);
}

static void a_checkpoint_is_resumed_to_the_same_bytes(void **state)
{
    copy(*state, "checkpoint-1.safetensors", "net.safetensors.checkpoint");
    json_t *root =
        run_json(*state, "regula train big -n net.yml -m net.safetensors --resume --json --quiet");
    assert_int_equal(json_integer_value(json_object_get(root, "epochs")), 40);
    expect_text(root, "model_digest",
                "54ef47b72c16b068cd073dfd5eed545a55f7dfd5fa6cc053745580b3d72ec0fa");
    json_decref(root);
}

static void half_a_store_is_completed_to_the_same_digest(void **state)
{
    copy(*state, "store-1.sqlite", "rules/store.sqlite");
    expect(*state, "regula show rules", 0, NULL, "4 of 8 jobs are not done yet");
    json_t *root = run_json(*state, "regula run rules.yml --out rules --json --quiet");
    expect_text(root, "digest", "3fe19ca1f5359eebeb4e808912f83c5c77b84cd10c0494a9c34926015d0a09f9");
    json_decref(root);
}

/* The network of that time and that of today are the same but for rounding. */
static void named_networks_go_on_in_their_store(void **state)
{
    copy(*state, "store-1-gin.sqlite", "gin/store.sqlite");
    json_t *root = run_json(*state, "regula run gin.yml --out gin --json --quiet");
    json_decref(root);
    expect(*state, "regula show gin", 0, "2 of 2", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_checkpoint_is_resumed_to_the_same_bytes),
        cmocka_unit_test(half_a_store_is_completed_to_the_same_digest),
        cmocka_unit_test(named_networks_go_on_in_their_store),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
