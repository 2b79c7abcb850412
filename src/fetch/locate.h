/* locate.h - inside: looking for a set in one directory. */
#ifndef REGULA_FETCH_LOCATE_H
#define REGULA_FETCH_LOCATE_H

#include "regula/base.h"

/* DIRECTORY/NAME, or NAME with the ending of something we read behind it: owned (rg_free), or NULL
 * if there is none. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_locate(char **out, const char *directory, const char *name,
                                  rg_error *err);

#endif
