/* error.h - filling the caller's rg_error. */
#ifndef REGULA_BASE_ERROR_H
#define REGULA_BASE_ERROR_H

#include "regula/base.h"

/* Writes the message and returns `status`, so that a failure is one line:
 *     return rg_fail(err, RG_EDATA, "%s:%zu: found '%s', expected a node", name, line, word);
 * Bytes that are not printable UTF-8 become '?'. err->message may be among the arguments. */
rg_status rg_fail(rg_error *err, rg_status status, const char *format, ...) RG_PRINTF(3, 4);

/* Bytes of the one printable character, in well-formed UTF-8, that stands at `text`; 0: none does.
 * Control characters are not printable, nor are those of U+0080 .. U+009F, which some terminals
 * obey. */
size_t rg_printable(const char *text);

/* RG_ENOMEM with a message that says what the memory was for: "out of memory: reading 'X'". */
rg_status rg_fail_memory(rg_error *err, const char *what);

/* RG_EIO with the text of `number` (an errno): "cannot ACTION 'PATH': No such file or directory".
 * ENOMEM among them becomes RG_ENOMEM. */
rg_status rg_fail_io(rg_error *err, int number, const char *action, const char *path);

#endif
