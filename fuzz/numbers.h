/* numbers.h - any bytes as a file of numbers, and what must hold of what comes out. */
#ifndef REGULA_FUZZ_NUMBERS_H
#define REGULA_FUZZ_NUMBERS_H

#include "arrays/array_files.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef rg_status (*fuzz_reader)(rg_numbers *out, rg_reader *in, rg_error *err);

static inline rg_status fuzz_numbers(rg_numbers *out, fuzz_reader read, const uint8_t *bytes,
                                     size_t n)
{
    rg_reader *in = NULL;
    rg_error err = {""};
    if (rg_reader_memory(&in, "input", bytes, n, &err))
        return RG_ENOMEM;
    rg_status status = read(out, in, &err);
    assert(status == RG_OK || status == RG_EDATA || status == RG_ENOMEM);
    assert(!status || (err.message[0] && !strchr(err.message, '\n')));
    if (!status)
        assert(out->offset + out->n_numbers * rg_number_size(out->type) == n);
    rg_reader_close(in);
    return status;
}

/* Two bytes, the most significant first, say how many of the others are targets; those before are
 * values. */
static inline int fuzz_arrays(fuzz_reader read, const uint8_t *bytes, size_t n)
{
    rg_array_files all = {.where = "input", .scale = n % 2};
    rg_arrays *arrays = NULL;
    rg_error err = {""};
    char x[] = "x.npy", y[] = "y.npy", place[] = "place";
    rg_array_file *values = &all.files[RG_ARRAY_WHOLE][RG_ARRAY_VALUES];
    rg_array_file *targets = &all.files[RG_ARRAY_WHOLE][RG_ARRAY_TARGETS];
    if (n < 2)
        return 0;
    size_t cut = (size_t)bytes[0] << 8 | bytes[1];
    cut = cut < n - 2 ? cut : n - 2;
    all.first = values;
    if (!fuzz_numbers(&values->numbers, read, bytes + 2, n - 2 - cut))
        values->path = x;
    if (cut && !fuzz_numbers(&targets->numbers, read, bytes + n - cut, cut))
        targets->path = y;
    if (values->path && !rg_arrays_assemble(&arrays, &all, place, &err)) {
        size_t m = rg_arrays_n_samples(arrays) * rg_arrays_n_values(arrays);
        rg_arrays_audit audit = RG_ARRAYS_AUDIT_INIT;
        assert(m > 0 && rg_arrays_audit_run(&audit, arrays, &err) == RG_OK);
        assert(isfinite(audit.min) && audit.min <= audit.max);
        for (size_t c = 0; c < rg_arrays_n_columns(arrays, RG_CLASS); c++) {
            size_t n_values;
            rg_arrays_class_values(arrays, c, &n_values);
            for (size_t k = 0; k < rg_arrays_n_samples(arrays); k++)
                assert(rg_arrays_classes(arrays, c)[k] < n_values ||
                       rg_arrays_classes(arrays, c)[k] == RG_NO_CLASS);
        }
    } else if (values->path) {
        assert(err.message[0] && !strchr(err.message, '\n') && !arrays);
    }
    rg_arrays_free(arrays);
    rg_numbers_free(&values->numbers);
    rg_numbers_free(&targets->numbers);
    return 0;
}

#endif
