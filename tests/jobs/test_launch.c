/* test_launch.c - which of several processes this is, as launchers say in the environment. */
#include "support/support.h"

#include "base/pool.h"
#include "jobs/launch.h"
#include "support/stores.h"

/* Every variable that counts. */
static const char *const names[] = {
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "PMI_RANK",
    "PMI_SIZE",
    "MPI_LOCALNRANKS",
    "SLURM_PROCID",
    "SLURM_STEP_NUM_TASKS",
    "SLURM_STEP_TASKS_PER_NODE",
    "SLURM_NTASKS",
    "SLURM_CPUS_PER_TASK",
    "SLURM_CPUS_ON_NODE",
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_TASK_COUNT",
    "SLURM_ARRAY_TASK_MIN",
    "SLURM_ARRAY_TASK_MAX",
    "SLURM_ARRAY_TASK_STEP",
};

/* "NAME=VALUE NAME=VALUE": these and no others. */
static void set_environment(const char *text)
{
    char copy[512];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unsetenv(names[k]);
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    char *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        size_t k = 0;
        while (k < sizeof names / sizeof *names && strcmp(names[k], word) != 0)
            k++;
        assert_true(k < sizeof names / sizeof *names);
        assert_int_equal(setenv(word, value, 1), 0);
    }
}

#define ARRAY(id, count, min, max)                                                             \
    "SLURM_ARRAY_TASK_ID=" #id " SLURM_ARRAY_TASK_COUNT=" #count " SLURM_ARRAY_TASK_MIN=" #min \
    " SLURM_ARRAY_TASK_MAX=" #max " "

