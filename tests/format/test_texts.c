/* test_texts.c - texts as sequences: words, letters, targets, mangled files, what sets of them are. */
#include "texts.h"

#include "base/alloc.h"
#include "graph/reorder.h"
#include "regula/build.h"

#include <math.h>
#include <stdio.h>

static rg_status read_words(rg_dataset **out, const char *text, rg_error *err)
{
    const text_file file = {"X.words", text};
    return read_texts(out, &rg_format_words, &file, 1, err);
}

static rg_status read_chars(rg_dataset **out, const char *text, rg_error *err)
{
    const text_file file = {"X.chars", text};
    return read_texts(out, &rg_format_chars, &file, 1, err);
}

/* The tokens of a text, each with a '|' behind it. */
static void spell(char *out, size_t size, const rg_dataset *data, size_t g)
{
    rg_graph graph = rg_dataset_graph(data, g);
    const uint32_t *ranks = rg_dataset_ranks(data, RG_NODE_LABEL, 0);
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < graph.n_nodes; i++)
        used += (size_t)snprintf(
            out + used, size - used, "%s|",
            rg_dataset_value_name(data, RG_NODE_LABEL, 0, ranks[graph.first_node + i]));
}

static void a_text_is_a_path_of_its_tokens(void **state)
{
    (void)state;
    static const struct {
        bool chars;
        const char *text, *tokens;
    } cases[] = {
        {false, "a dog", "a|dog|"},
        {false, "one", "one|"},
        {false, " two  words \r", "two|words|"},
        {false, "caf\xc3\xa9 au lait", "caf\xc3\xa9|au|lait|"},
        {false,
         "\xef\xbb\xbf"
         "a b",
         "a|b|"},
        {true, "ACGT", "A|C|G|T|"},
        {true, "a b", "a| |b|"},
        {true, "\xe2\x82\xac\xf0\x9f\x98\x80", "\xe2\x82\xac|\xf0\x9f\x98\x80|"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rg_dataset *data = NULL;
        char found[100];
        if (cases[c].chars)
            ASSERT_OK(read_chars(&data, cases[c].text, err));
        else
            ASSERT_OK(read_words(&data, cases[c].text, err));
        spell(found, sizeof found, data, 0);
        assert_string_equal(found, cases[c].tokens);
        rg_graph graph = rg_dataset_graph(data, 0);
        assert_int_equal(graph.n_arcs, 2 * (graph.n_nodes - 1));
        for (uint32_t i = 1; i < graph.n_nodes; i++)
            assert_true(test_has_edge(data, 0, i - 1, i) && test_has_edge(data, 0, i, i - 1));
        assert_int_equal(rg_dataset_sequence(data),
                         cases[c].chars ? RG_SEQUENCE_CHARS : RG_SEQUENCE_WORDS);
        rg_dataset_free(data);
    }
}

/* Models keep these numbers: they must never change. */
static void numbers_of_tokens_are_fixed(void **state)
{
    (void)state;
    assert_int_equal(rg_token_value("A", 1), 65);
    assert_int_equal(rg_token_value("\xc3\xa9", 2), 0xe9);
    assert_int_equal(rg_token_value("\xe2\x82\xac", 3), 0x20ac);
    assert_int_equal(rg_token_value("\xf0\x9f\x98\x80", 4), 0x1f600);
    assert_int_equal(rg_token_value("dog", 3), 3551150106096311);
    assert_int_equal(rg_token_value("man", 3), 2171152685236996);
    assert_true(rg_token_value("AB", 2) >= 0x110000);
}

static void targets_are_classes_words_or_reals(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_words(&data, "1\ta b\n0\tb\n\tc\n", err));
    assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), 1);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 0), 1);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 1), 0);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 2), RG_MISSING);
    rg_dataset_free(data);

    ASSERT_OK(read_words(&data, "spam\ta b\nham\tb\nspam\tc\n", err));
    for (size_t k = 0; k < 3; k++) {
        uint32_t rank = rg_dataset_ranks(data, RG_CLASS, 0)[k];
        assert_string_equal(rg_dataset_value_name(data, RG_CLASS, 0, rank),
                            k == 1 ? "ham" : "spam");
    }
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 1), rg_token_value("ham", 3));
    rg_dataset_free(data);

    ASSERT_OK(read_words(&data, "1\t0.5\tyes\ta\n2\tnan\tno\tb\n", err));
    assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), 1);
    assert_int_equal(rg_dataset_n_columns(data, RG_TARGET), 2);
    assert_true(rg_dataset_reals(data, RG_TARGET)[0] == 1 &&
                rg_dataset_reals(data, RG_TARGET)[1] == 0.5 &&
                isnan(rg_dataset_reals(data, RG_TARGET)[3]));
    rg_dataset_free(data);

    ASSERT_OK(read_words(&data, "no targets\nat all\n\n", err));
    assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), 0);
    assert_int_equal(rg_dataset_n_graphs(data), 2);
    rg_dataset_free(data);
}

