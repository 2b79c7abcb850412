#!/bin/sh
# test_slurm.sh - regula submit and regula run under a real Slurm, which the test starts on loopback:
# munged, slurmctld and slurmd with all their files in a temporary directory. One line a case; exit 1
# if one failed, 77 if Slurm is not installed.
# usage: tools/test_slurm.sh [BUILD]
# shellcheck disable=SC2317 # the functions are called by `try`
set -u

cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch; do
    if ! command -v $program >/dev/null; then
        echo "$program is not installed (slurm-wlm, munge)"
        exit 77
    fi
done

box=$(mktemp -d)
daemons=
clean_up()
{
    [ -z "$daemons" ] || scancel --user="$(id -un)" >/dev/null 2>&1
    for daemon in slurmd slurmctld munged; do
        if [ -s "$box/$daemon.pid" ]; then
            kill "$(cat "$box/$daemon.pid")" 2>/dev/null
        fi
    done
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        rm -rf "$box" 2>/dev/null && break
        sleep 0.5
    done
}
trap clean_up EXIT
trap 'exit 1' INT TERM
failed=0

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

# wait_for SECONDS COMMAND...
wait_for()
{
    left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || { echo "waited too long for: $*" && return 1; }
        sleep 0.2
    done
}

# ---- Slurm

port=$((20000 + $$ % 20000))
user=$(id -un)
SLURM_CONF=$box/slurm.conf
export SLURM_CONF
unset SLURM_JOB_ID SLURM_JOBID
chmod 755 "$box"
mkdir "$box/state" "$box/spool" "$box/munge"
: >"$box/plugstack.conf"
head -c 1024 /dev/urandom >"$box/munge/key"
chmod 700 "$box/munge" && chmod 600 "$box/munge/key"
# Nothing asks for cgroups; up to 23.02 a plugin is loaded all the same.
case $(slurmd -V) in
    *' '2[0-2].* | *' 23.02'*) echo CgroupPlugin=cgroup/v1 ;;
    *) echo CgroupPlugin=disabled ;;
esac >"$box/cgroup.conf"
# More processors than there may be (config_overrides), so that the four tasks run at the same time.
# cred_expire: how long a job that is requeued waits.
cat >"$SLURM_CONF" <<END
ClusterName=regula
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$box/munge.socket,cred_expire=5
StateSaveLocation=$box/state
SlurmdSpoolDir=$box/spool
SlurmctldPidFile=$box/slurmctld.pid
SlurmdPidFile=$box/slurmd.pid
SlurmctldLogFile=$box/slurmctld.log
SlurmdLogFile=$box/slurmd.log
PlugStackConfig=$box/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=2
NodeName=regula NodeHostname=$(hostname) NodeAddr=127.0.0.1 CPUs=4 RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=regula Default=YES MaxTime=INFINITE State=UP
END

idle()
{
    sinfo -h -o %T | grep -qx idle
}

slurm_starts()
{
    daemons=yes
    munged --key-file="$box/munge/key" --socket="$box/munge.socket" --pid-file="$box/munged.pid" \
        --seed-file="$box/munge/seed" --log-file="$box/munge/log" --force || return 1
    slurmctld -c -f "$SLURM_CONF" || return 1
    slurmd -c -N regula -f "$SLURM_CONF" || return 1
    wait_for 60 idle || { tail -n 20 "$box/slurmctld.log" "$box/slurmd.log" && return 1; }
}
try 'Slurm starts' slurm_starts
[ $failed -eq 0 ] || exit 1
echo "$(sinfo --version), $(munged --version | head -n 1)"

# ---- experiments

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

# no_job ID: it has ended
no_job()
{
    [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}

# A path that a shell would take apart.
mkdir "$box/it's here" && cd "$box/it's here" || exit 1
cat >e.yml <<'END'
name: shares
data: CSL
splits: {folds: 5, seed: 1}
runs: 3
keep: none
network:
  labels: {wl: "wl(depth=2)"}
  layers:
    - rule: share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..${far}
    - aggregate: share out, wl(i)
training: {epochs: 1000, patience: 1000, lr: [0.05, 0.01]}
grid: {far: ["3", "5"]}
END
alone()
{
    "$build/regula" data generate CSL --out CSL && "$build/regula" run e.yml --out alone --jobs 1
}
try 'one thread' alone
expected=$(digest alone)
try 'a digest' [ ${#expected} -eq 64 ]

# submit DIRECTORY [WORD...]: sets $array and $merge
submit()
{
    "$build/regula" submit e.yml --out "$@" --json >submitted || return 1
    cat submitted
    ids=$(sed -n 's/^    "job": "\([0-9]*\)",*$/\1/p' submitted)
    array=${ids%%[!0-9]*}
    merge=${ids##*[!0-9]}
}

a_task_is_requeued()
{
    submit 'an array' --array 4 --jobs 1 || return 1
    wait_for 60 sh -c "squeue -h -r -t R -j $array | grep -q ${array}_2" || return 1
    wait_for 60 [ -e 'an array/parts/2-of-4/store.sqlite' ] || return 1
    scontrol requeue "${array}_2" || return 1
    wait_for 120 no_job "$merge" || { squeue && return 1; }
    cat 'an array'/slurm/*.out
    same 'an array' && [ "$(grep -c 'rank 2 of 4: .* jobs are left' 'an array/slurm/array-2.out')" -eq 2 ]
}
try 'an array of 4, one task killed and requeued' a_task_is_requeued

a_task_is_gone()
{
    submit gone --array 4 --jobs 1 || return 1
    wait_for 60 [ -e gone/parts/1-of-4/store.sqlite ] || return 1
    scancel --signal=KILL --full "${array}_1" || return 1
    wait_for 120 no_job "$merge" || { squeue && return 1; }
    cat gone/slurm/*.out
    same gone && grep -q '^jobs  .*20 of 20 done' gone/slurm/merge.out
}
try 'a task is killed for ever, the merging job does what is missing' a_task_is_gone

steps()
{
    srun -n 3 "$build/regula" run e.yml --out steps --jobs 1 >results || return 1
    cat results
    same steps && [ "$(grep -c '^jobs  ' results)" -eq 1 ]
}
try 'srun with 3 tasks' steps

no_steps()
{
    printf '#!/bin/sh\nexec "%s" run e.yml --out batch --jobs 1\n' "$build/regula" >batch.sh
    sbatch --wait --ntasks=3 --output=batch.out batch.sh || return 1
    cat batch.out
    same batch && grep -q 'one process does the work of 3 Slurm tasks' batch.out
}
try 'a batch script without srun is one process' no_steps

blocks()
{
    printf '#!/bin/sh\nexec srun "%s" run e.yml --out blocks --jobs 1\n' "$build/regula" >blocks.sh
    sbatch --wait --array=1-5:4 --ntasks=2 --output=blocks-%a.out blocks.sh || return 1
    cat blocks-*.out
    same blocks && grep -q 'rank 3 of 4' blocks-5.out
}
try 'an array of 2 with srun of 2 tasks' blocks

refused()
{
    "$build/regula" submit e.yml --array 2 --out refused -- --partition=none 2>messages && return 1
    cat messages
    grep -q 'sbatch refused' messages
}
try 'what sbatch refuses is said' refused
exit $failed
