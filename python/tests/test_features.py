"""Rule keys as features, alone and in pipelines."""

import pickle
from typing import Any

import numpy as np
import pytest

import regula


def rings(n: int) -> list[Any]:
    out = []
    for k in range(n):
        size = 4 + k % 5
        nodes = list(range(size))
        pairs = [[nodes[i], nodes[(i + 1) % size]] for i in range(size - k % 2)]
        out.append((np.array(pairs).T, ["N"] + ["C"] * (size - 1)))
    return out


RULES = ["share d(i), d(j), dist(i,j) when dist(i,j) in 1..2", "share d(i)"]
LABELS = {"d": "degree"}


def test_counts_are_those_of_counting_by_hand() -> None:
    features = regula.RuleFeatures("share node(i), node(j) when edge(i,j)", sparse=False)
    counts = features.fit_transform([([[0, 1, 2], [1, 2, 0]], ["C", "C", "N"])])
    names = list(features.get_feature_names_out())
    assert counts.sum() == 6 and counts.shape == (1, len(names)) and sorted(counts[0]) == [2, 2, 2]


def test_sparse_and_dense_are_the_same() -> None:
    pytest.importorskip("scipy")
    sparse = regula.RuleFeatures(RULES, labels=LABELS).fit_transform(rings(12))
    dense = regula.RuleFeatures(RULES, labels=LABELS, sparse=False).fit_transform(rings(12))
    assert (sparse.toarray() == dense).all() and dense.any()


def test_other_graphs_have_the_columns_of_the_fit() -> None:
    features = regula.RuleFeatures(RULES, labels=LABELS, sparse=False).fit(rings(10))
    counts = features.transform([([[0] * 9, list(range(1, 10))], ["C"] * 10)])
    assert counts.shape == (1, features.n_features_)


def test_support_leaves_out_what_is_rare() -> None:
    all_of_them = regula.RuleFeatures(RULES, labels=LABELS).fit(rings(10))
    often = regula.RuleFeatures(RULES, labels=LABELS, support=10).fit(rings(10))
    assert 0 < often.n_features_ < all_of_them.n_features_


def test_a_pipeline_learns_rings_from_paths() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    pipeline = pytest.importorskip("sklearn.pipeline").make_pipeline(
        regula.RuleFeatures(RULES, labels=LABELS), linear.LogisticRegression()
    )
    selection = pytest.importorskip("sklearn.model_selection")
    X, y = np.empty(40, dtype=object), np.arange(40) % 2
    X[:] = rings(40)
    assert selection.cross_val_score(pipeline, X, y, cv=4).mean() > 0.95


def test_parameters_are_those_of_scikit_learn() -> None:
    base = pytest.importorskip("sklearn.base")
    features = regula.RuleFeatures(RULES, labels=LABELS, support=2)
    assert base.clone(features).get_params() == features.get_params()


def test_mistakes_are_exceptions() -> None:
    with pytest.raises(regula.NotFittedError):
        regula.RuleFeatures("share degree(i)").transform(rings(2))
    with pytest.raises(regula.UsageError, match="column 7"):
        regula.RuleFeatures("share wl(i)").fit(rings(2))
    with pytest.raises(regula.UsageError, match="found no rule"):
        regula.RuleFeatures([]).fit(rings(2))
    for support in (0, -1, 1.5, 2**40):
        with pytest.raises(regula.DataError, match="support"):
            regula.RuleFeatures("share degree(i)", support=support).fit(rings(2))  # type: ignore[arg-type]


def test_what_is_fitted_can_be_pickled() -> None:
    features = regula.RuleFeatures(RULES, labels=LABELS, sparse=False).fit(rings(9))
    again = pickle.loads(pickle.dumps(features))
    assert (again.transform(rings(5)) == features.transform(rings(5))).all()
