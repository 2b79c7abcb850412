/* test_export.c - data sets of molecules as files: SMILES and SDF, and what reads back. */
#include "format/texts.h"

#include "base/alloc.h"

#include <stdio.h>

static const char table[] = "id,smiles,a,b\nboth,[13CH3]C([2H])=O,0.5,7\nnone,[NH4+].[Cl-],,\n"
                            "metal,[Fe]c1ccccc1,-1.25,\n";

static rg_status read_text(rg_dataset **out, const char *directory, const char *name,
                           const char *targets, rg_error *err)
{
    char *path = test_format("%s/%s", directory, name);
    rg_read_options options = rg_read_options_default();
    options.columns.targets = targets;
    options.columns.id = strstr(name, ".csv") ? "id" : NULL;
    rg_status status = rg_dataset_read(out, path, &options, err);
    free(path);
    return status;
}

static char *text_of(const char *directory, const char *name)
{
    char *path = test_format("%s/%s", directory, name), *text = test_read(path, NULL);
    free(path);
    return text;
}

static void smiles_have_a_line_each(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    rg_dataset *data = NULL;
    test_write(directory, "x.csv", table);
    ASSERT_OK(read_text(&data, directory, "x.csv", "", err));
    ASSERT_OK(rg_dataset_write(data, directory, "y", RG_FORMAT_SMI, err));
    char *text = text_of(directory, "y.smi");
    assert_string_equal(text, "[13CH3]C([2H])=O\tboth\n[NH4+].[Cl-]\tnone\n[Fe]c1ccccc1\tmetal\n");
    free(text);
    char *smiles = NULL;
    ASSERT_OK(rg_dataset_smiles(&smiles, data, 2, 1, err));
    assert_string_equal(smiles, "[Fe]C1=CC=CC=C1");
    rg_text_free(smiles);
    assert_int_equal(rg_dataset_smiles(&smiles, data, 3, 0, NULL), RG_EUSAGE);
    rg_dataset_free(data);
    test_directory_remove(directory);
}

/* Everything but the order of atoms and, in SDF, stereo: the SMILES are equal, and so are targets. */
static void sdf_reads_back_with_its_targets(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    rg_dataset *data = NULL, *again = NULL;
    test_write(directory, "x.csv", table);
    ASSERT_OK(read_text(&data, directory, "x.csv", "a,b", err));
    ASSERT_OK(rg_dataset_write(data, directory, "y", RG_FORMAT_SDF, err));
    ASSERT_OK(read_text(&again, directory, "y.sdf", "a,b", err));
    assert_int_equal(rg_dataset_n_graphs(again), 3);
    for (size_t g = 0; g < 3; g++) {
        char *one = NULL, *other = NULL;
        ASSERT_OK(rg_dataset_smiles(&one, data, g, 0, err));
        ASSERT_OK(rg_dataset_smiles(&other, again, g, 0, err));
        assert_string_equal(one, other);
        assert_string_equal(rg_dataset_graph_name(data, g), rg_dataset_graph_name(again, g));
        for (size_t c = 0; c < 2; c++) {
            double a = rg_dataset_reals(data, RG_TARGET)[2 * g + c];
            double b = rg_dataset_reals(again, RG_TARGET)[2 * g + c];
            assert_true(a == b || (a != a && b != b));
        }
        rg_text_free(one);
        rg_text_free(other);
    }
    rg_dataset_free(data);
    rg_dataset_free(again);
    test_directory_remove(directory);
}

static void the_file_is_a_connection_table(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_from_smiles(&data, "x", "[NH3+]C=[15NH] amine", 20, NULL, err));
    ASSERT_OK(rg_dataset_write(data, directory, NULL, RG_FORMAT_SDF, err));
    char *text = text_of(directory, "x.sdf");
    assert_string_equal(text,
                        "amine\n  regula\n\n"
                        "  3  2  0  0  0  0  0  0  0  0999 V2000\n"
                        "    0.0000    0.0000    0.0000 N   0  0  0  0  0  0  0  0  0  0  0  0\n"
                        "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"
                        "    0.0000    0.0000    0.0000 N   0  0  0  0  0  0  0  0  0  0  0  0\n"
                        "  1  2  1  0\n  2  3  2  0\nM  CHG  1   1   1\nM  ISO  1   3  15\n"
                        "M  END\n$$$$\n");
    free(text);
    rg_dataset_free(data);
    test_directory_remove(directory);
}

/* A nitrogen with an electron of its own is in no aromatic ring, whichever file says so. */
static void radicals_in_rings_read_back(void **state)
{
    (void)state;
    static const char radical[] = "C=C1[N]N(C)c2ncncc12";
    char *directory = test_directory_make(), *one = NULL, *other = NULL;
    rg_dataset *data = NULL, *again = NULL;
    ASSERT_OK(rg_dataset_from_smiles(&data, "x", radical, sizeof radical - 1, NULL, err));
    ASSERT_OK(rg_dataset_write(data, directory, NULL, RG_FORMAT_SDF, err));
    ASSERT_OK(read_text(&again, directory, "x.sdf", NULL, err));
    ASSERT_OK(rg_dataset_smiles(&one, data, 0, 0, err));
    ASSERT_OK(rg_dataset_smiles(&other, again, 0, 0, err));
    assert_string_equal(one, radical);
    assert_string_equal(other, radical);
    rg_text_free(one);
    rg_text_free(other);
    rg_dataset_free(data);
    rg_dataset_free(again);
    test_directory_remove(directory);
}

