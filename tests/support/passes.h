/* passes.h - a network in double, all samples of a set through it at once where its layers allow that, and
 * what must be true of every network. */
#ifndef REGULA_TESTS_SUPPORT_PASSES_H
#define REGULA_TESTS_SUPPORT_PASSES_H

#include "networks.h"

#include "train/measure.h"

/* Ends with test_pass_close. */
typedef struct test_pass {
    test_network n;
    rg_measure measure;
    rg_walk walk;
    rg_pass *pass;
    uint32_t *list;
    double weight; /* of all targets */
} test_pass;

/* text: a network file, without training or in double; data: kept. */
test_pass test_pass_open(const char *text, const rg_dataset *data);
void test_pass_close(test_pass *p);
/* Another pass in place of the one there is: so many samples at once, kernels of a processor. */
void test_pass_again(test_pass *p, uint32_t group, rg_cpu cpu);

/* The mean loss of all samples in training, with fixed draws; adds its gradient to g, if that is not
 * NULL. */
double test_pass_loss(test_pass *p, double *w, double *g);
/* Outputs of all samples one after another, as when nothing is trained; *n numbers. Owned (free). */
double *test_pass_outputs(size_t *n, test_pass *p, double *w);

/* ---- what must be true; failures say the text */

/* Gradients are central differences, of at most `most` parameters. */
void test_pass_check_gradient(const char *text, const rg_dataset *data, size_t most);
/* A second pass adds to the gradients of the first, and nothing of the first is left over. */
void test_pass_check_sums(const char *text, const rg_dataset *data);
/* Outputs are those of test_network_outputs. */
void test_pass_check_outputs(const char *text, const rg_dataset *data);
/* Alone, in groups and all at once, samples have the same outputs, bit for bit. */
void test_pass_check_groups(const char *text, const rg_dataset *data);
/* In training too, if no layer sums over the batch: loss and gradients do not depend on groups, draws
 * neither. */
void test_pass_check_draws(const char *text, const rg_dataset *data);
/* Rows shared by nodes of one colour, or one for every node: the same outputs and gradients. Returns how many
 * rows are saved. Of a network on batches. */
size_t test_pass_check_colours(const char *text, const rg_dataset *data);
/* Loss and gradient have the same bits in the tables of every processor. */
void test_pass_check_tables(const char *text, const rg_dataset *data);
/* Outputs of the same graphs with their nodes in another order, up to rounding. */
void test_pass_check_order(const char *text, const rg_dataset *data);

#endif
