/* methods.h - the methods of an experiment: those that `compare:` lists, each with a result of its
 * own, or all configurations together. */
#ifndef REGULA_RESULTS_METHODS_H
#define REGULA_RESULTS_METHODS_H

#include "store/store.h"

/* Configurations that stand next to each other. */
typedef struct rg_compared_method {
    char *name;     /* owned; NULL: nothing is compared, and this is all of them */
    uint32_t first; /* number of the first configuration */
    uint32_t n;     /* at least 1 */
} rg_compared_method;

/* *out: *n of them, at least 1, in the order of the configurations; owned (rg_methods_free),
 * untouched on failure. O(configurations). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_methods_make(rg_compared_method **out, size_t *n,
                                        const rg_store_experiment *about,
                                        const rg_store_configuration *configurations,
                                        size_t n_configurations, rg_error *err);
void rg_methods_free(rg_compared_method *methods, size_t n); /* NULL is fine */

#endif
