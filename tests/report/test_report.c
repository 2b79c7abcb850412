/* test_report.c - what a report holds: of a whole run, of half a one, and of what is missing. */
#include "support/experiment_runs.h"
#include "support/finished_runs.h"
#include "support/support.h"

#include "base/alloc.h"
#include "report/report.h"

#include <jansson.h>
#include <math.h>

#define EXPERIMENT                                                                              \
    EXPERIMENT_RUNS_HEAD                                                                        \
    "protocol: [fair, global]\nruns: 2\nsplits: {folds: 3}\nnetwork:\n" EXPERIMENT_RUNS_NETWORK \
    "training: {lr: [0.05, 0.01]}\n"

/* A run directory and what its report is made of. */
typedef struct reported_run {
    experiment_runs p;
    rg_store *store;
    rg_results r;
    rg_report_options options;
} reported_run;

static void reported_run_open(reported_run *s, const char *text)
{
    *s = (reported_run){.options = rg_report_options_default()};
    experiment_runs_open(&s->p);
    experiment_runs_finish(&s->p, text, "run", (rg_run_options){.n_threads = 1});
    s->store = experiment_runs_store(&s->p, "run");
    ASSERT_OK(rg_results_make(&s->r, s->store, NULL, 0, err));
    s->options.source = &s->p.source;
    s->options.splits = s->p.splits;
    s->options.n_threads = 1;
    s->options.n_graphs = 5;
}

static void reported_run_close(reported_run *s)
{
    rg_results_free(&s->r);
    rg_store_close(s->store);
    experiment_runs_close(&s->p);
}

static json_t *report_of(const rg_results *r, const rg_report_options *options)
{
    char *text = NULL;
    json_error_t error;
    ASSERT_OK(rg_report_json(&text, r, options, err));
    assert_null(strpbrk(text, "<>&"));
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s at byte %d", error.text, error.position);
    rg_free(text);
    return root;
}

/* The value at a path such as "runs/0/name". */
static json_t *at(json_t *root, const char *path)
{
    char key[64];
    const char *from = path;
    while (root && *path) {
        size_t n = strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        root = json_is_array(root) ? json_array_get(root, (size_t)atoi(key))
                                   : json_object_get(root, key);
        path += n + (path[n] == '/');
    }
    if (!root)
        fail_msg("there is no %s", from);
    return root;
}

static void assert_words(json_t *root, const char *path, const char *words)
{
    const char *text = json_string_value(at(root, path));
    if (!text || !strstr(text, words))
        fail_msg("%s is '%s', expected '%s'", path, text ? text : "null", words);
}

static void assert_number(json_t *root, const char *path, double value)
{
    double found = json_number_value(at(root, path));
    if (!(fabs(found - value) < 1e-12))
        fail_msg("%s is %.17g, expected %.17g", path, found, value);
}

static void strings_of_json_never_end_the_element_they_stand_in(void **state)
{
    (void)state;
    static const struct {
        const char *string, *json;
    } cases[] = {
        {"plain", "\"plain\""},
        {"", "\"\""},
        {"</script>", "\"\\u003c/script\\u003e\""},
        {"<!-- & \"\\", "\"\\u003c!-- \\u0026 \\\"\\\\\""},
        {"a\nb\tc\x7f", "\"a\\nb\\u0009c\\u007f\""},
        {"\xe2\x80\xa8", "\"\\u2028\""},
        {"\xf0\x9f\x98\x80", "\"\\ud83d\\ude00\""},
        {"\xff\xc0\x80x", "\"\\ufffd\\ufffd\\ufffdx\""},
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_json json = {.layout = RG_JSON_PAGE};
        rg_json_string(&json, NULL, cases[k].string);
        char *text = rg_json_take(&json);
        assert_string_equal(text, cases[k].json);
        rg_free(text);
    }
}

static void numbers_of_json_are_short_or_exact(void **state)
{
    (void)state;
    rg_json json = {.layout = RG_JSON_PAGE};
    rg_json_open(&json, NULL, '{');
    rg_json_real(&json, "third", 1.0 / 3);
    rg_json_short(&json, "short", 1.0 / 3);
    rg_json_real(&json, "none", (double)NAN);
    rg_json_known(&json, "unknown", UINT64_MAX);
    rg_json_open(&json, "list", '[');
    rg_json_count(&json, NULL, 1);
    rg_json_bool(&json, NULL, true);
    rg_json_string(&json, NULL, NULL);
    rg_json_close(&json, '[');
    rg_json_close(&json, '{');
    char *text = rg_json_take(&json);
    assert_string_equal(text, "{\"third\":0.3333333333333333,\"short\":0.33333,\"none\":null,"
                              "\"unknown\":null,\"list\":[1,true,null]}");
    rg_free(text);
}

