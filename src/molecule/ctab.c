/* ctab.c - see ctab.h: the first lines, and tables of version 2000. */
#include "ctab.h"
#include "ctab_parts.h"
#include "element.h"

#include "base/alloc.h"
#include "base/number.h"

#include <string.h>

void rg_ctab_free(rg_ctab *tab)
{
    rg_free(tab->places);
    rg_free(tab->joined);
    rg_table_free(tab->numbers);
    memset(tab, 0, sizeof *tab);
}

void rg_ctab_begin(rg_ctab *tab, rg_molecule *m)
{
    rg_molecule_clear(m);
    rg_table_free(tab->numbers);
    tab->numbers = NULL;
    tab->m = m;
    tab->n_places = tab->n_lines = tab->n_atoms = tab->n_bonds = tab->n_joined = 0;
    tab->section = RG_CTAB_HEAD;
    tab->done = false;
}

/* ---- fields */

rg_status rg_ctab_int(int64_t *out, const char *text, size_t n, size_t from, size_t width,
                      const char *what, rg_mol_fault *fault)
{
    size_t end = from + width < n ? from + width : n, at = from < end ? from : end;
    while (at < end && text[at] == ' ')
        at++;
    while (end > at && text[end - 1] == ' ')
        end--;
    if (at == end)
        return rg_mol_fail(fault, at < n ? at : n, "found nothing, expected %s", what);
    if (rg_number_int(text + at, text + end, out) != text + end)
        return rg_mol_fail(fault, at, "found '%.*s', expected %s",
                           (int)(end - at < 20 ? end - at : 20), text + at, what);
    return RG_OK;
}

/* A field that may be blank or missing: then 0. */
static rg_status read_optional(int64_t *out, const char *text, size_t n, size_t from, size_t width,
                               const char *what, rg_mol_fault *fault)
{
    *out = 0;
    for (size_t k = from; k < from + width && k < n; k++)
        if (text[k] != ' ')
            return rg_ctab_int(out, text, n, from, width, what, fault);
    return RG_OK;
}

static rg_status read_real(double *out, const char *text, size_t n, size_t from, size_t width,
                           rg_mol_fault *fault)
{
    size_t end = from + width < n ? from + width : n, at = from < end ? from : end;
    while (at < end && text[at] == ' ')
        at++;
    while (end > at && text[end - 1] == ' ')
        end--;
    if (at == end || rg_number_real(text + at, text + end, out) != text + end)
        return rg_mol_fail(fault, at < n ? at : n, "found '%.*s', expected a coordinate",
                           (int)(end - at < 20 ? end - at : 20), text + at);
    return RG_OK;
}

/* ---- atoms and bonds, of both versions */

static bool is_wildcard(const char *text, size_t n)
{
    static const char *const words[] = {"*", "A", "Q", "R", "R#", "X", "M", "AH", "QH", "XH", "MH"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == n && memcmp(words[k], text, n) == 0)
            return true;
    return false;
}

rg_status rg_ctab_atom(rg_ctab *tab, const char *text, size_t n, size_t at, const double place[3],
                       rg_mol_fault *fault)
{
    size_t length = 0;
    int element = rg_element_find(text, n, &length);
    uint16_t isotope = 0;
    if (n == 1 && (*text == 'D' || *text == 'T')) {
        element = 1;
        isotope = *text == 'D' ? 2 : 3;
    } else if (is_wildcard(text, n)) {
        element = RG_WILDCARD;
    } else if (element < 0 || length != n) {
        return rg_mol_fail(fault, at, "found '%.*s', expected an element", (int)(n < 20 ? n : 20),
                           text);
    }
    rg_mol_atom *atom = rg_molecule_add_atom(tab->m);
    if (!atom ||
        !rg_grow(&tab->places, &tab->place_capacity, tab->n_places + 3, sizeof *tab->places))
        return RG_ENOMEM;
    atom->at = (uint32_t)tab->m->n_atoms - 1;
    atom->element = (uint8_t)element;
    atom->isotope = isotope;
    atom->flags = element == RG_WILDCARD ? 0 : RG_ATOM_FREE_HYDROGENS;
    tab->m->has_hydrogen |= element == 1;
    memcpy(tab->places + tab->n_places, place, 3 * sizeof *place);
    tab->n_places += 3;
    return RG_OK;
}

