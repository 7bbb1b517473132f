#!/bin/bash
# masonry.sh DIR: writes the suite of hard masonry into DIR: generated structures and the hardest steps of the
# examples bridge, column and wall (those that took most iterations), then DIR/masonry.txt for `delassus bench`.
# It takes about two minutes. Variables: DELASSUS (the program).
set -eu
[ $# = 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
program=${DELASSUS:-$(dirname "$0")/../../build/delassus}
[ -x "$program" ] || { echo "$0: $program is not there: run \`make\`, or set DELASSUS" >&2; exit 2; }
[ ! -e "$1" ] || [ -z "$(ls -A "$1")" ] || { echo "$0: $1 is not empty" >&2; exit 2; }
mkdir -p "$1"

make_one() { # NAME GENERATOR [OPTION=X...]
    local name=$1 generator=$2 set=(); shift 2
    for option in "$@"; do set+=(--set "$option"); done
    "$program" generate "$generator" "$dir/$name.hdf5" "${set[@]}"
}
record() { # NAME EXAMPLE END [OPTION=X...]: its three hardest steps
    local name=$1 example=$2 end=$3 set=(); shift 3
    for option in "$@"; do set+=(--set "$option"); done
    echo "$name: the hardest steps of $end s"
    mkdir "$dir/$name"
    "$program" run "$example" --end "$end" --record "$dir/$name" --hardest 3 "${set[@]}" >/dev/null
    for file in "$dir/$name"/*.hdf5; do mv "$file" "$dir/$name-${file##*-}"; done
    rmdir "$dir/$name"
}
dir=$1
# Houses of cards: every contact is needed. The last one has just too little friction to stand.
make_one card-house-3 card-house levels=3
make_one card-house-8 card-house levels=8
make_one card-house-20 card-house levels=20
make_one card-house-slips card-house levels=5 mu=0.35
# Arches of 25 and 101 stones, thick and near the least thickness, and with an abutment that gives way.
make_one arch-25 arch n=25
make_one arch-101 arch n=101 thickness=0.12
make_one arch-101-thin arch n=101 thickness=0.1076
make_one arch-101-settles arch n=101 thickness=0.12 settle=0.05
# A dome at rest, and one whose springing spreads.
make_one dome dome
make_one dome-spreads dome spread=0.05
# Towers of planks: at rest, pushed, and at the edge of tipping.
make_one kapla-20 kapla-tower
make_one kapla-60 kapla-tower layers=60 accel=0.1
make_one kapla-tips kapla-tower layers=40 accel=0.37
record bridge bridge 0.3
record bridge-slides bridge 0.3 mu=0.3
record column column 1
record wall wall 1
ls -- "$dir"/*.hdf5 >"$dir/masonry.txt"
echo "$(wc -l <"$dir/masonry.txt") snapshots; next: delassus bench $dir/masonry.txt"
