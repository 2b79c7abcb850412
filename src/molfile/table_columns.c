/* table_columns.c - which column of a table is what, chosen by the user or guessed.
 *
 * Guesses are made only where one column alone can be meant: a name with "smiles" in it; for the
 * target a column of numbers that is neither a name nor a count of rows. Else the message lists
 * what there is. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/table.h"
#include "table.h"
#include "text/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LIST = 600 };

size_t rg_mol_table_column(const rg_mol_table *t, const char *name, size_t n)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (strlen(t->names[c]) == n && memcmp(t->names[c], name, n) == 0)
            return c;
    return RG_NO_COLUMN;
}

/* Columns that `fits` says yes to, as a list for a message; *n of them. */
static void list_columns(char list[LIST], const rg_mol_table *t, const bool *fits)
{
    size_t used = 0;
    list[0] = '\0';
    for (size_t c = 0; c < t->n_columns; c++) {
        size_t n = strlen(t->names[c]);
        if (fits && !fits[c])
            continue;
        if (used + n + 16 > LIST) {
            memcpy(list + used, ", ...", 6);
            return;
        }
        memcpy(list + used, used ? ", '" : "'", used ? 4 : 2);
        used += used ? 3 : 1;
        memcpy(list + used, t->names[c], n);
        used += n;
        memcpy(list + used++, "'", 2);
    }
}

static rg_status find_chosen(size_t *out, const rg_mol_table *t, const char *name, size_t n,
                             const char *what, rg_error *err)
{
    char list[LIST];
    *out = rg_mol_table_column(t, name, n);
    if (*out != RG_NO_COLUMN)
        return RG_OK;
    list_columns(list, t, NULL);
    return rg_fail(err, RG_EUSAGE, "%s: found no column '%.*s' for %s, expected one of %s", t->file,
                   (int)(n < 60 ? n : 60), name, what, list);
}

static bool has_smiles(const char *name)
{
    for (; *name; name++)
        if (strncasecmp(name, "smiles", 6) == 0)
            return true;
    return false;
}

static rg_status choose_smiles(rg_mol_table *t, rg_error *err)
{
    const char *chosen = t->set.options ? t->set.options->columns.smiles : NULL;
    char list[LIST];
    size_t n = 0;
    if (chosen)
        return find_chosen(&t->smiles, t, chosen, strlen(chosen), "the molecules", err);
    bool *fits = rg_alloc_zero(t->n_columns, sizeof *fits);
    if (!fits)
        return rg_fail_memory(err, t->file);
    for (size_t c = 0; c < t->n_columns; c++) {
        fits[c] = has_smiles(t->names[c]);
        if (fits[c] && n++ == 0)
            t->smiles = c;
    }
    list_columns(list, t, n ? fits : NULL);
    rg_free(fits);
    if (n == 1)
        return RG_OK;
    return rg_fail(
        err, RG_EDATA,
        n ? "%s:1: found several columns that may hold the molecules: %s; choose one (--smiles)"
          : "%s:1: found no column with 'smiles' in its name, expected one among %s; choose "
            "one (--smiles)",
        t->file, list);
}

/* Is this how names of molecules are called? */
static bool is_name(const char *name)
{
    static const char *const words[] = {
        "id",          "name",     "mol_id",        "mol id",      "compound id", "title",
        "compound_id", "compound", "cas",           "molecule_id", "cid",         "zinc_id",
        "chembl_id",   "drug",     "molecule name", "key",         "inchikey",    "compound name"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcasecmp(name, words[k]) == 0)
            return true;
    return false;
}

/* Without a name nothing is lost: two columns that may be meant give none. */
static rg_status choose_id(rg_mol_table *t, rg_error *err)
{
    const char *chosen = t->set.options ? t->set.options->columns.id : NULL;
    size_t n = 0;
    t->id = RG_NO_COLUMN;
    if (chosen)
        return find_chosen(&t->id, t, chosen, strlen(chosen), "the names", err);
    for (size_t c = 0; c < t->n_columns; c++)
        if (c != t->smiles && is_name(t->names[c]) && n++ == 0)
            t->id = c;
    if (n > 1)
        t->id = RG_NO_COLUMN;
    return RG_OK;
}