rg_status rg_ctab_bond(rg_ctab *tab, uint32_t a, uint32_t b, int64_t type, size_t at,
                       rg_mol_fault *fault)
{
    rg_molecule *m = tab->m;
    if (a == b)
        return rg_mol_fail(fault, at, "found a bond from an atom to itself");
    if (type != 9 && (type < 1 || type > 4))
        return rg_mol_fail(fault, at,
                           "found bond type %d, expected 1 to 4 or 9: queries are no molecules",
                           (int)type);
    rg_mol_bond *bond = rg_molecule_add_bond(m, a, b);
    if (!bond)
        return RG_ENOMEM;
    bond->order = type == 2 || type == 3 ? (uint8_t)type : 1;
    if (type == 4) {
        bond->flags = RG_BOND_WRITTEN_AROMATIC;
        m->atoms[a].flags |= RG_ATOM_WRITTEN_AROMATIC;
        m->atoms[b].flags |= RG_ATOM_WRITTEN_AROMATIC;
        m->has_aromatic = true;
    }
    return RG_OK;
}

rg_status rg_ctab_set(rg_mol_atom *atom, rg_ctab_item item, int64_t value, size_t at,
                      rg_mol_fault *fault)
{
    static const struct {
        const char *name;
        int64_t low, high;
    } bounds[] = {[RG_CTAB_CHARGE] = {"charge", -15, 15},
                  [RG_CTAB_ISOTOPE] = {"isotope", 0, 999},
                  [RG_CTAB_RADICAL] = {"radical", 0, 3},
                  [RG_CTAB_VALENCE] = {"valence", -1, 15}};
    if (value < bounds[item].low || value > bounds[item].high)
        return rg_mol_fail(fault, at, "found %s %lld, expected %lld to %lld", bounds[item].name,
                           (long long)value, (long long)bounds[item].low,
                           (long long)bounds[item].high);
    if (item == RG_CTAB_CHARGE)
        atom->charge = (int8_t)value;
    else if (item == RG_CTAB_ISOTOPE)
        atom->isotope = (uint16_t)value;
    else if (item == RG_CTAB_RADICAL)
        atom->radicals = value == 2 ? 1 : value ? 2 : 0; /* doublet; singlet and triplet have two */
    else
        atom->valence = (uint8_t)(value == 15 || value == -1 ? 1 : value ? value + 1 : 0);
    return RG_OK;
}

/* ---- version 2000 */

static rg_status read_counts(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault)
{
    int64_t atoms = 0, bonds = 0;
    if (n >= 39 && memcmp(text + 34, "V3000", 5) == 0) {
        tab->section = RG_CTAB_V3000;
        return RG_OK;
    }
    rg_status status = rg_ctab_int(&atoms, text, n, 0, 3, "the number of atoms", fault);
    if (!status)
        status = rg_ctab_int(&bonds, text, n, 3, 3, "the number of bonds", fault);
    if (!status && (atoms < 0 || bonds < 0))
        status =
            rg_mol_fail(fault, 0, "found a number below 0, expected numbers of atoms and bonds");
    if (status)
        return status;
    tab->n_atoms = (size_t)atoms;
    tab->n_bonds = (size_t)bonds;
    tab->section = RG_CTAB_V2000;
    return RG_OK;
}

