/* test_yaml_edit.c - trees of YAML that are copied, changed and printed. */
#include "base/alloc.h"
#include "support/support.h"
#include "text/yaml_edit.h"

#include <string.h>

static rg_yaml *parse(const char *name, const char *text)
{
    rg_yaml *root = NULL;
    ASSERT_OK(rg_yaml_parse(&root, name, text, strlen(text), err));
    return root;
}

/* As the value of a key "v". Owned (rg_free). */
static char *print(const rg_yaml *node)
{
    rg_text text = {0};
    rg_text_add(&text, "v:");
    rg_yaml_print(&text, node, 0);
    char *out = rg_text_take(&text);
    assert_non_null(out);
    return out;
}

static bool equal(const rg_yaml *a, const rg_yaml *b)
{
    if (rg_yaml_kind_of(a) != rg_yaml_kind_of(b) || rg_yaml_size(a) != rg_yaml_size(b))
        return false;
    if (rg_yaml_text(a))
        return strcmp(rg_yaml_text(a), rg_yaml_text(b)) == 0;
    for (size_t k = 0; k < rg_yaml_size(a); k++)
        if ((rg_yaml_kind_of(a) == RG_YAML_MAP &&
             strcmp(rg_yaml_key(a, k), rg_yaml_key(b, k)) != 0) ||
            !equal(rg_yaml_item(a, k), rg_yaml_item(b, k)))
            return false;
    return true;
}

static void trees_are_printed_and_read_back(void **state)
{
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"v: 1", "v: 1\n"},
        {"v: '1'", "v: \"1\"\n"},
        {"v: 'word'", "v: word\n"},
        {"v: 'true'", "v: \"true\"\n"},
        {"v: true", "v: true\n"},
        {"v: -1.5e-7", "v: -1.5e-7\n"},
        {"v: '-'", "v: \"-\"\n"},
        {"v: \"\"", "v: \"\"\n"},
        {"v: $lr", "v: $lr\n"},
        {"v: 0.${lr}", "v: 0.${lr}\n"},
        {"v: [0.05, $lr]", "v: [0.05, $lr]\n"},
        {"v:\n- 0.${lr}\n", "v:\n  - 0.${lr}\n"},
        {"v: 'a: b'", "v: \"a: b\"\n"},
        {"v: 'a #b'", "v: \"a #b\"\n"},
        {"v: 'tail '", "v: \"tail \"\n"},
        {"v: \"two\\nlines \\u00e9 \\u0085 \\U0001F600\"",
         "v: \"two\\u000Alines \\u00E9 \\u0085 \\U0001F600\"\n"},
        {"v: []", "v: []\n"},
        {"v: {}", "v: {}\n"},
        {"v: [a, b c, 3]", "v: [a, b c, 3]\n"},
        {"v: ['f(a, b)', c]", "v:\n  - f(a, b)\n  - c\n"},
        {"v: [[1, 2], [], {}]", "v:\n  - [1, 2]\n  - []\n  - {}\n"},
        {"v: [['f(a, b)'], {x: y, 'z ': [{w: 1}]}]",
         "v:\n  -\n    - f(a, b)\n  - x: y\n    \"z \":\n      - w: 1\n"},
        {"v: {a: {b: {c: 1, d: 2}}, e: 3}", "v:\n  a:\n    b:\n      c: 1\n      d: 2\n  e: 3\n"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_yaml *root = parse("f", cases[k].text);
        char *once = print(rg_yaml_item(root, 0));
        assert_string_equal(once, cases[k].printed);
        rg_yaml *again = parse("again", once);
        assert_true(equal(root, again));
        char *twice = print(rg_yaml_item(again, 0));
        assert_string_equal(once, twice);
        rg_free(once);
        rg_free(twice);
        rg_yaml_free(root);
        rg_yaml_free(again);
    }
}

static void one_line_is_flow_style(void **state)
{
    rg_yaml *root = parse("f", "{a: ['x, y', 2, {}], '3': {b: []}, c d: \"\"}");
    rg_text text = {0};
    (void)state;
    rg_yaml_print_flow(&text, root);
    char *line = rg_text_take(&text);
    assert_string_equal(line, "{a: [\"x, y\", 2, {}], \"3\": {b: []}, c d: \"\"}");
    rg_free(line);
    rg_yaml_free(root);
}

