"""Graphs of other libraries as arrays. None of those libraries is imported: what an object offers decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np

from . import _abi as abi
from ._data import Array, Parts, Vocabulary, concatenated
from ._library import DataError, UsageError

BONDS = {"SINGLE": (1, "single"), "DOUBLE": (2, "double"), "TRIPLE": (3, "triple"), "AROMATIC": (4, "aromatic")}


def numpy_of(value: Any) -> Array:
    """An array or tensor as an array of numpy, without a copy where that is possible."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return np.asarray(value)


def _stack(rows: list[Any], what: str) -> Array:
    """One row per item, from numbers, texts or vectors."""
    try:
        array = np.asarray(rows)
    except ValueError:
        raise DataError(f"{what}: found vectors of different lengths, expected one length") from None
    return array


# ---- networkx


def _has(items: Iterable[Any], key: str) -> bool:
    return all(key in own for own in items)


def _label_key(graphs: Sequence[Any], edges: bool, wanted: str | None) -> str | None:
    """The name under which labels are kept: what was asked for, or `label` if everything has it."""
    if wanted is not None:
        return wanted
    empty = True
    for graph in graphs:
        items = [own for _, _, own in graph.edges(data=True)] if edges else [own for _, own in graph.nodes(data=True)]
        if not _has(items, "label"):
            return None
        empty = empty and not items
    return None if empty else "label"


def _networkx_columns(graphs: Sequence[Any], keys: Sequence[str], edges: bool) -> Array:
    """[node or edge][key], in the order of the graphs."""
    columns = []
    for key in keys:
        values: list[Any] = []
        for graph in graphs:
            if edges:
                values.extend(value for _, _, value in graph.edges(data=key))
            else:
                values.extend(value for _, value in graph.nodes(data=key))
        if any(value is None for value in values):
            item = "an edge" if edges else "a node"
            raise DataError(f"networkx: found {item} without {key!r}, expected all to have it")
        columns.append(_stack(values, key) if values else np.empty(0))
    return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)


def from_networkx(
    graphs: Sequence[Any],
    *,
    node_label: str | None = None,
    edge_label: str | None = None,
    node_attributes: Sequence[str] = (),
    edge_attributes: Sequence[str] = (),
    known: Vocabulary | None = None,
) -> Parts:
    """Graphs of networkx. Labels: the attribute named, or `label` if every node (or edge) has it."""
    nodes = np.fromiter((len(graph) for graph in graphs), np.int64, len(graphs))
    counts = np.fromiter((graph.number_of_edges() for graph in graphs), np.int64, len(graphs))
    ends: list[int] = []
    for graph in graphs:
        place = {node: k for k, node in enumerate(graph)}
        ends.extend(map(place.__getitem__, chain.from_iterable(edge[:2] for edge in graph.edges())))
    parts = Parts(nodes, np.array(ends, np.int64).reshape(-1, 2), counts)
    for kind, edges, wanted in ((abi.RG_NODE_LABEL, False, node_label), (abi.RG_EDGE_LABEL, True, edge_label)):
        key = _label_key(graphs, edges, wanted)
        if key is not None and (counts if edges else nodes).sum():
            parts.put(kind, _networkx_columns(graphs, [key], edges), known)
    for kind, edges, keys in (
        (abi.RG_NODE_ATTRIBUTE, False, node_attributes),
        (abi.RG_EDGE_ATTRIBUTE, True, edge_attributes),
    ):
        if keys and (counts if edges else nodes).sum():
            parts.put(kind, _networkx_columns(graphs, [keys] if isinstance(keys, str) else keys, edges))
    for key in ("y", "class"):
        if graphs and _has((graph.graph for graph in graphs), key):
            put_targets(parts, [graph.graph[key] for graph in graphs], known)
            break
    return parts


# ---- PyTorch Geometric


def _one_hot(array: Array) -> bool:
    """Does every row have a single 1 and else 0?"""
    if array.ndim != 2 or array.shape[1] < 2 or not len(array):
        return False
    return bool((array.max(axis=1) == 1).all() and (array.min(axis=1) == 0).all() and (array.sum(axis=1) == 1).all())


def _put_features(parts: Parts, label: int, attribute: int, array: Array) -> None:
    """One-hot rows and whole numbers are labels, everything else attributes."""
    if _one_hot(array):
        parts.put(label, array.argmax(axis=1))
    elif array.dtype.kind in "iub":
        parts.put(label, array)
    else:
        parts.put(attribute, array)


def put_targets(parts: Parts, values: Any, known: Vocabulary | None = None) -> None:
    """Whole numbers, truth values and texts are classes, floating-point numbers are targets."""
    array = numpy_of(values)
    array = array.reshape(len(array), -1) if array.ndim > 2 else array
    if array.dtype.kind == "f":
        parts.put(abi.RG_TARGET, array)
    else:
        parts.put(abi.RG_CLASS, array, known)


