#!/bin/bash
# The granular examples, small: their checks pass, and the twins that lack the cause fail
# the checks of the effect. States are saved and reused.
set -u
program=${DLS_BUILD:-build/debug}/delassus
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0
run() { "$program" run "$@" >"$folder/out" 2>"$folder/err"; code=$?; }
check() { # TEXT COMMAND...: one test, passed when the command succeeds
    local text=$1; shift
    count=$((count + 1))
    if "$@"; then echo "ok $count - $text"; return; fi
    echo "not ok $count - $text"
    echo "# exit code ${code:-?}; stdout and stderr of the last run:"
    grep -v '^pass' "$folder/out" | cat - "$folder/err" | sed 's/^/# | /' | tail -n 30
}
exits() { [ "$code" = "$1" ]; }
fails() { exits 1 && grep -qE "^FAIL  $1" "$folder/out"; }

run landslide --scale 0.03 --set duration=1 --check
check "landslide" exits 0
# 100 disks that were compacted before.
disks="biaxial-200 --scale 0.5 --from $(dirname "$0")/biaxial-200-packing.csv"
disks="$disks --set inertial=0.01 --set strain=0.02"
run $disks --check
check "biaxial-200" exits 0
run $disks --max-iter 10 --check
check "biaxial-200 with steps left unsolved gains energy" fails "r . u_bar of approached"
# 82 disks that settled before, with the velocities that they had then.
packing=$(dirname "$0")/biaxial-packing.csv
run biaxial-1024 --scale 0.08 --from "$packing" --check
check "biaxial-1024" exits 0
run biaxial-1024 --scale 0.08 --from "$packing" --set mu=0 --check
check "biaxial-1024 without friction does not resist" fails "sin phi"
run biaxial-1024 --scale 0.04 --from "$packing" --check
check "a packing of another size is refused" eval 'exits 2 && grep -q "not of these 43 bodies" "$folder/err"'
run rocking-block --from "$packing"
check "other examples take no packing" eval 'exits 2 && grep -q "does not start from a packing" "$folder/err"'
echo "1..$count"
