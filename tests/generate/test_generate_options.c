/* test_generate_options.c - seeds, threads, refusals and failing memory of the generators. */
#include "support/support.h"

#include <string.h>

static rg_dataset *generate(rg_generator generator, rg_generate_options options)
{
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_generate(&data, generator, &options, err));
    return data;
}

static rg_dataset *generate_default(rg_generator generator)
{
    return generate(generator, rg_generate_options_default());
}

/* ---- seeds and threads */

static void the_same_seed_gives_the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    for (unsigned k = 0; k < RG_N_GENERATORS; k++) {
        char digest[RG_DIGEST_SIZE], other[RG_DIGEST_SIZE];
        rg_dataset *data = generate(
            (rg_generator)k,
            (rg_generate_options){.size = sizeof(rg_generate_options), .seed = 7, .n_threads = 1});
        rg_dataset_digest(data, digest);
        rg_dataset_free(data);
        static const unsigned threads[] = {0, 1, 2, 8};
        for (size_t t = 0; t < 4; t++) {
            data =
                generate((rg_generator)k, (rg_generate_options){.size = sizeof(rg_generate_options),
                                                                .seed = 7,
                                                                .n_threads = threads[t]});
            rg_dataset_digest(data, other);
            assert_string_equal(digest, other);
            rg_dataset_free(data);
        }
        data = generate((rg_generator)k,
                        (rg_generate_options){.size = sizeof(rg_generate_options), .seed = 8});
        rg_dataset_digest(data, other);
        assert_string_not_equal(digest, other);
        rg_dataset_free(data);
    }
    /* repetitions are drawn again after the threads are done: still the same */
    char digest[2][RG_DIGEST_SIZE];
    for (unsigned t = 0; t < 2; t++) {
        rg_dataset *data =
            generate(RG_CSL, (rg_generate_options){.size = sizeof(rg_generate_options),
                                                   .n_graphs = 60,
                                                   .n_nodes = 8,
                                                   .n_threads = 1 + 7 * t});
        rg_dataset_digest(data, digest[t]);
        rg_dataset_free(data);
    }
    assert_string_equal(digest[0], digest[1]);
}

/* A change here means that everyone's generated sets change: say so in CHANGELOG.md. */
static void seed_0_gives_the_sets_it_always_gave(void **state)
{
    (void)state;
    static const char *const digests[RG_N_GENERATORS] = {
        "7409e600473a5b86d48cb2b8da6c12e68649d54632ec850730c24582d489b69e",
        "3a5e2748a9d7b7fb446a5e045ac2d3c2894f9ce7ce0422cb65db0a7a3c32241e",
        "fe60d9b532e71bd9f242b2c4107ffe821866a9f8d35e66000b69da38365dee44",
        "1562888be5bcb6ac765ebcbd4293655a0048c1597d54ee5677fc55573e4c832b",
        "d27e64330bc142836b4cdea3986d91022ccf8625f2d89e189a9c128c54176966",
        "f829042bd7bcbc4c6dc51b4d04d03199bfc940866c909095ec5209268096f738",
    };
    for (unsigned k = 0; k < RG_N_GENERATORS; k++) {
        char digest[RG_DIGEST_SIZE];
        rg_dataset *data = generate_default((rg_generator)k);
        rg_dataset_digest(data, digest);
        assert_string_equal(digest, digests[k]);
        rg_dataset_free(data);
    }
}

static void generators_are_found_by_name_in_any_case(void **state)
{
    (void)state;
    static const char *const names[RG_N_GENERATORS] = {
        "LongRings", "EvenOddRings", "EvenOddRingsCount", "CSL", "Snowflakes", "SnowflakeParts",
    };
    for (unsigned k = 0; k < RG_N_GENERATORS; k++) {
        assert_string_equal(rg_generator_name((rg_generator)k), names[k]);
        assert_int_equal(rg_generator_find(names[k]), k);
    }
    assert_int_equal(rg_generator_find("longrings"), RG_LONG_RINGS);
    assert_int_equal(rg_generator_find("csl"), RG_CSL);
    assert_int_equal(rg_generator_find("Rings"), RG_NO_GENERATOR);
    assert_int_equal(rg_generator_find(""), RG_NO_GENERATOR);
    assert_null(rg_generator_name(RG_N_GENERATORS));
}