class _Columns:
    """Tensors of many Data objects, each once: from the storage that a PyG data set has, or one by one."""

    def __init__(self, graphs: Any) -> None:
        storage, slices = getattr(graphs, "_data", None), getattr(graphs, "slices", None)
        self.n = len(graphs)
        whole = storage is not None and slices is not None and getattr(graphs, "_indices", None) is None
        self.storage = storage if whole else None
        self.slices: Any = slices if whole else {}
        self.graphs: Sequence[Any] = [] if whole else list(graphs)

    def has(self, key: str) -> bool:
        if self.storage is not None:
            return key in self.slices and getattr(self.storage, key, None) is not None
        return bool(self.graphs) and all(getattr(graph, key, None) is not None for graph in self.graphs)

    def get(self, key: str, axis: int = 0) -> tuple[Array, Array]:
        """All rows, and how many each graph has."""
        if self.storage is not None:
            rows = numpy_of(getattr(self.storage, key))
            return rows, np.diff(numpy_of(self.slices[key]))
        arrays = [numpy_of(getattr(graph, key)) for graph in self.graphs]
        arrays = [array.reshape(1) if array.ndim == 0 else array for array in arrays]
        counts = np.fromiter((array.shape[axis] for array in arrays), np.int64, len(arrays))
        return np.concatenate(arrays, axis=axis), counts

    def nodes(self) -> Array:
        for key in ("x", "pos"):
            if self.has(key):
                return self.get(key)[1]
        if self.storage is not None and "num_nodes" in self.slices:
            return numpy_of(self.storage.num_nodes)
        if self.storage is not None:
            raise DataError("PyG: found neither x nor num_nodes, expected one of them")
        return np.array([int(graph.num_nodes) for graph in self.graphs], np.int64)


def from_pyg(graphs: Any, *, known: Vocabulary | None = None) -> Parts:
    """Data objects of PyTorch Geometric, or a data set of them.

    x and edge_attr are labels if their rows are one-hot or whole numbers, else attributes; y belongs to
    graphs, or to nodes if there is one for each; train_mask, val_mask and test_mask are masks."""
    columns = _Columns(graphs)
    if not columns.n:
        return Parts(np.empty(0, np.int64), np.empty((0, 2), np.int64))
    nodes = columns.nodes()
    edges, counts = columns.get("edge_index", axis=1)
    parts = Parts(nodes, edges.T, counts)
    if columns.has("x"):
        _put_features(parts, abi.RG_NODE_LABEL, abi.RG_NODE_ATTRIBUTE, columns.get("x")[0])
    if columns.has("edge_attr"):
        _put_features(parts, abi.RG_EDGE_LABEL, abi.RG_EDGE_ATTRIBUTE, columns.get("edge_attr")[0])
    if columns.has("y"):
        values, own = columns.get("y")
        of_nodes = np.array_equal(own, nodes) and not (own == 1).all()
        if of_nodes:
            parts.put(abi.RG_NODE_TARGET if values.dtype.kind == "f" else abi.RG_NODE_CLASS, values)
        elif (own == 1).all():
            put_targets(parts, values, known)
        else:
            raise DataError("PyG: found y of other lengths than graphs or nodes, expected one for each")
    masks = [key for key in ("train_mask", "val_mask", "test_mask") if columns.has(key)]
    if masks:
        parts.put(abi.RG_NODE_MASK, np.stack([columns.get(key)[0] for key in masks], axis=1))
        parts.column_names[abi.RG_NODE_MASK] = masks
    return parts


# ---- RDKit


def from_rdkit(molecules: Sequence[Any], *, known: Vocabulary | None = None) -> Parts:
    """Molecules: atomic numbers as labels of nodes, kinds of bonds as labels of edges, both with names."""
    nodes, counts, atoms, bonds, ends = [], [], [], [], []
    symbols: dict[str, int] = {}
    kinds: dict[str, int] = {}
    for molecule in molecules:
        if molecule is None:
            raise DataError("RDKit: found None, expected a molecule (one that could not be read?)")
        for atom in molecule.GetAtoms():
            atoms.append(atom.GetAtomicNum())
            symbols.setdefault(atom.GetSymbol(), atoms[-1])
        for bond in molecule.GetBonds():
            word = str(bond.GetBondType()).rsplit(".", 1)[-1]
            number, name = BONDS[word] if word in BONDS else (int(bond.GetBondType()), word.lower())
            bonds.append(number)
            kinds.setdefault(name, number)
            ends.append((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()))
        nodes.append(molecule.GetNumAtoms())
        counts.append(molecule.GetNumBonds())
    parts = Parts(np.array(nodes, np.int64), np.array(ends, np.int64).reshape(-1, 2), np.array(counts, np.int64))
    if atoms:
        parts.put(abi.RG_NODE_LABEL, np.array(atoms))
        parts.value_names[abi.RG_NODE_LABEL, 0] = symbols
    if bonds:
        parts.put(abi.RG_EDGE_LABEL, np.array(bonds))
        parts.value_names[abi.RG_EDGE_LABEL, 0] = kinds
    return parts


