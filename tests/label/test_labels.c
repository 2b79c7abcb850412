/* test_labels.c - labels of nodes: known answers, fitting on some graphs, applying to others. */
#include "support/graphs.h"
#include "support/labelings.h"

#include "base/alloc.h"
#include "graph/reorder.h"

/* threads */

static void labels_are_what_the_definitions_say(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *labels;
        uint32_t seen, size;
    } cases[] = {
        {"trivial", "0 0 0 0 0 | 0 0 0", 1, 2},
        /* degrees 2 2 3 2 1 | 1 2 1: four times 2, three times 1, once 3 */
        {"degree", "0 0 2 0 1 | 1 0 1", 3, 4},
        {"node", "0 0 0 0 1 | 1 0 0", 2, 3},
        {"node(column=0, max=1)", "0 0 0 0 0 | 0 0 0", 1, 2},
        {"degree(max=2)", "0 0 1 0 1 | 1 0 1", 2, 3},
        {"degree(max=3)", "0 0 2 0 1 | 1 0 1", 3, 4},
        {"wl(depth=0)", "0 0 2 0 1 | 1 0 1", 3, 4},
        /* keys by degrees: 2:2,3 twice; 3:2,2,2; 2:3,1; 1:2 three times; 2:1,1 */
        {"wl(depth=1)", "1 1 4 3 0 | 0 2 0", 5, 6},
        {"wl(depth=1, max=3)", "1 1 2 2 0 | 0 2 0", 3, 4},
        {"wl(depth=1, max=3, unseen=backoff)", "1 1 2 2 0 | 0 2 0", 3, 7},
        {"wl(depth=0, unseen=backoff)", "0 0 2 0 1 | 1 0 1", 3, 4},
        {"wl(depth=1, from=trivial)", "0 0 2 0 1 | 1 0 1", 3, 4},
        /* edges have label 3, but 2-3 and 1-2 of the path have 2: twice each 2,3 and 3 and 3,3,
         * once each 2 and 2,3,3 */
        {"wl(depth=1, from=trivial, edges=true)", "2 2 4 0 1 | 1 0 3", 5, 6},
        /* degree 1 and node 1 twice is after the pair that occurs four times */
        {"combine(degree, node)", "0 0 3 0 1 | 1 0 2", 4, 5},
        {"combine(trivial, trivial, trivial)", "0 0 0 0 0 | 0 0 0", 1, 2},
        /* seven values -3 .5 .5 1 2 7 8 in two bins: below 1, and from 1 on; NaN for itself */
        {"attribute(0, bins=2)", "1 1 0 0 1 | 2 0 0", 3, 4},
        {"attribute(0, bins=1)", "0 0 0 0 0 | 1 0 0", 2, 3},
        {"cycles(kind=simple, max=4)", "1 1 1 0 0 | 0 0 0", 2, 3},
        {"cycles(kind=induced, min=4, max=5)", "0 0 0 0 0 | 0 0 0", 1, 2},
        {"cliques(max=3)", "1 1 1 0 0 | 0 0 0", 2, 3},
        {"pattern(triangle)", "1 1 1 0 0 | 0 0 0", 2, 3},
    };
    rg_dataset *data = test_known_set(2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labels *labels = NULL;
        rg_labeling *labeling = test_fit(&labels, cases[k].spec, data);
        char *text = test_labels_text(data, labels);
        if (strcmp(text, cases[k].labels) != 0 || rg_labeling_seen(labeling) != cases[k].seen ||
            rg_labeling_size(labeling) != cases[k].size)
            fail_msg("%s: labels %s, %u seen of %u", cases[k].spec, text,
                     rg_labeling_seen(labeling), rg_labeling_size(labeling));
        assert_int_equal(rg_labeling_unseen(labeling), cases[k].size - 1);
        assert_int_equal(rg_labels_n_nodes(labels), 8);
        assert_int_equal(rg_labels_n_unseen(labels), 0);
        assert_int_equal(rg_labels_n_capped(labels), 0);
        uint64_t total = 0;
        for (uint32_t label = 0; label < rg_labeling_size(labeling); label++)
            total += rg_labeling_count(labeling, label);
        assert_int_equal(total, 8);
        free(text);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
}

