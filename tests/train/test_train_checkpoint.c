/* test_train_checkpoint.c - training that is stopped and goes on has the bits of training that is
 * not. */
#include "support/trainers.h"

#include "base/alloc.h"
#include "model/safetensors.h"

#include <unistd.h>

static const char *const trainings[] = {
    "  {epochs: 9, batch: 12, precision: float, schedule: {kind: plateau, patience: 1}}\n",
    "  {epochs: 9, batch: 12, precision: double, patience: 2, schedule: cosine}\n",
    "  {epochs: 9, batch: 12, optimiser: sgd, prune: {part: 0.5, from: 2, to: 6}}\n",
    ("  {epochs: 9, batch: 12, precision: double, optimiser: adamw, decay: 0.1,\n"
     "   prune: {part: 0.7, from: 1, to: 9}}\n"),
};
enum { N_TRAININGS = sizeof trainings / sizeof *trainings };

/* Everything that is counted, and every array. */
static void compare_all(const rg_trainer *a, const rg_trainer *b)
{
    size_t bytes = a->n * a->options.lanes * a->kernels->real_size;
    for (uint32_t l = 0; l < a->options.lanes; l++) {
        const rg_lane *x = &a->lanes[l], *y = &b->lanes[l];
        trainer_compare(a, l, b, l);
        trainer_same(x->schedule.lr, y->schedule.lr);
        trainer_same(x->schedule.best, y->schedule.best);
        assert_int_equal(x->schedule.epoch, y->schedule.epoch);
        assert_int_equal(x->schedule.since, y->schedule.since);
        trainer_same(x->best_score, y->best_score);
        trainer_same(x->best_loss, y->best_loss);
        assert_int_equal(x->failed, y->failed);
        assert_int_equal(x->epochs, y->epochs);
    }
    assert_memory_equal(a->m, b->m, bytes);
    if (a->settings.optimiser.method != RG_SGD)
        assert_memory_equal(a->v, b->v, bytes);
    if (a->mask)
        assert_memory_equal(a->mask, b->mask, bytes);
    assert_int_equal(a->optimiser.n_steps, b->optimiser.n_steps);
    trainer_same(a->optimiser.power1, b->optimiser.power1);
    trainer_same(a->optimiser.power2, b->optimiser.power2);
}

static void a_run_goes_on_from_any_epoch_with_the_same_bits(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/checkpoint", directory);
    for (size_t k = 0; k < 2 * N_TRAININGS; k++) {
        trainer_setup s;
        trainer_setup_open(&s, "classification", trainings[k / 2], k % 2 ? 4 : 1);
        rg_trainer *whole = trainer_open(&s.n, &s.fold, k % 2 ? 4 : 1, 0, rg_cpu_best());
        trainer_train(whole, 9);
        while (!rg_trainer_done(s.trainer)) {
            rg_trainer *next = trainer_open(&s.n, &s.fold, k % 2 ? 4 : 1, 0, rg_cpu_best());
            ASSERT_OK(rg_trainer_save(s.trainer, path, "this run", err));
            ASSERT_OK(rg_trainer_load(next, path, "this run", err));
            compare_all(s.trainer, next);
            rg_trainer_free(s.trainer);
            s.trainer = next;
            trainer_train(s.trainer, 1);
        }
        compare_all(whole, s.trainer);
        rg_trainer_free(whole);
        trainer_setup_close(&s);
    }
    free(path);
    test_directory_remove(directory);
}

static void a_checkpoint_of_another_run_is_refused(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/checkpoint", directory);
    trainer_setup s, other;
    rg_error own;
    trainer_setup_open(&s, "classification", trainings[0], 1);
    trainer_train(s.trainer, 2);
    ASSERT_OK(rg_trainer_save(s.trainer, path, "one run", err));
    assert_int_equal(rg_trainer_load(s.trainer, path, "another", &own), RG_EFAIL);
    assert_non_null(strstr(own.message, "checkpoint of a different run"));
    /* even one that says it is the same */
    for (size_t k = 1; k < N_TRAININGS; k++) {
        trainer_setup_open(&other, "classification", trainings[k], k == 2 ? 4 : 1);
        assert_int_equal(rg_trainer_load(other.trainer, path, "one run", &own), RG_EDATA);
        trainer_setup_close(&other);
    }
    trainer_setup_close(&s);
    free(path);
    test_directory_remove(directory);
}

/* ---- damage */

typedef struct damage {
    const char *tensor; /* NULL: a text */
    const char *text;
    size_t place; /* of a number in 'counts' */
    double value;
    const char *message;
} damage;

