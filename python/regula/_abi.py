"""What the public headers declare; written by tools/python_abi.py, not by hand."""
from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_int64,
    c_size_t,
    c_ssize_t,
    c_uint,
    c_uint16,
    c_uint32,
    c_uint64,
    c_uint8,
    c_void_p,
)
from typing import Any

RG_CLASS = 4
RG_CONFIGURATIONS_MAX = 100000
RG_CPU_AUTO = 0
RG_CPU_AVX2 = 2
RG_CPU_AVX512 = 3
RG_CPU_PORTABLE = 1
RG_CSL = 3
RG_DIGEST_SIZE = 65
RG_DIST_ANY = 4294967295
RG_EDATA = 3
RG_EDGE_ATTRIBUTE = 3
RG_EDGE_CLASS = 7
RG_EDGE_LABEL = 1
RG_EDGE_MASK = 11
RG_EDGE_TARGET = 9
RG_EFAIL = 1
RG_EIO = 4
RG_ENOMEM = 5
RG_ENSEMBLES_MAX = 8
RG_ENSEMBLE_ALL = 0
RG_ENSEMBLE_STACK = 2
RG_ENSEMBLE_TOP = 1
RG_EUSAGE = 2
RG_EVEN_ODD_RINGS = 1
RG_EVEN_ODD_RINGS_COUNT = 2
RG_EXPERIMENT_RUNS_MAX = 64
RG_FORMAT_AUTO = 0
RG_FORMAT_CHARS = 9
RG_FORMAT_GRAPH6 = 4
RG_FORMAT_OGB = 3
RG_FORMAT_SDF = 7
RG_FORMAT_SMI = 5
RG_FORMAT_TABLE = 6
RG_FORMAT_THREE = 2
RG_FORMAT_TU = 1
RG_FORMAT_WORDS = 8
RG_ITEM_F32 = 9
RG_ITEM_F64 = 10
RG_ITEM_I16 = 3
RG_ITEM_I32 = 5
RG_ITEM_I64 = 7
RG_ITEM_I8 = 1
RG_ITEM_TEXT = 11
RG_ITEM_U16 = 4
RG_ITEM_U32 = 6
RG_ITEM_U64 = 8
RG_ITEM_U8 = 2
RG_KEEP_ALL = 2
RG_KEEP_BEST = 1
RG_KEEP_NONE = 0
RG_LONG_RINGS = 0
RG_MASK = 12
RG_METRICS = 12
RG_METRIC_ACCURACY = 2
RG_METRIC_AUTO = 1
RG_METRIC_AVERAGE_PRECISION = 5
RG_METRIC_BALANCED_ACCURACY = 3
RG_METRIC_DEFAULT = 0
RG_METRIC_F1_MACRO = 6
RG_METRIC_F1_MICRO = 7
RG_METRIC_LOG_LOSS = 8
RG_METRIC_MAE = 9
RG_METRIC_MAJORITY = 0
RG_METRIC_NO_CLASS = 4294967295
RG_METRIC_R2 = 11
RG_METRIC_RMSE = 10
RG_METRIC_ROC_AUC = 4
RG_MODEL_CLASSES = 0
RG_MODEL_MULTILABEL = 2
RG_MODEL_NODES = 3
RG_MODEL_NODE_VALUES = 4
RG_MODEL_VALUES = 1
RG_NODE_ATTRIBUTE = 2
RG_NODE_CLASS = 6
RG_NODE_LABEL = 0
RG_NODE_MASK = 10
RG_NODE_TARGET = 8
RG_NO_CLASS = 4294967295
RG_NO_FORMAT = -1
RG_NO_GENERATOR = -1
RG_NO_PROPERTY = -1
RG_NO_VALUE = -9223372036854775808
RG_NO_WEIGHT = 4294967295
RG_N_COLUMN_KINDS = 13
RG_N_FORMATS = 10
RG_N_GENERATORS = 6
RG_N_PROPERTIES = 11
RG_N_RULE_KINDS = 3
RG_N_SEQUENCES = 3
RG_OK = 0
RG_PROPERTY_BOND = 2
RG_PROPERTY_BONDS = 7
RG_PROPERTY_COMMON = 4
RG_PROPERTY_DEGREE = 5
RG_PROPERTY_DIST = 0
RG_PROPERTY_EDGE = 1
RG_PROPERTY_MARKED = 8
RG_PROPERTY_OFFSET = 10
RG_PROPERTY_PATHS = 6
RG_PROPERTY_POS = 9
RG_PROPERTY_SAME_CYCLE = 3
RG_PROTOCOLS = 4
RG_PROTOCOL_FAIR = 0
RG_PROTOCOL_GIN = 2
RG_PROTOCOL_GLOBAL = 1
RG_PROTOCOL_HOLDOUT = 3
RG_RULE_AGGREGATE = 2
RG_RULE_BIAS = 1
RG_RULE_KEYS_MAX = 16
RG_RULE_PAIR = 0
RG_RUNS_MAX = 8
RG_SCORES_MAX = 64
RG_SEQUENCE_CHARS = 2
RG_SEQUENCE_NONE = 0
RG_SEQUENCE_WORDS = 1
RG_SNOWFLAKES = 4
RG_SNOWFLAKE_PARTS = 5
RG_TARGET = 5
RG_TARGET_AUTO = 0
RG_TARGET_CLASS = 1
RG_TARGET_REAL = 2
RG_VERSION_MAJOR = 0
RG_VERSION_MINOR = 1
RG_VERSION_PATCH = 0


class rg_error(Structure):
    message: Any
    _fields_ = [
        ("message", (c_char * 1024)),
    ]


class rg_graph(Structure):
    n_nodes: int
    n_arcs: int
    first_node: int
    row: Any
    col: Any
    _fields_ = [
        ("n_nodes", c_uint32),
        ("n_arcs", c_uint64),
        ("first_node", c_uint64),
        ("row", POINTER(c_uint64)),
        ("col", POINTER(c_uint32)),
    ]


class rg_quirks(Structure):
    listed_edges: int
    duplicate_edges: int
    self_loops: int
    one_way_edges: int
    edge_conflicts: int
    unsorted_edges: int
    unsorted_nodes: int
    isolated_nodes: int
    empty_graphs: int
    label_gaps: int
    class_gaps: int
    missing_targets: int
    missing_newlines: int
    ignored_files: int
    left_out: int
    _fields_ = [
        ("listed_edges", c_uint64),
        ("duplicate_edges", c_uint64),
        ("self_loops", c_uint64),
        ("one_way_edges", c_uint64),
        ("edge_conflicts", c_uint64),
        ("unsorted_edges", c_uint64),
        ("unsorted_nodes", c_uint64),
        ("isolated_nodes", c_uint64),
        ("empty_graphs", c_uint64),
        ("label_gaps", c_uint64),
        ("class_gaps", c_uint64),
        ("missing_targets", c_uint64),
        ("missing_newlines", c_uint64),
        ("ignored_files", c_uint64),
        ("left_out", c_uint64),
    ]


class rg_value_name(Structure):
    kind: int
    column: int
    value: int
    name: bytes | None
    _fields_ = [
        ("kind", c_int),
        ("column", c_size_t),
        ("value", c_int64),
        ("name", c_char_p),
    ]


class rg_left_out(Structure):
    file: bytes | None
    line: int
    column: int
    name: bytes | None
    text: bytes | None
    n: int
    at: int
    reason: bytes | None
    graph: int
    _fields_ = [
        ("file", c_char_p),
        ("line", c_size_t),
        ("column", c_size_t),
        ("name", c_char_p),
        ("text", c_char_p),
        ("n", c_size_t),
        ("at", c_size_t),
        ("reason", c_char_p),
        ("graph", c_size_t),
    ]


