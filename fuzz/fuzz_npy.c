/* fuzz_npy.c - any bytes as .npy files of values and targets. */
#include "numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    return fuzz_arrays(rg_npy_read, bytes, n);
}
