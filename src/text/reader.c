/* reader.c - see reader.h.
 *
 * buffer: [ ... | line_begin .. line_end | next .. fill ) ; bytes before line_begin are done with.
 * One byte behind `fill` is always ours, for the terminating zero of a last line. */
#include "reader.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BUFFER = 1 << 16 };

struct rg_reader {
    char *name;
    rg_stream stream;
    char *buffer;
    size_t capacity; /* one less than what is allocated */
    size_t next, fill;
    size_t line_begin, line_end, field; /* offsets; field: where the next field is looked for */
    size_t line_number;
    uint64_t bytes;
    bool ended;
    bool unended;     /* the last line has no newline */
    bool after_field; /* a separator is allowed before the next field */
    int file;
    const char *memory;
    size_t memory_left;
};

static rg_status read_file(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    rg_reader *in = state;
    for (;;) {
        ssize_t k = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : read(in->file, buffer, n);
        if (k >= 0) {
            *got = (size_t)k;
            return RG_OK;
        }
        if (errno != EINTR)
            return rg_fail_io(err, errno, "read", in->name);
    }
}

static rg_status read_memory(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    (void)err;
    rg_reader *in = state;
    *got = n < in->memory_left ? n : in->memory_left;
    if (*got)
        memcpy(buffer, in->memory, *got);
    in->memory += *got;
    in->memory_left -= *got;
    return RG_OK;
}

static rg_status reader_new(rg_reader **out, const char *name, rg_error *err)
{
    rg_reader *in = rg_alloc_zero(1, sizeof *in);
    if (in) {
        in->file = -1;
        in->capacity = FIRST_BUFFER;
        in->name = rg_copy_text(name, strlen(name));
        in->buffer = rg_alloc(in->capacity + 1, 1);
    }
    if (!in || !in->name || !in->buffer) {
        rg_reader_close(in);
        return rg_fail_memory(err, "opening a reader");
    }
    in->buffer[0] = '\0';
    *out = in;
    return RG_OK;
}

rg_status rg_reader_open(rg_reader **out, const char *path, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = reader_new(&in, path, err);
    if (status)
        return status;
    struct stat info;
    in->file = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : open(path, O_RDONLY | O_CLOEXEC);
    if (in->file < 0 || fstat(in->file, &info) != 0)
        status = rg_fail_io(err, errno, "open", path);
    else if (S_ISDIR(info.st_mode))
        status = rg_fail_io(err, EISDIR, "open", path);
    if (status) {
        rg_reader_close(in);
        return status;
    }
    in->stream = (rg_stream){in, read_file, NULL};
    *out = in;
    return RG_OK;
}

rg_status rg_reader_memory(rg_reader **out, const char *name, const void *bytes, size_t n,
                           rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = reader_new(&in, name, err);
    if (status)
        return status;
    in->memory = bytes;
    in->memory_left = n;
    in->stream = (rg_stream){in, read_memory, NULL};
    *out = in;
    return RG_OK;
}

rg_status rg_reader_stream(rg_reader **out, const char *name, rg_stream stream, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = reader_new(&in, name, err);
    if (status) {
        if (stream.close)
            stream.close(stream.state);
        return status;
    }
    in->stream = stream;
    *out = in;
    return RG_OK;
}

void rg_reader_close(rg_reader *in)
{
    if (!in)
        return;
    if (in->stream.close)
        in->stream.close(in->stream.state);
    if (in->file >= 0)
        close(in->file);
    rg_free(in->name);
    rg_free(in->buffer);
    rg_free(in);
}

const char *rg_reader_name(const rg_reader *in)
{
    return in->name;
}

size_t rg_reader_line_number(const rg_reader *in)
{
    return in->line_number;
}

bool rg_reader_unended(const rg_reader *in)
{
    return in->unended;
}

uint64_t rg_reader_bytes(const rg_reader *in)
{
    return in->bytes;
}

/* Moves what is not yet done to the front and fills the rest of the buffer, growing it if it is
 * full of one unfinished line. Afterwards there is more in the buffer, or `ended` is true. */