class rg_column_choice(Structure):
    smiles: bytes | None
    targets: bytes | None
    id: bytes | None
    targets_optional: int
    _fields_ = [
        ("smiles", c_char_p),
        ("targets", c_char_p),
        ("id", c_char_p),
        ("targets_optional", c_int),
    ]


class rg_read_options(Structure):
    size: int
    format: int
    max_bytes: int
    max_ratio: int
    max_entries: int
    columns: rg_column_choice
    explicit_hydrogens: int
    largest_fragment: int
    strict: int
    left_out: Any
    context: int | None
    _fields_ = [
        ("size", c_size_t),
        ("format", c_int),
        ("max_bytes", c_uint64),
        ("max_ratio", c_uint64),
        ("max_entries", c_uint64),
        ("columns", rg_column_choice),
        ("explicit_hydrogens", c_int),
        ("largest_fragment", c_int),
        ("strict", c_int),
        ("left_out", CFUNCTYPE(None, c_void_p, POINTER(rg_left_out))),
        ("context", c_void_p),
    ]


class rg_array_shape(Structure):
    rows: int
    cols: int
    channels: int
    depth: int
    _fields_ = [
        ("rows", c_uint32),
        ("cols", c_uint32),
        ("channels", c_uint32),
        ("depth", c_uint32),
    ]


class rg_arrays_options(Structure):
    size: int
    scale: int
    read: Any
    _fields_ = [
        ("size", c_size_t),
        ("scale", c_int),
        ("read", POINTER(rg_read_options)),
    ]


class rg_arrays_content(Structure):
    size: int
    name: bytes | None
    n_samples: int
    n_train: int
    shape: rg_array_shape
    floats: Any
    doubles: Any
    classes: Any
    reals: Any
    n_columns: int
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("n_samples", c_size_t),
        ("n_train", c_size_t),
        ("shape", rg_array_shape),
        ("floats", POINTER(c_float)),
        ("doubles", POINTER(c_double)),
        ("classes", POINTER(c_int64)),
        ("reals", POINTER(c_double)),
        ("n_columns", c_size_t),
    ]


class rg_arrays_audit(Structure):
    size: int
    min: float
    max: float
    mean: float
    deviation: float
    constant: int
    copies: int
    copies_other: int
    digest: Any
    _fields_ = [
        ("size", c_size_t),
        ("min", c_double),
        ("max", c_double),
        ("mean", c_double),
        ("deviation", c_double),
        ("constant", c_uint64),
        ("copies", c_uint64),
        ("copies_other", c_uint64),
        ("digest", (c_char * 65)),
    ]


class rg_range(Structure):
    min: int
    max: int
    total: int
    mean: float
    _fields_ = [
        ("min", c_uint64),
        ("max", c_uint64),
        ("total", c_uint64),
        ("mean", c_double),
    ]


class rg_audit_options(Structure):
    size: int
    n_threads: int
    copies: int
    diameter_budget: int
    copies_budget: int
    progress: Any
    progress_context: int | None
    cancel: Any
    cancel_context: int | None
    _fields_ = [
        ("size", c_size_t),
        ("n_threads", c_uint),
        ("copies", c_int),
        ("diameter_budget", c_uint64),
        ("copies_budget", c_uint64),
        ("progress", CFUNCTYPE(None, c_void_p, c_double)),
        ("progress_context", c_void_p),
        ("cancel", CFUNCTYPE(c_int, c_void_p)),
        ("cancel_context", c_void_p),
    ]


class rg_audit(Structure):
    size: int
    nodes: rg_range
    edges: rg_range
    diameter: rg_range
    diameter_connected: rg_range
    connected_graphs: int
    disconnected_graphs: int
    trees: int
    isolated_nodes: int
    empty_graphs: int
    max_degree: int
    mean_degree: float
    isomorphic_copies: int
    copies_other_class: int
    copy_groups: int
    largest_group: int
    bounded_diameters: int
    undecided_pairs: int
    digest: Any
    _fields_ = [
        ("size", c_size_t),
        ("nodes", rg_range),
        ("edges", rg_range),
        ("diameter", rg_range),
        ("diameter_connected", rg_range),
        ("connected_graphs", c_uint64),
        ("disconnected_graphs", c_uint64),
        ("trees", c_uint64),
        ("isolated_nodes", c_uint64),
        ("empty_graphs", c_uint64),
        ("max_degree", c_uint64),
        ("mean_degree", c_double),
        ("isomorphic_copies", c_uint64),
        ("copies_other_class", c_uint64),
        ("copy_groups", c_uint64),
        ("largest_group", c_uint64),
        ("bounded_diameters", c_uint64),
        ("undecided_pairs", c_uint64),
        ("digest", (c_char * 65)),
    ]


class rg_label_options(Structure):
    size: int
    n_threads: int
    budget: int
    cache: bytes | None
    progress: Any
    progress_context: int | None
    cancel: Any
    cancel_context: int | None
    _fields_ = [
        ("size", c_size_t),
        ("n_threads", c_uint),
        ("budget", c_uint64),
        ("cache", c_char_p),
        ("progress", CFUNCTYPE(None, c_void_p, c_double)),
        ("progress_context", c_void_p),
        ("cancel", CFUNCTYPE(c_int, c_void_p)),
        ("cancel_context", c_void_p),
    ]


class rg_pair_entry(Structure):
    sample: int
    i: int
    j: int
    value: int
    _fields_ = [
        ("sample", c_uint32),
        ("i", c_uint32),
        ("j", c_uint32),
        ("value", c_int64),
    ]


class rg_pair_info(Structure):
    per_sample: int
    n_places: int
    exact: int
    n_samples: int
    n_entries: int
    lowest: int
    highest: int
    _fields_ = [
        ("per_sample", c_int),
        ("n_places", c_int),
        ("exact", c_int),
        ("n_samples", c_size_t),
        ("n_entries", c_uint64),
        ("lowest", c_int64),
        ("highest", c_int64),
    ]


class rg_property(Structure):
    kind: int
    parameter: int
    _fields_ = [
        ("kind", c_int),
        ("parameter", c_uint32),
    ]


class rg_property_info(Structure):
    name: bytes | None
    n_nodes: int
    parameter: bytes | None
    low: int
    high: int
    usual: int
    must_be_given: int
    elsewhere: int
    _fields_ = [
        ("name", c_char_p),
        ("n_nodes", c_uint),
        ("parameter", c_char_p),
        ("low", c_uint32),
        ("high", c_uint32),
        ("usual", c_uint32),
        ("must_be_given", c_int),
        ("elsewhere", c_int64),
    ]


class rg_property_bounds(Structure):
    low: int
    high: int
    _fields_ = [
        ("low", c_int64),
        ("high", c_int64),
    ]


class rg_property_row(Structure):
    j: Any
    value: Any
    n: int
    _fields_ = [
        ("j", POINTER(c_uint32)),
        ("value", POINTER(c_int64)),
        ("n", c_size_t),
    ]


class rg_rule_labeling(Structure):
    name: bytes | None
    labels: int | None
    labeling: int | None
    is_table: int
    pairs: int | None
    _fields_ = [
        ("name", c_char_p),
        ("labels", c_void_p),
        ("labeling", c_void_p),
        ("is_table", c_int),
        ("pairs", c_void_p),
    ]


class rg_rule_place(Structure):
    line: int
    column: int
    n: int
    _fields_ = [
        ("line", c_size_t),
        ("column", c_size_t),
        ("n", c_size_t),
    ]


class rg_rule_info(Structure):
    kind: int
    n_keys: int
    is_static: int
    on_graphs: int
    on_shapes: int
    on_values: int
    n_bins: int
    on_tables: int
    _fields_ = [
        ("kind", c_int),
        ("n_keys", c_size_t),
        ("is_static", c_int),
        ("on_graphs", c_int),
        ("on_shapes", c_int),
        ("on_values", c_int),
        ("n_bins", c_size_t),
        ("on_tables", c_int),
    ]


