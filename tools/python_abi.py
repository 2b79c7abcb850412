#!/usr/bin/env python3
"""python_abi.py - what the public headers declare, as ctypes.

  python_abi.py           writes python/regula/_abi.py
  python_abi.py --check   compares it with the headers, and sizes and places of fields with a C compiler

Python's standard library and `cc` are all that this needs. The headers go through the preprocessor, so macros
that list things (RG_FORMATS, RG_PROPERTIES) are seen as what they become.
"""
from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from keyword import iskeyword

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, 'python', 'regula', '_abi.py')
HEADER = 'include/regula/regula.h'
NUMBERS = {
    'void': 'None', 'int': 'c_int', 'unsigned': 'c_uint', 'char': 'c_char', 'float': 'c_float', 'double': 'c_double',
    'size_t': 'c_size_t', 'ptrdiff_t': 'c_ssize_t', 'int8_t': 'c_int8', 'uint8_t': 'c_uint8', 'int16_t': 'c_int16',
    'uint16_t': 'c_uint16', 'int32_t': 'c_int32', 'uint32_t': 'c_uint32', 'int64_t': 'c_int64',
    'uint64_t': 'c_uint64',
}
# What Python sees in a field: for type hints.
HINTS = {'c_float': 'float', 'c_double': 'float', 'c_char_p': 'bytes | None', 'c_void_p': 'int | None'}


def preprocessed():
    """The text of our headers alone, after the preprocessor, and the macros that are whole numbers."""
    command = ['cc', '-std=c11', '-U__GNUC__', '-D__extension__=', '-Iinclude', '-E', HEADER]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    ours, lines = False, []
    for line in text.splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            ours = mark.group(1).startswith('include/regula/')
        elif ours:
            lines.append(line)
    macros = {}
    for name in sorted(os.listdir(os.path.join(ROOT, 'include/regula'))):
        with open(os.path.join(ROOT, 'include/regula', name), encoding='utf-8') as file:
            for macro, value in re.findall(r'^#define (RG_\w+) (\d+|INT64_MIN|UINT32_MAX)\b', file.read(), re.M):
                macros[macro] = {'INT64_MIN': -2**63, 'UINT32_MAX': 2**32 - 1}.get(value) or int(value)
    # What a header defines itself is no part of the library.
    return re.sub(r'static inline [^{]*\{[^}]*\}', '', '\n'.join(lines)), macros


class Headers:
    """Enums, structs and functions, in the order of the headers."""

    def __init__(self, text, macros):
        self.constants = dict(macros)
        self.enums, self.structs, self.opaque, self.functions = {}, {}, set(), {}
        for declaration in self.split(text):
            self.take(' '.join(declaration.split()))

    @staticmethod
    def split(text):
        """Declarations, cut at the semicolons outside of braces."""
        depth, start = 0, 0
        for k, letter in enumerate(text):
            depth += (letter == '{') - (letter == '}')
            if letter == ';' and depth == 0:
                yield text[start:k]
                start = k + 1

    def take(self, text):
        enum = re.fullmatch(r'typedef enum \w+ \{(.*)\} (\w+)', text)
        struct = re.fullmatch(r'typedef struct \w+ \{(.*)\} (\w+)', text)
        opaque = re.fullmatch(r'typedef struct (\w+) \1', text)
        function = re.fullmatch(r'([\w \*]+?)(\w+)\((.*)\)', text)
        if enum:
            self.take_enum(enum.group(2), enum.group(1))
        elif struct:
            fields = [self.declared(one) for part in struct.group(1).split(';') for one in self.one_each(part)]
            self.structs[struct.group(2)] = [(name + '_' * iskeyword(name), kind) for name, kind in fields]
        elif opaque:
            self.opaque.add(opaque.group(1))
        elif function and not text.startswith('typedef'):
            self.functions[function.group(2)] = (function.group(1), self.parameters(function.group(3)))
        elif text:
            raise SystemExit(f'python_abi.py: cannot read: {text}')

    def take_enum(self, name, body):
        self.enums[name] = []
        value = -1
        for item in filter(None, (part.strip() for part in body.split(','))):
            key, _, given = (part.strip() for part in item.partition('='))
            value = int(given) if given else value + 1
            self.constants[key] = value
            self.enums[name].append(key)

    @staticmethod
    def one_each(field):
        """`double a, b` as two fields; the stars belong to each name."""
        field = field.strip()
        if not field:
            return []
        if '(' in field:
            return [field]
        first, *more = field.split(',')
        base = re.match(r'(?:const |struct )*\w+', first).group(0)
        return [first] + [f'{base} {name.strip()}' for name in more]

    def parameters(self, text):
        depth, parts, part = 0, [], ''
        for letter in text + ',':
            depth += (letter == '(') - (letter == ')')
            if letter == ',' and depth == 0:
                parts.append(part.strip())
                part = ''
            else:
                part += letter
        return [] if parts == ['void'] else [self.declared(part) for part in parts]

    def declared(self, text):
        """(name, ctypes expression) of `const double *values` and the like."""
        text = text.strip()
        call = re.fullmatch(r'(.*?)\(\*(\w+)\)\((.*)\)', text)
        if call:
            types = [self.ctype(call.group(1))] + [kind for _, kind in self.parameters(call.group(3))]
            return call.group(2), f'CFUNCTYPE({", ".join(types)})'
        array = re.fullmatch(r'(.*?)(\w+)\s*((?:\[\w+\])+)', text)
        if array:
            kind = self.ctype(array.group(1))
            for length in reversed(re.findall(r'\[(\w+)\]', array.group(3))):
                kind = f'({kind} * {self.constants.get(length) or int(length)})'
            return array.group(2), kind
        plain = re.fullmatch(r'(.*?)(\w+)', text)
        return plain.group(2), self.ctype(plain.group(1))

    def ctype(self, text):
        stars = text.count('*')
        base = re.sub(r'\b(const|struct)\b|\*', ' ', text).split()
        if base == ['unsigned', 'int']:
            base = ['unsigned']
        if len(base) != 1:
            raise SystemExit(f'python_abi.py: no type: {text}')
        name = base[0]
        if name in self.opaque or (name == 'void' and stars):
            kind, stars = 'c_void_p', stars - 1
        elif name == 'char' and stars:
            kind, stars = 'c_char_p', stars - 1
        elif name in NUMBERS:
            kind = NUMBERS[name]
        elif name in self.enums:
            kind = 'c_int'
        elif name in self.structs:
            kind = name
        else:
            raise SystemExit(f'python_abi.py: not declared before it is used: {name}')
        return 'POINTER(' * stars + kind + ')' * stars


