/* sparse.h - the input of a network whose numbers are mostly 0: of a row only the others, with their columns.
 *
 * Dense layers take it as it is, also behind dropout; the results are those of the matrix, bit by bit. */
#ifndef REGULA_LAYER_SPARSE_H
#define REGULA_LAYER_SPARSE_H

#include "pass.h"

/* Is value v of the pass kept in this way? */
bool rg_pass_is_sparse(const rg_pass *p, uint32_t v);
/* Layer k is a dropout of the input: draws as for a matrix. Bytes that it keeps. */
void rg_sparse_drop(rg_pass *p, size_t k, uint64_t stream);
size_t rg_sparse_kept(const rg_pass *p);
/* Layer k is dense: y = b + x w;  dw += x dy, db += dy. */
void rg_sparse_forward(const rg_pass *p, size_t k, void *y);
void rg_sparse_backward(const rg_pass *p, size_t k, const void *dy);

#endif
