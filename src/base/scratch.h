/* scratch.h - directories for work that nobody keeps. */
#ifndef REGULA_BASE_SCRATCH_H
#define REGULA_BASE_SCRATCH_H

#include "regula/base.h"

typedef struct rg_scratch {
    char *path; /* owned */
    int fd;     /* of the directory; it holds the lock that says that its owner lives */
} rg_scratch;

/* A new directory in `folder`. Those that processes of this user left there when they were killed go. *out: owned
 * (rg_scratch_remove), untouched on failure. Cost: a look at every entry of the folder. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_scratch_make(rg_scratch *out, const char *folder, rg_error *err);
/* With all that is in it. Zeros are fine. */
void rg_scratch_remove(rg_scratch *scratch);

/* Removes a directory and all that is in it, as far as it can be removed; links are not followed. */
void rg_tree_remove(const char *path);

#endif
