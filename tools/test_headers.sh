#!/bin/sh
# test_headers.sh - every public header stands alone, as strict C11 and, where there is a compiler,
# as C++11 and C++17. One line a header; exit 1 if one failed.
set -eu

cd "$(dirname "$0")/.."
failed=0
cxx=
for program in c++ g++ clang++; do
    if [ -z "$cxx" ] && command -v $program >/dev/null 2>&1; then
        cxx=$program
    fi
done
for header in include/regula/*.h; do
    good=yes
    # A file that includes it: a header given as the main file draws warnings of its own.
    source="#include \"regula/${header##*/}\""
    echo "$source" | cc -x c -std=c11 -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only - || good=no
    if [ -n "$cxx" ]; then
        for standard in c++11 c++17; do
            echo "$source" | $cxx -x c++ -std=$standard -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only - ||
                good=no
        done
    fi
    if [ $good = yes ]; then
        echo "ok      $header"
    else
        echo "FAILED  $header"
        failed=1
    fi
done
exit $failed
