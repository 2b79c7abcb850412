/* test_parity.c - the numbers of the published program, from files of reference vectors.
 *
 *   test_parity [FILE.json ...]
 *
 * Without files: all of $REGULA_GOLDEN, else of $REGULA_DATA/../golden. Outputs, loss and gradients
 * to 1e-12, parameters after steps of Adam to 1e-9. Without any, only the small network below. */
#include "support/support.h"

#include "parity.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *load(const char *path)
{
    json_error_t why;
    json_t *root = json_load_file(path, 0, &why);
    if (!root)
        fail_msg("%s:%d: %s", path, why.line, why.text);
    return root;
}

static void every_number_of_the_file_comes_out(void **state)
{
    json_t *root = load(*state);
    for (int way = 0; way < 2; way++) {
        parity_result result = way ? parity_run_network(root) : parity_run(root);
        print_message("%s%s: %zu numbers; largest deviation %.2g, after steps %.2g\n",
                      (char *)*state, way ? " as a network" : "", result.n_compared, result.largest,
                      result.drifted);
        if (result.n_wrong)
            fail_msg("%zu numbers are wrong, the first: %s", result.n_wrong, result.first);
        assert_true(result.n_compared > 10);
    }
    json_decref(root);
}

/* A network small enough to do by hand: two nodes and an edge, one label, D = {1}, all x = 1, W = b
 * = 0 in the first layer. Then h = 0 and only the bias of the output decides. `bias` differs
 * between the classes, so the loss is log(1 + exp(tanh(b1) - tanh(b0))). */
static json_t *by_hand(void)
{
    const double b0 = 0.3, b1 = -0.2, t0 = tanh(b0), t1 = tanh(b1);
    const double loss = log(1 + exp(t1 - t0)), p1 = 1 / (1 + exp(t0 - t1));
    const double d0 = -p1 * (1 - t0 * t0), d1 = p1 * (1 - t1 * t1);
    char *text = test_format(
        "{\"num_classes\":2,\"lr\":0,\"adam\":{\"beta1\":0.9,\"beta2\":0.999,\"eps\":1e-8,"
        "\"weight_decay\":0.0},\"graphs\":[{\"n\":2,\"edges\":[[0,1]],\"x\":[1,1],\"target\":0}],"
        "\"layers\":[{\"type\":\"conv\",\"num_labels\":1,\"distances\":[1],\"node_labels\":[[0,0]],"
        "\"n_entries\":[2],\"used_W\":[0],\"used_b\":[0],\"init_W\":[0],\"init_b\":[0]},"
        "{\"type\":\"aggregation\",\"num_labels\":1,\"distances\":null,\"node_labels\":[[0,0]],"
        "\"n_entries\":[4],\"used_W\":[0,1],\"used_b\":[0,1],\"init_W\":[2,-1],\"init_b\":[%.17g,"
        "%.17g]}],\"initial\":{\"output_pre_tanh\":[[%.17g,%.17g]],\"output\":[[%.17g,%.17g]],"
        "\"hidden_first_graph\":[[0,0]],\"loss\":%.17g,\"grad\":[{\"W\":[%.17g],\"b\":[%.17g]},"
        "{\"W\":[0,0],\"b\":[%.17g,%.17g]}]},\"loss_before_step\":[%.17g,%.17g,%.17g,%.17g,%.17g],"
        "\"loss_after_5_steps\":%.17g,\"output_after_5_steps\":[[%.17g,%.17g]],"
        "\"params_after_step\":{\"1\":[{\"W\":[0],\"b\":[0]},{\"W\":[2,-1],\"b\":[%.17g,%.17g]}]}}",
        b0, b1, b0, b1, t0, t1, loss, 2 * d0 - d1, 2 * d0 - d1, d0, d1, loss, loss, loss, loss,
        loss, loss, t0, t1, b0, b1);
    json_t *root = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(root);
    return root;
}

