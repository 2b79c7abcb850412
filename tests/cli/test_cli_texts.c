/* test_cli_texts.c - texts from the command line: docs/sequences.md, files of any name, standard input. */
#include "support/program.h"

#define TEXTS REGULA_SOURCE "/examples/texts"

static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "tiny.tsv", "yes\tnot bad\nno\tbad\nyes\tgood\nno\tnot good\n");
    test_write(directory, "new.words", "not bad\nnot seen\n");
    test_write(
        directory, "net.yml",
        "input: constant\nlayers:\n  - rule: share token(j) = \"not\", token(i) when j - i in "
        "-1..0\n    bias: share token(i)\n  - aggregate: share out, token(i)\n"
        "training: {epochs: 200, lr: 0.1}\n");
    return 0;
}

/* The share of the test part that a model has right, from the record of its training. */
static double test_score(const char *directory, const char *data, const char *network,
                         const char *split)
{
    char *line = test_format("regula train " TEXTS "/%s --network " TEXTS
                             "/%s --model m.safetensors --split %s --json --quiet",
                             data, network, split);
    json_t *root = run_json(directory, line);
    double score = json_number_value(json_object_get(root, "test_accuracy"));
    json_decref(root);
    free(line);
    return score;
}

static void the_order_of_words_can_be_learned_and_their_number_not(void **state)
{
    expect(*state,
           "regula data split " TEXTS "/bites.words --holdout 0.3 --validation 0.1 --seed 1 "
           "--out bites.json && regula data split " TEXTS
           "/promoters.chars --holdout 0.3 --validation 0.1 --seed 1 --out promoters.json",
           0, "1 fold", "");
    assert_true(test_score(*state, "bites.words", "order.yml", "bites.json") > 0.97);
    double bag = test_score(*state, "bites.words", "bag.yml", "bites.json");
    assert_true(bag > 0.35 && bag < 0.65);
    assert_true(test_score(*state, "promoters.chars", "positions.yml", "promoters.json") > 0.85);
    double letters = test_score(*state, "promoters.chars", "letters.yml", "promoters.json");
    assert_true(letters > 0.35 && letters < 0.65);
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula data info tiny.tsv --input-format words", 0, "words              3 different", ""},
        {"regula data info tiny.tsv --input-format words", 0, "class yes        2\n", ""},
        {"regula data info tiny.tsv --format words", 0, "class yes        2\n",
         "regula: '--format' is called '--input-format' now\n"},
        {"regula data info new.words", 0, "real targets       none", ""},
        {"regula train tiny.tsv --input-format words -n net.yml -m tiny.safetensors --validation 0",
         0, "train              100.0 %", ""},
        {"regula evaluate tiny.safetensors tiny.tsv --input-format words", 0,
         "accuracy           100.00 %", ""},
        {"regula predict tiny.safetensors new.words", 0, "0\tyes\t", "warning: not in the model"},
        {"printf 'bad\\n\\nno\\tnot  bad\\n' | regula predict tiny.safetensors -", 0, "0\tno\t",
         ""},
        {"printf 'bad\\n\\nno\\tnot  bad\\n' | regula predict tiny.safetensors -", 0, "\n1\tyes\t",
         ""},
        {"printf 'bad\\nno\\377\\nbad\\n' | regula predict tiny.safetensors - | cut -f 1,2,3 | "
         "sed 's/0[.][0-9]*/p/'",
         0, "0\tno\tp\n-\terror\tstandard input:2:3: found byte 255",
         "regula: warning: 1 lines could not be answered: their rows say why\n"},
        {"regula explain tiny.safetensors --top 50", 0, "from any node to \"good\"", ""},
        {"regula explain tiny.safetensors tiny.tsv --input-format words --graph 3", 0,
         ": \"good\"\n", ""},
        {"regula rule check 'share token(i), j - i when j - i in -2..2' tiny.tsv --input-format "
         "words",
         0, "pairs with offset(i,j) in -2..2", ""},
        {"regula rule check 'share token(i) when pos(i) > 1' " REGULA_SOURCE "/examples/molecules",
         3, "", "nodes have no order"},
        {"regula data info net.yml --input-format chars", 0, "letters", ""},
    };
    expect_lines(*state, cases, sizeof cases / sizeof *cases);
}

static void the_commands_of_the_documentation_run(void **state)
{
    expect(*state,
           "ln -s " REGULA_SOURCE "/examples examples && "
           "awk '/^    (regula|echo) / { here = 1 } !/^    / { here = 0 } here && !/^      "
           "/' " REGULA_SOURCE
           "/docs/sequences.md > commands && sh -e commands >/dev/null && grep -c regula commands",
           0, "10\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_words_can_be_learned_and_their_number_not),
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(the_commands_of_the_documentation_run),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
