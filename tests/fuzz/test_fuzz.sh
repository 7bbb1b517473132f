#!/bin/bash
# A short slice of `make fuzz`: every target gets inputs and none of them is a finding. The
# program itself is tested by a file that is known to be damaged.
set -u
program=${DLS_BUILD:-build/debug}/tests/fuzz/fuzz
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" --seconds 7 --seed 20240229 --findings "$folder/findings" >"$folder/out" 2>&1
code=$?
number=0
while read -r target inputs _ _ _ _ findings _; do
    number=$((number + 1))
    [ "$inputs" -gt 0 ] && [ "$findings" = 0 ] && echo "ok $number - $target: survives" ||
        echo "not ok $number - $target: survives"
done < <(grep -E 'inputs in' "$folder/out")
number=$((number + 1))
[ $code = 0 ] && [ $number -ge 7 ] && echo "ok $number - no finding" ||
    { echo "not ok $number - no finding"; sed 's/^/# | /' "$folder/out"; }
number=$((number + 1))
printf 'not a file' >"$folder/bad"
"$program" --seconds 1 --target hdf5-bytes --replay "$folder/bad" | grep -q survived &&
    echo "ok $number - a saved input can be run again" || echo "not ok $number - a saved input can be run again"
echo "1..$number"
