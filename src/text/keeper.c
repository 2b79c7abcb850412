/* keeper.c - see keeper.h. */
#include "keeper.h"

#include "base/alloc.h"

void *rg_keeper_block(rg_keeper *keep, void *block)
{
    if (!block || !rg_grow(&keep->blocks, &keep->capacity, keep->n + 1, sizeof *keep->blocks)) {
        rg_free(block);
        return NULL;
    }
    return keep->blocks[keep->n++] = block;
}

void *rg_keeper_room(rg_keeper *keep, size_t n, size_t size)
{
    return rg_keeper_block(keep, rg_alloc_zero(n, size));
}

const char *rg_keeper_text(rg_keeper *keep, rg_text *text)
{
    return rg_keeper_block(keep, rg_text_take(text));
}

void rg_keeper_free(rg_keeper *keep)
{
    for (size_t k = 0; k < keep->n; k++)
        rg_free(keep->blocks[k]);
    rg_free(keep->blocks);
    *keep = (rg_keeper){0};
}
