/* settings.c - everything in an experiment file but networks and lists. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "ensemble.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 100, FOLDS_MAX = 100000 };

/* In the order of their enums. */
static const char *const protocols[] = {"fair", "global", "gin", "holdout"};
static const char *const keeps[] = {"none", "best", "all"};
static const char *const fits[] = {"all", "train"};
static const char *const starts[] = {"run", "fold"};

const char *rg_protocol_name(rg_protocol protocol)
{
    return protocols[protocol];
}

const char *rg_keep_name(rg_keep keep)
{
    return keeps[keep];
}

bool rg_draft_is_line(const char *text)
{
    bool good = *text != '\0';
    for (size_t n; good && *text; text += n) {
        n = rg_printable(text);
        good = n > 0;
    }
    return good;
}

/* Names become names of directories. */
static bool is_name(const char *text)
{
    return rg_draft_is_line(text) && strlen(text) <= NAME_MAX_BYTES && !strchr(text, '/') &&
           !strchr(".-~ ", text[0]);
}

static rg_status keep_text(char **out, const char *text, size_t n, rg_error *err)
{
    *out = rg_copy_text(text, n);
    return *out ? RG_OK : rg_fail_memory(err, "reading an experiment");
}

static rg_status read_name(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    if (!text || !is_name(text))
        return rg_yaml_expected(node,
                                "a name of at most 100 bytes that has no '/' and does not begin "
                                "with '.', '-', '~' or a blank",
                                err);
    return keep_text(&draft->experiment->name, text, strlen(text), err);
}

/* That of the file, without its ending. */
static rg_status default_name(rg_draft *draft, rg_error *err)
{
    static const char *const endings[] = {".yml", ".yaml"};
    const char *name = rg_path_name(draft->source->name);
    size_t n = strlen(name);
    for (size_t k = 0; k < 2; k++) {
        size_t ending = strlen(endings[k]);
        if (n > ending && strcmp(name + n - ending, endings[k]) == 0) {
            n -= ending;
            break;
        }
    }
    rg_status status = keep_text(&draft->experiment->name, name, n, err);
    if (status || is_name(draft->experiment->name))
        return status;
    rg_free(draft->experiment->name);
    return keep_text(&draft->experiment->name, "experiment", strlen("experiment"), err);
}

static rg_status read_data(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    if (!text || !rg_draft_is_line(text))
        return rg_yaml_expected(node, "a data set: a path or a name", err);
    return keep_text(&draft->experiment->data, text, strlen(text), err);
}

/* ---- splits and folds */

static rg_status read_split_options(rg_split_options *out, const rg_yaml *map, rg_error *err)
{
    static const char *const keys[] = {"folds", "seed", "validation", "test", "stratified"};
    const rg_yaml *node[5];
    int64_t folds = (int64_t)out->n_folds, seed = (int64_t)out->seed;
    bool stratified = out->stratified;
    rg_error inner = {""};
    rg_status status = rg_yaml_keys(map, keys, 5, err);
    for (size_t k = 0; k < 5; k++)
        node[k] = rg_yaml_find(map, keys[k]);
    if (!status && node[0])
        status = rg_yaml_int(node[0], &folds, 1, FOLDS_MAX, NULL, err);
    if (!status && node[1])
        status = rg_yaml_int(node[1], &seed, 0, INT64_MAX, "a whole number from 0 on", err);
    if (!status && node[2])
        status = rg_yaml_real(node[2], &out->validation, NULL, err);
    if (!status && node[3])
        status = rg_yaml_real(node[3], &out->test, NULL, err);
    if (!status && node[4])
        status = rg_yaml_bool(node[4], &stratified, NULL, err);
    if (!status && node[3] && folds != 1)
        status = rg_yaml_complain(node[3], err,
                                  "found a test fraction, expected none, or folds: 1 with it");
    if (status)
        return status;
    out->n_folds = (size_t)folds;
    out->seed = (uint64_t)seed;
    out->stratified = stratified;
    return rg_split_options_check(out, &inner) ? rg_yaml_complain(map, err, "%s", inner.message)
                                               : RG_OK;
}

