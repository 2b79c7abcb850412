/* element.c - see element.h. */
#include "element.h"

#include <string.h>

static const char symbols[RG_ELEMENTS + 1][3] = {
    "*",  "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si",
    "P",  "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu",
    "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru",
    "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr",
    "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",
    "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac",
    "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf",
    "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

const char *rg_element_symbol(unsigned number)
{
    return number <= RG_ELEMENTS ? symbols[number] : "?";
}

/* Numbers by first letter and second letter (0: none), filled at compile time would be 702 bytes of
 * typing; a search over 118 symbols is only made for atoms in brackets. */
int rg_element_find(const char *text, size_t n, size_t *length)
{
    int found = -1;
    *length = 0;
    for (unsigned z = 1; n > 0 && z <= RG_ELEMENTS; z++) {
        size_t size = symbols[z][1] ? 2 : 1;
        if (size <= n && size > *length && text[0] == symbols[z][0] &&
            (size == 1 || text[1] == symbols[z][1])) {
            found = (int)z;
            *length = size;
        }
    }
    return found;
}

static const uint8_t valences[RG_ELEMENTS + 1][RG_VALENCES] = {
    [1] = {1},     [3] = {1},        [4] = {2},        [5] = {3},        [6] = {4},  [7] = {3, 5},
    [8] = {2},     [9] = {1},        [11] = {1},       [12] = {2},       [13] = {3}, [14] = {4},
    [15] = {3, 5}, [16] = {2, 4, 6}, [17] = {1},       [19] = {1},       [20] = {2}, [31] = {3},
    [32] = {4},    [33] = {3, 5},    [34] = {2, 4, 6}, [35] = {1},       [37] = {1}, [38] = {2},
    [49] = {3},    [50] = {2, 4},    [51] = {3, 5},    [52] = {2, 4, 6}, [53] = {1}, [55] = {1},
    [56] = {2},    [82] = {2, 4},    [83] = {3, 5},    [84] = {2, 4, 6}, [85] = {1}, [87] = {1},
    [88] = {2}};

const uint8_t *rg_element_valences(unsigned number)
{
    return valences[number <= RG_ELEMENTS ? number : 0];
}

const uint8_t *rg_ion_valences(unsigned number, int charge)
{
    int same = (int)number - charge;
    return valences[same > 0 && same <= RG_ELEMENTS ? same : 0];
}

/* First element of each row, and where its p block begins. */
unsigned rg_element_outer(unsigned number)
{
    static const struct {
        uint8_t first, p_block; /* 0: no row */
    } rows[] = {{1, 3}, {3, 5}, {11, 13}, {19, 31}, {37, 49}, {55, 81}, {87, 113}};
    if (number == RG_WILDCARD || number > RG_ELEMENTS)
        return 0;
    if (number <= 2)
        return number;
    size_t row = sizeof rows / sizeof *rows - 1;
    while (number < rows[row].first)
        row--;
    if (number >= rows[row].p_block)
        return number - rows[row].p_block + 3;
    return number - rows[row].first + 1;
}

bool rg_element_attracts(unsigned a, unsigned b)
{
    unsigned outer_a = rg_element_outer(a), outer_b = rg_element_outer(b);
    return outer_a > outer_b || (outer_a == outer_b && a < b);
}
