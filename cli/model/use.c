/* use.c - see use.h. */
#include "use.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/output/output.h"
#include "draw/names.h"
#include "regula/fetch.h"
#include "regula/label.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

const char *cli_part_words(size_t k)
{
    static const char *const words[] = {"train", "validation", "test"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

rg_status cli_cpu(rg_cpu *out, rg_error *err)
{
    const char *word = getenv("REGULA_CPU");
    rg_cpu cpu = RG_CPU_AUTO;
    if (word && strcmp(word, "baseline") == 0) /* as portable was called before */
        word = "portable";
    while (word && *word && rg_cpu_name(cpu) && strcmp(word, rg_cpu_name(cpu)) != 0)
        cpu++;
    if (!rg_cpu_name(cpu))
        return rg_fail(err, RG_EUSAGE,
                       "REGULA_CPU: found '%s', expected 'auto', 'portable', 'avx2' or 'avx512'",
                       word);
    rg_status status = rg_cpu_check(cpu, err);
    if (status)
        return rg_fail(err, status, "REGULA_CPU: %s", err->message);
    *out = cpu;
    return RG_OK;
}

rg_status cli_label_cache(char **out, rg_error *err)
{
    rg_status status = rg_label_cache_directory(out, err);
    return status == RG_EFAIL ? RG_OK : status; /* nowhere to keep anything: that is fine */
}

double cli_peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : 1024 * (double)usage.ru_maxrss;
}

rg_status cli_use_open(cli_use *out, const cli_arguments *args, rg_error *err)
{
    *out = (cli_use){.options = rg_predict_options_default(), .info = RG_MODEL_INFO_INIT};
    rg_predict_options *o = &out->options;
    o->n_threads = (unsigned)cli_get(args, "threads")->integer;
    o->memory = cli_get(args, "memory")->size;
    o->progress = cli_progress_part;
    o->progress_context = &out->progress;
    rg_status status = cli_cpu(&o->cpu, err);
    if (!status)
        status = cli_label_cache(&out->cache, err);
    if (!status)
        status = rg_model_load(&out->model, args->words[0], err);
    if (!status)
        status = rg_model_describe(&out->info, out->model, err);
    o->cache = out->cache;
    return status;
}

/* "near=near.csv" */
static rg_status set_table(cli_use *use, const char *text, rg_error *err)
{
    const char *equals = strchr(text, '=');
    rg_source source = cli_source_view(&use->source);
    rg_pair_table *table = NULL;
    if (!equals || equals == text || !equals[1])
        return rg_fail(err, RG_EUSAGE,
                       "option '--table': found '%s', expected NAME=FILE, such as near=near.csv",
                       text);
    char *name = rg_copy_text(text, (size_t)(equals - text));
    rg_status status = name ? rg_pair_table_read(&table, equals + 1, err)
                            : rg_fail_memory(err, "the name of a table");
    if (!status)
        status = rg_model_set_table(use->model, name, table, &source, err);
    rg_pair_table_free(table);
    rg_free(name);
    return status;
}

/* ---- names of labels, in the training and now */

/* Those that the model keeps, or else those that are known for the set it was trained on. *set: its
 * name, owned (rg_free), NULL: not known. *out: owned (rg_names_free). */
static rg_status names_of_model(rg_names **out, char **set, const cli_use *use, rg_error *err)
{
    size_t n = 0;
    const rg_value_name *own = rg_model_value_names(use->model, &n);
    json_t *record = json_loads(use->info.record, 0, NULL);
    const char *name = json_string_value(json_object_get(record, "data"));
    size_t columns =
        use->source.graphs ? rg_dataset_n_columns(use->source.graphs, RG_NODE_LABEL) : 1;
    rg_status status = rg_names_known(out, n || !name ? "" : name, columns, err);
    if (!status)
        status = rg_names_add(*out, own, n, false, err);
    *set = name ? rg_copy_text(name, strlen(name)) : NULL;
    json_decref(record);
    return status;
}

rg_status cli_use_names(rg_names **out, const cli_use *use, rg_error *err)
{
    char *set = NULL;
    rg_status status = names_of_model(out, &set, use, err);
    rg_free(set);
    return status;
}

/* The value that has the name, of those below 256. */
static bool find_value(const rg_names *names, rg_name_kind kind, const char *name, int64_t *value)
{
    for (int64_t v = 0; v < 256; v++) {
        const char *known = rg_names_find(names, kind, v);
        if (known && strcmp(known, name) == 0) {
            *value = v;
            return true;
        }
    }
    return false;
}

/* The first label that means something else: "node label 1 is N in MUTAG and O in ..." */
static bool find_other(char *out, size_t size, const rg_names *model, const rg_names *data,
                       rg_name_kind kind, const int64_t *values, size_t n)
{
    static const char *const words[] = {
        [RG_NAME_NODE] = "node label", [RG_NAME_EDGE] = "edge label"};
    for (size_t k = 0; k < n; k++) {
        const char *here = rg_names_find(data, kind, values[k]);
        const char *there = rg_names_find(model, kind, values[k]);
        int64_t other = values[k];
        if (!here || (there && strcmp(here, there) == 0))
            continue;
        if (there) {
            snprintf(out, size, "%s %" PRId64 " was %s in training and is %s here", words[kind],
                     values[k], there, here);
            return true;
        }
        if (find_value(model, kind, here, &other)) {
            snprintf(out, size, "%s was %s %" PRId64 " in training and is %" PRId64 " here", here,
                     words[kind], other, values[k]);
            return true;
        }
    }
    return false;
}

static bool uses_node_labels(const cli_use *use)
{
    static const char *const words[] = {"node(",  "=node",   ": node\n", "signed",
                                        "scaled", "one-hot", "element"};
    for (size_t k = 0; k < CLI_COUNT(words); k++)
        if (strstr(use->info.network, words[k]))
            return true;
    return false;
}

static rg_status compare_names(const cli_use *use, const rg_names *model, const rg_names *data,
                               const char *set, bool force, rg_error *err)
{
    const rg_dataset *graphs = use->source.graphs;
    static const rg_column columns[] = {
        [RG_NAME_NODE] = RG_NODE_LABEL, [RG_NAME_EDGE] = RG_EDGE_LABEL};
    for (int kind = RG_NAME_NODE; kind <= RG_NAME_EDGE; kind++) {
        char what[240];
        size_t n = 0;
        const int64_t *values = rg_dataset_n_columns(graphs, columns[kind])
                                    ? rg_dataset_values(graphs, columns[kind], 0, &n)
                                    : NULL;
        if (!values || !find_other(what, sizeof what, model, data, (rg_name_kind)kind, values, n))
            continue;
        if (kind == RG_NAME_NODE && !force && uses_node_labels(use))
            return rg_fail(err, RG_EDATA,
                           "'%s' has other labels than the data of the training%s%s: %s; --force "
                           "asks the model all the same",
                           rg_dataset_name(graphs), set ? ", " : "", set ? set : "", what);
        cli_message("warning: '%s' has other labels than the data of the training: %s",
                    rg_dataset_name(graphs), what);
    }
    return RG_OK;
}

/* A model that learned what 1 means is not asked about data where 1 means something else. */
static rg_status check_names(const cli_use *use, bool force, rg_error *err)
{
    rg_names *model = NULL, *data = NULL;
    char *set = NULL;
    if (!use->source.graphs || use->info.sequence)
        return RG_OK;
    rg_status status = names_of_model(&model, &set, use, err);
    if (!status)
        status = rg_names_of(&data, use->source.graphs, err);
    if (!status)
        status = compare_names(use, model, data, set, force, err);
    rg_names_free(model);
    rg_names_free(data);
    rg_free(set);
    return status;
}

rg_status cli_use_read(cli_use *use, const cli_arguments *args, rg_error *err)
{
    rg_read_options options = cli_read_options(args);
    options.columns.targets_optional = use->targets_optional;
    options.left_out = use->left_out;
    options.context = use->left_out_context;
    rg_status status = cli_source_read(&use->source, args->words[1], args, &options, err);
    if (!status)
        status = check_names(use, cli_flag(args, "force"), err);
    const cli_value *tables = cli_get(args, "table");
    for (size_t k = 0; !status && k < tables->n_texts; k++)
        status = set_table(use, tables->texts[k], err);
    return status;
}

rg_status cli_use_part(cli_use *use, const cli_arguments *args, rg_error *err)
{
    static const char *const inner[] = {"fold", "part"};
    bool masks = (use->info.task == RG_MODEL_NODES || use->info.task == RG_MODEL_NODE_VALUES) &&
                 cli_source_has_masks(&use->source);
    for (size_t k = 0; k < (masks ? 1 : CLI_COUNT(inner)); k++)
        if (cli_get(args, inner[k])->given && !cli_get(args, "split")->given)
            return rg_fail(err, RG_EUSAGE, "option '--%s' is for '--split'", inner[k]);
    rg_status status = cli_split_read(&use->split, args, &use->source, err);
    cli_part which = (cli_part)cli_get(args, "part")->choice;
    if (!status && !use->split.path && masks &&
        (cli_get(args, "part")->given || rg_dataset_part_size(use->source.graphs, "test"))) {
        use->options.part = cli_part_words(which);
        status = cli_split_masks(&use->split, &use->source, err);
    }
    if (status || !use->split.path)
        return status;
    const rg_fold *fold = &use->split.fold;
    rg_part part = which == CLI_PART_TRAIN        ? fold->train
                   : which == CLI_PART_VALIDATION ? fold->validation
                                                  : fold->test;
    if (part.n == 0)
        return rg_fail(err, RG_EUSAGE, "%s: fold %zu has no %s set", use->split.path,
                       use->split.number, cli_part_words(which));
    use->options.samples = part.graphs;
    use->options.n_samples = part.n;
    return RG_OK;
}

void cli_use_close(cli_use *use)
{
    rg_model_free(use->model);
    cli_split_free(&use->split);
    cli_source_free(&use->source);
    rg_text_free(use->cache);
    use->model = NULL;
    use->cache = NULL;
}

bool cli_unseen_text(char out[CLI_UNSEEN_TEXT], uint64_t unknown_labels, uint64_t unseen_labels,
                     uint64_t unseen_pairs)
{
    const struct {
        uint64_t n;
        const char *text;
    } parts[] = {
        {unknown_labels, "nodes with a node label unseen in training"},
        {unseen_labels, "nodes with a label unseen in training"},
        {unseen_pairs, "pairs without a weight"},
    };
    size_t used = 0;
    for (size_t k = 0; k < CLI_COUNT(parts); k++)
        if (parts[k].n)
            used += (size_t)snprintf(out + used, CLI_UNSEEN_TEXT - used, "%s%" PRIu64 " %s",
                                     used ? ", " : "", parts[k].n, parts[k].text);
    return used > 0;
}

void cli_warn_unseen(const rg_predict_report *report)
{
    char line[CLI_UNSEEN_TEXT];
    if (cli_unseen_text(line, report->unknown_labels, report->unseen_labels, report->unseen_pairs))
        cli_message("warning: not in the model: %s (of %" PRIu64 " nodes)", line, report->n_nodes);
}
