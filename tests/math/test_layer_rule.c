/* test_layer_rule.c - the rule layer on random tables: central differences, lanes, several
 * channels, several rules, aggregation; and a slow twin that knows nothing of tables. */
#include "support/support.h"

#include "base/random.h"
#include "layer_arrays.h"

#include <math.h>
#include <string.h>

enum { ROWS = 9, COLS = 7, KEYS = 6, BIASES = 4, MOST = ROWS * COLS, OUTPUTS = 11, WIDEST = 37 };

/* A random rule: of all pairs about half connect, by few keys, so that every weight is shared. Row
 * 3 has no connection at all and row 5 no bias. */
typedef struct rule {
    rg_links links, second;
    rg_channels channels;
    uint32_t row[ROWS + 1], id[MOST], other[MOST], bias_id[ROWS * OUTPUTS], col32[MOST];
    uint16_t col16[MOST];
    float value_float[MOST * 4];
    double value_double[MOST * 4];
    bool fixed;
} rule;

static void rule_make(rule *r, uint64_t seed)
{
    uint32_t n = 0;
    memset(r, 0, sizeof *r);
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t j = 0; j < COLS; j++) {
            if (i == 3 || rg_random_below(seed, 1, i * COLS + j, 2))
                continue;
            r->col32[n] = j;
            r->col16[n] = (uint16_t)j;
            r->other[n] = rg_random_below(seed, 3, n, KEYS);
            r->id[n] = rg_random_below(seed, 2, n, KEYS);
            n++;
        }
        r->row[i + 1] = n;
    }
    for (uint32_t i = 0; i < ROWS * OUTPUTS; i++)
        r->bias_id[i] = i == 5 ? RG_NO_ID : rg_random_below(seed, 4, i, BIASES);
    for (size_t k = 0; k < MOST * 4; k++) {
        r->value_double[k] = 2 * rg_random_unit(seed, 5, k) - 1;
        r->value_float[k] = (float)r->value_double[k];
    }
    r->links = (rg_links){.n_rows = ROWS, .row = r->row, .id = r->id, .bias_id = r->bias_id};
    r->second = (rg_links){.n_rows = ROWS, .row = r->row, .id = r->other};
}

static rg_links links_of(const layer_arrays *s)
{
    const rule *r = s->context;
    rg_links links = r->links;
    if (r->fixed)
        links.value =
            s->kernels->precision == RG_FLOAT ? (const void *)r->value_float : r->value_double;
    return links;
}

/* a[2] x, a[4] w, a[6] b. A second rule, if there is one, adds with the same weights. */
static void rule_forward(layer_arrays *s)
{
    const rule *r = s->context;
    rg_links links = links_of(s);
    s->kernels->rule_forward(s->a[0], &links, &r->channels, s->a[4], s->a[6], s->a[2]);
    if (r->second.col32) {
        rg_channels more = r->channels;
        more.add = true;
        s->kernels->rule_forward(s->a[0], &r->second, &more, s->a[4], NULL, s->a[2]);
    }
}

static void rule_backward(layer_arrays *s)
{
    const rule *r = s->context;
    rg_links links = links_of(s);
    s->kernels->rule_backward(s->a[5], s->a[7], s->a[3], &links, &r->channels, s->a[4], s->a[2],
                              s->a[1]);
    if (r->second.col32)
        s->kernels->rule_backward(s->a[5], NULL, s->a[3], &r->second, &r->channels, s->a[4],
                                  s->a[2], s->a[1]);
}

/* Entry k of row i and output o of the row, from channel c: what it adds to channel to. */
static double twin_term(const rule *r, const double *w, const double *x, uint32_t k, uint32_t o,
                        uint32_t c, uint32_t to)
{
    const rg_channels *ch = &r->channels;
    double in = r->fixed ? r->value_double[k * ch->n_in + c] : x[r->col32[k] * ch->n_in + c];
    double sum = 0;
    for (int which = 0; which < (r->second.col32 ? 2 : 1); which++) {
        uint32_t id = (which ? r->other[k] : r->id[k]) + o * r->links.stride;
        if (ch->full)
            sum += ch->scale * w[(id * ch->n_in + c) * ch->n_out + to] * in;
        else if (c == to)
            sum += ch->scale * w[id * ch->n_out + to] * in;
    }
    return sum;
}

