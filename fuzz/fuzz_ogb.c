/* fuzz_ogb.c - any bytes as OGB's csv files. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const names[] = {"num-node-list.csv", "num-edge-list.csv",
                                        "edge.csv",          "node-feat.csv",
                                        "edge-feat.csv",     "graph-label.csv"};
    /* Sets for classes of nodes: all of it is one graph. */
    static const char *const nodes[] = {"edge.csv",  "node-label.csv", "node-feat.svm",
                                        "train.csv", "valid.csv",      "test.csv"};
    if (n && bytes[0] == 'n')
        return fuzz_both_ways(&rg_format_ogb, nodes, 6, bytes + 1, n - 1);
    return fuzz_both_ways(&rg_format_ogb, names, 6, bytes, n);
}
