/* fuzz_smarts.c - any bytes as a pattern of atoms. What is read prints as a text that parses to itself and means the
 * same in a few molecules. */
#include "base/alloc.h"
#include "check.h"
#include "molecule/smiles.h"
#include "smarts/smarts.h"

enum { ATOMS = 40 };

static char *normal(const rg_smarts *smarts)
{
    rg_text text = {0};
    rg_smarts_print(&text, smarts);
    char *out = rg_text_take(&text);
    CHECK(out);
    return out;
}

static void count(int64_t *out, const rg_smarts *smarts, rg_molecule *molecule)
{
    bool within;
    rg_error err;
    rg_mol_fault fault;
    rg_smarts_job job = {
        .smarts = smarts, .molecule = molecule, .budget = 20000, .out = out, .stride = 1};
    CHECK(rg_smarts_count(&job, &within, &fault, &err) == RG_OK);
    if (!within)
        out[0] = -1;
}

static void compare(const rg_smarts *a, const rg_smarts *b)
{
    static const char *const texts[] = {"CC(=O)Oc1ccccc1C(=O)[O-]", "C1CC2CC1C2[NH3+]",
                                        "C[13CH2]C#N"};
    static const rg_mol_options options = {0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        rg_molecule m = {0};
        rg_smiles_reader reader = {0};
        rg_mol_fault fault;
        int64_t x[ATOMS] = {0}, y[ATOMS] = {0};
        CHECK(rg_smiles_parse(&m, &reader, texts[k], strlen(texts[k]), &fault) == RG_OK);
        CHECK(rg_molecule_perceive(&m, &options, &fault) == RG_OK);
        CHECK(m.n_atoms <= ATOMS);
        count(x, a, &m);
        count(y, b, &m);
        CHECK((x[0] == -1) == (y[0] == -1));
        CHECK(x[0] == -1 || memcmp(x, y, sizeof x) == 0);
        rg_molecule_free(&m);
        rg_smiles_reader_free(&reader);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    rg_smarts *smarts = NULL, *again = NULL;
    rg_error err = {""};
    rg_status status = rg_smarts_parse(&smarts, (const char *)bytes, n, 1, &err);
    if (status) {
        CHECK(status == RG_EUSAGE && !smarts && strncmp(err.message, "labels: column ", 15) == 0);
        return 0;
    }
    rg_text words = {0};
    char *once = normal(smarts);
    CHECK(rg_smarts_parse(&again, once, strlen(once), 1, &err) == RG_OK);
    char *twice = normal(again);
    CHECK(strcmp(once, twice) == 0);
    compare(smarts, again);
    rg_free(twice);
    rg_smarts_words(&words, smarts);
    rg_text_drop(&words);
    rg_smarts_free(smarts);
    rg_smarts_free(again);
    rg_free(once);
    return 0;
}
