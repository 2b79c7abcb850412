/* yaml.h - a YAML file as a tree that knows where every node stood.
 *
 * Strict: one document; no anchors, aliases, tags, merge keys; keys are plain text and not
 * repeated; bounds on size and depth. libyaml does the scanning. Complaints are RG_EDATA,
 * "NAME:LINE:COLUMN: found X, expected Y". */
#ifndef REGULA_TEXT_YAML_H
#define REGULA_TEXT_YAML_H

#include "regula/base.h"

#include <stdbool.h>

enum {
    RG_YAML_BYTES_MAX = 1 << 20, /* of a file */
    RG_YAML_DEPTH_MAX = 32,      /* lists and maps inside each other */
    RG_YAML_KEYS_MAX = 1024      /* of one map */
};

typedef enum rg_yaml_kind { RG_YAML_TEXT, RG_YAML_LIST, RG_YAML_MAP } rg_yaml_kind;

/* A node. All of a tree is one owner's: everything borrowed from the root, which rg_yaml_free
 * frees. */
typedef struct rg_yaml rg_yaml;

/* out: owned (rg_yaml_free), untouched on failure. An empty document is an empty map. `name` is
 * copied and stands for the file in messages. Cost: O(n), and O(keys^2) for each map. RG_EDATA,
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_yaml_read(rg_yaml **out, const char *path, rg_error *err);
RG_MUST_CHECK rg_status rg_yaml_parse(rg_yaml **out, const char *name, const char *text, size_t n,
                                      rg_error *err);
void rg_yaml_free(rg_yaml *root); /* NULL is fine */

rg_yaml_kind rg_yaml_kind_of(const rg_yaml *node);
size_t rg_yaml_line(const rg_yaml *node); /* from 1 */
size_t rg_yaml_size(const rg_yaml *node); /* items of a list, pairs of a map; 0: a text */
const rg_yaml *rg_yaml_item(const rg_yaml *node, size_t k); /* of a list, or the value of pair k */
const char *rg_yaml_key(const rg_yaml *map, size_t k);
const rg_yaml *rg_yaml_key_node(const rg_yaml *map, size_t k); /* a text, for complaints about it */
const rg_yaml *rg_yaml_find(const rg_yaml *map, const char *key); /* NULL: not there, or no map */
const char *rg_yaml_text(const rg_yaml *node);                    /* of a text; else NULL */
bool rg_yaml_is_quoted(const rg_yaml *node); /* or a block: anything but a plain text */

/* Typed readers, out untouched on failure; numbers, true and false must stand without quotes.
 * `what` names what is expected, for the message; NULL: "a whole number 1..9", "a number", "true or
 * false". RG_EDATA. */
RG_MUST_CHECK rg_status rg_yaml_int(const rg_yaml *node, int64_t *out, int64_t min, int64_t max,
                                    const char *what, rg_error *err);
RG_MUST_CHECK rg_status rg_yaml_real(const rg_yaml *node, double *out, const char *what,
                                     rg_error *err); /* finite */
RG_MUST_CHECK rg_status rg_yaml_bool(const rg_yaml *node, bool *out, const char *what,
                                     rg_error *err); /* true, false */
/* Number of the word in words[0 .. n-1]; an unknown one gets "expected A, B or C (did you mean
 * 'B'?)". */
RG_MUST_CHECK rg_status rg_yaml_word(const rg_yaml *node, size_t *out, const char *const *words,
                                     size_t n, rg_error *err);
/* RG_EDATA unless `map` is a map all of whose keys are among `known`; "did you mean" for others. */
RG_MUST_CHECK rg_status rg_yaml_keys(const rg_yaml *map, const char *const *known, size_t n,
                                     rg_error *err);
/* RG_EDATA at the node: "NAME:LINE:COLUMN: MESSAGE". */
rg_status rg_yaml_complain(const rg_yaml *node, rg_error *err, const char *format, ...)
    RG_PRINTF(3, 4);
/* The same with "found X, expected WHAT", X what the node is. */
rg_status rg_yaml_expected(const rg_yaml *node, const char *what, rg_error *err);

#endif
