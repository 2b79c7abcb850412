/* loops_avx512.c - the kernels, compiled for AVX-512 (RegulaCompiler.cmake), run only where there
 * is it. */
#if defined(__x86_64__)
#if !defined(__AVX512VL__)
#error "this file needs the compiler options that RegulaCompiler.cmake gives it"
#endif
#define RG_TABLE rg_gnn_avx512
#define RG_TABLE_CPU RG_CPU_AVX512
#include "loops.inc"
#else
typedef int rg_no_gnn_avx512; /* a file must hold something */
#endif
