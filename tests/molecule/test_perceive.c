/* test_perceive.c - what follows from a text, against slow twins and against other spellings. */
#include "molecules.h"

#include "base/random.h"

#include <stdio.h>

static uint32_t draw(uint64_t *index, uint32_t n)
{
    return rg_random_below(5, 7, (*index)++, n);
}

/* A random molecule of aromatic carbons and nitrogens, and wildcards, as graph and not as text. */
static void add_random(rg_molecule *m, uint64_t *index, uint32_t n, uint32_t n_extra, bool aromatic)
{
    rg_molecule_clear(m);
    m->has_aromatic = aromatic;
    for (uint32_t i = 0; i < n; i++) {
        rg_mol_atom *atom = rg_molecule_add_atom(m);
        assert_non_null(atom);
        atom->element = draw(index, 12) == 0 ? RG_WILDCARD : draw(index, 4) == 0 ? 7 : 6;
        atom->flags = RG_ATOM_FREE_HYDROGENS;
        if (aromatic && atom->element)
            atom->flags |= RG_ATOM_WRITTEN_AROMATIC;
    }
    for (uint32_t k = 0; k < n - 1 + n_extra; k++) {
        uint32_t a = k < n - 1 ? draw(index, k + 1) : draw(index, n),
                 b = k < n - 1 ? k + 1 : draw(index, n);
        bool there = a == b || m->atoms[a].n_bonds > 2 || m->atoms[b].n_bonds > 2;
        for (size_t e = 0; e < m->n_bonds && !there; e++)
            there = (m->bonds[e].a == a && m->bonds[e].b == b) ||
                    (m->bonds[e].a == b && m->bonds[e].b == a);
        if (there)
            continue;
        rg_mol_bond *bond = rg_molecule_add_bond(m, a, b);
        assert_non_null(bond);
        bond->order = 1;
        bond->flags = aromatic ? RG_BOND_WRITTEN_AROMATIC : 0;
    }
}

/* ---- bonds in rings: what stays connected without them */

static bool connected_without(const rg_molecule *m, uint32_t bond)
{
    bool seen[64] = {false}, grew = true;
    seen[m->bonds[bond].a] = true;
    while (grew) {
        grew = false;
        for (uint32_t k = 0; k < m->n_bonds; k++) {
            uint32_t a = m->bonds[k].a, b = m->bonds[k].b;
            if (k != bond && seen[a] != seen[b])
                seen[a] = seen[b] = grew = true;
        }
    }
    return seen[m->bonds[bond].b];
}

static void a_bond_is_in_a_ring_if_its_ends_hold_together_without_it(void **state)
{
    (void)state;
    rg_molecule m = {0};
    rg_mol_fault fault;
    uint64_t index = 0;
    for (int round = 0; round < 300; round++) {
        add_random(&m, &index, 2 + draw(&index, 20), draw(&index, 8), false);
        assert_int_equal(rg_molecule_connect(&m, &fault), RG_OK);
        assert_int_equal(rg_molecule_ring_bonds(&m), RG_OK);
        for (uint32_t k = 0; k < m.n_bonds; k++)
            assert_int_equal((m.bonds[k].flags & RG_BOND_IN_RING) != 0, connected_without(&m, k));
    }
    rg_molecule_free(&m);
}

/* The quick way along a text, against the walk that any molecule allows. */
static void ring_bonds_along_a_text_are_those_of_a_walk(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "C1CC1",          "C1CC1C2CC2",         "C12CC1C2", "CC(C1)CC1C",        "C1.C1",
        "C12(CC2)CC1",    "C1C2CC3CC1CC(C2)C3", "CCCC",     "C1CCC2(CC1)CC2.CC", "C1CC2CC1CC2",
        "C(CC1)(CC2)CC12"};
    test_reader t = {0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        uint8_t flags[64];
        assert_int_equal(rg_smiles_parse(&t.m, &t.reader, texts[k], strlen(texts[k]), &t.fault),
                         RG_OK);
        assert_int_equal(rg_molecule_connect(&t.m, &t.fault), RG_OK);
        assert_int_equal(t.m.is_tree, !strchr(texts[k], '.'));
        assert_int_equal(rg_molecule_ring_bonds(&t.m), RG_OK);
        for (size_t b = 0; b < t.m.n_bonds; b++) {
            flags[b] = t.m.bonds[b].flags;
            t.m.bonds[b].flags = 0;
        }
        t.m.is_tree = false;
        assert_int_equal(rg_molecule_ring_bonds(&t.m), RG_OK);
        for (size_t b = 0; b < t.m.n_bonds; b++)
            assert_int_equal(flags[b], t.m.bonds[b].flags);
    }
    test_reader_free(&t);
}

/* ---- rings: the quick way gives what comparing all sums gives */

