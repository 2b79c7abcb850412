"""wlsvm.py - Weisfeiler-Leman subtree kernel and support vector machines, with scipy and scikit-learn.

usage: wlsvm.py DATA.zip SPLIT.json [--iterations 10] [--folds 10] [--json]

For every number of iterations 1 .. N a normalised kernel matrix, and on it for every fold and every
C of 2^-11, 2^-9, ..., 2^-1, 1, 2, 2^3, ..., 2^11 a support vector machine: trained on the training part,
asked about the validation and the test part. What is shared is computed once: a round goes on from
the one before and is added to the matrix, and a fold cuts its parts out of a matrix once for all C.
"""
import argparse
import json
import resource
import time
import zipfile

import numpy as np
import scipy.sparse
from sklearn.svm import SVC

POWERS = [-11, -9, -7, -5, -3, -1, 0, 1, 3, 5, 7, 9, 11]


def read_graphs(path):
    """Graph of each node, neighbours of each node, label of each node, class of each graph."""
    texts = {}
    with zipfile.ZipFile(path) as archive:
        for entry in archive.namelist():
            for part in ("_A", "_graph_indicator", "_graph_labels", "_node_labels"):
                if entry.endswith(part + ".txt"):
                    texts[part] = archive.read(entry).decode()

    def numbers(part):
        return [int(line.split(",")[0]) for line in texts[part].split("\n") if line.strip()]

    graph = np.array(numbers("_graph_indicator")) - 1
    neighbours = [set() for _ in graph]
    for line in texts["_A"].split("\n"):
        if line.strip():
            a, b = (int(word) - 1 for word in line.split(","))
            if a != b:
                neighbours[a].add(b)
                neighbours[b].add(a)
    labels = numbers("_node_labels") if "_node_labels" in texts else [0] * len(graph)
    return graph, [list(row) for row in neighbours], labels, np.array(numbers("_graph_labels"))


def count_products(labels, graph, n_graphs):
    """The products of all pairs of histograms of labels."""
    histograms = scipy.sparse.csr_matrix((np.ones(len(graph)), (graph, labels)),
                                         shape=(n_graphs, max(labels) + 1))
    return (histograms @ histograms.T).toarray()


def refine(labels, neighbours):
    """One round: equal labels for equal labels with equal neighbourhoods."""
    known = {}
    return [known.setdefault((label, tuple(sorted([labels[j] for j in row]))), len(known))
            for label, row in zip(labels, neighbours)]


def normalise(matrix):
    root = np.sqrt(np.diag(matrix))
    root[root == 0] = 1
    return matrix / np.outer(root, root)


def score_fold(kernel, classes, fold):
    """Accuracies on the validation and the test part, for each C."""
    parts = fold["model_selection"][0]
    train = np.array(parts["train"])
    rest = [np.array(parts["validation"]), np.array(fold["test"])]
    inside = kernel[np.ix_(train, train)]
    between = [kernel[np.ix_(part, train)] for part in rest]
    found = []
    for power in POWERS:
        machine = SVC(C=2.0 ** power, kernel="precomputed").fit(inside, classes[train])
        found.append([machine.score(block, classes[part]) for block, part in zip(between, rest)])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("split")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--folds", type=int, default=None)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    started = time.perf_counter()
    graph, neighbours, labels, classes = read_graphs(options.data)
    with open(options.split) as file:
        folds = json.load(file)[:options.folds]
    rank = {label: k for k, label in enumerate(sorted(set(labels)))}
    labels = [rank[label] for label in labels]
    matrix = count_products(labels, graph, len(classes))
    cells, kernel_seconds = [], time.perf_counter() - started
    for iteration in range(1, options.iterations + 1):
        begin = time.perf_counter()
        labels = refine(labels, neighbours)
        matrix += count_products(labels, graph, len(classes))
        kernel = normalise(matrix)
        kernel_seconds += time.perf_counter() - begin
        scores = np.array([score_fold(kernel, classes, fold) for fold in folds])
        for place, power in enumerate(POWERS):
            cells.append({"iterations": iteration, "power": power,
                          "validation": 100 * scores[:, place, 0].mean(),
                          "test": 100 * scores[:, place, 1].mean(),
                          "std": 100 * scores[:, place, 1].std(ddof=1)})
    best = max(cells, key=lambda cell: cell["validation"])
    usage = resource.getrusage(resource.RUSAGE_SELF)
    found = {"cells": cells, "best": best, "kernel_seconds": kernel_seconds,
             "seconds": time.perf_counter() - started,
             "cpu_seconds": usage.ru_utime + usage.ru_stime}
    if options.json:
        print(json.dumps(found))
    else:
        print(f"chosen: {best['iterations']} iterations, C = 2^{best['power']}; test accuracy "
              f"{best['test']:.2f} +- {best['std']:.2f}; {found['seconds']:.1f} s")


if __name__ == "__main__":
    main()
