/* test_locate.c - from a name to a path, whatever the environment says. */
#define _GNU_SOURCE
#include "base/file.h"
#include "support/support.h"

#include <string.h>
#include <unistd.h>

/* NULL takes the variable away. */
static void set(const char *name, const char *value)
{
    if (value)
        assert_int_equal(setenv(name, value, 1), 0);
    else
        assert_int_equal(unsetenv(name), 0);
}

static void set_all(const char *regula, const char *xdg, const char *home)
{
    set("REGULA_DATA", regula);
    set("XDG_CACHE_HOME", xdg);
    set("HOME", home);
}

static void the_data_directory_follows_the_environment(void **state)
{
    (void)state;
    const struct {
        const char *regula, *xdg, *home, *expected; /* expected NULL: none can be told */
    } cases[] = {
        {"/a", "/b", "/c", "/a"},
        {"rel/a", "/b", "/c", "rel/a"},
        {NULL, "/b", "/c", "/b/regula/data"},
        {"", "/b", "/c", "/b/regula/data"},
        {NULL, "/b/", "/c", "/b/regula/data"},
        {NULL, "b", "/c", "/c/.cache/regula/data"}, /* not absolute: ignored */
        {NULL, "", "/c", "/c/.cache/regula/data"},
        {NULL, NULL, "/c", "/c/.cache/regula/data"},
        {NULL, NULL, NULL, NULL},
        {"", "b", "", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        set_all(cases[k].regula, cases[k].xdg, cases[k].home);
        char *path = NULL;
        if (cases[k].expected) {
            ASSERT_OK(rg_data_directory(&path, err));
            assert_string_equal(path, cases[k].expected);
        } else {
            rg_error err = {""};
            assert_int_equal(rg_data_directory(&path, &err), RG_EFAIL);
            assert_non_null(strstr(err.message, "REGULA_DATA"));
            assert_null(path);
        }
        rg_text_free(path);
    }
    rg_text_free(NULL);
}

static void a_set_is_found_in_either_place_under_any_ending(void **state)
{
    (void)state;
    char *one = test_directory_make(), *two = test_directory_make();
    set_all(one, two, "/nowhere");
    test_write(one, "Plain/Plain_A.txt", "");
    test_write(one, "Zipped.zip", "");
    test_write(one, "Both.zip", "");
    test_write(one, "Both/Both_A.txt", "");
    test_write(two, "regula/data/Both.tar.gz", "");
    test_write(two, "regula/data/Cached.tar.zst", "");
    test_write(two, "regula/data/Graph.g6", "");
    const struct {
        const char *name, *expected; /* behind one of the directories */
        int place;
    } cases[] = {
        {"Plain", "Plain", 1},
        {"Zipped", "Zipped.zip", 1},
        {"Zipped.zip", "Zipped.zip", 1},
        {"Both", "Both", 1},
        {"Cached", "regula/data/Cached.tar.zst", 2},
        {"Graph", "regula/data/Graph.g6", 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *path = NULL;
        char *expected = test_format("%s/%s", cases[k].place == 1 ? one : two, cases[k].expected);
        ASSERT_OK(rg_data_find(&path, cases[k].name, err));
        assert_string_equal(path, expected);
        rg_text_free(path);
        free(expected);
    }
    char *zip = test_format("%s/Zipped.zip", one), *path = NULL;
    set_all(NULL, NULL, NULL);
    ASSERT_OK(rg_data_find(&path, zip, err)); /* a path is itself, whatever the environment */
    assert_string_equal(path, zip);
    rg_text_free(path);
    free(zip);
    char *several = test_format("%s/Plain/Plain", one); /* one of several sets in a directory */
    ASSERT_OK(rg_data_find(&path, several, err));
    assert_string_equal(path, several);
    rg_text_free(path);
    free(several);
    test_directory_remove(one);
    test_directory_remove(two);
}

static void what_is_not_found_comes_with_what_could_be_done(void **state)
{
    (void)state;
    char *place = test_directory_make();
    test_write(place, "MyMolecules.tar.gz", "");
    const struct {
        const char *regula, *home, *data, *text;
    } cases[] = {
        {place, "/h", "NCI1", "'regula data get NCI1' downloads it"},
        {place, "/h", "NCI1", "/h/.cache/regula/data"},
        {place, "/h", "NCI1", place},
        {NULL, "/h", "NCI1", "not in '/h/.cache/regula/data'"},
        {place, NULL, "NCI1", place},
        {NULL, NULL, "NCI1", "REGULA_DATA and HOME are not set"},
        {place, "/h", "CSL", "'regula data generate CSL' generates it"},
        {place, "/h", "NCL1", "did you mean 'NCI1'?"},
        {place, "/h", "mutagenicity", "did you mean 'Mutagenicity'?"},
        {place, "/h", "MyMolecule", "did you mean 'MyMolecules'?"}, /* a set of the user's own */
        {place, "/h", "Xylophones", "'regula data list'"},
        {place, "/h", "no/such/path", "no such file or directory"},
        {place, "/h", "/dev/nul", "no such file or directory"},
        {place, "/h", "", "no such file or directory"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        set_all(cases[k].regula, NULL, cases[k].home);
        char *path = NULL;
        rg_error err = {""};
        assert_int_equal(rg_data_find(&path, cases[k].data, &err), RG_EIO);
        assert_null(path);
        if (!strstr(err.message, cases[k].text))
            fail_msg("case %zu: %s", k, err.message);
    }
    test_directory_remove(place);
}

static void a_name_of_any_length_is_no_trouble(void **state)
{
    (void)state;
    char *place = test_directory_make(), *name = malloc(100001);
    assert_non_null(name);
    memset(name, 'N', 100000);
    name[100000] = '\0';
    set_all(place, NULL, "/h");
    char *path = NULL;
    rg_error err = {""};
    assert_int_equal(rg_data_find(&path, name, &err), RG_EIO);
    assert_non_null(strstr(err.message, "regula data list"));
    free(name);
    test_directory_remove(place);
}

static rg_status find(void *context, rg_error *err)
{
    char *path = NULL;
    rg_status status = rg_data_find(&path, context, err);
    rg_text_free(path);
    /* Not found is what we asked for; only memory that is short is a failure here. */
    return status == RG_EIO ? RG_OK : status;
}

static rg_status directory(void *context, rg_error *err)
{
    (void)context;
    char *path = NULL;
    rg_status status = rg_data_directory(&path, err);
    rg_text_free(path);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char *place = test_directory_make();
    test_write(place, "Zipped.zip", "");
    set_all(place, NULL, "/h");
    assert_int_equal(test_allocation_sweep(directory, NULL), 1);
    assert_true(test_allocation_sweep(find, place) > 0);
    assert_true(test_allocation_sweep(find, "Zipped") > 3);
    assert_true(test_allocation_sweep(find, "Zippd") > 10);
    assert_int_equal(test_allocation_sweep(find, "no/such/path"), 1);
    set_all(NULL, NULL, "/h");
    assert_int_equal(test_allocation_sweep(directory, NULL), 1);
    test_directory_remove(place);
}

static void splits_lie_beside_the_data(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = NULL;
    char *splits = test_format("%s/splits", directory), *wanted = test_format("%s/A.json", splits);
    ASSERT_OK(rg_dir_make(splits, err));
    test_write(splits, "A.json", "[]");
    for (int k = 0; k < 2; k++) { /* from the environment, and by its name */
        set("REGULA_DATA", k ? "" : directory);
        ASSERT_OK(rg_splits_find(&path, k ? directory : NULL, "A", err));
        assert_string_equal(path, wanted);
        rg_text_free(path);
        ASSERT_OK(rg_splits_find(&path, k ? directory : NULL, "B", err));
        assert_null(path);
    }
    ASSERT_OK(rg_splits_find(&path, NULL, "A", err));
    assert_null(path);
    free(wanted);
    free(splits);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_data_directory_follows_the_environment),
        cmocka_unit_test(a_set_is_found_in_either_place_under_any_ending),
        cmocka_unit_test(what_is_not_found_comes_with_what_could_be_done),
        cmocka_unit_test(a_name_of_any_length_is_no_trouble),
        cmocka_unit_test(splits_lie_beside_the_data),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
