/* test_smarts.c - patterns of atoms: known counts, a brute-force twin, budgets, memory. */
#include "base/alloc.h"
#include "base/error.h"
#include "count/pattern.h"
#include "format/texts.h"
#include "smarts/smarts.h"

#include <inttypes.h>
#include <stdio.h>

static const uint64_t plenty = (uint64_t)1 << 34;

static rg_dataset *read_smiles(const char *text)
{
    const text_file file = {"x.smi", text};
    rg_dataset *data = NULL;
    ASSERT_OK(read_texts(&data, &rg_format_smi, &file, 1, err));
    return data;
}

static rg_smarts *parse(const char *text)
{
    rg_smarts *smarts = NULL;
    ASSERT_OK(rg_smarts_parse(&smarts, text, strlen(text), 1, err));
    return smarts;
}

static rg_status count_once(int64_t *out, const rg_dataset *data, const char *smarts,
                            uint64_t budget, bool *capped, rg_error *err)
{
    rg_pattern pattern = {0};
    rg_status status = rg_pattern_smarts(&pattern, smarts, strlen(smarts), 1, err);
    rg_count_space *space = rg_count_space_new();
    if (!status)
        status = space ? RG_OK : rg_fail_memory(err, "a test");
    if (!status)
        status = rg_count_patterns(out, data, 0, &pattern, 1, true, budget, capped, space, err);
    rg_count_space_free(space);
    rg_pattern_free(&pattern);
    return status;
}

/* ---- known counts */

/* Occurrences through every atom, as one digit each. */
static void known_patterns_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *smarts, *smiles, *counts;
    } cases[] = {
        {"[N+](=O)[O-]", "C[N+](=O)[O-]", "0111"},
        {"[N+](=O)[O-]", "CN(=O)=O", "0111"},
        {"C=O", "CC(=O)O", "0110"},
        {"CC", "CCC", "121"},
        {"C-C", "CC=C", "110"},
        {"CC", "CC=C", "110"},
        {"C~C", "CC=C", "121"},
        {"C=,-C", "CC=C", "121"},
        {"C!-C", "CC=C", "011"},
        {"C#N", "CC#N", "011"},
        {"cc", "Cc1ccccc1", "0222222"},
        {"c:c", "Cc1ccccc1", "0222222"},
        {"c-c", "c1ccccc1-c1ccccc1", "000001100000"},
        {"c1ccccc1", "Cc1ccccc1", "0111111"},
        {"C1CCCCC1", "C1CCCCC1", "111111"},
        {"*1~*~*1", "C1CC1C", "1110"},
        {"a", "Cc1ccccc1", "0111111"},
        {"A", "Cc1ccccc1", "1000000"},
        {"*", "CO", "11"},
        {"[#6]", "Cc1ccncc1", "1111011"},
        {"[C,N]", "CNO", "110"},
        {"[!C]", "CNO", "011"},
        {"[C,N;!D1]", "CNO", "010"},
        {"[C;D1,D2]", "CC(C)CCO", "101110"},
        {"[CH3]", "CCO", "100"},
        {"[H2,H1]", "CCO", "011"},
        {"[h]", "CC(F)(F)F", "10000"},
        {"[D3]", "CC(C)O", "0100"},
        {"[D]", "CC(C)O", "1011"},
        {"[X4]", "CC=C", "100"},
        {"[v4]", "C=CO", "110"},
        {"[v3]", "c1ccncc1", "000100"},
        {"[v2]", "c1ccoc1", "00010"},
        {"[x2]", "C1CC1C", "1110"},
        {"[x3]", "C1CC2CCCC2C1", "00100010"},
        {"[x]", "C1CC1C", "1110"},
        {"[R]", "C1CC1C", "1110"},
        {"[R0]", "C1CC1C", "0001"},
        {"[r3]", "C1CC1C", "1110"},
        {"[r5]", "C1CC2CCCCC2C1", "111000011"},
        {"C@C", "C1CC1C", "2220"},
        {"C!@C", "C1CC1C", "0011"},
        {"[+]", "C[NH3+]", "01"},
        {"[-,+2]", "[O-].[Ca+2]", "11"},
        {"[+0]", "[O-]C", "01"},
        {"[13C]", "[13CH3]C", "10"},
        {"[2H]", "[2H]C", "10"},
        {"[H]", "[2H]C", "10"},
        {"[H4]", "[2H]C", "01"},
        {"[#1,Cl]", "[2H]CCl", "101"},
        {"[$(C=O)]", "CC(=O)C", "0100"},
        {"[!$(*=*)]", "CC(=O)C", "1001"},
        {"[$([CX3](=O)[$(O),$(N)])]C", "CC(=O)NC", "11000"},
        {"[O;$(*C=O)]", "CC(=O)OC", "00010"},
        {"O=C-[OH:7]", "CC(=O)O", "0111"},
        {"C(C)(C)C", "CC(C)C", "1111"},
        {"C%10CC%10", "C1CC1", "111"},
        {"C1=CCCCC=1", "C1=CCCCC1", "000000"},
        {"C=1CCCCC=1", "C1=CCCCC1", "111111"},
        {"[Cl]", "CCl", "01"},
        {"Cl", "CCl", "01"},
        {"[se]", "c1cc[se]c1", "00010"},
        {"CCCCCCCCC", "CC", "00"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t out[32] = {0};
        char found[33] = "";
        bool capped = false;
        rg_dataset *data = read_smiles(cases[k].smiles);
        ASSERT_OK(count_once(out, data, cases[k].smarts, plenty, &capped, err));
        for (size_t i = 0; i < rg_dataset_n_nodes(data); i++)
            found[i] = (char)('0' + out[i]);
        if (capped || strcmp(found, cases[k].counts) != 0)
            fail_msg("%s in %s: found %s, expected %s", cases[k].smarts, cases[k].smiles, found,
                     cases[k].counts);
        rg_dataset_free(data);
    }
}

