/* test_experiment_wrong.c - experiment files that must be refused, each with its message. */
#include "config/experiment.h"
#include "support/support.h"
#include "text/yaml.h"

#include <stdio.h>
#include <string.h>

#define D "data: X\n"
#define N "network: {layers: [dense: auto]}\n"
#define WL "network: {labels: {wl: degree}, layers: [aggregate: 'share out, wl(i)']}\n"
#define KEYS                                                                                 \
    "name, data, splits, folds, protocol, runs, seed, starts, fit, keep, metric, ensemble, " \
    "network, model, "                                                                       \
    "compare, labels, input, training or grid"
#define SETTINGS                                                                             \
    "loss, class_weights, optimiser, lr, beta1, beta2, eps, momentum, decay, clip, epochs, " \
    "schedule, batch, patience, best, metric, smooth, start, precision, prune, parts or lasso"
#define LABELINGS                                                                                 \
    "node, degree, core, betweenness, trivial, attribute, element, charge, hydrogens, aromatic, " \
    "ring_size, hybridisation, chirality, wl, wl2, marked, walks, cycles, cliques, pattern, "     \
    "combine or file"
#define NAME                                                                                  \
    "a name of at most 100 bytes that has no '/' and does not begin with '.', '-', '~' or a " \
    "blank"

typedef struct wrong {
    const char *text;
    const char *set; /* NULL: no override */
    const char *message;
} wrong;