static rg_status read_atom(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault)
{
    /* Charges of old: 1 .. 3 are +3 .. +1, 4 a radical, 5 .. 7 are -1 .. -3. */
    static const int8_t charges[] = {0, 3, 2, 1, 0, -1, -2, -3};
    double place[3];
    int64_t charge = 0, valence = 0;
    rg_status status = RG_OK;
    for (size_t k = 0; k < 3 && !status; k++)
        status = read_real(&place[k], text, n, 10 * k, 10, fault);
    size_t at = 31, end = n < 34 ? n : 34;
    while (!status && at < end && text[at] == ' ')
        at++;
    while (!status && end > at && text[end - 1] == ' ')
        end--;
    if (!status && at >= end)
        status = rg_mol_fail(fault, n, "found the end of the line, expected an element");
    if (!status)
        status = rg_ctab_atom(tab, text + at, end - at, at, place, fault);
    if (!status)
        status = read_optional(&charge, text, n, 36, 3, "a charge, 0 to 7", fault);
    if (!status)
        status = read_optional(&valence, text, n, 48, 3, "a valence", fault);
    if (!status && (charge < 0 || charge > 7))
        status = rg_mol_fail(fault, 36, "found charge %d, expected 0 to 7", (int)charge);
    if (status)
        return status;
    rg_mol_atom *atom = &tab->m->atoms[tab->m->n_atoms - 1];
    atom->charge = charges[charge];
    atom->radicals = charge == 4;
    return rg_ctab_set(atom, RG_CTAB_VALENCE, valence, 48, fault);
}

static rg_status read_number(uint32_t *out, const rg_ctab *tab, const char *text, size_t n,
                             size_t from, size_t width, rg_mol_fault *fault)
{
    int64_t value = 0;
    rg_status status = rg_ctab_int(&value, text, n, from, width, "the number of an atom", fault);
    if (!status && (value < 1 || (size_t)value > tab->m->n_atoms))
        status = rg_mol_fail(fault, from, "found atom %lld, expected 1 to %zu", (long long)value,
                             tab->m->n_atoms);
    if (!status)
        *out = (uint32_t)value - 1;
    return status;
}

static rg_status read_bond(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault)
{
    uint32_t a = 0, b = 0;
    int64_t type = 0;
    rg_status status = read_number(&a, tab, text, n, 0, 3, fault);
    if (!status)
        status = read_number(&b, tab, text, n, 3, 3, fault);
    if (!status)
        status = rg_ctab_int(&type, text, n, 6, 3, "the type of a bond", fault);
    return status ? status : rg_ctab_bond(tab, a, b, type, 6, fault);
}

/* "M  CHG  2   1   1   4  -1": how many pairs, then atom and value. The first such line takes the
 * place of what the atom lines say, which no writer mixes. */
static rg_status read_pairs(rg_ctab *tab, const char *text, size_t n, rg_ctab_item item,
                            rg_mol_fault *fault)
{
    int64_t count = 0, value = 0;
    rg_status status = rg_ctab_int(&count, text, n, 6, 3, "a number of entries", fault);
    for (int64_t k = 0; k < count && !status; k++) {
        size_t at = 9 + 8 * (size_t)k;
        uint32_t atom = 0;
        status = read_number(&atom, tab, text, n, at, 4, fault);
        if (!status)
            status = rg_ctab_int(&value, text, n, at + 4, 4, "a value", fault);
        if (!status)
            status = rg_ctab_set(&tab->m->atoms[atom], item, value, at + 4, fault);
    }
    return status;
}

static bool begins(const char *text, size_t n, const char *word)
{
    size_t size = strlen(word);
    return n >= size && memcmp(text, word, size) == 0;
}

static rg_status read_property(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault)
{
    if (begins(text, n, "M  END"))
        tab->done = true;
    else if (begins(text, n, "M  CHG"))
        return read_pairs(tab, text, n, RG_CTAB_CHARGE, fault);
    else if (begins(text, n, "M  ISO"))
        return read_pairs(tab, text, n, RG_CTAB_ISOTOPE, fault);
    else if (begins(text, n, "M  RAD"))
        return read_pairs(tab, text, n, RG_CTAB_RADICAL, fault);
    return RG_OK;
}

rg_status rg_ctab_line(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault)
{
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\r'))
        n--;
    tab->n_lines++;
    if (tab->section == RG_CTAB_HEAD)
        return tab->n_lines < 4 ? RG_OK : read_counts(tab, text, n, fault);
    if (tab->section >= RG_CTAB_V3000)
        return rg_ctab_line_3000(tab, text, n, fault);
    if (tab->m->n_atoms < tab->n_atoms)
        return read_atom(tab, text, n, fault);
    if (tab->m->n_bonds < tab->n_bonds)
        return read_bond(tab, text, n, fault);
    return read_property(tab, text, n, fault);
}
