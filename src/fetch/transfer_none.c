/* transfer_none.c - a build without libcurl: says so, and what can be done instead. */
#include "transfer.h"

#include "base/error.h"

rg_status rg_transfer_run(rg_transfer *transfer, rg_error *err)
{
    return rg_fail(err, RG_EUSAGE,
                   "cannot fetch '%s': built without libcurl; download it by other means and put "
                   "it into the data directory",
                   transfer->url);
}
