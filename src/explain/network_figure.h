/* network_figure.h - a network file on graphs of a data set, drawn: the paper's picture of how a
 * network comes out of its rules. */
#ifndef REGULA_EXPLAIN_NETWORK_FIGURE_H
#define REGULA_EXPLAIN_NETWORK_FIGURE_H

#include "draw/names.h"
#include "regula/rule.h"
#include "text/text.h"

/* Draws the network of the file `network` on graphs of the data: neurons layer by layer, with the
 * same colour for the same weight in all of them; nothing is trained. Labels and weights are those of
 * the whole data set. names: NULL: none. path: as rg_figure_write. RG_EDATA, RG_EUSAGE (arrays; a
 * network without rules; too many neurons), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_network_figure_write(const char *path, const char *network,
                                                const rg_dataset *data, const uint64_t *graphs,
                                                size_t n_graphs, const rg_names *names,
                                                unsigned n_threads, rg_error *err);

/* Adds "i = j: 1, node(i): 6" for weight w of a rule. */
void rg_rule_key_say(rg_text *out, const rg_rule *rule, const rg_rule_keys *keys, size_t w);

#endif
