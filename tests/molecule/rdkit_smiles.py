#!/usr/bin/env python3
"""rdkit_smiles.py - SMILES and SDF as regula writes them, read back by regula and by RDKit.

usage: rdkit_smiles.py REGULA FILE [...]       files of SMILES (.smi, .smi.gz) and tables (.csv)

Shares of the molecules that both programs read, each of which must reach its limit:
  stable   the SMILES that regula writes is what it writes for it again
  same     RDKit sees the same molecule in it, stereo included
  order    atoms in a random order (RDKit's) give the same SMILES
  kekule   so do the Kekule structures that regula and RDKit write
  sdf      so does the SDF that regula writes, without stereo
RDKit comes from the Python package index (pip install rdkit).
"""
import csv
import gzip
import os
import random
import subprocess
import sys
import tempfile

from rdkit import Chem, RDLogger

LIMITS = {'stable': 0.999, 'same': 0.995, 'order': 0.995, 'kekule': 0.995, 'sdf': 0.995}
SHOWN = int(os.environ.get('SHOWN', '3'))
MOST = int(os.environ.get('MOST', '1000000'))


def read(path):
    if path.endswith('.csv'):
        with open(path, newline='', encoding='utf-8-sig') as f:
            table = csv.DictReader(f)
            column = next(name for name in table.fieldnames if 'smiles' in name.lower())
            return [row[column].strip() for row in table]
    with (gzip.open(path, 'rt') if path.endswith('.gz') else open(path)) as f:
        return [line.split()[0] if line.split() else '' for line in f]


def convert(regula, box, smiles, *options):
    """What regula writes for each of them; None: it could not be read."""
    path = os.path.join(box, 'x.smi')
    with open(path, 'w') as f:
        f.writelines('%s %d\n' % (s or '?', k) for k, s in enumerate(smiles))
    out = subprocess.run([regula, 'data', 'convert', path, '--to', 'smi', *options], check=True, capture_output=True,
                         text=True).stdout
    written = dict(line.rstrip('\n').split('\t')[::-1] for line in out.splitlines())
    return [written.get(str(k)) for k in range(len(smiles))]


def through_sdf(regula, box, smiles):
    path = os.path.join(box, 'x.smi')
    with open(path, 'w') as f:
        f.writelines('%s %d\n' % (s or '?', k) for k, s in enumerate(smiles))
    subprocess.run([regula, 'data', 'convert', path, '--to', 'sdf', '--out', box], check=True, capture_output=True)
    read = subprocess.run([regula, 'data', 'convert', os.path.join(box, 'x.sdf'), '--to', 'smi'], capture_output=True,
                          text=True)
    if read.returncode:    # 3: molecules were left out
        print('%d: %s' % (read.returncode, '; '.join(read.stderr.splitlines()[:SHOWN])))
    out = read.stdout
    written = dict(line.rstrip('\n').split('\t')[::-1] for line in out.splitlines())
    return [written.get(str(k)) for k in range(len(smiles))]


def flat(smiles):
    return smiles and smiles.replace('@', '').replace('/', '').replace('\\', '')


def theirs(smiles):
    mol = Chem.MolFromSmiles(smiles) if smiles else None
    return mol and Chem.MolToSmiles(mol)


def respell(mol, kekule):
    if kekule:
        mol = Chem.Mol(mol)
        Chem.Kekulize(mol, clearAromaticFlags=True)
        return Chem.MolToSmiles(mol, kekuleSmiles=True, canonical=False)
    return Chem.MolToSmiles(mol, doRandom=True)


def main():
    RDLogger.DisableLog('rdApp.*')
    random.seed(1)
    right, n = dict.fromkeys(LIMITS, 0), 0
    for path in sys.argv[2:]:
        shown = dict.fromkeys(LIMITS, 0)
        smiles = read(path)
        if len(smiles) > MOST:
            smiles = random.sample(smiles, MOST)
        with tempfile.TemporaryDirectory() as box:
            def ours(texts, *options):
                return convert(sys.argv[1], box, texts, *options)
            first = ours(smiles)
            mols = [Chem.MolFromSmiles(s) if s else None for s in smiles]
            both = [k for k in range(len(smiles)) if first[k] and mols[k] is not None and mols[k].GetNumAtoms()]
            first, mols, smiles = ([x[k] for k in both] for x in (first, mols, smiles))
            again = ours(first)
            moved = ours([respell(mol, False) for mol in mols])
            own = ours(ours(smiles, '--kekule'))
            rdkit = ours([respell(mol, True) for mol in mols])
            sdf = through_sdf(sys.argv[1], box, smiles)
        for k, text in enumerate(first):
            results = {'stable': (text, again[k]), 'same': (Chem.MolToSmiles(mols[k]), theirs(text)),
                       'order': (text, moved[k]), 'kekule': ((text, text), (own[k], rdkit[k])),
                       'sdf': (flat(text), flat(sdf[k]))}
            if results['sdf'][0] != results['sdf'][1] and '[' in text:    # brackets that stereo alone needs
                plain = Chem.MolFromSmiles(text), Chem.MolFromSmiles(sdf[k] or '')
                if plain[0] and plain[1]:
                    results['sdf'] = tuple(Chem.MolToSmiles(m, isomericSmiles=False) for m in plain)
            for what, (a, b) in results.items():
                right[what] += a == b
                if a != b and shown[what] < SHOWN:
                    shown[what] += 1
                    print('%s: %s: %s: %s, not %s' % (os.path.basename(path), what, smiles[k], b, a))
        n += len(first)
    for what in LIMITS:
        print('%-7s %d of %d: %.3f %%' % (what, right[what], n, 100 * right[what] / max(n, 1)))
    return any(right[what] < LIMITS[what] * n for what in LIMITS)


if __name__ == '__main__':
    sys.exit(main())
