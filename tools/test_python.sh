#!/bin/sh
# test_python.sh - the tests and examples of the Python package, with the library of a build.
# usage: tools/test_python.sh [BUILD]      build by default
# PYTHON: another interpreter than the first that has numpy, pytest, scikit-learn and networkx.
# Exit: 0 all well, 1 a test failed, 77 no such Python is there.
set -eu

cd "$(dirname "$0")/.."
build=$(cd "${1:-build}" && pwd)
python=
# Debian's packages belong to Debian's Python; the first one in the path may be another.
for name in ${PYTHON:-/usr/bin/python3 python3}; do
    if [ -z "$python" ] && "$name" -c 'import numpy, pytest, sklearn, networkx' >/dev/null 2>&1; then
        python=$name
    fi
done
if [ -z "$python" ]; then
    echo 'no Python with numpy, pytest, scikit-learn and networkx (tools/setup.sh)'
    exit 77
fi
REGULA_LIBRARY=${REGULA_LIBRARY:-$build/libregula.so}
REGULA_PROGRAM=$build/regula
PYTHONDONTWRITEBYTECODE=1
# The kernels of other libraries need no threads here, and would take them from other tests.
OMP_NUM_THREADS=1
OPENBLAS_NUM_THREADS=1
export REGULA_LIBRARY REGULA_PROGRAM PYTHONDONTWRITEBYTECODE OMP_NUM_THREADS OPENBLAS_NUM_THREADS
exec "$python" -m pytest -q -p no:cacheprovider --doctest-modules --durations=5 python docs/python.md docs/features.md --doctest-glob='*.md'
