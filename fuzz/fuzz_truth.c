/* fuzz_truth.c - any bytes as a file of known causes: refused with a message, or nodes of the graphs. */
#include "base/error.h"
#include "explain/truth.h"
#include "regula/build.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const uint32_t nodes[] = {4, 0, 12};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *data = NULL;
    rg_truth *truth = NULL;
    rg_error err = {""};
    arrays.n_graphs = 3;
    arrays.nodes = (rg_matrix){nodes, RG_ITEM_U32, 3, 1, 0, 0};
    if (rg_dataset_from_arrays(&data, &arrays, &err))
        abort();
    if (rg_truth_parse(&truth, "input", bytes, n, data, &err)) {
        if (!err.message[0] || truth)
            abort();
    } else
        for (size_t g = 0; g < 3; g++)
            for (size_t k = 0; k < rg_truth_n(truth, g); k++) {
                size_t m;
                const uint32_t *list = rg_truth_nodes(truth, g, k, &m);
                for (size_t i = 0; i < m; i++)
                    if (list[i] >= nodes[g] || (i && list[i - 1] >= list[i]))
                        abort();
            }
    rg_truth_free(truth);
    rg_dataset_free(data);
    return 0;
}