static void pieces_keep_their_places(void **state)
{
    rg_yaml *base = parse("base.yml", "a: 1\nb:\n  c: 2\n"), *over = parse("over.yml", "\nc: x\n");
    rg_yaml *tree = NULL, *key = NULL, *value = NULL;
    rg_error error = {""};
    (void)state;
    ASSERT_OK(rg_yaml_copy(&tree, base, err));
    ASSERT_OK(rg_yaml_copy(&key, rg_yaml_key_node(over, 0), err));
    ASSERT_OK(rg_yaml_copy(&value, rg_yaml_item(over, 0), err));
    ASSERT_OK(rg_yaml_put(rg_yaml_edit_find(tree, "b"), key, value, err));
    int64_t number = 0;
    const rg_yaml *c = rg_yaml_find(rg_yaml_find(tree, "b"), "c");
    assert_int_equal(rg_yaml_int(c, &number, 0, 9, "a digit", &error), RG_EDATA);
    assert_string_equal(error.message, "over.yml:2:4: found 'x', expected a digit");
    rg_yaml *a = rg_yaml_edit(tree, 0);
    ASSERT_OK(rg_yaml_retext(a, "y", false, "over.yml:7:1: $n is y", err));
    ASSERT_OK(rg_yaml_retext(a, "z", true, "twice", err));
    assert_int_equal(rg_yaml_int(a, &number, 0, 9, "a digit", &error), RG_EDATA);
    assert_string_equal(error.message, "twice: over.yml:7:1: $n is y: base.yml:1:4: found the text "
                                       "'z', expected a digit");
    assert_string_equal(rg_yaml_text(rg_yaml_find(base, "a")), "1");
    assert_string_equal(rg_yaml_name(base), "base.yml");
    assert_int_equal(rg_yaml_column(c), 4);
    rg_yaml_free(tree);
    rg_yaml_free(base);
    rg_yaml_free(over);
}

static void pairs_are_put_and_removed(void **state)
{
    rg_yaml *map = NULL;
    (void)state;
    ASSERT_OK(rg_yaml_new(&map, "none", NULL, err));
    for (int k = 0; k < 10; k++) {
        rg_yaml *key = NULL, *value = NULL;
        const char name[2] = {(char)('a' + k % 7), '\0'};
        ASSERT_OK(rg_yaml_new(&key, "none", name, err));
        ASSERT_OK(rg_yaml_new(&value, "none", k < 7 ? "first" : "second", err));
        ASSERT_OK(rg_yaml_put(map, key, value, err));
    }
    rg_yaml_remove(map, "b");
    rg_yaml_remove(map, "g");
    rg_yaml_remove(map, "z");
    assert_null(rg_yaml_edit_find(map, "b"));
    char *text = print(map);
    assert_string_equal(text, "v:\n  a: second\n  c: second\n  d: first\n  e: first\n  f: first\n");
    rg_free(text);
    rg_yaml_free(map);
}

static rg_status edit(void *context, rg_error *err)
{
    rg_yaml *copy = NULL, *key = NULL, *value = NULL;
    rg_status status = rg_yaml_copy(&copy, context, err);
    if (!status)
        status = rg_yaml_new(&key, "k", "more", err);
    if (!status)
        status = rg_yaml_new(&value, "v", NULL, err);
    if (!status) {
        status = rg_yaml_put(copy, key, value, err);
        key = value = NULL;
    }
    if (!status)
        status = rg_yaml_retext(rg_yaml_edit(copy, 0), "2", false, "here", err);
    rg_yaml_free(key);
    rg_yaml_free(value);
    rg_yaml_free(copy);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    rg_yaml *root = parse("f", "a: 1\nb: [x, {y: z}]\n");
    (void)state;
    assert_true(test_allocation_sweep(edit, root) > 20);
    rg_yaml_free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_printed_and_read_back),
        cmocka_unit_test(one_line_is_flow_style),
        cmocka_unit_test(pieces_keep_their_places),
        cmocka_unit_test(pairs_are_put_and_removed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
