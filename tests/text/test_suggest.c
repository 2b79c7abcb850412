/* test_suggest.c - "did you mean", against a slow distance straight from its definition. */
#include "support/support.h"

#include "base/random.h"
#include "text/suggest.h"

#include <stdio.h>
#include <string.h>

static const char *const commands[] = {"list", "get", "info", "generate", "convert", "split"};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void near_words_are_suggested_and_far_ones_are_not(void **state)
{
    (void)state;
    static const struct {
        const char *word, *expected;
    } cases[] = {
        {"lst", "list"},
        {"lists", "list"},
        {"ilst", "list"}, /* neighbours swapped */
        {"LIST", "list"},
        {"Ifno", "info"},
        {"gte", "get"},
        {"genrate", "generate"},
        {"gnerrate", "generate"},
        {"gemerste", "generate"},
        {"convret", "convert"},
        {"spilt", "split"},
        {"list", "list"},
        {"", NULL},
        {"x", NULL},
        {"train", NULL},
        {"zzzz", NULL},
        {"infinite", NULL},
        {"gnrt", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *found = rg_suggest(cases[k].word, commands, N_COMMANDS);
        if (found != cases[k].expected &&
            (!found || !cases[k].expected || strcmp(found, cases[k].expected) != 0))
            fail_msg("'%s': %s", cases[k].word, found ? found : "nothing");
    }
}

static void of_equally_near_words_the_first_is_taken(void **state)
{
    (void)state;
    static const char *const known[] = {"NCI109", "NCI1", "ENZYMES", "NCI2"};
    assert_string_equal(rg_suggest("NCI3", known, 4), "NCI1");
    assert_string_equal(rg_suggest("nci19", known, 4), "NCI109");
    assert_null(rg_suggest("NCI3", known, 0));
}

static void words_of_any_length_are_safe(void **state)
{
    (void)state;
    char word[70], other[70];
    for (size_t n = 55; n < sizeof word; n++) {
        memset(word, 'a', n);
        word[n] = '\0';
        memcpy(other, word, n + 1);
        other[n / 2] = 'b';
        const char *known[] = {other};
        const char *found = rg_suggest(word, known, 1);
        assert_ptr_equal(found, n <= 63 ? other : NULL);
        found = rg_suggest("short", known, 1);
        assert_null(found);
    }
}

/* The definition itself, in exponential time. */
static size_t slow(const char *a, size_t n, const char *b, size_t m)
{
    if (n == 0 || m == 0)
        return n + m;
    size_t best = slow(a, n - 1, b, m) + 1, other = slow(a, n, b, m - 1) + 1;
    best = other < best ? other : best;
    other = slow(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
    best = other < best ? other : best;
    if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
        other = slow(a, n - 2, b, m - 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

static void the_distance_is_damerau_and_levenshtein_s(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 3000; k++) {
        char words[2][8];
        for (uint64_t w = 0; w < 2; w++) {
            size_t n = 1 + rg_random_below(1, w, k, 6);
            for (size_t c = 0; c < n; c++)
                words[w][c] = (char)('a' + rg_random_below(2 + c, w, k, 3));
            words[w][n] = '\0';
        }
        size_t n = strlen(words[0]), m = strlen(words[1]);
        bool near = 3 * slow(words[0], n, words[1], m) <= (n > m ? n : m) + 1;
        const char *known[] = {words[1]};
        if ((rg_suggest(words[0], known, 1) != NULL) != near)
            fail_msg("%s, %s", words[0], words[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_words_are_suggested_and_far_ones_are_not),
        cmocka_unit_test(of_equally_near_words_the_first_is_taken),
        cmocka_unit_test(words_of_any_length_are_safe),
        cmocka_unit_test(the_distance_is_damerau_and_levenshtein_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
