/* fuzz_line.c - any bytes as graphs in lines: refused with a message, or a sound set. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    rg_error err = {""};
    rg_dataset *data = NULL;
    rg_status status = rg_dataset_from_lines(&data, "input", 1, (const char *)bytes, n, &err);
    if (status) {
        assert(!data && err.message[0] && !strchr(err.message, '\n'));
        assert(status == RG_EDATA);
    } else {
        assert(rg_dataset_n_graphs(data) >= 1);
        if (rg_dataset_n_nodes(data) < 1000)
            fuzz_check(data);
    }
    rg_dataset_free(data);
    return 0;
}
