/* fuzz_pattern.c - any bytes as the file of a pattern. What is read prints as a text that parses to
 * itself, and the pattern occurs in itself exactly once. */
#include "base/alloc.h"
#include "check.h"
#include "count/pattern.h"
#include "graph/raw.h"

/* The pattern as a data set; where it has no label, any will do. */
static rg_dataset *set_of(const rg_pattern *pattern)
{
    rg_raw raw = {.n_graphs = 1};
    rg_dataset *data = NULL;
    rg_error err;
    for (unsigned a = 0; a < pattern->n_nodes; a++) {
        int64_t label = pattern->node_label[a];
        CHECK(rg_raw_add_node(&raw, 0));
        *rg_int_rows_add(&raw.node_labels, 1) = label == RG_ANY_LABEL ? 5 : label;
    }
    for (unsigned a = 0; a < pattern->n_nodes; a++)
        for (unsigned b = 0; b < a; b++)
            if (pattern->edge[a][b]) {
                int64_t label = pattern->edge_label[a][b];
                CHECK(rg_raw_add_pair(&raw, a, b));
                *rg_int_rows_add(&raw.edge_labels, 1) = label == RG_ANY_LABEL ? 5 : label;
            }
    CHECK(rg_dataset_build(&data, &raw, &err) == RG_OK);
    return data;
}

static void find_in_itself(const rg_pattern *pattern)
{
    rg_dataset *data = set_of(pattern);
    rg_count_space *space = rg_count_space_new();
    CHECK(space);
    for (int induced = 0; induced < 2; induced++) {
        int64_t out[RG_PATTERN_MAX];
        bool capped = false;
        rg_error err;
        CHECK(rg_count_patterns(out, data, 0, pattern, 1, induced, 10000000, &capped, space,
                                &err) == RG_OK);
        for (unsigned a = 0; a < pattern->n_nodes; a++)
            CHECK(out[a] == (capped ? RG_CAPPED : 1));
    }
    rg_count_space_free(space);
    rg_dataset_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rg_reader *in = NULL;
    rg_pattern pattern = {0}, again = {0};
    rg_error err = {""};
    CHECK(rg_reader_memory(&in, "f", data, size, &err) == RG_OK);
    rg_status status = rg_pattern_take(&pattern, in, &err);
    rg_reader_close(in);
    if (status) {
        CHECK(status == RG_EDATA && !pattern.text && strncmp(err.message, "f:", 2) == 0);
        return 0;
    }
    const char *start = strchr(pattern.text, '"') + 1;
    size_t n = strlen(start) - strlen("\")");
    CHECK(rg_pattern_parse(&again, start, n, 1, &err) == RG_OK);
    CHECK(strcmp(again.text, pattern.text) == 0);
    CHECK(again.n_nodes == pattern.n_nodes);
    CHECK(memcmp(&again.plan, &pattern.plan, sizeof again.plan) == 0);
    find_in_itself(&pattern);
    rg_free(pattern.text);
    rg_free(again.text);
    return 0;
}
