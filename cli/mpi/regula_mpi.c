/* regula_mpi.c - see regula_mpi.h. */
#include "regula_mpi.h"

#include <mpi.h>
#include <stddef.h>

static int start(int *rank, int *size, int *local)
{
    MPI_Comm here;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    if (MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, size) != MPI_SUCCESS ||
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) !=
            MPI_SUCCESS)
        return 1;
    int status = MPI_Comm_size(here, local);
    MPI_Comm_free(&here);
    return status != MPI_SUCCESS;
}

static int share(char *bytes, int n)
{
    return MPI_Bcast(bytes, n, MPI_CHAR, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
}

static void finish(void)
{
    MPI_Finalize();
}

extern const regula_mpi_table regula_mpi;
__attribute__((visibility("default"))) const regula_mpi_table regula_mpi = {
    .edition = REGULA_MPI_EDITION, .start = start, .share = share, .finish = finish};
