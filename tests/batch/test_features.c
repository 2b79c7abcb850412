/* test_features.c - features of nodes: settings, known answers, twins, orders, memory. */
/* threads */
#include "base/alloc.h"
#include "batch/features.h"
#include "graph/reorder.h"
#include "support/graphs.h"

static const rg_feature automatic[] = {RG_FEATURE_AUTO};

static rg_status read_spec(rg_features_spec *out, const char *text, rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_parse(&root, "f.yml", text, strlen(text), err);
    if (!status)
        status = rg_features_spec_read(out, root, automatic, 1, err);
    rg_yaml_free(root);
    return status;
}

static rg_features_spec spec_of(const char *text)
{
    rg_features_spec spec;
    ASSERT_OK(read_spec(&spec, text, err));
    return spec;
}

static rg_features *build_on(const char *text, const rg_dataset *data,
                             const rg_baseline_options *options)
{
    rg_features_spec spec = spec_of(text);
    rg_features *f = NULL;
    ASSERT_OK(rg_features_build(&f, &spec, data, options, err));
    rg_features_spec_clear(&spec);
    assert_int_equal(f->width, f->n_sparse + f->n_dense);
    assert_int_equal(f->n_nodes, rg_dataset_n_nodes(data));
    return f;
}

static rg_features *build(const char *text, const rg_dataset *data)
{
    return build_on(text, data, &(rg_baseline_options){.n_threads = 1});
}

/* The features of all nodes: "0 4 : 1 0.5 | 1 - : 2 0" (columns of the ones, "-" for none). */
static char *text_of(const rg_features *f)
{
    rg_text text = {0};
    for (uint64_t i = 0; i < f->n_nodes; i++) {
        rg_text_add(&text, i ? " |" : "");
        for (uint32_t k = 0; k < f->n_hot; k++) {
            uint32_t column = f->hot[i * f->n_hot + k];
            if (column == RG_NO_COLUMN)
                rg_text_add(&text, " -");
            else
                rg_text_add(&text, " %u", column);
        }
        rg_text_add(&text, f->n_dense ? " :" : "");
        for (uint32_t k = 0; k < f->n_dense; k++)
            rg_text_add(&text, " %g", f->dense[i * f->n_dense + k]);
    }
    return rg_text_take(&text);
}

static void assert_features(const char *spec, const rg_dataset *data, const char *expected)
{
    rg_features *f = build(spec, data);
    char *text = text_of(f);
    assert_string_equal(text, expected);
    rg_free(text);
    rg_features_free(f);
}

static rg_dataset *set_from(const char *lines)
{
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_from_lines(&data, "few", 1, lines, strlen(lines), err));
    return data;
}

/* ---- settings */

static void every_spec_has_one_normal_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"{}", "features: [auto]\n"},
        {"features: labels", "features: [labels]\n"},
        {"features: [degree-one-hot, attributes, constant]",
         "features: [degree-one-hot, attributes, constant]\n"},
        {"features: structure",
         "features: [structure]\nstructure: {cycles: 6, cliques: 5, kind: simple, most: 100}\n"},
        {"features: [structure, degree]\nstructure: {cliques: 0, kind: induced, most: 7}",
         "features: [structure, degree]\n"
         "structure: {cycles: 6, cliques: 0, kind: induced, most: 7}\n"},
        {"features: [labels, rule]\nlabels: {a: degree, b: wl}",
         "features: [labels, rule]\nlabels:\n  a: degree\n"
         "  b: wl(depth=1, from=degree, edges=false, unseen=label)\n"},
        {"features: rule-scaled\nnetwork:\n  labels: {a: degree}\n  layers:\n"
         "    - aggregate: share out, a(i)",
         "features: [rule-scaled]\nlabels:\n  a: degree\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_features_spec spec = spec_of(cases[k].text);
        for (int again = 0; again < 2; again++) {
            rg_text text = {0};
            rg_features_spec_print(&text, &spec);
            char *normal = rg_text_take(&text);
            assert_string_equal(normal, cases[k].normal);
            rg_features_spec_clear(&spec);
            spec = spec_of(normal);
            rg_free(normal);
        }
        rg_features_spec_clear(&spec);
    }
}

static void a_network_file_is_found_beside_the_one_that_names_it(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/model.yml", directory);
    test_write(directory, "model.yml", "features: rule\nnetwork: nets/a.yml\n");
    test_write(directory, "nets/a.yml",
               "labels: {deg: degree}\nlayers: [{aggregate: 'share out, deg(i)'}]\n"
               "training: {epochs: 3}\n");
    rg_yaml *root = NULL;
    rg_features_spec spec;
    ASSERT_OK(rg_yaml_read(&root, path, err));
    ASSERT_OK(rg_features_spec_read(&spec, root, automatic, 1, err));
    assert_int_equal(spec.n_labels, 1);
    assert_string_equal(spec.label_names[0], "deg");
    assert_string_equal(spec.label_specs[0], "degree");
    rg_features_spec_clear(&spec);
    rg_yaml_free(root);
    free(path);
    test_directory_remove(directory);
}

