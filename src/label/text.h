/* text.h - a text that grows; the first failure sticks and is told by rg_text_take. */
#ifndef REGULA_LABEL_TEXT_H
#define REGULA_LABEL_TEXT_H

#include "regula/base.h"

#include <stdbool.h>

typedef struct rg_text {
    char *data;
    size_t n, capacity;
    bool failed;
} rg_text;

void rg_text_add(rg_text *text, const char *format, ...) RG_PRINTF(2, 3);
void rg_text_cut(rg_text *text, size_t n); /* drops the last n bytes */
/* The text; owned by the caller (rg_free). NULL if memory was short. Leaves `text` empty. */
char *rg_text_take(rg_text *text);

#endif
