#!/bin/bash
# make_snapshots.sh [FOLDER]: writes the bundled snapshots (into benchmarks/snapshots)
# with build/delassus. Each records its generator, options and seed, and carries a certified
# solution; the same program writes the same numbers again, so the files can always be made
# anew. One that cannot be certified ends the script.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-benchmarks/snapshots}
mkdir -p "$folder"
raw=$(mktemp -d); trap 'rm -rf "$raw"' EXIT

make_one() { # file name, generator, option=value ...
    local file=$1 generator=$2 arguments=() setting
    shift 2
    for setting; do arguments+=(--set "$setting"); done
    build/delassus generate "$generator" "$raw/$file.hdf5" "${arguments[@]}"
    build/delassus certify "$raw/$file.hdf5" --output "$folder/$file.hdf5"
}

# Where Gauss-Seidel is slow for a reason that is known.
make_one stack stack n=10
make_one stack-tall stack n=40
make_one heavy-on-light heavy-on-light ratio=1000
make_one overhang overhang n=8

# A few contacts: hyperstatic, moving obstacle, energy created by restitution.
make_one four-leg-table four-leg-table load=1 load_x=0.5 load_y=0.25 push=0.6
make_one rod rod
make_one conveyor conveyor n=8

# Hundreds of contacts: masonry and grains.
make_one brick-wall-2d brick-wall-2d courses=10 bricks=8 heads=yes accel_x=0.4
make_one brick-wall-3d brick-wall-3d courses=6 bricks=4 heads=yes push=4 accel_y=0.2
make_one sphere-packing sphere-packing across=5 layers=5 seed=1
make_one sphere-packing-hard sphere-packing across=4 layers=4 near=0.05 seed=1

# Known answers.
make_one manufactured-2d manufactured d=2 contacts=100
make_one manufactured-3d manufactured d=3 contacts=100
make_one manufactured-deficient manufactured d=3 contacts=60 rank=deficient
make_one one-contact one-contact d=3 contacts=90
