/* test_audit.c - what the audit counts: a set made by hand, copies, threads, budgets, progress, the
 * allocation sweep. */
/* threads */
#include "graph/raw.h"
#include "support/graphs.h"

#include <math.h>
#include <pthread.h>

/* A graph of a set by hand: letters for the node labels, pairs of letters for edges by the nodes'
 * places ("ab" joins the first two), a digit after a pair is the edge's label. */
typedef struct drawn_graph {
    const char *nodes, *edges;
    int64_t target;
} drawn_graph;

static bool add_drawn(rg_raw *raw, const drawn_graph *s, uint32_t graph, size_t n_columns)
{
    size_t first = raw->n_nodes;
    bool fine = true;
    for (const char *node = s->nodes; *node; node++) {
        int64_t *label = rg_int_rows_add(&raw->node_labels, n_columns);
        fine = fine && label && rg_raw_add_node(raw, graph);
        for (size_t c = 0; label && c < n_columns; c++) /* the last column tells, others repeat */
            label[c] = c + 1 == n_columns ? *node : 7;
    }
    for (const char *e = s->edges; *e; e += 3) {
        int64_t *label = rg_int_rows_add(&raw->edge_labels, n_columns);
        fine = fine && label &&
               rg_raw_add_pair(raw, (uint32_t)(first + (size_t)(e[0] - 'a')),
                               (uint32_t)(first + (size_t)(e[1] - 'a')));
        for (size_t c = 0; label && c < n_columns; c++)
            label[c] = c == 0 ? e[2] : -3;
    }
    int64_t *class = rg_int_rows_add(&raw->classes, 1);
    if (class)
        *class = s->target;
    return fine && class;
}

static rg_status build(rg_dataset **out, const drawn_graph *drawn, size_t n, size_t n_columns,
                       rg_error *err)
{
    rg_raw raw = {.n_graphs = n};
    bool fine = true;
    for (size_t k = 0; k < n; k++)
        fine = fine && add_drawn(&raw, &drawn[k], (uint32_t)k, n_columns);
    if (!fine) {
        rg_raw_free(&raw);
        strcpy(err->message, "building");
        return RG_ENOMEM;
    }
    return rg_dataset_build(out, &raw, err);
}

static rg_audit audit_with(const rg_dataset *data, const rg_audit_options *options)
{
    rg_audit audit = RG_AUDIT_INIT;
    ASSERT_OK(rg_audit_run(&audit, data, options, err));
    return audit;
}

static const drawn_graph by_hand[] = {
    {"CCC", "ab1bc1", 0},         /* path */
    {"", "", 0},                  /* nothing */
    {"N", "", 1},                 /* one node */
    {"CCC", "ab1ac1", 1},         /* the path again, other class */
    {"CCC", "ab1bc2", 0},         /* other bond */
    {"CNC", "ab1bc1", 0},         /* other atom */
    {"CCN", "ac1bc1", 0},         /* the same */
    {"CCCCC", "ab1bc1ca1de2", 1}, /* triangle and edge */
    {"CCCCC", "de2ab1bc1ca1", 1}, /* the same */
    {"CCCCC", "ab2ce1ed1dc1", 1}, /* the same */
    {"CCCC", "ab1ac1", 0},        /* path and a node on its own */
    {"N", "", RG_MISSING},        /* one node, class not known */
    {"", "", 1},                  /* nothing, other class */
};

