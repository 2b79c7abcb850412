/* yaml_node.h - the inside of a node of a YAML tree. */
#ifndef REGULA_TEXT_YAML_NODE_H
#define REGULA_TEXT_YAML_NODE_H

#include "yaml.h"

struct rg_yaml {
    rg_yaml_kind kind;
    bool quoted;
    size_t line, column; /* from 1, in letters */
    const char *name;    /* of the file: the root's own_name */
    char *own_name;      /* of the root; else NULL */
    char *text;          /* of a text; else NULL */
    rg_yaml **items;     /* of a list, or the values of a map */
    size_t n_items, item_capacity;
    rg_yaml **keys; /* of a map: as many as items, once it is read */
    size_t n_keys, key_capacity;
};

#endif
