#!/bin/sh
# compare.sh - a Weisfeiler-Leman kernel with support vector machines, 10 folds, 1 to 10 iterations, 13
# values of C: `regula run` and wlsvm.py (scikit-learn), one after another on this machine.
#
# usage: bench/sklearn/compare.sh BUILD_DIR [DATA.zip SPLIT.json]
#   default: NCI1.zip and splits/NCI1.json in $REGULA_DATA
#   PYTHON   a Python that has scikit-learn; default: the first of python3 and /usr/bin/python3 that has
#   FOLDS    of wlsvm.py, default all; with fewer its time is multiplied accordingly, and that is said
#
# Exit: 0 all limits hold, 1 one does not, or a program failed, 2 usage, 77 not possible here.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 1 ] && [ $# -ne 3 ]; then
    sed -n '2,/^set/{s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
program=$1/regula
data=${2:-${REGULA_DATA:-.}/NCI1.zip}
split=${3:-${REGULA_DATA:-.}/splits/NCI1.json}

for file in "$program" "$data" "$split"; do
    if [ ! -f "$file" ]; then
        echo "compare.sh: no file $file"
        exit 77
    fi
done
if ! "$program" models wl >/dev/null 2>&1; then
    echo "compare.sh: $program has no model 'wl'"
    exit 77
fi
python=
for name in ${PYTHON:-python3 /usr/bin/python3}; do
    if [ -z "$python" ] && "$name" -c 'import scipy, sklearn' >/dev/null 2>&1; then
        python=$name
    fi
done
if [ -z "$python" ]; then
    echo 'compare.sh: no Python with scikit-learn; tools/setup.sh --peers installs python3-sklearn'
    exit 77
fi
exec "$python" "$here/compare.py" "$program" "$data" "$split" "${FOLDS:-0}"
