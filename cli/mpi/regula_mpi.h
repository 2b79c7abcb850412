/* regula_mpi.h - what the program asks of MPI: who is there, and one text from rank 0 for all.
 *
 * The program does not link MPI. If it was started by mpirun it loads the module regula_mpi.so,
 * which does, and finds this table in it. MPI is over before the work begins: messages between
 * ranks go through sockets (src/jobs/crew.h), which do not hang when a rank dies. */
#ifndef REGULA_CLI_MPI_REGULA_MPI_H
#define REGULA_CLI_MPI_REGULA_MPI_H

#define REGULA_MPI_TABLE "regula_mpi"
#define REGULA_MPI_EDITION 1

typedef struct regula_mpi_table {
    int edition; /* REGULA_MPI_EDITION; of another one nothing else may be used */
    /* Starts MPI: 0 on success. local: ranks on this machine. */
    int (*start)(int *rank, int *size, int *local);
    /* n bytes of rank 0 become those of all: 0 on success. */
    int (*share)(char *bytes, int n);
    void (*finish)(void);
} regula_mpi_table;

#endif
