/* test_smiles_write.c - SMILES as they are written: canonical, and read back as the same molecule. */
#include "molecules.h"

#include "base/random.h"
#include "molecule/canon.h"

#include <stdio.h>
#include <time.h>

/* Owned (rg_free). */
static char *write_smiles(rg_molecule *m, bool kekule)
{
    rg_text text = {0};
    rg_mol_fault fault = {0};
    const rg_smiles_style style = {.kekule = kekule};
    if (rg_smiles_write(&text, m, &style, &fault))
        fail_msg("not written: %s", fault.reason);
    rg_text_add(&text, "%s", "");
    return rg_text_take(&text);
}

static char *rewrite(const char *smiles, bool kekule)
{
    test_reader t = {0};
    test_smiles_fine(&t, smiles);
    char *text = write_smiles(&t.m, kekule);
    test_reader_free(&t);
    return text;
}

static void texts_are_as_chemists_write_them(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        /* as read, as written, as a Kekule structure */
        {"OCC", "CCO", "CCO"},
        {"C1=CC=CC=C1", "c1ccccc1", "C=1C=CC=CC1"},
        {"O=C(O)c1ccccc1OC(C)=O", "CC(=O)Oc1ccccc1C(=O)O", "CC(=O)OC=1C=CC=CC1C(=O)O"},
        {"C1=CNC=C1", "c1ccc[nH]1", "C1=CC=CN1"},
        {"c1ccccc1-c1ccccc1", "c1ccccc1-c1ccccc1", NULL},
        {"CN(=O)=O", "C[N+]([O-])=O", NULL},
        {"[Cl-].[NH4+]", "[NH4+].[Cl-]", NULL},
        {"[13CH4]", "[13CH4]", NULL},
        {"[H][H]", "[H][H]", NULL},
        {"[CH3]", "[CH3]", NULL},
        {"*1***1", "*-1-*-*-*1", NULL},
        {"*c1ccccc1", "*-c1ccccc1", NULL},
        {"[Rh-](Cl)$[Rh-]Cl", "Cl[Rh-]$[Rh-]Cl", NULL},
        {"C\\C=C/C", "C/C=C\\C", NULL},
        {"F/C=C/C=C/C", "C/C=C/C=C/F", NULL},
        {"C(\\C)=C(/F)Cl", "C/C=C(/F)Cl", NULL},
        {"N[C@@H](C)C(=O)O", "C[C@H](N)C(=O)O", NULL},
        {"[se]1cccc1", "c1ccc[se]1", "C1=CC=C[Se]1"},
        {"CC(=O)/N=c\\1/n(nc(s1)S(=O)(=O)N)C", "Cn1nc(S(N)(=O)=O)s/c1=N\\C(C)=O", NULL},
        {"[H]/N=C/C", "C/C=N/[H]", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t kind = 0; kind < 2; kind++) {
            const char *expected = cases[k][1 + kind];
            char *text = rewrite(cases[k][0], kind);
            if (expected)
                assert_string_equal(text, expected);
            rg_free(text);
        }
}

/* Molecules for all that follows: stereo, symmetry, cages, regular graphs that refinement alone does
 * not tell apart. */
static const char *const molecules[] = {
    "C",
    "CC(C)(C)C",
    "C[C@H](F)[C@@H](F)C",
    "C[C@H](F)[C@H](F)C",
    "F/C=C/C=C\\C=C/F",
    "O[C@H]1[C@H](O)[C@@H](O)[C@H](O)[C@H](O)[C@@H]1O",
    "C12C3C4C1C5C2C3C45",
    "C1CC2CC1C2.C1CC1.C1CC1",
    "c1ccc2c(c1)c1ccccc1c1ccccc21",
    "C1CC1.C1CCC1.C1CC1",
    "C[S@](=O)c1ccccc1",
    "C[N+](C)(C)C.[O-]Cl(=O)(=O)=O",
    "[2H]C([2H])([2H])C",
    "CN1CC[C@]23c4c5ccc(O)c4O[C@H]2[C@@H](O)C=C[C@H]3[C@H]1C5",
    "C/C(F)=C(\\C)/C(/C)=C(F)/C",
    "C1CC/C=C/CCC1",
    "N[C@@]1(C)CC[C@](N)(C)CC1",
    "C1CCC2(C1)CCCC2",
    "C12C3C1C1C2C31",
    "OC(=O)c1cc(cc(c1)C(O)=O)C(O)=O",
    ("C12=C3C4=C5C6=C1C7=C8C9=C1C%10=C%11C(=C29)C3=C2C3=C4C4=C5C5=C9C6=C7C6=C7C8=C1C1=C8C%10="
     "C%10C%11=C2C2=C3C3=C4C4=C5C5=C%11C%12=C(C6=C95)C7=C1C1=C%12C5=C%11C4=C3C3=C5C(=C81)C%10="
     "C23")};

enum { N_MOLECULES = sizeof molecules / sizeof *molecules };