static const damage damages[] = {
    {NULL, "regula.checkpoint", 0, 0, "bad: this is not a checkpoint of regula"},
    {NULL, "regula.about", 0, 0, "bad: this is not a checkpoint of regula"},
    {"weights", NULL, 0, 0, "bad: tensor 'weights': found nothing, expected F32 ["},
    {"moment1", NULL, 0, 0, "bad: tensor 'moment1': found nothing, expected F32 ["},
    {"moment2", NULL, 0, 0, "bad: tensor 'moment2': found nothing, expected F32 ["},
    {"best", NULL, 0, 0, "bad: tensor 'best': found nothing, expected F32 ["},
    {"history", NULL, 0, 0, "bad: tensor 'history': found nothing, expected U8 ["},
    {"counts", "leave", 0, 0, "bad: tensor 'counts': found nothing, expected F64 [14]"},
    {"counts", NULL, 0, 10, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 0, -1, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 0, 1.5, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 1, -1, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 1, 1e300, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 6, 100, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 7, -2, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 8, 3, "bad: tensor 'counts' is out of range"}, /* best, of 2 epochs */
    {"counts", NULL, 11, 2, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 12, 0.5, "bad: tensor 'counts' is out of range"},
    {"counts", NULL, 13, 3, "bad: tensor 'counts' is out of range"}, /* epochs of the lane */
};

/* The file again, with a fresh digest, but for one thing. */
static void write_damaged(const char *to, const rg_tensors *set, const damage *d)
{
    rg_tensors *out = rg_tensors_new();
    double counts[14];
    assert_non_null(out);
    for (size_t k = 0; k < rg_tensors_size(set); k++) {
        rg_tensor tensor = *rg_tensors_at(set, k);
        bool hit = d->tensor && strcmp(tensor.name, d->tensor) == 0;
        bool change = hit && strcmp(tensor.name, "counts") == 0 && !d->text;
        if (change) {
            assert_int_equal(tensor.bytes, sizeof counts);
            memcpy(counts, tensor.data, sizeof counts);
            counts[d->place] = d->value;
            tensor.data = counts;
        }
        if (!hit || change)
            ASSERT_OK(rg_tensors_add(out, &tensor, err));
    }
    for (size_t k = 0; k < rg_tensors_n_metadata(set); k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        if (strcmp(entry->key, RG_TENSORS_DIGEST) != 0 &&
            (d->tensor || strcmp(entry->key, d->text) != 0))
            ASSERT_OK(rg_tensors_add_metadata(out, entry->key, entry->text, err));
    }
    ASSERT_OK(rg_tensors_write(out, to, err));
    rg_tensors_free(out);
}

static void a_checkpoint_of_another_format_is_refused(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/checkpoint", directory);
    trainer_setup s;
    rg_error own;
    rg_tensors *set = rg_tensors_new();
    assert_non_null(set);
    ASSERT_OK(rg_tensors_add_metadata(set, "regula.checkpoint", "9", err));
    ASSERT_OK(rg_tensors_add_metadata(set, "regula.about", "run", err));
    ASSERT_OK(rg_tensors_write(set, path, err));
    trainer_setup_open(&s, "classification", trainings[0], 1);
    assert_int_equal(rg_trainer_load(s.trainer, path, "run", &own), RG_EDATA);
    assert_non_null(strstr(own.message, "found format '9' of checkpoints, expected '1'"));
    trainer_setup_close(&s);
    rg_tensors_free(set);
    free(path);
    test_directory_remove(directory);
}

static void a_damaged_checkpoint_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    trainer_setup s;
    rg_tensors *set = NULL;
    assert_int_equal(chdir(directory), 0);
    trainer_setup_open(&s, "classification", trainings[0], 1);
    trainer_train(s.trainer, 2);
    ASSERT_OK(rg_trainer_save(s.trainer, "good", "run", err));
    ASSERT_OK(rg_tensors_read(&set, "good", 1 << 20, true, err));
    rg_trainer *fresh = trainer_open(&s.n, &s.fold, 1, 0, rg_cpu_best());
    for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        rg_trainer *target = trainer_open(&s.n, &s.fold, 1, 0, rg_cpu_best());
        rg_error own = {""};
        write_damaged("bad", set, &damages[k]);
        rg_status status = rg_trainer_load(target, "bad", "run", &own);
        if (status != RG_EDATA ||
            strncmp(own.message, damages[k].message, strlen(damages[k].message)) != 0)
            fail_msg("case %zu: %d, found '%s', expected '%s'", k, status, own.message,
                     damages[k].message);
        compare_all(fresh, target);
        rg_trainer_free(target);
    }
    /* and damage without a fresh digest */
    size_t n;
    char *bytes = test_read("good", &n);
    for (size_t k = 0; k < 300; k++) {
        size_t place = k * n / 300;
        rg_error own;
        bytes[place] ^= 8;
        test_write_bytes(".", "bad", bytes, n);
        bytes[place] ^= 8;
        assert_int_equal(rg_trainer_load(fresh, "bad", "run", &own), RG_EDATA);
    }
    free(bytes);
    rg_trainer_free(fresh);
    rg_tensors_free(set);
    trainer_setup_close(&s);
    assert_int_equal(chdir("/"), 0);
    test_directory_remove(directory);
}

