/* map.c - see map.h. */
#include "map.h"

#include "base/alloc.h"
#include "base/error.h"
#include "rule/rule.h"

#include <string.h>

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "start values of a model");
}

/* ---- channels of the input */

enum { OF_CHANNEL = 1000, OF_OUTPUT }; /* first words; label/meaning.c has smaller ones */

static const char *column_name(const rg_network *net, rg_column kind, size_t column)
{
    for (size_t k = net->names.n_values; k < net->names.n; k++)
        if (net->names.list[k].kind == kind && net->names.list[k].column == column)
            return net->names.list[k].name;
    return NULL;
}

/* A column by its name, or by its number where numbers mean the same. */
static rg_status column_meaning(uint32_t *out, const rg_transfer_side *side, rg_column kind,
                                size_t column, rg_error *err)
{
    const char *name = column_name(side->net, kind, column);
    rg_meanings named = side->m;
    rg_value_name one = {kind, column, 0, name};
    if (name) {
        named.names[0] = &one;
        named.n_names[0] = 1;
    }
    return rg_meaning_of_value(out, &named, kind, column, 0, err);
}

/* SIGNED and SCALED: the number of a label depends on all labels, so they must be the same. */
static rg_status scale_meaning(uint32_t *out, const rg_transfer_side *side,
                               const rg_net_signal *signal, rg_error *err)
{
    uint32_t *list = rg_alloc(signal->n_values + 2, sizeof *list);
    rg_status status = list ? RG_OK : no_memory(err);
    bool known = true;
    for (size_t k = 0; !status && k < signal->n_values; k++) {
        status = rg_meaning_of_value(&list[k], &side->m, RG_NODE_LABEL, signal->column,
                                     signal->values[k], err);
        known = known && list[k] != RG_UNSEEN;
    }
    if (!status)
        *out = known ? rg_meaning_of_words(&side->m, list, signal->n_values) : RG_UNSEEN;
    if (!status && known && *out == RG_TABLE_NONE)
        status = no_memory(err);
    rg_free(list);
    return status;
}

/* What channel c of a signal is, but for its kind and how it is standardised. RG_UNSEEN: nobody knows. */
static rg_status what_channel(uint32_t *out, const rg_transfer_side *side, size_t s, uint32_t c,
                              rg_error *err)
{
    const rg_net_signal *signal = &side->net->signals[s];
    const char *text = side->net->spec->signals[s].labeling;
    uint32_t words[2] = {0};
    *out = c;
    switch (signal->kind) {
    case RG_SIGNAL_DEGREE:
    case RG_SIGNAL_VALUES:
        return RG_OK;
    case RG_SIGNAL_CONSTANT:
        memcpy(words, &signal->value, sizeof words);
        *out = rg_meaning_of_words(&side->m, words, 2);
        return *out == RG_TABLE_NONE ? no_memory(err) : RG_OK;
    case RG_SIGNAL_COUNT:
        *out = rg_table_add(side->m.words, text, strlen(text));
        words[0] = *out;
        words[1] = c;
        *out = *out == RG_TABLE_NONE ? *out : rg_meaning_of_words(&side->m, words, 2);
        return *out == RG_TABLE_NONE ? no_memory(err) : RG_OK;
    case RG_SIGNAL_ATTRIBUTES:
        return column_meaning(out, side, RG_NODE_ATTRIBUTE, c, err);
    case RG_SIGNAL_ONE_HOT:
        if (signal->labeling == SIZE_MAX)
            return rg_meaning_of_value(out, &side->m, RG_NODE_LABEL, signal->column,
                                       signal->values[c], err);
        *out = side->labels[signal->labeling][c];
        return RG_OK;
    case RG_SIGNAL_SIGNED:
    case RG_SIGNAL_SCALED:
        return scale_meaning(out, side, signal, err);
    default: /* RELATIVE: labels by their numbers */
        *out = RG_UNSEEN;
        return RG_OK;
    }
}

static rg_status read_inputs(rg_transfer_side *side, rg_error *err)
{
    const rg_network *net = side->net;
    size_t at = 0;
    side->inputs = rg_alloc(net->n_channels + (size_t)1, sizeof *side->inputs);
    if (!side->inputs)
        return no_memory(err);
    for (size_t s = 0; s < net->spec->n_signals; s++)
        for (uint32_t c = 0; c < net->signals[s].n_channels && at < net->n_channels; c++, at++) {
            const rg_net_signal *signal = &net->signals[s];
            uint32_t words[7] = {OF_CHANNEL, (uint32_t)signal->kind};
            rg_status status = what_channel(&words[2], side, s, c, err);
            if (status)
                return status;
            if (signal->shift) {
                memcpy(words + 3, &signal->shift[c], sizeof(double));
                memcpy(words + 5, &signal->factor[c], sizeof(double));
            }
            side->inputs[at] =
                words[2] == RG_UNSEEN ? RG_UNSEEN : rg_meaning_of_words(&side->m, words, 7);
            if (words[2] != RG_UNSEEN && side->inputs[at] == RG_TABLE_NONE)
                return no_memory(err);
        }
    for (; at < net->n_channels; at++)
        side->inputs[at] = RG_UNSEEN;
    return RG_OK;
}

