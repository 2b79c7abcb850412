/* show_choice.c - see show_choice.h. */
#include "show_choice.h"

#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "cli/output/table.h"

#include <math.h>

/* "fair: ", or, where methods are compared, "NAME, fair: ". */
static void add_name(rg_text *out, const rg_results *results, const rg_verdict *verdict)
{
    if (rg_results_method(results, verdict)) {
        cli_add_text(out, rg_results_method(results, verdict));
        rg_text_add(out, ", ");
    }
    rg_text_add(out, "%s: ", rg_protocol_name(verdict->protocol));
}

void cli_choice_note(rg_text *out, const rg_results *results, const rg_verdict *verdict)
{
    const rg_choice *c = &verdict->choice;
    char score[32], noise[32];
    if (!verdict->known || c->n_compared < 2)
        return;
    add_name(out, results, verdict);
    rg_text_add(out, "%zu configurations compared", c->n_compared);
    if (isnan(c->corrected)) {
        rg_text_add(out, "\n");
        return;
    }
    cli_score_text(c->corrected, results->metric, score);
    cli_score_text(c->noise, results->metric, noise);
    rg_text_add(out, "; without the luck of the best, its validation score is about %s", score);
    rg_text_add(out, "\n");
    if (c->n_within) {
        add_name(out, results, verdict);
        rg_text_add(out,
                    "warning: the choice is within noise: %zu other%s less than one standard error "
                    "(%s) behind; an ensemble may do better\n",
                    c->n_within, c->n_within == 1 ? " is" : "s are", noise);
    }
}

void cli_choice_json(json_t **object, const rg_verdict *verdict)
{
    const rg_choice *c = &verdict->choice;
    cli_json_set(object, "compared", cli_json_count(c->n_compared));
    cli_json_set(object, "within_noise",
                 isnan(c->noise) ? json_null() : cli_json_count(c->n_within));
    cli_json_set(object, "validation_corrected", cli_json_real(c->corrected));
    cli_json_set(object, "noise", cli_json_real(c->noise));
}
