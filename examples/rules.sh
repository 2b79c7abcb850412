#!/bin/sh
# Rules: the two molecules of the paper, with the rule that it gives for them.
# Usage: examples/rules.sh     (with regula in the PATH; needs no network)
set -eu
molecules=$(dirname "$0")/molecules # ethylene and cyclopropenylidene, TUDataset format

# 1. An atom and itself, or two atoms with a bond: alike if the atoms are, and the bond is.
rule='share i = j, node(i), node(j), bond(i,j) when i = j or edge(i,j)'
regula rule check "$rule" "$molecules"

# 2. The weight matrices, by numbers of weights. Both molecules share them.
regula rule show "$molecules" --graph 0 --rule "$rule"
regula rule show "$molecules" --graph 1 --rule "$rule"

# 3. From atoms to two outputs: one weight for each output and kind of atom.
regula rule show "$molecules" --graph 0 --rule 'share out, node(i)' --aggregate 2
