/* sqlite_faults.c - see sqlite_faults.h. The file system in between passes everything on to the one
 * below. */
#include "sqlite_faults.h"

#include "support/support.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3_mem_methods memory;
static sqlite3_vfs shim, *below;
static bool memory_counts;
static int write_code = SQLITE_IOERR_WRITE;

/* ---- memory */

static void *shim_malloc(int n)
{
    return memory_counts && rg_fault_hit(RG_FAULT_ALLOC) ? NULL : memory.xMalloc(n);
}

static void *shim_realloc(void *block, int n)
{
    return memory_counts && rg_fault_hit(RG_FAULT_ALLOC) ? NULL : memory.xRealloc(block, n);
}

/* ---- files */

typedef struct file {
    sqlite3_file base;
    sqlite3_file *real; /* right behind this one */
} file;

static sqlite3_file *real_of(sqlite3_file *f)
{
    return ((file *)(void *)f)->real;
}

static int shim_close(sqlite3_file *f)
{
    return real_of(f)->pMethods->xClose(real_of(f));
}

static int shim_read(sqlite3_file *f, void *bytes, int n, sqlite3_int64 at)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return SQLITE_IOERR_READ;
    return real_of(f)->pMethods->xRead(real_of(f), bytes, n, at);
}

static int shim_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return write_code;
    return real_of(f)->pMethods->xWrite(real_of(f), bytes, n, at);
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 n)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return SQLITE_IOERR_TRUNCATE;
    return real_of(f)->pMethods->xTruncate(real_of(f), n);
}

static int shim_sync(sqlite3_file *f, int flags)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return SQLITE_IOERR_FSYNC;
    return real_of(f)->pMethods->xSync(real_of(f), flags);
}

static int shim_size(sqlite3_file *f, sqlite3_int64 *n)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return SQLITE_IOERR_FSTAT;
    return real_of(f)->pMethods->xFileSize(real_of(f), n);
}

static int shim_lock(sqlite3_file *f, int kind)
{
    return real_of(f)->pMethods->xLock(real_of(f), kind);
}

static int shim_unlock(sqlite3_file *f, int kind)
{
    return real_of(f)->pMethods->xUnlock(real_of(f), kind);
}

static int shim_reserved(sqlite3_file *f, int *out)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int shim_control(sqlite3_file *f, int what, void *argument)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), what, argument);
}

static int shim_sector(sqlite3_file *f)
{
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int shim_device(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int shim_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return SQLITE_IOERR_SHMMAP;
    return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
}

static int shim_shared_lock(sqlite3_file *f, int first, int n, int flags)
{
    return real_of(f)->pMethods->xShmLock(real_of(f), first, n, flags);
}

static void shim_barrier(sqlite3_file *f)
{
    real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int shim_unmap(sqlite3_file *f, int remove)
{
    return real_of(f)->pMethods->xShmUnmap(real_of(f), remove);
}

static const sqlite3_io_methods methods = {.iVersion = 2,
                                           .xClose = shim_close,
                                           .xRead = shim_read,
                                           .xWrite = shim_write,
                                           .xTruncate = shim_truncate,
                                           .xSync = shim_sync,
                                           .xFileSize = shim_size,
                                           .xLock = shim_lock,
                                           .xUnlock = shim_unlock,
                                           .xCheckReservedLock = shim_reserved,
                                           .xFileControl = shim_control,
                                           .xSectorSize = shim_sector,
                                           .xDeviceCharacteristics = shim_device,
                                           .xShmMap = shim_map,
                                           .xShmLock = shim_shared_lock,
                                           .xShmBarrier = shim_barrier,
                                           .xShmUnmap = shim_unmap};

/* ---- the file system */

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
    (void)vfs;
    file *own = (file *)(void *)f;
    own->base.pMethods = NULL;
    own->real = (sqlite3_file *)(void *)(own + 1);
    if (rg_fault_hit(RG_FAULT_IO))
        return SQLITE_CANTOPEN;
    int code = below->xOpen(below, name, own->real, flags, out);
    if (own->real->pMethods)
        own->base.pMethods = &methods;
    return code;
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    return rg_fault_hit(RG_FAULT_IO) ? SQLITE_IOERR_DELETE : below->xDelete(below, name, sync);
}

static int shim_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    return rg_fault_hit(RG_FAULT_IO) ? SQLITE_IOERR_ACCESS
                                     : below->xAccess(below, name, flags, out);
}

void sqlite_faults_in_memory(bool counts)
{
    memory_counts = counts;
}

void sqlite_faults_write_code(int code)
{
    write_code = code;
}

void sqlite_faults_install(void)
{
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory), SQLITE_OK);
    sqlite3_mem_methods failing = memory;
    failing.xMalloc = shim_malloc;
    failing.xRealloc = shim_realloc;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing), SQLITE_OK);
    assert_int_equal(sqlite3_initialize(), SQLITE_OK);
    below = sqlite3_vfs_find(NULL);
    assert_non_null(below);
    shim = *below;
    shim.zName = "shim";
    shim.pNext = NULL;
    shim.szOsFile = (int)sizeof(file) + below->szOsFile;
    shim.xOpen = shim_open;
    shim.xDelete = shim_delete;
    shim.xAccess = shim_access;
    assert_int_equal(sqlite3_vfs_register(&shim, 1), SQLITE_OK);
}
