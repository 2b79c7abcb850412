/* loops_portable.c - the kernels, what every processor of the architecture runs. */
#define RG_TABLE rg_gnn_portable
#define RG_TABLE_CPU RG_CPU_PORTABLE
#include "loops.inc"
