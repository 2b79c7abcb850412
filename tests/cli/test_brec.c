/* test_brec.c - regula reproduce brec on a few pairs: what it counts, and files that are damaged. */
#include "support/program.h"

#include <string.h>

/* A ring of six and two triangles; the rook's graph and Shrikhande's. */
#define RINGS "EhEG\nEwCW\n"
#define BOARDS "O~`HW}GPHDaNaGPCcPWaN\nOlfJHsHBGK_\\oHWKeBK_\\\n"

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

static long long number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void pairs_are_counted_by_kind(void **state)
{
    static const struct {
        const char *labels;
        int rings, boards;
    } cases[] = {{"wl(depth=4)", 0, 0},
                 {"marked", 1, 0},
                 {"wl2", 1, 0},
                 {"marked(k=2)", 1, 1},
                 {NULL, 1, 1}};
    test_write(*state, "data/brec/brec.g6", RINGS BOARDS RINGS);
    test_write(*state, "data/brec/kinds.txt", "Rings\nBoards\nRings\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *line = cases[k].labels ? test_format("regula reproduce brec --json --labels '%s'",
                                                   cases[k].labels)
                                     : test_format("regula reproduce brec --format json");
        json_t *root = run_json(*state, line);
        const json_t *kinds = json_object_get(root, "kinds");
        assert_int_equal(number(root, "pairs"), 3);
        assert_int_equal(number(root, "distinguished"), 2 * cases[k].rings + cases[k].boards);
        assert_int_equal(number(root, "renumbered_copies_distinguished"), 0);
        assert_int_equal(number(json_object_get(kinds, "Rings"), "pairs"), 2);
        assert_int_equal(number(json_object_get(kinds, "Rings"), "distinguished"),
                         2 * cases[k].rings);
        assert_int_equal(number(json_object_get(kinds, "Boards"), "distinguished"),
                         cases[k].boards);
        assert_int_equal(json_array_size(json_object_get(root, "not_distinguished")),
                         3 - 2 * cases[k].rings - cases[k].boards);
        assert_int_equal(number(json_object_get(root, "published"), "I2-GNN"), 281);
        json_decref(root);
        free(line);
    }
    expect(*state, "regula reproduce brec --jobs 1 | sed -n 3,6p", 0,
           "kind    pairs  distinguished\n"
           "Rings       2              2\n"
           "Boards      1              1\n"
           "all         3              3\n",
           NULL);
}

static void what_is_not_right_is_said(void **state)
{
    static const struct {
        const char *graphs, *kinds, *arguments;
        int code;
        const char *message;
    } cases[] = {
        {NULL, NULL, "", 3, "BREC: found no brec/brec.g6 in '"},
        {RINGS "Bw\n", "A\nB\n", "", 3, "data/brec/brec.g6: found 3 graphs, expected two per pair"},
        {RINGS "B\n", "A\n", "", 3, "brec.g6"},
        {RINGS, "A\nB\n", "", 3, "data/brec/kinds.txt: found 2 lines, expected 1, one per pair"},
        {RINGS, "", "", 3, "data/brec/kinds.txt: found 0 lines, expected 1, one per pair"},
        {RINGS, "\n", "", 3, "data/brec/kinds.txt:1: found '', expected one of at most 16 kinds"},
        {RINGS, NULL, "", 4, "kinds.txt"},
        {RINGS, "A\n", " --labels markd", 2, "(did you mean 'marked'?)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *directory = test_directory_make();
        if (cases[k].graphs)
            test_write(directory, "data/brec/brec.g6", cases[k].graphs);
        if (cases[k].kinds)
            test_write(directory, "data/brec/kinds.txt", cases[k].kinds);
        char *line = test_format("regula reproduce brec%s", cases[k].arguments);
        program_result result = run(directory, "%s", line);
        if (result.code != cases[k].code || !strstr(result.err, cases[k].message))
            fail_msg("case %zu: %d, %s", k, result.code, result.err);
        program_result_free(&result);
        free(line);
        test_directory_remove(directory);
    }
    expect(*state, "regula reproduce runtimes --labels degree", 2, "",
           "regula: option '--labels': only brec has a labeling to choose\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_counted_by_kind),
        cmocka_unit_test(what_is_not_right_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
