#!/usr/bin/env python3
"""gin.py - a GIN in plain PyTorch, to measure regula against.

h_0 = MLP(x), x one-hot node labels;  h_l = MLP((1 + eps_l) h_l-1 + A h_l-1), A sparse
MLP: Linear, BatchNorm1d, ReLU, twice;  z = sum over l of dropout(Linear(sum over nodes of h_l))
Loss: cross entropy; Adam. Only training is measured. See README.md.
"""
import argparse
import json
import time

import numpy as np
import torch

from rulegnn import read_tu


class Perceptron(torch.nn.Sequential):
    def __init__(self, n_in, n_out):
        super().__init__(
            torch.nn.Linear(n_in, n_out), torch.nn.BatchNorm1d(n_out), torch.nn.ReLU(),
            torch.nn.Linear(n_out, n_out), torch.nn.BatchNorm1d(n_out), torch.nn.ReLU())


class GIN(torch.nn.Module):
    def __init__(self, n_in, width, layers, n_classes, dropout):
        super().__init__()
        self.blocks = torch.nn.ModuleList(
            [Perceptron(n_in if k == 0 else width, width) for k in range(layers + 1)])
        self.outs = torch.nn.ModuleList(
            [torch.nn.Linear(width, n_classes) for _ in range(layers + 1)])
        self.eps = torch.nn.Parameter(torch.zeros(layers))
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x, adjacency, graph, n_graphs):
        z = 0
        for k, (block, out) in enumerate(zip(self.blocks, self.outs)):
            if k:
                x = (1 + self.eps[k - 1]) * x + torch.sparse.mm(adjacency, x)
            x = block(x)
            pooled = torch.zeros(n_graphs, x.shape[1]).index_add_(0, graph, x)
            z = z + self.dropout(out(pooled))
        return z


def collate(samples, csr):
    """Some graphs as one: features, adjacency, the graph of every node, classes."""
    counts = torch.tensor([len(sample["x"]) for sample in samples])
    first = torch.cumsum(counts, 0) - counts
    arcs = torch.cat([sample["arcs"] + begin for sample, begin in zip(samples, first)], 1)
    n = int(counts.sum())
    adjacency = torch.sparse_coo_tensor(arcs, torch.ones(arcs.shape[1]), (n, n))
    adjacency = adjacency.coalesce()
    return (torch.cat([sample["x"] for sample in samples]),
            adjacency.to_sparse_csr() if csr else adjacency,
            torch.repeat_interleave(torch.arange(len(samples)), counts), len(samples),
            torch.tensor([sample["y"] for sample in samples]))


def read(path):
    graphs, labels, targets = read_tu(path)
    ranks = {label: k for k, label in enumerate(sorted({int(v) for g in labels for v in g}))}
    samples = []
    for near, own, target in zip(graphs, labels, targets):
        pairs = [(i, j) for i, others in enumerate(near) for j in others]
        x = torch.zeros(len(near), len(ranks))
        x[torch.arange(len(near)), torch.tensor([ranks[int(v)] for v in own])] = 1
        arcs = torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2).t().contiguous()
        samples.append({"x": x, "arcs": arcs, "y": int(target)})
    return samples, len(ranks), int(targets.max()) + 1


def epoch(model, optimiser, batches):
    """One epoch over batches that are made on the way, or were made before."""
    total = 0.0
    for x, adjacency, graph, n, y in batches:
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x, adjacency, graph, n), y)
        loss.backward()
        optimiser.step()
        total += float(loss) * n
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--split", required=True)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.5)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--csr", action="store_true", help="compressed rows instead of coordinates")
    parser.add_argument("--before", action="store_true", help="batches are made once, not measured")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    samples, n_in, n_classes = read(options.data)
    with open(options.split, encoding="utf-8") as file:
        train = json.load(file)[0]["model_selection"][0]["train"]
    model = GIN(n_in, options.width, options.layers, n_classes, options.dropout)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    order = np.random.default_rng(1)
    made = None
    seconds, processor = [], []
    for k in range(options.epochs):
        mixed = order.permutation(train)
        of = max(1, len(train) // options.batch)
        parts = [mixed[len(mixed) * b // of:len(mixed) * (b + 1) // of] for b in range(of)]
        batches = (collate([samples[i] for i in part], options.csr) for part in parts)
        if options.before:
            made = made or list(batches)
            batches = made
        begin, cpu = time.perf_counter(), time.process_time()
        total = epoch(model, optimiser, batches)
        seconds.append(time.perf_counter() - begin)
        processor.append(time.process_time() - cpu)
    print(json.dumps({"seconds_per_epoch": min(seconds), "processor_seconds": min(processor),
                      "loss": total / len(train)}))


if __name__ == "__main__":
    main()
