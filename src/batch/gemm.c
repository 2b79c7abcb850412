/* gemm.c - products of matrices by OpenBLAS; see loops.h. */
#include "loops.h"

#include <cblas.h>
#include <pthread.h>

static void use_one_thread(void)
{
    openblas_set_num_threads(1);
}

/* Once, because other threads may be inside a product later. */
void rg_gemm_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, use_one_thread);
}

/* A stride that BLAS accepts also where a matrix has no columns. */
static blasint stride(size_t ld)
{
    return ld ? (blasint)ld : 1;
}

void rg_gemm(rg_precision precision, const rg_gemm_shape *s, double beta, void *c, const void *a,
             const void *b)
{
    enum CBLAS_TRANSPOSE turn_a = s->a_transposed ? CblasTrans : CblasNoTrans;
    enum CBLAS_TRANSPOSE turn_b = s->b_transposed ? CblasTrans : CblasNoTrans;
    blasint m = (blasint)s->m, n = (blasint)s->n, k = (blasint)s->k;
    if (m == 0 || n == 0)
        return;
    if (precision == RG_FLOAT)
        cblas_sgemm(CblasRowMajor, turn_a, turn_b, m, n, k, 1, a, stride(s->lda), b, stride(s->ldb),
                    (float)beta, c, stride(s->ldc));
    else
        cblas_dgemm(CblasRowMajor, turn_a, turn_b, m, n, k, 1, a, stride(s->lda), b, stride(s->ldb),
                    beta, c, stride(s->ldc));
}
