/* test_smiles.c - SMILES texts: what they mean, which are refused and where. */
#include "molecules.h"

#include <stdio.h>

static void check(const char *smiles, const char *atoms, const char *bonds)
{
    test_reader t = {0};
    test_smiles_fine(&t, smiles);
    char *found = test_atoms(&t.m);
    assert_string_equal(found, atoms);
    rg_free(found);
    found = test_bonds(&t.m);
    assert_string_equal(found, bonds);
    rg_free(found);
    test_reader_free(&t);
}

static void atoms_and_bonds_are_those_of_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *smiles, *atoms, *bonds;
    } cases[] = {
        {"C", "C4", ""},
        {"CCO", "C3 C2 O1", "0-1 1-2"},
        {"C=C", "C2 C2", "0=1"},
        {"C#N", "C1 N0", "0#1"},
        {"[Rh-](Cl)(Cl)(Cl)(Cl)$[Rh-](Cl)(Cl)(Cl)Cl", "Rh0- Cl0 Cl0 Cl0 Cl0 Rh0- Cl0 Cl0 Cl0 Cl0",
         "0-1 0-2 0-3 0-4 0$5 5-6 5-7 5-8 5-9"},
        {"CC(C)(C)Br", "C3 C0 C3 C3 Br0", "0-1 1-2 1-3 1-4"},
        {"C1CC1", "C2 C2 C2", "0-1 0-2 1-2"},
        {"C=1CC1", "C1 C2 C1", "0-1 0=2 1-2"},
        {"C1CC=1", "C1 C2 C1", "0-1 0=2 1-2"},
        {"C%12CC%12", "C2 C2 C2", "0-1 0-2 1-2"},
        {"C%01CC1", "C2 C2 C2", "0-1 0-2 1-2"},
        {"C0CC0", "C2 C2 C2", "0-1 0-2 1-2"},
        {"C1.C1", "C3 C3", "0-1"},
        {"C12.C1.C2", "C2 C3 C3", "0-1 0-2"},
        {"C(.O)C", "C3 O2 C3", "0-2"},
        {"[Na+].[Cl-]", "Na0+ Cl0-", ""},
        {"*C", "*0 C3", "0-1"},
        {"[*H2]", "*2", ""},
        {"[13CH4]", "C4", ""},
        {"[Fe+++]", "Fe0+++", ""},
        {"[Fe+3]", "Fe0+++", ""},
        {"[O--]", "O0--", ""},
        {"[Sc]", "Sc0", ""},
        {"[Cn]", "Cn0", ""},
        {"OS(=O)(=O)O", "O1 S0 O0 O0 O1", "0-1 1=2 1=3 1-4"},
        {"CS(C)=O", "C3 S0 C3 O0", "0-1 1-2 1=3"},
        {"P", "P3", ""},
        {"BC", "B2 C3", "0-1"},
        {"I", "I1", ""},
        {"[CH2]", "C2", ""},
        {"[H]C([H])([H])[H]", "C4", ""},
        {"[H][H]", "H0 H0", "0-1"},
        {"[2H]C", "H0 C3", "0-1"},
        {"[H+]", "H0+", ""},
        {"[H]*", "H0 *0", "0-1"},
        {"c1ccccc1", "c1 c1 c1 c1 c1 c1", "0:1 0:5 1:2 2:3 3:4 4:5"},
        {"c:1:c:c:c:c:c1", "c1 c1 c1 c1 c1 c1", "0:1 0:5 1:2 2:3 3:4 4:5"},
        {"C1=CC=CC=C1", "c1 c1 c1 c1 c1 c1", "0:1 0:5 1:2 2:3 3:4 4:5"},
        {"n1ccccc1", "n0 c1 c1 c1 c1 c1", "0:1 0:5 1:2 2:3 3:4 4:5"},
        {"[nH]1cccc1", "n1 c1 c1 c1 c1", "0:1 0:4 1:2 2:3 3:4"},
        {"o1cccc1", "o0 c1 c1 c1 c1", "0:1 0:4 1:2 2:3 3:4"},
        {"[se]1cccc1", "se0 c1 c1 c1 c1", "0:1 0:4 1:2 2:3 3:4"},
        {"c1cc[nH+]cc1", "c1 c1 c1 n1+ c1 c1", "0:1 0:5 1:2 2:3 3:4 4:5"},
        {"O=c1cccc[nH]1", "O0 c0 c1 c1 c1 c1 n1", "0=1 1:2 1:6 2:3 3:4 4:5 5:6"},
        {"*1ccccc1", "*0 c1 c1 c1 c1 c1", "0:1 0:5 1:2 2:3 3:4 4:5"},
        {"C1=CC=CC=CC=C1", "C1 C1 C1 C1 C1 C1 C1 C1", "0=1 0-7 1-2 2=3 3-4 4=5 5-6 6=7"},
        {"O=C1C=CC(=O)C=C1", "O0 C0 C1 C1 C0 O0 C1 C1", "0=1 1-2 1-7 2=3 3-4 4=5 4-6 6=7"},
        {"[C-]1C=CC=C1", "C0- C1 C1 C1 C1", "0-1 0-4 1=2 2-3 3=4"},
        {"[CH-]1C=CC=C1", "c1- c1 c1 c1 c1", "0:1 0:4 1:2 2:3 3:4"},
        {"C1=C[CH+]C=CC=C1", "c1 c1 c1+ c1 c1 c1 c1", "0:1 0:6 1:2 2:3 3:4 4:5 5:6"},
        {"CN(=O)=O", "C3 N0+ O0- O0", "0-1 1-2 1=3"},
        {"CN=N#N", "C3 N0 N0+ N0-", "0-1 1=2 2=3"},
        {"OCl(=O)(=O)=O", "O1 Cl0+++ O0- O0- O0-", "0-1 1-2 1-3 1-4"},
        {"O=n1ccccc1", "O0- n0+ c1 c1 c1 c1 c1", "0-1 1:2 1:6 2:3 3:4 4:5 5:6"},
        {"F/C=C/F", "F0 C1 C1 F0", "0-1 1=2/ 2-3"},
        {"F/C=C\\F", "F0 C1 C1 F0", "0-1 1=2\\ 2-3"},
        {"F\\C=C\\F", "F0 C1 C1 F0", "0-1 1=2/ 2-3"},
        {"C(\\F)=C/F", "C1 F0 C1 F0", "0-1 0=2/ 2-3"},
        {"F/C=C(/F)Cl", "F0 C1 C0 F0 Cl0", "0-1 1=2/ 2-3 2-4"},
        {"F/C=C(\\Cl)F", "F0 C1 C0 Cl0 F0", "0-1 1=2\\ 2-3 2-4"},
        {"F/C=C(F)/Cl", "F0 C1 C0 F0 Cl0", "0-1 1=2\\ 2-3 2-4"},
        {"F\\\\C=C\\F", "F0 C1 C1 F0", "0-1 1=2/ 2-3"},
        {"F/C=CF", "F0 C1 C1 F0", "0-1 1=2 2-3"},
        {"C1CC/C=C/C1", "C2 C2 C2 C1 C1 C2", "0-1 0-5 1-2 2-3 3=4 4-5"},
        {"[H]/N=C/C", "H0 N0 C1 C3", "0-1 1=2/ 2-3"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check(cases[k].smiles, cases[k].atoms, cases[k].bonds);
}

static void brackets_say_everything(void **state)
{
    (void)state;
    test_reader t = {0};
    test_smiles_fine(&t, "[235U+2:17].[12C@@H](F)(Cl)Br.[Co@OH13](F)(F)(F)(F)(F)F.[C@AL2]");
    const rg_mol_atom *atom = t.m.atoms;
    assert_int_equal(atom[0].isotope, 235);
    assert_int_equal(atom[0].charge, 2);
    assert_int_equal(atom[0].map, 17);
    assert_int_equal(atom[1].isotope, 12);
    assert_int_equal(atom[1].hydrogens, 1);
    assert_int_equal(atom[5].chirality, RG_CHIRAL_OCTAHEDRON + 12);
    assert_int_equal(atom[12].chirality, RG_CHIRAL_ALLENE + 1);
    test_reader_free(&t);
}

static void wrong_texts_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *smiles;
        size_t at;
        const char *reason;
    } cases[] = {
        {"", 0, "found the end, expected an atom"},
        {"(C)", 0, "found '(', expected an atom"},
        {"=C", 0, "found '=', expected an atom"},
        {"1CC1", 0, "found '1', expected an atom"},
        {".C", 0, "found '.', expected an atom"},
        {"C.", 2, "found the end, expected an atom"},
        {"C..C", 2, "found '.', expected an atom"},
        {"C=", 2, "found the end, expected an atom"},
        {"C==C", 2, "found '=', expected an atom"},
        {"C=.C", 2, "found '.', expected an atom"},
        {"C=(C)", 2, "found '(', expected an atom"},
        {"C()C", 2, "found ')', expected an atom"},
        {"C((C))", 2, "found '(', expected an atom"},
        {"C(1CC1)", 2, "found '1', expected an atom"},
        {"C(=)C", 3, "found ')', expected an atom"},
        {"C)C", 1, "found ')', expected no ')' without a '(' before it"},
        {"CC(C", 2, "found '(' that is never closed, expected ')'"},
        {"C1CC", 1, "found ring 1 that is never closed, expected its second end"},
        {"CC%42C", 2, "found ring 42 that is never closed, expected its second end"},
        {"C11", 2, "found ring 1 closed at the atom that opens it, expected another atom"},
        {"C12CC12", 6, "found a second bond between two atoms, expected one at most"},
        {"C1C1", 3, "found a second bond between two atoms, expected one at most"},
        {"C=1CC#1", 5, "found '#' where ring 1 closes, expected '=' as where it opens"},
        {"C%1CC%1", 3, "found 'C', expected two digits behind '%'"},
        {"CX", 1, "found 'X', expected an atom, a bond, a ring number, a branch or '.'"},
        {"C C", 1, "found byte 32, expected an atom, a bond, a ring number, a branch or '.'"},
        {"[C", 2, "found the end, expected ']' behind the atom"},
        {"[]", 1, "found ']', expected an element, such as C, or *"},
        {"[Xx]", 1, "found 'X', expected an element, such as C, or *"},
        {"[C@@@H]", 4, "found '@', expected ']' behind the atom"},
        {"[C@TH3]", 5, "found another number behind @TH, expected 1 to 2"},
        {"[CH4+-]", 5, "found '-', expected ']' behind the atom"},
        {"[C+16]", 2, "found a charge beyond 15, expected one within"},
        {"[99999C]", 1, "found an isotope above 32767, expected one below"},
        {"[C:]", 3, "found ']', expected the number of an atom class"},
        {"[C:1234567890]", 3, "found an atom class of more than 9 digits"},
        {"c1cccc1", 2,
         "found an aromatic atom that can get no double bond: no alternating single and double "
         "bonds "
         "fit its rings"},
        {"Cc", 1, "found an aromatic atom outside a ring"},
        {"C:C", 0, "found an aromatic atom outside a ring"},
    };
    test_reader t = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_status status = test_smiles(&t, cases[k].smiles);
        if (status != RG_EDATA || t.fault.at != cases[k].at ||
            strcmp(t.fault.reason, cases[k].reason) != 0)
            fail_msg("'%s': status %d, at %zu: %s", cases[k].smiles, status, t.fault.at,
                     t.fault.reason);
    }
    test_reader_free(&t);
}

