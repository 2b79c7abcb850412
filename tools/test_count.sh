#!/bin/sh
# test_count.sh - count_tests.awk on reports whose sum is known. One line a case.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
report=$(mktemp)
trap 'rm -f "$report"' EXIT
failed=0

# count NAME EXPECTED: of what was reported since the last count
count()
{
    got=$(awk -f "$here/count_tests.awk" "$report")
    if [ "$got" = "$2" ]; then
        echo "ok      $1"
    else
        echo "FAILED  $1: $got, not $2"
        failed=1
    fi
    : >"$report"
}

# program STATUS LINE...
program()
{
    {
        printf '\t<testcase name="test_x" classname="test_x" time="0.1" status="%s">\n' "$1"
        shift
        printf '\t\t<system-out>[==========] Running tests.\n'
        printf '%s\n' "$@"
        printf '</system-out>\n\t</testcase>\n'
    } >>"$report"
}

program run '[  PASSED  ] 7 test(s).'
count 'all passed' '7 0 0'

program run '[  PASSED  ] 7 test(s).' '[  PASSED  ] 2 test(s).'
count 'two groups' '9 0 0'

program run '[  PASSED  ] 7 test(s).' '[  SKIPPED ] 2 test(s), listed below:' '[  SKIPPED ] a'
count 'some skipped' '7 0 2'

program fail '[  FAILED  ] a' '[  PASSED  ] 3 test(s).' '[  FAILED  ] 2 test(s), listed below:' \
    '[  FAILED  ] a' '[  FAILED  ] b' ' 2 FAILED TEST(S)'
count 'some failed' '3 2 0'

program fail '[ RUN      ] a' 'Segmentation fault'
count 'a crash' '0 1 0'

program fail '[  PASSED  ] 3 test(s).' 'ERROR: LeakSanitizer'
count 'a leak at the end' '3 1 0'

program notrun 'Unable to find executable'
count 'a program that was not built' '0 1 0'

program run '12 cases'
count 'a program without a count' '1 0 0'

program run '[  PASSED  ] 7 test(s).'
program fail 'Timeout'
program run 'noise[  PASSED  ] 20 test(s).'
count 'several programs' '27 1 0'

count 'no report' '0 0 0'
exit $failed
