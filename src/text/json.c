/* json.c - see json.h. */
#include "json.h"

#include <stdio.h>

const char *rg_json_describe(char out[RG_JSON_WORDS], const json_t *value)
{
    switch (value ? (int)json_typeof(value) : -1) {
    case JSON_OBJECT:
        snprintf(out, RG_JSON_WORDS, "an object");
        break;
    case JSON_ARRAY:
        snprintf(out, RG_JSON_WORDS, json_array_size(value) ? "a list" : "an empty list");
        break;
    case JSON_STRING:
        snprintf(out, RG_JSON_WORDS, "\"%.40s\"", json_string_value(value));
        break;
    case JSON_INTEGER:
        snprintf(out, RG_JSON_WORDS, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        snprintf(out, RG_JSON_WORDS, "the real number %.17g", json_real_value(value));
        break;
    case JSON_TRUE:
        snprintf(out, RG_JSON_WORDS, "true");
        break;
    case JSON_FALSE:
        snprintf(out, RG_JSON_WORDS, "false");
        break;
    case JSON_NULL:
        snprintf(out, RG_JSON_WORDS, "null");
        break;
    default:
        snprintf(out, RG_JSON_WORDS, "nothing");
    }
    return out;
}

bool rg_json_starved(const json_error_t *error)
{
    /* where jansson runs out of memory inside the tree it leaves the text empty */
    return json_error_code(error) == json_error_out_of_memory || !error->text[0];
}
