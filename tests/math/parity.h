/* parity.h - one file of reference vectors: a small network, its graphs, and the numbers that
 * another program found for outputs, loss, gradients and parameters after steps of Adam. */
#ifndef REGULA_TESTS_MATH_PARITY_H
#define REGULA_TESTS_MATH_PARITY_H

#include <jansson.h>
#include <stddef.h>

typedef struct parity_result {
    size_t n_compared, n_wrong;
    double largest;  /* deviation of outputs, loss, gradients at the start (allowed: 1e-12) */
    double drifted;  /* deviation of all that comes after a step (allowed: 1e-9) */
    char first[200]; /* the first that was wrong */
} parity_result;

/* Builds distances and tables from the labels in the file, trains in double with the kernels of
 * this processor, and compares every number. A file that is not of the format counts as wrong. */
parity_result parity_run(const json_t *root);
/* The same through a network file and a trainer. The file must have passed parity_run. */
parity_result parity_run_network(const json_t *root);

/* For the two: a number that is wrong, the k-th of what there is; one that may be off by so much.
 */
void parity_wrong(parity_result *result, const char *what, size_t k, double got, double want);
void parity_compare(parity_result *result, const char *what, size_t k, double got,
                    const json_t *want, double tolerance);

#endif
