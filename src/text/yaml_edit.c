/* yaml_edit.c - see yaml_edit.h; yaml_print.c prints. */
#include "yaml_edit.h"

#include "base/alloc.h"
#include "base/error.h"
#include "yaml_node.h"

#include <assert.h>
#include <string.h>

const char *rg_yaml_name(const rg_yaml *node)
{
    return node->name;
}

size_t rg_yaml_column(const rg_yaml *node)
{
    return node->column;
}

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "putting YAML together");
}

/* Copies of n nodes. What is there on failure is the caller's to free. */
static rg_status copy_all(rg_yaml ***out, size_t *n_out, rg_yaml *const *nodes, size_t n,
                          rg_error *err)
{
    rg_status status = RG_OK;
    if (n == 0)
        return RG_OK;
    *out = rg_alloc_zero(n, sizeof **out);
    if (!*out)
        return no_memory(err);
    for (; *n_out < n && !status; *n_out += !status)
        status = rg_yaml_copy(&(*out)[*n_out], nodes[*n_out], err);
    return status;
}

rg_status rg_yaml_copy_empty(rg_yaml **out, const rg_yaml *node, rg_error *err)
{
    rg_yaml *copy = rg_alloc_zero(1, sizeof *copy);
    if (!copy)
        return no_memory(err);
    copy->kind = node->kind;
    copy->quoted = node->quoted;
    copy->line = node->line;
    copy->column = node->column;
    copy->name = node->name;
    if (node->text) {
        copy->text = rg_copy_text(node->text, strlen(node->text));
        if (!copy->text) {
            rg_yaml_free(copy);
            return no_memory(err);
        }
    }
    *out = copy;
    return RG_OK;
}

rg_status rg_yaml_copy(rg_yaml **out, const rg_yaml *node, rg_error *err)
{
    rg_yaml *copy = NULL;
    rg_status status = rg_yaml_copy_empty(&copy, node, err);
    if (status)
        return status;
    copy->item_capacity = node->n_items;
    copy->key_capacity = node->n_keys;
    status = copy_all(&copy->items, &copy->n_items, node->items, node->n_items, err);
    if (!status)
        status = copy_all(&copy->keys, &copy->n_keys, node->keys, node->n_keys, err);
    if (status)
        rg_yaml_free(copy);
    else
        *out = copy;
    return status;
}

rg_status rg_yaml_new(rg_yaml **out, const char *name, const char *text, rg_error *err)
{
    rg_yaml *node = rg_alloc_zero(1, sizeof *node);
    if (!node)
        return no_memory(err);
    node->kind = text ? RG_YAML_TEXT : RG_YAML_MAP;
    node->line = node->column = 1;
    node->own_name = rg_copy_text(name, strlen(name));
    node->name = node->own_name;
    node->text = text ? rg_copy_text(text, strlen(text)) : NULL;
    if (!node->own_name || (text && !node->text)) {
        rg_yaml_free(node);
        return no_memory(err);
    }
    *out = node;
    return RG_OK;
}

rg_yaml *rg_yaml_edit(rg_yaml *node, size_t k)
{
    assert(k < node->n_items);
    return node->items[k];
}

/* n_items: not there. */
static size_t place_of(const rg_yaml *map, const char *key)
{
    size_t k = 0;
    while (k < map->n_keys && strcmp(map->keys[k]->text, key) != 0)
        k++;
    return k < map->n_keys ? k : map->n_items;
}

rg_yaml *rg_yaml_edit_find(rg_yaml *map, const char *key)
{
    size_t k = place_of(map, key);
    return k < map->n_items ? map->items[k] : NULL;
}

rg_status rg_yaml_put(rg_yaml *map, rg_yaml *key, rg_yaml *value, rg_error *err)
{
    size_t k = place_of(map, key->text);
    assert(map->kind == RG_YAML_MAP);
    if (k < map->n_items) {
        rg_yaml_free(key);
        rg_yaml_replace(map, k, value);
        return RG_OK;
    }
    if (!rg_grow(&map->items, &map->item_capacity, k + 1, sizeof value) ||
        !rg_grow(&map->keys, &map->key_capacity, k + 1, sizeof key)) {
        rg_yaml_free(key);
        rg_yaml_free(value);
        return no_memory(err);
    }
    map->keys[map->n_keys++] = key;
    map->items[map->n_items++] = value;
    return RG_OK;
}

void rg_yaml_replace(rg_yaml *node, size_t k, rg_yaml *value)
{
    assert(k < node->n_items);
    rg_yaml_free(node->items[k]);
    node->items[k] = value;
}

rg_status rg_yaml_rename(rg_yaml *map, const char *from, const char *to, rg_error *err)
{
    size_t k = place_of(map, from);
    assert(k < map->n_keys && place_of(map, to) == map->n_items);
    return rg_yaml_retext(map->keys[k], to, false, NULL, err);
}

void rg_yaml_remove(rg_yaml *map, const char *key)
{
    size_t k = place_of(map, key);
    if (k == map->n_items)
        return;
    rg_yaml_free(map->keys[k]);
    rg_yaml_free(map->items[k]);
    map->n_keys--;
    map->n_items--;
    memmove(map->keys + k, map->keys + k + 1, (map->n_keys - k) * sizeof *map->keys);
    memmove(map->items + k, map->items + k + 1, (map->n_items - k) * sizeof *map->items);
}

rg_status rg_yaml_retext(rg_yaml *node, const char *text, bool quoted, const char *origin,
                         rg_error *err)
{
    rg_text place = {0};
    assert(node->kind == RG_YAML_TEXT);
    rg_text_add(&place, "%s%s%s", origin ? origin : "", origin ? ": " : "", node->name);
    char *name = rg_text_take(&place), *own = rg_copy_text(text, strlen(text));
    if (!name || !own) {
        rg_free(name);
        rg_free(own);
        return no_memory(err);
    }
    rg_free(node->text);
    rg_free(node->own_name);
    node->text = own;
    node->quoted = quoted;
    node->own_name = name;
    node->name = name;
    return RG_OK;
}
