#!/bin/sh
# Labels of nodes: definitions, what they mean, and a vocabulary for graphs never seen.
# Usage: examples/labels.sh [DIRECTORY]     (with regula in the PATH; needs no network)
set -eu
directory=${1:-labels-example}
mkdir -p "$directory"
cd "$directory"

# 1. A set: circular skip links, ten classes that Weisfeiler-Leman cannot tell apart.
regula data generate CSL --out csl --seed 1

# 2. Two rounds of Weisfeiler-Leman: all nodes have four neighbours, so all share one label.
regula label csl --labels 'wl(depth=2, from=degree)' --describe

# 3. Cycles through a node tell the classes apart. One line a graph goes to the file.
regula label csl --labels 'cycles(kind=simple, max=8)' --out cycles.labels
regula label csl --labels 'cycles(kind=simple, max=8)' --describe

# 4. Labels are numbered by the graphs they are fitted on. Take the training part of a split,
#    keep the vocabulary, and use it on the whole set.
regula data split csl --folds 5 --seed 1 --out splits.json
regula label csl --labels 'cycles(kind=simple, max=8)' --fit-on splits.json --fold 0 \
    --save train.vocabulary --out fitted.labels
regula label csl --vocabulary train.vocabulary --out applied.labels
cmp fitted.labels applied.labels
echo "graphs that the vocabulary never saw get the same labels"

# 5. Do labels depend on the order of nodes or graphs? Bit by bit: no.
regula selftest --equivariance csl
