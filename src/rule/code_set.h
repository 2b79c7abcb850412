/* code_set.h - codes of keys with consecutive numbers, in order of arrival, and sorting them. */
#ifndef REGULA_RULE_CODE_SET_H
#define REGULA_RULE_CODE_SET_H

#include "codes.h"

typedef struct rg_code_slot {
    uint64_t code;
    uint32_t number; /* RG_NO_CODE: free */
} rg_code_slot;

/* Begins as {0}; ends with rg_free(slots). */
struct rg_code_set {
    rg_code_slot *slots;
    size_t n, n_slots; /* a power of 2, or 0 */
};

/* Room for n codes; false: memory is short. Must be called before the others. */
bool rg_code_set_room(rg_code_set *set, size_t n);
void rg_code_set_free(rg_code_set *set); /* of one that was allocated; NULL is fine */
/* The number of a code, the next one if it is new. RG_NO_CODE: memory is short, or numbers are. */
uint32_t rg_code_set_add(rg_code_set *set, uint64_t code);
uint32_t rg_code_set_find(const rg_code_set *set, uint64_t code); /* or RG_NO_CODE */

/* A code in one of several sets. */
typedef struct rg_code_arrival {
    uint64_t code;
    uint32_t set, number;
} rg_code_arrival;

/* Ascending by code, a digit at a time from the last on; `most`: the largest. `spare` has room for n.
 * Returns where the result is: all or spare. O(n) for codes of a given length. */
rg_code_arrival *rg_code_sort(rg_code_arrival *all, rg_code_arrival *spare, size_t n,
                              uint64_t most);

#endif