static rg_status refill(rg_reader *in, rg_error *err)
{
    size_t keep = in->fill - in->next;
    if (in->next > 0) {
        memmove(in->buffer, in->buffer + in->next, keep);
        in->next = 0;
        in->fill = keep;
    }
    in->line_begin = in->line_end = in->field = 0; /* the old line is gone, also if this fails */
    if (keep == in->capacity) {
        if (in->capacity >= RG_READER_LINE_MAX)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found a line of %zu bytes or more, expected a shorter one",
                           in->name, in->line_number + 1, RG_READER_LINE_MAX);
        size_t wanted = in->capacity * 2;
        char *grown = rg_realloc(in->buffer, wanted + 1, 1);
        if (!grown)
            return rg_fail_memory(err, "reading a long line");
        in->buffer = grown;
        in->capacity = wanted;
    }
    size_t got = 0;
    rg_status status = in->stream.read(in->stream.state, in->buffer + in->fill,
                                       in->capacity - in->fill, &got, err);
    if (status)
        return status;
    in->fill += got;
    in->bytes += got;
    if (got == 0)
        in->ended = true;
    return RG_OK;
}

rg_status rg_reader_raw(rg_reader *in, void *buffer, size_t n, size_t *got, rg_error *err)
{
    size_t left = in->fill - in->next;
    if (left) {
        *got = n < left ? n : left;
        memcpy(buffer, in->buffer + in->next, *got);
        in->next += *got;
        return RG_OK;
    }
    rg_status status = in->stream.read(in->stream.state, buffer, n, got, err);
    if (!status)
        in->bytes += *got;
    return status;
}

rg_status rg_reader_next(rg_reader *in, bool *more, rg_error *err)
{
    size_t searched = 0;
    for (;;) {
        size_t left = in->fill - in->next;
        char *begin = in->buffer + in->next;
        char *newline = memchr(begin + searched, '\n', left - searched);
        if (!newline && !in->ended) {
            searched = left;
            rg_status status = refill(in, err);
            if (status)
                return status;
            continue;
        }
        if (!newline && left == 0) {
            in->line_begin = in->line_end = in->field = in->next;
            in->buffer[in->next] = '\0';
            *more = false;
            return RG_OK;
        }
        in->line_begin = in->next;
        in->line_end = newline ? (size_t)(newline - in->buffer) : in->fill;
        in->next = newline ? in->line_end + 1 : in->fill;
        in->unended = !newline;
        break;
    }
    if (in->line_end > in->line_begin && in->buffer[in->line_end - 1] == '\r')
        in->line_end--;
    in->buffer[in->line_end] = '\0';
    in->field = in->line_begin;
    in->after_field = false;
    in->line_number++;
    *more = true;
    return RG_OK;
}

