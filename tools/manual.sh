#!/bin/sh
# manual.sh - the sources of the man pages that are about files and languages, from the pages of docs/.
# usage: tools/manual.sh DIRECTORY      writes DIRECTORY/regula-network.5.scd and so on
set -eu
directory=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

page() # DOCUMENT NAME SECTION WHAT
{
    awk -v page="regula-$2" -v section="$3" -v what="$4" -f tools/manual.awk "docs/$1.md" \
        >"$directory/regula-$2.$3.scd"
}

page networks network 5 'network files of regula'
page experiments experiment 5 'experiment files of regula'
page rules rules 7 'the rule language of regula'
page labels labels 7 'labelings of nodes, in rules and network files of regula'
