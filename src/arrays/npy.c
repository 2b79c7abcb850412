/* npy.c - NumPy's files of one array.
 *
 * "\x93NUMPY", the version, the length of the head (two bytes in version 1, four in 2 and 3, the
 * least significant first), the head, the numbers. The head is a dictionary of Python with exactly
 * three keys, in any order: 'descr', 'fortran_order' and 'shape'. */
#include "numbers.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* NumPy itself refuses more than 10000 bytes unless told otherwise. */
enum { LONGEST_HEAD = 1 << 16 };

/* The head while it is read; `at` moves over [begin, end). */
typedef struct scanner {
    const char *name;
    uint64_t offset; /* of begin in the file */
    const char *begin, *at, *end;
    rg_error *err;
} scanner;

/* RG_EDATA at `at`: what stands there, up to something that ends a word. */
static rg_status complain(const scanner *s, const char *at, const char *what)
{
    size_t n = 0, left = (size_t)(s->end - at);
    while (n < left && n < 24 && !strchr(" ,:)}\n", at[n]))
        n++;
    n = n ? n : left > 0;
    uint64_t place = s->offset + (uint64_t)(at - s->begin);
    if (left == 0 || *at == '\n')
        return rg_fail(s->err, RG_EDATA,
                       "%s: byte %" PRIu64 ": found the end of the head, expected %s", s->name,
                       place, what);
    return rg_fail(s->err, RG_EDATA, "%s: byte %" PRIu64 ": found '%.*s', expected %s", s->name,
                   place, (int)n, at, what);
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
        s->at++;
}

/* Blanks and then this mark; false: something else stands there, and only blanks were passed. */
static bool accept(scanner *s, char mark)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at != mark)
        return false;
    s->at++;
    return true;
}

/* 'text' or "text", without escapes. */
static rg_status scan_text(scanner *s, char *out, size_t size, const char *what)
{
    skip_blanks(s);
    const char *start = s->at;
    char quote = start < s->end ? *start : '\0';
    const char *close = quote == '\'' || quote == '"'
                            ? memchr(start + 1, quote, (size_t)(s->end - start - 1))
                            : NULL;
    if (!close || (size_t)(close - start) > size)
        return complain(s, start, what);
    memcpy(out, start + 1, (size_t)(close - start - 1));
    out[close - start - 1] = '\0';
    s->at = close + 1;
    return RG_OK;
}

static rg_status scan_type(scanner *s, rg_numbers *numbers)
{
    static const struct {
        const char *word;
        rg_number_type type;
    } known[] = {{"b1", RG_BOOL}, {"i1", RG_I8},  {"u1", RG_U8},  {"i2", RG_I16},
                 {"u2", RG_U16},  {"i4", RG_I32}, {"u4", RG_U32}, {"i8", RG_I64},
                 {"u8", RG_U64},  {"f4", RG_F32}, {"f8", RG_F64}};
    static const char expected[] =
        "a type: b1, i1, i2, i4, i8, u1, u2, u4, u8, f4 or f8 behind '<', '>' or '|'";
    char word[16];
    skip_blanks(s);
    const char *start = s->at;
    rg_status status = scan_text(s, word, sizeof word, expected);
    if (status)
        return status;
    size_t k = 0;
    while (k < sizeof known / sizeof *known && (!word[0] || strcmp(word + 1, known[k].word) != 0))
        k++;
    bool found = k < sizeof known / sizeof *known && strchr("<>|", word[0]) != NULL;
    if (!found || (word[0] == '|' && rg_number_size(known[k].type) > 1))
        return complain(s, start, expected);
    numbers->type = known[k].type;
    numbers->big = word[0] == '>';
    return RG_OK;
}

static rg_status scan_order(scanner *s, rg_numbers *numbers)
{
    skip_blanks(s);
    size_t left = (size_t)(s->end - s->at);
    numbers->fortran = left >= 4 && memcmp(s->at, "True", 4) == 0;
    if (!numbers->fortran && !(left >= 5 && memcmp(s->at, "False", 5) == 0))
        return complain(s, s->at, "True or False");
    s->at += numbers->fortran ? 4 : 5;
    return RG_OK;
}

static rg_status scan_size(scanner *s, size_t *out)
{
    const char *start = s->at;
    size_t value = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if (!rg_size_mul(&value, value, 10) || !rg_size_add(&value, value, (size_t)(*s->at - '0')))
            return complain(s, start, "a size that is a number of 64 bits");
    if (s->at == start)
        return complain(s, start, "a size");
    if (s->at < s->end && *s->at == 'L') /* Python 2 wrote 10L */
        s->at++;
    *out = value;
    return RG_OK;
}

/* (), (3,), (3, 4), ... */
static rg_status scan_shape(scanner *s, rg_numbers *numbers)
{
    if (!accept(s, '('))
        return complain(s, s->at, "'(' and sizes");
    const char *start = s->at;
    while (!accept(s, ')')) {
        if (numbers->n_dims == RG_NUMBERS_DIMS)
            return complain(s, s->at, "')' after five dimensions");
        rg_status status = scan_size(s, &numbers->dims[numbers->n_dims]);
        if (status)
            return status;
        numbers->n_dims++;
        if (accept(s, ','))
            continue;
        if (!accept(s, ')') || numbers->n_dims == 1)
            return complain(s, s->at,
                            numbers->n_dims == 1 ? "',' behind the only size" : "',' or ')'");
        break;
    }
    if (numbers->n_dims == 0)
        return complain(s, start, "1 to 5 sizes");
    return RG_OK;
}

