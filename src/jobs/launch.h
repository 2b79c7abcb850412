/* launch.h - which of several processes this one is, as mpirun, srun or a Slurm job array say in
 * environment variables. Nothing of MPI or Slurm is linked. */
#ifndef REGULA_JOBS_LAUNCH_H
#define REGULA_JOBS_LAUNCH_H

#include "regula/base.h"

typedef struct rg_launch {
    uint32_t rank, size; /* this process is `rank` of `size`; 0 of 1: nobody else */
    const char *by;      /* "mpirun", "srun", "job array", "job array and srun", ...; NULL: alone */
    unsigned n_threads;  /* processors for this process, at least 1 */
    uint32_t idle_tasks; /* that Slurm gives to a batch script which did not call srun; 0: none */
} rg_launch;

/* In this order, the first whose size is set counts:
 *
 *     OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE   mpirun of Open MPI
 *     PMI_RANK, PMI_SIZE                           mpirun of MPICH and Intel MPI
 *     SLURM_PROCID, SLURM_STEP_NUM_TASKS           srun
 *
 * An sbatch script without srun has SLURM_PROCID and perhaps SLURM_NTASKS, but no
 * SLURM_STEP_NUM_TASKS: it is one process. SLURM_ARRAY_TASK_ID makes each task of the array a block
 * of such ranks. RG_EUSAGE: values that make no sense. */
RG_MUST_CHECK rg_status rg_launch_read(rg_launch *out, rg_error *err);

#endif
