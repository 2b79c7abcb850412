"""RuleClassifier and RuleRegressor: the contract of scikit-learn, and the numbers of the command line."""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import path, ring

import regula

NETWORK = {
    "labels": {"label": "degree"},
    "layers": [
        {"rule": "share label(i), label(j), dist(i,j) when dist(i,j) in 0..2", "bias": "share label(i)"},
        {"aggregate": "share out, label(i)"},
    ],
    "training": {"epochs": 8, "lr": 0.05, "batch": 8},
}


@pytest.fixture(scope="module")
def fitted(shapes):
    return regula.RuleClassifier(NETWORK).fit(shapes)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


# ---- learning


def test_it_learns_what_rings_are(shapes):
    classifier = regula.RuleClassifier(random_state=3).fit(shapes)
    assert classifier.score(shapes) == 1
    assert classifier.classes_.tolist() == ["path", "ring"]
    assert classifier.predict([ring(12), path(12)]).tolist() == ["ring", "path"]
    probabilities = classifier.predict_proba(shapes)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert np.array_equal(classifier.classes_[probabilities.argmax(axis=1)], classifier.predict(shapes))
    assert 1 <= classifier.best_epoch_ <= classifier.n_epochs_


@pytest.mark.parametrize("y", [[0, 1], [-7, 2**40], [True, False], ["b", "a"], [1.0, 2.5]])
def test_classes_are_whatever_was_given(shapes, y):
    own = np.array([y[0]] * 20 + [y[1]] * 20)
    classifier = regula.RuleClassifier(NETWORK).fit(shapes, own)
    assert classifier.classes_.tolist() == sorted(set(own.tolist()))
    assert classifier.predict(shapes).dtype == classifier.classes_.dtype
    assert classifier.score(shapes, own) > 0.5


def test_names_of_labels_mean_the_same_in_other_data(shapes):
    rules = ["share label(i), label(j), dist(i,j) when dist(i,j) in 0..2"]
    X = [ring(n, "C") for n in range(4, 24)] + [ring(n, "O") for n in range(4, 24)]
    y = np.repeat([0, 1], 20)
    classifier = regula.RuleClassifier(rules=rules, epochs=30).fit(X, y)
    assert classifier.score(X, y) == 1
    # O alone has another number there than beside C
    assert classifier.predict([ring(9, "O")]).tolist() == [1]
    assert classifier.predict([ring(9, "C")]).tolist() == [0]
    assert classifier.predict(regula.Graphs([ring(9, "O"), ring(9, "Br")]))[0] == 1
    again = pickle.loads(pickle.dumps(classifier))
    assert again.predict([ring(9, "O")]).tolist() == [1]


def test_a_saved_model_knows_the_names(shapes, tmp_path):
    rules = ["share label(i), label(j), dist(i,j) when dist(i,j) in 0..2"]
    X = [ring(n, "C") for n in range(4, 24)] + [ring(n, "O") for n in range(4, 24)]
    y = np.repeat(["sweet", "bitter"], 20)
    classifier = regula.RuleClassifier(rules=rules, epochs=30).fit(X, y)
    assert classifier.score(X, y) == 1
    classifier.save(tmp_path / "model")
    loaded = regula.RuleClassifier.load(tmp_path / "model")
    assert loaded.classes_.tolist() == ["bitter", "sweet"]
    assert loaded.model_.output_names == ["bitter", "sweet"]
    assert loaded.predict([ring(9, "O"), ring(9, "C")]).tolist() == ["bitter", "sweet"]
    assert loaded.predict([ring(9, "O")]).tolist() == ["bitter"]  # alone, O would have the number of C
    assert loaded.score(X, y) == 1
    assert regula.RuleClassifier(NETWORK).fit(shapes).model_.classes.tolist() == ["path", "ring"]
    plain = regula.RuleClassifier(NETWORK).fit(shapes, np.repeat([3, 5], 20)).model_
    assert plain.output_names == [None, None]
    assert plain.classes.tolist() == [3, 5]


