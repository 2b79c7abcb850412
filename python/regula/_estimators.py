"""Estimators by the contract of scikit-learn, which need not be there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from ctypes import POINTER, byref, c_double, c_uint32, cast
from typing import Any, TypeVar

import numpy as np

from . import _abi as abi
from ._data import Array, Vocabulary
from ._graphs import Graphs, as_graphs
from ._library import DataError, NotFittedError, UsageError, address_of, call, lib
from ._model import Model, Progress, Training, holdout
from ._networks import Recipe, compose
from ._parameters import Parameters

BEST = {"score": "score", "accuracy": "score", "mae": "score", "loss": "loss", "last": "last"}
METRICS = {
    name: k for k in range(1, abi.RG_METRICS) if (name := (lib.rg_metric_name(k) or b"").decode())
}
Self = TypeVar("Self", bound="RuleEstimator")


def _metric_name(name: str) -> str:
    """As network files have it."""
    return "roc-auc" if name == "auc" else name.replace("_", "-")


class RuleEstimator(Parameters):
    """What classifier and regressor share."""

    _estimator_type = ""
    model_: Model
    n_epochs_: int
    best_epoch_: int
    validation_score_: float
    metric_: str

    def __init__(
        self,
        network: Any = None,
        *,
        rules: Sequence[str] | None = None,
        labels: Mapping[str, str] | None = None,
        epochs: int | None = None,
        lr: float | None = None,
        batch: int | None = None,
        runs: int = 1,
        metric: str | None = None,
        validation: float = 0.1,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.network = network
        self.rules = rules
        self.labels = labels
        self.epochs = epochs
        self.lr = lr
        self.batch = batch
        self.runs = runs
        self.metric = metric
        self.validation = validation
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


    # ---- what scikit-learn asks

    def __sklearn_tags__(self) -> Any:
        from sklearn import utils

        classifier = self._estimator_type == "classifier"
        return utils.Tags(
            estimator_type=self._estimator_type,
            target_tags=utils.TargetTags(required=True, one_d_labels=False, two_d_labels=True, multi_output=True),
            transformer_tags=utils.TransformerTags(),
            classifier_tags=utils.ClassifierTags() if classifier else None,
            regressor_tags=None if classifier else utils.RegressorTags(),
            input_tags=utils.InputTags(two_d_array=False),
            no_validation=True,
        )

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["graphs"], "no_validation": True, "requires_y": True, "multioutput": True}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    # ---- fitting

    def _seed(self) -> int:
        """1, as on the command line, unless something else is asked for."""
        if self.random_state is None:
            return 1
        if isinstance(self.random_state, (int, np.integer)):
            if not 0 <= self.random_state < 2**64:
                raise UsageError(f"random_state: found {self.random_state}, expected a number from 0 and below 2^64")
            return int(self.random_state)
        if hasattr(self.random_state, "randint"):
            return int(self.random_state.randint(2**31 - 1))
        if hasattr(self.random_state, "integers"):
            return int(self.random_state.integers(2**31 - 1))
        raise UsageError(f"random_state: found {self.random_state!r}, expected a number, a generator or None")

    def _threads(self) -> int:
        if self.n_jobs is None:
            return 1
        if not isinstance(self.n_jobs, (int, np.integer)) or self.n_jobs == 0:
            raise UsageError(f"n_jobs: found {self.n_jobs!r}, expected a number that is not 0, or None")
        return int(self.n_jobs) if self.n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(self.n_jobs))

    def _settings(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name in ("epochs", "batch"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, (int, np.integer)) or value < 1):
                raise UsageError(f"{name}: found {value!r}, expected a whole number from 1, or None")
            out[name] = None if value is None else int(value)
        if self.lr is not None and not (isinstance(self.lr, (int, float, np.number)) and 0 < float(self.lr) < 1e9):
            raise UsageError(f"lr: found {self.lr!r}, expected a number above 0, or None")
        out["lr"] = None if self.lr is None else float(self.lr)
        asked = None if self.metric is None else self.metric if self.metric in BEST else _metric_name(str(self.metric))
        if asked is not None and asked not in BEST and asked not in METRICS:
            known = dict.fromkeys([*BEST, *METRICS])
            raise UsageError(f"metric: found {self.metric!r}, expected one of {', '.join(known)}, or None")
        out["best"] = None if asked is None else BEST.get(asked, "score")
        out["metric"] = None if asked is None or asked in ("score", "loss", "last") else asked
        return out

    def _lanes(self) -> list[tuple[int, int]]:
        """(first run, runs at once): 8, 4 or 1 at a time until there are enough."""
        if not isinstance(self.runs, (int, np.integer)) or self.runs < 1:
            raise UsageError(f"runs: found {self.runs!r}, expected a whole number from 1")
        out, first = [], 0
        while first < self.runs:
            lanes = next(n for n in (8, 4, 1) if n <= self.runs - first)
            out.append((first, lanes))
            first += lanes
        return out

    def _targets(self, graphs: Graphs, y: Any) -> Graphs:
        """The graphs with the targets that are to be learned."""
        raise NotImplementedError

    def fit(self: Self, X: Any, y: Any = None) -> Self:
        """Trains on graphs (anything that `Graphs` takes) and their targets; y=None: those of X.

        Ctrl-C stops at once: the estimator has the model of the best epoch until then, if one was done, and
        KeyboardInterrupt is raised."""
        lanes, settings, seed, threads = self._lanes(), self._settings(), self._seed(), self._threads()
        graphs = self._targets(as_graphs(X), y)
        data = graphs.dataset
        recipe = compose(graphs, self.network, self.rules, self.labels, settings)
        parts = holdout(data, float(self.validation), seed)
        best: tuple[Any, Training, Model] | None = None
        raised: BaseException | None = None
        for first, n in lanes:
            training = Training(seed, n, first, threads)
            progress = Progress(self.verbose, recipe.epochs)
            try:
                model = training.train(recipe, data, parts, progress)
            finally:
                progress.close()
            rank = self._rank(training.report, recipe)
            if best is None or rank > best[0]:
                best = (rank, training, model)
            raised = training.raised
            if raised is not None:
                break
        assert best is not None
        self._keep(best[1], best[2], graphs)
        if raised is not None:
            raise raised
        return self

    def _rank(self, report: abi.rg_train_report, recipe: Recipe) -> tuple[float, float]:
        """Larger is better: by the validation set if there is one."""
        run = report.runs[report.best]
        sign = -1 if lib.rg_metric_is_low(report.metric) else 1
        validated = run.validation_loss == run.validation_loss
        score = sign * (run.validation_score if validated else run.train_score)
        loss = -(run.validation_loss if validated else run.train_loss)
        return (loss, score) if "\n  best: loss\n" in recipe.text else (score, loss)

    def _keep(self, training: Training, model: Model, graphs: Graphs) -> None:
        run = training.report.runs[training.report.best]
        self.model_ = model
        self.n_epochs_ = int(run.epochs)
        self.best_epoch_ = int(run.best_epoch)
        self.validation_score_ = float(run.validation_score)
        self.metric_ = lib.rg_metric_name(training.report.metric).decode()
        self._vocabulary: Vocabulary = graphs.dataset.vocabulary()

    def _asked_metric(self) -> int | None:
        """The metric that `score` has: the one that was chosen by name; None: that of scikit-learn."""
        name = None if self.metric is None or self.metric in BEST else _metric_name(self.metric)
        return METRICS[self.metric_ if name == "auto" else name] if name in METRICS else None

    # ---- asking

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise _not_fitted(f"This {type(self).__name__} instance is not fitted yet: call fit first.")
        return self.model_

    def _ask(self, X: Any, wanted: str) -> Array:
        model = self._fitted()
        graphs = as_graphs(X, getattr(self, "_vocabulary", None))
        return model.predict(graphs.dataset, wanted, self._threads())

    def transform(self, X: Any) -> Array:
        """[graph][number]: the vector that goes into the last layer."""
        return self._ask(X, "embedding")

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """`fit`, then `transform`."""
        return self.fit(X, y).transform(X)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as the file that `regula predict` and other programs read."""
        self._fitted().save(path)

    @classmethod
    def load(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """An estimator with the model of a file, as `save` or `regula train` wrote it."""
        out = cls()
        out.model_ = Model.load(path)
        out._vocabulary = out.model_.vocabulary()
        out._loaded()
        return out

    def _loaded(self) -> None:
        raise NotImplementedError


def _not_fitted(message: str) -> Exception:
    """The exception of scikit-learn where that is loaded, which its tools look for."""
    import sys

    module = sys.modules.get("sklearn.exceptions")
    if module is None:
        return NotFittedError(message)
    kind = type("NotFittedError", (NotFittedError, module.NotFittedError), {})
    return kind(message)  # type: ignore[no-any-return]


def _refuse_nodes(graphs: Graphs) -> None:
    """Targets of nodes are not for estimators, whose rows are graphs."""
    if graphs.dataset.n_columns(abi.RG_NODE_CLASS) or graphs.dataset.n_columns(abi.RG_NODE_TARGET):
        raise UsageError(
            "found targets of nodes, expected targets of graphs: "
            "the program trains on nodes (regula train, docs/nodes.md)"
        )


def _checked(y: Any, n: int) -> Array:
    array = np.asarray(y)
    if array.ndim not in (1, 2) or len(array) != n:
        raise DataError(f"y: found the shape {array.shape}, expected one row for each of {n} graphs")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    return array


def _score(function: str, metric: int, said: Array, right: Array) -> float:
    """By the library; larger is better."""
    out = c_double()
    extra: tuple[Any, ...] = () if function == "rg_metric_classes" else (None,)
    pointer = POINTER(c_uint32) if right.dtype == np.uint32 else POINTER(c_double)
    call(
        function,
        byref(out),
        *extra,
        metric,
        cast(address_of(said), POINTER(c_double)),
        cast(address_of(right), pointer),
        len(said),
        said.shape[1],
    )
    return -out.value if lib.rg_metric_is_low(metric) else out.value


class RuleClassifier(RuleEstimator):
    """Classifies graphs by a rule based network.

    Parameters
    ----------
    network : "paper:NAME", path, text or dict, optional
        The network file. Without it and without `rules`, one that suits most sets.
    rules : list of str, optional
        Rules of one layer, such as "share label(i), label(j), dist(i,j) when dist(i,j) in 1..3".
    labels : dict, optional
        Labelings that the rules name, such as {"label": "wl(depth=2)"}; `label` is the node label without.
    epochs, lr, batch : optional
        Settings of the training instead of those of the network.
    runs : int
        How many are trained, with different initial weights; the best on the validation set is kept.
    metric : str, optional
        What is maximised, and what `score` has: "roc-auc", "balanced-accuracy", "f1-macro", "log-loss", "auto", ...;
        or which epoch is kept: of the best "score", of the least "loss", or the "last".
    validation : float
        Fraction of the graphs for validation; 0 trains on all of them.
    random_state : int, generator or None
        None: 1, so that fits repeat; the same number as `regula train --seed`.
    n_jobs : int, optional
        Threads for labels and tables; results do not depend on it.
    verbose : int
        1: a line of progress.

    Attributes
    ----------
    classes_ : the classes, sorted.
    model_ : the trained `Model`.
    best_epoch_, n_epochs_, validation_score_, metric_ : of the run that was kept.

    Examples
    --------
    >>> ring = lambda n: ([list(range(n)), [*range(1, n), 0]], n)
    >>> path = lambda n: ([list(range(n - 1)), list(range(1, n))], n)
    >>> X = [ring(n) for n in range(4, 24)] + [path(n) for n in range(4, 24)]
    >>> y = ["ring"] * 20 + ["path"] * 20
    >>> classifier = RuleClassifier(epochs=30).fit(X, y)
    >>> classifier.predict([ring(10), path(10)]).tolist()
    ['ring', 'path']
    >>> classifier.predict_proba(X).shape
    (40, 2)
    """

    _estimator_type = "classifier"
    classes_: Array

    def _targets(self, graphs: Graphs, y: Any) -> Graphs:
        own = y is None
        if own:
            y = graphs.y
            if y is None or not graphs.dataset.n_columns(abi.RG_CLASS):
                _refuse_nodes(graphs)
                raise UsageError("RuleClassifier requires y to be passed, but the target y is None")
        array = _checked(y, len(graphs))
        names: dict[str, int] = {}
        if array.ndim == 2:
            self.classes_ = np.array([0, 1])
            missing = np.not_equal(array, array)
            codes = np.where(missing, 0, array).astype(np.int64)
            codes[missing] = np.iinfo(np.int64).min
        elif array.dtype.kind in "iu":
            self.classes_, codes = np.unique(array), array
        elif array.dtype.kind == "f" and not np.isfinite(array).all():
            raise DataError("y: found nan or infinity, expected classes")
        else:
            self.classes_, codes = np.unique(array, return_inverse=True)
            if array.dtype.kind == "f" and len(self.classes_) > max(20, len(array) // 2):
                raise DataError("Unknown label type: found real numbers for classes, expected few different ones")
            if all(isinstance(name, str) and name and "\0" not in name for name in self.classes_):
                names = {str(name): k for k, name in enumerate(self.classes_)}
        data = graphs.dataset
        known = data.vocabulary().get((abi.RG_CLASS, 0), {})
        same = data.n_columns(abi.RG_CLASS) and np.array_equal(data.labels(abi.RG_CLASS), codes.reshape(len(codes), -1))
        if same and (names == known or (own and not names)):
            return graphs
        return graphs._with_targets(codes, names)

    def _loaded(self) -> None:
        if self.model_.task.endswith("regression"):
            raise UsageError(f"found a model of {self.model_.task}, expected one of classes: use RuleRegressor")
        self.classes_ = np.array([0, 1]) if self.model_.task == "multi-label" else self.model_.classes

    def predict(self, X: Any) -> Array:
        """The class of every graph; for several binary targets 0 or 1 for each."""
        if self._fitted().task == "multi-label":
            return (self._ask(X, "probabilities") > 0.5).astype(np.int64)
        return np.asarray(self.classes_[self._ask(X, "classes")])

    def predict_proba(self, X: Any) -> Array:
        """[graph][class]: probabilities, in the order of `classes_`."""
        return self._ask(X, "probabilities")

    def score(self, X: Any, y: Any = None) -> float:
        """The accuracy, or the `metric` that was chosen (negative, if lower is better); y=None: against the
        targets of X. Of several binary targets the accuracy is that of all cells that are known."""
        graphs = as_graphs(X, getattr(self, "_vocabulary", None))
        y = graphs.y if y is None else y
        if y is None:
            raise UsageError("score requires y to be passed, but the target y is None")
        right, metric = _checked(y, len(graphs)), self._asked_metric()
        known = np.equal(right, right)
        if metric is None:
            return float(np.mean(self.predict(graphs)[known] == right[known]))
        said = np.ascontiguousarray(self.predict_proba(graphs), np.float64)
        if right.ndim == 2:
            return _score("rg_metric_answers", metric, said, np.ascontiguousarray(right, np.float64))
        places = {value: k for k, value in enumerate(self.classes_.tolist())}
        codes = np.array([places.get(value, 2**32 - 1) for value in right.tolist()], np.uint32)
        return _score("rg_metric_classes", metric, said, codes)


class RuleRegressor(RuleEstimator):
    """Predicts real values of graphs by a rule based network; see `RuleClassifier` for the parameters.

    >>> path = lambda n: ([list(range(n - 1)), list(range(1, n))], n)
    >>> X, y = [path(n) for n in range(4, 44)], [n / 40 for n in range(4, 44)]
    >>> RuleRegressor(epochs=3).fit(X, y).predict(X[:2]).shape
    (2,)
    """

    _estimator_type = "regressor"

    def _targets(self, graphs: Graphs, y: Any) -> Graphs:
        if y is None:
            y = graphs.y
            if y is None:
                _refuse_nodes(graphs)
                raise UsageError("RuleRegressor requires y to be passed, but the target y is None")
        array = _checked(y, len(graphs))
        if array.dtype.kind not in "fiub":
            raise DataError(f"y: found {array.dtype}, expected numbers")
        array = array.astype(np.float64)
        data = graphs.dataset
        only = data.n_columns(abi.RG_TARGET) and not data.n_columns(abi.RG_CLASS)
        if only and np.array_equal(data.reals(abi.RG_TARGET), array.reshape(len(array), -1), equal_nan=True):
            return graphs
        return graphs.with_targets(array)

    def _loaded(self) -> None:
        if self.model_.task != "regression":
            raise UsageError(f"found a model of {self.model_.task}, expected one of regression: use RuleClassifier")

    def predict(self, X: Any) -> Array:
        """The values of every graph; one dimension if there is one."""
        values = self._ask(X, "outputs")
        return values[:, 0] if values.shape[1] == 1 else values

    def score(self, X: Any, y: Any = None) -> float:
        """R², the mean over the targets, or the `metric` that was chosen (negative, if lower is better); y=None:
        against the targets of X. Targets that are nan do not count."""
        graphs = as_graphs(X, getattr(self, "_vocabulary", None))
        y = graphs.y if y is None else y
        if y is None:
            raise UsageError("score requires y to be passed, but the target y is None")
        right = _checked(y, len(graphs)).astype(np.float64).reshape(len(graphs), -1)
        own = self.predict(graphs).reshape(len(graphs), -1)
        metric = self._asked_metric()
        if metric is not None:
            return _score("rg_metric_values", metric, np.ascontiguousarray(own), np.ascontiguousarray(right))
        spread = np.nansum((right - np.nanmean(right, axis=0)) ** 2, axis=0)
        missed = np.nansum((right - own) ** 2, axis=0)
        fine = spread > 0
        return float(np.mean(np.where(fine, 1 - missed / np.where(fine, spread, 1), missed == 0)))


__all__ = ["RuleClassifier", "RuleEstimator", "RuleRegressor"]
