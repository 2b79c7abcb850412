/* passes.c - see passes.h. */
#include "passes.h"

#include "base/alloc.h"
#include "graph/reorder.h"
#include "graphs.h"

#include <math.h>
#include <string.h>

static const rg_kernels *kernels_of(rg_cpu cpu)
{
    return rg_kernels_get(RG_DOUBLE, 1, cpu);
}

/* The file with numbers in double. Owned (free). */
static char *in_double(const char *text)
{
    return test_format("%s%s", text,
                       strstr(text, "training:") ? "" : "training: {precision: double}\n");
}

test_pass test_pass_open(const char *text, const rg_dataset *data)
{
    char *whole = in_double(text);
    test_pass p = {.n = test_network_open(whole, data)};
    size_t n = p.n.samples->n;
    assert_int_equal(p.n.settings.precision, RG_DOUBLE);
    free(whole);
    p.list = calloc(n + 1, sizeof *p.list);
    assert_non_null(p.list);
    for (uint32_t k = 0; k < n; k++)
        p.list[k] = k;
    ASSERT_OK(rg_measure_open(&p.measure, p.n.samples, kernels_of(rg_cpu_best()), &p.n.settings,
                              p.list, n, err));
    ASSERT_OK(rg_walk_open(&p.walk, p.n.samples, err));
    test_pass_again(&p, (uint32_t)n, rg_cpu_best());
    for (uint32_t k = 0; k < n; k++)
        p.weight += rg_measure_weight(&p.measure, k);
    assert_true(p.weight > 0);
    return p;
}

void test_pass_close(test_pass *p)
{
    rg_walk_close(&p->walk);
    rg_pass_free(p->pass);
    test_network_close(&p->n);
    free(p->list);
}

void test_pass_again(test_pass *p, uint32_t group, rg_cpu cpu)
{
    rg_pass_options options = {.backward = true, .group = group};
    rg_pass_free(p->pass);
    p->pass = NULL;
    p->measure.kernels = kernels_of(cpu);
    ASSERT_OK(rg_pass_new(&p->pass, p->n.samples, p->measure.kernels, &options, err));
}

/* The next samples; how many. */
static size_t take(test_pass *p, const rg_sample **samples)
{
    size_t taken = 0;
    ASSERT_OK(rg_pass_take(samples, &taken, p->pass, &p->walk, p->n.samples->n, err));
    return taken;
}

double test_pass_loss(test_pass *p, double *w, double *g)
{
    rg_tally tally = {.weight = 0};
    rg_pass_draws draws = {.seed = {5}, .stream = 1000};
    const rg_sample *samples;
    size_t n;
    rg_walk_begin(&p->walk, p->list, p->n.samples->n);
    while ((n = take(p, &samples)) > 0) {
        rg_pass_forward(p->pass, samples, n, w, &draws);
        rg_measure_group(&tally, &p->measure, p->pass, samples, n,
                         g ? rg_pass_gradient(p->pass) : NULL, 1 / p->weight);
        if (g)
            rg_pass_backward(p->pass, g);
    }
    assert_true(fabs(tally.weight - p->weight) < 1e-9);
    return rg_tally_loss(&tally, 0);
}

double *test_pass_outputs(size_t *n, test_pass *p, double *w)
{
    double *out = NULL;
    const rg_sample *samples;
    size_t taken;
    *n = 0;
    rg_walk_begin(&p->walk, p->list, p->n.samples->n);
    while ((taken = take(p, &samples)) > 0) {
        const double *z = rg_pass_forward(p->pass, samples, taken, w, NULL);
        size_t more = rg_pass_output(p->pass, taken);
        out = realloc(out, (*n + more + 1) * sizeof *out);
        assert_non_null(out);
        memcpy(out + *n, z, more * sizeof *out);
        *n += more;
    }
    return out;
}

/* Numbers of a gradient, zeros. Owned (free). */
static double *zeros(const test_pass *p)
{
    double *g = calloc(p->n.net->n_params + 1, sizeof *g);
    assert_non_null(g);
    return g;
}

void test_pass_check_gradient(const char *text, const rg_dataset *data, size_t most)
{
    test_pass p = test_pass_open(text, data);
    size_t n = p.n.net->n_params, step = n / most + 1, moving = 0;
    double *w = test_network_weights(&p.n, 3), *g = zeros(&p), h = 1e-5;
    double loss = test_pass_loss(&p, w, g);
    for (size_t k = 0; k < n; k += step) {
        double kept = w[k];
        w[k] = kept + h;
        double up = test_pass_loss(&p, w, NULL);
        w[k] = kept - h;
        double down = test_pass_loss(&p, w, NULL);
        w[k] = kept;
        double slope = (up - down) / (2 * h);
        if (!test_near(g[k], slope, 1e-6, 1e-3 * (1 + loss)))
            fail_msg("%s\nparameter %zu of %zu: %.12g, by differences %.12g", text, k, n, g[k],
                     slope);
        moving += g[k] != 0;
    }
    if (5 * moving < n / step)
        fail_msg("%s\nonly %zu of %zu parameters have a gradient", text, moving, n / step);
    free(w);
    free(g);
    test_pass_close(&p);
}

