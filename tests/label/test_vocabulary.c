/* test_vocabulary.c - keys and their numbers; fitted labelings as bytes and back. */
#include "support/graphs.h"
#include "support/labelings.h"

#include "base/digest.h"
#include "label/vocabulary.h"

/* Keys of one to three words, with repeats. */
static const uint32_t words[] = {5, 5, 7, 5, 5, 7, 2, 5, UINT32_MAX - 1, 0, 0};
static const uint64_t starts[] = {0, 1, 3, 4, 6, 7, 8, 9, 11};

static void numbers_go_by_frequency_then_by_key(void **state)
{
    (void)state;
    /* 5 | 5 7 | 5 | 5 7 | 2 | 5 | big | 0 0 */
    rg_vocabulary *vocabulary = NULL;
    uint32_t numbers[8], again[8];
    rg_keys keys = {words, starts, 8, NULL};
    static const uint32_t expected[8] = {0, 1, 0, 1, 3, 0, 4, 2};
    ASSERT_OK(rg_vocabulary_build(&vocabulary, numbers, &keys, err));
    assert_memory_equal(numbers, expected, sizeof expected);
    rg_vocabulary_apply(vocabulary, again, &keys);
    assert_memory_equal(again, expected, sizeof expected);
    assert_int_equal(rg_vocabulary_size(vocabulary), 5);
    assert_int_equal(rg_vocabulary_count(vocabulary, 0), 3);
    assert_int_equal(rg_vocabulary_count(vocabulary, 1), 2);
    size_t n;
    const uint32_t *key = rg_vocabulary_key(vocabulary, 1, &n);
    assert_int_equal(n, 2);
    assert_memory_equal(key, ((uint32_t[]){5, 7}), 8);
    rg_vocabulary_free(vocabulary);
}

static void only_selected_keys_are_collected(void **state)
{
    (void)state;
    static const bool selected[8] = {false, true, false, false, true, true, false, false};
    static const uint32_t expected[8] = {1, 2, 1, 2, 0, 1, RG_UNSEEN, RG_UNSEEN};
    rg_vocabulary *vocabulary = NULL;
    uint32_t numbers[8];
    ASSERT_OK(
        rg_vocabulary_build(&vocabulary, numbers, &(rg_keys){words, starts, 8, selected}, err));
    assert_memory_equal(numbers, expected, sizeof expected);
    assert_int_equal(rg_vocabulary_size(vocabulary), 3);
    rg_vocabulary_free(vocabulary);
}

static void stored_keys_must_be_in_order_and_there_once(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[3];
        uint64_t counts[3];
        const char *message;
    } cases[] = {
        {{1, 2, 3}, {9, 9, 2}, NULL},
        {{3, 2, 1}, {9, 8, 7}, NULL},
        {{1, 3, 2}, {9, 8, 8}, "found key 2 out of order"},
        {{1, 2, 3}, {8, 9, 2}, "found key 1 out of order"},
        {{1, 1, 3}, {9, 9, 2}, "found key 1 out of order"},
        {{1, 2, 1}, {9, 8, 7}, "found key 2 twice"},
    };
    static const uint64_t start[] = {0, 1, 2, 3};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_vocabulary *vocabulary = NULL;
        rg_error err = {""};
        rg_keys keys = {cases[k].words, start, 3, NULL};
        rg_status status = rg_vocabulary_restore(&vocabulary, &keys, cases[k].counts, &err);
        assert_int_equal(status, cases[k].message ? RG_EDATA : RG_OK);
        assert_true((vocabulary == NULL) == (cases[k].message != NULL));
        if (cases[k].message && !strstr(err.message, cases[k].message))
            fail_msg("case %zu: %s", k, err.message);
        rg_vocabulary_free(vocabulary);
    }
}

