#!/bin/bash
# scripts/slurm_campaign on a real Slurm: one node, its own munge, ports and folders, all
# ended and removed at the end. Skipped with a reason where Slurm cannot start.
set -u
program=$(realpath "${DLS_BUILD:-build/debug}")/tests/delassus_hostile
python=/usr/bin/python3
folder=$(mktemp -d)
count=0 failures=0
daemons=()
finish() {
    for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
    for pid in "${daemons[@]}"; do wait "$pid" 2>/dev/null; done
    rm -rf "$folder"
}
trap finish EXIT
check() { # TEXT COMMAND...
    local text=$1; shift
    count=$((count + 1))
    if "$@"; then echo "ok $count - $text"; else
        failures=$((failures + 1)); echo "not ok $count - $text"
        tail -n 4 "$folder"/*.log "$folder"/mine.slurm/*.log 2>/dev/null | sed 's/^/# | /'
    fi
}
skip_all() { echo "ok 1 - a campaign on Slurm # SKIP $1"; echo 1..1; exit 0; }
# until_true SECONDS COMMAND...
until_true() {
    local end=$((SECONDS + $1)); shift
    until "$@"; do [ $SECONDS -lt $end ] || return 1; sleep 0.3; done
}

for tool in slurmctld slurmd munged sbatch; do
    PATH=$PATH:/usr/sbin command -v $tool >/dev/null || skip_all "$tool is not here (slurm-wlm, munge)"
done
[ "$(id -u)" = 0 ] || skip_all "slurmd needs root"
export PATH=$PATH:/usr/sbin

start_munge() {
    mkdir -m 755 "$folder/munge"
    (umask 077; head -c 1024 /dev/urandom >"$folder/munge/key")
    munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
        --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" --log-file="$folder/munge/log" \
        --num-threads=2 >"$folder/munged.log" 2>&1 &
    daemons+=($!)
    until_true 10 test -S "$folder/munge/socket"
}
start_slurm() {
    local port=$((20000 + RANDOM % 20000)) host; host=$(hostname -s)
    mkdir "$folder/state" "$folder/spool"
    cat >"$folder/slurm.conf" <<CONF
ClusterName=delassus
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=2
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES
CONF
    export SLURM_CONF=$folder/slurm.conf
    slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.log" 2>&1 & daemons+=($!)
    slurmd -D -f "$SLURM_CONF" -N "$host" >"$folder/slurmd.log" 2>&1 & daemons+=($!)
    until_true 30 eval 'sinfo -h -o %T 2>/dev/null | grep -qE "idle|mixed"'
}
chmod 755 "$folder"
start_munge || skip_all "munge does not start: $(tail -n 1 "$folder/munged.log")"
start_slurm || skip_all "Slurm does not start: $(grep -hE 'error|fatal' "$folder"/slurm*.log | tail -n 1)"

# keys DIR N: N rows, each key once.
keys() {
    $python -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/results.csv", newline="")))
keys = {(r["problem"], r["solver"], r["options"], r["tol"]) for r in rows}
sys.exit(not (len(rows) == len(keys) == int(sys.argv[2])))' "$1" "$2"
}
ended() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }
state() { scontrol show job "$1" 2>/dev/null | grep -o "JobState=[A-Z]*" | sort -u | xargs; }

"$program" generate stack "$folder/one.hdf5" --set n=1 >/dev/null
"$program" generate stack "$folder/stack.hdf5" --set n=4 >/dev/null
# Pairs in turn: shard 1 has pgs on both files, shard 2 a solver that hangs for 5.2 s.
ask=(2 "$folder/mine" "$folder/one.hdf5" "$folder/stack.hdf5" --solver "pgs,hostile:deed=hang" --max-time 0.1)
jobs=$(DELASSUS=$program SBATCH_FLAGS="--time=10" scripts/slurm_campaign "${ask[@]}" 2>"$folder/submit.log")
read -r _ array _ merge <<<"$jobs"
check "an array and a merge behind it are submitted" eval '[ -n "${merge:-}" ]'
# As if the node were lost: Slurm takes the job away while its first run goes on.
until_true 30 test -d "$folder/mine/shard-2-of-2/history"
check "a shard is put back into the queue" scontrol requeue "${array}_2"
check "all jobs end" until_true 180 ended "$merge"
check "the shard ran again" eval 'scontrol show job "${array}_2" | grep -q "Restarts=1"'
check "and no job failed" eval '[ "$(state "$array") $(state "$merge")" = "JobState=COMPLETED JobState=COMPLETED" ]'
check "each row is there once, of both shards" keys "$folder/mine" 8
check "the page is there" test -s "$folder/mine/report.html"
check "rows that are there are not run again" eval \
    '"$program" bench "${ask[@]:2}" --shard 1/2 -o "$folder/mine" 2>&1 | grep -q "^4 rows are there already"'
echo "1..$count"
[ $failures = 0 ]
