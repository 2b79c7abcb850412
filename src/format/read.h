/* read.h - reading a data set from entries that are already open. */
#ifndef REGULA_FORMAT_READ_H
#define REGULA_FORMAT_READ_H

#include "entries.h"

/* where: the path or name of the whole, for messages and for the set's name if its files have none
 * in front. only: NULL, or the name of the one set that is wanted among several in a directory.
 * options: NULL for the defaults; bounds are those of `entries`.
 * out: owned (rg_dataset_free), untouched on failure. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_dataset_read_entries(rg_dataset **out, rg_entries *entries,
                                                const char *where, const char *only,
                                                const rg_read_options *options, rg_error *err);

/* Does a format of graphs know a file of this name, without a directory in front? only: NULL, or
 * the name of the set that it must belong to. */
bool rg_read_knows(const char *file, const char *only);

/* A name from a path: its last part that says anything, without endings; "data" if none does. Owned
 * (rg_free); NULL if memory is short. */
char *rg_read_name(const char *where);

#endif
