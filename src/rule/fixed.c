/* fixed.c - what positions alone say of a rule over values: the pairs that any sample can connect. */
#include "base/alloc.h"
#include "base/error.h"
#include "evaluate.h"

enum { MOST = 1 << 24 }; /* pairs that are kept */

static bool looks_at_samples(const rg_rule *rule, int term)
{
    const rg_term *t = &rule->terms[term];
    return t->op == RG_OP_VALUE || (t->a != RG_NO_TERM && looks_at_samples(rule, t->a)) ||
           (t->b != RG_NO_TERM && looks_at_samples(rule, t->b)) ||
           (t->c != RG_NO_TERM && looks_at_samples(rule, t->c));
}

/* Parts of the condition that must all hold and do not look at the sample. *n of them. */
static void find_parts(int parts[RG_RULE_TERMS], size_t *n, const rg_rule *rule)
{
    int rest = rule->condition;
    *n = 0;
    while (rest != RG_NO_TERM) {
        const rg_term *t = &rule->terms[rest];
        int part = t->op == RG_OP_AND ? t->b : rest;
        rest = t->op == RG_OP_AND ? t->a : RG_NO_TERM;
        if (!looks_at_samples(rule, part))
            parts[(*n)++] = part;
    }
}

static rg_status fill(rg_fixed_rows *rows, rg_evaluator *e, const int *parts, size_t n_parts,
                      uint32_t n_outputs, uint32_t n_inputs, rg_error *err)
{
    size_t n = 0, capacity = 0;
    uint64_t most = (uint64_t)n_outputs * n_inputs / 2;
    most = most < MOST ? most : MOST;
    for (uint32_t i = 0; i < n_outputs; i++) {
        rows->row[i] = n;
        for (uint32_t j = 0; j < n_inputs; j++) {
            bool holds = true;
            rg_evaluator_pair(e, i, j);
            for (size_t k = n_parts; holds && k-- > 0;)
                holds = rg_evaluator_value(e, parts[k]) != 0;
            if (!holds)
                continue;
            if (n == most) { /* too many to be worth it */
                rg_fixed_rows_close(rows);
                return RG_OK;
            }
            if (!rg_grow(&rows->j, &capacity, n + 1, sizeof *rows->j))
                return rg_fail_memory(err, "the pairs of a rule");
            rows->j[n++] = j;
        }
    }
    rows->row[n_outputs] = n;
    rows->there = true;
    return RG_OK;
}

rg_status rg_fixed_rows_open(rg_fixed_rows *out, const rg_world *world, rg_error *err)
{
    const rg_rule *rule = world->rule;
    rg_plan everywhere = {.all = true};
    rg_evaluator e;
    int parts[RG_RULE_TERMS];
    size_t n_parts;
    uint32_t n_outputs, n_inputs;
    *out = (rg_fixed_rows){0};
    find_parts(parts, &n_parts, rule);
    if (world->input->data || !rule->info.on_values || rule->info.kind != RG_RULE_PAIR || !n_parts)
        return RG_OK;
    rg_world_size(world, 0, &n_outputs, &n_inputs);
    out->row = rg_alloc((size_t)n_outputs + 1, sizeof *out->row);
    rg_status status = rg_evaluator_open(&e, world, &everywhere, err);
    if (!status && !out->row)
        status = rg_fail_memory(err, "the pairs of a rule");
    if (!status)
        status = fill(out, &e, parts, n_parts, n_outputs, n_inputs, err);
    rg_evaluator_close(&e);
    if (status)
        rg_fixed_rows_close(out);
    return status;
}

void rg_fixed_rows_close(rg_fixed_rows *rows)
{
    rg_free(rows->row);
    rg_free(rows->j);
    *rows = (rg_fixed_rows){0};
}