static void mangled_settings_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"features: []", "f.yml:1:11: found no features, expected at least one"},
        {"features: label",
         "f.yml:1:11: found 'label', expected auto, labels, degree, degree-one-hot, attributes, "
         "constant, rule, rule-scaled or structure (did you mean 'labels'?)"},
        {"features: [degree, degree]",
         "f.yml:1:20: found 'degree' a second time, expected each once"},
        {"features: [auto, labels]",
         "f.yml:1:18: found 'labels' beside others, expected either 'auto', which is labels or "
         "degree, or these"},
        {"features: rule",
         "f.yml:1:11: found features: rule without labels, expected the key network or labels"},
        {"labels: {a: degree}",
         "f.yml:1:9: found labels that no feature uses, expected features: rule or rule-scaled"},
        {"structure: {cycles: 3}",
         "f.yml:1:12: found structure that no feature uses, expected features: structure"},
        {"features: rule\nlabels: {}", "f.yml:2:9: found no labeling, expected at least one"},
        {"features: rule\nlabels: {a: dgree}",
         "f.yml:2:13: labels: column 1: found 'dgree', expected node, degree, core, betweenness, "
         "trivial, attribute, element, charge, hydrogens, aromatic, ring_size, hybridisation, "
         "chirality, wl, wl2, marked, walks, cycles, cliques, pattern, combine or file (did you "
         "mean 'degree'?)"},
        {"features: rule\nlabels: {a: degree}\nnetwork: a.yml",
         "f.yml:2:9: found labels beside a network, which has its own: expected one of the two"},
        {"features: rule\nnetwork: nowhere.yml", "f.yml:2:10: cannot find 'nowhere.yml'"},
        {"features: rule\nnetwork: [a]",
         "f.yml:2:10: found a list, expected a network file or a map such as in one"},
        {"features: rule\nnetwork: {layers: [{aggregate: 'share out'}]}",
         "f.yml:2:10: found a network without labels, expected some: they are the features"},
        {"features: structure\nstructure: {cycles: 2}",
         "f.yml:2:21: found '2', expected 0 (none) or the most nodes of a cycle, 3..64"},
        {"features: structure\nstructure: {cliques: 17}",
         "f.yml:2:22: found '17', expected 0 (none) or the most nodes of a clique, 3..16"},
        {"features: structure\nstructure: {cliques: 0, cycles: 0}",
         "f.yml:2:12: found neither cycles nor cliques, expected some"},
        {"features: structure\nstructure: {most: 1}",
         "f.yml:2:19: found '1', expected a whole number 2..1000000"},
        {"features: structure\nstructure: {kind: induce}",
         "f.yml:2:19: found 'induce', expected simple or induced (did you mean 'induced'?)"},
        {"features: structure\nstructure: {cycle: 4}",
         "f.yml:2:13: found the key 'cycle', expected cycles, cliques, kind or most (did you mean "
         "'cycles'?)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_features_spec spec;
        rg_error err = {""};
        assert_int_not_equal(read_spec(&spec, cases[k].text, &err), RG_OK);
        assert_string_equal(err.message, cases[k].message);
    }
}

/* ---- known answers: a triangle 0-1-2 with a tail 2-3-4, a path of three, a node for itself */

static void parts_of_a_known_set(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    /* seven nodes have the label -5, two 2 */
    assert_features("features: labels", data, " 0 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0");
    assert_features("{}", data, " 0 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0");
    assert_features("features: degree", data,
                    " : 2 | : 2 | : 3 | : 2 | : 1 | : 1 | : 2 | : 1 | : 0");
    /* degree 2 four times, 1 three times, then 0 and 3 once each, ties by key */
    assert_features("features: degree-one-hot", data, " 0 | 0 | 3 | 0 | 1 | 1 | 0 | 1 | 2");
    assert_features("features: [constant, labels, degree]", data,
                    " 0 : 1 2 | 0 : 1 2 | 0 : 1 3 | 0 : 1 2 | 1 : 1 1 | 1 : 1 1 | 0 : 1 2 | 0 : 1 1"
                    " | 0 : 1 0");
    assert_features("features: [rule, labels]\nlabels: {a: degree}", data,
                    " 0 4 | 0 4 | 3 4 | 0 4 | 1 5 | 1 5 | 0 4 | 1 4 | 2 4");
    assert_features("features: rule-scaled\nlabels: {a: degree}", data,
                    " : 0 | : 0 | : 1 | : 0 | : 0.333333 | : 1 | : 0 | : 1 | : 1");
    /* no triangle: column 0; one: column 1 */
    assert_features("features: structure\nstructure: {cycles: 3, cliques: 0}", data,
                    " 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0");
    assert_features("features: structure\nstructure: {cycles: 0, cliques: 3}", data,
                    " 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0");
    rg_dataset_free(data);
}