class rg_rule_shape(Structure):
    rows: int
    cols: int
    channels: int
    depth: int
    _fields_ = [
        ("rows", c_uint32),
        ("cols", c_uint32),
        ("channels", c_uint32),
        ("depth", c_uint32),
    ]


class rg_rule_values(Structure):
    read: Any
    context: int | None
    n_samples: int
    n_channels: int
    shape: rg_rule_shape
    fit: Any
    n_fit: int
    _fields_ = [
        ("read", CFUNCTYPE(None, c_void_p, c_size_t, POINTER(c_double))),
        ("context", c_void_p),
        ("n_samples", c_size_t),
        ("n_channels", c_uint32),
        ("shape", rg_rule_shape),
        ("fit", POINTER(c_uint32)),
        ("n_fit", c_size_t),
    ]


class rg_rule_input(Structure):
    size: int
    data: int | None
    labels: Any
    n_labels: int
    graphs: Any
    n_graphs: int
    in_: rg_rule_shape
    out: rg_rule_shape
    n_outputs: int
    values: Any
    _fields_ = [
        ("size", c_size_t),
        ("data", c_void_p),
        ("labels", POINTER(rg_rule_labeling)),
        ("n_labels", c_size_t),
        ("graphs", POINTER(c_uint32)),
        ("n_graphs", c_size_t),
        ("in_", rg_rule_shape),
        ("out", rg_rule_shape),
        ("n_outputs", c_uint32),
        ("values", POINTER(rg_rule_values)),
    ]


class rg_rule_options(Structure):
    size: int
    n_threads: int
    max_bytes: int
    cancel: Any
    cancel_context: int | None
    unseen_of: Any
    _fields_ = [
        ("size", c_size_t),
        ("n_threads", c_uint),
        ("max_bytes", c_uint64),
        ("cancel", CFUNCTYPE(c_int, c_void_p)),
        ("cancel_context", c_void_p),
        ("unseen_of", POINTER(c_uint64)),
    ]


class rg_rule_report(Structure):
    size: int
    pairs: int
    scanned: int
    connections: int
    weights: int
    possible: int
    unseen: int
    all_pairs: int
    plan: Any
    _fields_ = [
        ("size", c_size_t),
        ("pairs", c_uint64),
        ("scanned", c_uint64),
        ("connections", c_uint64),
        ("weights", c_uint64),
        ("possible", c_uint64),
        ("unseen", c_uint64),
        ("all_pairs", c_int),
        ("plan", (c_char * 160)),
    ]


class rg_connection_table(Structure):
    n_outputs: int
    n_inputs: int
    row: Any
    col16: Any
    col32: Any
    weight: Any
    _fields_ = [
        ("n_outputs", c_uint32),
        ("n_inputs", c_uint32),
        ("row", POINTER(c_uint32)),
        ("col16", POINTER(c_uint16)),
        ("col32", POINTER(c_uint32)),
        ("weight", POINTER(c_uint32)),
    ]


class rg_part(Structure):
    graphs: Any
    n: int
    _fields_ = [
        ("graphs", POINTER(c_uint32)),
        ("n", c_size_t),
    ]


class rg_fold(Structure):
    train: rg_part
    validation: rg_part
    test: rg_part
    _fields_ = [
        ("train", rg_part),
        ("validation", rg_part),
        ("test", rg_part),
    ]


class rg_split_options(Structure):
    size: int
    seed: int
    n_folds: int
    test: float
    validation: float
    stratified: int
    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("n_folds", c_size_t),
        ("test", c_double),
        ("validation", c_double),
        ("stratified", c_int),
    ]


class rg_items(Structure):
    name: bytes | None
    word: bytes | None
    n: int
    classes: Any
    n_classes: int
    _fields_ = [
        ("name", c_char_p),
        ("word", c_char_p),
        ("n", c_size_t),
        ("classes", POINTER(c_uint32)),
        ("n_classes", c_size_t),
    ]


class rg_split_report(Structure):
    size: int
    n_folds: int
    validation_is_test: int
    empty_validation: int
    untested: int
    unused: int
    missing_classes: int
    _fields_ = [
        ("size", c_size_t),
        ("n_folds", c_size_t),
        ("validation_is_test", c_size_t),
        ("empty_validation", c_size_t),
        ("untested", c_size_t),
        ("unused", c_size_t),
        ("missing_classes", c_size_t),
    ]


class rg_source(Structure):
    graphs: int | None
    arrays: int | None
    _fields_ = [
        ("graphs", c_void_p),
        ("arrays", c_void_p),
    ]


class rg_epoch(Structure):
    number: int
    lr: float
    train_loss: float
    train_score: float
    validation_loss: float
    validation_score: float
    _fields_ = [
        ("number", c_uint32),
        ("lr", c_double),
        ("train_loss", c_double),
        ("train_score", c_double),
        ("validation_loss", c_double),
        ("validation_score", c_double),
    ]


class rg_run(Structure):
    number: int
    epochs: int
    best_epoch: int
    stopped: int
    failed: int
    train_loss: float
    train_score: float
    validation_loss: float
    validation_score: float
    test_loss: float
    test_score: float
    _fields_ = [
        ("number", c_uint32),
        ("epochs", c_uint32),
        ("best_epoch", c_uint32),
        ("stopped", c_int),
        ("failed", c_int),
        ("train_loss", c_double),
        ("train_score", c_double),
        ("validation_loss", c_double),
        ("validation_score", c_double),
        ("test_loss", c_double),
        ("test_score", c_double),
    ]


class rg_train_state(Structure):
    epoch: int
    epochs: int
    best_epoch: int
    last: Any
    n_runs: int
    errors: int
    seconds: float
    metric: int
    _fields_ = [
        ("epoch", c_uint32),
        ("epochs", c_uint32),
        ("best_epoch", c_uint32),
        ("last", POINTER(rg_epoch)),
        ("n_runs", c_size_t),
        ("errors", c_int),
        ("seconds", c_double),
        ("metric", c_int),
    ]


class rg_start_part(Structure):
    layer: int
    kind: bytes | None
    what: bytes | None
    n: int
    taken: int
    why: bytes | None
    _fields_ = [
        ("layer", c_size_t),
        ("kind", c_char_p),
        ("what", c_char_p),
        ("n", c_uint64),
        ("taken", c_uint64),
        ("why", c_char_p),
    ]


class rg_train_options(Structure):
    size: int
    seed: int
    lanes: int
    first_run: int
    n_threads: int
    cpu: int
    memory: int
    fit_on_train: int
    cache: bytes | None
    checkpoint: bytes | None
    checkpoint_seconds: float
    resume: int
    building: Any
    progress: Any
    context: int | None
    cancel: Any
    cancel_context: int | None
    metric: int
    tables: Any
    n_tables: int
    start: int | None
    start_same_values: int
    names: Any
    start_names: Any
    n_names: int
    n_start_names: int
    started: Any
    started_context: int | None
    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("lanes", c_uint32),
        ("first_run", c_uint32),
        ("n_threads", c_uint),
        ("cpu", c_int),
        ("memory", c_uint64),
        ("fit_on_train", c_int),
        ("cache", c_char_p),
        ("checkpoint", c_char_p),
        ("checkpoint_seconds", c_double),
        ("resume", c_int),
        ("building", CFUNCTYPE(None, c_void_p, c_double)),
        ("progress", CFUNCTYPE(c_int, c_void_p, POINTER(rg_train_state))),
        ("context", c_void_p),
        ("cancel", CFUNCTYPE(c_int, c_void_p)),
        ("cancel_context", c_void_p),
        ("metric", c_int),
        ("tables", POINTER(rg_rule_labeling)),
        ("n_tables", c_size_t),
        ("start", c_void_p),
        ("start_same_values", c_int),
        ("names", POINTER(rg_value_name)),
        ("start_names", POINTER(rg_value_name)),
        ("n_names", c_size_t),
        ("n_start_names", c_size_t),
        ("started", CFUNCTYPE(None, c_void_p, POINTER(rg_start_part), c_size_t)),
        ("started_context", c_void_p),
    ]


