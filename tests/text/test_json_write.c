/* test_json_write.c - the writer of JSON, against jansson where it lays out as that does. */
#include "support/support.h"

#include "base/alloc.h"
#include "base/random.h"
#include "text/json_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_some(rg_json *json)
{
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "n", 3);
    rg_json_open(json, "list", '[');
    rg_json_real(json, NULL, 0.1);
    rg_json_bool(json, NULL, false);
    rg_json_close(json, '[');
    rg_json_open(json, "none", '[');
    rg_json_close(json, '[');
    rg_json_close(json, '{');
}

static void layouts_differ_in_blanks_and_lines_alone(void **state)
{
    (void)state;
    static const struct {
        unsigned layout;
        const char *expected;
    } cases[] = {
        {0, "{\"n\":3,\"list\":[0.1,false],\"none\":[]}"},
        {RG_JSON_BLANKS, "{\"n\": 3, \"list\": [0.1, false], \"none\": []}"},
        {RG_JSON_LINES,
         "{\n  \"n\": 3,\n  \"list\": [\n    0.1,\n    false\n  ],\n  \"none\": []\n}"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_json json = {.layout = cases[k].layout};
        for (int twice = 0; twice < 2; twice++) { /* taking leaves it empty */
            write_some(&json);
            char *text = rg_json_take(&json);
            assert_string_equal(text, cases[k].expected);
            rg_free(text);
        }
    }
}

static void strings_are_escaped_as_the_layout_says(void **state)
{
    (void)state;
    static const struct {
        const char *string, *ascii, *page, *utf8;
    } cases[] = {
        {"a\"\\/", "\"a\\\"\\\\/\"", "\"a\\\"\\\\/\"", "\"a\\\"\\\\/\""},
        {"<&>", "\"<&>\"", "\"\\u003c\\u0026\\u003e\"", "\"<&>\""},
        {"\t\n\x1b", "\"???\"", "\"\\u0009\\n\\u001b\"", "\"\\t\\n\\u001B\""},
        {"\xc3\xa9", "\"\\u00e9\"", "\"\\u00e9\"", "\"\xc3\xa9\""},
        {"\xc3x", "\"?x\"", "\"\\ufffdx\"", "\"?x\""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *expected[] = {cases[k].ascii, cases[k].page, cases[k].utf8};
        const unsigned layouts[] = {0, RG_JSON_PAGE, RG_JSON_UTF8};
        for (size_t l = 0; l < 3; l++) {
            rg_json json = {.layout = layouts[l]};
            rg_json_string(&json, NULL, cases[k].string);
            char *text = rg_json_take(&json);
            assert_string_equal(text, expected[l]);
            rg_free(text);
        }
    }
}

/* ---- trees of any kind */

/* Below n; *at: draws so far. */
static uint64_t draw(uint64_t *at, uint64_t n)
{
    return rg_random_u64(7, 0, ++*at) % n;
}

static json_t *any_string(uint64_t *at)
{
    static const char *const parts[] = {"a",  "\"",   "\\",       "/",
                                        "\n", "\b",   "\xc3\xa9", "\xf0\x9f\x98\x80",
                                        "<",  "\x7f", "\x01",     "\xc2\x85"};
    char text[64] = "";
    for (uint64_t n = draw(at, 8); n > 0; n--)
        strcat(text, parts[draw(at, sizeof parts / sizeof *parts)]);
    return json_string(text);
}

static json_t *any_tree(uint64_t *at, int depth)
{
    static const double reals[] = {0, -0.0, 1, 1.5, 0.1, 1e15, 1e16, 1e-5, -3.25e-300, 1e300};
    json_t *tree = NULL;
    switch (draw(at, depth > 0 ? 8 : 6)) {
    case 0:
        return json_integer((json_int_t)draw(at, UINT64_MAX));
    case 1:
        return json_real(reals[draw(at, sizeof reals / sizeof *reals)]);
    case 2:
        return json_real(ldexp((double)draw(at, 1u << 30), (int)draw(at, 200) - 100));
    case 3:
        return any_string(at);
    case 4:
        return json_boolean(draw(at, 2));
    case 5:
        return json_null();
    case 6:
        tree = json_array();
        for (uint64_t n = draw(at, 4); n > 0; n--)
            json_array_append_new(tree, any_tree(at, depth - 1));
        return tree;
    default:
        tree = json_object();
        for (uint64_t n = draw(at, 4); n > 0; n--) {
            json_t *key = any_string(at);
            json_object_set_new(tree, json_string_value(key), any_tree(at, depth - 1));
            json_decref(key);
        }
        return tree;
    }
}

static void trees_have_the_bytes_of_jansson(void **state)
{
    (void)state;
    uint64_t at = 0;
    for (int k = 0; k < 2000; k++) {
        json_t *tree = any_tree(&at, 4);
        for (int lines = 0; lines < 2; lines++) {
            rg_json json = {.layout = RG_JSON_UTF8 | RG_JSON_DIGITS | (lines ? RG_JSON_LINES : 0)};
            rg_json_tree(&json, NULL, tree);
            char *ours = rg_json_take(&json);
            char *theirs = json_dumps(tree, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) |
                                                (lines ? JSON_INDENT(2) : JSON_COMPACT));
            assert_string_equal(ours, theirs);
            rg_free(ours);
            free(theirs);
        }
        json_decref(tree);
    }
}

static void a_tree_that_is_not_there_is_memory_that_was_short(void **state)
{
    (void)state;
    rg_json json = {0};
    rg_json_tree(&json, NULL, NULL);
    assert_null(rg_json_take(&json));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_differ_in_blanks_and_lines_alone),
        cmocka_unit_test(strings_are_escaped_as_the_layout_says),
        cmocka_unit_test(trees_have_the_bytes_of_jansson),
        cmocka_unit_test(a_tree_that_is_not_there_is_memory_that_was_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
