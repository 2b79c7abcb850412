/* keeper.h - blocks of memory that live as long as one thing that points to them. */
#ifndef REGULA_TEXT_KEEPER_H
#define REGULA_TEXT_KEEPER_H

#include "text.h"

/* Begins as {0}, ends with rg_keeper_free. */
typedef struct rg_keeper {
    void **blocks;
    size_t n, capacity;
} rg_keeper;

/* Moves a block; NULL if it was, or if there is no memory to keep it. */
void *rg_keeper_block(rg_keeper *keep, void *block);
/* A new one of n items, all zero; NULL: memory is short. */
void *rg_keeper_room(rg_keeper *keep, size_t n, size_t size);
/* The text, which is used up; NULL: memory is short. */
const char *rg_keeper_text(rg_keeper *keep, rg_text *text);
void rg_keeper_free(rg_keeper *keep);

#endif
