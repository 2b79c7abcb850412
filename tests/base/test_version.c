/* test_version.c - the version stands in CMakeLists.txt and in base.h: they must agree. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static void library_header_and_build_have_one_version(void **state)
{
    (void)state;
    assert_string_equal(rg_version(), REGULA_VERSION);
    assert_string_equal(rg_version(), RG_VERSION);
}

static void version_text_is_made_of_its_numbers(void **state)
{
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", RG_VERSION_MAJOR, RG_VERSION_MINOR, RG_VERSION_PATCH);
    assert_string_equal(RG_VERSION, text);
}

static void every_status_has_a_word_of_its_own(void **state)
{
    (void)state;
    static const rg_status all[] = {RG_OK, RG_EFAIL, RG_EUSAGE, RG_EDATA, RG_EIO, RG_ENOMEM};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++) {
        assert_true(strlen(rg_status_text(all[a])) > 0);
        for (size_t b = 0; b < a; b++)
            assert_string_not_equal(rg_status_text(all[a]), rg_status_text(all[b]));
    }
    assert_non_null(rg_status_text((rg_status)99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(library_header_and_build_have_one_version),
        cmocka_unit_test(version_text_is_made_of_its_numbers),
        cmocka_unit_test(every_status_has_a_word_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
