#!/usr/bin/env python3
"""rulegnn.py - the paper's model in plain PyTorch, to measure regula against.

x_i = (r+1)/R (-1)^r, r the rank of the node's label among R; without node labels 1
h_i = tanh(b[l(i)] + sum over j with d = d(i,j) in 1..D of W[(l(i) K + l(j)) D + d-1] x_j)
z_c = tanh(b_c + 1/|V| sum over i of W[c, m(i)] h_i);  loss: cross entropy of z

l: Weisfeiler-Leman labels from degrees, of which the 499 most frequent are kept and the rest is
one; m: all of them. Shapes: W [K K D], b [K], W of the aggregation [C, M]. See README.md.
"""
import argparse
import collections
import io
import json
import resource
import sys
import time
import warnings
import zipfile

import numpy as np
import torch


def read_tu(path):
    """Graphs of a TUDataset zip: a list of neighbour lists a graph, node labels or None, classes."""
    with zipfile.ZipFile(path) as archive:
        files = {name.rsplit("/", 1)[-1]: name for name in archive.namelist()}

        def column(ending):
            names = [name for short, name in files.items() if short.endswith(ending)]
            if not names:
                return None
            text = io.TextIOWrapper(archive.open(names[0]), encoding="utf-8")
            return np.loadtxt(text, dtype=np.int64, delimiter=",", ndmin=2)

        graph_of = column("_graph_indicator.txt")[:, 0] - 1
        arcs = column("_A.txt") - 1
        labels = column("_node_labels.txt")
        targets = np.unique(column("_graph_labels.txt")[:, 0], return_inverse=True)[1]
    first = np.searchsorted(graph_of, np.arange(len(targets) + 1))
    near = [set() for _ in range(len(graph_of))]
    for a, b in arcs:
        if a != b:
            near[a].add(int(b))
            near[b].add(int(a))
    graphs = [[sorted(j - begin for j in near[i]) for i in range(begin, end)]
              for begin, end in zip(first[:-1].tolist(), first[1:].tolist())]
    return graphs, None if labels is None else np.split(labels[:, 0], first[1:-1]), targets


def renumbered(keys, bound=None):
    """Keys of all nodes, graph by graph, as numbers from 0, the most frequent first; with a bound
    the keys that are left out share the last number."""
    counts = collections.Counter(key for graph in keys for key in graph)
    order = sorted(counts, key=lambda key: (-counts[key], key))
    number = {key: k if bound is None else min(k, bound - 1) for k, key in enumerate(order)}
    return [np.array([number[key] for key in graph], dtype=np.int64) for graph in keys]


def weisfeiler_leman(graphs, depth):
    """Keys of all nodes, graph by graph, after `depth` rounds from degrees."""
    keys = [[len(near) for near in graph] for graph in graphs]
    for _ in range(depth):
        known = {}
        keys = [[known.setdefault((own[i], *sorted(own[j] for j in near)), len(known))
                 for i, near in enumerate(graph)] for graph, own in zip(graphs, keys)]
    return keys


def read_labels(path):
    with open(path, encoding="utf-8") as file:
        return [np.array(line.split(), dtype=np.int64) for line in file]


def distances(graph, most):
    """[n][n]: steps from i to j, 0 on the diagonal and where there are more than `most`."""
    n = len(graph)
    edge = np.zeros((n, n), dtype=np.float32)
    for i, near in enumerate(graph):
        edge[i, near] = 1
    out = np.zeros((n, n), dtype=np.int64)
    seen = np.eye(n, dtype=bool)
    last = seen
    for d in range(1, most + 1):
        last = (last.astype(np.float32) @ edge > 0) & ~seen
        if not last.any():
            break
        out[last] = d
        seen |= last
    return out


Sample = collections.namedtuple("Sample", "n x place row col weight bias node target")


def make_samples(graphs, node_labels, targets, l, m, most, real):
    """One Sample a graph. place [k]: where entry k stands in the matrix [n][n]; row [n]: how many
    entries each row has; col [k]: the column of entry k; weight [k]: which weight goes there; bias [n],
    node [n]: labels in the rule layer and in the aggregation."""
    n_labels = 1 + max(graph.max(initial=0) for graph in l)
    if node_labels is not None:
        values = np.unique(np.concatenate(node_labels))
        signal = (np.arange(len(values)) + 1) / len(values) * (-1.0) ** np.arange(len(values))
    out = []
    for g, graph in enumerate(graphs):
        n = len(graph)
        d = distances(graph, most)
        i, j = np.nonzero(d)
        weight = (l[g][i] * n_labels + l[g][j]) * most + d[i, j] - 1
        x = np.ones(n) if node_labels is None else signal[np.searchsorted(values, node_labels[g])]
        out.append(Sample(n, torch.tensor(x, dtype=real), torch.from_numpy(i * n + j),
                          torch.from_numpy(np.bincount(i, minlength=n)), torch.from_numpy(j),
                          torch.from_numpy(weight), torch.from_numpy(l[g]),
                          torch.from_numpy(m[g]), int(targets[g])))
    return out


