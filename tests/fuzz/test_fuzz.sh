#!/bin/bash
# A short slice of `make fuzz`: every target gets inputs and none of them is a finding. The
# program itself is tested by a file that is known to be damaged.
. tests/support/tap.sh
program=$build/tests/fuzz/fuzz
run --seconds 7 --seed 20240229 --findings "$folder/findings"
while read -r target inputs _ _ _ _ findings _; do
    check "$target: survives" eval "[ $inputs -gt 0 ] && [ $findings = 0 ]"
done < <(grep -E 'inputs in' "$folder/out")
check "no finding" eval 'exits 0 && [ $count -ge 7 ]'
printf 'not a file' >"$folder/bad"
run --seconds 1 --target hdf5-bytes --replay "$folder/bad"
check "a saved input can be run again" prints survived
finish