/* The same molecule with its atoms in another order, which marks and sides follow. */
static void shuffle(rg_molecule *m, uint64_t seed)
{
    size_t n = m->n_atoms;
    uint32_t *rank = rg_alloc(n, sizeof *rank);
    rg_mol_atom *atoms = rg_alloc(n, sizeof *atoms);
    rg_mol_fault fault;
    for (uint32_t i = 0; i < n; i++)
        rank[i] = i;
    rg_random_shuffle(seed, 0, rank, n);
    for (uint32_t i = 0; i < n; i++) {
        atoms[rank[i]] = m->atoms[i];
        atoms[rank[i]].chirality = (uint8_t)rg_molecule_mark(m, i, rank);
    }
    for (uint32_t k = 0; k < m->n_bonds; k++)
        m->bonds[k].stereo = (uint8_t)rg_molecule_side(m, k, rank);
    for (uint32_t k = 0; k < m->n_bonds; k++) {
        uint32_t a = rank[m->bonds[k].a], b = rank[m->bonds[k].b];
        m->bonds[k].a = k % 2 ? a : b;
        m->bonds[k].b = k % 2 ? b : a;
    }
    memcpy(m->atoms, atoms, n * sizeof *atoms);
    assert_int_equal(rg_molecule_connect(m, &fault), RG_OK);
    rg_free(rank);
    rg_free(atoms);
}

static void texts_do_not_depend_on_the_order_of_atoms(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_MOLECULES; k++) {
        char *first = rewrite(molecules[k], false);
        for (uint64_t seed = 0; seed < 12; seed++) {
            test_reader t = {0};
            test_smiles_fine(&t, molecules[k]);
            shuffle(&t.m, seed);
            char *text = write_smiles(&t.m, false);
            assert_string_equal(text, first);
            rg_free(text);
            test_reader_free(&t);
        }
        rg_free(first);
    }
}

static void what_is_written_reads_back_as_the_same(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_MOLECULES; k++) {
        char *first = rewrite(molecules[k], false), *again = rewrite(first, false);
        char *kekule = rewrite(molecules[k], true), *from_kekule = rewrite(kekule, false);
        assert_string_equal(again, first);
        assert_string_equal(from_kekule, first);
        rg_free(first);
        rg_free(again);
        rg_free(kekule);
        rg_free(from_kekule);
    }
}

/* Molecules that differ only in stereo are not the same: D and L, cis and trans, meso and not. */
static void stereo_is_kept_apart(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"N[C@@H](C)C(=O)O", "N[C@H](C)C(=O)O"},
        {"F/C=C/F", "F/C=C\\F"},
        {"C[C@H](F)[C@@H](F)C", "C[C@H](F)[C@H](F)C"},
        {"F/C=C/C=C/F", "F/C=C/C=C\\F"},
        {"C1C[C@@H](C)CC[C@@H]1C", "C1C[C@@H](C)CC[C@H]1C"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char *one = rewrite(pairs[k][0], false), *other = rewrite(pairs[k][1], false);
        assert_string_not_equal(one, other);
        rg_free(one);
        rg_free(other);
    }
}

/* The twin: of all orders of the atoms, the one whose bonds come first. */
static bool next_order(uint32_t *order, uint32_t n)
{
    uint32_t i = n - 1, j = n - 1;
    while (i > 0 && order[i - 1] >= order[i])
        i--;
    if (i == 0)
        return false;
    while (order[j] <= order[i - 1])
        j--;
    uint32_t spare = order[i - 1];
    order[i - 1] = order[j];
    order[j] = spare;
    for (uint32_t p = i, q = n - 1; p < q; p++, q--) {
        spare = order[p];
        order[p] = order[q];
        order[q] = spare;
    }
    return true;
}

enum { TWIN_MAX = 7, TWIN_CODE = TWIN_MAX * TWIN_MAX };

static void twin_code(uint8_t best[TWIN_CODE], const rg_molecule *m)
{
    uint32_t n = (uint32_t)m->n_atoms, rank[TWIN_MAX];
    memset(best, 0xff, TWIN_CODE);
    for (uint32_t i = 0; i < n; i++)
        rank[i] = i;
    do {
        uint8_t code[TWIN_CODE] = {0};
        for (uint32_t i = 0; i < n; i++)
            code[rank[i] * TWIN_MAX + rank[i]] = m->atoms[i].element;
        for (size_t k = 0; k < m->n_bonds; k++) {
            uint32_t a = rank[m->bonds[k].a], b = rank[m->bonds[k].b];
            code[a * TWIN_MAX + b] = code[b * TWIN_MAX + a] =
                (uint8_t)rg_mol_bond_label(&m->bonds[k]);
        }
        if (memcmp(code, best, TWIN_CODE) < 0)
            memcpy(best, code, TWIN_CODE);
    } while (next_order(rank, n));
}

