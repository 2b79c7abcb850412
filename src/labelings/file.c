/* file.c - file(PATH): labels that were computed elsewhere, one line per graph, one whole number
 * per node. */
#include "base/error.h"
#include "label/kind.h"
#include "text/reader.h"

#include <inttypes.h>

static rg_status read_file(int64_t *out, const rg_label_spec *spec, const rg_dataset *data,
                           rg_error *err)
{
    size_t n_graphs = rg_dataset_n_graphs(data), n_lines = 0;
    rg_reader *in = NULL;
    bool more = true;
    rg_status status = rg_reader_open(&in, spec->path, err);
    while (!status && !(status = rg_reader_next(in, &more, err)) && more && n_lines < n_graphs) {
        rg_graph graph = rg_dataset_graph(data, n_lines++);
        for (uint32_t i = 0; !status && i < graph.n_nodes; i++)
            status = rg_reader_int(in, &out[graph.first_node + i], "a label", err);
        if (!status)
            status = rg_reader_expect_end(in, err);
    }
    if (!status && (more || n_lines < n_graphs))
        status = rg_fail(err, RG_EDATA, "%s: found %s%zu lines, expected %zu, one per graph",
                         rg_reader_name(in), more ? "more than " : "", n_lines, n_graphs);
    rg_reader_close(in);
    return status;
}

static void describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    (void)labeling;
    rg_label_say(out, "label %" PRId64 " of the file", rg_words_to_int(key));
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    (void)labeling;
    (void)brief;
    rg_label_say(out, "labelled %" PRId64 " in the file", rg_words_to_int(key));
}

const rg_label_kind rg_label_file = {
    .name = "file",
    .size = sizeof(rg_label_spec),
    .arguments = {{.type = RG_ARGUMENT_PATH,
                   .low = 1,
                   .missing = "file with a path, such as file(labels.txt)"}},
    .read = read_file,
    .describe = describe,
    .phrase = phrase,
};