rg_status rg_mol_table_choose(rg_mol_table *t, rg_error *err)
{
    rg_status status = choose_smiles(t, err);
    if (!status)
        status = choose_id(t, err);
    return status;
}

/* ---- targets */

typedef enum kind { EMPTY, WHOLE, REAL, TEXT } kind;

static bool is_missing(const char *cell)
{
    static const char *const words[] = {"", "nan", "na", "n/a", "null", "none"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcasecmp(cell, words[k]) == 0)
            return true;
    return false;
}

/* What all cells of a column are. *counts: whole numbers, each larger than the one before. */
static kind kind_of(const rg_mol_table *t, size_t column, bool *counts)
{
    kind found = EMPTY;
    int64_t before = INT64_MIN;
    *counts = true;
    for (size_t row = 0; row < t->cells.n_rows; row++) {
        const char *cell = rg_mol_table_cell(t, row, column), *end = cell + strlen(cell);
        int64_t whole;
        double real;
        if (is_missing(cell)) {
            *counts = false;
        } else if (rg_number_int(cell, end, &whole) == end && whole != RG_MISSING) {
            *counts = *counts && whole > before;
            before = whole;
            found = found == EMPTY ? WHOLE : found;
        } else if (rg_number_real(cell, end, &real) == end) {
            *counts = false;
            found = REAL;
        } else {
            return TEXT;
        }
    }
    return found;
}

static rg_status guess_target(size_t *columns, size_t *n, const rg_mol_table *t, rg_error *err)
{
    char list[LIST];
    bool *fits = rg_alloc_zero(t->n_columns, sizeof *fits);
    if (!fits)
        return rg_fail_memory(err, t->file);
    *n = 0;
    for (size_t c = 0; c < t->n_columns; c++) {
        bool counts;
        if (c == t->smiles || c == t->id || is_name(t->names[c]))
            continue;
        kind k = kind_of(t, c, &counts);
        fits[c] = (k == WHOLE || k == REAL) && !(counts && t->cells.n_rows > 2);
        if (fits[c])
            columns[(*n)++] = c;
    }
    list_columns(list, t, fits);
    rg_free(fits);
    if (*n > 1 && t->set.options && t->set.options->columns.targets_optional)
        *n = 0;
    if (*n <= 1)
        return RG_OK;
    return rg_fail(
        err, RG_EDATA,
        "%s:1: found several columns that may be the target: %s; choose (--target NAME,NAME; "
        "--target '' for none)",
        t->file, list);
}

