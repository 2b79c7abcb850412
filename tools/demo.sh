#!/bin/sh
# demo.sh - the main job on built-in data: make the five synthetic sets of the paper, audit each.
# usage: tools/demo.sh [PROGRAM [DIRECTORY]]
set -eu

program=${1:-build/regula}
out=${2:-build/demo}

rm -rf "$out"
mkdir -p "$out"
for name in LongRings EvenOddRings EvenOddRingsCount CSL Snowflakes; do
    printf '\n$ %s data generate %s --out %s\n' "$program" "$name" "$out/$name"
    "$program" data generate "$name" --out "$out/$name"
    printf '$ %s data info %s\n' "$program" "$out/$name"
    "$program" data info "$out/$name"
done
printf '\nThe sets are in %s. Next: %s --help\n' "$out" "$program"
