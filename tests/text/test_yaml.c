/* test_yaml.c - YAML trees: what is there, where it stood, what is refused, typed values. */
#include "base/alloc.h"
#include "support/support.h"
#include "text/yaml.h"

#include <stdio.h>
#include <string.h>

static rg_yaml *parse(const char *text)
{
    rg_yaml *root = NULL;
    ASSERT_OK(rg_yaml_parse(&root, "f", text, strlen(text), err));
    return root;
}

static void a_tree_is_what_the_file_says(void **state)
{
    static const char text[] = "# a comment\n"
                               "one: 1\n"
                               "many: [a, 'b c', \"d\\n\"]\n"
                               "deep:\n"
                               "  - x: y\n"
                               "    z: {}\n"
                               "  - - 1\n"
                               "    - 2\n"
                               "none:\n"
                               "block: |\n"
                               "  two\n"
                               "  lines\n"
                               "fold: share wl(i)\n"
                               "  when edge(i,j)\n";
    (void)state;
    rg_yaml *root = parse(text);
    assert_int_equal(rg_yaml_kind_of(root), RG_YAML_MAP);
    assert_int_equal(rg_yaml_size(root), 6);
    assert_string_equal(rg_yaml_key(root, 0), "one");
    assert_string_equal(rg_yaml_text(rg_yaml_item(root, 0)), "1");
    assert_int_equal(rg_yaml_line(rg_yaml_item(root, 0)), 2);
    const rg_yaml *many = rg_yaml_find(root, "many");
    assert_int_equal(rg_yaml_kind_of(many), RG_YAML_LIST);
    assert_int_equal(rg_yaml_size(many), 3);
    assert_false(rg_yaml_is_quoted(rg_yaml_item(many, 0)));
    assert_true(rg_yaml_is_quoted(rg_yaml_item(many, 1)));
    assert_string_equal(rg_yaml_text(rg_yaml_item(many, 1)), "b c");
    assert_string_equal(rg_yaml_text(rg_yaml_item(many, 2)), "d\n");
    assert_null(rg_yaml_text(many));
    const rg_yaml *deep = rg_yaml_find(root, "deep"), *first = rg_yaml_item(deep, 0);
    assert_string_equal(rg_yaml_text(rg_yaml_find(first, "x")), "y");
    assert_int_equal(rg_yaml_line(rg_yaml_find(first, "z")), 6);
    assert_int_equal(rg_yaml_size(rg_yaml_find(first, "z")), 0);
    assert_int_equal(rg_yaml_size(rg_yaml_item(deep, 1)), 2);
    assert_string_equal(rg_yaml_text(rg_yaml_find(root, "none")), "");
    assert_string_equal(rg_yaml_text(rg_yaml_find(root, "block")), "two\nlines\n");
    assert_string_equal(rg_yaml_text(rg_yaml_find(root, "fold")), "share wl(i) when edge(i,j)");
    assert_null(rg_yaml_find(root, "nowhere"));
    assert_null(rg_yaml_find(many, "a"));
    assert_int_equal(rg_yaml_line(rg_yaml_key_node(root, 2)), 4);
    rg_yaml_free(root);
    rg_yaml_free(NULL);
}

static void an_empty_document_is_an_empty_map(void **state)
{
    static const char *const texts[] = {
        "", "\n\n", "# only this\n", "---\n", "---\n...\n", "\xef\xbb\xbf", "{}"};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        rg_yaml *root = parse(texts[k]);
        assert_int_equal(rg_yaml_kind_of(root), RG_YAML_MAP);
        assert_int_equal(rg_yaml_size(root), 0);
        rg_yaml_free(root);
    }
}

