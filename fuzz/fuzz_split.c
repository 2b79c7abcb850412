/* fuzz_split.c - any bytes as a split file: refused with a message, or splits that can be looked
 * into, checked and digested. */
#include "graph/raw.h"
#include "split/parts.h"
#include "text/reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Six graphs without nodes, of two classes. */
static rg_dataset *small_set(void)
{
    rg_raw raw = {.n_graphs = 6};
    rg_dataset *data = NULL;
    rg_error err;
    for (int64_t k = 0; k < 6; k++) {
        int64_t *row = rg_int_rows_add(&raw.classes, 1);
        if (!row)
            abort();
        *row = k % 2;
    }
    if (rg_dataset_build(&data, &raw, &err))
        abort();
    return data;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    rg_error err = {""};
    rg_reader *in = NULL;
    rg_splits *splits = NULL;
    if (rg_reader_memory(&in, "input", bytes, n, &err))
        abort();
    if (rg_splits_take(&splits, in, &err)) {
        if (!err.message[0] || splits)
            abort();
    } else {
        char digest[RG_DIGEST_SIZE];
        rg_split_report report = RG_SPLIT_REPORT_INIT;
        rg_dataset *data = small_set();
        rg_splits_digest(splits, digest);
        uint64_t sum = 0;
        for (size_t f = 0; f < rg_splits_n_folds(splits); f++) {
            rg_fold fold = rg_splits_fold(splits, f);
            for (size_t k = 0; k < fold.train.n; k++)
                sum += fold.train.graphs[k];
        }
        if (!rg_splits_check(&report, splits, data, "input", &err) &&
            (report.n_folds == 0 || sum > 5 * 6 * report.n_folds))
            abort();
        rg_dataset_free(data);
    }
    rg_splits_free(splits);
    rg_reader_close(in);
    return 0;
}
