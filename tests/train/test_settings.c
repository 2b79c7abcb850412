/* test_settings.c - the training of network files, and the files as a whole. */
#include "base/alloc.h"
#include "support/support.h"
#include "train/settings.h"

#include <math.h>
#include <string.h>

#define LAYERS "layers: [dense: auto]\n"

static rg_status parse(rg_settings *out, const char *text, rg_error *err)
{
    rg_spec *spec = NULL;
    rg_status status = rg_network_file_parse(&spec, out, "f", text, strlen(text), err);
    rg_spec_free(spec);
    return status;
}

static rg_settings settings_of(const char *text)
{
    rg_settings settings;
    rg_error err = {""};
    if (parse(&settings, text, &err))
        fail_msg("%s: %s", text, err.message);
    return settings;
}

/* The normal form of the settings. Owned (rg_free). */
static char *normal(const char *text)
{
    rg_settings settings = settings_of(text);
    char *out = NULL;
    ASSERT_OK(rg_settings_print(&out, &settings, err));
    return out;
}

#define DEFAULTS                                                                          \
    "training:\n  loss: auto\n  class_weights: none\n  optimiser: adam\n  lr: 0.05\n"     \
    "  beta1: 0.9\n  beta2: 0.999\n  eps: 1e-8\n  momentum: 0.9\n  decay: 0\n  clip: 0\n" \
    "  schedule: {kind: step, factor: 0.5, every: 10, floor: 0.0001, patience: 10}\n"     \
    "  epochs: 50\n  batch: 128\n  patience: 25\n  best: score\n  start: paper\n"         \
    "  precision: float\n  prune: none\n"

static void without_settings_they_are_those_of_the_paper(void **state)
{
    static const char *const texts[] = {LAYERS, "preset: paper\n" LAYERS, LAYERS "training: {}\n",
                                        LAYERS DEFAULTS};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char *text = normal(texts[k]);
        assert_string_equal(text, DEFAULTS);
        rg_free(text);
    }
    rg_settings s = rg_settings_default();
    assert_true(s.optimiser.method == RG_ADAM && s.schedule.kind == RG_STEP);
    assert_true(s.schedule.lr == 0.05 && s.schedule.epochs == 50 && s.precision == RG_FLOAT);
    ASSERT_OK(rg_settings_check(&s, err));
}

#define ALL                                                                                 \
    "training:\n  loss: bce\n  class_weights: [1, 2.5]\n  optimiser: sgd\n  lr: 1e-3\n"     \
    "  beta1: 0.8\n  beta2: 0.99\n  eps: 1e-6\n  momentum: 0.5\n  decay: 0.01\n  clip: 5\n" \
    "  schedule: {kind: plateau, factor: 0.1, every: 3, floor: 0.00001, patience: 0}\n"     \
    "  epochs: 200\n  batch: 16\n  patience: none\n  best: last\n  start: glorot\n"         \
    "  precision: double\n  prune: {part: 0.9, from: 10, to: 40}\n"

static void every_setting_can_be_said(void **state)
{
    (void)state;
    rg_settings s = settings_of(LAYERS ALL);
    assert_true(s.loss == RG_LOSS_LOGISTIC && !s.balanced && s.n_class_weights == 2);
    assert_true(s.class_weights[0] == 1 && s.class_weights[1] == 2.5);
    assert_true(s.optimiser.method == RG_SGD && s.optimiser.beta1 == 0.8);
    assert_true(s.optimiser.beta2 == 0.99 && s.optimiser.eps == 1e-6);
    assert_true(s.optimiser.momentum == 0.5 && s.optimiser.decay == 0.01 && s.optimiser.clip == 5);
    assert_true(s.schedule.kind == RG_PLATEAU && s.schedule.lr == 1e-3);
    assert_true(s.schedule.factor == 0.1 && s.schedule.every == 3 && s.schedule.floor == 1e-5);
    assert_true(s.schedule.patience == 0 && s.schedule.epochs == 200);
    assert_true(s.epochs == 200 && s.batch == 16 && s.patience == 0 && s.best == RG_BEST_LAST);
    assert_true(s.start == RG_START_GLOROT && s.precision == RG_DOUBLE);
    assert_true(s.prune == 0.9 && s.prune_from == 10 && s.prune_to == 40);
    char *once = normal(LAYERS ALL), *whole = test_format(LAYERS "%s", once);
    char *twice = normal(whole);
    assert_string_equal(once, twice);
    rg_free(once);
    rg_free(twice);
    free(whole);
}

