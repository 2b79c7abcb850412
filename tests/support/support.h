/* support.h - what all tests share: cmocka, temporary directories, sweeps over faults, samples. */
#ifndef REGULA_TESTS_SUPPORT_SUPPORT_H
#define REGULA_TESTS_SUPPORT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fault.h"
#include "regula/regula.h"

/* Fails with the message if the call did not succeed. */
#define ASSERT_OK(call)                              \
    do {                                             \
        rg_error err_ = {""};                        \
        rg_error *err = &err_;                       \
        rg_status status_ = (call);                  \
        if (status_)                                 \
            fail_msg("%s: %s", #call, err_.message); \
        (void)err;                                   \
    } while (0)

/* Fails if the call does not fail with this status and these words in its message. */
#define ASSERT_REFUSED(call, expected, words)                                                     \
    do {                                                                                          \
        rg_error err_ = {""};                                                                     \
        rg_error *err = &err_;                                                                    \
        rg_status status_ = (call);                                                               \
        if (status_ != (expected) || !strstr(err_.message, words))                                \
            fail_msg("%s: status %d '%s', expected '%s'", #call, status_, err_.message, (words)); \
    } while (0)

/* A new empty directory, removed with all that is in it by test_directory_remove. Owned (free). */
char *test_directory_make(void);
void test_directory_remove(char *directory);

/* Writes `text` to DIRECTORY/NAME, making directories on the way. */
void test_write(const char *directory, const char *name, const char *text);
void test_write_bytes(const char *directory, const char *name, const void *bytes, size_t n);
/* The whole file, terminated; *n bytes if n is given. Owned (free). Fails if it is not there. */
char *test_read(const char *path, size_t *n);
/* printf into a new string. Owned (free). */
char *test_format(const char *format, ...) RG_PRINTF(1, 2);

/* How far a sweep over many like cases goes at each step: 1, or more if the environment has
 * REGULA_SWEEP=sample, which is for builds that are many times slower (sanitizers). Every sweep is
 * whole somewhere: in the tests of the release build. */
unsigned test_sample_step(void);
/* Whether case k of many is tried: every one, or every third if the environment asks for a sample. */
bool test_in_sample(size_t k);
/* The fault after the n-th one of a sweep: the first twenty one by one, then in such steps. */
unsigned long test_next_fault(unsigned long n);

/* The allocation sweep: calls body(context, err) with the 1st, 2nd, 3rd ... allocation failing
 * until it succeeds. Each failure must be RG_ENOMEM with a message. body frees what it made.
 * Returns how many allocations a successful call makes. */
unsigned long test_allocation_sweep(rg_status (*body)(void *context, rg_error *err), void *context);
/* The same with the allocations of jansson among them, which drops a byte of a token when its
 * buffer cannot grow, and says nothing; what is left is then bad data. So a failure may be RG_EDATA
 * too, but never a success. */
unsigned long test_json_sweep(rg_status (*body)(void *context, rg_error *err), void *context);
/* The same for calls that touch the disk: each failure must be RG_EIO with a message. */
unsigned long test_io_sweep(rg_status (*body)(void *context, rg_error *err), void *context);

/* $REGULA_DATA/NAME if it exists, else NULL. Owned (free). Tests that need it skip() without. */
char *test_data(const char *name);

#endif
