/* source.c - see source.h. */
#include "source.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/output/output.h"
#include "regula/fetch.h"

rg_status cli_source_read(cli_source *out, const char *data, const cli_arguments *args,
                          const rg_read_options *options, rg_error *err)
{
    cli_source source = {.path = NULL};
    rg_status status =
        cli_read_either(&source.graphs, &source.arrays, &source.path, data, args, options, err);
    if (!status)
        *out = source;
    return status;
}

void cli_source_free(cli_source *source)
{
    rg_dataset_free(source->graphs);
    rg_arrays_free(source->arrays);
    rg_text_free(source->path);
    *source = (cli_source){.path = NULL};
}

rg_source cli_source_view(const cli_source *source)
{
    return (rg_source){.graphs = source->graphs, .arrays = source->arrays};
}

rg_items cli_source_items(const cli_source *source)
{
    return source->arrays ? rg_arrays_items(source->arrays) : rg_dataset_items(source->graphs);
}

void cli_source_digest(const cli_source *source, char out[RG_DIGEST_SIZE])
{
    if (source->arrays)
        rg_arrays_digest(source->arrays, out);
    else
        rg_dataset_digest(source->graphs, out);
}

void cli_split_free(cli_split *split)
{
    rg_splits_free(split->splits);
    rg_free(split->all);
    *split = (cli_split){.path = NULL};
}

rg_status cli_split_read(cli_split *out, const cli_arguments *args, const cli_source *source,
                         rg_error *err)
{
    cli_split split = {.path = cli_text(args, "split"),
                       .number = (size_t)cli_get(args, "fold")->integer};
    rg_items items = cli_source_items(source);
    rg_split_report report = RG_SPLIT_REPORT_INIT;
    if (!split.path) {
        *out = split;
        return RG_OK;
    }
    rg_status status = rg_splits_read(&split.splits, split.path, err);
    if (!status)
        status = rg_splits_check_for(&report, split.splits, &items, split.path, err);
    if (!status && split.number >= rg_splits_n_folds(split.splits))
        status = rg_fail(err, RG_EUSAGE, "%s: found %zu folds, expected one with number %zu",
                         split.path, rg_splits_n_folds(split.splits), split.number);
    if (status) {
        cli_split_free(&split);
        return status;
    }
    split.fold = rg_splits_fold(split.splits, split.number);
    *out = split;
    if (report.validation_is_test)
        cli_message("warning: in %zu of %zu folds the validation set equals the test set: the test "
                    "score of a model selected on it is biased",
                    report.validation_is_test, report.n_folds);
    return RG_OK;
}

bool cli_source_has_masks(const cli_source *source)
{
    const rg_dataset *data = source->graphs;
    return data && rg_dataset_n_columns(data, RG_CLASS) == 0 &&
           rg_dataset_n_columns(data, RG_TARGET) == 0 && rg_dataset_has_parts(data);
}

rg_status cli_split_masks(cli_split *out, const cli_source *source, rg_error *err)
{
    static const char *const words[] = {"train", "validation", "test"};
    cli_split split = {.masks = true};
    rg_status status = rg_splits_from_masks(&split.splits, source->graphs, err);
    if (status)
        return status;
    split.fold = rg_splits_fold(split.splits, 0);
    for (size_t p = 0; p < CLI_COUNT(words); p++)
        split.nodes[p] = rg_dataset_part_size(source->graphs, words[p]);
    *out = split;
    return RG_OK;
}

/* The numbers 0 .. n-1, for parts that are one run of them. */
static rg_status list_all(cli_split *split, size_t n, rg_error *err)
{
    split->all = rg_alloc(n, sizeof *split->all);
    if (!split->all)
        return rg_fail_memory(err, "listing samples");
    for (size_t k = 0; k < n; k++)
        split->all[k] = (uint32_t)k;
    return RG_OK;
}

rg_status cli_split_make(cli_split *out, const cli_source *source, double validation, uint64_t seed,
                         rg_error *err)
{
    cli_split split = {.path = NULL};
    rg_items items = cli_source_items(source);
    size_t n = items.n;
    if (source->arrays)
        items.n = rg_arrays_n_train(source->arrays);
    if (items.n == 0)
        return rg_fail(err, RG_EDATA, "'%s': found no %ss, expected some to train on", items.name,
                       items.word);
    rg_status status = list_all(&split, n, err);
    if (!status)
        split.fold.train = (rg_part){split.all, items.n};
    if (!status && validation > 0) {
        rg_split_options o = rg_split_options_default();
        o.n_folds = 1;
        o.test = validation;
        o.validation = 0;
        o.seed = seed;
        o.stratified = items.classes != NULL;
        status = rg_splits_make_for(&split.splits, &items, &o, err);
        if (!status) { /* what a hold-out split would test on is for validation here */
            split.fold = rg_splits_fold(split.splits, 0);
            split.fold.validation = split.fold.test;
        }
    }
    if (status) {
        cli_split_free(&split);
        return status;
    }
    split.fold.test = (rg_part){split.all + items.n, n - items.n};
    *out = split;
    return RG_OK;
}
