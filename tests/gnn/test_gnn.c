/* test_gnn.c - message passing networks: gradients against differences, bits, order of nodes. */
/* threads */
#include "gnns.h"

#include <math.h>
#include <pthread.h>

/* ---- gradients */

/* A network in double on one batch. */
typedef struct gnn_pass {
    rg_gnn_settings *settings;
    rg_gnn_prepared *prepared;
    rg_batch batch;
    rg_tape_pass *pass;
    double *w, *g;
    uint32_t target[16];
    size_t n, n_all;
} gnn_pass;

static gnn_pass gnn_pass_open(const char *model, const rg_dataset *data)
{
    gnn_pass s = {.n = 0};
    rg_yaml *root = NULL;
    rg_source source = {.graphs = data};
    rg_baseline_options options = {.n_threads = 1};
    uint32_t list[16], n = (uint32_t)rg_dataset_n_graphs(data);
    rg_batch_size size;
    void *prepared = NULL;
    size_t kind = 0;
    static const char *const words[] = {"gin",   "graphsage", "gcn",
                                        "dgcnn", "gsn",       "message-passing"};
    ASSERT_OK(rg_yaml_parse(&root, "model", model, strlen(model), err));
    ASSERT_OK(rg_yaml_word(rg_yaml_find(root, "model"), &kind, words, 6, err));
    ASSERT_OK(rg_gnn_settings_read(&s.settings, (rg_gnn_kind)kind, root, err));
    rg_yaml_free(root);
    ASSERT_OK(rg_gnn_prepared_new(&prepared, s.settings, &source, &options, err));
    s.prepared = prepared;
    for (uint32_t k = 0; k < n; k++) {
        list[k] = k;
        s.target[k] = rg_dataset_ranks(data, RG_CLASS, 0)[k];
    }
    ASSERT_OK(rg_batch_measure(&size, data, list, n, n, err));
    ASSERT_OK(rg_batch_open(&s.batch, &size, s.prepared->colouring, RG_DOUBLE, err));
    rg_batch_fill(&s.batch, data, list, n);
    ASSERT_OK(rg_tape_pass_new(&s.pass, &s.prepared->tape, &size, RG_DOUBLE, rg_cpu_best(), err));
    s.n = s.prepared->tape.n_params;
    s.n_all = s.n + s.prepared->tape.n_state;
    s.w = calloc(s.n_all, sizeof *s.w);
    s.g = calloc(s.n, sizeof *s.g);
    assert_true(s.w && s.g);
    rg_tape_start_values(s.w, &s.prepared->tape, RG_START_UNIFORM,
                         rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best()), 17, 1);
    for (size_t k = 0; k < s.n; k++) /* gains and shifts too begin anywhere */
        s.w[k] += 0.1 * rg_random_normal(3, 4, k);
    return s;
}

static void gnn_pass_close(gnn_pass *s)
{
    rg_tape_pass_free(s->pass);
    rg_batch_close(&s->batch);
    rg_gnn_prepared_free(s->prepared);
    rg_gnn_settings_free(s->settings);
    free(s->w);
    free(s->g);
}

static double loss_of(gnn_pass *s)
{
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    rg_tape_draws draws = {.seed = 5, .stream = 100};
    double loss = 0;
    const void *z = rg_tape_forward(s->pass, &s->batch, s->w, &draws);
    kernels->cross_entropy(&loss, rg_tape_gradient(s->pass), s->batch.n_graphs,
                           s->prepared->task.n_classes, z, s->target, NULL,
                           1.0 / s->batch.n_graphs);
    return loss;
}

static void slopes_are_central_differences(void **state)
{
    rg_dataset *data = gnn_random_dataset(9, 14, true, false);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        gnn_pass s = gnn_pass_open(gnn_models[m], data);
        const double h = 1e-6;
        loss_of(&s);
        rg_tape_back(s.pass, s.w, s.g);
        size_t step = s.n > 300 ? s.n / 300 : 1; /* of many weights some */
        for (size_t k = 0; k < s.n; k += step) {
            double w = s.w[k], above, below;
            s.w[k] = w + h;
            above = loss_of(&s);
            s.w[k] = w - h;
            below = loss_of(&s);
            s.w[k] = w;
            double want = (above - below) / (2 * h);
            if (!(fabs(s.g[k] - want) <= 1e-6 * (1 + fabs(want))))
                fail_msg("%s: gradient %zu is %.10g, by differences %.10g", gnn_models[m], k,
                         s.g[k], want);
        }
        gnn_pass_close(&s);
    }
    rg_dataset_free(data);
}

