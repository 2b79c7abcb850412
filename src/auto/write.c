/* write.c - a plan as a network file, and its reasons in three lines; see auto.h. */
#include "auto.h"

#include "text/yaml_edit.h"

#include <math.h>
#include <string.h>

/* Beginning of every comment; without comments nothing is written. */
static void comment(rg_text *out, const rg_auto_facts *f, const char *text)
{
    if (f->options->comments)
        rg_text_add(out, "# %s\n", text);
}

static const char *data_name(const rg_auto_facts *f)
{
    return f->source->arrays ? rg_arrays_name(f->source->arrays)
                             : rg_dataset_name(f->source->graphs);
}

static const char *task_text(const rg_auto_facts *f)
{
    return f->task == RG_TASK_CLASSES      ? "classes"
           : f->task == RG_TASK_MULTILABEL ? "yes-or-no answers"
           : f->n_outputs == 1             ? "real value"
                                           : "real values";
}

static void write_input(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    if (!p->n_input)
        return;
    comment(
        out, f,
        p->messages
            ? "Every atom has a channel for each element, charge, number of hydrogens, and so on."
        : p->n_input > 1 ? "Every node has the number 1 and its attributes."
                         : "Every node has the number 1: labels say what it is.");
    rg_text_add(out, p->n_input > 1 ? "input: [%s, %s]\n" : "input: %s\n", p->input[0],
                p->input[1]);
    if (p->standardise) {
        comment(out, f, "Numbers of any size get mean 0 and deviation 1 on the training set.");
        rg_text_add(out, "standardise: auto\n");
    }
}

static void write_labels(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    if (!p->n_labels)
        return;
    comment(out, f,
            "Labels: nodes with the same label share weights. In brackets how many there are in a "
            "sample,");
    comment(out, f, "and the part of the nodes whose label at least ten nodes have.");
    rg_text_add(out, "labels:\n");
    for (size_t k = 0; k < p->n_labels; k++) {
        const rg_auto_label *label = &p->labels[k];
        if (f->options->comments)
            rg_text_add(out, "  # %s (%u; %.0f %%)\n", label->why, (unsigned)label->n,
                        100 * label->repeat);
        rg_text_add(out, "  %s: ", label->name);
        rg_yaml_print_text(out, label->spec, false);
        rg_text_add(out, "\n");
    }
}

static void write_rule(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    const rg_auto_options *o = f->options;
    if (o->comments)
        rg_text_add(out, "  # A weight for every pair of labels at every distance up to %u.\n",
                    p->reach);
    rg_text_add(out, "  - rule:\n");
    for (size_t k = 0; k < o->n_rules; k++) {
        rg_text_add(out, "      - ");
        rg_yaml_print_text(out, o->rules[k], false);
        rg_text_add(out, "\n");
    }
    for (size_t k = 0; !o->n_rules && k < p->n_rules; k++)
        rg_text_add(out, "      - share %s(i), %s(j), dist(i,j) when dist(i,j) in 0..%u\n",
                    p->rules[k].left, p->rules[k].right, p->reach);
    if (!o->n_rules && p->bonds) {
        if (o->comments)
            rg_text_add(out, "      # And one for every edge label between them.\n");
        rg_text_add(out, "      - share %s(i), %s(j), bond(i,j) when edge(i,j)\n",
                    p->labels[0].name, p->labels[0].name);
    }
    if (p->bias)
        rg_text_add(out, "    bias: share %s(i)\n", p->bias);
    rg_text_add(out, "    heads: %u\n", p->heads);
    if (p->mix)
        rg_text_add(out, "    mix: full\n");
    if (strcmp(p->activation, "tanh") != 0)
        rg_text_add(out, "    activation: %s\n", p->activation);
}

static void write_pool(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    if (p->dropout > 0)
        rg_text_add(out, "  - dropout: %g\n", p->dropout);
    if (f->options->comments)
        rg_text_add(out, "  # Every node adds to the outputs, by its labels.\n");
    rg_text_add(out, "  - aggregate:\n");
    for (size_t k = 0; k < p->n_pools; k++)
        rg_text_add(out, "      - share out, %s(i)\n", p->pools[k]);
    if (p->sum)
        rg_text_add(out, "    by: sum\n");
    if (p->hidden)
        rg_text_add(out, "    outputs: %u\n    activation: tanh\n  - dense: auto\n", p->hidden);
    if (p->bounded) {
        if (f->options->comments)
            rg_text_add(out, "    # Outputs between -1 and 1 keep the network from learning its "
                             "samples by heart.\n");
        rg_text_add(out, "    activation: tanh\n");
    }
}

