/* text.c - see text.h. */
#include "text.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rg_text_add(rg_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t need = text->n + (n > 0 ? (size_t)n : 0) + 1;
    if (n < 0 || text->failed || !rg_grow(&text->data, &text->capacity, need, 1)) {
        text->failed = true;
    } else {
        vsnprintf(text->data + text->n, text->capacity - text->n, format, again);
        text->n += (size_t)n;
    }
    va_end(again);
}

void rg_text_cut(rg_text *text, size_t n)
{
    if (text->failed)
        return;
    text->n -= n < text->n ? n : text->n;
    text->data[text->n] = '\0';
}

char *rg_text_take(rg_text *text)
{
    char *data = text->data;
    if (text->failed || !data) {
        rg_free(data);
        data = text->failed ? NULL : rg_copy_text("", 0);
    }
    memset(text, 0, sizeof *text);
    return data;
}
