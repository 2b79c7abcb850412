/* test_cli_auto.c - training without a network file: what is chosen, by name, and changed on the way. */
#include "support/program.h"

#include <string.h>

static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    expect(directory, "regula data generate CSL --out csl --graphs 30", 0, "30 graphs", "");
    expect(directory, "regula data split csl --folds 3 --out csl.json", 0, "3 folds", "");
    test_write(directory, "one.yml",
               "data: csl\nnetwork:\n  input: constant\n  labels: {a: degree}\n"
               "  layers: [aggregate: \"share out, a(i)\"]\n"
               "training: {epochs: 3, lr: 0.01}\n");
    test_write(directory, "many.yml",
               "data: csl\nnetwork:\n  layers: [aggregate: \"share out, degree(i)\"]\n"
               "training: {lr: [0.1, 0.01]}\n");
    test_write(
        directory, "two.csv",
        "smiles,a,b\nCCO,1,0\nCCN,0,1\nCCCl,1,1\nc1ccccc1,0,\nCCBr,,1\nCSC,0,0\nCCF,1,0\nCO,0,1\n"
        "CC,1,1\nCNC,0,0\n");
    test_write(directory, "real.csv",
               "smiles,a\nCCO,1.5\nCCN,0.5\nCCCl,1\nc1ccccc1,-1\nCCBr,2.5\nCSC,3\n");
    test_write(directory, "places.yml",
               "labels: {atom: node, place: node(8)}\ninput: constant\nlayers:\n"
               "  - rule: share place(i), atom(j), bond(i,j) when edge(i,j) and node(i,8) > 0\n"
               "  - aggregate: share out, place(i)\ntraining: {epochs: 2}\n");
    test_write(directory, "net.yml", "layers: [aggregate: \"share out, degree(i)\"]\n");
    return 0;
}

static void a_network_is_chosen_and_said_why(void **state)
{
    const char *directory = *state;
    static const program_line lines[] = {
        {"regula train csl -m a.safetensors --epochs 2 --lr 0.01", 0, "epochs", "labels: "},
        {"regula train csl -m a.safetensors --epochs 2 --lr 0.01", 0, "epochs",
         "changed by you: training.lr=0.01\n"},
        {"regula train '" REGULA_SOURCE "/examples/nodes' -m n.safetensors", 3, "",
         "has targets of nodes, and no network is chosen for these"},
        {"regula train two.csv --target a -m c.safetensors --epochs 2 -q --set "
         "labels.kind='combine(node, "
         "node(1), node(2))'",
         0, "best epoch", NULL},
        {"regula train two.csv --target a --places edges -n places.yml -m p.safetensors -q", 0,
         "best epoch", NULL},
        {"regula explain p.safetensors CO --places edges", 0,
         "a carbon to an edge, by a single bond", NULL},
        {"regula explain c.safetensors CO", 0, "a carbon with 3 hydrogens", NULL},
        {"regula train csl -m a.safetensors --epochs 2 -q -n auto", 0, "best epoch", NULL},
        {"regula train csl -m a.safetensors --epochs 2 -q -n auto --split csl.json --fold 1", 0,
         "test", NULL},
        {"regula predict a.safetensors csl", 0, NULL, NULL},
        {"regula train csl -m b.safetensors --epochs 2 --rule 'share dist(i,j) when dist(i,j) <= "
         "2' "
         "--rule 'share kind(i) when i = j'",
         0, "weights used", "rules: 2 of yours"},
        {"regula new two.csv --target a", 0, "\nlayers:\n", ""},
        {"regula train two.csv --target a -m t.safetensors --epochs 2", 0, "best epoch",
         ", 2 classes\n"},
        {"regula train two.csv --target a,b -m t.safetensors --epochs 2", 0, "best epoch",
         "2 yes-or-no answers"},
        {"regula train real.csv -m t.safetensors --epochs 2", 0, "best epoch",
         "message passing between atoms"},
        {"regula train real.csv -m t.safetensors --epochs 2 --rule 'share kind(i) when i = j'", 0,
         "best epoch", "rules: 1 of yours"},
        {"regula train csl -m b.safetensors --rule 'share dist(i,k)'", 3, "", "found 'k'"},
        {"regula train csl -m b.safetensors -n net.yml --rule 'share i = j'", 2, "",
         "'--rule' is for '--network auto'"},
    };
    expect_lines(directory, lines, sizeof lines / sizeof *lines);
}

