/* svm_loops_portable.c - the loops for any processor. */
#define RG_LOOPS rg_svm_loops_portable
#include "svm_loops.inc"
