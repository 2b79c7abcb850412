/* smiles_bracket.c - an atom in brackets: isotope, symbol, chirality, hydrogens, charge, class. */
#include "element.h"
#include "smiles.h"

#include <string.h>

enum { CHARGE_MAX = 15, ISOTOPE_MAX = 32767 };

typedef struct cursor {
    const char *text;
    size_t n, at;
} cursor;

static char look(const cursor *c)
{
    return c->at < c->n ? c->text[c->at] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

rg_status rg_smiles_fail(rg_mol_fault *fault, const char *text, size_t n, size_t at,
                         const char *what)
{
    if (at >= n)
        return rg_mol_fail(fault, n, "found the end, expected %s", what);
    unsigned char c = (unsigned char)text[at];
    if (c > 32 && c < 127)
        return rg_mol_fail(fault, at, "found '%c', expected %s", c, what);
    return rg_mol_fail(fault, at, "found byte %u, expected %s", c, what);
}

/* A number of at most `digits` digits; false: there is none, or more digits. */
static bool read_number(cursor *c, size_t digits, uint32_t *out)
{
    size_t start = c->at;
    uint32_t value = 0;
    for (; is_digit(look(c)); c->at++) {
        if (c->at - start == digits)
            return false;
        value = value * 10 + (uint32_t)(look(c) - '0');
    }
    *out = value;
    return c->at > start;
}

static rg_status read_isotope(rg_mol_atom *atom, cursor *c, rg_mol_fault *fault)
{
    size_t start = c->at;
    uint32_t value;
    if (!is_digit(look(c)))
        return RG_OK;
    if (!read_number(c, 5, &value) || value > ISOTOPE_MAX)
        return rg_mol_fail(fault, start, "found an isotope above %d, expected one below",
                           ISOTOPE_MAX);
    atom->isotope = (uint16_t)value;
    return RG_OK;
}

static bool read_aromatic(rg_mol_atom *atom, cursor *c)
{
    static const struct {
        char symbol[3];
        uint8_t element;
    } list[] = {{"se", 34}, {"as", 33}, {"te", 52}, {"si", 14}, {"c", 6},
                {"n", 7},   {"o", 8},   {"s", 16},  {"p", 15},  {"b", 5}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        size_t size = list[k].symbol[1] ? 2 : 1;
        if (c->at + size <= c->n && memcmp(c->text + c->at, list[k].symbol, size) == 0) {
            atom->element = list[k].element;
            atom->flags |= RG_ATOM_WRITTEN_AROMATIC;
            c->at += size;
            return true;
        }
    }
    return false;
}

static rg_status read_symbol(rg_mol_atom *atom, cursor *c, rg_mol_fault *fault)
{
    size_t length = 0;
    if (look(c) == '*') {
        atom->element = RG_WILDCARD;
        c->at++;
        return RG_OK;
    }
    int element = rg_element_find(c->text + c->at, c->n - c->at, &length);
    if (element >= 0) {
        atom->element = (uint8_t)element;
        c->at += length;
        return RG_OK;
    }
    if (read_aromatic(atom, c))
        return RG_OK;
    return rg_smiles_fail(fault, c->text, c->n, c->at, "an element, such as C, or *");
}

/* Classes with a number: where they begin, and how many there are. */
static rg_status read_class(rg_mol_atom *atom, cursor *c, rg_mol_fault *fault)
{
    static const struct {
        char name[3];
        uint8_t first, n;
    } list[] = {{"TH", RG_CHIRAL_COUNTERCLOCKWISE, 2},
                {"AL", RG_CHIRAL_ALLENE, 2},
                {"SP", RG_CHIRAL_SQUARE, 3},
                {"TB", RG_CHIRAL_BIPYRAMID, 20},
                {"OH", RG_CHIRAL_OCTAHEDRON, 30}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        uint32_t number = 0;
        if (c->at + 2 >= c->n || memcmp(c->text + c->at, list[k].name, 2) != 0 ||
            !is_digit(c->text[c->at + 2]))
            continue;
        c->at += 2;
        size_t start = c->at;
        if (!read_number(c, 2, &number) || number < 1 || number > list[k].n)
            return rg_mol_fail(fault, start, "found another number behind @%s, expected 1 to %u",
                               list[k].name, list[k].n);
        atom->chirality = (uint8_t)(list[k].first + number - 1);
        return RG_OK;
    }
    atom->chirality = RG_CHIRAL_COUNTERCLOCKWISE;
    return RG_OK;
}

static rg_status read_chirality(rg_mol_atom *atom, cursor *c, rg_mol_fault *fault)
{
    if (look(c) != '@')
        return RG_OK;
    c->at++;
    if (look(c) != '@')
        return read_class(atom, c, fault);
    c->at++;
    atom->chirality = RG_CHIRAL_CLOCKWISE;
    return RG_OK;
}

static void read_hydrogens(rg_mol_atom *atom, cursor *c)
{
    if (look(c) != 'H')
        return;
    c->at++;
    atom->hydrogens = 1;
    if (is_digit(look(c)))
        atom->hydrogens = (uint8_t)(c->text[c->at++] - '0');
}

/* "+", "++", "+2"; the same with "-". */
static rg_status read_charge(rg_mol_atom *atom, cursor *c, rg_mol_fault *fault)
{
    char sign = look(c);
    size_t start = c->at;
    uint32_t value = 0;
    if (sign != '+' && sign != '-')
        return RG_OK;
    c->at++;
    if (is_digit(look(c))) {
        if (!read_number(c, 2, &value))
            value = CHARGE_MAX + 1;
    } else {
        for (value = 1; look(c) == sign && value <= CHARGE_MAX; value++)
            c->at++;
    }
    if (value > CHARGE_MAX)
        return rg_mol_fail(fault, start, "found a charge beyond %d, expected one within",
                           CHARGE_MAX);
    atom->charge = (int8_t)(sign == '+' ? (int)value : -(int)value);
    return RG_OK;
}

static rg_status read_map(rg_mol_atom *atom, cursor *c, rg_mol_fault *fault)
{
    if (look(c) != ':')
        return RG_OK;
    c->at++;
    if (!is_digit(look(c)))
        return rg_smiles_fail(fault, c->text, c->n, c->at, "the number of an atom class");
    size_t start = c->at;
    if (!read_number(c, 9, &atom->map))
        return rg_mol_fail(fault, start, "found an atom class of more than 9 digits");
    return RG_OK;
}

rg_status rg_smiles_bracket(rg_mol_atom *atom, const char *text, size_t n, size_t *at,
                            rg_mol_fault *fault)
{
    cursor c = {text, n, *at};
    rg_status status = read_isotope(atom, &c, fault);
    if (!status)
        status = read_symbol(atom, &c, fault);
    if (!status)
        status = read_chirality(atom, &c, fault);
    if (status)
        return status;
    read_hydrogens(atom, &c);
    status = read_charge(atom, &c, fault);
    if (!status)
        status = read_map(atom, &c, fault);
    if (!status && look(&c) != ']')
        status = rg_smiles_fail(fault, text, n, c.at, "']' behind the atom");
    *at = c.at + 1;
    return status;
}
