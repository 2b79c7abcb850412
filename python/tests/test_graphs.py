"""Graphs: a sequence, from every source, and what it refuses."""

from __future__ import annotations

import os
import pickle
import threading

import networkx
import numpy as np
import pytest
from conftest import path, ring

import regula

INTS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


def same(a, b):
    return a.digest == b.digest


# ---- a sequence


def test_it_is_indexed_as_an_array_is(shapes):
    y = shapes.y
    assert len(shapes) == 40
    assert shapes.shape == (40,)
    picks = [slice(3, 20, 4), slice(None, None, -1), [5, -1, 5], np.arange(40) % 3 == 0, np.array([], int)]
    for pick in picks:
        assert shapes[pick].y.tolist() == y[pick].tolist()
        assert shapes[pick].n_nodes.tolist() == shapes.n_nodes[pick].tolist()
        assert [graph.n_nodes for graph in shapes[pick]] == shapes.n_nodes[pick].tolist()
    assert shapes[::2][::-1][3].n_nodes == shapes.n_nodes[::2][::-1][3]
    assert shapes[[4, 2], ...].y.tolist() == y[[4, 2]].tolist()
    assert shapes[-1].n_nodes == 23


@pytest.mark.parametrize("wrong", [40, -41, [40], [0.5], ["a"], [[1, 2]], np.ones(3, bool)])
def test_an_index_that_is_wrong_is_an_index_error(shapes, wrong):
    with pytest.raises(IndexError):
        shapes[wrong]


def test_a_part_is_a_data_set_of_its_own(shapes):
    part = shapes[[30, 1, 1]]
    assert part.dataset.n_graphs == 3
    assert part.y.tolist() == ["path", "ring", "ring"]
    assert same(part, regula.Graphs([path(14), ring(5), ring(5)], y=["path", "ring", "ring"]))


def test_views_are_read_only_and_outlive_their_graphs(shapes):
    neighbours = regula.Graphs([ring(4)]).dataset.neighbours
    copy = neighbours.copy()
    with pytest.raises(ValueError):
        neighbours[0] = 1
    assert np.array_equal(neighbours, copy)


def test_pickle_keeps_everything(shapes):
    again = pickle.loads(pickle.dumps(shapes[3:7]))
    assert same(again, shapes[3:7])
    assert again.y.tolist() == shapes.y[3:7].tolist()
    assert again[0].node_labels.tolist() == shapes[3].node_labels.tolist()


def test_audit_counts_what_was_odd():
    graphs = regula.Graphs.from_arrays([3, 0], [[0, 1], [1, 0], [0, 1], [1, 1]])
    found = graphs.audit()
    assert found["nodes"]["total"] == 3
    assert found["quirks"]["duplicate_edges"] == 1
    assert found["quirks"]["self_loops"] == 1
    assert found["quirks"]["empty_graphs"] == 1


# ---- from everywhere


def test_every_type_and_layout_gives_the_same_graphs():
    edges = np.array([[0, 1], [1, 2], [3, 4]])
    labels = np.array([6, 8, 6, 6, 7])
    expected = regula.Graphs.from_arrays([3, 2], edges, node_labels=labels)
    for kind in INTS:
        for own in (edges.astype(kind), edges.astype(kind).T, np.asfortranarray(edges.astype(kind))):
            assert same(regula.Graphs.from_arrays([3, 2], own, node_labels=labels.astype(kind)), expected)
    wide = np.zeros((5, 6), ">i4")
    wide[:, 3] = labels
    assert same(regula.Graphs.from_arrays([3, 2], edges, node_labels=wide[:, 3]), expected)
    back = labels[::-1].copy()[::-1]
    back.flags.writeable = False
    assert same(regula.Graphs.from_arrays([3, 2], edges, node_labels=back), expected)
    counted = regula.Graphs.from_arrays([3, 2], [[0, 1], [1, 2], [0, 1]], edge_counts=[2, 1], node_labels=labels)
    assert same(counted, expected)