/* ---- brute-force twin */

enum { TWIN_ATOMS = 16, TWIN_SETS = 4000 };

typedef struct smarts_twin {
    const rg_dataset *data;
    rg_graph graph;
    uint32_t map[RG_SMARTS_ATOMS], sets[TWIN_SETS];
    size_t n_sets;
} smarts_twin;

static int64_t column_of(const smarts_twin *t, uint32_t i, const char *name)
{
    for (size_t c = 0;; c++)
        if (strcmp(rg_dataset_column_name(t->data, RG_NODE_LABEL, c), name) == 0)
            return test_label_value(t->data, RG_NODE_LABEL, c, i);
}

/* 0: no bond. */
static int64_t bond_of(const smarts_twin *t, uint32_t i, uint32_t j)
{
    for (uint64_t k = t->graph.row[i]; k < t->graph.row[i + 1]; k++)
        if (t->graph.col[k] == j)
            return test_label_value(t->data, RG_EDGE_LABEL, 0, k);
    return 0;
}

/* Is there another way from i to j? By colouring what can be reached. */
static bool in_ring(const smarts_twin *t, uint32_t i, uint32_t j)
{
    uint32_t reached = 1u << i;
    for (uint32_t round = 0; round < t->graph.n_nodes; round++)
        for (uint32_t a = 0; a < t->graph.n_nodes; a++)
            for (uint32_t b = 0; b < t->graph.n_nodes; b++)
                if ((reached >> a & 1) && bond_of(t, a, b) && !(a == i && b == j) &&
                    !(a == j && b == i))
                    reached |= 1u << b;
    return reached >> j & 1;
}

static bool twin_lays(smarts_twin *t, const rg_smarts *s, unsigned p, bool first_only);

static bool twin_atom(smarts_twin *t, const rg_smarts *s, uint32_t i, const rg_smarts_term *term)
{
    int64_t element = column_of(t, i, "element"), aromatic = column_of(t, i, "aromatic"),
            degree = 0, rings = 0, hydrogens = column_of(t, i, "hydrogens"), v = term->value;
    for (uint32_t j = 0; j < t->graph.n_nodes; j++) {
        degree += bond_of(t, i, j) != 0;
        rings += bond_of(t, i, j) && in_ring(t, i, j);
    }
    switch ((rg_smarts_kind)term->kind) {
    case RG_SMARTS_ANY:
        return true;
    case RG_SMARTS_ALIPHATIC:
        return !aromatic;
    case RG_SMARTS_AROMATIC:
        return aromatic;
    case RG_SMARTS_ELEMENT:
        return element == v;
    case RG_SMARTS_ALIPHATIC_ELEMENT:
        return element == v && !aromatic;
    case RG_SMARTS_AROMATIC_ELEMENT:
        return element == v && aromatic;
    case RG_SMARTS_CHARGE:
        return column_of(t, i, "charge") == v;
    case RG_SMARTS_DEGREE:
        return degree == v;
    case RG_SMARTS_HYDROGENS:
        return hydrogens == v;
    case RG_SMARTS_CONNECTIONS:
        return degree + hydrogens == v;
    case RG_SMARTS_RING:
        return rings > 0;
    case RG_SMARTS_RING_BONDS:
        return rings == v;
    case RG_SMARTS_RING_SIZE:
        return column_of(t, i, "ring size") == v;
    case RG_SMARTS_PART: {
        smarts_twin part = {.data = t->data, .graph = t->graph};
        part.map[0] = i;
        return twin_lays(&part, s->parts[v], 0, true);
    }
    default:
        fail_msg("the twin does not know term %u", term->kind);
        return false;
    }
}

