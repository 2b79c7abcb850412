/* array_names.h - which file of arrays a name stands for.
 *
 * x or images are values, y or labels are targets, in letters of either case. Something may stand
 * before it, parted by '_' or '-': the name of the set. train, test or t10k, before or behind, say
 * that it is one part of two. The ending is .npy, or -idxN-TYPE as in the MNIST files:
 *
 *     x.npy  labels.npy  digits_x.npy  y_train.npy  digits_test_x.npy
 *     train-images-idx3-ubyte  t10k-labels.idx1-ubyte  emnist-letters-train-images-idx3-ubyte */
#ifndef REGULA_ARRAYS_ARRAY_NAMES_H
#define REGULA_ARRAYS_ARRAY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum rg_array_part { RG_ARRAY_WHOLE, RG_ARRAY_TRAIN, RG_ARRAY_TEST } rg_array_part;
enum { RG_ARRAY_PARTS = 3 };

typedef struct rg_array_name {
    bool values; /* else targets */
    bool idx;    /* else .npy */
    rg_array_part part;
    size_t n_prefix; /* bytes at the front that are the set's name; 0: none */
} rg_array_name;

/* `file` has no directory in front and no .gz behind. False: no such file; *out is untouched. */
bool rg_array_name_parse(rg_array_name *out, const char *file);

#endif
