#!/bin/bash
# What the system refuses: a disk that is full, memory that is not given. The program says
# so in one sentence, exits with 2 and leaves neither a part of a file nor a crash behind.
. tests/support/tap.sh
# full BLOCKS ARGS...: files may have so many KiB; pipes are not files.
full() {
    local blocks=$1; shift
    rm -rf "$folder/to"; mkdir "$folder/to"
    { { (ulimit -f "$blocks"; trap '' XFSZ; "$program" "$@"); echo $? >"$folder/code"; } 2>&1 >&3 |
        cat >"$folder/err"; } 3>&1 | cat >"$folder/out"
    code=$(cat "$folder/code")
}
refused() { complains "File too large" &&
    [ -z "$(find "$folder/to" -type f -size +0)" ] && [ -z "$(find "$folder/to" -name '*.part*')" ]; }

snapshot=benchmarks/snapshots/brick-wall-3d.hdf5
for blocks in 1 4 16; do
    full $blocks generate brick-wall-3d "$folder/to/x.hdf5"
    check "generate on a disk with $blocks KiB left" refused
    full $blocks convert $snapshot "$folder/to/x.hdf5"
    check "convert on a disk with $blocks KiB left" refused
    full $blocks convert $snapshot "$folder/to/x.dat"
    check "convert to text on a disk with $blocks KiB left" refused
    full $blocks solve $snapshot --solver nncg --tol 1e-4 --save "$folder/to"
    check "solve --save on a disk with $blocks KiB left" refused
    full $blocks certify benchmarks/snapshots/stack.hdf5 --output "$folder/to/x.hdf5"
    check "certify --output on a disk with $blocks KiB left" refused
done
full 1 run rocking-block --end 0.05 --record "$folder/to"
check "run --record on a disk with 1 KiB left" refused

# The sanitizers reserve terabytes of addresses, so limits on them are tried with the release build, if there is one. Each thread of
# OpenBLAS wants a buffer: with few addresses left the program must refuse or solve, never wait.
optimised=build/release/delassus
if [ ! -x $optimised ]; then
    skip "a limit on memory" "no release build, and the sanitizers need addresses without limit"
else
    limited() { # KIB: the verdict in `code`
        (ulimit -v "$1"; OPENBLAS_NUM_THREADS=2 timeout -s KILL 20 $optimised solve $snapshot --solver pgs,newton --tol 1e-2) \
            >"$folder/out" 2>"$folder/err"
        code=$?
    }
    limited 150000
    check "a limit on memory that is too low gets a sentence" complains "limit on memory"
    waits=
    for kib in $(seq 340000 5000 380000); do limited "$kib"; [ $code = 0 ] || complains "limit on memory" || waits="$waits $kib"; done
    check "near the least that it needs the program solves or refuses" [ -z "$waits" ]
    limited 1000000
    check "with enough of it the program solves" [ $code = 0 ]
fi
# The group's heap of names lies nowhere: HDF5 1.10 crashes on it.
cp benchmarks/snapshots/one-contact.hdf5 "$folder/heap.hdf5"
printf '\377%.0s' {1..8} | dd of="$folder/heap.hdf5" bs=1 seek=704 conv=notrunc 2>/dev/null
run solve "$folder/heap.hdf5" benchmarks/snapshots/stack.hdf5 --solver pgs --tol 1e-2
check "a file on which HDF5 crashes is refused, and the next one is solved" eval \
    'complains "heap.hdf5: .*damaged" && prints "pgs solved 1"'
run bench "$folder/heap.hdf5" --solver pgs -o "$folder/heap"
check "a campaign does not blame its solvers for it" grep -qE 'before the file was read|damaged' "$folder/heap/results.csv"
finish
