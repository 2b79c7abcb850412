/* kernel.c - see kernel.h: settings, each read, printed and explained in one place. */
#include "kernel.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "label/kind.h"
#include "network/spec_parts.h"
#include "regula/label.h"
#include "text/yaml_edit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_word(const rg_yaml *node, const char *word)
{
    return rg_yaml_text(node) && strcmp(rg_yaml_text(node), word) == 0;
}

static bool is_positive(double x)
{
    return x > 0 && x <= 1e9;
}

static void print_real(rg_text *out, double value)
{
    char text[RG_NUMBER_MAX];
    rg_number_print(text, value);
    rg_text_add(out, "%s", text);
}

static rg_status read_c(rg_kernel *k, const rg_yaml *node, rg_error *err)
{
    return rg_baseline_read_c(&k->c, node, err);
}

static void print_c(rg_text *out, const rg_kernel *k)
{
    print_real(out, k->c);
}

const rg_kernel_setting rg_kernel_c = {
    .help = {"c", "a number above 0, or a power such as 2^-3",
             "cost of a training graph on the wrong side of the margin"},
    .read = read_c,
    .print = print_c,
    .of_svm = true,
};

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

static void print_gamma(rg_text *out, const rg_kernel *k)
{
    if (k->gamma > 0)
        print_real(out, k->gamma);
    else
        rg_text_add(out, "scale");
}

const rg_kernel_setting rg_kernel_gamma = {
    .help = {"gamma", "scale or a number above 0",
             "gamma of exp(-gamma d^2); scale: 1 / (features * variance) of the training set"},
    .read = read_gamma,
    .print = print_gamma,
};

const rg_kernel_setting rg_kernel_normalise = RG_KERNEL_FLAG(
    "normalise", "use K(x, y) / sqrt(K(x, x) K(y, y)) instead of K(x, y)", rg_kernel, normalise);

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

static void print_labels(rg_text *out, const rg_kernel *k)
{
    rg_yaml_print_text(out, k->labels ? k->labels : "auto", false);
}

const rg_kernel_setting rg_kernel_labels = {
    .help = {"labels", "auto or a labeling",
             "node labels; auto: those of the data, or one label for all nodes if there are none"},
    .read = read_labels,
    .print = print_labels,
};

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

static void print_counts(rg_text *out, const rg_kernel *k)
{
    rg_yaml_print_text(out, k->counts, false);
}

const rg_kernel_setting rg_kernel_counts = {
    .help = {.key = "counts", .about = "structures to count, written as a labeling"},
    .read = read_counts,
    .print = print_counts,
};

static rg_status read_setting(rg_kernel *k, const rg_kernel_setting *s, const rg_yaml *node,
                              rg_error *err)
{
    void *field = (char *)k + s->offset;
    int64_t value = 0;
    if (s->read)
        return s->read(k, node, err);
    if (!s->high)
        return rg_yaml_bool(node, field, NULL, err);
    rg_status status = s->zero && is_word(node, s->zero)
                           ? RG_OK
                           : rg_yaml_int(node, &value, s->low, s->high, s->wanted, err);
    *(uint64_t *)field = (uint64_t)value;
    return status;
}

static void print_setting(rg_text *out, const rg_kernel *k, const rg_kernel_setting *s)
{
    const void *field = (const char *)k + s->offset;
    rg_text_add(out, "%s: ", s->help.key);
    if (s->print)
        s->print(out, k);
    else if (!s->high)
        rg_text_add(out, "%s", *(const bool *)field ? "true" : "false");
    else if (s->zero && *(const uint64_t *)field == 0)
        rg_text_add(out, "%s", s->zero);
    else
        rg_text_add(out, "%" PRIu64, *(const uint64_t *)field);
    rg_text_add(out, "\n");
}

static rg_status read_settings(rg_kernel *k, const rg_yaml *root, rg_error *err)
{
    const rg_kernel_setting *const *settings = k->kind->settings;
    const char *known[1 + sizeof k->kind->settings / sizeof *settings] = {"model"};
    size_t n = 0;
    for (; settings[n]; n++)
        known[n + 1] = settings[n]->help.key;
    rg_status status = rg_yaml_keys(root, known, n + 1, err);
    for (size_t s = 0; s < n && !status; s++) {
        const rg_yaml *node = rg_yaml_find(root, settings[s]->help.key);
        if (node)
            status = read_setting(k, settings[s], node, err);
    }
    if (!status && k->kind->counts && !k->counts)
        status = rg_labeling_check(&k->counts, k->kind->counts, err);
    return status;
}

rg_status rg_kernel_parse(void **settings, const rg_baseline_kind *kind, const rg_yaml *root,
                          rg_error *err)
{
    const rg_kernel_kind *own = kind->own;
    rg_kernel *k = rg_alloc_zero(1, own->size);
    if (!k)
        return rg_fail_memory(err, "a model");
    *k = (rg_kernel){.kind = own,
                     .c = 1,
                     .iterations = own->iterations,
                     .normalise = true,
                     .budget = rg_label_options_default().budget};
    rg_status status = read_settings(k, root, err);
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
    for (const rg_kernel_setting *const *s = k->kind->settings; *s; s++)
        if (!prepared_only || !(*s)->of_svm)
            print_setting(out, k, *s);
}

bool rg_kernel_help(rg_baseline_setting *out, const rg_baseline_kind *kind, size_t k)
{
    const rg_kernel_setting *setting = ((const rg_kernel_kind *)kind->own)->settings[k];
    if (!setting)
        return false;
    *out = setting->help;
    if (!*out->values)
        rg_label_spec_counted(out->values, sizeof out->values, "(...)");
    return true;
}