def test_several_binary_targets(shapes):
    y = np.stack([np.repeat([1, 0], 20), np.arange(40) % 2], axis=1)
    classifier = regula.RuleClassifier(NETWORK).fit(shapes, y)
    assert classifier.predict(shapes).shape == (40, 2)
    assert set(np.unique(classifier.predict(shapes))) <= {0, 1}
    assert classifier.predict_proba(shapes).shape == (40, 2)


def test_it_learns_real_values(shapes):
    y = shapes.n_nodes / 24
    regressor = regula.RuleRegressor(epochs=60).fit(shapes, (shapes.y == "ring") * 1.5)
    assert regressor.predict(shapes).shape == (40,)
    assert regressor.score(shapes, (shapes.y == "ring") * 1.5) > 0.5
    both = regula.RuleRegressor(NETWORK).fit(shapes, np.stack([y, 1 - y], axis=1))
    assert both.predict(shapes).shape == (40, 2)


def test_attributes_are_used_where_there_are_some():
    rng = np.random.default_rng(1)
    n = np.full(60, 4)
    edges = np.array([[0, 1], [1, 2], [2, 3]] * 60)
    values = rng.normal(size=(240, 2))
    y = (values[:, 0].reshape(60, 4).sum(axis=1) > 0).astype(int)
    X = regula.Graphs.from_arrays(n, edges, edge_counts=np.full(60, 3), node_attributes=values)
    assert regula.RuleClassifier(epochs=40).fit(X, y).score(X, y) > 0.9


def test_more_runs_keep_the_best(shapes):
    classifier = regula.RuleClassifier(NETWORK, runs=6).fit(shapes)
    alone = [regula.RuleClassifier(NETWORK, runs=1, random_state=1).fit(shapes)]
    assert classifier.validation_score_ >= alone[0].validation_score_


def test_settings_replace_those_of_the_network(shapes):
    classifier = regula.RuleClassifier("paper:NCI1", epochs=3, lr=0.01, batch=5, metric="last", validation=0)
    classifier.fit(shapes)
    assert classifier.n_epochs_ == 3
    assert classifier.best_epoch_ == 3
    record = json.loads(classifier.model_.record)
    assert record["n_train"] == 40


# ---- the command line


def test_the_model_has_the_bytes_of_the_command_line(shapes, program, tmp_path):
    data = tmp_path / "shapes"
    subprocess.run([program, "data", "generate", "CSL", "--out", str(data)], check=True, capture_output=True)
    network = tmp_path / "network.yml"
    network.write_text(json.dumps(NETWORK))
    subprocess.run([program, "train", str(data), "-n", str(network), "-m", str(tmp_path / "theirs"), "--seed", "7"],
                   check=True, capture_output=True)
    graphs = regula.load(data)
    for y in (None, graphs.y):
        classifier = regula.RuleClassifier(network, random_state=7).fit(graphs, y)
        classifier.save(tmp_path / "ours")
        assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    told = subprocess.run([program, "predict", str(tmp_path / "ours"), str(data), "--json"], check=True,
                          capture_output=True, text=True)
    predicted = [own["class"] for own in json.loads(told.stdout)["predictions"]]
    loaded = regula.RuleClassifier.load(tmp_path / "theirs")
    assert np.array_equal(loaded.predict(graphs), classifier.predict(graphs))
    assert predicted == loaded.predict(graphs).tolist()
    with pytest.raises(regula.UsageError, match="use RuleClassifier"):
        regula.RuleRegressor.load(tmp_path / "theirs")