/* What the formula says, pair by pair, in double, one lane. */
static void twin_check(const layer_case *layer)
{
    static double y[ROWS * WIDEST], x[COLS * WIDEST], w[KEYS * WIDEST * WIDEST], b[BIASES * WIDEST];
    const rule *r = layer->context;
    const rg_channels *ch = &r->channels;
    uint32_t outputs = r->links.outputs ? r->links.outputs : 1;
    layer_arrays s = {.kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best()),
                      .context = r,
                      .a = {[0] = y, [2] = x, [4] = w, [6] = b}};
    double *const inputs[] = {[2] = x, [4] = w, [6] = b};
    for (size_t array = 2; array <= 6; array += 2)
        for (size_t k = 0; k < layer->n[array]; k++)
            inputs[array][k] = layer_value(layer, array, k, 0);
    rule_forward(&s);
    for (uint32_t i = 0; i < ROWS * outputs; i++)
        for (uint32_t to = 0; to < ch->n_out; to++) {
            double want = r->links.bias_id && r->bias_id[i] != RG_NO_ID
                              ? b[r->bias_id[i] * ch->n_out + to]
                              : 0;
            for (uint32_t k = r->row[i / outputs]; k < r->row[i / outputs + 1]; k++)
                for (uint32_t c = 0; c < ch->n_in; c++)
                    want += twin_term(r, w, x, k, i % outputs, c, to);
            assert_true(fabs(want - y[i * ch->n_out + to]) < 1e-12);
        }
}

