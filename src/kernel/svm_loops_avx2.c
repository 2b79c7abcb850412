/* svm_loops_avx2.c - the loops, compiled with the options that cmake/RegulaCompiler.cmake gives it,
 * run only where the processor has what they need. */
#if defined(__x86_64__)
#if !defined(__AVX2__)
#error "this file needs the compiler options that cmake/RegulaCompiler.cmake gives it"
#endif
#define RG_LOOPS rg_svm_loops_avx2
#include "svm_loops.inc"
#else
typedef int rg_no_svm_avx2; /* a file must hold something */
#endif
