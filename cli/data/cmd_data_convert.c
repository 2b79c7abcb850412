/* cmd_data_convert.c - regula data convert: read any format, write one. */
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "regula/fetch.h"

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "to",
     .kind = CLI_CHOICE,
     .metavar = "FORMAT",
     .choices = cli_writable_words,
     .required = true,
     .help = "Format to write."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "DIR",
     .required = true,
     .help = "Output directory; created if it does not exist."},
    {.name = "name",
     .kind = CLI_WORD,
     .metavar = "NAME",
     .otherwise = "the set's own",
     .help = "Name of the new data set, the prefix of its files."},
    CLI_FORMAT_OPTION,
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula data convert csl --to three --out csl3", "Convert to the three-file format."},
    {"regula data convert MUTAG --to tu --out clean --name MUTAG_clean",
     "Keep the format, but sort the edges and drop repeated ones."},
};

static const char *const description[] = {
    "Reads a data set in any format and writes it in the TUDataset format (tu) or the three-file "
    "format (three: NAME_Nodes.txt, NAME_Edges.txt, NAME_Labels.txt). Label values stay as they "
    "are; repeated edges and self-loops are dropped. The same data set always gives the same "
    "bytes.",
    "A data set of the same name in DIR is replaced. The three-file format cannot store "
    "attributes, and it stores either classes or real-valued targets, not both.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_choice(args, "format", rg_read_options_default().format);
}

static rg_status print(const rg_dataset *data, const char *name, const char *format,
                       const char *directory, bool json, rg_error *err)
{
    if (!json) {
        cli_print(name);
        printf(": %zu graphs in ", rg_dataset_n_graphs(data));
        cli_print(directory);
        fputc('\n', stdout);
        return RG_OK;
    }
    char digest[RG_DIGEST_SIZE];
    json_t *object = json_object();
    rg_dataset_digest(data, digest);
    cli_json_set(&object, "name", cli_json_text(name));
    cli_json_set(&object, "path", cli_json_text(directory));
    cli_json_set(&object, "format", json_string(format));
    cli_json_set(&object, "graphs", cli_json_count(rg_dataset_n_graphs(data)));
    cli_json_set(&object, "digest", json_string(digest));
    return cli_print_json(object, err);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    rg_dataset *data = NULL;
    const char *out = cli_text(args, "out"), *name = cli_text(args, "name");
    const char *format = cli_writable_words(cli_get(args, "to")->choice);
    rg_status status = cli_read_data(&data, NULL, args->words[0], cli_get(args, "format"), err);
    if (!status)
        status = rg_dir_make(out, err);
    if (!status)
        status = rg_dataset_write(data, out, name, rg_format_find(format), err);
    if (!status)
        status = print(data, name ? name : rg_dataset_name(data), format, out,
                       cli_flag(args, "json"), err);
    rg_dataset_free(data);
    return status;
}

const cli_command cli_data_convert = {
    .name = "data convert",
    .summary = "write a data set in another format",
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