/* Every way to find an input, with every kind of channels. */
static void rule_layers(void (*check)(const layer_case *layer))
{
    static const struct {
        const char *name;
        uint32_t n_in, n_out;
        bool full;
        double scale;
        uint32_t outputs;
    } kinds[] = {
        {"one channel", 1, 1, true, 1, 0},
        {"one channel, each", 1, 1, false, 1, 0},
        {"aggregation by mean", 1, 1, true, 1.0 / ROWS, 0},
        {"heads: 3", 1, 3, true, 1, 0},
        {"heads: 11", 1, 11, true, 1, 0},
        {"heads: 37", 1, WIDEST, true, 1, 0},
        {"channel by channel", 4, 4, false, 1, 0},
        {"31 channels, each", 31, 31, false, 0.5, 0},
        {"mix: full", 3, 2, true, 1, 0},
        {"mix: full, 9 out", 2, 9, true, 0.5, 0},
        {"mix: full, 1 out", 4, 1, true, 0.25, 0},
        {"mix: full, 18 in, 17 out", 18, 17, true, 1, 0},
        {"2 outputs", 1, 1, true, 1.0 / ROWS, 2},
        {"11 outputs", 1, 1, true, 1, OUTPUTS},
        {"11 outputs of 19 channels", 19, 1, true, 0.5, OUTPUTS},
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (int way = 0; way < 6; way++) {
            rule r;
            rule_make(&r, kind * 8 + (size_t)way);
            r.channels = (rg_channels){.n_in = kinds[kind].n_in,
                                       .n_out = kinds[kind].n_out,
                                       .full = kinds[kind].full,
                                       .scale = kinds[kind].scale};
            r.links.outputs = kinds[kind].outputs;
            r.links.stride = kinds[kind].outputs ? KEYS : 0;
            r.fixed = way == 2;
            if (way == 0 || way >= 4)
                r.links.col16 = r.col16;
            else if (way != 2)
                r.links.col32 = r.col32;
            if (way == 3)
                r.second.col32 = r.col32;
            r.second.outputs = r.links.outputs;
            r.second.stride = r.links.stride;
            if (way == 2 && r.channels.n_in > 4) /* as many values as there are */
                continue;
            if (way == 5)
                r.links.bias_id = NULL;
            size_t outputs = kinds[kind].outputs ? kinds[kind].outputs : 1;
            size_t x = (size_t)COLS * r.channels.n_in, y = ROWS * outputs * r.channels.n_out;
            size_t w = KEYS * outputs * r.channels.n_out * (r.channels.full ? r.channels.n_in : 1);
            size_t b = r.links.bias_id ? (size_t)BIASES * r.channels.n_out : 0;
            layer_case layer = {kinds[kind].name,
                                &r,
                                rule_forward,
                                rule_backward,
                                {y, y, x, way == 2 || way == 4 ? 0 : x, w, w, b, b}};
            check(&layer);
        }
}

static void the_formula_holds_pair_by_pair(void **state)
{
    (void)state;
    rule_layers(twin_check);
}

static void gradients_are_those_of_central_differences(void **state)
{
    (void)state;
    rule_layers(layer_check_gradients);
}

static void lanes_have_the_bits_of_runs_alone(void **state)
{
    (void)state;
    rule_layers(layer_check_lanes);
}

static void a_weight_of_two_pairs_gets_both_gradients(void **state)
{
    (void)state;
    const uint32_t row[] = {0, 1, 3}, id[] = {0, 0, 1}, bias_id[] = {0, 0};
    const uint16_t col[] = {1, 0, 1};
    const rg_links links = {.n_rows = 2, .row = row, .id = id, .col16 = col, .bias_id = bias_id};
    const rg_channels one = {.n_in = 1, .n_out = 1, .full = true, .scale = 1};
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    const double x[] = {2, 3}, w[] = {5, 7}, b[] = {1}, dh[] = {10, 100};
    double h[2], dw[2] = {0, 0}, db[1] = {0}, dx[2] = {0, 0};
    kernels->rule_forward(h, &links, &one, w, b, x);
    assert_true(h[0] == 1 + 5 * 3 && h[1] == 1 + 5 * 2 + 7 * 3);
    kernels->rule_backward(dw, db, dx, &links, &one, w, x, dh);
    assert_true(dw[0] == 10 * 3 + 100 * 2 && dw[1] == 100 * 3 && db[0] == 110);
    assert_true(dx[0] == 5 * 100 && dx[1] == 5 * 10 + 7 * 100);
}

/* One row for all outputs, against a row per output. */
static void outputs_that_share_a_row_have_the_bits_of_rows_alone(void **state)
{
    enum { IN = 19 };
    (void)state;
    static float x[COLS * IN], w[KEYS * OUTPUTS * IN], b[BIASES], d[OUTPUTS];
    static float h[2][OUTPUTS], dw[2][KEYS * OUTPUTS * IN], db[2][BIASES], dx[2][COLS * IN];
    uint32_t row[OUTPUTS + 1] = {0}, id[OUTPUTS * COLS], bias_id[OUTPUTS];
    uint16_t col[OUTPUTS * COLS];
    for (uint32_t o = 0; o < OUTPUTS; o++) {
        row[o + 1] = row[o] + COLS;
        bias_id[o] = o % BIASES;
        d[o] = (float)rg_random_normal(2, 1, o);
        for (uint32_t k = 0; k < COLS; k++) {
            id[o * COLS + k] = k * k % KEYS + o * KEYS;
            col[o * COLS + k] = (uint16_t)(COLS - 1 - k);
        }
    }
    for (size_t k = 0; k < COLS * IN; k++)
        x[k] = (float)rg_random_normal(2, 2, k);
    for (size_t k = 0; k < KEYS * OUTPUTS * IN; k++)
        w[k] = (float)rg_random_normal(2, 3, k);
    for (uint32_t n_in = 1; n_in <= IN; n_in += 6) {
        const rg_channels mean = {.n_in = n_in, .n_out = 1, .full = true, .scale = 1.0 / COLS};
        const rg_links rows = {
            .n_rows = OUTPUTS, .row = row, .id = id, .col16 = col, .bias_id = bias_id};
        rg_links one = rows;
        one.n_rows = 1;
        one.outputs = OUTPUTS;
        one.stride = KEYS;
        for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++) {
            const rg_kernels *kernels = rg_kernels_get(RG_FLOAT, 1, (rg_cpu)cpu);
            memset(dw, 0, sizeof dw);
            memset(dx, 0, sizeof dx);
            for (int k = 0; k < 2; k++) {
                kernels->rule_forward(h[k], k ? &one : &rows, &mean, w, b, x);
                kernels->rule_backward(dw[k], db[k], dx[k], k ? &one : &rows, &mean, w, x, d);
            }
            assert_memory_equal(h[0], h[1], sizeof h[0]);
            assert_memory_equal(dw[0], dw[1], sizeof dw[0]);
            assert_memory_equal(dx[0], dx[1], sizeof dx[0]);
            assert_memory_equal(db[0], db[1], sizeof db[0]);
        }
    }
}