def test_what_the_program_predicts_is_what_we_predict(shapes, program, tmp_path):
    data = tmp_path / "csl"
    subprocess.run([program, "data", "generate", "CSL", "--out", str(data)], check=True, capture_output=True)
    graphs = regula.load(data)
    classifier = regula.RuleClassifier(NETWORK).fit(graphs)
    classifier.save(tmp_path / "model")
    scored = subprocess.run([program, "evaluate", str(tmp_path / "model"), str(data), "--json"], check=True,
                            capture_output=True, text=True)
    assert json.loads(scored.stdout)["accuracy"] == pytest.approx(classifier.score(graphs))
    assert classifier.model_.evaluate(graphs.dataset)["accuracy"] == pytest.approx(classifier.score(graphs))


def test_threads_do_not_change_the_model(shapes, tmp_path):
    files = []
    for n_jobs in (None, 2, -1):
        regula.RuleClassifier(NETWORK, n_jobs=n_jobs).fit(shapes).save(tmp_path / "model")
        files.append((tmp_path / "model").read_bytes())
    assert files[0] == files[1] == files[2]


# ---- scikit-learn


def test_parameters_are_kept_as_they_are():
    labels = {"label": "degree"}
    classifier = regula.RuleClassifier(labels=labels, epochs=3)
    assert classifier.get_params()["labels"] is labels
    assert classifier.set_params(epochs=5, lr=0.1) is classifier
    assert repr(classifier) == "RuleClassifier(labels={'label': 'degree'}, epochs=5, lr=0.1)"
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        classifier.set_params(depth=3)


def test_grid_search_cross_validation_pipeline_and_joblib(shapes):
    pytest.importorskip("sklearn")
    from sklearn.base import clone, is_classifier, is_regressor
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
    from sklearn.pipeline import make_pipeline

    classifier = regula.RuleClassifier(NETWORK)
    assert is_classifier(classifier)
    assert is_regressor(regula.RuleRegressor())
    assert clone(classifier).get_params() == classifier.get_params()
    assert len(cross_val_score(classifier, shapes, shapes.y, cv=4)) == 4
    assert len(cross_val_predict(classifier, shapes, shapes.y, cv=3, method="predict_proba")) == 40
    search = GridSearchCV(classifier, {"lr": [0.01, 0.05]}, cv=2, n_jobs=2).fit(shapes, shapes.y)
    assert search.best_params_["lr"] in (0.01, 0.05)
    assert len(search.predict(shapes[:3])) == 3
    as_list = [ring(n) for n in range(4, 24)] + [path(n) for n in range(4, 24)]
    assert len(cross_val_score(classifier, as_list, shapes.y, cv=2)) == 2
    pipeline = make_pipeline(classifier, LogisticRegression()).fit(shapes, shapes.y)
    assert pipeline.score(shapes, shapes.y) > 0.5


# Checks of scikit-learn's check_estimator that need no table of numbers as X. The others make X themselves,
# as an array [sample][feature]; such an array is no list of graphs and is refused (the last test here).
CHECKS = [
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_dont_overwrite_attributes",
    "check_estimators_unfitted",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_do_not_raise_errors_in_init_or_set_param",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_mixin_order",
]
NEED_ATTRIBUTES = ("check_dont_overwrite_attributes", "check_estimators_unfitted")


@pytest.mark.parametrize("kind", [regula.RuleClassifier, regula.RuleRegressor])
@pytest.mark.parametrize("name", [name for name in CHECKS if name not in NEED_ATTRIBUTES])
def test_check_estimator(name, kind):
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    check = getattr(checks, name, None)
    if check is None:
        pytest.skip(f"this scikit-learn has no {name}")
    check(kind.__name__, kind())


def test_a_table_of_numbers_is_refused():
    with pytest.raises(ValueError, match="expected a list of graphs"):
        regula.RuleClassifier().fit(np.zeros((10, 3)), np.zeros(10))


