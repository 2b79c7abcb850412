#!/usr/bin/env python3
"""What `regula train --start` gains: ten folds, three runs, with a model of other data and without.

    bench/transfer.py build/regula SOURCE TARGET [--part 0.05] [-- OPTIONS]

SOURCE and TARGET are zip files of the TU collection. Graphs of the source that are also in the target are left out:
graphs are compared by Weisfeiler-Leman colours after five rounds, without hydrogens, by the names of their atoms.
--part: that part of the training samples of TARGET, and of those for validation. OPTIONS go to the training with
--start, such as --same-values or --label-names FILE."""
import argparse, collections, json, math, os, random, subprocess, sys, tempfile, zipfile

ATOMS = {'MUTAG': 'C N O F I Cl Br', 'Mutagenicity': 'C O Cl H N F Br S P I Na K Li Ca'}


def read(path):
    """Lists of labels and of neighbours of every graph."""
    with zipfile.ZipFile(path) as z:
        name = os.path.basename(path)[:-4]
        def numbers(what):
            with z.open(f'{name}/{name}_{what}.txt') as f:
                return [[int(x) for x in line.split(b',')] for line in f]
        graph_of = [x[0] - 1 for x in numbers('graph_indicator')]
        labels = [x[0] for x in numbers('node_labels')]
        near = [[] for _ in labels]
        for a, b in numbers('A'):
            near[a - 1].append(b - 1)
    words = ATOMS.get(name, '').split()
    labels = [words[x] if words else str(x) for x in labels]
    nodes = collections.defaultdict(list)
    for k, g in enumerate(graph_of):
        if labels[k] != 'H':
            nodes[g].append(k)
    return [(ks, labels, near) for g, ks in sorted(nodes.items())]


def colours(graph):
    nodes, labels, near = graph
    colour = {k: labels[k] for k in nodes}
    for _ in range(5):
        colour = {k: str(hash((colour[k], tuple(sorted(colour[j] for j in near[k] if j in colour))))) for k in nodes}
    return tuple(sorted(colour.values()))


def run(*words):
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout or 'null')


def thin(samples, part, chance):
    return sorted(chance.sample(samples, max(2, round(part * len(samples)))))


def main():
    cut = sys.argv.index('--') if '--' in sys.argv else len(sys.argv)
    options = sys.argv[cut + 1:]
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('regula'), p.add_argument('source'), p.add_argument('target')
    p.add_argument('--part', type=float, default=1)
    p.add_argument('--network', default=os.path.join(os.path.dirname(__file__), '../examples/transfer/molecules.yml'))
    a = p.parse_args(sys.argv[1:cut])
    chance, folder = random.Random(1), tempfile.mkdtemp()
    place = lambda name: os.path.join(folder, name)
    known = {colours(g) for g in read(a.target)}
    left = [k for k, g in enumerate(read(a.source)) if colours(g) not in known]
    n_source = len(read(a.source))
    chance.shuffle(left)
    tenth = len(left) // 10
    with open(place('source.json'), 'w') as f:
        json.dump([{'test': sorted(set(range(n_source)) - set(left)) or left[:1],
                    'model_selection': [{'train': sorted(left[tenth:]), 'validation': sorted(left[:tenth])}]}], f)
    print(f'source: {n_source} graphs, {n_source - len(left)} of them also in the target and left out')
    train = [a.regula, 'train', '--json', '--quiet', '--network', a.network]
    source = run(*train, a.source, '--split', place('source.json'), '--model', place('source.model'), '--seed', '1')
    print(f"the model of the source: validation accuracy {100 * source['validation_accuracy']:.1f} %")
    subprocess.run([a.regula, 'data', 'split', a.target, '--folds', '10', '--validation', '0.1', '--seed', '1',
                    '--out', place('folds.json')], check=True, stdout=subprocess.DEVNULL)
    with open(place('folds.json')) as f:
        folds = json.load(f)
    for fold in folds:
        for parts in fold['model_selection']:
            for key in ('train', 'validation'):
                parts[key] = thin(parts[key], a.part, chance)
    with open(place('folds.json'), 'w') as f:
        json.dump(folds, f)
    means = []
    for k in range(10):
        score = [0, 0]
        for r in range(3):
            for way, more in enumerate([[], ['--start', place('source.model')] + options]):
                out = run(*train, a.target, '--split', place('folds.json'), '--fold', str(k), '--run', str(r),
                          '--model', place('target.model'), *more)
                score[way] += 100 * out['test_accuracy'] / 3
        means.append(score)
        if k == 0:
            for part in out['start']:
                print(f"  layer {part['layer']} {part['kind']}: {part['taken']} of {part['n']} keys of {part['what']}")
    print(f'{len(folds[0]["model_selection"][0]["train"])} training samples in the first fold')
    for name, values in (('without', [m[0] for m in means]), ('with', [m[1] for m in means]),
                         ('difference', [m[1] - m[0] for m in means])):
        mean = sum(values) / 10
        error = math.sqrt(sum((v - mean) ** 2 for v in values) / 90)
        print(f'{name:<10} {mean:6.2f} ± {error:.2f} %')


main()
