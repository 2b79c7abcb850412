/* match.c - a pattern laid onto a molecule in every way.
 *
 * Atoms of the pattern are positions, in the order of the text: every one but the first is a neighbour of an earlier
 * one. What can be seen of an atom alone is tested once for each position and atom. What the search may cost is
 * bounded before it begins, by the ways to lay the chain and its branches over walks of the molecule: that number
 * does not depend on the order of atoms. Sets of atoms that were found are kept in a table, so that each counts
 * once. */
#include "smarts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/table.h"

#include <string.h>

enum { ALL_MOST = 1 << 24 }; /* atoms in all occurrences */

/* What a molecule does not say of an atom by itself. */
typedef struct atom_view {
    uint16_t hydrogens, ring_bonds, valence;
} atom_view;

/* One pattern, or one of its parts, on its way. */
typedef struct search {
    const rg_smarts *s;
    const rg_molecule *m;
    const atom_view *views;
    uint8_t *holds; /* [part][atom]: the part begins at the atom */
    uint8_t *fits;  /* [position][atom] */
    uint32_t found[RG_SMARTS_ATOMS];
    rg_cancel *cancel;
    uint32_t steps; /* to ask now and then whether to go on */
    bool stopped, failed, full;
    bool first_only; /* is there one at all? */
    rg_table *sets;
    int64_t *out;
    size_t stride;
} search;

/* ---- one atom, one bond */

static bool asks(bool (*test)(const search *, uint32_t, const rg_smarts_term *), const search *x,
                 uint32_t which, rg_smarts_terms terms)
{
    bool any = false, run = true;
    for (size_t k = 0; k < terms.n; k++) {
        const rg_smarts_term *t = &x->s->terms[terms.first + k];
        run = run && test(x, which, t) != t->negated;
        if (t->behind == '&')
            continue;
        any = any || run;
        run = true;
        if (t->behind == ',')
            continue;
        if (!any)
            return false;
        any = false;
    }
    return true;
}

static bool some_or(int32_t wanted, unsigned is)
{
    return wanted == RG_SMARTS_SOME ? is > 0 : (unsigned)wanted == is;
}

static bool atom_is(const search *x, uint32_t i, const rg_smarts_term *t)
{
    const rg_mol_atom *atom = &x->m->atoms[i];
    const atom_view *view = &x->views[i];
    unsigned wanted = (unsigned)t->value;
    bool aromatic = atom->flags & RG_ATOM_AROMATIC;
    switch (t->kind) {
    case RG_SMARTS_ANY:
        return true;
    case RG_SMARTS_ALIPHATIC:
        return !aromatic;
    case RG_SMARTS_AROMATIC:
        return aromatic;
    case RG_SMARTS_ELEMENT:
        return atom->element == wanted;
    case RG_SMARTS_ALIPHATIC_ELEMENT:
        return atom->element == wanted && !aromatic;
    case RG_SMARTS_AROMATIC_ELEMENT:
        return atom->element == wanted && aromatic;
    case RG_SMARTS_ISOTOPE:
        return atom->isotope == wanted;
    case RG_SMARTS_CHARGE:
        return atom->charge == t->value;
    case RG_SMARTS_DEGREE:
        return atom->n_bonds == wanted;
    case RG_SMARTS_HYDROGENS:
        return view->hydrogens == wanted;
    case RG_SMARTS_IMPLICIT:
        return some_or(t->value, atom->hydrogens);
    case RG_SMARTS_CONNECTIONS:
        return atom->n_bonds + atom->hydrogens == wanted;
    case RG_SMARTS_VALENCE:
        return view->valence == wanted;
    case RG_SMARTS_RING_BONDS:
        return view->ring_bonds == wanted;
    case RG_SMARTS_RING:
        return view->ring_bonds > 0 || atom->flags & RG_ATOM_RING;
    case RG_SMARTS_RING_SIZE:
        return atom->ring_size == wanted;
    case RG_SMARTS_PART:
        return x->holds[wanted * x->m->n_atoms + i];
    default:
        return false;
    }
}

static bool bond_is(const search *x, uint32_t k, const rg_smarts_term *t)
{
    const rg_mol_bond *bond = &x->m->bonds[k];
    bool aromatic = bond->flags & RG_BOND_IS_AROMATIC;
    switch (t->kind) {
    case RG_SMARTS_BOND_AROMATIC:
        return aromatic;
    case RG_SMARTS_BOND_ANY:
        return true;
    case RG_SMARTS_BOND_RING:
        return bond->flags & RG_BOND_IN_RING;
    default:
        return !aromatic && bond->order == t->kind - RG_SMARTS_BOND_SINGLE + 1;
    }
}

