"""Data sets of the library: owned, looked at without copies, and built from arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from ctypes import POINTER, c_char_p, c_size_t, c_void_p
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from . import _abi as abi
from ._library import DataError, address_of, create, decode, encode, lib, view

Array = npt.NDArray[Any]
Vocabulary = dict[tuple[int, int], dict[str, int]]  # by kind and column: the value of each name

MISSING = -(2**63)  # a class that is not known

# What the rows of a kind of columns are of.
ITEMS = {
    abi.RG_NODE_LABEL: "node",
    abi.RG_NODE_ATTRIBUTE: "node",
    abi.RG_NODE_CLASS: "node",
    abi.RG_NODE_TARGET: "node",
    abi.RG_NODE_MASK: "node",
    abi.RG_EDGE_LABEL: "edge",
    abi.RG_EDGE_ATTRIBUTE: "edge",
    abi.RG_EDGE_CLASS: "edge",
    abi.RG_EDGE_TARGET: "edge",
    abi.RG_EDGE_MASK: "edge",
    abi.RG_CLASS: "graph",
    abi.RG_TARGET: "graph",
    abi.RG_MASK: "graph",
}
LABELS = (abi.RG_NODE_LABEL, abi.RG_EDGE_LABEL, abi.RG_CLASS, abi.RG_NODE_CLASS, abi.RG_EDGE_CLASS)
REALS = (
    abi.RG_NODE_ATTRIBUTE,
    abi.RG_EDGE_ATTRIBUTE,
    abi.RG_TARGET,
    abi.RG_NODE_TARGET,
    abi.RG_EDGE_TARGET,
)
MASKS = (abi.RG_NODE_MASK, abi.RG_EDGE_MASK, abi.RG_MASK)
_TYPES = {
    "|b1": abi.RG_ITEM_U8,
    "|i1": abi.RG_ITEM_I8,
    "|u1": abi.RG_ITEM_U8,
    "<i2": abi.RG_ITEM_I16,
    "<u2": abi.RG_ITEM_U16,
    "<i4": abi.RG_ITEM_I32,
    "<u4": abi.RG_ITEM_U32,
    "<i8": abi.RG_ITEM_I64,
    "<u8": abi.RG_ITEM_U64,
    "<f4": abi.RG_ITEM_F32,
    "<f8": abi.RG_ITEM_F64,
}


def _address(pointer: Any) -> int | None:
    return ctypes.cast(pointer, c_void_p).value


class Dataset:
    """A data set that this object owns. Arrays are views that keep it alive."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.name = str(decode(lib.rg_dataset_name(handle)))
        self.n_graphs = int(lib.rg_dataset_n_graphs(handle))
        self.n_nodes = int(lib.rg_dataset_n_nodes(handle))
        self.n_arcs = int(lib.rg_dataset_n_arcs(handle))
        self._kept: dict[Any, Any] = {}  # what was asked for once; a data set never changes

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", 0), 0
        if handle and lib is not None:
            lib.rg_dataset_free(handle)

    def n_items(self, kind: int) -> int:
        return {"node": self.n_nodes, "edge": self.n_arcs, "graph": self.n_graphs}[ITEMS[kind]]

    def n_columns(self, kind: int) -> int:
        return int(lib.rg_dataset_n_columns(self.handle, kind))

    @property
    def first_nodes(self) -> Array:
        pointer = lib.rg_dataset_first_nodes(self.handle)
        return view(_address(pointer), np.uint64, self.n_graphs + 1, self)

    @property
    def first_arcs(self) -> Array:
        return view(_address(lib.rg_dataset_first_arcs(self.handle)), np.uint64, self.n_nodes + 1, self)

    @property
    def neighbours(self) -> Array:
        return view(_address(lib.rg_dataset_neighbours(self.handle)), np.uint32, self.n_arcs, self)

    def ranks(self, kind: int, column: int) -> Array:
        pointer = lib.rg_dataset_ranks(self.handle, kind, column)
        return view(_address(pointer), np.uint32, self.n_items(kind), self)

    def values(self, kind: int, column: int) -> Array:
        n = c_size_t()
        pointer = lib.rg_dataset_values(self.handle, kind, column, ctypes.byref(n))
        return view(_address(pointer), np.int64, n.value, self)

    def labels(self, kind: int) -> Array:
        """[item][column]: values of labels or classes; MISSING where none is known."""
        out = np.empty((self.n_items(kind), self.n_columns(kind)), np.int64)
        for column in range(out.shape[1]):
            values = np.append(self.values(kind, column), MISSING)
            out[:, column] = values[np.minimum(self.ranks(kind, column), len(values) - 1)]
        return out

    def reals(self, kind: int) -> Array:
        """[item][column], a view."""
        columns = self.n_columns(kind)
        n = self.n_items(kind) * columns
        flat = view(_address(lib.rg_dataset_reals(self.handle, kind)), np.float64, n, self)
        return flat.reshape(self.n_items(kind), columns)

    def masks(self, kind: int) -> Array:
        """[item][column], as truth values."""
        out = np.empty((self.n_items(kind), self.n_columns(kind)), np.bool_)
        for column in range(out.shape[1]):
            pointer = lib.rg_dataset_mask(self.handle, kind, column)
            out[:, column] = view(_address(pointer), np.uint8, len(out), self)
        return out

    def rows(self, kind: int) -> Array:
        if kind in LABELS:
            return self.labels(kind)
        return self.reals(kind) if kind in REALS else self.masks(kind)

    def value_names(self, kind: int, column: int) -> list[str | None]:
        n = len(self.values(kind, column))
        return [decode(lib.rg_dataset_value_name(self.handle, kind, column, k)) for k in range(n)]

    def column_names(self, kind: int) -> list[str | None]:
        n = self.n_columns(kind)
        return [decode(lib.rg_dataset_column_name(self.handle, kind, k)) for k in range(n)]

    def graph_names(self) -> list[str | None]:
        names = self._kept.get("names")
        if names is None:
            names = [decode(lib.rg_dataset_graph_name(self.handle, k)) for k in range(self.n_graphs)]
            self._kept["names"] = names
        return cast("list[str | None]", names)

    def named(self, kind: int) -> Array:
        """[item][column]: names where every value of a column has one, else values; None or nan where not known."""
        if ("named", kind) not in self._kept:
            columns = [self._named_column(kind, column) for column in range(self.n_columns(kind))]
            self._kept["named", kind] = np.stack(columns, axis=1) if columns else np.empty((0, 0))
        return cast(Array, self._kept["named", kind])

    def _named_column(self, kind: int, column: int) -> Array:
        names, ranks = self.value_names(kind, column), self.ranks(kind, column)
        known = ranks != abi.RG_NO_CLASS
        if names and all(names):
            texts = np.array([*names, None], dtype=object)[np.where(known, ranks, len(names))]
            return texts.astype(str) if known.all() else texts
        values = np.append(self.values(kind, column), 0)
        values = values[np.minimum(ranks, len(values) - 1)]  # RG_NO_CLASS is the largest rank of all
        return values if known.all() else np.where(known, values.astype(np.float64), np.nan)

    def vocabulary(self) -> Vocabulary:
        """The value of every name, where values have names."""
        out: Vocabulary = {}
        for kind in LABELS:
            for column in range(self.n_columns(kind)):
                values = self.values(kind, column)
                names = self.value_names(kind, column)
                known = {name: int(value) for name, value in zip(names, values, strict=False) if name}
                if known:
                    out[kind, column] = known
        return out

    def edges(self) -> Array:
        """[arc][2]: node numbers through the set; every edge in both directions."""
        starts = self.first_arcs.astype(np.int64)
        rows = np.repeat(np.arange(self.n_nodes), np.diff(starts))
        first = self.first_nodes.astype(np.int64)
        base = np.repeat(first[:-1], np.diff(first))
        return np.stack([rows, self.neighbours + base[rows]], axis=1)

    def select(self, graphs: Array) -> Dataset:
        numbers = np.ascontiguousarray(graphs, np.uint32)
        pointer = numbers.ctypes.data_as(POINTER(ctypes.c_uint32))
        return Dataset(create("rg_dataset_select", self.handle, pointer, len(numbers)))


