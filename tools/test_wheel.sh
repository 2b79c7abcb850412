#!/bin/sh
# test_wheel.sh - the wheel in fresh virtual environments, beside what it is used with. Needs the Python index.
# usage: tools/test_wheel.sh [BUILD]
#   one line "ok ..." or "FAILED ..." for each check; exit 1 if one failed, 77 without a wheel or an index
# PYTHONS: interpreters to try (all of python3.10 to python3.14 that are there)
# REGULA_DATA: real data sets; the checks that need them are left out without
set -eu

cd "$(dirname "$0")/.."
build=$(cd "${1:-build}" && pwd)
wheel=$(find dist -name 'regula_gnn-*.whl' 2>/dev/null | sort | tail -n 1)
if [ -z "$wheel" ]; then
    echo 'there is no wheel: make python'
    exit 77
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0

say()
{
    if [ "$1" = 0 ]; then
        echo "ok $2"
    else
        echo "FAILED $2"
        tail -n 20 "$box/log" | sed 's/^/    | /'
        failed=1
    fi
}

# try NAME COMMAND...
try()
{
    name=$1
    shift
    status=0
    "$@" >"$box/log" 2>&1 || status=$?
    say $status "$name"
}

# environment DIRECTORY PYTHON PACKAGE...: a virtual environment, without a compiler in the path
environment()
{
    directory=$1
    "$2" -m venv "$directory" || return 1
    shift 2
    "$directory/bin/python" -m pip install -q --disable-pip-version-check --only-binary :all: "$@"
}

tests()
{
    env REGULA_INSTALLED=1 REGULA_PROGRAM="$build/regula" PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 \
        "$1/bin/python" -m pytest -q -p no:cacheprovider -c /dev/null python/tests
}

for python in ${PYTHONS:-python3.10 python3.11 python3.12 python3.13 python3.14}; do
    "$python" -c 'import venv' >/dev/null 2>&1 || continue
    try "wheel, newest scikit-learn and networkx, $python" \
        environment "$box/$python" "$python" "$wheel" scikit-learn networkx scipy pytest hypothesis
    try "tests with $python" tests "$box/$python"
    last=$box/$python
done
[ -n "${last:-}" ] || exit 77

try 'mypy and ruff' "$last/bin/python" -m pip install -q --disable-pip-version-check mypy ruff
try 'mypy --strict' "$last/bin/python" -m mypy --cache-dir "$box/mypy"
try 'ruff' "$last/bin/python" -m ruff check --no-cache python
if [ -n "${REGULA_DATA:-}" ]; then
    try 'MUTAG: cross-validate, search, pickle, save; the bytes of the command line' \
        "$last/bin/python" tools/test_wheel.py mutag "$build/regula" "$box"
    try '10,000 small fits: memory flat' "$last/bin/python" tools/test_wheel.py fits
    try 'NCI1 from networkx in 1 s' "$last/bin/python" tools/test_wheel.py networkx
fi
# From source, as `pip install .` does in a clone: with a compiler and CMake, which pip brings where it is not there.
from_source()
{
    "$1" -m pip install -q --disable-pip-version-check build && "$1" -m build --sdist --outdir "$box/sdist" . &&
        "$1" -m venv "$box/source" &&
        "$box/source/bin/python" -m pip install -q --disable-pip-version-check "$box"/sdist/*.tar.gz \
            scikit-learn networkx scipy pytest hypothesis
}
try 'a source distribution, built and installed' from_source "$last/bin/python"
try 'its tests' tests "$box/source"

try 'RDKit' "$last/bin/python" -m pip install -q --disable-pip-version-check --only-binary :all: rdkit
try 'molecules of RDKit' "$last/bin/python" tools/test_wheel.py rdkit
try 'PyTorch Geometric' "$last/bin/python" -m pip install -q --disable-pip-version-check torch torch_geometric
try 'Data of PyG, NCI1 in 0.3 s' "$last/bin/python" tools/test_wheel.py pyg
exit $failed