static void short_forms_leave_the_rest_as_it_is(void **state)
{
    (void)state;
    rg_settings s = settings_of(LAYERS "training: {schedule: cosine, epochs: 7}\n");
    assert_true(s.schedule.kind == RG_COSINE && s.schedule.epochs == 7 && s.schedule.factor == 0.5);
    s = settings_of(LAYERS "training: {schedule: {factor: 0.25}}\n");
    assert_true(s.schedule.kind == RG_STEP && s.schedule.factor == 0.25 && s.schedule.every == 10);
    s = settings_of(LAYERS "training: {lasso: {strength: 0.5, of: keys}}\n");
    assert_true(s.lasso == 0.5 && s.lasso_of == RG_LASSO_KEYS);
    char *lasso = normal(LAYERS "training: {lasso: {strength: 0.5}}\n");
    assert_non_null(strstr(lasso, "  lasso: {strength: 0.5, of: rules}\n"));
    rg_free(lasso);
    lasso = normal(LAYERS "training: {lasso: none}\n");
    assert_null(strstr(lasso, "lasso"));
    rg_free(lasso);
    s = settings_of(LAYERS "training: {prune: {part: 0.5}, epochs: 9}\n");
    assert_true(s.prune == 0.5 && s.prune_from == 1 && s.prune_to == 9);
    s = settings_of(LAYERS "training: {prune: {part: 0}, class_weights: balanced, patience: 0}\n");
    assert_true(s.prune == 0 && s.prune_from == 0 && s.balanced && s.patience == 0);
    char *text = normal(LAYERS "training: {class_weights: balanced}\n");
    assert_non_null(strstr(text, "  class_weights: balanced\n"));
    rg_free(text);
}

#define T LAYERS "training:\n  "

