#!/bin/sh
# Images: convolutional and fully connected layers are rules too.
# Usage: examples/images.sh [IMAGES]     (with regula in the PATH; needs no network; 3000 images)
set -eu
here=$(dirname "$0")/images
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

# 1. Images of rectangles, ellipses, triangles and crosses, of any size and at any place.
regula data generate Shapes --graphs "${1:-3000}" --out "$box/shapes"

# 2. Ten parts of them, one for the test.
regula data split "$box/shapes" --folds 10 --out "$box/split.json"

# 3. What the rule of a convolution means.
regula rule check 'share row(j) - row(i), col(j) - col(i) when row(j) - row(i) in 0..2 and col(j) - col(i) in 0..2' \
    --input 28x28 --output 26x26

# 4. Both networks on the first part.
for network in convolution connected; do
    regula train "$box/shapes" --network "$here/$network.yml" --split "$box/split.json" --fold 0 \
        --model "$box/$network.safetensors"
    regula evaluate "$box/$network.safetensors" "$box/shapes" --split "$box/split.json" --fold 0
done
