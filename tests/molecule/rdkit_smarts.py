#!/usr/bin/env python3
"""rdkit_smarts.py - patterns of atoms in tables of molecules, as regula and as RDKit find them.

usage: rdkit_smarts.py REGULA TABLE.csv [...]

For every pattern below, the molecules that have it (HasSubstructMatch), and how many occurrences hold each atom
(GetSubstructMatches, each set of atoms once), must agree for 99.9 % of molecules: models of aromaticity differ in a
few. Only the first 4,000 molecules of a table are read.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from rdkit import Chem, RDLogger

from rdkit_atoms import rows

LIMIT = 0.999
MOST = 4000
PATTERNS = '''
[N+](=O)[O-]
c1ccccc1
[CX3](=O)[OX2H1]
[CX3](=O)[OX2H0][#6]
[NX3;H2,H1;!$(NC=O)]
[NX3][CX3](=[OX1])[#6]
[OX2H][cX3]:[c]
[#6][CX3](=O)[#6]
[CX3H1](=O)[#6]
[F,Cl,Br,I]
[NX1]#[CX2]
[SX4](=[OX1])(=[OX1])([#6])[#6]
[#16X4](=O)(=O)[NX3]
[$([NX3](=O)=O),$([NX3+](=O)[O-])][!#8]
[R]!@[R]
[r5]
[r6;!a]
[x3]
*1~*~*~*~*~1
a1aaaaa1
[nH]
[n;H0;D2]
[#7;+]
[v3]
[v5,v6]
[D4]
[h3]
[!#6;!#1;R]
[$(C=O);!$(C(=O)O)]
C=,#C
C=C-C=C
[CH2][CH2][CH2]
[#8]~[#6]~[#7]
c-!@c
c:n
[O-]C=O
[C;D3](=[O,S])[N,O]
C(C)(C)C
[13C,2H]
[X4;R]
'''.split()


def ours(regula, path, patterns):
    """For each pattern a list with the counts of the atoms of each molecule."""
    result = []
    for pattern in patterns:
        spec = "pattern(smarts('%s'))" % pattern
        out = path + '.labels'
        told = subprocess.run([regula, 'label', path, '--labels', spec, '--out', out, '--describe', '--json', '--quiet'],
                              check=True, capture_output=True, text=True).stdout
        meaning = {}
        for item in json.loads(told)['histogram']:
            count = re.match(r'in (\d+) x ', item['meaning'])
            meaning[str(item['label'])] = int(count.group(1)) if count else 0
        with open(out) as f:
            result.append([[meaning[label] for label in line.split()] for line in f])
    return result


def main():
    RDLogger.DisableLog('rdApp.*')
    n = n_wrong = n_has = 0
    for table in sys.argv[2:]:
        texts = rows(table)[:MOST]
        mols = [(text, Chem.MolFromSmiles(text)) for text in texts]
        mols = [(text, mol) for text, mol in mols if mol is not None and mol.GetNumAtoms()]
        with tempfile.TemporaryDirectory() as box:
            path = os.path.join(box, 'x.smi')
            with open(path, 'w') as f:
                f.writelines('%s %d\n' % (text, k) for k, (text, _) in enumerate(mols))
            info = subprocess.run([sys.argv[1], 'data', 'info', path, '--json', '--no-copies', '--quiet'], check=True,
                                  capture_output=True, text=True).stdout
            left_out = {item['line'] - 1 for item in json.loads(info)['left_out']}
            mols = [pair for k, pair in enumerate(mols) if k not in left_out]
            counts = ours(sys.argv[1], path, PATTERNS)
        wrong_here = collections.Counter()
        for pattern, found in zip(PATTERNS, counts):
            query = Chem.MolFromSmarts(pattern)
            for (text, mol), own in zip(mols, found):
                theirs = [0] * mol.GetNumAtoms()
                for match in mol.GetSubstructMatches(query, uniquify=True, maxMatches=1000000):
                    for atom in match:
                        theirs[atom] += 1
                n += 1
                n_has += any(theirs)
                if theirs != own:
                    wrong_here[pattern] += 1
                    if wrong_here[pattern] <= 2:
                        atoms = [i for i, (a, b) in enumerate(zip(theirs, own)) if a != b]
                        print('%s: %s in %s: not the same at atoms %s' % (os.path.basename(table), pattern, text[:100],
                                                                          atoms))
        n_wrong += sum(wrong_here.values())
    share = 1 - n_wrong / n if n else 0
    print('%d patterns, %d molecules with one of them: %d of %d agree in every atom: %.4f %%' % (
        len(PATTERNS), n_has, n - n_wrong, n, 100 * share))
    return share < LIMIT


if __name__ == '__main__':
    sys.exit(main())