void test_pass_check_sums(const char *text, const rg_dataset *data)
{
    test_pass p = test_pass_open(text, data);
    double *w = test_network_weights(&p.n, 3), *once = zeros(&p), *twice = zeros(&p);
    test_pass_loss(&p, w, once);
    test_pass_loss(&p, w, twice);
    test_pass_loss(&p, w, twice);
    for (size_t k = 0; k < p.n.net->n_params; k++)
        if (!test_near(twice[k], 2 * once[k], 1e-12, 1))
            fail_msg("%s\nparameter %zu: %.17g twice is %.17g", text, k, once[k], twice[k]);
    free(w);
    free(once);
    free(twice);
    test_pass_close(&p);
}

void test_pass_check_outputs(const char *text, const rg_dataset *data)
{
    test_pass p = test_pass_open(text, data);
    size_t n = 0, at = 0;
    double *w = test_network_weights(&p.n, 4), *z = test_pass_outputs(&n, &p, w);
    for (size_t k = 0; k < p.n.samples->n; k++) {
        size_t size;
        double *expected = test_network_outputs(&size, &p.n, w, k);
        assert_true(at + size <= n);
        for (size_t v = 0; v < size; v++, at++)
            if (!test_near(z[at], expected[v], 1e-10, 1))
                fail_msg("%s\nsample %zu, output %zu: %.17g, expected %.17g", text, k, v, z[at],
                         expected[v]);
        free(expected);
    }
    assert_int_equal(at, n);
    free(w);
    free(z);
    test_pass_close(&p);
}

void test_pass_check_groups(const char *text, const rg_dataset *data)
{
    test_pass p = test_pass_open(text, data);
    size_t n = 0, m = 0;
    double *w = test_network_weights(&p.n, 4), *z = test_pass_outputs(&n, &p, w);
    for (uint32_t group = 1; group <= 3; group += 2) {
        test_pass_again(&p, group, rg_cpu_best());
        double *other = test_pass_outputs(&m, &p, w);
        assert_int_equal(n, m);
        for (size_t k = 0; k < n; k++)
            if (memcmp(&z[k], &other[k], sizeof *z) != 0)
                fail_msg("%s\noutput %zu is %.17g among all, %.17g among %u", text, k, z[k],
                         other[k], (unsigned)group);
        free(other);
    }
    free(w);
    free(z);
    test_pass_close(&p);
}

void test_pass_check_draws(const char *text, const rg_dataset *data)
{
    test_pass p = test_pass_open(text, data);
    const rg_network *net = p.n.net;
    double *w = test_network_weights(&p.n, 4), *g = zeros(&p), *other = zeros(&p);
    bool alone = true;
    for (size_t k = 0; k < net->n_layers; k++)
        alone &= net->layers[k].kind->phases == 0;
    if (alone) {
        double loss = test_pass_loss(&p, w, g);
        test_pass_again(&p, 3, rg_cpu_best());
        double again = test_pass_loss(&p, w, other);
        if (!test_near(loss, again, 1e-12, 1))
            fail_msg("%s\nloss %.17g, in groups of three %.17g", text, loss, again);
        for (size_t k = 0; k < net->n_params; k++)
            if (!test_near(g[k], other[k], 1e-11, 1))
                fail_msg("%s\ngradient %zu: %.17g, in groups of three %.17g", text, k, g[k],
                         other[k]);
    }
    free(w);
    free(g);
    free(other);
    test_pass_close(&p);
}

/* ---- colours */

static size_t rows_of(const test_pass *p)
{
    const rg_batch *batch = &p->pass->batch;
    size_t n = 0;
    for (uint32_t t = 0; t < batch->colouring->n_rounds; t++)
        n += batch->rows[t].n;
    return n;
}

/* Every node gets a colour of its own. */
static void tell_apart(test_pass *p)
{
    rg_samples *s = p->n.samples;
    uint32_t n = (uint32_t)rg_dataset_n_nodes(s->source.graphs), *hot = malloc(n * sizeof *hot);
    rg_features apart = {.n_nodes = n, .n_hot = 1, .width = n, .hot = hot};
    rg_colouring *colouring = NULL;
    assert_non_null(hot);
    for (uint32_t k = 0; k < n; k++)
        hot[k] = k;
    ASSERT_OK(rg_colouring_build(&colouring, &apart, s->source.graphs, s->colouring->n_rounds,
                                 s->colouring->each, err));
    free(hot);
    rg_colouring_free(s->colouring);
    s->colouring = colouring;
    test_pass_again(p, (uint32_t)s->n, rg_cpu_best());
}

