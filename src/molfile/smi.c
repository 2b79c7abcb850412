/* smi.c - one molecule per line: SMILES, blanks, and a name that goes to the end of the line.
 *
 * A first line whose first word is "smiles" is a heading, as RDKit writes it. */
#include "smi.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "format/format.h"
#include "format/mixed.h"
#include "molecules.h"
#include "smi_write.h"

#include <string.h>
#include <strings.h>

typedef struct smi {
    rg_mol_set set;
    char *file; /* for messages; NULL: not taken */
} smi;

static bool smi_knows(const char *file, size_t *prefix)
{
    static const char *const ends[] = {".smi", ".smiles", ".ism", ".can"};
    size_t n = strlen(file);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        size_t m = strlen(ends[k]);
        if (n > m && strcmp(file + n - m, ends[k]) == 0) {
            *prefix = n - m;
            return true;
        }
    }
    return false;
}

static void smi_configure(void *state, const rg_read_options *options)
{
    ((smi *)state)->set.options = options;
}

static void smi_close(void *state)
{
    smi *s = state;
    if (!s)
        return;
    rg_mol_set_free(&s->set);
    rg_free(s->file);
    rg_free(s);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* What stands before the first blank of the line, and what behind it. */
rg_mol_place rg_smi_split(const rg_reader *in)
{
    rg_mol_place place = {.file = rg_reader_name(in), .line = rg_reader_line_number(in)};
    size_t n;
    const char *p = rg_reader_text(in, &n), *start = p, *end = p + n;
    if (place.line == 1 && n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (end > p && is_blank(end[-1]))
        end--;
    place.text = p;
    place.column = (size_t)(p - start) + 1;
    while (p < end && !is_blank(*p))
        p++;
    place.n = (size_t)(p - place.text);
    while (p < end && is_blank(*p))
        p++;
    place.name = p;
    place.n_name = (size_t)(end - p);
    return place;
}

bool rg_smi_is_heading(const rg_mol_place *place)
{
    return place->line == 1 && place->n == 6 && strncasecmp(place->text, "smiles", 6) == 0;
}

static rg_status smi_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    (void)file;
    smi *s = state;
    bool more = true, taken;
    size_t n_empty = 0; /* lines without a molecule that may be the end of the file */
    rg_status status = rg_row_file(&s->file, in, err);
    while (!status && !(status = rg_reader_next(in, &more, err)) && more) {
        rg_mol_place place = rg_smi_split(in);
        if (rg_smi_is_heading(&place))
            continue;
        if (!place.n && !place.n_name) {
            n_empty++;
            continue;
        }
        rg_mol_place empty = {.file = place.file, .line = place.line - n_empty, .column = 1};
        for (; n_empty > 0 && !status; n_empty--, empty.line++) {
            rg_mol_fault fault = {.reason = "found an empty line, expected a molecule"};
            status = rg_mol_set_leave_out(&s->set, &empty, &fault, err);
        }
        if (!status)
            status = rg_mol_set_add_smiles(&s->set, &taken, &place, err);
    }
    return status;
}

static rg_status smi_finish(void *state, rg_raw *raw, rg_error *err)
{
    return rg_mol_set_finish(&((smi *)state)->set, raw, err);
}

const rg_format_kind rg_format_smi = {
    .name = "smi",
    .files = "a .smi file",
    .size = sizeof(smi),
    .knows = smi_knows,
    .configure = smi_configure,
    .take = smi_take,
    .finish = smi_finish,
    .close = smi_close,
    .write = rg_smi_write,
};

rg_status rg_dataset_from_smiles(rg_dataset **out, const char *name, const char *text, size_t n,
                                 const rg_read_options *options, rg_error *err)
{
    smi *s = rg_alloc_zero(1, sizeof *s);
    rg_reader *in = NULL;
    rg_raw raw = {0};
    rg_read_options own = RG_READ_OPTIONS_INIT;
    if (!s)
        return rg_fail_memory(err, name);
    s->set.options = &own;
    rg_status status = RG_TAKE(rg_read_options, &own, options, err);
    if (!status)
        status = rg_reader_memory(&in, name, text, n, err);
    if (!status)
        status = smi_take(s, name, in, err);
    if (!status)
        status = smi_finish(s, &raw, err);
    if (!status && !(raw.name = rg_copy_text(name, strlen(name))))
        status = rg_fail_memory(err, name);
    if (!status)
        status = rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    rg_reader_close(in);
    smi_close(s);
    return status;
}
