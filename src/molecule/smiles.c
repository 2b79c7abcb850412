/* smiles.c - SMILES to atoms and bonds: one pass, a stack for branches, a table for rings. */
#include "smiles.h"

#include "base/alloc.h"
#include "element.h"

#include <string.h>

/* What a byte is; everything else is refused. */
enum { OTHER, UPPER, LOWER, STAR, BRACKET, BOND, DIGIT, PERCENT, OPEN, CLOSE, DOT };

static const uint8_t kinds[256] = {
    ['B'] = UPPER, ['C'] = UPPER, ['N'] = UPPER, ['O'] = UPPER,   ['P'] = UPPER, ['S'] = UPPER,
    ['F'] = UPPER, ['I'] = UPPER, ['b'] = LOWER, ['c'] = LOWER,   ['n'] = LOWER, ['o'] = LOWER,
    ['p'] = LOWER, ['s'] = LOWER, ['*'] = STAR,  ['['] = BRACKET, ['-'] = BOND,  ['='] = BOND,
    ['#'] = BOND,  ['$'] = BOND,  [':'] = BOND,  ['/'] = BOND,    ['\\'] = BOND, ['0'] = DIGIT,
    ['1'] = DIGIT, ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT,   ['5'] = DIGIT, ['6'] = DIGIT,
    ['7'] = DIGIT, ['8'] = DIGIT, ['9'] = DIGIT, ['%'] = PERCENT, ['('] = OPEN,  [')'] = CLOSE,
    ['.'] = DOT};

/* Of the organic subset, by the letter. */
static const uint8_t elements[128] = {
    ['B'] = 5,  ['C'] = 6, ['N'] = 7, ['O'] = 8, ['P'] = 15, ['S'] = 16, ['F'] = 9,
    ['I'] = 53, ['b'] = 5, ['c'] = 6, ['n'] = 7, ['o'] = 8,  ['p'] = 15, ['s'] = 16};

typedef struct smiles_parser {
    rg_molecule *m;
    rg_smiles_reader *open;
    const char *text;
    size_t n, at;
    uint32_t before; /* the atom that the next one is bonded to; RG_NO_ATOM: none */
    size_t symbol_at;
    char symbol;  /* of a bond that waits for its second atom; '\0': none */
    bool is_part; /* an atom must come: at the start, behind '.' and '(' */
} smiles_parser;

static rg_status fail_here(const smiles_parser *p, rg_mol_fault *fault, const char *what)
{
    return rg_smiles_fail(fault, p->text, p->n, p->at, what);
}

void rg_smiles_reader_free(rg_smiles_reader *reader)
{
    rg_free(reader->branches);
    memset(reader, 0, sizeof *reader);
}

/* A wildcard may stand for an atom of an aromatic ring. */
static bool may_be_aromatic(const rg_mol_atom *atom)
{
    return atom->flags & RG_ATOM_WRITTEN_AROMATIC || atom->element == RG_WILDCARD;
}

/* symbol: '\0' is single, or aromatic between two aromatic atoms. */
static rg_status add_bond(smiles_parser *p, uint32_t a, uint32_t b, size_t at_a, size_t at_b,
                          char symbol)
{
    rg_molecule *m = p->m;
    rg_mol_bond *bond = rg_molecule_add_bond(m, a, b);
    if (!bond)
        return RG_ENOMEM;
    bond->at_a = (uint32_t)at_a;
    bond->at_b = (uint32_t)at_b;
    bond->order = symbol == '=' ? 2 : symbol == '#' ? 3 : symbol == '$' ? 4 : 1;
    if (symbol == ':') {
        m->atoms[a].flags |= RG_ATOM_WRITTEN_AROMATIC;
        m->atoms[b].flags |= RG_ATOM_WRITTEN_AROMATIC;
        m->has_aromatic = true;
    }
    if (symbol == ':' ||
        (!symbol && may_be_aromatic(&m->atoms[a]) && may_be_aromatic(&m->atoms[b])))
        bond->flags = RG_BOND_WRITTEN_AROMATIC;
    if (symbol == '/' || symbol == '\\') {
        bond->slash = symbol == '/' ? RG_SLASH_UP : RG_SLASH_DOWN;
        m->has_slash = true;
    }
    return RG_OK;
}