static void what_is_not_strict_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a: 1\nb: 2\na: 3\n", "f:3:1: found the key 'a' a second time (the first is in line 1)"},
        {"a: {b: 1, 'b': 2}", "f:1:11: found the key 'b' a second time (the first is in line 1)"},
        {"a: &x 1\n", "f:1:4: found the anchor 'x', expected none"},
        {"a: &x [1]\n", "f:1:4: found the anchor 'x', expected none"},
        {"&x {a: 1}\n", "f:1:1: found the anchor 'x', expected none"},
        {"a: *x\n", "f:1:4: found the alias 'x', expected none"},
        {"a: !!int 1\n", "f:1:4: found the tag 'tag:yaml.org,2002:int', expected none"},
        {"a: !x [1]\n", "f:1:4: found the tag '!x', expected none"},
        {"%TAG !e! tag:e,2000:\n---\na: 1\n", "f:1:1: found a %TAG directive, expected none"},
        {"a: 1\n<<: {b: 2}\n", "f:2:1: found the merge key '<<', expected none"},
        {"? [a]\n: 1\n", "f:1:3: found a list, expected a key"},
        {"{{}: 1}", "f:1:2: found a map, expected a key"},
        {"'': 1\n", "f:1:1: found an empty key, expected a word"},
        {"--- 1\n--- 2\n", "f:2:1: found a second document, expected one"},
        {"---\n---\na: 1\n", "f:2:1: found a second document, expected one"},
        {"a: \"\\0\"\n", "f:1:4: found a text with a zero byte, expected none"},
        {"a: 1\n\tb: 2\n", "f:2:1: found a tab, expected blanks"},
        {"a: [1, 2\nb: 3\n",
         "f:2:2: did not find expected ',' or ']' while parsing a flow sequence that began in line "
         "1"},
        {"a: {b: wl(depth=1, from=node)}\n",
         "f:1:8: found 'wl(depth=1', where '(' is not closed: inside { } a comma ends a "
         "value, so quote it"},
        {"a: {b: f(c) in {1,2}}\n", "f:1:16: did not find expected ',' or '}' while parsing a flow "
                                    "mapping that began in line 1 "
                                    "(a value with a comma or brackets inside { }: quote it)"},
        {"a: 'b\n",
         "f:2:1: found unexpected end of stream while scanning a quoted scalar that began in line "
         "1"},
        {"a: b: c\n", "f:1:5: mapping values are not allowed in this context"},
        {"a: 1\n b: 2\n", "f:2:3: mapping values are not allowed in this context"},
        {"a: 1\nb: \xc3(\n",
         "f:2:5: found a byte that is not text: invalid trailing UTF-8 octet, expected UTF-8"},
        {"\xc3\xa4: 1\n\xff",
         "f:2:1: found a byte that is not text: invalid leading UTF-8 octet, expected UTF-8"},
        {"\xc3\xa4\xc3\xa4: &x 1", "f:1:5: found the anchor 'x', expected none"},
        {"a: b\x01", "f:1:5: found a byte that is not text: control characters are not allowed, "
                     "expected UTF-8"},
    };
    (void)state;
    size_t n_right = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_yaml *root = NULL;
        rg_error err = {""};
        rg_status status = rg_yaml_parse(&root, "f", cases[k].text, strlen(cases[k].text), &err);
        if (status != RG_EDATA || root || strcmp(err.message, cases[k].message) != 0)
            print_error("%s:\n  %s\nexpected\n  %s\n", cases[k].text, err.message,
                        cases[k].message);
        else
            n_right++;
        rg_yaml_free(root);
    }
    assert_int_equal(n_right, sizeof cases / sizeof *cases);
}

/* `n` times what is given, then the end. Owned (free). */
static char *repeat(const char *part, size_t n, const char *end)
{
    size_t length = strlen(part);
    char *text = malloc(n * length + strlen(end) + 1);
    assert_non_null(text);
    for (size_t k = 0; k < n; k++)
        memcpy(text + k * length, part, length);
    strcpy(text + n * length, end);
    return text;
}

