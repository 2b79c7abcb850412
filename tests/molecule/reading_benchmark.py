#!/usr/bin/env python3
"""reading_benchmark.py - the SMILES reading benchmark: hydrogens, and two spellings of one molecule.

usage: reading_benchmark.py REGULA FOLDER

FOLDER has NAME.smi.gz, the same molecules as different programs write them (chembl.smi.gz: Kekule structures), and
A_reading_NAME.txt.gz, the hydrogens of each atom that program A reads there. Two things are measured, over all
molecules:
  hydrogens   of the atoms of NAME.smi.gz, where all programs that read a molecule agree: 99.9 %
  spellings   the canonical SMILES that regula writes for NAME.smi.gz and for chembl.smi.gz are the same text: 99.5 %
Nothing but Python is needed. https://github.com/nextmovesoftware/smilesreading
"""
import glob
import gzip
import os
import subprocess
import sys

HYDROGENS, SPELLINGS = 0.999, 0.995
SHOWN = int(os.environ.get('SHOWN', '3'))


def convert(regula, path, to):
    return subprocess.run([regula, 'data', 'convert', path, '--to', to], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout.splitlines()


def read(path):
    """Number of a molecule: its hydrogens, as text; None: refused."""
    rows = {}
    with gzip.open(path, 'rt') as f:
        for line in f:
            words = line.split()
            if words:
                rows[words[0]] = words[1:] if all(word.isdigit() for word in words[1:]) else None
    return rows


def share(what, n_right, n, limit, wrong):
    print('%s: %d of %d: %.3f %%' % (what, n_right, n, 100 * n_right / n))
    for text in wrong[:SHOWN]:
        print('  ' + text[:200])
    return n_right < limit * n


def hydrogens(regula, folder, path):
    name = os.path.basename(path)[:-len('.smi.gz')]
    others = [read(other) for other in sorted(glob.glob(os.path.join(folder, '*_reading_%s.txt.gz' % name)))]
    if not others:
        return False
    own = {}
    for line in convert(regula, path, 'hydrogens'):
        words = line.split()
        own[words[1 if words[0] == '#' else 0]] = None if words[0] == '#' else words[1:]
    n = right = 0
    wrong = []
    for number in own:
        told = [other.get(number) for other in others if other.get(number) is not None]
        if not told or any(one != told[0] for one in told):
            continue
        n += 1
        right += own[number] == told[0]
        if own[number] != told[0]:
            wrong.append('molecule %s: regula %s, the others %s' % (number, own[number], told[0]))
    return share('hydrogens of %s, %d programs' % (name, len(others)), right, n, HYDROGENS, wrong)


def texts(regula, path):
    return dict(line.split('\t')[::-1] for line in convert(regula, path, 'smi'))


def main():
    regula, folder = sys.argv[1:3]
    failed = False
    paths = sorted(glob.glob(os.path.join(folder, '*.smi.gz')))
    for path in paths:
        failed |= hydrogens(regula, folder, path)
    kekule = texts(regula, os.path.join(folder, 'chembl.smi.gz'))
    for path in paths:
        name = os.path.basename(path)[:-len('.smi.gz')]
        if name == 'chembl':
            continue
        own = texts(regula, path)
        wrong = ['molecule %s: %s and %s' % (number, kekule[number], own.get(number, 'refused'))
                 for number in kekule if own.get(number) != kekule[number]]
        failed |= share('spellings of chembl and %s' % name, len(kekule) - len(wrong), len(kekule), SPELLINGS, wrong)
    return failed


if __name__ == '__main__':
    sys.exit(main())
