/* sequence.c - see sequence.h: a text becomes a path, a node for each token, in order.
 *
 *   .words   tokens stand between blanks
 *   .chars   every letter is a token, blanks too
 *
 * The label of a node is a number that the token alone gives (rg_token_value), so that sets need no
 * common list of words: one that a model has not seen is a label that it does not know. */
#include "sequence.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

rg_status rg_texts_open(rg_texts *s, rg_sequence kind, rg_error *err)
{
    if (kind != RG_SEQUENCE_WORDS && kind != RG_SEQUENCE_CHARS)
        return rg_fail(err, RG_EUSAGE, "found sequences of kind %d, expected words or letters",
                       (int)kind);
    s->raw.sequence = kind;
    s->words = rg_table_new();
    s->values = rg_table_new();
    return s->words && s->values ? RG_OK : rg_fail_memory(err, "reading texts");
}

void rg_texts_close(rg_texts *s)
{
    rg_table_free(s->words);
    rg_table_free(s->values);
    rg_raw_free(&s->raw);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A token that was not seen before gets its name. */
static rg_status name_token(rg_texts *s, const char *text, size_t n, int64_t value, rg_error *err)
{
    size_t before = rg_table_size(s->words);
    uint32_t word = rg_table_add(s->words, text, n);
    if (word < before)
        return RG_OK;
    uint32_t number = word == RG_TABLE_NONE ? word : rg_table_add(s->values, &value, sizeof value);
    char *name = number == RG_TABLE_NONE ? NULL : rg_copy_text(text, n);
    bool fine = name && rg_raw_name_value(&s->raw, RG_NODE_LABEL, 0, value, name);
    rg_status status = fine ? RG_OK : rg_fail_memory(err, s->name);
    if (!status && number != word) /* one in 2^52 pairs of words */
        status = rg_fail(err, RG_EDATA,
                         "%s: found two words with the same number, '%s' is the second, expected "
                         "another spelling",
                         s->name, name);
    rg_free(name);
    return status;
}

static rg_status add_token(rg_texts *s, const char *text, size_t n, bool first, rg_error *err)
{
    rg_raw *raw = &s->raw;
    int64_t value = rg_token_value(text, n);
    if (raw->n_nodes + 1 >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "%s: found 2^32 or more words, expected less", s->name);
    uint32_t node = (uint32_t)raw->n_nodes;
    int64_t *label = rg_int_rows_add(&raw->node_labels, 1);
    if (!label || !rg_raw_add_node(raw, (uint32_t)raw->n_graphs) ||
        (!first && !rg_raw_add_pair(raw, node - 1, node)))
        return rg_fail_memory(err, s->name);
    *label = value;
    return name_token(s, text, n, value, err);
}

/* Bytes of the letter that begins at text; 0: none does. A zero byte ends the text. */
static size_t letter_at(const char *text)
{
    return *text == '\t' || *text == '\r' || *text == '\n' ? 1 : rg_printable(text);
}

static rg_status check_letters(const rg_texts *s, const char *text, size_t n, size_t number,
                               size_t at, rg_error *err)
{
    for (size_t k = 0, step; k < n; k += step) {
        step = letter_at(text + k);
        if (step == 0 || step > n - k)
            return rg_fail(err, RG_EDATA, "%s:%zu:%zu: found byte %u, expected a letter in UTF-8",
                           s->name, number, at + k + 1, (unsigned)(unsigned char)text[k]);
    }
    return RG_OK;
}

rg_status rg_texts_add(rg_texts *s, const char *text, size_t n, size_t number, size_t at,
                       rg_error *err)
{
    bool words = s->raw.sequence == RG_SEQUENCE_WORDS;
    size_t before = s->raw.n_nodes;
    rg_status status = check_letters(s, text, n, number, at, err);
    for (size_t k = 0, length; !status && k < n; k += length) {
        if (words && is_blank(text[k])) {
            length = 1;
            continue;
        }
        length = letter_at(text + k);
        while (words && k + length < n && !is_blank(text[k + length]))
            length++;
        status = add_token(s, text + k, length, s->raw.n_nodes == before, err);
    }
    if (!status && s->raw.n_nodes == before)
        status = rg_fail(err, RG_EDATA, "%s:%zu:%zu: found an empty text, expected %s", s->name,
                         number, at + 1, words ? "words" : "letters");
    if (!status && s->raw.n_graphs + 1 >= UINT32_MAX)
        status = rg_fail(err, RG_EDATA, "%s:%zu: found 2^32 or more texts, expected less", s->name,
                         number);
    s->raw.n_graphs += !status;
    return status;
}

rg_status rg_dataset_from_texts(rg_dataset **out, const char *name, size_t number, rg_sequence kind,
                                const char *const *texts, size_t n, rg_error *err)
{
    rg_texts s = {.name = name};
    rg_status status = rg_texts_open(&s, kind, err);
    for (size_t k = 0; k < n && !status; k++)
        status = rg_texts_add(&s, texts[k], strlen(texts[k]), number + k, 0, err);
    if (!status && n == 0)
        status = rg_fail(err, RG_EDATA, "%s: found nothing, expected a text", name);
    if (!status && !(s.raw.name = rg_copy_text(name, strlen(name))))
        status = rg_fail_memory(err, name);
    if (!status)
        status = rg_dataset_build(out, &s.raw, err);
    rg_texts_close(&s);
    return status;
}