static const char *const specs[] = {
    "degree",
    "wl(depth=3, from=node, edges=true, max=9, unseen=backoff)",
    "combine(attribute(0, bins=4), cycles(kind=induced, max=6), trivial)",
    "marked(k=2, from=node, edges=true)",
    "marked(k=3, from=node, depth=1)",
    "wl2(from=node, edges=true)",
    "wl(depth=1, from=combine(node, pattern(triangle, path(3))))",
};
enum { N_SPECS = sizeof specs / sizeof *specs };

static void what_is_stored_comes_back(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(30, 8, 1), *other = test_random_set(30, 8, 2);
    size_t bytes = (size_t)rg_dataset_n_nodes(other) * sizeof(uint32_t);
    for (size_t k = 0; k < N_SPECS; k++) {
        rg_labeling *labeling = test_fit(NULL, specs[k], data), *back = NULL;
        rg_labels *before = NULL, *after = NULL;
        void *stored, *again;
        size_t n, m;
        ASSERT_OK(rg_labeling_encode(&stored, &n, labeling, err));
        ASSERT_OK(rg_labeling_decode(&back, stored, n, err));
        ASSERT_OK(rg_labeling_encode(&again, &m, back, err));
        assert_int_equal(n, m);
        assert_memory_equal(stored, again, n);
        assert_string_equal(rg_labeling_spec(labeling), rg_labeling_spec(back));
        assert_int_equal(rg_labeling_size(labeling), rg_labeling_size(back));
        assert_int_equal(rg_labeling_seen(labeling), rg_labeling_seen(back));
        ASSERT_OK(rg_labeling_apply(&before, labeling, other, NULL, err));
        ASSERT_OK(rg_labeling_apply(&after, back, other, NULL, err));
        assert_memory_equal(rg_labels_data(before), rg_labels_data(after), bytes);
        rg_labels_free(before);
        rg_labels_free(after);
        rg_bytes_free(stored);
        rg_bytes_free(again);
        rg_labeling_free(labeling);
        rg_labeling_free(back);
    }
    rg_dataset_free(data);
    rg_dataset_free(other);
}

/* Whether a count is capped is part of a key: applied with any other budget, all would be unseen.
 */
static void the_budget_of_the_fit_is_kept(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(10, 8, 5);
    rg_label_options options = rg_label_options_default();
    rg_labeling *labeling = NULL, *back = NULL;
    rg_labels *fitted = NULL, *applied = NULL;
    void *stored;
    size_t n;
    options.budget = 40;
    ASSERT_OK(rg_labeling_fit(&labeling, &fitted, "combine(degree, cycles(max=6))", data, NULL, 0,
                              &options, err));
    assert_in_range(rg_labels_n_capped(fitted), 1, 9);
    ASSERT_OK(rg_labeling_encode(&stored, &n, labeling, err));
    ASSERT_OK(rg_labeling_decode(&back, stored, n, err));
    assert_int_equal(rg_labeling_budget(back), 40);
    ASSERT_OK(rg_labeling_apply(&applied, back, data, NULL, err));
    assert_int_equal(rg_labels_n_capped(applied), rg_labels_n_capped(fitted));
    assert_memory_equal(rg_labels_data(applied), rg_labels_data(fitted),
                        (size_t)rg_dataset_n_nodes(data) * sizeof(uint32_t));
    rg_labels_free(fitted);
    rg_labels_free(applied);
    rg_bytes_free(stored);
    rg_labeling_free(labeling);
    rg_labeling_free(back);
    rg_dataset_free(data);
}

/* Reads bytes that may be anything: refused with a message, or a labeling that works. */
static rg_status take(const unsigned char *bytes, size_t n, const rg_dataset *data)
{
    rg_labeling *labeling = NULL;
    rg_error err = {""};
    rg_status status = rg_labeling_decode(&labeling, bytes, n, &err);
    if (status) {
        assert_null(labeling);
        assert_true(err.message[0] != '\0');
        return status;
    }
    for (uint32_t k = 0; k < rg_labeling_size(labeling); k++) {
        char text[80];
        assert_int_equal(rg_labeling_describe(text, sizeof text, labeling, k, &err), RG_OK);
    }
    rg_labels *labels = NULL;
    if (rg_labeling_apply(&labels, labeling, data, NULL, &err) == RG_OK)
        for (uint64_t k = 0; k < rg_labels_n_nodes(labels); k++)
            assert_true(rg_labels_data(labels)[k] < rg_labeling_size(labeling));
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    return RG_OK;
}