static const wrong cases[] = {
    /* the file as a whole */
    {"", NULL, "f:1:1: found no key 'data', expected a data set: a path or a name"},
    {"[a]", NULL, "f:1:1: found a list, expected a map with keys such as " KEYS},
    {D N "runs: [", NULL,
     "f:4:1: did not find expected node content while parsing a flow node that began in line 4"},
    {D N "protokol: fair\n", NULL,
     "f:3:1: found the key 'protokol', expected " KEYS " (did you mean 'protocol'?)"},
    {D, NULL,
     "f:1:1: found no key 'network', expected a network file or a map, or the key 'model'"},
    {N, NULL, "f:1:1: found no key 'data', expected a data set: a path or a name"},
    /* name, data */
    {D N "name: a/b\n", NULL, "f:3:7: found 'a/b', expected " NAME},
    {D N "name: .hidden\n", NULL, "f:3:7: found '.hidden', expected " NAME},
    {D N "name: \"two\\nlines\"\n", NULL, "f:3:7: found the text 'two?lines', expected " NAME},
    {"data:\n" N, NULL, "f:1:6: found nothing, expected a data set: a path or a name"},
    {"data: [X, Y]\n" N, NULL, "f:1:7: found a list, expected a data set: a path or a name"},
    /* splits, folds */
    {D N "splits: [a]\n", NULL,
     "f:3:9: found a list, expected a file of splits or a map such as {folds: 10, seed: 1}"},
    {D N "splits: {fold: 10}\n", NULL,
     "f:3:10: found the key 'fold', expected folds, seed, validation, test or stratified (did you "
     "mean 'folds'?)"},
    {D N "splits: {folds: 0}\n", NULL, "f:3:17: found '0', expected a whole number 1..100000"},
    {D N "splits: {seed: -1}\n", NULL, "f:3:16: found '-1', expected a whole number from 0 on"},
    {D N "splits: {validation: 1}\n", NULL,
     "f:3:9: found a validation fraction of 1, expected at least 0 and less than 1"},
    {D N "splits: {validation: '0.1'}\n", NULL, "f:3:22: found the text '0.1', expected a number"},
    {D N "splits: {folds: 10, test: 0.1}\n", NULL,
     "f:3:27: found a test fraction, expected none, or folds: 1 with it"},
    {D N "splits: {folds: 1, test: 0}\n", NULL,
     "f:3:9: found a test fraction of 0, expected more than 0 and less than 1"},
    {D N "splits: {stratified: yes}\n", NULL, "f:3:22: found 'yes', expected true or false"},
    {D N "folds: []\n", NULL, "f:3:8: found no folds, expected their numbers, from 0"},
    {D N "folds: [0, 1, 0]\n", NULL, "f:3:8: found fold 0 twice, expected each fold once"},
    {D N "folds: [first]\n", NULL, "f:3:9: found 'first', expected a whole number 0..99999"},
    {D N "splits: {folds: 3}\nfolds: [0, 3]\n", NULL,
     "f:4:12: found '3', expected a whole number 0..2"},
    /* words and numbers */
    {D N "protocol: fare\n", NULL, "f:3:11: found 'fare', expected fair, global, gin or holdout"},
    {D N "protocol: []\n", NULL, "f:3:11: found no protocol, expected one or more"},
    {D N "protocol: [fair, gin, fair]\n", NULL,
     "f:3:23: found 'fair', expected each protocol once"},
    {D N "runs: 0\n", NULL, "f:3:7: found '0', expected a whole number 1..64"},
    {D N "runs: 65\n", NULL, "f:3:7: found '65', expected a whole number 1..64"},
    {D N "runs: [1, 2]\n", NULL, "f:3:7: found a list, expected a whole number 1..64"},
    {D N "seed: x\n", NULL, "f:3:7: found 'x', expected a whole number from 0 on"},
    {D N "starts: folds\n", NULL,
     "f:3:9: found 'folds', expected run or fold (did you mean 'fold'?)"},
    {D N "fit: training\n", NULL,
     "f:3:6: found 'training', expected all or train (did you mean 'train'?)"},
    {D N "keep: bset\n", NULL,
     "f:3:7: found 'bset', expected none, best or all (did you mean 'best'?)"},
    {D N "ensemble: alle\n", NULL,
     "f:3:11: found 'alle', expected all or stack (did you mean 'all'?)"},
    {D N "ensemble: {top: 0}\n", NULL, "f:3:17: found '0', expected a whole number 1..100000"},
    {D N "ensemble: {}\n", NULL, "f:3:11: found a map, expected all, stack or {top: K}"},
    {D N "ensemble: []\n", NULL, "f:3:11: found 0 ensembles, expected 1..8"},
    {D N "ensemble: [all, all]\n", NULL, "f:3:17: found 'all', expected each ensemble once"},
    /* networks */
    {D "network: a.yml\n", NULL,
     "f:2:10: found 'a.yml', expected a map, as files cannot be read here"},
    {D "network: []\n", NULL, "f:2:10: found 0 networks, expected 1..1000"},
    {D "network: [[]]\n", NULL,
     "f:2:11: found a list, expected a network file or a map such as in one"},
    {D "network:\n", NULL, "f:2:9: found nothing, expected a network file or a map such as in one"},
    {D "network: {}\n", NULL, "f:2:10: found no key 'layers', expected a list of layers"},
    {D "network: {layer: [dense: auto]}\n", NULL,
     "f:2:11: found the key 'layer', expected preset, task, target, input, labels, tables, "
     "standardise, "
     "layers or "
     "training (did you mean 'layers'?)"},
    {D "network: {name: [a], layers: [dense: auto]}\n", NULL,
     "f:2:17: found a list, expected a name for tables"},
    {D "network:\n  - {name: a, layers: [dense: auto]}\n  - {name: a, layers: [dense: 2]}\n", NULL,
     "f:4:5: found the network 'a' a second time, expected each once"},
    {D "network:\n  - {layers: [dense: auto]}\n  - {layers: [dense: 0]}\n", NULL,
     "f:4:22: found '0', expected auto or a whole number 1..4096 (with network=2)"},
    /* labels */
    {D N "labels: {wl: degree}\n", NULL,
     "f:3:10: found the labels 'wl', but no network has labels"},
    {D WL "labels: wl\n", NULL,
     "f:3:9: found 'wl', expected a map from names of labels of the network to labelings"},
    {D WL "labels: {wll: degree}\n", NULL, "f:3:10: found 'wll', expected wl (did you mean 'wl'?)"},
    {D WL "labels: {wl: degre}\n", NULL,
     "f:3:14: labels: column 1: found 'degre', expected " LABELINGS " (did you mean 'degree'?)"},
    {D WL "labels: {wl: []}\n", NULL,
     "f:3:14: found an empty list, expected values to choose from"},
    {D WL "labels: {wl: [degree, {a: b}]}\n", NULL,
     "f:3:23: found a map, expected a labeling, such as wl(depth=2) (with labels.wl={a: b})"},
    {D WL "labels: {wl: [degree, degre]}\n", NULL,
     "f:3:23: labels: column 1: found 'degre', expected " LABELINGS
     " (did you mean 'degree'?) (with labels.wl=degre)"},
    /* settings */
    {D N "training: [a]\n", NULL,
     "f:3:11: found a list, expected a map with keys such as " SETTINGS},
    {D N "training: {lrr: 0.1}\n", NULL,
     "f:3:12: found the key 'lrr', expected " SETTINGS " (did you mean 'lr'?)"},
    {D N "training: {lr: []}\n", NULL,
     "f:3:16: found an empty list, expected values to choose from"},
    {D N "training: {lr: [0.1, x]}\n", NULL, "f:3:22: found 'x', expected a number (with lr=x)"},
    {D N "training: {lr: [0.1, [0.2]]}\n", NULL,
     "f:3:22: found a list, expected a number (with lr=[0.2])"},
    {D N "training: {schedule: {factor: [0.5, 2]}}\n", NULL,
     "f:3:37: the factor of the schedule is 2, expected 0 < factor <= 1 (with schedule.factor=2)"},
    {D N "training:\n  epochs: [50, 10]\n  prune: {part: 0.5, to: 20}\n", NULL,
     "f:5:26: pruning is from epoch 1 to 20, expected epochs of 1..10, the first not after the "
     "last (with epochs=10)"},
    {D N "training: {class_weights: [1, x]}\n", NULL, "f:3:31: found 'x', expected a number"},
    {D N "input: [signd]\n", NULL,
     "f:3:9: found 'signd', expected auto, signed, scaled, constant, constant(NUMBER), "
     "one-hot(NAME), one-hot(node,COLUMN), attributes, labels, "
     "degree, relative(NAME), count(LABELING) or values (did you mean 'signed'?)"},
    /* variables */
    {D N "grid: [1]\n", NULL,
     "f:3:7: found a list, expected a map from names of variables to values"},
    {D N "grid: {a: 1}\n", NULL,
     "f:3:8: found the variable 'a', which nothing uses, expected '$a' in labels, rules, input or "
     "settings"},
    {D N "grid: {a-b: 1}\n", NULL,
     "f:3:8: found 'a-b', expected a name of letters, digits and '_'"},
    {D N "training: {lr: $lr}\ngrid: {lr: []}\n", NULL,
     "f:4:12: found an empty list, expected values to choose from"},
    {D N "training: {lr: $lr}\n", NULL,
     "f:3:16: found the variable '$lr', expected one of the key 'grid', or '$$' for a '$'"},
    {D N "training: {lr: $lr, decay: $rate}\ngrid: {rate: 0.1}\n", NULL,
     "f:3:16: found the variable '$lr', expected one of the key 'grid', or '$$' for a '$'"},
    {D N "training: {lr: $rat, decay: $rate}\ngrid: {rate: 0.1}\n", NULL,
     "f:3:16: found the variable '$rat', expected one of the key 'grid', or '$$' for a '$' (did "
     "you mean '$rate'?)"},
    {D N "training: {lr: $lr}\ngrid: {lr: [0.1, 0]}\n", NULL,
     "f:4:18: $lr is 0: f:3:16: the learning rate is 0, expected a number above 0 (with lr=0)"},
    {D N "training: {lr: 0.$lr}\ngrid: {lr: [[1]]}\n", NULL,
     "f:3:16: found the variable '$lr' inside a text, expected it alone: its value in line 4 is no "
     "text (with lr=[1])"},
    {D N "training: {lr: [1, 2], decay: $lr}\ngrid: {lr: [1, 2]}\n", NULL,
     "f:4:12: found a second list for 'lr', expected one (the other is in line 3)"},
    {D "network:\n  labels: {wl: 'wl(depth=$d)'}\n  layers:\n"
       "    - rule: share wl(i) when dist(i,j) in ${a}..$b\n"
       "    - dense: auto\n"
       "grid:\n  d: [1, 65]\n  a: 2\n  b: 3\n",
     NULL,
     "f:8:10: $d is 65: f:3:16: labels: column 10: found '65', expected a number 0..64 (with "
     "d=65)"},
    {D "network:\n  labels: {wl: 'wl(depth=$d)'}\n  layers:\n"
       "    - rule: share wl(i) when dist(i,j) in ${a}..$b\n"
       "    - dense: auto\n"
       "grid:\n  d: 1\n  a: 2\n  b: [3, x]\n",
     NULL,
     "f:9:6: $a is 2: f:10:10: $b is x: f:5:13: rule: column 34: found 'x', expected i, j, a "
     "labeling (wl, node), a property (dist, edge, bond, same_cycle, common, degree, paths, bonds, "
     "marked, pos, offset), row, col or "
     "channel of a shape, value, bin, or abs, min, max (with b=x)"},
    /* overrides */
    {D N, "runs", "--set 'runs': found no '=', expected KEY=VALUE such as training.lr=0.1"},
    {D N, "=1", "--set '=1': found no key, expected KEY=VALUE such as training.lr=0.1"},
    {D N, "runs=", "--set 'runs=': found no value, expected KEY=VALUE such as training.lr=0.1"},
    {D N, "runs= \t",
     "--set 'runs= ?': found no value, expected KEY=VALUE such as training.lr=0.1"},
    {D N, "training..lr=1",
     "--set 'training..lr=1': found an empty key, expected KEY=VALUE such as training.lr=0.1"},
    {D N, ".lr=1", "--set '.lr=1': found an empty key, expected KEY=VALUE such as training.lr=0.1"},
    {D N, "a.b.c.d.e.f.g.h.i=1",
     "--set 'a.b.c.d.e.f.g.h.i=1': found too many keys, expected KEY=VALUE such as "
     "training.lr=0.1"},
    {D N, "data.name=MUTAG",
     "--set 'data.name=MUTAG': 'data' is no map in the file, expected a key of a map, or another "
     "value for all of 'data'"},
    {D N, "network.layers.dense=2",
     "--set 'network.layers.dense=2': 'layers' is no map in the file, expected a key of a map, or "
     "another value for all of 'layers'"},
    {D N, "rnus=1",
     "--set rnus:1:1: found the key 'rnus', expected " KEYS " (did you mean 'runs'?)"},
    {D N, "runs=x", "--set runs:1:1: found 'x', expected a whole number 1..64"},
    {D N, "training.lrr=1",
     "--set training.lrr:1:1: found the key 'lrr', expected " SETTINGS " (did you mean 'lr'?)"},
    {D N, "training.lr=[1, 0]",
     "--set training.lr:1:5: the learning rate is 0, expected a number above 0 (with lr=0)"},
    {D N, "training.lr=[1",
     "--set training.lr:2:1: did not find expected ',' or ']' while parsing a flow sequence that "
     "began in line 1"},
    {D N, "grid.depth=2",
     "--set grid.depth:1:1: found the variable 'depth', which nothing uses, expected '$depth' in "
     "labels, rules, input or settings"},
    {"[a]", "runs=1", "f:1:1: found a list, expected a map with keys such as " KEYS},
};

