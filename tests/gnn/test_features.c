/* test_features.c - features of nodes: settings, known answers, twins, orders, memory. */
/* threads */
#include "base/alloc.h"
#include "baseline/baseline.h"
#include "gnn/features_spec.h"
#include "graph/reorder.h"
#include "support/graphs.h"
#include "support/networks.h"

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

/* A network whose input these features are, on data that have classes, or else node labels to learn. Ends
 * with test_network_close. */
static rg_status open_on(test_network *out, const char *text, const rg_dataset *data,
                         const rg_build_options *options, rg_error *err)
{
    char *model = test_format("model: gcn\n%s\n", strcmp(text, "{}") == 0 ? "" : text);
    bool classes = rg_dataset_n_columns(data, RG_CLASS) > 0;
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    rg_samples_options tables = {.n_threads = options->n_threads, .keep = true};
    rg_baseline *baseline = NULL;
    rg_recipe *recipe = NULL;
    rg_spec *spec = NULL;
    *out = (test_network){.source = {.graphs = data}};
    rg_status status = rg_baseline_parse(&baseline, "m", model, strlen(model), err);
    if (!status)
        status = rg_baseline_recipe(&recipe, baseline, err);
    if (!status) {
        char *whole = strdup(rg_recipe_text(recipe)), *layers = strstr(whole, "layers:");
        *layers = '\0';
        char *file = test_format("task: %s\n%slayers: [{gcn: 2}, %s{dense: auto}]\n",
                                 classes ? "auto" : "node-classification", strchr(whole, '\n') + 1,
                                 classes ? "{pool: sum}, " : "");
        status = rg_network_file_parse(&spec, &out->settings, "f", file, strlen(file), err);
        free(whole);
        free(file);
    }
    if (!status)
        status = rg_network_build(&out->net, labels, spec, &out->source, options, err);
    if (!status)
        status = rg_samples_open(&out->samples, out->net, &out->source, labels, &tables, err);
    rg_recipe_free(recipe);
    rg_baseline_free(baseline);
    free(model);
    return status;
}

static test_network build_on(const char *text, const rg_dataset *data,
                             const rg_build_options *options)
{
    test_network n;
    ASSERT_OK(open_on(&n, text, data, options, err));
    const rg_features *f = n.samples->features;
    assert_int_equal(f->width, n.net->n_channels);
    assert_int_equal(f->n_nodes, rg_dataset_n_nodes(data));
    return n;
}

static test_network build(const char *text, const rg_dataset *data)
{
    return build_on(text, data, &(rg_build_options){.n_threads = 1});
}

/* The features of all nodes: "0 4 : 1 0.5 | 1 - : 2 0" (channels of the ones, "-" for none; numbers). */
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
    test_network n = build(spec, data);
    char *text = text_of(n.samples->features);
    assert_string_equal(text, expected);
    rg_free(text);
    test_network_close(&n);
}

/* A path of two nodes and a node for itself, with classes and so many attributes. */
static rg_dataset *few(size_t n_attributes)
{
    static const double attributes[] = {1.5, -2, 0, 1e9, 7, 0.25};
    test_graph graphs[] = {test_graph_new(2), test_graph_new(1)};
    rg_raw raw = {.name = rg_copy_text("few", 3)};
    rg_dataset *data = NULL;
    test_edge(&graphs[0], 0, 1, 0);
    for (size_t g = 0; g < 2; g++) {
        test_raw_add(&raw, &graphs[g], &(test_columns){.classes = (const int64_t[]){0, 1}});
        test_graph_free(&graphs[g]);
    }
    for (size_t i = 0; n_attributes && i < 3; i++)
        memcpy(rg_real_rows_add(&raw.node_attributes, n_attributes), attributes + 2 * i,
               n_attributes * sizeof *attributes);
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
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
                    " 1 : 1 2 | 1 : 1 2 | 1 : 1 3 | 1 : 1 2 | 2 : 1 1 | 2 : 1 1 | 1 : 1 2 | 1 : 1 1"
                    " | 1 : 1 0");
    /* behind the four degrees is the channel of those that were never seen */
    assert_features("features: [rule, labels]\nlabels: {a: degree}", data,
                    " 0 5 | 0 5 | 3 5 | 0 5 | 1 6 | 1 6 | 0 5 | 1 5 | 2 5");
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
    rg_dataset *data = few(2);
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
    test_network n = build("features: labels", data);
    const rg_features *f = n.samples->features;
    assert_int_equal(f->n_hot, 2);
    assert_int_equal(f->width, 4);
    assert_int_equal(rg_features_bytes(f), 3 * 2 * 4);
    test_network_close(&n);
    assert_features("features: labels", data, " 0 2 | 0 3 | 1 3");
    rg_dataset_free(data);
}

