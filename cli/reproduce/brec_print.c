/* brec_print.c - how many pairs of BREC were told apart, beside what is published. */
#include "brec.h"

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/output/output.h"
#include "reproduce_parts.h"

#include <stdio.h>

/* Wang and Zhang, An Empirical Study of Realized GNN Expressiveness (ICML 2024): the best networks
 * there, and the test that many are compared with. All 400 pairs. */
static const struct {
    const char *model;
    uint64_t apart;
} published[] = {{"I2-GNN", 281}, {"KP-GNN", 275}, {"3-WL", 270}, {"GSN", 254}};

static json_t *kinds_json(const cli_brec *brec)
{
    json_t *kinds = json_object();
    for (size_t k = 0; k < brec->n_kinds; k++) {
        json_t *kind = json_object();
        cli_json_set(&kind, "pairs", cli_json_count(brec->kinds[k].n_pairs));
        cli_json_set(&kind, "distinguished", cli_json_count(brec->kinds[k].n_apart));
        cli_json_set(&kinds, brec->kinds[k].name, kind);
    }
    return kinds;
}

static json_t *numbers_json(const cli_brec *brec)
{
    json_t *list = json_array();
    for (size_t k = 0; k < brec->n_pairs; k++)
        if (!brec->apart[k])
            cli_json_add(&list, cli_json_count(k));
    return list;
}

static rg_status print_json(const cli_brec *brec, rg_error *err)
{
    json_t *object = json_object(), *rivals = json_object();
    for (size_t k = 0; k < CLI_COUNT(published); k++)
        cli_json_set(&rivals, published[k].model, cli_json_count(published[k].apart));
    cli_json_set(&object, "labels", cli_json_text(brec->labels));
    cli_json_set(&object, "pairs", cli_json_count(brec->n_pairs));
    cli_json_set(&object, "distinguished", cli_json_count(brec->n_apart));
    cli_json_set(&object, "kinds", kinds_json(brec));
    cli_json_set(&object, "not_distinguished", numbers_json(brec));
    cli_json_set(&object, "over_budget", cli_json_count(brec->n_capped));
    cli_json_set(&object, "renumbered_copies_distinguished", cli_json_count(brec->n_wrong));
    cli_json_set(&object, "published", rivals);
    cli_json_set(&object, "seconds", cli_json_real(brec->seconds));
    return cli_print_json(object, err);
}

static rg_status print_table(const cli_brec *brec, const cli_pages *p, rg_error *err)
{
    static const cli_column columns[] = {{"kind", "kind", CLI_CELL_TEXT},
                                         {"pairs", "pairs", CLI_CELL_COUNT},
                                         {"distinguished", "distinguished", CLI_CELL_COUNT}};
    cli_table t = {.columns = columns, .n_columns = CLI_COUNT(columns)};
    for (size_t k = 0; k < brec->n_kinds; k++) {
        cli_cell_text(&t, brec->kinds[k].name);
        cli_cell_count(&t, brec->kinds[k].n_pairs);
        cli_cell_count(&t, brec->kinds[k].n_apart);
    }
    cli_cell_text(&t, "all");
    cli_cell_count(&t, brec->n_pairs);
    cli_cell_count(&t, brec->n_apart);
    return cli_pages_table(p, "BREC: pairs of graphs that one labeling tells apart", &t, err);
}

rg_status cli_brec_print(const cli_brec *brec, cli_shape shape, rg_error *err)
{
    cli_pages p = {.markdown = shape == CLI_SHAPE_MARKDOWN};
    if (shape == CLI_SHAPE_JSON)
        return print_json(brec, err);
    rg_status status = print_table(brec, &p, err);
    if (status)
        return status;
    cli_pages_note(&p, "Labels: %s, fitted on each pair, no training; %.1f s.", brec->labels,
                   brec->seconds);
    cli_pages_note(
        &p,
        "Published, of 400: %s %u, %s %u, %s %u, %s %u. Those are trained networks (3-WL "
        "is a test), measured by a T-squared test over renumbered copies, which has no "
        "variance to work with when a model is exactly invariant; here multisets of "
        "labels are compared exactly.",
        published[0].model, (unsigned)published[0].apart, published[1].model,
        (unsigned)published[1].apart, published[2].model, (unsigned)published[2].apart,
        published[3].model, (unsigned)published[3].apart);
    cli_pages_note(&p, "Renumbered copies of a graph that were told apart: %zu of %zu.",
                   brec->n_wrong, brec->n_pairs);
    if (brec->n_capped)
        cli_pages_note(&p, "Pairs over the budget of steps: %zu.", brec->n_capped);
    return RG_OK;
}