static void wrong_experiments_say_where_and_what(void **state)
{
    size_t n_wrong = 0;
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_experiment *e = NULL;
        rg_error err = {""};
        const wrong *c = &cases[k];
        rg_status status =
            rg_experiment_parse(&e, "f", c->text, strlen(c->text), &c->set, c->set ? 1 : 0, &err);
        bool usage = strncmp(err.message, "--set '", 7) == 0;
        if (status != (usage ? RG_EUSAGE : RG_EDATA) || e || strcmp(err.message, c->message) != 0) {
            print_message("case %zu: status %d, found\n  %s\nexpected\n  %s\n", k, (int)status,
                          err.message, c->message);
            rg_experiment_free(e);
            n_wrong++;
        }
    }
    assert_int_equal(n_wrong, 0);
}

/* ---- files that an experiment names */

typedef struct wrong_experiment {
    const char *experiment, *network; /* texts of e/exp.yml and e/net.yml */
    rg_status status;
    const char *message; /* $ stands for the directory e */
} wrong_experiment;

static const wrong_experiment file_cases[] = {
    {D "network: no.yml\n", "", RG_EIO, "$exp.yml:2:10: cannot find '$no.yml'"},
    {D "network: [net.yml, no.yml]\n", "layers: [dense: auto]\n", RG_EIO,
     "$exp.yml:2:20: cannot find '$no.yml'"},
    {D N "splits: s.json\n", "", RG_EIO, "$exp.yml:3:9: cannot find '$s.json'"},
    {D "network: net.yml\n", "layers: [\n", RG_EDATA,
     "$net.yml:2:1: did not find expected node content while parsing a flow node that began in "
     "line 2"},
    {D "network: net.yml\n", "a text\n", RG_EDATA,
     "$net.yml:1:1: found 'a text', expected a network: a map with the key layers"},
    {D "network: net.yml\n", "name: a\nlayers: [dense: auto]\n", RG_EDATA,
     "$net.yml:1:1: found the key 'name', expected preset, task, target, input, labels, tables, "
     "standardise, layers or "
     "training"},
    {D "network: net.yml\n", "\nlayers:\n  - dense: 0\n", RG_EDATA,
     "$net.yml:3:12: found '0', expected auto or a whole number 1..4096"},
    {D "network: [net.yml]\n", "\nlayers:\n  - dense: 0\n", RG_EDATA,
     "$net.yml:3:12: found '0', expected auto or a whole number 1..4096 (with network=net.yml)"},
    {D "network: net.yml\ngrid:\n  width: [4, x]\n",
     "\nlayers:\n  - dense: $width\n  - dense: auto\n", RG_EDATA,
     "$exp.yml:4:14: $width is x: $net.yml:3:12: found 'x', expected auto or a whole number "
     "1..4096 (with width=x)"},
    {D "network: net.yml\ntraining: {lr: [0.1, 0]}\n", "layers: [dense: auto]\ntraining: {lr: 1}\n",
     RG_EDATA, "$exp.yml:3:22: the learning rate is 0, expected a number above 0 (with lr=0)"},
    {D "network: .\n", "", RG_EIO, "$exp.yml:2:10: cannot read '$.': not a regular file"},
};

