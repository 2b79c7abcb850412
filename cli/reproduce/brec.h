/* brec.h - regula reproduce brec: which pairs of graphs of the BREC benchmark a labeling tells
 * apart. */
#ifndef REGULA_CLI_REPRODUCE_BREC_H
#define REGULA_CLI_REPRODUCE_BREC_H

#include "reproduce.h"

#define CLI_BREC_LABELS "marked(k=12, from=degree, further=smallest)"
#define CLI_BREC_KINDS 16 /* at most */

/* How one kind of pairs came out. */
typedef struct cli_brec_kind {
    char name[32];
    size_t n_pairs, n_apart;
} cli_brec_kind;

/* What a labeling does on all pairs. Begins as {0}, ends with cli_brec_free. */
typedef struct cli_brec {
    size_t n_pairs, n_apart; /* pairs whose graphs have different multisets of labels */
    size_t n_capped;         /* pairs over the budget */
    size_t n_wrong; /* graphs that a renumbered copy differs from: 0, or we have an error */
    cli_brec_kind kinds[CLI_BREC_KINDS];
    size_t n_kinds;
    uint8_t *apart; /* owned: per pair */
    char *labels;   /* owned: the labeling in normal form */
    double seconds;
} cli_brec;

/* Reads DIR/brec/brec.g6 (two graphs per pair) and kinds.txt (a word per pair) beside it, and fits
 * the labeling on every pair by itself. DIR as for the tables. out: untouched on failure.
 * RG_EUSAGE (labels), RG_EDATA (not there, or damaged), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_brec_run(cli_brec *out, const char *labels, const cli_reproduce *wish,
                                     rg_error *err);
void cli_brec_free(cli_brec *brec);
/* On standard output, with published numbers beside. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_brec_print(const cli_brec *brec, cli_shape shape, rg_error *err);

#endif