/* ---- outputs */

static rg_status read_output(uint32_t *out, const rg_transfer_side *side, uint32_t o, rg_error *err)
{
    const rg_network *net = side->net;
    rg_column kind = rg_network_target_kind(net);
    bool one = rg_task_of_classes(net->task);
    const rg_net_classes *classes = &net->targets[one ? 0 : o];
    uint32_t words[4] = {OF_OUTPUT, (uint32_t)net->task};
    rg_status status = one ? rg_meaning_of_value(&words[2], &side->m, kind, classes->column,
                                                 classes->values[o], err)
                           : column_meaning(&words[2], side, kind, classes->column, err);
    if (!status && net->task == RG_TASK_MULTILABEL) /* which value is yes */
        words[3] = (uint32_t)classes->values[classes->n - 1];
    *out = RG_UNSEEN;
    if (status || words[2] == RG_UNSEEN)
        return status;
    *out = rg_meaning_of_words(&side->m, words, 4);
    return *out == RG_TABLE_NONE ? no_memory(err) : RG_OK;
}

rg_status rg_transfer_side_open(rg_transfer_side *side, rg_error *err)
{
    const rg_network *net = side->net;
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < net->spec->n_labels; k++) {
        side->labels[k] = rg_alloc(rg_labeling_size(net->labelings[k]), sizeof *side->labels[k]);
        status = side->labels[k]
                     ? rg_labeling_meanings(side->labels[k], net->labelings[k], &side->m, err)
                     : no_memory(err);
    }
    if (!status)
        status = read_inputs(side, err);
    side->outputs = rg_alloc(net->n_outputs + (size_t)1, sizeof *side->outputs);
    if (!status && !side->outputs)
        status = no_memory(err);
    for (uint32_t o = 0; !status && o < net->n_outputs; o++)
        status = read_output(&side->outputs[o], side, o, err);
    return status;
}

void rg_transfer_side_close(rg_transfer_side *side)
{
    for (size_t k = 0; k < RG_SPEC_LABELS_MAX; k++)
        rg_free(side->labels[k]);
    rg_free(side->inputs);
    rg_free(side->outputs);
}

/* ---- places of equal things */

rg_status rg_transfer_match(uint32_t *map, bool *any, const uint32_t *to, size_t n,
                            const uint32_t *from, size_t n_from, rg_error *err)
{
    rg_table *places = rg_table_new();
    uint32_t *first = rg_alloc(n_from + 1, sizeof *first);
    rg_status status = places && first ? RG_OK : no_memory(err);
    *any = false;
    for (size_t k = 0; !status && k < n_from; k++) {
        size_t size = rg_table_size(places);
        uint32_t at =
            from[k] == RG_UNSEEN ? RG_UNSEEN : rg_table_add(places, &from[k], sizeof *from);
        if (from[k] != RG_UNSEEN && at == RG_TABLE_NONE)
            status = no_memory(err);
        else if (at == size)
            first[at] = (uint32_t)k;
    }
    for (size_t k = 0; !status && k < n; k++) {
        uint32_t at =
            to[k] == RG_UNSEEN ? RG_TABLE_NONE : rg_table_find(places, &to[k], sizeof *to);
        map[k] = at == RG_TABLE_NONE ? RG_NO_TWIN : first[at];
        *any = *any || map[k] != RG_NO_TWIN;
    }
    rg_table_free(places);
    rg_free(first);
    return status;
}

/* ---- keys */

static const rg_term *term_at(const rg_rule *rule, int term)
{
    return &rule->terms[term];
}

/* Is the value of a term a number of one data set: a label, a value of a file, a class of nodes? */
static bool is_own(const rg_rule *rule, const rg_term *t)
{
    rg_property_kind kind =
        t->op == RG_OP_PROPERTY ? rule->slots[t->index].property.kind : RG_NO_PROPERTY;
    return t->op == RG_OP_LABEL || t->op == RG_OP_NODE_LABEL || t->op == RG_OP_TABLE ||
           t->op == RG_OP_BIN || kind == RG_PROPERTY_BONDS || kind == RG_PROPERTY_MARKED ||
           (kind != RG_NO_PROPERTY && rg_property_table_of(kind)->labels);
}

/* Does a term mean the same in all data sets? Two labels of one kind may be compared, and a label with one by name. */
static bool is_common(const rg_rule *rule, int term)
{
    if (term == RG_NO_TERM)
        return true;
    const rg_term *t = term_at(rule, term);
    if (t->op == RG_OP_EQUAL || t->op == RG_OP_UNEQUAL) {
        const rg_term *a = term_at(rule, t->a), *b = term_at(rule, t->b);
        bool same = is_own(rule, a) && a->op == b->op && a->index == b->index;
        bool named = (a->op == RG_OP_NUMBER && a->index) || (b->op == RG_OP_NUMBER && b->index);
        if (same || named)
            return true;
    }
    return !is_own(rule, t) && is_common(rule, t->a) && is_common(rule, t->b) &&
           is_common(rule, t->c);
}

