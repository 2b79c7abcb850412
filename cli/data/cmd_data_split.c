/* cmd_data_split.c - regula data split: make splits, or check those of a file. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "regula/fetch.h"
#include "regula/split.h"
#include "split/parts.h"

#include <unistd.h>

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "folds",
     .letter = 'k',
     .kind = CLI_INTEGER,
     .metavar = "K",
     .min = 2,
     .max = 1e6,
     .help = "Number of folds for cross-validation."},
    {.name = "holdout",
     .kind = CLI_REAL,
     .metavar = "PART",
     .min = 0,
     .max = 1,
     .help = "Make a single fold with this fraction of the graphs for testing."},
    {.name = "validation",
     .kind = CLI_REAL,
     .metavar = "PART",
     .min = 0,
     .max = 1,
     .help = "Fraction of the graphs outside the test set to use for validation."},
    {.name = "seed",
     .letter = 's',
     .kind = CLI_SEED,
     .metavar = "S",
     .help = "Random seed: the same seed gives the same splits."},
    {.name = "no-stratify", .kind = CLI_FLAG, .help = "Do not stratify by class."},
    {.name = "scaffold",
     .kind = CLI_FLAG,
     .help = "Keep molecules with the same Bemis-Murcko scaffold in one set; a single fold with a "
             "tenth of the molecules each for validation and testing, unless told otherwise."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .otherwise = "standard output",
     .help = "Output file for the splits."},
    {.name = "check",
     .letter = 'c',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Check the splits in FILE against DATA instead of making new ones."},
    CLI_READ_OPTIONS,
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula data split csl --folds 5 --seed 1 --out csl.json",
     "Five stratified folds for cross-validation."},
    {"regula data split csl --holdout 0.2 --validation 0.1 --out one.json",
     "One fold: 20 % for testing and 10 % of the rest for validation."},
    {"regula data split set.csv --target active --scaffold --out scaffold.json",
     "Molecules by scaffold: the largest groups are for training."},
    {"regula data split csl --check csl.json", "Check whether these splits are valid."},
};

static const char *const description[] = {
    "Splits a data set into training, validation and test sets and prints the folds as JSON: a "
    "list of folds, each with \"test\" and \"model_selection\", which hold indices of graphs (or "
    "of vectors and images) counted from 0. Folds are stratified if the data set has classes.",
    "With --scaffold molecules that share their rings and what links them stay together. The "
    "largest groups go into the training set, so that molecules of the test set have rare "
    "scaffolds "
    "(as in MoleculeNet); with --seed the groups are drawn at random.",
    "With --check it reads such a file and checks that every index is in range, that no graph is "
    "in two sets of a fold, and that every graph is in exactly one test set. Invalid splits end "
    "with exit status 3. Splits that are valid but doubtful, such as a validation set that equals "
    "the test set, get a warning.",
    "With --json, regula writes the splits to the file of --out and prints a summary.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_split_options o = rg_split_options_default();
    cli_default_integer(args, "folds", (int64_t)o.n_folds);
    cli_default_real(args, "validation", o.validation);
    cli_default_seed(args, "seed", o.seed);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

static void warn(const rg_split_report *r)
{
    if (r->validation_is_test)
        cli_message("warning: in %zu of %zu folds the validation set equals the test set: the test "
                    "score of a model selected on it is biased",
                    r->validation_is_test, r->n_folds);
    if (r->missing_classes)
        cli_message("warning: a class is missing from the training set %zu times",
                    r->missing_classes);
}

static rg_status print_report(const rg_split_report *r, const rg_splits *splits, const char *word,
                              const char *path, bool json, rg_error *err)
{
    char digest[RG_DIGEST_SIZE];
    rg_splits_digest(splits, digest);
    if (!json) {
        printf("folds                      %zu\n", r->n_folds);
        printf("validation equals test     %zu\n", r->validation_is_test);
        printf("without validation set     %zu\n", r->empty_validation);
        char line[40];
        snprintf(line, sizeof line, "%ss in no test set", word);
        printf("%-26s %zu\n", line, r->untested);
        snprintf(line, sizeof line, "%ss unused in a fold", word);
        printf("%-26s %zu\n", line, r->unused);
        printf("classes not trained        %zu\n", r->missing_classes);
        printf("digest                     %s\n", digest);
        return RG_OK;
    }
    json_t *object = json_object();
    cli_json_set(&object, "path", cli_json_text(path));
    cli_json_set(&object, "folds", cli_json_count(r->n_folds));
    cli_json_set(&object, "validation_is_test", cli_json_count(r->validation_is_test));
    cli_json_set(&object, "empty_validation", cli_json_count(r->empty_validation));
    cli_json_set(&object, "untested", cli_json_count(r->untested));
    cli_json_set(&object, "unused", cli_json_count(r->unused));
    cli_json_set(&object, "missing_classes", cli_json_count(r->missing_classes));
    cli_json_set(&object, "digest", json_string(digest));
    return cli_print_json(object, err);
}

static rg_status check(const cli_arguments *args, const rg_items *items, rg_error *err)
{
    const char *path = cli_text(args, "check");
    rg_splits *splits = NULL;
    rg_split_report report = RG_SPLIT_REPORT_INIT;
    rg_status status = rg_splits_read(&splits, path, err);
    if (!status)
        status = rg_splits_check_for(&report, splits, items, path, err);
    if (!status) {
        warn(&report);
        status = print_report(&report, splits, items->word, path, cli_flag(args, "json"), err);
    }
    rg_splits_free(splits);
    return status;
}

static rg_status print_summary(const rg_splits *splits, const char *path, bool json, rg_error *err)
{
    char digest[RG_DIGEST_SIZE];
    rg_splits_digest(splits, digest);
    if (!json) {
        printf("%zu %s in ", rg_splits_n_folds(splits),
               rg_splits_n_folds(splits) == 1 ? "fold" : "folds");
        cli_print(path);
        fputc('\n', stdout);
        return RG_OK;
    }
    json_t *object = json_object();
    cli_json_set(&object, "path", cli_json_text(path));
    cli_json_set(&object, "folds", cli_json_count(rg_splits_n_folds(splits)));
    cli_json_set(&object, "digest", json_string(digest));
    return cli_print_json(object, err);
}

/* The same bytes as rg_splits_write; on a terminal the line is ended. */
static rg_status print_splits(const rg_splits *splits, rg_error *err)
{
    char *text = rg_splits_json(splits);
    if (!text)
        return rg_fail_memory(err, "printing splits");
    fputs(text, stdout);
    rg_free(text);
    if (isatty(STDOUT_FILENO))
        fputc('\n', stdout);
    return RG_OK;
}

