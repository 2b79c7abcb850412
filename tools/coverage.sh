#!/bin/sh
# coverage.sh - run the tests in the coverage build and print the line coverage of src/ and cli/,
# file by file. A line counts as covered if any program ran it: the tests' library or regula itself.
set -eu

cd "$(dirname "$0")/.."
cmake --preset coverage >/dev/null
cmake --build --preset coverage
find build-coverage -name '*.gcda' -exec rm -f {} +
status=0
ctest --test-dir build-coverage --output-on-failure -j 2 || status=1

# gcov's text: "   count:  line:source". "-" is no code, "#####" and "=====" were never reached.
# From .gcno and not .gcda, so that a file that no test touches counts with 0.
find build-coverage -name '*.gcno' -exec gcov --stdout {} + 2>/dev/null | awk -F: -v root="$PWD/" '
    $3 == "Source" && $2 + 0 == 0 {
        file = $4
        sub("^" root, "", file)
        wanted = file ~ /^(src|cli)\//
        next
    }
    wanted && $2 + 0 > 0 {
        count = $1
        gsub(/[ *]/, "", count)
        if (count == "-")
            next
        key = file SUBSEP ($2 + 0)
        if (!(key in lines)) {
            lines[key] = 1
            total[file]++
        }
        if (count !~ /^[#=]/ && !(key in covered)) {
            covered[key] = 1
            ran[file]++
        }
    }
    END {
        for (file in total) {
            printf "%6.1f %%  %5d of %5d lines  %s\n", 100 * ran[file] / total[file], ran[file],
                total[file], file | "sort -k 7"
            all += total[file]
            all_ran += ran[file]
        }
        close("sort -k 7")
        printf "%6.1f %%  %5d of %5d lines  in all\n", all ? 100 * all_ran / all : 0, all_ran, all
    }'
exit $status
