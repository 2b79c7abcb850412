/* test_audit_tables.c - the audit against numbers that are published, or counted by other means:
 * copies with nauty's labelg, diameters by a search from every node. Needs $REGULA_DATA. */
#include "support/support.h"

#include <math.h>

/* Means as the paper prints them; diameters of disconnected graphs are the largest of a component
 * (the paper counts NCI1's as 0: see below). */
typedef struct published {
    const char *file;
    uint64_t graphs, nodes[2];
    double mean_nodes;
    uint64_t edges[2];
    double mean_edges;
    uint64_t diameter[2];
    double mean_diameter;
    uint64_t disconnected, isolated, copies, other_class;
} published;

static const published tables[] = {
    {"NCI1.zip", 4110, {3, 111}, 29.9, {2, 119}, 32.3, {2, 45}, 13.3, 580, 428, 71, 7},
    {"NCI109.zip", 4127, {4, 111}, 29.7, {3, 119}, 32.1, {3, 61}, 13.1, 608, 474, 60, 5},
    {"Mutagenicity.zip", 4337, {4, 417}, 30.3, {3, 112}, 30.8, {2, 41}, 10.0, 297, 2401, 0, 0},
    {"DHFR.zip", 756, {20, 71}, 42.4, {21, 73}, 44.5, {8, 22}, 14.6, 0, 0, 37, 1},
    {"IMDB-BINARY.zip", 1000, {12, 136}, 19.8, {26, 1249}, 96.5, {1, 2}, 1.9, 0, 0, 463, 157},
    {"IMDB-MULTI.zip", 1500, {7, 89}, 13.0, {12, 1467}, 65.9, {1, 2}, 1.5, 0, 0, 1113, 768},
    {"LongRings100.zip", 1200, {100, 100}, 100, {100, 100}, 100, {50, 50}, 50, 0, 0, 1197, 0},
    {"EvenOddRings2_16.zip", 1200, {16, 16}, 16, {16, 16}, 16, {8, 8}, 8, 0, 0, 0, 0},
    {"EvenOddRingsCount16.zip", 1200, {16, 16}, 16, {16, 16}, 16, {8, 8}, 8, 0, 0, 0, 0},
    {"CSL.zip", 150, {41, 41}, 41, {82, 82}, 82, {4, 10}, 6, 0, 0, 140, 0},
    {"Snowflakes.zip", 1000, {45, 180}, 112.5, {75, 300}, 187.5, {13, 18}, 15.5, 0, 0, 106, 0},
    {"MUTAG.zip", 188, {10, 28}, 17.9, {10, 33}, 19.8, {5, 15}, 8.2, 0, 0, 0, 0},
    {"PROTEINS.zip", 1113, {4, 620}, 39.1, {5, 1049}, 72.8, {1, 64}, 11.6, 46, 5, 44, 12},
    {"SubstructureCounting.zip",
     5000,
     {10, 30},
     18.8,
     {20, 45},
     31.3,
     {2, 10},
     4.6,
     520,
     527,
     3,
     0},
    {"DD.zip", 1178, {30, 5748}, 284.3, {63, 14267}, 715.7, {6, 83}, 19.9, 21, 0, 0, 0},
    {"REDDIT-BINARY.zip", 2000, {6, 3782}, 429.6, {4, 4071}, 497.8, {2, 19}, 9.7, 1022, 21, 2, 0},
    {"ENZYMES.zip", 600, {2, 126}, 32.6, {1, 149}, 62.1, {1, 37}, 10.9, 31, 106, 5, 0},
};

static bool as_printed(double value, double printed)
{
    return fabs(value - printed) <= 0.05 + 1e-9;
}

static void expect_published(const published *p, const rg_dataset *data)
{
    rg_audit a = RG_AUDIT_INIT;
    ASSERT_OK(rg_audit_run(&a, data, NULL, err));
    assert_int_equal(rg_dataset_n_graphs(data), p->graphs);
    assert_int_equal(a.nodes.min, p->nodes[0]);
    assert_int_equal(a.nodes.max, p->nodes[1]);
    assert_true(as_printed(a.nodes.mean, p->mean_nodes));
    assert_int_equal(a.edges.min, p->edges[0]);
    assert_int_equal(a.edges.max, p->edges[1]);
    assert_true(as_printed(a.edges.mean, p->mean_edges));
    assert_int_equal(a.diameter.min, p->diameter[0]);
    assert_int_equal(a.diameter.max, p->diameter[1]);
    assert_true(as_printed(a.diameter.mean, p->mean_diameter));
    assert_int_equal(a.disconnected_graphs, p->disconnected);
    assert_int_equal(a.connected_graphs, p->graphs - p->disconnected);
    assert_int_equal(a.isolated_nodes, p->isolated);
    assert_int_equal(a.isomorphic_copies, p->copies);
    assert_int_equal(a.copies_other_class, p->other_class);
    assert_int_equal(a.bounded_diameters, 0);
    assert_int_equal(a.undecided_pairs, 0);
}

static void the_published_tables_come_out(void **state)
{
    (void)state;
    size_t n_seen = 0;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        char *path = test_data(tables[k].file);
        if (!path)
            continue;
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        print_message("%s\n", tables[k].file);
        expect_published(&tables[k], data);
        rg_dataset_free(data);
        free(path);
        n_seen++;
    }
    if (n_seen == 0)
        skip();
}

/* The paper's diameters of NCI1 count a disconnected graph as 0. (Its mean of NCI109, 11.3, is 11.2
 * by that count, and its 41 / 6.3 / 0 for Mutagenicity comes out of neither convention.) */
static void the_papers_diameters_of_nci1_come_out_too(void **state)
{
    (void)state;
    char *path = test_data("NCI1.zip");
    if (!path)
        skip();
    rg_dataset *data = NULL;
    rg_audit a = RG_AUDIT_INIT;
    ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
    ASSERT_OK(rg_audit_run(&a, data, NULL, err));
    assert_int_equal(a.diameter_connected.min, 0);
    assert_int_equal(a.diameter_connected.max, 45);
    assert_true(as_printed(a.diameter_connected.mean, 11.5));
    rg_dataset_free(data);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_tables_come_out),
        cmocka_unit_test(the_papers_diameters_of_nci1_come_out_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
