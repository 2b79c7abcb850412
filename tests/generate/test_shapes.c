/* test_shapes.c - the generators of images and vectors: classes, figures, options, and the same bytes
 * always. */
#include "support/program.h"

#include <math.h>
#include <string.h>

static rg_arrays *generate(const rg_shapes_options *options)
{
    rg_arrays *arrays = NULL;
    ASSERT_OK(rg_arrays_generate(&arrays, options, err));
    return arrays;
}

static void classes_are_equal_and_values_in_range(void **state)
{
    (void)state;
    rg_arrays *arrays = generate(NULL);
    size_t counts[4] = {0}, n = rg_arrays_n_samples(arrays), changes = 0;
    assert_string_equal(rg_arrays_name(arrays), "Shapes");
    assert_int_equal(n, 2000);
    assert_int_equal(rg_arrays_shape(arrays).rows, 28);
    assert_int_equal(rg_arrays_shape(arrays).cols, 28);
    assert_int_equal(rg_arrays_shape(arrays).channels, 1);
    for (size_t k = 0; k < n; k++) {
        counts[rg_arrays_classes(arrays, 0)[k]]++;
        changes += k && rg_arrays_classes(arrays, 0)[k] != rg_arrays_classes(arrays, 0)[k - 1];
    }
    for (size_t c = 0; c < 4; c++)
        assert_int_equal(counts[c], 500);
    assert_in_range(changes, 1400, 1600); /* 3 of 4 neighbours differ: in random order */
    for (size_t k = 0; k < n * 784; k++)
        assert_true(rg_arrays_floats(arrays)[k] >= 0 && rg_arrays_floats(arrays)[k] <= 1);
    rg_arrays_free(arrays);
}

/* Rows and columns around all that is bright, and what is bright in them. */
typedef struct box {
    size_t top, bottom, left, right, n_bright;
    bool centre;
} box;

enum { SIDE = 96 };

static bool bright(const float *image, size_t row, size_t col)
{
    return image[row * SIDE + col] > 0.4f;
}

static box find_box(const float *image)
{
    box b = {SIDE, 0, SIDE, 0, 0, false};
    for (size_t r = 0; r < SIDE; r++)
        for (size_t c = 0; c < SIDE; c++) {
            if (!bright(image, r, c))
                continue;
            b.top = r < b.top ? r : b.top;
            b.bottom = r > b.bottom ? r : b.bottom;
            b.left = c < b.left ? c : b.left;
            b.right = c > b.right ? c : b.right;
            b.n_bright++;
        }
    b.centre = bright(image, (b.top + b.bottom) / 2, (b.left + b.right) / 2);
    return b;
}

/* Without noise the figures can be told apart by hand: which corners of the box are bright, and how
 * much of it a filled one fills. */
static void figures_are_what_their_class_says(void **state)
{
    (void)state;
    rg_shapes_options options = {
        .size = sizeof options, .seed = 5, .n_images = 400, .side = SIDE, .noise = 0};
    rg_arrays *arrays = generate(&options);
    size_t n_hollow = 0;
    for (size_t k = 0; k < 400; k++) {
        const float *image = rg_arrays_floats(arrays) + k * SIDE * SIDE;
        box b = find_box(image);
        size_t high = b.bottom - b.top + 1, wide = b.right - b.left + 1;
        size_t top = b.top + 1, bottom = b.bottom - 1, left = b.left + 1, right = b.right - 1;
        size_t corners = (size_t)bright(image, top, left) + bright(image, top, right) +
                         bright(image, bottom, left) + bright(image, bottom, right);
        double part = (double)b.n_bright / (double)(high * wide);
        assert_in_range(high, SIDE * 6 / 16 - 2, SIDE * 12 / 16 + 2);
        assert_in_range(wide, SIDE * 6 / 16 - 2, SIDE * 12 / 16 + 2);
        n_hollow += !b.centre;
        switch (rg_arrays_classes(arrays, 0)[k]) {
        case 0:
            assert_int_equal(corners, 4);
            assert_true(b.centre ? part > 0.95 : part < 0.6);
            break;
        case 1:
            assert_int_equal(corners, 0);
            assert_true(b.centre ? fabs(part - 0.785) < 0.03 : part < 0.55);
            break;
        case 2:
            assert_true(corners <= 2); /* sharp corners may be too thin to be bright */
            assert_true(b.centre ? fabs(part - 0.5) < 0.04 : part < 0.48);
            break;
        default:
            assert_int_equal(corners, 0);
            assert_true(b.centre ? part > 0.45 && part < 0.8 : part < 0.6);
        }
    }
    assert_in_range(n_hollow, 150, 250);
    rg_arrays_free(arrays);
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {0, 0, 1};
    char digest[3][RG_DIGEST_SIZE];
    for (size_t k = 0; k < 3; k++) {
        rg_shapes_options options = rg_shapes_options_default();
        options.n_images = 40;
        options.seed = seeds[k];
        rg_arrays *arrays = generate(&options);
        rg_arrays_digest(arrays, digest[k]);
        rg_arrays_free(arrays);
    }
    assert_string_equal(digest[0], digest[1]);
    assert_string_not_equal(digest[0], digest[2]);
    /* a change here means that everyone's images change: say so in CHANGELOG.md */
    assert_string_equal(digest[0],
                        "49a2a63c9f49b97046e275376feb66f4071b4037b31d73528afdefc12ea19055");
}

