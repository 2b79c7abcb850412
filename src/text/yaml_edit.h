/* yaml_edit.h - trees of YAML put together from pieces of several files, and printed again.
 *
 * Every node goes on saying where it stood, so that a complaint about a tree that was put together
 * names the file and the line of the piece that is to blame. */
#ifndef REGULA_TEXT_YAML_EDIT_H
#define REGULA_TEXT_YAML_EDIT_H

#include "text.h"
#include "yaml.h"

const char *rg_yaml_name(const rg_yaml *node); /* of the file that it stood in. Borrowed */
size_t rg_yaml_column(const rg_yaml *node);    /* from 1 */

/* A copy of the node and all below. out: owned (rg_yaml_free), untouched on failure. The names of
 * the files are borrowed: the tree of `node` must outlive the copy. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_yaml_copy(rg_yaml **out, const rg_yaml *node, rg_error *err);
/* The same without what is in it: an empty list or map in the same place. */
RG_MUST_CHECK rg_status rg_yaml_copy_empty(rg_yaml **out, const rg_yaml *node, rg_error *err);
/* A plain text that stood in no file, or an empty map (text: NULL); its place is NAME:1:1, `name`
 * is copied. out: owned, untouched on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_yaml_new(rg_yaml **out, const char *name, const char *text,
                                    rg_error *err);

/* The item of a list, or the value of pair k, to be changed. Borrowed. */
rg_yaml *rg_yaml_edit(rg_yaml *node, size_t k);
/* The value of a key; NULL: not there, or no map. Borrowed. */
rg_yaml *rg_yaml_edit_find(rg_yaml *map, const char *key);
/* Puts a value into a map: in place of the one with the same key, or at the end. Key and value are
 * moved, also on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_yaml_put(rg_yaml *map, rg_yaml *key, rg_yaml *value, rg_error *err);
/* Another node in place of item k, which is freed. `value` is moved. */
void rg_yaml_replace(rg_yaml *node, size_t k, rg_yaml *value);
/* Another name for a key that is there; `to` must not be there. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_yaml_rename(rg_yaml *map, const char *from, const char *to,
                                       rg_error *err);
void rg_yaml_remove(rg_yaml *map, const char *key); /* a key that is not there is fine */
/* Another text in a text, which came from `origin`: complaints begin "ORIGIN: NAME:LINE:COLUMN";
 * NULL: as before. On failure the node is as it was. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_yaml_retext(rg_yaml *node, const char *text, bool quoted,
                                       const char *origin, rg_error *err);

/* A text as YAML: as it stands if it begins with a letter and nothing in it could end it or begin
 * anything else, else in double quotes, all but ASCII escaped. flow: inside [ ] or { }. */
void rg_yaml_print_text(rg_text *out, const char *text, bool flow);
/* What follows behind "KEY:" in a line that is indented by `indent` blanks, its newline included:
 * " a text\n", or lines of their own that are indented by two more. What is printed reads back as
 * an equal tree, plain texts that are numbers or words without quotes; quotes that are not needed
 * go. */
void rg_yaml_print(rg_text *out, const rg_yaml *node, unsigned indent);
/* In one line, as inside [ ]. */
void rg_yaml_print_flow(rg_text *out, const rg_yaml *node);

#endif
