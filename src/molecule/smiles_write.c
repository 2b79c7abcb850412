/* smiles_write.c - a molecule as SMILES, see rg_smiles_write. */
#include "element.h"
#include "perceive.h"
#include "smiles_out.h"

#include "base/alloc.h"

#include <string.h>

/* ---- the walk */

/* Neighbours by rank, then as they are written: those with less behind them first. */
static void sort_near(rg_smiles_out *s, uint32_t i, bool by_weight)
{
    const rg_molecule *m = s->m;
    rg_mol_near *list = s->near + m->first[i];
    uint32_t n = m->first[i + 1] - m->first[i];
    for (uint32_t k = 1; k < n; k++) {
        rg_mol_near item = list[k];
        uint32_t at = k;
        for (; at > 0; at--) {
            uint32_t a = list[at - 1].atom, b = item.atom;
            bool before =
                by_weight ? s->parent[a] == i && s->parent[b] == i && s->weight[a] > s->weight[b]
                          : s->rank[a] > s->rank[b];
            if (!before)
                break;
            list[at] = list[at - 1];
        }
        list[at] = item;
    }
}

/* In depth first; stack: atoms on the way, weight: how many of their neighbours were looked at. */
static uint32_t walk_part(rg_smiles_out *s, uint32_t start, uint32_t n)
{
    const rg_molecule *m = s->m;
    uint32_t depth = 0;
    s->stack[depth++] = start;
    s->parent[start] = RG_NO_ATOM;
    s->visit[start] = n;
    s->walk[n++] = start;
    while (depth > 0) {
        uint32_t i = s->stack[depth - 1], k = m->first[i] + s->weight[i];
        if (k == m->first[i + 1]) {
            depth--;
            continue;
        }
        s->weight[i]++;
        uint32_t j = s->near[k].atom;
        if (s->visit[j] != RG_NO_ATOM)
            continue;
        s->parent[j] = i;
        s->visit[j] = n;
        s->walk[n++] = j;
        s->stack[depth++] = j;
    }
    return n;
}

static void make_walk(rg_smiles_out *s)
{
    const rg_molecule *m = s->m;
    uint32_t n = (uint32_t)m->n_atoms, met = 0;
    uint32_t *by_rank = s->stack + n;
    memcpy(s->near, m->near, 2 * m->n_bonds * sizeof *s->near);
    for (uint32_t i = 0; i < n; i++) {
        s->visit[i] = RG_NO_ATOM;
        s->weight[i] = 0;
        sort_near(s, i, false);
    }
    for (uint32_t i = 0; i < n; i++)
        by_rank[s->rank[i]] = i;
    for (uint32_t p = 0; p < n; p++)
        if (s->visit[by_rank[p]] == RG_NO_ATOM)
            met = walk_part(s, by_rank[p], met);
    for (uint32_t p = 0; p < n; p++)
        s->weight[p] = 1;
    for (uint32_t p = n; p-- > 0;)
        if (s->parent[s->walk[p]] != RG_NO_ATOM)
            s->weight[s->parent[s->walk[p]]] += s->weight[s->walk[p]];
    for (uint32_t i = 0; i < n; i++)
        sort_near(s, i, true);
}

/* ---- atoms */

static const char *aromatic_symbol(unsigned element)
{
    switch (element) {
    case 5:
        return "b";
    case 6:
        return "c";
    case 7:
        return "n";
    case 8:
        return "o";
    case 14:
        return "si";
    case 15:
        return "p";
    case 16:
        return "s";
    case 33:
        return "as";
    case 34:
        return "se";
    case 52:
        return "te";
    default:
        return NULL;
    }
}

static bool is_organic(unsigned element, bool aromatic)
{
    switch (element) {
    case 5:
    case 6:
    case 7:
    case 8:
    case 15:
    case 16:
        return true;
    case RG_WILDCARD:
    case 9:
    case 17:
    case 35:
    case 53:
        return !aromatic;
    default:
        return false;
    }
}

/* Hydrogens that a reader gives to the symbol alone. Of an aromatic atom one bond becomes double, if
 * its valence has room for it. */
static unsigned implied(const rg_mol_atom *atom, bool aromatic)
{
    if (atom->element == RG_WILDCARD)
        return 0;
    rg_mol_atom bare = *atom;
    bare.radicals = bare.valence = 0;
    unsigned missing = rg_molecule_missing(&bare);
    return aromatic && missing ? missing - 1 : missing;
}