/* A second pass adds to the gradients of the first, and nothing of the first is left over. */
static void gradients_add_up(void **state)
{
    rg_dataset *data = gnn_random_dataset(9, 14, true, false);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        gnn_pass s = gnn_pass_open(gnn_models[m], data);
        double *once = malloc(s.n * sizeof *once);
        assert_non_null(once);
        loss_of(&s);
        rg_tape_back(s.pass, s.w, s.g);
        memcpy(once, s.g, s.n * sizeof *once);
        loss_of(&s);
        rg_tape_back(s.pass, s.w, s.g);
        for (size_t k = 0; k < s.n; k++)
            assert_true(fabs(s.g[k] - 2 * once[k]) <= 1e-12 * (1 + fabs(once[k])));
        free(once);
        gnn_pass_close(&s);
    }
    rg_dataset_free(data);
}

/* ---- nodes that are alike */

static size_t rows_of(const gnn_pass *s)
{
    size_t n = 0;
    for (uint32_t t = 0; t < s->prepared->tape.n_rounds; t++)
        n += s->batch.rows[t].n;
    return n;
}

/* One row for nodes of one colour, or one for each: the same network. */
static void networks_are_the_same_with_a_row_for_every_node(void **state)
{
    rg_dataset *data = gnn_random_dataset(9, 14, true, false);
    uint32_t n = (uint32_t)rg_dataset_n_nodes(data), list[9];
    uint32_t *hot = malloc(n * sizeof *hot);
    rg_features apart = {.n_nodes = n, .n_hot = 1, .n_sparse = n, .width = n, .hot = hot};
    rg_batch_size size;
    (void)state;
    assert_non_null(hot);
    for (uint32_t k = 0; k < n; k++)
        hot[k] = k;
    for (uint32_t k = 0; k < 9; k++)
        list[k] = k;
    ASSERT_OK(rg_batch_measure(&size, data, list, 9, 9, err));
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        gnn_pass s = gnn_pass_open(gnn_models[m], data);
        const rg_tape *tape = &s.prepared->tape;
        rg_colouring *colouring = NULL;
        double *g = calloc(s.n, sizeof *g), loss = loss_of(&s);
        assert_non_null(g);
        rg_tape_back(s.pass, s.w, g);
        size_t rows = rows_of(&s);
        rg_batch_close(&s.batch);
        ASSERT_OK(rg_colouring_build(&colouring, &apart, data, tape->n_rounds, tape->each, err));
        ASSERT_OK(rg_batch_open(&s.batch, &size, colouring, RG_DOUBLE, err));
        rg_batch_fill(&s.batch, data, list + 3, 6); /* of a batch nothing is left in the next */
        rg_batch_fill(&s.batch, data, list, 9);
        assert_int_equal(rows_of(&s), (size_t)n * tape->n_rounds);
        assert_true(rows < rows_of(&s) || strstr(gnn_models[m], "attributes"));
        assert_true(fabs(loss_of(&s) - loss) <= 1e-12 * loss);
        rg_tape_back(s.pass, s.w, s.g);
        for (size_t k = 0; k < s.n; k++)
            if (!(fabs(s.g[k] - g[k]) <= 1e-11 * (1 + fabs(g[k]))))
                fail_msg("%s: gradient %zu is %.15g, by kinds %.15g", gnn_models[m], k, s.g[k],
                         g[k]);
        free(g);
        gnn_pass_close(&s);
        rg_colouring_free(colouring);
    }
    free(hot);
    rg_dataset_free(data);
}

/* ---- the order of nodes */