static uint32_t ring_total(const rg_mol_rings *rings, size_t first)
{
    return rings->start[rings->n] - rings->start[first];
}

static void rings_by_bonds_are_those_by_sums(void **state)
{
    (void)state;
    rg_molecule m = {0};
    rg_mol_fault fault;
    uint64_t index = 0;
    for (int round = 0; round < 300; round++) {
        uint32_t n = 4 + draw(&index, 16), all[64];
        add_random(&m, &index, n, 1 + draw(&index, 6), false);
        assert_int_equal(rg_molecule_connect(&m, &fault), RG_OK);
        assert_int_equal(rg_molecule_ring_bonds(&m), RG_OK);
        assert_int_equal(rg_molecule_find_rings(&m, &fault), RG_OK);
        /* all ring atoms as if they were one system: parts only make independent rings more */
        size_t n_ring = 0, n_bonds = 0, n_parts = 0, n_found = m.rings.n;
        uint32_t total = n_found ? ring_total(&m.rings, 0) : 0;
        bool seen[64] = {false};
        for (uint32_t i = 0; i < n; i++)
            if (m.atoms[i].flags & RG_ATOM_RING)
                all[n_ring++] = i;
        for (uint32_t k = 0; k < m.n_bonds; k++)
            n_bonds += (m.bonds[k].flags & RG_BOND_IN_RING) != 0;
        for (size_t k = 0; k < n_ring; k++) {
            bool grew = !seen[all[k]];
            n_parts += grew;
            seen[all[k]] = true;
            while (grew) {
                grew = false;
                for (uint32_t b = 0; b < m.n_bonds; b++)
                    if (m.bonds[b].flags & RG_BOND_IN_RING &&
                        seen[m.bonds[b].a] != seen[m.bonds[b].b])
                        seen[m.bonds[b].a] = seen[m.bonds[b].b] = grew = true;
            }
        }
        if (n_parts != 1)
            continue;
        size_t n_rings = n_bonds - n_ring + 1;
        m.rings.n = 0;
        assert_int_equal(rg_molecule_list_rings(&m, all, n_ring, n_rings, 0), RG_OK);
        assert_int_equal(m.rings.n, n_found);
        assert_int_equal(ring_total(&m.rings, 0), total);
        assert_true(m.rings.n >= n_rings);
    }
    rg_molecule_free(&m);
}

static void rings_go_round(void **state)
{
    (void)state;
    static const struct {
        const char *smiles;
        size_t sizes[9]; /* how many rings of 3, 4, ... 11 atoms */
    } cases[] = {
        {"C1CC1", {1}},
        {"c1ccc2ccccc2c1", {0, 0, 0, 2}},
        {"C1CC2CCC1C2", {0, 0, 2}},
        {"C1CC2CCC1CC2", {0, 0, 0, 3}},       /* any two of them are enough */
        {"C12C3C4C1C5C2C3C45", {0, 6}},       /* cube: five are enough */
        {"C1C2CC3CC1CC(C2)C3", {0, 0, 0, 4}}, /* adamantane: three are enough */
        {"C1CC12CC2", {2}},
        {"C12CC1C2", {2}},
        {"C1CCCC2C1CCC3C2CCC4C3CCC4", {0, 0, 1, 3}},
        {"C1CCCCCCCCCC1", {0, 0, 0, 0, 0, 0, 0, 0, 1}},
    };
    test_reader t = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t sizes[9] = {0};
        test_smiles_fine(&t, cases[c].smiles);
        const rg_mol_rings *rings = &t.m.rings;
        for (size_t r = 0; r < rings->n; r++) {
            uint32_t first = rings->start[r], n = rings->start[r + 1] - first;
            assert_in_range(n, 3, 11);
            sizes[n - 3]++;
            for (uint32_t k = 0; k < n; k++) {
                const rg_mol_bond *bond = &t.m.bonds[rings->bonds[first + k]];
                uint32_t a = rings->atoms[first + k], b = rings->atoms[first + (k + 1) % n];
                assert_true((bond->a == a && bond->b == b) || (bond->a == b && bond->b == a));
            }
        }
        assert_memory_equal(sizes, cases[c].sizes, sizeof sizes);
    }
    test_reader_free(&t);
}

/* ---- Kekule structures */

/* Is there a choice of double bonds that gives one to every atom that needs it? Tries all. */
static bool can_match(const rg_molecule *m, const bool *needs, const bool *may, bool *used,
                      uint32_t i)
{
    while (i < m->n_atoms && (!needs[i] || used[i]))
        i++;
    if (i == m->n_atoms)
        return true;
    used[i] = true;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        uint32_t j = m->near[k].atom;
        if (!(m->bonds[m->near[k].bond].flags & RG_BOND_IN_RING) || used[j] || !may[j])
            continue;
        used[j] = true;
        if (can_match(m, needs, may, used, i + 1))
            return true;
        used[j] = false;
    }
    used[i] = false;
    return false;
}

