"""Molecules: SMILES and files of them, wherever graphs are taken."""

from __future__ import annotations

import numpy as np
import pytest

import regula

TEXTS = ["CCO", "CC(=O)O", "c1ccccc1", "C1CCCCC1", "Cc1ccccc1", "CCN"] * 4
RINGS = ["no", "no", "ring", "ring", "ring", "no"] * 4
NETWORK = {
    "input": "constant",
    "labels": {"ring": 'pattern(smarts("[R]"))', "atom": "combine(element, hydrogens)"},
    "layers": [{"aggregate": ["share out, ring(i)", "share out, atom(i)"], "by": "sum"}],
}


def classifier(**choices):
    return regula.RuleClassifier(network=NETWORK, epochs=60, lr=0.05, validation=0.0, random_state=1, **choices)


def test_lists_of_smiles_are_graphs():
    graphs = regula.Graphs(["OCC", "[Na+].[Cl-]"], y=["a", "b"])
    assert graphs[0].node_labels[:, 0].tolist() == ["O", "C", "C"]
    assert graphs.y.tolist() == ["a", "b"]
    assert graphs.to_smiles() == ["CCO", "[Na+].[Cl-]"]
    assert regula.Graphs(np.array(["CCO", "C"])).n_nodes.tolist() == [3, 1]
    assert regula.Graphs(np.array(["CCO", "C"], dtype=object)).n_nodes.tolist() == [3, 1]
    assert regula.Graphs.from_smiles(["C[Na].C"], hydrogens="explicit", largest_fragment=True).n_nodes.tolist() == [5]
    assert regula.Graphs(["S"]).n_nodes.tolist() == [1]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (["CCO", "C(C"], r"molecule 1, 'C\(C': found '\(' that is never closed, expected '\)', at byte 1"),
        (["CCO", ""], "molecule 1, '': found '', expected one molecule as SMILES"),
        (["CCO", None], "molecule 1, 'None': found NoneType, expected one molecule"),
        (["CCO\nC"], "expected one molecule as SMILES"),
    ],
)
def test_a_molecule_that_cannot_be_read_is_named(X, message):
    with pytest.raises(regula.DataError, match=message):
        regula.Graphs(X)


def test_molecules_that_cannot_be_read_can_be_skipped():
    graphs = regula.Graphs.from_smiles(["C", "C(", None, "CC"], y=[1, 2, 3, 4], invalid="skip")
    assert graphs.y.tolist() == [1, 4]
    assert graphs.names == ["0", "3"]
    with pytest.raises(regula.DataError, match="found no molecule that can be read"):
        regula.Graphs.from_smiles(["C("], invalid="skip")
    with pytest.raises(regula.DataError, match="found 1 targets for 2 graphs"):
        regula.Graphs.from_smiles(["C", "CC"], y=[1])
    with pytest.raises(regula.UsageError, match="invalid='drop'"):
        regula.Graphs.from_smiles(["C"], invalid="drop")


def test_estimators_take_smiles_and_names_of_files(tmp_path):
    table = tmp_path / "rings.csv"
    lines = [f"m{k},{s},{y}\n" for k, (s, y) in enumerate(zip(TEXTS, RINGS, strict=True))]
    table.write_text("name,smiles,ring\n" + "".join(lines))
    new = tmp_path / "new.smi"
    new.write_text("C1CC1 small\nCCCC chain\n")
    fitted = classifier().fit(TEXTS, RINGS)
    assert fitted.predict(["C1CC1", "CCCC"]).tolist() == ["ring", "no"]
    assert fitted.predict(new).tolist() == ["ring", "no"]
    graphs = regula.load(table, target="ring", smiles="smiles", id="name")
    assert graphs.y.tolist() == RINGS and graphs.names[0] == "m0"
    numbers = tmp_path / "numbers.csv"
    lines = [f"{s},{int(y == 'ring')}\n" for s, y in zip(TEXTS, RINGS, strict=True)]
    numbers.write_text("smiles,ring\n" + "".join(lines))
    other = classifier().fit(str(numbers))
    assert other.predict(new).tolist() == [1, 0]
    assert other.score(numbers, other.predict(numbers)) == 1.0
    with pytest.raises(regula.FileError):
        fitted.predict(str(tmp_path / "nothing.smi"))


def test_choices_that_are_none_are_refused(tmp_path):
    with pytest.raises(regula.UsageError, match="hydrogens='all'"):
        regula.load(tmp_path, hydrogens="all")
