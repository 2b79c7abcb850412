"""Rule keys as features for other models."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from . import _abi as abi
from ._data import Array, Vocabulary
from ._graphs import as_graphs
from ._library import DataError, NotFittedError, call, create, create_text, encode, lib, view
from ._parameters import Parameters

Self = TypeVar("Self", bound="RuleFeatures")


def _texts(items: Sequence[str]) -> Any:
    return (ctypes.c_char_p * max(1, len(items)))(*[encode(item) for item in items])


class RuleFeatures(Parameters):
    """How often each key of some rules occurs in a graph: a transformer, for pipelines with any other model.

    rules: what to count, such as "share node(i), node(j) when edge(i,j)"; without j, nodes are counted.
    labels: the labelings that the rules name. support: keys that fewer graphs of the fit have are left out.
    sparse: a SciPy matrix comes out of `transform`, else an array.

    >>> graphs = [([[0, 1], [1, 2]], ["C", "O", "C"]), ([[0], [1]], ["C", "C"])]
    >>> features = RuleFeatures("share node(i), node(j) when edge(i,j)", sparse=False)
    >>> features.fit_transform(graphs).tolist()
    [[0, 2, 2], [2, 0, 0]]
    >>> len(features.get_feature_names_out())
    3
    """

    def __init__(
        self,
        rules: str | Sequence[str],
        *,
        labels: Mapping[str, str] | None = None,
        support: int = 1,
        sparse: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.rules = rules
        self.labels = labels
        self.support = support
        self.sparse = sparse
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        from sklearn import utils

        return utils.Tags(
            estimator_type="transformer",
            target_tags=utils.TargetTags(required=False),
            transformer_tags=utils.TransformerTags(),
            input_tags=utils.InputTags(two_d_array=False),
            no_validation=True,
        )

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["graphs"], "no_validation": True}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_handle")

    def __del__(self) -> None:
        handle = self.__dict__.pop("_handle", 0)
        if handle and lib is not None:
            lib.rg_rule_features_free(handle)

    def __getstate__(self) -> dict[str, Any]:
        """The graphs of the fit stand for what was found in them: fitting is cheap, and exact."""
        return {name: value for name, value in self.__dict__.items() if name != "_handle"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_graphs" in state:
            self.fit(state["_graphs"])

    def fit(self: Self, X: Any, y: Any = None) -> Self:
        """Finds the keys of the graphs; y is not looked at."""
        graphs = as_graphs(X)
        rules = [self.rules] if isinstance(self.rules, str) else list(self.rules)
        labels = dict(self.labels or {})
        if not isinstance(self.support, (int, np.integer)) or not 1 <= self.support < 2**32:
            raise DataError(f"support: found {self.support!r}, expected a number from 1")
        options = abi.rg_rule_features_options()
        options.size = ctypes.sizeof(options)
        options.rules = _texts(rules)
        options.n_rules = len(rules)
        options.label_names = _texts(list(labels))
        options.label_specs = _texts(list(labels.values()))
        options.n_labels = len(labels)
        options.support = int(self.support)
        options.n_threads = 1 if self.n_jobs is None else max(0, int(self.n_jobs))
        handle = create("rg_rule_features_fit", graphs.dataset.handle, ctypes.byref(options))
        self.__del__()
        self._handle = handle
        self._graphs = graphs
        self._known: Vocabulary = graphs.dataset.vocabulary()
        self.n_features_ = int(lib.rg_rule_features_size(handle))
        return self

    def _fitted(self) -> int:
        if "_handle" not in self.__dict__:
            raise NotFittedError("this RuleFeatures is not fitted: call fit first")
        return int(self._handle)

    def transform(self, X: Any) -> Any:
        """A row of counts for each graph; keys that the fit did not see are not counted."""
        handle = self._fitted()
        graphs = as_graphs(X, self._known)
        matrix = ctypes.POINTER(abi.rg_count_matrix)()
        call("rg_rule_features_count", ctypes.byref(matrix), handle, graphs.dataset.handle)
        counts = matrix.contents
        try:
            row = ctypes.cast(counts.row, ctypes.c_void_p).value
            rows = view(row, np.uint64, counts.n_rows + 1, self).astype(np.int64)
            n = int(rows[-1])
            cols = view(ctypes.cast(counts.col, ctypes.c_void_p).value, np.uint32, n, self).astype(np.int32)
            data = view(ctypes.cast(counts.count, ctypes.c_void_p).value, np.uint32, n, self).astype(np.int64)
            shape = (int(counts.n_rows), int(counts.n_cols))
        finally:
            lib.rg_count_matrix_free(matrix)
        if self.sparse:
            from scipy.sparse import csr_matrix

            return csr_matrix((data, cols, rows), shape=shape)
        out = np.zeros(shape, np.int64)
        out[np.repeat(np.arange(shape[0]), np.diff(rows)), cols] = data
        return out

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """`fit`, then `transform` of the same graphs."""
        graphs = as_graphs(X)
        return self.fit(graphs).transform(graphs)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """What each column counts, in words."""
        handle = self._fitted()
        names = [create_text("rg_rule_features_name", handle, k) for k in range(self.n_features_)]
        return np.array(names, dtype=object)


__all__ = ["RuleFeatures"]
