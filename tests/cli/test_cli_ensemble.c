/* test_cli_ensemble.c - experiments whose configurations answer together: rows of tables, JSON, reports. */
#include "support/program.h"

#include <math.h>
#include <string.h>

static const char file[] = "name: e\n"
                           "data: rings\n"
                           "splits: {folds: 3, seed: 1}\n"
                           "protocol: [fair, global, gin]\n"
                           "runs: 2\n"
                           "keep: none\n"
                           "ensemble: all\n"
                           "network:\n"
                           "  - name: a\n"
                           "    labels: {c: \"cycles(max=12)\"}\n"
                           "    layers: [{aggregate: \"share out, c(i)\"}]\n"
                           "  - name: b\n"
                           "    labels: {d: degree}\n"
                           "    layers: [{aggregate: \"share out, d(i)\"}]\n"
                           "  - {model: wl, c: 1}\n"
                           "training: {epochs: 4, batch: 8, lr: 0.05, patience: none}\n";

static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    expect(directory, "regula data generate LongRings --seed 3 --out rings --graphs 36 --size 12",
           0, "36 graphs", "");
    test_write(directory, "e.yml", file);
    expect(directory, "regula run e.yml --quiet", 0, "ensemble all: 3 configurations, 2 runs each",
           NULL);
    return 0;
}

static void assert_ensemble(const json_t *list, size_t k, const char *name, const char *protocol,
                            size_t n_members)
{
    const json_t *e = json_array_get(list, k);
    assert_string_equal(json_string_value(json_object_get(e, "ensemble")), name);
    assert_string_equal(json_string_value(json_object_get(e, "protocol")), protocol);
    assert_int_equal(json_array_size(json_object_get(e, "members")), n_members);
    assert_int_equal(json_array_size(json_object_get(e, "folds")), 3);
    double sum = 0, mean = 0;
    for (size_t f = 0; f < 3; f++)
        sum += json_number_value(
            json_object_get(json_array_get(json_object_get(e, "folds"), f), "test"));
    mean = json_number_value(json_object_get(json_object_get(e, "accuracy"), "mean"));
    assert_true(fabs(sum / 3 - mean) < 1e-12 && mean >= 0 && mean <= 1);
}

static void an_experiment_has_rows_for_its_ensembles(void **state)
{
    json_t *root = run_json(*state, "regula run e.yml --json --quiet 2>err");
    json_t *list = json_object_get(root, "ensembles");
    assert_int_equal(json_array_size(list), 2); /* gin has none */
    assert_ensemble(list, 0, "all", "fair", 3);
    assert_ensemble(list, 1, "all", "global", 3);
    json_decref(root);
    expect(*state, "regula show runs/e --format csv 2>err | grep -c ensemble", 0, "2\n", "");
}

static void others_are_made_of_what_the_store_has(void **state)
{
    char *before = NULL;
    json_t *root = run_json(*state, "regula show runs/e --ensemble top:2 --ensemble stack "
                                    "--ensemble top:9 --json 2>err");
    json_t *list = json_object_get(root, "ensembles");
    before = strdup(json_string_value(json_object_get(root, "digest")));
    assert_int_equal(json_array_size(list), 6);
    assert_ensemble(list, 1, "top 2", "global", 2);
    assert_ensemble(list, 2, "stack", "fair", 3);
    assert_ensemble(list, 4, "top 9", "fair", 3);
    json_decref(root);
    root = run_json(*state, "regula show runs/e --json 2>err");
    assert_string_equal(json_string_value(json_object_get(root, "digest")), before);
    json_decref(root);
    free(before);
    expect(*state, "regula show runs/e --ensemble top", 2, "",
           "option '--ensemble': found 'top', expected all, stack or top:K such as top:5");
    expect(*state, "regula show runs/e --ensemble all --protocol gin", 0, NULL,
           "protocol 'gin' has no ensembles, for it has no test set");
    expect(*state, "regula run e.yml --set ensemble=stack --out runs/e", 1, "", "its file differs");
}

static void reports_have_them_too(void **state)
{
    expect(*state,
           "regula report runs/e --out e.html 2>err >out && grep -c 'ensemble all of 3 "
           "configurations' "
           "e.html",
           0, "1\n", "");
}

