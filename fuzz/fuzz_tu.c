/* fuzz_tu.c - the files of a TUDataset set in one input: a line "== _A" begins NAME_A.txt. Text
 * before the first such line is that file. */
#define _GNU_SOURCE /* memmem */
#include "base/error.h"
#include "format/format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char *const endings[] = {
    "_A",           "_graph_indicator", "_graph_labels", "_graph_attributes",
    "_node_labels", "_node_attributes", "_edge_labels",  "_edge_attributes"};
enum { N_ENDINGS = sizeof endings / sizeof *endings };

/* Hands over the text as the file that the line names; each file once, as read.c does. */
static rg_status take(void *state, unsigned *seen, const char *line, size_t n_line,
                      const char *text, size_t n)
{
    for (unsigned k = 0; k < N_ENDINGS; k++) {
        if (strlen(endings[k]) != n_line || memcmp(endings[k], line, n_line) != 0 ||
            (*seen >> k & 1))
            continue;
        char file[64] = "X";
        rg_reader *in = NULL;
        strcat(strcat(file, endings[k]), ".txt");
        *seen |= 1u << k;
        rg_status status = rg_reader_memory(&in, file, text, n, NULL);
        if (!status)
            status = rg_format_tu.take(state, file, in, NULL);
        rg_reader_close(in);
        return status;
    }
    return RG_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const char *text = (const char *)bytes, *end = text + n, *ending = "_A";
    size_t n_ending = 2;
    void *state = NULL;
    rg_raw raw = {0};
    rg_dataset *data = NULL;
    unsigned seen = 0;
    rg_status status = rg_format_open(&state, &rg_format_tu, NULL);
    while (!status && text <= end) {
        const char *mark = n ? memmem(text, (size_t)(end - text), "== ", 3) : NULL;
        while (mark && mark > text && mark[-1] != '\n')
            mark = memmem(mark + 1, (size_t)(end - mark - 1), "== ", 3);
        status = take(state, &seen, ending, n_ending, text, (size_t)((mark ? mark : end) - text));
        if (!mark)
            break;
        ending = mark + 3;
        const char *line = memchr(ending, '\n', (size_t)(end - ending));
        n_ending = (size_t)((line ? line : end) - ending);
        text = line ? line + 1 : end;
    }
    rg_error err = {""};
    if (!status && !(status = rg_format_tu.finish(state, &raw, &err)))
        status = rg_dataset_build(&data, &raw, &err);
    if (!status) {
        char digest[RG_DIGEST_SIZE];
        rg_dataset_digest(data, digest);
        if (rg_dataset_n_arcs(data) % 2)
            abort();
    }
    rg_dataset_free(data);
    rg_raw_free(&raw);
    rg_format_tu.close(state);
    return 0;
}
