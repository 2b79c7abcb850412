/* yaml.c - see yaml.h; from events of libyaml to a tree. yaml_value.c reads values out of it. */
#include "yaml.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "yaml_node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct builder {
    const char *name; /* the root's own, once there is one */
    const char *text; /* the whole file */
    size_t n;
    rg_yaml *root;
    rg_yaml *open[RG_YAML_DEPTH_MAX]; /* lists and maps that have not ended */
    size_t depth;
    size_t n_flow; /* of them, that are written with { } and [ ] */
    rg_error *err;
} builder;

void rg_yaml_free(rg_yaml *node)
{
    if (!node)
        return;
    for (size_t k = 0; k < node->n_items; k++)
        rg_yaml_free(node->items[k]);
    for (size_t k = 0; k < node->n_keys; k++)
        rg_yaml_free(node->keys[k]);
    rg_free(node->items);
    rg_free(node->keys);
    rg_free(node->text);
    rg_free(node->own_name);
    rg_free(node);
}

static rg_status complain(const builder *b, yaml_mark_t mark, const char *format, ...)
    RG_PRINTF(3, 4);

static rg_status complain(const builder *b, yaml_mark_t mark, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rg_fail(b->err, RG_EDATA, "%s:%zu:%zu: %s", b->name, mark.line + 1, mark.column + 1,
                   text);
}

static rg_status node_new(rg_yaml **out, const builder *b, rg_yaml_kind kind, yaml_mark_t mark)
{
    rg_yaml *node = rg_alloc_zero(1, sizeof *node);
    if (!node)
        return rg_fail_memory(b->err, "reading YAML");
    node->kind = kind;
    node->line = mark.line + 1;
    node->column = mark.column + 1;
    node->name = b->name;
    *out = node;
    return RG_OK;
}

/* A key is a text, stands once, and is no merge key. */
static rg_status check_key(const rg_yaml *map, const rg_yaml *key, rg_error *err)
{
    if (key->kind != RG_YAML_TEXT)
        return rg_yaml_expected(key, "a key", err);
    if (key->text[0] == '\0')
        return rg_yaml_complain(key, err, "found an empty key, expected a word");
    if (strcmp(key->text, "<<") == 0)
        return rg_yaml_complain(key, err, "found the merge key '<<', expected none");
    if (map->n_keys == RG_YAML_KEYS_MAX)
        return rg_yaml_complain(key, err, "found more than %d keys, expected fewer",
                                RG_YAML_KEYS_MAX);
    for (size_t k = 0; k < map->n_keys; k++)
        if (strcmp(map->keys[k]->text, key->text) == 0)
            return rg_yaml_complain(
                key, err, "found the key '%.40s' a second time (the first is in line %zu)",
                key->text, map->keys[k]->line);
    return RG_OK;
}

/* Puts a node into the innermost open list or map, or makes it the root. `node` is moved, also on
 * failure. */
static rg_status attach(builder *b, rg_yaml *node)
{
    rg_yaml *parent = b->depth ? b->open[b->depth - 1] : NULL;
    rg_status status = RG_OK;
    bool grown;
    if (!parent) {
        b->root = node;
        return RG_OK;
    }
    if (parent->kind == RG_YAML_MAP && parent->n_keys == parent->n_items) {
        status = check_key(parent, node, b->err);
        grown = !status &&
                rg_grow(&parent->keys, &parent->key_capacity, parent->n_keys + 1, sizeof node);
        if (grown)
            parent->keys[parent->n_keys++] = node;
    } else {
        grown = rg_grow(&parent->items, &parent->item_capacity, parent->n_items + 1, sizeof node);
        if (grown)
            parent->items[parent->n_items++] = node;
    }
    if (grown)
        return RG_OK;
    rg_yaml_free(node);
    return status ? status : rg_fail_memory(b->err, "reading YAML");
}

static rg_status refuse(const builder *b, const yaml_event_t *event, const char *what,
                        const yaml_char_t *name)
{
    return complain(b, event->start_mark, "found the %s '%.40s', expected none", what,
                    (const char *)name);
}

/* More brackets are opened than closed: "wl(depth=1, from=node)" without quotes was cut at its comma. */
static bool is_torn(const char *text, size_t n)
{
    size_t opened = 0, closed = 0;
    for (size_t k = 0; k < n; k++) {
        opened += text[k] == '(';
        closed += text[k] == ')';
    }
    return opened > closed;
}

static rg_status take_text(builder *b, const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;
    size_t n = event->data.scalar.length;
    rg_yaml *node = NULL;
    if (event->data.scalar.anchor)
        return refuse(b, event, "anchor", event->data.scalar.anchor);
    if (event->data.scalar.tag)
        return refuse(b, event, "tag", event->data.scalar.tag);
    if (memchr(value, '\0', n))
        return complain(b, event->start_mark, "found a text with a zero byte, expected none");
    rg_status status = node_new(&node, b, RG_YAML_TEXT, event->start_mark);
    if (status)
        return status;
    if (b->n_flow && b->open[b->depth - 1]->kind == RG_YAML_MAP &&
        event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && is_torn(value, n)) {
        rg_yaml_free(node);
        return complain(b, event->start_mark,
                        "found '%.60s', where '(' is not closed: inside { } a comma ends a "
                        "value, so quote it",
                        value);
    }
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = rg_copy_text(value, n);
    if (!node->text) {
        rg_yaml_free(node);
        return rg_fail_memory(b->err, "reading YAML");
    }
    return attach(b, node);
}