/* Puts the directory in place of every '$' that is followed by the name of a file. Owned (free). */
static char *with_directory(const char *message, const char *directory)
{
    char *out = test_format("%s", "");
    for (const char *p = message; *p;) {
        bool here = *p == '$' && (strncmp(p, "$exp", 4) == 0 || strncmp(p, "$net", 4) == 0 ||
                                  strncmp(p, "$no", 3) == 0 || strncmp(p, "$s.", 3) == 0 ||
                                  strncmp(p, "$.", 2) == 0);
        size_t n = here ? 1 : 1 + strcspn(p + 1, "$");
        char *more =
            here ? test_format("%s%s/e/", out, directory) : test_format("%s%.*s", out, (int)n, p);
        free(out);
        out = more;
        p += n;
    }
    return out;
}

static void wrong_files_are_named_with_their_lines(void **state)
{
    char *directory = test_directory_make(), *path = test_format("%s/e/exp.yml", directory);
    size_t n_wrong = 0;
    (void)state;
    for (size_t k = 0; k < sizeof file_cases / sizeof *file_cases; k++) {
        const wrong_experiment *c = &file_cases[k];
        char *expected = with_directory(c->message, directory);
        rg_experiment *e = NULL;
        rg_error err = {""};
        test_write(directory, "e/exp.yml", c->experiment);
        test_write(directory, "e/net.yml", c->network);
        rg_status status = rg_experiment_read(&e, path, NULL, 0, &err);
        if (status != c->status || e || strcmp(err.message, expected) != 0) {
            print_message("case %zu: status %d, found\n  %s\nexpected\n  %s\n", k, (int)status,
                          err.message, expected);
            rg_experiment_free(e);
            n_wrong++;
        }
        free(expected);
    }
    assert_int_equal(n_wrong, 0);
    test_directory_remove(directory);
    free(path);
}

