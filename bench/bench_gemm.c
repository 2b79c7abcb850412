/* bench_gemm.c - products of matrices as dense layers have them, and how OpenBLAS does.
 *
 *   bench_gemm [PROCESSOR]      portable, avx2 or avx512; default: the best there is
 *
 * 4096 rows through a square layer: forward x w, its input's gradient dy w', its weights' gradient
 * x' dy. One thread, processor time, the fastest of several rounds in which both take turns.
 * OpenBLAS takes the kernels of the same processor: left to itself, one that is older than a processor
 * takes its oldest, which no comparison is fair with. Without OpenBLAS its columns stay empty.
 * Exit: 1 if a product of width 512 takes more than 1.5 times as long as with OpenBLAS. */
#include "base/random.h"
#include "batch/loops.h"

#ifdef HAVE_OPENBLAS
#include <cblas.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 4096, ROUNDS = 7, FORWARD = 0, INPUT, WEIGHTS, N_KINDS };

static const char *const kinds[N_KINDS] = {"x w", "dy w'", "x' dy"};
static const double limit = 1.5;

typedef struct matrices {
    rg_precision precision;
    void *y, *a, *b;
} matrices;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *draw(rg_precision precision, size_t n, uint64_t seed)
{
    void *out = calloc(n, rg_real_size(precision));
    if (!out) {
        fprintf(stderr, "bench_gemm: out of memory\n");
        exit(1);
    }
    for (size_t k = 0; k < n; k++)
        rg_real_put(precision, out, k, rg_random_normal(seed, 0, k));
    return out;
}

static rg_product shape_of(int kind, size_t width)
{
    if (kind == WEIGHTS)
        return (rg_product){
            .m = width, .n = width, .k = ROWS, .ar = 1, .at = width, .bt = width, .bc = 1};
    return (rg_product){.m = ROWS,
                        .n = width,
                        .k = width,
                        .ar = width,
                        .at = 1,
                        .bt = kind == INPUT ? 1 : width,
                        .bc = kind == INPUT ? width : 1};
}

#ifdef HAVE_OPENBLAS
static void multiply_openblas(const matrices *x, const rg_product *s)
{
    enum CBLAS_TRANSPOSE a = s->at == 1 ? CblasNoTrans : CblasTrans;
    enum CBLAS_TRANSPOSE b = s->bc == 1 ? CblasNoTrans : CblasTrans;
    blasint m = (blasint)s->m, n = (blasint)s->n, k = (blasint)s->k;
    blasint lda = (blasint)(s->at == 1 ? s->ar : s->at);
    blasint ldb = (blasint)(s->bc == 1 ? s->bt : s->bc);
    if (x->precision == RG_FLOAT)
        cblas_sgemm(CblasRowMajor, a, b, m, n, k, 1, x->a, lda, x->b, ldb, 0, x->y, n);
    else
        cblas_dgemm(CblasRowMajor, a, b, m, n, k, 1, x->a, lda, x->b, ldb, 0, x->y, n);
}
#endif

/* Seconds of `times` products. */
static double run(const matrices *x, const rg_product *s, const rg_gnn_kernels *kernels, int times)
{
    double begun = now();
    for (int k = 0; k < times; k++)
        if (kernels)
            kernels->product(x->y, s, x->a, x->b);
#ifdef HAVE_OPENBLAS
        else
            multiply_openblas(x, s);
#endif
    return now() - begun;
}

/* Ours over theirs; 0 without OpenBLAS. */
static double compare(rg_precision precision, rg_cpu cpu, int kind, size_t width)
{
    rg_product s = shape_of(kind, width);
    const rg_gnn_kernels *kernels = rg_gnn_kernels_get(precision, cpu);
    matrices x = {precision, draw(precision, s.m * s.n, 1), draw(precision, s.m * s.k, 2),
                  draw(precision, s.k * s.n, 3)};
    double flops = 2.0 * (double)s.m * (double)s.n * (double)s.k, ours = INFINITY,
           theirs = INFINITY;
    int times = 1 + (int)(2e8 / flops);
    for (int k = 0; k < ROUNDS; k++) {
        ours = fmin(ours, run(&x, &s, kernels, times));
#ifdef HAVE_OPENBLAS
        theirs = fmin(theirs, run(&x, &s, NULL, times));
#endif
    }
    flops *= 1e-9 * times;
    printf("%-6s %5zu  %-6s %9.1f", precision == RG_FLOAT ? "float" : "double", width, kinds[kind],
           flops / ours);
    if (isfinite(theirs))
        printf(" %9.1f %6.2f", flops / theirs, ours / theirs);
    printf("\n");
    fflush(stdout);
    free(x.y);
    free(x.a);
    free(x.b);
    return isfinite(theirs) ? ours / theirs : 0;
}

/* OpenBLAS reads its environment before main: once more, with what it must find there. */
static void choose_openblas(char **argv, rg_cpu cpu)
{
#ifdef HAVE_OPENBLAS
    const char *core = cpu == RG_CPU_AVX512 ? "SkylakeX" : cpu == RG_CPU_AVX2 ? "Haswell" : NULL;
    if (getenv("OPENBLAS_CORETYPE") || !core)
        return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_CORETYPE", core, 1);
    execv("/proc/self/exe", argv);
#endif
    (void)argv;
    (void)cpu;
}

static rg_cpu cpu_of(const char *name)
{
    for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++)
        if (strcmp(rg_cpu_name((rg_cpu)cpu), name) == 0)
            return (rg_cpu)cpu;
    fprintf(stderr, "usage: bench_gemm [PROCESSOR]; this one has '%s' and less\n",
            rg_cpu_name(rg_cpu_best()));
    exit(2);
}

int main(int argc, char **argv)
{
    rg_cpu cpu = argc > 1 ? cpu_of(argv[1]) : rg_cpu_best();
    double worst = 0;
    choose_openblas(argv, cpu);
#ifdef HAVE_OPENBLAS
    openblas_set_num_threads(1);
    printf("ours: %s, OpenBLAS: %s\n", rg_cpu_name(cpu), openblas_get_corename());
#else
    printf("ours: %s, OpenBLAS: not there when this was built\n", rg_cpu_name(cpu));
#endif
    printf("%-6s %5s  %-6s %9s %9s %6s\n", "", "width", "", "GFLOP/s", "OpenBLAS", "ratio");
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++)
        for (size_t width = 64; width <= 512; width *= 2)
            for (int kind = FORWARD; kind < N_KINDS; kind++) {
                double ratio = compare((rg_precision)precision, cpu, kind, width);
                if (width == 512 && ratio > worst)
                    worst = ratio;
            }
    if (worst > 0)
        printf("width 512, the worst ratio: %.2f, limit %.1f\n", worst, limit);
    return worst > limit;
}
