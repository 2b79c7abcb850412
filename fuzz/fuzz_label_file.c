/* fuzz_label_file.c - any bytes as the file of a labeling `file(PATH)`: refused with a message, or
 * a label for every node, and the same ones when the labeling is applied to the set that it was
 * fitted on. */
#include "graphs.h"
#include "label/spec.h"
#include "regula/label.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static rg_dataset *graphs;
    static char path[512], spec[600];
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL, *again = NULL;
    rg_label_options options = {.size = sizeof options, .n_threads = 1, .budget = 1000};
    rg_error err = {""};
    if (!graphs) {
        graphs = fuzz_graphs();
        snprintf(spec, sizeof spec, "file(\"%s\")", fuzz_path(path, "labels"));
    }
    fuzz_write(path, bytes, n);
    rg_status status = rg_labeling_fit(&labeling, &labels, spec, graphs, NULL, 0, &options, &err);
    if (status) {
        CHECK(status == RG_EDATA && !labeling && !labels);
        CHECK(strncmp(err.message, path, strlen(path)) == 0 && !strchr(err.message, '\n'));
    } else {
        size_t n_nodes = (size_t)rg_dataset_n_nodes(graphs);
        const uint32_t *of = rg_labels_data(labels);
        CHECK(rg_labeling_apply(&again, labeling, graphs, &options, &err) == RG_OK);
        CHECK(memcmp(of, rg_labels_data(again), n_nodes * sizeof *of) == 0);
        for (size_t i = 0; i < n_nodes; i++)
            CHECK(of[i] < rg_labeling_seen(labeling));
    }
    unlink(path);
    rg_labels_free(labels);
    rg_labels_free(again);
    rg_labeling_free(labeling);
    return 0;
}
