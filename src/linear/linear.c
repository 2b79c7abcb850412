/* linear.c - logistic regression on rule features, as a baseline.
 *
 * Two classes have one set of weights; more of them one each, every class against all others. */
#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"
#include "base/number.h"
#include "baseline/kinds.h"
#include "features.h"
#include "logistic.h"
#include "network/spec_parts.h"
#include "text/yaml_edit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef enum count_value { COUNT_LOG, COUNT_RAW, COUNT_BINARY } count_value;
static const char *const value_words[] = {"log", "count", "binary"};
static const char *const penalty_words[] = {"l2", "l1"};

typedef struct linear {
    rg_spec *spec; /* the labelings are its labels, owned */
    char **rules;  /* owned, as written */
    size_t n_rules;
    size_t penalty; /* 0: l2, 1: l1 */
    double c;
    count_value value;
    bool normalise, balanced;
    int64_t support;
} linear;

/* ---- settings */

static void linear_free(void *settings)
{
    linear *l = settings;
    if (!l)
        return;
    for (size_t r = 0; l->rules && r < l->n_rules; r++)
        rg_free(l->rules[r]);
    rg_free(l->rules);
    rg_spec_free(l->spec);
    rg_free(l);
}

static rg_status read_rule(linear *l, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    rg_rule_labeling known[RG_SPEC_LABELS_MAX];
    rg_rule *rule = NULL;
    rg_error inner = {""};
    if (!text || !*text)
        return rg_yaml_expected(node, "a rule, such as share node(i), node(j) when edge(i,j)", err);
    for (size_t k = 0; k < l->spec->n_labels; k++)
        known[k] = (rg_rule_labeling){.name = l->spec->label_names[k]};
    rg_status status =
        rg_rule_parse(&rule, text, RG_RULE_BIAS, known, l->spec->n_labels, NULL, &inner);
    if (status == RG_EUSAGE)
        status = rg_rule_parse(&rule, text, RG_RULE_PAIR, known, l->spec->n_labels, NULL, &inner);
    if (status)
        return rg_spec_blame(node, status, inner.message, err);
    const char *normal = rg_rule_text(rule);
    l->rules[l->n_rules] = rg_copy_text(normal, strlen(normal));
    rg_rule_free(rule);
    return l->rules[l->n_rules++] ? RG_OK : rg_fail_memory(err, "a linear model");
}

static rg_status read_rules(linear *l, const rg_yaml *node, rg_error *err)
{
    size_t n = rg_spec_n_things(node);
    rg_status status = RG_OK;
    if (n == 0 || n > 64)
        return rg_yaml_complain(node, err, "found %zu rules, expected 1..64", n);
    l->rules = rg_alloc_zero(n, sizeof *l->rules);
    if (!l->rules)
        return rg_fail_memory(err, "a linear model");
    for (size_t r = 0; !status && r < n; r++)
        status = read_rule(l, rg_spec_thing(node, r), err);
    return status;
}

static rg_status read_all(linear *l, const rg_yaml *root, rg_error *err)
{
    static const char *const known[] = {"model",  "labels",    "rules",    "penalty", "c",
                                        "counts", "normalise", "balanced", "support"};
    const rg_yaml *node;
    size_t word = COUNT_LOG;
    rg_status status = rg_yaml_keys(root, known, sizeof known / sizeof *known, err);
    if (!status && (node = rg_yaml_find(root, "labels")))
        status = rg_spec_read_labels(l->spec, node, err);
    node = rg_yaml_find(root, "rules");
    if (!status && !node)
        return rg_yaml_complain(root, err,
                                "found no key 'rules', expected a rule or a list of them");
    if (!status)
        status = read_rules(l, node, err);
    if (!status && (node = rg_yaml_find(root, "penalty")))
        status = rg_yaml_word(node, &l->penalty, penalty_words, 2, err);
    if (!status && (node = rg_yaml_find(root, "c")))
        status = rg_baseline_read_c(&l->c, node, err);
    if (!status && (node = rg_yaml_find(root, "counts"))) {
        status = rg_yaml_word(node, &word, value_words, 3, err);
        l->value = (count_value)word;
    }
    if (!status && (node = rg_yaml_find(root, "normalise")))
        status = rg_yaml_bool(node, &l->normalise, NULL, err);
    if (!status && (node = rg_yaml_find(root, "balanced")))
        status = rg_yaml_bool(node, &l->balanced, NULL, err);
    if (!status && (node = rg_yaml_find(root, "support")))
        status = rg_yaml_int(node, &l->support, 1, 1000000000, NULL, err);
    return status;
}

