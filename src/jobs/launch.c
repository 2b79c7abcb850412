/* launch.c - see launch.h. */
#include "launch.h"

#include "base/error.h"
#include "base/pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIZE_LIMIT = 1000000 };

static const struct {
    const char *rank, *size, *local; /* local: processes on this machine */
    const char *by;
} launchers[] = {
    {.rank = "OMPI_COMM_WORLD_RANK",
     .size = "OMPI_COMM_WORLD_SIZE",
     .local = "OMPI_COMM_WORLD_LOCAL_SIZE",
     .by = "mpirun"},
    {.rank = "PMI_RANK", .size = "PMI_SIZE", .local = "MPI_LOCALNRANKS", .by = "mpirun"},
    {.rank = "SLURM_PROCID",
     .size = "SLURM_STEP_NUM_TASKS",
     .local = "SLURM_STEP_TASKS_PER_NODE", /* "4(x2),3": the first is near enough */
     .by = "srun"},
};

static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* What a variable begins with, for what is only a hint; 0: nothing of use. */
static unsigned hint(const char *name)
{
    const char *value = value_of(name);
    unsigned long number = value ? strtoul(value, NULL, 10) : 0;
    return number <= SIZE_LIMIT ? (unsigned)number : 0;
}

/* A whole number, min .. max. */
static rg_status read_number(uint32_t *out, const char *name, uint32_t min, uint32_t max,
                             rg_error *err)
{
    const char *value = value_of(name);
    char *end = NULL;
    bool digits = value && *value >= '0' && *value <= '9';
    unsigned long number = digits ? strtoul(value, &end, 10) : 0;
    if (!digits || *end || number < min || number > max)
        return rg_fail(err, RG_EUSAGE,
                       "environment: found %s%s%s%s, expected a whole number from %u to %u",
                       value ? "" : "no ", name, value ? "=" : "", value ? value : "",
                       (unsigned)min, (unsigned)max);
    *out = (uint32_t)number;
    return RG_OK;
}

/* Which task of a job array, and of how many: of what begins at MIN, in steps of STEP. */
static rg_status read_array(uint32_t *task, uint32_t *count, rg_error *err)
{
    uint32_t id = 0, min = 0, max = 0, step = 1;
    rg_status status = read_number(count, "SLURM_ARRAY_TASK_COUNT", 1, SIZE_LIMIT, err);
    if (!status)
        status = read_number(&min, "SLURM_ARRAY_TASK_MIN", 0, INT32_MAX, err);
    if (!status)
        status = read_number(&max, "SLURM_ARRAY_TASK_MAX", min, INT32_MAX, err);
    if (!status)
        status = read_number(&id, "SLURM_ARRAY_TASK_ID", min, max, err);
    if (!status && value_of("SLURM_ARRAY_TASK_STEP"))
        status = read_number(&step, "SLURM_ARRAY_TASK_STEP", 1, INT32_MAX, err);
    if (!status && ((max - min) / step + 1 != *count || (id - min) % step != 0))
        status = rg_fail(err, RG_EUSAGE,
                         "the job array has %u tasks from %u to %u, expected a range such as 0-%u",
                         (unsigned)*count, (unsigned)min, (unsigned)max, (unsigned)*count - 1);
    *task = (id - min) / step;
    return status;
}

/* Processes on a machine share its processors, unless each is bound to fewer. */
static unsigned fair_share(const char *local)
{
    unsigned own = rg_pool_processors(), share = hint("SLURM_CPUS_PER_TASK");
    unsigned all = hint("SLURM_CPUS_ON_NODE"), n = local ? hint(local) : 1;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (!all)
        all = online > 0 ? (unsigned)online : own;
    if (!share)
        share = n > 1 ? all / n : all;
    share = share < own ? share : own;
    return share ? share : 1;
}

rg_status rg_launch_read(rg_launch *out, rg_error *err)
{
    const size_t n = sizeof launchers / sizeof *launchers;
    rg_launch launch = {.size = 1};
    uint32_t task = 0, count = 1;
    size_t k = 0;
    rg_status status = RG_OK;
    while (k < n && !value_of(launchers[k].size))
        k++;
    if (k < n)
        status = read_number(&launch.size, launchers[k].size, 1, SIZE_LIMIT, err);
    if (!status && k < n)
        status = read_number(&launch.rank, launchers[k].rank, 0, launch.size - 1, err);
    if (!status && value_of("SLURM_ARRAY_TASK_ID"))
        status = read_array(&task, &count, err);
    if (!status && launch.size > SIZE_LIMIT / count)
        status = rg_fail(err, RG_EUSAGE, "%u processes in each of %u tasks are too many",
                         (unsigned)launch.size, (unsigned)count);
    if (status)
        return status;
    if (launch.size > 1)
        launch.by = count == 1   ? launchers[k].by
                    : k + 1 == n ? "job array and srun"
                                 : "job array and mpirun";
    else if (count > 1)
        launch.by = "job array";
    launch.n_threads = fair_share(k < n ? launchers[k].local : NULL);
    launch.idle_tasks = k == n && hint("SLURM_NTASKS") > 1 ? hint("SLURM_NTASKS") : 0;
    launch.rank += task * launch.size;
    launch.size *= count;
    *out = launch;
    return RG_OK;
}
