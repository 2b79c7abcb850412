/* test_gnn_bits.c - message passing networks by name in training: the same bits on any number of threads,
 * and for any processor. */
/* threads */
#include "gnns.h"

#include <pthread.h>

enum { RUNS = 4, GRAPHS = 24 };

/* Graphs in turns, 14 for training. */
static rg_fold fold_of(uint32_t list[GRAPHS])
{
    for (uint32_t k = 0; k < GRAPHS; k++)
        list[k] = k;
    return (rg_fold){.train = {list, 14}, .validation = {list + 14, 5}, .test = {list + 19, 5}};
}

static void *work(void *context)
{
    gnn_run *run = context;
    rg_error err;
    while (!rg_trainer_done(run->trainer))
        if (rg_trainer_epoch(run->trainer, &err))
            break;
    return NULL;
}

/* RUNS runs on shared samples, `at_once` threads at a time. */
static void train_all(gnn_run *runs, test_network *n, const rg_fold *fold, size_t at_once)
{
    pthread_t threads[RUNS];
    for (size_t first = 0; first < RUNS; first += at_once) {
        for (size_t k = first; k < first + at_once; k++) {
            runs[k].trainer = trainer_open(n, fold, 1, (uint32_t)k, rg_cpu_best());
            assert_int_equal(pthread_create(&threads[k], NULL, work, &runs[k]), 0);
        }
        for (size_t k = first; k < first + at_once; k++)
            assert_int_equal(pthread_join(threads[k], NULL), 0);
    }
}

static void runs_have_the_same_bits_on_any_number_of_threads(void **state)
{
    rg_dataset *data = gnn_random_dataset(GRAPHS, 9, true);
    uint32_t list[GRAPHS];
    rg_fold fold = fold_of(list);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m += 3) {
        rg_recipe *recipe = gnn_recipe(gnn_models[m], "epochs: 3, batch: 4");
        test_network n = test_network_open(rg_recipe_text(recipe), data);
        gnn_run one[RUNS], other[RUNS];
        train_all(one, &n, &fold, 1);
        for (size_t at_once = 2; at_once <= RUNS; at_once *= 2) {
            train_all(other, &n, &fold, at_once);
            for (size_t k = 0; k < RUNS; k++) {
                assert_int_equal(rg_trainer_epochs(one[k].trainer), 3);
                trainer_compare(one[k].trainer, 0, other[k].trainer, 0);
                rg_trainer_free(other[k].trainer);
            }
        }
        assert_memory_not_equal(one[0].trainer->w, one[1].trainer->w, /* runs are not one run */
                                n.net->n_params * sizeof(float));
        for (size_t k = 0; k < RUNS; k++)
            rg_trainer_free(one[k].trainer);
        test_network_close(&n);
        rg_recipe_free(recipe);
    }
    rg_dataset_free(data);
}

static void every_processor_gives_the_same_bits(void **state)
{
    rg_dataset *data = gnn_random_dataset(GRAPHS, 9, true);
    uint32_t list[GRAPHS];
    rg_fold fold = fold_of(list);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        const char *training = "epochs: 2, batch: 4";
        gnn_run best = gnn_run_open(gnn_models[m], training, data, &fold, 0, rg_cpu_best()),
                least = gnn_run_open(gnn_models[m], training, data, &fold, 0, RG_CPU_PORTABLE);
        gnn_run_finish(&best);
        gnn_run_finish(&least);
        assert_int_equal(best.run.epochs, 2);
        trainer_compare(best.trainer, 0, least.trainer, 0);
        assert_memory_equal(&best.run, &least.run, sizeof best.run);
        gnn_run_close(&best);
        gnn_run_close(&least);
    }
    rg_dataset_free(data);
}

/* What norms keep is part of a checkpoint. */
static void a_checkpoint_goes_on_with_the_same_bits(void **state)
{
    rg_dataset *data = gnn_random_dataset(GRAPHS, 9, true);
    uint32_t list[GRAPHS];
    rg_fold fold = fold_of(list);
    char *directory = test_directory_make(), *path = test_format("%s/checkpoint", directory);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m += 4) {
        const char *training = "epochs: 4, batch: 4, parts: 2";
        gnn_run whole = gnn_run_open(gnn_models[m], training, data, &fold, 0, rg_cpu_best()),
                first = gnn_run_open(gnn_models[m], training, data, &fold, 0, rg_cpu_best()),
                second = gnn_run_open(gnn_models[m], training, data, &fold, 0, rg_cpu_best());
        gnn_run_finish(&whole);
        trainer_train(first.trainer, 2);
        ASSERT_OK(rg_trainer_save(first.trainer, path, "run", err));
        ASSERT_OK(rg_trainer_load(second.trainer, path, "run", err));
        gnn_run_finish(&second);
        trainer_compare(whole.trainer, 0, second.trainer, 0);
        assert_memory_equal(whole.trainer->w, second.trainer->w,
                            whole.trainer->n_all * sizeof(float));
        assert_memory_equal(whole.trainer->best, second.trainer->best,
                            whole.trainer->n_all * sizeof(float));
        assert_memory_equal(&whole.run, &second.run, sizeof whole.run);
        gnn_run_close(&whole);
        gnn_run_close(&first);
        gnn_run_close(&second);
    }
    free(path);
    test_directory_remove(directory);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(every_processor_gives_the_same_bits),
        cmocka_unit_test(a_checkpoint_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