static void a_report_has_all_that_a_run_came_to(void **state)
{
    (void)state;
    reported_run s;
    reported_run_open(&s, EXPERIMENT);
    json_t *root = report_of(&s.r, &s.options);
    const rg_verdict *fair = &s.r.verdicts[0];
    assert_words(root, "title", "tiny");
    assert_words(root, "protocol", "fair");
    assert_number(root, "runs/0/protocols/0/mean", fair->result.mean);
    assert_number(root, "runs/0/protocols/1/deviation", s.r.verdicts[1].result.deviation);
    assert_words(root, "runs/0/digest", s.r.digest);
    assert_int_equal(json_array_size(at(root, "configurations")), 2);
    assert_int_equal(json_array_size(at(root, "curves/runs")), 6);
    assert_int_equal(json_array_size(at(root, "curves/runs/0/train_loss")), 4);
    assert_int_equal(json_array_size(at(root, "graphs/list")), 5);
    assert_true(json_array_size(at(root, "rules/list")) > 5);
    assert_int_equal(json_array_size(at(root, "graphs/list/0/layers")), 2);
    assert_number(root, "data/samples", 30);
    reported_run_close(&s);
    json_decref(root);
}

/* Every graph is tested once, by two runs; some have no class. */
static void the_matrix_counts_every_answer_of_the_test_parts(void **state)
{
    (void)state;
    reported_run s;
    reported_run_open(&s, EXPERIMENT);
    json_t *root = report_of(&s.r, &s.options), *row, *cell;
    double sum = 0, right = 0, all = 0, expected = 0;
    size_t i, k;
    json_array_foreach(at(root, "confusion/counts"), i, row) json_array_foreach(row, k, cell)
    {
        sum += json_number_value(cell);
        right += i == k ? json_number_value(cell) : 0;
    }
    for (size_t f = 0; f < 3; f++) {
        rg_part test = rg_splits_fold(s.p.splits, f).test;
        size_t known = 0;
        for (size_t g = 0; g < test.n; g++)
            known += rg_dataset_ranks(s.p.data, RG_CLASS, 0)[test.graphs[g]] != RG_NO_CLASS;
        all += 2 * (double)known;
        expected += 2 * (double)known * s.r.verdicts[0].result.folds[f].test;
    }
    if (sum != all || !(sum > 20))
        fail_msg("%g of %g", sum, all);
    assert_true(fabs(right - expected) < 1e-9);
    assert_number(root, "confusion/runs", 6);
    json_decref(root);
    reported_run_close(&s);
}

static void the_same_run_gives_the_same_bytes(void **state)
{
    (void)state;
    reported_run s;
    reported_run_open(&s, EXPERIMENT);
    char *first = NULL, *page = NULL;
    ASSERT_OK(rg_report_json(&first, &s.r, &s.options, err));
    for (unsigned n = 1; n <= 4; n *= 2) {
        char *again = NULL;
        s.options.n_threads = n;
        ASSERT_OK(rg_report_json(&again, &s.r, &s.options, err));
        assert_string_equal(first, again);
        rg_free(again);
    }
    ASSERT_OK(rg_report_page(&page, first, "one", err));
    assert_non_null(strstr(page, first));
    rg_free(page);
    rg_free(first);
    reported_run_close(&s);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    reported_run s;
    reported_run_open(&s, EXPERIMENT "keep: none\n");
    json_t *root = report_of(&s.r, &s.options);
    assert_words(root, "no_rules", "The run kept no models");
    assert_words(root, "no_graphs", "The run kept no models");
    json_decref(root);
    s.options.source = NULL;
    s.options.no_source = "It is gone.";
    root = report_of(&s.r, &s.options);
    assert_words(root, "no_data", "It is gone.");
    assert_words(root, "no_confusion", "It is gone.");
    assert_true(json_is_null(at(root, "data")));
    json_decref(root);
    reported_run_close(&s);
}

static void rules_need_no_data(void **state)
{
    (void)state;
    reported_run s;
    reported_run_open(&s, EXPERIMENT);
    s.options.source = NULL;
    json_t *root = report_of(&s.r, &s.options);
    assert_true(json_array_size(at(root, "rules/list")) > 5);
    assert_true(json_is_null(at(root, "rules/list/0/graphs")));
    assert_words(root, "no_graphs", "No data set was given.");
    json_decref(root);
    reported_run_close(&s);
}

