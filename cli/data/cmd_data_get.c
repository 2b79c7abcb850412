/* cmd_data_get.c - regula data get: fetch sets of the catalogue, or from any address. */
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "regula/fetch.h"

static const cli_argument arguments[] = {
    {.metavar = "NAME",
     .choices = cli_catalogue_words,
     .open = true,
     .repeated = true,
     .help = "Names in the catalogue (regula data list), or any name with --url."},
};

static const cli_option options[] = {
    {.name = "url",
     .kind = CLI_WORD,
     .metavar = "URL",
     .otherwise = "the catalogue's",
     .help = "Address of the archive; for one NAME only."},
    {.name = "dir",
     .old_letter = 'd',
     .kind = CLI_PATH,
     .metavar = "DIR",
     .otherwise = "$REGULA_DATA, else the cache",
     .help = "Where to put the set, as DIR/NAME."},
    {.name = "sha256",
     .kind = CLI_WORD,
     .metavar = "HEX",
     .otherwise = "not checked",
     .help = "SHA-256 that the archive must have; for one NAME only."},
    {.name = "force",
     .letter = 'f',
     .kind = CLI_FLAG,
     .help = "Download even if the data set is already there."},
    {.name = "timeout",
     .kind = CLI_INTEGER,
     .metavar = "SECONDS",
     .min = 1,
     .max = 86400,
     .help = "Give up after this many seconds without receiving a byte."},
    {.name = "max-time",
     .kind = CLI_INTEGER,
     .metavar = "SECONDS",
     .min = 1,
     .max = 86400,
     .help = "Give up on a data set after this many seconds in total; the next call resumes."},
    CLI_QUIET_OPTION,
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula data get MUTAG", "Download one data set; then: regula data info MUTAG"},
    {"regula data get NCI1 NCI109 DHFR", "Download several, one after another."},
    {"regula data get MySet --url https://example.org/MySet.zip --dir data",
     "Download a data set that is not in the catalogue into ./data."},
};

static const char *const description[] = {
    "Downloads data sets, verifies and unpacks them. An interrupted download resumes where it "
    "stopped. A data set appears under its name only when it is complete and readable.",
    "Prints the directory of each set.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "timeout", rg_fetch_options_default().timeout);
    cli_default_integer(args, "max-time", rg_fetch_options_default().max_seconds);
}

static json_t *fetched_json(const char *name, const rg_fetched *fetched)
{
    json_t *object = json_object();
    cli_json_set(&object, "name", cli_json_text(name));
    cli_json_set(&object, "path", cli_json_text(fetched->path));
    cli_json_set(&object, "digest", json_string(fetched->digest));
    cli_json_set(&object, "file_sha256",
                 fetched->file_sha256[0] ? json_string(fetched->file_sha256) : json_null());
    cli_json_set(&object, "bytes", cli_json_count(fetched->bytes));
    cli_json_set(&object, "already", json_boolean(fetched->already));
    cli_json_set(&object, "resumed", json_boolean(fetched->resumed));
    cli_json_set(&object, "verified", json_boolean(fetched->verified));
    return object;
}

static void report(const char *name, const rg_fetched *fetched)
{
    char bytes[32];
    cli_bytes_text(fetched->bytes, bytes);
    if (fetched->already)
        cli_message("%s is already there", name);
    else
        cli_message("%s: %s downloaded%s%s", name, bytes, fetched->resumed ? ", resumed" : "",
                    fetched->verified ? ", checksum verified" : "");
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    rg_fetch_options fetch = rg_fetch_options_default();
    bool json = cli_flag(args, "json"), quiet = cli_flag(args, "quiet");
    rg_status status = RG_OK;
    fetch.url = cli_text(args, "url");
    fetch.directory = cli_text(args, "dir");
    fetch.sha256 = cli_text(args, "sha256");
    fetch.force = cli_flag(args, "force");
    fetch.timeout = (unsigned)cli_get(args, "timeout")->integer;
    fetch.max_seconds = (unsigned)cli_get(args, "max-time")->integer;
    if (args->n_words > 1 && (fetch.url || fetch.sha256))
        return rg_fail(err, RG_EUSAGE, "option '--%s' is for one NAME, found %zu",
                       fetch.url ? "url" : "sha256", args->n_words);

    json_t *array = json ? json_array() : NULL;
    for (size_t k = 0; k < args->n_words && !status; k++) {
        const char *name = args->words[k];
        cli_progress progress;
        rg_fetched fetched = {.size = sizeof fetched, .path = ""};
        cli_progress_begin(&progress, name, quiet);
        fetch.progress = cli_progress_bytes;
        fetch.progress_context = &progress;
        status = rg_data_fetch(&fetched, name, &fetch, err);
        cli_progress_end(&progress);
        if (status)
            break;
        if (json)
            cli_json_add(&array, fetched_json(name, &fetched));
        else
            printf("%s\n", fetched.path);
        if (!quiet && !json)
            report(name, &fetched);
    }
    if (json && !status)
        return cli_print_json(array, err);
    json_decref(array);
    return status;
}

const cli_command cli_data_get = {
    .name = "data get",
    .summary = "download data sets by name",
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