static rg_status parse(void **settings, const rg_baseline_kind *kind, const rg_yaml *root,
                       rg_error *err)
{
    (void)kind;
    linear *l = rg_alloc_zero(1, sizeof *l);
    if (!l)
        return rg_fail_memory(err, "a linear model");
    l->c = 1;
    l->normalise = true;
    l->support = 1;
    l->spec = rg_alloc_zero(1, sizeof *l->spec);
    rg_status status = l->spec ? read_all(l, root, err) : rg_fail_memory(err, "a linear model");
    if (status)
        linear_free(l);
    else
        *settings = l;
    return status;
}

static void print(rg_text *out, const void *settings, bool prepared_only)
{
    const linear *l = settings;
    char c[RG_NUMBER_MAX];
    if (l->spec->n_labels)
        rg_text_add(out, "labels:\n");
    for (size_t k = 0; k < l->spec->n_labels; k++) {
        rg_text_add(out, "  %s: ", l->spec->label_names[k]);
        rg_yaml_print_text(out, l->spec->label_specs[k], false);
        rg_text_add(out, "\n");
    }
    rg_text_add(out, "rules:\n");
    for (size_t r = 0; r < l->n_rules; r++) {
        rg_text_add(out, "  - ");
        rg_yaml_print_text(out, l->rules[r], false);
        rg_text_add(out, "\n");
    }
    rg_text_add(out, "counts: %s\nnormalise: %s\nsupport: %" PRId64 "\n", value_words[l->value],
                l->normalise ? "true" : "false", l->support);
    if (prepared_only)
        return;
    rg_number_print(c, l->c);
    rg_text_add(out, "penalty: %s\nc: %s\nbalanced: %s\n", penalty_words[l->penalty], c,
                l->balanced ? "true" : "false");
}

static bool setting(rg_baseline_setting *out, const rg_baseline_kind *kind, size_t k)
{
    static const rg_baseline_setting settings[] = {
        {"labels", "a map from names to labelings", "labelings that the rules name"},
        {"rules", "a rule or a list of them",
         "their keys, counted in every graph, are the features"},
        {"counts", "log, count or binary", "log(1 + count), the count, or whether it is above 0"},
        {"normalise", "true or false", "divide the features of a graph by their length"},
        {"support", "a whole number from 1", "graphs that must have a key"},
        {"penalty", "l2 or l1", "l2: all weights small; l1: most weights 0"},
        {"c", "a number above 0, or a power such as 2^-3",
         "how much the data count beside the penalty"},
        {"balanced", "true or false", "all classes count the same, however frequent"},
    };
    (void)kind;
    if (k >= sizeof settings / sizeof *settings)
        return false;
    *out = settings[k];
    return true;
}

/* ---- on data */

typedef struct linear_prepared {
    rg_baseline_task task;
    rg_columns x;
    uint64_t *col; /* owned; so are those below */
    uint32_t *row;
    double *value;
    rg_cpu cpu;
} linear_prepared;

static void prepared_free(void *own)
{
    linear_prepared *p = own;
    if (!p)
        return;
    rg_free(p->col);
    rg_free(p->row);
    rg_free(p->value);
    rg_free(p);
}

static double value_of(const linear *l, uint32_t count)
{
    return l->value == COUNT_RAW ? count : l->value == COUNT_BINARY ? 1 : rg_log(1 + (double)count);
}