static void other_data_are_not_taken_for_those_of_the_run(void **state)
{
    (void)state;
    reported_run s;
    reported_run_open(&s, EXPERIMENT);
    rg_dataset *other = test_dataset_with_targets(30, 8, 32);
    rg_source source = {.graphs = other};
    s.options.source = &source;
    json_t *root = report_of(&s.r, &s.options);
    assert_words(root, "no_data", "has changed since the run");
    assert_true(json_is_null(at(root, "confusion")));
    json_decref(root);
    rg_dataset_free(other);
    reported_run_close(&s);
}

static void a_model_that_is_gone_or_damaged_is_told_of(void **state)
{
    (void)state;
    reported_run s;
    rg_store_model *models = NULL;
    size_t n;
    reported_run_open(&s, EXPERIMENT);
    ASSERT_OK(rg_store_models(&models, &n, s.store, err));
    assert_int_equal(n, 3);
    char *name = test_format("run/%s", models[0].file);
    test_write(s.p.root, name, "no model");
    s.options.fold = models[0].fold;
    json_t *root = report_of(&s.r, &s.options);
    assert_words(root, "no_rules", "safetensors");
    json_decref(root);
    s.options.fold = 7;
    char *text = NULL;
    ASSERT_REFUSED(rg_report_json(&text, &s.r, &s.options, err), RG_EUSAGE, "there is no fold 7");
    assert_null(text);
    free(name);
    rg_free(models);
    reported_run_close(&s);
}

static void graphs_can_be_named(void **state)
{
    (void)state;
    reported_run s;
    char *text = NULL;
    uint32_t graphs[] = {3, 29};
    reported_run_open(&s, EXPERIMENT);
    s.options.graphs = graphs;
    s.options.n_graphs = 2;
    json_t *root = report_of(&s.r, &s.options);
    assert_number(root, "graphs/list/0/sample", 3);
    assert_number(root, "graphs/list/1/sample", 29);
    assert_words(root, "graphs/part", "chosen");
    json_decref(root);
    graphs[1] = 30;
    ASSERT_REFUSED(rg_report_json(&text, &s.r, &s.options, err), RG_EUSAGE,
                   "there is no graph 30: ");
    reported_run_close(&s);
}

static void runs_side_by_side_say_where_they_differ(void **state)
{
    (void)state;
    test_store_plan *t = test_store_plan_make(2, 2, 3, 2);
    char *root = test_directory_make();
    char *names[2] = {test_format("%s/a", root), test_format("%s/b", root)};
    rg_store *stores[2] = {NULL};
    rg_results results[2];
    rg_report_options options = rg_report_options_default();
    for (int k = 0; k < 2; k++) {
        finished_runs_fill(names[k], t, 8, finished_score_known);
        ASSERT_OK(rg_store_open(&stores[k], names[k], false, err));
        ASSERT_OK(rg_results_make(&results[k], stores[k], NULL, 0, err));
        t->experiment.splits_digest = "bb";
    }
    const rg_results *others[] = {&results[1]};
    options.others = others;
    options.n_others = 1;
    json_t *json = report_of(&results[0], &options);
    assert_int_equal(json_array_size(at(json, "runs/0/differences")), 0);
    assert_words(json, "runs/1/differences/0", "it uses different splits");
    json_decref(json);
    const rg_store_fold moved[2] = {{.number = 0}, {.number = 2}};
    results[1].folds = moved;
    json = report_of(&results[0], &options);
    assert_words(json, "runs/1/differences/1", "it uses different folds");
    json_decref(json);
    for (int k = 0; k < 2; k++) {
        rg_results_free(&results[k]);
        rg_store_close(stores[k]);
        free(names[k]);
    }
    test_store_plan_free(t);
    test_directory_remove(root);
}

/* n_jobs of 8 are done, the one after the next failed. */
static json_t *report_of_jobs(size_t n_jobs, const char *score)
{
    test_store_plan *t = test_store_plan_make(2, 2, 3, 2);
    char *root = test_directory_make();
    rg_store *store = NULL;
    rg_results results;
    rg_report_options options = rg_report_options_default();
    t->experiment.score = score;
    finished_runs_fill(root, t, n_jobs, finished_score_known);
    if (n_jobs < 7)
        finished_runs_fail(root, n_jobs + 1, "no luck");
    ASSERT_OK(rg_store_open(&store, root, false, err));
    ASSERT_OK(rg_results_make(&results, store, NULL, 0, err));
    json_t *json = report_of(&results, &options);
    rg_results_free(&results);
    rg_store_close(store);
    test_store_plan_free(t);
    test_directory_remove(root);
    return json;
}