size_t test_pass_check_colours(const char *text, const rg_dataset *data)
{
    test_pass p = test_pass_open(text, data);
    size_t n = 0, n_nodes = (size_t)rg_dataset_n_nodes(data);
    double *w = test_network_weights(&p.n, 5), *g = zeros(&p), *other = zeros(&p);
    double *z = test_pass_outputs(&n, &p, w), loss = test_pass_loss(&p, w, g);
    size_t rows = rows_of(&p), rounds = p.n.samples->colouring->n_rounds;
    tell_apart(&p);
    free(w); /* training has moved what norms keep */
    w = test_network_weights(&p.n, 5);
    double *y = test_pass_outputs(&n, &p, w), again = test_pass_loss(&p, w, other);
    assert_int_equal(rows_of(&p), n_nodes * rounds);
    if (!test_near(loss, again, 1e-11, 1))
        fail_msg("%s\nloss %.17g, with a row for every node %.17g", text, loss, again);
    for (size_t k = 0; k < n; k++)
        if (!test_near(z[k], y[k], 1e-11, 1))
            fail_msg("%s\noutput %zu: %.17g, with a row for every node %.17g", text, k, z[k], y[k]);
    for (size_t k = 0; k < p.n.net->n_params; k++)
        if (!test_near(g[k], other[k], 1e-10, 1))
            fail_msg("%s\ngradient %zu: %.17g, with a row for every node %.17g", text, k, g[k],
                     other[k]);
    free(w);
    free(g);
    free(other);
    free(z);
    free(y);
    test_pass_close(&p);
    return n_nodes * rounds - rows;
}

/* ---- processors, orders */

void test_pass_check_tables(const char *text, const rg_dataset *data)
{
    test_pass p = test_pass_open(text, data);
    size_t bytes = p.n.net->n_params * sizeof(double);
    double *w = test_network_weights(&p.n, 6), *first = zeros(&p), loss = 0;
    for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++) {
        double *g = zeros(&p), other;
        test_pass_again(&p, (uint32_t)p.n.samples->n, (rg_cpu)cpu);
        other = test_pass_loss(&p, w, g);
        if (cpu == RG_CPU_PORTABLE) {
            memcpy(first, g, bytes);
            loss = other;
        }
        if (memcmp(first, g, bytes) != 0 || memcmp(&loss, &other, sizeof loss) != 0)
            fail_msg("%s\nprocessor %d has other bits than the portable table", text, cpu);
        free(g);
    }
    free(w);
    free(first);
    test_pass_close(&p);
}

/* Which node of the set has become node k. */
static size_t node_before(const rg_dataset *data, const uint32_t *nodes, size_t k)
{
    size_t g = 0;
    while (k >= rg_dataset_graph(data, g).first_node + rg_dataset_graph(data, g).n_nodes)
        g++;
    return (size_t)rg_dataset_graph(data, g).first_node + nodes[k];
}

void test_pass_check_order(const char *text, const rg_dataset *data)
{
    rg_dataset *other = NULL;
    uint32_t *nodes = NULL, *graphs = NULL;
    size_t n = 0, m = 0;
    ASSERT_OK(rg_dataset_shuffle(&graphs, &nodes, data, 11, err));
    ASSERT_OK(rg_dataset_reorder(&other, data, NULL, nodes, err));
    test_pass a = test_pass_open(text, data), b = test_pass_open(text, other);
    assert_int_equal(a.n.net->n_params, b.n.net->n_params);
    double *w = test_network_weights(&a.n, 7), *x = test_pass_outputs(&n, &a, w),
           *y = test_pass_outputs(&m, &b, w);
    assert_int_equal(n, m);
    size_t width = a.n.net->task == RG_TASK_NODES ? a.n.net->n_outputs : 0;
    /* rows of nodes have the same bits, so sorting them is safe; sums over a graph are rounded */
    for (size_t k = 0; k < n; k++) {
        size_t from = width ? node_before(data, nodes, k / width) * width + k % width : k;
        if (!test_near(x[from], y[k], 1e-10, 1))
            fail_msg("%s\noutput %zu is %.17g, in another order of nodes %.17g", text, k, x[from],
                     y[k]);
    }
    free(w);
    free(x);
    free(y);
    test_pass_close(&a);
    test_pass_close(&b);
    rg_free(nodes);
    rg_free(graphs);
    rg_dataset_free(other);
}
