#!/bin/sh
# fuzz.sh - build the fuzz targets and run each for FUZZ_SECONDS (20), two at a time.
# usage: tools/fuzz.sh [NAME...]      NAME as in fuzz/fuzz_NAME.c; none: all of them
#        tools/fuzz.sh --build        builds the targets, and the program, and runs nothing
#
# FUZZ_TOTAL: seconds that all targets share instead, each at least one.
# FUZZ_PRESET: fuzz, which builds fast (what it leaves out stands in CMakePresets.json), or fuzz-whole.
# Every target first runs all inputs of fuzz/seeds/NAME and of build-fuzz/corpus/NAME, where it keeps what
# it finds, however long that takes. An input that fails is left in build-fuzz/failures. One line a
# target: "ok NAME" or "FAILED NAME".
# Exit: 0 all well, 1 a target failed, 77 clang cannot build fuzz targets here.
set -eu

cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-20}

if [ "${1:-}" = --one ]; then # called below, for one target
    name=$2
    seeds=
    [ ! -d "fuzz/seeds/$name" ] || seeds=fuzz/seeds/$name
    mkdir -p "build-fuzz/corpus/$name" build-fuzz/failures
    # Address space randomisation of new kernels is more than the sanitizers of clang 14 can take.
    fixed=
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        fixed="setarch $(uname -m) -R"
    fi
    # Files of a target lie in memory where that can be, and go when it has ended, however it did.
    TMPDIR=$(mktemp -d /dev/shm/regula-fuzz-XXXXXX 2>/dev/null || mktemp -d)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
    # What was freed is watched for a while, not until 256 MB are: those would be new pages all the time.
    export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=8}"
    # shellcheck disable=SC2086 # words
    if $fixed "build-fuzz/fuzz/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=2048 \
        -timeout=20 -print_final_stats=1 -artifact_prefix="build-fuzz/failures/$name-" \
        "build-fuzz/corpus/$name" $seeds >"build-fuzz/log/$name" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build-fuzz/log/$name")
        echo "ok $name: $runs inputs in $seconds s"
        exit 0
    fi
    echo "FAILED $name: see build-fuzz/log/$name and build-fuzz/failures; the end of the log:"
    tail -n 30 "build-fuzz/log/$name" | sed 's/^/    | /'
    exit 1
fi

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n ? -1 : 0; }' \
    >"$probe/probe.c"
if ! clang -fsanitize=fuzzer,address,undefined "$probe/probe.c" -o "$probe/probe" 2>/dev/null; then
    echo "clang cannot build fuzz targets here (install clang and libclang-rt-dev)"
    exit 77
fi

mkdir -p build-fuzz/log
targets=fuzz_targets
[ "${1:-}" != --build ] || targets="fuzz_targets regula"
preset=${FUZZ_PRESET:-fuzz}
# shellcheck disable=SC2086 # words
if ! { cmake --preset "$preset" && cmake --build --preset "$preset" --target $targets; } >build-fuzz/log/build 2>&1; then
    cat build-fuzz/log/build
    exit 1
fi
[ "${1:-}" != --build ] || exit 0
if [ $# -eq 0 ]; then
    for file in fuzz/fuzz_*.c; do
        [ -e "$file" ] || continue
        name=${file#fuzz/fuzz_}
        set -- "$@" "${name%.c}"
    done
fi
[ $# -gt 0 ] || exit 0
if [ -n "${FUZZ_TOTAL:-}" ]; then
    FUZZ_SECONDS=$((FUZZ_TOTAL / $#))
    [ "$FUZZ_SECONDS" -ge 1 ] || FUZZ_SECONDS=1
    export FUZZ_SECONDS
fi
status=0
printf '%s\n' "$@" | xargs -n 1 -P 2 tools/fuzz.sh --one || status=1
exit $status