static rg_status scan_head(scanner *s, rg_numbers *numbers)
{
    static const struct {
        const char *key;
        rg_status (*scan)(scanner *s, rg_numbers *numbers);
    } keys[] = {{"descr", scan_type}, {"fortran_order", scan_order}, {"shape", scan_shape}};
    bool seen[3] = {false, false, false};
    char word[16];
    if (!accept(s, '{'))
        return complain(s, s->at, "'{'");
    while (!accept(s, '}')) {
        const char *start = s->at;
        size_t k = 0;
        rg_status status = scan_text(s, word, sizeof word, "'descr', 'fortran_order' or 'shape'");
        if (status)
            return status;
        while (k < 3 && strcmp(word, keys[k].key) != 0)
            k++;
        if (k == 3 || seen[k])
            return complain(s, start, "'descr', 'fortran_order' and 'shape', each once");
        seen[k] = true;
        if (!accept(s, ':'))
            return complain(s, s->at, "':'");
        status = keys[k].scan(s, numbers);
        if (status)
            return status;
        if (accept(s, ','))
            continue;
        if (!accept(s, '}'))
            return complain(s, s->at, "',' or '}'");
        break;
    }
    for (size_t k = 0; k < 3; k++)
        if (!seen[k])
            return rg_fail(s->err, RG_EDATA,
                           "%s: byte %" PRIu64 ": found no '%s' in the head, "
                           "expected one",
                           s->name, s->offset, keys[k].key);
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n'))
        s->at++;
    return s->at == s->end ? RG_OK : complain(s, s->at, "blanks up to the end of the head");
}

/* What stands before the head; its length comes out. */
static rg_status read_front(size_t *n, rg_numbers *numbers, rg_reader *in, rg_error *err)
{
    unsigned char front[12];
    rg_status status = rg_numbers_head(front, 8, 0, "the front of a .npy file", in, err);
    if (status)
        return status;
    for (size_t k = 0; k < 6; k++)
        if (front[k] != (unsigned char)"\x93NUMPY"[k])
            return rg_fail(err, RG_EDATA,
                           "%s: byte %zu: found 0x%02x, expected 0x%02x: a .npy file begins with "
                           "0x93 and NUMPY",
                           numbers->name, k, front[k], (unsigned char)"\x93NUMPY"[k]);
    if (front[6] < 1 || front[6] > 3)
        return rg_fail(err, RG_EDATA, "%s: byte 6: found version %d.%d, expected 1.0, 2.0 or 3.0",
                       numbers->name, front[6], front[7]);
    size_t n_length = front[6] == 1 ? 2 : 4;
    status = rg_numbers_head(front + 8, n_length, 8, "the length of the head", in, err);
    if (status)
        return status;
    *n = 0;
    for (size_t k = n_length; k > 0; k--)
        *n = *n << 8 | front[8 + k - 1];
    if (*n > LONGEST_HEAD)
        return rg_fail(err, RG_EDATA, "%s: byte 8: found a head of %zu bytes, expected at most %d",
                       numbers->name, *n, LONGEST_HEAD);
    numbers->offset = 8 + n_length + *n;
    return RG_OK;
}

static rg_status read_head(rg_numbers *numbers, rg_reader *in, rg_error *err)
{
    size_t n = 0;
    rg_status status = read_front(&n, numbers, in, err);
    if (status)
        return status;
    char *head = rg_alloc(n + 1, 1);
    if (!head)
        return rg_fail_memory(err, "reading the head of a .npy file");
    head[n] = '\0';
    status = rg_numbers_head(head, n, numbers->offset - n, "the rest of the head", in, err);
    if (!status) {
        scanner s = {numbers->name, numbers->offset - n, head, head, head + n, err};
        status = scan_head(&s, numbers);
    }
    rg_free(head);
    return status;
}

rg_status rg_npy_read(rg_numbers *out, rg_reader *in, rg_error *err)
{
    return rg_numbers_read(out, read_head, in, err);
}

size_t rg_npy_head(char out[RG_NPY_HEAD_MAX], const char *type, const size_t *dims, size_t n_dims)
{
    char *head = out + 10;
    int n = snprintf(head, RG_NPY_HEAD_MAX - 10,
                     "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (size_t k = 0; k < n_dims; k++)
        n += snprintf(head + n, RG_NPY_HEAD_MAX - 10 - (size_t)n, "%s%zu%s", k ? ", " : "", dims[k],
                      n_dims == 1 ? "," : "");
    n += snprintf(head + n, RG_NPY_HEAD_MAX - 10 - (size_t)n, "), }");
    size_t all = ((size_t)n + 11 + 63) / 64 * 64; /* numbers begin at a multiple of 64 bytes */
    memset(head + n, ' ', all - 10 - (size_t)n);
    out[all - 1] = '\n';
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (char)((all - 10) & 255);
    out[9] = (char)((all - 10) >> 8);
    return all;
}
