"""Molecules from SMILES."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from . import _abi as abi
from ._data import Dataset
from ._library import DataError, UsageError, callback, create, decode, defaults, encode


def are_smiles(X: Any) -> bool:
    """A list of texts, or an array or column of a table with texts."""
    if isinstance(X, (str, bytes)) or not hasattr(X, "__len__") or not len(X):
        return False
    if hasattr(X, "dtype") and hasattr(X, "tolist") and getattr(X, "ndim", 0) == 1:
        X = X.tolist()
    try:
        return isinstance(X[0], str)
    except (KeyError, TypeError, IndexError):
        return False


def choose(
    options: Any,
    *,
    smiles: str | None,
    target: str | Sequence[str] | None,
    id: str | None,
    hydrogens: str,
    largest_fragment: bool,
) -> None:
    """Columns of tables, and how molecules are read."""
    if hydrogens not in ("implicit", "explicit"):
        raise UsageError(f"found hydrogens={hydrogens!r}, expected 'implicit' or 'explicit'")
    targets = target if target is None or isinstance(target, str) else ",".join(target)
    for field, text in (("smiles", smiles), ("targets", targets), ("id", id)):
        if text is not None:
            setattr(options.columns, field, encode(text))
    options.explicit_hydrogens = int(hydrogens == "explicit")
    options.largest_fragment = int(largest_fragment)


def read_smiles(
    X: Any,
    name: str,
    hydrogens: str = "implicit",
    largest_fragment: bool = False,
    kept: list[int] | None = None,
) -> Dataset:
    """One molecule per text. kept: gets the places of those that could be read; None: all must be."""
    if hasattr(X, "tolist"):
        X = X.tolist()
    wrong: dict[int, str] = {}
    lines = []
    for k, text in enumerate(X):
        own = text.strip() if isinstance(text, str) else ""
        if len(own.split()) != 1 or "\0" in own:
            found = repr(text) if isinstance(text, str) else type(text).__name__
            wrong[k] = f"found {found}, expected one molecule as SMILES"
        lines.append(f"{'?' if k in wrong else own} {k}")

    def note(context: Any, item: Any) -> None:
        one = item.contents
        wrong.setdefault(one.line - 2, f"{decode(one.reason)}, at byte {one.at}")

    options = defaults(abi.rg_read_options)
    choose(
        options, smiles=None, target=None, id=None, hydrogens=hydrogens, largest_fragment=largest_fragment
    )
    options.left_out = callback(abi.rg_read_options, "left_out", note)
    # The first line is a heading, whatever the first molecule is.
    text = "\n".join(["smiles name", *lines]).encode("utf-8", "replace")
    data = Dataset(create("rg_dataset_from_smiles", encode(name), text, len(text), ctypes.byref(options)))
    if wrong and kept is None:
        first = min(wrong)
        raise DataError(f"molecule {first}, {str(X[first])[:80]!r}: {wrong[first]}")
    if len(wrong) == len(lines):
        raise DataError("found no molecule that can be read, expected at least one")
    if kept is not None:
        kept.extend(k for k in range(len(lines)) if k not in wrong)
    return data
