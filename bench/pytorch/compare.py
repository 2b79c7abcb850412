"""compare.py - what compare.sh runs once all is there.

usage: compare.py PROGRAM DATA SPLIT NETWORK EPOCHS

Both programs say how long an epoch took (seconds_per_epoch: training and validation); memory,
processor time and the whole time are taken here, from outside, for both alike.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

LIMITS = {1: 250, 4: 1000}  # lanes: how many times faster a model has to be
MEMORY_MB = 100
FIRST_EPOCH_SECONDS = 1.0

# glibc gives large blocks back to the system at once, and PyTorch asks for one of the size of all
# weights a graph: without this it spends most of its time in page faults.
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": "1073741824", "MALLOC_TRIM_THRESHOLD_": "4294967296"}

# what it is, options of rulegnn.py, environment; the first, the program as anyone would run it, is
# the measure, and all ratios are printed
PYTORCH = [
    ("a matrix a graph", [], {}),
    ("same, memory kept", [], KEEP_MEMORY),
    ("same, double as published", ["--double"], {}),
    ("same, double, memory kept", ["--double"], KEEP_MEMORY),
    ("a batch at once", ["--way", "batch"], KEEP_MEMORY),
]


def measured(command, settings):
    """The object that the command prints last, and its time and memory as the system saw them."""
    environment = {**{k: v for k, v in os.environ.items() if k not in KEEP_MEMORY}, **settings}
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"compare.py: {' '.join(command)}: exit status {process.returncode}")
    found = json.loads(text[text.index("{"):])
    found["wall_seconds"] = time.perf_counter() - started
    found["peak_rss_mb"] = usage.ru_maxrss * 1024 / 1e6
    return found


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
    print(f"{name:34s} {found['seconds_per_epoch'] / lanes:10.4f} {found['peak_rss_mb']:8.0f} "
          f"{before_first_epoch(found):8.2f} {accuracy(found):8.1f}"
          + "".join(f" {ratio:9.0f}" for ratio in ratios), flush=True)


def limit(name, value, bound, holds):
    print(f"{'ok' if holds else 'FAILED':8s}{name}: {value:.4g}, limit {bound:g}")
    return holds


def main():
    program, data, split, network, epochs = sys.argv[1:]
    script = pathlib.Path(__file__).with_name("rulegnn.py")
    for words in (("s/epoch", "memory", "first", "test", "times", "faster"),
                  ("a model", "MB", "epoch s", "%", "1 lane", "4 lanes")):
        print(" " * 34 + " {:>10s} {:>8s} {:>8s} {:>8s} {:>9s} {:>9s}".format(*words))
    ours, theirs = {}, []
    for lanes in LIMITS:
        with tempfile.TemporaryDirectory() as box:
            ours[lanes] = measured([program, "train", data, "--network", network, "--split", split,
                                    "--fold", "0", "--seed", "1", "--lanes", str(lanes), "--model",
                                    os.path.join(box, "model"), "--json"], {})
        line(f"regula, lanes: {lanes}", ours[lanes], lanes)
    models = {lanes: found["seconds_per_epoch"] / lanes for lanes, found in ours.items()}
    for name, options, settings in PYTORCH:
        theirs.append(measured([sys.executable, str(script), data, "--split", split, "--fold", "0",
                                "--epochs", epochs, "--json", *options], settings))
        seconds = theirs[-1]["seconds_per_epoch"]
        line(f"PyTorch, {name}", theirs[-1], 1, [seconds / model for model in models.values()])
    measure = theirs[0]["seconds_per_epoch"]
    good = [limit(f"times faster than PyTorch, lanes: {lanes}", measure / models[lanes], bound,
                  measure / models[lanes] >= bound) for lanes, bound in LIMITS.items()]
    good.append(limit("memory in MB, lanes: 1", ours[1]["peak_rss_mb"], MEMORY_MB,
                      ours[1]["peak_rss_mb"] < MEMORY_MB))
    good.append(limit("seconds to the first epoch", before_first_epoch(ours[1]),
                      FIRST_EPOCH_SECONDS, before_first_epoch(ours[1]) < FIRST_EPOCH_SECONDS))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
