/* cmd_rule_show.c - regula rule show: the weight matrix of one graph or of a pair of shapes, by
 * numbers of weights, as text, JSON or a picture. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "draw/matrix.h"
#include "explain/network_figure.h"
#include "rule.h"
#include "text/text.h"

#include <inttypes.h>
#include <string.h>

static const cli_argument arguments[] = {
    {.metavar = "DATA",
     .help = "A data set of graphs or arrays: a directory, archive or file, or the name of a data "
             "set in $REGULA_DATA or the cache. Without it, the options --input and --output give "
             "shapes.",
     .choices = cli_catalogue_words,
     .open = true,
     .path = true,
     .optional = true},
};

static const cli_option options[] = {
    {.name = "graph",
     .letter = 'g',
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 0,
     .max = 4294967294.,
     .help = "The graph, or the sample of arrays, of DATA, from 0."},
    {.name = "rule",
     .letter = 'r',
     .kind = CLI_WORD,
     .metavar = "RULE",
     .required = true,
     .help = "The rule, such as 'share i = j, degree(j) when dist(i,j) <= 1'."},
    CLI_RULE_LABELS_OPTION,
    CLI_RULE_TABLE_OPTION,
    CLI_RULE_BIAS_OPTION,
    CLI_RULE_AGGREGATE_OPTION,
    CLI_RULE_SHAPE_OPTIONS,
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Draw the matrix into a file that ends with .svg, .png or .pdf: one colour a weight."},
    CLI_JSON_OPTION,
    CLI_READ_OPTIONS,
    CLI_THREADS_OPTION,
};

static const cli_example examples[] = {
    {"regula rule show csl --graph 0 --rule 'share dist(i,j) when dist(i,j) <= 2'",
     "One weight per distance up to 2."},
    {"regula rule show csl -g 3 -r 'share out, degree(i)' --aggregate 2 --json",
     "An aggregation to two outputs."},
    {"regula rule show -r 'share j - i when 0 <= j - i < 3' --input 1x9 --output 1x7",
     "The weight matrix of a convolution with three weights."},
};

static const char *const description[] = {
    "Prints the weight matrix of one graph, or of a layer from one fixed shape to another, with "
    "one row per output and one column per input. An entry is the index of the weight, counted "
    "from 1, or a dot where there is no "
    "connection. The keys of these weights follow below the matrix; a dash means no value, and a "
    "condition is 1 or 0. Weights are numbered over the whole data set, so you can compare two "
    "graphs of it.",
    "With --bias it prints one row: the bias weight of each output.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "threads", rg_rule_options_default().n_threads);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

/* What is shown: the table of one graph, and which weights are in it. */
typedef struct view {
    const cli_rule *job;
    size_t graph;
    rg_connection_table table;
    const rg_rule_keys *keys;
    bool *used; /* by weight */
} view;

static const char *name_of(const view *v)
{
    return v->job->data     ? rg_dataset_name(v->job->data)
           : v->job->arrays ? rg_arrays_name(v->job->arrays)
                            : NULL;
}

/* Number of the weight of (i,j) from 1; 0: none. *at walks along the row. */
static uint32_t cell(const view *v, uint32_t i, uint32_t j, uint64_t *at)
{
    const rg_connection_table *t = &v->table;
    if (!t->row)
        return t->weight[j] == RG_NO_WEIGHT ? 0 : t->weight[j] + 1;
    if (*at == t->row[i + 1] || (t->col16 ? t->col16[*at] : t->col32[*at]) != j)
        return 0;
    return t->weight[(*at)++] + 1;
}

static void matrix_size(const view *v, uint32_t *rows, uint32_t *cols)
{
    *rows = v->table.row ? v->table.n_outputs : 1;
    *cols = v->table.row ? v->table.n_inputs : v->table.n_outputs;
}

static void find_used(const view *v)
{
    const rg_connection_table *t = &v->table;
    uint64_t from = t->row ? t->row[0] : 0, to = t->row ? t->row[t->n_outputs] : t->n_outputs;
    for (uint64_t k = from; k < to; k++)
        if (t->weight[k] != RG_NO_WEIGHT)
            v->used[t->weight[k]] = true;
}