/* As someone would who knows the format: the check sum is made right again. */
static void mend_sum(unsigned char *bytes, size_t n)
{
    uint64_t sum = rg_hash(bytes, n - 8, 0);
    for (size_t k = 0; k < 8; k++)
        bytes[n - 8 + k] = (unsigned char)(sum >> (8 * k));
}

static void every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(4, 6, 3);
    for (size_t k = 0; k < N_SPECS; k++) {
        rg_labeling *labeling = test_fit(NULL, specs[k], data);
        void *stored;
        size_t n;
        ASSERT_OK(rg_labeling_encode(&stored, &n, labeling, err));
        unsigned char *bytes = stored;
        for (size_t at = 0; at < n; at++) {
            assert_int_equal(take(bytes, at, data), RG_EDATA); /* cut short */
            bytes[at] = (unsigned char)(bytes[at] ^ 1u << at % 8);
            assert_int_equal(take(bytes, n, data), RG_EDATA);
            bytes[at] = (unsigned char)(bytes[at] ^ 1u << at % 8);
        }
        assert_int_equal(take(bytes, n, data), RG_OK);
        /* With a check sum that agrees nothing may crash; most of it is refused all the same. */
        size_t refused = 0;
        for (size_t at = 8; at + 8 < n; at++) {
            unsigned char kept = bytes[at];
            bytes[at] = (unsigned char)(kept ^ (0x80 >> (at % 8)));
            mend_sum(bytes, n);
            refused += take(bytes, n, data) != RG_OK;
            bytes[at] = kept;
        }
        assert_true(refused > n / 3);
        rg_bytes_free(stored);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
}

/* A vocabulary may come from anyone: it must not make us open files. */
static void stored_specs_open_no_files(void **state)
{
    (void)state;
    static const char *const texts[] = {"pattern(file(\"/dev/zero\"), induced=true)",
                                        "wl(depth=1, from=pattern(file(/nowhere)))"};
    for (size_t k = 0; k < 2; k++) {
        unsigned char bytes[256] = "RGLABEL1";
        size_t n = strlen(texts[k]);
        bytes[8] = (unsigned char)n;
        memcpy(bytes + 16, texts[k], n);
        mend_sum(bytes, 16 + n + 8);
        rg_labeling *labeling = NULL;
        rg_error err = {""};
        assert_int_equal(rg_labeling_decode(&labeling, bytes, 16 + n + 8, &err), RG_EDATA);
        assert_non_null(strstr(err.message, "expected a pattern that needs no file"));
        assert_null(labeling);
    }
}

static rg_status store_and_load(void *context, rg_error *err)
{
    void *bytes = NULL;
    size_t n = 0;
    rg_labeling *back = NULL;
    rg_status status = rg_labeling_encode(&bytes, &n, context, err);
    if (!status)
        status = rg_labeling_decode(&back, bytes, n, err);
    rg_bytes_free(bytes);
    rg_labeling_free(back);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(6, 7, 4);
    for (size_t k = 0; k < N_SPECS; k++) {
        rg_labeling *labeling = test_fit(NULL, specs[k], data);
        assert_true(test_allocation_sweep(store_and_load, labeling) > 10);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_go_by_frequency_then_by_key),
        cmocka_unit_test(only_selected_keys_are_collected),
        cmocka_unit_test(stored_keys_must_be_in_order_and_there_once),
        cmocka_unit_test(what_is_stored_comes_back),
        cmocka_unit_test(the_budget_of_the_fit_is_kept),
        cmocka_unit_test(every_damaged_byte_is_noticed),
        cmocka_unit_test(stored_specs_open_no_files),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