/* A GIN: what atoms have is summed over neighbours, then over the molecule. */
static void write_messages(rg_text *out, const rg_auto_facts *f)
{
    static const char layers[] = "  - dense: 64\n    activation: relu\n"
                                 "  - gin: 64\n  - gin: 64\n  - gin: 64\n  - dropout: 0.2\n";
    rg_text_add(out, "%s", layers);
    if (f->options->comments)
        rg_text_add(out, "  # Sums grow with the molecule, means do not.\n");
    rg_text_add(out,
                "  - pool: [sum, mean]\n  - dense: 64\n    activation: relu\n  - dense: auto\n");
}

static void write_layers(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    rg_text_add(out, "layers:\n");
    if (f->source->arrays) {
        rg_text_add(out,
                    "  - dense: 64\n    activation: relu\n  - dropout: 0.2\n  - dense: auto\n");
        return;
    }
    if (p->messages) {
        write_messages(out, f);
        return;
    }
    write_rule(out, p, f);
    write_pool(out, p, f);
}

static void write_training(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    size_t steps = f->n_train / p->batch;
    if (f->options->comments)
        rg_text_add(out, "# %zu training samples: %zu steps an epoch, %zu in all.\n", f->n_train,
                    steps ? steps : 1, (steps ? steps : 1) * p->epochs);
    rg_text_add(out, "training:\n");
    if (p->decay > 0)
        rg_text_add(out, "  optimiser: adamw\n  decay: %g\n", p->decay);
    if (p->balanced)
        rg_text_add(out, "  class_weights: balanced\n");
    rg_text_add(out, "  lr: %g\n  schedule: cosine\n  epochs: %u\n  batch: %u\n  patience: none\n",
                p->lr, p->epochs, p->batch);
    if (p->messages)
        rg_text_add(out, "  start: fan-in\n");
    rg_text_add(out, "  best: %s\n", p->best);
    if (p->metric)
        rg_text_add(out, "  metric: %s\n", p->metric);
}

/* ---- reasons */

static void reason_labels(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    if (p->messages) {
        rg_text_add(out,
                    "layers: message passing between atoms (GIN), for real values of molecules\n");
        return;
    }
    if (!p->n_labels) {
        rg_text_add(out, "layers: dense, for samples of one shape\n");
        return;
    }
    const rg_auto_label *last = &p->labels[p->n_labels - 1];
    rg_text_add(out, "labels: %s; up to %zu rounds of refinement, %.0f %% of the nodes repeat\n",
                p->labels[0].why, p->n_labels - 1, 100 * last->repeat);
    (void)f;
}

static void reason_rules(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    size_t steps = f->n_train / p->batch;
    if (f->options->n_rules)
        rg_text_add(out, "rules: %zu of yours; ", f->options->n_rules);
    else if (p->n_rules)
        rg_text_add(out, "rules: pairs up to distance %u, %zu kind%s of them%s; ", p->reach,
                    p->n_rules, p->n_rules == 1 ? "" : "s", p->bonds ? ", and edge labels" : "");
    rg_text_add(out, "training: %u epochs of %zu steps, batch %u, lr %g%s", p->epochs,
                steps ? steps : 1, p->batch, p->lr,
                p->metric ? ", judged by ROC-AUC: one class is frequent" : "");
}

static void write_reasons(rg_text *out, const rg_auto_plan *p, const rg_auto_facts *f)
{
    if (f->source->arrays)
        rg_text_add(out, "data: %zu samples, %zu %s\n", f->n_samples, f->n_outputs, task_text(f));
    else
        rg_text_add(out, "data: %zu graphs, %.3g nodes with %.3g neighbours each, %s%s%s, %zu %s\n",
                    f->n_samples, f->nodes, f->neighbours,
                    f->n_label_columns ? "node labels" : "no node labels",
                    f->n_bonds ? ", edge labels" : "", f->n_attributes ? ", attributes" : "",
                    f->n_outputs, task_text(f));
    reason_labels(out, p, f);
    reason_rules(out, p, f);
}

void rg_auto_write(rg_text *network, rg_text *reasons, const rg_auto_plan *plan,
                   const rg_auto_facts *facts)
{
    write_reasons(reasons, plan, facts);
    if (facts->options->comments) {
        char name[64];
        size_t n = 0; /* names of data sets may hold anything */
        for (const char *c = data_name(facts); *c && n + 1 < sizeof name; c++)
            name[n++] = (*c >= ' ' && *c < 127) ? *c : '?';
        name[n] = '\0';
        rg_text_add(network, "# A network that regula chose for %s: change what you like.\n", name);
    }
    write_input(network, plan, facts);
    write_labels(network, plan, facts);
    write_layers(network, plan, facts);
    write_training(network, plan, facts);
}
