/* json_text.h - JSON that can stand inside a page, written front to back.
 *
 * Strings hold whatever a data set, a path or a note says, and the text goes between the tags of a
 * page: all but printable ASCII is escaped, and so are '<', '>' and '&', so that no name can end
 * the element it stands in. The first failure sticks, as in text.h. */
#ifndef REGULA_REPORT_JSON_TEXT_H
#define REGULA_REPORT_JSON_TEXT_H

#include "text/text.h"

typedef struct rg_json_text {
    rg_text text; /* owned: rg_text_take */
    bool comma;   /* something stands before the next value */
} rg_json_text;

/* key: NULL inside a list. bracket: '{' or '[', and the same again to close it. */
void rg_json_open(rg_json_text *json, const char *key, char bracket);
void rg_json_close(rg_json_text *json, char bracket);

/* string: NULL is null; what is no UTF-8 becomes U+FFFD. */
void rg_json_string(rg_json_text *json, const char *key, const char *string);
void rg_json_count(rg_json_text *json, const char *key, uint64_t count);
/* UINT64_MAX stands for what is not known, and becomes null. */
void rg_json_known(rg_json_text *json, const char *key, uint64_t count);
/* All digits that are needed to read it back; null for what is not finite. */
void rg_json_real(rg_json_text *json, const char *key, double value);
/* Five significant digits, for what is only drawn. */
void rg_json_short(rg_json_text *json, const char *key, double value);
void rg_json_bool(rg_json_text *json, const char *key, bool value);

#endif
