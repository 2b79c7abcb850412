/* json_text.c - see json_text.h. */
#include "json_text.h"

#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- strings */

/* The character at p: its code point, and how many bytes it has. */
static size_t decode(const char *text, uint32_t *out)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t n = rg_printable(text);
    *out = p[0] < 0x80 ? p[0] : 0xfffd;
    if (n > 1) {
        *out = p[0] & (0x7fu >> n);
        for (size_t k = 1; k < n; k++)
            *out = *out << 6 | (p[k] & 0x3fu);
    }
    return n ? n : 1;
}

/* Stands for itself in a string of JSON in a page. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

static void add_escaped(rg_text *out, uint32_t c)
{
    if (c == '\n')
        rg_text_add(out, "\\n");
    else if (c == '"' || c == '\\')
        rg_text_add(out, "\\%c", (int)c);
    else if (c < 0x10000)
        rg_text_add(out, "\\u%04x", (unsigned)c);
    else
        rg_text_add(out, "\\u%04x\\u%04x", 0xd7c0u + (unsigned)(c >> 10),
                    0xdc00u + (unsigned)(c & 0x3ff));
}

static void add_string(rg_text *out, const char *string)
{
    rg_text_add(out, "\"");
    for (const char *p = string; *p;) {
        size_t n = 0;
        while (is_plain((unsigned char)p[n]))
            n++;
        rg_text_add(out, "%.*s", (int)n, p);
        p += n;
        if (*p && n == 0) {
            uint32_t c;
            p += decode(p, &c);
            add_escaped(out, c);
        }
    }
    rg_text_add(out, "\"");
}

/* ---- values */

/* What stands in front of a value: a comma, its key. */
static rg_text *begin(rg_json_text *json, const char *key)
{
    if (json->comma)
        rg_text_add(&json->text, ",");
    if (key)
        rg_text_add(&json->text, "\"%s\":", key);
    json->comma = true;
    return &json->text;
}

void rg_json_open(rg_json_text *json, const char *key, char bracket)
{
    rg_text_add(begin(json, key), "%c", bracket);
    json->comma = false;
}

void rg_json_close(rg_json_text *json, char bracket)
{
    rg_text_add(&json->text, "%c", bracket == '{' ? '}' : ']');
    json->comma = true;
}

void rg_json_string(rg_json_text *json, const char *key, const char *string)
{
    rg_text *out = begin(json, key);
    if (string)
        add_string(out, string);
    else
        rg_text_add(out, "null");
}

void rg_json_count(rg_json_text *json, const char *key, uint64_t count)
{
    rg_text_add(begin(json, key), "%" PRIu64, count);
}

void rg_json_known(rg_json_text *json, const char *key, uint64_t count)
{
    if (count == UINT64_MAX)
        rg_json_string(json, key, NULL);
    else
        rg_json_count(json, key, count);
}

void rg_json_real(rg_json_text *json, const char *key, double value)
{
    rg_text_real(begin(json, key), value);
}

void rg_json_short(rg_json_text *json, const char *key, double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.4e", value);
    rg_json_real(json, key, isfinite(value) ? strtod(digits, NULL) : value);
}

void rg_json_bool(rg_json_text *json, const char *key, bool value)
{
    rg_text_add(begin(json, key), value ? "true" : "false");
}
