# count_tests.awk - "PASSED FAILED SKIPPED", summed over the test programs in a JUnit file of ctest.
#
# A program's own count (cmocka's "[  PASSED  ] 7 test(s)") is what counts. A program that fails
# without saying what failed (crash, time-out, sanitizer, not built) is one failure; one that
# succeeds without a count is one pass.

function number(name, at)
{
    if (!match($0, "\\[  " name " *\\] [0-9]+ test\\(s\\)"))
        return 0
    at = substr($0, RSTART, RLENGTH)
    sub(/^[^\]]*\] /, "", at)
    return at + 0
}

/<testcase / {
    p = f = s = 0
    good = /status="run"/
}
{
    p += number("PASSED")
    f += number("FAILED")
    s += number("SKIPPED")
}
/<\/testcase>/ {
    if (!good && !f)
        f = 1
    if (good && !(p + f + s))
        p = 1
    passed += p
    failed += f
    skipped += s
    p = f = s = 0
}
END { print passed + 0, failed + 0, skipped + 0 }
