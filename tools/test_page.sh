#!/bin/sh
# test_page.sh - does a browser of Debian show a report? Nothing but the browser and Python is needed; what
# the page does when it is used is tested by tools/test_web.sh.
# usage: tools/test_page.sh chromium|firefox REPORT.html
#
# One line a case; exit 1 if one failed, 77 if the browser is not there.
set -u

cd "$(dirname "$0")/.." || exit 1
page=$(cd "$(dirname "$2")" && pwd)/$(basename "$2") || exit 1
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0

# text NAME PATTERN: in what the browser made of the page
text()
{
    if grep -qE "$2" "$box/page"; then
        echo "ok      $1"
    else
        echo "FAILED  $1: not found: $2"
        failed=1
    fi
}

case $1 in
chromium)
    browser=${CHROMIUM:-$(command -v chromium)}
    if [ -z "$browser" ]; then
        echo 'chromium is not installed (tools/setup.sh --web)'
        exit 77
    fi
    # Errors of the page are lines of its log. Its own profile, so that nobody else's is locked.
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$box/profile" --enable-logging=stderr \
        --virtual-time-budget=5000 --dump-dom "file://$page" >"$box/page" 2>"$box/log"
    ;;
firefox)
    browser=$(command -v firefox-esr || command -v firefox)
    if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
        echo 'firefox-esr or python3 is not installed (tools/setup.sh --peers)'
        exit 77
    fi
    timeout 90 python3 tools/firefox.py "$browser" "$page" "$box/profile" >"$box/page" 2>"$box/log"
    ;;
*)
    echo "unknown browser: $1"
    exit 2
    ;;
esac
status=$?
if [ $status -ne 0 ]; then
    echo "FAILED  $1 opens the report: exit status $status"
    tail -n 20 "$box/log" | sed 's/^/        | /'
    exit 1
fi
echo "ok      $1 opens the report"
text 'the page has a title' '<h1[ >]'
text 'sections were made by its script' '<h2[ >]'
text 'a chart was drawn' '<(canvas|svg)[ >]'
if grep -E 'CONSOLE.*(Uncaught|[Rr]efused|Error)|^page error' "$box/log" >"$box/errors"; then
    echo 'FAILED  the page reports no error'
    sed 's/^/        | /' "$box/errors"
    failed=1
else
    echo 'ok      the page reports no error'
fi
exit $failed
