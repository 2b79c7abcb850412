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

/* A message is one line whatever the input put into it: control bytes become '?', so that a hostile
 * file name or word can neither break the line nor steer a terminal. */
static void keep_to_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

rg_status rg_fail(rg_error *err, rg_status status, const char *format, ...)
{
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    if (vsnprintf(err->message, sizeof err->message, format, args) < 0)
        err->message[0] = '\0';
    va_end(args);
    keep_to_one_line(err->message);
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
