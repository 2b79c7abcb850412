/* page.c - see report.h: the page around the data of a report. */
#include "page.h"
#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "report.h"
#include "text/text.h"

#include <string.h>

/* SHA-256 in base 64, as a Content-Security-Policy has it. */
#define HASH_TEXT 45

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void hash(char out[HASH_TEXT], const char *bytes, size_t n)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[RG_DIGEST_TEXT];
    unsigned char sum[33] = {0}; /* 32 bytes, and one to make it groups of three */
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_bytes(&digest, bytes, n);
    rg_digest_finish(&digest, hex);
    for (size_t k = 0; k < 32; k++)
        sum[k] = (unsigned char)(digit(hex[2 * k]) << 4 | digit(hex[2 * k + 1]));
    for (size_t k = 0; k < 11; k++) {
        unsigned long group = (unsigned long)sum[3 * k] << 16 | (unsigned long)sum[3 * k + 1] << 8 |
                              (unsigned long)sum[3 * k + 2];
        for (unsigned b = 0; b < 4; b++)
            out[4 * k + b] = letters[group >> (18 - 6 * b) & 63];
    }
    out[43] = '='; /* the byte too many */
    out[44] = '\0';
}

/* As text of an element: nothing in it is markup. What is no character becomes U+FFFD. */
static void add_text(rg_text *out, const char *text)
{
    for (const char *p = text; *p;) {
        size_t n = rg_printable(p);
        if (n == 0)
            rg_text_add(out, "\xef\xbf\xbd");
        else if (strchr("<>&\"'", *p))
            rg_text_add(out, "&#%d;", (int)*p);
        else
            rg_text_add(out, "%.*s", (int)n, p);
        p += n ? n : 1;
    }
}

/* The policy allows this style and this program, and nothing else: no other script, no request. */
static void add_head(rg_text *out, const char *title)
{
    char style[HASH_TEXT], script[HASH_TEXT];
    hash(style, rg_page_style, rg_page_style_size);
    hash(script, rg_page_script, rg_page_script_size);
    rg_text_add(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; "
                "form-action 'none'\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta name=\"referrer\" content=\"no-referrer\">\n"
                "<meta name=\"generator\" content=\"regula %s\">\n<title>",
                script, style, rg_version());
    add_text(out, title);
    rg_text_add(out, "</title>\n<style>");
    rg_text_add(out, "%.*s", (int)rg_page_style_size, rg_page_style);
    rg_text_add(out, "</style>\n</head>\n");
}

rg_status rg_report_page(char **out, const char *json, const char *title, rg_error *err)
{
    rg_text text = {0};
    add_head(&text, title);
    rg_text_add(&text, "<body>\n"
                       "<noscript><p>This report needs JavaScript. The script is part of this file "
                       "and loads nothing else. The data are in this file as JSON.</p></noscript>\n"
                       "<script type=\"application/json\" id=\"report\">");
    rg_text_add(&text, "%s</script>\n<script>", json);
    rg_text_add(&text, "%.*s", (int)rg_page_script_size, rg_page_script);
    rg_text_add(&text, "</script>\n</body>\n</html>\n");
    char *page = rg_text_take(&text);
    if (!page)
        return rg_fail_memory(err, "a report");
    *out = page;
    return RG_OK;
}
