/* test_fetch_content.c - what is fetched must be the set, and nothing but the set. */
#include "downloads.h"

#include <string.h>

/* ---- files that are not the set */

static void a_body_that_is_not_the_set_is_refused_and_thrown_away(void **state)
{
    (void)state;
    static const pack_file out[] = {{.name = "TOY/TOY_graph_indicator.txt", .text = "1\n"},
                                    {.name = "../TOY_A.txt", .text = "1, 1\n"}};
    static const pack_file absolute[] = {{.name = "/tmp/TOY_A.txt", .text = "1, 1\n"}};
    static const pack_file links[] = {
        {.name = "TOY/TOY_A.txt", .text = "/etc/passwd", .type = AE_IFLNK}};
    static const pack_file twice[] = {{.name = "TOY/TOY_A.txt", .text = ""},
                                      {.name = "TOY/TOY_A.txt", .text = ""}};
    static const pack_file both[] = {{.name = "TOY", .text = "a file\n"},
                                     {.name = "TOY/TOY_A.txt", .text = ""}};
    static const pack_file odd[] = {{.name = "TOY/TOY\001_A.txt", .text = ""}};
    static const pack_file other[] = {{.name = "TOY/notes.txt", .text = "no data set\n"}};
    const struct {
        const pack_file *members;
        size_t n;
        const char *text;
    } cases[] = {{out, 2, ".."},
                 {absolute, 1, "absolute"},
                 {links, 1, "link"},
                 {twice, 2, "twice"},
                 {both, 2, "as a file and as a directory"},
                 {odd, 1, "path"},
                 {other, 1, "is not the data set"},
                 {NULL, 0, "is not the data set"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        download *s = download_open();
        free(s->body);
        s->body = download_pack(cases[k].members, cases[k].n, &s->plan.n);
        s->plan.body = s->body;
        assert_int_equal(download_fetch(s), RG_EDATA);
        if (!strstr(s->err.message, cases[k].text))
            fail_msg("case %zu: %s", k, s->err.message);
        assert_int_equal(download_entries(s), 0);
        download_close(s);
    }
}

static void a_body_that_is_no_archive_is_refused(void **state)
{
    (void)state;
    const struct {
        const char *body; /* NULL: the set's */
        size_t n;
    } cases[] = {{"<html>please log in</html>", 26}, {"", 0}, {NULL, 60000}}; /* says that is all */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        download *s = download_open();
        s->plan.body = cases[k].body ? cases[k].body : s->body;
        s->plan.n = cases[k].n;
        assert_int_equal(download_fetch(s), RG_EDATA);
        assert_non_null(strstr(s->err.message, "is not the data set"));
        assert_int_equal(download_entries(s), 0);
        download_close(s);
    }
}

/* One directory around the set is taken off; what is below it stays as it was packed. */
static void an_archive_in_the_layout_of_ogb_keeps_it(void **state)
{
    (void)state;
    static const pack_file members[] = {
        {.name = "hiv/raw/edge.csv", .text = "0,1\n1,2\n0,1\n"},
        {.name = "hiv/raw/num-node-list.csv", .text = "3\n2\n"},
        {.name = "hiv/raw/num-edge-list.csv", .text = "2\n1\n"},
        {.name = "hiv/raw/node-feat.csv", .text = "5\n6\n5\n6\n6\n"},
        {.name = "hiv/raw/graph-label.csv", .text = "0\n1\n"},
        {.name = "hiv/mapping/README.md", .text = "what is what\n"},
        {.name = "hiv/RELEASE_v1.txt", .text = ""}};
    download *s = download_open();
    free(s->body);
    s->body = download_pack(members, sizeof members / sizeof *members, &s->plan.n);
    s->plan.body = s->body;
    if (download_fetch(s) != RG_OK)
        fail_msg("%s", s->err.message);
    assert_true(download_has(s, "TOY/raw/edge.csv"));
    assert_true(download_has(s, "TOY/mapping/README.md"));
    assert_int_equal(download_entries(s), 1);
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_read(&data, s->got.path, NULL, err));
    assert_int_equal(rg_dataset_n_graphs(data), 2);
    assert_int_equal(rg_dataset_n_arcs(data), 6);
    rg_dataset_free(data);
    download_close(s);
}

