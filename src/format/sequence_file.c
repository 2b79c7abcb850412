/* sequence_file.c - files of texts, one a line:
 *
 *   [target TAB]... text
 *
 * Every line has as many fields as the first. Targets are classes, as words or whole numbers, or real
 * numbers; an empty one, or "nan", is not known. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "format.h"
#include "mixed.h"
#include "sequence.h"

#include <math.h>
#include <string.h>

typedef struct sample_lines {
    rg_texts sequences;
    char *file;       /* for messages; NULL: not taken */
    size_t n_targets; /* columns before the text */
    char *cells;      /* targets as they stand, each with its zero: [line][column] */
    size_t n_cells, cells_capacity;
    size_t *start; /* of each cell */
    size_t n_start, start_capacity;
} sample_lines;

static bool ends_with(const char *file, const char *ending, size_t *prefix)
{
    size_t n = strlen(file), m = strlen(ending);
    *prefix = n > m ? n - m : 0;
    return n > m && strcmp(file + n - m, ending) == 0;
}

static bool words_knows(const char *file, size_t *prefix)
{
    return ends_with(file, ".words", prefix);
}

static bool chars_knows(const char *file, size_t *prefix)
{
    return ends_with(file, ".chars", prefix);
}

static void text_close(void *state)
{
    sample_lines *t = state;
    if (!t)
        return;
    rg_texts_close(&t->sequences);
    rg_free(t->file);
    rg_free(t->cells);
    rg_free(t->start);
    rg_free(t);
}

static bool keep_cell(sample_lines *t, const char *text, size_t n)
{
    if (!rg_grow(&t->cells, &t->cells_capacity, t->n_cells + n + 1, 1) ||
        !rg_grow(&t->start, &t->start_capacity, t->n_start + 1, sizeof *t->start))
        return false;
    t->start[t->n_start++] = t->n_cells;
    memcpy(t->cells + t->n_cells, text, n);
    t->cells[t->n_cells + n] = '\0';
    t->n_cells += n + 1;
    return true;
}

static rg_status take_line(sample_lines *t, const rg_reader *in, rg_error *err)
{
    size_t n, number = rg_reader_line_number(in), n_targets = 0;
    const char *line = rg_reader_text(in, &n), *p = line, *end = line + n, *tab;
    if (number == 1 && n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    for (; (tab = memchr(p, '\t', (size_t)(end - p))); p = tab + 1, n_targets++)
        if (!keep_cell(t, p, (size_t)(tab - p)))
            return rg_fail_memory(err, t->file);
    if (t->sequences.raw.n_graphs == 0)
        t->n_targets = n_targets;
    if (n_targets != t->n_targets)
        return rg_fail(err, RG_EDATA,
                       "%s:%zu: found %zu fields between tabs, expected %zu as in "
                       "the first line",
                       t->file, number, n_targets + 1, t->n_targets + 1);
    return rg_texts_add(&t->sequences, p, (size_t)(end - p), number, (size_t)(p - line), err);
}

static rg_status text_take(void *state, rg_sequence kind, rg_reader *in, rg_error *err)
{
    sample_lines *t = state;
    bool more = false;
    rg_status status = rg_row_file(&t->file, in, err);
    t->sequences.name = t->file;
    if (!status)
        status = rg_texts_open(&t->sequences, kind, err);
    while (!status && !(status = rg_row_next(in, &more, "a text", err)) && more)
        status = take_line(t, in, err);
    return status;
}

static rg_status words_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    (void)file;
    return text_take(state, RG_SEQUENCE_WORDS, in, err);
}

static rg_status chars_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    (void)file;
    return text_take(state, RG_SEQUENCE_CHARS, in, err);
}

/* ---- targets */

typedef enum target_kind { WHOLE, REAL, WORDS } target_kind;

static const char *cell_at(const sample_lines *t, size_t row, size_t column)
{
    return t->cells + t->start[row * t->n_targets + column];
}

