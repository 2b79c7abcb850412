"""Scores that scikit-learn finds, random cases and degenerate ones: makes metrics.json anew.

    python3 tests/sklearn/vectors.py [FILE]

needs scikit-learn 1.6 or later. Nothing but the seed is random; numbers have 17 digits. tests/metric/test_metric.c
holds regula to them.

A case has `kind` (classes, answers or values), `said` [row][column], `right` ([row] for classes, else [row][column];
null: not known) and `scores`: metric -> number, or null where scikit-learn says that it is not defined. Rows or cells
that are not known are taken out before scikit-learn sees the rest, target by target; the score of several targets is
the mean over those that have one. What scikit-learn finds for several targets at once is compared here, where no cell
is missing.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn import metrics as m

warnings.simplefilter("ignore")
rng = np.random.default_rng(20)


def quiet(function, *args, **kwargs):
    """None where it is not defined."""
    try:
        value = float(function(*args, **kwargs))
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def of_classes(said, right):
    """Scores of rows of one class each; -1: not known."""
    known = right >= 0
    said, right = said[known], right[known]
    n = said.shape[1]
    if not len(right):
        return dict.fromkeys(["accuracy", "balanced-accuracy", "roc-auc", "average-precision", "f1-macro", "f1-micro", "log-loss"])
    best = said.argmax(axis=1)
    columns = [1] if n == 2 else range(n)
    kinds = {
        "accuracy": quiet(m.accuracy_score, right, best),
        "balanced-accuracy": quiet(m.balanced_accuracy_score, right, best),
        "roc-auc": mean([quiet(m.roc_auc_score, right == c, said[:, c]) for c in columns]),
        "average-precision": mean([quiet(m.average_precision_score, right == c, said[:, c]) for c in columns]),
        "f1-macro": quiet(m.f1_score, right, best, average="macro", zero_division=0),
        "f1-micro": quiet(m.f1_score, right, best, average="micro", zero_division=0),
        "log-loss": quiet(m.log_loss, right, said, labels=range(n)),
    }
    if n > 2 and len(set(right)) == n:
        whole = quiet(m.roc_auc_score, right, said, multi_class="ovr", average="macro")
        assert abs(kinds["roc-auc"] - whole) < 1e-12
        whole = quiet(m.average_precision_score, right, said, average="macro")
        assert abs(kinds["average-precision"] - whole) < 1e-12
    return kinds


ANSWERS = {
    "accuracy": lambda t, p: m.accuracy_score(t, p > 0.5),
    "balanced-accuracy": lambda t, p: m.balanced_accuracy_score(t, p > 0.5),
    "roc-auc": m.roc_auc_score,
    "average-precision": m.average_precision_score,
    "f1-macro": lambda t, p: m.f1_score(t, p > 0.5, zero_division=0),
    "log-loss": lambda t, p: m.log_loss(t, p, labels=[0, 1]),
}
VALUES = {
    "mae": m.mean_absolute_error,
    "rmse": m.root_mean_squared_error,
    "r2": m.r2_score,
}


def by_target(table, said, right):
    """metric -> score of each target."""
    out = {}
    for name, function in table.items():
        own = []
        for c in range(said.shape[1]):
            known = ~np.isnan(right[:, c])
            t = right[known, c]
            t = t.astype(int) if table is ANSWERS else t
            own.append(quiet(function, t, said[known, c]) if known.any() else None)
        out[name] = own
    return out


def of_answers(said, right):
    each = by_target(ANSWERS, said, right)
    scores = {name: mean(values) for name, values in each.items()}
    known = ~np.isnan(right)
    t, p = right[known].astype(int), said[known] > 0.5
    scores["f1-micro"] = quiet(m.f1_score, t, p, zero_division=0) if known.any() else None
    if known.all() and all(value is not None for value in each["roc-auc"]) and said.shape[1] > 1:
        assert abs(scores["roc-auc"] - m.roc_auc_score(right, said, average="macro")) < 1e-12
        assert abs(scores["average-precision"] - m.average_precision_score(right, said, average="macro")) < 1e-12
        assert abs(scores["f1-macro"] - m.f1_score(right, said > 0.5, average="macro", zero_division=0)) < 1e-12
        assert abs(scores["f1-micro"] - m.f1_score(right, said > 0.5, average="micro", zero_division=0)) < 1e-12
    return scores


def of_values(said, right):
    each = by_target(VALUES, said, right)
    scores = {name: mean(values) for name, values in each.items()}
    if not np.isnan(right).any() and len(right) > 1:
        for name, function in VALUES.items():
            assert abs(scores[name] - function(right, said)) < 1e-12 * max(1, abs(scores[name]))
    return scores


cases = []


def add(name, kind, said, right):
    said, right = np.asarray(said, float), np.asarray(right)
    said = said.reshape(len(right), -1)
    scores = {"classes": of_classes, "answers": of_answers, "values": of_values}[kind](said, right)
    known = [[None if np.isnan(x) else float(x) for x in row] for row in right] if kind != "classes" else [int(x) if x >= 0 else None for x in right]
    cases.append({"name": name, "kind": kind, "said": said.tolist(), "right": known, "scores": scores})


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def gaps(right, part):
    right = np.array(right, float)
    right[rng.random(right.shape) < part] = np.nan
    return right


# one class per row
for n, width in [(40, 2), (37, 3), (30, 5)]:
    right = rng.integers(0, width, n)
    add(f"random, {width} classes", "classes", softmax(rng.normal(size=(n, width)) + 1.5 * np.eye(width)[right]), right)
right = (rng.random(60) < 0.07).astype(int)
right[0] = 1
add("few of one class", "classes", softmax(rng.normal(size=(60, 2)) + np.eye(2)[right]), right)
p = rng.integers(0, 5, 50) / 4
add("many ties", "classes", np.stack([1 - p, p], axis=1), rng.integers(0, 2, 50))
right = rng.integers(0, 3, 30)
right[rng.random(30) < 0.3] = -1
add("classes that are not known", "classes", softmax(rng.normal(size=(30, 3))), right)
add("no class is known", "classes", softmax(rng.normal(size=(4, 2))), np.full(4, -1))
add("one class alone, the first", "classes", softmax(rng.normal(size=(8, 2))), np.zeros(8, int))
add("one class alone, the second", "classes", softmax(rng.normal(size=(8, 2))), np.ones(8, int))
add("a class that never occurs", "classes", softmax(rng.normal(size=(20, 3))), rng.integers(0, 2, 20))
add("one class of three alone", "classes", softmax(rng.normal(size=(9, 3))), np.full(9, 2))
add("always the same prediction", "classes", np.tile([0.75, 0.25], (10, 1)), rng.integers(0, 2, 10))
add("certain, and wrong", "classes", [[1, 0], [0, 1], [1, 0], [0, 1]], np.array([1, 0, 0, 1]))
add("all right", "classes", np.eye(3)[[0, 1, 2, 0]], np.array([0, 1, 2, 0]))
add("one row", "classes", [[0.25, 0.75]], np.array([1]))
# yes-or-no answers
add("random, one target", "answers", rng.random((40, 1)), rng.integers(0, 2, (40, 1)).astype(float))
add("random, four targets", "answers", rng.random((40, 4)), rng.integers(0, 2, (40, 4)).astype(float))
add("gaps", "answers", rng.random((50, 3)), gaps(rng.integers(0, 2, (50, 3)), 0.4))
t = gaps((rng.random((40, 3)) < 0.2), 0.2)
t[:, 1] = np.nan
add("a target that nobody knows", "answers", rng.random((40, 3)), t)
t = rng.integers(0, 2, (30, 3)).astype(float)
t[:, 0], t[:, 2] = 0, 1
add("targets of one kind alone", "answers", rng.random((30, 3)), t)
add("nothing is known", "answers", rng.random((5, 2)), np.full((5, 2), np.nan))
add("all said no", "answers", rng.random((20, 2)) / 2, rng.integers(0, 2, (20, 2)).astype(float))
add("certain answers", "answers", [[0, 1], [1, 0], [1, 1]], np.array([[1.0, 1], [1, 0], [0, 1]]))
# real values
add("random, one value", "values", rng.normal(size=(30, 1)), rng.normal(size=(30, 1)))
add("random, three values", "values", rng.normal(size=(30, 3)), rng.normal(size=(30, 3)) * [1, 10, 0.01])
add("values with gaps", "values", rng.normal(size=(40, 3)), gaps(rng.normal(size=(40, 3)), 0.3))
t = gaps(rng.normal(size=(20, 2)), 0.1)
t[:, 1] = np.nan
add("a value that nobody knows", "values", rng.normal(size=(20, 2)), t)
add("the same target everywhere", "values", rng.normal(size=(10, 1)), np.full((10, 1), 3.0))
add("the same everywhere, and right", "values", np.full((6, 1), 2.5), np.full((6, 1), 2.5))
add("one row of values", "values", [[1.0, 2.0]], np.array([[1.5, 2.0]]))
add("no value is known", "values", [[1.0], [2.0]], np.full((2, 1), np.nan))
add("worse than the mean", "values", [[10.0], [-10.0], [7.0]], np.array([[0.0], [1.0], [2.0]]))
add("large numbers", "values", rng.normal(size=(12, 1)) * 1e150, rng.normal(size=(12, 1)) * 1e150)

out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "metrics.json"
out.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
