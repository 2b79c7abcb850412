/* fuzz_reader.c - any bytes, in pieces of any size, through the reader; every line, number, word
 * and pair against a twin that has the whole text before it and leaves reals to strtod.
 *
 * The first two bytes of the input choose: how large the pieces are, and whether a line comes first
 * that is so long that the text lies across the end of the reader's buffer. */
#include "base/error.h"
#include "text/reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONG = 1 << 15 };

/* Always on, unlike assert. */
#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                        \
        }                                                                   \
    } while (0)

typedef struct fuzz_source {
    const char *text;
    size_t n, at;
    uint32_t piece; /* 0: as much as is asked for; else the state of what chooses the next size */
} fuzz_source;

static rg_status source_read(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    (void)err;
    fuzz_source *s = state;
    size_t part = n;
    if (s->piece) {
        s->piece = s->piece * 1664525u + 1013904223u;
        part = 1 + (s->piece >> 24) % 40;
    }
    part = part < n ? part : n;
    part = part < s->n - s->at ? part : s->n - s->at;
    memcpy(buffer, s->text + s->at, part);
    s->at += part;
    *got = part;
    return RG_OK;
}

static rg_reader *open_source(fuzz_source *s)
{
    rg_reader *in = NULL;
    rg_error err;
    CHECK(rg_reader_stream(&in, "f", (rg_stream){s, source_read, NULL}, &err) == RG_OK);
    return in;
}

/* ---- the twin: one line at a time, a cursor in it, no buffer to refill */
typedef struct reader_twin {
    const char *text;
    size_t n, at;            /* where the next line begins */
    size_t begin, end, next; /* the line; where its next field is looked for */
    size_t line;
    bool after;
} reader_twin;

static bool twin_line(reader_twin *t)
{
    if (t->at == t->n)
        return false;
    t->begin = t->next = t->at;
    const char *newline = memchr(t->text + t->at, '\n', t->n - t->at);
    t->end = newline ? (size_t)(newline - t->text) : t->n;
    t->at = newline ? t->end + 1 : t->n;
    t->end -= t->end > t->begin && t->text[t->end - 1] == '\r';
    t->after = false;
    t->line++;
    return true;
}

/* The next field as a terminated copy (zero bytes in it become '!', which is in no number), and
 * where it starts. Owned. */
static char *twin_field(reader_twin *t, size_t *start, size_t *n)
{
    size_t k = t->next, stop;
    k += strspn(t->text + k, " \t");
    if (t->after && k < t->end && t->text[k] == ',') {
        k++;
        k += strspn(t->text + k, " \t");
    }
    k = k < t->end ? k : t->end;
    for (stop = k; stop < t->end && !memchr(" \t,", t->text[stop], 3);)
        stop++;
    char *field = malloc(stop - k + 1);
    CHECK(field);
    memcpy(field, t->text + k, stop - k);
    for (size_t c = 0; c < stop - k; c++)
        field[c] = field[c] ? field[c] : '!';
    field[stop - k] = '\0';
    *start = k;
    *n = stop - k;
    return field;
}

static void twin_advance(reader_twin *t, size_t to)
{
    t->next = to;
    t->after = true;
}

/* [+-] digits [. digits] [e [+-] digits], all of the text. */
static bool is_number(const char *text)
{
    text += *text == '+' || *text == '-';
    size_t before = strspn(text, "0123456789"), after = 0;
    text += before;
    if (*text == '.') {
        after = strspn(text + 1, "0123456789");
        text += 1 + after;
    }
    if (before + after == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        size_t n = strspn(text, "0123456789");
        if (n == 0)
            return false;
        text += n;
    }
    return *text == '\0';
}

static bool twin_real(const char *field, double *value)
{
    char lower[4] = "";
    for (int k = 0; k < 3 && field[k]; k++)
        lower[k] = (char)(field[k] | 32);
    if (strlen(field) == 3 && strcmp(lower, "nan") == 0) {
        *value = NAN;
        return true;
    }
    *value = is_number(field) ? strtod(field, NULL) : INFINITY;
    return !isinf(*value);
}

