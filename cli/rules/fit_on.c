/* fit_on.c - see fit_on.h. */
#include "fit_on.h"

#include "base/alloc.h"
#include "base/error.h"
#include "regula/split.h"
#include "text/reader.h"

#include <stdio.h>
#include <string.h>

/* Does the text begin like JSON? Then it is a split file. */
static rg_status looks_like_json(bool *out, const char *path, rg_error *err)
{
    rg_reader *in = NULL;
    bool more = true;
    rg_status status = rg_reader_open(&in, path, err);
    *out = false;
    while (!status && !(status = rg_reader_next(in, &more, err)) && more && !*out) {
        size_t n;
        const char *line = rg_reader_text(in, &n);
        line += strspn(line, " \t");
        if (*line && *line != '[' && *line != '{')
            break;
        *out = *line != '\0';
    }
    rg_reader_close(in);
    return status;
}

static rg_status read_fold(uint32_t **out, size_t *n, const char *path, size_t fold,
                           const rg_dataset *data, rg_error *err)
{
    rg_splits *splits = NULL;
    rg_split_report report = RG_SPLIT_REPORT_INIT;
    rg_status status = rg_splits_read(&splits, path, err);
    if (!status)
        status = rg_splits_check(&report, splits, data, path, err);
    if (!status && fold >= rg_splits_n_folds(splits))
        status = rg_fail(err, RG_EUSAGE, "%s: found %zu folds, expected one with number %zu", path,
                         rg_splits_n_folds(splits), fold);
    if (!status) {
        rg_part train = rg_splits_fold(splits, fold).train;
        uint32_t *graphs = rg_alloc(train.n, sizeof *graphs);
        if (graphs) {
            memcpy(graphs, train.graphs, train.n * sizeof *graphs);
            *out = graphs;
            *n = train.n;
        } else {
            status = rg_fail_memory(err, "reading splits");
        }
    }
    rg_splits_free(splits);
    return status;
}

static rg_status read_list(uint32_t **out, size_t *n, const char *path, const rg_dataset *data,
                           rg_error *err)
{
    rg_reader *in = NULL;
    uint32_t *graphs = NULL;
    size_t count = 0, capacity = 0, n_graphs = rg_dataset_n_graphs(data);
    char what[64];
    snprintf(what, sizeof what, "a graph, a number below %zu", n_graphs);
    rg_status status = rg_reader_open(&in, path, err);
    bool more = true;
    while (!status && !(status = rg_reader_next(in, &more, err)) && more) {
        int64_t value = 0;
        status = rg_reader_int(in, &value, what, err);
        if (!status)
            status = rg_reader_expect_end(in, err);
        if (!status && (value < 0 || (uint64_t)value >= n_graphs))
            status = rg_fail(err, RG_EDATA, "%s:%zu: found graph %lld, expected %s", path,
                             rg_reader_line_number(in), (long long)value, what);
        if (!status && !rg_grow(&graphs, &capacity, count + 1, sizeof *graphs))
            status = rg_fail_memory(err, "reading numbers of graphs");
        if (!status)
            graphs[count++] = (uint32_t)value;
    }
    if (!status && count == 0)
        status = rg_fail(err, RG_EDATA, "%s: found no graphs, expected one per line", path);
    if (!status) {
        *out = graphs;
        *n = count;
        graphs = NULL;
    }
    rg_free(graphs);
    rg_reader_close(in);
    return status;
}

rg_status cli_read_fit_on(uint32_t **out, size_t *n, const char *path, size_t fold,
                          const rg_dataset *data, rg_error *err)
{
    bool json;
    rg_status status = looks_like_json(&json, path, err);
    if (status)
        return status;
    return json ? read_fold(out, n, path, fold, data, err) : read_list(out, n, path, data, err);
}
