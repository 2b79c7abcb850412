/* kernels.c - which table of kernels: precision, lanes, processor. */
#include "kernels.h"

#include "base/error.h"
#include "kernels_table.h"

rg_cpu rg_cpu_best(void)
{
#ifdef RG_WIDE_VECTORS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return RG_CPU_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return RG_CPU_AVX2;
#endif
    return RG_CPU_PORTABLE;
}

rg_cpu rg_cpu_resolve(rg_cpu cpu)
{
    rg_cpu best = rg_cpu_best();
    return cpu == RG_CPU_AUTO || cpu > best ? best : cpu;
}

const char *rg_cpu_name(rg_cpu cpu)
{
    static const char *const names[] = {[RG_CPU_AUTO] = "auto",
                                        [RG_CPU_PORTABLE] = "portable",
                                        [RG_CPU_AVX2] = "avx2",
                                        [RG_CPU_AVX512] = "avx512"};
    return (size_t)cpu < sizeof names / sizeof *names ? names[cpu] : NULL;
}

rg_status rg_cpu_check(rg_cpu cpu, rg_error *err)
{
    rg_cpu best = rg_cpu_best();
    if (!rg_cpu_name(cpu))
        return rg_fail(err, RG_EUSAGE, "there is no processor number %d", (int)cpu);
    if (cpu > best)
        return rg_fail(err, RG_EUSAGE, "this processor does not have '%s', it has '%s'%s",
                       rg_cpu_name(cpu), rg_cpu_name(best),
                       best == RG_CPU_PORTABLE ? "" : " and 'portable'");
    return RG_OK;
}

const rg_kernels *rg_kernels_get(rg_precision precision, uint32_t lanes, rg_cpu cpu)
{
    size_t place = lanes == 1 ? 0 : lanes == 4 ? 1 : 2;
    if (lanes != 1 && lanes != 4 && lanes != 8)
        return NULL;
    cpu = rg_cpu_resolve(cpu);
#ifdef RG_WIDE_VECTORS
    if (cpu == RG_CPU_AVX512)
        return &rg_kernels_avx512[precision][place];
    if (cpu == RG_CPU_AVX2)
        return &rg_kernels_avx2[precision][place];
#endif
    return &rg_kernels_portable[precision][place];
}
