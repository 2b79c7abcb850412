/* auto.h - a network that regula chooses for a data set.  Data flow: dataset -> NETWORK FILE -> model.
 *
 * The choice goes by the structure of the data: sizes, density, labels, attributes, how often labels
 * repeat, how many pairs rules would join, and the task (docs/auto.md). Names of data sets play no part.
 * The result is the text of a network file, which rg_recipe_parse reads. */
#ifndef REGULA_AUTO_H
#define REGULA_AUTO_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_auto_options {
    size_t size; /* sizeof(rg_auto_options): RG_AUTO_OPTIONS_INIT sets it */
    /* Rules of one's own in place of those that would be chosen; they may use the labels kind, near and far. */
    const char *const *rules;
    size_t n_rules;
    int comments;       /* the file says line by line what stands there and why; 0 */
    unsigned n_threads; /* 0: all processors; the text is the same for any */
    const char *cache;  /* directory of counts (label.h); NULL: none */
    /* May be NULL. Asked from the calling thread; not 0: stop, RG_EFAIL. */
    int (*cancel)(void *context);
    void *cancel_context;
} rg_auto_options;

#define RG_AUTO_OPTIONS_INIT RG_OPTIONS(rg_auto_options, .n_threads = 0)
RG_OPTIONS_FUNCTIONS(rg_auto_options)

/* Chooses a network for graphs, vectors or images. folds: how the data will be split; targets are looked
 * at in their training parts alone (how many samples there are, how frequent classes are), and never in
 * others; n_folds 0: nine of ten samples will be for training. *network: the file; *reasons: three lines
 * for people, the last without a line end, may be NULL. Both owned (rg_text_free), untouched on failure. options:
 * NULL for the defaults. The same data, folds and options give the same text. Cost: labels and distances
 * of at most some hundred graphs. RG_EUSAGE (a rule), RG_EDATA (nothing to learn), RG_EFAIL, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_network_auto(char **network, char **reasons,
                                               const rg_source *source, const rg_fold *folds,
                                               size_t n_folds, const rg_auto_options *options,
                                               rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