static void attributes_are_taken_as_they_are(void **state)
{
    (void)state;
    rg_dataset *data =
        set_from("{\"nodes\": 2, \"edges\": [[0, 1]], \"node_attributes\": [[1.5, -2], [0, 1e9]]}\n"
                 "{\"nodes\": 1, \"edges\": [], \"node_attributes\": [[7, 0.25]]}\n");
    assert_features("features: [degree, attributes]", data,
                    " : 1 1.5 -2 | : 1 0 1e+09 | : 0 7 0.25");
    assert_features("{}", data, " : 1 | : 1 | : 0");
    rg_dataset_free(data);
}

static void several_columns_of_labels_are_several_parts(void **state)
{
    (void)state;
    rg_dataset *data =
        set_from("{\"nodes\": 3, \"edges\": [], \"node_labels\": [[5, 1], [5, 2], [6, 2]]}\n");
    rg_features *f = build("features: labels", data);
    assert_int_equal(f->n_hot, 2);
    assert_int_equal(f->width, 4);
    assert_int_equal(rg_features_bytes(f), 3 * 2 * 4);
    rg_features_free(f);
    assert_features("features: labels", data, " 0 3 | 0 2 | 1 2");
    rg_dataset_free(data);
}

static void what_the_fit_has_not_seen_has_no_column(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    const uint32_t fit[] = {1};
    rg_baseline_options options = {.fit = fit, .n_fit = 1, .n_threads = 1};
    rg_features *f = build_on("features: [labels, degree-one-hot]", data, &options);
    assert_int_equal(f->width, 4);
    char *text = text_of(f);
    assert_string_equal(text, " 0 3 | 0 3 | 0 - | 0 3 | 1 2 | 1 2 | 0 3 | 0 2 | 0 -");
    rg_free(text);
    rg_features_free(f);
    rg_dataset_free(data);
}

static void rare_counts_share_the_last_column(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(40, 9, 3);
    rg_features *f =
        build("features: structure\nstructure: {cycles: 4, cliques: 0, most: 3}", data);
    assert_int_equal(f->n_hot, 2);
    assert_int_equal(f->width, 6);
    rg_features_free(f);
    rg_dataset_free(data);
}

/* ---- what sets lack */

static void sets_that_lack_what_is_asked_for(void **state)
{
    (void)state;
    rg_dataset *plain = set_from("{\"nodes\": 2, \"edges\": [[0, 1]]}\n"),
               *known = test_known_set(3);
    const struct {
        const rg_dataset *data;
        const char *spec, *message;
    } cases[] = {
        {plain, "features: labels",
         "'few' has no node labels: features 'labels' need them ('auto' takes degrees then)"},
        {plain, "features: [degree, attributes]",
         "'few' has no node attributes: features 'attributes' need them"},
        {known, "features: attributes",
         "'': graph 1, node 0, attribute 0 is no finite number: features 'attributes' need one"},
        {plain, "features: rule\nlabels: {a: node}",
         "'few': found 0 columns of node labels, expected column 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_features_spec spec = spec_of(cases[k].spec);
        rg_features *f = NULL;
        rg_error err = {""};
        rg_baseline_options options = {.n_threads = 1};
        rg_status status = rg_features_build(&f, &spec, cases[k].data, &options, &err);
        assert_int_equal(status, RG_EDATA);
        assert_string_equal(err.message, cases[k].message);
        assert_null(f);
        rg_features_spec_clear(&spec);
    }
    rg_dataset_free(plain);
    rg_dataset_free(known);
}

/* ---- twins, orders, threads */

static bool joined(const rg_graph *g, uint32_t i, uint32_t j)
{
    for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
        if (g->col[k] == j)
            return true;
    return false;
}

/* Cliques of 3 and 4 nodes through i, by all pairs and triples. */
static void count_cliques(const rg_graph *g, uint32_t i, uint32_t count[2])
{
    count[0] = count[1] = 0;
    for (uint32_t a = 0; a < g->n_nodes; a++)
        for (uint32_t b = 0; b < a; b++) {
            if (!joined(g, i, a) || !joined(g, i, b) || !joined(g, a, b))
                continue;
            count[0]++;
            for (uint32_t c = 0; c < b; c++)
                count[1] += joined(g, i, c) && joined(g, a, c) && joined(g, b, c);
        }
}

/* Two nodes share the column of a slot if and only if they have the same count. */
static void structure_has_a_twin(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(30, 8, 5);
    size_t n = (size_t)rg_dataset_n_nodes(data);
    uint32_t(*counts)[2] = calloc(n, sizeof *counts);
    assert_non_null(counts);
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            count_cliques(&graph, i, counts[graph.first_node + i]);
    }
    rg_features *f = build("features: structure\nstructure: {cycles: 3, cliques: 4}", data);
    assert_int_equal(f->n_hot, 2);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < 2; k++)
                assert_int_equal(counts[i][k] == counts[j][k],
                                 f->hot[2 * i + k] == f->hot[2 * j + k]);
    rg_features_free(f);
    free(counts);
    rg_dataset_free(data);
}

