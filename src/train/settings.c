/* settings.c - see settings.h; one table says which keys there are and how each is read. */
#include "settings.h"

#include "base/error.h"
#include "base/number.h"
#include "text/text.h"

#include <math.h>
#include <string.h>

enum { MANY = 1000000000, SMOOTH_MAX = 1000 };

/* In the order of their enums. */
static const char *const losses[] = {"auto", "cross-entropy", "mse", "mae", "bce"};
static const char *const methods[] = {"adam", "adamw", "sgd", "lazy-adam"};
static const char *const schedules[] = {"constant", "step", "cosine", "plateau"};
static const char *const bests[] = {"score", "loss", "last"};
static const char *const starts[] = {"paper", "uniform", "glorot", "fan-in", "zero"};
static const char *const precisions[] = {"float", "double"};
static const char *const groups[] = {"rules", "labels", "keys"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

rg_settings rg_settings_default(void)
{
    return (rg_settings){.optimiser = rg_optimiser_default(),
                         .schedule = rg_schedule_default(),
                         .epochs = 50,
                         .batch = 128,
                         .patience = 25,
                         .smooth = 1,
                         .parts = 1};
}

rg_status rg_settings_check(const rg_settings *s, rg_error *err)
{
    if (s->n_class_weights > RG_CLASS_WEIGHTS_MAX)
        return rg_fail(err, RG_EUSAGE, "the number of class weights is %zu, expected at most %d",
                       s->n_class_weights, RG_CLASS_WEIGHTS_MAX);
    if (s->balanced && s->n_class_weights)
        return rg_fail(err, RG_EUSAGE,
                       "class weights are both listed and balanced, expected one of these");
    for (size_t k = 0; k < s->n_class_weights; k++)
        if (!(s->class_weights[k] > 0 && isfinite(s->class_weights[k])))
            return rg_fail(err, RG_EUSAGE, "class weight %zu is %g, expected a number above 0",
                           k + 1, s->class_weights[k]);
    if (s->epochs == 0)
        return rg_fail(err, RG_EUSAGE, "the number of epochs is 0, expected 1 or more");
    if (s->schedule.epochs != s->epochs)
        return rg_fail(err, RG_EUSAGE, "the schedule is for %u epochs, expected the %u of the run",
                       s->schedule.epochs, s->epochs);
    if (s->smooth == 0)
        return rg_fail(err, RG_EUSAGE, "the epochs to smooth over are 0, expected 1 or more");
    if (s->batch == 0)
        return rg_fail(err, RG_EUSAGE, "the batch size is 0, expected 1 or more samples");
    if (!(s->prune >= 0 && s->prune < 1))
        return rg_fail(err, RG_EUSAGE,
                       "the fraction to prune is %g, expected a number from 0 to below 1",
                       s->prune);
    if (s->prune > 0 &&
        !(1 <= s->prune_from && s->prune_from <= s->prune_to && s->prune_to <= s->epochs))
        return rg_fail(err, RG_EUSAGE,
                       "pruning is from epoch %u to %u, expected epochs of 1..%u, the first not "
                       "after the last",
                       s->prune_from, s->prune_to, s->epochs);
    if (s->parts > RG_PARTS_MAX)
        return rg_fail(err, RG_EUSAGE, "the number of parts is %u, expected at most %d", s->parts,
                       RG_PARTS_MAX);
    if (s->optimiser.method == RG_LAZY_ADAM && s->parts != 1)
        return rg_fail(err, RG_EUSAGE,
                       "the optimiser is lazy-adam and 'parts' is not 1, expected 1: its batches "
                       "have one part");
    if (!(s->lasso >= 0 && isfinite(s->lasso)))
        return rg_fail(err, RG_EUSAGE, "the strength of the lasso is %g, expected 0 or more",
                       s->lasso);
    if (s->optimiser.method == RG_LAZY_ADAM && s->lasso > 0)
        return rg_fail(err, RG_EUSAGE,
                       "the optimiser is lazy-adam and there is a 'lasso', expected adam: the "
                       "penalty moves all weights");
    rg_status status = rg_optimiser_check(&s->optimiser, err);
    return status ? status : rg_schedule_check(&s->schedule, err);
}

/* ---- reading: one function per type; `field` is what the table below points at */

static rg_status read_real(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    (void)s;
    return rg_yaml_real(node, field, NULL, err);
}

static rg_status read_count(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    int64_t value;
    (void)s;
    rg_status status = rg_yaml_int(node, &value, 1, MANY, "a whole number from 1 on", err);
    if (!status)
        *(uint32_t *)field = (uint32_t)value;
    return status;
}

static rg_status read_wait(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    int64_t value;
    (void)s;
    rg_status status = rg_yaml_int(node, &value, 0, MANY, "a whole number of epochs", err);
    if (!status)
        *(uint32_t *)field = (uint32_t)value;
    return status;
}

static bool is_word(const rg_yaml *node, const char *word)
{
    return rg_yaml_text(node) && strcmp(rg_yaml_text(node), word) == 0;
}

static rg_status read_patience(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    int64_t value = 0;
    (void)s;
    rg_status status = RG_OK;
    if (!is_word(node, "none"))
        status = rg_yaml_int(node, &value, 0, MANY, "a whole number of epochs, or none", err);
    if (!status)
        *(uint32_t *)field = (uint32_t)value;
    return status;
}

static rg_status read_parts(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    int64_t value = 0;
    (void)field;
    rg_status status = RG_OK;
    if (!is_word(node, "auto"))
        status = rg_yaml_int(node, &value, 1, RG_PARTS_MAX, "auto or a whole number 1..64", err);
    if (!status)
        s->parts = (uint32_t)value;
    return status;
}

static rg_status read_smooth(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    int64_t value = 1;
    (void)field;
    rg_status status = RG_OK;
    if (!is_word(node, "none"))
        status = rg_yaml_int(node, &value, 1, SMOOTH_MAX, "none or a whole number 1..1000", err);
    if (!status)
        s->smooth = (uint32_t)value;
    return status;
}

static rg_status read_metric(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    rg_error inner = {""};
    (void)field;
    if (!rg_yaml_text(node))
        return rg_yaml_expected(node, "the name of a metric, such as roc-auc", err);
    rg_status status = rg_metric_find(&s->metric, rg_yaml_text(node), &inner);
    return status ? rg_yaml_complain(node, err, "%s", inner.message) : RG_OK;
}

static rg_status read_epochs(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    rg_status status = read_count(s, field, node, err);
    s->schedule.epochs = s->epochs;
    return status;
}

/* A word for an enum: one function each, because an enum has no type of its own in memory. */
#define READ_WORD(function, target, type, words)                                               \
    static rg_status function(rg_settings *s, void *field, const rg_yaml *node, rg_error *err) \
    {                                                                                          \
        size_t word = 0;                                                                       \
        (void)field;                                                                           \
        rg_status status = rg_yaml_word(node, &word, words, COUNT(words), err);                \
        if (!status)                                                                           \
            s->target = (type)word;                                                            \
        return status;                                                                         \
    }
READ_WORD(read_loss, loss, rg_loss, losses)
READ_WORD(read_method, optimiser.method, rg_method, methods)
READ_WORD(read_kind, schedule.kind, rg_schedule_kind, schedules)
READ_WORD(read_best, best, rg_best, bests)
READ_WORD(read_start, start, rg_start_kind, starts)
READ_WORD(read_precision, precision, rg_precision, precisions)
READ_WORD(read_groups, lasso_of, rg_lasso_groups, groups)

static rg_status read_weights(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    static const char what[] = "none, balanced or a list of numbers";
    size_t n = rg_yaml_size(node);
    (void)field;
    s->balanced = is_word(node, "balanced");
    if (s->balanced || is_word(node, "none"))
        return RG_OK;
    if (rg_yaml_kind_of(node) != RG_YAML_LIST)
        return rg_yaml_expected(node, what, err);
    if (n == 0 || n > RG_CLASS_WEIGHTS_MAX)
        return rg_yaml_complain(node, err, "found %zu class weights, expected 1..%d", n,
                                RG_CLASS_WEIGHTS_MAX);
    for (size_t k = 0; k < n; k++) {
        rg_status status = rg_yaml_real(rg_yaml_item(node, k), &s->class_weights[k], NULL, err);
        if (status)
            return status;
    }
    s->n_class_weights = n;
    return RG_OK;
}

static rg_status read_schedule(rg_settings *s, void *field, const rg_yaml *node, rg_error *err);
static rg_status read_prune(rg_settings *s, void *field, const rg_yaml *node, rg_error *err);
static rg_status read_lasso(rg_settings *s, void *field, const rg_yaml *node, rg_error *err);

typedef struct setting {
    const char *key;
    rg_status (*read)(rg_settings *s, void *field, const rg_yaml *node, rg_error *err);
    size_t offset; /* of the field in rg_settings */
} setting;
#define FIELD(name) offsetof(rg_settings, name)

/* In the order in which they are read: epochs before what counts them. */
static const setting settings_keys[] = {
    {.key = "loss", .read = read_loss},
    {.key = "class_weights", .read = read_weights},
    {.key = "optimiser", .read = read_method},
    {.key = "lr", .read = read_real, .offset = FIELD(schedule.lr)},
    {.key = "beta1", .read = read_real, .offset = FIELD(optimiser.beta1)},
    {.key = "beta2", .read = read_real, .offset = FIELD(optimiser.beta2)},
    {.key = "eps", .read = read_real, .offset = FIELD(optimiser.eps)},
    {.key = "momentum", .read = read_real, .offset = FIELD(optimiser.momentum)},
    {.key = "decay", .read = read_real, .offset = FIELD(optimiser.decay)},
    {.key = "clip", .read = read_real, .offset = FIELD(optimiser.clip)},
    {.key = "epochs", .read = read_epochs, .offset = FIELD(epochs)},
    {.key = "schedule", .read = read_schedule},
    {.key = "batch", .read = read_count, .offset = FIELD(batch)},
    {.key = "patience", .read = read_patience, .offset = FIELD(patience)},
    {.key = "best", .read = read_best},
    {.key = "metric", .read = read_metric},
    {.key = "smooth", .read = read_smooth},
    {.key = "start", .read = read_start},
    {.key = "precision", .read = read_precision},
    {.key = "prune", .read = read_prune},
    {.key = "parts", .read = read_parts},
    {.key = "lasso", .read = read_lasso},
};
static const setting schedule_keys[] = {
    {.key = "kind", .read = read_kind},
    {.key = "factor", .read = read_real, .offset = FIELD(schedule.factor)},
    {.key = "every", .read = read_count, .offset = FIELD(schedule.every)},
    {.key = "floor", .read = read_real, .offset = FIELD(schedule.floor)},
    {.key = "patience", .read = read_wait, .offset = FIELD(schedule.patience)},
};
static const setting prune_keys[] = {
    {.key = "part", .read = read_real, .offset = FIELD(prune)},
    {.key = "from", .read = read_count, .offset = FIELD(prune_from)},
    {.key = "to", .read = read_count, .offset = FIELD(prune_to)},
};

static const setting lasso_keys[] = {
    {.key = "strength", .read = read_real, .offset = FIELD(lasso)},
    {.key = "of", .read = read_groups},
};

/* Everything is checked after each key, so that the one to blame is the one just read. */
static rg_status read_keys(rg_settings *s, const setting *keys, size_t n, const rg_yaml *map,
                           rg_error *err)
{
    const char *words[COUNT(settings_keys)] = {NULL};
    for (size_t k = 0; k < n; k++)
        words[k] = keys[k].key;
    rg_status status = rg_yaml_keys(map, words, n, err);
    for (size_t k = 0; k < n && !status; k++) {
        const rg_yaml *node = rg_yaml_find(map, keys[k].key);
        rg_error inner = {""};
        if (!node)
            continue;
        status = keys[k].read(s, (char *)s + keys[k].offset, node, err);
        if (!status && rg_settings_check(s, &inner))
            status = rg_yaml_complain(node, err, "%s", inner.message);
    }
    return status;
}

static rg_status read_schedule(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    if (rg_yaml_kind_of(node) != RG_YAML_MAP)
        return read_kind(s, field, node, err);
    return read_keys(s, schedule_keys, COUNT(schedule_keys), node, err);
}

static rg_status read_prune(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    (void)field;
    if (is_word(node, "none"))
        return RG_OK;
    if (rg_yaml_kind_of(node) != RG_YAML_MAP)
        return rg_yaml_expected(node, "none or a map such as {part: 0.9, from: 10, to: 40}", err);
    s->prune_from = 1;
    s->prune_to = s->epochs;
    rg_status status = read_keys(s, prune_keys, COUNT(prune_keys), node, err);
    if (!status && !rg_yaml_find(node, "part"))
        status = rg_yaml_complain(node, err, "found no key 'part', expected the fraction to prune");
    if (s->prune == 0)
        s->prune_from = s->prune_to = 0;
    return status;
}

static rg_status read_lasso(rg_settings *s, void *field, const rg_yaml *node, rg_error *err)
{
    (void)field;
    s->lasso = 0;
    s->lasso_of = RG_LASSO_RULES;
    if (is_word(node, "none"))
        return RG_OK;
    if (rg_yaml_kind_of(node) != RG_YAML_MAP)
        return rg_yaml_expected(node, "none or a map such as {strength: 0.01, of: rules}", err);
    rg_status status = read_keys(s, lasso_keys, COUNT(lasso_keys), node, err);
    if (!status && !rg_yaml_find(node, "strength"))
        status = rg_yaml_complain(node, err,
                                  "found no key 'strength', expected how much the penalty weighs");
    return status;
}

rg_status rg_settings_from_yaml(rg_settings *out, const rg_yaml *root, rg_error *err)
{
    rg_settings settings = rg_settings_default();
    rg_status status = rg_settings_over(&settings, root, err);
    if (!status)
        *out = settings;
    return status;
}

rg_status rg_settings_parse(rg_settings *out, const char *text, rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_parse(&root, "training of the model", text, strlen(text), err);
    if (!status)
        status = rg_settings_from_yaml(out, root, err);
    rg_yaml_free(root);
    return status;
}

rg_status rg_settings_over(rg_settings *out, const rg_yaml *root, rg_error *err)
{
    rg_settings settings = *out;
    const rg_yaml *map = rg_yaml_find(root, "training");
    rg_status status =
        map ? read_keys(&settings, settings_keys, COUNT(settings_keys), map, err) : RG_OK;
    if (!status)
        *out = settings;
    return status;
}

/* ---- printing */

static void print_real(rg_text *out, const char *before, double value)
{
    char number[RG_NUMBER_MAX];
    rg_number_print(number, value);
    rg_text_add(out, "%s%s", before, number);
}

static void print_weights(rg_text *out, const rg_settings *s)
{
    rg_text_add(out, "  class_weights: ");
    if (s->n_class_weights == 0)
        rg_text_add(out, "%s", s->balanced ? "balanced" : "none");
    for (size_t k = 0; k < s->n_class_weights; k++)
        print_real(out, k ? ", " : "[", s->class_weights[k]);
    rg_text_add(out, s->n_class_weights ? "]\n" : "\n");
}

static void print_optimiser(rg_text *out, const rg_settings *s)
{
    rg_text_add(out, "  optimiser: %s", methods[s->optimiser.method]);
    print_real(out, "\n  lr: ", s->schedule.lr);
    print_real(out, "\n  beta1: ", s->optimiser.beta1);
    print_real(out, "\n  beta2: ", s->optimiser.beta2);
    print_real(out, "\n  eps: ", s->optimiser.eps);
    print_real(out, "\n  momentum: ", s->optimiser.momentum);
    print_real(out, "\n  decay: ", s->optimiser.decay);
    print_real(out, "\n  clip: ", s->optimiser.clip);
    rg_text_add(out, "\n  schedule: {kind: %s", schedules[s->schedule.kind]);
    print_real(out, ", factor: ", s->schedule.factor);
    rg_text_add(out, ", every: %u", s->schedule.every);
    print_real(out, ", floor: ", s->schedule.floor);
    rg_text_add(out, ", patience: %u}\n", s->schedule.patience);
}

rg_status rg_settings_print(char **out, const rg_settings *s, rg_error *err)
{
    rg_text text = {0};
    rg_text_add(&text, "training:\n  loss: %s\n", losses[s->loss]);
    print_weights(&text, s);
    print_optimiser(&text, s);
    rg_text_add(&text, "  epochs: %u\n  batch: %u\n", s->epochs, s->batch);
    if (s->patience)
        rg_text_add(&text, "  patience: %u\n", s->patience);
    else
        rg_text_add(&text, "  patience: none\n");
    rg_text_add(&text, "  best: %s\n  start: %s\n  precision: %s\n", bests[s->best],
                starts[s->start], precisions[s->precision]);
    if (s->prune > 0) {
        print_real(&text, "  prune: {part: ", s->prune);
        rg_text_add(&text, ", from: %u, to: %u}\n", s->prune_from, s->prune_to);
    } else {
        rg_text_add(&text, "  prune: none\n");
    }
    if (s->metric !=
        RG_METRIC_DEFAULT) /* from here on younger than 0.1.0: only if not the default */
        rg_text_add(&text, "  metric: %s\n", rg_metric_name(s->metric));
    if (s->smooth != 1)
        rg_text_add(&text, "  smooth: %u\n", s->smooth);
    if (s->parts == 0)
        rg_text_add(&text, "  parts: auto\n");
    else if (s->parts != 1)
        rg_text_add(&text, "  parts: %u\n", s->parts);
    if (s->lasso > 0) {
        print_real(&text, "  lasso: {strength: ", s->lasso);
        rg_text_add(&text, ", of: %s}\n", groups[s->lasso_of]);
    }
    char *whole = rg_text_take(&text);
    if (!whole)
        return rg_fail_memory(err, "settings as text");
    *out = whole;
    return RG_OK;
}
