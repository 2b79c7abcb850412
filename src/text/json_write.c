/* json_write.c - see json_write.h. */
#include "json_write.h"

#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return n;
}

/* How many bytes at p stand for themselves in a string. */
static size_t plain(const char *p, unsigned layout)
{
    unsigned char c = (unsigned char)p[0];
    if (c < 0x20 || c == '"' || c == '\\')
        return 0;
    if (layout & RG_JSON_UTF8) /* U+0080 to U+009F, which nobody prints, are UTF-8, too */
        return c < 0x80 ? 1 : c == 0xc2 && (p[1] & 0xc0) == 0x80 ? 2 : rg_printable(p);
    return c < 0x7f && !((layout & RG_JSON_PAGE) && (c == '<' || c == '>' || c == '&'));
}

static void add_escaped(rg_text *out, uint32_t c, unsigned layout)
{
    static const char controls[] = "\b\f\n\r\t", letters[] = "bfnrt";
    const char *control = c && c < 0x20 ? strchr(controls, (int)c) : NULL;
    if (c == '"' || c == '\\')
        rg_text_add(out, "\\%c", (int)c);
    else if (control && (c == '\n' || layout & RG_JSON_UTF8))
        rg_text_add(out, "\\%c", letters[control - controls]);
    else if (c < 0x10000)
        rg_text_add(out, layout & RG_JSON_UTF8 ? "\\u%04X" : "\\u%04x", (unsigned)c);
    else
        rg_text_add(out, "\\u%04x\\u%04x", 0xd7c0u + (unsigned)(c >> 10),
                    0xdc00u + (unsigned)(c & 0x3ff));
}

static void add_string(rg_text *out, const char *string, unsigned layout)
{
    rg_text_add(out, "\"");
    for (const char *p = string; *p;) {
        size_t n = 0, more;
        while ((more = plain(p + n, layout)))
            n += more;
        rg_text_add(out, "%.*s", (int)n, p);
        p += n;
        if (*p) {
            uint32_t c;
            size_t bytes = decode(p, &c);
            bool said = bytes || layout & RG_JSON_PAGE || (layout & RG_JSON_UTF8 && c < 0x20);
            if (said)
                add_escaped(out, c, layout);
            else
                rg_text_add(out, "?");
            p += bytes ? bytes : 1;
        }
    }
    rg_text_add(out, "\"");
}

void rg_text_json(rg_text *text, const char *string)
{
    add_string(text, string, 0);
}

/* ---- values */

static void add_line(rg_json *json)
{
    if (json->layout & RG_JSON_LINES)
        rg_text_add(&json->text, "\n%*s", (int)(2 * json->depth), "");
}

/* What stands in front of a value: a comma, its key. */
static rg_text *begin(rg_json *json, const char *key)
{
    if (json->comma)
        rg_text_add(&json->text, json->layout & RG_JSON_BLANKS ? ", " : ",");
    if (json->depth)
        add_line(json);
    if (key) {
        add_string(&json->text, key, json->layout);
        rg_text_add(&json->text, json->layout & (RG_JSON_BLANKS | RG_JSON_LINES) ? ": " : ":");
    }
    json->comma = true;
    return &json->text;
}

void rg_json_open(rg_json *json, const char *key, char bracket)
{
    rg_text_add(begin(json, key), "%c", bracket);
    json->comma = false;
    json->depth++;
}

void rg_json_close(rg_json *json, char bracket)
{
    json->depth--;
    if (json->comma)
        add_line(json);
    rg_text_add(&json->text, "%c", bracket == '{' ? '}' : ']');
    json->comma = true;
}

void rg_json_string(rg_json *json, const char *key, const char *string)
{
    rg_text *out = begin(json, key);
    if (string)
        add_string(out, string, json->layout);
    else
        rg_text_add(out, "null");
}

void rg_json_count(rg_json *json, const char *key, uint64_t count)
{
    rg_text_add(begin(json, key), "%" PRIu64, count);
}

void rg_json_known(rg_json *json, const char *key, uint64_t count)
{
    if (count == UINT64_MAX)
        rg_json_string(json, key, NULL);
    else
        rg_json_count(json, key, count);
}

void rg_json_integer(rg_json *json, const char *key, int64_t value)
{
    rg_text_add(begin(json, key), "%" PRId64, value);
}

/* 15 digits, with a point or an exponent, so that a reader knows that it is a real. */
static void add_digits(rg_text *out, double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.15g", value);
    char *e = strchr(digits, 'e');
    long power = e ? strtol(e + 1, NULL, 10) : 0;
    if (e)
        rg_text_add(out, "%.*se%ld", (int)(e - digits), digits, power);
    else
        rg_text_add(out, "%s%s", digits, strchr(digits, '.') ? "" : ".0");
}

void rg_json_real(rg_json *json, const char *key, double value)
{
    rg_text *out = begin(json, key);
    if (json->layout & RG_JSON_DIGITS && isfinite(value))
        add_digits(out, value);
    else
        rg_text_real(out, value);
}

void rg_json_short(rg_json *json, const char *key, double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.4e", value);
    rg_json_real(json, key, isfinite(value) ? strtod(digits, NULL) : value);
}

void rg_json_bool(rg_json *json, const char *key, bool value)
{
    rg_text_add(begin(json, key), value ? "true" : "false");
}

void rg_json_reals(rg_json *json, const char *key, const double *values, size_t n)
{
    rg_json_open(json, key, '[');
    for (size_t k = 0; k < n; k++)
        rg_json_real(json, NULL, values[k]);
    rg_json_close(json, '[');
}

void rg_json_tree(rg_json *json, const char *key, json_t *tree)
{
    switch (tree ? json_typeof(tree) : JSON_NULL) {
    case JSON_OBJECT:
        rg_json_open(json, key, '{');
        for (void *at = json_object_iter(tree); at; at = json_object_iter_next(tree, at))
            rg_json_tree(json, json_object_iter_key(at), json_object_iter_value(at));
        rg_json_close(json, '{');
        break;
    case JSON_ARRAY:
        rg_json_open(json, key, '[');
        for (size_t k = 0; k < json_array_size(tree); k++)
            rg_json_tree(json, NULL, json_array_get(tree, k));
        rg_json_close(json, '[');
        break;
    case JSON_STRING:
        rg_json_string(json, key, json_string_value(tree));
        break;
    case JSON_INTEGER:
        rg_json_integer(json, key, json_integer_value(tree));
        break;
    case JSON_REAL:
        rg_json_real(json, key, json_real_value(tree));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        rg_json_bool(json, key, json_is_true(tree));
        break;
    default:
        rg_json_string(json, key, NULL);
    }
    json->text.failed |= !tree;
}

char *rg_json_take(rg_json *json)
{
    json->depth = 0;
    json->comma = false;
    return rg_text_take(&json->text);
}
