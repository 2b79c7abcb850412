/* fuzz_sdf.c - any bytes as MOL files and SDF. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const names[] = {"X.sdf"};
    return fuzz_both_ways(&rg_format_sdf, names, 1, bytes, n);
}
