/* place.h - output paths, checked before the work begins. */
#ifndef REGULA_CLI_OUTPUT_PLACE_H
#define REGULA_CLI_OUTPUT_PLACE_H

#include "regula/base.h"

/* The work may take minutes: a file that cannot be made is better said before. What lies there
 * already is left alone, and then only writing tells. path: NULL is fine. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_check_place(const char *path, rg_error *err);

#endif
