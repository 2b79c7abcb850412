/* support.c - see support.h. */
#define _GNU_SOURCE
#include "support.h"

#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *test_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    int n = vasprintf(&text, format, args);
    va_end(args);
    assert_true(n >= 0);
    return text;
}

char *test_directory_make(void)
{
    const char *base = getenv("TMPDIR");
    char *path = test_format("%s/regula-test-XXXXXX", base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(path));
    return path;
}

static int remove_entry(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
    (void)info;
    (void)flag;
    (void)walk;
    return remove(path);
}

void test_directory_remove(char *directory)
{
    assert_int_equal(nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(directory);
}

void test_write_bytes(const char *directory, const char *name, const void *bytes, size_t n)
{
    char *path = test_format("%s/%s", directory, name);
    for (char *slash = strchr(path + strlen(directory) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file)
        fail_msg("cannot write %s", path);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
    free(path);
}

void test_write(const char *directory, const char *name, const char *text)
{
    test_write_bytes(directory, name, text, strlen(text));
}

char *test_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    size_t used = 0, capacity = 1 << 16;
    char *text = malloc(capacity + 1);
    assert_non_null(text);
    size_t got;
    while ((got = fread(text + used, 1, capacity - used, file)) > 0) {
        used += got;
        if (used == capacity) {
            capacity *= 2;
            text = realloc(text, capacity + 1);
            assert_non_null(text);
        }
    }
    fclose(file);
    text[used] = '\0';
    if (n)
        *n = used;
    return text;
}

unsigned test_sample_step(void)
{
    const char *asked = getenv("REGULA_SWEEP");
    return asked && strcmp(asked, "sample") == 0 ? 7 : 1;
}

bool test_in_sample(size_t k)
{
    return test_sample_step() == 1 || k % 3 == 0;
}

unsigned long test_next_fault(unsigned long n)
{
    return n < 20 ? n + 1 : n + test_sample_step();
}

/* Failures have one of the two statuses. */
static unsigned long sweep(rg_fault kind, rg_status expected, rg_status other,
                           rg_status (*body)(void *context, rg_error *err), void *context)
{
    for (unsigned long n = 1;; n = test_next_fault(n)) {
        rg_error err = {""};
        rg_fault_set(kind, n);
        rg_status status = body(context, &err);
        bool happened = rg_fault_happened(kind);
        unsigned long calls = rg_fault_calls(kind);
        rg_fault_set(kind, 0);
        if (!happened) {
            if (status)
                fail_msg("without a fault: %s", err.message);
            return calls;
        }
        if (status != expected && status != other)
            fail_msg("fault %lu: status %d '%s', expected %d", n, status, err.message, expected);
        assert_true(err.message[0] != '\0');
    }
}

unsigned long test_allocation_sweep(rg_status (*body)(void *context, rg_error *err), void *context)
{
    return sweep(RG_FAULT_ALLOC, RG_ENOMEM, RG_ENOMEM, body, context);
}

static void *failing_malloc(size_t n)
{
    return rg_fault_hit(RG_FAULT_ALLOC) ? NULL : malloc(n);
}

unsigned long test_json_sweep(rg_status (*body)(void *context, rg_error *err), void *context)
{
    json_set_alloc_funcs(failing_malloc, free);
    unsigned long n = sweep(RG_FAULT_ALLOC, RG_ENOMEM, RG_EDATA, body, context);
    json_set_alloc_funcs(malloc, free);
    return n;
}

unsigned long test_io_sweep(rg_status (*body)(void *context, rg_error *err), void *context)
{
    return sweep(RG_FAULT_IO, RG_EIO, RG_EIO, body, context);
}

char *test_data(const char *name)
{
    const char *folder = getenv("REGULA_DATA");
    if (!folder || !*folder)
        return NULL;
    char *path = test_format("%s/%s", folder, name);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}
