/* fuzz_experiment.c - any bytes as an experiment file: what parses prints in a normal form that
 * parses to an equal experiment. Lines that begin with '=' are overrides. */
#include "check.h"
#include "config/experiment.h"

enum { OVERRIDES = 4, CONFIGURATIONS = 48 };

/* Takes lines "=KEY=VALUE" from the start of a text, cut in place. */
static size_t take_overrides(char **text, const char *out[OVERRIDES])
{
    size_t n = 0;
    while (n < OVERRIDES && **text == '=') {
        char *end = strchr(*text, '\n');
        if (!end)
            break;
        *end = '\0';
        out[n++] = *text + 1;
        *text = end + 1;
    }
    return n;
}

static void check_equal(const rg_experiment *a, const rg_experiment *b)
{
    rg_experiment_info x = *rg_experiment_describe(a), y = *rg_experiment_describe(b);
    char one[RG_DIGEST_SIZE], two[RG_DIGEST_SIZE];
    rg_experiment_digest(a, one);
    rg_experiment_digest(b, two);
    CHECK(strcmp(rg_experiment_text(a), rg_experiment_text(b)) == 0);
    CHECK(strcmp(one, two) == 0 && strcmp(x.name, y.name) == 0);
    CHECK(x.n_configurations == y.n_configurations && x.n_equal == y.n_equal);
    CHECK(x.n_axes == y.n_axes && x.keep == y.keep && x.n_folds == y.n_folds);
    CHECK(x.n_configurations >= 1 && x.n_configurations <= CONFIGURATIONS);
    for (size_t c = 0; c < x.n_configurations; c++)
        for (size_t k = 0; k < x.n_axes; k++)
            CHECK(!strchr(rg_experiment_choice(a, c, k), '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rg_experiment *once = NULL, *again = NULL;
    const char *overrides[OVERRIDES];
    rg_error err = {""};
    char *bytes = malloc(size + 1), *text = bytes;
    CHECK(bytes);
    memcpy(bytes, data, size);
    bytes[size] = '\0';
    /* Patterns of labelings may lie in files of this machine, which are not to be opened. */
    bool may_open_files = strstr(bytes, "file") != NULL;
    size_t n = take_overrides(&text, overrides);
    rg_experiment_source source = {.name = "input",
                                   .text = text,
                                   .n = size - (size_t)(text - bytes),
                                   .overrides = overrides,
                                   .n_overrides = n,
                                   .limit = CONFIGURATIONS};
    rg_status status = may_open_files ? RG_EIO : rg_experiment_build(&once, &source, &err);
    if (!status) {
        const char *normal = rg_experiment_text(once);
        rg_experiment_source second = {
            .name = "again", .text = normal, .n = strlen(normal), .limit = CONFIGURATIONS};
        if (rg_experiment_build(&again, &second, &err))
            fprintf(stderr, "%s\n%s\n", err.message, normal);
        CHECK(again);
        check_equal(once, again);
    } else {
        CHECK(!once && (status == RG_EDATA || status == RG_EUSAGE || status == RG_EIO));
        CHECK(!strchr(err.message, '\n'));
    }
    rg_experiment_free(once);
    rg_experiment_free(again);
    free(bytes);
    return 0;
}
