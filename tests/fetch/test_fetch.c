/* test_fetch.c - fetching from servers of every temper, all on loopback. */
#define _GNU_SOURCE
#include "downloads.h"

#include "base/digest.h"

#include <string.h>
#include <time.h>

static void a_set_is_fetched_checked_and_unpacked(void **state)
{
    (void)state;
    download *s = download_open();
    ASSERT_FETCHED(s);
    assert_int_equal(s->got.bytes, s->plan.n);
    assert_false(s->got.already || s->got.resumed || s->got.verified);
    char *path = test_format("%s/TOY", s->directory);
    assert_string_equal(s->got.path, path);
    free(path);
    rg_digest digest;
    char expected[RG_DIGEST_TEXT];
    rg_digest_init(&digest);
    rg_digest_bytes(&digest, s->body, s->plan.n);
    rg_digest_finish(&digest, expected);
    assert_string_equal(s->got.file_sha256, expected);
    assert_int_equal(http_server_requests(s->server), 1);
    download_close(s);
}

static void what_is_there_is_not_fetched_again_unless_by_force(void **state)
{
    (void)state;
    download *s = download_open();
    ASSERT_FETCHED(s);
    ASSERT_FETCHED(s);
    assert_true(s->got.already);
    assert_int_equal(s->got.bytes, 0);
    assert_string_equal(s->got.file_sha256, "");
    assert_int_equal(http_server_requests(s->server), 1);

    test_write(s->directory, "TOY/stray.txt", "from before\n");
    s->options.force = 1;
    ASSERT_FETCHED(s);
    assert_false(s->got.already);
    assert_false(download_has(s, "TOY/stray.txt"));
    assert_int_equal(http_server_requests(s->server), 2);
    download_close(s);
}

static void an_archive_that_is_there_will_do(void **state)
{
    (void)state;
    download *s = download_open();
    test_write_bytes(s->directory, "TOY.zip", s->body, s->plan.n);
    assert_int_equal(download_fetch(s), RG_OK);
    assert_true(s->got.already);
    assert_non_null(strstr(s->got.path, "/TOY.zip"));
    assert_int_equal(http_server_requests(s->server), 0);
    download_close(s);
}

static void what_is_there_but_damaged_is_named(void **state)
{
    (void)state;
    download *s = download_open();
    test_write(s->directory, "TOY/TOY_A.txt", "1, banana\n");
    test_write(s->directory, "TOY/TOY_graph_indicator.txt", "1\n");
    assert_int_equal(download_fetch(s), RG_EDATA);
    assert_non_null(strstr(s->err.message, "force"));
    s->options.force = 1;
    ASSERT_FETCHED(s);
    download_close(s);
}

/* ---- downloads that break off */