/* A chain of 1,200 atoms has no room in version 2000. */
static void large_molecules_are_of_version_3000(void **state)
{
    (void)state;
    char *directory = test_directory_make(), smiles[1211] = "[13CH3][N-]";
    rg_dataset *data = NULL, *again = NULL;
    char *one = NULL, *other = NULL;
    memset(smiles + 11, 'C', 1199);
    ASSERT_OK(rg_dataset_from_smiles(&data, "x", smiles, 1210, NULL, err));
    ASSERT_OK(rg_dataset_write(data, directory, NULL, RG_FORMAT_SDF, err));
    char *text = text_of(directory, "x.sdf");
    assert_non_null(strstr(text, "V3000"));
    assert_non_null(strstr(text, "\nM  V30 2 N 0.0000 0.0000 0.0000 0 CHG=-1\n"));
    free(text);
    ASSERT_OK(read_text(&again, directory, "x.sdf", NULL, err));
    ASSERT_OK(rg_dataset_smiles(&one, data, 0, 0, err));
    ASSERT_OK(rg_dataset_smiles(&other, again, 0, 0, err));
    assert_string_equal(one, other);
    rg_text_free(one);
    rg_text_free(other);
    rg_dataset_free(data);
    rg_dataset_free(again);
    test_directory_remove(directory);
}

static void what_is_no_molecule_is_refused(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    rg_dataset *data = NULL;
    rg_error why;
    ASSERT_OK(rg_dataset_from_lines(&data, "x", 1, "A_", 2, err));
    assert_int_equal(rg_dataset_write(data, directory, NULL, RG_FORMAT_SMI, &why), RG_EDATA);
    assert_string_equal(why.message, "'x' has no node labels called 'element': expected molecules "
                                     "(from SMILES or SDF)");
    rg_dataset_free(data);
    ASSERT_OK(rg_dataset_from_smiles(&data, "x", "C$C", 3, NULL, err));
    assert_int_equal(rg_dataset_write(data, directory, NULL, RG_FORMAT_SDF, &why), RG_EDATA);
    assert_string_equal(why.message, "'x': molecule 0: atom 0: found a quadruple bond, which SDF "
                                     "has no number for");
    rg_dataset_free(data);
    test_directory_remove(directory);
}

/* Rings, what links them, double bonds at either. */
static void scaffolds_are_what_is_left_without_side_chains(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"CC(=O)Oc1ccccc1C(=O)O", "c1ccccc1"},
        {"CCO", ""},
        {"CC(C)CCc1ccc(cc1)CC(N)CC1CCC(=O)N1C", "O=C1CCC(CCCc2ccccc2)N1"},
        {"Cn1cccc1", "c1cc[nH]c1"},
        {"C[C@H]1C[C@@H](F)C1", "C1CCC1"},
        {"CS(=O)(=O)N1CCC1", "C1CNC1"},
        {"O=S(=O)(c1ccccc1)N1CCC1", "O=S(=O)(c1ccccc1)N1CCC1"},
        {"[Na+].[O-]C1CC1", "C1CC1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = NULL;
        char *one = NULL, *other = NULL;
        ASSERT_OK(rg_dataset_from_smiles(&data, "x", cases[k][0], strlen(cases[k][0]), NULL, err));
        ASSERT_OK(rg_dataset_scaffold(&one, data, 0, err));
        rg_dataset_free(data);
        if (*cases[k][1]) {
            ASSERT_OK(
                rg_dataset_from_smiles(&data, "x", cases[k][1], strlen(cases[k][1]), NULL, err));
            ASSERT_OK(rg_dataset_smiles(&other, data, 0, 0, err));
            rg_dataset_free(data);
        }
        if (strcmp(one, other ? other : "") != 0)
            fail_msg("%s: found '%s', expected '%s'", cases[k][0], one, cases[k][1]);
        rg_text_free(one);
        rg_text_free(other);
    }
}

static rg_status groups_once(void *context, rg_error *err)
{
    uint32_t group[5];
    size_t n = 0;
    rg_status status = rg_dataset_scaffolds(group, &n, context, err);
    assert_true(status || (n == 3 && group[0] == 0 && group[1] == 1 && group[2] == 0 &&
                           group[3] == 2 && group[4] == 1));
    return status;
}

static void molecules_of_a_scaffold_are_a_group(void **state)
{
    (void)state;
    static const char text[] = "Cc1ccccc1\nCC\nc1ccccc1O\nC1CC1\nO\n";
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_from_smiles(&data, "x", text, sizeof text - 1, NULL, err));
    assert_true(test_allocation_sweep(groups_once, data) > 5);
    rg_dataset_free(data);
}

static rg_status write_once(void *context, rg_error *err)
{
    char *directory = test_directory_make();
    const rg_dataset *data = context;
    rg_status status = rg_dataset_write(data, directory, "y", RG_FORMAT_SMI, err);
    if (!status)
        status = rg_dataset_write(data, directory, "y", RG_FORMAT_SDF, err);
    test_directory_remove(directory);
    return status;
}

static void every_failing_allocation_and_write_is_survived(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_from_smiles(&data, "x", "c1ccccc1C acid", 14, NULL, err));
    assert_true(test_allocation_sweep(write_once, data) > 5);
    assert_true(test_io_sweep(write_once, data) > 2);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smiles_have_a_line_each),
        cmocka_unit_test(sdf_reads_back_with_its_targets),
        cmocka_unit_test(radicals_in_rings_read_back),
        cmocka_unit_test(the_file_is_a_connection_table),
        cmocka_unit_test(large_molecules_are_of_version_3000),
        cmocka_unit_test(what_is_no_molecule_is_refused),
        cmocka_unit_test(scaffolds_are_what_is_left_without_side_chains),
        cmocka_unit_test(molecules_of_a_scaffold_are_a_group),
        cmocka_unit_test(every_failing_allocation_and_write_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
