/* lexer.c - see lexer.h. */
#include "lexer.h"

#include "base/number.h"

#include <string.h>

enum { LONGEST_NAME = 60 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_word(char c)
{
    return starts_word(c) || is_digit(c);
}

bool rg_lexer_is_name(const char *word)
{
    size_t n = 0;
    while (in_word(word[n]))
        n++;
    return starts_word(word[0]) && n <= LONGEST_NAME && word[n] == '\0';
}

/* Two letters first, so that "<=" is not "<". */
static const char *const signs[] = {"..", "!=", "<=", ">=", "//", "(", ")", "{", "}",
                                    ",",  "+",  "-",  "*",  "/",  "%", "=", "<", ">"};

/* What people write who come from elsewhere. Looked up before the signs. */
static const struct {
    const char *text, *hint;
} foreign[] = {
    {"==", "'='"},       {"<>", "'!='"},  {"&&", "'and'"}, {"||", "'or'"},
    {"**", "a product"}, {"...", "'..'"}, {"=<", "'<='"},  {"=>", "'>='"},
};
/* After them, because "!=" begins with "!". */
static const struct {
    const char *text, *hint;
} lonely[] = {{"!", "'not'"}, {"&", "'and'"}, {"|", "'or'"}, {";", "','"}, {"[", "'(' or '{'"}};

/* The bytes of digits from `at` on. */
static size_t digits(const char *text, size_t at)
{
    size_t n = 0;
    while (is_digit(text[at + n]))
        n++;
    return n;
}

/* ".5", "e-3" behind the digits of a number: how many bytes, 0 if none. "1..3" is a range. */
static size_t fraction_of(const char *text, size_t at)
{
    size_t n = 0;
    if (text[at] == '.' && is_digit(text[at + 1]))
        n = 1 + digits(text, at + 1);
    if (text[at + n] == 'e' || text[at + n] == 'E') {
        size_t sign = text[at + n + 1] == '-' || text[at + n + 1] == '+';
        size_t own = digits(text, at + n + 1 + sign);
        if (own)
            n += 1 + sign + own;
    }
    return n;
}

static rg_token number_at(const char *text, size_t at)
{
    rg_token token = {.kind = RG_TOKEN_NUMBER, .at = at};
    bool large = false;
    for (; is_digit(text[at + token.n]); token.n++) {
        int digit = text[at + token.n] - '0';
        large = large || token.value > (INT64_MAX - digit) / 10;
        token.value = large ? 0 : token.value * 10 + digit;
    }
    size_t fraction = fraction_of(text, at + token.n);
    token.n += fraction;
    size_t whole = token.n;
    if (fraction) {
        token.kind = RG_TOKEN_REAL;
        if (!rg_number_real(text + at, text + at + token.n, &token.real)) {
            token.kind = RG_TOKEN_WRONG;
            token.hint = "a number up to 1.7976931348623157e308";
        }
    } else if (large)
        token.hint = "a number up to 9223372036854775807";
    while (in_word(text[at + token.n]))
        token.n++;
    if (token.n > whole || (large && !fraction))
        token.kind = RG_TOKEN_WRONG;
    return token;
}

/* "word": up to the next '"' of the same line. */
static rg_token text_at(const char *text, size_t at)
{
    size_t n = strcspn(text + at + 1, "\"\n");
    if (n > 0 && text[at + 1 + n] == '"')
        return (rg_token){.kind = RG_TOKEN_TEXT, .at = at, .n = n + 2};
    return (rg_token){
        .kind = RG_TOKEN_WRONG, .at = at, .n = n ? n + 1 : 2, .hint = "a word between two '\"'"};
}

rg_token rg_lexer_next(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')
        at++;
    rg_token token = {.kind = RG_TOKEN_END, .at = at};
    if (!text[at])
        return token;
    if (is_digit(text[at]))
        return number_at(text, at);
    if (starts_word(text[at])) {
        token.kind = RG_TOKEN_WORD;
        while (in_word(text[at + token.n]))
            token.n++;
        return token;
    }
    if (text[at] == '"')
        return text_at(text, at);
    token.kind = RG_TOKEN_WRONG;
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        if (strncmp(text + at, foreign[k].text, strlen(foreign[k].text)) == 0) {
            token.n = strlen(foreign[k].text);
            token.hint = foreign[k].hint;
            return token;
        }
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (strncmp(text + at, signs[k], strlen(signs[k])) == 0) {
            token.kind = RG_TOKEN_SIGN;
            token.n = strlen(signs[k]);
            return token;
        }
    for (size_t k = 0; k < sizeof lonely / sizeof *lonely; k++)
        if (text[at] == lonely[k].text[0])
            token.hint = lonely[k].hint;
    token.n = 1; /* one letter of any script */
    while (token.n < 4 && ((unsigned char)text[at + token.n] & 0xC0) == 0x80)
        token.n++;
    return token;
}
