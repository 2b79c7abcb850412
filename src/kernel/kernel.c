/* kernel.c - see kernel.h: one table says which keys there are and which kernel has them. */
#include "kernel.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "label/kind.h"
#include "network/spec_parts.h"
#include "regula/label.h"
#include "text/yaml_edit.h"

#include <math.h>
#include <string.h>

static const char *const names[RG_N_KERNELS] = {"nog",           "wl",       "wl-oa",
                                                "shortest-path", "graphlet", "cycles"};

/* What `counts` is unless told: the connected graphs of three and of four nodes, each as it stands;
 * rings as chemists count them. */
static const char graphlets[] =
    "pattern(path(3), triangle, path(4), star(3), cycle(4), "
    "graph(\"0 1; 1 2; 2 0; 2 3\"), graph(\"0 1; 1 2; 2 3; 3 0; 0 2\"), clique(4))";
static const char cycles[] = "cycles(kind=simple, max=8)";

/* ---- reading: one function per key */

static bool is_word(const rg_yaml *node, const char *word)
{
    return rg_yaml_text(node) && strcmp(rg_yaml_text(node), word) == 0;
}

static bool is_positive(double x)
{
    return x > 0 && x <= 1e9;
}

/* A number, or a power of two as papers write it: 2^-3. */
static rg_status read_c(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    static const char wanted[] = "a number above 0 and at most 1e9, or a power of two such as 2^-3";
    const char *text = rg_yaml_text(node);
    int64_t power;
    if (text && strncmp(text, "2^", 2) == 0) {
        const char *end = text + strlen(text);
        if (rg_number_int(text + 2, end, &power) != end || power < -60 || power > 29)
            return rg_yaml_expected(node, wanted, err);
        k->c = ldexp(1, (int)power);
        return RG_OK;
    }
    rg_status status = rg_yaml_real(node, &k->c, wanted, err);
    return status || is_positive(k->c) ? status : rg_yaml_expected(node, wanted, err);
}

static rg_status read_gamma(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    static const char wanted[] = "'scale', or a number above 0 and at most 1e9";
    if (is_word(node, "scale")) {
        k->gamma = 0;
        return RG_OK;
    }
    rg_status status = rg_yaml_real(node, &k->gamma, wanted, err);
    return status || is_positive(k->gamma) ? status : rg_yaml_expected(node, wanted, err);
}

static rg_status read_iterations(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    int64_t value = 0;
    rg_status status = rg_yaml_int(node, &value, 0, 64, NULL, err);
    k->iterations = (uint32_t)value;
    return status;
}

static rg_status read_distance(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    int64_t value = 0;
    rg_status status = is_word(node, "any")
                           ? RG_OK
                           : rg_yaml_int(node, &value, 1, 1000000000,
                                         "'any', or a number of edges from 1 on", err);
    k->distance = (uint32_t)value;
    return status;
}

static rg_status read_budget(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    int64_t value = 0;
    rg_status status = rg_yaml_int(node, &value, 1, (int64_t)1 << 40, NULL, err);
    k->budget = (uint64_t)value;
    return status;
}

static rg_status read_edges(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    return rg_yaml_bool(node, &k->edges, NULL, err);
}

static rg_status read_log(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    return rg_yaml_bool(node, &k->logarithm, NULL, err);
}

static rg_status read_normalise(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    return rg_yaml_bool(node, &k->normalise, NULL, err);
}

/* In normal form. */
static rg_status read_spec(char **out, const rg_yaml *node, const char *wanted, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    char *normal = NULL;
    rg_error inner = {""};
    if (!text || !*text)
        return rg_yaml_expected(node, wanted, err);
    rg_status status = rg_labeling_check(&normal, text, &inner);
    if (status)
        return rg_spec_blame(node, status, inner.message, err);
    rg_free(*out);
    *out = normal;
    return RG_OK;
}

static rg_status read_labels(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    if (is_word(node, "auto"))
        return RG_OK;
    return read_spec(&k->labels, node, "'auto', or a labeling such as degree", err);
}

static rg_status read_counts(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    char wanted[128] = "a labeling that counts: ";
    rg_label_spec_counted(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "(...)");
    rg_label_spec *spec = NULL;
    rg_status status = read_spec(&k->counts, node, wanted, err);
    if (!status)
        status = rg_label_spec_restore(&spec, k->counts, err);
    if (status)
        return status;
    bool fits = spec->kind->counted != NULL;
    rg_label_spec_free(spec);
    return fits ? RG_OK : rg_yaml_expected(node, wanted, err);
}

/* ---- printing */

static void print_real(rg_text *out, double value)
{
    char text[RG_NUMBER_MAX];
    rg_number_print(text, value);
    rg_text_add(out, "%s", text);
}

static void print_c(rg_text *out, const rg_kernel *k)
{
    print_real(out, k->c);
}

static void print_gamma(rg_text *out, const rg_kernel *k)
{
    if (k->gamma > 0)
        print_real(out, k->gamma);
    else
        rg_text_add(out, "scale");
}

