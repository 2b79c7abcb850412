"""compare.py - what compare.sh runs once all is there.

usage: compare.py PROGRAM DATA SPLIT NETWORK EPOCHS

What counts is processor time, user and system together, of an epoch (training and validation) and a model,
one thread each. PyTorch's is what its process used between the ends of epochs. Of regula two runs are
made that differ in their number of epochs alone, and their difference is divided by it. The fastest
PyTorch program is printed first and is the measure: it is what one would use instead.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

LIMITS = {1: 6, 4: 9}  # lanes: how many times less processor time a model has to take
MEMORY_MB = 100
FIRST_EPOCH_SECONDS = 1.0
FEW, MANY = 1, 101  # epochs of regula
TIMES = 2  # measurements of each: the least counts
LAZY = ", optimiser: lazy-adam"
# The program that was the fastest before weights that never occur were left out, in both programs.
SPARSE, SPARSE_LIMIT = "a batch as one sparse product", 35
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

# glibc gives large blocks back to the system at once, and PyTorch asks for one of the size of all
# weights a batch or a graph: without this it spends much of its time in page faults.
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": "1073741824", "MALLOC_TRIM_THRESHOLD_": "4294967296"}

# what it is, options of rulegnn.py, environment, how many times EPOCHS
PYTORCH = [
    ("a batch at once, occurring weights", ["--way", "batch", "--occurring"], KEEP_MEMORY, 5),
    ("a sparse product, occurring weights", ["--way", "sparse", "--occurring"], KEEP_MEMORY, 5),
    ("a batch at once", ["--way", "batch"], KEEP_MEMORY, 5),
    ("a batch as one sparse product", ["--way", "sparse"], KEEP_MEMORY, 5),
    ("same, malloc as it comes", ["--way", "sparse"], {}, 5),
    ("a matrix per graph", [], KEEP_MEMORY, 1),
    ("same, malloc as it comes", [], {}, 1),
    ("a matrix per graph, double", ["--double"], KEEP_MEMORY, 1),
    ("same, as published", ["--double"], {}, 1),
]


def measured(command, settings):
    """The object that the command prints last, and its time and memory as the system saw them."""
    environment = {**{k: v for k, v in os.environ.items() if k not in KEEP_MEMORY},
                   **ONE_THREAD, **settings}
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"compare.py: {' '.join(command)}: exit status {process.returncode}")
    found = json.loads(text[text.index("{"):])
    found["wall_seconds"] = time.perf_counter() - started
    found["whole_cpu_seconds"] = usage.ru_utime + usage.ru_stime
    found["peak_rss_mb"] = usage.ru_maxrss * 1024 / 1e6
    return found


def train(program, data, split, network, lanes, epochs, settings=""):
    with tempfile.TemporaryDirectory() as box:
        file = pathlib.Path(box, "network.yml")
        text = pathlib.Path(network).read_text(encoding="utf-8")
        file.write_text(f"{text}\ntraining: {{epochs: {epochs}, patience: none{settings}}}\n", encoding="utf-8")
        return measured([program, "train", data, "--network", str(file), "--split", split, "--fold",
                         "0", "--seed", "1", "--lanes", str(lanes), "--threads", "1", "--model",
                         os.path.join(box, "model"), "--json"], {})


def train_twice(program, data, split, network, lanes, settings=""):
    """The longer run, with the processor time of one of its epochs: the least of TIMES pairs, because what else
    the machine does only ever adds to it."""
    best = None
    for _ in range(TIMES):
        few, many = (train(program, data, split, network, lanes, n, settings) for n in (FEW, MANY))
        used = (many["whole_cpu_seconds"] - few["whole_cpu_seconds"]) / (MANY - FEW)
        if best is None or used < best["cpu_seconds_per_epoch"]:
            best = {**many, "cpu_seconds_per_epoch": used}
    return best


def lower_bound(program, data, split, network):
    """Seconds that no exact epoch of four lanes can do without: bench_train's, a model; None: it is not built."""
    bench = pathlib.Path(program).with_name("bench") / "bench_train"
    if not bench.exists():
        return None
    found = subprocess.run([bench, data, network, split], capture_output=True, text=True, check=False).stdout
    rows = [line.split() for line in found.splitlines() if line.split()[:1] == ["4"]]
    return float(rows[0][3]) / 1000 / 4 if rows else None