static void depth_size_and_keys_have_bounds(void **state)
{
    rg_yaml *root = NULL;
    rg_error error = {""};
    (void)state;
    char *deep = repeat("- ", RG_YAML_DEPTH_MAX, "x\n");
    ASSERT_OK(rg_yaml_parse(&root, "f", deep, strlen(deep), err));
    rg_yaml_free(root);
    root = NULL;
    free(deep);
    static const char *const openings[] = {"- ", "[", "{a: "};
    for (size_t k = 0; k < 3; k++) {
        deep = repeat(openings[k], 100000, "");
        assert_int_equal(rg_yaml_parse(&root, "f", deep, strlen(deep), &error), RG_EDATA);
        assert_non_null(
            strstr(error.message, "found more than 32 lists and maps inside each other"));
        free(deep);
    }
    char *large = repeat("# 3456\n", RG_YAML_BYTES_MAX / 7 + 1, "");
    assert_int_equal(rg_yaml_parse(&root, "f", large, strlen(large), &error), RG_EDATA);
    assert_string_equal(error.message, "f: found 1048579 bytes, expected at most 1048576");
    free(large);
    char *keys = malloc(20 * (RG_YAML_KEYS_MAX + 1)), *end = keys;
    assert_non_null(keys);
    for (int k = 0; k <= RG_YAML_KEYS_MAX; k++) {
        if (k == RG_YAML_KEYS_MAX) {
            ASSERT_OK(rg_yaml_parse(&root, "f", keys, (size_t)(end - keys), err));
            rg_yaml_free(root);
            root = NULL;
        }
        end += sprintf(end, "k%d: %d\n", k, k);
    }
    assert_int_equal(rg_yaml_parse(&root, "f", keys, (size_t)(end - keys), &error), RG_EDATA);
    assert_string_equal(error.message, "f:1025:1: found more than 1024 keys, expected fewer");
    assert_null(root);
    free(keys);
}

static void numbers_and_flags_are_plain(void **state)
{
    rg_yaml *root = parse("int: -7\nlong: 3.0\nreal: 1e-4\nyes: true\nno: false\n");
    int64_t i = 0;
    double r = 0;
    bool flag = false;
    (void)state;
    ASSERT_OK(rg_yaml_int(rg_yaml_find(root, "int"), &i, -7, 7, NULL, err));
    assert_int_equal(i, -7);
    ASSERT_OK(rg_yaml_int(rg_yaml_find(root, "long"), &i, 0, 7, NULL, err));
    assert_int_equal(i, 3);
    ASSERT_OK(rg_yaml_real(rg_yaml_find(root, "real"), &r, NULL, err));
    assert_true(r == 1e-4);
    ASSERT_OK(rg_yaml_bool(rg_yaml_find(root, "yes"), &flag, NULL, err));
    assert_true(flag);
    ASSERT_OK(rg_yaml_bool(rg_yaml_find(root, "no"), &flag, NULL, err));
    assert_false(flag);
    rg_yaml_free(root);
}

