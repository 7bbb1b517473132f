#!/bin/bash
# Numbers at the ends of the range, and bytes that are none: every command ends, says one
# sentence or a verdict, JSON stays JSON, and nothing is called solved that is not.
. tests/support/tap.sh
if ! $python -c 'import h5py' 2>/dev/null; then skip "hostile numbers" "no h5py"; finish; exit; fi
snapshots=benchmarks/snapshots
# change FILE DATASET INDEX FACTOR VALUE: multiplies a dataset, then sets one entry unless INDEX is -1
change() {
    $python -c 'import h5py, sys
with h5py.File(sys.argv[1], "r+") as f:
    x = f[sys.argv[2]][...] * float(sys.argv[4])
    if int(sys.argv[3]) >= 0: x[int(sys.argv[3])] = float(sys.argv[5])
    f[sys.argv[2]][...] = x' "$@"
}
ends() { timeout -s KILL 120 "$program" "$@" >"$folder/out" 2>"$folder/err"; code=$?; [ $code -le 2 ]; } # by itself
only_json() { $python -c 'import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert len(rows) == int(sys.argv[2]), len(rows)' "$folder/out" "$1"; }
solvers=$("$program" list solvers | grep -c '^  [a-z]')

# One velocity of -1e300: its square is infinite.
cp $snapshots/four-leg-table.hdf5 "$folder/huge.hdf5"
change "$folder/huge.hdf5" fclib_global/vectors/w 0 1 -1e300
check "a huge number: every solver ends" ends solve "$folder/huge.hdf5" --solver all --max-iter 20 --max-time 5 --json
check "and nothing but JSON is on standard output" only_json "$solvers"
check "a huge number: certify ends" ends certify "$folder/huge.hdf5" --max-time 2
check "a huge number: info --existence ends" ends info --existence "$folder/huge.hdf5"

# q of 1e-170: squares underflow, and r = 0 is no answer.
cp $snapshots/one-contact.hdf5 "$folder/tiny.hdf5"
change "$folder/tiny.hdf5" fclib_local/vectors/q -1 1e-170
run solve "$folder/tiny.hdf5" --solver pgs,newton,nncg,ipm --max-iter 1 --json
check "tiny numbers: r = 0 is far from the law" $python -c 'import json, sys
for row in map(json.loads, open(sys.argv[1])):
    assert row["status"] != "converged" and row["natural"] > 0.1 and row["merit"] > 0.1, row' "$folder/out"

# Bytes of the file itself: one line on standard error at most, none of it HDF5's. HDF5 keeps
# memory of some files that it cannot open: no leak of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
loud= refused=0
for at in $(seq 8 97 3800); do
    cp $snapshots/one-contact.hdf5 "$folder/bytes.hdf5"
    printf '\377%.0s' {1..8} | dd of="$folder/bytes.hdf5" bs=1 seek=$at conv=notrunc 2>/dev/null
    ends info "$folder/bytes.hdf5" || loud="$loud $at:$code"
    if [ $code = 2 ]; then refused=$((refused + 1)); complains '^delassus: ' || loud="$loud $at"; else [ ! -s "$folder/err" ] || loud="$loud $at"; fi
done
check "damaged in one of 40 places, $refused times refused, each with one sentence" eval 'echo "at:$loud"; [ -z "$loud" ] && [ $refused -ge 10 ]'
finish