static void outputs_do_not_depend_on_node_order(void **state)
{
    rg_dataset *one = gnn_random_dataset(9, 14, true, false),
               *other = gnn_random_dataset(9, 14, true, true);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        gnn_pass s = gnn_pass_open(gnn_models[m], one), t = gnn_pass_open(gnn_models[m], other);
        assert_int_equal(s.n, t.n);
        const double *a = rg_tape_forward(s.pass, &s.batch, s.w, NULL);
        const double *b = rg_tape_forward(t.pass, &t.batch, t.w, NULL);
        /* rows of nodes have the same bits, so sorting them is safe; sums over a graph are rounded
         */
        double far = strstr(gnn_models[m], "dgcnn") ? 0 : 1e-10;
        for (size_t k = 0; k < 9 * s.prepared->task.n_classes; k++)
            if (!(fabs(a[k] - b[k]) <= far * (1 + fabs(a[k]))))
                fail_msg("%s: output %zu is %.15g or %.15g", gnn_models[m], k, a[k], b[k]);
        gnn_pass_close(&s);
        gnn_pass_close(&t);
    }
    rg_dataset_free(one);
    rg_dataset_free(other);
}

/* What norms kept stands for the batch: a graph alone gives what it gives among others. */
static void graphs_of_a_batch_do_not_see_each_other(void **state)
{
    rg_dataset *data = gnn_random_dataset(9, 14, true, false);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        gnn_pass s = gnn_pass_open(gnn_models[m], data);
        double all[18];
        assert_int_equal(s.prepared->task.n_classes, 2);
        memcpy(all, rg_tape_forward(s.pass, &s.batch, s.w, NULL), sizeof all);
        for (uint32_t g = 0; g < 9; g++) {
            rg_batch_fill(&s.batch, data, &g, 1);
            const double *z = rg_tape_forward(s.pass, &s.batch, s.w, NULL);
            for (size_t c = 0; c < 2; c++)
                assert_true(fabs(z[c] - all[2 * g + c]) <= 1e-10 * (1 + fabs(z[c])));
        }
        gnn_pass_close(&s);
    }
    rg_dataset_free(data);
}

/* ---- bits */

enum { RUNS = 4 };

typedef struct gnn_run {
    const test_gnn *m;
    const rg_fold *fold;
    uint32_t number;
    rg_baseline_run run;
} gnn_run;

static void *work(void *context)
{
    gnn_run *j = context;
    rg_baseline_wish wish = {.fold = j->fold, .seed = 9, .number = j->number, .numbers = true};
    rg_error err;
    if (rg_baseline_train(&j->run, j->m->baseline, j->m->prepared, &wish, &err))
        j->run.run.epochs = 0;
    return NULL;
}

/* RUNS runs, `at_once` threads at a time. */
static void train_all(gnn_run *jobs, const test_gnn *m, const rg_fold *fold, size_t at_once)
{
    pthread_t threads[RUNS];
    for (size_t first = 0; first < RUNS; first += at_once) {
        for (size_t k = first; k < first + at_once; k++) {
            jobs[k] = (gnn_run){.m = m, .fold = fold, .number = (uint32_t)k};
            assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
        }
        for (size_t k = first; k < first + at_once; k++)
            assert_int_equal(pthread_join(threads[k], NULL), 0);
    }
}

static void runs_have_the_same_bits_on_any_number_of_threads(void **state)
{
    rg_dataset *data = gnn_random_dataset(24, 9, true, false);
    uint32_t list[24];
    rg_fold fold = {.train = {list, 14}, .validation = {list + 14, 5}, .test = {list + 19, 5}};
    (void)state;
    for (uint32_t k = 0; k < 24; k++)
        list[k] = k;
    for (size_t n = 0; n < N_GNN_MODELS; n += 3) {
        char *model = gnn_with_training(gnn_models[n], "epochs: 3, batch: 4");
        test_gnn m = test_gnn_open(model, data);
        gnn_run one[RUNS], other[RUNS];
        train_all(one, &m, &fold, 1);
        for (size_t at_once = 2; at_once <= RUNS; at_once *= 2) {
            train_all(other, &m, &fold, at_once);
            for (size_t k = 0; k < RUNS; k++) {
                assert_int_equal(one[k].run.run.epochs, 3);
                assert_memory_equal(one[k].run.epochs, other[k].run.epochs,
                                    3 * sizeof *one[k].run.epochs);
                assert_memory_equal(one[k].run.numbers, other[k].run.numbers,
                                    10 * sizeof *one[k].run.numbers);
                rg_baseline_run_free(&other[k].run);
            }
        }
        assert_memory_not_equal(one[0].run.numbers, one[1].run.numbers,
                                10 * sizeof *one[0].run.numbers); /* runs are not one run */
        for (size_t k = 0; k < RUNS; k++)
            rg_baseline_run_free(&one[k].run);
        test_gnn_close(&m);
        free(model);
    }
    rg_dataset_free(data);
}

