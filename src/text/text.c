/* text.c - see text.h. */
#include "text.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"

#include <math.h>
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
    if (text->measure && n >= 0) {
        text->n += (size_t)n;
    } else if (n < 0 || text->failed || !rg_grow(&text->data, &text->capacity, need, 1)) {
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

void rg_text_real(rg_text *text, double value)
{
    char number[RG_NUMBER_MAX];
    if (isfinite(value))
        rg_number_print(number, value);
    rg_text_add(text, "%s", isfinite(value) ? number : "null");
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

void rg_text_drop(rg_text *text)
{
    rg_free(text->data);
    memset(text, 0, sizeof *text);
}
