/* text.h - a text that grows; the first failure sticks and is told by rg_text_take. */
#ifndef REGULA_TEXT_TEXT_H
#define REGULA_TEXT_TEXT_H

#include "regula/base.h"

#include <stdbool.h>

typedef struct rg_text {
    char *data;
    size_t n, capacity;
    bool failed;
    bool measure; /* only n is wanted: nothing is kept */
} rg_text;

void rg_text_add(rg_text *text, const char *format, ...) RG_PRINTF(2, 3);
void rg_text_cut(rg_text *text, size_t n); /* drops the last n bytes */
/* As a number of JSON: the shortest that reads back exactly; null for what is not finite. */
void rg_text_real(rg_text *text, double value);
/* The text; owned by the caller (rg_free). NULL if memory was short. Leaves `text` empty. */
char *rg_text_take(rg_text *text);
void rg_text_drop(rg_text *text); /* frees it and leaves it empty */

#endif
