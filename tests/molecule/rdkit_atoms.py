#!/usr/bin/env python3
"""rdkit_atoms.py - every atom and bond of tables of molecules, as regula and as RDKit reads them.

usage: rdkit_atoms.py REGULA TABLE.csv [...]

Element, charge, hydrogens, aromatic flag, ring membership and bonds must agree for 99.9 % of the atoms. What only
one of the two reads is listed with the reason. RDKit comes from the Python package index (pip install rdkit).
"""
import csv
import os
import subprocess
import sys
import tempfile

from rdkit import Chem, RDLogger

LIMIT = 0.999
BONDS = {'SINGLE': 1, 'DOUBLE': 2, 'TRIPLE': 3, 'AROMATIC': 4, 'QUADRUPLE': 5, 'DATIVE': 1}


def rows(path):
    with open(path, newline='', encoding='utf-8-sig') as f:
        table = csv.DictReader(f)
        column = next(name for name in table.fieldnames if 'smiles' in name.lower())
        return [row[column].strip() for row in table]


def ours(regula, smiles, box):
    """Graphs by number of the line: (node labels, {(i, j): bond}); and what was left out."""
    path = os.path.join(box, 'x.smi')
    with open(path, 'w') as f:
        f.writelines('%s %d\n' % (s or '?', k) for k, s in enumerate(smiles))
    info = subprocess.run([regula, 'data', 'info', path, '--json', '--no-copies', '--quiet'], check=True,
                          capture_output=True, text=True).stdout
    import json
    left_out = {item['line'] - 1: item['reason'] for item in json.loads(info)['left_out']}
    subprocess.run([regula, 'data', 'convert', path, '--to', 'tu', '--out', box], check=True, capture_output=True)

    def lines(name):
        with open(os.path.join(box, 'x_%s.txt' % name)) as f:
            return [[int(x) for x in line.split(',')] for line in f]
    graphs, first, of = [], [], lines('graph_indicator')
    for node, ((graph,), labels) in enumerate(zip(of, lines('node_labels'))):
        if graph > len(graphs):
            graphs.append(([], {}))
            first.append(node)
        graphs[-1][0].append(labels)
    for (a, b), labels in zip(lines('A'), lines('edge_labels')):
        graph = of[a - 1][0] - 1
        graphs[graph][1][a - 1 - first[graph], b - 1 - first[graph]] = labels[0]
    read = [k for k in range(len(smiles)) if k not in left_out]
    return dict(zip(read, graphs)), left_out


def wrong_atoms(mol, graph):
    labels, bonds = graph
    if mol.GetNumAtoms() != len(labels):
        return mol.GetNumAtoms()
    wrong = 0
    for atom, own in zip(mol.GetAtoms(), labels):
        i = atom.GetIdx()
        theirs = [atom.GetAtomicNum(), atom.GetFormalCharge(), atom.GetTotalNumHs(), int(atom.GetIsAromatic())]
        same = theirs == own[:4] and atom.IsInRing() == (own[4] > 0)
        for bond in atom.GetBonds():
            same &= bonds.get((i, bond.GetOtherAtomIdx(i))) == BONDS.get(str(bond.GetBondType()))
        wrong += not same
    return wrong


def main():
    RDLogger.DisableLog('rdApp.*')
    n = n_wrong = 0
    for path in sys.argv[2:]:
        smiles = rows(path)
        with tempfile.TemporaryDirectory() as box:
            graphs, left_out = ours(sys.argv[1], smiles, box)
        for k, text in enumerate(smiles):
            mol = Chem.MolFromSmiles(text) if text else None
            if (mol is None) != (k in left_out):
                print('%s: molecule %d: %s: %s' % (os.path.basename(path), k, 'RDKit refuses' if mol is None
                                                   else left_out[k], text[:80]))
            elif mol is not None and mol.GetNumAtoms():
                n += mol.GetNumAtoms()
                n_wrong += wrong_atoms(mol, graphs[k])
    share = 1 - n_wrong / n if n else 0
    print('%d of %d atoms agree: %.4f %%' % (n - n_wrong, n, 100 * share))
    return share < LIMIT


if __name__ == '__main__':
    sys.exit(main())