def only_occurring(samples):
    """The same samples with weights numbered anew, without those that no entry uses, and how many
    there are. A weight without an entry has no gradient, and Adam leaves it as it is."""
    found, numbers = np.unique(np.concatenate([s.weight for s in samples]), return_inverse=True)
    ends = np.cumsum([len(s.weight) for s in samples])[:-1]
    return len(found), [s._replace(weight=torch.from_numpy(part))
                        for s, part in zip(samples, np.split(numbers, ends))]


class RuleGNN(torch.nn.Module):
    """As published: the matrix of a graph is made anew in every forward call, graph by graph."""

    def __init__(self, n_weights, n_labels, n_possible, n_node_labels, n_classes, real):
        super().__init__()

        def start(n_possible, *shape):
            s = n_possible ** -0.5
            return torch.nn.Parameter(-s + 2 * s * torch.randn(shape, dtype=real))

        self.weight, self.bias = start(n_possible, n_weights), start(n_possible, n_labels)
        n = n_classes * n_node_labels
        self.out_weight, self.out_bias = start(n, n_classes, n_node_labels), start(n, n_classes)

    def one(self, sample):
        n = sample.n
        matrix = torch.zeros(n * n, dtype=self.weight.dtype)
        matrix[sample.place] = self.weight.index_select(0, sample.weight)
        h = torch.tanh(matrix.view(n, n) @ sample.x + self.bias[sample.bias])
        return torch.tanh(self.out_weight.index_select(1, sample.node) @ h / n + self.out_bias)

    def forward(self, samples):
        return torch.stack([self.one(sample) for sample in samples])


class FlatRuleGNN(RuleGNN):
    """The same numbers without matrices: the entries of all graphs of a batch at once."""

    def multiply(self, weight, counts, col, x):
        """[nodes]: the sum over the entries of each row, counts[i] of them in row i."""
        row = torch.repeat_interleave(torch.arange(len(counts)), counts)
        return torch.zeros_like(x).index_add(0, row, weight * x[col])

    def forward(self, samples):
        sizes = torch.tensor([sample.n for sample in samples])
        first = (torch.cumsum(sizes, 0) - sizes).tolist()
        x = torch.cat([sample.x for sample in samples])
        counts = torch.cat([sample.row for sample in samples])
        col = torch.cat([sample.col + begin for sample, begin in zip(samples, first)])
        graph = torch.repeat_interleave(torch.arange(len(samples)), sizes)
        weight = self.weight.index_select(0, torch.cat([sample.weight for sample in samples]))
        bias = self.bias.index_select(0, torch.cat([sample.bias for sample in samples]))
        h = torch.tanh(bias + self.multiply(weight, counts, col, x))
        nodes = torch.cat([sample.node for sample in samples])
        shares = self.out_weight.t().index_select(0, nodes) * h[:, None]
        sums = torch.zeros(len(samples), shares.shape[1], dtype=h.dtype).index_add(0, graph, shares)
        return torch.tanh(sums / sizes[:, None] + self.out_bias)


class SparseProduct(torch.autograd.Function):
    """h = A x, where A holds `weight` in compressed rows. PyTorch's own way back makes the whole
    matrix dh x^T before it takes the entries of A from it; this one makes these entries alone."""

    @staticmethod
    def forward(context, weight, counts, col, x):
        begin = torch.cat([torch.zeros(1, dtype=torch.int64), torch.cumsum(counts, 0)])
        n = len(counts)
        matrix = torch.sparse_csr_tensor(begin, col, weight, (n, n))
        context.save_for_backward(counts, col, x)
        return (matrix @ x[:, None])[:, 0]

    @staticmethod
    def backward(context, dh):
        counts, col, x = context.saved_tensors
        return torch.repeat_interleave(dh, counts) * x[col], None, None, None


class SparseRuleGNN(FlatRuleGNN):
    """The same numbers: a batch is one graph, its matrix one sparse matrix, its sum one product."""

    def multiply(self, weight, counts, col, x):
        return SparseProduct.apply(weight, counts, col, x)


def run_epoch(model, samples, order, n_batches, optimiser=None):
    """Loss and accuracy over the samples of `order`; with an optimiser the model learns."""
    loss_sum, right = 0.0, 0
    for batch in np.array_split(order, n_batches):
        chosen = [samples[g] for g in batch]
        target = torch.tensor([sample.target for sample in chosen])
        with torch.set_grad_enabled(optimiser is not None):
            z = model(chosen)
            loss = torch.nn.functional.cross_entropy(z, target)
        if optimiser:
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
        loss_sum += loss.item() * len(chosen)
        right += int((z.argmax(1) == target).sum())
    return loss_sum / max(1, len(order)), right / max(1, len(order))