static void a_new_file_is_what_is_trained(void **state)
{
    const char *directory = *state;
    static const program_line lines[] = {
        {"regula new csl --split csl.json > new.yml", 0, "", ""},
        {"regula new csl", 0, "\nlayers:\n", ""},
        {"regula new csl", 0, "# A network that regula chose for CSL", ""},
        {"regula train csl -q -n new.yml -m c.safetensors --epochs 3 --split csl.json", 0, "epoch",
         NULL},
        {"regula train csl -q -m d.safetensors --epochs 3 --split csl.json", 0, "epoch", NULL},
        {"cmp c.safetensors d.safetensors", 0, "", ""},
    };
    expect_lines(directory, lines, sizeof lines / sizeof *lines);
}

static void networks_have_names_and_can_be_changed(void **state)
{
    const char *directory = *state;
    static const program_line lines[] = {
        {"regula train csl -q -m e.safetensors -n paper:csl --epochs 2", 0, "parameters", NULL},
        {"regula train csl -q -m e.safetensors -n gin --set training.epochs=1", 0, "parameters",
         NULL},
        {"regula train csl -q -m e.safetensors -n gim", 4, "", "did you mean 'gin'?"},
        {"regula train csl -q -m e.safetensors -n missing.yml", 4, "", "there is no such file"},
        {"regula train csl -q -m e.safetensors -n net.yml --epochs 2 --batch 5 --lr 0.5", 0,
         "best epoch", NULL},
        {"regula train csl -q -m e.safetensors -n net.yml --set training.epoch=2", 3, "",
         "did you mean 'epochs'?"},
        {"regula train csl -q -m e.safetensors -n net.yml --set epochs", 2, "", "--set 'epochs'"},
        {"regula train csl -q -m e.safetensors -n one.yml", 0, "best epoch", NULL},
        {"regula train csl -q -m e.safetensors -n one.yml --epochs 2", 0, "best epoch", NULL},
        {"regula train csl -q -m e.safetensors -n many.yml", 3, "", "2 configurations"},
        {"regula train csl -q -m e.safetensors -n many.yml --lr 0.1 --epochs 1", 0, "best epoch",
         NULL},
    };
    expect_lines(directory, lines, sizeof lines / sizeof *lines);
}

/* Names of settings that other programs have: the same bytes. */
static void other_names_of_settings_are_understood(void **state)
{
    const char *directory = *state;
    static const char text[] = "layers:\n  - dense: 4\n    activation: %s\n"
                               "  - aggregate: \"share out, degree(i)\"\n"
                               "training: {%s: 0.02, %s: 5, %s: adamw, %s: 0.1, epochs: 2}\n";
    char *ours = test_format(text, "leaky-relu", "lr", "batch", "optimiser", "decay"),
         *theirs = test_format(text, "LeakyReLU", "learning_rate", "batch_size", "optimizer",
                               "weight_decay"),
         *others = test_format(text, "leaky_relu", "learning_rate", "batch_size", "optimizer",
                               "weight_decay"),
         *both = test_format(text, "relu", "lr", "learning_rate", "optimiser", "decay");
    test_write(directory, "ours.yml", ours);
    test_write(directory, "theirs.yml", theirs);
    test_write(directory, "others.yml", others);
    test_write(directory, "both.yml", both);
    test_write(directory, "over.yml",
               "data: csl\nnetwork: ours.yml\ntraining: {learning_rate: [0.1, 0.2], epochs: 1}\n"
               "splits: {folds: 3}\n");
    static const program_line lines[] = {
        {"regula train csl -q -m 1.safetensors -n ours.yml", 0, "best epoch", ""},
        {"regula train csl -q -m 2.safetensors -n theirs.yml", 0, "best epoch", ""},
        {"regula train csl -q -m 3.safetensors -n others.yml", 0, "best epoch", ""},
        {"cmp 1.safetensors 2.safetensors && cmp 1.safetensors 3.safetensors", 0, "", ""},
        {"regula train csl -q -m 4.safetensors -n theirs.yml --lr 0.5", 0, "best epoch", ""},
        {"regula train csl -q -m 5.safetensors -n ours.yml --set training.learning_rate=0.5", 0,
         "best epoch", ""},
        {"cmp 4.safetensors 5.safetensors", 0, "", ""},
        {"regula train csl -q -m 6.safetensors -n both.yml", 3, "", "which are one setting"},
        {"regula run over.yml -q -j 1 --out over && regula show over --table configurations", 0,
         "lr=0.2", NULL},
        {"regula train csl -q -m 6.safetensors -n over.yml", 3, "", "2 configurations"},
        {"regula train csl -q -m 6.safetensors -n over.yml --lr 0.1", 0, "best epoch", ""},
    };
    expect_lines(directory, lines, sizeof lines / sizeof *lines);
    free(ours);
    free(theirs);
    free(others);
    free(both);
}

