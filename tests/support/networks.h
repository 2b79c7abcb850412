/* networks.h - data with targets of every kind, and networks on it: what tests of networks,
 * training and models start from. */
#ifndef REGULA_TESTS_SUPPORT_NETWORKS_H
#define REGULA_TESTS_SUPPORT_NETWORKS_H

#include "support.h"

#include "network/engine.h"
#include "train/settings.h"

/* n random graphs "toy" with up to max_nodes nodes. The first ones are: none, one node, three nodes
 * without edges (as far as n and max_nodes allow). There are two columns of node labels (values 3,
 * 5, 8 and 0, 7), edge labels, two attributes; three columns of classes (values 10, 20, 30, then
 * twice -1, 1, some not known) and two of real targets (some not known). Owned (rg_dataset_free).
 */
rg_dataset *test_dataset_with_targets(size_t n, uint32_t max_nodes, uint64_t seed);
/* The same with the first column of classes alone. */
rg_dataset *test_dataset_with_classes(size_t n, uint32_t max_nodes, uint64_t seed);
/* The same graphs without targets, labels and attributes; and with one column of classes. */
rg_dataset *test_dataset_bare(size_t n, uint32_t max_nodes, uint64_t seed);
rg_dataset *test_dataset_plain(size_t n, uint32_t max_nodes, uint64_t seed);
/* n arrays "grid" of 4 x 3 x 2 values with classes 4, 6, 9. Owned (rg_arrays_free). */
rg_arrays *test_arrays(size_t n, uint64_t seed);

/* Folds of the samples of a source, a quarter for validation. Owned (rg_splits_free). */
rg_splits *test_splits(const rg_source *source, size_t n_folds);

/* A network file that is fine. *spec: owned (rg_spec_free). */
rg_spec *test_spec(rg_settings *settings, const char *text);
/* Owned (rg_recipe_free). */
rg_recipe *test_recipe(const char *text);

/* A network that was built on data, and the data as it sees it, all tables kept. */
typedef struct test_network {
    rg_source source;
    rg_settings settings;
    rg_network *net;
    rg_samples *samples;
} test_network;

/* The precision is that of the file. data is kept. Ends with test_network_close. */
test_network test_network_open(const char *text, const rg_dataset *data);
test_network test_network_open_arrays(const char *text, const rg_arrays *arrays);
/* Other data, as the network of `n` sees it. Owned (rg_samples_free). */
rg_samples *test_network_samples(const test_network *n, const rg_dataset *data);
void test_network_close(test_network *n);

/* Numbers from a seed, normal, as weights of the network, and what layers keep behind them. Owned
 * (free). */
double *test_network_weights(const test_network *n, uint64_t seed);

/* layer_twin.c: the outputs of a network for one sample, worked out the slow way in double, as when nothing
 * is trained: rules are asked of every pair, layers are loops. w: parameters and what layers keep. *size
 * numbers. Owned (free). */
double *test_network_outputs(size_t *size, const test_network *n, const double *w, size_t sample);

/* |a - b| is at most `part` of the larger one, or of `least`. */
bool test_near(double a, double b, double part, double least);

#endif