static void a_missing_experiment_is_said(void **state)
{
    rg_experiment *e = NULL;
    rg_error err = {""};
    (void)state;
    assert_int_equal(rg_experiment_read(&e, "/nowhere/exp.yml", NULL, 0, &err), RG_EIO);
    assert_null(e);
    assert_non_null(strstr(err.message, "'/nowhere/exp.yml'"));
}

/* ---- bounds */

/* "[0, 1, ..., n-1]". Owned (free). */
static char *many(size_t n)
{
    char *text = malloc(n * 8 + 3), *p = text;
    assert_non_null(text);
    for (size_t k = 0; k < n; k++)
        p += sprintf(p, "%s%zu", k ? "," : "[", k + 1);
    strcpy(p, "]");
    return text;
}

static void there_may_not_be_too_many_configurations(void **state)
{
    static const size_t sizes[][2] = {{100001, 1}, {1000, 101}, {50000, 50000}};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        char *one = many(sizes[k][0]), *two = many(sizes[k][1]);
        char *text = test_format(D N "training:\n  lr: %s\n  decay: %s\n", one, two);
        rg_experiment *e = NULL;
        rg_error err = {""};
        assert_int_equal(rg_experiment_parse(&e, "f", text, strlen(text), NULL, 0, &err), RG_EDATA);
        char *expected = test_format("f:%d:%d: found more than 100000 configurations up to this "
                                     "list, expected at most that many",
                                     k == 0 ? 4 : 5, k == 0 ? 7 : 10);
        assert_string_equal(err.message, expected);
        free(expected);
        free(text);
        free(one);
        free(two);
    }
}