static const char everything[] =
    "features: [labels, degree, degree-one-hot, attributes, constant, rule, rule-scaled, "
    "structure]\nlabels: {a: wl(depth=2), b: 'combine(node, degree)'}\n"
    "structure: {cycles: 5, cliques: 4}\n";

static void features_do_not_depend_on_the_order_of_nodes(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(25, 9, 7), *other = NULL;
    uint32_t *nodes = NULL, *graphs = NULL;
    ASSERT_OK(rg_dataset_shuffle(&graphs, &nodes, data, 11, err));
    ASSERT_OK(rg_dataset_reorder(&other, data, NULL, nodes, err));
    rg_features *a = build(everything, data), *b = build(everything, other);
    assert_int_equal(a->width, b->width);
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            uint64_t from = graph.first_node + nodes[graph.first_node + i],
                     to = graph.first_node + i;
            assert_memory_equal(a->hot + from * a->n_hot, b->hot + to * b->n_hot,
                                a->n_hot * sizeof *a->hot);
            assert_memory_equal(a->dense + from * a->n_dense, b->dense + to * b->n_dense,
                                a->n_dense * sizeof *a->dense);
        }
    }
    rg_features_free(a);
    rg_features_free(b);
    rg_free(nodes);
    rg_free(graphs);
    rg_dataset_free(data);
    rg_dataset_free(other);
}

static void features_do_not_depend_on_threads(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(40, 9, 9);
    rg_features *one = build(everything, data);
    for (unsigned n = 2; n <= 4; n += 2) {
        rg_features *many = build_on(everything, data, &(rg_baseline_options){.n_threads = n});
        assert_memory_equal(one->hot, many->hot, one->n_nodes * one->n_hot * sizeof *one->hot);
        assert_memory_equal(one->dense, many->dense,
                            one->n_nodes * one->n_dense * sizeof *one->dense);
        rg_features_free(many);
    }
    rg_features_free(one);
    rg_dataset_free(data);
}

static void an_empty_set_has_features_too(void **state)
{
    (void)state;
    rg_dataset *data = set_from("{\"nodes\": 0, \"edges\": []}\n");
    rg_features *f = build("features: [degree, degree-one-hot]", data);
    assert_int_equal(f->n_nodes, 0);
    assert_int_equal(f->width, 1);
    rg_features_free(f);
    rg_dataset_free(data);
}

/* ---- memory */

static rg_status read_and_build(void *context, rg_error *err)
{
    rg_features_spec spec;
    rg_features *f = NULL;
    rg_baseline_options options = {.n_threads = 1};
    rg_status status = read_spec(&spec, everything, err);
    if (status)
        return status;
    status = rg_features_build(&f, &spec, context, &options, err);
    rg_features_free(f);
    rg_features_spec_clear(&spec);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(4, 5, 2);
    assert_true(test_allocation_sweep(read_and_build, data) > 50);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spec_has_one_normal_form),
        cmocka_unit_test(a_network_file_is_found_beside_the_one_that_names_it),
        cmocka_unit_test(mangled_settings_are_named_with_their_place),
        cmocka_unit_test(parts_of_a_known_set),
        cmocka_unit_test(attributes_are_taken_as_they_are),
        cmocka_unit_test(several_columns_of_labels_are_several_parts),
        cmocka_unit_test(what_the_fit_has_not_seen_has_no_column),
        cmocka_unit_test(rare_counts_share_the_last_column),
        cmocka_unit_test(sets_that_lack_what_is_asked_for),
        cmocka_unit_test(structure_has_a_twin),
        cmocka_unit_test(features_do_not_depend_on_the_order_of_nodes),
        cmocka_unit_test(features_do_not_depend_on_threads),
        cmocka_unit_test(an_empty_set_has_features_too),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