static void scaffold_options(rg_split_options *o, const cli_arguments *args)
{
    if (!cli_get(args, "folds")->given)
        o->n_folds = 1;
    if (!cli_get(args, "holdout")->given)
        o->test = 0.1;
    if (o->n_folds == 1 && !cli_get(args, "validation")->given)
        o->validation = 0.1 / (1 - o->test);
}

static rg_status by_scaffold(rg_splits **out, const rg_dataset *data, const rg_items *items,
                             const rg_split_options *o, rg_error *err)
{
    size_t n_groups = 0;
    uint32_t *group = rg_alloc(items->n + 1, sizeof *group);
    if (!group)
        return rg_fail_memory(err, "making splits");
    rg_status status = rg_dataset_scaffolds(group, &n_groups, data, err);
    if (!status)
        status = rg_splits_make_groups(out, items, group, n_groups, o, err);
    rg_free(group);
    return status;
}

/* data: to be split by scaffold; NULL: at random. */
static rg_status make(const cli_arguments *args, const rg_items *items, const rg_dataset *data,
                      rg_error *err)
{
    rg_split_options o = rg_split_options_default();
    const char *out = cli_text(args, "out");
    rg_splits *splits = NULL;
    o.n_folds = (size_t)cli_get(args, "folds")->integer;
    o.validation = cli_get(args, "validation")->real;
    o.seed = cli_get(args, "seed")->seed;
    o.stratified = !cli_flag(args, "no-stratify");
    if (cli_get(args, "holdout")->given) {
        o.n_folds = 1;
        o.test = cli_get(args, "holdout")->real;
    }
    if (!data && o.stratified && !items->classes) {
        cli_message("note: %s has no classes, so the splits are not stratified", items->name);
        o.stratified = 0;
    }
    if (data)
        scaffold_options(&o, args);
    rg_status status = rg_split_options_check(&o, err);
    if (!status)
        status = data ? by_scaffold(&splits, data, items, &o, err)
                      : rg_splits_make_for(&splits, items, &o, err);
    if (!status && out)
        status = rg_splits_write(splits, out, err);
    if (!status)
        status = out ? print_summary(splits, out, cli_flag(args, "json"), err)
                     : print_splits(splits, err);
    rg_splits_free(splits);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_arrays *arrays = NULL;
    bool checking = cli_get(args, "check")->given, scaffold = cli_flag(args, "scaffold");
    static const char *const making[] = {"folds",       "holdout",  "validation", "seed",
                                         "no-stratify", "scaffold", "out"};
    for (size_t k = 0; checking && k < CLI_COUNT(making); k++)
        if (cli_get(args, making[k])->given)
            return rg_fail(err, RG_EUSAGE, "options '--check' and '--%s' exclude each other",
                           making[k]);
    if (cli_get(args, "folds")->given && cli_get(args, "holdout")->given)
        return rg_fail(err, RG_EUSAGE, "options '--folds' and '--holdout' exclude each other");
    rg_status status = cli_read_either(&data, &arrays, NULL, args->words[0], args, NULL, err);
    if (!status) {
        rg_items items = arrays ? rg_arrays_items(arrays) : rg_dataset_items(data);
        if (scaffold && arrays)
            status = rg_fail(err, RG_EUSAGE, "option '--scaffold' is for molecules");
        else
            status = checking ? check(args, &items, err)
                              : make(args, &items, scaffold ? data : NULL, err);
    }
    rg_dataset_free(data);
    rg_arrays_free(arrays);
    return status;
}

const cli_command cli_data_split = {
    .name = "data split",
    .summary = "make training, validation and test splits, or check them",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