static void a_set_made_by_hand_has_known_counts(void **state)
{
    (void)state;
    for (size_t n_columns = 1; n_columns <= 3; n_columns++) {
        rg_dataset *data = NULL;
        ASSERT_OK(build(&data, by_hand, sizeof by_hand / sizeof *by_hand, n_columns, err));
        rg_audit a = audit_with(data, NULL);
        assert_int_equal(a.nodes.min, 0);
        assert_int_equal(a.nodes.max, 5);
        assert_int_equal(a.nodes.total, 36);
        assert_true(fabs(a.nodes.mean - 36.0 / 13) < 1e-12);
        assert_int_equal(a.edges.min, 0);
        assert_int_equal(a.edges.max, 4);
        assert_int_equal(a.edges.total, 24);
        assert_true(fabs(a.edges.mean - 24.0 / 13) < 1e-12);
        assert_int_equal(a.diameter.min, 0);
        assert_int_equal(a.diameter.max, 2);
        assert_int_equal(a.diameter.total, 2 + 2 + 2 + 2 + 2 + 1 + 1 + 1 + 2);
        assert_int_equal(a.diameter_connected.min, 0);
        assert_int_equal(a.diameter_connected.max, 2);
        assert_int_equal(a.diameter_connected.total, 2 * 5);
        assert_int_equal(a.connected_graphs, 7);
        assert_int_equal(a.disconnected_graphs, 4);
        assert_int_equal(a.trees, 7);
        assert_int_equal(a.isolated_nodes, 3);
        assert_int_equal(a.empty_graphs, 2);
        assert_int_equal(a.max_degree, 2);
        assert_true(fabs(a.mean_degree - 48.0 / 36) < 1e-12);
        /* path, N-path, triangle twice, single node, nothing */
        assert_int_equal(a.isomorphic_copies, 6);
        assert_int_equal(a.copies_other_class, 2);
        assert_int_equal(a.copy_groups, 5);
        assert_int_equal(a.largest_group, 3);
        assert_int_equal(a.bounded_diameters, 0);
        assert_int_equal(a.undecided_pairs, 0);
        char digest[RG_DIGEST_SIZE];
        rg_dataset_digest(data, digest);
        assert_string_equal(a.digest, digest);
        rg_dataset_free(data);
    }
}

static void without_copies_the_rest_is_the_same(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    rg_audit_options options = rg_audit_options_default();
    ASSERT_OK(build(&data, by_hand, sizeof by_hand / sizeof *by_hand, 1, err));
    rg_audit with = audit_with(data, &options);
    options.copies = 0;
    rg_audit without = audit_with(data, &options);
    assert_int_equal(without.isomorphic_copies + without.copy_groups + without.largest_group, 0);
    without.isomorphic_copies = with.isomorphic_copies;
    without.copies_other_class = with.copies_other_class;
    without.copy_groups = with.copy_groups;
    without.largest_group = with.largest_group;
    assert_memory_equal(&with, &without, sizeof with);
    rg_dataset_free(data);
}

static void a_set_without_graphs_is_all_zero(void **state)
{
    (void)state;
    rg_raw raw = {0};
    rg_dataset *data = NULL;
    rg_error why;
    if (rg_dataset_build(&data, &raw, &why) != RG_OK)
        skip(); /* such a set cannot be made */
    rg_audit a = audit_with(data, NULL);
    assert_int_equal(a.nodes.total + a.edges.total + a.diameter.max + a.isomorphic_copies, 0);
    assert_true(a.nodes.mean <= 0 && a.mean_degree <= 0);
    rg_dataset_free(data);
}

/* Copies of targets that are real numbers: NaN is not known, and differs from nothing. */
static void real_targets_of_copies_are_compared(void **state)
{
    (void)state;
    static const double targets[6][2] = {{1, 2}, {1, 2}, {1, NAN}, {1, 2.5}, {NAN, 2}, {-1, NAN}};
    rg_raw raw = {.n_graphs = 6};
    for (uint32_t k = 0; k < 6; k++) {
        double *row = rg_real_rows_add(&raw.targets, 2);
        assert_true(row && rg_raw_add_node(&raw, k));
        memcpy(row, targets[k], sizeof targets[k]);
    }
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    rg_audit a = audit_with(data, NULL);
    assert_int_equal(a.isomorphic_copies, 5);
    assert_int_equal(a.copies_other_class, 2);
    rg_dataset_free(data);
}

/* Random graphs, some of them renumbered copies of earlier ones, and regular ones that refinement
 * cannot tell apart; *n_copies of them are copies. */
