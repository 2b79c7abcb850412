/* map.h - which input channels, outputs and keys of two networks mean the same. */
#ifndef REGULA_TRANSFER_MAP_H
#define REGULA_TRANSFER_MAP_H

#include "label/meaning.h"
#include "network/network.h"

#define RG_NO_TWIN UINT32_MAX /* nothing means the same */

/* One of the two networks. All that means the same has one number in a table that both share. */
typedef struct rg_transfer_side {
    const rg_network *net;
    rg_meanings m;
    uint32_t *labels[RG_SPEC_LABELS_MAX]; /* [label]: its meaning. Owned, as are the others */
    uint32_t *inputs;                     /* [channel] */
    uint32_t *outputs;                    /* [output] */
} rg_transfer_side;

/* m and net are set. RG_ENOMEM; rg_transfer_side_close in any case. */
RG_MUST_CHECK rg_status rg_transfer_side_open(rg_transfer_side *side, rg_error *err);
void rg_transfer_side_close(rg_transfer_side *side);

/* map[k], k < n: the place in `from` of what to[k] means, or RG_NO_TWIN. *any: there is one. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_transfer_match(uint32_t *map, bool *any, const uint32_t *to, size_t n,
                                          const uint32_t *from, size_t n_from, rg_error *err);
/* map[key of `to`]: the key of `from` with the same meaning. last: the rules give the outputs of the networks, so
 * `out` is one of those. *why: what keeps all keys apart; NULL: nothing. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_transfer_keys(uint32_t *map, const char **why,
                                         const rg_transfer_side *to, const rg_net_rule *rule,
                                         const rg_transfer_side *from, const rg_net_rule *other,
                                         bool last, rg_error *err);

#endif
