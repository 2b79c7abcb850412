/* choose.c - from facts to a plan; see auto.h.
 *
 * A rule learns a weight for every pair of labels at every distance. It carries over to other graphs if
 * labels repeat: so labels are as fine as they can be while most nodes have one that occurs often. */
#include "auto.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LABELS_BOUND = 2000,
    FEW_KINDS = 12,   /* that tell hardly anything apart */
    VALUES_REACH = 3, /* largest distance where real values are learned */
    FEW_CLASSES = 5,
    FEW_BONDS = 32,   /* labels of edges that are kinds, not numbers */
    BONDS_FROM = 500, /* training samples: below this they cost more than they bring */
    TINY = 100,       /* samples: below this batches are of 8 */
    SMALL = 1500,     /* below this of 16, else of 64 */
    STEPS = 2000,     /* of the optimiser, on small sets */
    STEPS_LARGE = 1000,
    EPOCHS_LEAST = 8,
    EPOCHS_MOST = 400
};
static const double kinds_repeat = 0.9; /* part of the nodes whose kind must repeat */
static const double carries_over = 0.8; /* part of the nodes whose label must repeat */
#define TREES 3.2                       /* neighbours: hardly any cycle */
static const double operations = 1.5e9; /* of all epochs of a fold, about */
static const double many_pairs = 4e6;   /* that one rule joins in the whole set */

static rg_auto_label *add_label(rg_auto_plan *p, const char *name, const char *spec)
{
    rg_auto_label *label = &p->labels[p->n_labels++];
    *label = (rg_auto_label){.name = name};
    snprintf(label->spec, sizeof label->spec, "%s", spec);
    return label;
}

static rg_status measure(rg_auto_label *label, const rg_auto_facts *f, rg_error *err)
{
    return rg_auto_repeat(&label->repeat, &label->n, f, label->spec, err);
}

/* ---- labels */

/* Few neighbours everywhere, as in molecules: then rings are few, too. */
static bool is_sparse(const rg_auto_facts *f)
{
    return !f->texts && f->neighbours <= TREES && f->most_neighbours <= 16;
}

typedef struct kind_list {
    char specs[8][RG_AUTO_SPEC_MAX];
    const char *why[8];
    size_t n;
} kind_list;

static void add_kind(kind_list *list, const char *why, const char *spec)
{
    snprintf(list->specs[list->n], RG_AUTO_SPEC_MAX, "%s", spec);
    list->why[list->n++] = why;
}

/* What a node is by itself, from the finest that may be meant to the coarsest. The last two are for sets in
 * which all nodes are alike. */
static void list_kinds(kind_list *list, const rg_auto_facts *f)
{
    bool labels = f->n_labels > 1, sparse = is_sparse(f);
    list->n = 0;
    if (sparse && f->n_label_columns > 2)
        add_kind(list, "the labels of three columns, and the rings that the node is in",
                 "combine(node, node(1), node(2), cycles(kind=induced, max=6))");
    if (sparse && labels)
        add_kind(list, "the label, and the rings that the node is in",
                 "combine(node, cycles(kind=induced, max=6))");
    else if (sparse)
        add_kind(list, "the number of neighbours, and the rings that the node is in",
                 "combine(degree, cycles(kind=induced, max=6))");
    else if (labels && !f->texts)
        add_kind(list, "the label and the number of neighbours", "combine(node, degree)");
    else if (!labels && f->neighbours <= TREES)
        add_kind(list, "the number of neighbours, up to about twenty", "degree(max=20)");
    else if (!labels)
        add_kind(list, "the cliques that the node is in", "cliques(max=5, max_labels=1000)");
    if (labels)
        add_kind(list, "the label", "node");
    add_kind(list, "the number of neighbours", "degree");
    add_kind(list, "the cycles that the node is in", "cycles(kind=induced, max=8)");
}