static void options_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        rg_shapes_options options;
        const char *message;
    } cases[] = {
        {{.n_images = 0, .side = 28}, "Shapes: found 0 images, expected 1 to 4294967294"},
        {{.n_images = 6, .side = 28}, "Shapes: 6 images cannot be split into 4 equal classes"},
        {{.n_images = 4, .side = 11}, "Shapes: found size 11, expected 12 to 1024"},
        {{.n_images = 4, .side = 1025}, "Shapes: found size 1025, expected 12 to 1024"},
        {{.n_images = 4, .side = 28, .noise = -1}, "Shapes: found noise -1, expected 0 to 1"},
        {{.n_images = 4, .side = 28, .noise = NAN}, "Shapes: found noise nan, expected 0 to 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_arrays *arrays = NULL;
        rg_error why = {""};
        rg_shapes_options options = cases[k].options;
        options.size = sizeof options;
        assert_int_equal(rg_arrays_generate(&arrays, &options, &why), RG_EUSAGE);
        assert_string_equal(why.message, cases[k].message);
        assert_null(arrays);
    }
    rg_shapes_options small = {.size = sizeof small, .n_images = 4, .side = 12, .noise = 1};
    rg_arrays_free(generate(&small));
}

/* ---- switches */

static rg_arrays *switches(uint64_t seed, uint32_t n_switches)
{
    rg_switches_options options = rg_switches_options_default();
    rg_arrays *arrays = NULL;
    options.seed = seed;
    options.n_vectors = 400;
    options.n_switches = n_switches;
    ASSERT_OK(rg_switches_generate(&arrays, &options, err));
    return arrays;
}

/* Perceptrons, one for each pattern of the switches, find a sum without mistakes; opposite patterns have
 * opposite ones. */
static void switches_decide_the_signs_of_a_sum(void **state)
{
    enum { D = 8, K = 2 };
    double w[4][D] = {{0}};
    size_t n_first = 0, n_wrong = 1;
    (void)state;
    rg_arrays *arrays = switches(3, K);
    const float *x = rg_arrays_floats(arrays);
    const uint32_t *classes = rg_arrays_classes(arrays, 0);
    assert_int_equal(rg_arrays_shape(arrays).cols, K + D);
    for (size_t k = 0; k < 400; k++)
        n_first += classes[k] == 0;
    assert_int_equal(n_first, 200);
    for (int round = 0; n_wrong && round < 200; round++) {
        n_wrong = 0;
        for (size_t k = 0; k < 400; k++) {
            const float *own = x + k * (K + D);
            double *to = w[(own[0] > 0) + 2 * (own[1] > 0)], sum = 0, sign = classes[k] ? 1 : -1;
            for (size_t j = 0; j < D; j++)
                sum += to[j] * (double)own[K + j];
            for (size_t j = 0; j < D && sum * sign <= 0; j++)
                to[j] += sign * (double)own[K + j];
            n_wrong += sum * sign <= 0;
        }
    }
    assert_int_equal(n_wrong, 0);
    for (size_t j = 0; j < D; j++)
        assert_true(w[0][j] * w[3][j] < 0 && w[1][j] * w[2][j] < 0);
    rg_arrays_free(arrays);
}

static void switches_have_the_same_bytes_and_refuse_nonsense(void **state)
{
    static const struct {
        rg_switches_options options;
        const char *message;
    } cases[] = {
        {{.n_vectors = 0, .n_switches = 1, .n_values = 1},
         "found 0 vectors, expected 1 to 4294967294"},
        {{.n_vectors = 3, .n_switches = 1, .n_values = 1},
         "3 vectors cannot be split into 2 equal"},
        {{.n_vectors = 2, .n_switches = 0, .n_values = 1}, "found 0 switches, expected 1 to 8"},
        {{.n_vectors = 2, .n_switches = 9, .n_values = 1}, "found 9 switches, expected 1 to 8"},
        {{.n_vectors = 2, .n_switches = 1, .n_values = 0}, "found size 0, expected 1 to 1000000"},
    };
    char digest[2][RG_DIGEST_SIZE];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_switches_options options = cases[k].options;
        options.size = sizeof options;
        rg_arrays *arrays = NULL;
        ASSERT_REFUSED(rg_switches_generate(&arrays, &options, err), RG_EUSAGE, cases[k].message);
    }
    for (int k = 0; k < 2; k++) {
        rg_arrays *arrays = switches(0, 5);
        rg_arrays_digest(arrays, digest[k]);
        rg_arrays_free(arrays);
    }
    assert_string_equal(digest[0], digest[1]);
    assert_string_equal(digest[0],
                        "094310feebe9b99ed3e6aa7e925ce1bd9c49bd1b2ab3d6f4eacf2e7a26e09502");
}

