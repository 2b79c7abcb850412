/* yaml_print.c - trees of YAML as text; see yaml_edit.h. */
#include "yaml_edit.h"

#include "base/error.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A text that YAML takes as it stands: nothing that could end it or begin anything else. */
static bool is_plain(const char *text, bool flow)
{
    bool plain = is_letter(*text);
    const char *p = text;
    for (; *p && plain; p++)
        plain = *p >= ' ' && *p <= '~' && *p != ':' && *p != '#' && !(flow && strchr(",[]{}", *p));
    return plain && p[-1] != ' ';
}

/* The same for numbers and for texts that variables make numbers: "1e-5", "$lr", "0.${digits}". */
static bool is_simple(const char *text, bool flow)
{
    size_t n = 0;
    while (is_letter(text[n]) || is_digit(text[n]) || (text[n] && strchr("_.+-$/", text[n])) ||
           (n > 0 && !flow && text[n] && strchr("{}", text[n])))
        n++;
    return n > 0 && text[n] == '\0' && strcmp(text, "-") != 0;
}

/* The code point at p, and the bytes it takes; a byte that begins none stands for itself. */
static unsigned code_point(const char *p, size_t *n)
{
    const unsigned char *u = (const unsigned char *)p;
    *n = rg_printable(p);
    if (*n == 0) /* U+0080 .. U+009F are well-formed, though nobody prints them */
        *n = u[0] == 0xc2 && (u[1] & 0xc0) == 0x80 ? 2 : 1;
    switch (*n) {
    case 2:
        return (u[0] & 0x1fu) << 6 | (u[1] & 0x3fu);
    case 3:
        return (u[0] & 0x0fu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
    case 4:
        return (u[0] & 0x07u) << 18 | (u[1] & 0x3fu) << 12 | (u[2] & 0x3fu) << 6 | (u[3] & 0x3fu);
    default:
        return u[0];
    }
}

/* All but ASCII is escaped: some letters are line ends to YAML. */
static void print_quoted(rg_text *out, const char *text)
{
    size_t n;
    rg_text_add(out, "\"");
    for (const char *p = text; *p; p += n) {
        unsigned c = code_point(p, &n);
        if (c == '"' || c == '\\')
            rg_text_add(out, "\\%c", (int)c);
        else if (c >= ' ' && c <= '~')
            rg_text_add(out, "%c", (int)c);
        else
            rg_text_add(out, c > 0xffff ? "\\U%08X" : "\\u%04X", c);
    }
    rg_text_add(out, "\"");
}

void rg_yaml_print_text(rg_text *out, const char *text, bool flow)
{
    if (is_plain(text, flow))
        rg_text_add(out, "%s", text);
    else
        print_quoted(out, text);
}

/* Would it be true or false without its quotes? Numbers do not begin with a letter. */
static bool needs_quotes(const rg_yaml *node)
{
    const char *text = rg_yaml_text(node);
    return rg_yaml_is_quoted(node) && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0);
}

static bool is_bare(const rg_yaml *node, bool flow)
{
    const char *text = rg_yaml_text(node);
    return !needs_quotes(node) &&
           (is_plain(text, flow) || (!rg_yaml_is_quoted(node) && is_simple(text, flow)));
}

static void print_scalar(rg_text *out, const rg_yaml *node, bool flow)
{
    if (is_bare(node, flow))
        rg_text_add(out, "%s", rg_yaml_text(node));
    else
        print_quoted(out, rg_yaml_text(node));
}

void rg_yaml_print_flow(rg_text *out, const rg_yaml *node)
{
    bool map = rg_yaml_kind_of(node) == RG_YAML_MAP;
    if (rg_yaml_kind_of(node) == RG_YAML_TEXT) {
        print_scalar(out, node, true);
        return;
    }
    rg_text_add(out, map ? "{" : "[");
    for (size_t k = 0; k < rg_yaml_size(node); k++) {
        rg_text_add(out, k ? ", " : "");
        if (map) {
            print_scalar(out, rg_yaml_key_node(node, k), true);
            rg_text_add(out, ": ");
        }
        rg_yaml_print_flow(out, rg_yaml_item(node, k));
    }
    rg_text_add(out, map ? "}" : "]");
}

/* A list of words and numbers, or nothing at all, stands in one line. */
static bool is_short(const rg_yaml *node)
{
    size_t n = rg_yaml_size(node);
    bool list = rg_yaml_kind_of(node) == RG_YAML_LIST;
    for (size_t k = 0; list && k < n; k++)
        if (!rg_yaml_text(rg_yaml_item(node, k)) || !is_bare(rg_yaml_item(node, k), true))
            return false;
    return list || n == 0;
}

/* The pairs of a map, each in a line that begins with `indent` blanks; the first line may have
 * begun already. */
static void print_pairs(rg_text *out, const rg_yaml *map, unsigned indent, bool begun)
{
    for (size_t k = 0; k < rg_yaml_size(map); k++) {
        rg_text_add(out, "%*s", k == 0 && begun ? 0 : (int)indent, "");
        print_scalar(out, rg_yaml_key_node(map, k), false);
        rg_text_add(out, ":");
        rg_yaml_print(out, rg_yaml_item(map, k), indent);
    }
}

void rg_yaml_print(rg_text *out, const rg_yaml *node, unsigned indent)
{
    if (rg_yaml_kind_of(node) == RG_YAML_TEXT) {
        rg_text_add(out, " ");
        print_scalar(out, node, false);
        rg_text_add(out, "\n");
        return;
    }
    if (is_short(node)) {
        rg_text_add(out, " ");
        rg_yaml_print_flow(out, node);
        rg_text_add(out, "\n");
        return;
    }
    rg_text_add(out, "\n");
    if (rg_yaml_kind_of(node) == RG_YAML_MAP) {
        print_pairs(out, node, indent + 2, false);
        return;
    }
    for (size_t k = 0; k < rg_yaml_size(node); k++) {
        const rg_yaml *item = rg_yaml_item(node, k);
        rg_text_add(out, "%*s-", (int)indent + 2, "");
        if (rg_yaml_kind_of(item) == RG_YAML_MAP && rg_yaml_size(item) > 0) {
            rg_text_add(out, " ");
            print_pairs(out, item, indent + 4, true);
        } else {
            rg_yaml_print(out, item, indent + 2);
        }
    }
}
