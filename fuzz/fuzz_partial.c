/* fuzz_partial.c - any bytes as the state of a download that was not finished: it goes on only
 * where the state names the address, and what is begun anew is found again. */
#include "fetch/partial.h"
#include "scratch.h"

static const char url[] = "https://example.org/NCI1.zip", had[] = "PK\003\004 half of it";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static char path[512], state[512];
    rg_partial partial, again;
    rg_error err = {""};
    if (!*path) {
        fuzz_path(path, "part");
        fuzz_path(state, "part.state");
    }
    fuzz_write(path, had, sizeof had);
    fuzz_write(state, bytes, n);
    CHECK(rg_partial_open(&partial, path, state, url, &err) == RG_OK);
    CHECK(partial.size == (partial.validator[0] ? sizeof had : 0));
    bool same = n >= sizeof url && memcmp(bytes, url, sizeof url - 1) == 0;
    CHECK(same || !partial.validator[0]);

    /* The bytes as the server's name of a version: a line, or it is not kept. */
    char version[2 * RG_VALIDATOR_SIZE];
    size_t length = n < sizeof version - 1 ? n : sizeof version - 1;
    memcpy(version, bytes, length);
    version[length] = '\0';
    version[strcspn(version, "\r\n")] = '\0';
    CHECK(rg_partial_restart(&partial, url, version, &err) == RG_OK && partial.size == 0);
    CHECK(rg_partial_append(&partial, had, 5, &err) == RG_OK);
    rg_partial_close(&partial);
    CHECK(rg_partial_open(&again, path, state, url, &err) == RG_OK);
    CHECK(again.size == (again.validator[0] ? 5 : 0));
    CHECK(!again.validator[0] || strcmp(again.validator, version) == 0);
    rg_partial_close(&again);
    unlink(path);
    unlink(state);
    return 0;
}