def test_everything_from_arrays_is_there():
    graphs = regula.Graphs.from_arrays(
        [2, 1],
        [[0, 1]],
        y=[[0.5, np.nan], [1, 2]],
        node_labels=[[6, 1], [8, 2], [6, 1]],
        edge_labels=["double"],
        node_attributes=np.ones((3, 2), np.float32),
        edge_attributes=[0.25],
        node_y=[0, 1, 0],
        edge_y=[1.5],
        masks={"train": [True, False, True], "test": [False, True, False]},
        names=["first", "second"],
        name="mine",
    )
    assert graphs.name == "mine"
    assert graphs.names == ["first", "second"]
    assert graphs[1:].names == ["second"]
    assert np.array_equal(graphs.y, [[0.5, np.nan], [1, 2]], equal_nan=True)
    assert graphs[0].node_labels.tolist() == [[6, 1], [8, 2]]
    assert graphs[0].edge_labels.tolist() == ["double", "double"]
    assert graphs[0].node_attributes.tolist() == [[1, 1], [1, 1]]
    assert graphs[0].edge_attributes.tolist() == [[0.25], [0.25]]
    assert graphs.masks["test"].tolist() == [False, True, False]
    assert graphs[0].name == "first"


def test_networkx_and_back():
    first = networkx.Graph()
    first.add_node("a", label="C", charge=0.5)
    first.add_node("b", label="O", charge=-1)
    first.add_edge("b", "a", label="double", length=[1.5, 2])
    second = networkx.DiGraph()
    second.add_node(7, label="C", charge=1)
    graphs = regula.Graphs.from_networkx(
        [first, second], y=[1, 0], node_attributes=["charge"], edge_attributes="length"
    )
    assert graphs[0].node_labels.tolist() == ["C", "O"]
    assert graphs[0].edge_labels.tolist() == ["double", "double"]
    assert graphs[0].node_attributes.tolist() == [[0.5], [-1]]
    assert graphs[0].edge_attributes.tolist() == [[1.5, 2], [1.5, 2]]
    back = graphs.to_networkx()
    assert back[0].nodes[1]["label"] == "O"
    assert back[0].edges[0, 1]["label"] == "double"
    assert same(regula.Graphs.from_networkx(back, y=[1, 0], node_attributes="attributes",
                                            edge_attributes="attributes"), graphs)
    plain = regula.Graphs([networkx.cycle_graph(4), networkx.empty_graph(2)])
    assert plain[0].node_labels is None
    assert plain[1].n_edges == 0
    with pytest.raises(regula.DataError, match="without 'charge'"):
        regula.Graphs.from_networkx([networkx.path_graph(2)], node_attributes="charge")


def test_adjacency_matrices():
    dense = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    graphs = regula.Graphs([dense, dense[:2, :2]])
    assert graphs[0].edges.tolist() == [[0, 1], [1, 2]]
    with pytest.raises(regula.DataError, match="expected a square one"):
        regula.Graphs([dense[:2]])
    sparse = pytest.importorskip("scipy.sparse")
    for kind in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_matrix):
        assert same(regula.Graphs([kind(dense), kind(dense[:2, :2])]), graphs)


