/* shim.h - SQLite whose memory and disk fail when the tests' faults say so. */
#ifndef REGULA_TESTS_SUPPORT_SHIM_H
#define REGULA_TESTS_SUPPORT_SHIM_H

#include <stdbool.h>

/* Before the first use of SQLite: its calls that touch the disk count as RG_FAULT_IO. */
void test_shim_install(void);
/* Whether its allocations count as RG_FAULT_ALLOC, or only ours do. */
void test_shim_memory(bool counts);
/* What a write that fails says: SQLITE_IOERR_WRITE, or SQLITE_FULL. */
void test_shim_write_fails_with(int code);

#endif
