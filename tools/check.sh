#!/bin/sh
# check.sh - all that CI does, step by step. Every test of a test program counts, and every other
# check counts as one. The last line is "N passed, N failed"; exit 1 if something failed.
#
# FUZZ_SECONDS  how long each fuzz target runs (5)
# REGULA_DATA   real data sets; tests that need them are skipped without
set -u

cd "$(dirname "$0")/.." || exit 1
logs=build/check
rm -rf "$logs"
mkdir -p "$logs"
passed=0
failed=0
left_out=
started=$(date +%s)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# The sanitizers of gcc 12 and clang 14 cannot take the address space randomisation of new kernels.
fixed=
if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed="setarch $(uname -m) -R"
fi

# begin NAME: the clock and the log of a step
begin()
{
    name=$1
    log=$logs/$(printf '%s' "$name" | tr -c 'a-zA-Z0-9' '_').log
    step_started=$(date +%s)
}

report()
{
    printf '%-8s %s (%s s)\n' "$1" "$2" "$(($(date +%s) - step_started))"
}

show()
{
    tail -n "${2:-40}" "$1" | sed 's/^/         | /'
}

skip()
{
    report skipped "$1"
    left_out="$left_out
  $1"
}

# check NAME COMMAND...: one check. Exit status 77 of the command: not possible here.
check()
{
    begin "$1"
    shift
    "$@" >"$log" 2>&1
    status=$?
    if [ $status -eq 77 ]; then
        skip "$name: $(tail -n 1 "$log")"
    elif [ $status -eq 0 ]; then
        report ok "$name"
        passed=$((passed + 1))
    else
        report FAILED "$name"
        show "$log"
        failed=$((failed + 1))
    fi
    return $status
}

# check_lines NAME COMMAND...: the command prints a line for each of its checks, "ok ..." or
# "FAILED ...". One that fails without such a line is a failure too.
check_lines()
{
    begin "$1"
    shift
    "$@" >"$log" 2>&1
    status=$?
    if [ $status -eq 77 ]; then
        skip "$name: $(tail -n 1 "$log")"
        return
    fi
    good=$(grep -c '^ok ' "$log")
    bad=$(grep -c '^FAILED ' "$log")
    [ $status -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    sum "$name" "$good" "$bad" 0
    [ "$bad" -eq 0 ] || show "$log" 80
}

# sum NAME PASSED FAILED SKIPPED
sum()
{
    word=ok
    [ "$3" -eq 0 ] || word=FAILED
    text="$1: $2 passed, $3 failed"
    [ "$4" -eq 0 ] || text="$text, $4 skipped"
    report $word "$text"
    passed=$((passed + $2))
    failed=$((failed + $3))
}

# tests NAME DIRECTORY [OPTION...]: the test programs of a build, by ctest
tests()
{
    begin "$1"
    directory=$2
    junit=$PWD/$logs/$(basename "$directory").xml
    shift 2
    # shellcheck disable=SC2086 # words
    $fixed ctest --test-dir "$directory" -j "$jobs" --output-on-failure --output-junit "$junit" \
        --test-output-size-passed 10000000 --test-output-size-failed 10000000 "$@" >"$log" 2>&1
    status=$?
    counts='0 0 0'
    [ ! -e "$junit" ] || counts=$(awk -f tools/count_tests.awk "$junit")
    # shellcheck disable=SC2086
    set -- $counts
    bad=$2
    [ $status -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    sum "$name" "$1" "$bad" "$3"
    if [ "$bad" -gt 0 ]; then
        grep -vE '^\[( RUN  |       OK)' "$log" >"$log.short"
        show "$log.short" 120
    fi
}

# (the build runs the program, for its man pages)
# shellcheck disable=SC2086
build()
{
    cmake --preset "$1" && $fixed cmake --build --preset "$1" --target "${2:-all}"
}

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

# The program as a whole; tests and benchmarks, which nobody runs of this build, for their warnings. The
# library that tests link is built by clang for the fuzz targets.
build_clang()
{
    build clang regula && tools/syntax.sh build-clang
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
    check 'demo' demo
    check_lines 'README' tools/test_readme.sh build
    check_lines 'reports in a browser' tools/test_web.sh build
    check_lines 'baselines on real data' tools/test_baselines.sh build
fi
check 'build without optional parts' build_without_optional_parts
check 'clang build' build_clang

if check 'TSan build' build tsan threaded_tests; then
    tests 'threaded tests under TSan' build-tsan -L '^threads$'
fi
if check 'ASan and UBSan build' built_ahead; then
    UBSAN_OPTIONS=print_stacktrace=1 tests 'tests under ASan and UBSan' build-asan -LE '^opinion$'
fi
FUZZ_SECONDS=${FUZZ_SECONDS:-5}
export FUZZ_SECONDS
check_lines 'fuzz targets' tools/fuzz.sh

[ -z "$left_out" ] || printf '\nSkipped, counted neither way:%s\n' "$left_out"
seconds=$(($(date +%s) - started))
printf '\n%s min %s s; logs in %s\n' $((seconds / 60)) $((seconds % 60)) "$logs"
printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
