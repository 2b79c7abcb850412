/* test_wire.c - what is sent is what comes out, bit by bit; and nothing else comes out. */
#include "support/storage.h"
#include "support/support.h"

#include "base/alloc.h"
#include "base/random.h"
#include "jobs/card.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const rg_store_job job = {3, 2, 4, 3, 4, {0}};

static rg_runner_result result_of(const rg_store_run *runs)
{
    return (rg_runner_result){.job = 17,
                              .outcome = {.state = runs ? RG_JOB_DONE : RG_JOB_FAILED,
                                          .message = runs ? NULL : "the loss is not a number",
                                          .n_parameters = 1,
                                          .connections = 2,
                                          .weights_possible = UINT64_MAX,
                                          .weights_used = 4,
                                          .build_seconds = 0.25,
                                          .seconds = 1e-300,
                                          .cpu_seconds = NAN,
                                          .peak_rss = 5,
                                          .worker = "here"},
                              .runs = runs};
}

/* The body of a frame with a result. Owned (rg_free of data). */
static rg_wire encode(bool done)
{
    rg_wire wire = {0};
    rg_store_run *runs = done ? test_runs_make(&job) : NULL;
    rg_runner_result result = result_of(runs);
    rg_wire_result_put(&wire, &result, &job);
    assert_false(wire.failed);
    rg_store_runs_free(runs, job.n_runs);
    return wire;
}

static void results_come_back_bit_by_bit(void **state)
{
    (void)state;
    for (int done = 0; done < 2; done++) {
        rg_wire wire = encode(done), again = {0};
        rg_wire_result back;
        ASSERT_OK(rg_wire_result_get(&back, wire.data, wire.n, 17, &job, err));
        const rg_store_outcome *o = &back.result.outcome;
        assert_int_equal(back.result.job, 17);
        assert_int_equal(o->state, done ? RG_JOB_DONE : RG_JOB_FAILED);
        assert_true(o->weights_possible == UINT64_MAX && o->peak_rss == 5 && isnan(o->cpu_seconds));
        assert_true(o->seconds == 1e-300 && o->version == NULL);
        assert_string_equal(o->worker, "here");
        if (done) {
            rg_store_run *runs = test_runs_make(&job);
            assert_null(o->message);
            test_runs_equal(back.result.runs, runs, job.n_runs);
            rg_store_runs_free(runs, job.n_runs);
        } else {
            assert_string_equal(o->message, "the loss is not a number");
            assert_null(back.result.runs);
        }
        rg_wire_result_put(&again, &back.result, &job);
        assert_int_equal(again.n, wire.n);
        assert_memory_equal(again.data, wire.data, wire.n);
        rg_wire_result_free(&back);
        rg_free(again.data);
        rg_free(wire.data);
    }
}

static void a_result_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    for (int done = 0; done < 2; done++) {
        rg_wire wire = encode(done);
        rg_wire_result back;
        for (size_t n = 0; n < wire.n; n++)
            ASSERT_REFUSED(rg_wire_result_get(&back, wire.data, n, 17, &job, err), RG_EDATA, "");
        rg_wire_bytes(&wire, "x", 1);
        ASSERT_REFUSED(rg_wire_result_get(&back, wire.data, wire.n, 17, &job, err), RG_EDATA,
                       "found 1 bytes behind a result");
        rg_free(wire.data);
    }
}

/* Places in the body: see wire.c. */
static void results_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    enum { TEXTS = 16, RUNS = TEXTS + 4 + 4 + 4 + 4 + 8 * 8 };
    static const struct {
        size_t at;
        unsigned char byte;
        const char *words;
    } cases[] = {
        {0, 16, "found a result of job 16, expected one of job 17"},
        {8, 0, "found a result of 3 runs, expected 3"}, /* waiting */
        {8, 2, "found a result of 3 runs"},             /* failed, with runs */
        {8, 9, "found a result of 3 runs"},             /* no state */
        {12, 2, "found a result of 2 runs, expected 3"},
        {TEXTS, 200, "not whole"},   /* a text that is too long */
        {TEXTS + 8, 0, "not whole"}, /* a zero inside a text */
        {RUNS, 9, "found run 9, expected run 4"},
        {RUNS + 7, 255, "not whole"},  /* epochs beyond the end */
        {RUNS + 11, 255, "not whole"}, /* the best of which was never done */
        {RUNS + 12, 2, "not whole"},   /* neither stopped nor not */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_wire wire = encode(true);
        rg_wire_result back;
        wire.data[cases[k].at] = cases[k].byte;
        ASSERT_REFUSED(rg_wire_result_get(&back, wire.data, wire.n, 17, &job, err), RG_EDATA,
                       cases[k].words);
        rg_free(wire.data);
    }
}