static bool bond_fits(const search *x, uint32_t k, rg_smarts_terms terms)
{
    const rg_mol_bond *bond = &x->m->bonds[k];
    if (!terms.n)
        return bond->flags & RG_BOND_IS_AROMATIC || bond->order == 1;
    return asks(bond_is, x, k, terms);
}

/* ---- what it may cost */

static uint64_t add_capped(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t mul_capped(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static unsigned parent_of(const rg_smarts *s, unsigned position)
{
    return s->bonds[s->first_bond[position]].a;
}

/* Ways to lay positions 0 .. last over walks; the last one may be any neighbour, for all are tried. */
static uint64_t count_layings(const search *x, unsigned last, uint64_t *weight)
{
    const rg_molecule *m = x->m;
    size_t n = m->n_atoms;
    uint64_t total = 0;
    for (unsigned p = 0; p <= last; p++)
        for (size_t i = 0; i < n; i++)
            weight[p * n + i] = p == last || x->fits[p * n + i];
    for (unsigned p = last; p > 0; p--) {
        uint64_t *above = weight + parent_of(x->s, p) * n;
        for (size_t i = 0; i < n; i++) {
            uint64_t sum = 0;
            for (uint32_t k = m->first[i]; above[i] && k < m->first[i + 1]; k++)
                sum = add_capped(sum, weight[p * n + m->near[k].atom]);
            above[i] = mul_capped(above[i], sum);
        }
    }
    for (size_t i = 0; i < n; i++)
        total = add_capped(total, weight[i]);
    return total;
}

/* Takes the steps of a search from the budget. Tried first: every atom with as many neighbours as the one that has
 * most, which is enough for small patterns. */
static rg_status pay(const search *x, uint64_t *budget, bool *within, rg_error *err)
{
    const rg_molecule *m = x->m;
    unsigned n = (unsigned)x->s->n_atoms;
    uint64_t largest = 0, layings = m->n_atoms, total = 0;
    for (size_t i = 0; i < m->n_atoms; i++)
        largest = m->atoms[i].n_bonds > largest ? m->atoms[i].n_bonds : largest;
    for (unsigned p = 0; p < n; p++) {
        total = add_capped(total, layings);
        layings = mul_capped(layings, largest);
    }
    if (total > *budget) {
        size_t size;
        uint64_t *weight =
            rg_size_mul(&size, n, m->n_atoms) ? rg_alloc(size, sizeof *weight) : NULL;
        if (!weight)
            return rg_fail_memory(err, "looking for a pattern");
        total = 0;
        for (unsigned p = 0; p < n && total <= *budget; p++)
            total = add_capped(total, count_layings(x, p, weight));
        rg_free(weight);
    }
    *within = total <= *budget;
    *budget -= *within ? total : 0;
    return RG_OK;
}

/* ---- the search */

static void take(search *x)
{
    uint32_t set[RG_SMARTS_ATOMS];
    size_t n = x->s->n_atoms, before = rg_table_size(x->sets);
    memcpy(set, x->found, n * sizeof *set);
    rg_sort_numbers(set, n);
    if (rg_table_add(x->sets, set, n * sizeof *set) == RG_TABLE_NONE) {
        x->failed = true;
        return;
    }
    if (rg_table_size(x->sets) == before)
        return;
    x->full = (before + 1) * n > ALL_MOST;
    for (size_t p = 0; p < n; p++)
        x->out[x->found[p] * x->stride]++;
}

static bool is_found(const search *x, unsigned p, uint32_t atom)
{
    for (unsigned q = 0; q < p; q++)
        if (x->found[q] == atom)
            return true;
    return false;
}

/* Are bonds of rings there that lead from position p to earlier ones? */
static bool rings_close(const search *x, unsigned p, uint32_t atom)
{
    const rg_molecule *m = x->m;
    for (unsigned k = x->s->first_bond[p] + 1u; k < x->s->first_bond[p + 1]; k++) {
        uint32_t other = x->found[x->s->bonds[k].a], at = m->first[atom];
        while (at < m->first[atom + 1] && m->near[at].atom != other)
            at++;
        if (at == m->first[atom + 1] || !bond_fits(x, m->near[at].bond, x->s->bonds[k].terms))
            return false;
    }
    return true;
}

/* Is there no need to look further? As deep as the pattern has atoms. */
static bool extend(search *x, unsigned p)
{
    const rg_molecule *m = x->m;
    if (p == x->s->n_atoms) {
        if (!x->first_only)
            take(x);
        return x->first_only || x->failed || x->full;
    }
    if ((++x->steps & 0xffff) == 0)
        x->stopped = rg_cancel_is(x->cancel);
    if (x->stopped)
        return true;
    uint32_t from = x->found[parent_of(x->s, p)];
    rg_smarts_terms chain = x->s->bonds[x->s->first_bond[p]].terms;
    for (uint32_t k = m->first[from]; k < m->first[from + 1]; k++) {
        uint32_t atom = m->near[k].atom;
        if (!x->fits[p * m->n_atoms + atom] || is_found(x, p, atom) ||
            !bond_fits(x, m->near[k].bond, chain) || !rings_close(x, p, atom))
            continue;
        x->found[p] = atom;
        if (extend(x, p + 1))
            return true;
    }
    return false;
}

static bool begin_at(search *x, uint32_t atom)
{
    x->found[0] = atom;
    return x->fits[atom] && extend(x, 1);
}

static rg_status prepare(search *x, uint64_t *budget, bool *within, rg_error *err);

/* Where part k begins. */
static rg_status find_part(search *x, size_t k, uint64_t *budget, bool *within, rg_error *err)
{
    search part = {
        .s = x->s->parts[k], .m = x->m, .views = x->views, .cancel = x->cancel, .first_only = true};
    size_t n = x->m->n_atoms;
    rg_status status = prepare(&part, budget, within, err);
    for (uint32_t i = 0; i < n && !status && *within; i++) {
        x->holds[k * n + i] = begin_at(&part, i);
        if (part.stopped)
            status = rg_fail_cancelled(err);
    }
    rg_free(part.holds);
    rg_free(part.fits);
    return status;
}

/* holds and fits, to be freed by the caller, also on failure. */
static rg_status prepare(search *x, uint64_t *budget, bool *within, rg_error *err)
{
    const rg_smarts *s = x->s;
    size_t n = x->m->n_atoms, size, parts;
    rg_status status = RG_OK;
    if (!rg_size_mul(&size, s->n_atoms, n) || !rg_size_mul(&parts, s->n_parts, n) ||
        !(x->fits = rg_alloc(size, 1)) || !(x->holds = rg_alloc_zero(parts, 1)))
        return rg_fail_memory(err, "looking for a pattern");
    *within = true;
    for (size_t k = 0; k < s->n_parts && !status && *within; k++)
        status = find_part(x, k, budget, within, err);
    if (status || !*within)
        return status;
    for (size_t p = 0; p < s->n_atoms; p++)
        for (uint32_t i = 0; i < n; i++)
            x->fits[p * n + i] = asks(atom_is, x, i, s->atoms[p]);
    return pay(x, budget, within, err);
}

/* ---- the molecule */

static void view_atoms(atom_view *views, const rg_molecule *m)
{
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        const rg_mol_atom *atom = &m->atoms[i];
        views[i] = (atom_view){.hydrogens = atom->hydrogens,
                               .valence = (uint16_t)(atom->bond_sum + atom->hydrogens)};
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            views[i].hydrogens =
                (uint16_t)(views[i].hydrogens + (m->atoms[m->near[k].atom].element == 1));
            views[i].ring_bonds =
                (uint16_t)(views[i].ring_bonds +
                           ((m->bonds[m->near[k].bond].flags & RG_BOND_IN_RING) != 0));
        }
    }
}