/* By moving the point in the row of digits. */
static bool twin_int(const char *field, int64_t *value)
{
    if (!is_number(field))
        return false;
    char *digits = malloc(strlen(field) + 24);
    CHECK(digits);
    size_t n = 0;
    long long power = 0;
    bool fraction = false, negative = *field == '-';
    for (; *field && *field != 'e' && *field != 'E'; field++) {
        if (*field == '.')
            fraction = true;
        else if (*field >= '0' && *field <= '9') {
            digits[n++] = *field;
            power -= fraction;
        }
    }
    if (*field) {
        long long shift = strtoll(field + 1, NULL, 10); /* stays at its limit if it is beyond */
        power += shift > 1000000000 ? 1000000000 : shift < -1000000000 ? -1000000000 : shift;
    }
    for (; n && digits[n - 1] == '0'; n--)
        power++;
    char *first = digits;
    for (; n && *first == '0'; n--)
        first++;
    bool good = n == 0 || (power >= 0 && (long long)n + power <= 19);
    for (; good && n && power > 0; power--)
        first[n++] = '0';
    first[n] = '\0';
    errno = 0;
    unsigned long long magnitude = good && n ? strtoull(first, NULL, 10) : 0;
    good = good && errno == 0 && magnitude <= (unsigned long long)INT64_MAX + negative;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    free(digits);
    return good;
}

/* "f:LINE:COLUMN: found " must begin the message. */
static void check_place(const rg_error *err, const reader_twin *t, size_t start)
{
    char place[80];
    snprintf(place, sizeof place, "f:%zu:%zu: found ", t->line, start - t->begin + 1);
    CHECK(strncmp(err->message, place, strlen(place)) == 0);
    CHECK(!strchr(err->message, '\n'));
}

/* One field in the way that `kind` says; false if both complain. */
static bool check_field(rg_reader *in, reader_twin *t, int kind)
{
    size_t start, n, got = 0;
    char *field = twin_field(t, &start, &n);
    rg_error err = {""};
    bool good;
    rg_status status;
    if (kind == 0) {
        int64_t value = 0, expected = 0;
        good = twin_int(field, &expected);
        status = rg_reader_int(in, &value, "an int", &err);
        CHECK(!good || value == expected);
    } else if (kind == 1) {
        double value = 0, expected = 0;
        good = twin_real(field, &expected);
        status = rg_reader_real(in, &value, "a real", &err);
        CHECK(!good || (isnan(value) && isnan(expected)) ||
              memcmp(&value, &expected, sizeof value) == 0);
    } else {
        const char *word = NULL;
        good = n > 0;
        status = rg_reader_word(in, &word, &got, "a word", &err);
        CHECK(!good || (got == n && memcmp(word, t->text + start, n) == 0));
    }
    CHECK((status == RG_OK) == good);
    if (good)
        twin_advance(t, start + n);
    else
        check_place(&err, t, start);
    free(field);
    return good;
}

static void check_fields(fuzz_source *s)
{
    rg_reader *in = open_source(s);
    reader_twin t = {s->text, s->n, 0, 0, 0, 0, 0, false};
    rg_error err;
    bool more = false;
    for (;;) {
        CHECK(rg_reader_next(in, &more, &err) == RG_OK);
        CHECK(more == twin_line(&t));
        CHECK(rg_reader_line_number(in) == t.line);
        if (!more)
            break;
        size_t n;
        const char *text = rg_reader_text(in, &n);
        CHECK(n == t.end - t.begin && memcmp(text, t.text + t.begin, n) == 0 && text[n] == '\0');
        if (n > LONG)
            continue; /* its bytes are right, and one by one they take long */
        for (int kind = (int)(t.line % 3); !rg_reader_at_end(in); kind = (kind + 1) % 3)
            if (!check_field(in, &t, kind) && !check_field(in, &t, 2))
                break; /* no word either: a comma too many */
        size_t rest = t.next + strspn(t.text + t.next, " \t");
        CHECK((rg_reader_expect_end(in, &err) == RG_OK) == (rest >= t.end));
    }
    CHECK(rg_reader_bytes(in) == s->n);
    CHECK(rg_reader_unended(in) == (s->n > 0 && s->text[s->n - 1] != '\n'));
    rg_reader_close(in);
}

