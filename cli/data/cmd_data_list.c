/* cmd_data_list.c - regula data list: the catalogue, and what of it is here. */
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "regula/fetch.h"

#include <ctype.h>
#include <string.h>

static const cli_argument arguments[] = {
    {.metavar = "WORD",
     .optional = true,
     .help = "List only data sets whose name, task, domain or citation contains WORD."},
};

static const cli_option options[] = {
    {.name = "long",
     .old_letter = 'l',
     .kind = CLI_FLAG,
     .help = "Show source, path and citation, too."},
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula data list", "All data sets that regula data get can download."},
    {"regula data list --long NCI", "Data sets with NCI in their name, with citations."},
    {"regula data list molecules --json", "The same as JSON."},
};

static const char *const description[] = {
    "Lists the data sets of the catalogue: name, task, number of graphs, mean number of nodes and "
    "edges, and the path of each set that is already on this machine.",
    "You can use a data set that is not in the catalogue by its path, or download it with regula "
    "data get NAME --url URL.",
    NULL,
};

static bool contains(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (; *text; text++) {
        size_t k = 0;
        while (k < n && tolower((unsigned char)text[k]) == tolower((unsigned char)word[k]))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

static bool is_wanted(const rg_catalogue_entry *entry, const cli_arguments *args)
{
    if (!args->n_words)
        return true;
    const char *word = args->words[0];
    return contains(entry->name, word) || contains(entry->task, word) ||
           contains(entry->domain, word) || contains(entry->citation, word);
}

/* Where the set lies; NULL: not here. Owned (rg_text_free). */
static char *find(const rg_catalogue_entry *entry)
{
    char *path = NULL;
    return rg_data_find(&path, entry->name, NULL) == RG_OK ? path : NULL;
}

static json_t *entry_json(const rg_catalogue_entry *entry)
{
    json_t *object = json_object();
    char *path = find(entry);
    cli_json_set(&object, "name", json_string(entry->name));
    cli_json_set(&object, "task", json_string(entry->task));
    cli_json_set(&object, "domain", json_string(entry->domain));
    cli_json_set(&object, "graphs", cli_json_count(entry->graphs));
    cli_json_set(&object, "mean_nodes", cli_json_real(entry->mean_nodes));
    cli_json_set(&object, "mean_edges", cli_json_real(entry->mean_edges));
    cli_json_set(&object, "citation", json_string(entry->citation));
    cli_json_set(&object, "source", json_string(entry->source));
    cli_json_set(&object, "file", entry->path ? json_string(entry->path) : json_null());
    cli_json_set(&object, "digest", entry->digest ? json_string(entry->digest) : json_null());
    cli_json_set(&object, "path", path ? cli_json_text(path) : json_null());
    rg_text_free(path);
    return object;
}

static void print_entry(const rg_catalogue_entry *entry, bool long_form)
{
    char *path = find(entry);
    printf("%-27s %-24s %8lu %9.1f %10.1f  ", entry->name, entry->task,
           (unsigned long)entry->graphs, entry->mean_nodes, entry->mean_edges);
    cli_print(path ? path : "-");
    putchar('\n');
    if (long_form) {
        if (entry->path)
            printf("    %s, from %s (%s)\n    ", entry->domain, entry->source, entry->path);
        else /* made, not fetched: the source is a command */
            printf("    %s, made by %s\n    ", entry->domain, entry->source);
        cli_wrap(stdout, entry->citation, 4, 4);
    }
    rg_text_free(path);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    bool json = cli_flag(args, "json");
    json_t *array = json ? json_array() : NULL;
    size_t n = 0;
    for (size_t k = 0; k < rg_catalogue_size(); k++) {
        const rg_catalogue_entry *entry = rg_catalogue_entry_at(k);
        if (!is_wanted(entry, args))
            continue;
        if (json) {
            cli_json_add(&array, entry_json(entry));
        } else {
            if (!n) {
                cli_bold(stdout, true);
                printf("%-27s %-24s %8s %9s %10s  %s\n", "name", "task", "graphs", "nodes", "edges",
                       "where");
                cli_bold(stdout, false);
            }
            print_entry(entry, cli_flag(args, "long"));
        }
        n++;
    }
    if (json)
        return cli_print_json(array, err);
    if (!n)
        cli_message("no data set of the catalogue matches '%s'", args->words[0]);
    return RG_OK;
}

const cli_command cli_data_list = {
    .name = "data list",
    .summary = "list the data sets that can be downloaded",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .run = run,
};