static void print_iterations(rg_text *out, const rg_kernel *k)
{
    rg_text_add(out, "%u", k->iterations);
}

static void print_distance(rg_text *out, const rg_kernel *k)
{
    if (k->distance)
        rg_text_add(out, "%u", k->distance);
    else
        rg_text_add(out, "any");
}

static void print_budget(rg_text *out, const rg_kernel *k)
{
    rg_text_add(out, "%llu", (unsigned long long)k->budget);
}

static void print_edges(rg_text *out, const rg_kernel *k)
{
    rg_text_add(out, "%s", k->edges ? "true" : "false");
}

static void print_log(rg_text *out, const rg_kernel *k)
{
    rg_text_add(out, "%s", k->logarithm ? "true" : "false");
}

static void print_normalise(rg_text *out, const rg_kernel *k)
{
    rg_text_add(out, "%s", k->normalise ? "true" : "false");
}

static void print_labels(rg_text *out, const rg_kernel *k)
{
    rg_yaml_print_text(out, k->labels ? k->labels : "auto", false);
}

static void print_counts(rg_text *out, const rg_kernel *k)
{
    rg_yaml_print_text(out, k->counts, false);
}

/* ---- the table */

enum {
    NOG = 1 << RG_KERNEL_NOG,
    ROUNDS = 1 << RG_KERNEL_WL | 1 << RG_KERNEL_WL_OA,
    PATHS = 1 << RG_KERNEL_PATHS,
    STRUCTURES = 1 << RG_KERNEL_GRAPHLET | 1 << RG_KERNEL_CYCLES,
    ALL = (1 << RG_N_KERNELS) - 1
};

#define FIELD(word, kinds, matters)                                                                \
    {                                                                                              \
        .key = #word, .of = kinds, .read = read_##word, .print = print_##word, .prepared = matters \
    }

/* In the order of printing. */
static const struct {
    const char *key;
    unsigned of; /* bits of kinds */
    rg_status (*read)(rg_kernel *, const rg_yaml *, rg_error *);
    void (*print)(rg_text *, const rg_kernel *);
    bool prepared; /* the matrix depends on it */
} fields[] = {
    FIELD(iterations, ROUNDS, true),
    FIELD(distance, PATHS, true),
    FIELD(labels, ROUNDS | PATHS, true),
    FIELD(edges, ROUNDS, true),
    FIELD(counts, STRUCTURES, true),
    FIELD(log, STRUCTURES, true),
    FIELD(budget, STRUCTURES, true),
    FIELD(normalise, ALL & ~NOG, true),
    FIELD(gamma, NOG, true),
    FIELD(c, ALL, false),
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

static rg_status read_fields(rg_kernel *k, const rg_yaml *root, rg_error *err)
{
    const char *known[N_FIELDS + 1] = {"model"};
    size_t n = 1;
    for (size_t f = 0; f < N_FIELDS; f++)
        if (fields[f].of & 1U << k->kind)
            known[n++] = fields[f].key;
    rg_status status = rg_yaml_keys(root, known, n, err);
    for (size_t f = 0; f < N_FIELDS && !status; f++) {
        const rg_yaml *node = rg_yaml_find(root, fields[f].key);
        if (node)
            status = fields[f].read(k, node, err);
    }
    if (!status && (STRUCTURES & 1U << k->kind) && !k->counts)
        status =
            rg_labeling_check(&k->counts, k->kind == RG_KERNEL_CYCLES ? cycles : graphlets, err);
    return status;
}

rg_status rg_kernel_parse(void **settings, const rg_yaml *root, rg_error *err)
{
    size_t kind = 0;
    rg_status status = rg_yaml_word(rg_yaml_find(root, "model"), &kind, names, RG_N_KERNELS, err);
    if (status)
        return status;
    rg_kernel *k = rg_alloc_zero(1, sizeof *k);
    if (!k)
        return rg_fail_memory(err, "a model");
    *k = (rg_kernel){.kind = (rg_kernel_kind)kind,
                     .c = 1,
                     .iterations = 5,
                     .normalise = true,
                     .budget = rg_label_options_default().budget};
    status = read_fields(k, root, err);
    if (status)
        rg_kernel_free(k);
    else
        *settings = k;
    return status;
}

void rg_kernel_free(void *settings)
{
    rg_kernel *k = settings;
    if (!k)
        return;
    rg_free(k->labels);
    rg_free(k->counts);
    rg_free(k);
}

void rg_kernel_print(rg_text *out, const void *settings, bool prepared_only)
{
    const rg_kernel *k = settings;
    for (size_t f = 0; f < N_FIELDS; f++) {
        if (!(fields[f].of & 1U << k->kind) || (prepared_only && !fields[f].prepared))
            continue;
        rg_text_add(out, "%s: ", fields[f].key);
        fields[f].print(out, k);
        rg_text_add(out, "\n");
    }
}
