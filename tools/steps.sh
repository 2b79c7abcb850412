# steps.sh - what check.sh and check_peers.sh share: steps that are timed, logged and counted. Every test of
# a test program counts, and every other check counts as one. The caller has set $logs.
# shellcheck shell=sh disable=SC2154
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

# cpu: seconds of processor time that this script's programs took so far, user and system, as far as they
# have ended. (`times` tells of the shell that it runs in, so it cannot stand in a substitution.)
cpu()
{
    times >"$logs/times"
    cpu_seconds=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5) }' "$logs/times")
}

# begin NAME: the clocks and the log of a step
begin()
{
    name=$1
    log=$logs/$(printf '%s' "$name" | tr -c 'a-zA-Z0-9' '_').log
    step_started=$(date +%s)
    cpu
    step_cpu=$cpu_seconds
}

report()
{
    cpu
    step_seconds=$(($(date +%s) - step_started))
    printf '%-8s %s (%s s, CPU %s s)\n' "$1" "$2" $step_seconds $((cpu_seconds - step_cpu))
    printf '| %s | %s | %s | %s |\n' "$2" "$1" $step_seconds $((cpu_seconds - step_cpu)) >>"$logs/table"
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

# build PRESET [TARGET] (the build runs the program, for its man pages)
# shellcheck disable=SC2086
build()
{
    cmake --preset "$1" && $fixed cmake --build --preset "$1" --target "${2:-all}"
}

# The count, as the last line; exit 1 if something failed.
finish()
{
    [ -z "$left_out" ] || printf '\nSkipped, counted neither way:%s\n' "$left_out"
    seconds=$(($(date +%s) - started))
    cpu
    printf '\n%s min %s s, CPU %s s; logs in %s\n' $((seconds / 60)) $((seconds % 60)) "$cpu_seconds" "$logs"
    printf '%s passed, %s failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}
