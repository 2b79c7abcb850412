#!/bin/sh
# demo.sh - the main job on built-in data: two of the paper's synthetic sets, made from a seed, and the
# paper's networks on them, cross-validated.
# usage: tools/demo.sh [PROGRAM [DIRECTORY]]
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-build/regula}
out=${2:-build/demo}
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac

# step COMMAND...: shown as a user would type it, then done
step()
{
    printf '\n$ regula'
    printf ' %s' "$@" | sed "s|$source/||g"
    printf '\n'
    "$program" "$@"
}

rm -rf "$out"
mkdir -p "$out"
cd "$out"
for name in Snowflakes EvenOddRings; do
    step data generate "$name" --out "$name"
    step data info "$name" --no-copies
done
step run "$source/examples/experiments/snowflakes.yml"
step run "$source/examples/experiments/evenoddrings.yml"
model=$(find runs/snowflakes/models -name '*-fold-0-*.safetensors' | sort | head -n 1)
step predict "$model" Snowflakes --samples 0-4
step report runs/snowflakes
printf '\nData, results and models are in %s. Next: regula --help\n' "$out"
printf 'The report, for any browser: %s/runs/snowflakes/report.html\n' "$PWD"
