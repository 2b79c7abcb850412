/* ensemble.c - see ensemble.h. */
#include "ensemble.h"

#include "base/error.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

enum { TOP_MAX = 100000 };

static const char wanted[] = "all, stack or {top: K}";

static rg_status read_one(rg_ensemble *out, const rg_yaml *node, rg_error *err)
{
    static const char *const words[] = {"all", "stack"}, *const keys[] = {"top"};
    size_t word = 0;
    int64_t top = 0;
    *out = (rg_ensemble){.kind = RG_ENSEMBLE_TOP};
    if (rg_yaml_kind_of(node) == RG_YAML_MAP) {
        rg_status status = rg_yaml_keys(node, keys, 1, err);
        const rg_yaml *k = rg_yaml_find(node, "top");
        if (!status && !k)
            return rg_yaml_expected(node, wanted, err);
        if (!status)
            status = rg_yaml_int(k, &top, 1, TOP_MAX, NULL, err);
        out->top = (uint32_t)top;
        return status;
    }
    if (!rg_yaml_text(node))
        return rg_yaml_expected(node, wanted, err);
    rg_status status = rg_yaml_word(node, &word, words, 2, err);
    out->kind = word ? RG_ENSEMBLE_STACK : RG_ENSEMBLE_ALL;
    return status;
}

rg_status rg_ensembles_read(rg_ensemble *out, size_t *n, const rg_yaml *node, rg_error *err)
{
    bool list = rg_yaml_kind_of(node) == RG_YAML_LIST;
    size_t count = list ? rg_yaml_size(node) : 1;
    if (count < 1 || count > RG_ENSEMBLES_MAX)
        return rg_yaml_complain(node, err, "found %zu ensembles, expected 1..%d", count,
                                RG_ENSEMBLES_MAX);
    for (size_t k = 0; k < count; k++) {
        const rg_yaml *item = list ? rg_yaml_item(node, k) : node;
        rg_status status = read_one(&out[k], item, err);
        if (status)
            return status;
        for (size_t other = 0; other < k; other++)
            if (out[other].kind == out[k].kind && out[other].top == out[k].top)
                return rg_yaml_expected(item, "each ensemble once", err);
    }
    *n = count;
    return RG_OK;
}

rg_status rg_ensembles_of(rg_ensemble *out, size_t *n, const char *resolved, rg_error *err)
{
    rg_yaml *root = NULL;
    rg_error inner = {""};
    rg_status status = rg_yaml_parse(&root, "experiment", resolved, strlen(resolved), &inner);
    const rg_yaml *node = status ? NULL : rg_yaml_find(root, "ensemble");
    *n = 0;
    if (node && rg_ensembles_read(out, n, node, &inner))
        *n = 0;
    rg_yaml_free(root);
    return status == RG_ENOMEM ? rg_fail_memory(err, "an experiment") : RG_OK;
}

rg_status rg_ensemble_parse(rg_ensemble *out, const char *word, rg_error *err)
{
    int64_t top = 0;
    *out = (rg_ensemble){.kind = RG_ENSEMBLE_ALL};
    if (strcmp(word, "all") == 0)
        return RG_OK;
    out->kind = strcmp(word, "stack") == 0 ? RG_ENSEMBLE_STACK : RG_ENSEMBLE_TOP;
    if (out->kind == RG_ENSEMBLE_STACK)
        return RG_OK;
    const char *end = word + strlen(word);
    if (strncmp(word, "top:", 4) == 0 && rg_number_int(word + 4, end, &top) == end && top >= 1 &&
        top <= TOP_MAX) {
        out->top = (uint32_t)top;
        return RG_OK;
    }
    return rg_fail(err, RG_EUSAGE,
                   "option '--ensemble': found '%s', expected all, stack or top:K such as top:5",
                   word);
}

void rg_ensemble_name(char out[RG_ENSEMBLE_TEXT], const rg_ensemble *ensemble)
{
    if (ensemble->kind == RG_ENSEMBLE_TOP)
        snprintf(out, RG_ENSEMBLE_TEXT, "top %u", (unsigned)ensemble->top);
    else
        snprintf(out, RG_ENSEMBLE_TEXT, "%s", ensemble->kind == RG_ENSEMBLE_ALL ? "all" : "stack");
}

void rg_ensemble_print(char out[RG_ENSEMBLE_TEXT], const rg_ensemble *ensemble)
{
    if (ensemble->kind == RG_ENSEMBLE_TOP)
        snprintf(out, RG_ENSEMBLE_TEXT, "{top: %u}", (unsigned)ensemble->top);
    else
        rg_ensemble_name(out, ensemble);
}
