#!/bin/bash
# run.sh CORPUS DIR [SECONDS [PART...]]: the campaigns of paper/campaign again, into DIR; 10 s a run unless SECONDS says otherwise.
# CORPUS has folders of snapshots: fc2d fc3d siconos3d robots (local problems: DIR/corpus) and gfc2d gfc3d robots-global rolling
# lcp (DIR/others). A PART is auto, peers, ours or others; all of them in this order without. What is there already is not
# run again: the same command goes on after a break, and parts may run on different days.
# REPEAT=1 times each run once, CLOCK=cpu counts processor time where the machine has other work too.
# Peers in Python need `pip install pin scs clarabel`; DELASSUS_PYTHON names the interpreter that has them.
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$2"; dir=$(cd "$2" && pwd) seconds=${3:-10}
cd "$1"; shift; shift; [ $# = 0 ] || shift
foreign=$root/solvers/peers/pinocchio_admm.py,$root/solvers/peers/pinocchio_admm.py:anderson=10
foreign+=,$root/solvers/peers/scs_rounds.py,$root/solvers/peers/clarabel_rounds.py
bench() { # NAME SOLVERS FOLDER...: exit 1 only says that some did not converge
    local name=$1 solvers=$2; shift 2
    "$root/build/delassus" bench "$@" --solver "$solvers" --tol 1e-4,1e-8 --max-time "$seconds" --repeat "${REPEAT:-3}" --jobs 1 \
        --clock "${CLOCK:-wall}" -o "$dir/$name" || [ $? = 1 ]
}
for part in "${@:-auto peers ours others}"; do
    for word in $part; do
        case $word in
        auto) bench corpus auto,nncg,prox-newton,pgs fc2d fc3d siconos3d robots ;;
        peers) bench corpus "siconos-nsgs,siconos-admm,siconos-nsn,$foreign" fc2d fc3d siconos3d robots ;;
        ours) bench corpus newton,admm,anderson,schwarz,homotopy,apgd,osqp,ipm fc2d fc3d siconos3d robots ;;
        others) bench others "auto,nncg,prox-newton,pgs,newton,admm,lemke,siconos-nsgs,siconos-admm,$foreign" gfc2d gfc3d robots-global rolling lcp ;;
        *) echo "run.sh: no part '$word'; auto, peers, ours or others" >&2; exit 2 ;;
        esac
    done
done