def test_what_is_not_fitted_says_so(shapes):
    exceptions = pytest.importorskip("sklearn.exceptions")
    for call in ("predict", "predict_proba", "transform"):
        with pytest.raises(exceptions.NotFittedError, match="not fitted yet"):
            getattr(regula.RuleClassifier(), call)(shapes)
    with pytest.raises(regula.NotFittedError):
        regula.RuleClassifier().save("model")


def test_embeddings_have_a_row_for_each_graph(fitted, shapes):
    embedding = fitted.transform(shapes)
    assert embedding.shape[0] == 40
    assert np.isfinite(embedding).all()
    assert np.array_equal(fitted.transform(shapes[5:9]), embedding[5:9])


def test_pickle_and_copies_predict_the_same(fitted, shapes):
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict_proba(shapes), fitted.predict_proba(shapes))


# ---- what is refused


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"epochs": 0}, "epochs: found 0"),
        ({"epochs": 2.5}, "epochs: found 2.5"),
        ({"lr": -1}, "lr: found -1"),
        ({"lr": "fast"}, "lr: found 'fast'"),
        ({"batch": 0}, "batch: found 0"),
        ({"runs": 0}, "runs: found 0"),
        ({"metric": "beauty"}, "metric: found 'beauty'"),
        ({"validation": 1.5}, "validation: found 1.5"),
        ({"random_state": -1}, "random_state: found -1"),
        ({"random_state": "x"}, "random_state: found 'x'"),
        ({"n_jobs": 0}, "n_jobs: found 0"),
        ({"network": "paper:NOTHING"}, "expected one of paper:"),
        ({"network": "layers: 7"}, "network:1"),
        ({"network": {"layers": []}}, "network"),
        ({"network": NETWORK, "rules": ["x"]}, "both a network and rules"),
        ({"labels": {"a": "degree"}}, "labels without rules"),
        ({"rules": ["share nothing(i)"]}, "nothing"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(shapes, choices, message):
    with pytest.raises(ValueError) as caught:
        regula.RuleClassifier(**choices).fit(shapes)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "y", [[1] * 40, [1, 2], np.zeros((40, 2, 2)), [np.nan] * 40, np.random.default_rng(1).normal(size=40)]
)
def test_targets_that_make_no_sense_are_refused(shapes, y):
    with pytest.raises(ValueError):
        regula.RuleClassifier(NETWORK).fit(shapes, y)


def test_graphs_without_targets_need_y(shapes):
    for kind in (regula.RuleClassifier, regula.RuleRegressor):
        with pytest.raises(ValueError, match="requires y"):
            kind(NETWORK).fit([ring(4), path(4)])


# ---- as a guest in a process


def test_ctrl_c_stops_and_keeps_the_best_model(shapes):
    # a shell ignores it for what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    classifier = regula.RuleClassifier(NETWORK, epochs=1000000, lr=1e-6)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        classifier.fit(shapes)
    assert time.monotonic() - start < 10
    assert classifier.n_epochs_ < 1000000
    assert len(classifier.predict(shapes)) == 40


