/* fuzz_idx.c - any bytes as IDX files of values and targets. */
#include "numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    return fuzz_arrays(rg_idx_read, bytes, n);
}