static void runs_that_are_not_over_have_reports(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 8; n++) {
        json_t *root = report_of_jobs(n, NULL);
        assert_number(root, "runs/0/jobs/done", (double)n);
        assert_number(root, "runs/0/jobs/failed", n < 7 ? 1 : 0);
        if (n < 2)
            assert_true(json_is_null(at(root, "protocol")));
        if (n < 7)
            assert_words(root, "runs/0/warnings/0", "jobs are not done yet");
        if (n == 8)
            assert_true(json_is_null(at(root, "runs/0/protocols/0/why_not")));
        json_decref(root);
    }
}

static void errors_are_no_accuracies(void **state)
{
    (void)state;
    json_t *root = report_of_jobs(8, RG_STORE_ERROR);
    assert_words(root, "runs/0/score", "error");
    assert_true(json_is_null(at(root, "runs/0/protocols/0/majority")));
    json_decref(root);
}

static void a_search_is_taken_as_it_was_printed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {{"{", "the search: line 1: "},
                 {"[]", "the search has no list 'candidates'"},
                 {"{\"candidates\": 3}", "the search has no list 'candidates'"}};
    reported_run s;
    char *text = NULL;
    reported_run_open(&s, EXPERIMENT);
    s.options.search =
        "{\"candidates\": [{\"rank\": 1, \"rule\": \"<b>\", \"validation\": {\"mean\": "
        "0.5}}, 7], \"effects\": [{\"axis\": \"depth\", \"with\": 1}]}";
    json_t *root = report_of(&s.r, &s.options);
    assert_words(root, "search/candidates/0/rule", "<b>");
    assert_number(root, "search/candidates/0/validation/0", 0.5);
    assert_true(json_is_null(at(root, "search/candidates/1/rank")));
    assert_words(root, "search/effects/0/axis", "depth");
    json_decref(root);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        s.options.search = wrong[k].text;
        ASSERT_REFUSED(rg_report_json(&text, &s.r, &s.options, err), RG_EDATA, wrong[k].words);
    }
    reported_run_close(&s);
}

static void titles_are_text(void **state)
{
    (void)state;
    char *page = NULL;
    ASSERT_OK(rg_report_page(&page, "{}", "</title><script>\"'&\xff", err));
    assert_non_null(strstr(page,
                           "<title>&#60;/title&#62;&#60;script&#62;&#34;&#39;&#38;\xef\xbf\xbd"
                           "</title>"));
    assert_non_null(strstr(page, "default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(page, "unsafe-inline"));
    rg_free(page);
}

/* ---- failures */

static rg_status make_report(void *context, rg_error *err)
{
    const reported_run *s = context;
    char *json = NULL, *page = NULL;
    rg_status status = rg_report_json(&json, &s->r, &s->options, err);
    if (!status)
        status = rg_report_page(&page, json, "title", err);
    rg_free(page);
    rg_free(json);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    reported_run s;
    reported_run_open(&s, EXPERIMENT_RUNS_HEAD
                      "runs: 1\nfolds: [0]\nprotocol: holdout\nsplits: {folds: 3}\n"
                      "network:\n" EXPERIMENT_RUNS_NETWORK);
    s.options.n_graphs = 1;
    s.options.top = 4;
    assert_true(test_allocation_sweep(make_report, &s) > 100);
    reported_run_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_of_json_never_end_the_element_they_stand_in),
        cmocka_unit_test(numbers_of_json_are_short_or_exact),
        cmocka_unit_test(a_report_has_all_that_a_run_came_to),
        cmocka_unit_test(the_matrix_counts_every_answer_of_the_test_parts),
        cmocka_unit_test(the_same_run_gives_the_same_bytes),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(rules_need_no_data),
        cmocka_unit_test(other_data_are_not_taken_for_those_of_the_run),
        cmocka_unit_test(a_model_that_is_gone_or_damaged_is_told_of),
        cmocka_unit_test(graphs_can_be_named),
        cmocka_unit_test(runs_side_by_side_say_where_they_differ),
        cmocka_unit_test(runs_that_are_not_over_have_reports),
        cmocka_unit_test(errors_are_no_accuracies),
        cmocka_unit_test(a_search_is_taken_as_it_was_printed),
        cmocka_unit_test(titles_are_text),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
