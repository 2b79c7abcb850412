"""Models of the library: trained, saved, loaded, asked."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from ctypes import POINTER, c_double, c_size_t, c_uint32, c_void_p
from typing import Any

import numpy as np

from . import _abi as abi
from ._data import Array, Dataset, Vocabulary
from ._library import Stoppable, UsageError, call, callback, check, create, decode, defaults, encode, lib, sized
from ._networks import Recipe

TASKS = {
    abi.RG_MODEL_CLASSES: "classification",
    abi.RG_MODEL_VALUES: "regression",
    abi.RG_MODEL_MULTILABEL: "multi-label",
    abi.RG_MODEL_NODES: "node-classification",
    abi.RG_MODEL_NODE_VALUES: "node-regression",
}


class Progress:
    """A line of progress on standard error: tqdm if it is there, else our own."""

    def __init__(self, verbose: int, epochs: int) -> None:
        self.bar: Any = None
        self.plain = bool(verbose)
        self.epochs = epochs
        if verbose:
            with suppress(ImportError):
                from tqdm import tqdm

                self.bar = tqdm(total=epochs, unit="epoch", leave=verbose > 1)

    def show(self, state: abi.rg_train_state) -> None:
        last = state.last[0]
        if self.bar is not None:
            self.bar.set_postfix(loss=f"{last.train_loss:.4g}", refresh=False)
            self.bar.update(state.epoch - self.bar.n)
        elif self.plain:
            sys.stderr.write(f"\repoch {state.epoch} of {state.epochs}, loss {last.train_loss:.4g} ")
            sys.stderr.flush()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.plain:
            sys.stderr.write("\n")


def holdout(data: Dataset, part: float, seed: int) -> tuple[Array, Array]:
    """(training, validation): the split that the command line makes."""
    everything = np.arange(data.n_graphs, dtype=np.uint32)
    if not 0 <= part < 1:
        raise UsageError(f"validation: found {part}, expected a number from 0 and below 1")
    if part == 0:
        return everything, everything[:0]
    options = defaults(abi.rg_split_options)
    options.n_folds, options.test, options.validation, options.seed = 1, part, 0.0, seed
    options.stratified = int(data.n_columns(abi.RG_CLASS) > 0)
    splits = create("rg_splits_make", data.handle, ctypes.byref(options))
    try:
        fold = lib.rg_splits_fold(splits, 0)
        return _part(fold.train), _part(fold.test)
    finally:
        lib.rg_splits_free(splits)


def _part(part: abi.rg_part) -> Array:
    if not part.n:
        return np.empty(0, np.uint32)
    return np.array(np.ctypeslib.as_array(part.graphs, (part.n,)))


def _as_part(numbers: Array) -> abi.rg_part:
    return abi.rg_part(numbers.ctypes.data_as(POINTER(c_uint32)), len(numbers))


class Training(Stoppable):
    """One call of the training: options, callbacks, and what came out."""

    def __init__(self, seed: int, lanes: int, first_run: int, n_threads: int) -> None:
        super().__init__()
        self.options = defaults(abi.rg_train_options)
        self.options.seed, self.options.lanes = seed, lanes
        self.options.first_run, self.options.n_threads = first_run, n_threads
        self.report = sized(abi.rg_train_report)
        self.arm(self.options)

    def train(self, recipe: Recipe, data: Dataset, parts: tuple[Array, Array], progress: Progress) -> Model:
        """The model of the best epoch; if a callback raised (Ctrl-C), of those until then, and `raised` is set."""
        fold = abi.rg_fold(_as_part(parts[0]), _as_part(parts[1]), _as_part(parts[1][:0]))
        source = abi.rg_source(data.handle, None)
        options = self.options
        options.progress = callback(abi.rg_train_options, "progress", self._guarded(progress.show))
        error, out = abi.rg_error(), c_void_p()

        def work() -> int:
            return int(
                lib.rg_model_train(
                    ctypes.byref(out),
                    ctypes.byref(self.report),
                    recipe.handle,
                    ctypes.byref(source),
                    ctypes.byref(fold),
                    ctypes.byref(options),
                    ctypes.byref(error),
                )
            )

        status = self.run(work)
        if status and self.raised is not None:
            raise self.raised
        check(status, error)
        assert out.value is not None
        return Model(out.value)

    def _guarded(self, show: Callable[[abi.rg_train_state], None]) -> Callable[[object, Any], int]:
        def progress(context: object, state: Any) -> int:
            try:
                show(state.contents)
            except BaseException as error:
                self.raised = error
            return int(self.raised is not None)

        return progress


class Model:
    """A trained network.

    `Model.load` reads what `regula train` writes, and `save` writes what `regula predict` reads.
    """

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", 0), 0
        if handle and lib is not None:
            lib.rg_model_free(c_void_p(handle))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file; every byte is checked."""
        return cls(create("rg_model_load", encode(path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file, whole or not at all."""
        call("rg_model_save", self.handle, encode(path))

    def __getstate__(self) -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as box:
            path = os.path.join(box, "model")
            self.save(path)
            with open(path, "rb") as file:
                return {"file": file.read()}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        with tempfile.TemporaryDirectory() as box:
            path = os.path.join(box, "model")
            with open(path, "wb") as file:
                file.write(state["file"])
            self.handle = create("rg_model_load", encode(path))

    def _info(self) -> abi.rg_model_info:
        info = sized(abi.rg_model_info)
        call("rg_model_describe", ctypes.byref(info), self.handle)
        return info

    @property
    def task(self) -> str:
        """classification, regression, multi-label, node-classification or node-regression"""
        return TASKS[self._info().task]

    @property
    def n_outputs(self) -> int:
        return int(self._info().n_outputs)

    @property
    def n_parameters(self) -> int:
        return int(self._info().n_parameters)

    @property
    def network(self) -> str:
        """The network file in normal form."""
        return str(decode(self._info().network))

    @property
    def record(self) -> str:
        """What came out of the training, as JSON."""
        return str(decode(self._info().record))

    @property
    def classes(self) -> Array:
        """Every class: by its name if all have one, else the values."""
        names = self.output_names
        if names and all(names):
            return np.array(names)
        return np.array([lib.rg_model_class(self.handle, c) for c in range(self.n_outputs)], np.int64)

    @property
    def output_names(self) -> list[str | None]:
        """The name of every class, or of the column of every answer or value; None where there is none."""
        return [decode(lib.rg_model_output_name(self.handle, c)) for c in range(self.n_outputs)]

    def vocabulary(self) -> Vocabulary:
        """The value of every name that a label or class had in the data of the training."""
        n = c_size_t()
        names = lib.rg_model_value_names(self.handle, ctypes.byref(n))
        out: Vocabulary = {}
        for own in (names[k] for k in range(n.value)):
            out.setdefault((own.kind, own.column), {})[str(decode(own.name))] = own.value
        return out

    def predict(self, data: Dataset, wanted: str, n_threads: int = 0) -> Array:
        """[row][number]: `outputs`, `probabilities` or `embedding`; [row]: `classes`, by number."""
        info = self._info()
        arrays = sized(abi.rg_prediction_arrays)
        arrays.n_rows = data.n_nodes if TASKS[info.task].startswith("node-") else data.n_graphs
        columns = int(info.n_outputs)
        if wanted == "embedding":
            size = c_size_t()
            call("rg_model_embedding_size", ctypes.byref(size), self.handle)
            columns = arrays.n_embedding = size.value
        if wanted == "classes":
            out: Array = np.zeros(arrays.n_rows, np.uint32)
            arrays.classes = out.ctypes.data_as(POINTER(c_uint32))
        else:
            out = np.zeros((arrays.n_rows, columns), np.float64)
            setattr(arrays, wanted, out.ctypes.data_as(POINTER(c_double)))
        options = defaults(abi.rg_predict_options)
        options.n_threads = n_threads
        source = abi.rg_source(data.handle, None)
        stoppable = Stoppable()
        stoppable.arm(options)
        stoppable.call(
            "rg_model_predict_arrays",
            ctypes.byref(arrays),
            self.handle,
            ctypes.byref(source),
            ctypes.byref(options),
            None,
        )
        return out

    def evaluate(self, data: Dataset, n_threads: int = 0) -> dict[str, Any]:
        """Scores on data with targets, as `regula evaluate` says them."""
        found = sized(abi.rg_evaluation)
        options = defaults(abi.rg_predict_options)
        options.n_threads = n_threads
        source = abi.rg_source(data.handle, None)
        stoppable = Stoppable()
        stoppable.arm(options)
        stoppable.call(
            "rg_model_evaluate", ctypes.byref(found), self.handle, ctypes.byref(source), ctypes.byref(options)
        )
        names = ("n", "loss", "accuracy", "majority", "auc", "mae", "rmse")
        return {name: getattr(found, name) for name in names}


__all__ = ["Model", "Progress", "Training", "holdout"]