/* Fits on graph 0 of the known set and labels both. */
static void keys_that_were_never_seen_have_the_last_label(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *labels;
        uint64_t unseen;
    } cases[] = {
        {"trivial", "0 0 0 0 0 | 0 0 0", 0},
        {"degree", "0 0 2 0 1 | 1 0 1", 0},
        /* seen: 2:2,3 twice, then 1:2, 2:1,3 and 3:2,2,2 once each; 2:1,1 is new. Degrees there:
         * 2 is 0, 1 is 1, 3 is 2; so keys 0:0,2 0:1,2 1:0 2:0,0,0 */
        {"wl(depth=1)", "0 0 3 1 2 | 2 4 2", 1},
        {"wl(depth=1, unseen=backoff)", "0 0 3 1 2 | 2 4 2", 0},
        {"wl(depth=2)", "0 0 3 1 2 | 4 4 4", 3},
        /* depth 1: 4..7, depth 0: 8..10; the middle is known by its degree only */
        {"wl(depth=2, unseen=backoff)", "0 0 3 1 2 | 6 8 6", 0},
        {"combine(wl(depth=1), degree)", "0 0 3 1 2 | 2 4 2", 1},
        {"wl(depth=1, from=wl(depth=1))", "0 0 3 1 2 | 4 4 4", 3},
        {"wl(depth=1, max=2)", "0 0 1 1 1 | 1 2 1", 1},
        {"attribute(0, bins=2)", "0 0 0 0 1 | 2 0 0", 1}, /* 7 and 8 lie in the upper bin */
    };
    rg_dataset *data = test_known_set(2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labeling *labeling = NULL, *again = NULL;
        rg_labels *labels = NULL, *applied = NULL;
        ASSERT_OK(rg_labeling_fit(&labeling, &labels, cases[k].spec, data, (uint32_t[]){0}, 1, NULL,
                                  err));
        char *text = test_labels_text(data, labels);
        if (strcmp(text, cases[k].labels) != 0 || rg_labels_n_unseen(labels) != cases[k].unseen)
            fail_msg("%s: labels %s, %lu unseen of %u", cases[k].spec, text,
                     (unsigned long)rg_labels_n_unseen(labels), rg_labeling_size(labeling));
        /* The same without asking for labels while fitting, and applying afterwards. */
        ASSERT_OK(
            rg_labeling_fit(&again, NULL, cases[k].spec, data, (uint32_t[]){0}, 1, NULL, err));
        ASSERT_OK(rg_labeling_apply(&applied, again, data, NULL, err));
        assert_memory_equal(rg_labels_data(labels), rg_labels_data(applied), 8 * sizeof(uint32_t));
        assert_int_equal(rg_labels_n_unseen(applied), cases[k].unseen);
        free(text);
        rg_labels_free(labels);
        rg_labels_free(applied);
        rg_labeling_free(labeling);
        rg_labeling_free(again);
    }
    rg_dataset_free(data);
}

static void a_fit_on_no_graph_has_seen_nothing(void **state)
{
    (void)state;
    static const char *const specs[] = {"degree", "wl(depth=2, unseen=backoff)",
                                        "attribute(0, bins=4)", "combine(node, degree)"};
    rg_dataset *data = test_known_set(2);
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        rg_labeling *labeling = NULL;
        rg_labels *labels = NULL;
        uint32_t none[1] = {0};
        ASSERT_OK(rg_labeling_fit(&labeling, &labels, specs[k], data, none, 0, NULL, err));
        assert_int_equal(rg_labeling_size(labeling), 1);
        assert_int_equal(rg_labels_n_unseen(labels), 8);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
}

