/* text_chunks.h - texts for the reader's tests, whole or in chunks. */
#ifndef REGULA_TESTS_TEXT_TEXT_CHUNKS_H
#define REGULA_TESTS_TEXT_TEXT_CHUNKS_H

#include "support/support.h"

#include "base/error.h"
#include "text/reader.h"

#include <string.h>

/* A stream that gives a text in chunks, and may fail at the end instead of ending. */
typedef struct text_chunks {
    const char *text;
    size_t n, at, chunk;
    bool fails;
    int closed;
} text_chunks;

static inline rg_status chunks_read(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    text_chunks *p = state;
    if (p->at == p->n && p->fails)
        return rg_fail(err, RG_EIO, "the disk is gone");
    *got = p->n - p->at < p->chunk ? p->n - p->at : p->chunk;
    *got = *got < n ? *got : n;
    memcpy(buffer, p->text + p->at, *got);
    p->at += *got;
    return RG_OK;
}

static inline void chunks_close(void *state)
{
    ((text_chunks *)state)->closed++;
}

static inline rg_reader *open_chunks(text_chunks *p, const char *text, size_t n, size_t chunk)
{
    *p = (text_chunks){text, n, 0, chunk, false, 0};
    rg_reader *in = NULL;
    ASSERT_OK(rg_reader_stream(&in, "t", (rg_stream){p, chunks_read, chunks_close}, err));
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
