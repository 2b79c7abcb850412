#!/bin/sh
# symbols.sh - what libregula.so exports, what src/libregula.map lists and what the public headers
# declare with RG_API are one and the same set of functions.
# usage: tools/symbols.sh [LIBRARY]
set -eu

cd "$(dirname "$0")/.."
library=${1:-build/libregula.so}
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
LC_ALL=C
export LC_ALL

nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
    sort -u >"$box/library"

sed -n '/global:/,/local:/s/^ *\([A-Za-z_0-9]*\);.*/\1/p' src/libregula.map | sort -u >"$box/map"

# Declarations may run over lines: comments and directives out, one line a declaration, then the
# first name before a bracket after RG_API.
cat include/regula/*.h | awk '
    { text = text $0 "\n" }
    END {
        while ((at = index(text, "/*")) > 0) {
            rest = substr(text, at + 2)
            text = substr(text, 1, at - 1) " " substr(rest, index(rest, "*/") + 2)
        }
        gsub(/\\\n/, " ", text)
        n = split(text, line, "\n")
        text = ""
        for (i = 1; i <= n; i++)
            if (line[i] !~ /^[ \t]*#/)
                text = text " " line[i]
        n = split(text, declaration, /[;{}]/)
        for (i = 1; i <= n; i++) {
            # Options have a function that the macro declares.
            if (match(declaration[i], /RG_OPTIONS_FUNCTIONS\(rg_[a-z0-9_]+/)) {
                name = substr(declaration[i], RSTART, RLENGTH)
                sub(/.*\(/, "", name)
                print name "_init"
            }
            at = index(declaration[i], "RG_API ")
            if (!at)
                continue
            part = substr(declaration[i], at)
            if (match(part, /rg_[a-z0-9_]+[ \t]*\(/)) {
                name = substr(part, RSTART, RLENGTH - 1)
                sub(/[ \t]+$/, "", name)
                print name
            }
        }
    }' | sort -u >"$box/headers"

status=0
compare()
{
    comm -23 "$box/$1" "$box/$2" | sed "s|^|in the $1, not in the $2: |" >"$box/difference"
    if [ -s "$box/difference" ]; then
        cat "$box/difference"
        status=1
    fi
}
compare headers map
compare map headers
compare map library
compare library map
[ -s "$box/library" ] || { echo 'no symbols found' && status=1; }
[ $status -ne 0 ] || echo "$(wc -l <"$box/library") functions"
exit $status
