#!/usr/bin/env python3
"""house.py - the rules of the house: rooms, the order of includes, names, and documents that are true.

  house.py [--check]       checks all; one line "ok NAME" or "FAILED NAME: ..." a check, exit 1 if one failed
  house.py --draw FILE     writes the picture of the rooms, made from the includes

The rooms are the table between <!-- rooms --> and <!-- /rooms --> in docs/architecture.md: a room
includes only itself and rooms above it. Python's standard library is all that this needs.

  --root DIRECTORY         another tree than the one that this file is in
"""
import glob
import os
import re
import sys

PICTURE = 'docs/images/house.svg'
ROOMS_IN = 'docs/architecture.md'
DOCUMENTS = ['docs/architecture.md', 'docs/glossary.md', 'CONTRIBUTING.md']
TREES = ['src', 'cli', 'include', 'tests', 'bench', 'fuzz', 'examples']
FILES_WANTED, FILES_MOST = 25, 30  # of a room
NO_ROOMS = {'support', 'data', 'consumer', 'torch', 'sklearn', 'cli', 'web'}  # of tests/: not the name of a room under src/

# Public headers that belong to another room than the first that defines one of their functions.
OWNERS = {'include/regula/model.h': 'src/network'}  # data as a network takes it (rg_source), reports, options

# Words of the past, as parts of names of files and identifiers, with what is said instead.
OLD_WORDS = {
    'lab': 'runner', 'desk': 'queue', 'crew': 'launchers', 'conduct': 'run', 'bench': 'prepared',
    'benches': 'prepared', 'slope': 'gradient', 'slopes': 'gradients', 'turned': 'transposed',
    'alike': 'colours', 'leap': 'newton', 'machine': 'svm or host',
}
# Where such a word is right: (path, identifier).
WORDS_THAT_STAY = {
    ('src/layout/layout_refine.c', 'slope'),  # of a line that is drawn
    ('src/store/host.c', 'machine'),          # a field of struct utsname
}
# Rooms in which a baseline can be meant: what is compared. Below them the word could only be a processor.
RIVALS_FROM = 'src/baseline'


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group(0))


COMMENT = r'/\*.*?\*/|//[^\n]*'
TEXT = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''


def code_of(source):
    """Source without comments and texts; includes keep theirs. Lines keep their numbers."""
    return re.sub(COMMENT + '|' + TEXT, blank, source, flags=re.S)


def without_texts(source):
    return re.sub('(' + COMMENT + ')|' + TEXT, lambda m: m.group(0) if m.group(1) else blank(m), source, flags=re.S)


def line_of(text, position):
    return text.count('\n', 0, position) + 1