static void double_bonds_are_found_exactly_where_there_are_some(void **state)
{
    (void)state;
    rg_molecule m = {0};
    rg_mol_fault fault;
    uint64_t index = 0;
    unsigned n_found = 0, n_refused = 0;
    for (int round = 0; round < 3000; round++) {
        bool needs[64] = {false}, may[64] = {false}, used[64] = {false}, outside = false;
        uint32_t n = 4 + draw(&index, 11);
        add_random(&m, &index, n, 2 + draw(&index, 6), true);
        assert_int_equal(rg_molecule_connect(&m, &fault), RG_OK);
        assert_int_equal(rg_molecule_ring_bonds(&m), RG_OK);
        rg_molecule_sum_bonds(&m);
        for (uint32_t i = 0; i < n; i++) {
            const rg_mol_atom *atom = &m.atoms[i];
            bool ring = atom->flags & RG_ATOM_RING;
            outside |= atom->element && !ring;
            /* a carbon of three bonds, a nitrogen of two; all of one bond are outside rings */
            needs[i] = ring && (atom->element == 6 || (atom->element == 7 && atom->n_bonds == 2));
            may[i] = needs[i] || (ring && !atom->element);
        }
        if (outside)
            continue;
        bool expected = can_match(&m, needs, may, used, 0);
        rg_status status = rg_molecule_kekulise(&m, &fault);
        assert_int_equal(status, expected ? RG_OK : RG_EDATA);
        n_found += expected;
        n_refused += !expected;
        for (uint32_t i = 0; i < n && expected; i++) {
            unsigned n_double = 0;
            for (uint32_t k = m.first[i]; k < m.first[i + 1]; k++)
                n_double += m.bonds[m.near[k].bond].order == 2;
            assert_true(n_double == needs[i] || (!needs[i] && may[i] && n_double == 1));
        }
    }
    assert_true(n_found > 30 && n_refused > 30);
    rg_molecule_free(&m);
}

static void both_spellings_are_one_molecule(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"c1ccccc1", "C1=CC=CC=C1"},
        {"c1ccc2ccccc2c1", "C1=CC=C2C=CC=CC2=C1"},
        {"c1ccc2ccccc2c1", "C1C=CC2=CC=CC=C2C=1"},
        {"[nH]1cccc1", "N1C=CC=C1"},
        {"Cn1cccc1", "CN1C=CC=C1"},
        {"c1cc2cccccc2c1", "C1=CC2=CC=CC=CC2=C1"},
        {"c1ccc(-c2ccccc2)cc1", "C1=CC=C(C2=CC=CC=C2)C=C1"},
        {"c1ccc(c2ccccc2)cc1", "C1=CC=C(C2=CC=CC=C2)C=C1"},
        {"O=c1cc[nH]cc1", "O=C1C=CNC=C1"},
        {"[O-][n+]1ccccc1", "O=N1=CC=CC=C1"},
        {"c1ccc2c(c1)[nH]c1ccccc12", "C1=CC=C2C(=C1)NC1=CC=CC=C12"},
        {"s1ccnc1", "S1C=CN=C1"},
        {"c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%"
         "10c5c5c1c1c6c6c%11"
         "c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41",
         "C12=C3C4=C5C6=C1C7=C8C9=C1C%10=C%11C(=C29)C3=C2C3=C4C4=C5C5=C9C6=C7C6=C7C8=C1C1=C8C%10=C%"
         "10C%11=C2C2"
         "=C3C3=C4C4=C5C5=C%11C%12=C(C6=C95)C7=C1C1=C%12C5=C%11C4=C3C3=C5C(=C81)C%10=C23"},
    };
    test_reader one = {0}, other = {0};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        test_smiles_fine(&one, pairs[k][0]);
        test_smiles_fine(&other, pairs[k][1]);
        char *a = test_atoms(&one.m), *b = test_atoms(&other.m);
        assert_string_equal(a, b);
        rg_free(a);
        rg_free(b);
        if (one.m.n_atoms == 60) /* buckminsterfullerene: another order of atoms */
            continue;
        a = test_bonds(&one.m);
        b = test_bonds(&other.m);
        assert_string_equal(a, b);
        rg_free(a);
        rg_free(b);
    }
    test_reader_free(&one);
    test_reader_free(&other);
}

/* ---- stereo */

/* The same centre, its neighbours in all orders of the text: one mark by numbers of atoms. Isotopes
 * tell the neighbours apart, and the parity of the order tells what has to come out. */
