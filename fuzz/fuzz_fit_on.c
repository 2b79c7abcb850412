/* fuzz_fit_on.c - any bytes as the file of `--fit-on`: refused with a message that names it, or
 * numbers of graphs, which as a list of one a line are read as the same numbers. */
#include "base/alloc.h"
#include "cli/rules/fit_on.h"
#include "graphs.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static rg_dataset *graphs;
    static char path[512];
    uint32_t *found = NULL, *again = NULL;
    size_t n_found = 0, n_again = 0;
    rg_error err = {""};
    if (!graphs) {
        graphs = fuzz_graphs();
        fuzz_path(path, "fit");
    }
    fuzz_write(path, bytes, n);
    rg_status status = cli_read_fit_on(&found, &n_found, path, n % 3, graphs, &err);
    if (status) {
        CHECK(status == RG_EDATA || status == RG_EUSAGE);
        CHECK(!found && strstr(err.message, path) && !strchr(err.message, '\n'));
    } else {
        char *list = malloc(4 * n_found + 1), *end = list;
        CHECK(list);
        for (size_t k = 0; k < n_found; k++) {
            CHECK(found[k] < rg_dataset_n_graphs(graphs));
            end += sprintf(end, "%u\n", found[k]);
        }
        fuzz_write(path, list, (size_t)(end - list));
        status = cli_read_fit_on(&again, &n_again, path, 0, graphs, &err);
        CHECK(n_found ? !status && n_again == n_found : status == RG_EDATA);
        CHECK(!n_found || memcmp(found, again, n_found * sizeof *found) == 0);
        free(list);
    }
    unlink(path);
    rg_free(found);
    rg_free(again);
    return 0;
}
