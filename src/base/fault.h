/* fault.h - making the n-th allocation, or the n-th call that touches the disk, fail on purpose.
 *
 * Only the library that the tests link is built with RG_FAULTS; in what is shipped the question
 * below is the constant false and no state exists. */
#ifndef REGULA_BASE_FAULT_H
#define REGULA_BASE_FAULT_H

#include <stdbool.h>

typedef enum rg_fault { RG_FAULT_ALLOC, RG_FAULT_IO } rg_fault;

#ifdef RG_FAULTS
/* The n-th call of this kind from now on fails (n = 1: the next one), once; n = 0: none does. */
void rg_fault_set(rg_fault kind, unsigned long n);
/* True if the fault that was set has happened. */
bool rg_fault_happened(rg_fault kind);
/* Asked at every such call: must this one fail? */
bool rg_fault_hit(rg_fault kind);
/* Calls of this kind since the last rg_fault_set. */
unsigned long rg_fault_calls(rg_fault kind);
#else
#ifndef RG_NO_FAULTS
#error "CMakeLists.txt does not know yet that this file includes fault.h: run cmake again"
#endif
static inline bool rg_fault_hit(rg_fault kind)
{
    (void)kind;
    return false;
}
#endif

#endif
