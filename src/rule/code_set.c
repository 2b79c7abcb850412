/* code_set.c - see code_set.h: linear probing, one place in memory per code. */
#include "code_set.h"

#include "base/alloc.h"

static size_t slot_of(const rg_code_set *set, uint64_t code)
{
    uint64_t h = code * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (h ^ h >> 29) & (set->n_slots - 1);
    while (set->slots[at].number != RG_NO_CODE && set->slots[at].code != code)
        at = (at + 1) & (set->n_slots - 1);
    return at;
}

bool rg_code_set_room(rg_code_set *set, size_t n)
{
    size_t n_slots = set->n_slots ? set->n_slots : 64;
    while (n > n_slots / 4 * 3)
        n_slots *= 2;
    if (n_slots == set->n_slots)
        return true;
    rg_code_set larger = {rg_alloc(n_slots, sizeof *larger.slots), set->n, n_slots};
    if (!larger.slots)
        return false;
    for (size_t k = 0; k < n_slots; k++)
        larger.slots[k].number = RG_NO_CODE;
    for (size_t k = 0; k < set->n_slots; k++)
        if (set->slots[k].number != RG_NO_CODE)
            larger.slots[slot_of(&larger, set->slots[k].code)] = set->slots[k];
    rg_free(set->slots);
    *set = larger;
    return true;
}

void rg_code_set_free(rg_code_set *set)
{
    if (set)
        rg_free(set->slots);
    rg_free(set);
}

uint32_t rg_code_set_add(rg_code_set *set, uint64_t code)
{
    if (set->n >= RG_NO_CODE - 1 || !rg_code_set_room(set, set->n + 1))
        return RG_NO_CODE;
    rg_code_slot *slot = &set->slots[slot_of(set, code)];
    if (slot->number == RG_NO_CODE)
        *slot = (rg_code_slot){code, (uint32_t)set->n++};
    return slot->number;
}

uint32_t rg_code_set_find(const rg_code_set *set, uint64_t code)
{
    return set->slots[slot_of(set, code)].number;
}

rg_code_arrival *rg_code_sort(rg_code_arrival *all, rg_code_arrival *spare, size_t n, uint64_t most)
{
    enum { BITS = 11, DIGITS = 1 << BITS };
    for (unsigned shift = 0; shift < 64 && most >> shift; shift += BITS) {
        size_t place[DIGITS + 1] = {0};
        for (size_t k = 0; k < n; k++)
            place[(all[k].code >> shift) % DIGITS + 1]++;
        for (size_t d = 0; d < DIGITS; d++)
            place[d + 1] += place[d];
        for (size_t k = 0; k < n; k++)
            spare[place[(all[k].code >> shift) % DIGITS]++] = all[k];
        rg_code_arrival *swap = all;
        all = spare;
        spare = swap;
    }
    return all;
}