/* By columns, with their values. */
static rg_status turn(linear_prepared *p, const linear *l, const rg_count_matrix *m, rg_error *err)
{
    uint64_t n = m->row[m->n_rows];
    p->col = rg_alloc_zero(m->n_cols + 2, sizeof *p->col);
    p->row = rg_alloc((size_t)n + 1, sizeof *p->row);
    p->value = rg_alloc((size_t)n + 1, sizeof *p->value);
    if (!p->col || !p->row || !p->value)
        return rg_fail_memory(err, "the features of a linear model");
    for (uint64_t k = 0; k < n; k++)
        p->col[m->col[k] + 2]++;
    for (size_t j = 0; j < m->n_cols; j++)
        p->col[j + 2] += p->col[j + 1];
    for (size_t i = 0; i < m->n_rows; i++) {
        double squares = 0;
        for (uint64_t k = m->row[i]; k < m->row[i + 1]; k++)
            squares += value_of(l, m->count[k]) * value_of(l, m->count[k]);
        double scale = l->normalise && squares > 0 ? 1 / sqrt(squares) : 1;
        for (uint64_t k = m->row[i]; k < m->row[i + 1]; k++) {
            uint64_t at = p->col[m->col[k] + 1]++;
            p->row[at] = (uint32_t)i;
            p->value[at] = scale * value_of(l, m->count[k]);
        }
    }
    p->x = (rg_columns){m->n_rows, m->n_cols, p->col, p->row, p->value};
    return RG_OK;
}

static rg_status prepared_new(void **out, const void *settings, const rg_source *source,
                              const rg_baseline_options *options, rg_error *err)
{
    const linear *l = settings;
    rg_rule_features *features = NULL;
    rg_count_matrix *counts = NULL;
    rg_rule_features_options wanted = RG_RULE_FEATURES_OPTIONS_INIT;
    linear_prepared *p = rg_alloc_zero(1, sizeof *p);
    if (!p)
        return rg_fail_memory(err, "a linear model");
    p->cpu = options->cpu;
    wanted.rules = (const char *const *)l->rules;
    wanted.n_rules = l->n_rules;
    wanted.label_names = (const char *const *)l->spec->label_names;
    wanted.label_specs = (const char *const *)l->spec->label_specs;
    wanted.n_labels = l->spec->n_labels;
    wanted.graphs = options->fit;
    wanted.n_graphs = options->n_fit;
    wanted.support = (uint32_t)l->support;
    wanted.n_threads = options->n_threads;
    wanted.cache = options->cache;
    rg_status status = rg_baseline_task_open(&p->task, source, err);
    if (!status)
        status = rg_rule_features_fit(&features, source->graphs, &wanted, err);
    if (!status)
        status = rg_rule_features_count(&counts, features, source->graphs, err);
    if (!status)
        status = turn(p, l, counts, err);
    rg_rule_features_free(features);
    rg_count_matrix_free(counts);
    if (status)
        prepared_free(p);
    else
        *out = p;
    return status;
}

static uint64_t parameters(const void *own)
{
    const linear_prepared *p = own;
    return (uint64_t)(p->x.n_cols + 1) * (p->task.n_classes == 2 ? 1 : p->task.n_classes);
}

/* ---- runs */

typedef struct linear_fit {
    const linear *l;
    const linear_prepared *p;
    const rg_baseline_wish *wish;
    double *sign, *cost, *w;
    double *z;      /* [graph][class] */
    size_t *of;     /* [class]: graphs of the training set */
    size_t n;       /* of all classes */
    float *numbers; /* [graph][class] */
    double *losses; /* [graph] */
} linear_fit;

static rg_status open_fit(linear_fit *f, rg_error *err)
{
    size_t n = f->p->x.n_rows, classes = f->p->task.n_classes;
    f->sign = rg_alloc(n + 1, sizeof *f->sign);
    f->cost = rg_alloc_zero(n + 1, sizeof *f->cost);
    f->w = rg_alloc(f->p->x.n_cols + 1, sizeof *f->w);
    f->z = rg_alloc_zero(n + 1, classes * sizeof *f->z);
    f->of = rg_alloc_zero(classes, sizeof *f->of);
    f->numbers = rg_alloc_zero(n + 1, classes * sizeof *f->numbers);
    f->losses = rg_alloc(n + 1, sizeof *f->losses);
    if (!f->sign || !f->cost || !f->w || !f->z || !f->of || !f->numbers || !f->losses)
        return rg_fail_memory(err, "a linear model");
    for (size_t k = 0; k < f->wish->fold->train.n; k++) {
        uint32_t class = f->p->task.classes[f->wish->fold->train.graphs[k]];
        if (class != RG_NO_CLASS) {
            f->of[class]++;
            f->n++;
        }
    }
    if (f->n == 0)
        return rg_fail(err, RG_EDATA, "the training set has no graph with a class");
    return RG_OK;
}

static void close_fit(linear_fit *f)
{
    rg_free(f->sign);
    rg_free(f->cost);
    rg_free(f->w);
    rg_free(f->z);
    rg_free(f->of);
    rg_free(f->numbers);
    rg_free(f->losses);
}

