/* test_train_sparse.c - an input that is mostly 0 is kept as sparse rows: the same bits as with a matrix. */
#include "support/trainers.h"

#define LABELS "labels: {far: \"wl(depth=3, from=degree)\"}\ninput: one-hot(far)\n"
#define TRAINING "training: {batch: 8, epochs: 3, lr: 0.01, patience: none"

enum { GRAPHS = 60, EPOCHS = 3 };

static test_network open_as(const char *text, const rg_dataset *data, bool matrix)
{
    test_network n = test_network_open(text, data);
    assert_true(n.samples->sparse);
    if (!matrix)
        return n;
    rg_samples *samples = NULL;
    rg_samples_options how = {
        .precision = n.settings.precision, .n_threads = 1, .keep = true, .matrix = true};
    ASSERT_OK(rg_samples_open(&samples, n.net, &n.source, NULL, &how, err));
    rg_samples_free(n.samples);
    n.samples = samples;
    assert_false(samples->sparse);
    return n;
}

static double *trained(size_t *n_weights, const char *text, const rg_dataset *data, bool matrix,
                       uint32_t lanes)
{
    uint32_t numbers[GRAPHS];
    test_network n = open_as(text, data, matrix);
    rg_fold fold = trainer_fold(numbers, GRAPHS);
    rg_trainer *trainer = trainer_open(&n, &fold, lanes, 0, RG_CPU_AUTO);
    trainer_train(trainer, EPOCHS);
    *n_weights = n.net->n_params;
    double *w = malloc((*n_weights + 1) * lanes * sizeof *w);
    assert_non_null(w);
    for (uint32_t l = 0; l < lanes; l++)
        rg_trainer_weights(w + l * *n_weights, trainer, l);
    rg_trainer_free(trainer);
    test_network_close(&n);
    return w;
}

static void sparse_rows_and_a_matrix_train_the_same_bits(void **state)
{
    (void)state;
    static const char *const nets[] = {
        "layers:\n"
        "  - {dense: 5, activation: relu}\n"
        "  - rule: share dist(i,j) when dist(i,j) in 0..1\n"
        "  - aggregate: share out\n" TRAINING "}\n",
        "layers:\n"
        "  - dropout: 0.3\n"
        "  - {dense: 4, bias: false, name: a}\n"
        "  - {dense: 4, from: input, name: b}\n"
        "  - add: [a, b]\n"
        "  - aggregate: share out\n" TRAINING ", precision: double}\n",
    };
    rg_dataset *data = test_dataset_with_classes(GRAPHS, 12, 3);
    for (size_t k = 0; k < sizeof nets / sizeof *nets; k++)
        for (uint32_t lanes = 1; lanes <= 4; lanes += 3) {
            char *text = test_format("task: classification\n" LABELS "%s", nets[k]);
            size_t n;
            double *a = trained(&n, text, data, false, lanes);
            double *b = trained(&n, text, data, true, lanes);
            assert_memory_equal(a, b, n * lanes * sizeof *a);
            free(a);
            free(b);
            free(text);
        }
    rg_dataset_free(data);
}

/* Other layers want a matrix. */
static void layers_that_need_a_matrix_have_one(void **state)
{
    (void)state;
    static const char *const nets[] = {
        "layers:\n  - rule: share 1 when edge(i,j)\n  - aggregate: share out\n",
        ("layers:\n  - {dropout: 0.1, name: d}\n  - {dense: 4, name: e}\n  - concat: [d, e]\n"
         "  - aggregate: share out\n"),
        "layers:\n  - {dense: 4, name: e}\n  - concat: [input, e]\n  - aggregate: share out\n",
        "layers:\n  - norm: layer\n  - dense: 3\n  - aggregate: share out\n",
    };
    rg_dataset *data = test_dataset_with_classes(GRAPHS, 12, 3);
    for (size_t k = 0; k < sizeof nets / sizeof *nets; k++) {
        char *text = test_format("task: classification\n" LABELS "%s", nets[k]);
        test_network n = test_network_open(text, data);
        assert_false(n.samples->sparse);
        test_network_close(&n);
        free(text);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_rows_and_a_matrix_train_the_same_bits),
        cmocka_unit_test(layers_that_need_a_matrix_have_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