static void digests_decide(void **state)
{
    (void)state;
    download *s = download_open();
    ASSERT_FETCHED(s);
    char right[RG_DIGEST_SIZE], wrong[RG_DIGEST_SIZE];
    memcpy(right, s->got.file_sha256, sizeof right);
    memcpy(wrong, right, sizeof wrong);
    wrong[63] = wrong[63] == '0' ? '1' : '0';
    for (char *c = right; *c; c++)
        *c = (char)(*c >= 'a' ? *c - 'a' + 'A' : *c); /* case does not matter */
    s->options.force = 1;
    s->options.sha256 = right;
    ASSERT_FETCHED(s);
    assert_true(s->got.verified);
    s->options.sha256 = wrong;
    assert_int_equal(download_fetch(s), RG_EDATA);
    assert_non_null(strstr(s->err.message, wrong));
    assert_false(download_has(s, ".TOY.fetch/part"));
    assert_true(download_has(s, "TOY/TOY_A.txt")); /* the old one is untouched */

    /* MUTAG's content is known, and this is not it. */
    s->options.sha256 = NULL;
    assert_non_null(rg_catalogue_find("MUTAG")->digest);
    assert_int_equal(rg_data_fetch(&s->got, "MUTAG", &s->options, &s->err), RG_EDATA);
    assert_non_null(strstr(s->err.message, rg_catalogue_find("MUTAG")->digest));
    assert_false(download_has(s, "MUTAG") || download_has(s, ".MUTAG.fetch"));
    download_close(s);
}

static void a_file_larger_than_allowed_is_refused(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        download *s = download_open();
        s->plan.no_length = k == 1;
        s->options.max_bytes = s->plan.n - 1;
        if (k == 2 || k == 4) /* from a call that allowed more */
            download_leave_part(s, s->body, s->plan.n - (k == 2 ? 2 : 0), ETAG);
        if (k == 3) {
            s->options.max_bytes = s->plan.n;
            ASSERT_FETCHED(s);
        } else {
            assert_int_equal(download_fetch(s), RG_EDATA);
            assert_non_null(strstr(s->err.message, "larger than"));
            assert_int_equal(download_entries(s), 0);
        }
        download_close(s);
    }
}

/* ---- what the caller may ask */

static void requests_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    download s = {.got = RG_FETCHED_INIT, .directory = test_directory_make()};
    const struct {
        const char *name, *url, *sha256, *text;
        unsigned timeout;
        uint64_t max_bytes;
    } cases[] = {
        {"MUTAGG", NULL, NULL, "no data set 'MUTAGG'; did you mean 'MUTAG'?", 1, 1},
        {"NoSuchSet", NULL, NULL, "the catalogue has no data set 'NoSuchSet'", 1, 1},
        {"LongRings", NULL, NULL, "regula data generate LongRings", 1, 1},
        {"", "http://127.0.0.1/x", NULL, "expected the name", 1, 1},
        {"..", "http://127.0.0.1/x", NULL, "expected the name", 1, 1},
        {".hidden", "http://127.0.0.1/x", NULL, "expected the name", 1, 1},
        {"a/b", "http://127.0.0.1/x", NULL, "expected the name", 1, 1},
        {"TOY", "file:///etc/passwd", NULL, "expected http://", 1, 1},
        {"TOY", "ftp://127.0.0.1/x", NULL, "expected http://", 1, 1},
        {"TOY", "http://127.0.0.1/a b", NULL, "expected http://", 1, 1},
        {"TOY", "http://127.0.0.1/\r\nX: y", NULL, "expected http://", 1, 1},
        {"TOY", "http://127.0.0.1/x", "abc", "64 hexadecimal", 1, 1},
        {"TOY", "http://127.0.0.1/x", NULL, "time-out", 0, 1},
        {"TOY", "http://127.0.0.1/x", NULL, "limit", 1, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_fetch_options options = rg_fetch_options_default();
        rg_fetched got = {.size = sizeof got, .bytes = 77};
        rg_error err = {""};
        options.directory = s.directory;
        options.url = cases[k].url;
        options.sha256 = cases[k].sha256;
        options.timeout = cases[k].timeout;
        options.max_bytes = cases[k].max_bytes;
        assert_int_equal(rg_data_fetch(&got, cases[k].name, &options, &err), RG_EUSAGE);
        if (!strstr(err.message, cases[k].text))
            fail_msg("case %zu: %s", k, err.message);
        assert_int_equal(got.bytes, 77);
    }
    static const unsigned limits[] = {0, 100000};
    for (size_t k = 0; k < 2; k++) {
        rg_fetch_options options = rg_fetch_options_default();
        rg_error err = {""};
        options.directory = s.directory;
        options.max_seconds = limits[k];
        assert_int_equal(rg_data_fetch(&s.got, "MUTAG", &options, &err), RG_EUSAGE);
        assert_non_null(strstr(err.message, "s in all, expected 1 to"));
    }
    assert_int_equal(download_entries(&s), 0);
    test_directory_remove(s.directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_is_not_the_set_is_refused_and_thrown_away),
        cmocka_unit_test(a_body_that_is_no_archive_is_refused),
        cmocka_unit_test(an_archive_in_the_layout_of_ogb_keeps_it),
        cmocka_unit_test(digests_decide),
        cmocka_unit_test(a_file_larger_than_allowed_is_refused),
        cmocka_unit_test(requests_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, download_prepare, NULL);
}
