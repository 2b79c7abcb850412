/* fuzz_table.c - any bytes as a table of molecules. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const names[] = {"X.csv"};
    return fuzz_both_ways(&rg_format_table, names, 1, bytes, n);
}