static void bad_settings_say_where_and_what(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {LAYERS "trainin: {}\n", "f:2:1: found the key 'trainin', expected preset, task, target, "
                                 "input, labels, tables, standardise, layers or "
                                 "training (did you mean 'training'?)"},
        {"layer: []\n", "f:1:1: found the key 'layer', expected preset, task, target, input, "
                        "labels, tables, standardise, layers or training (did you mean 'layers'?)"},
        {"[]", "f:1:1: found a list, expected a map with keys such as preset, task, target, input, "
               "labels, tables, standardise, layers or training"},
        {LAYERS "training: [1]\n",
         "f:2:11: found a list, expected a map with keys such as loss, class_weights, optimiser, "
         "lr, beta1, beta2, eps, momentum, decay, clip, epochs, schedule, batch, patience, best, "
         "metric, smooth, start, precision, prune, parts or lasso"},
        {T "rate: 1\n",
         "f:3:3: found the key 'rate', expected loss, class_weights, optimiser, lr, "
         "beta1, "
         "beta2, eps, momentum, decay, clip, epochs, schedule, batch, patience, best, metric, "
         "smooth, start, "
         "precision, prune, parts or lasso"},
        {T "loss: mes\n", "f:3:9: found 'mes', expected auto, cross-entropy, mse, mae or bce (did "
                          "you mean 'mse'?)"},
        {T "class_weights: 2\n", "f:3:18: found '2', expected none, balanced or a list of numbers"},
        {T "class_weights: []\n", "f:3:18: found 0 class weights, expected 1..256"},
        {T "class_weights: [1, 0]\n", "f:3:18: class weight 2 is 0, expected a number above 0"},
        {T "class_weights: [1, x]\n", "f:3:22: found 'x', expected a number"},
        {T "optimiser: adma\n",
         "f:3:14: found 'adma', expected adam, adamw, sgd or lazy-adam (did you mean 'adam'?)"},
        {T "optimiser: lazy-adam\n  parts: 8\n", "f:4:10: the optimiser is lazy-adam and 'parts' "
                                                 "is not 1, expected 1: its batches have one "
                                                 "part"},
        {T "lr: 0\n", "f:3:7: the learning rate is 0, expected a number above 0"},
        {T "lr: fast\n", "f:3:7: found 'fast', expected a number"},
        {T "beta1: 1\n", "f:3:10: beta1 is 1, expected a number from 0 to below 1"},
        {T "clip: -1\n", "f:3:9: clip is -1, expected a number from 0 to below inf"},
        {T "epochs: 0\n", "f:3:11: found '0', expected a whole number from 1 on"},
        {T "epochs: 1e10\n", "f:3:11: found '1e10', expected a whole number from 1 on"},
        {T "batch: 0\n", "f:3:10: found '0', expected a whole number from 1 on"},
        {T "patience: -1\n", "f:3:13: found '-1', expected a whole number of epochs, or none"},
        {T "best: first\n", "f:3:9: found 'first', expected score, loss or last"},
        {T "start: one\n", "f:3:10: found 'one', expected paper, uniform, glorot, fan-in or zero"},
        {T "precision: half\n", "f:3:14: found 'half', expected float or double"},
        {T "schedule: linear\n",
         "f:3:13: found 'linear', expected constant, step, cosine or plateau"},
        {T "schedule: [step]\n",
         "f:3:13: found a list, expected constant, step, cosine or plateau"},
        {T "schedule: {kind: step, step: 2}\n",
         "f:3:26: found the key 'step', expected kind, factor, every, floor or patience"},
        {T "schedule: {factor: 2}\n",
         "f:3:22: the factor of the schedule is 2, expected 0 < factor <= 1"},
        {T "schedule: {floor: -1}\n",
         "f:3:21: the floor of the schedule is -1, expected 0 or more"},
        {T "schedule: {every: 0}\n", "f:3:21: found '0', expected a whole number from 1 on"},
        {T "schedule: {patience: none}\n",
         "f:3:24: found 'none', expected a whole number of epochs"},
        {T "prune: 0.5\n",
         "f:3:10: found '0.5', expected none or a map such as {part: 0.9, from: 10, to: 40}"},
        {T "prune: {from: 3}\n", "f:3:10: found no key 'part', expected the fraction to prune"},
        {T "lasso: 1\n",
         "f:3:10: found '1', expected none or a map such as {strength: 0.01, of: rules}"},
        {T "lasso: {of: rules}\n",
         "f:3:10: found no key 'strength', expected how much the penalty weighs"},
        {T "lasso: {strength: -1}\n",
         "f:3:21: the strength of the lasso is -1, expected 0 or more"},
        {T "lasso: {strength: 1, of: nodes}\n",
         "f:3:28: found 'nodes', expected rules, labels or keys"},
        {T "optimiser: lazy-adam\n  lasso: {strength: 1}\n",
         "f:4:21: the optimiser is lazy-adam and there is a 'lasso', expected adam: the penalty "
         "moves all weights"},
        {T "prune: {part: 1}\n",
         "f:3:17: the fraction to prune is 1, expected a number from 0 to below 1"},
        {T "prune: {part: 0.5, from: 9, to: 8}\n",
         "f:3:35: pruning is from epoch 9 to 8, expected epochs of 1..50, the first not after the "
         "last"},
        {T "prune: {part: 0.5, to: 51}\n",
         "f:3:26: pruning is from epoch 1 to 51, expected epochs of 1..50, the first not after the "
         "last"},
    };
    (void)state;
    size_t n_right = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_settings settings;
        rg_error err = {""};
        rg_status status = parse(&settings, cases[k].text, &err);
        if (status != RG_EDATA || strcmp(err.message, cases[k].message) != 0)
            print_error("%s:\n  %s\nexpected\n  %s\n", cases[k].text, err.message,
                        cases[k].message);
        else
            n_right++;
    }
    assert_int_equal(n_right, sizeof cases / sizeof *cases);
}

