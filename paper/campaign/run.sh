#!/bin/bash
# run.sh CORPUS DIR: the campaign of paper/campaign/corpus again, into the folder DIR.
# CORPUS has folders fc2d, fc3d and siconos3d of snapshots.
set -eu
[ $# = 2 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
program=$(cd "$(dirname "$0")/../.." && pwd)/build/delassus
mkdir -p "$2"; dir=$(cd "$2" && pwd)
cd "$1"
"$program" bench fc2d fc3d siconos3d --tol 1e-4,1e-8 --max-time 1 --repeat 1 --jobs 2 -o "$dir" \
    --solver auto,prox-newton,homotopy,schwarz,admm,nncg,anderson,pgs,apgd,newton,osqp,ipm,siconos-nsgs,siconos-nsn,siconos-admm
