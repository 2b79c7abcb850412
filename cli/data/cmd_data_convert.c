/* cmd_data_convert.c - regula data convert: read any format, write one. */
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "molfile/smi.h"
#include "molfile/smi_write.h"
#include "regula/fetch.h"

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

/* What is no format of a data set comes behind those that are. */
static const char hydrogens[] = "hydrogens";

static const char *target_words(size_t k)
{
    size_t n = 0;
    while (cli_writable_words(n))
        n++;
    return k < n ? cli_writable_words(k) : k == n ? hydrogens : NULL;
}

static const cli_option options[] = {
    {.name = "to",
     .kind = CLI_CHOICE,
     .metavar = "FORMAT",
     .choices = target_words,
     .required = true,
     .help = "Format to write."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "DIR",
     .help = "Output directory; created if it does not exist. Without it smi and hydrogens are "
             "printed; "
             "all other formats need it."},
    {.name = "name",
     .kind = CLI_WORD,
     .metavar = "NAME",
     .otherwise = "the set's own",
     .help = "Name of the new data set, the prefix of its files."},
    {.name = "kekule",
     .kind = CLI_FLAG,
     .help = "Print SMILES with single and double bonds instead of aromatic ones."},
    {.name = "scaffold",
     .kind = CLI_FLAG,
     .help = "Print SMILES of the Bemis-Murcko scaffolds: rings and what links them."},
    CLI_READ_OPTIONS,
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula data convert csl --to three --out csl3", "Convert to the three-file format."},
    {"regula data convert MUTAG --to tu --out clean --name MUTAG_clean",
     "Keep the format, but sort the edges and drop repeated ones."},
    {"regula data convert set.csv --to tu --out set --target active",
     "Molecules from a table of SMILES."},
    {"regula data convert drugs.smi --to smi", "Print canonical SMILES and names."},
    {"regula data convert set.csv --to sdf --out set --target active",
     "MOL blocks, with the targets as properties."},
    {"regula data convert drugs.smi --to hydrogens", "How many hydrogens each atom has."},
};

static const char *const description[] = {
    "Reads a data set in any format and writes it in the TUDataset format (tu) or the three-file "
    "format (three: NAME_Nodes.txt, NAME_Edges.txt, NAME_Labels.txt), and molecules as SMILES "
    "(smi: "
    "NAME.smi) or connection tables (sdf: NAME.sdf). Label values stay as they "
    "are; repeated edges and self-loops are dropped. The same data set always gives the same "
    "bytes.",
    "SMILES are canonical: they do not depend on the order of the atoms. Reading them gives the "
    "same "
    "graph, stereo included. SDF has the targets as properties and no stereo.",
    "With '--to hydrogens' DATA is a file of SMILES, and the output has a line for each molecule: "
    "its "
    "name and the number of hydrogens of each atom in the order of the text, or '#', its name and "
    "why it could not be read.",
    "A data set of the same name in DIR is replaced. The three-file format cannot store "
    "attributes, and it stores either classes or real-valued targets, not both.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
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

static rg_status print_hydrogens(const cli_arguments *args, rg_error *err)
{
    rg_text text = {0};
    char *path = NULL;
    rg_status status = rg_data_find(&path, args->words[0], err);
    if (!status)
        status = rg_smi_hydrogens(&text, path, err);
    if (!status && text.n)
        fwrite(text.data, 1, text.n, stdout);
    rg_text_free(path);
    rg_text_drop(&text);
    return status;
}

static rg_status print_smiles(const cli_arguments *args, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_text text = {0};
    const rg_smiles_style style = {.kekule = cli_flag(args, "kekule"),
                                   .scaffold = cli_flag(args, "scaffold")};
    rg_read_options how = cli_read_options(args);
    how.columns.targets_optional = 1;
    rg_status status = cli_read_either(&data, NULL, NULL, args->words[0], args, &how, err);
    if (!status)
        status = rg_smi_lines(&text, data, &style, err);
    if (!status && text.n)
        fwrite(text.data, 1, text.n, stdout);
    rg_text_drop(&text);
    rg_dataset_free(data);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    static const char *const of_smiles[] = {"kekule", "scaffold"};
    rg_dataset *data = NULL;
    const char *out = cli_text(args, "out"), *name = cli_text(args, "name");
    const char *format = target_words(cli_get(args, "to")->choice);
    if (format == hydrogens)
        return print_hydrogens(args, err);
    for (size_t k = 0; k < CLI_COUNT(of_smiles); k++)
        if (cli_flag(args, of_smiles[k]) && (out || rg_format_find(format) != RG_FORMAT_SMI))
            return rg_fail(err, RG_EUSAGE, "option '--%s' is for '--to smi' without '--out'",
                           of_smiles[k]);
    if (!out && rg_format_find(format) == RG_FORMAT_SMI)
        return print_smiles(args, err);
    if (!out)
        return rg_fail(err, RG_EUSAGE, "option '--out DIR' is needed");
    rg_status status = cli_read_data(&data, NULL, args->words[0], args, err);
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
