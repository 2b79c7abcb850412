/* fuzz_pair_table.c - any bytes as a table of pairs, text or .npy: refused with a message, or a table whose
 * numbers are found again and that a rule can be compiled over. */
#include "check.h"
#include "property/pair_table.h"
#include "regula/rule.h"

static void ask(const rg_pair_table *t)
{
    for (size_t s = 0; s < t->info.n_samples; s++)
        for (uint64_t k = t->start[s]; k < t->start[s + 1]; k++) {
            uint32_t i = (uint32_t)(t->key[k] >> 32), j = (uint32_t)t->key[k];
            uint64_t first;
            CHECK(rg_pair_table_value(t, s, i, j) == t->value[k] && t->value[k] != 0);
            CHECK(rg_pair_table_row(t, s, i, &first) > 0 && first <= k);
        }
}

/* As the weights of a small layer, if it is small. */
static void compile(const rg_pair_table *t)
{
    rg_rule_labeling known = {.name = "w", .is_table = 1, .pairs = t};
    rg_rule_values values = {.n_samples = t->info.n_samples, .shape = {1, 1, 1}};
    rg_rule_input input = {
        .size = sizeof input, .labels = &known, .n_labels = 1, .values = &values};
    rg_rule_options one = RG_RULE_OPTIONS_INIT;
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_error err = {""};
    one.n_threads = 1;
    if (t->rows[0] == 0 || t->rows[0] > 100 || t->cols[0] == 0 || t->cols[0] > 100 ||
        t->info.n_samples > 100 || t->info.n_places == 1)
        return;
    input.out = (rg_rule_shape){1, t->rows[0], 1};
    input.in = (rg_rule_shape){1, t->cols[0], 1};
    CHECK(!rg_rule_parse(&rule, "share w(i,j) when w(i,j) != 0", RG_RULE_PAIR, &known, 1, NULL,
                         &err));
    rg_status status = rg_rule_compile(&keys, NULL, NULL, rule, &input, &one, &err);
    CHECK(status == RG_OK || status == RG_EDATA); /* samples of other sizes */
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    rg_reader *in = NULL;
    rg_pair_table *t = NULL;
    rg_error err = {""};
    bool npy = n > 0 && bytes[0] == 0x93;
    if (rg_reader_memory(&in, "f", bytes, n, &err))
        return 0;
    rg_status status = rg_pair_table_from(&t, in, npy, &err);
    if (status) {
        CHECK((status == RG_EDATA || status == RG_ENOMEM) && !t && err.message[0]);
        CHECK(strncmp(err.message, "f:", 2) == 0 || status == RG_ENOMEM);
    } else {
        ask(t);
        compile(t);
    }
    rg_reader_close(in);
    rg_pair_table_free(t);
    return 0;
}
