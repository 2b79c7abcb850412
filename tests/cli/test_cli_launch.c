/* test_cli_launch.c - regula run as mpirun and Slurm start it, and regula submit with an sbatch that
 * only notes what it was asked. tools/test_mpi.sh and tools/test_slurm.sh have the real ones. */
#include "support/program.h"

#include "cli/command/command.h"
#include "support/stores.h"

#include <string.h>

/* The sbatch of these tests: its words go to a file, a line each; job numbers are 17, 18, ... */
#define SBATCH                                    \
    "#!/bin/sh\n"                                 \
    "for word; do echo \"$word\"; done >>asked\n" \
    "echo >>jobs\n"                               \
    "echo $((16 + $(wc -l <jobs)))';here'\n"
#define REFUSING "#!/bin/sh\necho 'sbatch: error: Invalid partition name' >&2\nexit 1\n"

/* rings/ (60 graphs), exp.yml (8 jobs), done/ in which it is done, bin/ and refusing/ with sbatch. */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "exp.yml",
               "data: rings\nruns: 3\nsplits: {folds: 4, seed: 1}\n"
               "network:\n"
               "  preset: paper\n"
               "  input: scaled\n"
               "  labels: {label: node}\n"
               "  layers:\n"
               "    - rule: share label(i), label(j) when dist(i,j) in {8}\n"
               "      bias: share label(i)\n"
               "    - aggregate: share out, label(i)\n"
               "training: {epochs: 4, patience: none, lr: [0.1, 0.05]}\n");
    expect(directory, "mkdir bin refusing \"it's\"", 0, "", "");
    test_write(directory, "bin/sbatch", SBATCH);
    test_write(directory, "refusing/sbatch", REFUSING);
    expect(directory, "chmod +x bin/sbatch refusing/sbatch", 0, "", "");
    expect(directory, "regula data generate EvenOddRingsCount --out rings --graphs 60", 0, NULL,
           "");
    expect(directory, "regula run exp.yml --out done --jobs 1", 0, NULL, NULL);
    return 0;
}

static void assert_as_done(const char *root, const char *name)
{
    char expected[RG_DIGEST_TEXT], digest[RG_DIGEST_TEXT];
    char *done = test_format("%s/done", root), *other = test_format("%s/%s", root, name);
    test_store_digest(expected, done);
    test_store_digest(digest, other);
    assert_string_equal(digest, expected);
    free(done);
    free(other);
}

/* ---- regula run */

/* Whatever the launcher and the number of ranks: every rank ends well, one of them prints the
 * result, and no parts are left. */
static void ranks_come_to_the_digest_of_one_process(void **state)
{
    static const struct {
        const char *rank, *size;
        int n;
    } cases[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", 3},
                 {"PMI_RANK", "PMI_SIZE", 2},
                 {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", 9},
                 {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 2}};
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        program_result result = run(
            *state,
            "for r in $(seq 0 %d); do %s=$r %s=%d SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=%d "
            "SLURM_ARRAY_TASK_STEP=1 regula run exp.yml --out ranks%zu --jobs 1 --json "
            ">out.$r || echo \"rank $r broke\"; done; cat out.*; rm out.*; ls ranks%zu/parts",
            cases[k].n - 1, cases[k].rank, cases[k].size, cases[k].n, cases[k].n - 1, k, k);
        assert_null(strstr(result.out, " broke"));
        json_t *root = json_loads(result.out, JSON_REJECT_DUPLICATES, NULL);
        if (!root)
            fail_msg("%s: not one object: %s%s", cases[k].rank, result.out, result.err);
        json_decref(root);
        program_result_free(&result);
        char *name = test_format("ranks%zu", k);
        assert_as_done(*state, name);
        free(name);
    }
}

/* Rank 1 of 3 never began: what it has to do is done by two ranks later. */
static void a_rerun_with_another_number_of_ranks_does_the_rest(void **state)
{
    expect(*state,
           "for r in 0 2; do OMPI_COMM_WORLD_RANK=$r OMPI_COMM_WORLD_SIZE=3 "
           "regula run exp.yml --out rerun --jobs 1 --json || exit; done",
           0, "", NULL);
    expect(*state,
           "for r in 0 1; do OMPI_COMM_WORLD_RANK=$r OMPI_COMM_WORLD_SIZE=2 "
           "regula run exp.yml --out rerun --jobs 1 || exit; done",
           0, NULL, NULL);
    assert_as_done(*state, "rerun");
}

