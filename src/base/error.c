/* error.c - status texts and error messages. */
#define _GNU_SOURCE /* strerror_r that returns text */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *rg_version(void)
{
    return RG_VERSION;
}

const char *rg_status_text(rg_status status)
{
    switch (status) {
    case RG_OK:
        return "ok";
    case RG_EFAIL:
        return "failure";
    case RG_EUSAGE:
        return "usage";
    case RG_EDATA:
        return "bad input data";
    case RG_EIO:
        return "input or output failed";
    case RG_ENOMEM:
        return "out of memory";
    }
    return "unknown status";
}

size_t rg_printable(const char *bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    unsigned char c = text[0];
    if (c < 0x80)
        return c >= 0x20 && c != 0x7f;
    size_t n = c >= 0xc2 && c <= 0xdf ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
    for (size_t k = 1; k < n; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    /* Too long a form of a small number, a surrogate, or above U+10FFFF. */
    if ((c == 0xc2 && text[1] < 0xa0) || (c == 0xe0 && text[1] < 0xa0) ||
        (c == 0xed && text[1] > 0x9f) || (c == 0xf0 && text[1] < 0x90) ||
        (c == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

/* A message is one line of UTF-8 whatever the input put into it: other bytes become '?', so that a
 * hostile file name or word can neither break the line, nor steer a terminal, nor spoil JSON. */
static void keep_to_one_line(char *text)
{
    while (*text) {
        size_t n = rg_printable(text);
        if (n == 0)
            *text = '?';
        text += n ? n : 1;
    }
}

rg_status rg_fail(rg_error *err, rg_status status, const char *format, ...)
{
    if (!err)
        return status;
    /* Not in place: the old message may be among the arguments. */
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    if (vsnprintf(message, sizeof message, format, args) < 0)
        snprintf(message, sizeof message, "%s", rg_status_text(status));
    va_end(args);
    keep_to_one_line(message);
    memcpy(err->message, message, strlen(message) + 1);
    return status;
}

rg_status rg_fail_memory(rg_error *err, const char *what)
{
    return rg_fail(err, RG_ENOMEM, "out of memory: %s", what);
}

rg_status rg_fail_io(rg_error *err, int number, const char *action, const char *path)
{
    char text[128];
    const char *why = strerror_r(number, text, sizeof text);
    return rg_fail(err, number == ENOMEM ? RG_ENOMEM : RG_EIO, "cannot %s '%s': %s", action, path,
                   why);
}