static bool twin_bond(smarts_twin *t, uint32_t i, uint32_t j, const rg_smarts_term *term)
{
    int64_t bond = bond_of(t, i, j);
    switch ((rg_smarts_kind)term->kind) {
    case RG_SMARTS_BOND_ANY:
        return true;
    case RG_SMARTS_BOND_RING:
        return in_ring(t, i, j);
    case RG_SMARTS_BOND_AROMATIC:
        return bond == 4;
    case RG_SMARTS_BOND_SINGLE:
        return bond == 1;
    case RG_SMARTS_BOND_DOUBLE:
        return bond == 2;
    default:
        return bond == 3;
    }
}

/* ';' splits first, then ',', then '&'. */
static bool twin_terms(smarts_twin *t, const rg_smarts *s, rg_smarts_terms terms, uint32_t i,
                       uint32_t j, bool bond)
{
    const rg_smarts_term *list = s->terms + terms.first;
    for (size_t k = 0; k < terms.n;) {
        bool any = false;
        for (bool more = true; more;) {
            bool all = true;
            for (bool on = true; on; k++) {
                bool is = bond ? twin_bond(t, i, j, &list[k]) : twin_atom(t, s, i, &list[k]);
                all &= is != list[k].negated;
                on = list[k].behind == '&';
            }
            any |= all;
            more = list[k - 1].behind == ',';
        }
        if (!any)
            return false;
    }
    return true;
}

/* Tries every atom in every place; a whole map is tested at once. */
static bool twin_is_right(smarts_twin *t, const rg_smarts *s)
{
    for (unsigned p = 0; p < s->n_atoms; p++) {
        for (unsigned q = 0; q < p; q++)
            if (t->map[p] == t->map[q])
                return false;
        if (!twin_terms(t, s, s->atoms[p], t->map[p], 0, false))
            return false;
    }
    for (size_t k = 0; k < s->n_bonds; k++) {
        uint32_t i = t->map[s->bonds[k].a], j = t->map[s->bonds[k].b];
        int64_t bond = bond_of(t, i, j);
        if (!bond || (!s->bonds[k].terms.n && bond != 1 && bond != 4) ||
            !twin_terms(t, s, s->bonds[k].terms, i, j, true))
            return false;
    }
    return true;
}

static bool twin_lays(smarts_twin *t, const rg_smarts *s, unsigned p, bool first_only)
{
    if (p == s->n_atoms) {
        uint32_t set = 0;
        if (!twin_is_right(t, s))
            return false;
        for (unsigned q = 0; q < p; q++)
            set |= 1u << t->map[q];
        for (size_t k = 0; k < t->n_sets; k++)
            if (t->sets[k] == set)
                return true;
        assert_true(t->n_sets < TWIN_SETS);
        t->sets[t->n_sets++] = set;
        return true;
    }
    bool found = false;
    if (p == 0 && first_only)
        return twin_lays(t, s, 1, true);
    for (uint32_t i = 0; i < t->graph.n_nodes; i++) {
        t->map[p] = i;
        found |= twin_lays(t, s, p + 1, first_only);
    }
    return found;
}

static const char *const twin_atoms[] = {
    "C",      "c",       "*",        "A",        "a",        "[#6]",    "[N,O]",
    "[!C]",   "[D2,D3]", "[R]",      "[x2;H1]",  "[+0]",     "[X3]",    "[#6;r5,r6]",
    "[!R&C]", "[O-]",    "[$(*=O)]", "[!$(*C)]", "[c,n;D2]", "[H2,H3]", "[x3]"};
static const char *const twin_bonds[] = {"", "", "", "~", "-", "=", ":", "@", "!@", "-,=", "!:;!#"};
static const char *const twin_molecules[] = {"CC(=O)[O-]", "C1CC1C=O",         "c1ccoc1C",
                                             "CC(=O)NC",   "c1ccc2[nH]ccc2c1", "C1CC2CC1C2",
                                             "OC#CC=C",    "[NH3+]CC(O)=O"};