static void marks_of_centres_follow_the_order_of_atoms(void **state)
{
    (void)state;
    test_reader t = {0};
    for (unsigned code = 0; code < 256; code++) {
        unsigned order[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6}, seen = 0;
        bool odd = false;
        char text[128];
        for (unsigned k = 0; k < 4; k++)
            seen |= 1u << order[k];
        if (seen != 15)
            continue;
        for (unsigned p = 0; p < 4; p++)
            for (unsigned q = p + 1; q < 4; q++)
                odd ^= order[p] > order[q];
        /* rings close the neighbours in any order: digits 1 to 4 in the order that is tried */
        snprintf(text, sizeof text, "[F:1]1.[F:2]2.[F:3]3.[F:4]4.[C@]%u%u%u%u", order[0] + 1,
                 order[1] + 1, order[2] + 1, order[3] + 1);
        test_smiles_fine(&t, text);
        assert_int_equal(t.m.atoms[4].chirality,
                         odd ? RG_CHIRAL_CLOCKWISE : RG_CHIRAL_COUNTERCLOCKWISE);
    }
    test_reader_free(&t);
}

static void hydrogens_have_their_place_at_a_centre(void **state)
{
    (void)state;
    static const struct {
        const char *smiles;
        size_t atom;
        uint8_t chirality;
    } cases[] = {
        {"[C@](F)(Cl)(Br)I", 0, RG_CHIRAL_COUNTERCLOCKWISE},
        {"F[C@](Cl)(Br)I", 1, RG_CHIRAL_COUNTERCLOCKWISE},
        {"F[C@@](Cl)(Br)I", 1, RG_CHIRAL_CLOCKWISE},
        {"[C@H](F)(Cl)Br", 0, RG_CHIRAL_COUNTERCLOCKWISE},
        {"F[C@H](Cl)Br", 1, RG_CHIRAL_CLOCKWISE}, /* seen from F: H, Cl, Br; from H: F, Br, Cl */
        {"F[C@]([H])(Cl)Br", 1, RG_CHIRAL_CLOCKWISE},
        {"F[C@](Cl)([H])Br", 1, RG_CHIRAL_COUNTERCLOCKWISE},
        {"[H][C@](F)(Cl)Br", 0, RG_CHIRAL_COUNTERCLOCKWISE},
        {"C[C@H2]F", 1, RG_CHIRAL_NONE},
        {"C[C@]F", 1, RG_CHIRAL_NONE},
        {"C[S@](=O)CC", 1, RG_CHIRAL_CLOCKWISE},
    };
    test_reader t = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_smiles_fine(&t, cases[k].smiles);
        if (t.m.atoms[cases[k].atom].chirality != cases[k].chirality)
            fail_msg("'%s': found %u", cases[k].smiles, t.m.atoms[cases[k].atom].chirality);
    }
    test_reader_free(&t);
}

static void the_largest_part_of_a_salt_stays(void **state)
{
    (void)state;
    static const struct {
        const char *smiles, *atoms;
    } cases[] = {{"[Na+].CC(=O)[O-]", "C3 C0 O0 O0-"},
                 {"O.CC.O", "C3 C3"},
                 {"CC", "C3 C3"},
                 {"[Na+].[Cl-]", "Na0+"},
                 {"O.N", "N3"},
                 {"c1ccccc1.Cl.C[NH3+]", "c1 c1 c1 c1 c1 c1"}};
    test_reader t = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_smiles_fine(&t, cases[k].smiles);
        assert_int_equal(rg_molecule_keep_largest(&t.m, &t.fault), RG_OK);
        char *found = test_atoms(&t.m);
        assert_string_equal(found, cases[k].atoms);
        rg_free(found);
    }
    test_reader_free(&t);
}

static void hydrogens_become_atoms_on_demand(void **state)
{
    (void)state;
    test_reader t = {0};
    test_smiles_fine(&t, "C=O");
    assert_int_equal(rg_molecule_add_hydrogens(&t.m, &t.fault), RG_OK);
    char *atoms = test_atoms(&t.m), *bonds = test_bonds(&t.m);
    assert_string_equal(atoms, "C0 O0 H0 H0");
    assert_string_equal(bonds, "0=1 0-2 0-3");
    rg_free(atoms);
    rg_free(bonds);
    test_reader_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bond_is_in_a_ring_if_its_ends_hold_together_without_it),
        cmocka_unit_test(ring_bonds_along_a_text_are_those_of_a_walk),
        cmocka_unit_test(rings_by_bonds_are_those_by_sums),
        cmocka_unit_test(rings_go_round),
        cmocka_unit_test(double_bonds_are_found_exactly_where_there_are_some),
        cmocka_unit_test(both_spellings_are_one_molecule),
        cmocka_unit_test(marks_of_centres_follow_the_order_of_atoms),
        cmocka_unit_test(hydrogens_have_their_place_at_a_centre),
        cmocka_unit_test(the_largest_part_of_a_salt_stays),
        cmocka_unit_test(hydrogens_become_atoms_on_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
