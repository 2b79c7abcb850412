/* test_smi.c - molecules from files: lines of SMILES, and tables with a column of them. */
#include "format/texts.h"

#include "base/alloc.h"
#include "molfile/smi.h"

#include <math.h>
#include <stdio.h>

/* What is told of molecules that are left out: "LINE:COLUMN NAME AT REASON;". */
static void note(void *context, const rg_left_out *item)
{
    char *out = context;
    size_t n = strlen(out);
    snprintf(out + n, 2000 - n, "%zu:%zu %s %zu %s;", item->line, item->column, item->name,
             item->at, item->reason);
}

static rg_status read_file(rg_dataset **out, const char *name, const char *text,
                           const rg_read_options *options, rg_error *err)
{
    char *directory = test_directory_make(), *path = test_format("%s/%s", directory, name);
    test_write(directory, name, text);
    rg_status status = rg_dataset_read(out, path, options, err);
    /* the directory has another name each time */
    char *place = err ? strstr(err->message, directory) : NULL;
    if (place)
        memmove(place, place + strlen(directory) + 1, strlen(place + strlen(directory) + 1) + 1);
    free(path);
    test_directory_remove(directory);
    return status;
}

static void lines_become_graphs(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_file(
        &data, "two.smi",
        "SMILES Name\nCC=O acet aldehyde\n[13CH4]\tmethane\r\nF/C=C/[C@H](O)C\n\n\n", NULL, err));
    static const int64_t atoms[][RG_MOL_NODE_COLUMNS] = {
        {6, 0, 3, 0, 0, 3, 0, 0},  {6, 0, 1, 0, 0, 2, 0, 0}, {8, 0, 0, 0, 0, 2, 0, 0},
        {6, 0, 4, 0, 0, 3, 0, 13}, {9, 0, 0, 0, 0, 3, 0, 0}, {6, 0, 1, 0, 0, 2, 0, 0},
        {6, 0, 1, 0, 0, 2, 0, 0},  {6, 0, 1, 0, 0, 3, 2, 0}, {8, 0, 1, 0, 0, 3, 0, 0},
        {6, 0, 3, 0, 0, 3, 0, 0}};
    assert_string_equal(rg_dataset_name(data), "two");
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_n_nodes(data), 10);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_LABEL), RG_MOL_NODE_COLUMNS);
    assert_int_equal(rg_dataset_n_columns(data, RG_EDGE_LABEL), RG_MOL_EDGE_COLUMNS);
    for (size_t i = 0; i < 10; i++)
        for (size_t c = 0; c < RG_MOL_NODE_COLUMNS; c++)
            if (c != 5 || i != 4) /* a halogen's hybridisation is of no interest */
                assert_int_equal(test_label_value(data, RG_NODE_LABEL, c, i), atoms[i][c]);
    rg_graph graph = rg_dataset_graph(data, 0);
    assert_int_equal(graph.n_arcs, 4);
    assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 0, 1), 1);
    assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 0, 2), 2);
    assert_int_equal(rg_dataset_quirks(data)->unsorted_edges, 0);
    assert_int_equal(rg_dataset_quirks(data)->one_way_edges, 0);
    rg_dataset_free(data);
}

static rg_status from_memory(rg_dataset **out, rg_error *err)
{
    return rg_dataset_from_smiles(out, "mine", "CCO ethanol\nC(\n[NH4+]", 21, NULL, err);
}

static rg_status from_memory_once(void *context, rg_error *err)
{
    rg_dataset *data = NULL;
    (void)context;
    rg_status status = from_memory(&data, err);
    rg_dataset_free(data);
    return status;
}

static void molecules_come_from_memory_too(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(from_memory(&data, err));
    assert_int_equal(rg_dataset_n_graphs(data), 2);
    assert_int_equal(rg_dataset_n_nodes(data), 4);
    assert_int_equal(rg_dataset_quirks(data)->left_out, 1);
    assert_string_equal(rg_dataset_name(data), "mine");
    assert_string_equal(rg_dataset_graph_name(data, 0), "ethanol");
    rg_dataset_free(data);
}

static void one_bad_molecule_does_not_end_a_file(void **state)
{
    (void)state;
    char told[2000] = "";
    rg_read_options options = rg_read_options_default();
    options.left_out = note;
    options.context = told;
    rg_dataset *data = NULL;
    static const char text[] = "CC one\nC(C two\n\nc1cccc1 three d\n ghost\nN four\n";
    ASSERT_OK(read_file(&data, "x.smi", text, &options, err));
    assert_int_equal(rg_dataset_n_graphs(data), 2);
    assert_int_equal(rg_dataset_quirks(data)->left_out, 4);
    assert_string_equal(
        told, "2:2 two 1 found '(' that is never closed, expected ')';3:1  0 found an empty line, "
              "expected a "
              "molecule;4:3 three d 2 found an aromatic atom that can get no double bond: no "
              "alternating single "
              "and double bonds fit its rings;5:1 ghost 0 found the end, expected an atom;");
    rg_dataset_free(data);
    rg_error error = {""};
    options.strict = 1;
    data = NULL;
    assert_int_equal(read_file(&data, "x.smi", text, &options, &error), RG_EDATA);
    assert_string_equal(error.message,
                        "x.smi:2:2: molecule 'two': found '(' that is never closed, expected ')'");
    assert_null(data);
}