static rg_dataset *mixed_set(size_t *n_copies)
{
    rg_raw raw = {0};
    rg_dataset *data = NULL;
    *n_copies = 0;
    for (uint32_t k = 0; k < 300; k++) {
        /* sizes that random graphs of different seeds do not share by chance */
        uint64_t seed = k % 3 == 2 && k > 30 ? k - 29 : k;
        test_graph g = test_random(20 + (uint32_t)seed % 60, 0.1, 1, 1, seed);
        test_graph h = test_shuffled(&g, k);
        test_raw_add(&raw, &h, NULL);
        *n_copies += seed != k;
        test_graph_free(&g);
        test_graph_free(&h);
    }
    static const uint32_t skips[] = {2, 3, 4, 5, 6, 9, 11, 12, 13, 16};
    for (uint32_t k = 0; k < 30; k++) {
        test_graph g = test_graph_new(41);
        for (uint32_t i = 0; i < 41; i++) {
            test_edge(&g, i, (i + 1) % 41, 0);
            test_edge(&g, i, (i + skips[k % 10]) % 41, 0);
        }
        test_graph h = test_shuffled(&g, k);
        test_raw_add(&raw, &h, NULL);
        *n_copies += k >= 10;
        test_graph_free(&g);
        test_graph_free(&h);
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

static void any_number_of_threads_gives_the_same_audit(void **state)
{
    (void)state;
    size_t n_copies;
    rg_dataset *data = mixed_set(&n_copies);
    static const struct {
        uint64_t diameter, copies;
    } budgets[] = {{1 << 30, 1 << 26}, {500, 3000}, {0, 0}};
    for (size_t b = 0; b < 3; b++) {
        rg_audit_options options = rg_audit_options_default();
        options.diameter_budget = budgets[b].diameter;
        options.copies_budget = budgets[b].copies;
        options.n_threads = 1;
        rg_audit one = audit_with(data, &options);
        for (options.n_threads = 2; options.n_threads <= 8; options.n_threads *= 2) {
            rg_audit more = audit_with(data, &options);
            assert_memory_equal(&one, &more, sizeof one);
        }
        if (b == 0) {
            assert_int_equal(one.isomorphic_copies, n_copies);
            assert_int_equal(one.bounded_diameters + one.undecided_pairs, 0);
        } else {
            assert_true(one.bounded_diameters > 0 && one.undecided_pairs > 0);
            assert_true(one.isomorphic_copies <= n_copies);
        }
        if (budgets[b].copies == 0)
            assert_int_equal(one.isomorphic_copies, 0);
    }
    rg_dataset_free(data);
}

typedef struct seen {
    pthread_t caller;
    double last;
    size_t calls;
} seen;

static void note(void *context, double done)
{
    seen *s = context;
    assert_true(pthread_equal(pthread_self(), s->caller));
    assert_true(done >= s->last && done <= 1.0);
    s->last = done;
    s->calls++;
}

static void progress_comes_from_the_calling_thread_and_ends_at_one(void **state)
{
    (void)state;
    size_t n_copies;
    rg_dataset *data = mixed_set(&n_copies);
    for (unsigned n_threads = 1; n_threads <= 2; n_threads++) {
        seen s = {.caller = pthread_self()};
        rg_audit_options options = rg_audit_options_default();
        options.n_threads = n_threads;
        options.progress = note;
        options.progress_context = &s;
        audit_with(data, &options);
        assert_true(s.calls > 0);
        assert_true(s.last >= 1.0);
    }
    rg_dataset_free(data);
}

static rg_status sweep_body(void *context, rg_error *err)
{
    rg_audit audit = {.size = sizeof audit, .isomorphic_copies = 77};
    rg_audit_options options = rg_audit_options_default();
    options.n_threads = 1;
    rg_status status = rg_audit_run(&audit, context, &options, err);
    assert_int_equal(audit.isomorphic_copies, status ? 77 : 6);
    return status;
}

static void failing_allocations_leave_no_trace(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(build(&data, by_hand, sizeof by_hand / sizeof *by_hand, 2, err));
    assert_true(test_allocation_sweep(sweep_body, data) > 10);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_made_by_hand_has_known_counts),
        cmocka_unit_test(without_copies_the_rest_is_the_same),
        cmocka_unit_test(a_set_without_graphs_is_all_zero),
        cmocka_unit_test(real_targets_of_copies_are_compared),
        cmocka_unit_test(any_number_of_threads_gives_the_same_audit),
        cmocka_unit_test(progress_comes_from_the_calling_thread_and_ends_at_one),
        cmocka_unit_test(failing_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
