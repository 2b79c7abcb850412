/* names.h - what the numbers of labels stand for: atoms, bonds, classes.
 *
 * Names come from a file that the user gives, or are known for data sets whose makers documented
 * them (names_known.c). Nothing is guessed: a label that nobody named is "label 3". */
#ifndef REGULA_DRAW_NAMES_H
#define REGULA_DRAW_NAMES_H

#include "figure.h"

typedef struct rg_names rg_names;

typedef enum rg_name_kind {
    RG_NAME_NODE,  /* node labels */
    RG_NAME_EDGE,  /* edge labels */
    RG_NAME_CLASS, /* classes of graphs */
    RG_N_NAME_KINDS
} rg_name_kind;

/* The names that are known for a data set, by its name (rg_dataset_name); empty if none are.
 * node_columns: columns of node labels that it has, for OGB's own files (9 columns) number atoms
 * from 0. out: owned (rg_names_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_names_known(rg_names **out, const char *dataset, size_t node_columns,
                                       rg_error *err);

/* The names that the set itself has of its first columns of node labels, edge labels and classes
 * (rg_dataset_value_name); of kinds without any, those that are known for a set of its name. */
RG_MUST_CHECK rg_status rg_names_of(rg_names **out, const rg_dataset *data, rg_error *err);

/* Lines "VALUE NAME", "edge VALUE NAME", "class VALUE NAME"; a name may have blanks inside; empty
 * lines and what follows a '#' at the start of a line are skipped. The kinds that the file names
 * replace those of `base`, the others stay; base: NULL, or names that this adds to (copied). out:
 * owned, untouched on failure. RG_EDATA with file and line (no number, no name, a value named
 * twice), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_names_read(rg_names **out, const char *path, const rg_names *base,
                                      rg_error *err);
RG_MUST_CHECK rg_status rg_names_parse(rg_names **out, const char *file, const void *text, size_t n,
                                       const rg_names *base, rg_error *err);
void rg_names_free(rg_names *names); /* NULL is fine */

/* Adds names of column 0 that a data set or a model has, where there are none yet; quoted: node labels
 * are words of a text. Names that are too long or cannot be shown stay out. On failure `names` is as
 * it was. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_names_add(rg_names *names, const rg_value_name *list, size_t n,
                                     bool quoted, rg_error *err);

/* The name of a label's value as it is in the file (rg_dataset_values); NULL: nobody said. names
 * may be NULL. Borrowed. O(log n). */
const char *rg_names_find(const rg_names *names, rg_name_kind kind, int64_t value);
/* What a column of node labels is called, such as "charge"; NULL: nobody said. Borrowed. */
#define RG_NAMED_COLUMNS 12 /* the first ones */
const char *rg_names_column(const rg_names *names, size_t column);
bool rg_names_any(const rg_names *names, rg_name_kind kind);
/* The name, or "label 3", "edge label 3", "class 3". Returns out. */
#define RG_NAME_MAX 64 /* bytes of a name, with its end */
const char *rg_names_text(char out[RG_NAME_MAX], const rg_names *names, rg_name_kind kind,
                          int64_t value);
/* All of them, as those of data files; *n of them. *out: owned (rg_free), its texts are borrowed. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_names_list(rg_value_name **out, size_t *n, const rg_names *names,
                                      rg_error *err);
/* Where the names are from, for people: "the data set's README", "names.txt". NULL: there are
 * none. Borrowed. */
const char *rg_names_source(const rg_names *names);

/* Is the name that of a chemical element (or of an atom type that begins with one)? */
bool rg_name_is_atom(const char *name);
/* The bond that an edge's name stands for: "single", "double", "triple", "aromatic", "1", "2", "3";
 * RG_BOND_NONE: none of them, or NULL. */
rg_bond rg_name_bond(const char *name);

#endif
