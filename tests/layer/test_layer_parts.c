/* test_layer_parts.c - batches in parts, shared by threads: the bits of one thread, the sums of one part. */
/* threads */
#include "support/models.h"
#include "support/trainers.h"

enum { GRAPHS = 60 };

static const char *const texts[] = {
    /* rules, sample by sample, with lanes */
    "task: classification\n"
    "labels: {a: node}\n"
    "layers:\n"
    "  - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 0..2\n"
    "    bias: share a(i)\n"
    "  - aggregate: share out, a(i)\n",
    /* draws */
    "task: classification\n"
    "labels: {a: node}\n"
    "input: [signed, attributes]\n"
    "layers:\n"
    "  - rule: share a(i), a(j) when edge(i,j) or i = j\n"
    "    mix: full\n"
    "    heads: 3\n"
    "  - dropout: 0.4\n"
    "  - aggregate: share out, a(i)\n"
    "    outputs: 4\n"
    "  - dropout: 0.2\n"
    "  - dense: auto\n",
    /* sums over the whole batch */
    "task: classification\n"
    "input: [labels, attributes]\n"
    "layers:\n"
    "  - mlp: 5\n"
    "  - gin: 5\n"
    "  - {readout: sum, dropout: 0.3}\n",
    /* and everything that makes room by the size of a batch */
    "task: classification\n"
    "input: [labels, attributes]\n"
    "layers:\n"
    "  - {gat: 3, heads: 2}\n"
    "  - norm: batch\n"
    "  - {sort-pool: 4, sort: channels}\n"
    "  - {conv1d: 3, size: 2}\n"
    "  - norm: batch\n"
    "  - dense: auto\n",
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

static const uint32_t n_parts[] = {1, 3, 8};

static bool has_batches(size_t text)
{
    return text >= 2;
}

/* Owned (free). parts 0: none said. */
static char *with_parts(size_t text, uint32_t parts, const char *more)
{
    char *said = parts ? test_format("parts: %u, ", (unsigned)parts) : strdup("");
    char *out = test_format("%straining: {%sepochs: 3, batch: 16%s}\n", texts[text], said, more);
    free(said);
    return out;
}

/* ---- training */

typedef struct run {
    test_network n;
    rg_trainer *trainer;
} run;

static run train(const char *text, const rg_dataset *data, const rg_fold *fold, uint32_t lanes,
                 unsigned n_threads)
{
    run r = {.n = test_network_open(text, data)};
    rg_trainer_options options = {
        .lanes = lanes, .seed = TRAINER_SEED, .cpu = rg_cpu_best(), .n_threads = n_threads};
    ASSERT_OK(rg_trainer_new(&r.trainer, r.n.samples, fold, &r.n.settings, &options, err));
    trainer_train(r.trainer, 3);
    assert_int_equal(rg_trainer_epochs(r.trainer), 3);
    return r;
}

static void run_close(run *r)
{
    rg_trainer_free(r->trainer);
    test_network_close(&r->n);
}

static void same(const run *a, const run *b, uint32_t lanes)
{
    for (size_t l = 0; l < lanes; l++)
        trainer_compare(a->trainer, l, b->trainer, l);
    assert_memory_equal(a->trainer->w, b->trainer->w,
                        a->trainer->n_all * lanes * a->trainer->kernels->real_size);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 9, 41);
    uint32_t numbers[GRAPHS];
    rg_fold fold = trainer_fold(numbers, GRAPHS);
    (void)state;
    for (size_t k = 0; k < N_TEXTS; k++)
        for (size_t p = 0; p < 3; p++) {
            uint32_t lanes = has_batches(k) ? 1 : 4;
            char *text = with_parts(k, n_parts[p], "");
            run one = train(text, data, &fold, lanes, 1);
            for (unsigned n_threads = 2; n_threads <= 8; n_threads *= 2) {
                run many = train(text, data, &fold, lanes, n_threads);
                same(&one, &many, lanes);
                run_close(&many);
            }
            run_close(&one);
            free(text);
        }
    rg_dataset_free(data);
}

static void one_part_is_what_a_file_without_the_key_has(void **state)
{
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 9, 41);
    uint32_t numbers[GRAPHS];
    rg_fold fold = trainer_fold(numbers, GRAPHS);
    (void)state;
    for (size_t k = 0; k < N_TEXTS; k++) {
        char *with = with_parts(k, 1, ""), *without = with_parts(k, 0, "");
        run a = train(with, data, &fold, 1, 1), b = train(without, data, &fold, 1, 1);
        same(&a, &b, 1);
        run_close(&a);
        run_close(&b);
        free(with);
        free(without);
    }
    rg_dataset_free(data);
}