static void variables_that_make_no_sense_are_refused(void **state)
{
    static const struct {
        const char *line;
        int code;
        const char *err;
    } cases[] = {
        {"OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=3 regula run exp.yml", 2,
         "found OMPI_COMM_WORLD_RANK=3, expected a whole number from 0 to 2"},
        {"PMI_RANK=0 PMI_SIZE=many regula run exp.yml", 2, "found PMI_SIZE=many, expected"},
        {"OMPI_COMM_WORLD_RANK=x OMPI_COMM_WORLD_SIZE=3 regula run exp.yml --out alone --shard 0/1",
         0, NULL},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++)
        expect(*state, cases[k].line, cases[k].code, cases[k].code ? "" : NULL, cases[k].err);
    assert_as_done(*state, "alone");
}

/* ---- regula submit */

static void nothing_is_submitted_by_print(void **state)
{
    expect(*state, "PATH=$PWD/bin:$PATH; regula submit exp.yml --array 4 --print --out shown", 0,
           "#SBATCH --array=0-3\n", "");
    expect(*state, "ls asked shown", 2, "", NULL);
    json_t *root = run_json(*state, "regula submit exp.yml --array 2 --print --json -- --time=5");
    assert_int_equal(json_integer_value(json_object_get(root, "tasks")), 2);
    const json_t *merge = json_object_get(root, "merge");
    assert_true(json_is_null(json_object_get(merge, "job")));
    assert_string_equal(json_string_value(json_array_get(json_object_get(merge, "command"), 3)),
                        "--time=5");
    json_decref(root);
}

/* The scripts that are written, run as Slurm would run them, from a directory and into one whose
 * names are no words of a shell. */
static void scripts_do_the_experiment(void **state)
{
    expect(*state,
           "PATH=$PWD/bin:$PATH; cd \"it's\" && ln -s ../rings rings && "
           "regula submit ../exp.yml --array 3 --out 'a \"$b\"' --jobs 1 -- --mem=1G",
           0, "job 17: 3 tasks", "");
    expect(*state, "cat \"it's/asked\"", 0,
           "--parsable\n--output=a \"$b\"/slurm/array-%a.out\n--mem=1G\na \"$b\"/slurm/array.sh\n",
           "");
    expect(*state, "cat \"it's/asked\"", 0,
           "--mem=1G\n--dependency=afterany:17\na \"$b\"/slurm/merge.sh\n", "");
    expect(*state,
           "for t in 0 2; do SLURM_ARRAY_TASK_ID=$t SLURM_ARRAY_TASK_COUNT=3 "
           "SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=2 SLURM_ARRAY_TASK_STEP=1 "
           "sh \"it's/a \\\"\\$b\\\"/slurm/array.sh\" || exit; done",
           0, "", NULL);
    expect(*state, "sh \"it's/a \\\"\\$b\\\"/slurm/merge.sh\"", 0, NULL, NULL);
    assert_as_done(*state, "it's/a \"$b\"");
}

static void what_cannot_be_submitted_is_said(void **state)
{
    static const struct {
        const char *line;
        int code;
        const char *err;
    } cases[] = {
        {"PATH=$(dirname $(command -v regula)); regula submit exp.yml --array 2 --out none", 1,
         "found no sbatch: Slurm is not installed here; --print shows the scripts"},
        {"PATH=$PWD/refusing:$PATH; regula submit exp.yml --array 2 --out none", 1,
         "sbatch refused 'none/slurm/array.sh' (exit code 1)"},
        {"regula submit exp.yml", 2, "--array"},
        {"regula submit exp.yml --array 0", 2, "array"},
        {"regula submit exp.yml --array 2 long", 2,
         "found 'long' after the file, expected options of sbatch after '--'"},
        {"regula submit exp.yml --array 2 -- --array=9", 2,
         "found '--array' after '--', expected it before '--'"},
        {"regula submit nowhere.yml --array 2", 4, "nowhere.yml"},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++)
        expect(*state, cases[k].line, cases[k].code, "", cases[k].err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_come_to_the_digest_of_one_process),
        cmocka_unit_test(a_rerun_with_another_number_of_ranks_does_the_rest),
        cmocka_unit_test(variables_that_make_no_sense_are_refused),
        cmocka_unit_test(nothing_is_submitted_by_print),
        cmocka_unit_test(scripts_do_the_experiment),
        cmocka_unit_test(what_cannot_be_submitted_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
