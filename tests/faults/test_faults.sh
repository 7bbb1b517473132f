#!/bin/bash
# Small runs in which one call of the system fails: the k-th allocation, the k-th write, a
# signal at the k-th write, the k-th child killed or not there. For each k the program must
# end by itself with an honest code (0 only where its files are as without the fault), say
# one sentence where it gives up, leave no part of a file and what was there before; and the
# same command without a fault must then bring what it always brings.
# Some k spread over the calls that occur; DLS_FAULTS=all (`make faults`) takes every one, and
# DLS_FAULT_RUNS="save record" only those of the runs named.
. tests/support/tap.sh
program=$build/tests/delassus_faulty
each=${DLS_FAULTS:-3} # how many k of a kind
snapshots=$PWD/benchmarks/snapshots
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:exitcode=99 UBSAN_OPTIONS=${UBSAN_OPTIONS:-}:exitcode=99 # a finding of the sanitizers is no exit code of ours
export LSAN_OPTIONS=suppressions=$PWD/tests/leaks.supp:print_suppressions=0
cd "$folder" || exit 2

campaign() { "$program" bench "$snapshots/stack.hdf5" --solver pgs,nncg --tol 1e-4 --max-time 5 --repeat 1 -o to/campaign; }
save() { "$program" solve "$snapshots/stack.hdf5" --solver nncg --tol 1e-4 --save to; }
record() { "$program" run bouncing-ball --end 0.05 --record to --checkpoint to/x.ckpt --csv to/x.csv --page to/x.html; }
certify() { "$program" certify "$snapshots/one-contact.hdf5" --output to/x.hdf5 --max-time 5; }
# What must be the same: of a campaign who was solved, since times differ; of pages no times either.
fingerprint() {
    if [ -d to/campaign ]; then
        cut -d, -f1,2,14,16 to/campaign/results.csv 2>/dev/null | sort
        ls to/campaign/report.html 2>/dev/null
    else
        (cd to && find . -type f ! -name '*.html' ! -name mine -exec sha256sum {} + | sort -k2)
    fi
}
parts() { find to -name '*.part*' -o -name '*.new'; }

# One run with a fault; `why` says what is wrong with it, if anything.
try() { # RUN KIND K
    rm -rf to; mkdir to; echo mine >to/mine
    DLS_FAULT=$2:$3 "$1" >out 2>err; local code=$?
    local after; after=$(fingerprint)
    why=
    case $code in
        0) [ "$after" = "$good" ] || why="exit 0, and something is missing" ;;
        1 | 2) ;;
        143) [ "$2" = signal ] || why="ended by SIGTERM" ;;
        *) why="exit code $code" ;;
    esac
    [ -z "$(parts)" ] || why="left $(parts | head -1)"
    [ "$(cat to/mine)" = mine ] || why="touched another file"
    [ $code != 2 ] || [ -s err ] || why="exit 2 without a sentence"
    [ -n "$why" ] && return
    "$1" >again 2>&1 # without the fault, on what was left
    [ "$(fingerprint)" = "$good" ] || why="the same command without a fault brings something else"
}

sweep() { # RUN KIND
    local run=$1 kind=$2 k bad=0 tried=0 calls
    rm -f calls; rm -rf to; mkdir to
    DLS_FAULT=$kind:0 DLS_FAULT_COUNT=$folder/calls "$run" >out 2>err
    good=$(fingerprint)
    calls=$(cat calls 2>/dev/null || echo 0)
    if [ -z "$good" ] || [ "$calls" = 0 ]; then check "$run without a fault: $calls calls of $kind" false; return; fi
    local stride=1
    [ "$each" = all ] || stride=$(((calls + each - 1) / each))
    [ "$stride" -gt 0 ] || stride=1
    for ((k = 1; k <= calls; k += stride)); do
        try "$run" "$kind" $k
        tried=$((tried + 1))
        [ -z "$why" ] && continue
        bad=$((bad + 1))
        echo "# $run, $kind $k of $calls: $why"; tail -n 4 err | cut -c1-200 | sed 's/^/# | /'
    done
    check "$run: $kind, $tried of $calls" [ $bad = 0 ]
}

for run in ${DLS_FAULT_RUNS:-save record certify campaign}; do
    for kind in alloc write signal; do sweep "$run" $kind; done
    [ "$run" != campaign ] || for kind in child fork; do sweep campaign $kind; done
done
finish