/* Every labeling, on sets with labels and attributes. */
static const char *const every_kind[] = {
    "trivial",
    "degree",
    "degree(max=3)",
    "node",
    "attribute(0, bins=5)",
    "wl(depth=0, from=node)",
    "wl(depth=1)",
    "wl(depth=3, from=node, edges=true)",
    "wl(depth=2, max=7, unseen=backoff)",
    "wl(depth=2, from=combine(node, degree), edges=true, max=20)",
    "cycles(kind=simple, max=7)",
    "cycles(kind=induced, max=7, max_labels=4)",
    "cliques(max=5)",
    "cliques(max=5, maximal=true)",
    "pattern(cycle(4), star(3), path(4), triangle)",
    "pattern(cycle(5), edge, induced=false, max_labels=6)",
    "combine(node, degree, attribute(0, bins=3))",
    "wl(depth=1, from=cycles(max=5), unseen=backoff)",
    "core",
    "betweenness(parts=12)",
    "walks(max=6)",
    "wl2(from=node)",
    "wl2(from=node, depth=2, edges=true)",
    "marked(k=1, from=node, edges=true)",
    "marked(k=2, from=node, depth=1, max=9)",
    "marked(k=3, from=trivial)",
    "marked(k=5, from=wl(depth=1), further=smallest)",
};
enum { N_KINDS = sizeof every_kind / sizeof *every_kind };

static void assert_same_vocabulary(const rg_labeling *a, const rg_labeling *b)
{
    void *x, *y;
    size_t n, m;
    ASSERT_OK(rg_labeling_encode(&x, &n, a, err));
    ASSERT_OK(rg_labeling_encode(&y, &m, b, err));
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    rg_bytes_free(x);
    rg_bytes_free(y);
}

static void labels_do_not_depend_on_the_order_of_nodes_or_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rg_dataset *data = test_random_set(30, 9, seed), *other = NULL;
        uint32_t *graphs = NULL, *nodes = NULL, half[30], half_other[30], n_half = 0;
        ASSERT_OK(rg_dataset_shuffle(&graphs, &nodes, data, seed, err));
        ASSERT_OK(rg_dataset_reorder(&other, data, graphs, nodes, err));
        for (uint32_t g = 0; g < 30; g++)
            if (graphs[g] < 15) {
                half_other[n_half] = g;
                half[n_half++] = graphs[g];
            }
        for (size_t k = 0; k < 2 * N_KINDS; k++) { /* fitted on all, then on half of them */
            rg_labeling *a = NULL, *b = NULL;
            rg_labels *x = NULL, *y = NULL;
            const char *spec = every_kind[k % N_KINDS];
            bool all = k < N_KINDS;
            ASSERT_OK(rg_labeling_fit(&a, &x, spec, data, all ? NULL : half, n_half, NULL, err));
            ASSERT_OK(
                rg_labeling_fit(&b, &y, spec, other, all ? NULL : half_other, n_half, NULL, err));
            assert_same_vocabulary(a, b);
            for (size_t g = 0; g < 30; g++) {
                rg_graph now = rg_dataset_graph(other, g), old = rg_dataset_graph(data, graphs[g]);
                for (uint32_t i = 0; i < now.n_nodes; i++) {
                    uint64_t from = old.first_node + nodes[old.first_node + i];
                    if (rg_labels_data(y)[now.first_node + i] != rg_labels_data(x)[from])
                        fail_msg("%s: seed %lu, graph %zu, node %u", spec, (unsigned long)seed, g,
                                 i);
                }
            }
            rg_labeling_free(a);
            rg_labeling_free(b);
            rg_labels_free(x);
            rg_labels_free(y);
        }
        rg_free(graphs);
        rg_free(nodes);
        rg_dataset_free(data);
        rg_dataset_free(other);
    }
}