static void networks_together_may_not_be_too_large(void **state)
{
    char *directory = test_directory_make(), *path = test_format("%s/exp.yml", directory);
    char *digits = malloc(700001), *file;
    static const char *const alone = "network=a.yml";
    rg_experiment *e = NULL;
    rg_error error = {""};
    (void)state;
    assert_non_null(digits);
    memset(digits, '7', 700000);
    digits[700000] = '\0';
    /* Each is a file, for the long text is laid over by another: but not both in one. */
    file = test_format("layers: [dense: auto]\ntraining: {lr: %s}\n", digits);
    test_write(directory, "a.yml", file);
    test_write(directory, "b.yml", file);
    test_write(directory, "exp.yml", D "network: [a.yml, b.yml]\ntraining: {lr: 1}\n");
    assert_int_equal(rg_experiment_read(&e, path, NULL, 0, &error), RG_EDATA);
    assert_non_null(strstr(error.message, "exp.yml: all in one file: found 14"));
    ASSERT_OK(rg_experiment_read(&e, path, &alone, 1, err));
    rg_experiment_free(e);
    test_directory_remove(directory);
    free(path);
    free(digits);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_experiments_say_where_and_what),
        cmocka_unit_test(wrong_files_are_named_with_their_lines),
        cmocka_unit_test(a_missing_experiment_is_said),
        cmocka_unit_test(there_may_not_be_too_many_configurations),
        cmocka_unit_test(networks_together_may_not_be_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
