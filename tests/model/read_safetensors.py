"""Reads a model file without the program's help, and says what is in it: a line for each text and
each tensor, with the sum of its numbers. Where the package safetensors is installed, it must see
the same. Exit 1 if the digest of the file is not that of its content."""
import hashlib
import json
import struct
import sys

with open(sys.argv[1], "rb") as file:
    whole = file.read()
start = 8 + struct.unpack("<Q", whole[:8])[0]
header = json.loads(whole[8:start])
texts = header.pop("__metadata__", {})
claimed = texts.pop("regula.digest", None)


def length(n):
    return struct.pack("<Q", n)


def text(t):
    return length(len(t.encode())) + t.encode()


content = [length(len(texts))]
for key in sorted(texts, key=str.encode):
    content += [text(key), text(texts[key])]
    print(key, "=", repr(texts[key]))
content.append(length(len(header)))
for name in sorted(header, key=str.encode):
    dtype, shape, (begin, end) = (header[name][k] for k in ("dtype", "shape", "data_offsets"))
    data = whole[start + begin:start + end]
    code, size = {"I64": "q8", "F64": "d8", "F32": "f4", "U32": "I4", "I32": "i4", "U8": "B1"}[dtype]
    assert (start + begin) % int(size) == 0, name
    content += [text(name), text(dtype), length(len(shape)), *map(length, shape), data]
    numbers = struct.unpack("<%d%s" % (len(data) // int(size), code), data)
    print(name, dtype, shape, sum(numbers))
try:
    import safetensors
except ImportError:
    pass
else:
    seen = dict(safetensors.deserialize(whole))
    assert sorted(seen) == sorted(header)
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        assert list(seen[name]["shape"]) == entry["shape"], name
        assert bytes(seen[name]["data"]) == whole[start + begin:start + end], name
sys.exit(hashlib.sha256(b"".join(content)).hexdigest() != claimed)