/* What a label is called may differ between two fits, but not which nodes share one. */
static void half_fitted_labels_part_the_nodes_as_whole_ones_do(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(40, 8, 11);
    uint32_t half[20];
    for (uint32_t g = 0; g < 20; g++)
        half[g] = 2 * g;
    size_t n = (size_t)rg_dataset_n_nodes(data);
    for (size_t k = 0; k < N_KINDS; k++) {
        rg_labels *whole = NULL, *part = NULL;
        rg_labeling *fitted = NULL, *all = test_fit(&whole, every_kind[k], data);
        if (strstr(every_kind[k], "max") && !strstr(every_kind[k], "cliques(max=5")) {
            rg_labels_free(whole);
            rg_labeling_free(all);
            continue; /* which keys are rare depends on the fit */
        }
        ASSERT_OK(rg_labeling_fit(&fitted, &part, every_kind[k], data, half, 20, NULL, err));
        const uint32_t *a = rg_labels_data(whole), *b = rg_labels_data(part);
        uint32_t seen = rg_labeling_seen(fitted);
        bool attribute = strstr(every_kind[k], "attribute") != NULL; /* other bins */
        for (size_t i = 0; i < n && !attribute; i++)
            for (size_t j = 0; j < i; j++)
                if (b[i] < seen && b[j] < seen)
                    assert_int_equal(a[i] == a[j], b[i] == b[j]);
                else if (b[i] < seen || b[j] < seen)
                    assert_true(a[i] != a[j]);
        rg_labels_free(whole);
        rg_labels_free(part);
        rg_labeling_free(all);
        rg_labeling_free(fitted);
    }
    rg_dataset_free(data);
}

static void any_number_of_threads_gives_the_same_bytes(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(60, 9, 5);
    size_t bytes = (size_t)rg_dataset_n_nodes(data) * sizeof(uint32_t);
    for (size_t k = 0; k < N_KINDS; k++) {
        rg_labels *one = NULL;
        rg_labeling *first = test_fit(&one, every_kind[k], data);
        for (unsigned n_threads = 2; n_threads <= 8; n_threads *= 2) {
            rg_label_options options = rg_label_options_default();
            rg_labeling *labeling = NULL;
            rg_labels *labels = NULL;
            options.n_threads = n_threads;
            ASSERT_OK(
                rg_labeling_fit(&labeling, &labels, every_kind[k], data, NULL, 0, &options, err));
            assert_same_vocabulary(first, labeling);
            assert_memory_equal(rg_labels_data(one), rg_labels_data(labels), bytes);
            rg_labels_free(labels);
            rg_labeling_free(labeling);
        }
        rg_labels_free(one);
        rg_labeling_free(first);
    }
    rg_dataset_free(data);
}

static void rare_keys_are_one_label_and_ties_go_by_key(void **state)
{
    (void)state;
    test_graph g = test_graph_new(4);
    for (uint32_t i = 0; i < 4; i++)
        g.node[i] = 3 - i;
    rg_dataset *data = test_set_of(&g, 1);
    rg_labels *labels = NULL;
    rg_labeling *labeling = test_fit(&labels, "node", data);
    char *text = test_labels_text(data, labels);
    assert_string_equal(text, "3 2 1 0"); /* ties: by value */
    free(text);
    rg_labels_free(labels);
    rg_labeling_free(labeling);

    labeling = test_fit(&labels, "node(max=3)", data);
    text = test_labels_text(data, labels);
    assert_string_equal(text, "2 2 1 0");
    assert_int_equal(rg_labeling_seen(labeling), 3);
    assert_int_equal(rg_labeling_count(labeling, 0), 1);
    assert_int_equal(rg_labeling_count(labeling, 2), 2); /* "other" */
    assert_int_equal(rg_labeling_count(labeling, 3), 0);
    free(text);
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
    test_graph_free(&g);
}

typedef struct parts_seen {
    double last;
    size_t n;
} parts_seen;

static void see_part(void *context, double done)
{
    parts_seen *seen = context;
    assert_true(done >= seen->last && done <= 1);
    seen->last = done;
    seen->n++;
}

static void progress_goes_from_nothing_to_all(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(20, 8, 3);
    parts_seen seen = {0, 0};
    rg_label_options options = rg_label_options_default();
    options.n_threads = 3;
    options.progress = see_part;
    options.progress_context = &seen;
    rg_labeling *labeling = NULL;
    ASSERT_OK(rg_labeling_fit(&labeling, NULL, "combine(cycles, wl(from=cliques))", data, NULL, 0,
                              &options, err));
    assert_true(seen.n > 0 && seen.last == 1);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
}