/* The order of the entries of a row decides the bits of its sum, the order of the rows does not. */
static void outputs_do_not_depend_on_the_order_of_the_rows(void **state)
{
    (void)state;
    rule r;
    rule_make(&r, 99);
    r.links.col16 = r.col16;
    const rg_channels one = {.n_in = 1, .n_out = 1, .full = true, .scale = 1};
    const rg_kernels *kernels = rg_kernels_get(RG_FLOAT, 1, rg_cpu_best());
    float x[COLS], w[KEYS], b[BIASES], h[ROWS], one_row;
    for (size_t k = 0; k < COLS; k++)
        x[k] = (float)rg_random_normal(1, 0, k);
    for (size_t k = 0; k < KEYS; k++)
        w[k] = (float)rg_random_normal(1, 1, k);
    for (size_t k = 0; k < BIASES; k++)
        b[k] = (float)rg_random_normal(1, 2, k);
    kernels->rule_forward(h, &r.links, &one, w, b, x);
    for (uint32_t i = ROWS; i-- > 0;) {
        rg_links single = r.links;
        single.n_rows = 1;
        single.row = r.row + i;
        single.bias_id = r.bias_id + i;
        kernels->rule_forward(&one_row, &single, &one, w, b, x);
        assert_memory_equal(&one_row, &h[i], sizeof one_row);
    }
}

static void no_rows_and_no_channels_are_no_work(void **state)
{
    (void)state;
    const uint32_t row[] = {0};
    const rg_links none = {.n_rows = 0, .row = row, .col16 = (const uint16_t *)(const void *)row};
    const rg_channels one = {.n_in = 1, .n_out = 1, .full = true, .scale = 1};
    for (uint32_t lanes = 1; lanes <= 8; lanes++) {
        const rg_kernels *kernels = rg_kernels_get(RG_FLOAT, lanes, rg_cpu_best());
        float kept[8] = {1, 2, 3, 4, 5, 6, 7, 8}, same[8];
        if (!kernels)
            continue;
        memcpy(same, kept, sizeof kept);
        kernels->rule_forward(same, &none, &one, kept, kept, kept);
        kernels->rule_backward(same, same, same, &none, &one, kept, kept, kept);
        kernels->dense_forward(same, 0, 1, 1, kept, kept, kept);
        assert_memory_equal(same, kept, sizeof kept);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formula_holds_pair_by_pair),
        cmocka_unit_test(gradients_are_those_of_central_differences),
        cmocka_unit_test(lanes_have_the_bits_of_runs_alone),
        cmocka_unit_test(a_weight_of_two_pairs_gets_both_gradients),
        cmocka_unit_test(outputs_that_share_a_row_have_the_bits_of_rows_alone),
        cmocka_unit_test(outputs_do_not_depend_on_the_order_of_the_rows),
        cmocka_unit_test(no_rows_and_no_channels_are_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