/* Names between commas; a name that itself has commas may be all there is. */
static rg_status read_targets(size_t *columns, size_t *n, const rg_mol_table *t, const char *text,
                              rg_error *err)
{
    *n = 0;
    if ((columns[0] = rg_mol_table_column(t, text, strlen(text))) != RG_NO_COLUMN) {
        *n = 1;
        return RG_OK;
    }
    while (*text) {
        const char *comma = strchr(text, ',');
        size_t size = comma ? (size_t)(comma - text) : strlen(text);
        rg_status status;
        if (*n == t->n_columns)
            return rg_fail(err, RG_EUSAGE, "%s: found more targets than columns", t->file);
        if ((status = find_chosen(&columns[*n], t, text, size, "the target", err)))
            return status;
        ++*n;
        text += size + (comma != NULL);
    }
    return RG_OK;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Words become classes 0, 1, 2, ... in the order of the alphabet. */
static rg_status add_words(const rg_mol_table *t, size_t column, rg_raw *raw, size_t class,
                           rg_error *err)
{
    int64_t *out = raw->classes.data + class;
    size_t stride = raw->classes.n_columns;
    bool fine = true;
    size_t n = 0, n_rows = t->cells.n_rows;
    const char **words = rg_alloc(n_rows, sizeof *words);
    if (!words)
        return rg_fail_memory(err, t->file);
    for (size_t row = 0; row < n_rows; row++)
        words[row] = rg_mol_table_cell(t, row, column);
    qsort(words, n_rows, sizeof *words, compare_texts);
    for (size_t row = 0; row < n_rows; row++)
        if (!is_missing(words[row]) && (!n || strcmp(words[row], words[n - 1]) != 0))
            words[n++] = words[row];
    for (size_t row = 0; row < n_rows; row++) {
        const char *cell = rg_mol_table_cell(t, row, column);
        const char **found =
            is_missing(cell) ? NULL : bsearch(&cell, words, n, sizeof *words, compare_texts);
        out[row * stride] = found ? found - words : RG_MISSING;
    }
    for (size_t k = 0; k < n && fine; k++)
        fine = rg_raw_name_value(raw, RG_CLASS, class, (int64_t)k, words[k]);
    rg_free(words);
    return fine ? RG_OK : rg_fail_memory(err, t->file);
}

static void add_wholes(const rg_mol_table *t, size_t column, int64_t *out, size_t stride)
{
    for (size_t row = 0; row < t->cells.n_rows; row++) {
        const char *cell = rg_mol_table_cell(t, row, column);
        out[row * stride] = RG_MISSING;
        if (!is_missing(cell))
            rg_number_int(cell, cell + strlen(cell), &out[row * stride]);
    }
}

static void add_reals(const rg_mol_table *t, size_t column, double *out, size_t stride)
{
    for (size_t row = 0; row < t->cells.n_rows; row++) {
        const char *cell = rg_mol_table_cell(t, row, column);
        out[row * stride] = NAN;
        if (!is_missing(cell))
            rg_number_real(cell, cell + strlen(cell), &out[row * stride]);
    }
}

/* Room for n columns of all rows. */
static bool make_room(const rg_mol_table *t, rg_raw *raw, size_t n_classes, size_t n_reals)
{
    size_t n_rows = t->cells.n_rows;
    if (n_classes) {
        raw->classes.data = rg_alloc(n_rows * n_classes, sizeof *raw->classes.data);
        raw->classes.n_columns = n_classes;
        raw->classes.n_rows = n_rows;
    }
    if (n_reals) {
        raw->targets.data = rg_alloc(n_rows * n_reals, sizeof *raw->targets.data);
        raw->targets.n_columns = n_reals;
        raw->targets.n_rows = n_rows;
    }
    return (!n_classes || raw->classes.data) && (!n_reals || raw->targets.data);
}

/* Words are classes; numbers are classes if all of all columns are whole. */
static rg_status fill_targets(const rg_mol_table *t, rg_raw *raw, const size_t *columns, size_t n,
                              rg_error *err)
{
    size_t n_text = 0, n_real = 0, class = 0, real = 0;
    bool counts;
    for (size_t k = 0; k < n; k++) {
        kind found = kind_of(t, columns[k], &counts);
        n_text += found == TEXT;
        n_real += found == REAL;
    }
    size_t n_classes = n_real ? n_text : n, n_reals = n - n_classes;
    if (!make_room(t, raw, n_classes, n_reals))
        return rg_fail_memory(err, t->file);
    rg_status status = RG_OK;
    for (size_t k = 0; k < n && !status; k++) {
        kind found = kind_of(t, columns[k], &counts);
        bool is_class = found == TEXT || !n_real;
        if (!rg_raw_name_column(raw, is_class ? RG_CLASS : RG_TARGET, is_class ? class : real,
                                t->names[columns[k]]))
            return rg_fail_memory(err, t->file);
        if (found == TEXT)
            status = add_words(t, columns[k], raw, class ++, err);
        else if (!n_real)
            add_wholes(t, columns[k], raw->classes.data + class ++, n_classes);
        else
            add_reals(t, columns[k], raw->targets.data + real++, n_reals);
    }
    return status;
}

rg_status rg_mol_table_targets(rg_mol_table *t, rg_raw *raw, rg_error *err)
{
    const char *chosen = t->set.options ? t->set.options->columns.targets : NULL;
    size_t n = 0;
    size_t *columns = rg_alloc(t->n_columns + 1, sizeof *columns);
    if (!columns)
        return rg_fail_memory(err, t->file);
    rg_status status =
        chosen ? read_targets(columns, &n, t, chosen, err) : guess_target(columns, &n, t, err);
    if (!status)
        status = fill_targets(t, raw, columns, n, err);
    rg_free(columns);
    return status;
}
