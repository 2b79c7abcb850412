/* json_write.h - the one writer of JSON: front to back, into a text that grows.
 *
 *     rg_json json = {.layout = RG_JSON_LINES};
 *     rg_json_open(&json, NULL, '{');
 *     rg_json_count(&json, "n", 3);
 *     rg_json_close(&json, '{');
 *     char *text = rg_json_take(&json);
 *
 * The first failure sticks, as in text.h. */
#ifndef REGULA_TEXT_JSON_WRITE_H
#define REGULA_TEXT_JSON_WRITE_H

#include "text/text.h"

#include <jansson.h>

/* As a string of JSON, in quotes; all but printable ASCII is escaped, and what is no UTF-8 is '?'.
 */
void rg_text_json(rg_text *text, const char *string);

/* Without any: no blanks; strings as rg_text_json has them; reals are the shortest that read back
 * exactly. */
enum {
    RG_JSON_BLANKS = 1, /* a blank behind ',' and ':' */
    RG_JSON_LINES = 2,  /* a line for every value, indented by two */
    /* Strings that go between the tags of a page: '<', '>' and '&' are escaped, too, so that no name
     * can end the element it stands in, and what is no UTF-8 becomes U+FFFD. */
    RG_JSON_PAGE = 4,
    RG_JSON_UTF8 = 8,   /* strings are UTF-8 that stays as it is, but for quotes and controls */
    RG_JSON_DIGITS = 16 /* reals have 15 digits, so that a decimal comes back as it was written */
};

typedef struct rg_json {
    rg_text text; /* owned: rg_json_take */
    unsigned layout;
    unsigned depth; /* brackets that are open */
    bool comma;     /* something stands before the next value */
} rg_json;

/* key: NULL inside a list. bracket: '{' or '[', and the same again to close it. */
void rg_json_open(rg_json *json, const char *key, char bracket);
void rg_json_close(rg_json *json, char bracket);

void rg_json_string(rg_json *json, const char *key, const char *string); /* NULL is null */
void rg_json_count(rg_json *json, const char *key, uint64_t count);
/* UINT64_MAX stands for what is not known, and becomes null. */
void rg_json_known(rg_json *json, const char *key, uint64_t count);
void rg_json_integer(rg_json *json, const char *key, int64_t value);
void rg_json_real(rg_json *json, const char *key, double value); /* null: it is not finite */
/* Five significant digits, for what is only drawn. */
void rg_json_short(rg_json *json, const char *key, double value);
void rg_json_bool(rg_json *json, const char *key, bool value);
/* A list of n reals. */
void rg_json_reals(rg_json *json, const char *key, const double *values, size_t n);
/* A tree of jansson, which may be NULL: memory was short. */
void rg_json_tree(rg_json *json, const char *key, json_t *tree);

/* The text; owned by the caller (rg_free). NULL if memory was short. Leaves `json` empty. */
char *rg_json_take(rg_json *json);

#endif
