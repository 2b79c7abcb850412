#!/bin/sh
# check.sh - all that CI does, step by step, with Debian packages alone; tools/check_peers.sh has what is
# long or needs more. The last line is "N passed, N failed"; exit 1 if something failed.
#
# FUZZ_TOTAL    seconds of fuzzing, shared by all targets (60)
# REGULA_DATA   real data sets; tests that need them are skipped without
set -u

cd "$(dirname "$0")/.." || exit 1
logs=build/check
. tools/steps.sh

# ahead PRESET TARGET: begins a build on half of the processors, for the checks that follow leave them
# idle. It is ninja itself, which ends what it has begun when it is ended.
ahead()
{
    # shellcheck disable=SC2086 # words
    { cmake --preset "$1" && exec $fixed nice ninja -C "build-$1" -j $(((jobs + 1) / 2)) "$2"; } \
        >"$logs/ahead.log" 2>&1 &
    ahead_id=$!
    trap 'kill "$ahead_id" 2>/dev/null' EXIT
}

# the build that was begun is over, and went well
built_ahead()
{
    wait "$ahead_id"
    built=$?
    trap - EXIT
    cat "$logs/ahead.log"
    return $built
}

# That it compiles and links is all that is asked: no time for optimising.
build_without_optional_parts()
{
    cmake -S . -B "$logs/plain" -G Ninja -DREGULA_CURL=OFF -DREGULA_CAIRO=OFF -DREGULA_TESTS=OFF \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 &&
        cmake --build "$logs/plain"
}

# For the warnings of the second compiler. Code of clang runs in the fuzz targets.
clang_warnings()
{
    cmake --preset clang && cmake --build --preset clang --target web_page paper_networks catalogue_entries &&
        tools/syntax.sh build-clang
}

demo()
{
    tools/demo.sh build/regula "$logs/demo" || return 1
    [ -s "$logs/demo/runs/snowflakes/report.html" ] || return 1
    for run in snowflakes evenoddrings; do
        [ -s "$logs/demo/runs/$run/store.sqlite" ] || return 1
        [ "$(find "$logs/demo/runs/$run/models" -name '*.safetensors' | wc -l)" -eq 10 ] || return 1
    done
}

check 'format' tools/format.sh
check_lines 'rooms, names, documented symbols' python3 tools/house.py --check
check_lines 'house.py finds faults' tools/test_house.sh
check_lines 'signatures of the Python package' python3 tools/python_abi.py --check
check_lines 'set-up script' tools/test_setup.sh
check_lines 'counting of tests' tools/test_count.sh

released=no
if check 'release build (gcc)' build release; then
    released=yes
    tests 'release tests' build --no-tests=error
fi
ahead asan test_programs
if [ $released = yes ]; then
    check_lines 'public headers' tools/test_headers.sh
    check 'exported symbols' tools/symbols.sh build/libregula.so
    check_lines 'install' tools/test_install.sh build
    check_lines 'ranks' tools/test_mpi.sh build
    check 'demo' demo
    check_lines 'README' tools/test_readme.sh build
    check_lines 'a report in Chromium' tools/test_page.sh chromium "$logs/demo/runs/snowflakes/report.html"
fi
check 'Python package' tools/test_python.sh build
check 'build without optional parts' build_without_optional_parts
check 'warnings of clang' clang_warnings

if check 'TSan build' build tsan threaded_tests; then
    REGULA_SWEEP=sample tests 'threaded tests under TSan' build-tsan -L '^threads$'
fi
# The longest sweeps (every allocation fails in turn, every byte of a file changes) take a sample of their
# steps here; the release tests took all of them.
if check 'ASan and UBSan build' built_ahead; then
    REGULA_SWEEP=sample UBSAN_OPTIONS=print_stacktrace=1 tests 'tests under ASan and UBSan' build-asan -LE '^opinion$'
fi
FUZZ_TOTAL=${FUZZ_TOTAL:-60}
export FUZZ_TOTAL
check_lines 'fuzz targets' tools/fuzz.sh

finish