/* The first that repeats. One that tells hardly anything apart gives way to the next that tells more. */
static rg_status choose_kind(rg_auto_plan *p, const rg_auto_facts *f, rg_error *err)
{
    kind_list list;
    list_kinds(&list, f);
    rg_auto_label *kind = add_label(p, "kind", "");
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < list.n; k++) {
        rg_auto_label next = {.name = kind->name, .why = list.why[k]};
        snprintf(next.spec, sizeof next.spec, "%s", list.specs[k]);
        status = measure(&next, f, err);
        if (!status && (k == 0 || (next.repeat >= kinds_repeat &&
                                   (kind->repeat < kinds_repeat || next.n > kind->n))))
            *kind = next;
        if (kind->repeat >= kinds_repeat && kind->n >= FEW_KINDS)
            break;
    }
    return status;
}

static rg_status add_rounds(rg_auto_plan *p, const char *name, unsigned depth, const char *why,
                            const rg_auto_facts *f, rg_error *err)
{
    char spec[RG_AUTO_SPEC_MAX];
    if (snprintf(spec, sizeof spec, "wl(depth=%u, from=%s, max=%d)", depth, p->labels[0].spec,
                 LABELS_BOUND) >= (int)sizeof spec)
        return RG_OK;
    rg_auto_label *label = add_label(p, name, spec);
    label->why = why;
    rg_status status = measure(label, f, err);
    if (!status && label->n == label[-1].n &&
        label->n < LABELS_BOUND) /* no finer than the one before */
        p->n_labels--;
    return status;
}

static rg_status choose_labels(rg_auto_plan *p, const rg_auto_facts *f, rg_error *err)
{
    rg_status status = choose_kind(p, f, err);
    if (!status)
        status = add_rounds(p, "near", 1, "the same with that of the neighbours", f, err);
    if (!status)
        status = add_rounds(p, "far", 2, "and with that of theirs", f, err);
    return status;
}

/* ---- layers */

static unsigned choose_reach(const rg_auto_facts *f)
{
    unsigned reach = RG_AUTO_REACH_MAX;
    double most = many_pairs;
    if (most < 400 * (double)f->n_samples)
        most = 400 * (double)f->n_samples;
    while (reach > 1 && (f->pairs[reach] > most || f->pairs[reach] < 1.02 * f->pairs[reach - 1]))
        reach--;
    return reach;
}

static void add_rule(rg_auto_plan *p, const char *left, const char *right)
{
    p->rules[p->n_rules].left = left;
    p->rules[p->n_rules++].right = right;
}

static void choose_layers(rg_auto_plan *p, const rg_auto_facts *f)
{
    while (f->task == RG_TASK_VALUES && p->n_labels > 1 &&
           p->labels[p->n_labels - 1].repeat < carries_over)
        p->n_labels--;
    p->reach = choose_reach(f);
    for (size_t k = 0; k < p->n_labels; k++)
        if (k == 0 || p->labels[k].repeat >= carries_over)
            add_rule(p, p->labels[k].name, p->labels[k].name);
    p->bonds = f->n_bonds > 1 && f->n_bonds <= FEW_BONDS && f->n_train >= BONDS_FROM &&
               f->task != RG_TASK_VALUES;
    p->bias = p->labels[p->n_labels - 1].name;
    p->heads = 4;
    p->activation = "tanh";
    p->dropout = 0.3;
    p->input[p->n_input++] = "constant";
    if (f->n_attributes) {
        p->input[p->n_input++] = "attributes";
        p->standardise = p->mix = true;
        p->heads = 8;
    }
    for (size_t k = 0; k < p->n_labels; k++)
        p->pools[p->n_pools++] = p->labels[k].name;
    p->bounded = f->task == RG_TASK_CLASSES && f->n_outputs <= FEW_CLASSES && f->n_train >= SMALL;
    /* Values add up, and rules that are too fine learn samples by heart. */
    if (f->task == RG_TASK_VALUES) {
        p->sum = p->standardise = true;
        p->heads = 8;
        p->dropout = 0.1;
        p->reach = p->reach < VALUES_REACH ? p->reach : VALUES_REACH;
        p->n_rules = 1;
    }
}