static void every_processor_gives_the_same_bits(void **state)
{
    rg_dataset *data = gnn_random_dataset(24, 9, true, false);
    uint32_t list[24];
    rg_fold fold = {.train = {list, 19}, .test = {list + 19, 5}};
    (void)state;
    for (uint32_t k = 0; k < 24; k++)
        list[k] = k;
    for (size_t n = 0; n < N_GNN_MODELS; n++) {
        char *model = gnn_with_training(gnn_models[n], "epochs: 2, batch: 4");
        test_gnn best = test_gnn_open(model, data), least = {.source = best.source};
        rg_baseline_options options = {.n_threads = 1, .cpu = RG_CPU_PORTABLE};
        gnn_run one = {.m = &best, .fold = &fold}, other = {.m = &least, .fold = &fold};
        ASSERT_OK(rg_baseline_parse(&least.baseline, "model", model, strlen(model), err));
        ASSERT_OK(rg_baseline_prepared_new(&least.prepared, least.baseline, &least.source, &options,
                                           err));
        work(&one);
        work(&other);
        assert_int_equal(one.run.run.epochs, 2);
        assert_memory_equal(one.run.numbers, other.run.numbers, 10 * sizeof *one.run.numbers);
        rg_baseline_run_free(&one.run);
        rg_baseline_run_free(&other.run);
        test_gnn_close(&best);
        test_gnn_close(&least);
        free(model);
    }
    rg_dataset_free(data);
}

/* All tables of kernels, not only the first and the last. */
static void gradients_have_the_same_bits_in_every_table(void **state)
{
    rg_dataset *data = gnn_random_dataset(9, 14, true, false);
    uint32_t list[9];
    rg_batch_size size;
    (void)state;
    for (uint32_t k = 0; k < 9; k++)
        list[k] = k;
    ASSERT_OK(rg_batch_measure(&size, data, list, 9, 9, err));
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        gnn_pass s = gnn_pass_open(gnn_models[m], data);
        double *first = malloc(s.n * sizeof *first);
        assert_non_null(first);
        for (int cpu = RG_CPU_PORTABLE; cpu <= RG_CPU_AVX512; cpu++) {
            rg_tape_pass_free(s.pass);
            s.pass = NULL;
            ASSERT_OK(
                rg_tape_pass_new(&s.pass, &s.prepared->tape, &size, RG_DOUBLE, (rg_cpu)cpu, err));
            memset(s.g, 0, s.n * sizeof *s.g);
            loss_of(&s);
            rg_tape_back(s.pass, s.w, s.g);
            if (cpu == RG_CPU_PORTABLE)
                memcpy(first, s.g, s.n * sizeof *first);
            assert_memory_equal(first, s.g, s.n * sizeof *first);
        }
        free(first);
        gnn_pass_close(&s);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_central_differences),
        cmocka_unit_test(gradients_add_up),
        cmocka_unit_test(networks_are_the_same_with_a_row_for_every_node),
        cmocka_unit_test(outputs_do_not_depend_on_node_order),
        cmocka_unit_test(graphs_of_a_batch_do_not_see_each_other),
        cmocka_unit_test(runs_have_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(every_processor_gives_the_same_bits),
        cmocka_unit_test(gradients_have_the_same_bits_in_every_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
