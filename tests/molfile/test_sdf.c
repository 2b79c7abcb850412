/* test_sdf.c - MOL files and SDF, both versions: known answers, bad records, memory. */
#include "format/texts.h"

#include "molfile/molecules.h"

#include <stdio.h>

/* Acetate with a sodium ion, once with the charges of old and a valence, once with M  CHG. */
static const char v2000[] = "acetate\n  program\n\n"
                            "  5  3  0  0  0  0  0  0  0  0999 V2000\n"
                            "    0.0000    1.5000    0.0000 C   0  0  0  0  0  0\n"
                            "    1.0000    1.5000    0.0000 C   0  0\n"
                            "    2.0000    1.5000    0.0000 O   0  0\n"
                            "    3.0000    1.5000    0.0000 O   0  0\n"
                            "   -4.0000    1.5000    0.2500 Na  0  0\n"
                            "  1  2  1  0\n"
                            "  2  3  2  0\n"
                            "  2  4  1  0\n"
                            "M  CHG  2   4  -1   5   1\n"
                            "M  ISO  1   1  13\n"
                            "M  END\n"
                            "> <logS> (1)\n0.5\n\n>  <word>\nsalt\n\n$$$$\n";
static const char v3000[] =
    "benzene\n\n\n  0  0  0     0  0            999 V3000\n"
    "M  V30 BEGIN CTAB\nM  V30 COUNTS 6 6 0 0 0\nM  V30 BEGIN ATOM\n"
    "M  V30 10 C 0 0 0 0\nM  V30 20 C 1 0 0 0\nM  V30 30 C 2 0 0 0\nM  V30 40 N 3 0 0 0 -\nM  V30 "
    "CHG=1\n"
    "M  V30 50 C 4 0 0 0\nM  V30 60 C 5 0 0 0\nM  V30 END ATOM\nM  V30 BEGIN BOND\n"
    "M  V30 1 2 10 20\nM  V30 2 1 20 30\nM  V30 3 2 30 40\nM  V30 4 1 40 50\nM  V30 5 2 50 60\n"
    "M  V30 6 1 60 10\nM  V30 END BOND\nM  V30 END CTAB\nM  END\n"
    "> <logS>\n-1.25\n\n$$$$\n";

static rg_status read_text(rg_dataset **out, const char *text, rg_error *err)
{
    const text_file file = {"X.sdf", text};
    return read_texts(out, &rg_format_sdf, &file, 1, err);
}

static void both_versions_are_read(void **state)
{
    (void)state;
    char *text = test_format("%s%s", v2000, v3000);
    rg_dataset *data = NULL;
    ASSERT_OK(read_text(&data, text, err));
    static const int64_t atoms[11][4] = {/* element, charge, hydrogens, aromatic */
                                         {6, 0, 3, 0},  {6, 0, 0, 0}, {8, 0, 0, 0}, {8, -1, 0, 0},
                                         {11, 1, 0, 0}, {6, 0, 1, 1}, {6, 0, 1, 1}, {6, 0, 1, 1},
                                         {7, 1, 1, 1},  {6, 0, 1, 1}, {6, 0, 1, 1}};
    assert_int_equal(rg_dataset_n_graphs(data), 2);
    assert_int_equal(rg_dataset_n_nodes(data), 11);
    for (size_t i = 0; i < 11; i++)
        for (size_t c = 0; c < 4; c++)
            assert_int_equal(test_label_value(data, RG_NODE_LABEL, c, i), atoms[i][c]);
    assert_int_equal(test_label_value(data, RG_NODE_LABEL, 7, 0), 13);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE), 3);
    const double *places = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    assert_true(places[3 * 4] == -4 && places[3 * 4 + 1] == 1.5 && places[3 * 4 + 2] == 0.25);
    assert_true(places[3 * 10] == 5);
    assert_int_equal(rg_dataset_n_columns(data, RG_TARGET), 1); /* the only column of numbers */
    assert_true(rg_dataset_reals(data, RG_TARGET)[0] == 0.5);
    assert_true(rg_dataset_reals(data, RG_TARGET)[1] == -1.25);
    assert_string_equal(rg_dataset_graph_name(data, 1), "benzene");
    assert_string_equal(rg_dataset_column_name(data, RG_TARGET, 0), "logS");
    rg_dataset_free(data);
    free(text);
}

/* The second line of atoms or bonds is what stands behind the name. */
static char *record(const char *counts, const char *rows)
{
    return test_format("bad\n\n\n%s\n%sM  END\n$$$$\n", counts, rows);
}

static char told[600];

