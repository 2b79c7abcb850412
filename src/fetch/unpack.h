/* unpack.h - an archive's plain files into a directory, and nothing outside of it. */
#ifndef REGULA_FETCH_UNPACK_H
#define REGULA_FETCH_UNPACK_H

#include "regula/dataset.h"

/* Writes every regular file of `archive` below `directory`, which must exist, byte for byte (a file
 * that is itself compressed stays so). Absolute paths, "..", links, devices, odd names, a name that
 * comes twice, and more than the bounds allow are RG_EDATA; what was written until then stays.
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_unpack(const char *archive, const char *directory,
                                  const rg_read_options *bounds, rg_error *err);

#endif
