#!/bin/sh
# syntax.sh - every C file passes the compiler of a build with all its warnings; no code is made
# of them. Files that the build makes itself must be there.
# usage: tools/syntax.sh BUILD      exit 1 if a file does not pass
set -u

build=$(cd "$1" && pwd) || exit 1
root=$(cd "$(dirname "$0")/.." && pwd)
list=$(mktemp)
trap 'rm -f "$list"' EXIT
# A command a line; what JSON escapes, and what xargs takes for itself, is undone and escaped in turn.
sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$build/compile_commands.json" |
    grep -vE -- " -DRG_FAULTS .* -c $root/src/" | # the library for tests: the same files once more
    sed 's/\\\(["\\]\)/\1/g; s/ -o [^ ]* -c / -fsyntax-only /; s/[\\"'\'']/\\&/g' >"$list"
if [ ! -s "$list" ]; then
    echo "no commands in $build/compile_commands.json"
    exit 1
fi
cd "$build" && xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' sh -c '{}' <"$list"