def _column_array(values: Any, what: str) -> Array:
    """Two dimensions, a type that C takes; whatever already is that is not copied."""
    array = np.asarray(values)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise DataError(f"{what}: found {array.ndim} dimensions, expected 1 or 2")
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(np.float64)
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    return array


def codes(values: Any, what: str, known: Mapping[str, int] | None) -> tuple[Array, dict[str, int]]:
    """Texts as numbers: those that are known keep theirs, new ones follow in their order.

    >>> codes(["N", "C", "N"], "labels", None)[0].tolist()
    [1, 0, 1]
    >>> codes(["N", "C", "Br"], "labels", {"C": 6})[0].tolist()
    [8, 6, 7]
    """
    flat = np.asarray(values, dtype=object).ravel()
    table: dict[Any, int] = {}
    numbers = np.fromiter((table.setdefault(value, len(table)) for value in flat), np.int64, len(flat))
    if all(isinstance(value, (int, np.integer)) for value in table):
        return np.fromiter((int(value) for value in flat), np.int64, len(flat)), {}
    own = dict(known or {})
    of_code = np.empty(len(table), np.int64)
    missing = [value for value in table if value is None or (isinstance(value, float) and np.isnan(value))]
    texts = {value: str(value) for value in table if value not in missing}
    for value, text in texts.items():
        if not isinstance(value, (str, np.str_, bytes)):
            raise DataError(f"{what}: found {value!r} among texts, expected texts or whole numbers alone")
        if not text or "\0" in text:
            raise DataError(f"{what}: found the text {text!r}, expected one with letters")
    after = max(own.values(), default=-1) + 1
    for text in sorted(set(texts.values()) - set(own), key=lambda name: name.encode("utf-8", "surrogateescape")):
        own[text] = after
        after += 1
    for value, text in texts.items():
        of_code[table[value]] = own[text]
    for value in missing:
        of_code[table[value]] = MISSING
    return of_code[numbers], own


