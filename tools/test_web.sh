#!/bin/sh
# test_web.sh - reports: is the bundle what the sources give, and does a real browser show it? One line
# a case; exit 1 if one failed, 77 if node, npm, their packages or chromium cannot be had.
# usage: tools/test_web.sh [BUILD]
set -u

cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
for tool in node npm; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "$tool is not installed (tools/setup.sh --web)"
        exit 77
    fi
done
if [ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 18' 2>/dev/null)" != true ]; then
    echo 'node is older than 18'
    exit 77
fi
CHROMIUM=${CHROMIUM:-$(command -v chromium)}
export CHROMIUM
if [ -z "$CHROMIUM" ]; then
    echo 'chromium is not installed (tools/setup.sh --web)'
    exit 77
fi

box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
trap 'exit 1' INT TERM
failed=0

# try NAME COMMAND...
try()
{
    name=$1
    shift
    if "$@" >"$box/log" 2>&1; then
        echo "ok      $name"
    else
        echo "FAILED  $name"
        tail -n 20 "$box/log" | sed 's/^/        | /'
        failed=1
    fi
}

# Packages are those of package-lock.json, by their digests; what is there already is used as it is.
if ! cmp -s web/package-lock.json web/node_modules/.installed; then
    if ! (cd web && npm ci --ignore-scripts) >"$box/log" 2>&1; then
        echo "npm cannot get its packages: $(grep -m 1 'npm ERR\|npm error' "$box/log")"
        exit 77
    fi
    cp web/package-lock.json web/node_modules/.installed
fi

no_hosts()
{
    ! grep -nE 'https?:|"resolved"' web/package-lock.json
}

pinned()
{
    ! sed '/"engines"/d' web/package.json | grep -nE '": "[\^~*<>]'
}

built()
{
    (cd web && node build.mjs "$box/dist") &&
        cmp web/dist/report.js "$box/dist/report.js" && cmp web/dist/report.css "$box/dist/report.css"
}

# shellcheck disable=SC2317 # called by try
text_only()
{
    ! grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function' web/src/*.ts
}

try 'the list of npm packages names no host' no_hosts
try 'versions of npm packages are exact' pinned
try 'types hold' web/node_modules/.bin/tsc --noEmit -p web
try 'no source makes markup from text' text_only
try 'web/dist is what the sources give' built

node web/test/run.mjs "$build/regula" "$box/reports" ${2:+"$2"} || failed=1
exit $failed
