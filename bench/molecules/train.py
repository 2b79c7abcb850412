#!/usr/bin/env python3
"""train.py - what one command learns from each table of MoleculeNet, on the scaffold split, with several seeds.

usage: train.py [--seeds N] REGULA FOLDER [SET ...]      FOLDER has ESOL.csv, BBBP.csv, ClinTox.csv, Tox21.csv, HIV.csv

No network is named, so regula chooses one. Prints the commands of every set, and a table: ROC-AUC in percent (with several
targets their mean; missing ones are skipped), or the root mean squared error; mean and standard deviation over the seeds.
"""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

TARGETS = {
    'ESOL': 'measured log solubility in mols per litre',
    'BBBP': 'p_np',
    'ClinTox': 'FDA_APPROVED,CT_TOX',
    'Tox21': 'NR-AR,NR-AR-LBD,NR-AhR,NR-Aromatase,NR-ER,NR-ER-LBD,NR-PPAR-gamma,SR-ARE,SR-ATAD5,SR-HSE,SR-MMP,SR-p53',
    'HIV': 'HIV_active',
}


def run(words, shown):
    if shown:
        print('  ' + shlex.join(['regula', *words[1:]]))
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def scores(args, name, box):
    path = os.path.join(args.folder, name + '.csv')
    split, model = (os.path.join(box, name + end) for end in ('.json', '.safetensors'))
    data = [path, '--target', TARGETS[name]]
    run([args.regula, 'data', 'split', *data, '--scaffold', '--out', split], True)
    out = []
    for seed in range(1, args.seeds + 1):
        run([args.regula, 'train', *data, '-m', model, '--split', split, '--seed', str(seed), '--quiet'], seed == 1)
        told = json.loads(run([args.regula, 'evaluate', model, *data, '--split', split, '--json'], seed == 1))
        out.append(told['rmse'] if told['auc'] is None else 100 * told['auc'])
    return 'RMSE' if told['auc'] is None else 'ROC-AUC', out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('regula')
    parser.add_argument('folder')
    parser.add_argument('sets', nargs='*', default=[])
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as box:
        for name in args.sets or TARGETS:
            start = time.time()
            metric, found = scores(args, name, box)
            digits = 3 if metric == 'RMSE' else 1
            spread = statistics.stdev(found) if len(found) > 1 else 0
            rows.append('| %s | %s | %.*f ± %.*f |' % (name, metric, digits, statistics.mean(found), digits, spread))
            print('%s: %s, %.0f s' % (name, ' '.join('%.4f' % x for x in found), time.time() - start), flush=True)
    print('\n| set | metric | regula |\n|---|---|---|')
    print('\n'.join(rows))


if __name__ == '__main__':
    sys.exit(main())
