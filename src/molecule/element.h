/* element.h - the periodic table, as far as reading molecules needs it. */
#ifndef REGULA_MOLECULE_ELEMENT_H
#define REGULA_MOLECULE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RG_ELEMENTS = 118, RG_WILDCARD = 0 }; /* the atom "*" has number 0 */

/* "C", "Cl", "*"; "?" for a number that no element has. Static. */
const char *rg_element_symbol(unsigned number);
/* The element whose symbol begins at text, the longest that fits into n bytes; *length: its bytes.
 * -1: there is none. */
int rg_element_find(const char *text, size_t n, size_t *length);

/* The normal valences of a neutral element, ascending, up to the first 0: 3 and 5 for N. None for
 * metals and noble gases. */
enum { RG_VALENCES = 4 };
const uint8_t *rg_element_valences(unsigned number);
/* Those of an ion are those of the neutral element with as many electrons: N+ is like C. */
const uint8_t *rg_ion_valences(unsigned number, int charge);

/* Electrons of the outer shell, transition metals with those of the d shell. */
unsigned rg_element_outer(unsigned number);
/* Does `a` attract electrons more than `b`? By outer electrons, then the lighter one. */
bool rg_element_attracts(unsigned a, unsigned b);

#endif
