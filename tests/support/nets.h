/* nets.h - data with targets of every kind, and networks on it: what tests of networks, training
 * and models start from. */
#ifndef REGULA_TESTS_SUPPORT_NETS_H
#define REGULA_TESTS_SUPPORT_NETS_H

#include "support.h"

#include "network/pass.h"
#include "train/settings.h"

/* n random graphs "toy" with up to max_nodes nodes. The first ones are: none, one node, three nodes
 * without edges (as far as n and max_nodes allow). There are two columns of node labels (values 3,
 * 5, 8 and 0, 7), edge labels, two attributes; three columns of classes (values 10, 20, 30, then
 * twice -1, 1, some not known) and two of real targets (some not known). Owned (rg_dataset_free).
 */
rg_dataset *nets_data(size_t n, uint32_t max_nodes, uint64_t seed);
/* The same with the first column of classes alone. */
rg_dataset *nets_single(size_t n, uint32_t max_nodes, uint64_t seed);
/* The same graphs without targets, labels and attributes; and with one column of classes. */
rg_dataset *nets_bare(size_t n, uint32_t max_nodes, uint64_t seed);
rg_dataset *nets_plain(size_t n, uint32_t max_nodes, uint64_t seed);
/* n arrays "grid" of 4 x 3 x 2 values with classes 4, 6, 9. Owned (rg_arrays_free). */
rg_arrays *nets_arrays(size_t n, uint64_t seed);

/* A network file that is fine. *spec: owned (rg_spec_free). */
rg_spec *nets_spec(rg_settings *settings, const char *text);
/* Owned (rg_recipe_free). */
rg_recipe *nets_recipe(const char *text);

/* A network that was built on data, and the data as it sees it, all tables kept. */
typedef struct nets {
    rg_source source;
    rg_settings settings;
    rg_network *net;
    rg_samples *samples;
} nets;

/* The precision is that of the file. data is kept. Ends with nets_close. */
nets nets_open(const char *text, const rg_dataset *data);
nets nets_open_arrays(const char *text, const rg_arrays *arrays);
/* Other data, as the network of `n` sees it. Owned (rg_samples_free). */
rg_samples *nets_samples(const nets *n, const rg_dataset *data);
void nets_close(nets *n);

/* Numbers from a seed, normal, as weights of the network. Owned (free). */
double *nets_weights(const nets *n, uint64_t seed);

/* The outputs of a network for one sample, worked out the slow way in double: rules are asked of
 * every pair, layers are loops. w: n_params. *size numbers. Owned (free). */
double *nets_outputs(size_t *size, const nets *n, const double *w, size_t sample);

/* |a - b| is at most `part` of the larger one, or of `least`. */
bool nets_near(double a, double b, double part, double least);

#endif
