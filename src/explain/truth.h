/* truth.h - nodes that are known to be the cause of a graph's class: NAME_truth.txt.
 *
 * A line per graph: the nodes of a cause, from 0, parted by blanks; several alternatives, any of which
 * explains the class, are parted by ';'; an empty line where no cause is known. */
#ifndef REGULA_EXPLAIN_TRUTH_H
#define REGULA_EXPLAIN_TRUTH_H

#include "regula/dataset.h"

typedef struct rg_truth rg_truth;

/* Lines are checked against the graphs of `data`. name: for messages. out: owned (rg_truth_free),
 * untouched on failure. RG_EDATA with file and line, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_truth_parse(rg_truth **out, const char *name, const void *text, size_t n,
                                       const rg_dataset *data, rg_error *err);
/* The same of a file; RG_EIO too. */
RG_MUST_CHECK rg_status rg_truth_read(rg_truth **out, const char *path, const rg_dataset *data,
                                      rg_error *err);
/* The file that ends in "_truth.txt" in the directory or archive that the data came from. RG_EUSAGE:
 * there is none. */
RG_MUST_CHECK rg_status rg_truth_find(rg_truth **out, const char *path, const rg_dataset *data,
                                      rg_error *err);
void rg_truth_free(rg_truth *truth); /* NULL is fine */

/* Alternatives of a graph; 0: no cause is known. */
size_t rg_truth_n(const rg_truth *truth, size_t graph);
/* Nodes of alternative k, at least one, ascending, each once; *n of them. Borrowed. */
const uint32_t *rg_truth_nodes(const rg_truth *truth, size_t graph, size_t k, size_t *n);

#endif
