#!/bin/sh
# syntax.sh - every C file passes the compiler of a build with all its warnings; no code is made
# of them. Files that the build makes itself must be there.
# usage: tools/syntax.sh BUILD [OTHER]      exit 1 if a file does not pass
#        OTHER: a build by the same compiler; what it has made is not looked at again
set -u

build=$(cd "$1" && pwd) || exit 1
root=$(cd "$(dirname "$0")/.." && pwd)
list=$(mktemp)
made=$(mktemp)
trap 'rm -f "$list" "$made"' EXIT
if [ $# -gt 1 ]; then # the files whose objects are there, as the ends of commands
    other=$(cd "$2" && pwd) || exit 1
    sed -n 's/^ *"command": ".* -o \([^ ]*\) -c \([^ ]*\)",$/\1 \2/p' "$other/compile_commands.json" |
        while read -r object source; do
            [ ! -e "$other/$object" ] || printf ' -c %s",\n' "$source"
        done >"$made"
fi
# A command a line; what JSON escapes, and what xargs takes for itself, is undone and escaped in turn.
grep '^ *"command": ' "$build/compile_commands.json" | grep -vF -f "$made" |
    sed -n 's/^ *"command": "\(.*\)",$/\1/p' |
    grep -vE -- " -DRG_FAULTS .* -c $root/src/" | # the library for tests: the same files once more
    sed 's/\\\(["\\]\)/\1/g; s/ -o [^ ]* -c / -fsyntax-only /; s/[\\"'\'']/\\&/g' >"$list"
if [ ! -s "$list" ]; then
    echo "no commands in $build/compile_commands.json"
    exit 1
fi
cd "$build" && xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' sh -c '{}' <"$list"