static void heads_tell_frames_from_other_bytes(void **state)
{
    (void)state;
    rg_wire wire = {0};
    rg_wire_head head;
    rg_wire_begin(&wire);
    rg_wire_u64(&wire, 17);
    ASSERT_OK(rg_wire_seal(&wire, RG_WIRE_JOB, err));
    assert_int_equal(wire.n, RG_WIRE_HEAD + 8);
    assert_memory_equal(wire.data, "RGcr\4\0\0\0\10\0\0\0\0\0\0\0", 16);
    ASSERT_OK(rg_wire_head_read(&head, wire.data, err));
    assert_true(head.kind == RG_WIRE_JOB && head.n == 8);
    assert_true(rg_wire_head_fits(&head, wire.data + RG_WIRE_HEAD));
    for (size_t k = 0; k < wire.n; k++) {
        wire.data[k] ^= 1;
        bool fine = !rg_wire_head_read(&head, wire.data, NULL) && head.n == 8 &&
                    rg_wire_head_fits(&head, wire.data + RG_WIRE_HEAD);
        assert_false(fine);
        wire.data[k] ^= 1;
    }
    wire.data[4] = 8;
    ASSERT_REFUSED(rg_wire_head_read(&head, wire.data, err), RG_EDATA, "no message of regula");
    wire.data[4] = 4;
    wire.data[15] = 1;
    ASSERT_REFUSED(rg_wire_head_read(&head, wire.data, err), RG_EDATA, "which is too long");
    rg_free(wire.data);
}

static void greetings_come_back(void **state)
{
    (void)state;
    rg_wire_hello hello = {.rank = 3, .host = "far", .version = "1.2.3"}, back;
    rg_wire wire = {0};
    memcpy(hello.key, "0123456789abcdef", RG_WIRE_KEY);
    memset(hello.data, 'd', RG_DIGEST_TEXT - 1);
    rg_wire_hello_put(&wire, &hello);
    ASSERT_OK(rg_wire_hello_get(&back, wire.data, wire.n, err));
    assert_memory_equal(back.key, hello.key, RG_WIRE_KEY);
    assert_int_equal(back.rank, 3);
    assert_string_equal(back.host, "far");
    assert_string_equal(back.data, hello.data);
    for (size_t n = 0; n < wire.n; n++)
        ASSERT_REFUSED(rg_wire_hello_get(&back, wire.data, n, err), RG_EDATA, "not whole");
    wire.data[RG_WIRE_KEY + 4] = 64; /* a host that is too long for its place */
    ASSERT_REFUSED(rg_wire_hello_get(&back, wire.data, wire.n, err), RG_EDATA, "not whole");
    rg_free(wire.data);
}

static rg_status send_and_read(void *context, rg_error *err)
{
    rg_wire wire = {0};
    rg_wire_result back;
    const rg_runner_result *result = context;
    rg_wire_begin(&wire);
    rg_wire_result_put(&wire, result, &job);
    rg_status status = rg_wire_seal(&wire, RG_WIRE_RESULT, err);
    if (!status)
        status = rg_wire_result_get(&back, wire.data + RG_WIRE_HEAD, wire.n - RG_WIRE_HEAD, 17,
                                    &job, err);
    if (!status)
        rg_wire_result_free(&back);
    rg_free(wire.data);
    return status;
}

static void memory_may_be_short(void **state)
{
    (void)state;
    rg_store_run *runs = test_runs_make(&job);
    rg_runner_result result = result_of(runs);
    assert_true(test_allocation_sweep(send_and_read, &result) >= 9);
    rg_store_runs_free(runs, job.n_runs);
}

static void cards_are_texts(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "hello",
        "70000 00112233445566778899aabbccddeeff 00112233445566778899aabbccddeeff ::1",
        "0 00112233445566778899aabbccddeeff 00112233445566778899aabbccddeeff ::1",
        "7000 00112233445566778899aabbccddeef 00112233445566778899aabbccddeeff ::1",
        "7000 00112233445566778899aabbccddeeff 0011223344556677x899aabbccddeeff ::1",
    };
    rg_card card, back;
    char text[RG_CARD_TEXT];
    int listener = -1;
    ASSERT_OK(rg_card_open(&card, &listener, err));
    assert_non_null(strstr(card.addresses, "127.0.0.1"));
    rg_card_print(text, &card);
    ASSERT_OK(rg_card_parse(&back, text, err));
    assert_int_equal(back.port, card.port);
    assert_memory_equal(back.lead_key, card.lead_key, RG_WIRE_KEY);
    assert_memory_equal(back.crew_key, card.crew_key, RG_WIRE_KEY);
    assert_string_equal(back.addresses, card.addresses);
    close(listener);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        ASSERT_REFUSED(rg_card_parse(&back, wrong[k], err), RG_EDATA,
                       "expected the addresses of rank 0");
}

static void nobody_listens_any_more(void **state)
{
    (void)state;
    rg_card card;
    int listener = -1, link = -1;
    bool over = false;
    ASSERT_OK(rg_card_open(&card, &listener, err));
    close(listener);
    strcpy(card.addresses, "127.0.0.1");
    ASSERT_REFUSED(rg_card_connect(&link, &over, &card, err), RG_EFAIL, "cannot be reached");
    assert_true(over);
    strcpy(card.addresses, "nowhere");
    ASSERT_REFUSED(rg_card_connect(&link, &over, &card, err), RG_EFAIL, "cannot be reached");
    assert_false(over);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_back_bit_by_bit),
        cmocka_unit_test(a_result_that_is_cut_off_is_refused),
        cmocka_unit_test(results_that_make_no_sense_are_refused),
        cmocka_unit_test(heads_tell_frames_from_other_bytes),
        cmocka_unit_test(greetings_come_back),
        cmocka_unit_test(memory_may_be_short),
        cmocka_unit_test(cards_are_texts),
        cmocka_unit_test(nobody_listens_any_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
