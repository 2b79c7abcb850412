/* experiment_files.h - experiments from texts, folders and manual pages, for the tests of their
 * files.
 */
#ifndef REGULA_TESTS_CONFIG_EXPERIMENT_FILES_H
#define REGULA_TESTS_CONFIG_EXPERIMENT_FILES_H

#include "config/experiment.h"

/* The text as file "exp.yml", which must be fine. Owned (rg_experiment_free). */
rg_experiment *experiment_parse(const char *text);
rg_experiment *experiment_parse_with(const char *text, const char *const *overrides, size_t n);

/* The configurations have these choices and no others, in this order, as "lr=0.05 depth=2"; lists
 * of other alternatives say nothing. */
void experiment_assert_choices(const rg_experiment *experiment, const char *const *expected,
                               size_t n);
/* Reads the normal form back: an equal experiment, and the same text. */
void experiment_assert_same_again(const rg_experiment *experiment);

/* Every .yml of the directory is an experiment whose normal form is sound. How many there are. */
size_t experiment_read_all(const char *directory);
/* The next block of a manual page that begins with `data:`, without its indentation; *at moves
 * behind it. Owned (free). NULL: there is none. */
char *experiment_block(const char **at);

#endif
