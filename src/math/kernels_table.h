/* kernels_table.h - the tables that kernels.c chooses from; each kernels_CPU.c makes one row. */
#ifndef REGULA_MATH_KERNELS_TABLE_H
#define REGULA_MATH_KERNELS_TABLE_H

#include "kernels.h"

/* [precision][lanes: 1, 4, 8] */
extern const rg_kernels rg_kernels_portable[2][3];
#ifdef RG_WIDE_VECTORS
extern const rg_kernels rg_kernels_avx2[2][3];
extern const rg_kernels rg_kernels_avx512[2][3];
#endif

#endif
