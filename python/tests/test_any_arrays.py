"""Any arrays at all: graphs come out, or an exception with a message; never a crash."""

from __future__ import annotations

import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies as st  # noqa: E402

import regula  # noqa: E402

CHOICES = ["node_labels", "edge_labels", "node_attributes", "edge_attributes", "y", "node_y", "edge_counts"]
TYPES = ["?", "i1", "u1", "<i2", ">i4", "u4", "i8", "u8", "f2", "f4", ">f8", "c8", "U2", "S2", "O", "M8[s]"]


@st.composite
def arrays(draw):
    """Of any type, shape and layout: transposed, with steps, backwards, of one value, read-only."""
    shape = draw(st.lists(st.integers(0, 5), min_size=0, max_size=3))
    numbers = draw(st.lists(st.integers(-2, 6), min_size=1, max_size=8))
    array = np.resize(np.array(numbers, np.int64), shape)
    array = array.astype(draw(st.sampled_from(TYPES)))
    layout = draw(st.integers(0, 4))
    if layout == 1:
        array = array.T
    elif layout == 2 and array.ndim:
        array = array[::-1]
    elif layout == 3 and array.ndim:
        array = np.broadcast_to(array[:1], (4, *array.shape[1:])) if len(array) else array
    elif layout == 4 and array.ndim:
        array = np.repeat(array, 2, axis=0)[::2]
        array.flags.writeable = False
    return array


@hypothesis.settings(max_examples=200, deadline=None, derandomize=True)
@hypothesis.given(
    st.lists(st.integers(-1, 4), max_size=4),
    arrays(),
    st.dictionaries(
        st.sampled_from(CHOICES),
        arrays(),
        max_size=3,
    ),
)
def test_graphs_or_a_message(n_nodes, edges, choices):
    try:
        graphs = regula.Graphs.from_arrays(np.array(n_nodes, np.int64), edges, **choices)
    except (regula.Error, ValueError, TypeError) as error:
        assert str(error)
    else:
        assert len(graphs) == len(n_nodes)
        assert graphs.n_nodes.tolist() == n_nodes
        assert regula.Graphs(graphs)[::-1].n_nodes.tolist() == n_nodes[::-1]