static void mangled_files_say_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        bool chars;
        const char *text, *message;
    } cases[] = {
        {false, "1\ta\n2\tb\tc\n",
         "X.words:2: found 3 fields between tabs, expected 2 as in the first line"},
        {false, "1\ta\nb\n",
         "X.words:2: found 1 fields between tabs, expected 2 as in the first line"},
        {false, "1\t  \n", "X.words:1:3: found an empty text, expected words"},
        {false, "a\n\nb\n", "X.words:2: found an empty line, expected a text"},
        {true, "1\t\n", "X.chars:1:3: found an empty text, expected letters"},
        {false,
         "a b\xff"
         "c\n",
         "X.words:1:4: found byte 255, expected a letter in UTF-8"},
        {true, "1\tab\xc3\n", "X.chars:1:5: found byte 195, expected a letter in UTF-8"},
        {true, "a\x01\n", "X.chars:1:2: found byte 1, expected a letter in UTF-8"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const text_file file = {cases[c].chars ? "X.chars" : "X.words", cases[c].text};
        texts_refused(cases[c].chars ? &rg_format_chars : &rg_format_words, &file, 1, cases[c].text,
                      cases[c].message);
    }
    rg_dataset *data = NULL;
    const char *const texts[] = {"a b", " \n "};
    ASSERT_REFUSED(rg_dataset_from_texts(&data, "x", 7, RG_SEQUENCE_WORDS, texts, 2, err), RG_EDATA,
                   "x:8:1: found an empty text");
    ASSERT_REFUSED(rg_dataset_from_texts(&data, "x", 7, RG_SEQUENCE_WORDS, texts, 0, err), RG_EDATA,
                   "found nothing");
    ASSERT_REFUSED(rg_dataset_from_texts(&data, "x", 7, RG_SEQUENCE_NONE, texts, 1, err), RG_EUSAGE,
                   "expected words or letters");
}

static void texts_in_memory_are_those_of_a_file(void **state)
{
    (void)state;
    const char *const texts[] = {"a b c", "b", "d\ne"};
    rg_dataset *data = NULL, *other = NULL;
    char one[RG_DIGEST_SIZE], two[RG_DIGEST_SIZE];
    ASSERT_OK(rg_dataset_from_texts(&data, "x", 1, RG_SEQUENCE_WORDS, texts, 3, err));
    ASSERT_OK(read_words(&other, "a b c\nb\nd e\n", err));
    rg_dataset_digest(data, one);
    rg_dataset_digest(other, two);
    assert_string_equal(one, two);
    rg_dataset_free(other);
    /* The order of words is part of the content, and parts of a set are sequences, too. */
    ASSERT_OK(read_words(&other, "c b a\nb\nd e\n", err));
    rg_dataset_digest(other, two);
    assert_string_not_equal(one, two);
    rg_dataset_free(other);
    uint32_t first = 0;
    ASSERT_OK(rg_dataset_select(&other, data, &first, 1, err));
    assert_int_equal(rg_dataset_sequence(other), RG_SEQUENCE_WORDS);
    const rg_dataset *const both[] = {data, other};
    rg_dataset *joined = NULL;
    ASSERT_OK(rg_dataset_join(&joined, NULL, both, 2, err));
    assert_int_equal(rg_dataset_n_graphs(joined), 4);
    assert_int_equal(rg_dataset_sequence(joined), RG_SEQUENCE_WORDS);
    rg_dataset_free(joined);
    rg_dataset_free(other);
    ASSERT_OK(read_chars(&other, "abc\n", err));
    const rg_dataset *const unlike[] = {data, other};
    ASSERT_REFUSED(rg_dataset_join(&joined, NULL, unlike, 2, err), RG_EDATA,
                   "are not both sequences");
    rg_dataset_free(other);
    /* Shuffled nodes are a graph, not a text. */
    uint32_t *graphs = NULL, *nodes = NULL;
    ASSERT_OK(rg_dataset_shuffle(&graphs, &nodes, data, 1, err));
    ASSERT_OK(rg_dataset_reorder(&other, data, NULL, nodes, err));
    assert_int_equal(rg_dataset_sequence(other), RG_SEQUENCE_NONE);
    rg_free(graphs);
    rg_free(nodes);
    rg_dataset_free(other);
    rg_dataset_free(data);
}

static void memory_that_is_short_is_said(void **state)
{
    (void)state;
    const text_file file = {"X.words", "yes\t0.5\ta b c\nno\t1\tc d\n"};
    read_texts_sweep sweep = {&rg_format_words, &file, 1};
    assert_true(test_allocation_sweep(read_texts_once, &sweep) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_a_path_of_its_tokens),
        cmocka_unit_test(numbers_of_tokens_are_fixed),
        cmocka_unit_test(targets_are_classes_words_or_reals),
        cmocka_unit_test(mangled_files_say_what_is_wrong),
        cmocka_unit_test(texts_in_memory_are_those_of_a_file),
        cmocka_unit_test(memory_that_is_short_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