/* ---- five hundred by rule */

/* What a reader must find without looking at chemistry: balance and order alone. A second opinion,
 * by rules that look at the whole text several times, for texts of the letters below. */
static bool looks_fine(const char *text)
{
    int depth = 0;
    unsigned ring[10] = {0};
    char before = '(';
    for (const char *p = text; *p; p++) {
        char c = *p;
        bool atom_needed = before == '(' || before == '=' || before == '.';
        if (c == 'C') {
        } else if (c == '(') {
            if (atom_needed)
                return false;
            depth++;
        } else if (c == ')') {
            if (atom_needed || --depth < 0)
                return false;
        } else if (c >= '1' && c <= '3') {
            if ((before == '(' || before == '.') || p == text)
                return false;
            ring[c - '0']++;
        } else if (c == '=') {
            if (p == text || before == '=' || before == '.')
                return false;
        } else if (c == '.') {
            if (p == text || before == '=' || before == '.')
                return false;
        }
        before = c;
    }
    if (before == '(' || before == '=' || before == '.' || depth)
        return false;
    for (size_t k = 0; k < 10; k++)
        if (ring[k] % 2)
            return false;
    return true;
}

/* One byte dropped, doubled, exchanged with the next, or replaced. */
static void mangle(char *out, size_t size, const char *text, uint32_t kind, size_t at, char byte)
{
    size_t n = strlen(text);
    snprintf(out, size, "%s", text);
    if (kind == 0) {
        memmove(out + at, out + at + 1, n - at);
    } else if (kind == 1) {
        memmove(out + at + 1, out + at, n - at + 1);
    } else if (kind == 2 && at + 1 < n) {
        char c = out[at];
        out[at] = out[at + 1];
        out[at + 1] = c;
    } else {
        out[at] = byte;
    }
}

