/* test_members.c - several networks in one model: it answers with their mean, from memory and from its file. */
#include "base/alloc.h"
#include "model/members.h"
#include "model/safetensors.h"
#include "support/models.h"

#include <math.h>
#include <string.h>

/* Networks of different seeds on the same data. */
static void train_some(rg_model **out, const models *m, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        rg_train_options options = rg_train_options_default();
        options.first_run = (uint32_t)k;
        options.n_threads = 1;
        ASSERT_OK(models_train(&out[k], m, &options, err));
    }
}

typedef struct member_answers {
    double *numbers; /* probabilities, or values */
    size_t n, capacity;
} member_answers;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    member_answers *a = context;
    size_t n = p->n_rows * p->n_outputs;
    (void)err;
    assert_true(rg_grow(&a->numbers, &a->capacity, a->n + n, sizeof *a->numbers));
    for (size_t k = 0; k < n; k++)
        a->numbers[a->n++] = p->probabilities ? p->probabilities[k] : p->outputs[k];
    for (size_t i = 0; i < p->n_rows && p->classes; i++)
        for (size_t c = 0; c < p->n_outputs; c++)
            assert_true(p->probabilities[i * p->n_outputs + c] <=
                        p->probabilities[i * p->n_outputs + p->classes[i]]);
    return RG_OK;
}

static member_answers ask(const rg_model *model, const rg_source *source)
{
    member_answers a = {0};
    ASSERT_OK(rg_model_predict(model, source, NULL, note, &a, NULL, err));
    return a;
}

static void a_model_says_the_mean_of_its_networks(void **state)
{
    (void)state;
    static const double weights[] = {0.75, 0.25};
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_open(kind);
        rg_model *members[4] = {NULL}, *model = NULL, *loaded = NULL;
        rg_model_info info = RG_MODEL_INFO_INIT, one = RG_MODEL_INFO_INIT;
        member_answers each[4];
        train_some(members, &m, 4);
        for (size_t k = 0; k < 4; k++)
            each[k] = ask(members[k], &m.source);
        ASSERT_OK(rg_model_describe(&one, members[0], err));
        uint64_t n_parameters = one.n_parameters;
        ASSERT_OK(rg_model_combine(&model, members, 4, 2, weights, err));
        member_answers all = ask(model, &m.source);
        assert_int_equal(all.n, each[0].n);
        for (size_t i = 0; i < all.n; i++) {
            double first = (float)each[0].numbers[i], second = (float)each[2].numbers[i];
            first = first / 2 + (float)each[1].numbers[i] / 2.0;
            second = second / 2 + (float)each[3].numbers[i] / 2.0;
            assert_true(all.numbers[i] == 0.75 * first + 0.25 * second);
        }
        ASSERT_OK(rg_model_save(model, path, err));
        ASSERT_OK(rg_model_load(&loaded, path, err));
        member_answers again = ask(loaded, &m.source);
        assert_memory_equal(all.numbers, again.numbers, all.n * sizeof(double));
        ASSERT_OK(rg_model_describe(&info, loaded, err));
        assert_int_equal(info.n_networks, 4);
        assert_int_equal(info.n_parameters, 4 * n_parameters);
        assert_string_equal(loaded->digest, model->digest);
        ASSERT_OK(rg_model_select(&loaded, 3, err)); /* one of them alone */
        member_answers last = ask(loaded, &m.source);
        assert_memory_equal(last.numbers, each[3].numbers, last.n * sizeof(double));
        for (size_t k = 0; k < 4; k++)
            rg_free(each[k].numbers);
        rg_free(all.numbers);
        rg_free(again.numbers);
        rg_free(last.numbers);
        rg_model_free(model);
        rg_model_free(loaded);
        models_close(&m);
    }
    free(path);
    test_directory_remove(directory);
}

