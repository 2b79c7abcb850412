/* table.h - a hash table from byte strings to consecutive numbers 0, 1, 2, ... in order of arrival.
 *
 * Keys are compared in full: two keys share a number only if they are equal byte for byte. */
#ifndef REGULA_BASE_TABLE_H
#define REGULA_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RG_TABLE_NONE UINT32_MAX

typedef struct rg_table rg_table;

/* Owned; NULL if memory is short. */
rg_table *rg_table_new(void);
void rg_table_free(rg_table *table); /* NULL is fine */

/* The key's number, a new one if the key is new. The key is copied and must not lie in the table
 * itself; it may be NULL if n is 0. RG_TABLE_NONE if memory is short or 2^32-2 keys are in: the
 * table is unchanged then. Expected O(n). */
uint32_t rg_table_add(rg_table *table, const void *key, size_t n);
/* The key's number, or RG_TABLE_NONE. */
uint32_t rg_table_find(const rg_table *table, const void *key, size_t n);
/* Gives the keys new numbers: key order[k] becomes key k, each number below the size standing in
 * order once. False if memory is short: the table is unchanged then. Cost: O(bytes), no hashing. */
bool rg_table_reorder(rg_table *table, const uint32_t *order);
size_t rg_table_size(const rg_table *table);
/* The bytes of a key, number < size. Borrowed, valid until the next rg_table_add. */
const void *rg_table_key(const rg_table *table, uint32_t number, size_t *n);

#endif
