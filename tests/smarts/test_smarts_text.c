/* test_smarts_text.c - patterns of atoms as texts: normal forms, words, refused ones. */
#include "base/alloc.h"
#include "format/texts.h"
#include "smarts/smarts.h"

#include <stdio.h>

static rg_smarts *parse(const char *text)
{
    rg_smarts *smarts = NULL;
    ASSERT_OK(rg_smarts_parse(&smarts, text, strlen(text), 1, err));
    return smarts;
}

static void texts_have_a_normal_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"[C]", "C"},
        {"[C:3]", "C"},
        {"[N&+1]", "[N+]"},
        {"[N+]([O-])=O", "[N+]([O-])=O"},
        {"[H]", "[#1]"},
        {"[2H+]", "[2#1+]"},
        {"[CH]", "[CH1]"},
        {"[H]C", "[#1]C"},
        {"[C&r5]", "[C&r5]"},
        {"[C;r5]", "[C;r5]"},
        {"[r0]", "[!R]"},
        {"[!R0]", "[R]"},
        {"[!!C]", "C"},
        {"[x]", "[R]"},
        {"[nH1]", "[nH1]"},
        {"[C++]", "[C+2]"},
        {"[+&+]", "[+&+]"},
        {"[C&13]", "[C&13]"},
        {"[13C]", "[13C]"},
        {"[#6&a]", "[#6&a]"},
        {"C-&!@C", "C-!@C"},
        {"C-,=C", "C-,=C"},
        {"C1CC1(C)C", "C1CC1(C)C"},
        {"C2CC2", "C1CC1"},
        {"C=1CC1", "C=1CC1"},
        {"C1CC=1", "C=1CC1"},
        {"C%11CC%11", "C1CC1"},
        {"C12CC1C2", "C12CC1C2"},
        {"CC(C)(C)", "CC(C)C"},
        {"[$(CC);!$([#6]=O)]", "[$(CC);!$([#6]=O)]"},
        {"[Cl]", "Cl"},
        {"[A]", "A"},
        {"[Na]", "[Na]"},
        {"[*]", "*"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *text = cases[k].text;
        for (int round = 0; round < 2; round++) {
            rg_text out = {0};
            rg_smarts *smarts = parse(text);
            rg_smarts_print(&out, smarts);
            char *normal = rg_text_take(&out);
            assert_string_equal(normal, cases[k].normal);
            rg_free(normal);
            rg_smarts_free(smarts);
            text = cases[k].normal;
        }
    }
}

static void patterns_are_said_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"[N+](=O)[O-]", "1 aliphatic N, charge +1; 2 aliphatic O, bond to 1: double; 3 aliphatic "
                         "O, charge -1, bond "
                         "to 1: single or aromatic"},
        {"[#6;!H0,Cl]", "C and not 0 hydrogens or Cl"},
        {"[cr6]", "aromatic C, smallest ring of 6"},
        {"[R;X3;D2;v4;x2;h1]",
         "in a ring and 3 neighbours and hydrogens and 2 neighbours and valence 4 and 2 ring "
         "bonds and 1 implicit hydrogen"},
        {"*1-,=A!@a1", "1 any atom; 2 aliphatic, bond to 1: single or double; 3 aromatic, bond to "
                       "2: not ring, bond "
                       "to 1: single or aromatic"},
        {"[13C;$(C=O)]",
         "isotope 13, aliphatic C and the first atom of (1 aliphatic C; 2 aliphatic O, bond to 1: "
         "double)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_text out = {0};
        rg_smarts *smarts = parse(cases[k].text);
        rg_smarts_words(&out, smarts);
        char *words = rg_text_take(&out);
        assert_string_equal(words, cases[k].words);
        rg_free(words);
        rg_smarts_free(smarts);
    }
}

