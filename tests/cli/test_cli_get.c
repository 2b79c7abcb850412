/* test_cli_get.c - regula data get and data list against a server on loopback. */
#include "support/program.h"

#include "fetch/downloads.h"

#include <jansson.h>
#include <string.h>

/* Lines run in the scene's directory; sets land in its data/. */
static program_result get(download *s, const char *rest)
{
    download_start(s);
    return run(s->directory, "regula data get TOY --url %s %s", http_server_url(s->server), rest);
}

static void a_set_is_fetched_and_found_by_its_name(void **state)
{
    (void)state;
    download *s = download_open();
    program_result result = get(s, "");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "/data/TOY\n"));
    assert_non_null(strstr(result.err, "regula: TOY: "));
    assert_null(strchr(result.err, '\r')); /* no progress: it is no terminal */
    program_result_free(&result);
    expect(s->directory, "regula data info TOY", 0, "graphs             2\n", "");

    result = get(s, "");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "already there"));
    program_result_free(&result);
    download_close(s);
}

static void quiet_is_quiet_and_json_is_json(void **state)
{
    (void)state;
    download *s = download_open();
    program_result result = get(s, "--quiet --dir here");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "here/TOY\n");
    assert_string_equal(result.err, "");
    program_result_free(&result);

    result = get(s, "--json --force --dir here");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
    json_t *root = program_result_json(&result);
    const char *name, *path, *digest;
    int already;
    assert_int_equal(json_unpack(root, "[{s:s,s:s,s:s,s:b}]", "name", &name, "path", &path,
                                 "digest", &digest, "already", &already),
                     0);
    assert_string_equal(name, "TOY");
    assert_string_equal(path, "here/TOY");
    assert_int_equal(strlen(digest), 64);
    assert_false(already);
    json_decref(root);
    program_result_free(&result);
    download_close(s);
}

static void what_goes_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *rest;
        int code;
        const char *message;
    } cases[] = {
        {404, "", 4, "404"},
        {0, "--sha256 0000000000000000000000000000000000000000000000000000000000000000", 3,
         "SHA-256"},
        {0, "--sha256 12", 2, "sha256 '12'"},
        {0, "--timeout 0", 2, "'--timeout'"},
        {0, "--max-time 0", 2, "'--max-time'"},
        {0, "--dir /dev/null/x", 4, "/dev/null"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        download *s = download_open();
        s->plan.status = cases[k].status;
        program_result result = get(s, cases[k].rest);
        if (result.code != cases[k].code || *result.out ||
            strncmp(result.err, "regula: ", 8) != 0 || !strstr(result.err, cases[k].message))
            fail_msg("%s: code %d, '%s'", cases[k].rest, result.code, result.err);
        program_result_free(&result);
        download_close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_fetched_and_found_by_its_name),
        cmocka_unit_test(quiet_is_quiet_and_json_is_json),
        cmocka_unit_test(what_goes_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, download_prepare, NULL);
}
