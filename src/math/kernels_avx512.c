/* kernels_avx512.c - the kernels, compiled for AVX-512 (CMakeLists.txt), run only where there is
 * all of it. */
#if defined(__x86_64__)
#if !defined(__AVX512VL__)
#error "this file needs the compiler options that CMakeLists.txt gives it"
#endif
#define RG_TABLE rg_kernels_avx512
#define RG_TABLE_CPU RG_CPU_AVX512
#include "kernels.inc"
#else
typedef int rg_no_avx512; /* a file must hold something */
#endif
