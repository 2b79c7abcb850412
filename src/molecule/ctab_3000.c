/* ctab_3000.c - connection tables of version 3000: words between blanks, KEY=value behind them.
 *
 *   M  V30 COUNTS atoms bonds ...
 *   M  V30 BEGIN ATOM
 *   M  V30 number type x y z map [CHG=..] [MASS=..] [RAD=..] [VAL=..]
 *   M  V30 BEGIN BOND
 *   M  V30 number type atom atom [...]
 *
 * A line that ends with '-' goes on in the next one. Blocks beside atoms and bonds are passed over. */
#include "ctab_parts.h"

#include "base/alloc.h"
#include "base/number.h"

#include <string.h>

typedef struct words {
    const char *text;
    size_t n, at;
} words;

static bool next_word(words *w, const char **word, size_t *size)
{
    while (w->at < w->n && w->text[w->at] == ' ')
        w->at++;
    *word = w->text + w->at;
    size_t start = w->at;
    while (w->at < w->n && w->text[w->at] != ' ')
        w->at++;
    *size = w->at - start;
    return *size > 0;
}

static bool is_word(const char *word, size_t size, const char *what)
{
    return strlen(what) == size && memcmp(word, what, size) == 0;
}

static rg_status next_int(words *w, int64_t *out, const char *what, rg_mol_fault *fault)
{
    const char *word;
    size_t size;
    if (!next_word(w, &word, &size))
        return rg_mol_fail(fault, w->n, "found the end of the line, expected %s", what);
    return rg_ctab_int(out, w->text, w->n, (size_t)(word - w->text), size, what, fault);
}

/* KEY=value among the rest of the line; others are of no interest. */
static rg_status read_settings(words *w, rg_mol_atom *atom, rg_mol_fault *fault)
{
    static const struct {
        const char *key;
        rg_ctab_item item;
    } keys[] = {{"CHG=", RG_CTAB_CHARGE},
                {"MASS=", RG_CTAB_ISOTOPE},
                {"RAD=", RG_CTAB_RADICAL},
                {"VAL=", RG_CTAB_VALENCE}};
    const char *word;
    size_t size;
    rg_status status = RG_OK;
    while (!status && next_word(w, &word, &size))
        for (size_t k = 0; k < sizeof keys / sizeof *keys && !status; k++) {
            size_t key = strlen(keys[k].key), at = (size_t)(word - w->text) + key;
            int64_t value = 0;
            if (size <= key || memcmp(word, keys[k].key, key) != 0)
                continue;
            status = rg_ctab_int(&value, w->text, w->n, at, size - key, "a number", fault);
            if (!status)
                status = rg_ctab_set(atom, keys[k].item, value, at, fault);
        }
    return status;
}

static rg_status read_atom(rg_ctab *tab, words *w, rg_mol_fault *fault)
{
    const char *type, *word;
    size_t size, length;
    int64_t number = 0, map = 0;
    double place[3];
    rg_status status = next_int(w, &number, "the number of an atom", fault);
    if (status)
        return status;
    if (!next_word(w, &type, &size))
        return rg_mol_fail(fault, w->n, "found the end of the line, expected an element");
    for (size_t k = 0; k < 3; k++)
        if (!next_word(w, &word, &length) ||
            rg_number_real(word, word + length, &place[k]) != word + length)
            return rg_mol_fail(fault, (size_t)(word - w->text),
                               "found '%.*s', expected a coordinate",
                               (int)(length < 20 ? length : 20), word);
    status = next_int(w, &map, "the number of an atom class", fault);
    if (!status)
        status = rg_ctab_atom(tab, type, size, (size_t)(type - w->text), place, fault);
    if (status)
        return status;
    if (!tab->numbers && !(tab->numbers = rg_table_new()))
        return RG_ENOMEM;
    size_t before = rg_table_size(tab->numbers);
    if (rg_table_add(tab->numbers, &number, sizeof number) == RG_TABLE_NONE)
        return RG_ENOMEM;
    if (rg_table_size(tab->numbers) == before)
        return rg_mol_fail(fault, 0, "found atom %lld a second time", (long long)number);
    return read_settings(w, &tab->m->atoms[tab->m->n_atoms - 1], fault);
}

static rg_status next_atom(const rg_ctab *tab, words *w, uint32_t *out, rg_mol_fault *fault)
{
    int64_t number = 0;
    rg_status status = next_int(w, &number, "the number of an atom", fault);
    if (status)
        return status;
    *out = tab->numbers ? rg_table_find(tab->numbers, &number, sizeof number) : RG_TABLE_NONE;
    if (*out == RG_TABLE_NONE)
        return rg_mol_fail(fault, w->at, "found atom %lld, expected one that is listed",
                           (long long)number);
    return RG_OK;
}

static rg_status read_bond(rg_ctab *tab, words *w, rg_mol_fault *fault)
{
    int64_t number = 0, type = 0;
    uint32_t a = 0, b = 0;
    rg_status status = next_int(w, &number, "the number of a bond", fault);
    if (!status)
        status = next_int(w, &type, "the type of a bond", fault);
    size_t at = w->at;
    if (!status)
        status = next_atom(tab, w, &a, fault);
    if (!status)
        status = next_atom(tab, w, &b, fault);
    return status ? status : rg_ctab_bond(tab, a, b, type, at, fault);
}

static rg_status read_line(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault)
{
    words w = {text, n, 0}, ahead = w;
    const char *word, *block;
    size_t size, length;
    if (!next_word(&ahead, &word, &size))
        return RG_OK;
    if (is_word(word, size, "END"))
        tab->section = RG_CTAB_V3000;
    else if (is_word(word, size, "BEGIN") && next_word(&ahead, &block, &length))
        tab->section = is_word(block, length, "ATOM")   ? RG_CTAB_V3000_ATOMS
                       : is_word(block, length, "BOND") ? RG_CTAB_V3000_BONDS
                                                        : RG_CTAB_V3000;
    else if (tab->section == RG_CTAB_V3000_ATOMS)
        return read_atom(tab, &w, fault);
    else if (tab->section == RG_CTAB_V3000_BONDS)
        return read_bond(tab, &w, fault);
    return RG_OK;
}

static bool join(rg_ctab *tab, const char *text, size_t n)
{
    if (!rg_grow(&tab->joined, &tab->joined_capacity, tab->n_joined + n + 1, 1))
        return false;
    memcpy(tab->joined + tab->n_joined, text, n);
    tab->n_joined += n;
    return true;
}

rg_status rg_ctab_line_3000(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault)
{
    static const char head[] = "M  V30 ";
    if (n >= 6 && memcmp(text, "M  END", 6) == 0) {
        tab->done = true;
        return RG_OK;
    }
    if (n < sizeof head - 1 || memcmp(text, head, sizeof head - 1) != 0)
        return rg_mol_fail(fault, 0, "found another line, expected 'M  V30' or 'M  END'");
    text += sizeof head - 1;
    n -= sizeof head - 1;
    bool goes_on = n > 0 && text[n - 1] == '-';
    if (goes_on)
        return join(tab, text, n - 1) ? RG_OK : RG_ENOMEM;
    if (!tab->n_joined) {
        rg_status status = read_line(tab, text, n, fault);
        fault->at += sizeof head - 1;
        return status;
    }
    if (!join(tab, text, n))
        return RG_ENOMEM;
    rg_status status = read_line(tab, tab->joined, tab->n_joined, fault);
    fault->at = 0; /* somewhere in the lines before */
    tab->n_joined = 0;
    return status;
}