static void scores_are_those_of_the_mean(void **state)
{
    (void)state;
    models m = models_open(MODELS_CLASSES);
    rg_model *members[3] = {NULL}, *model = NULL;
    rg_evaluation result = RG_EVALUATION_INIT;
    train_some(members, &m, 3);
    ASSERT_OK(rg_model_combine(&model, members, 3, 3, NULL, err));
    member_answers all = ask(model, &m.source);
    ASSERT_OK(rg_model_evaluate(&result, model, &m.source, NULL, err));
    if (!(fabs(result.loss - result.scores[RG_METRIC_LOG_LOSS]) < 1e-6))
        fail_msg("%.17g %.17g", result.loss, result.scores[RG_METRIC_LOG_LOSS]);
    assert_true(result.accuracy == result.scores[RG_METRIC_ACCURACY]);
    assert_true(result.n > 0 && result.n <= all.n / result.n_outputs); /* some lack a class */
    rg_free(all.numbers);
    rg_model_free(model);
    models_close(&m);
}

static void pruning_takes_the_same_part_of_each(void **state)
{
    (void)state;
    static const double parts[] = {0, 0.5};
    models m = models_open(MODELS_CLASSES);
    rg_model *members[2] = {NULL}, *model = NULL, *alone[2] = {NULL};
    rg_prune_point points[2];
    uint64_t left = 0, own = 0, sum = 0;
    train_some(members, &m, 2);
    train_some(alone, &m, 2);
    ASSERT_OK(rg_model_combine(&model, members, 2, 1, NULL, err));
    ASSERT_OK(rg_model_prune_curve(points, parts, 2, model, &m.source, NULL, err));
    ASSERT_OK(rg_model_prune(model, 0.5, &left, err));
    for (size_t k = 0; k < 2; k++) {
        ASSERT_OK(rg_model_prune(alone[k], 0.5, &own, err));
        sum += own;
    }
    assert_int_equal(left, sum);
    assert_int_equal(points[1].weights, sum);
    rg_evaluation result = RG_EVALUATION_INIT;
    ASSERT_OK(rg_model_evaluate(&result, model, &m.source, NULL, err));
    assert_true(points[1].score == result.accuracy);
    rg_model *again = NULL;
    ASSERT_OK(rg_model_combine(&again, alone, 2, 1, NULL, err));
    member_answers a = ask(model, &m.source), b = ask(again, &m.source);
    assert_memory_equal(a.numbers, b.numbers, a.n * sizeof(double));
    rg_free(a.numbers);
    rg_free(b.numbers);
    rg_model_free(model);
    rg_model_free(again);
    models_close(&m);
}

static void networks_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const double weights[] = {0.5, 0.6};
    models m = models_open(MODELS_CLASSES), other = models_open(MODELS_VALUES);
    rg_model *members[3] = {NULL}, *model = NULL;
    train_some(members, &m, 2);
    train_some(members + 2, &other, 1);
    ASSERT_REFUSED(rg_model_combine(&model, members, 3, 1, NULL, err), RG_EDATA,
                   "networks 1 and 3 cannot answer together: they have different tasks");
    ASSERT_REFUSED(rg_model_combine(&model, members, 2, 1, weights, err), RG_EDATA,
                   "the weights of the networks add up to 1.1, not to 1");
    ASSERT_REFUSED(rg_model_combine(&model, members, 3, 2, NULL, err), RG_EUSAGE,
                   "found 3 networks in groups of 2");
    ASSERT_OK(rg_model_combine(&model, members, 2, 2, NULL, err));
    rg_model *both[2] = {model, members[2]};
    ASSERT_REFUSED(rg_model_combine(&model, both, 2, 1, NULL, err), RG_EDATA,
                   "one has several networks itself");
    ASSERT_REFUSED(rg_model_select(&model, 2, err), RG_EUSAGE,
                   "the model has 2 networks: there is no 3");
    size_t n;
    ASSERT_REFUSED(rg_model_embedding_size(&n, model, err), RG_EUSAGE, "no one embedding");
    rg_model_free(model);
    rg_model_free(members[2]);
    models_close(&m);
    models_close(&other);
}

/* ---- files */

