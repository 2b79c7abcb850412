#!/bin/sh
# Explanations: what the paper's model of EvenOddRings learned, in words and in a picture.
# Usage: examples/explain.sh [DIRECTORY]     (with regula in the PATH; needs no network)
set -eu
networks=$(cd "$(dirname "$0")/paper" && pwd)
directory=${1:-explain-example}
mkdir -p "$directory"
cd "$directory"

# 1. Rings of 16 nodes with labels 0 .. 15. The class is whether the label across the ring from the node
#    labelled 0 is odd, and whether the sum of the two labels a quarter of the way round is.
regula data generate EvenOddRings --out rings --graphs 1200
regula data split rings --folds 5 --seed 1 --out splits.json
regula train rings --network "$networks/EvenOddRings2_16.yml" --model rings.safetensors \
    --split splits.json --lanes 4 --quiet

# 2. The strongest weights of the second layer as sentences, and what the model is worth without each.
#    They all go to the node labelled 0.
regula explain rings.safetensors rings --split splits.json --layer 2 --top 5

# 3. One answer taken apart: what each node and each rule adds to the outputs.
regula explain rings.safetensors rings --graph 5 --top 3

# 4. The paper's figure of two rings, under one scale.
regula explain rings.safetensors rings --graphs 5,6 --out rings.svg

# 5. What tells class 0 from class 3, and a picture of the most typical rings of class 0.
regula explain rings.safetensors rings --class 0 --against 3 --top 5 --out typical.svg