/* @ or @@ for the neighbours as they are written: parent, hydrogen, rings, branches. */
static const char *mark_of(const rg_smiles_out *s, uint32_t i)
{
    const rg_molecule *m = s->m;
    const rg_mol_atom *atom = &m->atoms[i];
    uint32_t list[4], n = 0;
    bool odd = false;
    if ((atom->chirality != RG_CHIRAL_CLOCKWISE && atom->chirality != RG_CHIRAL_COUNTERCLOCKWISE) ||
        atom->n_bonds < 3 || atom->n_bonds > 4)
        return "";
    if (s->parent[i] != RG_NO_ATOM)
        list[n++] = rg_molecule_is_bare(&m->atoms[s->parent[i]]) ? 0 : s->parent[i] + 1;
    if (atom->n_bonds == 3)
        list[n++] = 0;
    for (int step = 0; step < 3; step++)
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            uint32_t j = s->near[k].atom;
            int kind = s->parent[j] == i ? 2 : s->visit[j] < s->visit[i] ? 0 : 1;
            if (kind == step && j != s->parent[i])
                list[n++] = rg_molecule_is_bare(&m->atoms[j]) ? 0 : j + 1;
        }
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t q = p + 1; q < n; q++)
            odd ^= list[p] > list[q];
    return (atom->chirality == RG_CHIRAL_COUNTERCLOCKWISE) != odd ? "@" : "@@";
}

static void write_atom(const rg_smiles_out *s, uint32_t i, rg_text *out)
{
    const rg_mol_atom *atom = &s->m->atoms[i];
    bool aromatic = !s->kekule && atom->flags & RG_ATOM_AROMATIC && atom->element != RG_WILDCARD;
    const char *symbol =
        aromatic ? aromatic_symbol(atom->element) : rg_element_symbol(atom->element);
    const char *mark = mark_of(s, i);
    if (is_organic(atom->element, aromatic) && !atom->charge && !atom->isotope && !*mark &&
        atom->hydrogens == implied(atom, aromatic)) {
        rg_text_add(out, "%s", symbol);
        return;
    }
    rg_text_add(out, "[");
    if (atom->isotope)
        rg_text_add(out, "%u", atom->isotope);
    rg_text_add(out, "%s%s", symbol, mark);
    if (atom->hydrogens)
        rg_text_add(out, atom->hydrogens > 1 ? "H%u" : "H", atom->hydrogens);
    if (atom->charge)
        rg_text_add(out, atom->charge == 1 ? "+" : atom->charge == -1 ? "-" : "%+d", atom->charge);
    rg_text_add(out, "]");
}

/* ---- bonds */

static bool reads_aromatic(const rg_mol_atom *atom)
{
    return atom->flags & RG_ATOM_AROMATIC || atom->element == RG_WILDCARD;
}

static void write_bond(const rg_smiles_out *s, uint32_t bond, rg_text *out)
{
    static const char *const symbols[] = {"", "", "=", "#", "$"};
    const rg_mol_bond *b = &s->m->bonds[bond];
    bool aromatic = b->flags & RG_BOND_IS_AROMATIC;
    bool wild =
        s->m->atoms[b->a].element == RG_WILDCARD && s->m->atoms[b->b].element == RG_WILDCARD;
    bool both =
        s->kekule ? wild : reads_aromatic(&s->m->atoms[b->a]) && reads_aromatic(&s->m->atoms[b->b]);
    if (s->slash[bond])
        rg_text_add(out, "%c", s->slash[bond]);
    else if (aromatic && !s->kekule)
        rg_text_add(out, "%s", both ? "" : ":");
    else
        rg_text_add(out, "%s", b->order == 1 && both ? "-" : symbols[b->order]);
}

static void write_ring(const rg_smiles_out *s, uint32_t bond, rg_text *out)
{
    unsigned number = s->ring[bond];
    rg_text_add(out, number < 10 ? "%u" : "%%%u", number);
}

/* Ring numbers at an atom: those that close, then those that open. */
static rg_status write_rings(rg_smiles_out *s, uint32_t i, rg_text *out, rg_mol_fault *fault)
{
    const rg_molecule *m = s->m;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
        if (s->visit[s->near[k].atom] < s->visit[i] && s->near[k].atom != s->parent[i])
            write_ring(s, s->near[k].bond, out);
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        uint32_t j = s->near[k].atom;
        if (s->visit[j] < s->visit[i] || s->parent[j] == i)
            continue;
        uint8_t number = 1;
        while (number < 100 && s->used[number])
            number++;
        if (number == 100)
            return rg_mol_fail(fault, m->atoms[i].at,
                               "found more than 99 rings open at once, expected fewer");
        s->used[number] = true;
        s->ring[s->near[k].bond] = number;
        write_bond(s, s->near[k].bond, out);
        write_ring(s, s->near[k].bond, out);
    }
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
        if (s->visit[s->near[k].atom] < s->visit[i] && s->near[k].atom != s->parent[i])
            s->used[s->ring[s->near[k].bond]] = false;
    return RG_OK;
}