static void results_do_not_depend_on_shards(void **state)
{
    expect(*state,
           "for k in 0 1; do regula run e.yml --out part$k --shard $k/2 --quiet >out 2>err || "
           "exit; done; "
           "regula merge part0 part1 --out all >out 2>err && "
           "regula show all --ensemble stack --format csv 2>err >1 && "
           "regula show runs/e --ensemble stack --format csv 2>err >2 && cmp 1 2 && echo same",
           0, "same\n", "");
}

static double read_real(const json_t *root, const char *key)
{
    return json_number_value(json_object_get(root, key));
}

static void models_of_an_ensemble_say_what_the_experiment_said(void **state)
{
    expect(*state, "regula data split rings --folds 3 --seed 1 >s.json", 0, NULL, NULL);
    expect(*state,
           "sed -e '/model: wl/d' -e 's/keep: none/keep: best/' -e 's/splits:.*/splits: s.json/' "
           "-e 's/ensemble: all/ensemble: {top: 2}/' -e 's/name: e$/name: k/' e.yml >k.yml && "
           "regula run k.yml --quiet 2>err | grep -c 'models: 6'",
           0, "1\n", NULL);
    json_t *root = run_json(*state, "regula show runs/k --json 2>err");
    json_t *folds = json_object_get(json_array_get(json_object_get(root, "ensembles"), 0), "folds");
    for (size_t f = 0; f < 3; f++) {
        char *line =
            test_format("regula evaluate runs/k/models/ensemble-top-2-fold-%zu.safetensors "
                        "rings --split s.json --fold %zu --json 2>err",
                        f, f);
        json_t *result = run_json(*state, line);
        assert_true(read_real(result, "accuracy") == read_real(json_array_get(folds, f), "test"));
        json_decref(result);
        free(line);
    }
    json_decref(root);
    expect(*state, "regula run k.yml --quiet 2>err | grep -c models:", 1, "0\n", NULL); /* there */
    expect(*state, "regula explain runs/k/models/ensemble-top-2-fold-0.safetensors", 0, "Layer 1",
           "the model has 4 networks that answer together: this explains the first (--member)");
    expect(*state, "regula explain runs/k/models/ensemble-top-2-fold-0.safetensors --member 5", 2,
           "", "the model has 4 networks: there is no 5");
}

static void kernels_have_no_model_files(void **state)
{
    expect(*state,
           "sed -e 's/keep: none/keep: best/' -e 's/name: e$/name: w/' e.yml >w.yml && "
           "regula run w.yml --quiet 2>err; ls runs/w/models 2>err | grep -c ensemble",
           1, "baselines: ", NULL);
}

static void networks_of_several_seeds_are_one_model(void **state)
{
    test_write(*state, "net.yml",
               "labels: {c: \"cycles(max=12)\"}\nlayers: [{aggregate: \"share out, c(i)\"}]\n"
               "training: {epochs: 3, patience: none}\n");
    expect(*state, "regula train rings -n net.yml -m three.safetensors --ensemble 3 --quiet 2>err",
           0, "of 3 networks together", NULL);
    json_t *root = run_json(*state, "regula train rings -n net.yml -m again.safetensors "
                                    "--ensemble 3 --quiet --json 2>err");
    assert_int_equal(json_integer_value(json_object_get(root, "networks")), 3);
    json_decref(root);
    expect(*state, "cmp three.safetensors again.safetensors && echo same", 0, "same\n", "");
    expect(*state, "regula predict three.safetensors rings | head -n 2", 0, "sample", NULL);
    expect(*state, "regula prune three.safetensors rings", 0, "dropped", NULL);
    expect(*state, "regula train rings -n net.yml -m x.safetensors --ensemble 3 --lanes 4", 2, "",
           "option '--ensemble' is without '--lanes' and '--resume'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_experiment_has_rows_for_its_ensembles),
        cmocka_unit_test(others_are_made_of_what_the_store_has),
        cmocka_unit_test(reports_have_them_too),
        cmocka_unit_test(results_do_not_depend_on_shards),
        cmocka_unit_test(models_of_an_ensemble_say_what_the_experiment_said),
        cmocka_unit_test(kernels_have_no_model_files),
        cmocka_unit_test(networks_of_several_seeds_are_one_model),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