static void print_keys(const view *v)
{
    size_t width = rg_rule_keys_width(v->keys);
    int columns[RG_RULE_KEYS_MAX];
    cli_bold(stdout, true);
    printf("\n%8s", "weight");
    for (size_t p = 0; p < width; p++) {
        const char *text = rg_rule_key_text(v->job->rule, p);
        columns[p] = (int)strlen(text) < 4 ? 4 : (int)strlen(text);
        printf("  %*s", columns[p], text);
    }
    cli_bold(stdout, false);
    fputc('\n', stdout);
    for (size_t w = 0; w < rg_rule_keys_size(v->keys); w++) {
        if (!v->used[w])
            continue;
        printf("%8zu", w + 1);
        for (size_t p = 0; p < width; p++) {
            int64_t value = rg_rule_keys_data(v->keys)[w * width + p];
            if (value == RG_NO_VALUE)
                printf("  %*s", columns[p], "-");
            else
                printf("  %*" PRId64, columns[p], value);
        }
        fputc('\n', stdout);
    }
}

static void print_text(const view *v)
{
    uint32_t rows, cols;
    matrix_size(v, &rows, &cols);
    size_t last = 0;
    for (size_t w = 0; w < rg_rule_keys_size(v->keys); w++)
        last = v->used[w] ? w + 1 : last;
    int width = snprintf(NULL, 0, "%zu", last);
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t at = v->table.row ? v->table.row[i] : 0;
        for (uint32_t j = 0; j < cols; j++) {
            uint32_t number = cell(v, i, j, &at);
            if (number)
                printf("%s%*" PRIu32, j ? " " : "", width, number);
            else
                printf("%s%*s", j ? " " : "", width, ".");
        }
        fputc('\n', stdout);
    }
    print_keys(v);
}

static rg_status print_json(const view *v, rg_error *err)
{
    size_t width = rg_rule_keys_width(v->keys);
    uint32_t rows, cols;
    json_t *root = json_object(), *matrix = json_array(), *keys = json_array();
    matrix_size(v, &rows, &cols);
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t at = v->table.row ? v->table.row[i] : 0;
        json_t *row = json_array();
        for (uint32_t j = 0; j < cols; j++)
            cli_json_add(&row, cli_json_count(cell(v, i, j, &at)));
        cli_json_add(&matrix, row);
    }
    for (size_t w = 0; w < rg_rule_keys_size(v->keys); w++) {
        if (!v->used[w])
            continue;
        json_t *item = json_object(), *key = json_array();
        for (size_t p = 0; p < width; p++) {
            int64_t value = rg_rule_keys_data(v->keys)[w * width + p];
            cli_json_add(&key, value == RG_NO_VALUE ? json_null() : json_integer(value));
        }
        cli_json_set(&item, "weight", cli_json_count(w + 1));
        cli_json_set(&item, "key", key);
        cli_json_add(&keys, item);
    }
    if (v->job->data) {
        cli_json_set(&root, "name", cli_json_text(name_of(v)));
        cli_json_set(&root, "graph", cli_json_count(v->graph));
    }
    cli_json_set(&root, "rule", cli_json_text(rg_rule_text(v->job->rule)));
    cli_json_set(&root, "outputs", cli_json_count(v->table.n_outputs));
    cli_json_set(&root, "inputs", cli_json_count(v->table.n_inputs));
    cli_json_set(&root, "weights", cli_json_count(rg_rule_keys_size(v->keys)));
    cli_json_set(&root, "matrix", matrix);
    cli_json_set(&root, "keys", keys);
    return cli_print_json(root, err);
}