def hint(kind):
    if kind in HINTS:
        return HINTS[kind]
    if kind.startswith('c_'):
        return 'int'
    return 'Any' if '(' in kind else kind


def generated(headers):
    lines = ['"""What the public headers declare; written by tools/python_abi.py, not by hand."""',
             'from __future__ import annotations', '',
             'from ctypes import (', '    CFUNCTYPE,', '    POINTER,', '    Structure,']
    # Everything that is used, and nothing else.
    body = []
    for name in sorted(headers.constants):
        body.append(f'{name} = {headers.constants[name]}')
    for name, fields in headers.structs.items():
        body += ['', '', f'class {name}(Structure):']
        body += [f'    {field}: {hint(kind)}' for field, kind in fields]
        body += ['    _fields_ = [']
        body += [f'        ("{field}", {kind}),' for field, kind in fields]
        body += ['    ]']
    body += ['', '', '# name: (result, parameters)', 'FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {']
    for name in sorted(headers.functions):
        result, parameters = headers.functions[name]
        kinds = ', '.join(kind for _, kind in parameters)
        line = f'    "{name}": ({headers.ctype(result)}, [{kinds}]),'
        if len(line) > 118:
            body += [f'    "{name}": (', f'        {headers.ctype(result)},', '        [']
            body += [f'            {kind},' for _, kind in parameters]
            body += ['        ],', '    ),']
        else:
            body.append(line)
    body.append('}')
    used = {word for line in body for word in re.findall(r'\bc_\w+', line)}
    lines += [f'    {word},' for word in sorted(used)] + [')', 'from typing import Any', '']
    return '\n'.join(lines + body) + '\n'


def layout_differences(headers):
    """Sizes and places of all fields: what ctypes computes against what the compiler does."""
    spec = importlib.util.spec_from_file_location('abi', OUT)
    abi = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(abi)
    source = ['#include <regula/regula.h>', '#include <stdio.h>', 'int main(void)', '{']
    expected = []
    for name, fields in headers.structs.items():
        source.append(f'    printf("%zu\\n", sizeof({name}));')
        expected.append((name, __import__('ctypes').sizeof(getattr(abi, name))))
        for field, _ in fields:
            source.append(f'    printf("%zu\\n", offsetof({name}, {field.rstrip("_")}));')
            expected.append((f'{name}.{field}', getattr(getattr(abi, name), field).offset))
    for name, value in headers.constants.items():
        if value < 2**31 and value > -2**31:
            source.append(f'    printf("%d\\n", (int){name});')
            expected.append((name, value))
    with tempfile.TemporaryDirectory() as box:
        path = os.path.join(box, 'layout')
        with open(path + '.c', 'w', encoding='utf-8') as file:
            file.write('\n'.join(source + ['    return 0;', '}', '']))
        subprocess.run(['cc', '-std=c11', '-Iinclude', path + '.c', '-o', path], cwd=ROOT, check=True)
        found = subprocess.run([path], check=True, capture_output=True, text=True).stdout.split()
    return [f'{name}: ctypes has {own}, C has {other}' for (name, own), other in zip(expected, found)
            if own != int(other)], len(expected)


def main():
    headers = Headers(*preprocessed())
    text = generated(headers)
    if sys.argv[1:] != ['--check']:
        with open(OUT, 'w', encoding='utf-8') as file:
            file.write(text)
        print(f'{len(headers.functions)} functions, {len(headers.structs)} structs')
        return 0
    with open(OUT, encoding='utf-8') as file:
        if file.read() != text:
            print('FAILED python/regula/_abi.py is not what the headers declare: run tools/python_abi.py')
            return 1
    print(f'ok python/regula/_abi.py has {len(headers.functions)} functions as the headers declare them')
    differences, n = layout_differences(headers)
    for line in differences:
        print(f'FAILED {line}')
    if not differences:
        print(f'ok {n} sizes, places of fields and constants are those of the C compiler')
    return 1 if differences else 0


if __name__ == '__main__':
    sys.exit(main())