def test_ctrl_c_stops_inside_of_an_epoch_and_in_predictions(shapes):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    far = {"rule": "share label(i), label(j), dist(i,j) when dist(i,j) in 0..9"}
    network = NETWORK | {"layers": [far, NETWORK["layers"][1]]}
    rng = np.random.default_rng(1)
    edges = np.stack([np.arange(1, 4000), rng.integers(0, np.arange(1, 4000))])
    large = regula.Graphs([(edges, ["C"] * 4000)] * 4, y=["ring", "path"] * 2)
    classifier = regula.RuleClassifier(network, epochs=1).fit(shapes)
    learner = regula.RuleClassifier(network, epochs=1, validation=0)
    for work in (lambda: classifier.predict(large), lambda: learner.fit(large)):
        start = time.monotonic()
        work()
        whole = time.monotonic() - start
        raised = []

        def interrupt(times=raised):
            times.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(whole / 3, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            work()
        assert time.monotonic() - raised[0] < 5  # 0.1 s where nothing else runs
        timer.join()


def test_progress_goes_to_standard_error(shapes, capsys):
    regula.RuleClassifier(NETWORK, verbose=1).fit(shapes)
    out, err = capsys.readouterr()
    assert out == ""
    assert "epoch" in err


def test_nothing_is_printed(shapes, capfd):
    regula.RuleClassifier(NETWORK).fit(shapes).predict(shapes)
    assert capfd.readouterr() == ("", "")


def test_threads_may_fit_at_once(shapes):
    files = []

    def fit():
        files.append(pickle.dumps(regula.RuleClassifier(NETWORK).fit(shapes).model_))

    threads = [threading.Thread(target=fit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(files) == 4
    assert len(set(files)) == 1


def test_many_small_fits_do_not_grow(shapes):
    few = shapes[::4]
    few.dataset  # noqa: B018 - copied once, here
    classifier = regula.RuleClassifier(NETWORK, epochs=1)
    for _ in range(30):
        classifier.fit(few)
    gc.collect()
    before = resident()
    for _ in range(200):
        classifier.fit(few)
    gc.collect()
    assert resident() - before < 2 << 20


def test_the_package_needs_numpy_alone():
    code = "import sys, regula; print(sorted({'sklearn', 'networkx', 'scipy', 'torch'} & set(sys.modules)))"
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    assert told.stdout == "[]\n"


@pytest.mark.parametrize(
    "metric", ["roc-auc", "balanced_accuracy", "average_precision", "f1_macro", "log_loss", "auto"]
)
def test_metrics_are_those_of_scikit_learn(shapes, metric):
    sklearn = pytest.importorskip("sklearn.metrics")
    graphs, labels = shapes, np.unique(np.asarray(shapes.y), return_inverse=True)[1]
    fitted = regula.RuleClassifier(epochs=4, metric=metric, lr=0.01).fit(graphs, labels)
    said = fitted.predict_proba(graphs)
    expected = {
        "roc-auc": lambda: sklearn.roc_auc_score(labels, said[:, 1]),
        "balanced_accuracy": lambda: sklearn.balanced_accuracy_score(labels, fitted.predict(graphs)),
        "average_precision": lambda: sklearn.average_precision_score(labels, said[:, 1]),
        "f1_macro": lambda: sklearn.f1_score(labels, fitted.predict(graphs), average="macro"),
        "log_loss": lambda: -sklearn.log_loss(labels, said),
        "auto": lambda: sklearn.accuracy_score(labels, fitted.predict(graphs)),
    }[metric]()
    assert fitted.score(graphs, labels) == pytest.approx(expected, abs=1e-6)
    assert fitted.metric_ == {"auto": "accuracy"}.get(metric, metric.replace("_", "-"))


def test_targets_that_are_nan_do_not_count(shapes):
    sklearn, graphs = pytest.importorskip("sklearn.metrics"), shapes
    y = np.random.default_rng(0).integers(0, 2, (len(graphs), 3)).astype(float)
    y[::3, 0] = np.nan
    fitted = regula.RuleClassifier(epochs=2, metric="roc-auc").fit(graphs, y)
    said = fitted.predict_proba(graphs)
    areas = [sklearn.roc_auc_score(y[~np.isnan(y[:, k]), k], said[~np.isnan(y[:, k]), k]) for k in range(3)]
    assert fitted.score(graphs, y) == pytest.approx(np.mean(areas), abs=1e-6)
    values = regula.RuleRegressor(epochs=2, metric="rmse").fit(graphs, y)
    assert values.score(graphs, y) < 0


def test_targets_of_nodes_are_for_the_program():
    graphs = regula.Graphs.from_arrays([3], [[0, 1]], node_y=[0, 1, 0])
    for kind in (regula.RuleClassifier, regula.RuleRegressor):
        with pytest.raises(ValueError, match="targets of nodes"):
            kind(NETWORK).fit(graphs)
