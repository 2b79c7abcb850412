#!/bin/sh
# test_readme.sh - what README.md shows is what happens: its commands run, its C (and that of
# docs/properties.md) compiles, and what it prints of real data sets is what the program prints (where
# $REGULA_DATA has them).
# usage: tools/test_readme.sh BUILD      prints "ok ..." or "FAILED ..." a check
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(cd "$1" && pwd)
readme=$PWD/README.md
PATH=$build:$PATH
real=${REGULA_DATA:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

verdict()
{
    if [ "$1" -eq 0 ]; then
        printf 'ok %s\n' "$2"
    else
        printf 'FAILED %s\n' "$2"
        failed=1
    fi
}

# ---- both commands of the front are there
for target in demo check; do
    grep -q "^    make $target " "$readme" && make -n $target >/dev/null 2>&1
    verdict $? "make $target"
done

# ---- links: what README and docs/ point at is there (code is not looked at: molecules have brackets, too)
for page in README.md docs/*.md; do
    sed '/^    /d; s/`[^`]*`//g' "$page" | grep -o '](\([^)#]*\)' | sed 's/^](//; /^$/d; /^[a-z]*:/d' | sort -u | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || printf '%s: no %s\n' "$page" "$link"
    done
done >"$scratch/links"
cat "$scratch/links"
[ ! -s "$scratch/links" ]
verdict $? 'links of README and docs'

# ---- commands: a generated set stands in for MUTAG; what needs the network is not run
REGULA_DATA=$scratch/data
export REGULA_DATA
regula data generate CSL --out "$scratch/data/MUTAG" >"$scratch/log" 2>&1
verdict $? 'a set to work on'
ln -s "$PWD/examples" "$scratch/examples"
printf 'data: MUTAG\nsplits: {folds: 3}\nruns: 1\nnetwork: examples/paper/CSL.yml\ntraining: {epochs: 3}\n' \
    >"$scratch/experiment.yml"
sed -n 's/^    \(regula [a-z].*\)/\1/p' "$readme" | sed 's/ *#.*//; s/--minutes [0-9]*/--minutes 0.1/; s/^regula run .*compare.yml/& --set training.epochs=3/; s/^regula run MUTAG .*[a-z0-9]/& --set training.epochs=3/' |
    grep -v 'data get' >"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" -ge 5 ]
verdict $? 'README shows commands'
while read -r command; do
    (cd "$scratch" && eval "$command") >"$scratch/log" 2>&1
    status=$?
    [ $status -eq 0 ] || cat "$scratch/log"
    verdict $status "$command"
done <"$scratch/commands"

# ---- C: the block under "As a library", inside a main
awk '/^## As a library/ { here = 1; next } /^## / { here = 0 }
     here && /^    / { block = 1; print substr($0, 5) } here && block && /^[^ ]/ { exit }' \
    "$readme" >"$scratch/block"
{
    echo '#include <stdio.h>'
    grep '^#' "$scratch/block"
    echo 'int main(void) {'
    grep -v '^#' "$scratch/block"
    echo 'return graph.n_nodes == 41 ? 0 : 1; }'
} | sed 's|MUTAG.zip|data/MUTAG|' >"$scratch/library.c"
${CC:-cc} -std=c11 -Wall -Werror -Iinclude "$scratch/library.c" -o "$scratch/library" \
    -L"$build" -lregula -Wl,-rpath,"$build" >"$scratch/log" 2>&1 && (cd "$scratch" && ./library)
status=$?
[ $status -eq 0 ] || cat "$scratch/log"
verdict $status 'the C under "As a library"'

