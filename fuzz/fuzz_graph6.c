/* fuzz_graph6.c - any bytes as graph6. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const names[] = {"X.g6"};
    return fuzz_both_ways(&rg_format_graph6, names, 1, bytes, n);
}