class rg_train_report(Structure):
    size: int
    runs: Any
    n_runs: int
    best: int
    epochs: int
    interrupted: int
    build_seconds: float
    seconds: float
    seconds_per_epoch: float
    connections: int
    weights_possible: int
    weights_used: int
    parameters: int
    table_bytes: int
    metric: int
    majority: float
    _fields_ = [
        ("size", c_size_t),
        ("runs", (rg_run * 8)),
        ("n_runs", c_size_t),
        ("best", c_size_t),
        ("epochs", c_uint32),
        ("interrupted", c_int),
        ("build_seconds", c_double),
        ("seconds", c_double),
        ("seconds_per_epoch", c_double),
        ("connections", c_uint64),
        ("weights_possible", c_uint64),
        ("weights_used", c_uint64),
        ("parameters", c_uint64),
        ("table_bytes", c_uint64),
        ("metric", c_int),
        ("majority", c_double),
    ]


class rg_model_info(Structure):
    size: int
    task: int
    arrays: int
    n_outputs: int
    n_parameters: int
    network: bytes | None
    training: bytes | None
    record: bytes | None
    digest: bytes | None
    version: bytes | None
    sequence: int
    n_networks: int
    _fields_ = [
        ("size", c_size_t),
        ("task", c_int),
        ("arrays", c_int),
        ("n_outputs", c_uint32),
        ("n_parameters", c_uint64),
        ("network", c_char_p),
        ("training", c_char_p),
        ("record", c_char_p),
        ("digest", c_char_p),
        ("version", c_char_p),
        ("sequence", c_int),
        ("n_networks", c_uint32),
    ]


class rg_rule_left(Structure):
    layer: int
    kind: bytes | None
    rule: bytes | None
    keys: int
    left: int
    norm: float
    _fields_ = [
        ("layer", c_size_t),
        ("kind", c_char_p),
        ("rule", c_char_p),
        ("keys", c_uint64),
        ("left", c_uint64),
        ("norm", c_double),
    ]


class rg_prediction(Structure):
    sample: int
    n_rows: int
    n_outputs: int
    outputs: Any
    probabilities: Any
    classes: Any
    embedding: Any
    n_embedding: int
    n_nodes: int
    n_unseen: int
    unknown_labels: int
    unseen_labels: int
    unseen_pairs: int
    _fields_ = [
        ("sample", c_size_t),
        ("n_rows", c_size_t),
        ("n_outputs", c_size_t),
        ("outputs", POINTER(c_double)),
        ("probabilities", POINTER(c_double)),
        ("classes", POINTER(c_uint32)),
        ("embedding", POINTER(c_double)),
        ("n_embedding", c_size_t),
        ("n_nodes", c_size_t),
        ("n_unseen", c_size_t),
        ("unknown_labels", c_uint64),
        ("unseen_labels", c_uint64),
        ("unseen_pairs", c_uint64),
    ]


class rg_predict_options(Structure):
    size: int
    n_threads: int
    memory: int
    cpu: int
    embed: int
    samples: Any
    n_samples: int
    cache: bytes | None
    progress: Any
    progress_context: int | None
    cancel: Any
    cancel_context: int | None
    part: bytes | None
    _fields_ = [
        ("size", c_size_t),
        ("n_threads", c_uint),
        ("memory", c_uint64),
        ("cpu", c_int),
        ("embed", c_int),
        ("samples", POINTER(c_uint32)),
        ("n_samples", c_size_t),
        ("cache", c_char_p),
        ("progress", CFUNCTYPE(None, c_void_p, c_double)),
        ("progress_context", c_void_p),
        ("cancel", CFUNCTYPE(c_int, c_void_p)),
        ("cancel_context", c_void_p),
        ("part", c_char_p),
    ]


class rg_predict_report(Structure):
    n_nodes: int
    unknown_labels: int
    unseen_labels: int
    unseen_pairs: int
    _fields_ = [
        ("n_nodes", c_uint64),
        ("unknown_labels", c_uint64),
        ("unseen_labels", c_uint64),
        ("unseen_pairs", c_uint64),
    ]


class rg_prediction_arrays(Structure):
    size: int
    n_rows: int
    outputs: Any
    probabilities: Any
    classes: Any
    embedding: Any
    n_embedding: int
    first_rows: Any
    _fields_ = [
        ("size", c_size_t),
        ("n_rows", c_size_t),
        ("outputs", POINTER(c_double)),
        ("probabilities", POINTER(c_double)),
        ("classes", POINTER(c_uint32)),
        ("embedding", POINTER(c_double)),
        ("n_embedding", c_size_t),
        ("first_rows", POINTER(c_uint64)),
    ]


class rg_output_score(Structure):
    n: int
    precision: float
    recall: float
    auc: float
    mae: float
    rmse: float
    r2: float
    average_precision: float
    _fields_ = [
        ("n", c_uint64),
        ("precision", c_double),
        ("recall", c_double),
        ("auc", c_double),
        ("mae", c_double),
        ("rmse", c_double),
        ("r2", c_double),
        ("average_precision", c_double),
    ]


class rg_evaluation(Structure):
    size: int
    n: int
    loss: float
    accuracy: float
    majority: float
    auc: float
    mae: float
    rmse: float
    n_outputs: int
    outputs: Any
    confusion: Any
    report: rg_predict_report
    metric: int
    scores: Any
    _fields_ = [
        ("size", c_size_t),
        ("n", c_uint64),
        ("loss", c_double),
        ("accuracy", c_double),
        ("majority", c_double),
        ("auc", c_double),
        ("mae", c_double),
        ("rmse", c_double),
        ("n_outputs", c_size_t),
        ("outputs", (rg_output_score * 64)),
        ("confusion", ((c_uint64 * 64) * 64)),
        ("report", rg_predict_report),
        ("metric", c_int),
        ("scores", (c_double * 12)),
    ]


class rg_prune_point(Structure):
    part: float
    weights: int
    limit: float
    loss: float
    score: float
    _fields_ = [
        ("part", c_double),
        ("weights", c_uint64),
        ("limit", c_double),
        ("loss", c_double),
        ("score", c_double),
    ]


class rg_auto_options(Structure):
    size: int
    rules: Any
    n_rules: int
    comments: int
    n_threads: int
    cache: bytes | None
    cancel: Any
    cancel_context: int | None
    _fields_ = [
        ("size", c_size_t),
        ("rules", POINTER(c_char_p)),
        ("n_rules", c_size_t),
        ("comments", c_int),
        ("n_threads", c_uint),
        ("cache", c_char_p),
        ("cancel", CFUNCTYPE(c_int, c_void_p)),
        ("cancel_context", c_void_p),
    ]


class rg_matrix(Structure):
    data: int | None
    type: int
    n_rows: int
    n_columns: int
    row_step: int
    column_step: int
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int),
        ("n_rows", c_size_t),
        ("n_columns", c_size_t),
        ("row_step", c_ssize_t),
        ("column_step", c_ssize_t),
    ]


class rg_graph_columns(Structure):
    kind: int
    values: rg_matrix
    names: Any
    _fields_ = [
        ("kind", c_int),
        ("values", rg_matrix),
        ("names", POINTER(c_char_p)),
    ]


