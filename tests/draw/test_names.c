/* test_names.c - names of labels: what is known, what a file says, what it must not say. */
#include "support/support.h"

#include "draw/names.h"

#include <string.h>

static rg_names *known(const char *set, size_t columns)
{
    rg_names *names = NULL;
    ASSERT_OK(rg_names_known(&names, set, columns, err));
    return names;
}

static void documented_sets_have_their_atoms_and_bonds(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        size_t columns;
        rg_name_kind kind;
        int64_t value;
        const char *name; /* NULL: nobody said */
    } cases[] = {
        {"MUTAG", 1, RG_NAME_NODE, 0, "C"},
        {"MUTAG", 1, RG_NAME_NODE, 6, "Br"},
        {"MUTAG", 1, RG_NAME_NODE, 7, NULL},
        {"MUTAG", 1, RG_NAME_EDGE, 0, "aromatic"},
        {"MUTAG", 1, RG_NAME_EDGE, 3, "triple"},
        {"MUTAG", 1, RG_NAME_CLASS, 1, NULL},
        {"Mutagenicity", 1, RG_NAME_NODE, 3, "H"},
        {"Mutagenicity", 1, RG_NAME_NODE, 13, "Ca"},
        {"Mutagenicity", 1, RG_NAME_EDGE, 1, "double"},
        {"Mutagenicity", 1, RG_NAME_CLASS, 0, "mutagen"},
        {"PTC_MR", 1, RG_NAME_NODE, 5, "C"},
        {"PTC_MR", 1, RG_NAME_EDGE, 2, "single"},
        {"DHFR", 1, RG_NAME_NODE, 1, "H"},
        {"DHFR", 1, RG_NAME_NODE, 53, "I"},
        {"DHFR", 1, RG_NAME_NODE, 0, NULL},
        {"ZINC_alt", 1, RG_NAME_NODE, 8, "N H1 +"},
        {"ZINC_alt", 1, RG_NAME_EDGE, 1, "single"},
        {"ogbg-molhiv", 1, RG_NAME_NODE, 6, "C"},
        {"ogbg-molhiv", 9, RG_NAME_NODE, 5, "C"},
        {"ogbg-molhiv", 1, RG_NAME_NODE, 118, "Og"},
        {"NCI1", 1, RG_NAME_NODE, 3, NULL},
        {"IMDB-BINARY", 0, RG_NAME_NODE, 0, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_names *names = known(cases[k].set, cases[k].columns);
        const char *name = rg_names_find(names, cases[k].kind, cases[k].value);
        if (cases[k].name)
            assert_string_equal(name, cases[k].name);
        else
            assert_null(name);
        rg_names_free(names);
    }
}

static void what_nobody_named_is_a_number(void **state)
{
    (void)state;
    char text[RG_NAME_MAX];
    rg_names *names = known("NCI1", 1);
    assert_string_equal(rg_names_text(text, names, RG_NAME_NODE, 3), "label 3");
    assert_string_equal(rg_names_text(text, names, RG_NAME_EDGE, -2), "edge label -2");
    assert_string_equal(rg_names_text(text, NULL, RG_NAME_CLASS, 1), "class 1");
    assert_null(rg_names_source(names));
    assert_null(rg_names_source(NULL));
    assert_false(rg_names_any(names, RG_NAME_NODE));
    rg_names_free(names);
    names = known("MUTAG", 1);
    assert_string_equal(rg_names_text(text, names, RG_NAME_NODE, 1), "N");
    assert_string_equal(rg_names_source(names), "the README of the data set");
    rg_names_free(names);
}