/* Without labels, hardly any cycle, and some nodes with very many neighbours (threads of a discussion): how many nodes
 * of which kind meet which counts, so numbers add up, and a layer behind them weighs the sums. */
static bool has_hubs(const rg_auto_facts *f)
{
    return f->n_labels <= 1 && !f->texts && !f->n_attributes && f->neighbours <= TREES &&
           !is_sparse(f);
}

static void choose_hubs(rg_auto_plan *p, const rg_auto_facts *f)
{
    p->n_labels = 1;
    p->reach = choose_reach(f);
    add_rule(p, p->labels[0].name, p->labels[0].name);
    p->bias = p->pools[p->n_pools++] = p->labels[0].name;
    p->heads = 8;
    p->activation = "relu";
    p->input[p->n_input++] = "constant";
    p->sum = true;
    p->hidden = 16;
    p->standardise = f->task == RG_TASK_VALUES;
}

/* Real values of molecules: of scaffolds that were never seen, sums of messages tell more than weights of pairs of labels
 * that hardly repeat. */
static void choose_messages(rg_auto_plan *p)
{
    p->messages = p->standardise = true;
    p->input[p->n_input++] = "labels";
}

/* ---- training */

/* Operations of an epoch, about: one for every connection and head. */
static double epoch_cost(const rg_auto_plan *p, const rg_auto_facts *f)
{
    return (double)p->n_rules * p->heads * (p->mix ? 1 + (double)f->n_attributes / 8 : 1) *
           f->pairs[p->reach];
}

static void choose_training(rg_auto_plan *p, const rg_auto_facts *f)
{
    bool values = f->task == RG_TASK_VALUES && !p->messages;
    p->batch = f->n_train < TINY                                   ? 8
               : p->messages || (p->hidden && f->n_train >= SMALL) ? 32
               : f->n_train < SMALL                                ? 16
                                                                   : 64;
    size_t steps = f->n_train / p->batch;
    double wanted = f->task == RG_TASK_VALUES || f->n_train < SMALL ? STEPS : STEPS_LARGE;
    double epochs = ceil((values ? 2 : 1) * wanted / (double)(steps ? steps : 1));
    double most = f->source->graphs ? operations / epoch_cost(p, f) : EPOCHS_MOST;
    epochs = epochs < 2 * EPOCHS_LEAST ? 2 * EPOCHS_LEAST : epochs;
    epochs = epochs > most ? floor(most) : epochs;
    p->epochs = (unsigned)(epochs < EPOCHS_LEAST  ? EPOCHS_LEAST
                           : epochs > EPOCHS_MOST ? EPOCHS_MOST
                                                  : epochs);
    p->lr = p->messages ? 0.003 : values || p->mix || p->hidden ? 0.005 : 0.01;
    p->decay = values ? 0.1 : 0;
    p->best = p->bounded ? "score" : "loss";
    if (f->task != RG_TASK_VALUES && f->majority > RG_METRIC_MAJORITY)
        p->metric = "auto";
    p->balanced = p->metric && f->task == RG_TASK_CLASSES;
}

rg_status rg_auto_choose(rg_auto_plan *out, const rg_auto_facts *facts, rg_error *err)
{
    *out = (rg_auto_plan){.n_labels = 0};
    bool messages = facts->atoms && facts->task == RG_TASK_VALUES && !facts->options->n_rules;
    rg_status status = RG_OK;
    if (facts->source->graphs && messages)
        choose_messages(out);
    else if (facts->source->graphs)
        status = choose_labels(out, facts, err);
    if (status)
        return status;
    if (facts->source->graphs && has_hubs(facts) && !facts->options->n_rules)
        choose_hubs(out, facts);
    else if (facts->source->graphs && !messages)
        choose_layers(out, facts);
    choose_training(out, facts);
    return RG_OK;
}
