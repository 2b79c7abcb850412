/* test_cli.c - the program as users and scripts meet it. */
#include "support/program.h"

#include "cli/command/commands.h"

#include <jansson.h>
#include <string.h>

/* One directory for all tests: csl/ and rings/ (TUDataset), csl.json (five folds), csl.yml (a
 * network). */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    expect(directory, "regula data generate CSL --out csl --seed 1", 0, "150 graphs", "");
    expect(directory, "regula data split csl --folds 5 --out csl.json", 0, "5 folds in csl.json",
           "");
    expect(directory, "cp " REGULA_SOURCE "/examples/paper/CSL.yml csl.yml", 0, "", "");
    test_write(directory, "set.csv", "smiles,active\nCCO,1\nc1ccccc1,0\n");
    test_write(directory, "drugs.smi", "CC(=O)Oc1ccccc1C(=O)O aspirin\n");
    test_write(directory, "new.smi", "CCN\nC1CC\n");
    test_write(directory, "molecules.yml",
               "labels: {l: element}\nlayers:\n  - rule: share l(i), l(j) when edge(i,j)\n"
               "  - aggregate: share out, l(i)\ntraining: {epochs: 2}\n");
    expect(directory, "regula train set.csv -n molecules.yml -m bbbp.safetensors --validation 0 -q",
           0, "bbbp", "");
    test_write(directory, "names.txt", "0 node\n");
    test_write(directory, "experiment.yml",
               "data: csl\nsplits: csl.json\nfolds: [0, 1]\nruns: 1\nnetwork: csl.yml\n"
               "training: {epochs: 3}\n");
    return 0;
}

