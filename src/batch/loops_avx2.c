/* loops_avx2.c - the kernels, compiled for AVX2 (RegulaCompiler.cmake), run only where there is
 * it. */
#if defined(__x86_64__)
#if !defined(__AVX2__)
#error "this file needs the compiler options that RegulaCompiler.cmake gives it"
#endif
#define RG_TABLE rg_gnn_avx2
#define RG_TABLE_CPU RG_CPU_AVX2
#include "loops.inc"
#else
typedef int rg_no_gnn_avx2; /* a file must hold something */
#endif
