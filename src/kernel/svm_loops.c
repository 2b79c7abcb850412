/* svm_loops.c - which table of loops. */
#include "svm_loops.h"

const rg_svm_loops *rg_svm_loops_get(rg_cpu cpu)
{
    cpu = rg_cpu_resolve(cpu);
#ifdef RG_WIDE_VECTORS
    if (cpu == RG_CPU_AVX512)
        return &rg_svm_loops_avx512;
    if (cpu == RG_CPU_AVX2)
        return &rg_svm_loops_avx2;
#endif
    return &rg_svm_loops_portable;
}
