/* show_choice.c - see show_choice.h. */
#include "show_choice.h"

#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "cli/output/table.h"

#include <math.h>

void cli_choice_note(rg_text *out, const rg_results *results, const rg_verdict *verdict)
{
    const rg_choice *c = &verdict->choice;
    char score[32], noise[32];
    if (!verdict->known || c->n_compared < 2)
        return;
    if (rg_results_method(results, verdict)) {
        cli_add_text(out, rg_results_method(results, verdict));
        rg_text_add(out, ", ");
    }
    rg_text_add(out, "%s: %zu configurations compared", rg_protocol_name(verdict->protocol),
                c->n_compared);
    if (isnan(c->corrected)) {
        rg_text_add(out, "\n");
        return;
    }
    cli_score_text(c->corrected, results->metric, score);
    cli_score_text(c->noise, results->metric, noise);
    rg_text_add(out, "; without the luck of the best, its validation score is about %s", score);
    if (c->n_within)
        rg_text_add(out,
                    "\n%s: warning: the choice is within noise: %zu other%s less than one standard "
                    "error (%s) behind; an ensemble may do better",
                    rg_protocol_name(verdict->protocol), c->n_within,
                    c->n_within == 1 ? " is" : "s are", noise);
    rg_text_add(out, "\n");
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
