#!/bin/sh
# One line a data set: name, graphs, classes, repeated edges, copies, copies of another class.
# Usage: examples/many.sh DATA...     for example: examples/many.sh "$REGULA_DATA"/*.zip
set -eu
printf '%-24s %8s %8s %10s %8s %8s\n' name graphs classes repeated copies doubtful
for data in "$@"; do
    regula data info "$data" --json --quiet |
        # The keys stand at the start of a line each, so that no JSON tool is needed.
        awk '/^  "name":/ { name = $0; sub(/^  "name": "/, "", name); sub(/",$/, "", name) }
             /^  "graphs":/ { graphs = $2 }
             /^  "classes":/ { classes = $2 }
             /^  "duplicate_edges":/ { repeated = $2 }
             /^  "isomorphic_copies":/ { copies = $2 }
             /^  "copies_other_class":/ { doubtful = $2 }
             END { printf "%-24s %8d %8d %10d %8d %8d\n", name, graphs, classes, repeated, copies, doubtful }'
done