static void what_is_no_pattern_is_refused_with_its_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "column 5: found the end of the pattern, expected an atom"},
        {"C(", "column 7: found the end of the pattern, expected an atom"},
        {"C(C", "column 6: found '(', expected ')' for it"},
        {"C)", "column 6: found ')', expected an atom or a bond: no branch is open"},
        {"(C)", "column 5: found '(', expected an atom"},
        {"C()C", "column 7: found ')', expected an atom"},
        {"C((C))", "column 7: found '(', expected an atom"},
        {"=C", "column 5: found '=', expected an atom"},
        {"C=", "column 7: found the end of the pattern, expected an atom"},
        {"C=(C)", "column 7: found '(', expected an atom"},
        {"C(C=)C", "column 9: found ')', expected an atom"},
        {"C.C", "column 6: found '.', expected an atom or a bond: a pattern is connected"},
        {"C1CC", "column 6: found '1', expected the same number where the ring ends"},
        {"C11", "column 7: found '1', expected the ring to end at another atom"},
        {"C1C1", "column 8: found '1', expected one bond between two atoms"},
        {"C-1CC=1", "column 11: found '1', expected the bond with which the ring begins"},
        {"1CC1", "column 5: found '1', expected an atom or a bond"},
        {"C(C)1CC1", "column 9: found '1', expected an atom or a bond"},
        {"C%1C", "column 8: found 'C', expected two digits behind '%'"},
        {"C/C", "column 6: found '/', expected a bond without a side: patterns do not look at cis "
                "and trans"},
        {"C-,C", "column 8: found 'C', expected a bond, one of - = # $ : ~ @"},
        {"[", "column 6: found the end of the pattern, expected an element, or one of # * A a D H "
              "h X v x R r + - $( "
              "and numbers of isotopes"},
        {"[]", "column 6: found ']', expected an element, or one of # * A a D H h X v x R r + - $( "
               "and numbers of "
               "isotopes"},
        {"[C", "column 7: found the end of the pattern, expected ']' behind the atom"},
        {"[C,]", "column 8: found ']', expected an element, or one of # * A a D H h X v x R r + - "
                 "$( and numbers of "
                 "isotopes"},
        {"[C@]", "column 7: found '@', expected no chirality: patterns do not look at it"},
        {"[R2]", "column 6: found 'R', expected R or R0: rings are counted by their bonds (x) or "
                 "told by their size "
                 "(r)"},
        {"[C12]", "column 7: found '1', expected the number of an isotope in front of the atom, or "
                  "behind '&'"},
        {"[#]", "column 6: found '#', expected '#' and the number of an element, 0 to 118"},
        {"[#119]", "column 6: found '#', expected '#' and the number of an element, 0 to 118"},
        {"[D123456]", "column 7: found '1', expected a number of at most five digits"},
        {"[C+16]", "column 7: found '+', expected a charge of at most 15"},
        {"[C:]", "column 8: found ']', expected the number of an atom class"},
        {"[$C]", "column 7: found 'C', expected '(' behind '$'"},
        {"[$(C]", "column 9: found ']', expected an atom, such as C, c, * or [N+]"},
        {"[$(C", "column 9: found the end of the pattern, expected ')' behind the pattern in $( )"},
        {"[$(C=)]", "column 10: found ')', expected an atom"},
        {"[$([$([$([$([$(C)])])])])]",
         "column 18: found '$', expected at most four $( ) inside each other"},
        {"X", "column 5: found 'X', expected an atom, such as C, c, * or [N+]"},
        {"C\x01", "column 6: found byte 1, expected an atom, such as C, c, * or [N+]"},
        {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
         "column 37: found too many atoms, expected at most 32"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_smarts *smarts = NULL;
        rg_error err = {""};
        char expected[300];
        rg_status status = rg_smarts_parse(&smarts, cases[k].text, strlen(cases[k].text), 5, &err);
        snprintf(expected, sizeof expected, "labels: %s", cases[k].message);
        if (status != RG_EUSAGE || smarts || strcmp(err.message, expected) != 0)
            fail_msg("%s: status %d, found\n  %s\nexpected\n  %s", cases[k].text, status,
                     err.message, expected);
    }
}

/* One byte of a good text replaced, or a piece of another one put in. */
static void mangled_texts_are_refused_or_have_a_normal_form(void **state)
{
    (void)state;
    static const char *const good[] = {"[N+](=O)[O-]",
                                       "C1CC1(C)-,=C",
                                       "[$([CX3](=O)[$(O),$(N)]);!R0]~c%12ccccc%12",
                                       "[13C&x2&v4&h1&D2:7]!@*#N",
                                       "[c,n;r5,r6]:[nH1]",
                                       "[2H+]Cl"};
    static const char letters[] = "C[]()=.123%$!&,;:#@~-+*AaHhXxRrvDcnON/";
    uint64_t draws = 1000;
    size_t n_read = 0, n_refused = 0;
    for (size_t k = 0; k < 6000; k++) {
        char text[200];
        rg_smarts *smarts = NULL;
        rg_error err = {""};
        const char *one = good[test_draw(&draws, 6)], *other = good[test_draw(&draws, 6)];
        size_t at = test_draw(&draws, (uint32_t)strlen(one)),
               from = test_draw(&draws, (uint32_t)strlen(other));
        if (k % 2)
            snprintf(text, sizeof text, "%.*s%s%s", (int)at, one, other + from, one + at);
        else
            snprintf(text, sizeof text, "%s", one);
        text[at] = letters[test_draw(&draws, sizeof letters - 1)];
        rg_status status = rg_smarts_parse(&smarts, text, strlen(text), 1, &err);
        if (status) {
            assert_true(status == RG_EUSAGE &&
                        strstr(err.message, "labels: column ") == err.message);
            n_refused++;
            continue;
        }
        n_read++;
        rg_text out = {0};
        rg_smarts_print(&out, smarts);
        rg_smarts_free(smarts);
        char *normal = rg_text_take(&out);
        smarts = parse(normal);
        rg_smarts_print(&out, smarts);
        char *again = rg_text_take(&out);
        assert_string_equal(again, normal);
        rg_smarts_free(smarts);
        rg_free(again);
        rg_free(normal);
    }
    assert_true(n_read > 300 && n_refused > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_have_a_normal_form),
        cmocka_unit_test(patterns_are_said_in_words),
        cmocka_unit_test(what_is_no_pattern_is_refused_with_its_column),
        cmocka_unit_test(mangled_texts_are_refused_or_have_a_normal_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
