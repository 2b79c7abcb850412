#!/usr/bin/env python3
"""wheel.py - packs the Python package and its library: the same input gives the same bytes.

usage: wheel.py LIBRARY DIRECTORY PLATFORM
"""
import base64
import hashlib
import os
import re
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = 'regula_gnn'
MOST = 10_000_000  # bytes of a wheel


def read(*path):
    with open(os.path.join(ROOT, *path), 'rb') as file:
        return file.read()


def main():
    library, directory, platform = sys.argv[1:]
    version = re.search(rb'#define RG_VERSION "([^"]+)"', read('include/regula/base.h')).group(1).decode()
    info = f'{NAME}-{version}.dist-info'
    files = {}
    for name in sorted(os.listdir(os.path.join(ROOT, 'python/regula'))):
        if name.endswith('.py') or name == 'py.typed':
            files[f'regula/{name}'] = read('python/regula', name)
    for name in sorted(os.listdir(os.path.join(ROOT, 'examples/paper'))):
        if name.endswith('.yml'):
            files[f'regula/networks/{name}'] = read('examples/paper', name)
    with open(library, 'rb') as file:
        files['regula/libregula.so'] = file.read()
    files[f'{info}/METADATA'] = (
        'Metadata-Version: 2.1\nName: regula-gnn\n'
        f'Version: {version}\nSummary: Rule based neural networks for graphs\nLicense: Apache-2.0\n'
        'Requires-Python: >=3.10\nRequires-Dist: numpy>=1.22\nClassifier: Typing :: Typed\n'
        'Classifier: Operating System :: POSIX :: Linux\nDescription-Content-Type: text/markdown\n\n'
    ).encode() + read('docs/python.md')
    files[f'{info}/WHEEL'] = (
        f'Wheel-Version: 1.0\nGenerator: regula\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n').encode()
    files[f'{info}/licenses/LICENSE'] = read('LICENSE')
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
        record.append(f'{name},sha256={digest},{len(content)}\n')
    files[f'{info}/RECORD'] = ''.join(record + [f'{info}/RECORD,,\n']).encode()
    path = os.path.join(directory, f'{NAME}-{version}-py3-none-{platform}.whl')
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith('.so') else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, content)
    size = os.path.getsize(path)
    print(f'{path}: {size} bytes')
    return 0 if size < MOST else 1


if __name__ == '__main__':
    sys.exit(main())