/* A class against all others: its decision values in z. */
static rg_status learn(linear_fit *f, uint32_t class, bool *stopped, rg_error *err)
{
    const rg_baseline_task *task = &f->p->task;
    const rg_columns *x = &f->p->x;
    double b = 0, own = (double)f->of[class], others = (double)(f->n - f->of[class]);
    uint32_t sweeps;
    rg_logistic_task t = {.x = x,
                          .sign = f->sign,
                          .cost = f->cost,
                          .l1 = f->l->penalty == 1,
                          .cpu = f->p->cpu,
                          .stop = f->wish->stop,
                          .context = f->wish->context};
    memset(f->sign, 0, x->n_rows * sizeof *f->sign);
    memset(f->w, 0, x->n_cols * sizeof *f->w);
    for (size_t k = 0; k < f->wish->fold->train.n; k++) {
        uint32_t graph = f->wish->fold->train.graphs[k];
        if (task->classes[graph] == RG_NO_CLASS)
            continue;
        bool is = task->classes[graph] == class;
        f->sign[graph] = is ? 1 : -1;
        f->cost[graph] = f->l->c * (f->l->balanced ? (double)f->n / (2 * (is ? own : others)) : 1);
    }
    if (own == 0 || others == 0) { /* one class alone: it is always said */
        for (size_t i = 0; i < x->n_rows; i++)
            f->z[i * task->n_classes + class] = own == 0 ? -30 : 30;
        return RG_OK;
    }
    rg_status status = rg_logistic_train(f->w, &b, &sweeps, &t, err);
    for (size_t i = 0; !status && i < x->n_rows; i++)
        f->z[i * task->n_classes + class] = b;
    for (size_t j = 0; !status && j < x->n_cols; j++)
        for (uint64_t k = x->col[j]; k < x->col[j + 1]; k++)
            f->z[x->row[k] * task->n_classes + class] += f->w[j] * x->value[k];
    *stopped = f->wish->stop && f->wish->stop(f->wish->context);
    return status;
}

/* Probabilities: of two classes by one decision value, of more by those of all, which then add up to 1. */
static void judge(linear_fit *f)
{
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_resolve(f->p->cpu));
    const rg_baseline_task *task = &f->p->task;
    size_t n = f->p->x.n_rows, classes = task->n_classes;
    for (size_t i = 0; classes == 2 && i < n; i++)
        f->z[2 * i] = -f->z[2 * i + 1];
    kernels->sigmoid(f->z, n * classes, f->z);
    for (size_t i = 0; i < n; i++) {
        double sum = 0, *p = f->z + i * classes;
        for (size_t c = 0; c < classes; c++)
            sum += p[c];
        for (size_t c = 0; c < classes; c++)
            f->numbers[i * classes + c] = (float)(p[c] / sum);
        uint32_t own = task->classes[i];
        double said = own == RG_NO_CLASS ? 1 : p[own] / sum;
        f->losses[i] = own == RG_NO_CLASS ? (double)NAN : -rg_log(said > 1e-300 ? said : 1e-300);
    }
}

static rg_status train(rg_baseline_run *out, const void *settings, const void *own,
                       const rg_baseline_wish *wish, rg_error *err)
{
    linear_fit f = {.l = settings, .p = own, .wish = wish};
    bool stopped = false;
    uint32_t n = f.p->task.n_classes;
    rg_status status = open_fit(&f, err);
    for (uint32_t c = n == 2; !status && !stopped && c < n; c++)
        status = learn(&f, c, &stopped, err);
    out->stopped = !status && stopped;
    if (!status && !stopped) {
        judge(&f);
        status = rg_baseline_report(out, &f.p->task, f.numbers, f.losses, wish, err);
    }
    close_fit(&f);
    return status;
}

static const char *const lists[] = {"labels", "rules", NULL};

const rg_baseline_kind rg_baseline_linear = {.name = "linear",
                                             .about = "logistic regression on counts of rule keys",
                                             .parse = parse,
                                             .settings_free = linear_free,
                                             .print = print,
                                             .prepared_new = prepared_new,
                                             .prepared_free = prepared_free,
                                             .parameters = parameters,
                                             .train = train,
                                             .fixed = true,
                                             .setting = setting,
                                             .lists = lists};