class House:
    def __init__(self, root):
        self.root = root
        self.failed = 0
        self.source, self.code, self.owners = {}, {}, {}
        for tree in TREES:
            for directory, folders, files in os.walk(os.path.join(root, tree)):
                folders.sort()
                for name in sorted(files):
                    if name.endswith(('.c', '.h', '.inc')):
                        path = os.path.relpath(os.path.join(directory, name), root)
                        self.source[path] = read(os.path.join(root, path))
                        self.code[path] = code_of(self.source[path])
        self.rooms, self.group, self.sentence = self.read_rooms()
        self.includes = {path: self.includes_of(path) for path in self.source}

    def exists(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def has_document(self, path):
        return os.path.isfile(os.path.join(self.root, path))

    # ---- what there is

    def read_rooms(self):
        rooms, group, sentence = [], {}, {}
        if self.has_document(ROOMS_IN):
            text = read(os.path.join(self.root, ROOMS_IN))
            part = re.search(r'<!-- rooms -->(.*?)<!-- /rooms -->', text, re.S)
            for row in re.findall(r'^\|(.*?)\|(.*?)\|(.*)\|\s*$', part.group(1) if part else '', re.M):
                where, name, what = (cell.strip() for cell in row)
                found = re.fullmatch(r'`((?:src|cli)/[\w/]+?)/?`', name)
                if found:
                    rooms.append(found.group(1))
                    group[found.group(1)], sentence[found.group(1)] = where, what
        return rooms, group, sentence

    def room(self, path):
        """The room that a file is in, None if it is in none (cli/main.c, public headers, tests)."""
        directory = os.path.dirname(path)
        return directory if directory.count('/') >= 1 and path.startswith(('src/', 'cli/')) else None

    def includes_of(self, path):
        """(line, the file) of what it includes by "..." and that is in the tree."""
        found = []
        for m in re.finditer(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', self.source[path], re.M):
            for base in (os.path.dirname(path), 'src', 'include', '.', 'tests', 'fuzz', 'bench'):
                target = os.path.normpath(os.path.join(base, m.group(1)))
                if target in self.source:
                    found.append((line_of(self.source[path], m.start()), target))
                    break
        return found

    def owner(self, path):
        """The room of a file; of a public header the first that defines a function which it declares."""
        if path not in self.owners:
            self.owners[path] = OWNERS.get(path, self.room(path))
            if path.startswith('include/') and path not in OWNERS:
                names = set(re.findall(r'\b(rg_\w+)\(', self.code[path]))
                rooms = {self.room(p) for p, code in self.code.items() if p.endswith('.c') and p.startswith('src/')
                         and names & set(re.findall(r'^[a-z][\w *]*?\b(rg_\w+)\(', code, re.M))}
                self.owners[path] = min(rooms & set(self.rooms), key=self.rooms.index, default=None)
        return self.owners[path]

    def room_edges(self):
        """{room: rooms that it includes}"""
        edges = {room: set() for room in self.rooms}
        for path, targets in self.includes.items():
            own = self.owner(path)
            for _, target in targets:
                other = self.owner(target)
                if own and other and other != own:
                    edges.setdefault(own, set()).add(other)
        return edges

    # ---- the report

    def check(self, name, faults):
        faults = list(faults)
        if faults:
            self.failed += 1
            more = ' (and %d more)' % (len(faults) - 20) if len(faults) > 20 else ''
            print('FAILED %s: %s%s' % (name, '; '.join(faults[:20]), more))
        else:
            print('ok %s' % name)

    # ---- rooms

    def rooms_described(self):
        if not self.rooms:
            yield '%s has no table of rooms' % ROOMS_IN
        there = sorted({self.room(path) for path in self.source} - {None})
        for room in there:
            if room not in self.rooms:
                yield '%s is not in the table of %s' % (room, ROOMS_IN)
        for room in self.rooms:
            if room not in there:
                yield '%s is in the table of %s and not in the tree' % (room, ROOMS_IN)
            if self.rooms.count(room) > 1:
                yield '%s is twice in the table' % room
            if len(self.sentence[room].split()) < 4:
                yield '%s has no sentence' % room

    def includes_in_order(self):
        for path, targets in self.includes.items():
            own = self.room(path)
            for line, target in targets:
                other = self.owner(target)
                if path.startswith(('src/', 'include/')) and target.startswith(('cli/', 'tests/', 'bench/', 'fuzz/')):
                    yield '%s:%d includes %s' % (path, line, target)
                elif path.startswith('cli/') and target.startswith(('tests/', 'bench/', 'fuzz/')):
                    yield '%s:%d includes %s' % (path, line, target)
                elif path.startswith('include/') and target.startswith('src/'):
                    yield '%s:%d includes %s, which is not public' % (path, line, target)
                elif own in self.rooms and other in self.rooms and self.rooms.index(other) > self.rooms.index(own):
                    yield '%s:%d includes %s, a room below' % (path, line, target)

    def no_cycle(self, edges):
        """One line for each node from which a way leads back to it, the first found."""
        state = {}

        def walk(node, way):
            state[node] = 'on the way'
            for other in sorted(edges.get(node, ())):
                if state.get(other) == 'on the way':
                    faults.append(' -> '.join(way[way.index(other):] + [other]))
                elif other not in state:
                    walk(other, way + [other])
            state[node] = 'done'
        faults = []
        for node in sorted(edges):
            if node not in state:
                walk(node, [node])
        return faults

    def headers(self):
        return {path: {t for _, t in targets if t.endswith('.h')}
                for path, targets in self.includes.items() if path.endswith('.h')}

    def rooms_small(self):
        for room in self.rooms:
            n = sum(self.room(path) == room for path in self.source)
            if n > FILES_MOST:
                yield '%s has %d files: more than %d' % (room, n, FILES_MOST)
            elif n > FILES_WANTED:
                print('note: %s has %d files, about %d are wanted' % (room, n, FILES_WANTED))

    def tests_in_rooms(self):
        names = {room.split('/', 1)[1] for room in self.rooms} | NO_ROOMS
        for name in sorted(os.listdir(os.path.join(self.root, 'tests'))):
            if os.path.isdir(os.path.join(self.root, 'tests', name)) and name not in names and name[0] not in '._':
                yield 'tests/%s is no room' % name
        for room in self.rooms:
            if room.startswith('src/') and not self.exists('tests/' + room[4:]):
                yield '%s has no folder in tests/' % room
        for path in self.source:
            if re.match(r'tests/[^/]+\.c$', path):
                yield '%s is in no room' % path

    # ---- names

    def types(self):
        """{name: places} of the types that are defined: struct, enum and union with a body, typedefs."""
        places = {}
        for path, code in self.code.items():
            mine = {}
            for m in re.finditer(r'\b(?:struct|enum|union)\s+(\w+)\s*\{', code):
                mine.setdefault(m.group(1), line_of(code, m.start()))
            for m in re.finditer(r'\btypedef\b', code):
                name = typedef_name(code, m.end())
                if name and not name[1]:
                    mine.setdefault(name[0], line_of(code, m.start()))
            for name, line in mine.items():
                places.setdefault(name, []).append('%s:%d' % (path, line))
        return places

    def types_once(self):
        # A program that is not linked with the rest (an example, the consumer of the installed library) has its own.
        for name, places in sorted(self.types().items()):
            places = [p for p in places if not p.startswith(('examples/', 'tests/consumer/'))]
            if len(places) > 1:
                yield 'type %s: %s' % (name, ', '.join(places))

    def guards(self):
        for path in self.source:
            if not path.endswith('.h') or path.startswith(('examples/',)):
                continue
            short = re.sub(r'^(src/|include/regula/)', '', path)
            wanted = 'REGULA_' + re.sub(r'[^A-Za-z0-9]', '_', short).upper()
            m = re.search(r'^#ifndef (\w+)\n#define (\w+)$', self.code[path], re.M)
            if not m or m.group(1) != m.group(2):
                yield '%s has no guard' % path
            elif m.group(1) != wanted:
                yield '%s has the guard %s, not %s' % (path, m.group(1), wanted)

    def found(self, pattern, trees, leave=()):
        for path, code in self.code.items():
            if path.startswith(trees) and path not in leave:
                for m in re.finditer(pattern, code):
                    yield '%s:%d %s' % (path, line_of(code, m.start()), m.group(0).strip())

    def old_words(self):
        for path, code in self.code.items():
            if not path.startswith(('src/', 'cli/', 'include/')):
                continue
            for part in re.split(r'[/._]', path):
                if part in OLD_WORDS:
                    yield '%s: say %s' % (path, OLD_WORDS[part])
            seen = set()
            for m in re.finditer(r'\b[A-Za-z_]\w*', code):
                name = m.group(0)
                if name in seen or (path, name) in WORDS_THAT_STAY:
                    continue
                seen.add(name)
                for part in set(name.lower().split('_')) & set(OLD_WORDS):
                    yield '%s:%d %s: say %s' % (path, line_of(code, m.start()), name, OLD_WORDS[part])

    def baseline_is_a_rival(self):
        if RIVALS_FROM not in self.rooms:
            yield 'there is no room %s' % RIVALS_FROM
            return
        above = self.rooms[:self.rooms.index(RIVALS_FROM)]
        for path, source in self.source.items():
            if self.room(path) in above:
                for m in re.finditer(r'baseline', without_texts(source), re.I):
                    yield '%s:%d' % (path, line_of(source, m.start()))
            if re.search(r'^src/(?!jobs/).*_baseline\.', path):
                yield path
        for fault in self.found(r'\w*(?:cpu_baseline|baseline_cpu|CPU_BASELINE|int baseline;)\w*', ('src/', 'cli/', 'include/')):
            yield fault

    # ---- documents

    def documents_true(self, document):
        """Every `path` and `symbol` of a document exists."""
        if not self.has_document(document):
            yield 'there is no %s' % document
            return
        text = read(os.path.join(self.root, document))
        for line, quoted in quotes(text):
            fault = self.fault_of(quoted)
            if fault:
                yield '%s:%d %s' % (document, line, fault)

    def file_names_true(self, document):
        """Every NAME.c, NAME.h, NAME.inc and NAME.cmake of a document, also in its drawings, is one of the tree."""
        if not self.has_document(document):
            return
        text = read(os.path.join(self.root, document))
        for m in re.finditer(r'(?<![\w.*/-])[\w*/-]+\.(?:c|h|inc)\b(?![\w.])', text):
            name = re.sub(r'NAME|KIND|CPU', '*', m.group(0)).lstrip('/')
            pattern = re.compile(r'(?:.*/)?' + re.escape(name).replace(r'\*', '[^/]*'))
            if not any(pattern.fullmatch(path) for path in self.source):
                yield '%s:%d there is no file %s' % (document, line_of(text, m.start()), m.group(0))

    def fault_of(self, quoted):
        """Why this text between backticks is not true, or None. What is neither path nor symbol is not asked."""
        if is_path(quoted):
            pattern = re.sub(r'NAME|ROOM|<\w+>', '*', quoted).rstrip('/')
            if not glob.glob(os.path.join(self.root, pattern)):
                return 'there is no file %s' % quoted
        elif is_symbol(quoted):
            name = re.sub(r'^(?:struct|enum|union) |\(\)$', '', quoted)
            if not self.has_symbol(name):
                return 'there is no symbol %s' % quoted
        return None

    def has_symbol(self, name):
        if not hasattr(self, 'symbols'):
            self.symbols = set()
            for code in self.code.values():
                self.symbols.update(re.findall(r'[A-Za-z_]\w*', code))
        if re.search(r'NAME|\*|<\w+>', name):
            pattern = re.compile(re.sub(r'NAME|\\\*|<\w+>', r'\\w+', re.escape(name).replace(r'\<', '<').replace(r'\>', '>')))
            return any(pattern.fullmatch(symbol) for symbol in self.symbols)
        return name in self.symbols

    def pairs_true(self, document):
        """Where a document says `symbol` (`path`), or a row of its tables has both, the path has the symbol."""
        if not self.has_document(document):
            return
        text = read(os.path.join(self.root, document))
        for m in re.finditer(r'`([\w *()]+)`\s*\(`([\w./*]+)`\)', text):
            name, path = re.sub(r'\(\)$', '', m.group(1)), m.group(2)
            files = [os.path.relpath(f, self.root) for f in glob.glob(os.path.join(self.root, path))]
            if is_path(path) and not any(re.search(r'\b%s\b' % re.escape(name), self.code.get(f, '')) for f in files):
                yield '%s:%d %s is not in %s' % (document, line_of(text, m.start()), name, path)

    def walks(self):
        """The four walks: numbered lists, each point of which names a function and the file that defines it."""
        if not self.has_document(ROOMS_IN):
            return
        text = read(os.path.join(self.root, ROOMS_IN))
        part = re.search(r'^## [^\n]*walks[^\n]*\n(.*?)(?=^## |\Z)', text, re.S | re.M | re.I)
        walks = re.split(r'^### ', part.group(1), flags=re.M)[1:] if part else []
        if len(walks) != 4:
            yield '%s has %d walks, not four' % (ROOMS_IN, len(walks))
        for walk in walks:
            title = walk.split('\n', 1)[0]
            points = re.findall(r'^\d+\. (.*?)(?=^\d+\. |^\s*$|\Z)', walk, re.S | re.M)
            if len(points) < 4:
                yield '%s: fewer than four points' % title
            for point in points:
                m = re.match(r'`(\w+)` \(`([\w./]+)`\)', point)
                if not m:
                    yield '%s: a point without `function` (`file`): %s' % (title, point.split('\n')[0][:60])
                elif not re.search(r'\b%s\b\)?\([^;{}]*\)\s*\{' % m.group(1), self.code.get(m.group(2), '')):
                    yield '%s: %s does not define %s' % (title, m.group(2), m.group(1))

    def glossary_rows(self):
        """Each row of the glossary names a file, and a symbol that is in it."""
        document = 'docs/glossary.md'
        if not self.has_document(document):
            return
        n = 0
        for line, row in enumerate(read(os.path.join(self.root, document)).split('\n'), 1):
            cells = [cell.strip() for cell in row.strip().strip('|').split('|')]
            if not row.startswith('|') or set(row) <= set('|-: ') or cells[0] in ('we say', 'here'):
                continue
            n += 1
            quoted = [q for _, q in quotes(row)]
            files = [q for q in quoted if is_path(q)]
            symbols = [q for q in quoted if re.fullmatch(r'\w+', q) and not is_path(q)]
            if not files or not symbols:
                yield '%s:%d names no %s' % (document, line, 'symbol' if files else 'file')
            elif not any(re.search(r'\b%s\b' % s, self.code.get(f, '')) for s in symbols for f in files):
                yield '%s:%d %s is in none of %s' % (document, line, symbols[0], ', '.join(files))
        if not n:
            yield '%s has no rows' % document

    def picture_current(self):
        if not self.has_document(PICTURE) or read(os.path.join(self.root, PICTURE)) != self.draw():
            yield '%s is not what the includes give: run tools/house.py --draw %s' % (PICTURE, PICTURE)

    # ---- all

    def check_all(self):
        self.check('every room is described', self.rooms_described())
        self.check('rooms include only rooms above them', self.includes_in_order())
        self.check('no cycle between rooms', self.no_cycle(self.room_edges()))
        self.check('no cycle between headers', self.no_cycle(self.headers()))
        self.check('no room has more than %d files' % FILES_MOST, self.rooms_small())
        self.check('tests have the rooms of the source', self.tests_in_rooms())
        self.check('no type is defined twice', self.types_once())
        self.check('guards of headers match their paths', self.guards())
        self.check('no goto', self.found(r'\bgoto\b', ('src/', 'cli/')))
        self.check('nothing listens', self.found(r'\b(?:socket|listen)\s*\(', ('src/', 'cli/')))
        self.check('only base/alloc.c allocates',
                   self.found(r'(?<![\w.>])(?:malloc|calloc|realloc|strn?dup)\s*\(', ('src/', 'cli/'), ('src/base/alloc.c',)))
        self.check('the library neither prints nor exits',
                   self.found(r'(?<![\w.>])(?:v?printf|puts|putchar|perror|exit|_exit|abort)\s*\(|\bstd(?:out|err)\b', ('src/',)))
        self.check('words of the past stay there', self.old_words())
        self.check('a baseline is a rival model', self.baseline_is_a_rival())
        for document in DOCUMENTS:
            self.check('files and symbols of %s exist' % document,
                       list(self.documents_true(document)) + list(self.pairs_true(document))
                       + list(self.file_names_true(document)))
        self.check('the four walks name functions and their files', self.walks())
        self.check('each row of the glossary names a file and a symbol', self.glossary_rows())
        self.check('the picture of the rooms is current', self.picture_current())
        return self.failed == 0

    # ---- the picture

    def reduced_edges(self):
        """Includes between rooms, without those that follow from others."""
        edges = self.room_edges()
        below = {}
        for room in self.rooms:  # those above come first
            below[room] = set()
            for other in edges[room]:
                below[room] |= {other} | below.get(other, set())
        return {room: sorted((other for other in edges[room]
                              if not any(other in below.get(mid, ()) for mid in edges[room] if mid != other)),
                             key=self.rooms.index) for room in self.rooms}

    def draw(self):
        return Picture(self).svg()


def typedef_name(code, at):
    """(name, is it a mere name for a struct of the same tag) of the typedef whose text begins at `at`."""
    depth, end = 0, at
    while end < len(code) and (depth > 0 or code[end] != ';'):
        depth += {'{': 1, '}': -1}.get(code[end], 0)
        end += 1
    text = re.sub(r'__attribute__\s*\(\(.*\)\)', '', code[at:end], flags=re.S)
    forward = re.fullmatch(r'\s*(?:struct|enum|union)\s+(\w+)\s+(\w+)\s*', text)
    function = re.search(r'\(\s*\*\s*(\w+)\s*\)\s*\(', text)
    if forward:
        return forward.group(2), forward.group(1) == forward.group(2)
    if function and '{' not in text:
        return function.group(1), False
    plain = re.search(r'(\w+)\s*(?:\[[^\]]*\]\s*|\([^{}]*\)\s*)?$', text)
    return (plain.group(1), False) if plain else None


def quotes(text):
    """(line, text) of all that stands between backticks, outside of blocks of code."""
    fenced = False
    for number, line in enumerate(text.split('\n'), 1):
        if line.lstrip().startswith('```'):
            fenced = not fenced
        elif not fenced and not line.startswith('    '):
            for quoted in re.findall(r'`([^`]+)`', line):
                yield number, quoted


def is_path(quoted):
    top = '|'.join(TREES + ['docs', 'tools', 'cmake', 'web', 'python'])
    return bool(re.fullmatch(r'(?:%s)/[\w./*<>+-]*|[A-Z]\w+\.(?:md|txt)|Makefile' % top, quoted))


def is_symbol(quoted):
    return bool(re.fullmatch(r'(?:(?:struct|enum|union) \w+|(?:rg|RG|cli|CLI)_[\w*<>]+|[a-z]\w*_\w+)(?:\(\))?|\w+\(\)',
                             quoted))


class Picture:
    """Rooms in rows, a row a group of the table; lines are includes that do not follow from others."""
    WIDTH, LEFT, BOX, GAP, ROW = 1080, 118, 26, 10, 66

    def __init__(self, house):
        self.house = house
        self.groups = []
        for room in house.rooms:
            if not self.groups or self.groups[-1][0] != house.group[room]:
                self.groups.append((house.group[room], []))
            self.groups[-1][1].append(room)
        self.place, self.taken = {}, set()  # taken: (row, x) where a line passes
        for row, (_, rooms) in enumerate(self.groups):
            widths = [len(name_of(room)) * 7.4 + 18 for room in rooms]
            space = self.WIDTH - self.LEFT - 16 - sum(widths)
            step = space / (len(rooms) + 1)
            x = self.LEFT + step
            for room, width in zip(rooms, widths):
                self.place[room] = (x, 16 + row * self.ROW, width)
                x += width + step

    def gap(self, row, wish):
        """Where a line passes a row: between two rooms, as near to `wish` as there is room, each line in its own place."""
        boxes = sorted((x, x + width) for x, y, width in self.place.values() if y == 16 + row * self.ROW)
        ends = [self.LEFT - 30] + [end for _, end in boxes]
        starts = [start for start, _ in boxes] + [self.WIDTH - 10]
        places = [x for end, start in zip(ends, starts) for x in range(int(end) + 8, int(start) - 7, 5)
                  if (row, x) not in self.taken]
        best = min(places, key=lambda x: (abs(x - wish), x))
        self.taken.add((row, best))
        return best

    def line(self, above, below):
        """From the bottom of a room to the top of one below it, between the rooms of the rows that it passes; or
        along a row."""
        ax, ay, aw = self.place[above]
        bx, by, bw = self.place[below]
        if ay == by:
            y, bottom = ay + self.BOX / 2, ay + self.BOX
            if not any(ax < x < bx for x, row, _ in self.place.values() if row == ay):
                return 'M%.0f %.0fH%.0f' % (ax + aw, y, bx - 4)
            return 'M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f' % (
                ax + aw * .7, bottom, ax + aw * .7, bottom + 16, bx + bw * .3, bottom + 16, bx + bw * .3, bottom + 4)
        x, y, x1, y1 = ax + aw / 2, ay + self.BOX, bx + bw / 2, by - 4
        out = 'M%.0f %.0f' % (x, y)
        first, last = (int(ay) - 16) // self.ROW + 1, (int(by) - 16) // self.ROW
        for row in range(first, last + 1):
            to = x1 if row == last else self.gap(row, x + (x1 - x) / (last - row + 1))
            top = y1 if row == last else 16 + row * self.ROW - 4
            middle = (y + top) / 2
            out += 'C%.0f %.0f %.0f %.0f %.0f %.0f' % (x, middle, to, middle, to, top)
            if row < last:
                out += 'V%.0f' % (top + self.BOX + 8)
            x, y = to, top + self.BOX + 8
        return out

    def svg(self):
        height = len(self.groups) * self.ROW + 6
        out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
               'aria-label="The rooms of regula and the includes between them">'
               % (self.WIDTH, height, self.WIDTH, height),
               '<!-- Made by tools/house.py from the includes of src/ and cli/. -->',
               '<style>'
               '.g{fill:#f4f5f7}.r{fill:#fff;stroke:#5b6b82}.l{fill:none;stroke:#8a97ab;stroke-width:1.1}'
               'text{font:13px ui-monospace,monospace;fill:#1c2733}.t{font:12px system-ui,sans-serif;fill:#5b6b82}'
               '#a path{fill:#8a97ab}'
               '@media(prefers-color-scheme:dark){.g{fill:#1d232c}.r{fill:#11161d;stroke:#8fa3c0}.l{stroke:#61708a}'
               'text{fill:#e4eaf2}.t{fill:#9fb0c8}#a path{fill:#61708a}}'
               '</style>',
               '<defs><marker id="a" viewBox="0 0 6 6" refX="2" refY="3" markerWidth="6" markerHeight="6" '
               'orient="auto"><path d="M0 0L6 3L0 6z"/></marker></defs>']
        for row, (group, _) in enumerate(self.groups):
            y = 6 + row * self.ROW
            out.append('<rect class="g" x="4" y="%d" width="%d" height="%d" rx="6"/>'
                       % (y, self.WIDTH - 8, self.BOX + 20))
            out.append('<text class="t" x="14" y="%d">%s</text>' % (y + 27, group))
        for room, others in self.house.reduced_edges().items():
            for other in others:
                out.append('<path class="l" marker-end="url(#a)" d="%s"/>' % self.line(other, room))
        for room, (x, y, width) in self.place.items():
            out.append('<g><title>%s/: %s</title><rect class="r" x="%.0f" y="%d" width="%.0f" height="%d" rx="4"/>'
                       '<text x="%.0f" y="%d" text-anchor="middle">%s</text></g>'
                       % (room, plain(self.house.sentence[room]), x, y, width, self.BOX, x + width / 2, y + 18,
                          name_of(room)))
        return '\n'.join(out) + '\n</svg>\n'


def name_of(room):
    return room[4:] if room.startswith('src/') else room


def plain(sentence):
    """Markdown as the text of an SVG."""
    sentence = re.sub(r'\[([^\]]+)\]\([^)]*\)', r'\1', sentence).replace('`', '')
    return sentence.replace('&', '&amp;').replace('<', '&lt;')


def main(arguments):
    root, picture = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), None
    while arguments:
        word = arguments.pop(0)
        if word == '--root' and arguments:
            root = os.path.abspath(arguments.pop(0))
        elif word == '--draw' and arguments:
            picture = os.path.abspath(arguments.pop(0))
        elif word != '--check':
            sys.stderr.write(__doc__)
            return 2
    house = House(root)
    if picture:
        with open(picture, 'w', encoding='utf-8') as f:
            f.write(house.draw())
        return 0
    return 0 if house.check_all() else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
