/* array_files.h - the files of arrays: values and targets of the whole, or of two parts. */
#ifndef REGULA_ARRAYS_ARRAY_FILES_H
#define REGULA_ARRAYS_ARRAY_FILES_H

#include "array_names.h"
#include "arrays.h"
#include "numbers.h"

enum { RG_ARRAY_TARGETS, RG_ARRAY_VALUES };

typedef struct rg_array_file {
    char *path; /* inside the place; NULL: there is no such file */
    rg_array_name name;
    rg_numbers numbers;
} rg_array_file;

typedef struct rg_array_files {
    const char *where; /* all of them are, for messages */
    bool scale;        /* unsigned bytes are divided by 255 */
    rg_array_file files[RG_ARRAY_PARTS][2];
    const rg_array_file *first; /* the one that came first, and all others go with */
} rg_array_files;

/* Arrays of all files, parts in their order. The numbers of values are freed on the way; the rest
 * stays the caller's. `place` gives a name if the files have none. out: owned (rg_arrays_free),
 * untouched on failure. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_arrays_assemble(rg_arrays **out, rg_array_files *all, const char *place,
                                           rg_error *err);

#endif
