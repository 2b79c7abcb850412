#!/bin/sh
# Rules over values: the signs of five values decide what the others mean.
# Usage: examples/values.sh     (with regula in the PATH; needs no network)
set -eu
here=$(dirname "$0")/values
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

# 1. 4000 vectors of 13 values, and ten parts of them, one for the test.
regula data generate Switches --out "$box/switches"
regula data split "$box/switches" --folds 10 --out "$box/split.json"

# 2. Which weights sample 0 has.
regula rule show "$box/switches" --graph 0 --rule 'share i, j, value(1) > 0 when j > 5' --output 1x2

# 3. A rule over values, the same layer without them, and one with 64 hidden neurons.
for network in gate static hidden; do
    regula train "$box/switches" --network "$here/$network.yml" --split "$box/split.json" --fold 0 \
        --model "$box/$network.safetensors" --quiet >"$box/log"
    printf '%-8s' "$network"
    regula evaluate "$box/$network.safetensors" "$box/switches" --split "$box/split.json" --fold 0 | grep "^accuracy"
done

# 4. In words.
regula explain "$box/gate.safetensors" --top 3
