/* kernels_portable.c - the kernels, what every processor of the architecture runs. */
#define RG_TABLE rg_kernels_baseline
#define RG_TABLE_CPU RG_CPU_BASELINE
#include "kernels.inc"
