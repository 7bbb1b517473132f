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

# The sanitizers reserve terabytes of addresses, so a limit on them is not for that build.
if [ "$(basename "$build")" = debug ]; then
    skip "a limit on memory" "the sanitizers of this build need addresses without limit"
else
    (ulimit -v 150000; timeout -s KILL 20 "$program" solve $snapshot --solver pgs --tol 1e-2) >"$folder/out" 2>"$folder/err"
    code=$?
    check "a limit on memory that is too low gets a sentence" complains "limit on memory"
fi
finish
