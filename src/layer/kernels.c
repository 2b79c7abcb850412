/* kernels.c - which table of kernels: precision, lanes, processor. */
#include "kernels.h"

#include "kernels_table.h"

rg_cpu rg_cpu_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return RG_CPU_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return RG_CPU_AVX2;
#endif
    return RG_CPU_PORTABLE;
}

const rg_kernels *rg_kernels_get(rg_precision precision, uint32_t lanes, rg_cpu cpu)
{
    size_t place = lanes == 1 ? 0 : lanes == 4 ? 1 : 2;
    if (lanes != 1 && lanes != 4 && lanes != 8)
        return NULL;
    rg_cpu best = rg_cpu_best();
    if (cpu > best)
        cpu = best;
#if defined(__x86_64__)
    if (cpu == RG_CPU_AVX512)
        return &rg_kernels_avx512[precision][place];
    if (cpu == RG_CPU_AVX2)
        return &rg_kernels_avx2[precision][place];
#endif
    return &rg_kernels_portable[precision][place];
}
