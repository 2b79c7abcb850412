/* sdf.c - MOL files and SDF: connection tables, properties between them, "$$$$" behind each record.
 *
 * Properties are columns, as those of a table are: one of them may be the target. Coordinates are
 * attributes of nodes. */
#include "base/alloc.h"
#include "base/error.h"
#include "format/format.h"
#include "format/mixed.h"
#include "molecule/ctab.h"
#include "smi_write.h"
#include "table.h"

#include <string.h>

/* A property of one molecule: its column, and where in the cells' text its value begins. */
typedef struct property {
    size_t row, column, start;
} property;

typedef struct sdf {
    rg_mol_table table; /* columns are added as they are met */
    rg_ctab tab;
    rg_table *columns;
    property *properties;
    size_t n_properties, n_before, capacity; /* n_before: those of molecules that were taken */
    char *name;                              /* of the molecule */
    size_t n_name, name_capacity, name_line;
    size_t column; /* of the property that is being read; RG_NO_COLUMN: none */
    bool bad;      /* the record was refused: its rest is passed over */
    bool taken;    /* the record's molecule is in the set */
} sdf;

static bool sdf_knows(const char *file, size_t *prefix)
{
    static const char *const ends[] = {".sdf", ".sd", ".mol"};
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

static void sdf_configure(void *state, const rg_read_options *options)
{
    ((sdf *)state)->table.set.options = options;
}

static void sdf_close(void *state)
{
    sdf *s = state;
    if (!s)
        return;
    rg_mol_table_clear(&s->table);
    rg_ctab_free(&s->tab);
    rg_table_free(s->columns);
    rg_free(s->properties);
    rg_free(s->name);
    rg_free(s);
}

static rg_mol_place place_of(const sdf *s, const rg_reader *in)
{
    size_t n;
    const char *text = rg_reader_text(in, &n);
    return (rg_mol_place){.file = s->table.file,
                          .line = rg_reader_line_number(in),
                          .column = 1,
                          .name = s->name,
                          .n_name = s->n_name,
                          .text = text,
                          .n = n};
}

static rg_status keep_name(sdf *s, rg_reader *in, rg_error *err)
{
    size_t n;
    const char *text = rg_reader_text(in, &n);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (!rg_grow(&s->name, &s->name_capacity, n + 1, 1))
        return rg_fail_memory(err, s->table.file);
    memcpy(s->name, text, n);
    s->n_name = n;
    s->name_line = rg_reader_line_number(in);
    return RG_OK;
}

/* Coordinates of what is left of the atoms. */
static bool add_places(sdf *s)
{
    const rg_molecule *m = &s->table.set.molecule;
    for (size_t i = 0; i < m->n_atoms; i++) {
        double *row = rg_real_rows_add(&s->table.set.raw.node_attributes, 3);
        if (!row)
            return false;
        memcpy(row, s->tab.places + 3 * (size_t)m->atoms[i].at, 3 * sizeof *row);
    }
    return true;
}

/* The table is complete. A fault of the whole molecule has the line of its atom, if one is to blame. */
static rg_status take_molecule(sdf *s, rg_reader *in, rg_error *err)
{
    rg_mol_place place = place_of(s, in);
    place.line = s->name_line;
    place.column = 0;
    place.text = NULL;
    rg_status status = rg_mol_set_add(&s->table.set, &s->taken, &place, err);
    s->bad = !s->taken;
    if (!status && s->taken && !add_places(s))
        status = rg_fail_memory(err, s->table.file);
    return status;
}

static rg_status take_table_line(sdf *s, rg_reader *in, rg_error *err)
{
    rg_mol_fault fault = {0};
    size_t n;
    const char *text = rg_reader_text(in, &n);
    rg_status status = rg_ctab_line(&s->tab, text, n, &fault);
    if (status == RG_ENOMEM)
        return rg_fail_memory(err, s->table.file);
    if (status) {
        rg_mol_place place = place_of(s, in);
        s->bad = true;
        return rg_mol_set_leave_out(&s->table.set, &place, &fault, err);
    }
    return s->tab.done ? take_molecule(s, in, err) : RG_OK;
}

/* "> <NAME> ...": the name between the first '<' and the '>' behind it. */
static rg_status begin_property(sdf *s, const char *text, size_t n, rg_error *err)
{
    const char *open = memchr(text, '<', n);
    const char *close = open ? memchr(open, '>', n - (size_t)(open - text)) : NULL;
    s->column = RG_NO_COLUMN;
    if (!close)
        return RG_OK;
    uint32_t column = rg_table_add(s->columns, open + 1, (size_t)(close - open) - 1);
    rg_mol_cells *cells = &s->table.cells;
    if (column == RG_TABLE_NONE ||
        !rg_grow(&s->properties, &s->capacity, s->n_properties + 1, sizeof *s->properties) ||
        !rg_grow(&cells->text, &cells->text_capacity, cells->n_text + 1, 1))
        return rg_fail_memory(err, s->table.file);
    s->properties[s->n_properties++] = (property){cells->n_rows, column, cells->n_text};
    cells->text[cells->n_text++] = '\0';
    s->column = column;
    return RG_OK;
}

/* The cell that was begun last goes on. */
static rg_status add_value(sdf *s, const char *text, size_t n, rg_error *err)
{
    rg_mol_cells *cells = &s->table.cells;
    size_t start = s->properties[s->n_properties - 1].start, used = cells->n_text - 1 - start;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (!rg_grow(&cells->text, &cells->text_capacity, cells->n_text + n + 1, 1))
        return rg_fail_memory(err, s->table.file);
    char *out = cells->text + cells->n_text - 1;
    if (used)
        *out++ = '\n';
    memcpy(out, text, n);
    out[n] = '\0';
    cells->n_text += n + (used > 0);
    return RG_OK;
}

static void end_record(sdf *s)
{
    if (s->taken) {
        s->n_before = s->n_properties;
        s->table.cells.n_rows++;
    } else {
        s->n_properties = s->n_before;
    }
    s->bad = s->taken = false;
    s->column = RG_NO_COLUMN;
    rg_ctab_begin(&s->tab, &s->table.set.molecule);
}

static rg_status take_line(sdf *s, rg_reader *in, rg_error *err)
{
    size_t n;
    const char *text = rg_reader_text(in, &n);
    if (n >= 4 && memcmp(text, "$$$$", 4) == 0) {
        rg_mol_fault fault = {.reason = "found '$$$$', expected 'M  END' before it"};
        rg_mol_place place = place_of(s, in);
        rg_status status =
            s->taken || s->bad ? RG_OK : rg_mol_set_leave_out(&s->table.set, &place, &fault, err);
        end_record(s);
        return status;
    }
    if (s->bad)
        return RG_OK;
    if (!s->taken) {
        rg_status status = s->tab.n_lines ? RG_OK : keep_name(s, in, err);
        return status ? status : take_table_line(s, in, err);
    }
    if (n > 0 && text[0] == '>')
        return begin_property(s, text, n, err);
    if (!n)
        s->column = RG_NO_COLUMN;
    return s->column == RG_NO_COLUMN ? RG_OK : add_value(s, text, n, err);
}

/* A MOL file has no "$$$$"; blank lines behind the last one are no record. */
static rg_status end_file(sdf *s, rg_reader *in, bool any, rg_error *err)
{
    rg_mol_fault fault = {.reason = "found the end of the file, expected 'M  END'"};
    rg_mol_place place = place_of(s, in);
    rg_status status = RG_OK;
    place.text = NULL;
    place.column = 0;
    if (!s->taken && !s->bad && any)
        status = rg_mol_set_leave_out(&s->table.set, &place, &fault, err);
    end_record(s);
    return status;
}

static rg_status sdf_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    (void)file;
    sdf *s = state;
    bool more = true, any = false; /* any: something but blanks since the last record */
    rg_status status = rg_row_file(&s->table.file, in, err);
    if (!status && !(s->columns = rg_table_new()))
        status = rg_fail_memory(err, s->table.file);
    if (status)
        return status;
    end_record(s);
    s->table.cells.n_rows = 0;
    while (!status && !(status = rg_reader_next(in, &more, err)) && more) {
        size_t n;
        const char *text = rg_reader_text(in, &n);
        any = (any || !rg_read_is_blank(in)) && !(n >= 4 && memcmp(text, "$$$$", 4) == 0);
        status = take_line(s, in, err);
    }
    return status ? status : end_file(s, in, any, err);
}