# ---- C: the function in docs/properties.md, called from a main; CSL has 150 graphs
{
    echo '#include <stdio.h>'
    awk '/^    / { here = 1; print substr($0, 5) } here && /^$/ { print } here && /^[^ ]/ { exit }' \
        docs/properties.md
    echo 'int main(void) { rg_dataset *data = NULL; rg_error err;'
    echo 'if (rg_dataset_read(&data, "data/MUTAG", NULL, &err) || count(data, &err)) return 1;'
    echo 'rg_dataset_free(data); return 0; }'
} >"$scratch/properties.c"
${CC:-cc} -std=c11 -Wall -Werror -Iinclude "$scratch/properties.c" -o "$scratch/properties" \
    -L"$build" -lregula -Wl,-rpath,"$build" >"$scratch/log" 2>&1 &&
    (cd "$scratch" && ./properties >counts && [ "$(wc -l <counts)" -eq 150 ])
status=$?
[ $status -eq 0 ] || cat "$scratch/log"
verdict $status 'the C of docs/properties.md'

# ---- output on real data, where it is at hand
block() # block FIRST-WORD: the indented block that begins with it
{
    awk -v first="$1" '!here && index($0, "    " first) == 1 && substr($0, 5 + length(first), 1) ~ /^ ?$/ { here = 1 }
                       here && /^[^ ]/ { exit } here { print substr($0, 5) }' "$readme" |
        sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}
REGULA_DATA=$real
if [ -n "$real" ] && [ -e "$real/IMDB-BINARY.zip" ]; then
    block IMDB-BINARY >"$scratch/shown"
    regula data info IMDB-BINARY | sed '1s/ *(.*//' >"$scratch/printed"
    diff "$scratch/shown" "$scratch/printed"
    verdict $? 'regula data info IMDB-BINARY'
fi
if [ -n "$real" ] && [ -e "$real/COLLAB.tar.zst" ]; then
    block name >"$scratch/shown"
    # shellcheck disable=SC2046 # a list of names
    sh examples/many.sh $(awk 'NR > 1 { print $1 }' "$scratch/shown") >"$scratch/printed"
    diff "$scratch/shown" "$scratch/printed"
    verdict $? 'the table of data sets'
fi
if [ -n "$real" ] && [ -e "$real/DHFR.zip" ]; then
    block '   label' >"$scratch/shown"
    regula label DHFR --labels 'cycles(max=10)' --describe --no-cache | head -7 >"$scratch/printed"
    diff "$scratch/shown" "$scratch/printed"
    verdict $? 'regula label DHFR'
fi
if [ -n "$real" ] && [ -e "$real/splits/DHFR.json" ] && [ -e "$real/splits/CSL_proper.json" ]; then
    # accuracies, published ones and differences of two rows that take seconds
    grep '^| \(DHFR\|CSL\) |' "$readme" | cut -d '|' -f 2-5 >"$scratch/shown"
    for set in 'real-world --only DHFR' 'synthetic --only CSL'; do
        # shellcheck disable=SC2086 # words
        regula reproduce $set --format markdown --quiet
    done | grep '^| \(DHFR\|CSL\) |' | cut -d '|' -f 2-5 >"$scratch/printed"
    diff "$scratch/shown" "$scratch/printed"
    verdict $? 'regula reproduce'
fi
if [ -n "$real" ] && [ -e "$real/NCI1.zip" ]; then
    block NCI1, | grep -v '^time \|^memory ' >"$scratch/shown"
    (cd "$scratch" && regula data split NCI1 --folds 10 --out nci1.json >log &&
        eval "$(sed -n 's/^    \$ \(regula train NCI1 .*\)/\1/p' "$readme")" >trained &&
        grep -v '^time \|^memory ' trained >printed)
    diff "$scratch/shown" "$scratch/printed"
    verdict $? 'regula train NCI1'
    sed -n '/^    \$ echo /,/^$/ { s/^    //; /^[s0-9]/p }' "$readme" >"$scratch/shown"
    (cd "$scratch" && eval "$(sed -n 's/^    \$ \(echo .*\)/\1/p' "$readme")") >"$scratch/printed"
    diff "$scratch/shown" "$scratch/printed"
    verdict $? 'regula predict, from standard input'
fi
exit $failed