static void damaged_files_are_refused(void **state)
{
    (void)state;
    models m = models_open(MODELS_CLASSES);
    rg_model *members[2] = {NULL}, *model = NULL, *read = NULL;
    rg_tensors *set = NULL;
    static double weights[] = {0.5, 0.25}, shares[] = {0.5, 0.5};
    void *bytes = NULL;
    size_t n = 0;
    train_some(members, &m, 2);
    ASSERT_OK(rg_model_encode(&bytes, &n, members[0], err));
    static const struct {
        const char *runs, *words;
        bool all, bad;
    } cases[] = {
        {"0", "found no whole number of networks", true, false},
        {"x", "found no whole number of networks", true, false},
        {"2", "member.2", true, false},
        {"1", "the weights of the networks add up to 0.75", true, true},
        {"1", "member.1", false, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        set = rg_tensors_new();
        rg_tensor member = {
            .name = "member.0", .dtype = RG_DTYPE_U8, .n_dims = 1, .shape = {n}, .data = bytes};
        rg_tensor w = {.name = "weights",
                       .dtype = RG_DTYPE_F64,
                       .n_dims = 1,
                       .shape = {2},
                       .data = cases[k].bad ? weights : shares};
        ASSERT_OK(rg_tensors_add(set, &member, err));
        member.name = "member.1";
        if (cases[k].all)
            ASSERT_OK(rg_tensors_add(set, &member, err));
        ASSERT_OK(rg_tensors_add(set, &w, err));
        ASSERT_OK(rg_tensors_add_metadata(set, "regula.format", "2", err));
        ASSERT_OK(rg_tensors_add_metadata(set, "regula.version", "1", err));
        ASSERT_OK(rg_tensors_add_metadata(set, "regula.runs", cases[k].runs, err));
        ASSERT_REFUSED(rg_model_decode(&read, "f", set, err), RG_EDATA, cases[k].words);
        rg_tensors_free(set);
    }
    rg_free(bytes);
    ASSERT_OK(rg_model_combine(&model, members, 2, 1, NULL, err));
    ASSERT_OK(rg_model_encode(&bytes, &n, model, err));
    for (size_t at = 0; at < n; at += 97) { /* a byte anywhere */
        ((unsigned char *)bytes)[at] ^= 4;
        rg_error why = {""};
        set = NULL;
        assert_int_not_equal(rg_tensors_parse(&set, "f", bytes, n, true, &why), RG_OK);
        ((unsigned char *)bytes)[at] ^= 4;
    }
    rg_free(bytes);
    rg_model_free(model);
    models_close(&m);
}

typedef struct sweep_setup {
    models m;
    rg_tensors *set;
} sweep_setup;

static rg_status sweep(void *context, rg_error *err)
{
    sweep_setup *s = context;
    rg_model *model = NULL, *copy = NULL;
    rg_predict_options options = rg_predict_options_default();
    rg_evaluation result = RG_EVALUATION_INIT;
    options.n_threads = 1;
    rg_status status = rg_model_decode(&model, "f", s->set, err);
    if (!status)
        status = rg_model_copy(&copy, model, err);
    if (!status)
        status = rg_model_prune(copy, 0.5, NULL, err);
    if (!status)
        status = rg_model_evaluate(&result, copy, &s->m.source, &options, err);
    rg_model_free(model);
    rg_model_free(copy);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_setup s = {.m = models_open(MODELS_CLASSES)};
    rg_model *members[2] = {NULL}, *model = NULL;
    void *bytes = NULL;
    size_t n = 0;
    train_some(members, &s.m, 2);
    ASSERT_OK(rg_model_combine(&model, members, 2, 1, NULL, err));
    ASSERT_OK(rg_model_encode(&bytes, &n, model, err));
    ASSERT_OK(rg_tensors_parse(&s.set, "f", bytes, n, true, err));
    assert_true(test_allocation_sweep(sweep, &s) > 50);
    rg_tensors_free(s.set);
    rg_free(bytes);
    rg_model_free(model);
    models_close(&s.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_says_the_mean_of_its_networks),
        cmocka_unit_test(scores_are_those_of_the_mean),
        cmocka_unit_test(pruning_takes_the_same_part_of_each),
        cmocka_unit_test(networks_that_do_not_fit_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
