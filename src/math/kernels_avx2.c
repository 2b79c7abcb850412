/* kernels_avx2.c - the kernels, compiled with -mavx2 (CMakeLists.txt), run only where there is
 * AVX2. */
#if defined(__x86_64__)
#if !defined(__AVX2__)
#error "this file needs the compiler options that CMakeLists.txt gives it"
#endif
#define RG_TABLE rg_kernels_avx2
#define RG_TABLE_CPU RG_CPU_AVX2
#include "kernels.inc"
#else
typedef int rg_no_avx2; /* a file must hold something */
#endif