static void bad_values_say_what_was_expected(void **state)
{
    enum { INT, REAL, BOOL, WORD, KEYS };
    static const struct {
        const char *text;
        int type;
        const char *message;
    } cases[] = {
        {"a: x", INT, "f:1:4: found 'x', expected a whole number 1..9"},
        {"a: 0", INT, "f:1:4: found '0', expected a whole number 1..9"},
        {"a: 10", INT, "f:1:4: found '10', expected a whole number 1..9"},
        {"a: 1.5", INT, "f:1:4: found '1.5', expected a whole number 1..9"},
        {"a: 1 2", INT, "f:1:4: found '1 2', expected a whole number 1..9"},
        {"a: '5'", INT, "f:1:4: found the text '5', expected a whole number 1..9"},
        {"a:", INT, "f:1:3: found nothing, expected a whole number 1..9"},
        {"a: [5]", INT, "f:1:4: found a list, expected a whole number 1..9"},
        {"a: {b: 5}", INT, "f:1:4: found a map, expected a whole number 1..9"},
        {"a: nan", REAL, "f:1:4: found 'nan', expected a number"},
        {"a: .inf", REAL, "f:1:4: found '.inf', expected a number"},
        {"a: 1e999", REAL, "f:1:4: found '1e999', expected a number"},
        {"a: yes", BOOL, "f:1:4: found 'yes', expected true or false"},
        {"a: 'true'", BOOL, "f:1:4: found the text 'true', expected true or false"},
        {"a: fuld", WORD,
         "f:1:4: found 'fuld', expected each, full or none (did you mean 'full'?)"},
        {"a: xxx", WORD, "f:1:4: found 'xxx', expected each, full or none"},
        {"a: [each]", WORD, "f:1:4: found a list, expected each, full or none"},
        {"a: 0123456789012345678901234567890123456789x", WORD,
         "f:1:4: found '0123456789012345678901234567890123456789...', expected each, full or none"},
        {"a: \xc3\xa4"
         "123456789012345678901234567890123456789",
         WORD,
         "f:1:4: found '\xc3\xa4"
         "12345678901234567890123456789012345678...', expected each, full "
         "or none"},
        {"a:\n  eahc: 1", KEYS,
         "f:2:3: found the key 'eahc', expected each, full or none (did you mean 'each'?)"},
        {"a: [1]", KEYS,
         "f:1:4: found a list, expected a map with keys such as each, full or none"},
    };
    static const char *const words[] = {"each", "full", "none"};
    (void)state;
    size_t n_right = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_yaml *root = parse(cases[k].text);
        const rg_yaml *node = rg_yaml_find(root, "a");
        int64_t i = 77;
        double r = 77;
        bool flag = false;
        size_t word = 77;
        rg_error err = {""};
        rg_status status = cases[k].type == INT    ? rg_yaml_int(node, &i, 1, 9, NULL, &err)
                           : cases[k].type == REAL ? rg_yaml_real(node, &r, NULL, &err)
                           : cases[k].type == BOOL ? rg_yaml_bool(node, &flag, NULL, &err)
                           : cases[k].type == WORD ? rg_yaml_word(node, &word, words, 3, &err)
                                                   : rg_yaml_keys(node, words, 3, &err);
        if (status != RG_EDATA || strcmp(err.message, cases[k].message) != 0)
            print_error("%s:\n  %s\nexpected\n  %s\n", cases[k].text, err.message,
                        cases[k].message);
        else
            n_right++;
        assert_true(i == 77 && r == 77 && word == 77 && !flag);
        rg_yaml_free(root);
    }
    assert_int_equal(n_right, sizeof cases / sizeof *cases);
}

static const char sample[] = "a: [1, {b: c, d: [e, f]}]\ng: 'h'\ni:\n  - j\n  - k: l\n";

static rg_status parse_sample(void *context, rg_error *err)
{
    rg_yaml *root = NULL;
    (void)context;
    rg_status status = rg_yaml_parse(&root, "f", sample, strlen(sample), err);
    rg_yaml_free(root);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(parse_sample, NULL) > 20);
}

static rg_status read_sample(void *context, rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_read(&root, context, err);
    rg_yaml_free(root);
    return status;
}

static void files_are_read_or_complained_about(void **state)
{
    char *directory = test_directory_make();
    char *path = test_format("%s/a.yml", directory), *other = test_format("%s/b.yml", directory);
    rg_yaml *root = NULL;
    rg_error error = {""};
    (void)state;
    test_write(directory, "a.yml", sample);
    ASSERT_OK(rg_yaml_read(&root, path, err));
    assert_int_equal(rg_yaml_size(root), 3);
    rg_yaml_free(root);
    root = NULL;
    assert_true(test_io_sweep(read_sample, path) > 0);
    assert_int_equal(rg_yaml_read(&root, other, &error), RG_EIO);
    assert_int_equal(rg_yaml_read(&root, directory, &error), RG_EIO);
    test_write(directory, "b.yml", "a: 1\na: 2\n");
    assert_int_equal(rg_yaml_read(&root, other, &error), RG_EDATA);
    char *message =
        test_format("%s:2:1: found the key 'a' a second time (the first is in line 1)", other);
    assert_string_equal(error.message, message);
    assert_null(root);
    free(message);
    free(path);
    free(other);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_what_the_file_says),
        cmocka_unit_test(an_empty_document_is_an_empty_map),
        cmocka_unit_test(what_is_not_strict_is_refused_with_its_place),
        cmocka_unit_test(depth_size_and_keys_have_bounds),
        cmocka_unit_test(numbers_and_flags_are_plain),
        cmocka_unit_test(bad_values_say_what_was_expected),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(files_are_read_or_complained_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
