"""What the tests share. The library is the one of $REGULA_LIBRARY, else that of the build tree."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
if not os.environ.get("REGULA_INSTALLED"):
    sys.path.insert(0, str(ROOT / "python"))

import regula  # noqa: E402


def ring(n, label="C"):
    """(edge_index, labels): a ring of n nodes, one of them N."""
    return [list(range(n)), [*range(1, n), 0]], ["N", *[label] * (n - 1)]


def path(n, label="C"):
    """The same without the edge that closes it."""
    return [list(range(n - 1)), list(range(1, n))], ["N", *[label] * (n - 1)]


@pytest.fixture(scope="session")
def shapes():
    """Forty graphs, half of them rings; the class says which."""
    X = [ring(n) for n in range(4, 24)] + [path(n) for n in range(4, 24)]
    return regula.Graphs(X, y=["ring"] * 20 + ["path"] * 20, name="shapes")


@pytest.fixture(scope="session")
def program():
    """The program `regula`, or skip."""
    place = os.environ.get("REGULA_PROGRAM", str(ROOT / "build" / "regula"))
    if not os.access(place, os.X_OK):
        pytest.skip("the program regula is not there")
    return place