static void a_network_done_by_hand_comes_out(void **state)
{
    (void)state;
    json_t *root = by_hand();
    for (int way = 0; way < 2; way++) {
        parity_result result = way ? parity_run_network(root) : parity_run(root);
        if (result.n_wrong)
            fail_msg("%zu numbers are wrong, the first: %s", result.n_wrong, result.first);
        assert_int_equal(result.n_compared, way ? 25 : 29);
    }
    json_decref(root);
}

/* One number after another is moved by a little more than is allowed, and each time it is found. */
static void nudge(json_t *value, const json_t *root, size_t *n_nudged)
{
    size_t k;
    const char *key;
    json_t *child;
    if (json_is_array(value)) {
        json_array_foreach(value, k, child) nudge(child, root, n_nudged);
    } else if (json_is_object(value)) {
        json_object_foreach(value, key, child) nudge(child, root, n_nudged);
    } else if (json_is_real(value)) {
        double kept = json_real_value(value);
        json_real_set(value, kept + 1.5e-9);
        if (!parity_run(root).n_wrong)
            fail_msg("%.17g was changed and nobody saw it", kept);
        json_real_set(value, kept);
        ++*n_nudged;
    }
}

static void a_wrong_number_is_found(void **state)
{
    (void)state;
    json_t *root = by_hand();
    static const char *const names[] = {"initial", "loss_before_step", "loss_after_5_steps",
                                        "output_after_5_steps", "params_after_step"};
    size_t n_nudged = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        nudge(json_object_get(root, names[k]), root, &n_nudged);
    assert_true(n_nudged >= 17);
    assert_int_equal(parity_run(root).n_wrong, 0);
    json_decref(root);
}

static void a_file_of_another_format_is_wrong(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}", "[]", "{\"graphs\":[{\"n\":1}],\"num_classes\":2}"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        json_t *root = json_loads(texts[k], 0, NULL);
        assert_non_null(root);
        assert_true(parity_run(root).n_wrong > 0);
        json_decref(root);
    }
    static const char *const needed[] = {"initial", "layers", "graphs", "params_after_step"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        json_t *root = by_hand();
        json_object_del(root, needed[k]);
        assert_true(parity_run(root).n_wrong > 0);
        json_decref(root);
    }
}

static void reference_files_are_found(void **state)
{
    (void)state;
    skip(); /* stands for the files that are not here */
    assert_true(false);
}

/* The files to take when none is named. */
static void find(glob_t *found)
{
    const char *golden = getenv("REGULA_GOLDEN"), *data = getenv("REGULA_DATA");
    char *pattern = golden && *golden ? test_format("%s/*.json", golden)
                    : data && *data   ? test_format("%s/../golden/*.json", data)
                                      : NULL;
    memset(found, 0, sizeof *found);
    if (pattern && glob(pattern, 0, NULL, found) != 0)
        found->gl_pathc = 0;
    free(pattern);
}

int main(int argc, char **argv)
{
    enum { MOST = 500 };
    static struct CMUnitTest tests[MOST + 4] = {
        cmocka_unit_test(a_network_done_by_hand_comes_out),
        cmocka_unit_test(a_wrong_number_is_found),
        cmocka_unit_test(a_file_of_another_format_is_wrong),
    };
    size_t n = 3;
    glob_t found;
    find(&found);
    size_t n_files = argc > 1 ? (size_t)argc - 1 : found.gl_pathc;
    for (size_t k = 0; k < n_files && k < MOST; k++)
        tests[n++] = (struct CMUnitTest)cmocka_unit_test_prestate(
            every_number_of_the_file_comes_out, argc > 1 ? argv[1 + k] : found.gl_pathv[k]);
    if (!n_files)
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(reference_files_are_found);
    int failed = _cmocka_run_group_tests("parity", tests, n, NULL, NULL);
    globfree(&found);
    return failed;
}