static void a_file_replaces_the_kinds_it_names(void **state)
{
    (void)state;
    static const char text[] = "# my names\n\n3 carbon with a tail  \n-1, N\nclass 1 active\r\n"
                               "node 4 O\n  7\tH<&>\n";
    rg_names *base = known("Mutagenicity", 1), *names = NULL;
    ASSERT_OK(rg_names_parse(&names, "dir/my.txt", text, strlen(text), base, err));
    assert_string_equal(rg_names_find(names, RG_NAME_NODE, 3), "carbon with a tail");
    assert_string_equal(rg_names_find(names, RG_NAME_NODE, -1), "N");
    assert_string_equal(rg_names_find(names, RG_NAME_NODE, 4), "O");
    assert_string_equal(rg_names_find(names, RG_NAME_NODE, 7), "H<&>");
    assert_null(rg_names_find(names, RG_NAME_NODE, 0)); /* of the base, and replaced */
    assert_string_equal(rg_names_find(names, RG_NAME_EDGE, 0), "single");
    assert_string_equal(rg_names_find(names, RG_NAME_CLASS, 1), "active");
    assert_null(rg_names_find(names, RG_NAME_CLASS, 0));
    assert_string_equal(rg_names_source(names), "my.txt");
    rg_names_free(names);
    rg_names_free(base);
}

static void mangled_files_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"0 C\nx N\n", "f:2:1: found 'x', expected a label's value (a whole number)"},
        {"0 C\n1\n", "f:2:2: found the end of the line, expected a name behind the value"},
        {"1.5 C\n", "f:1:1: found '1.5', expected a label's value (a whole number)"},
        {"edge x\n", "f:1:6: found 'x', expected a label's value (a whole number)"},
        {"edge\n", "f:1:1: found 'edge', expected a label's value (a whole number)"},
        {"2 C\n1 N\n2 O\n", "f:3: node label 2 is named twice, first on line 1"},
        {"edge 1 a\n1 b\nedge 1 c", "f:3: edge label 1 is named twice, first on line 1"},
        {"1 a\x01z\n", "f:1: found a byte that is no printable UTF-8, expected a name"},
        {"1 \xff\n", "f:1: found a byte that is no printable UTF-8, expected a name"},
        {"99999999999999999999 C\n",
         "f:1:1: found '99999999999999999999', expected a label's value (a whole number)"},
        {"1 0123456789012345678901234567890123456789012345678901234567890123\n",
         "f:1: found a name of 64 bytes, expected at most 63"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_names *names = NULL;
        rg_error err = {""};
        assert_int_equal(
            rg_names_parse(&names, "f", cases[k].text, strlen(cases[k].text), NULL, &err),
            RG_EDATA);
        assert_null(names);
        assert_string_equal(err.message, cases[k].message);
    }
    rg_names *names = NULL;
    rg_error err = {""};
    assert_int_equal(rg_names_read(&names, "/nowhere/names.txt", NULL, &err), RG_EIO);
    assert_non_null(strstr(err.message, "/nowhere/names.txt"));
}

static void names_of_atoms_and_bonds_are_told_from_others(void **state)
{
    (void)state;
    assert_true(rg_name_is_atom("C") && rg_name_is_atom("Cl") && rg_name_is_atom("N H1 +"));
    assert_false(rg_name_is_atom("Carbon") || rg_name_is_atom("c") || rg_name_is_atom("") ||
                 rg_name_is_atom(NULL) || rg_name_is_atom("In the ring"));
    assert_int_equal(rg_name_bond("double"), RG_BOND_DOUBLE);
    assert_int_equal(rg_name_bond("3"), RG_BOND_TRIPLE);
    assert_int_equal(rg_name_bond("aromatic"), RG_BOND_AROMATIC);
    assert_int_equal(rg_name_bond("no bond"), RG_BOND_NONE);
    assert_int_equal(rg_name_bond(NULL), RG_BOND_NONE);
}

static rg_status parse_once(void *context, rg_error *err)
{
    (void)context;
    rg_names *base = NULL, *names = NULL;
    rg_status status = rg_names_known(&base, "MUTAG", 1, err);
    if (!status)
        status = rg_names_parse(&names, "f", "0 A\n1 B\n2 C\n", 12, base, err);
    rg_names_free(base);
    rg_names_free(names);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(parse_once, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documented_sets_have_their_atoms_and_bonds),
        cmocka_unit_test(what_nobody_named_is_a_number),
        cmocka_unit_test(a_file_replaces_the_kinds_it_names),
        cmocka_unit_test(mangled_files_are_refused_with_their_place),
        cmocka_unit_test(names_of_atoms_and_bonds_are_told_from_others),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