static void options_that_cannot_be_met_are_refused(void **state)
{
    (void)state;
    static const struct {
        rg_generator generator;
        rg_generate_options options;
        const char *message;
    } cases[] = {
        {RG_LONG_RINGS,
         {.n_graphs = 1201},
         "LongRings: 1201 graphs cannot be split into 3 equal classes"},
        {RG_LONG_RINGS,
         {.n_graphs = 2},
         "LongRings: 2 graphs cannot be split into 3 equal classes"},
        {RG_EVEN_ODD_RINGS,
         {.n_graphs = 1202},
         "EvenOddRings: 1202 graphs cannot be split into 4 equal classes"},
        {RG_EVEN_ODD_RINGS_COUNT,
         {.n_graphs = 1201},
         "EvenOddRingsCount: 1201 graphs cannot be split into 2 equal classes"},
        {RG_CSL, {.n_graphs = 151}, "CSL: 151 graphs cannot be split into 10 equal classes"},
        {RG_CSL,
         {.n_graphs = 150, .n_nodes = 42},
         "CSL: 150 graphs cannot be split into 17 equal classes"},
        {RG_SNOWFLAKES,
         {.n_graphs = 1001},
         "Snowflakes: 1001 graphs cannot be split into 10 equal circle lengths"},
        {RG_LONG_RINGS,
         {.n_nodes = 102},
         "LongRings: found size 102, expected a multiple of 4 between 8 and 1000000"},
        {RG_LONG_RINGS,
         {.n_nodes = 4},
         "LongRings: found size 4, expected a multiple of 4 between 8 and 1000000"},
        {RG_EVEN_ODD_RINGS,
         {.n_nodes = 4294967292},
         "EvenOddRings: found size 4294967292, expected a multiple of 4 between 8 and 1000000"},
        {RG_EVEN_ODD_RINGS_COUNT,
         {.n_nodes = 15},
         "EvenOddRingsCount: found size 15, expected a multiple of 4 between 8 and 1000000"},
        {RG_CSL,
         {.n_nodes = 7},
         "CSL: found size 7, expected 8 to 1000000 (smaller graphs have one skip only)"},
        {RG_CSL,
         {.n_nodes = 4294967295},
         "CSL: found size 4294967295, expected 8 to 1000000 (smaller graphs have one skip only)"},
        {RG_CSL,
         {.n_nodes = 1000000},
         "CSL: 6000000 graphs of this size have more than 4294967294 nodes together"},
        {RG_SNOWFLAKES,
         {.smallest = 2},
         "Snowflakes: found circles of 2 to 12 nodes, expected 3 <= smallest <= largest <= "
         "1000000"},
        {RG_SNOWFLAKES,
         {.smallest = 13},
         "Snowflakes: found circles of 13 to 12 nodes, expected 3 <= smallest <= largest <= "
         "1000000"},
        {RG_SNOWFLAKES,
         {.largest = 1000001},
         "Snowflakes: found circles of 3 to 1000001 nodes, expected 3 <= smallest <= largest <= "
         "1000000"},
        {RG_SNOWFLAKES,
         {.smallest = 3, .largest = 1000000},
         "Snowflakes: 99999800 graphs of this size have more than 4294967294 nodes together"},
        {RG_SNOWFLAKES,
         {.n_nodes = 5},
         "Snowflakes: found size 5, but these graphs have no such size"},
        {RG_LONG_RINGS,
         {.smallest = 3},
         "LongRings: found smallest 3, but these graphs have no such size"},
        {RG_CSL, {.largest = 9}, "CSL: found largest 9, but these graphs have no such size"},
        {RG_LONG_RINGS,
         {.n_graphs = 4294967294},
         "LongRings: 4294967294 graphs cannot be split into 3 equal classes"},
        {RG_LONG_RINGS,
         {.n_graphs = 4294967295},
         "LongRings: found 4294967295 graphs, expected at most 4294967294"},
        {RG_EVEN_ODD_RINGS,
         {.n_graphs = 300000000},
         "EvenOddRings: 300000000 graphs of this size have more than 4294967294 nodes together"},
        {RG_SNOWFLAKE_PARTS,
         {.n_graphs = 6},
         "SnowflakeParts: 6 graphs cannot be split into 4 equal classes"},
        {RG_SNOWFLAKE_PARTS,
         {.n_nodes = 15},
         "SnowflakeParts: found size 15, but these graphs have no such size"},
        {RG_N_GENERATORS, {.seed = 0}, "there is no generator number 6"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rg_generate_options options = cases[k].options;
        options.size = sizeof options;
        rg_error err = {""};
        assert_int_equal(rg_generate_options_check(&options, cases[k].generator, &err), RG_EUSAGE);
        assert_string_equal(err.message, cases[k].message);
        rg_dataset *data = NULL;
        err.message[0] = '\0';
        assert_int_equal(rg_dataset_generate(&data, cases[k].generator, &options, &err), RG_EUSAGE);
        assert_string_equal(err.message, cases[k].message);
        assert_null(data);
    }
}

/* Found only by trying: the options are fine, the graphs do not exist. */
static void more_graphs_than_exist_are_refused(void **state)
{
    (void)state;
    static const struct {
        rg_generator generator;
        rg_generate_options options;
        const char *message;
    } cases[] = {
        {RG_EVEN_ODD_RINGS_COUNT,
         {.n_graphs = 1154, .n_nodes = 8},
         "EvenOddRingsCount: found 1153 different graphs with room in their class, expected 1154 "
         "(1048576 draws without a new one); ask for fewer or larger graphs"},
        {RG_CSL,
         {.n_graphs = 72, .n_nodes = 8},
         "CSL: no graph of class 1 is left that differs from the first 71 graphs (1048576 draws); "
         "ask for fewer or larger graphs"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rg_generate_options options = cases[k].options;
        options.size = sizeof options;
        rg_dataset *data = NULL;
        ASSERT_OK(rg_generate_options_check(&options, cases[k].generator, err));
        if (!test_in_sample(k))
            continue;
        rg_error err = {""};
        assert_int_equal(rg_dataset_generate(&data, cases[k].generator, &options, &err), RG_EUSAGE);
        assert_string_equal(err.message, cases[k].message);
        assert_null(data);
    }
}

typedef struct generate_sweep {
    rg_generator generator;
    rg_generate_options options;
} generate_sweep;

static rg_status sweep_body(void *context, rg_error *err)
{
    generate_sweep *s = context;
    rg_dataset *data = NULL;
    rg_status status = rg_dataset_generate(&data, s->generator, &s->options, err);
    assert_true((data == NULL) == (status != RG_OK));
    rg_dataset_free(data);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    generate_sweep sweeps[] = {
        {RG_LONG_RINGS, {.n_graphs = 6, .n_nodes = 8, .n_threads = 2}},
        {RG_EVEN_ODD_RINGS, {.n_graphs = 200, .n_nodes = 8, .n_threads = 1}},
        {RG_EVEN_ODD_RINGS_COUNT, {.n_graphs = 8, .n_nodes = 16, .n_threads = 1}},
        {RG_CSL, {.n_graphs = 60, .n_nodes = 8, .n_threads = 3}},
        {RG_SNOWFLAKES, {.n_graphs = 4, .smallest = 3, .largest = 4, .n_threads = 1}},
    };
    for (size_t k = 0; k < sizeof sweeps / sizeof sweeps[0]; k++) {
        sweeps[k].options.size = sizeof sweeps[k].options;
        assert_true(test_allocation_sweep(sweep_body, &sweeps[k]) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(seed_0_gives_the_sets_it_always_gave),
        cmocka_unit_test(generators_are_found_by_name_in_any_case),
        cmocka_unit_test(options_that_cannot_be_met_are_refused),
        cmocka_unit_test(more_graphs_than_exist_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
