/* predict_lines.c - graphs from standard input, answered line by line; and lists of samples. */
#include "base/alloc.h"
#include "base/error.h"
#include "predict.h"
#include "text/reader.h" /* RG_READER_LINE_MAX */

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char input_name[] = "standard input";

enum { BLOCK = 256, MANY = 16, FIRST_BUFFER = 1 << 18 }; /* lines, lines, bytes */

/* Asking a model has a price of its own, so that lines which are there already are answered
 * together; but nobody waits for more of them. buffer: [ ... | begin .. end | ... capacity ). */
typedef struct input {
    char *buffer;
    size_t begin, end, capacity;
    size_t number; /* of the line at begin, from 1 */
    bool ended;
} input;

static rg_status refill(input *in, rg_error *err)
{
    memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    if (in->end >= RG_READER_LINE_MAX)
        return rg_fail(err, RG_EDATA,
                       "%s:%zu: found a line of %zu bytes or more, expected a shorter one",
                       input_name, in->number, RG_READER_LINE_MAX);
    if (!rg_grow(&in->buffer, &in->capacity, in->end + FIRST_BUFFER, 1))
        return rg_fail_memory(err, input_name);
    ssize_t got = -1;
    do
        got = read(STDIN_FILENO, in->buffer + in->end, in->capacity - in->end);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return rg_fail_io(err, errno, "read", input_name);
    in->end += (size_t)got;
    in->ended = got == 0;
    return RG_OK;
}

/* Bytes of the whole lines at begin, at most `most`; *n_lines of them. At the end of the input the
 * last line needs no newline. */
static size_t whole_lines(const input *in, size_t most, size_t *n_lines)
{
    const char *p = in->buffer + in->begin, *end = in->buffer + in->end, *newline;
    *n_lines = 0;
    while (*n_lines < most && p < end && (newline = memchr(p, '\n', (size_t)(end - p)))) {
        p = newline + 1;
        ++*n_lines;
    }
    if (*n_lines < most && in->ended && p < end) {
        p = end;
        ++*n_lines;
    }
    return (size_t)(p - (in->buffer + in->begin));
}

static bool is_blank(const char *text, size_t n)
{
    size_t k = 0;
    while (k < n && strchr(" \t\r\n", text[k]) && text[k])
        k++;
    return k == n;
}

typedef struct asking {
    cli_predict *job;
    rg_predict_options options;
    unsigned n_threads; /* for many lines */
    rg_predict_report *report;
} asking;

static void note_molecule(void *context, const rg_left_out *item)
{
    rg_error *why = context;
    if (!why->message[0])
        snprintf(why->message, sizeof why->message, "%zu: %.200s", item->column, item->reason);
}

/* Lines as texts. Targets before a tab are passed over, empty lines left out. */
static rg_status read_texts(rg_dataset **out, rg_sequence kind, size_t number, const char *text,
                            size_t n, rg_error *err)
{
    const char *lines[BLOCK];
    size_t n_lines = 0;
    if (memchr(text, '\0', n))
        return rg_fail(err, RG_EDATA, "%s:%zu: found byte 0, expected a letter in UTF-8",
                       input_name, number);
    char *copy = rg_copy_text(text, n);
    if (!copy)
        return rg_fail_memory(err, input_name);
    for (char *p = copy, *next; p < copy + n && n_lines < BLOCK; p = next) {
        size_t length = strcspn(p, "\n");
        next = p + length + 1;
        p[length] = '\0';
        if (length && p[length - 1] == '\r')
            p[length - 1] = '\0';
        if (is_blank(p, strlen(p)))
            continue;
        lines[n_lines++] = strrchr(p, '\t') ? strrchr(p, '\t') + 1 : p;
    }
    rg_status status = rg_dataset_from_texts(out, input_name, number, kind, lines, n_lines, err);
    rg_free(copy);
    return status;
}

/* Lines as molecules; one that is none is a failure, as a graph would be. */
static rg_status read_smiles(rg_dataset **out, size_t number, const char *text, size_t n,
                             size_t n_lines, rg_error *err)
{
    rg_read_options o = rg_read_options_default();
    rg_dataset *graphs = NULL;
    rg_error why = {""};
    o.left_out = note_molecule;
    o.context = &why;
    rg_status status = rg_dataset_from_smiles(&graphs, input_name, text, n, &o, err);
    if (!status && why.message[0]) {
        rg_dataset_free(graphs);
        return rg_fail(err, RG_EDATA, "%s:%zu:%s", input_name, number,
                       n_lines == 1 ? why.message : "");
    }
    if (!status)
        *out = graphs;
    return status;
}