static void hydrogens_and_fragments_are_as_chosen(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    rg_read_options options = rg_read_options_default();
    options.explicit_hydrogens = options.largest_fragment = 1;
    ASSERT_OK(read_file(&data, "x.smi", "[Na+].CC(=O)[O-]\n", &options, err));
    assert_int_equal(rg_dataset_n_nodes(data), 7);
    assert_int_equal(test_label_value(data, RG_NODE_LABEL, 0, 6), 1);
    rg_dataset_free(data);
}

/* ---- tables */

static void tables_are_read_as_they_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        size_t n_graphs, n_classes, n_targets;
    } cases[] = {
        {"x.csv", "smiles,y\nCC,1\nCO,0\n", 2, 1, 0},
        {"x.csv", "\xef\xbb\xbfSMILES,y\r\nCC,1\r\nCO,0\r\n", 2, 1, 0},
        {"x.csv", "id,my smiles,y\na,CC,1.5\nb,CO,2\n", 2, 0, 1},
        {"x.csv", "\"name\",\"smiles\",\"a, b\"\n\"one \"\"two\"\"\",\"CC\",3\nx, CO ,4\n", 2, 1,
         0},
        {"x.csv", "name,smiles\n\"two\nlines\",CC\nx,CO\n", 2, 0, 0},
        {"x.tsv", "smiles\ty\nCC\t1\nCO\t\n", 2, 1, 0},
        {"x.csv", "smiles;y\nCC;1\n\n\nCO;na\n", 2, 1, 0},
        {"x.csv", "num,name,smiles,y\n1,a,C,0\n2,b,CC,1\n4,c,CCC,1\n", 3, 1, 0},
        {"x.csv", "smiles,activity,y\nCC,CI,0\nCO,CM,1\nCN,CA,1", 3, 1, 0},
        {"x.csv", "smiles\n", 0, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = NULL;
        ASSERT_OK(read_file(&data, cases[k].name, cases[k].text, NULL, err));
        assert_int_equal(rg_dataset_n_graphs(data), cases[k].n_graphs);
        assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), cases[k].n_classes);
        assert_int_equal(rg_dataset_n_columns(data, RG_TARGET), cases[k].n_targets);
        rg_dataset_free(data);
    }
}

static void targets_are_columns_of_their_own_and_may_be_missing(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    rg_read_options options = rg_read_options_default();
    options.columns.targets = "b,word";
    ASSERT_OK(read_file(&data, "x.csv",
                        "a,b,smiles,word\n1,,CC,no\n2,1,C(,yes\n3,7,CO,yes\n4,nan,CN,\n", &options,
                        err));
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), 2);
    static const int64_t expected[3][2] = {{RG_MISSING, 0}, {7, 1}, {RG_MISSING, RG_MISSING}};
    for (size_t g = 0; g < 3; g++)
        for (size_t c = 0; c < 2; c++)
            assert_int_equal(test_label_value(data, RG_CLASS, c, g), expected[g][c]);
    assert_int_equal(rg_dataset_quirks(data)->missing_targets, 3);
    rg_dataset_free(data);

    options.columns.targets = "a,b"; /* one of them is real: both are */
    data = NULL;
    ASSERT_OK(read_file(&data, "x.csv", "a,b,smiles\n1,,CC\n2,0.5,CO\n", &options, err));
    assert_int_equal(rg_dataset_n_columns(data, RG_TARGET), 2);
    const double *reals = rg_dataset_reals(data, RG_TARGET);
    assert_true(reals[0] == 1 && isnan(reals[1]) && reals[2] == 2 && reals[3] == 0.5);
    rg_dataset_free(data);
}

