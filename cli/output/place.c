/* place.c - see place.h. */
#include "place.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <unistd.h>

rg_status cli_check_place(const char *path, rg_error *err)
{
    if (path && rg_path_is_directory(path))
        return rg_fail_io(err, EISDIR, "create", path);
    if (!path || rg_path_exists(path))
        return RG_OK;
    char *directory = rg_path_directory(path);
    if (!directory)
        return rg_fail_memory(err, "looking for a directory");
    int failure = access(directory, W_OK | X_OK) == 0 ? 0 : errno;
    rg_free(directory);
    return failure ? rg_fail_io(err, failure, "create", path) : RG_OK;
}