/* Random small molecules: equal texts where brute force finds them equal, and only there. */
static void texts_agree_with_all_orders_tried(void **state)
{
    (void)state;
    enum { N = 60 };
    static uint8_t codes[N][TWIN_CODE];
    char *texts[N];
    for (unsigned k = 0; k < N; k++) {
        test_reader t = {0};
        rg_mol_fault fault;
        uint32_t n = 4 + rg_random_below(k, 0, 0, 2);
        for (uint32_t i = 0; i < n; i++) {
            rg_mol_atom *atom = rg_molecule_add_atom(&t.m);
            atom->element = rg_random_below(k, 1, i, 4) ? 6 : 8;
            if (i > 0)
                rg_molecule_add_bond(&t.m, rg_random_below(k, 2, i, i), i)->order = 1;
        }
        if (rg_random_below(k, 3, 0, 2))
            rg_molecule_add_bond(&t.m, 0, n - 1)->order = 1;
        if (rg_molecule_connect(&t.m, &fault)) { /* the bond was there */
            t.m.n_bonds--;
            t.m.atoms[0].n_bonds--;
            t.m.atoms[n - 1].n_bonds--;
            assert_int_equal(rg_molecule_connect(&t.m, &fault), RG_OK);
        }
        twin_code(codes[k], &t.m);
        texts[k] = write_smiles(&t.m, false);
        test_reader_free(&t);
    }
    size_t n_equal = 0;
    for (unsigned j = 0; j < N; j++)
        for (unsigned k = 0; k < j; k++) {
            bool same = memcmp(codes[j], codes[k], TWIN_CODE) == 0;
            n_equal += same;
            assert_int_equal(strcmp(texts[j], texts[k]) == 0, same);
        }
    assert_true(n_equal > 20);
    for (unsigned k = 0; k < N; k++)
        rg_free(texts[k]);
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A chain of n pieces. Owned (rg_free). */
static char *chain(const char *before, const char *piece, const char *after, size_t n)
{
    rg_text text = {0};
    rg_text_add(&text, "%s", before);
    for (size_t k = 0; k < n; k++)
        rg_text_add(&text, "%s", piece);
    rg_text_add(&text, "%s", after);
    return rg_text_take(&text);
}

static void long_molecules_are_written_in_bounded_time(void **state)
{
    (void)state;
    static const struct {
        const char *piece;
        size_t n;
        bool nested;
    } cases[] = {{"C", 100000, false},
                 {"C(C)(C)", 30000, false},
                 {"C(", 10000, true},
                 {"C1CC1", 20000, false},
                 {"O.", 50000, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double start = seconds();
        char *close = chain("C", ")", "", cases[k].nested ? cases[k].n : 0);
        char *text = chain("", cases[k].piece, close, cases[k].n);
        char *written = rewrite(text, false), *again = rewrite(written, false);
        assert_string_equal(written, again);
        rg_free(written);
        rg_free(again);
        rg_free(text);
        rg_free(close);
        if (seconds() - start > 60) /* some tenths, without sanitizers */
            fail_msg("%s: %.1f s", cases[k].piece, seconds() - start);
    }
}

static void what_has_no_text_is_refused(void **state)
{
    (void)state;
    /* 150 rings that are all open at once: a ladder whose rungs join far ends */
    test_reader t = {0};
    rg_mol_fault fault;
    rg_text text = {0};
    const rg_smiles_style style = {0};
    for (uint32_t i = 0; i < 300; i++) {
        rg_molecule_add_atom(&t.m)->element = 6;
        if (i)
            rg_molecule_add_bond(&t.m, i - 1, i)->order = 1;
    }
    for (uint32_t i = 0; i < 148; i++)
        rg_molecule_add_bond(&t.m, i, i + 150)->order = 1;
    assert_int_equal(rg_molecule_connect(&t.m, &fault), RG_OK);
    rg_status status = rg_smiles_write(&text, &t.m, &style, &fault);
    if (status) {
        assert_int_equal(status, RG_EDATA);
        assert_string_equal(fault.reason, "found more than 99 rings open at once, expected fewer");
    }
    rg_text_drop(&text);
    test_reader_free(&t);
}

static rg_status write_once(void *context, rg_error *err)
{
    test_reader t = {0};
    rg_text text = {0};
    const rg_smiles_style style = {0};
    const char *smiles = context;
    rg_status status = test_smiles(&t, smiles);
    if (!status)
        status = rg_smiles_write(&text, &t.m, &style, &t.fault);
    if (status)
        snprintf(err->message, sizeof err->message, "out of memory");
    rg_text_drop(&text);
    test_reader_free(&t);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    char smiles[] = "C[C@H](F)/C=C/c1ccc(cc1)C(C)(C)C";
    assert_true(test_allocation_sweep(write_once, smiles) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_as_chemists_write_them),
        cmocka_unit_test(texts_do_not_depend_on_the_order_of_atoms),
        cmocka_unit_test(what_is_written_reads_back_as_the_same),
        cmocka_unit_test(stereo_is_kept_apart),
        cmocka_unit_test(texts_agree_with_all_orders_tried),
        cmocka_unit_test(long_molecules_are_written_in_bounded_time),
        cmocka_unit_test(what_has_no_text_is_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
