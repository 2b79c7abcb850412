/* fuzz_archive.c - bytes that claim to be an archive of a data set. Bounds are small, so that what
 * unpacks to much is refused early. */
#include "format/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    rg_read_options options = rg_read_options_default();
    options.max_bytes = (uint64_t)8 << 20;
    options.max_entries = 1000;
    rg_entries *entries = NULL;
    rg_dataset *data = NULL;
    rg_error err = {""};
    rg_status status = rg_entries_open_memory(&entries, "fuzz", bytes, n, &options, &err);
    if (!status)
        status = rg_dataset_read_entries(&data, entries, "fuzz", NULL, NULL, &err);
    if (!status) {
        char digest[RG_DIGEST_SIZE];
        rg_dataset_digest(data, digest);
    }
    rg_dataset_free(data);
    rg_entries_close(entries);
    return 0;
}
