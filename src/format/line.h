/* line.h - one graph in one line of text: graph6, or a JSON object (docs/formats.md). */
#ifndef REGULA_FORMAT_LINE_H
#define REGULA_FORMAT_LINE_H

#include "graph/raw.h"

/* A line and where it stands, for messages. Borrowed. */
typedef struct rg_line {
    const char *name; /* of the file */
    size_t number;    /* from 1 */
    const char *text; /* without its end */
    size_t n;
} rg_line;

#define RG_LINE_JSON_MAX ((size_t)16 << 20)   /* bytes; the tree in memory takes 30 times that */
#define RG_LINE_NODES_MAX ((uint32_t)1 << 24) /* that a few bytes of JSON may ask for */

/* Append one more graph. RG_EDATA, RG_ENOMEM; then raw is fit for rg_raw_free only. */
RG_MUST_CHECK rg_status rg_line_json(rg_raw *raw, const rg_line *line, rg_error *err);
/* at: where in the line the graph begins. */
RG_MUST_CHECK rg_status rg_line_graph6(rg_raw *raw, const rg_line *line, size_t at, rg_error *err);

#endif
