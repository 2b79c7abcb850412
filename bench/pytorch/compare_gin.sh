#!/bin/sh
# compare_gin.sh - an epoch of a GIN, [64]x4, by regula and by gin.py, one after another on this machine,
# one thread each, and how many times faster regula is.
#
# usage: bench/pytorch/compare_gin.sh BUILD_DIR [DATA.zip SPLIT.json]
#   default: NCI1.zip and splits/NCI1.json in $REGULA_DATA
#   PYTHON   a Python that has torch; default: the first of python3 and /usr/bin/python3 that has
#   EPOCHS   of each program, of which the fastest counts; default 5
#
# Exit: 0 the limit holds, 1 it does not, or a program failed, 2 usage, 77 not possible here.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 1 ] && [ $# -ne 3 ]; then
    sed -n '2,/^set/{s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
program=$1/bench/bench_gnn
data=${2:-${REGULA_DATA:-.}/NCI1.zip}
split=${3:-${REGULA_DATA:-.}/splits/NCI1.json}

for file in "$program" "$data" "$split"; do
    if [ ! -f "$file" ]; then
        echo "compare_gin.sh: no file $file"
        exit 77
    fi
done
python=
for name in ${PYTHON:-python3 /usr/bin/python3}; do
    if [ -z "$python" ] && "$name" -c 'import numpy, torch' >/dev/null 2>&1; then
        python=$name
    fi
done
if [ -z "$python" ]; then
    echo 'compare_gin.sh: no Python with torch; tools/setup.sh --peers installs python3-torch'
    exit 77
fi
exec "$python" "$here/compare_gin.py" "$program" "$data" "$split" "${EPOCHS:-5}"
