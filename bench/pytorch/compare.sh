#!/bin/sh
# compare.sh - `regula train` with 1 and 4 lanes and rulegnn.py, one after another on this machine, one
# thread each, and how many times less processor time regula takes. The fastest PyTorch comes first.
#
# usage: bench/pytorch/compare.sh BUILD_DIR [DATA.zip SPLIT.json NETWORK.yml]
#   default: NCI1.zip and splits/NCI1.json in $REGULA_DATA, and examples/paper/NCI1.yml
#   PYTHON   a Python that has torch; default: the first of python3 and /usr/bin/python3 that has
#   EPOCHS   of rulegnn.py with a matrix per graph, default 2, and five times as many without
#
# Exit: 0 all limits hold, 1 one does not, or a program failed, 2 usage, 77 not possible here.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 1 ] && [ $# -ne 4 ]; then
    sed -n '2,/^set/{s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
program=$1/regula
data=${2:-${REGULA_DATA:-.}/NCI1.zip}
split=${3:-${REGULA_DATA:-.}/splits/NCI1.json}
network=${4:-$here/../../examples/paper/NCI1.yml}

for file in "$program" "$data" "$split" "$network"; do
    if [ ! -f "$file" ]; then
        echo "compare.sh: no file $file"
        exit 77
    fi
done
if ! "$program" train --help >/dev/null 2>&1; then
    echo "compare.sh: $program has no command 'train'"
    exit 77
fi
python=
for name in ${PYTHON:-python3 /usr/bin/python3}; do
    if [ -z "$python" ] && "$name" -c 'import numpy, torch' >/dev/null 2>&1; then
        python=$name
    fi
done
if [ -z "$python" ]; then
    echo 'compare.sh: no Python with torch; tools/setup.sh --peers installs python3-torch'
    exit 77
fi
exec "$python" "$here/compare.py" "$program" "$data" "$split" "$network" "${EPOCHS:-2}"