static void columns_are_not_guessed_where_several_may_be_meant(void **state)
{
    (void)state;
    static const struct {
        const char *text, *smiles, *targets, *id;
        rg_status status;
        const char *message;
    } cases[] = {
        {"smiles,a,b\nCC,1,0.5\nCO,0,0.7\n", NULL, NULL, NULL, RG_EDATA,
         "x.csv:1: found several columns that may be the target: 'a', 'b'; choose (--target "
         "NAME,NAME; "
         "--target '' for none)"},
        {"mol,a\nCC,1\n", NULL, NULL, NULL, RG_EDATA,
         "x.csv:1: found no column with 'smiles' in its name, expected one among 'mol', 'a'; "
         "choose one "
         "(--smiles)"},
        {"smiles,iso_smiles\nCC,CC\n", NULL, NULL, NULL, RG_EDATA,
         "x.csv:1: found several columns that may hold the molecules: 'smiles', 'iso_smiles'; "
         "choose one "
         "(--smiles)"},
        {"mol,a\nCC,1\n", "mole", NULL, NULL, RG_EUSAGE,
         "x.csv: found no column 'mole' for the molecules, expected one of 'mol', 'a'"},
        {"mol,a\nCC,1\n", "mol", "c", NULL, RG_EUSAGE,
         "x.csv: found no column 'c' for the target, expected one of 'mol', 'a'"},
        {"mol,a\nCC,1\n", "mol", NULL, "c", RG_EUSAGE,
         "x.csv: found no column 'c' for the names, expected one of 'mol', 'a'"},
        {"", NULL, NULL, NULL, RG_EDATA,
         "x.csv: found an empty file, expected a line with names of columns"},
        {"smiles,a\nCC,\"1\nCO,2\n", NULL, NULL, NULL, RG_EDATA,
         "x.csv:2: found a quote that is never closed, expected '\"'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = NULL;
        rg_error err = {""};
        rg_read_options options = rg_read_options_default();
        options.columns = (rg_column_choice){cases[k].smiles, cases[k].targets, cases[k].id, 0};
        assert_int_equal(read_file(&data, "x.csv", cases[k].text, &options, &err), cases[k].status);
        assert_string_equal(err.message, cases[k].message);
        assert_null(data);
    }
}

static void rows_that_cannot_be_read_are_left_out(void **state)
{
    (void)state;
    char told[2000] = "";
    rg_read_options options = rg_read_options_default();
    options.left_out = note;
    options.context = told;
    rg_dataset *data = NULL;
    ASSERT_OK(read_file(&data, "x.csv",
                        "id,smiles,y\na,CC,1\nb,C)C,0\nc,CO\nd,,1\ne,\"CX\",1\nf,CN,0\n", &options,
                        err));
    assert_int_equal(rg_dataset_n_graphs(data), 2);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 1), 0);
    assert_string_equal(
        told,
        "3:4 b 1 found ')', expected no ')' without a '(' before it;4:0 c 0 found 2 fields, "
        "expected 3 as in the first line;5:3 d 0 found the end, expected an atom;6:5 e 1 found "
        "'X', expected an atom, a bond, a ring number, a branch or '.';");
    rg_dataset_free(data);
}

static void a_table_beside_other_files_is_left_alone(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    test_write(directory, "X_A.txt", "1, 2\n2, 1\n");
    test_write(directory, "X_graph_indicator.txt", "1\n1\n");
    test_write(directory, "mol.csv", "smiles,y\nCC,1\n");
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_read(&data, directory, NULL, err));
    assert_int_equal(rg_dataset_n_nodes(data), 2);
    assert_int_equal(rg_dataset_quirks(data)->ignored_files, 1);
    rg_dataset_free(data);
    test_directory_remove(directory);
}

static void hydrogens_are_printed_as_the_benchmark_has_them(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/x.smi", directory);
    test_write(directory, "x.smi",
               "CC(=O)[O-] 0\nc1ccc[nH]1 1\nC(C 2\n 3\nCN(=O)=O 4 four\n[H]C 5\n");
    rg_text text = {0};
    ASSERT_OK(rg_smi_hydrogens(&text, path, err));
    char *lines = rg_text_take(&text);
    assert_string_equal(lines,
                        "0 3 0 0 0\n1 1 1 1 1 1\n# 2 found '(' that is never closed, expected ')'\n"
                        "# 3 found the end, expected an atom\n4 3 0 0 0\n5 0 3\n");
    rg_free(lines);
    free(path);
    test_directory_remove(directory);
}

/* ---- memory */

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    static const text_file smi = {"x.smi", "CC=O a\nC( b\nc1ccccc1 c\n"};
    static const text_file csv = {"x.csv", "id,smiles,y,z\na,CC,1,\"x\ny\"\nb,C(,0,u\nc,CO,1,v\n"};
    read_texts_sweep one = {&rg_format_smi, &smi, 1}, other = {&rg_format_table, &csv, 1};
    assert_true(test_allocation_sweep(read_texts_once, &one) > 10);
    assert_true(test_allocation_sweep(read_texts_once, &other) > 10);
    assert_true(test_allocation_sweep(from_memory_once, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_graphs),
        cmocka_unit_test(molecules_come_from_memory_too),
        cmocka_unit_test(one_bad_molecule_does_not_end_a_file),
        cmocka_unit_test(hydrogens_and_fragments_are_as_chosen),
        cmocka_unit_test(tables_are_read_as_they_are_found),
        cmocka_unit_test(targets_are_columns_of_their_own_and_may_be_missing),
        cmocka_unit_test(columns_are_not_guessed_where_several_may_be_meant),
        cmocka_unit_test(rows_that_cannot_be_read_are_left_out),
        cmocka_unit_test(a_table_beside_other_files_is_left_alone),
        cmocka_unit_test(hydrogens_are_printed_as_the_benchmark_has_them),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