static void a_download_that_breaks_off_is_continued_where_it_stopped(void **state)
{
    (void)state;
    const struct {
        const char *etag, *modified;
        bool ranges, careless, resumed;
    } cases[] = {
        {ETAG, NULL, true, false, true},
        {NULL, "Tue, 01 Nov 2016 10:00:00 GMT", true, false, true},
        {"W/\"weak\"", "Tue, 01 Nov 2016 10:00:00 GMT", true, false, true}, /* by the date */
        {"W/\"weak\"", NULL, true, false, false}, /* versions cannot be compared */
        {NULL, NULL, true, false, false},
        {ETAG, NULL, false, false, false}, /* no ranges: 200 with all of it again */
        {ETAG, NULL, false, true, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        download *s = download_open();
        s->plan.etag = cases[k].etag;
        s->plan.modified = cases[k].modified;
        s->plan.ranges = cases[k].ranges;
        s->plan.careless = cases[k].careless;
        s->plan.cut = 60000;
        s->plan.cut_times = 1;
        ASSERT_FETCHED(s);
        assert_int_equal(s->got.resumed, cases[k].resumed);
        assert_int_equal(http_server_requests(s->server), 2);
        assert_int_equal(http_server_resumed(s->server), cases[k].resumed);
        assert_int_equal(s->got.bytes, s->plan.n + (cases[k].resumed ? 0 : 60000));
        download_close(s);
    }
}

static void one_that_always_breaks_off_is_given_up_and_continued_by_the_next_call(void **state)
{
    (void)state;
    download *s = download_open();
    s->plan.cut = 10000;
    assert_int_equal(download_fetch(s), RG_EIO);
    assert_non_null(strstr(s->err.message, "50000 bytes are kept"));
    assert_int_equal(http_server_requests(s->server), 5);
    assert_true(download_has(s, ".TOY.fetch/part"));
    assert_false(download_has(s, "TOY") || download_has(s, ".TOY.lock"));
    download_stop(s);

    /* Another server is another address: bytes may not be mixed. */
    s->plan.cut = 0;
    ASSERT_FETCHED(s);
    assert_int_equal(http_server_resumed(s->server), 0);
    download_close(s);
}

static void what_an_earlier_call_left_is_used_if_that_is_safe(void **state)
{
    (void)state;
    const struct {
        const char *validator; /* of what is left; the server has ETAG */
        int left;              /* bytes, from the end of the file if negative */
        bool careless, resumed;
        unsigned requests;
    } cases[] = {
        {ETAG, 70000, false, true, 1}, {ETAG, -1, false, true, 1},
        {ETAG, 0, false, false, 1},    {"\"old\"", 70000, false, false, 1},
        {"", 70000, false, false, 1},  {"\"old\"", 70000, true, false, 2}, /* 206 of another file */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        download *s = download_open();
        s->plan.careless = cases[k].careless;
        size_t n = cases[k].left < 0 ? s->plan.n - 1 : (size_t)cases[k].left;
        download_leave_part(s, s->body, n, cases[k].validator);
        ASSERT_FETCHED(s);
        assert_int_equal(s->got.resumed, cases[k].resumed);
        assert_int_equal(s->got.bytes, s->plan.n - (cases[k].resumed ? n : 0));
        assert_int_equal(http_server_requests(s->server), cases[k].requests);
        download_close(s);
    }
}

static void a_part_that_is_the_whole_or_more_is_recognised(void **state)
{
    (void)state;
    download *s = download_open();
    download_leave_part(s, s->body, s->plan.n,
                        ETAG); /* killed before it was unpacked: 416, nothing to do */
    ASSERT_FETCHED(s);
    assert_true(s->got.resumed);
    assert_int_equal(s->got.bytes, 0);
    download_close(s);

    s = download_open();
    char *longer = calloc(s->plan.n + 10, 1);
    assert_non_null(longer);
    download_leave_part(s, longer, s->plan.n + 10, ETAG); /* 416, but not what is there: afresh */
    ASSERT_FETCHED(s);
    assert_false(s->got.resumed);
    assert_int_equal(http_server_requests(s->server), 2);
    free(longer);
    download_close(s);
}

static void a_part_that_was_damaged_on_the_disk_does_no_harm(void **state)
{
    (void)state;
    download *s = download_open();
    char *zeros = calloc(70000, 1);
    assert_non_null(zeros);
    download_leave_part(s, zeros, 70000, ETAG);
    s->options.sha256 = "0000000000000000000000000000000000000000000000000000000000000000";
    assert_int_equal(download_fetch(s), RG_EDATA);
    assert_false(download_has(s, ".TOY.fetch/part"));
    s->options.sha256 = NULL;
    ASSERT_FETCHED(s); /* afresh */
    assert_false(s->got.resumed);
    free(zeros);
    download_close(s);
}

static void a_state_file_that_makes_no_sense_counts_as_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "x", "http://elsewhere/\n\"one\"\n", "\n\n\n\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        download *s = download_open();
        test_write_bytes(s->directory, ".TOY.fetch/part", s->body, 1000);
        test_write(s->directory, ".TOY.fetch/state", texts[k]);
        ASSERT_FETCHED(s);
        assert_false(s->got.resumed);
        download_close(s);
    }
}

/* ---- answers that are no file */

static void trouble_that_passes_is_waited_for(void **state)
{
    (void)state;
    static const int codes[] = {500, 503, 429};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
        download *s = download_open();
        s->plan.status = codes[k];
        s->plan.status_times = 1 + (k == 0);
        ASSERT_FETCHED(s);
        assert_int_equal(http_server_requests(s->server), 2 + (k == 0));
        download_close(s);
    }
}