def train(model, samples, split, options, report):
    """One dictionary an epoch; report is called with each."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.lr)
    shuffle = np.random.default_rng(options.seed)
    parts = split["model_selection"][0]
    n_batches = max(1, len(parts["train"]) // options.batch)
    epochs = []
    for k in range(options.epochs):
        group = optimiser.param_groups[0]
        if k and k % 10 == 0 and group["lr"] > 1e-4:
            group["lr"] /= 2
        wall, cpu = time.perf_counter(), time.process_time()
        order = shuffle.permutation(parts["train"])
        loss, accuracy = run_epoch(model, samples, order, n_batches, optimiser)
        trained = time.perf_counter()
        valid_loss, valid_accuracy = run_epoch(model, samples, parts["validation"],
                                               max(1, len(parts["validation"]) // options.batch))
        end = time.perf_counter()
        epochs.append({"epoch": k + 1, "seconds": end - wall, "train_seconds": trained - wall,
                       "cpu_seconds": time.process_time() - cpu, "train_loss": loss,
                       "train_accuracy": accuracy, "validation_loss": valid_loss,
                       "validation_accuracy": valid_accuracy})
        report(epochs[-1])
    return epochs


WAYS = {"graph": RuleGNN, "batch": FlatRuleGNN, "sparse": SparseRuleGNN}


def arguments():
    parser = argparse.ArgumentParser(description="The paper's model in plain PyTorch, one thread.")
    parser.add_argument("data", help="a TUDataset zip")
    parser.add_argument("--split", required=True, help="JSON, as `regula data split` writes it")
    parser.add_argument("--fold", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--labels", nargs=2, metavar="FILE", help="labels of the rule layer and of "
                        "the aggregation, as `regula label --out` writes them")
    parser.add_argument("--distances", type=int, default=10, help="D: 1..D are used")
    parser.add_argument("--way", choices=list(WAYS), default="graph",
                        help="a matrix a graph, as published; all entries of a batch at once; or "
                        "the batch as one sparse product")
    parser.add_argument("--occurring", action="store_true",
                        help="only the weights that occur in the data are parameters")
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--double", action="store_true", help="double precision, not float")
    parser.add_argument("--json", action="store_true", help="one object at the end, nothing else")
    return parser.parse_args()


def main():
    options = arguments()
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
    torch.manual_seed(options.seed)
    started = time.perf_counter()
    with open(options.split, encoding="utf-8") as file:
        split = json.load(file)[options.fold]
    graphs, node_labels, targets = read_tu(options.data)
    read_seconds = time.perf_counter() - started
    started = time.perf_counter()
    if options.labels:
        l, m = (read_labels(path) for path in options.labels)
        if any([len(a) for a in part] != [len(a) for a in graphs] for part in (l, m)):
            sys.exit("rulegnn.py: the labels are not those of this data set")
    else:
        keys = weisfeiler_leman(graphs, 2)
        l, m = renumbered(keys, 500), renumbered(keys)
    real = torch.float64 if options.double else torch.float32
    samples = make_samples(graphs, node_labels, targets, l, m, options.distances, real)
    n_labels, n_node_labels = (1 + int(max(g.max(initial=0) for g in part)) for part in (l, m))
    n_possible = n_weights = n_labels * n_labels * options.distances
    if options.occurring:
        n_weights, samples = only_occurring(samples)
    model = WAYS[options.way](n_weights, n_labels, n_possible, n_node_labels,
                              int(targets.max()) + 1, real)
    table_seconds = time.perf_counter() - started

    def report(e):
        if not options.json:
            print(f"epoch {e['epoch']:3d}  {e['seconds']:8.3f} s ({e['train_seconds']:.3f} s in "
                  f"training)  loss {e['train_loss']:.4f} {e['validation_loss']:.4f}  accuracy "
                  f"{100 * e['train_accuracy']:.2f} {100 * e['validation_accuracy']:.2f}", flush=True)

    epochs = train(model, samples, split, options, report)
    test_accuracy = run_epoch(model, samples, split["test"], 1)[1]
    seconds, trained, cpu = ([e[key] for e in epochs] or [0.0]
                             for key in ("seconds", "train_seconds", "cpu_seconds"))
    result = {
        "program": "rulegnn.py", "torch": torch.__version__, "data": options.data,
        "fold": options.fold, "way": options.way, "precision": str(real).split(".")[-1],
        "parameters": sum(p.numel() for p in model.parameters()),
        "connections": sum(len(sample.weight) for sample in samples),
        "read_seconds": read_seconds, "table_seconds": table_seconds,
        "seconds_per_epoch": sum(seconds) / len(seconds), "seconds_per_epoch_min": min(seconds),
        "train_seconds_per_epoch": sum(trained) / len(trained),
        "cpu_seconds_per_epoch": sum(cpu) / len(cpu), "cpu_seconds": time.process_time(),
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
        "test_accuracy": test_accuracy, "epochs": epochs,
    }
    if options.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            if key != "epochs":
                print(f"{key:24s} {value:.4f}" if isinstance(value, float) else f"{key:24s} {value}")


if __name__ == "__main__":
    main()