static void every_mangled_text_is_refused_with_a_place_or_read_as_its_grammar_says(void **state)
{
    (void)state;
    static const char *const good[] = {"CC(C)(C)C=C",    "C1CC(CC1)C=C.CC",  "C1CC2CCC1C2",
                                       "C=1CCC=1C(C)=C", "CC(C(C(C)C)C)C.C", "C12CC1C2(C)C"};
    static const char letters[] = "C()=.123";
    test_reader t = {0};
    unsigned n_refused = 0, n_read = 0;
    for (size_t g = 0; g < sizeof good / sizeof *good; g++)
        for (size_t at = 0; at < strlen(good[g]); at++)
            for (uint32_t kind = 0; kind < 3 + sizeof letters - 1; kind++) {
                char text[64];
                mangle(text, sizeof text, good[g], kind, at, letters[kind < 3 ? 0 : kind - 3]);
                rg_status status = test_smiles(&t, text);
                if (status) {
                    assert_int_equal(status, RG_EDATA);
                    assert_true(t.fault.at <= strlen(text) && *t.fault.reason);
                    /* bonds that are there twice, or that two ends call differently, are beyond the
                     * second opinion */
                    bool beyond = strstr(t.fault.reason, "second bond") ||
                                  strstr(t.fault.reason, "closes") ||
                                  strstr(t.fault.reason, "closed at") ||
                                  strstr(t.fault.reason, "more than") || strchr(text, '.');
                    if (!beyond && looks_fine(text))
                        fail_msg("'%s' is refused at %zu: %s", text, t.fault.at, t.fault.reason);
                    n_refused++;
                } else {
                    if (!looks_fine(text))
                        fail_msg("'%s' is read", text);
                    size_t n_atoms = 0;
                    for (const char *p = text; *p; p++)
                        n_atoms += *p == 'C';
                    assert_int_equal(t.m.n_atoms, n_atoms);
                    n_read++;
                }
            }
    assert_true(n_refused >= 300 && n_refused + n_read >= 500);
    test_reader_free(&t);
}

