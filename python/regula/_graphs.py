"""Graphs: a sequence of graphs with labels, attributes and targets."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast, overload

import numpy as np

from . import _abi as abi
from . import _convert as convert
from . import _molecules as molecules
from ._data import LABELS, MISSING, Array, Dataset, Parts, Vocabulary, unpack
from ._library import DataError, Stoppable, UsageError, create, create_text, defaults, encode, lib, sized


class Graph:
    """One graph of a `Graphs`. Arrays are views where that is possible, and read-only.

    >>> graph = Graphs.from_arrays([3], [[0, 1], [1, 2]], node_labels=["C", "O", "C"])[0]
    >>> graph
    Graph(3 nodes, 2 edges)
    >>> graph.edges.tolist()
    [[0, 1], [1, 2]]
    >>> graph.node_labels.tolist()
    ['C', 'O', 'C']
    """

    def __init__(self, data: Dataset, number: int) -> None:
        self._data = data
        self._number = number
        first = data.first_nodes[number : number + 2].astype(np.int64)
        self._nodes = slice(int(first[0]), int(first[1]))
        arcs = data.first_arcs[[self._nodes.start, self._nodes.stop]].astype(np.int64)
        self._arcs = slice(int(arcs[0]), int(arcs[1]))

    def __repr__(self) -> str:
        return f"Graph({self.n_nodes} nodes, {self.n_edges} edges)"

    @property
    def n_nodes(self) -> int:
        return self._nodes.stop - self._nodes.start

    @property
    def n_edges(self) -> int:
        return (self._arcs.stop - self._arcs.start) // 2

    @property
    def name(self) -> str | None:
        """The name of the sample, if it has one."""
        return self._data.graph_names()[self._number]

    @property
    def edge_index(self) -> Array:
        """[2][arc]: every edge in both directions, sorted."""
        starts = self._data.first_arcs[self._nodes.start : self._nodes.stop + 1].astype(np.int64)
        rows = np.repeat(np.arange(self.n_nodes), np.diff(starts))
        return np.stack([rows, self._data.neighbours[self._arcs].astype(np.int64)])

    @property
    def edges(self) -> Array:
        """[edge][2]: every edge once, the smaller node first."""
        pairs = self.edge_index
        return cast(Array, pairs[:, pairs[0] < pairs[1]].T)

    def _column(self, kind: int, items: slice) -> Array | None:
        if not self._data.n_columns(kind):
            return None
        array = self._data.named(kind)[items] if kind in LABELS else self._data.rows(kind)[items]
        return array[:, 0] if kind in LABELS and array.shape[1] == 1 else array

    @property
    def node_labels(self) -> Array | None:
        """Labels of the nodes: names where labels have names; two dimensions for several columns."""
        return self._column(abi.RG_NODE_LABEL, self._nodes)

    @property
    def edge_labels(self) -> Array | None:
        """Labels of the columns of `edge_index`."""
        return self._column(abi.RG_EDGE_LABEL, self._arcs)

    @property
    def node_attributes(self) -> Array | None:
        """[node][column]"""
        return self._column(abi.RG_NODE_ATTRIBUTE, self._nodes)

    @property
    def edge_attributes(self) -> Array | None:
        """[column of edge_index][column]"""
        return self._column(abi.RG_EDGE_ATTRIBUTE, self._arcs)

    def to_networkx(self) -> Any:
        """The graph as one of networkx, with `label` and `attributes` of nodes and edges."""
        import networkx

        graph = networkx.Graph()
        if self.name is not None:
            graph.graph["name"] = self.name
        labels, attributes = self.node_labels, self.node_attributes
        for k in range(self.n_nodes):
            graph.add_node(k, **_fields(labels, attributes, k))
        labels, attributes = self.edge_labels, self.edge_attributes
        for k, (i, j) in enumerate(self.edge_index.T.tolist()):
            if i < j:
                graph.add_edge(i, j, **_fields(labels, attributes, k))
        return graph

    def to_pyg(self) -> Any:
        """The graph as Data of PyTorch Geometric: x and edge_attr are labels, else attributes."""
        import torch
        from torch_geometric.data import Data

        numbers = _plain(self._data, abi.RG_NODE_LABEL, self._nodes)
        x = numbers if numbers is not None else self.node_attributes
        numbers = _plain(self._data, abi.RG_EDGE_LABEL, self._arcs)
        edge_attr = numbers if numbers is not None else self.edge_attributes
        data = Data(edge_index=torch.from_numpy(self.edge_index), num_nodes=self.n_nodes)
        if x is not None:
            data.x = torch.tensor(x)
        if edge_attr is not None:
            data.edge_attr = torch.tensor(edge_attr)
        return data


def _fields(labels: Array | None, attributes: Array | None, k: int) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if labels is not None:
        out["label"] = labels[k].tolist() if isinstance(labels[k], (np.generic, np.ndarray)) else labels[k]
    if attributes is not None:
        out["attributes"] = attributes[k].tolist()
    return out


def _plain(data: Dataset, kind: int, items: slice) -> Array | None:
    return data.labels(kind)[items] if data.n_columns(kind) else None


class Graphs(Sequence[Graph]):
    """A sequence of graphs that the library holds.

    Slices and lists of numbers give other `Graphs` that share its memory; a number gives a `Graph`.
    `load` reads one from files; `Graphs(X)` takes lists of graphs of networkx, PyTorch Geometric or RDKit, of
    SMILES, adjacency matrices, or tuples (edge_index, node labels), and the name or path of a data set.

    >>> triangle = ([[0, 1, 2], [1, 2, 0]], ["C", "C", "O"])
    >>> path = ([[0, 1], [1, 2]], ["C", "N", "C"])
    >>> graphs = Graphs([triangle, path], y=["ring", "chain"])
    >>> graphs
    Graphs('data', 2 graphs)
    >>> graphs.y.tolist()
    ['ring', 'chain']
    >>> len(graphs[[1, 0, 1]]), graphs[-1]
    (3, Graph(3 nodes, 2 edges))
    """

    def __init__(self, X: Any, y: Any = None, *, name: str | None = None) -> None:
        self._index: Array | None = None
        self._base: Dataset
        if isinstance(X, Dataset):
            self._base = X
        elif isinstance(X, Graphs):
            own = X if y is None else X.with_targets(y)
            self._base, self._index = own._base, own._index
        elif isinstance(X, (str, os.PathLike)) or molecules.are_smiles(X):
            if isinstance(X, (str, os.PathLike)):
                own = load(X)
            else:
                own = Graphs(molecules.read_smiles(X, name or "molecules"))
            self._base = own.dataset if y is None else own.with_targets(y).dataset
        else:
            parts = convert.convert(X, None)
            self._base = _finish(parts, y, name, None)

    # ---- from other libraries, with choices

    @classmethod
    def from_arrays(
        cls,
        n_nodes: Any,
        edges: Any,
        *,
        y: Any = None,
        edge_counts: Any = None,
        node_labels: Any = None,
        edge_labels: Any = None,
        node_attributes: Any = None,
        edge_attributes: Any = None,
        node_y: Any = None,
        edge_y: Any = None,
        masks: Mapping[str, Any] | None = None,
        names: Sequence[str] | None = None,
        name: str = "data",
    ) -> Graphs:
        """Graphs from arrays; none is copied before the graphs are built.

        n_nodes: number of nodes of each graph. edges: pairs of nodes, (n, 2) or (2, n), in one direction or
        both, numbered through all graphs; with edge_counts, the number of edges of each graph, nodes are
        numbered from 0 in each graph. Labels are whole numbers or texts, in one column or several;
        masks are truth values for each node, by name.

        >>> graphs = Graphs.from_arrays([2, 1], [[0, 1]], node_labels=["C", "O", "C"], y=[0.5, 1.5])
        >>> graphs.y.tolist()
        [0.5, 1.5]
        """
        parts = Parts(convert.numpy_of(n_nodes), convert._edge_rows(edges), name=name)
        if edge_counts is not None:
            parts.edge_counts = convert.numpy_of(edge_counts)
        for kind, values in (
            (abi.RG_NODE_LABEL, node_labels),
            (abi.RG_EDGE_LABEL, edge_labels),
            (abi.RG_NODE_ATTRIBUTE, node_attributes),
            (abi.RG_EDGE_ATTRIBUTE, edge_attributes),
        ):
            if values is not None:
                parts.put(kind, convert.numpy_of(values))
        for classes, targets, values in (
            (abi.RG_NODE_CLASS, abi.RG_NODE_TARGET, node_y),
            (abi.RG_EDGE_CLASS, abi.RG_EDGE_TARGET, edge_y),
        ):
            if values is not None:
                array = convert.numpy_of(values)
                parts.put(targets if array.dtype.kind == "f" else classes, array)
        if masks:
            parts.put(abi.RG_NODE_MASK, np.stack([np.asarray(own, np.bool_) for own in masks.values()], axis=1))
            parts.column_names[abi.RG_NODE_MASK] = list(masks)
        parts.graph_names = names
        return cls(_finish(parts, y, name, None))

    @classmethod
    def from_networkx(cls, graphs: Sequence[Any], y: Any = None, *, name: str | None = None, **choices: Any) -> Graphs:
        """Graphs of networkx. node_label, edge_label: the name of the attribute that holds labels (`label` if
        every node or edge has it); node_attributes, edge_attributes: names of those that hold numbers.

        >>> import networkx
        >>> Graphs.from_networkx([networkx.cycle_graph(5), networkx.path_graph(4)], y=[1, 0])
        Graphs('data', 2 graphs)
        """
        return cls(_finish(convert.from_networkx(list(graphs), **choices), y, name, None))

    @classmethod
    def from_smiles(
        cls,
        smiles: Sequence[str],
        y: Any = None,
        *,
        name: str = "molecules",
        hydrogens: str = "implicit",
        largest_fragment: bool = False,
        invalid: str = "raise",
    ) -> Graphs:
        """Molecules from SMILES, one each. hydrogens: `explicit` makes them nodes; largest_fragment: of salts and
        mixtures keeps the largest part. invalid: `skip` leaves out, with their targets, molecules that cannot be
        read; `names` then has the place of the others in the list.

        >>> graphs = Graphs.from_smiles(["CCO", "c1ccccc1"], y=[1.1, -1.64])
        >>> graphs[0].node_labels[:, 0].tolist(), graphs.y.tolist()
        (['C', 'C', 'O'], [1.1, -1.64])
        """
        if invalid not in ("raise", "skip"):
            raise UsageError(f"found invalid={invalid!r}, expected 'raise' or 'skip'")
        kept: list[int] | None = None if invalid == "raise" else []
        out = cls(molecules.read_smiles(smiles, name, hydrogens, largest_fragment, kept))
        if y is None:
            return out
        if len(y) != len(smiles):
            raise DataError(f"found {len(y)} targets for {len(smiles)} graphs, expected one for each")
        return out.with_targets(y if kept is None else convert.numpy_of(y)[kept])

    # ---- a sequence

    @property
    def _numbers(self) -> Array:
        return np.arange(self._base.n_graphs) if self._index is None else self._index

    def __len__(self) -> int:
        return self._base.n_graphs if self._index is None else len(self._index)

    @property
    def shape(self) -> tuple[int]:
        """(number of graphs,), as arrays have it."""
        return (len(self),)

    @overload
    def __getitem__(self, key: int) -> Graph: ...
    @overload
    def __getitem__(self, key: Any) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:
            key = key[0]
        if isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_)):
            if not -len(self) <= key < len(self):
                raise IndexError(f"there are {len(self)} graphs: there is no {key}")
            return Graph(self._base, int(self._numbers[key]))
        out = Graphs(self._base)
        try:
            picked = self._numbers[key if isinstance(key, slice) else _positions(key)]
        except IndexError as error:
            raise IndexError(str(error)) from None
        out._index = np.ascontiguousarray(picked)
        return out

    def __iter__(self) -> Iterator[Graph]:
        return (Graph(self._base, int(number)) for number in self._numbers)

    def __repr__(self) -> str:
        return f"Graphs({self.name!r}, {len(self)} graphs)"

    def __getstate__(self) -> dict[str, Any]:
        return {"parts": unpack(self.dataset)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._base, self._index = state["parts"].build(), None

    # ---- what is in it

    @property
    def dataset(self) -> Dataset:
        """The data set of exactly these graphs; a part is copied once, when it is first needed."""
        if self._index is not None:
            everything = np.arange(self._base.n_graphs)
            if len(self._index) != len(everything) or not np.array_equal(self._index, everything):
                self._base = self._base.select(self._index)
            self._index = None
        return self._base

    @property
    def name(self) -> str:
        return self._base.name

    @property
    def names(self) -> list[str | None]:
        """Names of the samples; None where there is none."""
        names = self._base.graph_names()
        return [names[number] for number in self._numbers]

    @property
    def y(self) -> Array | None:
        """Targets of the graphs: classes (as names, where they have names), else real values. Two
        dimensions if there are several; None or nan where one is not known; None: there are no targets."""
        kind = abi.RG_CLASS if self._base.n_columns(abi.RG_CLASS) else abi.RG_TARGET
        if not self._base.n_columns(kind):
            return None
        rows = self._base.named(kind) if kind == abi.RG_CLASS else self._base.reals(kind)
        rows = rows[self._numbers]
        return rows[:, 0] if rows.shape[1] == 1 else rows

    @property
    def n_nodes(self) -> Array:
        """Number of nodes of each graph."""
        return np.diff(self._base.first_nodes.astype(np.int64))[self._numbers]

    @property
    def masks(self) -> dict[str, Array]:
        """Masks of the nodes, by name."""
        data = self.dataset
        rows, names = data.masks(abi.RG_NODE_MASK), data.column_names(abi.RG_NODE_MASK)
        return {name or str(k): rows[:, k] for k, name in enumerate(names)}

    def audit(self) -> dict[str, Any]:
        """What `regula data info` finds: sizes, diameters, copies, and what was odd.

        >>> Graphs.from_arrays([3], [[0, 1], [1, 0], [1, 1]]).audit()["quirks"]
        {'listed_edges': 3, 'self_loops': 1, 'unsorted_edges': 0, 'isolated_nodes': 1}
        """
        found = sized(abi.rg_audit)
        options, stoppable = defaults(abi.rg_audit_options), Stoppable()
        stoppable.arm(options)
        stoppable.call("rg_audit_run", ctypes.byref(found), self.dataset.handle, ctypes.byref(options))
        out = _as_dict(found)
        del out["size"]
        quirks = _as_dict(lib.rg_dataset_quirks(self.dataset.handle).contents)
        always = ("listed_edges", "self_loops", "unsorted_edges")
        out["quirks"] = {key: value for key, value in quirks.items() if value or key in always}
        return out

    @property
    def digest(self) -> str:
        """SHA-256 of the content; names are no part of it."""
        buffer = ctypes.create_string_buffer(abi.RG_DIGEST_SIZE)
        lib.rg_dataset_digest(self.dataset.handle, buffer)
        return buffer.value.decode("ascii")

    def to_smiles(self) -> list[str]:
        """Molecules as canonical SMILES.

        >>> Graphs(["OCC", "C1=CC=CC=C1"]).to_smiles()
        ['CCO', 'c1ccccc1']
        """
        data = self.dataset
        texts = (create_text("rg_dataset_smiles", data.handle, number, 0) for number in range(len(self)))
        return [text or "" for text in texts]

    def with_targets(self, y: Any) -> Graphs:
        """The same graphs with other targets: whole numbers and texts are classes, others real values."""
        return self._with_targets(y, {})

    def _with_targets(self, y: Any, names: Mapping[str, int]) -> Graphs:
        """The same with names of the classes, which are numbers."""
        parts = unpack(self.dataset)
        for kind in (abi.RG_CLASS, abi.RG_TARGET):
            parts.columns.pop(kind, None)
            parts.column_names.pop(kind, None)
        for key in [key for key in parts.value_names if key[0] == abi.RG_CLASS]:
            del parts.value_names[key]
        if names:
            parts.value_names[abi.RG_CLASS, 0] = dict(names)
        return Graphs(_finish(parts, y, self.name, None))

    def to_networkx(self) -> list[Any]:
        """All graphs as graphs of networkx.

        >>> Graphs.from_arrays([2], [[0, 1]]).to_networkx()[0].number_of_edges()
        1
        """
        return [graph.to_networkx() for graph in self]

    def to_pyg(self) -> list[Any]:
        """All graphs as Data of PyTorch Geometric, with y."""
        import torch

        out = [graph.to_pyg() for graph in self]
        y = self.y
        if y is not None and y.dtype.kind in "iuf":
            for data, own in zip(out, y, strict=False):
                data.y = torch.tensor(own).reshape(1, -1) if np.ndim(own) else torch.tensor([own])
        return out

    def _aligned(self, known: Vocabulary) -> Graphs:
        """The same graphs with the values that a model knows for the names of labels."""
        data = self.dataset
        inputs = (abi.RG_NODE_LABEL, abi.RG_EDGE_LABEL)
        own = {key: names for key, names in data.vocabulary().items() if key[0] in inputs}
        if all(_agree(names, known.get(key, {})) for key, names in own.items()):
            return self
        parts = unpack(data)
        for (kind, column), before in own.items():
            names = dict(known.get((kind, column), {}))
            taken = set(names.values())
            for name in sorted(set(before) - set(names)):
                names[name] = before[name] if before[name] not in taken else max(taken) + 1
                taken.add(names[name])
            values = parts.columns[kind][:, column]
            old = np.array(sorted(before.values()))
            of_old = {value: names[name] for name, value in before.items()}
            new = np.array([of_old[value] for value in old.tolist()])
            place = np.minimum(np.searchsorted(old, values), len(old) - 1)
            parts.columns[kind][:, column] = np.where(old[place] == values, new[place], values)
            parts.value_names[kind, column] = names
        return Graphs(parts.build())


def _agree(names: Mapping[str, int], known: Mapping[str, int]) -> bool:
    """Do names have the values that are known, and new names other ones?"""
    taken = {value: name for name, value in known.items()}
    return all(taken.get(known.get(name, value), name) == name and known.get(name, value) == value
               for name, value in names.items())


def _positions(key: Any) -> Array:
    array = np.asarray(key)
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iub":
        raise IndexError(f"found an index of {array.dtype}, expected numbers or truth values")
    return array


def _as_dict(struct: ctypes.Structure) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for part in struct._fields_:
        value = getattr(struct, part[0])
        if isinstance(value, ctypes.Structure):
            value = _as_dict(value)
        out[part[0]] = value.decode("utf-8") if isinstance(value, bytes) else value
    return out


def _finish(parts: Parts, y: Any, name: str | None, known: Vocabulary | None) -> Dataset:
    """Puts the targets in and builds."""
    if y is not None:
        array = convert.numpy_of(y)
        if len(array) != len(parts.nodes):
            raise DataError(f"found {len(array)} targets for {len(parts.nodes)} graphs, expected one for each")
        for kind in (abi.RG_CLASS, abi.RG_TARGET):
            parts.columns.pop(kind, None)
        convert.put_targets(parts, array, known)
    if name is not None:
        parts.name = name
    return parts.build()


def load(
    name: str | os.PathLike[str],
    *,
    format: str = "auto",
    smiles: str | None = None,
    target: str | Sequence[str] | None = None,
    id: str | None = None,
    hydrogens: str = "implicit",
    largest_fragment: bool = False,
) -> Graphs:
    """A data set by its name in `$REGULA_DATA` or the cache, or by the path of its directory, archive or file.

    Of a table of molecules: smiles, target and id are names of columns, several targets as a list; `target=""`: none.
    The one that alone can be meant need not be named. A molecule that cannot be read is left out.

    >>> load("no such data set")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    regula.FileError: ...
    """
    options = defaults(abi.rg_read_options)
    options.format = lib.rg_format_find(encode(format))
    if options.format == abi.RG_NO_FORMAT:
        raise UsageError(f"found the format {format!r}, expected auto, tu, three, ogb or graph6")
    molecules.choose(
        options, smiles=smiles, target=target, id=id, hydrogens=hydrogens, largest_fragment=largest_fragment
    )
    path = create_text("rg_data_find", encode(name))
    assert path is not None
    return Graphs(Dataset(create("rg_dataset_read", encode(path), ctypes.byref(options))))


def as_graphs(X: Any, known: Vocabulary | None = None) -> Graphs:
    """X as it is, or converted; labels that are texts have the values that are known."""
    if isinstance(X, Graphs):
        return X._aligned(known) if known else X
    if isinstance(X, (str, os.PathLike)) or molecules.are_smiles(X):
        own = Graphs(X)
        return own._aligned(known) if known else own
    return Graphs(_finish(convert.convert(X, known), None, None, known))


__all__ = ["MISSING", "Graph", "Graphs", "as_graphs", "load"]