/* Properties as the cells of a table: an empty text where a molecule has none. */
static bool fill_table(sdf *s)
{
    rg_mol_table *t = &s->table;
    rg_mol_cells *cells = &t->cells;
    size_t n = rg_table_size(s->columns), n_cells;
    if (!rg_size_mul(&n_cells, n, cells->n_rows) ||
        !(t->names = rg_alloc_zero(n, sizeof *t->names)) ||
        !(cells->start = rg_alloc(n_cells, sizeof *cells->start)) ||
        !rg_grow(&cells->text, &cells->text_capacity, cells->n_text + 1, 1))
        return false;
    cells->text[cells->n_text] = '\0';
    t->n_columns = n;
    for (size_t c = 0; c < n; c++) {
        size_t size;
        const char *name = rg_table_key(s->columns, (uint32_t)c, &size);
        if (!(t->names[c] = rg_copy_text(name, size)))
            return false;
    }
    for (size_t k = 0; k < n_cells; k++)
        cells->start[k] = cells->n_text;
    for (size_t k = 0; k < s->n_before; k++)
        cells->start[s->properties[k].row * n + s->properties[k].column] = s->properties[k].start;
    return true;
}

static rg_status sdf_finish(void *state, rg_raw *raw, rg_error *err)
{
    sdf *s = state;
    s->table.smiles = s->table.id = RG_NO_COLUMN;
    rg_status status = rg_mol_set_finish(&s->table.set, raw, err);
    if (!status && !fill_table(s))
        status = rg_fail_memory(err, "reading molecules");
    if (!status)
        status = rg_mol_table_targets(&s->table, raw, err);
    if (status)
        rg_raw_free(raw);
    return status;
}

const rg_format_kind rg_format_sdf = {
    .name = "sdf",
    .files = "a .sdf file",
    .size = sizeof(sdf),
    .knows = sdf_knows,
    .configure = sdf_configure,
    .take = sdf_take,
    .finish = sdf_finish,
    .close = sdf_close,
    .write = rg_sdf_write,
};