class Data:
    """As PyG's Data: what the conversion looks at."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


def test_data_of_pyg_without_pyg():
    one_hot = np.eye(3, dtype=np.float32)
    first = Data(edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), x=one_hot, num_nodes=3, y=np.array([1]),
                 edge_attr=np.eye(2)[[0, 0, 1, 1]])
    second = Data(edge_index=np.empty((2, 0), np.int64), x=one_hot[:1], num_nodes=1, y=np.array([0]),
                  edge_attr=np.empty((0, 2)))
    graphs = regula.Graphs([first, second])
    assert graphs.y.tolist() == [1, 0]
    assert graphs[0].node_labels.tolist() == [0, 1, 2]
    assert graphs[0].edge_labels.tolist() == [0, 0, 1, 1]
    first.x, second.x = one_hot * 0.5, one_hot[:1] * 0.5
    first.y, second.y = np.array([0.5]), np.array([1.5])
    graphs = regula.Graphs([first, second])
    assert graphs[0].node_attributes.tolist() == (one_hot * 0.5).tolist()
    assert graphs.y.tolist() == [0.5, 1.5]
    first.y = np.array([0, 1, 1])
    first.train_mask = np.array([True, False, True])
    graphs = regula.Graphs([first])
    assert graphs.y is None
    assert graphs.masks["train_mask"].tolist() == [True, False, True]


class Atom:
    def __init__(self, number, symbol):
        self.GetAtomicNum, self.GetSymbol = lambda: number, lambda: symbol


class Bond:
    def __init__(self, a, b, kind):
        self.GetBeginAtomIdx, self.GetEndAtomIdx, self.GetBondType = lambda: a, lambda: b, lambda: kind


class Molecule:
    """As a molecule of RDKit: what the conversion looks at."""

    def __init__(self, atoms, bonds):
        self.GetAtoms, self.GetBonds = lambda: atoms, lambda: bonds
        self.GetNumAtoms, self.GetNumBonds = lambda: len(atoms), lambda: len(bonds)


def test_molecules_of_rdkit_without_rdkit():
    water = Molecule([Atom(8, "O")], [])
    carbonyl = Molecule([Atom(6, "C"), Atom(8, "O")], [Bond(0, 1, "DOUBLE")])
    graphs = regula.Graphs([water, carbonyl], y=[0, 1])
    assert graphs[1].node_labels.tolist() == ["C", "O"]
    assert graphs[1].edge_labels.tolist() == ["double", "double"]
    assert graphs.dataset.labels(0)[:, 0].tolist() == [8, 6, 8]
    with pytest.raises(regula.DataError, match="NoneType at 1"):
        regula.Graphs([water, None])


def test_missing_targets_stay_missing():
    graphs = regula.Graphs([ring(4), ring(5), path(6)], y=np.array(["a", None, "b"], dtype=object))
    assert graphs.y.tolist() == ["a", None, "b"]
    assert graphs.dataset.labels(4)[1, 0] < 0
    graphs = regula.Graphs([ring(4), ring(5)], y=[np.nan, 1.5])
    assert np.isnan(graphs.y[0])


def test_other_targets_leave_the_rest(shapes):
    other = shapes.with_targets(np.arange(40) / 7)
    assert other.y.tolist() == (np.arange(40) / 7).tolist()
    assert other[3].node_labels.tolist() == shapes[3].node_labels.tolist()
    assert same(other.with_targets(shapes.y), shapes)


# ---- what is refused


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([], "found no graph"),
        (np.zeros((3, 2)), "expected a list of graphs"),
        (3, "expected a list of graphs"),
        ([1, 2], "found int"),
        ([ring(4), 5], "found int at 1"),
        ([([[0], [4]], 3)], "edge 0: found node 4, expected a node 0..2"),
        ([([[0, 1, 2]], 3)], "expected (2, n)"),
        ([([[0.5], [1]], 3)], "found node 0.5"),
        ([([[0], [1]], np.array(["C", 2.5], object))], "among texts"),
        ([([[0], [1]], ["C", ""])], "expected one with letters"),
        ([([[0], [1]], [[1.0, np.inf], [1, 2]])], "found inf"),
        ([([[0], [1]], [1.5, np.nan])], "found nan"),
        ([([[0], [1]], [1 + 2j, 2])], "complex128"),
        ([([[0], [-1]], 3)], "found node -1"),
        ([(np.array([["a"], ["b"]]), 3)], "found the type <U1"),
        ([([[0], [1]], 2**40)], "which makes 2^32"),
        ([([[0], [1]], -1)], "found -1"),
    ],
)
def test_what_is_no_graph_is_refused_with_a_message(X, message):
    with pytest.raises((regula.DataError, regula.UsageError)) as caught:
        regula.Graphs(X)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "choices",
    [
        {"node_labels": [1, 2]},
        {"node_labels": np.zeros((3, 2, 2))},
        {"edge_labels": [1, 2]},
        {"node_attributes": [[np.nan]] * 3},
        {"y": [1, 2, 3]},
        {"masks": {"train": [True]}},
        {"edge_counts": [5]},
        {"node_labels": [2.5, 1, 1]},
        {"names": ["a", "b"]},
    ],
)
def test_arrays_of_other_lengths_or_values_are_refused(choices):
    with pytest.raises((regula.Error, ValueError)):
        regula.Graphs.from_arrays([3], [[0, 1]], **choices)


def test_files_that_are_not_there_are_file_errors(tmp_path):
    with pytest.raises(regula.FileError) as caught:
        regula.load(tmp_path / "nowhere")
    assert isinstance(caught.value, OSError)
    with pytest.raises(regula.UsageError, match="found the format"):
        regula.load("MUTAG", format="odd")
    with pytest.raises(regula.UsageError, match="zero byte"):
        regula.load("a\0b")


def test_threads_may_build_at_once():
    digests = []
    threads = [threading.Thread(target=lambda: digests.append(regula.Graphs([ring(9), path(9)]).digest))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(digests)) == 1
    assert len(digests) == 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_may_go_on(shapes):
    child = os.fork()
    if not child:
        os._exit(0 if shapes[3:5].digest == shapes[[3, 4]].digest else 1)
    assert os.waitpid(child, 0)[1] == 0
