/* layer_nets.c - see layer_nets.h. */
#include "layer_nets.h"

#define LABELS "labels: {d: degree, a: node}\n"
#define CLASSES "task: classification\n" LABELS

static const layer_net nets[] = {
    /* ---- gin, mlp, readout */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - mlp: 4\n"
                     "  - gin: 4\n"
                     "  - {gin: 3, eps: 0.25}\n"
                     "  - {readout: sum, dropout: 0.3}\n",
     .batched = true},
    {.text = CLASSES "input: [labels, degree]\n"
                     "layers:\n"
                     "  - {gin: 4, name: g1}\n"
                     "  - {gin: 4, residual: true, name: g2}\n"
                     "  - {readout: max, of: [g2, g1, g2], outputs: 5, activation: gelu, name: p}\n"
                     "  - {readout: mean, of: g1, outputs: 2, name: r}\n"
                     "  - concat: [r, p, r]\n"
                     "  - dense: auto\n",
     .batched = true},
    /* two readouts of every layer, one behind the other */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - gcn: 3\n"
                     "  - {gcn: 2, activation: tanh}\n"
                     "  - {readout: sum, outputs: 2, name: p}\n"
                     "  - {readout: max, outputs: 2, activation: tanh, name: q}\n"
                     "  - concat: [p, q]\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {gine: 4, name: g1}\n"
                     "  - {gine: 4, eps: 0.5, residual: true, name: g2}\n"
                     "  - {gcn: 3, from: input, name: g3}\n"
                     "  - pool: [sum, max]\n"
                     "    of: [g2, g1, g3]\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [labels, attributes]\n"
                     "standardise: auto\n"
                     "layers:\n"
                     "  - {dense: 3, activation: tanh}\n"
                     "  - gine: 3\n"
                     "  - pool: mean\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- rules and aggregations inside batches */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - gin: 3\n"
                     "  - rule: share d(i), dist(i,j) when dist(i,j) <= 1\n"
                     "    bias: share d(i)\n"
                     "    residual: true\n"
                     "  - rule: [\"share a(i) when edge(i,j)\", share 1 when i = j]\n"
                     "    mix: full\n"
                     "    heads: 4\n"
                     "  - {sage: 3, aggregation: add}\n"
                     "  - aggregate: share out, a(i)\n"
                     "    by: sum\n"
                     "    outputs: 4\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [attributes, signed]\n"
                     "layers:\n"
                     "  - rule: share d(j) when edge(i,j) or i = j\n"
                     "    activation: identity\n"
                     "  - norm: batch\n"
                     "  - activation: relu\n"
                     "  - aggregate: [\"share out, d(i)\", share out]\n"
                     "    outputs: 3\n",
     .batched = true},
    /* ---- rules that are divided by numbers of connections */
    {.text = CLASSES
     "input: [labels, attributes]\n"
     "layers:\n"
     "  - rule: [\"share d(i), dist(i,j) when dist(i,j) <= 2\", \"share a(j) when edge(i,j)\"]\n"
     "    bias: share d(i)\n"
     "    normalise: symmetric\n"
     "    mix: full\n"
     "    heads: 3\n"
     "    name: s\n"
     "  - rule: share a(j) when dist(i,j) in 1..2\n"
     "    normalise: row\n"
     "    bias: share a(i)\n"
     "    residual: true\n"
     "    name: r\n"
     "  - rule: share d(i) when a(i) = a(j)\n"
     "    from: s\n"
     "    normalise: symmetric\n"
     "    name: t\n"
     "  - add: [r, t]\n"
     "  - aggregate: share out, a(i)\n"},
    {.text = CLASSES "input: constant\n"
                     "layers:\n"
                     "  - rule: share d(j) when edge(i,j) or i = j\n"
                     "    bias: share d(i)\n"
                     "    normalise: symmetric\n"
                     "  - aggregate: share out\n"},
    {.text =
         CLASSES "input: labels\n"
                 "layers:\n"
                 "  - gin: 3\n"
                 "  - rule: [\"share d(i), dist(i,j) when dist(i,j) <= 1\", share 1 when i = j]\n"
                 "    bias: share d(i)\n"
                 "    normalise: symmetric\n"
                 "  - {gcn: 3}\n"
                 "  - rule: share a(i), a(j) when edge(i,j)\n"
                 "    normalise: row\n"
                 "    residual: true\n"
                 "  - pool: mean\n"
                 "  - dense: auto\n",
     .batched = true},
    /* ---- sage: every aggregation, first and later, with weights of its own or not */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {sage: 4, aggregation: add}\n"
                     "  - {sage: 4, aggregation: mean}\n"
                     "  - {sage: 4, aggregation: max}\n"
                     "  - pool: [sum, mean, max]\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [labels, attributes, one-hot(d), constant(0.5)]\n"
                     "layers:\n"
                     "  - {sage: 4, aggregation: max, activation: tanh}\n"
                     "  - {sage: 3, aggregation: add, self: own}\n"
                     "  - {sage: 3, aggregation: mean, self: own, residual: true}\n"
                     "  - pool: max\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [degree, one-hot(a)]\n"
                     "layers:\n"
                     "  - {sage: 4, aggregation: mean, self: own}\n"
                     "  - {sage: 4, aggregation: max, self: own, residual: true}\n"
                     "  - pool: mean\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [relative(a), labels]\n"
                     "layers:\n"
                     "  - {sage: 3, aggregation: max, self: own, activation: identity}\n"
                     "  - {sage: 2, aggregation: add, self: own, activation: gelu}\n"
                     "  - pool: [max, sum]\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {sage: 3, aggregation: add, self: own, activation: leaky-relu, name: h}\n"
                     "  - {sage: 2, aggregation: mean, from: input, name: k}\n"
                     "  - {pool: [sum], of: [h, k, h]}\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- gcn */
    {.text = CLASSES "input: [labels, degree]\n"
                     "layers:\n"
                     "  - {gcn: 4, activation: tanh}\n"
                     "  - {gcn: 4, residual: true}\n"
                     "  - dropout: 0.25\n"
                     "  - gcn: 3\n"
                     "  - pool: mean\n"
                     "  - dropout: 0.4\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- messages alone */
    {.text = CLASSES "input: [labels, attributes]\n"
                     "layers:\n"
                     "  - {dense: 4, name: p}\n"
                     "  - {message: sum, eps: learned, name: q}\n"
                     "  - {message: mean, self: false, from: p, name: r}\n"
                     "  - {message: max, self: false, from: p, name: s}\n"
                     "  - {message: sum, self: false, name: t}\n"
                     "  - {message: gcn, from: p, name: u}\n"
                     "  - concat: [q, r, s, t, u]\n"
                     "  - {message: sum, eps: -0.5}\n"
                     "  - pool: [mean, max]\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [labels, attributes]\n"
                     "layers:\n"
                     "  - {message: max}\n"
                     "  - {message: sum, eps: learned}\n"
                     "  - {message: mean}\n"
                     "  - pool: sum\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- gat */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {gat: 3, heads: 2}\n"
                     "  - {gat: 2, heads: 3, residual: true, activation: gelu}\n"
                     "  - gat: 4\n"
                     "  - pool: [max, sum]\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: attributes\n"
                     "layers:\n"
                     "  - {gat: 2, heads: 4, activation: identity, name: g}\n"
                     "  - {norm: batch, name: m}\n"
                     "  - {gat: 3, from: input, name: k}\n"
                     "  - {concat: [g, k, m, g]}\n"
                     "  - pool: mean\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- embeddings, norms, activations */
    {.text = CLASSES "input: [labels, one-hot(d)]\n"
                     "layers:\n"
                     "  - embed: 5\n"
                     "  - norm: layer\n"
                     "  - gcn: 4\n"
                     "  - norm: batch\n"
                     "  - activation: leaky-relu\n"
                     "  - pool: mean\n"
                     "  - norm: batch\n"
                     "  - {dense: 4, activation: gelu}\n"
                     "  - norm: layer\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- sequences */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {sage: 4, activation: tanh, name: h1}\n"
                     "  - {sage: 3, activation: tanh, name: h2}\n"
                     "  - {sage: 1, activation: tanh, name: h3}\n"
                     "  - concat: [h1, h2, h3]\n"
                     "  - {sort-pool: 8, least: 8}\n"
                     "  - conv1d: 4\n"
                     "  - max-pool: 2\n"
                     "  - {conv1d: 3, size: 2}\n"
                     "  - {dense: 5, activation: relu}\n"
                     "  - dropout: 0.5\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [labels, attributes]\n"
                     "layers:\n"
                     "  - {gcn: 4, activation: tanh}\n"
                     "  - {sort-pool: 0.6, least: 6, sort: channels}\n"
                     "  - {conv1d: 3, size: 3, stride: 2, activation: tanh}\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: [labels, attributes]\n"
                     "layers:\n"
                     "  - {sort-pool: 4}\n"
                     "  - {conv1d: 3, size: 4}\n",
     .batched = true},
    /* ---- values that several layers take, some of them twice; weights that are shared */
    {.text = CLASSES "input: [labels, attributes]\n"
                     "layers:\n"
                     "  - {dense: 4, name: p}\n"
                     "  - {gcn: 4, name: q}\n"
                     "  - {add: [p, q, p], activation: tanh, name: r}\n"
                     "  - {concat: [r, input, r, q], name: s}\n"
                     "  - {pool: [max, sum], of: every}\n"
                     "  - {dense: 4, activation: relu, name: t}\n"
                     "  - {add: [t, t]}\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {dense: 3, activation: relu}\n"
                     "  - {dense: 3, residual: true, name: p}\n"
                     "  - {sage: 3, aggregation: max}\n"
                     "  - {dense: 3, weights: p, residual: true, name: q}\n"
                     "  - {gcn: 3, residual: true}\n"
                     "  - {dense: 3, weights: q, activation: gelu}\n"
                     "  - pool: sum\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- rules that several layers share, a bias and an aggregation among them */
    {.text = CLASSES
     "input: signed\n"
     "layers:\n"
     "  - {rule: \"share d(i), dist(i,j) when dist(i,j) <= 1\", bias: share d(i), name: p}\n"
     "  - {rule: \"share d(i), dist(i,j) when dist(i,j) <= 1\", bias: share d(i),\n"
     "     weights: p, residual: true, activation: relu, name: q}\n"
     "  - {rule: \"share d(i), dist(i,j) when dist(i,j) <= 1\", bias: share d(i),\n"
     "     weights: q}\n"
     "  - {aggregate: \"share out, a(i)\", outputs: 3, name: r}\n"
     "  - {aggregate: \"share out, a(i)\", outputs: 3, by: sum, activation: relu,\n"
     "     weights: r, from: p, name: s}\n"
     "  - concat: [r, s]\n"
     "  - dense: auto\n",
     .batched = false},
    {.text = CLASSES
     "input: labels\n"
     "layers:\n"
     "  - gcn: 3\n"
     "  - {rule: [\"share a(i) when i = j\", \"share d(j) when edge(i,j)\"], residual: true, name: "
     "p}\n"
     "  - gcn: 3\n"
     "  - {rule: [\"share a(i) when i = j\", \"share d(j) when edge(i,j)\"], weights: p,\n"
     "     residual: true}\n"
     "  - pool: [sum, mean]\n"
     "  - {dense: 6, residual: true, name: q}\n"
     "  - {dense: 6, weights: q}\n"
     "  - dense: auto\n",
     .batched = true},
    /* nodes again, behind what was pooled */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {gcn: 3, name: p}\n"
                     "  - {pool: mean, name: q}\n"
                     "  - {gcn: 2, from: p}\n"
                     "  - gcn: 2\n"
                     "  - {pool: max, name: r}\n"
                     "  - concat: [q, r]\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- other tasks */
    {.text = "task: node-classification\ntarget: 1\n" LABELS "input: [one-hot(d), constant]\n"
             "layers:\n"
             "  - {gin: 4, name: p}\n"
             "  - {gcn: 3, name: q}\n"
             "  - concat: [q, p]\n"
             "  - dense: auto\n",
     .batched = true},
    {.text = "task: node-classification\ntarget: 1\n" LABELS "input: degree\n"
             "layers:\n"
             "  - {gat: 3, heads: 2}\n"
             "  - norm: batch\n"
             "  - dropout: 0.2\n"
             "  - {sage: 2, self: own, activation: identity}\n",
     .batched = true},
    {.text = "task: regression\n" LABELS "input: labels\n"
             "layers:\n"
             "  - gcn: 3\n"
             "  - pool: [sum, max]\n"
             "  - {dense: 6, residual: true}\n"
             "  - dense: auto\n",
     .batched = true},
    {.text = "task: multi-label\ntarget: [2, 1]\n" LABELS "input: labels\n"
             "layers:\n"
             "  - gin: 3\n"
             "  - readout: mean\n"
             "  - activation: leaky-relu\n",
     .batched = true},
    /* ---- activations that are not 0 at 0, or not linear above it */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {sage: 3, activation: elu}\n"
                     "  - {gcn: 3, activation: sigmoid, residual: true}\n"
                     "  - norm: batch\n"
                     "  - activation: swish\n"
                     "  - pool: [sum, max]\n"
                     "  - {dense: 3, activation: softplus}\n"
                     "  - dense: auto\n",
     .batched = true},
    {.text = CLASSES "input: signed\n"
                     "layers:\n"
                     "  - rule: share d(i), dist(i,j) when dist(i,j) <= 1\n"
                     "    bias: share d(i)\n"
                     "    heads: 2\n"
                     "    activation: sigmoid\n"
                     "  - rule: share a(i) when edge(i,j)\n"
                     "    residual: true\n"
                     "    activation: softplus\n"
                     "  - activation: swish\n"
                     "  - aggregate: share out, a(i)\n"
                     "    outputs: 3\n"
                     "    activation: sigmoid\n"
                     "  - {dense: 3, activation: elu, residual: true}\n"
                     "  - dense: auto\n"
                     "  - activation: sigmoid\n",
     .batched = false},
    /* ---- more rounds than colours are told in */
    {.text = CLASSES "input: labels\n"
                     "layers:\n"
                     "  - {sage: 2, name: h}\n"
                     "  - gcn: 2\n"
                     "  - gcn: 2\n"
                     "  - gcn: 2\n"
                     "  - gcn: 2\n"
                     "  - gat: 2\n"
                     "  - gcn: 2\n"
                     "  - {gcn: 2, activation: tanh, name: k}\n"
                     "  - {gat: 2, activation: tanh, name: m}\n"
                     "  - {add: [k, h, m]}\n"
                     "  - pool: max\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- wide: products of other loops */
    {.text = CLASSES "input: [labels, degree]\n"
                     "layers:\n"
                     "  - {gcn: 260, activation: tanh}\n"
                     "  - {sage: 260, activation: tanh}\n"
                     "  - pool: mean\n"
                     "  - dense: auto\n",
     .batched = true},
    /* ---- sample by sample: no layer needs a batch */
    {.text = "task: regression\n" LABELS "input: [signed, attributes]\n"
             "layers:\n"
             "  - {embed: 4, name: e}\n"
             "  - rule: share d(i), dist(i,j) when dist(i,j) <= 1\n"
             "    name: r\n"
             "  - {add: [e, r, e], activation: gelu, name: g}\n"
             "  - {concat: [g, input, r, g]}\n"
             "  - aggregate: share out, d(i)\n"
             "    outputs: 4\n"
             "    name: p\n"
             "  - {dense: 4, from: p, residual: true, name: q}\n"
             "  - concat: [p, q]\n"
             "  - dense: auto\n"},
    {.text = CLASSES "input: signed\n"
                     "layers:\n"
                     "  - aggregate: share out, d(i)\n"
                     "    by: [sum, mean]\n"
                     "    outputs: 3\n"
                     "    activation: relu\n"
                     "  - dense: auto\n"},
    {.text = CLASSES "input: [signed, attributes]\n"
                     "layers:\n"
                     "  - rule: share d(i), d(j) when edge(i,j)\n"
                     "    mix: full\n"
                     "  - {aggregate: \"share out, a(i)\", by: [mean, sum], activation: tanh}\n"},
    {.text = CLASSES "input: signed\n" /* the input stands in no table: two layers take it */
                     "layers:\n"
                     "  - rule: share d(i), d(j) when edge(i,j)\n"
                     "    name: r\n"
                     "  - concat: [r, input]\n"
                     "  - {aggregate: \"share out, a(i)\"}\n"},
};

size_t layer_nets_n(void)
{
    return sizeof nets / sizeof *nets;
}

const layer_net *layer_nets_at(size_t k)
{
    return &nets[k];
}
