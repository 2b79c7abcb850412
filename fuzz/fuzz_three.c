/* fuzz_three.c - any bytes as the three-file format. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const names[] = {"X_Nodes.txt", "X_Edges.txt", "X_Labels.txt"};
    return fuzz_both_ways(&rg_format_three, names, 3, bytes, n);
}
