#!/bin/sh
# test_house.sh - the checks of house.py can fail: a small tree that is in order, mangled in one way
# after another. One line a check; exit 1 if one failed.
set -u

cd "$(dirname "$0")/.." || exit 1
house=$PWD/tools/house.py
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
failed=0

# A tree that is in order.
plant()
{
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/src/base" "$tree/src/baseline" "$tree/cli/run" "$tree/include/regula" "$tree/docs/images" \
        "$tree/tests/base" "$tree/tests/baseline" "$tree/tools"
    printf '#ifndef REGULA_BASE_ALLOC_H\n#define REGULA_BASE_ALLOC_H\nvoid *rg_alloc(int n);\n#endif\n' \
        >"$tree/src/base/alloc.h"
    printf '#include "alloc.h"\nvoid *rg_alloc(int n)\n{\n    return malloc(n);\n}\n' >"$tree/src/base/alloc.c"
    printf '#include "base/alloc.h"\ntypedef struct rg_rival {\n    int n;\n} rg_rival;\nint rg_rival_new(int n)\n{\n    return n;\n}\n' \
        >"$tree/src/baseline/rival.c"
    printf '#include "base/alloc.h"\nint cli_run(void)\n{\n    return 0;\n}\n' >"$tree/cli/run/run.c"
    {
        printf '<!-- rooms -->\n| group | room | what |\n|---|---|---|\n'
        printf '| below | `src/base/` | Everything else stands on it. |\n'
        printf '| below | `src/baseline/` | Models that we compare with. |\n'
        printf '| above | `cli/run/` | The commands that there are. |\n<!-- /rooms -->\n\n## Four walks\n'
        for walk in one two three four; do
            printf '\n### %s\n\n' "$walk"
            for n in 1 2 3 4; do
                # shellcheck disable=SC2016 # backticks of Markdown
                printf '%s. `rg_alloc` (`src/base/alloc.c`) allocates.\n' "$n"
            done
        done
    } >"$tree/docs/architecture.md"
    # shellcheck disable=SC2016
    printf '| we say | they say | at |\n|---|---|---|\n| alloc | malloc | `rg_alloc` in `src/base/alloc.h` |\n' \
        >"$tree/docs/glossary.md"
    # shellcheck disable=SC2016
    printf 'Read `src/base/alloc.c` and `rg_alloc`; a new one is `src/base/NAME.c`.\n' >"$tree/CONTRIBUTING.md"
    python3 "$house" --root "$tree" --draw "$tree/docs/images/house.svg"
}

# catches NAME: the tree fails this check
catches()
{
    python3 "$house" --root "$tree" --check >"$tree/out"
    if grep -q "^FAILED $1" "$tree/out"; then
        echo "ok house.py finds: $1"
    else
        echo "FAILED house.py finds: $1"
        failed=1
    fi
    plant
}

plant
if python3 "$house" --root "$tree" --check >"$tree/out"; then
    echo "ok house.py passes a tree that is in order"
else
    echo "FAILED house.py passes a tree that is in order"
    cat "$tree/out"
    failed=1
fi

mkdir "$tree/src/attic" && echo 'int rg_x;' >"$tree/src/attic/x.c"
catches 'every room is described'
echo '#include "cli/run/run.c"' >>"$tree/src/base/alloc.c"
catches 'rooms include only rooms above them'
echo '#include "baseline/rival.c"' >>"$tree/src/base/alloc.c"
catches 'no cycle between rooms'
printf '#ifndef REGULA_BASE_B_H\n#define REGULA_BASE_B_H\n#include "alloc.h"\n#endif\n' >"$tree/src/base/b.h"
echo '#include "b.h"' >>"$tree/src/base/alloc.h"
catches 'no cycle between headers'
i=0
while [ $i -lt 31 ]; do
    echo "int rg_$i;" >"$tree/src/base/f$i.c"
    i=$((i + 1))
done
catches 'no room has more than 30 files'
mkdir "$tree/tests/attic"
catches 'tests have the rooms of the source'
rmdir "$tree/tests/baseline"
catches 'tests have the rooms of the source'
printf 'typedef struct rg_rival {\n    int m;\n} rg_rival;\n' >"$tree/src/base/twice.c"
catches 'no type is defined twice'
printf 'enum { A, B };\ntypedef int (*rg_rival)(int);\n' >"$tree/tests/base/test_twice.c"
catches 'no type is defined twice'
sed -i 's/REGULA_BASE_ALLOC_H/REGULA_ALLOC_H/' "$tree/src/base/alloc.h"
catches 'guards of headers match their paths'
printf 'void rg_f(void)\n{\n    goto done;\ndone:;\n}\n' >>"$tree/src/base/alloc.c"
catches 'no goto'
printf 'int rg_f(void)\n{\n    return socket(1, 2, 3);\n}\n' >>"$tree/cli/run/run.c"
catches 'nothing listens'
printf 'void *rg_f(void)\n{\n    return malloc(3);\n}\n' >>"$tree/src/baseline/rival.c"
catches 'only base/alloc.c allocates'
printf 'void rg_f(void)\n{\n    printf("x");\n}\n' >>"$tree/src/baseline/rival.c"
catches 'the library neither prints nor exits'
echo 'int rg_desk_take;' >>"$tree/src/baseline/rival.c"
catches 'words of the past stay there'
echo 'int rg_x;' >"$tree/src/base/crew.c"
catches 'words of the past stay there'
echo '/* the baseline that every processor has */' >>"$tree/src/base/alloc.c"
catches 'a baseline is a rival model'
# shellcheck disable=SC2016
echo 'See `src/base/gone.c`.' >>"$tree/CONTRIBUTING.md"
catches 'files and symbols of CONTRIBUTING.md exist'
# shellcheck disable=SC2016
echo 'Call `rg_gone`.' >>"$tree/docs/architecture.md"
catches 'files and symbols of docs/architecture.md exist'
rm "$tree/docs/glossary.md"
catches 'files and symbols of docs/glossary.md exist'
sed -i 's/^4\. `rg_alloc`/4. `rg_alloc_all`/' "$tree/docs/architecture.md"
catches 'the four walks name functions and their files'
echo '| word | meaning | nowhere |' >>"$tree/docs/glossary.md"
catches 'each row of the glossary names a file and a symbol'
echo '#include "baseline/rival.c"' >>"$tree/cli/run/run.c"
catches 'the picture of the rooms is current'
exit $failed
