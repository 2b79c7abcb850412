/* idx.c - the format of the MNIST files.
 *
 * Two zero bytes, the type, the number of dimensions, each dimension as four bytes, the numbers in
 * C order; all of it most significant byte first. */
#include "numbers.h"

#include "base/error.h"

enum { IDX_DIMS = 4 };

static rg_status read_head(rg_numbers *numbers, rg_reader *in, rg_error *err)
{
    static const struct {
        unsigned char code;
        rg_number_type type;
    } known[] = {{0x08, RG_U8},  {0x09, RG_I8},  {0x0B, RG_I16},
                 {0x0C, RG_I32}, {0x0D, RG_F32}, {0x0E, RG_F64}};
    unsigned char head[4], dims[4 * IDX_DIMS];
    size_t k = 0;
    rg_status status =
        rg_numbers_head(head, sizeof head, 0, "the four bytes of an IDX file", in, err);
    if (status)
        return status;
    if (head[0] || head[1])
        return rg_fail(err, RG_EDATA,
                       "%s: byte %d: found 0x%02x, expected 0: an IDX file begins with two zero "
                       "bytes",
                       numbers->name, head[0] ? 0 : 1, head[0] ? head[0] : head[1]);
    while (k < sizeof known / sizeof *known && known[k].code != head[2])
        k++;
    if (k == sizeof known / sizeof *known)
        return rg_fail(err, RG_EDATA,
                       "%s: byte 2: found type 0x%02x, expected 0x08, 0x09, 0x0b, 0x0c, 0x0d or "
                       "0x0e",
                       numbers->name, head[2]);
    if (head[3] < 1 || head[3] > IDX_DIMS)
        return rg_fail(err, RG_EDATA, "%s: byte 3: found %d dimensions, expected 1 to %d",
                       numbers->name, head[3], IDX_DIMS);
    numbers->type = known[k].type;
    numbers->big = true;
    numbers->n_dims = head[3];
    numbers->offset = 4 + 4 * (uint64_t)head[3];
    status = rg_numbers_head(dims, 4 * numbers->n_dims, 4, "the sizes of an IDX file", in, err);
    for (size_t d = 0; d < numbers->n_dims && !status; d++)
        for (size_t b = 0; b < 4; b++)
            numbers->dims[d] = numbers->dims[d] << 8 | dims[4 * d + b];
    return status;
}

rg_status rg_idx_read(rg_numbers *out, rg_reader *in, rg_error *err)
{
    return rg_numbers_read(out, read_head, in, err);
}
