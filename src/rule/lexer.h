/* lexer.h - the words, numbers and signs of a rule. */
#ifndef REGULA_RULE_LEXER_H
#define REGULA_RULE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rg_token_kind {
    RG_TOKEN_END,
    RG_TOKEN_WORD,
    RG_TOKEN_NUMBER,
    RG_TOKEN_TEXT, /* "word" */
    RG_TOKEN_REAL, /* 0.5, 2.0, 1e-3 */
    RG_TOKEN_SIGN, /* ( ) { } , .. + - * / // % = != < <= > >= */
    RG_TOKEN_WRONG /* anything else */
} rg_token_kind;

typedef struct rg_token {
    rg_token_kind kind;
    size_t at, n; /* bytes of the text */
    int64_t value;
    double real;
    const char *hint; /* what to write instead, for signs of other languages; or NULL */
} rg_token;

/* The token at or after `at`. */
rg_token rg_lexer_next(const char *text, size_t at);

/* Is `word` a name: a letter or '_', then letters, digits or '_', at most 60? */
bool rg_lexer_is_name(const char *word);

#endif
