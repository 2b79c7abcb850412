#!/bin/sh
# check_peers.sh - the checks that `make check` has no time for, or that need more than it may ask for: other
# programs to compare with, other registries than Debian's, a cluster, a second browser, long fuzzing,
# every step of every sweep under ASan. To be run before a larger change is called done.
#
# usage: tools/check_peers.sh [--record] [PART...]
#   --record      write versions, results and times to docs/checked.md
#   PART          molecules vectors pytorch gin sklearn baselines web firefox launchers abi python asan fuzz; none: all of them
#
# FUZZ_SECONDS  how long each fuzz target runs (60)
# REGULA_DATA   real data sets; else those of shared/data beside the project
#
# The last line is "N passed, N failed"; exit 1 if something failed. What is not there is skipped and
# said so: tools/setup.sh --peers installs what Debian has.
set -u

cd "$(dirname "$0")/.." || exit 1
logs=build/check-peers
record=no
if [ "${1:-}" = --record ]; then
    record=yes
    shift
fi
parts=${*:-molecules vectors pytorch gin sklearn baselines web firefox launchers abi python asan fuzz}
. tools/steps.sh

REGULA_DATA=${REGULA_DATA:-$(cd ../shared/data 2>/dev/null && pwd)}
export REGULA_DATA
python=
for name in ${PYTHON:-python3 /usr/bin/python3}; do
    if [ -z "$python" ] && "$name" -c 'import torch' >/dev/null 2>&1; then
        python=$name
    fi
done

wanted()
{
    case " $parts " in
    *" $1 "*) return 0 ;;
    esac
    return 1
}

# The numbers that tests hold our networks to are still what PyTorch finds.
vectors()
{
    if [ -z "$python" ]; then
        echo 'no Python with torch (tools/setup.sh --peers)'
        return 77
    fi
    mkdir -p "$logs/vectors" && "$python" tests/torch/vectors.py "$logs/vectors" || return 1
    for file in tests/torch/*.json; do
        "$python" tests/torch/near.py "$file" "$logs/vectors/$(basename "$file")" || return 1
    done
}

# Atoms and bonds of MoleculeNet's tables are those that RDKit reads. RDKit is no package of Debian's: it comes from
# Python's index, once, into an environment of its own.
molecules()
{
    [ -n "$REGULA_DATA" ] && [ -d "$REGULA_DATA/molecules" ] || { echo 'no molecules in REGULA_DATA'; return 77; }
    python3 tests/molecule/reading_benchmark.py build/regula "$REGULA_DATA/smiles" || return 1
    if ! "$logs/rdkit/bin/python" -c 'import rdkit' >/dev/null 2>&1; then
        { python3 -m venv "$logs/rdkit" && "$logs/rdkit/bin/pip" install -q rdkit; } >"$logs/rdkit.log" 2>&1 ||
            { echo 'RDKit could not be installed'; return 77; }
    fi
    "$logs/rdkit/bin/python" tests/molecule/rdkit_atoms.py build/regula "$REGULA_DATA"/molecules/*.csv &&
        "$logs/rdkit/bin/python" tests/molecule/rdkit_smiles.py build/regula "$REGULA_DATA"/molecules/*.csv \
            "$REGULA_DATA"/smiles/*.smi.gz &&
        "$logs/rdkit/bin/python" tests/molecule/rdkit_smarts.py build/regula "$REGULA_DATA"/molecules/*.csv &&
        "$logs/rdkit/bin/python" tests/molecule/rdkit_scaffolds.py build/regula "$REGULA_DATA"/molecules/*.csv &&
        cmake --build --preset release --target test_molecules_drawn && MOLECULES=1000 build/tests/test_molecules_drawn
}

report_for_firefox()
{
    [ -s "$logs/demo/runs/snowflakes/report.html" ] || tools/demo.sh build/regula "$logs/demo" || return 1
    tools/test_page.sh firefox "$logs/demo/runs/snowflakes/report.html"
}

# launchers: mpirun is in `make check`
slurm()
{
    if [ ! -e tools/test_slurm.sh ]; then
        echo 'there is no test of Slurm'
        return 77
    fi
    tools/test_slurm.sh build
}

# The interpreter is not ours: what it keeps until its end is no leak, and memory that was freed is kept a while.
python_asan()
{
    cmake --preset asan && cmake --build --preset asan --target regula_shared || return 1
    # shellcheck disable=SC2086 # words
    REGULA_LIBRARY=$PWD/build-asan/libregula.so ASAN_OPTIONS=detect_leaks=0 \
        LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)" \
        PYTEST_ADDOPTS='-k "not do_not_grow"' $fixed tools/test_python.sh build
}

# version NAME COMMAND...: a row, from the first number with a point in what the command prints
version()
{
    what=$1
    shift
    found=$("$@" 2>/dev/null | grep -oE '[0-9]+(\.[0-9a-z+~-]+)+' | head -n 1)
    printf '| %s | %s |\n' "$what" "${found:-not there}"
}

versions()
{
    # shellcheck disable=SC1091
    printf '| system | %s |\n' "$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}")"
    version kernel uname -r
    printf '| processor | %s, %s cores |\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$jobs"
    version gcc gcc -dumpfullversion
    version clang clang --version
    version cmake cmake --version
    version glibc ldd --version
    version SQLite pkg-config --modversion sqlite3
    version OpenBLAS pkg-config --modversion openblas
    version igraph pkg-config --modversion igraph
    version 'Open MPI' mpirun --version
    version Slurm sinfo --version
    version Python python3 --version
    version PyTorch "${python:-python3}" -c 'import torch; print(torch.__version__)'
    version scikit-learn /usr/bin/python3 -c 'import sklearn; print(sklearn.__version__)'
    version Node node --version
    version Chromium chromium --version
    version Firefox firefox-esr --version
}

# The rows of this run, then those of earlier ones whose steps did not run now, each with the commit that it was seen at.
rows()
{
    awk -F ' [|] ' -v now="$commit" '
        function step(name) { sub(/^[|] /, "", name); sub(/: [0-9].*/, "", name); return name }
        FNR == NR { seen[step($1)] = 1; sub(/ [|]$/, ""); print $0 " | " now " |"; next }
        /^[|] step / { inside = 1; next }
        !inside && match($0, /commit [0-9a-f]+/) { before = substr($0, RSTART + 7, RLENGTH - 7) }
        /^$/ { inside = 0 }
        inside && /^[|] / && !(step($1) in seen) { sub(/ [|]$/, ""); print $0 (NF < 5 ? " | " before : "") " |" }
    ' "$logs/table" docs/checked.md
}

