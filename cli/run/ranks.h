/* ranks.h - processes that mpirun started together: who this one is, and how they find each other.
 */
#ifndef REGULA_CLI_RUN_RANKS_H
#define REGULA_CLI_RUN_RANKS_H

#include "jobs/crew.h"

/* Begins as {0}, ends with cli_ranks_close. */
typedef struct cli_ranks {
    bool together; /* started by mpirun, with others */
    rg_crew crew;
    unsigned n_threads; /* a fair share of the processors */
    char name[96];      /* "rank 2 on HOST" */
} cli_ranks;

/* Asks MPI, if the environment says that mpirun started this process and others. Rank 0 listens
 * from here on. RG_EFAIL: there is no module for MPI, or not the one of this mpirun. */
RG_MUST_CHECK rg_status cli_ranks_open(cli_ranks *out, rg_error *err);
void cli_ranks_close(cli_ranks *ranks);

/* A rank other than 0 cannot begin: says so, unless rank 0 is over, which then has said why. */
RG_MUST_CHECK rg_status cli_ranks_give_up(const cli_ranks *ranks, rg_status status, rg_error *err);

#endif
