/* features.h - the inside of rule features; see regula/features.h. */
#ifndef REGULA_LINEAR_FEATURES_H
#define REGULA_LINEAR_FEATURES_H

#include "regula/features.h"

struct rg_rule_features {
    char **names; /* of labelings, owned; so are all below */
    rg_rule_labeling *known;
    rg_labeling **labelings;
    size_t n_labels;
    rg_rule **rules;
    rg_rule_keys **keys;
    size_t n_rules;
    uint32_t **column;          /* [rule][key]: its column, or RG_NO_WEIGHT */
    uint32_t *rule_of, *key_of; /* [column] */
    size_t n;
    unsigned n_threads;
    char *cache;         /* NULL: none */
    char *data;          /* name of the set of the fit, for names of its labels */
    size_t node_columns; /* of it */
};

#endif
