/* loops_table.h - the tables of loops.h, one per processor. */
#ifndef REGULA_BATCH_LOOPS_TABLE_H
#define REGULA_BATCH_LOOPS_TABLE_H

#include "loops.h"

extern const rg_gnn_kernels rg_gnn_portable[2];
#ifdef RG_WIDE_VECTORS
extern const rg_gnn_kernels rg_gnn_avx2[2];
extern const rg_gnn_kernels rg_gnn_avx512[2];
#endif

#endif