static void what_the_fit_has_not_seen_has_no_column(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    const uint32_t fit[] = {1};
    rg_build_options options = {.fit = fit, .n_fit = 1, .n_threads = 1};
    test_network n = build_on("features: [labels, degree-one-hot]", data, &options);
    assert_int_equal(n.net->n_channels, 2 + 3);
    char *text = text_of(n.samples->features);
    assert_string_equal(text, " 0 3 | 0 3 | 0 - | 0 3 | 1 2 | 1 2 | 0 3 | 0 2 | 0 -");
    rg_free(text);
    test_network_close(&n);
    rg_dataset_free(data);
}

static void rare_counts_share_the_last_column(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(40, 9, 3);
    test_network n =
        build("features: structure\nstructure: {cycles: 4, cliques: 0, most: 3}", data);
    assert_int_equal(n.samples->features->n_hot, 2);
    assert_int_equal(n.net->n_channels, 2 * (3 + 1)); /* one for what was never seen */
    test_network_close(&n);
    rg_dataset_free(data);
}

/* ---- what sets lack */

static void sets_that_lack_what_is_asked_for(void **state)
{
    (void)state;
    rg_dataset *plain = few(0), *known = test_known_set(3);
    const struct {
        const rg_dataset *data;
        const char *spec, *message;
    } cases[] = {
        {plain, "features: labels",
         "'few' has no node labels: the input one-hot(node,all) needs them ('labels' takes degrees "
         "then)"},
        {plain, "features: [degree, attributes]",
         "'few' has no node attributes: the input needs them"},
        {known, "features: attributes",
         "'': graph 1, node 0, attribute 0 is no finite number: the input needs one"},
        {plain, "features: rule\nlabels: {a: node}",
         "labels 'a': 'few': found 0 columns of node labels, expected column 0 (from 0)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_network n;
        rg_error err = {""};
        assert_int_equal(
            open_on(&n, cases[k].spec, cases[k].data, &(rg_build_options){.n_threads = 1}, &err),
            RG_EDATA);
        assert_string_equal(err.message, cases[k].message);
        assert_null(n.samples);
        test_network_close(&n);
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
    test_network net = build("features: structure\nstructure: {cycles: 3, cliques: 4}", data);
    const rg_features *f = net.samples->features;
    assert_int_equal(f->n_hot, 2);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < 2; k++)
                assert_int_equal(counts[i][k] == counts[j][k],
                                 f->hot[2 * i + k] == f->hot[2 * j + k]);
    test_network_close(&net);
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
    test_network first = build(everything, data), second = build(everything, other);
    const rg_features *a = first.samples->features, *b = second.samples->features;
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
    test_network_close(&first);
    test_network_close(&second);
    rg_free(nodes);
    rg_free(graphs);
    rg_dataset_free(data);
    rg_dataset_free(other);
}

static void features_do_not_depend_on_threads(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(40, 9, 9);
    test_network first = build(everything, data);
    const rg_features *one = first.samples->features;
    for (unsigned n = 2; n <= 4; n += 2) {
        test_network other = build_on(everything, data, &(rg_build_options){.n_threads = n});
        const rg_features *many = other.samples->features;
        assert_memory_equal(one->hot, many->hot, one->n_nodes * one->n_hot * sizeof *one->hot);
        assert_memory_equal(one->dense, many->dense,
                            one->n_nodes * one->n_dense * sizeof *one->dense);
        test_network_close(&other);
    }
    test_network_close(&first);
    rg_dataset_free(data);
}

/* ---- memory */

static rg_status read_and_build(void *context, rg_error *err)
{
    test_network n;
    rg_status status = open_on(&n, everything, context, &(rg_build_options){.n_threads = 1}, err);
    test_network_close(&n);
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
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