# What the project keeps of a run: no names of machines, no paths.
write_record()
{
    commit=$(git describe --always --dirty --abbrev=10 2>/dev/null || echo 'not known')
    [ -e docs/checked.md ] || : >docs/checked.md
    {
        printf '# Checked\n\nWritten by `make check-peers`, the checks that need more than `make check` does; see\n'
        printf '`tools/check_peers.sh`. Last run: date %s, commit %s, %s passed, %s failed.\n' \
            "$(date -u +%Y-%m-%d)" "$commit" "$passed" "$failed"
        printf 'Parts that ran: %s. Rows of other parts are of the commits that they name.\n' "$parts"
        printf '\n| step | result | time in s | processor time in s | commit |\n|---|---|---|---|---|\n'
        rows
        printf '\n| with | version |\n|---|---|\n'
        versions
    } >"$logs/checked.md"
    cp "$logs/checked.md" docs/checked.md
}

check 'release build (gcc)' build release
! wanted molecules || check 'atoms of molecules as RDKit reads them' molecules
! wanted vectors || check 'vectors of PyTorch' vectors
! wanted launchers || check_lines 'Slurm' slurm
! wanted firefox || check_lines 'a report in Firefox' report_for_firefox
! wanted abi || check_lines 'the interface against the one that is kept' tools/abi.sh
if wanted python && check 'wheel' make python; then
    check_lines 'the Python package, newer versions' tools/test_wheel.sh build
fi
! wanted web || check_lines 'reports in Chromium, with npm' tools/test_web.sh build
! wanted pytorch || check_lines 'networks against PyTorch' bench/pytorch/compare.sh build
! wanted gin || check_lines 'GIN against PyTorch' bench/pytorch/compare_gin.sh build
! wanted sklearn || check_lines 'kernels against scikit-learn' bench/sklearn/compare.sh build
! wanted baselines || check_lines 'baselines on real data' tools/test_baselines.sh build
if wanted asan && check 'ASan and UBSan build' build asan test_programs; then
    UBSAN_OPTIONS=print_stacktrace=1 tests 'all tests and sweeps under ASan and UBSan' build-asan
fi
! wanted python || check 'Python tests against the ASan library' python_asan
if wanted fuzz; then
    FUZZ_SECONDS=${FUZZ_SECONDS:-60}
    export FUZZ_SECONDS
    check_lines "fuzz targets, $FUZZ_SECONDS s each" tools/fuzz.sh
fi

[ $record = no ] || write_record
finish
