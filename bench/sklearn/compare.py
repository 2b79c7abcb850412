"""compare.py - what compare.sh runs once all is there.

usage: compare.py PROGRAM DATA SPLIT FOLDS

Both programs do the whole job on one thread, reading the data included; time and memory are taken
here, from outside, for both alike. The ratio that counts is that of processor time, which says the
same on a machine where others work too. Accuracies of both must agree cell by cell.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

LIMIT = 10  # times faster
MEAN, WORST = 0.05, 0.5  # points of accuracy that cells may differ by, on average and at most

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
POWERS = [-11, -9, -7, -5, -3, -1, 0, 1, 3, 5, 7, 9, 11]
ITERATIONS = 10


def measured(command):
    """What the command prints, and its time and memory as the system saw them."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **ONE_THREAD}) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"compare.py: {' '.join(command)}: exit status {process.returncode}")
    return text, {"wall": time.perf_counter() - started,
                  "cpu": usage.ru_utime + usage.ru_stime,
                  "memory": usage.ru_maxrss * 1024 / 1e6}


def experiment(data, split):
    return json.dumps({
        "data": os.path.abspath(data), "splits": os.path.abspath(split), "protocol": "global",
        "runs": 1, "keep": "none",
        "model": {"kind": "wl", "iterations": list(range(1, ITERATIONS + 1)),
                  "c": [2.0 ** power for power in POWERS]}})


def our_cells(directory):
    """(iterations, power): means over the folds of validation and test accuracy."""
    import sqlite3
    store = sqlite3.connect(os.path.join(directory, "store.sqlite"))
    cells = {}
    for number, validation, test in store.execute(
            "select configuration, 100 * avg(validation_score), 100 * avg(test_score) from run "
            "group by configuration"):
        place = number // len(POWERS) + 1, POWERS[number % len(POWERS)]
        cells[place] = validation, test
    return cells


def line(name, found, cell, ratio=""):
    (iterations, power), (validation, test) = cell
    print(f"{name:20s} {found['cpu']:9.1f} {found['wall']:9.1f} {found['memory']:8.0f}   "
          f"{iterations:2d}, 2^{power:<3d} {validation:9.2f} {test:9.2f} {ratio}", flush=True)


def limit(name, value, bound, holds):
    print(f"{'ok' if holds else 'FAILED':8s}{name}: {value:.4g}, limit {bound:g}")
    return holds


def best(cells):
    return max(cells.items(), key=lambda cell: cell[1][0])


def main():
    program, data, split, folds = sys.argv[1:]
    script = pathlib.Path(__file__).with_name("wlsvm.py")
    print(f"{'':20s} {'CPU s':>9s} {'wall s':>9s} {'MB':>8s}   chosen  {'valid. %':>9s} "
          f"{'test %':>9s}")
    with tempfile.TemporaryDirectory() as box:
        path = os.path.join(box, "wl.yml")
        pathlib.Path(path).write_text(experiment(data, split))
        _, ours = measured([program, "run", path, "--jobs", "1", "--quiet", "--out",
                            os.path.join(box, "run")])
        cells = our_cells(os.path.join(box, "run"))
    line("regula", ours, best(cells))
    some = ["--folds", folds] if int(folds) else []
    text, theirs = measured([sys.executable, str(script), data, split, "--json", *some])
    found = json.loads(text)
    others = {(c["iterations"], c["power"]): (c["validation"], c["test"]) for c in found["cells"]}
    if some:
        whole = len(json.load(open(split)))
        for kind in ("cpu", "wall"):  # all but the kernels takes as long for every fold
            kernels = found["kernel_seconds"] * theirs[kind] / theirs["wall"]
            theirs[kind] = kernels + (theirs[kind] - kernels) * whole / int(folds)
        print(f"scikit-learn did {folds} of {whole} folds: its times are computed from that")
    line("scikit-learn", theirs, best(others),
         f"{theirs['cpu'] / ours['cpu']:.1f} times the CPU, {theirs['wall'] / ours['wall']:.1f} "
         "times the wall time")
    good = [limit("times faster than scikit-learn", theirs["cpu"] / ours["cpu"], LIMIT,
                  theirs["cpu"] / ours["cpu"] >= LIMIT)]
    if not some:
        gaps = [abs(a - b) for cell in cells for a, b in zip(cells[cell], others[cell])]
        good.append(limit("accuracies, mean difference", sum(gaps) / len(gaps), MEAN,
                          sum(gaps) / len(gaps) <= MEAN))
        good.append(limit("accuracies, largest difference", max(gaps), WORST, max(gaps) <= WORST))
        good.append(limit("settings chosen differently", int(best(cells)[0] != best(others)[0]), 0,
                          best(cells)[0] == best(others)[0]))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