class rg_graph_arrays(Structure):
    size: int
    name: bytes | None
    n_graphs: int
    nodes: rg_matrix
    edges: rg_matrix
    edge_counts: rg_matrix
    columns: Any
    n_columns: int
    value_names: Any
    n_value_names: int
    graph_names: rg_matrix
    like: int | None
    known: Any
    n_known: int
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("n_graphs", c_size_t),
        ("nodes", rg_matrix),
        ("edges", rg_matrix),
        ("edge_counts", rg_matrix),
        ("columns", POINTER(rg_graph_columns)),
        ("n_columns", c_size_t),
        ("value_names", POINTER(rg_value_name)),
        ("n_value_names", c_size_t),
        ("graph_names", rg_matrix),
        ("like", c_void_p),
        ("known", POINTER(rg_value_name)),
        ("n_known", c_size_t),
    ]


class rg_ensemble(Structure):
    kind: int
    top: int
    _fields_ = [
        ("kind", c_int),
        ("top", c_uint32),
    ]


class rg_experiment_info(Structure):
    name: bytes | None
    data: bytes | None
    splits: bytes | None
    make_splits: int
    split: Any
    folds: Any
    n_folds: int
    protocols: Any
    n_protocols: int
    runs: int
    seed: int
    fit_on_train: int
    keep: int
    n_configurations: int
    n_equal: int
    n_axes: int
    starts_per_fold: int
    metric: int
    ensembles: Any
    n_ensembles: int
    _fields_ = [
        ("name", c_char_p),
        ("data", c_char_p),
        ("splits", c_char_p),
        ("make_splits", c_int),
        ("split", POINTER(rg_split_options)),
        ("folds", POINTER(c_uint32)),
        ("n_folds", c_size_t),
        ("protocols", (c_int * 4)),
        ("n_protocols", c_size_t),
        ("runs", c_uint32),
        ("seed", c_uint64),
        ("fit_on_train", c_int),
        ("keep", c_int),
        ("n_configurations", c_size_t),
        ("n_equal", c_size_t),
        ("n_axes", c_size_t),
        ("starts_per_fold", c_int),
        ("metric", c_int),
        ("ensembles", (rg_ensemble * 8)),
        ("n_ensembles", c_size_t),
    ]


class rg_rule_features_options(Structure):
    size: int
    rules: Any
    n_rules: int
    label_names: Any
    label_specs: Any
    n_labels: int
    graphs: Any
    n_graphs: int
    support: int
    n_threads: int
    cache: bytes | None
    _fields_ = [
        ("size", c_size_t),
        ("rules", POINTER(c_char_p)),
        ("n_rules", c_size_t),
        ("label_names", POINTER(c_char_p)),
        ("label_specs", POINTER(c_char_p)),
        ("n_labels", c_size_t),
        ("graphs", POINTER(c_uint32)),
        ("n_graphs", c_size_t),
        ("support", c_uint32),
        ("n_threads", c_uint),
        ("cache", c_char_p),
    ]


class rg_count_matrix(Structure):
    n_rows: int
    n_cols: int
    row: Any
    col: Any
    count: Any
    _fields_ = [
        ("n_rows", c_size_t),
        ("n_cols", c_size_t),
        ("row", POINTER(c_uint64)),
        ("col", POINTER(c_uint32)),
        ("count", POINTER(c_uint32)),
    ]


class rg_catalogue_entry(Structure):
    name: bytes | None
    task: bytes | None
    domain: bytes | None
    graphs: int
    mean_nodes: float
    mean_edges: float
    citation: bytes | None
    source: bytes | None
    path: bytes | None
    digest: bytes | None
    _fields_ = [
        ("name", c_char_p),
        ("task", c_char_p),
        ("domain", c_char_p),
        ("graphs", c_uint32),
        ("mean_nodes", c_double),
        ("mean_edges", c_double),
        ("citation", c_char_p),
        ("source", c_char_p),
        ("path", c_char_p),
        ("digest", c_char_p),
    ]


class rg_fetch_options(Structure):
    size: int
    url: bytes | None
    directory: bytes | None
    sha256: bytes | None
    force: int
    timeout: int
    max_seconds: int
    max_bytes: int
    progress: Any
    progress_context: int | None
    _fields_ = [
        ("size", c_size_t),
        ("url", c_char_p),
        ("directory", c_char_p),
        ("sha256", c_char_p),
        ("force", c_int),
        ("timeout", c_uint),
        ("max_seconds", c_uint),
        ("max_bytes", c_uint64),
        ("progress", CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)),
        ("progress_context", c_void_p),
    ]


class rg_fetched(Structure):
    size: int
    path: Any
    file_sha256: Any
    digest: Any
    bytes: int
    already: int
    resumed: int
    verified: int
    _fields_ = [
        ("size", c_size_t),
        ("path", (c_char * 1024)),
        ("file_sha256", (c_char * 65)),
        ("digest", (c_char * 65)),
        ("bytes", c_uint64),
        ("already", c_int),
        ("resumed", c_int),
        ("verified", c_int),
    ]


class rg_generate_options(Structure):
    size: int
    seed: int
    n_graphs: int
    n_nodes: int
    smallest: int
    largest: int
    n_threads: int
    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("n_graphs", c_size_t),
        ("n_nodes", c_uint32),
        ("smallest", c_uint32),
        ("largest", c_uint32),
        ("n_threads", c_uint),
    ]


class rg_shapes_options(Structure):
    size: int
    seed: int
    n_images: int
    side: int
    noise: float
    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("n_images", c_size_t),
        ("side", c_uint32),
        ("noise", c_double),
    ]


class rg_switches_options(Structure):
    size: int
    seed: int
    n_vectors: int
    n_switches: int
    n_values: int
    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("n_vectors", c_size_t),
        ("n_switches", c_uint32),
        ("n_values", c_uint32),
    ]