@dataclass
class Parts:
    """All arrays of a data set, before it is built. Edges have node numbers through the set, unless
    `edge_counts` says how many belong to each graph."""

    nodes: Array
    edges: Array
    edge_counts: Array | None = None
    name: str = "data"
    columns: dict[int, Array] = field(default_factory=dict)
    column_names: dict[int, Sequence[str | None]] = field(default_factory=dict)
    value_names: dict[tuple[int, int], dict[str, int]] = field(default_factory=dict)
    graph_names: Sequence[str | None] | None = None

    def put(self, kind: int, values: Any, known: Vocabulary | None = None) -> None:
        """Sets all columns of a kind; texts become numbers."""
        what = ITEMS[kind] + " columns"
        array = _column_array(values, what)
        if array.dtype.kind in "OUS":
            parts = []
            for column in range(array.shape[1]):
                own = (known or {}).get((kind, column))
                numbers, names = self._numbers(kind, array[:, column], what, own)
                parts.append(numbers)
                if names:
                    self.value_names[kind, column] = names
            array = np.stack(parts, axis=1) if parts else array.astype(np.int64)
        if array.dtype.str not in _TYPES:
            raise DataError(f"{what}: found the type {array.dtype}, expected numbers or texts")
        self.columns[kind] = array

    @staticmethod
    def _numbers(kind: int, values: Array, what: str, known: Mapping[str, int] | None) -> tuple[Array, dict[str, int]]:
        if kind in LABELS:
            return codes(values, what, known)
        try:
            return values.astype(np.float64), {}
        except (TypeError, ValueError):
            raise DataError(f"{what}: found what is no number, expected numbers") from None

    def build(self) -> Dataset:
        """The data set. Arrays are read where they lie; none is changed."""
        arrays = abi.rg_graph_arrays()
        lib.rg_graph_arrays_init(ctypes.byref(arrays), ctypes.sizeof(arrays))
        keep: list[Any] = [encode(self.name)]
        arrays.name = keep[0]
        nodes = _column_array(self.nodes, "numbers of nodes")
        edges = _column_array(self.edges, "edges")
        arrays.n_graphs = len(nodes)
        arrays.nodes = _matrix(nodes, "numbers of nodes", keep)
        if len(edges):
            arrays.edges = _matrix(edges, "edges", keep)
        if self.edge_counts is not None:
            arrays.edge_counts = _matrix(_column_array(self.edge_counts, "edges"), "numbers of edges", keep)
        self._set_columns(arrays, keep)
        self._set_names(arrays, keep)
        return Dataset(create("rg_dataset_from_arrays", ctypes.byref(arrays)))

    def _set_columns(self, arrays: abi.rg_graph_arrays, keep: list[Any]) -> None:
        wanted = [(kind, array) for kind, array in self.columns.items() if array.shape[1]]
        columns = (abi.rg_graph_columns * len(wanted))()
        for own, (kind, array) in zip(columns, wanted, strict=False):
            own.kind = kind
            own.values = _matrix(array, ITEMS[kind], keep)
            names = self.column_names.get(kind)
            if names and any(names):
                texts = (c_char_p * len(names))(*(encode(name) if name else None for name in names))
                keep.append(texts)
                own.names = ctypes.cast(texts, POINTER(c_char_p))
        keep.append(columns)
        arrays.columns = ctypes.cast(columns, POINTER(abi.rg_graph_columns))
        arrays.n_columns = len(wanted)

    def _set_names(self, arrays: abi.rg_graph_arrays, keep: list[Any]) -> None:
        flat = [
            abi.rg_value_name(kind, column, value, encode(name))
            for (kind, column), names in self.value_names.items()
            for name, value in names.items()
        ]
        names = (abi.rg_value_name * len(flat))(*flat)
        keep.append(names)
        arrays.value_names = ctypes.cast(names, POINTER(abi.rg_value_name))
        arrays.n_value_names = len(flat)
        if self.graph_names is not None and any(self.graph_names):
            texts = (c_char_p * len(self.graph_names))(*(encode(n) if n else None for n in self.graph_names))
            keep.append(texts)
            arrays.graph_names = abi.rg_matrix(
                ctypes.cast(texts, c_void_p), abi.RG_ITEM_TEXT, len(self.graph_names), 1, 0, 0
            )


