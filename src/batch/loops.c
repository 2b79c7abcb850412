/* layers.c - which table of kernels: precision and processor. */
#include "loops.h"

#include "loops_table.h"

const rg_gnn_kernels *rg_gnn_kernels_get(rg_precision precision, rg_cpu cpu)
{
    cpu = rg_cpu_resolve(cpu);
#ifdef RG_WIDE_VECTORS
    if (cpu == RG_CPU_AVX512)
        return &rg_gnn_avx512[precision];
    if (cpu == RG_CPU_AVX2)
        return &rg_gnn_avx2[precision];
#endif
    return &rg_gnn_portable[precision];
}