static void names_of_files_cannot_steer_the_terminal(void **state)
{
    expect(*state,
           "mkdir odd && name=$(printf 'O\\033[31m\\nK') && "
           "for f in csl/CSL_*; do cp $f \"odd/$name${f#csl/CSL}\"; done && "
           "regula data info odd --no-copies",
           0, "O?[31m?K  (odd)\n", "");
    expect(*state, "regula data convert odd --to tu --out odd2", 0,
           "O?[31m?K: 150 graphs in odd2\n", "");
    expect(*state, "regula label odd --labels degree --out odd.txt", 0, "O?[31m?K: 1 labels", "");
    expect(*state, "regula rule check 'share i = j' odd", 0, "O?[31m?K, 150 graphs\n", "");
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula", 2, "Usage: regula COMMAND", ""},
        {"regula --help", 0, "data info", ""},
        {"regula -h", 0, "To begin with:\n  regula data get ", ""},
        {"regula -V", 0, "regula " RG_VERSION "\n", ""},
        {"regula version", 0, "regula " RG_VERSION "\n", ""},
        {"regula --version", 0, "regula " RG_VERSION "\n", ""},
        {"regula data", 2, "Usage: regula data COMMAND", ""},
        {"regula data --help", 0, "data generate", ""},
        {"regula help", 0, "Usage: regula COMMAND", ""},
        {"regula help data", 0, "Usage: regula data COMMAND", ""},
        {"regula help data info", 0, "Usage: regula data info DATA", ""},
        {"regula help data inof", 2, "", "regula: unknown command 'data inof'; did you mean"},
        {"regula help data info x", 2, "", "regula: unexpected argument 'x'"},
        {"regula dat", 2, "", "regula: unknown command 'dat'; did you mean 'data'?\n"},
        {"regula data infos", 2, "", "did you mean 'data info'?"},
        {"regula info csl", 2, "", "did you mean 'data info'?"},
        {"regula --jsn", 2, "", "unknown option '--jsn'"},
        {"regula data info", 2, "", "regula: argument DATA of 'regula data info' is missing\n"},
        {"regula data info csl extra", 2, "", "unexpected argument 'extra'"},
        {"regula data info csl --jsn", 2, "", "did you mean '--json'?"},
        {"regula data info csl --input-format tuu", 2, "", "did you mean 'tu'?"},
        {"regula data info csl --target none", 2, "", "known: auto, class, real"},
        {"regula data info csl --threads -1", 2, "", "expected a whole number 0 .. 4096"},
        {"regula data info nowhere", 4, "", "nowhere"},
        {"regula data info .err", 3, "", "regula: "},
        {"regula data info csl --format graph6", 3, "", "regula: "},
        {"regula data generate CSL --out x --graphs 0", 2, "", "expected a whole number 1 .. "},
        {"regula data info csl/CSL --no-copies", 0, "CSL  (csl/CSL)", ""},
        {"regula data info csl/CS", 4, "", "no data set 'csl/CS': no such file or directory"},
        {"regula data info csl --target real", 3, "", "regula: "},
        {"regula data info csl", 0, "What the loader found", ""},
        {"regula data info csl --no-copies", 0, "not searched", ""},
        {"regula data info -- csl", 0, "graphs             150\n", ""},
        {"regula data generate LongRing --out x", 2, "", "did you mean 'LongRings'?"},
        {"regula data generate CSL", 2, "", "option '--out DIR' of 'regula data generate'"},
        {"regula data generate CSL --out x --largest 5", 2, "", "regula: "},
        {"regula data generate all --out x --graphs 60", 2, "", "with 'all'"},
        {"regula data generate csl --out /dev/null/x", 4, "", "/dev/null"},
        {"regula data convert csl --out x", 2, "", "option '--to FORMAT'"},
        {"regula data convert csl --to ogb --out x", 2, "",
         "known: tu, three, smi, sdf, hydrogens"},
        {"regula data split csl --folds 2 --holdout 0.5", 2, "", "exclude each other"},
        {"regula data split csl --check csl.json --seed 1", 2, "", "exclude each other"},
        {"regula data split csl --folds 1000", 2, "", "regula: "},
        {"regula data split csl --holdout 1.5", 2, "", "below 1"},
        {"regula data split csl --check nowhere.json", 4, "", "nowhere.json"},
        {"regula data split csl --check csl/CSL_A.txt", 3, "", "CSL_A.txt:1:"},
        {"regula data split csl --check csl.json", 0, "folds                      5\n", ""},
        {"regula data get", 2, "", "argument NAME of 'regula data get' is missing"},
        {"regula data get A B --url http://localhost/x", 2, "", "'--url' is for one NAME"},
        {"regula data get NoSuchSetAnywhere", 2, "", "NoSuchSetAnywhere"},
        {"regula data list", 0, "MUTAG", ""},
        {"regula data list mutag", 0, "MUTAG", ""},
        {"regula data list --long MUTAG", 0, "MUTAG", ""},
        {"regula data list -l MUTAG", 0, "MUTAG", "regula: '-l' is called '--long' now\n"},
        {"regula data list NoSuchSetAnywhere", 0, "", "NoSuchSetAnywhere"},
        {"regula completion", 2, "", "argument SHELL"},
        {"regula completion bsh", 2, "", "did you mean 'bash'?"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

/* A file that grows past its limit is an error like others, not a signal. */
static void a_limit_on_files_is_told_of(void **state)
{
    expect(*state, "(ulimit -f 1; regula data convert csl --to three --out limited)", 4, "",
           "File too large");
    expect(*state, "test -e limited/CSLEdges.txt", 1, "", "");
    expect(*state, "(ulimit -f 1; regula data split csl > limited.json)", 4, "", "File too large");
}

static void a_small_stack_is_enough(void **state)
{
    static const char *const lines[] = {
        "regula --help",
        "regula help data info",
        "regula data info csl",
        "regula data convert csl --to three --out small-csl",
        "regula data split csl --out small.json",
        "regula data draw csl --graph 0 --out small.svg",
        "regula data draw csl --graph 0 --out small.png",
        "regula data draw csl --graph 0 --out small.pdf",
        "regula data generate LongRings --graphs 30 --out small-rings",
        "regula label csl --labels 'wl(depth=2)'",
        "regula label csl --labels 'cycles(max=6)'",
        "regula rule check 'share w(i), dist(i,j) when dist(i,j) in 1..3' csl -l 'w=wl(depth=1)'",
        "regula rule show csl --graph 0 --rule 'share dist(i,j) when dist(i,j) in 1..3'",
        "regula train csl -n csl.yml -m small.model",
        "regula evaluate small.model csl",
        "regula predict small.model csl",
        "regula prune small.model csl",
        "regula explain small.model csl",
        "regula run experiment.yml --out small-run",
        "regula show small-run",
        "regula report small-run",
        "regula search csl --minutes 1 --rounds 2,1 --out small-best.yml",
        "regula models",
        "regula data list",
    };
    for (size_t k = 0; k < CLI_COUNT(lines); k++) {
        char *line = test_format("(ulimit -s 64; %s) >/dev/null", lines[k]);
        program_result result = run(*state, "%s", line);
        if (result.code)
            fail_msg("%s: code %d, %s", line, result.code, result.err);
        program_result_free(&result);
        free(line);
    }
}

/* Libraries that start threads, or reserve memory for them, before anyone asks would not fit. */
static void an_address_space_of_200_megabytes_is_enough(void **state)
{
    static const char *const lines[] = {
        "regula --version",
        "regula data info csl --threads 1",
        "regula train csl -n csl.yml -m narrow.model --threads 1",
    };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they reserve terabytes */
#endif
    for (size_t k = 0; k < CLI_COUNT(lines); k++) {
        program_result result = run(*state, "(ulimit -v 200000; %s)", lines[k]);
        if (result.code)
            fail_msg("%s: code %d, %s", lines[k], result.code, result.err);
        program_result_free(&result);
    }
}

static void messages_are_one_line(void **state)
{
    static const char *const lines[] = {"regula dat", "regula data info nowhere",
                                        "regula data info csl --jsn",
                                        "regula data info \"$(printf 'a\\nb\\033[31mc')\""};
    for (size_t k = 0; k < CLI_COUNT(lines); k++) {
        program_result result = run(*state, "%s", lines[k]);
        assert_true(strncmp(result.err, "regula: ", 8) == 0);
        assert_ptr_equal(strchr(result.err, '\n'), result.err + strlen(result.err) - 1);
        assert_null(strchr(result.err, '\033'));
        program_result_free(&result);
    }
}

static void every_command_has_help_with_examples_first(void **state)
{
    for (size_t k = 0; k < cli_n_commands(); k++) {
        if (!test_in_sample(k))
            continue;
        const cli_command *command = cli_command_at(k);
        program_result result = run(*state, "regula %s --help", command->name);
        const char *examples = strstr(result.out, "Examples:\n  regula ");
        const char *options = strstr(result.out, "\nOptions:\n");
        if (result.code || *result.err || !examples || (options && options < examples))
            fail_msg("%s: code %d\n%s%s", command->name, result.code, result.out, result.err);
        for (size_t j = 0; j < command->n_options; j++) {
            char *name = test_format("--%s", command->options[j].name);
            assert_true((strstr(result.out, name) == NULL) == command->options[j].hidden);
            free(name);
        }
        for (const char *line = result.out; line; line = strchr(line, '\n')) {
            line += *line == '\n';
            if (strcspn(line, "\n") > 80)
                fail_msg("%s: a line of the help is too long: %.90s", command->name, line);
        }
        program_result_free(&result);
    }
}

static void defaults_in_the_help_are_the_librarys(void **state)
{
    char *folds = test_format("[default: %zu]", rg_split_options_default().n_folds);
    char *timeout = test_format("[default: %u]", rg_fetch_options_default().timeout);
    expect(*state, "regula data split --help | tr '\\n' ' ' | tr -s ' '", 0, folds, "");
    expect(*state, "regula data get --help | tr '\\n' ' ' | tr -s ' '", 0, timeout, "");
    expect(*state, "regula data info --help | tr '\\n' ' ' | tr -s ' '", 0,
           "[default: all processors]", "");
    free(folds);
    free(timeout);
}

/* The examples run as they stand, except those that need a network or the data of the paper. */
static void the_examples_of_the_help_work(void **state)
{
    expect(*state,
           "mkdir -p .local/share/bash-completion/completions .zfunc .config/fish/completions && "
           "regula data convert csl --to tu --out data/MUTAG --name MUTAG && "
           "tar -czf archive.tar.gz csl && mkdir -p bin && "
           "for k in $(seq 150); do echo '0 1; 2'; done >causes.txt && "
           "printf '#!/bin/sh\\necho 17\\n' >bin/sbatch && chmod +x bin/sbatch",
           0, "MUTAG", "");
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *command = cli_command_at(k);
        for (size_t j = 0; j < command->n_examples; j++) {
            bool long_one = strstr(command->examples[j].line, "--minutes") ||
                            strstr(command->examples[j].line, "--model gin") ||
                            strcmp(command->examples[j].line, "regula run csl") == 0;
            bool causes = strstr(command->examples[j].line, "--truth") != NULL;
            if (command == &cli_data_get || command == &cli_reproduce_command ||
                (long_one && test_sample_step() > 1) || causes) /* see test_cli_explain.c */
                continue;
            char *line = test_format("PATH=$PWD/bin:$PATH; %s", command->examples[j].line);
            expect(*state, line, 0, NULL, NULL);
            free(line);
        }
    }
    expect(*state, "regula data info synthetic/Snowflakes", 0, "graphs             1000\n", "");
    expect(*state, "regula data info rings --no-copies", 0, "graphs             600\n", "");
}

static void example_scripts_run(void **state)
{
    expect(*state, "sh '" REGULA_SOURCE "/examples/audit.sh' work", 0,
           "same content in both formats: ", "");
    expect(*state, "sh '" REGULA_SOURCE "/examples/many.sh' work/csl work/csl3", 0,
           "CSL                           150       10", "");
    expect(*state, "sh '" REGULA_SOURCE "/examples/images.sh' 200 2>log", 0,
           "connections    6084\n", "");
    expect(*state, "sh '" REGULA_SOURCE "/examples/values.sh' 2>log", 0,
           "gate    accuracy           100.00 % (most frequent class: 50.00 %)\n"
           "static  accuracy           49.50 % (most frequent class: 50.00 %)\n"
           "hidden  accuracy           70.50 % (most frequent class: 50.00 %)\n",
           "");
}

static void info_has_the_keys_that_scripts_rely_on(void **state)
{
    static const char *const keys[] = {
        "name",         "graphs",     "classes",     "class_counts",      "nodes",
        "edges",        "diameter",   "node_labels", "edge_labels",       "node_attributes",
        "targets",      "self_loops", "digest",      "duplicate_edges",   "isolated_nodes",
        "empty_graphs", "quirks",     "path",        "isomorphic_copies", "copies_other_class"};
    program_result result = run(*state, "regula data info csl --json");
    assert_string_equal(result.err, "");
    json_t *root = program_result_json(&result);
    for (size_t k = 0; k < CLI_COUNT(keys); k++)
        if (!json_object_get(root, keys[k]))
            fail_msg("key %s is missing", keys[k]);
    const char *name, *digest;
    json_int_t graphs, classes, first, nodes, edges, labels;
    assert_int_equal(json_unpack(root, "{s:s,s:s,s:I,s:I,s:{s:I},s:{s:I},s:{s:I},s:I}", "name",
                                 &name, "digest", &digest, "graphs", &graphs, "classes", &classes,
                                 "class_counts", "0", &first, "nodes", "total", &nodes, "edges",
                                 "max", &edges, "node_labels", &labels),
                     0);
    assert_string_equal(name, "CSL");
    assert_int_equal(strlen(digest), 64);
    assert_int_equal(graphs, 150);
    assert_int_equal(classes, 10);
    assert_int_equal(first, 15);
    assert_int_equal(nodes, 150 * 41);
    assert_int_equal(edges, 82);
    assert_int_equal(labels, 1);
    json_decref(root);
    program_result_free(&result);
}

static void data_that_is_printed_as_json_parses(void **state)
{
    static const char *const lines[] = {
        "regula data list --json",
        "regula data list NoSuchSetAnywhere --json",
        "regula data generate CSL --out json1 --json --seed 18446744073709551615",
        "regula data convert csl --to three --out json2 --json",
        "regula data split csl",
        "regula data split csl --holdout 0.2 --no-stratify",
        "regula data split csl --out json3 --json",
        "regula data split csl --check csl.json --json",
        "regula data info csl --no-copies --json",
    };
    for (size_t k = 0; k < CLI_COUNT(lines); k++)
        json_decref(run_json(*state, lines[k]));
}

static void splits_are_the_same_printed_or_in_a_file(void **state)
{
    expect(*state,
           "regula data split csl --seed 3 > printed.json && "
           "regula data split csl --seed 3 --out written.json && cmp printed.json written.json",
           0, "written.json", "");
}

static void a_validation_part_that_is_the_test_part_is_named(void **state)
{
    test_write(*state, "leak.json",
               "[{\"test\": [0], \"model_selection\": [{\"train\": [1], \"validation\": [0]}]}]");
    expect(*state, "regula data split csl --check leak.json", 0, "validation equals test     1\n",
           "regula: warning: in 1 of 1 folds the validation set equals the test set");
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    expect(*state,
           "regula data generate EvenOddRings --out same1 --seed 5 --threads 1 >/dev/null && "
           "regula data generate EvenOddRings --out same2 --seed 5 --threads 3 >/dev/null && "
           "diff -r same1 same2 && ls same1",
           0, "EvenOddRings_A.txt", "");
}

static void write_errors_are_told(void **state)
{
    static const char *const lines[] = {"regula --help",          "regula data list",
                                        "regula data info csl",   "regula data info csl --json",
                                        "regula completion bash", "regula data split csl"};
    for (size_t k = 0; k < CLI_COUNT(lines); k++) {
        char *full = test_format("%s > /dev/full", lines[k]);
        char *closed = test_format("%s >&-", lines[k]);
        expect(*state, full, 4, "", "regula: cannot write to 'standard output': No space left");
        expect(*state, closed, 4, "", "regula: cannot write to 'standard output'");
        free(full);
        free(closed);
    }
    expect(*state, "regula no-such-command 2>&-", 2, "", "");
    /* A disk that is full for the second file: not even the first appears. */
    expect(*state,
           "(ulimit -f 150; trap '' XFSZ; regula data convert csl --to three --out full) ; "
           "echo $? $(ls -A full)",
           0, "4\n", "regula: cannot write 'full/CSL_Edges.txt': ");
}

/* Also with more than a pipe holds, so that the first failing write is not the last one. */
static void a_reader_that_goes_away_ends_it_quietly(void **state)
{
    static const char *const lines[] = {"regula --help", "regula data info csl --json",
                                        "regula data split csl --folds 50"};
    for (size_t k = 0; k < CLI_COUNT(lines); k++) {
        program_result result =
            run(*state, "{ sleep 0.05; %s; echo \"ends with $?\" >&2; } | true", lines[k]);
        assert_string_equal(result.err, "ends with 0\n");
        program_result_free(&result);
    }
}

static void colour_is_for_terminals_that_want_it(void **state)
{
    static const struct {
        const char *line;
        bool colour;
    } cases[] = {
        {"regula --help", true},
        {"regula data info csl", true},
        {"regula no-such-command", true},
        {"NO_COLOR=1 regula --help", false},
        {"NO_COLOR=1 regula no-such-command", false},
        {"NO_COLOR= regula --help", true}, /* empty counts as unset */
        {"TERM=dumb regula --help", false},
        {"unset TERM; regula --help", false},
        {"regula --help | cat", false},
        {"regula data info csl --json", false},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        int code;
        char *text = run_on_terminal(*state, cases[k].line, &code);
        assert_true(strlen(text) > 10);
        if ((strstr(text, "\033[1m") != NULL) != cases[k].colour) /* a progress line is no colour */
            fail_msg("%s: %s", cases[k].line, text);
        free(text);
    }
}

static void man_pages_build_without_complaint(void **state)
{
    program_result found = run(*state, "command -v scdoc");
    int code = found.code;
    program_result_free(&found);
    if (code)
        skip();
    expect(*state, "regula help --scdoc-all man", 0, "", "");
    expect(*state,
           "cd man && for page in *.scd; do scdoc < $page > ${page%.scd} || echo $page; done; ls",
           0, "regula-data-info.1\n", "");
    /* and those that are made of docs/ */
    expect(*state,
           "sh " REGULA_SOURCE "/tools/manual.sh man && cd man && for page in *.5.scd *.7.scd; do "
           "scdoc < $page > ${page%.scd} || echo $page; done; ls *.5 *.7",
           0, "regula-experiment.5\nregula-labels.7\nregula-network.5\nregula-rules.7\n", "");
    static const char *const sections[] = {"NAME",        "SYNOPSIS", "DESCRIPTION",
                                           "EXAMPLES",    "OPTIONS",  "EXIT STATUS",
                                           "ENVIRONMENT", "FILES",    "SEE ALSO"};
    for (size_t k = 0; k < cli_n_commands(); k++) {
        if (!cli_command_at(k)->run || !test_in_sample(k))
            continue;
        program_result page = run(*state, "regula help --scdoc %s", cli_command_at(k)->name);
        assert_int_equal(page.code, 0);
        const char *at = page.out;
        for (size_t j = 0; j < CLI_COUNT(sections); j++) {
            char *heading = test_format("\n# %s\n", sections[j]);
            at = strstr(at, heading);
            if (!at)
                fail_msg("%s: section %s is missing", cli_command_at(k)->name, sections[j]);
            free(heading);
        }
        program_result_free(&page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(names_of_files_cannot_steer_the_terminal),
        cmocka_unit_test(messages_are_one_line),
        cmocka_unit_test(a_limit_on_files_is_told_of),
        cmocka_unit_test(a_small_stack_is_enough),
        cmocka_unit_test(an_address_space_of_200_megabytes_is_enough),
        cmocka_unit_test(every_command_has_help_with_examples_first),
        cmocka_unit_test(defaults_in_the_help_are_the_librarys),
        cmocka_unit_test(the_examples_of_the_help_work),
        cmocka_unit_test(example_scripts_run),
        cmocka_unit_test(info_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(data_that_is_printed_as_json_parses),
        cmocka_unit_test(splits_are_the_same_printed_or_in_a_file),
        cmocka_unit_test(a_validation_part_that_is_the_test_part_is_named),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(write_errors_are_told),
        cmocka_unit_test(a_reader_that_goes_away_ends_it_quietly),
        cmocka_unit_test(colour_is_for_terminals_that_want_it),
        cmocka_unit_test(man_pages_build_without_complaint),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