/* ---- sizes */

static char *repeat(const char *start, const char *part, size_t n, const char *end)
{
    size_t size = strlen(part);
    char *text = malloc(strlen(start) + n * size + strlen(end) + 1), *p = text;
    assert_non_null(text);
    p += sprintf(p, "%s", start);
    for (size_t k = 0; k < n; k++, p += size)
        memcpy(p, part, size);
    strcpy(p, end);
    return text;
}

static void long_and_deep_texts_are_read_without_recursion(void **state)
{
    (void)state;
    char *open = repeat("C", "(C", 10000, ""), *deep = repeat(open, ")", 10000, "");
    const struct {
        char *text;
        size_t n_atoms;
    } cases[] = {
        {repeat("", "C", 100000, ""), 100000},    {deep, 10001},
        {repeat("C1", "C", 99999, "1"), 100000},  {repeat("", "c1ccccc1", 12500, ""), 75000},
        {repeat("C1", "C=C", 30000, "1"), 60001},
    };
    test_reader t = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_smiles_fine(&t, cases[k].text);
        assert_int_equal(t.m.n_atoms, cases[k].n_atoms);
        free(cases[k].text);
    }
    free(open);
    test_reader_free(&t);
}

/* Rings in rings: as many rounds as one may think of must end, whatever the answer. */
static void tangled_rings_end_in_bounded_time(void **state)
{
    (void)state;
    rg_text text = {0};
    test_reader t = {0};
    for (unsigned k = 0; k < 300; k++) { /* a band of many rings, joined to itself far away */
        rg_text_add(&text, "C%%%02u", 10 + k % 90);
        if (k >= 90)
            rg_text_add(&text, "C%%%02u", 10 + (k * 37) % 90);
    }
    char *tangle = rg_text_take(&text);
    rg_status status = test_smiles(&t, tangle);
    assert_true(status == RG_OK || (status == RG_EDATA && *t.fault.reason));
    rg_free(tangle);
    test_reader_free(&t);
}

/* ---- memory */

static rg_status read_once(void *context, rg_error *err)
{
    (void)context;
    static const char *const texts[] = {"C12C3C4C1C5C2C3C45", "[H]C(F)(Cl)c1ccc2ccccc2c1.C%11CC%11",
                                        "C(C)(C(C)(C(C)C))N(=O)=O"};
    test_reader t = {0};
    rg_status status = RG_OK;
    for (size_t k = 0; k < 3 && !status; k++)
        status = test_smiles(&t, texts[k]);
    if (!status)
        status = rg_molecule_add_hydrogens(&t.m, &t.fault);
    if (status == RG_ENOMEM)
        snprintf(err->message, sizeof err->message, "out of memory");
    test_reader_free(&t);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(read_once, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atoms_and_bonds_are_those_of_the_text),
        cmocka_unit_test(brackets_say_everything),
        cmocka_unit_test(wrong_texts_are_refused_with_their_place),
        cmocka_unit_test(every_mangled_text_is_refused_with_a_place_or_read_as_its_grammar_says),
        cmocka_unit_test(long_and_deep_texts_are_read_without_recursion),
        cmocka_unit_test(tangled_rings_end_in_bounded_time),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
