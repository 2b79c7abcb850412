/* json.h - words about JSON that jansson has read, for messages. */
#ifndef REGULA_TEXT_JSON_H
#define REGULA_TEXT_JSON_H

#include <jansson.h>
#include <stdbool.h>

#define RG_JSON_WORDS 64

/* A short word for what stands in the file: "a list", "\"text\"", "3"; NULL: "nothing". Returns
 * `out`. */
const char *rg_json_describe(char out[RG_JSON_WORDS], const json_t *value);

/* Whether a text was not read because memory was short, and not because of what stands in it. */
bool rg_json_starved(const json_error_t *error);

#endif