const char *rg_reader_text(const rg_reader *in, size_t *n)
{
    if (n)
        *n = in->line_end - in->line_begin;
    return in->buffer + in->line_begin;
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t skip_blanks(const rg_reader *in, size_t k)
{
    while (k < in->line_end && is_blank(in->buffer[k]))
        k++;
    return k;
}

/* Where the next field starts: behind blanks and, after a field, at most one comma. */
static inline size_t field_start(const rg_reader *in)
{
    size_t k = skip_blanks(in, in->field);
    if (in->after_field && k < in->line_end && in->buffer[k] == ',')
        k = skip_blanks(in, k + 1);
    return k;
}

static inline bool ends_field(const rg_reader *in, size_t k)
{
    return k == in->line_end || is_blank(in->buffer[k]) || in->buffer[k] == ',';
}

/* A complaint about the field that starts at `start`. */
static rg_status complain_at(const rg_reader *in, size_t start, const char *what, rg_error *err)
{
    enum { SHOWN = 40 };
    size_t column = start - in->line_begin + 1, n = 0;
    while (n <= SHOWN && !ends_field(in, start + n))
        n++;
    if (n == 0 && start < in->line_end)
        n = 1; /* a comma where a field should be */
    if (n == 0)
        return rg_fail(err, RG_EDATA, "%s:%zu:%zu: found the end of the %s, expected %s", in->name,
                       in->line_number, column, in->line_begin == in->next ? "file" : "line", what);
    char shown[SHOWN + 1] = "";
    for (size_t k = 0; k < n && k < SHOWN; k++)
        shown[k] = in->buffer[start + k] ? in->buffer[start + k] : '?';
    return rg_fail(err, RG_EDATA, "%s:%zu:%zu: found '%s%s', expected %s", in->name,
                   in->line_number, column, shown, n > SHOWN ? "..." : "", what);
}

rg_status rg_reader_complain(const rg_reader *in, const char *what, rg_error *err)
{
    return complain_at(in, field_start(in), what, err);
}

/* At most nine digits, so that the value fits; NULL if there is no digit or there are more. */
static inline const char *short_number(const char *p, uint32_t *out)
{
    const char *limit = p + 9;
    uint32_t value = (unsigned char)(*p - '0'), digit;
    if (value >= 10)
        return NULL;
    while ((digit = (unsigned char)(*++p - '0')) < 10) {
        if (p == limit)
            return NULL;
        value = value * 10 + digit;
    }
    *out = value;
    return p;
}

/* "12" or "-12", and for reals "-12.345", up to the end of the field: what nearly every field is.
 * Exactly what number.c would make of it; NULL leaves it to that. */
static inline const char *quick_int(const rg_reader *in, size_t start, int64_t *out)
{
    const char *p = in->buffer + start;
    bool negative = *p == '-';
    uint32_t value;
    p = short_number(p + negative, &value);
    if (!p || !ends_field(in, (size_t)(p - in->buffer)))
        return NULL;
    *out = negative ? -(int64_t)value : (int64_t)value;
    return p;
}

static inline const char *short_real(const char *p, double *out)
{
    static const double ten_to[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    bool negative = *p == '-';
    uint32_t whole, fraction;
    p = short_number(p + negative, &whole);
    if (!p)
        return NULL;
    double value = whole;
    if (*p == '.') {
        const char *point = p;
        p = short_number(p + 1, &fraction);
        if (!p)
            return NULL;
        /* Both below 2^53: the division rounds once, so the result is the nearest double. */
        double scale = ten_to[p - point - 1];
        value = value * scale + fraction;
        if (value >= 0x1p53)
            return NULL;
        value /= scale;
    }
    *out = negative ? -value : value;
    return p;
}

static inline const char *quick_real(const rg_reader *in, size_t start, double *out)
{
    const char *p = short_real(in->buffer + start, out);
    return p && ends_field(in, (size_t)(p - in->buffer)) ? p : NULL;
}

rg_status rg_reader_int(rg_reader *in, int64_t *out, const char *what, rg_error *err)
{
    size_t start = field_start(in);
    int64_t value;
    const char *after = quick_int(in, start, &value);
    if (!after)
        after = rg_number_int(in->buffer + start, in->buffer + in->line_end, &value);
    if (!after || !ends_field(in, (size_t)(after - in->buffer)))
        return rg_reader_complain(in, what, err);
    in->field = (size_t)(after - in->buffer);
    in->after_field = true;
    *out = value;
    return RG_OK;
}

rg_status rg_reader_real(rg_reader *in, double *out, const char *what, rg_error *err)
{
    size_t start = field_start(in);
    double value;
    const char *after = quick_real(in, start, &value);
    if (!after)
        after = rg_number_real(in->buffer + start, in->buffer + in->line_end, &value);
    if (!after || !ends_field(in, (size_t)(after - in->buffer)))
        return rg_reader_complain(in, what, err);
    in->field = (size_t)(after - in->buffer);
    in->after_field = true;
    *out = value;
    return RG_OK;
}

rg_status rg_reader_word(rg_reader *in, const char **word, size_t *n, const char *what,
                         rg_error *err)
{
    size_t start = field_start(in), k = start;
    while (!ends_field(in, k))
        k++;
    if (k == start)
        return rg_reader_complain(in, what, err);
    *word = in->buffer + start;
    *n = k - start;
    in->field = k;
    in->after_field = true;
    return RG_OK;
}

bool rg_reader_at_end(const rg_reader *in)
{
    return skip_blanks(in, in->field) == in->line_end;
}

rg_status rg_reader_expect_end(rg_reader *in, rg_error *err)
{
    if (rg_reader_at_end(in))
        return RG_OK;
    size_t start = field_start(in);
    if (start == in->line_end) /* only a comma is too much */
        start = skip_blanks(in, in->field);
    return complain_at(in, start, "the end of the line", err);
}

/* The line that was just parsed is the current one. */
static inline void accept_line(rg_reader *in, const char *end, const char *newline)
{
    in->line_begin = in->field = in->next;
    in->line_end = (size_t)(end - in->buffer);
    in->buffer[in->line_end] = '\0';
    in->after_field = false;
    in->next = (size_t)(newline - in->buffer) + 1;
    in->line_number++;
}

bool rg_reader_quick_int(rg_reader *in, int64_t *out)
{
    enum { ENOUGH = 16 }; /* sign, nine digits, "\r\n" */
    if (in->fill - in->next < ENOUGH)
        return false;
    const char *p = in->buffer + in->next;
    bool negative = *p == '-';
    uint32_t value;
    p = short_number(p + negative, &value);
    if (!p)
        return false;
    const char *newline = p + (*p == '\r');
    if (*newline != '\n')
        return false;
    accept_line(in, p, newline);
    *out = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool rg_reader_quick_reals(rg_reader *in, double *out, size_t n)
{
    enum { ENOUGH = 24 }; /* sign, nine digits, point, nine digits, comma, blank are 22 */
    if ((in->fill - in->next) / ENOUGH <= n)
        return false;
    const char *p = in->buffer + in->next;
    for (size_t k = 0; k < n; k++) {
        if (k) {
            if (*p != ',' && *p != ' ')
                return false;
            p++;
            p += *p == ' ';
        }
        p = short_real(p, &out[k]);
        if (!p)
            return false;
    }
    const char *newline = p + (*p == '\r');
    if (*newline != '\n')
        return false;
    accept_line(in, p, newline);
    return true;
}

/* "12, 345\n" wholly inside the buffer: true, and `next` is behind it. Anything else is left to the
 * careful way, which also writes the message. */
static inline bool quick_pair(rg_reader *in, uint32_t pair[2])
{
    enum { ENOUGH = 32 }; /* nine digits, comma, blank, nine digits, "\r\n" are 22 */
    if (in->fill - in->next < ENOUGH)
        return false;
    const char *p = short_number(in->buffer + in->next, &pair[0]);
    if (!p || (*p != ',' && *p != ' '))
        return false;
    p++;
    p += *p == ' ';
    p = short_number(p, &pair[1]);
    if (!p)
        return false;
    const char *newline = p + (*p == '\r');
    if (*newline != '\n')
        return false;
    accept_line(in, p, newline);
    return true;
}

/* The same for every line, field by field. */
static rg_status careful_pair(rg_reader *in, uint32_t pair[2], const char *what, rg_error *err)
{
    for (int k = 0; k < 2; k++) {
        int64_t value;
        size_t start = field_start(in);
        rg_status status = rg_reader_int(in, &value, what, err);
        if (status)
            return status;
        if (value < 0 || value >= UINT32_MAX)
            return complain_at(in, start, what, err);
        pair[k] = (uint32_t)value;
    }
    return rg_reader_expect_end(in, err);
}

rg_status rg_reader_pair(rg_reader *in, bool *more, uint32_t pair[2], const char *what,
                         rg_error *err)
{
    uint32_t read[2];
    bool any = true;
    if (!quick_pair(in, read)) {
        rg_status status = rg_reader_next(in, &any, err);
        if (!status && any)
            status = careful_pair(in, read, what, err);
        if (status)
            return status;
        in->field = in->line_begin;
        in->after_field = false;
    }
    if (any)
        memcpy(pair, read, sizeof read);
    *more = any;
    return RG_OK;
}