static bool is_missing(const char *cell)
{
    return !*cell || strcmp(cell, "nan") == 0;
}

/* Words if one cell is no number; real numbers if one is not whole. */
static target_kind kind_of(const sample_lines *t, size_t column)
{
    target_kind kind = WHOLE;
    for (size_t row = 0; t->n_targets && row < t->n_start / t->n_targets; row++) {
        const char *cell = cell_at(t, row, column), *end = cell + strlen(cell);
        int64_t whole;
        double real;
        if (is_missing(cell) || (rg_number_int(cell, end, &whole) == end && whole != RG_MISSING))
            continue;
        if (rg_number_real(cell, end, &real) != end)
            return WORDS;
        kind = REAL;
    }
    return kind;
}

static bool put_target(const sample_lines *t, rg_raw *raw, size_t row, size_t column,
                       target_kind kind, int64_t *class, double *real)
{
    const char *cell = cell_at(t, row, column), *end = cell + strlen(cell);
    if (class && kind == WORDS && !is_missing(cell)) {
        size_t place = (size_t)(class - (raw->classes.data + row * raw->classes.n_columns));
        *class = rg_token_value(cell, strlen(cell));
        return rg_raw_name_value(raw, RG_CLASS, place, *class, cell);
    }
    if (class && is_missing(cell))
        *class = RG_MISSING;
    else if (class)
        rg_number_int(cell, end, class);
    else if (is_missing(cell))
        *real = NAN;
    else
        rg_number_real(cell, end, real);
    return true;
}

/* Words are classes; numbers are classes if all of all columns are whole. */
static bool add_targets(const sample_lines *t, rg_raw *raw, const target_kind *kinds)
{
    size_t n_words = 0, n_real = 0;
    for (size_t c = 0; c < t->n_targets; c++) {
        n_words += kinds[c] == WORDS;
        n_real += kinds[c] == REAL;
    }
    size_t n_classes = n_real ? n_words : t->n_targets, n_reals = t->n_targets - n_classes;
    bool fine = true;
    for (size_t row = 0; fine && row < raw->n_graphs; row++) {
        int64_t *class = n_classes ? rg_int_rows_add(&raw->classes, n_classes) : NULL;
        double *real = n_reals ? rg_real_rows_add(&raw->targets, n_reals) : NULL;
        fine = (!n_classes || class) && (!n_reals || real);
        for (size_t c = 0; fine && c < t->n_targets; c++) {
            bool is_class = kinds[c] == WORDS || !n_real;
            fine = put_target(t, raw, row, c, kinds[c], is_class ? class ++ : NULL,
                              is_class ? NULL : real++);
        }
    }
    return fine;
}

static rg_status text_finish(void *state, rg_raw *raw, rg_error *err)
{
    sample_lines *t = state;
    target_kind *kinds = rg_alloc(t->n_targets, sizeof *kinds);
    if (!kinds)
        return rg_fail_memory(err, t->file);
    *raw = t->sequences.raw;
    t->sequences.raw = (rg_raw){0};
    for (size_t c = 0; c < t->n_targets; c++)
        kinds[c] = kind_of(t, c);
    bool fine = add_targets(t, raw, kinds);
    rg_free(kinds);
    if (fine)
        return RG_OK;
    rg_raw_free(raw);
    return rg_fail_memory(err, t->file);
}

const rg_format_kind rg_format_words = {
    .name = "words",
    .files = "a .words file",
    .any = true,
    .size = sizeof(sample_lines),
    .knows = words_knows,
    .take = words_take,
    .finish = text_finish,
    .close = text_close,
};

const rg_format_kind rg_format_chars = {
    .name = "chars",
    .files = "a .chars file",
    .any = true,
    .size = sizeof(sample_lines),
    .knows = chars_knows,
    .take = chars_take,
    .finish = text_finish,
    .close = text_close,
};
