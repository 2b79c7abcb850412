/* csv.c - see csv.h. */
#include "csv.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

void rg_csv_free(rg_csv *csv)
{
    rg_free(csv->fields);
    rg_free(csv->buffer);
    memset(csv, 0, sizeof *csv);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Blanks around it go; a tab that separates is never inside. */
static bool add_field(rg_csv *csv, const char *text, size_t n, size_t column)
{
    while (n > 0 && is_blank(*text)) {
        text++;
        n--;
        column++;
    }
    while (n > 0 && is_blank(text[n - 1]))
        n--;
    if (!rg_grow(&csv->fields, &csv->field_capacity, csv->n_fields + 1, sizeof *csv->fields))
        return false;
    csv->fields[csv->n_fields++] = (rg_csv_field){text, n, column};
    return true;
}

static bool add_bytes(rg_csv *csv, const char *text, size_t n)
{
    size_t need;
    if (!rg_size_add(&need, csv->n_buffer, n) ||
        !rg_grow(&csv->buffer, &csv->capacity, need + 1, 1))
        return false;
    memcpy(csv->buffer + csv->n_buffer, text, n);
    csv->n_buffer += n;
    csv->buffer[csv->n_buffer] = '\0';
    return true;
}

static bool split_plain(rg_csv *csv, const char *text, size_t n)
{
    const char *p = text, *end = text + n;
    for (;;) {
        const char *mark = memchr(p, csv->separator, (size_t)(end - p));
        if (!add_field(csv, p, (size_t)((mark ? mark : end) - p), (size_t)(p - text) + 1))
            return false;
        if (!mark)
            return true;
        p = mark + 1;
    }
}

/* Quotes that are open at the end of the text? A quote opens at the start of a field only. */
static bool is_open(const rg_csv *csv, const char *text, size_t n)
{
    bool open = false, start = true;
    for (size_t k = 0; k < n; k++) {
        if (open) {
            open = text[k] != '"';
        } else if (text[k] == '"' && (start || (k && text[k - 1] == '"'))) {
            open = true;
        }
        start = !open && (text[k] == csv->separator || (start && is_blank(text[k])));
    }
    return open;
}

/* In place: a field never becomes longer. Columns behind a line end inside quotes count on. */
static bool split_quoted(rg_csv *csv)
{
    char *text = csv->buffer;
    size_t n = csv->n_buffer, k = 0;
    for (;;) {
        size_t begin = k, out = k;
        while (k < n && is_blank(text[k]) && text[k] != csv->separator)
            k++;
        bool quoted = k < n && text[k] == '"';
        k = quoted ? k + 1 : begin;
        for (bool open = quoted; k < n && (open || text[k] != csv->separator); k++) {
            if (quoted && text[k] == '"') {
                if (open && k + 1 < n && text[k + 1] == '"')
                    k++;
                else {
                    open = false;
                    continue;
                }
            }
            text[out++] = text[k];
        }
        if (!add_field(csv, text + begin, out - begin, begin + 1 + quoted))
            return false;
        if (k == n)
            return true;
        k++;
    }
}

/* The lines of a record whose quotes are open, up to where they close. */
static rg_status join_lines(rg_csv *csv, rg_error *err)
{
    bool more = true;
    while (is_open(csv, csv->buffer, csv->n_buffer)) {
        rg_status status = rg_reader_next(csv->in, &more, err);
        if (status)
            return status;
        if (!more || csv->n_buffer > RG_READER_LINE_MAX)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found a quote that is never closed, expected '\"'",
                           rg_reader_name(csv->in), csv->line);
        size_t n;
        const char *text = rg_reader_text(csv->in, &n);
        if (!add_bytes(csv, "\n", 1) || !add_bytes(csv, text, n))
            return rg_fail_memory(err, rg_reader_name(csv->in));
    }
    return RG_OK;
}

static bool is_all_blank(const char *text, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!is_blank(text[k]))
            return false;
    return true;
}

/* Commas if there are any, else tabs, else semicolons. */
static char find_separator(const char *text, size_t n)
{
    if (memchr(text, ',', n))
        return ',';
    return memchr(text, '\t', n) ? '\t' : memchr(text, ';', n) ? ';' : ',';
}

static rg_status split(rg_csv *csv, rg_error *err)
{
    size_t n;
    const char *text = rg_reader_text(csv->in, &n);
    csv->n_fields = csv->n_buffer = 0;
    csv->line = rg_reader_line_number(csv->in);
    if (csv->line == 1 && n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        n -= 3;
    }
    if (!csv->separator)
        csv->separator = find_separator(text, n);
    if (!memchr(text, '"', n))
        return split_plain(csv, text, n) ? RG_OK : rg_fail_memory(err, rg_reader_name(csv->in));
    if (!add_bytes(csv, text, n))
        return rg_fail_memory(err, rg_reader_name(csv->in));
    rg_status status = join_lines(csv, err);
    if (!status && !split_quoted(csv))
        status = rg_fail_memory(err, rg_reader_name(csv->in));
    return status;
}

rg_status rg_csv_next(rg_csv *csv, bool *more, rg_error *err)
{
    const char *text;
    size_t n;
    do {
        rg_status status = rg_reader_next(csv->in, more, err);
        if (status || !*more)
            return status;
        text = rg_reader_text(csv->in, &n);
    } while (is_all_blank(text, n));
    return split(csv, err);
}