static void what_is_wrong_in_a_struct_is_found_too(void **state)
{
    rg_settings good = rg_settings_default(), s;
    (void)state;
#define WRONG(field, value, says)                                 \
    do {                                                          \
        rg_error err = {""};                                      \
        s = good;                                                 \
        s.field = value;                                          \
        assert_int_equal(rg_settings_check(&s, &err), RG_EUSAGE); \
        assert_string_equal(err.message, says);                   \
    } while (0)
    WRONG(epochs, 0, "the number of epochs is 0, expected 1 or more");
    WRONG(epochs, 9, "the schedule is for 50 epochs, expected the 9 of the run");
    WRONG(batch, 0, "the batch size is 0, expected 1 or more samples");
    WRONG(n_class_weights, 257, "the number of class weights is 257, expected at most 256");
    WRONG(n_class_weights, 1, "class weight 1 is 0, expected a number above 0");
    WRONG(prune, NAN, "the fraction to prune is nan, expected a number from 0 to below 1");
    good.n_class_weights = 1;
    good.class_weights[0] = 1;
    WRONG(balanced, true, "class weights are both listed and balanced, expected one of these");
#undef WRONG
}

static const char whole[] = "preset: paper\n"
                            "labels: {wl: wl}\n"
                            "layers:\n"
                            "  - rule: share wl(i), wl(j)\n"
                            "  - aggregate: share out, wl(i)\n" ALL;

static rg_status parse_and_print(void *context, rg_error *err)
{
    rg_spec *spec = NULL;
    rg_settings settings;
    char *text = NULL;
    (void)context;
    rg_status status = rg_network_file_parse(&spec, &settings, "f", whole, strlen(whole), err);
    if (!status)
        status = rg_network_file_print(&text, spec, &settings, err);
    rg_spec_free(spec);
    rg_free(text);
    return status;
}

static rg_status read_file(void *context, rg_error *err)
{
    rg_spec *spec = NULL;
    rg_settings settings;
    rg_status status = rg_network_file_read(&spec, &settings, context, err);
    rg_spec_free(spec);
    return status;
}

static void every_allocation_and_every_read_may_fail(void **state)
{
    char *directory = test_directory_make();
    char *path = test_format("%s/a.yml", directory);
    (void)state;
    test_write(directory, "a.yml", whole);
    assert_true(test_allocation_sweep(parse_and_print, NULL) > 50);
    assert_true(test_allocation_sweep(read_file, path) > 50);
    assert_true(test_io_sweep(read_file, path) > 0);
    test_directory_remove(directory);
    free(path);
}

static void nothing_is_touched_on_failure(void **state)
{
    rg_spec *spec = NULL;
    rg_settings settings = {.epochs = 77};
    rg_error err = {""};
    static const char text[] = T "batch: 3\n  lr: 0\n";
    (void)state;
    assert_int_equal(rg_network_file_parse(&spec, &settings, "f", text, strlen(text), &err),
                     RG_EDATA);
    assert_null(spec);
    assert_true(settings.epochs == 77 && settings.batch == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_settings_they_are_those_of_the_paper),
        cmocka_unit_test(every_setting_can_be_said),
        cmocka_unit_test(short_forms_leave_the_rest_as_it_is),
        cmocka_unit_test(bad_settings_say_where_and_what),
        cmocka_unit_test(what_is_wrong_in_a_struct_is_found_too),
        cmocka_unit_test(every_allocation_and_every_read_may_fail),
        cmocka_unit_test(nothing_is_touched_on_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