static rg_status draw(const view *v, const char *path, rg_error *err)
{
    rg_weight_matrix m = {.title = rg_rule_text(v->job->rule),
                          .n_keys = rg_rule_keys_size(v->keys)};
    matrix_size(v, &m.n_rows, &m.n_cols);
    size_t n_entries = (size_t)m.n_rows * m.n_cols, k = 0;
    uint32_t *numbers = rg_alloc(n_entries, sizeof *numbers);
    char **keys = rg_alloc_zero(m.n_keys, sizeof *keys);
    rg_status status = numbers && keys ? RG_OK : rg_fail_memory(err, "the picture of a rule");
    for (uint32_t i = 0; !status && i < m.n_rows; i++) {
        uint64_t at = v->table.row ? v->table.row[i] : 0;
        for (uint32_t j = 0; j < m.n_cols; j++)
            numbers[k++] = cell(v, i, j, &at);
    }
    for (size_t w = 0; !status && w < m.n_keys; w++)
        if (v->used[w]) {
            rg_text line = {0};
            rg_rule_key_say(&line, v->job->rule, v->keys, w);
            keys[w] = rg_text_take(&line);
            if (!keys[w])
                status = rg_fail_memory(err, "the picture of a rule");
        }
    m.numbers = numbers;
    m.keys = (const char *const *)keys;
    if (!status)
        status = rg_weight_matrix_write(&m, path, err);
    for (size_t w = 0; keys && w < m.n_keys; w++)
        rg_free(keys[w]);
    rg_free((void *)keys);
    rg_free(numbers);
    return status;
}

static rg_status show(cli_rule *job, const cli_arguments *args, rg_error *err)
{
    rg_rule_options how = rg_rule_options_default();
    rg_rule_keys *keys = NULL;
    rg_connections *connections = NULL;
    uint32_t graph = (uint32_t)cli_get(args, "graph")->integer;
    view v = {.job = job, .graph = graph};
    how.n_threads = (unsigned)cli_get(args, "threads")->integer;
    rg_status status = rg_rule_compile(&keys, NULL, NULL, job->rule, &job->input, &how, err);
    if (job->data || job->arrays) { /* numbered over all graphs, shown for one */
        job->input.graphs = &graph;
        job->input.n_graphs = 1;
    }
    if (!status)
        status = rg_rule_apply(&connections, NULL, keys, job->rule, &job->input, &how, err);
    if (!status) {
        v.keys = keys;
        v.table = rg_connections_graph(connections, 0);
        v.used = rg_alloc_zero(rg_rule_keys_size(keys), sizeof *v.used);
        if (!v.used)
            status = rg_fail_memory(err, "the weights of a graph");
    }
    if (!status)
        find_used(&v);
    if (!status && cli_text(args, "out"))
        status = draw(&v, cli_text(args, "out"), err);
    if (!status && cli_flag(args, "json"))
        status = print_json(&v, err);
    else if (!status && !cli_text(args, "out"))
        print_text(&v);
    rg_free(v.used);
    rg_connections_free(connections);
    rg_rule_keys_free(keys);
    return status;
}

/* The graph that is shown, or shapes. */
static rg_status open_input(cli_rule *job, const cli_arguments *args, rg_error *err)
{
    bool given = false, has_data = args->n_words > 0;
    const cli_value *graph = cli_get(args, "graph");
    rg_status status = cli_rule_read(job, &given, args, has_data ? args->words[0] : NULL, err);
    size_t n;
    if (status)
        return status;
    if (!given)
        return rg_fail(err, RG_EUSAGE,
                       "found neither DATA nor the options '--input' and '--output', expected one "
                       "of both");
    if (has_data != graph->given)
        return rg_fail(err, RG_EUSAGE,
                       has_data ? "option '--graph N' is missing: DATA has several graphs"
                                : "option '--graph' needs DATA: shapes have no graphs");
    if (!has_data)
        return RG_OK;
    cli_rule_items(job, &n);
    if ((uint64_t)graph->integer >= n)
        return rg_fail(err, RG_EUSAGE,
                       "option '--graph': found %" PRIu64 ", expected a number "
                       "below %zu",
                       (uint64_t)graph->integer, n);
    return RG_OK;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_rule job = {0};
    rg_status status = cli_rule_open(&job, args, cli_text(args, "rule"), err);
    if (!status)
        status = open_input(&job, args, err);
    if (!status)
        status = show(&job, args, err);
    cli_rule_close(&job);
    return status;
}

const cli_command cli_rule_show = {
    .name = "rule show",
    .summary = "print or draw the weight matrix of a rule",
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