static rg_status answer(asking *a, const char *text, size_t n, size_t number, size_t n_lines,
                        rg_error *err)
{
    rg_dataset *graphs = NULL;
    rg_predict_report one = {0}, *sum = a->report;
    if (is_blank(text, n))
        return RG_OK;
    rg_status status =
        a->job->sequence ? read_texts(&graphs, a->job->sequence, number, text, n, err)
        : a->job->smiles ? read_smiles(&graphs, number, text, n, n_lines, err)
                         : rg_dataset_from_lines(&graphs, input_name, number, text, n, err);
    if (status)
        return status;
    rg_source source = {.graphs = graphs};
    a->job->graphs = graphs;
    a->options.n_threads = n_lines < MANY ? 1 : a->n_threads;
    status =
        rg_model_predict(a->job->model, &source, &a->options, cli_predict_take, a->job, &one, err);
    if (status == RG_EDATA)
        rg_fail(err, status, "%s:%zu: %s", input_name, number, err->message);
    a->job->graphs = NULL;
    rg_dataset_free(graphs);
    sum->n_nodes += one.n_nodes;
    sum->unknown_labels += one.unknown_labels;
    sum->unseen_labels += one.unseen_labels;
    sum->unseen_pairs += one.unseen_pairs;
    return status;
}

/* If lines together are refused, one by one they may be fine: what is said must not depend on how
 * many came at once. A bad line is answered with what is wrong, and the next ones are read. */
static rg_status answer_lines(asking *a, input *in, size_t most, rg_error *err)
{
    size_t n_lines, n = whole_lines(in, most, &n_lines), before = a->job->n;
    rg_status status = answer(a, in->buffer + in->begin, n, in->number, n_lines, err);
    if (status == RG_EDATA && n_lines > 1 && a->job->n == before) {
        status = RG_OK;
        for (size_t k = 0; k < n_lines && !status; k++)
            status = answer_lines(a, in, 1, err);
        return status;
    }
    if (status == RG_EDATA && a->job->n == before && !a->job->strict) {
        char message[sizeof err->message];
        snprintf(message, sizeof message, "%s", err->message);
        status = cli_predict_error(a->job, in->number, message, err);
    }
    in->begin += n;
    in->number += n_lines;
    return status;
}

rg_status cli_predict_lines(cli_predict *job, const rg_predict_options *options,
                            rg_predict_report *report, rg_error *err)
{
    asking a = {.job = job, .options = *options, .n_threads = options->n_threads, .report = report};
    input in = {.number = 1};
    size_t n_lines;
    bool room = rg_grow(&in.buffer, &in.capacity, FIRST_BUFFER, 1);
    rg_status status = room ? RG_OK : rg_fail_memory(err, input_name);
    a.options.cache = NULL; /* counts of these graphs are of no use later */
    a.options.progress = NULL;
    while (!status && !ferror(stdout) && !(in.ended && in.begin == in.end)) {
        if (whole_lines(&in, 1, &n_lines) == 0) {
            status = refill(&in, err);
            continue;
        }
        status = answer_lines(&a, &in, BLOCK, err);
        if (!job->file)
            fflush(stdout);
    }
    rg_free(in.buffer);
    return status;
}

/* A number below n at *p, which moves behind it; n: none is there. */
static size_t take_number(const char **p, size_t n)
{
    size_t value = 0;
    const char *begin = *p;
    for (; **p >= '0' && **p <= '9'; ++*p)
        value = value < n ? value * 10 + (size_t)(**p - '0') : n;
    return *p == begin || value > n ? n : value;
}

rg_status cli_sample_list(uint32_t **out, size_t *n_out, const char *option, const char *text,
                          size_t n, rg_error *err)
{
    uint32_t *list = NULL;
    size_t count = 0, capacity = 0;
    const char *p = text;
    rg_status status = RG_OK;
    do {
        size_t first = take_number(&p, n), last = first;
        if (*p == '-') {
            p++;
            last = take_number(&p, n);
        }
        if (first >= n || last >= n || first > last || (*p && *p != ',')) {
            status = rg_fail(err, RG_EUSAGE,
                             "option '--%s': found '%s', expected numbers below %zu and ranges, "
                             "as in 3,5,9-20",
                             option, text, n);
        } else if (!rg_grow(&list, &capacity, count + (last - first + 1), sizeof *list)) {
            status = rg_fail_memory(err, "listing samples");
        } else {
            for (size_t k = first; k <= last; k++)
                list[count++] = (uint32_t)k;
        }
    } while (!status && *p++ == ',');
    if (status) {
        rg_free(list);
        return status;
    }
    *out = list;
    *n_out = count;
    return RG_OK;
}