static void a_best_epoch_that_is_the_last_is_pointed_out(void **state)
{
    const char *directory = *state;
    static const program_line lines[] = {
        {"regula train csl -q -m f.safetensors -n net.yml --epochs 1", 0, "--epochs 2", ""},
        {"regula train csl -q -m f.safetensors -n net.yml --epochs 1 --validation 0", 0,
         "best epoch 1\ntrain", ""},
        {"regula train csl -q -m f.safetensors -n net.yml --epochs 1 --set training.best=last", 0,
         "best epoch 1\ntrain", ""},
    };
    expect_lines(directory, lines, sizeof lines / sizeof *lines);
}

static void a_data_set_can_be_run(void **state)
{
    const char *directory = *state;
    static const program_line lines[] = {
        {"regula run csl --splits 3 --set training.epochs=2 --out r1", 0, "fair", "labels: "},
        {"regula run csl --splits 3 --set training.epochs=2 --out r1 -q -j 1", 0, "fair", NULL},
        {"regula show r1", 0, "fair", NULL},
        {"regula run csl --splits csl.json --set training.epochs=1 --set 'folds=[1]' --runs 2 -q",
         0, "runs/CSL/models", NULL},
        {"regula run csl --splits csl.json --set training.epochs=1 --rule 'share dist(i,j) when "
         "dist(i,j) <= 2' -q",
         0, "runs/CSL-rule/models", NULL},
        {"regula run csl --splits csl.json -n net.yml --model majority,nog -q", 0, "majority",
         NULL},
        {"regula run csl --splits csl.json -n paper:csl --set training.epochs=1 -q", 0,
         "runs/CSL-paper_csl", NULL},
        {"regula run nothing", 4, "", "nothing"},
        {"regula run nothing.yml", 4, "", "nothing.yml"},
        {"regula run one.yml --runs 2", 2, "", "option '--runs' is for data sets"},
        {"regula run csl --set data=x", 2, "", "the data are an argument"},
        {"regula run csl --model nonsense --splits 3", 3, "", "nonsense"},
    };
    expect_lines(directory, lines, sizeof lines / sizeof *lines);
    json_t *root = run_json(directory, "regula run csl --splits 3 --set training.epochs=2 --out r1 "
                                       "-q --json");
    assert_int_equal(json_array_size(json_object_get(root, "folds")), 3);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_is_chosen_and_said_why),
        cmocka_unit_test(a_new_file_is_what_is_trained),
        cmocka_unit_test(networks_have_names_and_can_be_changed),
        cmocka_unit_test(a_data_set_can_be_run),
        cmocka_unit_test(other_names_of_settings_are_understood),
        cmocka_unit_test(a_best_epoch_that_is_the_last_is_pointed_out),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
