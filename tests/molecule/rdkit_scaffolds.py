#!/usr/bin/env python3
"""rdkit_scaffolds.py - scaffolds of tables of molecules, as regula and as RDKit find them.

usage: rdkit_scaffolds.py REGULA TABLE.csv [...]

The scaffold that regula writes must be RDKit's, without stereo, for 99 % of the molecules that both read.
"""
import os
import subprocess
import sys
import tempfile

from rdkit import Chem, RDLogger
from rdkit.Chem.Scaffolds import MurckoScaffold

from rdkit_smiles import convert, read

LIMIT = 0.99


def main():
    RDLogger.DisableLog('rdApp.*')
    n = n_same = 0
    for path in sys.argv[2:]:
        smiles, shown = read(path), 0
        with tempfile.TemporaryDirectory() as box:
            ours = convert(sys.argv[1], box, smiles, '--scaffold')
        for text, own in zip(smiles, ours):
            mol = Chem.MolFromSmiles(text) if text else None
            if mol is None or own is None or not mol.GetNumAtoms():
                continue
            flat = Chem.MolFromSmiles(Chem.MolToSmiles(mol, isomericSmiles=False))
            theirs = MurckoScaffold.MurckoScaffoldSmiles(mol=flat) if flat else None
            back, again = Chem.MolFromSmiles(own), Chem.MolFromSmiles(theirs or '')
            if again is None:    # RDKit cannot read what it wrote
                continue
            same = back is not None and Chem.MolToSmiles(again) == Chem.MolToSmiles(back)
            n += 1
            n_same += same
            if not same and shown < 3:
                shown += 1
                print('%s: %s: %s, not %s' % (os.path.basename(path), text, own, theirs))
    print('%d of %d scaffolds agree: %.3f %%' % (n_same, n, 100 * n_same / max(n, 1)))
    return n_same < LIMIT * n


if __name__ == '__main__':
    sys.exit(main())