static rg_status generate_switches_once(void *context, rg_error *err)
{
    rg_arrays *arrays = NULL;
    rg_status status = rg_switches_generate(&arrays, context, err);
    rg_arrays_free(arrays);
    return status;
}

static rg_status generate_once(void *context, rg_error *err)
{
    rg_arrays *arrays = NULL;
    rg_status status = rg_arrays_generate(&arrays, context, err);
    rg_arrays_free(arrays);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    rg_shapes_options options = {.size = sizeof options, .n_images = 4, .side = 12};
    assert_int_equal(test_allocation_sweep(generate_once, &options), 7);
    rg_switches_options vectors = {
        .size = sizeof vectors, .n_vectors = 4, .n_switches = 2, .n_values = 3};
    assert_int_equal(test_allocation_sweep(generate_switches_once, &vectors), 7);
}

/* ---- the program */

static void the_program_makes_audits_and_splits_them(void **state)
{
    static const struct {
        const char *line;
        int code;
        const char *out, *err;
    } cases[] = {
        {"regula data generate Shapes --out s --graphs 40 --seed 9", 0,
         "Shapes: 40 images of 28 x 28 in s\n", ""},
        {"regula data generate shapes --out t --graphs 40 --seed 9 && cmp s/x.npy t/x.npy && "
         "cmp s/y.npy t/y.npy",
         0, "Shapes: 40", ""},
        {"regula data generate Shapes --out u --graphs 8 --size 16 --json", 0, "\"samples\": 8",
         ""},
        {"regula data generate Shapes --out v --graphs 6", 2, "", "into 4 equal classes"},
        {"regula data generate Shapes --out v --largest 6", 2, "",
         "regula: Shapes: option '--largest' is for graphs only\n"},
        {"regula data generate Shapes --out v --format tu", 2, "", "'--format' is for graphs only"},
        {"regula data generate switches --out w --graphs 20 --size 3", 0,
         "Switches: 20 vectors of 1 x 8 in w\n", ""},
        {"regula data generate Switches --out v --smallest 6", 2, "",
         "regula: Switches: option '--smallest' is for graphs only\n"},
        {"regula data info s", 0,
         "s  (s)\n\nsamples            40\nclasses            4\n  class 0          10\n", ""},
        {"regula data info s", 0, "shape              28 rows, 28 columns, 1 channel: 784 values\n",
         ""},
        {"regula data info s/x.npy --json", 0, "\"class_counts\": {\n    \"0\": 10", ""},
        {"regula data info s --json", 0, "\"task\": \"classification\"", ""},
        {"regula data info s --target real", 3, "", "regula: 's' has no real-valued targets\n"},
        {"regula data info s --format tu", 3, "", "found no data set"},
        {"regula data split s --folds 5 --out s.json", 0, "5 folds in s.json\n", ""},
        {"regula data split s --check s.json", 0, "samples in no test set     0\n", ""},
        {"regula data split u --check s.json", 3, "", "found sample "},
        {"mkdir d && cp s/x.npy d && regula data split d --folds 5 --out d.json", 0, "5 folds",
         "note: d has no classes, so the splits are not stratified"},
        {"regula data info d --json", 0, "\"task\": null", ""},
        {"regula data info d/x.npy", 0, "classes            none\nreal targets       none\n", ""},
        {"cat s/x.npy s/x.npy >d/x.npy; regula data info d", 3, "",
         "regula: d/x.npy: byte 125568: found more bytes, expected the end of the file after 31360 "
         "numbers\n"},
        {"regula data convert s --to tu --out w", 3, "", "found no data set"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect(*state, cases[k].line, cases[k].code, cases[k].out, cases[k].err);
}

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_equal_and_values_in_range),
        cmocka_unit_test(figures_are_what_their_class_says),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(switches_decide_the_signs_of_a_sum),
        cmocka_unit_test(switches_have_the_same_bytes_and_refuse_nonsense),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_program_makes_audits_and_splits_them),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
