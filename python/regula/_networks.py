"""From the parameters of an estimator to the text of a network file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from ctypes import byref, c_void_p
from pathlib import Path
from typing import Any

from . import _abi as abi
from ._graphs import Graphs
from ._library import UsageError, create, create_text, decode, defaults, encode, lib

SMALL = 1500  # graphs: below this a batch of 64 would make too few steps


class Recipe:
    """A network file that was read."""

    def __init__(self, text: str, name: str) -> None:
        content = encode(text)
        self.handle = create("rg_recipe_parse", encode(name), content, len(content))

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", 0), 0
        if handle and lib is not None:
            lib.rg_recipe_free(c_void_p(handle))

    @property
    def text(self) -> str:
        """The normal form."""
        return str(decode(lib.rg_recipe_text(self.handle)))

    @property
    def epochs(self) -> int:
        return int(lib.rg_recipe_epochs(self.handle))


def paper_networks() -> dict[str, Path]:
    """The networks of the paper that come with the package, by the name of their data set.

    >>> "NCI1" in paper_networks()
    True
    """
    here = Path(__file__).resolve().parent
    for folder in (here / "networks", here.parents[1] / "examples" / "paper"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.yml"))}
    return {}


def _read(network: str | os.PathLike[str]) -> tuple[str, str]:
    """(text, name for messages) of a word, a path or a text."""
    if isinstance(network, str) and network.startswith("paper:"):
        known = paper_networks()
        path = known.get(network[len("paper:") :])
        if path is None:
            raise UsageError(f"network: found {network!r}, expected one of " + ", ".join(f"paper:{k}" for k in known))
        return path.read_text(encoding="utf-8"), network
    if isinstance(network, str) and ("\n" in network or ":" in network) and not os.path.exists(network):
        return network, "network"
    return Path(network).read_text(encoding="utf-8"), os.fspath(network)


def default_network(graphs: Graphs) -> str:
    """The network file that regula chooses for the graphs: what `regula new` prints, and what `network=None` trains.

    >>> graphs = Graphs.from_arrays([2, 2], [[0, 2], [1, 3]], y=[0, 1])
    >>> "layers:" in default_network(graphs)
    True
    """
    options = defaults(abi.rg_auto_options)
    options.comments, options.n_threads = 1, 1
    source = abi.rg_source(graphs.dataset.handle, None)
    text = create_text("rg_network_auto", None, byref(source), None, 0, byref(options))
    assert text is not None
    return text


def _ruled_network(rules: Sequence[str], labels: Mapping[str, str] | None, graphs: Graphs) -> dict[str, Any]:
    """One layer of these rules and an aggregation over the first labeling."""
    start = "node" if graphs.dataset.n_columns(abi.RG_NODE_LABEL) else "degree"
    own = dict(labels) if labels else {"label": start}
    first = next(iter(own))
    return {
        "labels": own,
        "layers": [
            {"rule": [rules] if isinstance(rules, str) else list(rules), "bias": f"share {first}(i)"},
            {"aggregate": f"share out, {first}(i)"},
        ],
        "training": {"batch": 16 if len(graphs) < SMALL else 64},
    }


def _number(value: Any) -> str:
    return repr(float(value)) if isinstance(value, float) else str(value)


def _with_training(text: str, settings: Mapping[str, Any]) -> str:
    """A normal form with other settings under `training`."""
    for key, value in settings.items():
        line = f"  {key}: {_number(value)}"
        text, n = re.subn(rf"(?m)^  {key}: .*$", lambda _, own=line: own, text)  # type: ignore[misc]
        if n == 0 and key == "metric":  # normal forms have it only where it is not the default
            text, n = text.rstrip("\n") + f"\n{line}\n", 1
        if n != 1:
            raise UsageError(f"the network has no setting {key!r} that could be changed")
    return text


def compose(
    graphs: Graphs,
    network: Any,
    rules: Sequence[str] | None,
    labels: Mapping[str, str] | None,
    settings: Mapping[str, Any],
) -> Recipe:
    """The recipe that an estimator trains."""
    if network is not None and (rules is not None or labels is not None):
        raise UsageError("found both a network and rules or labels, expected one of them")
    if labels is not None and rules is None:
        raise UsageError("found labels without rules, expected both or rules alone")
    name = "network"
    if isinstance(network, Mapping):
        text = json.dumps(network)
    elif network is not None and network != "auto":
        text, name = _read(network)
    elif rules is not None:
        text = json.dumps(_ruled_network(rules, labels, graphs))
    else:
        text, name = default_network(graphs), "auto"
    recipe = Recipe(text, name)
    wanted = {key: value for key, value in settings.items() if value is not None}
    return Recipe(_with_training(recipe.text, wanted), name) if wanted else recipe