static void note(void *context, const rg_left_out *item)
{
    (void)context;
    snprintf(told, sizeof told, "%zu:%zu %s: %s", item->line, item->column, item->name,
             item->reason);
}

static void a_bad_record_is_left_out_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *counts, *rows, *told;
    } cases[] = {
        {"x", "", "4:1 bad: found 'x', expected the number of atoms"},
        {"  1", "", "4:4 bad: found nothing, expected the number of bonds"},
        {"  1  0", "    0.0000    1.5x00    0.0000 C   0  0\n",
         "5:15 bad: found '1.5x00', expected a coordinate"},
        {"  1  0", "    0.0000    1.5000    0.0000 Xx  0  0\n",
         "5:32 bad: found 'Xx', expected an element"},
        {"  1  0", "    0.0000    1.5000    0.0000\n",
         "5:31 bad: found the end of the line, expected an element"},
        {"  1  0", "    0.0000    1.5000    0.0000 C   0  9\n",
         "5:37 bad: found charge 9, expected 0 to 7"},
        {"  1  1", "    0.0000    1.5000    0.0000 C   0  0\n  1  2  1\n",
         "6:4 bad: found atom 2, expected 1 to 1"},
        {"  1  1", "    0.0000    1.5000    0.0000 C   0  0\n  1  1  1\n",
         "6:7 bad: found a bond from an atom to itself"},
        {"  2  1",
         "    0.0000    1.5000    0.0000 C   0  0\n    0.0000    1.5000    0.0000 C   0  0\n  1  2 "
         " 8\n",
         "7:7 bad: found bond type 8, expected 1 to 4 or 9: queries are no molecules"},
        {"  1  0", "    0.0000    1.5000    0.0000 C   0  0\nM  CHG  1   1  99\n",
         "6:14 bad: found charge 99, expected -15 to 15"},
        {"  0  0  0     0  0            999 V3000", "M  V30 BEGIN ATOM\nM  V30 1 C 0 0\n",
         "6:15 bad: found '', expected a coordinate"},
        {"  0  0  0     0  0            999 V3000", "M  V30 BEGIN BOND\nM  V30 1 1 1 2\n",
         "6:13 bad: found atom 1, expected one that is listed"},
        {"  0  0  0     0  0            999 V3000", "C\n",
         "5:1 bad: found another line, expected 'M  V30' or 'M  END'"},
        {"  2  2",
         "    0.0000    1.5000    0.0000 C   0  0\n    0.0000    1.5000    0.0000 C   0  0\n  1  2 "
         " 1\n  2  1  1\n",
         "1:0 bad: found a second bond between two atoms, expected one at most"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *directory = test_directory_make(), *path = test_format("%s/x.sdf", directory);
        char *bad = record(cases[k].counts, cases[k].rows), *text = test_format("%s%s", bad, v3000);
        rg_read_options options = rg_read_options_default();
        options.left_out = note;
        told[0] = '\0';
        test_write(directory, "x.sdf", text);
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, &options, err));
        assert_int_equal(rg_dataset_n_graphs(data), 1);
        assert_int_equal(rg_dataset_quirks(data)->left_out, 1);
        assert_string_equal(told, cases[k].told);
        rg_dataset_free(data);
        free(text);
        free(bad);
        free(path);
        test_directory_remove(directory);
    }
}

static void a_mol_file_has_no_end_of_record(void **state)
{
    (void)state;
    char *end = strstr(v2000, "> <logS>"),
         *text = test_format("%.*s\n\n", (int)(end - v2000), v2000);
    rg_dataset *data = NULL;
    ASSERT_OK(read_text(&data, text, err));
    assert_int_equal(rg_dataset_n_graphs(data), 1);
    assert_int_equal(rg_dataset_quirks(data)->left_out, 0);
    rg_dataset_free(data);
    data = NULL;
    text[strlen(text) - 12] = '\0'; /* in the middle of the properties */
    ASSERT_OK(read_text(&data, text, err));
    assert_int_equal(rg_dataset_n_graphs(data), 0);
    assert_int_equal(rg_dataset_quirks(data)->left_out, 1);
    rg_dataset_free(data);
    free(text);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    char *text = test_format("%sx\n\n\n\n$$$$\n%s", v2000, v3000);
    const text_file file = {"X.sdf", text};
    read_texts_sweep sweep = {&rg_format_sdf, &file, 1};
    assert_true(test_allocation_sweep(read_texts_once, &sweep) > 10);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_versions_are_read),
        cmocka_unit_test(a_bad_record_is_left_out_with_its_line),
        cmocka_unit_test(a_mol_file_has_no_end_of_record),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
