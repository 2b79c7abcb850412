#!/bin/sh
# abi.sh - the shared library against the interface that is kept in tools/libregula.abi: what programs use that
# were compiled with it must still be there, as it was. What is new is fine. Needs abigail-tools and debugging information.
# usage: tools/abi.sh [--update] [BUILD]      build by default
#   --update   writes the interface anew: after a change that CHANGELOG.md tells of, or a release
# Exit: 0 fine, 1 something changed that programs rely on, 77 there is no abidiff.
set -eu

cd "$(dirname "$0")/.."
kept=tools/libregula.abi
update=no
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
library=${1:-build}/libregula.so
command -v abidiff >/dev/null 2>&1 || { echo 'no abidiff (tools/setup.sh --peers)'; exit 77; }
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
abidw --headers-dir include/regula --drop-private-types --no-corpus-path --no-comp-dir-path \
    --no-elf-needed --drop-undefined-syms "$library" >"$box/now.abi"
sed -i -E "s#path='[^']*/((include/regula|src|build)/)#path='\\1#" "$box/now.abi" # no path of a machine
if [ $update = yes ]; then
    cp "$box/now.abi" $kept
    echo "$kept: $(wc -c <$kept) bytes"
    exit 0
fi
# Structs that the headers declare and do not define are no interface; abidiff would find them in private headers that
# have the names of public ones.
sed -nE 's/^typedef struct (rg_[a-z_0-9]+) \1;.*/[suppress_type]\n  name = \1/p' include/regula/*.h >"$box/private"
abidiff --suppressions "$box/private" --leaf-changes-only --no-added-syms --headers-dir1 include/regula --headers-dir2 include/regula \
    $kept "$box/now.abi" >"$box/report" 2>&1 || [ $(($? & 3)) -eq 0 ] || { cat "$box/report"; exit 1; }
# Structs that begin with their size may grow at the end, and enums may have new values behind the old ones.
if grep -qE '[1-9][0-9]* Removed|offset changed|deletion|value changed|(return|parameter).* (changed|added|removed)' \
    "$box/report"; then
    cat "$box/report"
    echo 'FAILED programs that were compiled before would break: see docs/abi.md'
    exit 1
fi
echo "ok $(grep -c '<elf-symbol ' $kept) functions are what they were"
