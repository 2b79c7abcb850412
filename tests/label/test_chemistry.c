/* test_chemistry.c - labels of atoms: by the names of columns, in combinations, in words. */
#include "format/texts.h"
#include "support/labelings.h"

#include <stdio.h>

static rg_dataset *read_smiles(const char *text)
{
    const text_file file = {"x.smi", text};
    rg_dataset *data = NULL;
    ASSERT_OK(read_texts(&data, &rg_format_smi, &file, 1, err));
    return data;
}

/* The value of each atom's label in words, joined by ';'. Owned (free). */
static char *words_of(const char *spec, const char *smiles)
{
    rg_dataset *data = read_smiles(smiles);
    rg_labels *labels = NULL;
    rg_labeling *labeling = test_fit(&labels, spec, data);
    char *out = calloc(1, 2000);
    assert_non_null(out);
    for (uint64_t i = 0; i < rg_dataset_n_nodes(data); i++) {
        char words[128];
        ASSERT_OK(
            rg_labeling_describe(words, sizeof words, labeling, rg_labels_data(labels)[i], err));
        snprintf(out + strlen(out), 2000 - strlen(out), "%s%s", i ? ";" : "", words);
    }
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
    return out;
}

static void every_labeling_says_what_it_sees(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *smiles, *words;
    } cases[] = {
        {"element", "ClCO*", "Cl;C;O;*"},
        {"charge", "C[NH3+].[O-2]", "charge 0;charge +1;charge -2"},
        {"hydrogens", "CCO", "3 hydrogens;2 hydrogens;1 hydrogen"},
        {"aromatic", "Cc1ccccc1",
         "not aromatic;aromatic;aromatic;aromatic;aromatic;aromatic;aromatic"},
        {"ring_size", "CC1CC1", "no ring;smallest ring of 3;smallest ring of 3;smallest ring of 3"},
        {"hybridisation", "CC#C", "sp3;sp;sp"},
        {"chirality", "C[C@H](O)N", "no chirality;chirality @@;no chirality;no chirality"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *words = words_of(cases[k].spec, cases[k].smiles);
        assert_string_equal(words, cases[k].words);
        free(words);
    }
}

static void combinations_tell_atoms_apart(void **state)
{
    (void)state;
    rg_dataset *data = read_smiles("CC(=O)O\nCC(=O)[O-]\n");
    rg_labels *labels = NULL;
    rg_labeling *labeling = test_fit(&labels, "combine(element, charge, hydrogens)", data);
    const uint32_t *k = rg_labels_data(labels);
    assert_true(k[0] == k[4] && k[1] == k[5] && k[2] == k[6]);
    assert_true(k[2] != k[3] && k[3] != k[7] && k[2] != k[7]);
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
}

static void sets_of_other_graphs_are_refused(void **state)
{
    (void)state;
    const text_file file = {"x.g6", "C~\n"};
    rg_dataset *data = NULL;
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    rg_error error = {""};
    ASSERT_OK(read_texts(&data, &rg_format_graph6, &file, 1, err));
    assert_int_equal(rg_labeling_fit(&labeling, &labels, "charge", data, NULL, 0, NULL, &error),
                     RG_EDATA);
    assert_non_null(
        strstr(error.message, "found no node labels called 'charge', expected molecules"));
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_labeling_says_what_it_sees),
        cmocka_unit_test(combinations_tell_atoms_apart),
        cmocka_unit_test(sets_of_other_graphs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
