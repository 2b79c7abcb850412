"""Rule based neural networks for graphs.

A rule says which pairs of nodes behave alike and share one weight; `RuleClassifier` and `RuleRegressor`
learn the weights and follow the contract of scikit-learn, `Graphs` holds the graphs.

>>> import regula
>>> graphs = regula.Graphs([([[0, 1], [1, 2]], ["C", "O", "C"]), ([[0], [1]], ["C", "C"])])
>>> graphs.n_nodes.tolist()
[3, 2]
"""

from ._estimators import RuleClassifier, RuleRegressor
from ._features import RuleFeatures
from ._graphs import Graph, Graphs, load
from ._library import (
    DataError,
    Error,
    FileError,
    NotFittedError,
    OutOfMemoryError,
    UsageError,
    version,
)
from ._model import Model
from ._networks import default_network, paper_networks

__version__ = version()

__all__ = [
    "DataError",
    "Error",
    "FileError",
    "Graph",
    "Graphs",
    "Model",
    "NotFittedError",
    "OutOfMemoryError",
    "RuleClassifier",
    "RuleFeatures",
    "RuleRegressor",
    "UsageError",
    "default_network",
    "load",
    "paper_networks",
    "version",
]
