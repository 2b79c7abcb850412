/* fuzz_baseline.c - any bytes as a model file: what parses prints in a normal form that parses to
 * an equal baseline. */
#include "baseline/baseline.h"
#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rg_baseline *once = NULL, *again = NULL;
    rg_error err = {""};
    rg_status status = rg_baseline_parse(&once, "fuzz", (const char *)data, size, &err);
    if (status) {
        CHECK(!once && err.message[0] && status != RG_EFAIL);
        return 0;
    }
    const char *text = rg_baseline_text(once);
    status = rg_baseline_parse(&again, "again", text, strlen(text), &err);
    if (status)
        fprintf(stderr, "%s\n%s\n", text, err.message);
    CHECK(!status);
    CHECK(strcmp(text, rg_baseline_text(again)) == 0);
    CHECK(strcmp(rg_baseline_prepared_text(once), rg_baseline_prepared_text(again)) == 0);
    CHECK(strcmp(rg_baseline_name(once), rg_baseline_name(again)) == 0);
    CHECK(rg_baseline_epochs(once) == rg_baseline_epochs(again));
    rg_baseline_free(once);
    rg_baseline_free(again);
    return 0;
}
