"""near.py - do two files of vectors.py hold the same numbers, up to rounding?

usage: near.py FILE FILE      exit 1, with the first place, if they do not
"""
import json
import math
import sys


def compare(a, b, place):
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            compare(a[key], b[key], f"{place}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for k, (x, y) in enumerate(zip(a, b)):
            compare(x, y, f"{place}[{k}]")
    elif not (a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float))
                         and math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-8))):
        sys.exit(f"{place}: {a} and {b}")


first, second = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
compare(first, second, sys.argv[1])