static void draw_pattern(char *out, size_t size, uint64_t *draws)
{
    uint32_t n = 1 + test_draw(draws, 4), open = 0;
    bool ring = n > 2 && test_draw(draws, 3) == 0;
    *out = '\0';
    for (uint32_t p = 0; p < n; p++) {
        const char *bond = twin_bonds[test_draw(draws, sizeof twin_bonds / sizeof *twin_bonds)];
        bool branch = p && !ring && p + 1 < n && test_draw(draws, 3) == 0;
        size_t at = strlen(out);
        snprintf(out + at, size - at, "%s%s%s%s", branch ? "(" : "", p ? bond : "",
                 twin_atoms[test_draw(draws, sizeof twin_atoms / sizeof *twin_atoms)],
                 ring && (p == 0 || p + 1 == n) ? "1" : "");
        open += branch;
    }
    for (; open; open--)
        strcat(out, ")");
}

static void counts_are_those_of_trying_all_maps(void **state)
{
    (void)state;
    uint64_t draws = 0;
    size_t found = 0;
    for (size_t k = 0; k < 100; k++) {
        char text[200];
        int64_t fast[TWIN_ATOMS] = {0}, slow[TWIN_ATOMS] = {0};
        bool capped = false;
        rg_dataset *data =
            read_smiles(twin_molecules[k % (sizeof twin_molecules / sizeof *twin_molecules)]);
        draw_pattern(text, sizeof text, &draws);
        smarts_twin t = {.data = data, .graph = rg_dataset_graph(data, 0)};
        rg_smarts *smarts = parse(text);
        ASSERT_OK(count_once(fast, data, text, plenty, &capped, err));
        twin_lays(&t, smarts, 0, false);
        for (size_t s = 0; s < t.n_sets; s++)
            for (uint32_t i = 0; i < t.graph.n_nodes; i++)
                slow[i] += t.sets[s] >> i & 1;
        found += t.n_sets > 0;
        for (uint32_t i = 0; i < t.graph.n_nodes; i++)
            if (fast[i] != slow[i])
                fail_msg("%s, atom %u of molecule %zu: found %" PRId64 ", expected %" PRId64, text,
                         i, k, fast[i], slow[i]);
        rg_smarts_free(smarts);
        rg_dataset_free(data);
    }
    if (found < 15) /* they must not agree on nothing */
        fail_msg("%zu patterns were found, expected 15", found);
}

/* ---- limits */

static void patterns_over_the_budget_are_capped_for_all_atoms(void **state)
{
    (void)state;
    static const struct {
        uint64_t budget;
        bool capped;
    } cases[] = {{plenty, false}, {100, true}, {3, true}};
    rg_dataset *data = read_smiles("CC(C)(C)CC(C)(C)CC(C)(C)C");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t out[16] = {0};
        bool capped = false;
        ASSERT_OK(count_once(out, data, "*~*~*~*~*[$(C(C)C)]", cases[k].budget, &capped, err));
        assert_int_equal(capped, cases[k].capped);
        for (size_t i = 0; capped && i < rg_dataset_n_nodes(data); i++)
            assert_true(out[i] == RG_CAPPED);
    }
    rg_dataset_free(data);
}

static void sets_of_other_graphs_are_refused(void **state)
{
    (void)state;
    const text_file file = {"x.g6", "C~\n"};
    rg_dataset *data = NULL;
    ASSERT_OK(read_texts(&data, &rg_format_graph6, &file, 1, err));
    ASSERT_REFUSED(rg_pattern_check_molecules(data, err), RG_EDATA, "expected molecules");
    rg_dataset_free(data);
}

static rg_status sweep_once(void *context, rg_error *err)
{
    int64_t out[32] = {0};
    bool capped = false;
    return count_once(out, context, "[$([#6]=O);r5,v4]~[!$(*[x3])]", plenty, &capped, err);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    rg_dataset *data = read_smiles("CC(=O)c1ccoc1");
    assert_true(test_allocation_sweep(sweep_once, data) > 10);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_patterns_are_counted),
        cmocka_unit_test(counts_are_those_of_trying_all_maps),
        cmocka_unit_test(patterns_over_the_budget_are_capped_for_all_atoms),
        cmocka_unit_test(sets_of_other_graphs_are_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