/* On the stack: twice the atom, one more if it begins a branch; ENDS: a branch ends. */
#define ENDS UINT32_MAX

static rg_status write_part(rg_smiles_out *s, uint32_t start, rg_text *out, rg_mol_fault *fault)
{
    const rg_molecule *m = s->m;
    rg_status status = RG_OK;
    uint32_t n = 0;
    s->stack[n++] = 2 * start;
    while (n > 0 && !status) {
        uint32_t item = s->stack[--n], i = item / 2;
        if (item == ENDS) {
            rg_text_add(out, ")");
            continue;
        }
        if (item % 2) {
            rg_text_add(out, "(");
            s->stack[n++] = ENDS;
        }
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
            if (s->near[k].atom == s->parent[i])
                write_bond(s, s->near[k].bond, out);
        write_atom(s, i, out);
        status = write_rings(s, i, out, fault);
        bool last = true;
        for (uint32_t k = m->first[i + 1]; k-- > m->first[i];)
            if (s->parent[s->near[k].atom] == i) {
                s->stack[n++] = 2 * s->near[k].atom + !last;
                last = false;
            }
    }
    return status;
}

static rg_status write_all(rg_smiles_out *s, const rg_smiles_style *style, rg_text *out,
                           rg_mol_fault *fault)
{
    rg_status status = RG_OK;
    for (uint32_t i = 0; i < s->m->n_atoms; i++)
        s->rank[i] = i;
    if (!style->in_order)
        status = rg_molecule_rank(s->rank, s->m);
    if (status)
        return status;
    make_walk(s);
    rg_smiles_slashes(s);
    for (uint32_t p = 0; p < s->m->n_atoms && !status; p++) {
        if (s->parent[s->walk[p]] != RG_NO_ATOM)
            continue;
        if (p)
            rg_text_add(out, ".");
        status = write_part(s, s->walk[p], out, fault);
    }
    if (!status && out->failed)
        status = RG_ENOMEM;
    return status;
}

/* Aromatic bonds count once for atoms whose symbol says that they are aromatic. */
static void sum_as_written(rg_molecule *m, bool kekule)
{
    rg_molecule_sum_bonds(m);
    for (size_t k = 0; k < m->n_bonds && !kekule; k++)
        if (m->bonds[k].flags & RG_BOND_IS_AROMATIC && m->bonds[k].order == 2) {
            m->atoms[m->bonds[k].a].bond_sum--;
            m->atoms[m->bonds[k].b].bond_sum--;
        }
}

rg_status rg_smiles_write(rg_text *out, rg_molecule *m, const rg_smiles_style *style,
                          rg_mol_fault *fault)
{
    size_t n = m->n_atoms;
    rg_smiles_out s = {.m = m, .kekule = style->kekule};
    rg_carve l = {0};
    for (size_t i = 0; i < n; i++) /* elements that have no symbol as an aromatic atom */
        s.kekule |= m->atoms[i].flags & RG_ATOM_AROMATIC && m->atoms[i].element != RG_WILDCARD &&
                    !aromatic_symbol(m->atoms[i].element);
    rg_status status = rg_molecule_restore_kekule(m, fault);
    if (status)
        return status;
    sum_as_written(m, s.kekule);
    size_t rank = rg_carve_add(&l, n, sizeof *s.rank), walk = rg_carve_add(&l, n, sizeof *s.walk);
    size_t visit = rg_carve_add(&l, n, sizeof *s.visit);
    size_t parent = rg_carve_add(&l, n, sizeof *s.parent);
    size_t weight = rg_carve_add(&l, n, sizeof *s.weight);
    size_t near = rg_carve_add(&l, 2 * m->n_bonds, sizeof *s.near);
    size_t ring = rg_carve_add(&l, m->n_bonds, 1), slash = rg_carve_add(&l, m->n_bonds, 1);
    size_t stack = rg_carve_add(&l, 2 * n + m->n_bonds + 1, sizeof *s.stack);
    char *block = rg_carve_alloc(&l);
    if (!block)
        return RG_ENOMEM;
    s.rank = (void *)(block + rank);
    s.walk = (void *)(block + walk);
    s.visit = (void *)(block + visit);
    s.parent = (void *)(block + parent);
    s.weight = (void *)(block + weight);
    s.near = (void *)(block + near);
    s.ring = (void *)(block + ring);
    s.slash = block + slash;
    s.stack = (void *)(block + stack);
    status = write_all(&s, style, out, fault);
    rg_free(block);
    return status;
}
