#!/usr/bin/env python3
"""test_wheel.py - what tools/test_wheel.sh asks of an installed package.

usage: test_wheel.py mutag PROGRAM DIRECTORY | fits | networkx | rdkit | pyg
Times of conversions are those of the processor: other work on the machine does not count.
"""
import os
import pickle
import subprocess
import sys
import time

import numpy as np
import regula

LAYERS = """
labels: {label: "wl(depth=1, from=node)"}
layers:
  - rule: share label(i), label(j), dist(i,j) when dist(i,j) in 0..3
    bias: share label(i)
  - aggregate: share out, label(i)
training: {epochs: 60, batch: 16, lr: 0.02}
"""


def mutag(program, box):
    from sklearn.model_selection import GridSearchCV, cross_val_score

    network = os.path.join(box, 'network.yml')
    with open(network, 'w') as file:
        file.write(LAYERS)
    graphs = regula.load('MUTAG')
    print(cross_val_score(regula.RuleClassifier(network), graphs, graphs.y, cv=10).mean())
    print(GridSearchCV(regula.RuleClassifier(network), {'lr': [0.01, 0.02]}, cv=3).fit(graphs, graphs.y).best_params_)
    theirs, ours = os.path.join(box, 'theirs'), os.path.join(box, 'ours')
    seconds = {'fit': [], 'train': []}
    for _ in range(5):
        start = time.perf_counter()
        classifier = regula.RuleClassifier(network).fit(graphs)
        seconds['fit'].append(time.perf_counter() - start)
        start = time.perf_counter()
        subprocess.run([program, 'train', 'MUTAG', '-n', network, '-m', theirs, '--quiet', '--threads', '1'], check=True)
        seconds['train'].append(time.perf_counter() - start)
    print(seconds)
    classifier.save(ours)
    with open(ours, 'rb') as a, open(theirs, 'rb') as b:
        assert a.read() == b.read(), 'other bytes than the command line'
    again = pickle.loads(pickle.dumps(classifier))
    assert (again.predict(graphs) == classifier.predict(graphs)).all()
    subprocess.run([program, 'predict', ours, 'MUTAG', '--quiet'], check=True, stdout=subprocess.DEVNULL)
    assert min(seconds['fit']) < 1.1 * min(seconds['train']), seconds


def resident():
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGESIZE')


def fits():
    graphs = regula.load('MUTAG')[:20]
    y = graphs.y
    classifier = regula.RuleClassifier(LAYERS, epochs=1)
    for k in range(11000):
        if k == 1000:
            before = resident()
        classifier.fit(graphs, y)
    grown = resident() - before
    print(f'{grown} bytes more after 10,000 fits')
    assert grown < 4 << 20


def networkx():
    graphs = regula.load('NCI1')
    others = graphs.to_networkx()
    start = time.process_time()
    again = regula.Graphs(others, y=graphs.y)
    seconds = time.process_time() - start
    print(seconds)
    assert again.digest == graphs.digest
    assert seconds < 1


def rdkit():
    from rdkit import Chem

    texts = ['CCO', 'c1ccccc1', 'CC(=O)O', 'C#N', '[Na+].[Cl-]', 'C'] * 10
    graphs = regula.Graphs([Chem.MolFromSmiles(text) for text in texts], y=[0, 1, 1, 0, 0, 1] * 10)
    assert graphs[0].node_labels.tolist() == ['C', 'C', 'O']
    assert set(graphs[1].edge_labels.tolist()) == {'aromatic'}
    classifier = regula.RuleClassifier(epochs=2).fit(graphs, graphs.y)
    print(classifier.predict([Chem.MolFromSmiles('CCN')]))


def pyg():
    import torch
    from torch_geometric.data import Data, InMemoryDataset

    class Held(InMemoryDataset):
        def __init__(self, items):
            super().__init__('.')
            self._data, self.slices = self.collate(items)

    first = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), x=torch.eye(2), y=torch.tensor([1]))
    second = Data(edge_index=torch.empty((2, 0), dtype=torch.long), x=torch.eye(2)[:1], y=torch.tensor([0]))
    held = Held([first, second])
    for own in ([first, second], held, held[[0, 1]]):
        graphs = regula.Graphs(own)
        assert graphs.y.tolist() == [1, 0]
        assert graphs[0].node_labels.tolist() == [0, 1]
    back = graphs.to_pyg()
    assert back[0].edge_index.tolist() == [[0, 1], [1, 0]]
    if 'REGULA_DATA' not in os.environ:
        return
    graphs = regula.load('NCI1')
    items = graphs.to_pyg()
    for data in items:
        data.x = torch.nn.functional.one_hot(data.x[:, 0] - 1, 37).float()
    held = Held(items)
    for own in (held, items):
        start = time.process_time()
        again = regula.Graphs(own)
        seconds = time.process_time() - start
        print(seconds)
        assert np.array_equal(again.n_nodes, graphs.n_nodes)
        assert again.dataset.n_arcs == graphs.dataset.n_arcs
        assert seconds < 0.3


if __name__ == '__main__':
    {'mutag': mutag, 'fits': fits, 'networkx': networkx, 'rdkit': rdkit, 'pyg': pyg}[sys.argv[1]](*sys.argv[2:])
