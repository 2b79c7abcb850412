#!/bin/sh
# From nothing to a data set that can be trusted: make one, look at it, convert it, split it.
# Usage: examples/audit.sh [DIRECTORY]     (with regula in the PATH; needs no network)
set -eu
directory=${1:-audit-example}
mkdir -p "$directory"
cd "$directory"

# 1. Make a set: circular skip links, ten classes that message passing cannot tell apart.
#    The same seed gives the same bytes on every machine.
regula data generate CSL --out csl --seed 1

# 2. What is in it? Classes and their counts, sizes, diameters, copies, and what was odd.
regula data info csl

# 3. The same for a program. The digest names the content, whatever the format.
regula data info csl --json > csl-info.json

# 4. Write it in the three-file format and read that: the digest must be the same.
regula data convert csl --to three --out csl3
regula data info csl3 --json > csl3-info.json
before=$(sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p' csl-info.json)
after=$(sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p' csl3-info.json)
if [ "$before" != "$after" ]; then
    echo "the digests differ: $before, $after" >&2
    exit 1
fi
echo "same content in both formats: $before"

# 5. Five folds that keep the proportions of the classes, and a check that they are sound.
regula data split csl --folds 5 --seed 1 --out csl-splits.json
regula data split csl --check csl-splits.json
