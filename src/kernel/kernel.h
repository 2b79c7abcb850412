/* kernel.h - baselines that are a kernel and support vector machines: one file in this room each,
 * and one line of RG_BASELINES. A kernel fills layers of counts; all else is the same for all. */
#ifndef REGULA_KERNEL_KERNEL_H
#define REGULA_KERNEL_KERNEL_H

#include "baseline/kinds.h"
#include "gram.h"

typedef struct rg_kernel rg_kernel;

typedef struct rg_kernel_setting {
    rg_baseline_setting help; /* without values: those are the labelings that count */
    /* Where the field is: a bool, or if there is `high` a uint64_t from `low` to there. */
    size_t offset;
    int64_t low, high;
    const char *zero, *wanted; /* a word for 0, and what to expect then; NULL: there is none */
    /* Of all others. */
    rg_status (*read)(rg_kernel *k, const rg_yaml *node, rg_error *err);
    void (*print)(rg_text *out, const rg_kernel *k);
    bool of_svm; /* the matrix does not depend on it */
} rg_kernel_setting;

#define RG_KERNEL_FLAG(word, line, type, field)                          \
    {                                                                    \
        .help = {.key = word, .values = "true or false", .about = line}, \
        .offset = offsetof(type, field)                                  \
    }

typedef struct rg_kernel_kind {
    size_t size; /* of a struct that begins with an rg_kernel; the rest is zero unless told */
    const rg_kernel_setting *settings[8]; /* in the order of printing, up to a NULL */
    uint32_t iterations;                  /* unless told */
    const char *counts;                   /* unless told; NULL: it has no such setting */
    rg_gram_kind gram;                    /* RG_GRAM_DISTANCE: a radial kernel */
    /* Fills layers[iterations + 1], all NULL on failure. RG_EDATA, RG_ENOMEM. */
    rg_status (*count)(rg_counts **layers, const rg_kernel *k, const rg_dataset *data,
                       const rg_count_options *options, rg_error *err);
} rg_kernel_kind;

struct rg_kernel {
    const rg_kernel_kind *kind;
    double c;            /* > 0 */
    double gamma;        /* of a radial kernel; 0: "scale" */
    uint64_t iterations; /* layers of counts behind the first */
    uint64_t budget;     /* of counting structures: steps in a graph */
    bool normalise;      /* all but radial kernels */
    char *labels;        /* a labeling in normal form, owned; NULL: auto, or the kernel has none */
    char *counts;        /* likewise; never NULL if the kernel has it */
};

/* kernel.c: settings that several kernels have, and what all of them do with settings. */
extern const rg_kernel_setting rg_kernel_c, rg_kernel_gamma, rg_kernel_normalise, rg_kernel_labels,
    rg_kernel_counts;
RG_MUST_CHECK rg_status rg_kernel_parse(void **settings, const rg_baseline_kind *kind,
                                        const rg_yaml *root, rg_error *err);
void rg_kernel_free(void *settings); /* NULL is fine */
void rg_kernel_print(rg_text *out, const void *settings, bool prepared_only);
bool rg_kernel_help(rg_baseline_setting *out, const rg_baseline_kind *kind, size_t k);

/* kernel_prepared.c: on data. */
RG_MUST_CHECK rg_status rg_kernel_prepared_new(void **out, const void *settings,
                                               const rg_source *source,
                                               const rg_baseline_options *options, rg_error *err);
void rg_kernel_prepared_free(void *own); /* NULL is fine */
RG_MUST_CHECK rg_status rg_kernel_train(rg_baseline_run *out, const void *settings, const void *own,
                                        const rg_baseline_wish *wish, rg_error *err);

/* Behind the two words: members of rg_kernel_kind. */
#define RG_KERNEL(word, line, ...)                                                           \
    {                                                                                        \
        .name = word, .about = line, .own = &(const rg_kernel_kind){__VA_ARGS__},            \
        .parse = rg_kernel_parse, .settings_free = rg_kernel_free, .print = rg_kernel_print, \
        .setting = rg_kernel_help, .prepared_new = rg_kernel_prepared_new,                   \
        .prepared_free = rg_kernel_prepared_free, .train = rg_kernel_train, .fixed = true,   \
    }

#endif