/* The quick way either takes a line that is one int, with its value, or leaves all as it was. */
static void check_quick_ints(fuzz_source *s)
{
    rg_reader *in = open_source(s);
    reader_twin t = {s->text, s->n, 0, 0, 0, 0, 0, false};
    rg_error err;
    bool more = true;
    while (more) {
        int64_t value = 0, expected = 0;
        size_t start, n;
        bool quick = rg_reader_quick_int(in, &value);
        if (!quick)
            CHECK(rg_reader_line_number(in) == t.line && rg_reader_next(in, &more, &err) == RG_OK);
        CHECK(more == twin_line(&t) && rg_reader_line_number(in) == t.line);
        if (!more)
            break;
        const char *text = rg_reader_text(in, &n);
        CHECK(n == t.end - t.begin && memcmp(text, t.text + t.begin, n) == 0);
        if (quick) {
            char *field = twin_field(&t, &start, &n);
            CHECK(twin_int(field, &expected) && value == expected && start + n == t.end);
            free(field);
            CHECK(check_field(in, &t, 0) && rg_reader_at_end(in)); /* can be read again */
        }
    }
    rg_reader_close(in);
}

static void check_pairs(fuzz_source *s)
{
    rg_reader *in = open_source(s);
    reader_twin t = {s->text, s->n, 0, 0, 0, 0, 0, false};
    for (bool more = true; more;) {
        rg_error err = {""};
        uint32_t pair[2] = {1, 2};
        int64_t values[2] = {1, 2};
        rg_status status = rg_reader_pair(in, &more, pair, "a node", &err);
        if (!twin_line(&t)) {
            CHECK(status == RG_OK && !more && pair[0] == 1 && pair[1] == 2);
            break;
        }
        if (t.end - t.begin > LONG) {
            CHECK(status == RG_EDATA);
            continue;
        }
        bool good = true;
        size_t start = 0, n = 0;
        for (int k = 0; k < 2 && good; k++) {
            char *field = twin_field(&t, &start, &n);
            good = twin_int(field, &values[k]) && values[k] >= 0 && values[k] < UINT32_MAX;
            if (good)
                twin_advance(&t, start + n);
            free(field);
        }
        if (!good)
            check_place(&err, &t, start);
        good = good && t.next + strspn(t.text + t.next, " \t") >= t.end;
        CHECK((status == RG_OK) == good);
        CHECK(good ? more && pair[0] == values[0] && pair[1] == values[1]
                   : pair[0] == 1 && pair[1] == 2);
        CHECK(rg_reader_line_number(in) == t.line);
        const char *text = rg_reader_text(in, &n);
        CHECK(n == t.end - t.begin && memcmp(text, t.text + t.begin, n) == 0);
    }
    rg_reader_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    /* The reader's first buffer has 2^16 bytes. */
    size_t first = data[1] >= 0xf0 ? ((size_t)1 << 16) - (size_t)(data[1] & 15) * 4 : 0;
    size_t n = first + size - 2;
    char *text = malloc(n + 1);
    if (!text)
        return 0;
    memset(text, 'x', first);
    if (first)
        text[first - 1] = '\n';
    memcpy(text + first, data + 2, size - 2);
    text[n] = '\0';
    check_fields(&(fuzz_source){text, n, 0, first ? 0 : data[0]});
    check_quick_ints(&(fuzz_source){text, n, 0, first ? 0 : data[0]});
    check_pairs(&(fuzz_source){text, n, 0, first ? 0 : data[0]});
    free(text);
    return 0;
}
