/* fuzz_sequence.c - any bytes as texts, by words and by letters: refused with a message, or paths with
 * a named token at every node. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check_paths(const rg_dataset *data)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        assert(graph.n_nodes >= 1 && graph.n_arcs == 2 * ((uint64_t)graph.n_nodes - 1));
        for (uint32_t i = 1; i < graph.n_nodes; i++)
            assert(graph.col[graph.row[i]] == i - 1);
    }
    size_t n_values;
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n_values);
    for (size_t r = 0; r < n_values; r++) {
        const char *name = rg_dataset_value_name(data, RG_NODE_LABEL, 0, r);
        assert(name && rg_token_value(name, strlen(name)) == values[r]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const names[2][1] = {{"x.words"}, {"x.chars"}};
    const rg_format_kind *formats[] = {&rg_format_words, &rg_format_chars};
    for (size_t k = 0; k < 2; k++) {
        rg_dataset *data = NULL;
        if (fuzz_feed(&data, formats[k], names[k], 1, false, bytes, n) == RG_OK &&
            rg_dataset_n_graphs(data)) {
            fuzz_check(data);
            check_paths(data);
        }
        rg_dataset_free(data);
    }
    return 0;
}