static rg_status read_splits(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    rg_experiment_info *info = &draft->experiment->info;
    const char *text = rg_yaml_text(node);
    if (rg_yaml_kind_of(node) == RG_YAML_MAP) {
        info->make_splits = 1;
        return read_split_options(&draft->experiment->split, node, err);
    }
    if (!text || !rg_draft_is_line(text))
        return rg_yaml_expected(node, "a file of splits or a map such as {folds: 10, seed: 1}",
                                err);
    if (!draft->source->directory)
        return keep_text(&draft->experiment->splits, text, strlen(text), err);
    return rg_draft_path(&draft->experiment->splits, draft, node, err);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* One thing, or a list of things. */
static size_t n_things(const rg_yaml *node)
{
    return rg_yaml_kind_of(node) == RG_YAML_LIST ? rg_yaml_size(node) : 1;
}

static const rg_yaml *thing(const rg_yaml *node, size_t k)
{
    return rg_yaml_kind_of(node) == RG_YAML_LIST ? rg_yaml_item(node, k) : node;
}

/* After splits: how many folds there are may be known. */
static rg_status read_folds(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    rg_experiment_info *info = &draft->experiment->info;
    size_t n = n_things(node);
    int64_t last = info->make_splits ? (int64_t)info->split->n_folds - 1 : FOLDS_MAX - 1;
    if (n == 0)
        return rg_yaml_complain(node, err, "found no folds, expected their numbers, from 0");
    uint32_t *folds = draft->experiment->folds = rg_alloc(n, sizeof *folds);
    rg_status status = folds ? RG_OK : rg_fail_memory(err, "reading an experiment");
    for (size_t k = 0; k < n && !status; k++) {
        int64_t fold = 0;
        status = rg_yaml_int(thing(node, k), &fold, 0, last, NULL, err);
        if (!status)
            folds[k] = (uint32_t)fold;
    }
    if (status)
        return status;
    qsort(folds, n, sizeof *folds, compare);
    for (size_t k = 1; k < n; k++)
        if (folds[k] == folds[k - 1])
            return rg_yaml_complain(node, err, "found fold %u twice, expected each fold once",
                                    folds[k]);
    info->n_folds = n;
    return RG_OK;
}

/* ---- words and numbers */

static rg_status read_protocol(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    rg_experiment_info *info = &draft->experiment->info;
    size_t n = n_things(node);
    if (n == 0)
        return rg_yaml_complain(node, err, "found no protocol, expected one or more");
    info->n_protocols = 0;
    for (size_t k = 0; k < n; k++) {
        size_t word = 0;
        rg_status status = rg_yaml_word(thing(node, k), &word, protocols, RG_PROTOCOLS, err);
        if (status)
            return status;
        for (size_t other = 0; other < info->n_protocols; other++)
            if (info->protocols[other] == (rg_protocol)word)
                return rg_yaml_expected(thing(node, k), "each protocol once", err);
        info->protocols[info->n_protocols++] = (rg_protocol)word;
    }
    return RG_OK;
}

static rg_status read_runs(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    int64_t runs = 0;
    rg_status status = rg_yaml_int(node, &runs, 1, RG_EXPERIMENT_RUNS_MAX, NULL, err);
    if (!status)
        draft->experiment->info.runs = (uint32_t)runs;
    return status;
}

static rg_status read_seed(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    int64_t seed = 0;
    rg_status status = rg_yaml_int(node, &seed, 0, INT64_MAX, "a whole number from 0 on", err);
    if (!status)
        draft->experiment->info.seed = (uint64_t)seed;
    return status;
}

static rg_status read_fit(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, fits, 2, err);
    if (!status)
        draft->experiment->info.fit_on_train = (int)word;
    return status;
}

static rg_status read_starts(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, starts, 2, err);
    if (!status)
        draft->experiment->info.starts_per_fold = (int)word;
    return status;
}

static rg_status read_keep(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, keeps, 3, err);
    if (!status)
        draft->experiment->info.keep = (rg_keep)word;
    return status;
}

static rg_status read_metric(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    rg_error inner = {""};
    if (!rg_yaml_text(node))
        return rg_yaml_expected(node, "the name of a metric, such as roc-auc", err);
    rg_status status = rg_metric_find(&draft->experiment->info.metric, rg_yaml_text(node), &inner);
    return status ? rg_yaml_complain(node, err, "%s", inner.message) : RG_OK;
}

static rg_status read_ensembles(rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    rg_experiment_info *info = &draft->experiment->info;
    return rg_ensembles_read(info->ensembles, &info->n_ensembles, node, err);
}

/* ---- the whole */

rg_status rg_draft_settings(rg_draft *draft, rg_error *err)
{
    static const char *const words[] = {"name",   "data",     "splits",   "folds", "protocol",
                                        "runs",   "seed",     "starts",   "fit",   "keep",
                                        "metric", "ensemble", "network",  "model", "compare",
                                        "labels", "input",    "training", "grid"};
    /* Splits before folds. */
    static rg_status (*const readers[])(rg_draft *, const rg_yaml *, rg_error *) = {
        read_name, read_data,   read_splits, read_folds, read_protocol, read_runs,
        read_seed, read_starts, read_fit,    read_keep,  read_metric,   read_ensembles};
    rg_experiment_info *info = &draft->experiment->info;
    draft->experiment->split = rg_split_options_default();
    *info = (rg_experiment_info){.split = &draft->experiment->split,
                                 .n_protocols = 1, /* fair */
                                 .runs = 3,
                                 .seed = 1,
                                 .keep = RG_KEEP_BEST};
    rg_status status = rg_yaml_keys(draft->root, words, sizeof words / sizeof *words, err);
    for (size_t k = 0; k < sizeof readers / sizeof *readers && !status; k++) {
        const rg_yaml *node = rg_yaml_find(draft->root, words[k]);
        status = node ? readers[k](draft, node, err) : RG_OK;
    }
    if (!status && !draft->experiment->data)
        status = rg_yaml_complain(draft->root, err,
                                  "found no key 'data', expected a data set: a path or a name");
    if (!status && !draft->experiment->name)
        status = default_name(draft, err);
    return status;
}