/* The atom was added as the last one; it joins the chain. */
static rg_status join_chain(smiles_parser *p, size_t at)
{
    uint32_t atom = (uint32_t)p->m->n_atoms - 1, before = p->before;
    char symbol = p->symbol;
    p->before = atom;
    p->is_part = false;
    p->symbol = '\0';
    return before == RG_NO_ATOM ? RG_OK : add_bond(p, before, atom, at + 1, 0, symbol);
}

static rg_status take_organic(smiles_parser *p)
{
    size_t at = p->at++;
    unsigned char letter = (unsigned char)p->text[at];
    rg_mol_atom *atom = rg_molecule_add_atom(p->m);
    if (!atom)
        return RG_ENOMEM;
    char next = p->at < p->n ? p->text[p->at] : '\0';
    atom->at = (uint32_t)at;
    atom->element = elements[letter];
    atom->flags = RG_ATOM_FREE_HYDROGENS;
    if (letter >= 'a') {
        atom->flags |= RG_ATOM_WRITTEN_AROMATIC;
        p->m->has_aromatic = true;
    } else if ((letter == 'C' && next == 'l') || (letter == 'B' && next == 'r')) {
        atom->element = letter == 'C' ? 17 : 35;
        p->at++;
    }
    return join_chain(p, at);
}

static rg_status take_star(smiles_parser *p)
{
    size_t at = p->at++;
    rg_mol_atom *atom = rg_molecule_add_atom(p->m);
    if (!atom)
        return RG_ENOMEM;
    atom->at = (uint32_t)at;
    return join_chain(p, at);
}

static rg_status take_bracket(smiles_parser *p, rg_mol_fault *fault)
{
    size_t at = p->at++;
    rg_mol_atom *atom = rg_molecule_add_atom(p->m);
    if (!atom)
        return RG_ENOMEM;
    atom->at = (uint32_t)at;
    rg_status status = rg_smiles_bracket(atom, p->text, p->n, &p->at, fault);
    if (status)
        return status;
    p->m->has_chirality |= atom->chirality != RG_CHIRAL_NONE;
    p->m->has_aromatic |= (atom->flags & RG_ATOM_WRITTEN_AROMATIC) != 0;
    p->m->has_hydrogen |= atom->element == 1;
    return join_chain(p, at);
}

static rg_status take_bond(smiles_parser *p, rg_mol_fault *fault)
{
    if (p->symbol || p->before == RG_NO_ATOM)
        return fail_here(p, fault, "an atom");
    p->symbol_at = p->at;
    p->symbol = p->text[p->at++];
    if (p->symbol == '\\' && p->at < p->n && p->text[p->at] == '\\')
        p->at++; /* escaped, as programs write it that quote their text */
    return RG_OK;
}

/* Seen from the other end, / is \. */
static char turn(char symbol)
{
    return symbol == '/' ? '\\' : symbol == '\\' ? '/' : symbol;
}

/* Both ends of a ring may say what the bond is: then they must agree. */
static rg_status close_ring(smiles_parser *p, rg_smiles_ring *ring, size_t at, unsigned number,
                            rg_mol_fault *fault)
{
    char first = ring->symbol, second = turn(p->symbol);
    bool slashes = (first == '/' || first == '\\') && (second == '/' || second == '\\');
    if (first && second && first != second && !slashes)
        return rg_mol_fail(fault, p->symbol_at,
                           "found '%c' where ring %u closes, expected '%c' as where it opens",
                           p->symbol, number, first);
    if (ring->opened == p->before + 1)
        return rg_mol_fail(fault, at,
                           "found ring %u closed at the atom that opens it, expected another atom",
                           number);
    uint32_t a = ring->opened - 1;
    size_t at_a = ring->at;
    ring->opened = 0;
    p->open->n_rings_open--;
    /* Two slashes may contradict each other; only what both say the same counts. */
    char symbol = first ? first : second;
    if (slashes && first != second)
        symbol = '-';
    p->symbol = '\0';
    return add_bond(p, a, p->before, at_a + 1, at + 1, symbol);
}

