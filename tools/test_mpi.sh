#!/bin/sh
# test_mpi.sh - ranks of mpirun at one experiment: the same results as one thread, on one machine and
# on two (network namespaces), and if ranks are killed. One line a case; exit 1 if one failed, 77 if
# there is no mpirun or no module.
# usage: tools/test_mpi.sh [BUILD]
# shellcheck disable=SC2317 # the functions are called by `try`
set -u

cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
if [ ! -e "$build/regula_mpi.so" ]; then
    echo 'regula was built without MPI (install libopenmpi-dev)'
    exit 77
fi
if ! mpirun --version 2>/dev/null | grep -q 'Open MPI.* 4\.'; then
    echo 'mpirun of Open MPI 4 is not installed (openmpi-bin)'
    exit 77
fi
command -v python3 >/dev/null || { echo 'python3 is not installed' && exit 77; }

box=$(mktemp -d)
near=regula-near-$$
far=regula-far-$$
clean_up()
{
    ip netns delete $near 2>/dev/null
    ip netns delete $far 2>/dev/null
    rm -rf "$box"
}
trap clean_up EXIT
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

# ranks N [OPTION...] -- WORD...: mpirun -n N OPTION... regula run WORD...
ranks()
{
    n=$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # words
    timeout 120 mpirun $root --oversubscribe -n "$n" $options "$build/regula" run "$@"
}

cat >"$box/digest.py" <<'END'
import hashlib, sqlite3, sys
store = sqlite3.connect(sys.argv[1] + "/store.sqlite")
digest = hashlib.sha256()
for table, key in (("run", "run"), ("epoch", "run, epoch"), ("prediction", "run")):
    for row in store.execute(f"SELECT * FROM {table} ORDER BY configuration, fold, {key}"):
        digest.update(repr(row).encode())
assert store.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
assert store.execute("SELECT count(*) FROM job WHERE state != 'done'").fetchone()[0] == 0
print(digest.hexdigest())
END

# same DIRECTORY: all is done, and as it was by one thread
same()
{
    [ "$(python3 "$box/digest.py" "$1")" = "$expected" ] || { echo "$1: other results" && return 1; }
}

# workers DIRECTORY WORD: how many processes or hosts did something
workers()
{
    python3 - "$1" "$2" <<'END'
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1] + "/store.sqlite").execute("SELECT worker FROM job")
print(len({w.split()[0 if sys.argv[2] == "hosts" else 2] for (w,) in rows}))
END
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
expected=$(python3 digest.py alone)

several()
{
    ranks "$1" -- e.yml --out "ranks$1" && same "ranks$1" && [ "$(workers "ranks$1" processes)" -eq "$1" ]
}
for n in 1 2 4; do
    try "$n ranks" several $n
done

threads()
{
    ranks 2 -- e.yml --out threads --jobs 2 && same threads
}
try '2 ranks of 2 threads' threads

# Rank 2 is killed when the work has begun: MPI is over by then. (--out is $4.)
cat >killed.sh <<END
#!/bin/sh
if [ "\$OMPI_COMM_WORLD_RANK" = 2 ]; then
    '$build/regula' "\$@" &
    until [ -e "\$4/store.sqlite" ]; do sleep 0.05; done
    sleep 0.5
    kill -KILL \$!
    kill -KILL \$\$
fi
exec '$build/regula' "\$@"
END
chmod +x killed.sh
a_rank_is_killed()
{
    timeout 120 mpirun $root --oversubscribe --enable-recovery -n 4 ./killed.sh run e.yml --out killed \
        2>messages
    cat messages
    same killed && grep -q 'regula: rank 2 on .* is gone: job .* is handed out again' messages
}
try 'a rank is killed, mpirun goes on' a_rank_is_killed

all_are_killed()
{
    timeout 120 mpirun $root --oversubscribe -n 4 ./killed.sh run e.yml --out gone && return 1
    ranks 2 -- e.yml --out gone && same gone
}
try 'a rank is killed, mpirun ends all, the same command goes on' all_are_killed

one_message()
{
    ranks 4 -- missing.yml --out missing 2>messages && return 1
    cat messages
    [ "$(grep -c "regula: .*missing.yml" messages)" -eq 1 ]
}
try 'a mistake is said once' one_message

# Rank 1 lays another value over the file.
cat >other.sh <<END
#!/bin/sh
[ "\$OMPI_COMM_WORLD_RANK" = 0 ] || set -- "\$@" --set seed=5
exec '$build/regula' "\$@"
END
chmod +x other.sh
another_experiment()
{
    timeout 120 mpirun $root --oversubscribe -n 2 ./other.sh run e.yml --out other 2>messages && return 1
    cat messages
    grep -q 'regula: rank 1 on .*: refused: another experiment' messages
}
try 'a rank with another experiment is refused' another_experiment

shards()
{
    timeout 120 mpirun $root --oversubscribe -n 2 sh -c \
        "exec '$build/regula' run e.yml --out shard\$OMPI_COMM_WORLD_RANK --shard \$OMPI_COMM_WORLD_RANK/2"
    [ -e shard0/store.sqlite ] && [ -e shard1/store.sqlite ]
}
try 'shards are for themselves' shards

# ---- two machines: namespaces with a wire between them, and a name each
machines()
{
    ip netns add $near && ip netns add $far &&
        ip -n $near link add wire type veth peer name wire netns $far &&
        ip -n $near address add 10.123.45.1/24 dev wire && ip -n $far address add 10.123.45.2/24 dev wire &&
        ip -n $near link set wire up && ip -n $far link set wire up &&
        ip -n $near link set lo up && ip -n $far link set lo up &&
        unshare --uts true
}
if ! machines >log 2>&1; then
    echo "two machines are left out: $(tail -n 1 log)"
    exit $failed
fi
# What mpirun calls in place of ssh: host, then words for a shell there.
cat >reach.sh <<END
#!/bin/sh
shift
exec ip netns exec $far unshare --uts sh -c 'hostname far; exec sh -c "\$0"' "\$*"
END
chmod +x reach.sh
two_machines()
{
    timeout 120 ip netns exec $near unshare --uts sh -c 'hostname near; exec "$0" "$@"' \
        mpirun $root --oversubscribe --host 10.123.45.1:2,10.123.45.2:2 -n 4 \
        --mca plm_rsh_agent "$box/reach.sh" --mca oob_tcp_if_include wire --mca btl_tcp_if_include wire \
        --mca btl tcp,self --map-by node -wdir "$box" "$build/regula" run e.yml --out machines &&
        same machines && [ "$(workers machines hosts)" -eq 2 ] && [ "$(workers machines processes)" -eq 4 ]
}
try 'two machines with two ranks each' two_machines
exit $failed