static size_t labeling_of(const rg_network *net, const char *name)
{
    size_t k = 0;
    while (k < net->spec->n_labels && strcmp(net->spec->label_names[k], name) != 0)
        k++;
    return k;
}

/* A part of a key: its meaning. RG_UNSEEN: it has none for others. */
static rg_status part_meaning(int64_t *out, const rg_transfer_side *side, const rg_rule *rule,
                              size_t part, int64_t value, bool last, rg_error *err)
{
    const rg_term *t = term_at(rule, rule->keys[part]);
    const rg_slot *slot = t->op == RG_OP_PROPERTY ? &rule->slots[t->index] : NULL;
    bool edges = slot && rg_property_table_of(slot->property.kind)->labels;
    uint32_t meaning = 0;
    rg_status status = RG_OK;
    *out = value;
    if (value == RG_NO_VALUE)
        return RG_OK;
    if (t->op == RG_OP_LABEL) {
        size_t k = labeling_of(side->net, rule->names[t->index]);
        *out = k < side->net->spec->n_labels && value >= 0 &&
                       value < (int64_t)rg_labeling_size(side->net->labelings[k])
                   ? side->labels[k][value]
                   : RG_UNSEEN;
    } else if (t->op == RG_OP_NODE_LABEL || edges) {
        status = rg_meaning_of_value(&meaning, &side->m, edges ? RG_EDGE_LABEL : RG_NODE_LABEL,
                                     edges ? slot->property.parameter : t->index, value, err);
        *out = meaning;
    } else if (t->op == RG_OP_VARIABLE && t->variable == RG_VAR_OUT && last)
        *out = value >= 0 && value < side->net->n_outputs ? side->outputs[value] : RG_UNSEEN;
    return status;
}

static bool same_edges(const rg_net_rule *a, const rg_net_rule *b)
{
    size_t n, m;
    const double *x = rg_rule_keys_edges(a->keys, &n), *y = rg_rule_keys_edges(b->keys, &m);
    return n == m && (n == 0 || memcmp(x, y, n * sizeof *x) == 0);
}

static const char *apart(const rg_net_rule *a, const rg_net_rule *b)
{
    const rg_rule *rule = a->rule;
    if (!same_edges(a, b))
        return "values are binned at other edges";
    if (!is_common(rule, rule->condition))
        return "its condition looks at numbers of one data set";
    for (size_t k = 0; k < rule->info.n_keys; k++) {
        const rg_term *t = term_at(rule, rule->keys[k]);
        bool label = t->op == RG_OP_LABEL || t->op == RG_OP_NODE_LABEL || t->op == RG_OP_BIN ||
                     (t->op == RG_OP_PROPERTY && is_own(rule, t) &&
                      rg_property_table_of(rule->slots[t->index].property.kind)->labels);
        if (!label && !is_common(rule, rule->keys[k]))
            return "its keys have numbers of one data set";
    }
    return NULL;
}

/* One number per key, RG_UNSEEN where others cannot have it. Owned (rg_free). */
static rg_status key_meanings(uint32_t **out, const rg_transfer_side *side, const rg_net_rule *rule,
                              bool last, rg_error *err)
{
    size_t n = rg_rule_keys_size(rule->keys), width = rg_rule_keys_width(rule->keys);
    const int64_t *keys = rg_rule_keys_data(rule->keys);
    int64_t words[RG_RULE_KEYS_MAX + 1];
    uint32_t *list = rg_alloc(n + 1, sizeof *list);
    rg_status status = list ? RG_OK : no_memory(err);
    for (size_t k = 0; !status && k < n; k++) {
        bool known = true;
        for (size_t p = 0; !status && p < width; p++) {
            status = part_meaning(&words[p], side, rule->rule, p, keys[k * width + p], last, err);
            known = known && words[p] != (int64_t)RG_UNSEEN;
        }
        words[width] = INT64_MAX; /* apart from all else in the table */
        list[k] = known && !status ? rg_table_add(side->m.words, words, (width + 1) * sizeof *words)
                                   : RG_UNSEEN;
        if (known && !status && list[k] == RG_TABLE_NONE)
            status = no_memory(err);
    }
    if (status)
        rg_free(list);
    else
        *out = list;
    return status;
}

rg_status rg_transfer_keys(uint32_t *map, const char **why, const rg_transfer_side *to,
                           const rg_net_rule *rule, const rg_transfer_side *from,
                           const rg_net_rule *other, bool last, rg_error *err)
{
    size_t n = rg_rule_keys_size(rule->keys), n_from = rg_rule_keys_size(other->keys);
    uint32_t *own = NULL, *others = NULL;
    bool any = false;
    for (size_t k = 0; k < n; k++)
        map[k] = RG_NO_TWIN;
    *why = apart(rule, other);
    if (*why)
        return RG_OK;
    rg_status status = key_meanings(&own, to, rule, last, err);
    if (!status)
        status = key_meanings(&others, from, other, last, err);
    if (!status)
        status = rg_transfer_match(map, &any, own, n, others, n_from, err);
    if (!status && !any)
        *why = "none of its keys means the same in the model";
    rg_free(own);
    rg_free(others);
    return status;
}
