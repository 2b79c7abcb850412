#!/bin/sh
# format.sh - every C file looks as .clang-format says. Versions of clang-format differ in detail;
# the project is formatted by 14.
# usage: tools/format.sh [--fix]
# Exit: 0 formatted, 1 not (the files are named), 77 no clang-format 14.
set -eu

cd "$(dirname "$0")/.."
format=
for program in clang-format-14 clang-format; do
    case $($program --version 2>/dev/null || :) in
    *'version 14.'*)
        format=$program
        break
        ;;
    esac
done
if [ -z "$format" ]; then
    echo 'clang-format 14 is not installed'
    exit 77
fi
mode='--dry-run --Werror'
[ "${1:-}" != --fix ] || mode=-i
# shellcheck disable=SC2086 # words
find include src cli tests fuzz bench '(' -name '*.[ch]' -o -name '*.inc' ')' -exec "$format" $mode {} + || exit 1
