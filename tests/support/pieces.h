/* pieces.h - texts for the reader's tests, whole or in pieces. */
#ifndef REGULA_TESTS_SUPPORT_PIECES_H
#define REGULA_TESTS_SUPPORT_PIECES_H

#include "support.h"

#include "base/error.h"
#include "text/reader.h"

#include <string.h>

/* A stream that gives a text in pieces, and may fail at the end instead of ending. */
typedef struct pieces {
    const char *text;
    size_t n, at, piece;
    bool fails;
    int closed;
} pieces;

static inline rg_status pieces_read(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    pieces *p = state;
    if (p->at == p->n && p->fails)
        return rg_fail(err, RG_EIO, "the disk is gone");
    *got = p->n - p->at < p->piece ? p->n - p->at : p->piece;
    *got = *got < n ? *got : n;
    memcpy(buffer, p->text + p->at, *got);
    p->at += *got;
    return RG_OK;
}

static inline void pieces_close(void *state)
{
    ((pieces *)state)->closed++;
}

static inline rg_reader *open_pieces(pieces *p, const char *text, size_t n, size_t piece)
{
    *p = (pieces){text, n, 0, piece, false, 0};
    rg_reader *in = NULL;
    ASSERT_OK(rg_reader_stream(&in, "t", (rg_stream){p, pieces_read, pieces_close}, err));
    return in;
}

static inline rg_reader *open_text(const char *text)
{
    rg_reader *in = NULL;
    ASSERT_OK(rg_reader_memory(&in, "t", text, strlen(text), err));
    return in;
}

static inline bool next_line(rg_reader *in)
{
    bool more = false;
    ASSERT_OK(rg_reader_next(in, &more, err));
    return more;
}

#endif
