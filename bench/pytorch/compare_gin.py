"""compare_gin.py - what compare_gin.sh runs once all is there.

usage: compare_gin.py PROGRAM DATA SPLIT EPOCHS

Both programs train on the training part of the first fold and say how long their fastest epoch took, by
the clock on the wall and by that of the processor. The ratio is one of processor times, which other
programs on the machine disturb less; alone on it both are the same. The BLAS below PyTorch takes its
number of threads from the environment, whatever PyTorch is told.
"""
import json
import os
import pathlib
import subprocess
import sys

LIMIT = 3.0  # times faster than the plain program, with batches of any size
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
BATCHES = (32, 128)
# what it is, and options of gin.py; the first is the measure
PYTORCH = [
    ("plain", []),
    ("same, compressed rows", ["--csr"]),
    ("same, batches made before", ["--before"]),
]


def measured(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, **ONE_THREAD})
    if result.returncode:
        sys.exit(f"compare_gin.py: {' '.join(command)}: {result.stderr}")
    return json.loads(result.stdout)


def line(name, batch, found, ratio=None):
    text = "" if ratio is None else f" {ratio:9.2f}"
    print(f"{name:38s} {batch:6d} {found['seconds_per_epoch']:10.3f} "
          f"{found['processor_seconds']:10.3f}{text}", flush=True)


def main():
    program, data, split, epochs = sys.argv[1:]
    script = pathlib.Path(__file__).with_name("gin.py")
    print(" " * 38 + " {:>6s} {:>10s} {:>10s} {:>9s}".format("batch", "s/epoch", "processor", "times"))
    good = True
    for batch in BATCHES:
        model = f"{{model: gin, layers: 4, width: 64, training: {{batch: {batch}}}}}"
        ours = measured([program, data, split, model, epochs])
        line("regula", batch, ours)
        for k, (name, options) in enumerate(PYTORCH):
            theirs = measured([sys.executable, str(script), data, "--split", split, "--batch",
                               str(batch), "--epochs", epochs, *options])
            ratio = theirs["processor_seconds"] / ours["processor_seconds"]
            line(f"PyTorch, {name}", batch, theirs, ratio)
            if k == 0:
                holds = ratio >= LIMIT
                good = good and holds
                verdict = f"{'ok' if holds else 'FAILED':8s}times faster than PyTorch, batch {batch}: "
                verdict += f"{ratio:.2f}, limit {LIMIT:g}"
                print(verdict, flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