static rg_status take_ring(smiles_parser *p, rg_mol_fault *fault)
{
    size_t at = p->at;
    unsigned number = (unsigned char)p->text[at] - '0';
    if (p->text[at] == '%') {
        for (size_t k = 1; k <= 2; k++)
            if (at + k >= p->n || p->text[at + k] < '0' || p->text[at + k] > '9')
                return rg_smiles_fail(fault, p->text, p->n, at + k, "two digits behind '%'");
        number = (unsigned)(p->text[at + 1] - '0') * 10 + (unsigned)(p->text[at + 2] - '0');
        p->at += 2;
    }
    p->at++;
    if (p->before == RG_NO_ATOM || p->is_part)
        return rg_smiles_fail(fault, p->text, p->n, at, "an atom");
    rg_smiles_ring *ring = &p->open->rings[number];
    if (ring->opened)
        return close_ring(p, ring, at, number, fault);
    *ring = (rg_smiles_ring){p->before + 1, (uint32_t)at, p->symbol};
    p->symbol = '\0';
    p->open->n_rings_open++;
    return RG_OK;
}

static rg_status take_open(smiles_parser *p, rg_mol_fault *fault)
{
    rg_smiles_reader *open = p->open;
    if (p->before == RG_NO_ATOM || p->symbol || p->is_part)
        return fail_here(p, fault, "an atom");
    if (!rg_grow(&open->branches, &open->branch_capacity, open->n_branches + 1,
                 sizeof *open->branches))
        return RG_ENOMEM;
    open->branches[open->n_branches][0] = p->before;
    open->branches[open->n_branches++][1] = (uint32_t)p->at++;
    p->is_part = true;
    return RG_OK;
}

static rg_status take_close(smiles_parser *p, rg_mol_fault *fault)
{
    if (p->symbol || p->is_part)
        return fail_here(p, fault, "an atom");
    if (!p->open->n_branches)
        return fail_here(p, fault, "no ')' without a '(' before it");
    p->before = p->open->branches[--p->open->n_branches][0];
    p->at++;
    return RG_OK;
}

/* "(." begins a branch without a bond. */
static rg_status take_dot(smiles_parser *p, rg_mol_fault *fault)
{
    bool branch = p->is_part && p->before != RG_NO_ATOM;
    if (p->symbol || (p->is_part && !branch))
        return fail_here(p, fault, "an atom");
    p->at++;
    p->before = RG_NO_ATOM;
    p->is_part = true;
    p->m->is_tree = false;
    return RG_OK;
}

static rg_status take_next(smiles_parser *p, rg_mol_fault *fault)
{
    switch (kinds[(unsigned char)p->text[p->at]]) {
    case UPPER:
    case LOWER:
        return take_organic(p);
    case STAR:
        return take_star(p);
    case BRACKET:
        return take_bracket(p, fault);
    case BOND:
        return take_bond(p, fault);
    case DIGIT:
    case PERCENT:
        return take_ring(p, fault);
    case OPEN:
        return take_open(p, fault);
    case CLOSE:
        return take_close(p, fault);
    case DOT:
        return take_dot(p, fault);
    default:
        return fail_here(p, fault, "an atom, a bond, a ring number, a branch or '.'");
    }
}

/* What must not be open at the end. */
static rg_status check_end(const smiles_parser *p, rg_mol_fault *fault)
{
    if (p->symbol || p->is_part)
        return fail_here(p, fault, "an atom");
    if (p->open->n_branches)
        return rg_mol_fail(fault, p->open->branches[p->open->n_branches - 1][1],
                           "found '(' that is never closed, expected ')'");
    for (unsigned k = 0; p->open->n_rings_open && k < 100; k++)
        if (p->open->rings[k].opened)
            return rg_mol_fail(fault, p->open->rings[k].at,
                               "found ring %u that is never closed, expected its second end", k);
    return RG_OK;
}

rg_status rg_smiles_parse(rg_molecule *m, rg_smiles_reader *reader, const char *text, size_t n,
                          rg_mol_fault *fault)
{
    smiles_parser p = {
        .m = m, .open = reader, .text = text, .n = n, .before = RG_NO_ATOM, .is_part = true};
    rg_status status = RG_OK;
    rg_molecule_clear(m);
    m->is_tree = true;
    if (reader->n_rings_open) /* left by a text that was refused */
        memset(reader->rings, 0, sizeof reader->rings);
    reader->n_branches = reader->n_rings_open = 0;
    while (p.at < n && !status)
        status = take_next(&p, fault);
    return status ? status : check_end(&p, fault);
}
