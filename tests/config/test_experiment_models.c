/* test_experiment_models.c - baselines in experiment files: configurations, normal form, overrides,
 * and what is refused. */
#include "experiment_files.h"
#include "regula/model.h"
#include "support/stores.h"
#include "support/support.h"
#include "text/yaml.h"

#include <string.h>

#define D "data: X\n"
#define NETWORK "{name: net, layers: [aggregate: 'share out, node(i)']}"

/* None of them is equal to another. */
static void assert_choices(const rg_experiment *e, const char *const *expected, size_t n)
{
    experiment_assert_choices(e, expected, n);
    assert_int_equal(rg_experiment_describe(e)->n_equal, 0);
}

/* ---- configurations */

static void a_word_a_map_and_a_list_name_models(void **state)
{
    (void)state;
    static const struct {
        const char *text, *choices, *recipe;
    } cases[] = {
        {D "model: majority\n", "", "model: majority\n"},
        {D "model: {kind: majority}\n", "", "model: majority\n"},
        {D "model: [majority]\n", "model=majority", "model: majority\n"},
        {D "model: [{kind: majority, name: usual}]\n", "model=usual", "model: majority\n"},
        {D "network: {model: majority}\n", "", "model: majority\n"},
        {D "network: [{model: majority}]\n", "network=majority", "model: majority\n"},
        {D "network: [{model: majority, name: usual}]\n", "network=usual", "model: majority\n"},
        {D "model: wl\n", "",
         "model: wl\niterations: 5\nlabels: auto\nedges: false\nnormalise: true\nc: 1\n"},
        {D "model: {c: 2^3, kind: wl}\n", "",
         "model: wl\niterations: 5\nlabels: auto\nedges: false\nnormalise: true\nc: 8\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_experiment *e = experiment_parse(cases[k].text);
        assert_choices(e, &cases[k].choices, 1);
        assert_string_equal(rg_experiment_recipe(e, 0), cases[k].recipe);
        experiment_assert_same_again(e);
        rg_experiment_free(e);
    }
}

static void lists_of_settings_span_a_grid(void **state)
{
    (void)state;
    static const char *const expected[] = {"iterations=1 c=0.5", "iterations=1 c=2^3",
                                           "iterations=3 c=0.5", "iterations=3 c=2^3"};
    rg_experiment *e = experiment_parse("model: {kind: wl, iterations: [1, 3], c: [0.5, 2^3]}\n" D);
    assert_choices(e, expected, 4);
    assert_string_equal(rg_experiment_axis(e, 0), "iterations");
    assert_non_null(strstr(rg_experiment_recipe(e, 3), "iterations: 3\n"));
    assert_non_null(strstr(rg_experiment_recipe(e, 3), "c: 8\n"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

/* Lists of one alternative say nothing of the others, even if they have the same name. */
static void alternatives_have_lists_of_their_own(void **state)
{
    (void)state;
    static const char *const expected[] = {"model=majority",
                                           "model=wl iterations=1 c=1",
                                           "model=wl iterations=1 c=2",
                                           "model=wl iterations=2 c=1",
                                           "model=wl iterations=2 c=2",
                                           "model=no c=1",
                                           "model=no c=4",
                                           "model=no c=16"};
    rg_experiment *e = experiment_parse(D "model:\n"
                                          "  - majority\n"
                                          "  - {kind: wl, iterations: [1, 2], c: [1, 2]}\n"
                                          "  - {name: no, kind: nog, c: [1, 4, 16]}\n");
    assert_int_equal(rg_experiment_describe(e)->n_axes, 4);
    assert_choices(e, expected, 8);
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void networks_and_models_are_alternatives(void **state)
{
    (void)state;
    static const char *const expected[] = {"network=net lr=0.1",
                                           "network=net lr=0.2",
                                           "network=wl c=1",
                                           "network=wl c=2",
                                           "network=gin width=8 lr=0.1",
                                           "network=gin width=8 lr=0.2",
                                           "network=gin width=16 lr=0.1",
                                           "network=gin width=16 lr=0.2"};
    rg_experiment *e = experiment_parse(D "network:\n  - " NETWORK "\n"
                                          "  - {model: wl, c: [1, 2]}\n"
                                          "  - {model: gin, width: [8, 16]}\n"
                                          "training: {lr: [0.1, 0.2], epochs: 7}\n"
                                          "input: constant\n");
    assert_choices(e, expected, 8);
    assert_non_null(strstr(rg_experiment_recipe(e, 0), "input: constant"));
    assert_null(strstr(rg_experiment_recipe(e, 2), "training"));
    assert_non_null(strstr(rg_experiment_recipe(e, 7), "width: 16\n"));
    assert_non_null(strstr(rg_experiment_recipe(e, 7), "  lr: 0.2\n"));
    assert_non_null(strstr(rg_experiment_recipe(e, 7), "  epochs: 7\n"));
    assert_null(strstr(rg_experiment_recipe(e, 7), "input"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void training_of_a_model_has_lists_too(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "lr=0.1 schedule.factor=0.5", "lr=0.1 schedule.factor=0.9", "lr=0.2 schedule.factor=0.5",
        "lr=0.2 schedule.factor=0.9"};
    rg_experiment *e = experiment_parse(D "model:\n  kind: gin\n  training:\n    lr: [0.1, 0.2]\n"
                                          "    schedule: {kind: step, factor: [0.5, 0.9]}\n"
                                          "training: {epochs: 3}\n");
    assert_choices(e, expected, 4);
    assert_non_null(strstr(rg_experiment_recipe(e, 3), "  epochs: 3\n"));
    assert_non_null(strstr(rg_experiment_recipe(e, 3), "factor: 0.9"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void values_that_are_lists_are_not_chosen_from(void **state)
{
    (void)state;
    static const char *const expected[] = {"features=[labels, degree]", "features=[constant]"};
    rg_experiment *e = experiment_parse(D "model: {kind: gin, features: [labels, degree]}\n");
    assert_int_equal(rg_experiment_describe(e)->n_configurations, 1);
    assert_non_null(strstr(rg_experiment_recipe(e, 0), "features: [labels, degree]\n"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
    e = experiment_parse(D "model: {kind: gin, features: [[labels, degree], [constant]]}\n");
    assert_choices(e, expected, 2);
    experiment_assert_same_again(e);
    rg_experiment_free(e);
    e = experiment_parse(D "model:\n  kind: message-passing\n"
                           "  layers: [gin: 8, pool: sum, dense: 4]\n");
    assert_int_equal(rg_experiment_describe(e)->n_configurations, 1);
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

static void variables_and_overrides_reach_models(void **state)
{
    (void)state;
    static const char *const expected[] = {"c=1 rounds=2", "c=1 rounds=4", "c=2 rounds=2",
                                           "c=2 rounds=4"};
    static const char *const overrides[] = {"model.c=[1, 2]", "model.edges=true"};
    rg_experiment *e = experiment_parse_with(D "model: {kind: wl, iterations: $rounds, c: 5}\n"
                                               "grid: {rounds: [2, 4]}\n",
                                             overrides, 2);
    assert_choices(e, expected, 4);
    assert_non_null(strstr(rg_experiment_recipe(e, 1), "iterations: 4\n"));
    assert_non_null(strstr(rg_experiment_recipe(e, 1), "edges: true\n"));
    experiment_assert_same_again(e);
    rg_experiment_free(e);
}

/* ---- files */

static void model_files_and_networks_whose_labels_they_use_are_read(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/exp.yml", directory);
    rg_experiment *e = NULL;
    test_write(directory, "wl.yml", "model: wl\nc: [1, 2]\n");
    test_write(directory, "deep/gin.yml", "model: gin\nfeatures: [auto, rule]\nnetwork: net.yml\n");
    test_write(directory, "deep/net.yml",
               "labels: {a: degree}\nlayers: [aggregate: 'share out, a(i)']\n");
    test_write(directory, "exp.yml", D "network: [wl.yml, deep/gin.yml]\n");
    ASSERT_OK(rg_experiment_read(&e, path, NULL, 0, err));
    assert_int_equal(rg_experiment_describe(e)->n_configurations, 3);
    assert_string_equal(rg_experiment_choice(e, 1, 0), "network=wl.yml");
    assert_non_null(strstr(rg_experiment_recipe(e, 2), "features: [auto, rule]\n"));
    assert_non_null(strstr(rg_experiment_recipe(e, 2), "a: degree"));
    experiment_assert_same_again(e); /* without any file */
    rg_experiment_free(e);
    test_write(directory, "deep/gin.yml", "model: gin\nfeatures: rule\nnetwork: no.yml\n");
    ASSERT_REFUSED(rg_experiment_read(&e, path, NULL, 0, err), RG_EIO,
                   "deep/gin.yml:3:10: cannot find '");
    free(path);
    test_directory_remove(directory);
}

/* ---- what is refused */

static const struct {
    const char *text;
    const char *set; /* NULL: no override */
    const char *words;
} wrong[] = {
    {D "model: majority\nnetwork: " NETWORK "\n", NULL,
     "f:2:8: found both 'model' and 'network', expected one of them: a list under 'network' may "
     "hold maps with the key 'model'"},
    {D "model: majority\ncompare: [nog, wl]\n", NULL,
     "f:3:10: found both 'compare' and 'model', expected one of them: a list under 'compare'"},
    {D "compare: nog\n", NULL, "f:2:10: found 'nog', expected a list of at least two networks"},
    {D "compare: [nog]\n", NULL, "expected a list of at least two networks and models"},
    {D "compare: [nog, nog]\n", NULL,
     "f:2:16: found the method 'nog' a second time, expected each once, or the key 'name'"},
    {D "compare: [nog, {kind: wl, name: a b}]\n", NULL,
     "found the name 'a b', expected one without blanks"},
    {D "compare: [nog, gone.yml]\n", NULL, "f:2:16: found 'gone.yml', expected a map, as files"},
    {D, NULL,
     "f:1:1: found no key 'network', expected a network file or a map, or the key 'model'"},
    {D "model: wlk\n", NULL, "f:2:8: found 'wlk', expected majority, nog, wl, wl-oa"},
    {D "model: wlk\n", NULL, "(did you mean 'wl'?)"},
    {D "model:\n", NULL, "f:2:7: found nothing, expected a model such as majority, or a map"},
    {D "model: []\n", NULL, "f:2:8: found 0 models, expected 1..1000"},
    {D "model: [[wl]]\n", NULL, "f:2:9: found a list, expected a model such as majority, or a map"},
    {D "model: {c: 1}\n", NULL,
     "f:2:8: found no key 'kind', expected the key 'kind' with the name of a model"},
    {D "model: {model: wl}\n", NULL, "f:2:16: found the key 'model' inside of 'model', expected"},
    {D "model: {kind: [wl, nog]}\n", NULL, "f:2:15: found a list, expected majority, nog"},
    {D "model: {kind: wl, name: []}\n", NULL, "f:2:25: found a list, expected a name for tables"},
    {D "model: [wl, wl]\n", NULL,
     "f:2:13: found the model 'wl' a second time, expected each once, or the key 'name' to tell "
     "them apart"},
    {D "model: {kind: wl, C: 1}\n", NULL,
     "f:2:19: found the key 'C', expected model, iterations, labels, edges, normalise or c (did "
     "you "
     "mean 'c'?)"},
    {D "model: {kind: wl, c: [1, 0]}\n", NULL, "f:2:26: found '0', expected a number above 0"},
    {D "model: {kind: wl, c: [1, 0]}\n", NULL, "(with c=0)"},
    {D "model: {kind: wl, c: []}\n", NULL,
     "f:2:22: found an empty list, expected values to choose from"},
    {D "model: [wl, {kind: nog, c: [1, x]}]\n", NULL, "(with model=nog, c=x)"},
    {D "model: wl\ntraining: {lr: 0.1}\n", NULL,
     "f:3:11: found 'training', but the models here have no such settings"},
    {D "model: [wl, gin]\ninput: signed\n", NULL,
     "f:3:8: found 'input', but the models here have no such settings"},
    {D "model: wl\nlabels: {a: degree}\n", NULL,
     "f:3:10: found the labels 'a', but no network has labels"},
    {D "model: {kind: gin, training: {lr: [1, 2]}}\ntraining: {lr: [3, 4]}\n", NULL,
     "f:3:16: found a second list for 'lr', expected one (the other is in line 2)"},
    {D "model: {kind: gin, features: rule, network: a.yml}\n", NULL,
     "f:2:45: found 'a.yml', expected a map, as files cannot be read here"},
    {D "network: {model: wl, layers: [dense: auto]}\n", NULL,
     "f:2:22: found the key 'layers', expected model, iterations"},
    {D "model: {kind: wl, iterations: $rounds}\n", NULL, "f:2:31: found the variable '$rounds'"},
    {D "model: wl\n", "model.c=1", "--set 'model.c=1': 'model' is no map in the file"},
    {D "model: {kind: wl}\n", "model.c=x", "--set model.c:1:1: found 'x', expected a number above"},
};

static void wrong_models_say_where_and_what(void **state)
{
    (void)state;
    size_t n_wrong = 0;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        rg_experiment *e = NULL;
        rg_error err = {""};
        rg_status status = rg_experiment_parse(&e, "f", wrong[k].text, strlen(wrong[k].text),
                                               &wrong[k].set, wrong[k].set ? 1 : 0, &err);
        bool usage = strncmp(err.message, "--set '", 7) == 0;
        if (status == (usage ? RG_EUSAGE : RG_EDATA) && !e && strstr(err.message, wrong[k].words))
            continue;
        print_message("case %zu: status %d, found\n  %s\nexpected\n  %s\n", k, (int)status,
                      err.message, wrong[k].words);
        rg_experiment_free(e);
        n_wrong++;
    }
    assert_int_equal(n_wrong, 0);
}

static void too_many_configurations_are_refused(void **state)
{
    (void)state;
    static const char text[] =
        D "model:\n  - {name: a, kind: wl, c: [1, 2, 3]}\n  - {name: b, kind: wl, c: [1, 2, 3]}\n"
          "  - {name: c, kind: wl, iterations: [1, 2], c: [1, 2, 3]}\n";
    rg_experiment *e = NULL;
    rg_experiment_source source = {.name = "f", .text = text, .n = sizeof text - 1, .limit = 12};
    ASSERT_OK(rg_experiment_build(&e, &source, err)); /* 3 + 3 + 6, and not 3 x 3 x 6 */
    assert_int_equal(rg_experiment_describe(e)->n_configurations,
                     9); /* those of b are those of a */
    assert_int_equal(rg_experiment_describe(e)->n_equal, 3);
    rg_experiment_free(e);
    source.limit = 11;
    ASSERT_REFUSED(rg_experiment_build(&e, &source, err), RG_EDATA,
                   "f:5:48: found more than 11 configurations up to this list");
}

/* ---- examples, the page, and faults */

static void examples_are_experiments(void **state)
{
    (void)state;
    assert_true(experiment_read_all(REGULA_SOURCE "/examples/baselines") >= 6);
}

/* Every block of docs/baselines.md that begins with data: is an experiment. */
static void the_page_has_experiments_that_work(void **state)
{
    (void)state;
    char *page = test_read(REGULA_SOURCE "/docs/baselines.md", NULL), *block;
    size_t n = 0;
    for (const char *at = page; (block = experiment_block(&at)); free(block), n++) {
        rg_experiment *e = experiment_parse(block);
        experiment_assert_same_again(e);
        rg_experiment_free(e);
    }
    assert_true(n >= 3);
    free(page);
}

/* Every model, and every setting that help lists. */
static void the_page_has_all_models_and_settings(void **state)
{
    (void)state;
    char *page = test_read(REGULA_SOURCE "/docs/baselines.md", NULL);
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        const rg_baseline_kind *kind = rg_baseline_kind_at(k);
        char *word = test_format("`%s`", kind->name);
        if (!strstr(page, word))
            fail_msg("docs/baselines.md has no %s", word);
        free(word);
        rg_baseline_setting s;
        for (size_t n_s = 0; kind->setting && kind->setting(&s, kind, n_s); n_s++) {
            word = test_format("`%s`", s.key);
            if (!strstr(page, word))
                fail_msg("docs/baselines.md has no setting %s of %s", word, kind->name);
            free(word);
        }
    }
    free(page);
}

static rg_status parse_rich(void *context, rg_error *err)
{
    static const char text[] = D "network:\n  - " NETWORK "\n"
                                 "  - {model: wl, c: [1, 2], iterations: $r}\n"
                                 "  - {name: g, model: gin, features: [labels, degree]}\n"
                                 "  - {model: majority}\n"
                                 "training: {lr: [0.1]}\ngrid: {r: [2, 3]}\n";
    static const char more[] = D "model: [majority, {kind: nog, c: [1, 2]}]\n";
    rg_experiment *e = NULL;
    (void)context;
    rg_status status = rg_experiment_parse(&e, "f", text, strlen(text), NULL, 0, err);
    rg_experiment_free(e);
    e = NULL;
    if (!status)
        status = rg_experiment_parse(&e, "f", more, strlen(more), NULL, 0, err);
    rg_experiment_free(e);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(parse_rich, NULL) > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_a_map_and_a_list_name_models),
        cmocka_unit_test(lists_of_settings_span_a_grid),
        cmocka_unit_test(alternatives_have_lists_of_their_own),
        cmocka_unit_test(networks_and_models_are_alternatives),
        cmocka_unit_test(training_of_a_model_has_lists_too),
        cmocka_unit_test(values_that_are_lists_are_not_chosen_from),
        cmocka_unit_test(variables_and_overrides_reach_models),
        cmocka_unit_test(model_files_and_networks_whose_labels_they_use_are_read),
        cmocka_unit_test(wrong_models_say_where_and_what),
        cmocka_unit_test(too_many_configurations_are_refused),
        cmocka_unit_test(examples_are_experiments),
        cmocka_unit_test(the_page_has_experiments_that_work),
        cmocka_unit_test(the_page_has_all_models_and_settings),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
