/* test_cli_gnn.c - experiments with message passing networks, as users meet them. */
#include "support/program.h"

#include <string.h>

#define EXAMPLES REGULA_SOURCE "/examples/baselines/"
#define SMALL                                                                            \
    " --set data=rings --set 'splits={folds: 3, seed: 1}' --set runs=1 --set folds=[0] " \
    "--set training.epochs=2 --json --out "

static int set_up(void **state)
{
    *state = test_directory_make();
    expect(*state, "regula data generate EvenOddRings --out rings --graphs 40", 0, NULL, "");
    return 0;
}

static int tear_down(void **state)
{
    test_directory_remove(*state);
    return 0;
}

/* The digest of a run that just ended. */
static void digest_of(char *out, const char *directory, const char *line)
{
    program_result result = run(directory, "%s", line);
    const char *at = strstr(result.out, "\"digest\": \"");
    if (result.code)
        fail_msg("%s: %s", line, result.err);
    while (at && strlen(at) > 75 && at[11 + 64] != '"') /* of the data, shorter ones too */
        at = strstr(at + 1, "\"digest\": \"");
    assert_non_null(at);
    memcpy(out, at + 11, 64);
    out[64] = 0;
    program_result_free(&result);
}

static void a_rule_layer_inside_a_gin_runs(void **state)
{
    program_result result = run(*state, "regula run " EXAMPLES "gin-rule.yml" SMALL "mixed");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "\"choices\": \"model=gin"));
    program_result_free(&result);
}

static void every_example_runs(void **state)
{
    static const char *const names[] = {"gin", "graphsage", "gcn", "dgcnn", "gsn"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *line =
            test_format("regula run " EXAMPLES "%s.yml --set model.training.epochs=2" SMALL "%s",
                        names[k], names[k]);
        program_result result = run(*state, "%s", line);
        if (result.code)
            fail_msg("%s: %s", line, result.err);
        program_result_free(&result);
        free(line);
    }
}

static void jobs_change_nothing(void **state)
{
    char one[65], other[65];
    digest_of(one, *state, "regula run " EXAMPLES "gin-rule.yml --jobs 1" SMALL "one");
    digest_of(other, *state, "regula run " EXAMPLES "gin-rule.yml --jobs 4" SMALL "four");
    assert_string_equal(one, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_layer_inside_a_gin_runs),
        cmocka_unit_test(every_example_runs),
        cmocka_unit_test(jobs_change_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