/* Orders of aromatic bonds change, and nothing here looks at them but their sums. */
static rg_status complete(const rg_smarts *s, rg_molecule *m, rg_mol_fault *fault)
{
    rg_status status = RG_OK;
    if (s->wants_rings || s->wants_ring_sizes)
        status = rg_molecule_restore_rings(m, s->wants_ring_sizes, fault);
    if (!status && s->wants_valences) {
        status = rg_molecule_restore_kekule(m, fault);
        rg_molecule_sum_bonds(m);
    }
    return status;
}

rg_status rg_smarts_count(const rg_smarts_job *job, bool *within, rg_mol_fault *fault,
                          rg_error *err)
{
    rg_molecule *m = job->molecule;
    *within = true;
    if (!m->n_atoms)
        return RG_OK;
    uint64_t budget = job->budget;
    search x = {
        .s = job->smarts, .m = m, .cancel = job->cancel, .out = job->out, .stride = job->stride};
    rg_status status = complete(job->smarts, m, fault);
    if (status)
        return status == RG_ENOMEM ? rg_fail_memory(err, "looking for a pattern") : status;
    atom_view *views = rg_alloc(m->n_atoms, sizeof *views);
    x.sets = rg_table_new();
    x.views = views;
    status = views && x.sets ? RG_OK : rg_fail_memory(err, "looking for a pattern");
    if (!status) {
        view_atoms(views, m);
        status = prepare(&x, &budget, within, err);
    }
    for (uint32_t i = 0; i < m->n_atoms && !status && *within; i++) {
        begin_at(&x, i);
        if (x.stopped || x.failed)
            status =
                x.stopped ? rg_fail_cancelled(err) : rg_fail_memory(err, "looking for a pattern");
        *within = !x.full;
    }
    rg_table_free(x.sets);
    rg_free(x.holds);
    rg_free(x.fits);
    rg_free(views);
    return status;
}
