/* test_network_figure.c - a network file drawn on graphs: every connection, one colour a weight. */
#include "support/support.h"

#include "explain/network_figure.h"
#include "regula/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define R_MOL "share i = j, node(i), node(j), bond(i,j) when i = j or edge(i,j)"

typedef struct network_scene {
    char *directory, network[300], out[300];
    rg_dataset *data; /* ethylene and cyclopropenylidene */
} network_scene;

static network_scene open_scene(const char *network)
{
    network_scene s = {.directory = test_directory_make()};
    test_write(s.directory, "network.yml", network);
    snprintf(s.network, sizeof s.network, "%s/network.yml", s.directory);
    snprintf(s.out, sizeof s.out, "%s/network.svg", s.directory);
    ASSERT_OK(rg_dataset_read(&s.data, REGULA_SOURCE "/examples/molecules", NULL, err));
    return s;
}

static void close_scene(network_scene *s)
{
    rg_dataset_free(s->data);
    test_directory_remove(s->directory);
}

static rg_status draw(const network_scene *s, rg_error *err)
{
    static const uint64_t graphs[] = {0, 1};
    return rg_network_figure_write(s->out, s->network, s->data, graphs, 2, NULL, 1, err);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *c = text; (c = strstr(c, part)); c++)
        n++;
    return n;
}

/* The colour of the line whose hover text begins so. */
static void colour_of(char out[8], const char *svg, const char *hover)
{
    const char *at = strstr(svg, hover), *stroke = at ? strstr(at, "stroke=\"") : NULL;
    assert_non_null(stroke);
    snprintf(out, 8, "%.7s", stroke + strlen("stroke=\""));
}

/* Rows of W in docs/rules.md: 2+2+2+2+4+4 connections for ethylene, and for the other molecule, with
 * two hydrogens and a triangle, two rows of 2, two of 4 and one of 3. */
static void every_connection_has_a_line_in_the_colour_of_its_weight(void **state)
{
    (void)state;
    network_scene s = open_scene("task: classification\ninput: scaled\nlayers:\n"
                                 "  - rule: " R_MOL "\n    bias: share node(i)\n"
                                 "  - aggregate: share out, node(i)\n");
    char a[8], b[8], c[8];
    ASSERT_OK(draw(&s, err));
    char *svg = test_read(s.out, NULL);
    assert_int_equal(count(svg, ": weight "), 16 + 2 * 6 + 15 + 2 * 5);
    assert_int_equal(count(svg, ": bias "), 6 + 5);
    assert_int_equal(count(svg, ">bias, node(i): 1<"), 1);
    assert_int_equal(count(svg, ">out: 1, node(i): 6<"), 1);
    assert_non_null(strstr(svg, ">class 1<"));
    colour_of(a, svg, "0 -&#62; 0: weight 1, i = j: 1, node(i): 1");
    colour_of(b, svg, "3 -&#62; 3: weight 1, i = j: 1, node(i): 1");
    colour_of(c, svg, "0 -&#62; 4: weight");
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    free(svg);
    close_scene(&s);
}

static void layers_without_rules_are_an_area(void **state)
{
    (void)state;
    network_scene s = open_scene("task: classification\ninput: labels\nlayers:\n  - gin: 4\n"
                                 "  - rule: share node(i) when edge(i,j)\n    heads: 4\n"
                                 "  - dropout: 0.5\n  - pool: sum\n  - dense: auto\n");
    ASSERT_OK(draw(&s, err));
    char *svg = test_read(s.out, NULL);
    assert_int_equal(count(svg, "#e4e4e4"), 2 * 2 * 2); /* graphs, areas, halves */
    assert_int_equal(count(svg, ": weight "), 2 * 5 + 2 * 5);
    assert_non_null(strstr(svg, ">outputs<"));
    free(svg);
    close_scene(&s);
}

static void what_cannot_be_drawn_is_said(void **state)
{
    (void)state;
    rg_error why;
    network_scene s = open_scene("layers:\n  - gin: 4\n  - pool: sum\n  - dense: auto\n");
    assert_int_equal(draw(&s, &why), RG_EUSAGE);
    assert_string_equal(why.message, "the network has no rules: there are no weights to draw");
    test_write(s.directory, "network.yml", "layers:\n  - aggregate: share out, wl(i)\n");
    assert_int_equal(draw(&s, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "network.yml:2:"));
    test_write(s.directory, "network.yml",
               "layers:\n  - aggregate: share out\n    outputs: 401\n"
               "  - dense: auto\n");
    assert_int_equal(draw(&s, &why), RG_EUSAGE);
    assert_string_equal(why.message, "found 401 neurons in a layer of a picture, expected at most "
                                     "400: choose a smaller graph");
    close_scene(&s);
}

static rg_status again(void *context, rg_error *err)
{
    return draw(context, err);
}

static void memory_and_disk_may_fail_anywhere(void **state)
{
    (void)state;
    network_scene s =
        open_scene("labels: {a: node}\nlayers:\n  - rule: share a(i), a(j) when edge(i,j)\n"
                   "    bias: share a(i)\n  - aggregate: share out\n");
    assert_true(test_allocation_sweep(again, &s) > 50);
    assert_true(test_io_sweep(again, &s) > 3);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_connection_has_a_line_in_the_colour_of_its_weight),
        cmocka_unit_test(layers_without_rules_are_an_area),
        cmocka_unit_test(what_cannot_be_drawn_is_said),
        cmocka_unit_test(memory_and_disk_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