static rg_status take_start(builder *b, const yaml_event_t *event)
{
    bool map = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *anchor =
        map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    const yaml_char_t *tag = map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    rg_yaml *node = NULL;
    if (anchor)
        return refuse(b, event, "anchor", anchor);
    if (tag)
        return refuse(b, event, "tag", tag);
    if (b->depth == RG_YAML_DEPTH_MAX)
        return complain(b, event->start_mark,
                        "found more than %d lists and maps inside each other, expected fewer",
                        RG_YAML_DEPTH_MAX);
    rg_status status = node_new(&node, b, map ? RG_YAML_MAP : RG_YAML_LIST, event->start_mark);
    if (!status)
        status = attach(b, node);
    bool flow = map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                    : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    if (!status) {
        b->open[b->depth++] = node;
        b->n_flow += flow;
    }
    return status;
}

static rg_status take_event(builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->root)
            return complain(b, event->start_mark, "found a second document, expected one");
        if (event->data.document_start.tag_directives.start !=
            event->data.document_start.tag_directives.end)
            return complain(b, event->start_mark, "found a %%TAG directive, expected none");
        return RG_OK;
    case YAML_ALIAS_EVENT:
        return refuse(b, event, "alias", event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        return take_text(b, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return take_start(b, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        b->n_flow -= b->n_flow > 0; /* what is inside of { } is written so, too */
        return RG_OK;
    default:
        return RG_OK;
    }
}

/* Does a tab stand in this place? That is the usual reason for what libyaml says in riddles. */
static bool is_tab(const builder *b, yaml_mark_t mark)
{
    const char *p = b->text, *end = b->text + b->n;
    for (size_t line = 0; line < mark.line; line++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p)
            return false;
        p++;
    }
    return (size_t)(end - p) > mark.column && p[mark.column] == '\t';
}

static rg_status parser_failed(const builder *b, const yaml_parser_t *parser)
{
    const char *problem = parser->problem ? parser->problem : "not YAML";
    if (parser->error == YAML_MEMORY_ERROR)
        return rg_fail_memory(b->err, "reading YAML");
    if (parser->error == YAML_READER_ERROR) { /* the only one without a mark */
        yaml_mark_t mark = {0};
        for (size_t k = 0; k < parser->problem_offset && k < b->n; k++) {
            bool whole = ((unsigned char)b->text[k] & 0xC0) != 0x80;
            mark.column = b->text[k] == '\n' ? 0 : mark.column + whole;
            mark.line += b->text[k] == '\n';
        }
        return complain(b, mark, "found a byte that is not text: %s, expected UTF-8", problem);
    }
    if (is_tab(b, parser->problem_mark))
        return complain(b, parser->problem_mark, "found a tab, expected blanks");
    if (parser->context)
        return complain(b, parser->problem_mark, "%s %s that began in line %zu%s", problem,
                        parser->context, parser->context_mark.line + 1,
                        strstr(problem, "'}'")
                            ? " (a value with a comma or brackets inside { }: quote it)"
                            : "");
    return complain(b, parser->problem_mark, "%s", problem);
}

static rg_status run(builder *b, yaml_parser_t *parser)
{
    rg_status status = RG_OK;
    bool more = true;
    while (!status && more) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return parser_failed(b, parser);
        more = event.type != YAML_STREAM_END_EVENT;
        status = take_event(b, &event);
        yaml_event_delete(&event);
    }
    return status;
}

/* Nothing, or nothing but "---", is an empty map. */
static rg_status empty_map(builder *b)
{
    if (b->root && (b->root->kind != RG_YAML_TEXT || b->root->quoted || b->root->text[0]))
        return RG_OK;
    rg_yaml_free(b->root);
    b->root = NULL;
    return node_new(&b->root, b, RG_YAML_MAP, (yaml_mark_t){0});
}

rg_status rg_yaml_parse(rg_yaml **out, const char *name, const char *text, size_t n, rg_error *err)
{
    builder b = {.text = text, .n = n, .err = err};
    yaml_parser_t parser;
    if (n > RG_YAML_BYTES_MAX)
        return rg_fail(err, RG_EDATA, "%s: found %zu bytes, expected at most %d", name, n,
                       RG_YAML_BYTES_MAX);
    char *own_name = rg_copy_text(name, strlen(name));
    if (!own_name)
        return rg_fail_memory(err, "reading YAML");
    b.name = own_name;
    if (!yaml_parser_initialize(&parser)) {
        rg_free(own_name);
        return rg_fail_memory(err, "reading YAML");
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    rg_status status = run(&b, &parser);
    yaml_parser_delete(&parser);
    if (!status)
        status = empty_map(&b);
    if (status) {
        rg_yaml_free(b.root);
        rg_free(own_name);
        return status;
    }
    b.root->own_name = own_name;
    *out = b.root;
    return RG_OK;
}

rg_status rg_yaml_read(rg_yaml **out, const char *path, rg_error *err)
{
    void *bytes = NULL;
    size_t n = 0;
    rg_status status = rg_file_load(&bytes, &n, path, NULL, RG_YAML_BYTES_MAX, err);
    if (!status)
        status = rg_yaml_parse(out, path, bytes, n, err);
    rg_free(bytes);
    return status;
}