static void an_answer_that_is_no_file_is_explained(void **state)
{
    (void)state;
    const struct {
        int status;
        const char *text;
    } cases[] = {{404, "HTTP status 404, the server has no such file"},
                 {410, "the server has no such file"},
                 {403, "denies access"},
                 {416, "HTTP status 416"},
                 {204, "HTTP status 204"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        download *s = download_open();
        s->plan.status = cases[k].status;
        assert_int_equal(download_fetch(s), RG_EIO);
        assert_non_null(strstr(s->err.message, cases[k].text));
        assert_non_null(strstr(s->err.message, http_server_url(s->server)));
        assert_int_equal(http_server_requests(s->server), 1);
        assert_false(download_has(s, "TOY"));
        download_close(s);
    }
}

static void a_server_that_is_not_there_or_too_slow_is_given_up(void **state)
{
    (void)state;
    download *s = download_open();
    char *nobody = http_server_nobody();
    s->options.url = nobody;
    assert_int_equal(rg_data_fetch(&s->got, "TOY", &s->options, &s->err), RG_EIO);
    assert_non_null(strstr(s->err.message, nobody));
    s->options.url = NULL;
    free(nobody);

    s->plan.piece = 1; /* a byte a second */
    s->plan.pause = 1000;
    s->options.timeout = 1;
    time_t begin = time(NULL);
    assert_int_equal(download_fetch(s), RG_EIO);
    assert_non_null(strstr(s->err.message, "too little data for 1 s"));
    assert_true(time(NULL) - begin < 10);
    download_close(s);
}

static void a_transfer_that_never_ends_is_given_up_and_continued(void **state)
{
    (void)state;
    download *s = download_open();
    s->plan.ranges = true;
    s->plan.etag = "\"v1\"";
    s->plan.piece = 20; /* more than next to nothing */
    s->plan.pause = 100;
    s->options.max_seconds = 1;
    time_t begin = time(NULL);
    assert_int_equal(download_fetch(s), RG_EIO);
    assert_non_null(strstr(s->err.message, "not done after 1 s in total"));
    assert_non_null(strstr(s->err.message, "bytes are kept"));
    assert_true(time(NULL) - begin < 10);
    assert_false(download_has(s, "TOY"));

    s->plan.piece = 0;
    s->options.max_seconds = 60;
    ASSERT_FETCHED(s);
    assert_true(s->got.resumed);
    download_close(s);
}

static void redirects_are_followed_but_only_to_http(void **state)
{
    (void)state;
    const struct {
        const char *location;
        rg_status status;
    } cases[] = {{"/elsewhere", RG_OK},
                 {"file:///etc/passwd", RG_EIO},
                 {"ftp://127.0.0.1/x", RG_EIO},
                 {"/start", RG_EIO}}; /* for ever */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        download *s = download_open();
        s->plan.location = cases[k].location;
        if (cases[k].status == RG_OK) {
            ASSERT_FETCHED(s);
        } else {
            assert_int_equal(download_fetch(s), cases[k].status);
            assert_true(http_server_requests(s->server) <= 11);
            assert_false(download_has(s, "TOY"));
        }
        download_close(s);
    }
}

/* ---- progress */

typedef struct fetch_watch {
    unsigned calls, stop_at;
    uint64_t done, total;
    bool backwards;
} fetch_watch;

static int look(void *context, uint64_t done, uint64_t total)
{
    fetch_watch *w = context;
    w->backwards = w->backwards || done < w->done;
    w->done = done;
    w->total = total;
    return ++w->calls == w->stop_at || (w->stop_at == 0 && done >= 40000);
}

static void progress_is_told_and_can_stop_it(void **state)
{
    (void)state;
    download *s = download_open();
    fetch_watch w = {.stop_at = UINT32_MAX};
    s->options.progress = look;
    s->options.progress_context = &w;
    ASSERT_FETCHED(s);
    assert_false(w.backwards);
    assert_int_equal(w.done, s->plan.n);
    assert_int_equal(w.total, s->plan.n);
    download_close(s);

    s = download_open();
    s->plan.piece = 10000;
    s->plan.pause = 20;
    w = (fetch_watch){.stop_at = 0};
    s->options.progress = look;
    s->options.progress_context = &w;
    assert_int_equal(download_fetch(s), RG_EFAIL);
    assert_non_null(strstr(s->err.message, "stopped"));
    assert_true(download_has(s, ".TOY.fetch/part"));
    assert_false(download_has(s, "TOY") || download_has(s, ".TOY.lock"));
    s->options.progress = NULL;
    ASSERT_FETCHED(s);
    assert_true(s->got.resumed && s->got.bytes < s->plan.n);
    download_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_fetched_checked_and_unpacked),
        cmocka_unit_test(what_is_there_is_not_fetched_again_unless_by_force),
        cmocka_unit_test(an_archive_that_is_there_will_do),
        cmocka_unit_test(what_is_there_but_damaged_is_named),
        cmocka_unit_test(a_download_that_breaks_off_is_continued_where_it_stopped),
        cmocka_unit_test(one_that_always_breaks_off_is_given_up_and_continued_by_the_next_call),
        cmocka_unit_test(what_an_earlier_call_left_is_used_if_that_is_safe),
        cmocka_unit_test(a_part_that_is_the_whole_or_more_is_recognised),
        cmocka_unit_test(a_part_that_was_damaged_on_the_disk_does_no_harm),
        cmocka_unit_test(a_state_file_that_makes_no_sense_counts_as_none),
        cmocka_unit_test(trouble_that_passes_is_waited_for),
        cmocka_unit_test(an_answer_that_is_no_file_is_explained),
        cmocka_unit_test(a_server_that_is_not_there_or_too_slow_is_given_up),
        cmocka_unit_test(a_transfer_that_never_ends_is_given_up_and_continued),
        cmocka_unit_test(redirects_are_followed_but_only_to_http),
        cmocka_unit_test(progress_is_told_and_can_stop_it),
    };
    return cmocka_run_group_tests(tests, download_prepare, NULL);
}