/* From a file to a file: not a byte depends on threads. */
static void models_have_the_same_bytes_for_any_number_of_threads(void **state)
{
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 9, 41);
    uint32_t numbers[GRAPHS];
    rg_fold fold = trainer_fold(numbers, GRAPHS);
    rg_source source = {.graphs = data};
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    (void)state;
    for (size_t k = 0; k < N_TEXTS; k++) {
        char *text = with_parts(k, 3, ""), *first = NULL;
        rg_recipe *recipe = test_recipe(text);
        for (unsigned n_threads = 1; n_threads <= 8; n_threads *= 2) {
            rg_train_options options = rg_train_options_default();
            rg_model *model = NULL;
            rg_model_info info = RG_MODEL_INFO_INIT;
            options.n_threads = n_threads;
            ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, &options, err));
            ASSERT_OK(rg_model_save(model, path, err));
            ASSERT_OK(rg_model_describe(&info, model, err));
            if (first)
                assert_string_equal(info.digest, first);
            else
                first = strdup(info.digest);
            rg_model_free(model);
        }
        free(first);
        free(text);
        rg_recipe_free(recipe);
    }
    free(path);
    test_directory_remove(directory);
    rg_dataset_free(data);
}

/* ---- one batch, in double */

/* Gradient and what norms keep after one batch of all samples, in so many parts: [n_params + n_state].
 * Owned (free). */
static double *learn(const test_network *n, uint32_t parts, double *loss)
{
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    size_t n_params = n->net->n_params, n_all = n_params + n->net->n_state;
    uint32_t list[GRAPHS];
    double *w = test_network_weights(n, 8), *g = calloc(n_all + 1, sizeof *g), weight = 0;
    rg_pass_draws draws = {.seed = {3}, .stream = 640};
    rg_tally tally = {.weight = 0};
    rg_measure measure;
    rg_batch_parts p;
    rg_batch_parts_options options = {
        .parts = parts, .group = GRAPHS, .n_train = GRAPHS, .n_longest = GRAPHS, .n_threads = 2};
    assert_non_null(g);
    for (uint32_t k = 0; k < GRAPHS; k++)
        list[k] = k;
    ASSERT_OK(rg_measure_open(&measure, n->samples, kernels, &n->settings, list, GRAPHS, err));
    ASSERT_OK(rg_batch_parts_open(&p, n->samples, kernels, &measure, NULL, g, &options, err));
    assert_int_equal(p.n, parts);
    ASSERT_OK(rg_batch_parts_begin(&p, list, GRAPHS, 1, err));
    ASSERT_OK(rg_batch_parts_learn(&tally, &weight, &p, list, 0, GRAPHS, w, &draws, err));
    rg_batch_parts_close(&p);
    *loss = rg_tally_loss(&tally, 0);
    memcpy(g + n_params, w + n_params, n->net->n_state * sizeof *g);
    free(w);
    return g;
}

static void the_sum_over_parts_is_that_of_one_part(void **state)
{
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 9, 41);
    (void)state;
    for (size_t k = 0; k < N_TEXTS; k++) {
        char *text = with_parts(k, 0, ", precision: double");
        test_network n = test_network_open(text, data);
        double loss, *one = learn(&n, 1, &loss);
        for (size_t p = 1; p < 3; p++) {
            double other, *many = learn(&n, n_parts[p], &other);
            if (!test_near(loss, other, 1e-12, 1))
                fail_msg("%s\nloss %.17g, in parts %.17g", text, loss, other);
            for (size_t i = 0; i < n.net->n_params + n.net->n_state; i++)
                if (!test_near(one[i], many[i], 1e-12, 1))
                    fail_msg("%s\nnumber %zu: %.17g, in %u parts %.17g", text, i, one[i],
                             (unsigned)n_parts[p], many[i]);
            free(many);
        }
        free(one);
        test_network_close(&n);
        free(text);
    }
    rg_dataset_free(data);
}

static void samples_belong_to_parts_by_their_number_alone(void **state)
{
    enum { MANY = 80000 };
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        uint32_t count[8] = {0};
        for (size_t k = 0; k < MANY; k++) {
            assert_true(rg_batch_part_of(k, n) < n);
            count[rg_batch_part_of(k, n)]++;
        }
        for (uint32_t p = 0; p < n; p++) /* even, by chance */
            assert_in_range(count[p], MANY / n - 1200, MANY / n + 1200);
    }
    assert_int_equal(rg_batch_parts_auto(100), 1);
    assert_true(rg_batch_parts_auto(100000) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(one_part_is_what_a_file_without_the_key_has),
        cmocka_unit_test(models_have_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(the_sum_over_parts_is_that_of_one_part),
        cmocka_unit_test(samples_belong_to_parts_by_their_number_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