# ---- adjacency matrices and tuples of arrays


def from_adjacency(matrices: Sequence[Any], *, known: Vocabulary | None = None) -> Parts:
    """Square matrices, of scipy or dense: an edge wherever there is no 0."""
    nodes, counts, ends = [], [], []
    for matrix in matrices:
        rows, columns = matrix.nonzero()
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            raise DataError(f"adjacency: found a matrix of shape {matrix.shape}, expected a square one")
        nodes.append(matrix.shape[0])
        counts.append(len(rows))
        ends.append(np.stack([rows, columns], axis=1).astype(np.int64))
    return Parts(np.array(nodes, np.int64), concatenated(ends, np.int64).reshape(-1, 2), np.array(counts, np.int64))


def _edge_rows(edges: Any) -> Array:
    """[edge][2] of an edge index [2][edge] or a list of pairs."""
    array = numpy_of(edges)
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.ndim == 2 and array.shape[0] == 2:
        return cast(Array, array.T)
    if array.ndim == 2 and array.shape[1] == 2:
        return array
    raise DataError(f"edges: found the shape {array.shape}, expected (2, n) or (n, 2)")


def from_tuples(graphs: Sequence[Any], *, known: Vocabulary | None = None) -> Parts:
    """Tuples (edge_index, node labels) or (edge_index, node labels, edge labels); instead of the labels of
    nodes their number, and labels that are floating-point numbers are attributes."""
    edges = [_edge_rows(graph[0]) for graph in graphs]
    second = [numpy_of(graph[1]) for graph in graphs]
    labelled = [own.ndim > 0 for own in second]
    nodes = np.array([len(own) if own.ndim else int(own) for own in second], np.int64)
    parts = Parts(nodes, concatenated(edges, np.int64).reshape(-1, 2), np.array([len(own) for own in edges], np.int64))
    if labelled and all(labelled) and nodes.sum():
        _put_any(parts, abi.RG_NODE_LABEL, abi.RG_NODE_ATTRIBUTE, [own for own in second if len(own)], known)
    if len(graphs) and all(len(graph) > 2 and graph[2] is not None for graph in graphs):
        rows = [numpy_of(graph[2]) for graph in graphs]
        if sum(len(own) for own in rows):
            _put_any(parts, abi.RG_EDGE_LABEL, abi.RG_EDGE_ATTRIBUTE, [own for own in rows if len(own)], known)
    return parts


def _put_any(parts: Parts, label: int, attribute: int, rows: list[Array], known: Vocabulary | None) -> None:
    array = concatenated(rows, np.int64)
    if array.dtype.kind == "f":
        parts.put(attribute, array)
    else:
        parts.put(label, array, known)


# ---- whichever it is


def _is_networkx(graph: Any) -> bool:
    return hasattr(graph, "nodes") and hasattr(graph, "edges") and hasattr(graph, "number_of_edges")


def _is_matrix(graph: Any) -> bool:
    return hasattr(graph, "nonzero") and hasattr(graph, "shape") and len(graph.shape) == 2


READERS: list[tuple[Callable[[Any], bool], Callable[..., Parts]]] = [
    (lambda graph: hasattr(graph, "edge_index"), from_pyg),
    (_is_networkx, from_networkx),
    (lambda graph: hasattr(graph, "GetAtoms"), from_rdkit),
    (_is_matrix, from_adjacency),
    (lambda graph: isinstance(graph, (tuple, list)) and len(graph) in (2, 3), from_tuples),
]


def convert(graphs: Any, known: Vocabulary | None) -> Parts:
    """Arrays of whatever holds graphs; the first of them tells what they are."""
    if isinstance(graphs, (str, bytes)) or not hasattr(graphs, "__len__"):
        raise UsageError(f"found {type(graphs).__name__}, expected a list of graphs")
    if isinstance(graphs, np.ndarray) and graphs.dtype != object:
        raise DataError(f"found an array of {graphs.dtype} and shape {graphs.shape}, expected a list of graphs")
    if not len(graphs):
        raise DataError("found no graph, expected at least one")
    first = graphs[0]
    for fits, reader in READERS:
        if not fits(first):
            continue
        for k, graph in enumerate(graphs if reader is not from_pyg else ()):
            if graph is None or not fits(graph):
                raise DataError(f"found {type(graph).__name__} at {k}, expected a graph like the first one")
        return reader(graphs, known=known)
    raise DataError(
        f"found {type(first).__name__}, expected graphs of networkx, PyG or RDKit, adjacency matrices, "
        "or tuples (edge_index, labels)"
    )