def before_first_epoch(found):
    """Seconds until the first epoch, as the program says it, or else all that no epoch took."""
    if "build_seconds" in found:
        return found["build_seconds"]
    epochs = found.get("epochs", 0)
    n = len(epochs) if isinstance(epochs, list) else epochs
    return found["wall_seconds"] - n * found["seconds_per_epoch"]


def accuracy(found):
    value = found["test_accuracy"]
    value = sum(value) / len(value) if isinstance(value, list) else value
    return value if value > 1 else 100 * value


def line(name, found, lanes, ratios=()):
    print(f"{name:45s} {found['cpu_seconds_per_epoch'] / lanes:9.4f} "
          f"{found['seconds_per_epoch'] / lanes:9.4f} {found['peak_rss_mb']:7.0f} "
          f"{before_first_epoch(found):8.2f} {accuracy(found):7.1f}"
          + "".join(f" {ratio:8.1f}" for ratio in ratios), flush=True)


def limit(name, value, bound, holds):
    print(f"{'ok' if holds else 'FAILED':8s}{name}: {value:.4g}, limit {bound:g}")
    return holds


def main():
    program, data, split, network, epochs = sys.argv[1:]
    script = pathlib.Path(__file__).with_name("rulegnn.py")
    ours = {lanes: train_twice(program, data, split, network, lanes) for lanes in LIMITS}
    models = {lanes: found["cpu_seconds_per_epoch"] / lanes for lanes, found in ours.items()}
    lazy = train_twice(program, data, split, network, 4, LAZY)
    theirs = []
    for name, options, settings, times in PYTORCH:
        found = measured([sys.executable, str(script), data, "--split", split, "--fold", "0",
                          "--epochs", str(times * int(epochs)), "--json", *options], settings)
        theirs.append((name, found))
    for words in (("CPU s", "wall s", "memory", "first", "test", "times", "less CPU"),
                  ("an epoch", "an epoch", "MB", "epoch s", "%", "1 lane", "4 lanes")):
        print(" " * 45 + " {:>9s} {:>9s} {:>7s} {:>8s} {:>7s} {:>8s} {:>8s}".format(*words))
    for lanes, found in ours.items():
        line(f"regula, lanes: {lanes} (a model)", found, lanes)
    line("regula, lanes: 4, lazy-adam (a model)", lazy, 4)
    bound = lower_bound(program, data, split, network)
    if bound:
        print(f"{'lower bound, lanes: 4 (a model)':45s} {bound:9.4f}")
    # Lines that say "same" stay below the one that they refer to.
    groups = []
    for name, found in theirs:
        if name.startswith("same"):
            groups[-1].append((name, found))
        else:
            groups.append([(name, found)])
    groups.sort(key=lambda group: group[0][1]["cpu_seconds_per_epoch"])
    for name, found in (entry for group in groups for entry in group):
        used = found["cpu_seconds_per_epoch"]
        line(f"PyTorch, {name}", found, 1, [used / model for model in models.values()])
    measure = groups[0][0][1]["cpu_seconds_per_epoch"]
    good = [limit(f"times less processor time than the fastest PyTorch, lanes: {lanes}",
                  measure / models[lanes], bound, measure / models[lanes] >= bound)
            for lanes, bound in LIMITS.items()]
    sparse = next(found for name, found in theirs if name == SPARSE)["cpu_seconds_per_epoch"]
    good.append(limit(f"times less processor time than {SPARSE}, 4 lanes", sparse / models[4], SPARSE_LIMIT,
                      sparse / models[4] >= SPARSE_LIMIT))
    print(f"        the same with lazy-adam: {sparse / (lazy['cpu_seconds_per_epoch'] / 4):.4g}")
    good.append(limit("memory in MB, lanes: 1", ours[1]["peak_rss_mb"], MEMORY_MB,
                      ours[1]["peak_rss_mb"] < MEMORY_MB))
    good.append(limit("seconds to the first epoch", before_first_epoch(ours[1]),
                      FIRST_EPOCH_SECONDS, before_first_epoch(ours[1]) < FIRST_EPOCH_SECONDS))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