/* ---- through rg_model_train */

static int stop_at_three(void *context, const rg_train_state *state)
{
    (void)context;
    assert_int_equal(state->n_runs, 1);
    assert_int_equal(state->last->number, state->epoch);
    return state->epoch == 3;
}

static void training_that_was_interrupted_gives_the_same_model(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    char *checkpoint = test_format("%s/state", directory), *path[2];
    rg_dataset *data = test_dataset_with_targets(TRAINER_GRAPHS, 9, 51);
    uint32_t numbers[TRAINER_GRAPHS];
    rg_fold fold = trainer_fold(numbers, TRAINER_GRAPHS);
    rg_source source = {.graphs = data};
    for (size_t k = 0; k < N_TRAININGS; k++) {
        char *text = test_format("task: classification\n" TRAINER_NETWORK "%s", trainings[k]);
        rg_recipe *recipe = test_recipe(text);
        rg_train_options options = rg_train_options_default();
        rg_train_report whole = RG_TRAIN_REPORT_INIT, part = RG_TRAIN_REPORT_INIT;
        rg_model *models[2] = {NULL, NULL}, *early = NULL;
        ASSERT_OK(rg_model_train(&models[0], &whole, recipe, &source, &fold, &options, err));
        options.checkpoint = checkpoint;
        options.resume = 1; /* nothing there: begin */
        options.progress = stop_at_three;
        ASSERT_OK(rg_model_train(&early, &part, recipe, &source, &fold, &options, err));
        assert_true(part.interrupted && part.epochs == 3 && access(checkpoint, F_OK) == 0);
        options.progress = NULL;
        ASSERT_OK(rg_model_train(&models[1], &part, recipe, &source, &fold, &options, err));
        assert_true(!part.interrupted && part.epochs == whole.epochs);
        assert_int_equal(unlink(checkpoint), 0); /* it is the caller's to remove */
        for (size_t m = 0; m < 2; m++) {
            path[m] = test_format("%s/model%zu", directory, m);
            ASSERT_OK(rg_model_save(models[m], path[m], err));
            rg_model_free(models[m]);
        }
        size_t n[2];
        char *bytes[] = {test_read(path[0], &n[0]), test_read(path[1], &n[1])};
        assert_int_equal(n[0], n[1]);
        assert_memory_equal(bytes[0], bytes[1], n[0]);
        for (size_t m = 0; m < 2; m++) {
            free(bytes[m]);
            free(path[m]);
        }
        rg_model_free(early);
        rg_recipe_free(recipe);
        free(text);
    }
    rg_dataset_free(data);
    free(checkpoint);
    test_directory_remove(directory);
}

/* ---- failures */

typedef struct checkpoint_sweep {
    trainer_setup *s;
    const char *path;
} checkpoint_sweep;

static rg_status save_and_load(void *context, rg_error *err)
{
    checkpoint_sweep *a = context;
    rg_trainer_options options = {.lanes = 1, .seed = TRAINER_SEED};
    rg_trainer *trainer = NULL;
    rg_status status = rg_trainer_save(a->s->trainer, a->path, "run", err);
    if (!status)
        status = rg_trainer_new(&trainer, a->s->n.samples, &a->s->fold, &a->s->n.settings, &options,
                                err);
    if (!status)
        status = rg_trainer_load(trainer, a->path, "run", err);
    rg_trainer_free(trainer);
    return status;
}

static void memory_and_disk_may_fail_anywhere(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/checkpoint", directory);
    trainer_setup s;
    trainer_setup_open(&s, "classification", trainings[3], 1);
    trainer_train(s.trainer, 2);
    checkpoint_sweep a = {&s, path};
    assert_true(test_allocation_sweep(save_and_load, &a) > 20);
    assert_true(test_io_sweep(save_and_load, &a) > 3);
    trainer_setup_close(&s);
    free(path);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_from_any_epoch_with_the_same_bits),
        cmocka_unit_test(a_checkpoint_of_another_run_is_refused),
        cmocka_unit_test(a_checkpoint_of_another_format_is_refused),
        cmocka_unit_test(a_damaged_checkpoint_is_refused_and_changes_nothing),
        cmocka_unit_test(training_that_was_interrupted_gives_the_same_model),
        cmocka_unit_test(memory_and_disk_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