# name: (result, parameters)
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "rg_arrays_are_there": (c_int, [POINTER(c_int), c_char_p, POINTER(rg_error)]),
    "rg_arrays_audit_run": (c_int, [POINTER(rg_arrays_audit), c_void_p, POINTER(rg_error)]),
    "rg_arrays_build": (c_int, [POINTER(c_void_p), POINTER(rg_arrays_content), POINTER(rg_error)]),
    "rg_arrays_bytes": (c_size_t, [c_void_p]),
    "rg_arrays_class_values": (POINTER(c_int64), [c_void_p, c_size_t, POINTER(c_size_t)]),
    "rg_arrays_classes": (POINTER(c_uint32), [c_void_p, c_size_t]),
    "rg_arrays_copy": (None, [POINTER(c_double), c_void_p, c_size_t]),
    "rg_arrays_copy_float": (None, [POINTER(c_float), c_void_p, c_size_t]),
    "rg_arrays_digest": (None, [c_void_p, (c_char * 65)]),
    "rg_arrays_doubles": (POINTER(c_double), [c_void_p]),
    "rg_arrays_floats": (POINTER(c_float), [c_void_p]),
    "rg_arrays_free": (None, [c_void_p]),
    "rg_arrays_generate": (c_int, [POINTER(c_void_p), POINTER(rg_shapes_options), POINTER(rg_error)]),
    "rg_arrays_items": (rg_items, [c_void_p]),
    "rg_arrays_n_columns": (c_size_t, [c_void_p, c_int]),
    "rg_arrays_n_samples": (c_size_t, [c_void_p]),
    "rg_arrays_n_train": (c_size_t, [c_void_p]),
    "rg_arrays_n_values": (c_size_t, [c_void_p]),
    "rg_arrays_name": (c_char_p, [c_void_p]),
    "rg_arrays_options_init": (None, [POINTER(rg_arrays_options), c_size_t]),
    "rg_arrays_read": (c_int, [POINTER(c_void_p), c_char_p, POINTER(rg_arrays_options), POINTER(rg_error)]),
    "rg_arrays_reals": (POINTER(c_double), [c_void_p]),
    "rg_arrays_shape": (rg_array_shape, [c_void_p]),
    "rg_arrays_write": (c_int, [c_void_p, c_char_p, POINTER(rg_error)]),
    "rg_audit_options_init": (None, [POINTER(rg_audit_options), c_size_t]),
    "rg_audit_run": (c_int, [POINTER(rg_audit), c_void_p, POINTER(rg_audit_options), POINTER(rg_error)]),
    "rg_auto_options_init": (None, [POINTER(rg_auto_options), c_size_t]),
    "rg_bytes_free": (None, [c_void_p]),
    "rg_catalogue_entry_at": (POINTER(rg_catalogue_entry), [c_size_t]),
    "rg_catalogue_find": (POINTER(rg_catalogue_entry), [c_char_p]),
    "rg_catalogue_size": (c_size_t, []),
    "rg_connections_bytes": (c_size_t, [c_void_p]),
    "rg_connections_free": (None, [c_void_p]),
    "rg_connections_graph": (rg_connection_table, [c_void_p, c_size_t]),
    "rg_connections_n_graphs": (c_size_t, [c_void_p]),
    "rg_connections_size": (c_uint64, [c_void_p]),
    "rg_count_matrix_free": (None, [POINTER(rg_count_matrix)]),
    "rg_count_matrix_write": (c_int, [POINTER(rg_count_matrix), POINTER(c_double), c_char_p, POINTER(rg_error)]),
    "rg_cpu_check": (c_int, [c_int, POINTER(rg_error)]),
    "rg_cpu_name": (c_char_p, [c_int]),
    "rg_data_directory": (c_int, [POINTER(c_char_p), POINTER(rg_error)]),
    "rg_data_fetch": (c_int, [POINTER(rg_fetched), c_char_p, POINTER(rg_fetch_options), POINTER(rg_error)]),
    "rg_data_find": (c_int, [POINTER(c_char_p), c_char_p, POINTER(rg_error)]),
    "rg_dataset_bytes": (c_size_t, [c_void_p]),
    "rg_dataset_column_name": (c_char_p, [c_void_p, c_int, c_size_t]),
    "rg_dataset_digest": (None, [c_void_p, (c_char * 65)]),
    "rg_dataset_first_arcs": (POINTER(c_uint64), [c_void_p]),
    "rg_dataset_first_nodes": (POINTER(c_uint64), [c_void_p]),
    "rg_dataset_free": (None, [c_void_p]),
    "rg_dataset_from_arrays": (c_int, [POINTER(c_void_p), POINTER(rg_graph_arrays), POINTER(rg_error)]),
    "rg_dataset_from_lines": (c_int, [POINTER(c_void_p), c_char_p, c_size_t, c_char_p, c_size_t, POINTER(rg_error)]),
    "rg_dataset_from_smiles": (
        c_int,
        [
            POINTER(c_void_p),
            c_char_p,
            c_char_p,
            c_size_t,
            POINTER(rg_read_options),
            POINTER(rg_error),
        ],
    ),
    "rg_dataset_from_texts": (
        c_int,
        [
            POINTER(c_void_p),
            c_char_p,
            c_size_t,
            c_int,
            POINTER(c_char_p),
            c_size_t,
            POINTER(rg_error),
        ],
    ),
    "rg_dataset_generate": (c_int, [POINTER(c_void_p), c_int, POINTER(rg_generate_options), POINTER(rg_error)]),
    "rg_dataset_graph": (rg_graph, [c_void_p, c_size_t]),
    "rg_dataset_graph_name": (c_char_p, [c_void_p, c_size_t]),
    "rg_dataset_has_parts": (c_int, [c_void_p]),
    "rg_dataset_items": (rg_items, [c_void_p]),
    "rg_dataset_join": (c_int, [POINTER(c_void_p), c_char_p, POINTER(c_void_p), c_size_t, POINTER(rg_error)]),
    "rg_dataset_mask": (POINTER(c_uint8), [c_void_p, c_int, c_size_t]),
    "rg_dataset_n_arcs": (c_uint64, [c_void_p]),
    "rg_dataset_n_columns": (c_size_t, [c_void_p, c_int]),
    "rg_dataset_n_graphs": (c_size_t, [c_void_p]),
    "rg_dataset_n_nodes": (c_uint64, [c_void_p]),
    "rg_dataset_name": (c_char_p, [c_void_p]),
    "rg_dataset_neighbours": (POINTER(c_uint32), [c_void_p]),
    "rg_dataset_part_size": (c_size_t, [c_void_p, c_char_p]),
    "rg_dataset_quirks": (POINTER(rg_quirks), [c_void_p]),
    "rg_dataset_ranks": (POINTER(c_uint32), [c_void_p, c_int, c_size_t]),
    "rg_dataset_read": (c_int, [POINTER(c_void_p), c_char_p, POINTER(rg_read_options), POINTER(rg_error)]),
    "rg_dataset_reals": (POINTER(c_double), [c_void_p, c_int]),
    "rg_dataset_scaffold": (c_int, [POINTER(c_char_p), c_void_p, c_size_t, POINTER(rg_error)]),
    "rg_dataset_scaffolds": (c_int, [POINTER(c_uint32), POINTER(c_size_t), c_void_p, POINTER(rg_error)]),
    "rg_dataset_select": (c_int, [POINTER(c_void_p), c_void_p, POINTER(c_uint32), c_size_t, POINTER(rg_error)]),
    "rg_dataset_sequence": (c_int, [c_void_p]),
    "rg_dataset_smiles": (c_int, [POINTER(c_char_p), c_void_p, c_size_t, c_int, POINTER(rg_error)]),
    "rg_dataset_target": (c_int, [POINTER(c_int), c_void_p, c_int, POINTER(rg_error)]),
    "rg_dataset_value_name": (c_char_p, [c_void_p, c_int, c_size_t, c_size_t]),
    "rg_dataset_values": (POINTER(c_int64), [c_void_p, c_int, c_size_t, POINTER(c_size_t)]),
    "rg_dataset_with_places": (c_int, [POINTER(c_void_p), c_void_p, c_char_p, POINTER(rg_error)]),
    "rg_dataset_write": (c_int, [c_void_p, c_char_p, c_char_p, c_int, POINTER(rg_error)]),
    "rg_experiment_axis": (c_char_p, [c_void_p, c_size_t]),
    "rg_experiment_choice": (c_char_p, [c_void_p, c_size_t, c_size_t]),
    "rg_experiment_describe": (POINTER(rg_experiment_info), [c_void_p]),
    "rg_experiment_digest": (None, [c_void_p, (c_char * 65)]),
    "rg_experiment_free": (None, [c_void_p]),
    "rg_experiment_parse": (
        c_int,
        [
            POINTER(c_void_p),
            c_char_p,
            c_char_p,
            c_size_t,
            POINTER(c_char_p),
            c_size_t,
            POINTER(rg_error),
        ],
    ),
    "rg_experiment_read": (c_int, [POINTER(c_void_p), c_char_p, POINTER(c_char_p), c_size_t, POINTER(rg_error)]),
    "rg_experiment_recipe": (c_char_p, [c_void_p, c_size_t]),
    "rg_experiment_splits": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(c_char_p),
            c_void_p,
            POINTER(rg_items),
            POINTER(rg_error),
        ],
    ),
    "rg_experiment_text": (c_char_p, [c_void_p]),
    "rg_fetch_options_init": (None, [POINTER(rg_fetch_options), c_size_t]),
    "rg_format_find": (c_int, [c_char_p]),
    "rg_format_name": (c_char_p, [c_int]),
    "rg_generate_options_check": (c_int, [POINTER(rg_generate_options), c_int, POINTER(rg_error)]),
    "rg_generate_options_init": (None, [POINTER(rg_generate_options), c_size_t]),
    "rg_generator_find": (c_int, [c_char_p]),
    "rg_generator_name": (c_char_p, [c_int]),
    "rg_graph_arrays_init": (None, [POINTER(rg_graph_arrays), c_size_t]),
    "rg_keep_name": (c_char_p, [c_int]),
    "rg_label_cache_directory": (c_int, [POINTER(c_char_p), POINTER(rg_error)]),
    "rg_label_options_init": (None, [POINTER(rg_label_options), c_size_t]),
    "rg_labeling_apply": (
        c_int,
        [
            POINTER(c_void_p),
            c_void_p,
            c_void_p,
            POINTER(rg_label_options),
            POINTER(rg_error),
        ],
    ),
    "rg_labeling_budget": (c_uint64, [c_void_p]),
    "rg_labeling_check": (c_int, [POINTER(c_char_p), c_char_p, POINTER(rg_error)]),
    "rg_labeling_count": (c_uint64, [c_void_p, c_uint32]),
    "rg_labeling_decode": (c_int, [POINTER(c_void_p), c_void_p, c_size_t, POINTER(rg_error)]),
    "rg_labeling_describe": (c_int, [c_char_p, c_size_t, c_void_p, c_uint32, POINTER(rg_error)]),
    "rg_labeling_encode": (c_int, [POINTER(c_void_p), POINTER(c_size_t), c_void_p, POINTER(rg_error)]),
    "rg_labeling_fit": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(c_void_p),
            c_char_p,
            c_void_p,
            POINTER(c_uint32),
            c_size_t,
            POINTER(rg_label_options),
            POINTER(rg_error),
        ],
    ),
    "rg_labeling_free": (None, [c_void_p]),
    "rg_labeling_seen": (c_uint32, [c_void_p]),
    "rg_labeling_size": (c_uint32, [c_void_p]),
    "rg_labeling_spec": (c_char_p, [c_void_p]),
    "rg_labeling_unseen": (c_uint32, [c_void_p]),
    "rg_labeling_warning": (c_int, [c_char_p, c_size_t, c_void_p]),
    "rg_labels_data": (POINTER(c_uint32), [c_void_p]),
    "rg_labels_free": (None, [c_void_p]),
    "rg_labels_n_capped": (c_size_t, [c_void_p]),
    "rg_labels_n_nodes": (c_uint64, [c_void_p]),
    "rg_labels_n_unseen": (c_uint64, [c_void_p]),
    "rg_metric_answers": (
        c_int,
        [
            POINTER(c_double),
            POINTER(c_double),
            c_int,
            POINTER(c_double),
            POINTER(c_double),
            c_size_t,
            c_size_t,
            POINTER(rg_error),
        ],
    ),
    "rg_metric_classes": (
        c_int,
        [
            POINTER(c_double),
            c_int,
            POINTER(c_double),
            POINTER(c_uint32),
            c_size_t,
            c_size_t,
            POINTER(rg_error),
        ],
    ),
    "rg_metric_find": (c_int, [POINTER(c_int), c_char_p, POINTER(rg_error)]),
    "rg_metric_is_low": (c_int, [c_int]),
    "rg_metric_is_of_values": (c_int, [c_int]),
    "rg_metric_is_share": (c_int, [c_int]),
    "rg_metric_name": (c_char_p, [c_int]),
    "rg_metric_title": (c_char_p, [c_int]),
    "rg_metric_values": (
        c_int,
        [
            POINTER(c_double),
            POINTER(c_double),
            c_int,
            POINTER(c_double),
            POINTER(c_double),
            c_size_t,
            c_size_t,
            POINTER(rg_error),
        ],
    ),
    "rg_model_class": (c_int64, [c_void_p, c_uint32]),
    "rg_model_combine": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(c_void_p),
            c_size_t,
            c_uint32,
            POINTER(c_double),
            POINTER(rg_error),
        ],
    ),
    "rg_model_describe": (c_int, [POINTER(rg_model_info), c_void_p, POINTER(rg_error)]),
    "rg_model_embedding_size": (c_int, [POINTER(c_size_t), c_void_p, POINTER(rg_error)]),
    "rg_model_evaluate": (
        c_int,
        [
            POINTER(rg_evaluation),
            c_void_p,
            POINTER(rg_source),
            POINTER(rg_predict_options),
            POINTER(rg_error),
        ],
    ),
    "rg_model_free": (None, [c_void_p]),
    "rg_model_load": (c_int, [POINTER(c_void_p), c_char_p, POINTER(rg_error)]),
    "rg_model_n_rules": (c_size_t, [c_void_p]),
    "rg_model_output_name": (c_char_p, [c_void_p, c_uint32]),
    "rg_model_predict": (
        c_int,
        [
            c_void_p,
            POINTER(rg_source),
            POINTER(rg_predict_options),
            CFUNCTYPE(c_int, c_void_p, POINTER(rg_prediction), POINTER(rg_error)),
            c_void_p,
            POINTER(rg_predict_report),
            POINTER(rg_error),
        ],
    ),
    "rg_model_predict_arrays": (
        c_int,
        [
            POINTER(rg_prediction_arrays),
            c_void_p,
            POINTER(rg_source),
            POINTER(rg_predict_options),
            POINTER(rg_predict_report),
            POINTER(rg_error),
        ],
    ),
    "rg_model_prune": (c_int, [c_void_p, c_double, POINTER(c_uint64), POINTER(rg_error)]),
    "rg_model_prune_curve": (
        c_int,
        [
            POINTER(rg_prune_point),
            POINTER(c_double),
            c_size_t,
            c_void_p,
            POINTER(rg_source),
            POINTER(rg_predict_options),
            POINTER(rg_error),
        ],
    ),
    "rg_model_rule_left": (c_int, [POINTER(rg_rule_left), c_void_p, c_size_t, POINTER(rg_error)]),
    "rg_model_save": (c_int, [c_void_p, c_char_p, POINTER(rg_error)]),
    "rg_model_select": (c_int, [POINTER(c_void_p), c_size_t, POINTER(rg_error)]),
    "rg_model_set_table": (c_int, [c_void_p, c_char_p, c_void_p, POINTER(rg_source), POINTER(rg_error)]),
    "rg_model_train": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(rg_train_report),
            c_void_p,
            POINTER(rg_source),
            POINTER(rg_fold),
            POINTER(rg_train_options),
            POINTER(rg_error),
        ],
    ),
    "rg_model_value_names": (POINTER(rg_value_name), [c_void_p, POINTER(c_size_t)]),
    "rg_model_warning": (c_int, [c_char_p, c_size_t, c_void_p, c_size_t]),
    "rg_network_auto": (
        c_int,
        [
            POINTER(c_char_p),
            POINTER(c_char_p),
            POINTER(rg_source),
            POINTER(rg_fold),
            c_size_t,
            POINTER(rg_auto_options),
            POINTER(rg_error),
        ],
    ),
    "rg_pair_table_describe": (rg_pair_info, [c_void_p]),
    "rg_pair_table_free": (None, [c_void_p]),
    "rg_pair_table_new": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(rg_pair_entry),
            c_size_t,
            c_int,
            c_size_t,
            c_uint32,
            c_uint32,
            POINTER(rg_error),
        ],
    ),
    "rg_pair_table_of_graphs": (
        c_int,
        [
            POINTER(c_void_p),
            c_void_p,
            c_int,
            CFUNCTYPE(c_int, c_void_p, c_size_t, c_uint32, c_uint32, POINTER(c_int64), POINTER(rg_error)),
            c_void_p,
            POINTER(rg_error),
        ],
    ),
    "rg_pair_table_of_shape": (
        c_int,
        [
            POINTER(c_void_p),
            c_size_t,
            c_uint32,
            c_uint32,
            c_int,
            CFUNCTYPE(c_int, c_void_p, c_size_t, c_uint32, c_uint32, POINTER(c_int64), POINTER(rg_error)),
            c_void_p,
            POINTER(rg_error),
        ],
    ),
    "rg_pair_table_read": (c_int, [POINTER(c_void_p), c_char_p, POINTER(rg_error)]),
    "rg_pair_table_value": (c_int64, [c_void_p, c_size_t, c_uint32, c_uint32]),
    "rg_predict_options_init": (None, [POINTER(rg_predict_options), c_size_t]),
    "rg_property_check": (c_int, [POINTER(rg_property), c_void_p, POINTER(rg_error)]),
    "rg_property_default": (rg_property, [c_int]),
    "rg_property_describe": (POINTER(rg_property_info), [c_int]),
    "rg_property_find": (c_int, [c_char_p]),
    "rg_property_list": (rg_property_row, [c_void_p, c_uint32, c_int64, c_int64]),
    "rg_property_range": (rg_property_bounds, [c_void_p]),
    "rg_property_space_free": (None, [c_void_p]),
    "rg_property_space_graph": (c_int, [c_void_p, c_size_t, POINTER(rg_error)]),
    "rg_property_space_new": (c_int, [POINTER(c_void_p), POINTER(rg_property), c_void_p, POINTER(rg_error)]),
    "rg_property_value": (c_int64, [c_void_p, c_uint32, c_uint32]),
    "rg_protocol_name": (c_char_p, [c_int]),
    "rg_read_options_check": (c_int, [POINTER(rg_read_options), POINTER(rg_error)]),
    "rg_read_options_init": (None, [POINTER(rg_read_options), c_size_t]),
    "rg_recipe_epochs": (c_uint32, [c_void_p]),
    "rg_recipe_free": (None, [c_void_p]),
    "rg_recipe_metric": (c_int, [c_void_p]),
    "rg_recipe_parse": (c_int, [POINTER(c_void_p), c_char_p, c_char_p, c_size_t, POINTER(rg_error)]),
    "rg_recipe_read": (c_int, [POINTER(c_void_p), c_char_p, POINTER(rg_error)]),
    "rg_recipe_text": (c_char_p, [c_void_p]),
    "rg_rule_apply": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(rg_rule_report),
            c_void_p,
            c_void_p,
            POINTER(rg_rule_input),
            POINTER(rg_rule_options),
            POINTER(rg_error),
        ],
    ),
    "rg_rule_by_sample": (c_int, [c_void_p, POINTER(rg_rule_input)]),
    "rg_rule_compile": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(c_void_p),
            POINTER(rg_rule_report),
            c_void_p,
            POINTER(rg_rule_input),
            POINTER(rg_rule_options),
            POINTER(rg_error),
        ],
    ),
    "rg_rule_describe": (POINTER(rg_rule_info), [c_void_p]),
    "rg_rule_features_count": (c_int, [POINTER(POINTER(rg_count_matrix)), c_void_p, c_void_p, POINTER(rg_error)]),
    "rg_rule_features_fit": (
        c_int,
        [
            POINTER(c_void_p),
            c_void_p,
            POINTER(rg_rule_features_options),
            POINTER(rg_error),
        ],
    ),
    "rg_rule_features_free": (None, [c_void_p]),
    "rg_rule_features_key": (POINTER(c_int64), [c_void_p, c_size_t]),
    "rg_rule_features_name": (c_int, [POINTER(c_char_p), c_void_p, c_size_t, POINTER(rg_error)]),
    "rg_rule_features_options_init": (None, [POINTER(rg_rule_features_options), c_size_t]),
    "rg_rule_features_rule": (c_size_t, [c_void_p, c_size_t]),
    "rg_rule_features_size": (c_size_t, [c_void_p]),
    "rg_rule_features_width": (c_size_t, [c_void_p, c_size_t]),
    "rg_rule_free": (None, [c_void_p]),
    "rg_rule_key_text": (c_char_p, [c_void_p, c_size_t]),
    "rg_rule_keys_data": (POINTER(c_int64), [c_void_p]),
    "rg_rule_keys_edges": (POINTER(c_double), [c_void_p, POINTER(c_size_t)]),
    "rg_rule_keys_free": (None, [c_void_p]),
    "rg_rule_keys_new": (c_int, [POINTER(c_void_p), POINTER(c_int64), c_size_t, c_size_t, POINTER(rg_error)]),
    "rg_rule_keys_set_edges": (c_int, [c_void_p, POINTER(c_double), c_size_t, POINTER(rg_error)]),
    "rg_rule_keys_size": (c_size_t, [c_void_p]),
    "rg_rule_keys_width": (c_size_t, [c_void_p]),
    "rg_rule_options_init": (None, [POINTER(rg_rule_options), c_size_t]),
    "rg_rule_parse": (
        c_int,
        [
            POINTER(c_void_p),
            c_char_p,
            c_int,
            POINTER(rg_rule_labeling),
            c_size_t,
            POINTER(rg_rule_place),
            POINTER(rg_error),
        ],
    ),
    "rg_rule_point": (None, [c_char_p, c_size_t, c_char_p, POINTER(rg_rule_place)]),
    "rg_rule_text": (c_char_p, [c_void_p]),
    "rg_shapes_options_check": (c_int, [POINTER(rg_shapes_options), POINTER(rg_error)]),
    "rg_shapes_options_init": (None, [POINTER(rg_shapes_options), c_size_t]),
    "rg_split_options_check": (c_int, [POINTER(rg_split_options), POINTER(rg_error)]),
    "rg_split_options_init": (None, [POINTER(rg_split_options), c_size_t]),
    "rg_splits_check": (c_int, [POINTER(rg_split_report), c_void_p, c_void_p, c_char_p, POINTER(rg_error)]),
    "rg_splits_check_for": (
        c_int,
        [
            POINTER(rg_split_report),
            c_void_p,
            POINTER(rg_items),
            c_char_p,
            POINTER(rg_error),
        ],
    ),
    "rg_splits_digest": (None, [c_void_p, (c_char * 65)]),
    "rg_splits_find": (c_int, [POINTER(c_char_p), c_char_p, c_char_p, POINTER(rg_error)]),
    "rg_splits_fold": (rg_fold, [c_void_p, c_size_t]),
    "rg_splits_free": (None, [c_void_p]),
    "rg_splits_from_masks": (c_int, [POINTER(c_void_p), c_void_p, POINTER(rg_error)]),
    "rg_splits_make": (c_int, [POINTER(c_void_p), c_void_p, POINTER(rg_split_options), POINTER(rg_error)]),
    "rg_splits_make_for": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(rg_items),
            POINTER(rg_split_options),
            POINTER(rg_error),
        ],
    ),
    "rg_splits_make_groups": (
        c_int,
        [
            POINTER(c_void_p),
            POINTER(rg_items),
            POINTER(c_uint32),
            c_size_t,
            POINTER(rg_split_options),
            POINTER(rg_error),
        ],
    ),
    "rg_splits_n_folds": (c_size_t, [c_void_p]),
    "rg_splits_read": (c_int, [POINTER(c_void_p), c_char_p, POINTER(rg_error)]),
    "rg_splits_write": (c_int, [c_void_p, c_char_p, POINTER(rg_error)]),
    "rg_status_text": (c_char_p, [c_int]),
    "rg_switches_generate": (c_int, [POINTER(c_void_p), POINTER(rg_switches_options), POINTER(rg_error)]),
    "rg_switches_options_check": (c_int, [POINTER(rg_switches_options), POINTER(rg_error)]),
    "rg_switches_options_init": (None, [POINTER(rg_switches_options), c_size_t]),
    "rg_text_free": (None, [c_char_p]),
    "rg_token_value": (c_int64, [c_char_p, c_size_t]),
    "rg_train_options_init": (None, [POINTER(rg_train_options), c_size_t]),
    "rg_version": (c_char_p, []),
}