def _matrix(array: Array, what: str, keep: list[Any]) -> abi.rg_matrix:
    """The array as C sees it, where it lies. Steps of 0 in both directions mean something else there."""
    if array.dtype.str not in _TYPES:
        raise DataError(f"{what}: found the type {array.dtype}, expected numbers")
    down, across = array.strides
    if down == 0 and across == 0 and array.size > 1:
        array = np.ascontiguousarray(array)
        down, across = array.strides
    keep.append(array)
    rows, columns = array.shape
    return abi.rg_matrix(address_of(array) or 1, _TYPES[array.dtype.str], rows, columns, down, across)


def unpack(data: Dataset) -> Parts:
    """The arrays of a data set, to build another one of them."""
    parts = Parts(np.diff(data.first_nodes.astype(np.int64)), data.edges(), name=data.name)
    for kind in ITEMS:
        if data.n_columns(kind):
            parts.columns[kind] = data.rows(kind)
            parts.column_names[kind] = data.column_names(kind)
    parts.value_names = data.vocabulary()
    parts.graph_names = data.graph_names()
    return parts


def concatenated(parts: Iterable[Array], dtype: npt.DTypeLike) -> Array:
    """One array of many, or an empty one."""
    arrays = [np.asarray(part) for part in parts]
    return np.concatenate(arrays) if arrays else np.empty(0, dtype)