typedef struct sweep_job {
    const rg_dataset *data;
    const char *spec;
} sweep_job;

static rg_status fit_and_apply(void *context, rg_error *err)
{
    const sweep_job *job = context;
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL, *applied = NULL;
    rg_label_options options = rg_label_options_default();
    options.n_threads = 1;
    rg_status status = rg_labeling_fit(&labeling, &labels, job->spec, job->data, (uint32_t[]){0}, 1,
                                       &options, err);
    if (status) {
        assert_null(labeling);
        assert_null(labels);
    } else {
        status = rg_labeling_apply(&applied, labeling, job->data, &options, err);
        assert_true(!status == (applied != NULL));
    }
    rg_labels_free(labels);
    rg_labels_free(applied);
    rg_labeling_free(labeling);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(4, 7, 9);
    for (size_t k = 0; k < N_KINDS; k++) {
        sweep_job job = {data, every_kind[k]};
        assert_true(test_allocation_sweep(fit_and_apply, &job) > 10);
    }
    rg_dataset_free(data);
    test_graph dense = test_random(16, 0.9, 1, 1, 1); /* wl goes another way there */
    data = test_set_of(&dense, 1);
    assert_true(
        test_allocation_sweep(fit_and_apply, &(sweep_job){data, "wl(depth=2, from=trivial)"}) > 10);
    rg_dataset_free(data);
    test_graph_free(&dense);
}

/* What the warning says of a labeling, and whether there is one. */
static bool warned(char text[400], const char *spec, const rg_dataset *data)
{
    rg_labeling *labeling = test_fit(NULL, spec, data);
    uint64_t alone = 0, n_nodes = rg_dataset_n_nodes(data);
    for (uint32_t k = 0; k < rg_labeling_seen(labeling); k++)
        alone += rg_labeling_count(labeling, k) == 1;
    bool is = rg_labeling_warning(text, 400, labeling);
    assert_true(is == (2 * alone > n_nodes && n_nodes >= 100));
    if (is) {
        char *begin = test_format(
            "labels hardly repeat: %lu of %lu nodes have a class that no other node has",
            (unsigned long)alone, (unsigned long)n_nodes);
        assert_memory_equal(text, begin, strlen(begin));
        free(begin);
    }
    rg_labeling_free(labeling);
    return is;
}

static void labels_that_hardly_repeat_are_named_with_what_helps(void **state)
{
    char text[400], spec[80];
    (void)state;
    rg_dataset *data = test_random_set(60, 9, 5), *few = test_random_set(6, 9, 5);
    assert_true(warned(text, "wl(depth=5, from=node)", data));
    const char *depth = strstr(text, "; depth="), *bound = strstr(text, "; max=");
    assert_true(depth && bound);
    snprintf(spec, sizeof spec, "wl(depth=%d, from=node)", atoi(depth + 8));
    assert_false(warned(text, spec, data));
    warned(text, "wl(depth=5, from=node)", data);
    snprintf(spec, sizeof spec, "wl(depth=5, from=node, max=%d)", atoi(strstr(text, "; max=") + 6));
    assert_false(warned(text, spec, data));
    assert_true(warned(text, "combine(wl(depth=5, from=node), degree)", data));
    assert_true(strstr(text, "; max_labels=") && !strstr(text, "depth="));
    assert_false(warned(text, "degree", data));
    assert_false(warned(text, "wl(depth=5, from=node)", few)); /* too few nodes to say anything */
    rg_dataset_free(data);
    rg_dataset_free(few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_that_hardly_repeat_are_named_with_what_helps),
        cmocka_unit_test(labels_are_what_the_definitions_say),
        cmocka_unit_test(keys_that_were_never_seen_have_the_last_label),
        cmocka_unit_test(a_fit_on_no_graph_has_seen_nothing),
        cmocka_unit_test(labels_do_not_depend_on_the_order_of_nodes_or_graphs),
        cmocka_unit_test(half_fitted_labels_part_the_nodes_as_whole_ones_do),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(rare_keys_are_one_label_and_ties_go_by_key),
        cmocka_unit_test(progress_goes_from_nothing_to_all),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