static void launchers_say_who_this_is(void **state)
{
    (void)state;
    static const struct {
        const char *environment;
        uint32_t rank, size, idle;
        const char *by; /* "": alone */
    } cases[] = {
        {"", 0, 1, 0, ""},
        {"OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4", 2, 4, 0, "mpirun"},
        {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1", 0, 1, 0, ""},
        {"PMI_RANK=3 PMI_SIZE=5", 3, 5, 0, "mpirun"},
        {"PMI_RANK=3 PMI_SIZE=", 0, 1, 0, ""},
        {"SLURM_PROCID=7 SLURM_STEP_NUM_TASKS=8 SLURM_NTASKS=8", 7, 8, 0, "srun"},
        /* mpirun in an allocation of Slurm: the variables of Slurm are those of its daemons */
        {"SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=6", 5,
         6, 0, "mpirun"},
        /* a batch script that does not call srun is one process, whatever it was given */
        {"SLURM_PROCID=0 SLURM_NTASKS=4", 0, 1, 4, ""},
        {"SLURM_PROCID=0 SLURM_NTASKS=1", 0, 1, 0, ""},
        /* job arrays */
        {ARRAY(0, 4, 0, 3) "SLURM_PROCID=0 SLURM_NTASKS=1", 0, 4, 0, "job array"},
        {ARRAY(3, 4, 0, 3) "SLURM_ARRAY_TASK_STEP=1", 3, 4, 0, "job array"},
        {ARRAY(5, 3, 1, 5) "SLURM_ARRAY_TASK_STEP=2", 2, 3, 0, "job array"},
        {ARRAY(7, 1, 7, 7), 0, 1, 0, ""},
        {ARRAY(1, 4, 0, 3) "SLURM_PROCID=0 SLURM_NTASKS=2", 1, 4, 2, "job array"},
        {ARRAY(2, 4, 1, 4) "SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=3", 5, 12, 0, "job array and srun"},
        {ARRAY(1, 2, 0, 1) "PMI_RANK=1 PMI_SIZE=2", 3, 4, 0, "job array and mpirun"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_launch launch = {.rank = 99};
        set_environment(cases[k].environment);
        ASSERT_OK(rg_launch_read(&launch, err));
        if (launch.rank != cases[k].rank || launch.size != cases[k].size ||
            launch.idle_tasks != cases[k].idle ||
            strcmp(launch.by ? launch.by : "", cases[k].by) != 0)
            fail_msg("'%s': rank %u of %u by '%s', %u idle", cases[k].environment,
                     (unsigned)launch.rank, (unsigned)launch.size, launch.by ? launch.by : "",
                     (unsigned)launch.idle_tasks);
    }
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *environment, *words;
    } cases[] = {
        {"OMPI_COMM_WORLD_RANK=4 OMPI_COMM_WORLD_SIZE=4",
         "environment: found OMPI_COMM_WORLD_RANK=4, expected a whole number from 0 to 3"},
        {"OMPI_COMM_WORLD_SIZE=4", "found no OMPI_COMM_WORLD_RANK"},
        {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=0",
         "found OMPI_COMM_WORLD_SIZE=0, expected a whole number from 1"},
        {"PMI_RANK=-1 PMI_SIZE=4", "found PMI_RANK=-1"},
        {"PMI_RANK=1x PMI_SIZE=4", "found PMI_RANK=1x"},
        {"PMI_RANK=1 PMI_SIZE=four", "found PMI_SIZE=four"},
        {"PMI_RANK=1 PMI_SIZE=99999999999999999999", "found PMI_SIZE=9999"},
        {"SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=2", "found SLURM_PROCID=2"},
        {"SLURM_ARRAY_TASK_ID=1", "found no SLURM_ARRAY_TASK_COUNT"},
        {ARRAY(9, 4, 0, 3), "found SLURM_ARRAY_TASK_ID=9, expected a whole number from 0 to 3"},
        {ARRAY(2, 4, 3, 6), "found SLURM_ARRAY_TASK_ID=2"},
        {ARRAY(5, 3, 1, 7), "the job array has 3 tasks from 1 to 7, expected a range such as 0-2"},
        {ARRAY(2, 3, 1, 5) "SLURM_ARRAY_TASK_STEP=2", "expected a range such as 0-2"},
        {ARRAY(2, 3, 1, 5) "SLURM_ARRAY_TASK_STEP=0", "found SLURM_ARRAY_TASK_STEP=0"},
        {ARRAY(1, 2000, 0, 1999) "PMI_RANK=1 PMI_SIZE=1000",
         "1000 processes in each of 2000 tasks are too many"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_launch launch = {.rank = 99};
        set_environment(cases[k].environment);
        ASSERT_REFUSED(rg_launch_read(&launch, err), RG_EUSAGE, cases[k].words);
        assert_int_equal(launch.rank, 99);
    }
}

static void processes_on_a_machine_share_its_processors(void **state)
{
    (void)state;
    static const struct {
        const char *environment;
        unsigned most;
    } cases[] = {
        {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=9 OMPI_COMM_WORLD_LOCAL_SIZE=100000", 1},
        {"PMI_RANK=0 PMI_SIZE=9 MPI_LOCALNRANKS=100000", 1},
        {ARRAY(0, 4, 0, 3) "SLURM_CPUS_PER_TASK=1 SLURM_CPUS_ON_NODE=64", 1},
        {ARRAY(0, 4, 0, 3) "SLURM_CPUS_ON_NODE=1", 1},
        {"SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=8 SLURM_CPUS_ON_NODE=4 "
         "SLURM_STEP_TASKS_PER_NODE=4(x2)",
         1},
        {"SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=8 SLURM_CPUS_PER_TASK=1000000", 1000000},
        {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=9 OMPI_COMM_WORLD_LOCAL_SIZE=huh", 1000000},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_launch launch;
        unsigned own = rg_pool_processors();
        set_environment(cases[k].environment);
        ASSERT_OK(rg_launch_read(&launch, err));
        assert_in_range(launch.n_threads, 1, cases[k].most < own ? cases[k].most : own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launchers_say_who_this_is),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(processes_on_a_machine_share_its_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
