#!/bin/sh
# test_mpi.sh - ranks of mpirun at one experiment: the same results as one thread, also if a rank is
# killed. One line a case; exit 1 if one failed, 77 if there is no mpirun.
# usage: tools/test_mpi.sh [BUILD]
# shellcheck disable=SC2086,SC2317 # words; the functions are called by `try`
set -u

cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
if ! mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    echo 'mpirun of Open MPI is not installed (openmpi-bin)'
    exit 77
fi

box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
trap 'exit 1' INT TERM
failed=0
root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root

# try NAME COMMAND...
try()
{
    name=$1
    shift
    if "$@" >"$box/log" 2>&1; then
        echo "ok $name"
    else
        echo "FAILED $name"
        sed 's/^/        | /' "$box/log"
        failed=1
    fi
}

# ranks N PROGRAM WORD...
ranks()
{
    n=$1
    shift
    timeout 120 mpirun $root --oversubscribe -n "$n" "$@"
}

# digest DIRECTORY: of all that is in its store
digest()
{
    "$build/regula" show "$1" --json 2>/dev/null | sed -n 's/^  "digest": "\(.*\)".*/\1/p'
}

# same DIRECTORY: all is done, as it was by one thread, and no part is left
same()
{
    [ "$(digest "$1")" = "$expected" ] || { echo "$1: other results" && return 1; }
    [ ! -e "$1/parts" ] || { echo "$1: parts are left" && return 1; }
}

# workers DIRECTORY: how many processes did something
workers()
{
    "$build/regula" show "$1" --table jobs --format csv 2>/dev/null | sed -n 's/.*Z,.* process \([0-9]*\).*/\1/p' |
        sort -u | grep -c .
}

cd "$box" || exit 1
cat >e.yml <<'END'
name: ranks
data: CSL
splits: {folds: 5, seed: 1}
runs: 3
keep: none
network:
  labels: {wl: "wl(depth=2)"}
  layers:
    - rule: share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..${far}
    - aggregate: share out, wl(i)
training: {epochs: 400, patience: 400, lr: [0.05, 0.01]}
grid: {far: ["3", "5"]}
END
try 'one thread' sh -c "'$build/regula' data generate CSL --out CSL && '$build/regula' run e.yml --out alone --jobs 1"
expected=$(digest alone)
try 'a digest' [ ${#expected} -eq 64 ]

# Standard output has one object, of the rank that merged.
several()
{
    ranks "$1" "$build/regula" run e.yml --out "ranks$1" --json >results || return 1
    [ "$(grep -c "\"digest\": \"$expected\"" results)" -eq 1 ] && [ "$(grep -c '^{' results)" -eq 1 ] &&
        same "ranks$1" && [ "$(workers "ranks$1")" -eq "$1" ]
}
for n in 1 2 4; do
    try "$n ranks" several $n
done

# Rank 2 is killed while it works. (--out is $4.)
cat >killed.sh <<END
#!/bin/sh
if [ "\$OMPI_COMM_WORLD_RANK" = 2 ]; then
    '$build/regula' "\$@" &
    until [ -e "\$4/parts/2-of-4/store.sqlite" ]; do sleep 0.02; done
    kill -KILL \$!
    kill -KILL \$\$
fi
exec '$build/regula' "\$@"
END
chmod +x killed.sh
a_rank_is_killed()
{
    ranks 4 ./killed.sh run e.yml --out gone && return 1
    [ -e gone/parts ] || return 1
    ranks "$1" "$build/regula" run e.yml --out gone && same gone
}
for n in 1 3; do
    rm -rf gone
    try "a rank is killed, $n ranks do what is missing" a_rank_is_killed $n
done

# The program does not even know the functions.
nothing_listens()
{
    ! nm -D --undefined-only "$build/regula" | grep -wE 'socket|listen|accept|accept4|bind'
}
try 'the program cannot listen' nothing_listens
exit $failed
