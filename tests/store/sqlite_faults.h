/* sqlite_faults.h - SQLite whose memory and disk fail when the tests' faults say so. */
#ifndef REGULA_TESTS_STORE_SQLITE_FAULTS_H
#define REGULA_TESTS_STORE_SQLITE_FAULTS_H

#include <stdbool.h>

/* Before the first use of SQLite: its calls that touch the disk count as RG_FAULT_IO. */
void sqlite_faults_install(void);
/* Whether its allocations count as RG_FAULT_ALLOC, or only ours do. */
void sqlite_faults_in_memory(bool counts);
/* What a write that fails says: SQLITE_IOERR_WRITE, or SQLITE_FULL. */
void sqlite_faults_write_code(int code);

#endif
