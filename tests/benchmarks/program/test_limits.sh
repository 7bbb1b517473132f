#!/bin/bash
# What the system refuses: a disk that is full, memory that is not given. The program says
# so in one sentence, exits with 2 and leaves neither a part of a file nor a crash behind.
set -u
program=${DLS_BUILD:-build/debug}/delassus
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0
check() { # TEXT COMMAND...: one test, passed when the command succeeds
    local text=$1; shift
    count=$((count + 1))
    if "$@"; then echo "ok $count - $text"; return; fi
    echo "not ok $count - $text"
    echo "# exit code ${code:-?}; stdout and stderr of the last run:"
    sed 's/^/# | /' "$folder/out" "$folder/err" | tail -n 30
}
# full BLOCKS ARGS...: files may have so many KiB; pipes are not files.
full() {
    local blocks=$1; shift
    rm -rf "$folder/to"; mkdir "$folder/to"
    { { (ulimit -f "$blocks"; trap '' XFSZ; "$program" "$@"); echo $? >"$folder/code"; } 2>&1 >&3 |
        cat >"$folder/err"; } 3>&1 | cat >"$folder/out"
    code=$(cat "$folder/code")
}
refused() { [ "$code" = 2 ] && [ "$(wc -l <"$folder/err")" = 1 ] && grep -q "File too large" "$folder/err" &&
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
if [ "$(basename "$(dirname "$program")")" = debug ]; then
    echo "ok $((count += 1)) - a limit on memory # SKIP the sanitizers of this build need addresses without limit"
else
    (ulimit -v 150000; timeout -s KILL 20 "$program" solve $snapshot --solver pgs --tol 1e-2) >"$folder/out" 2>"$folder/err"
    code=$?
    check "a limit on memory that is too low gets a sentence" eval \
        '[ "$code" = 2 ] && [ "$(wc -l <"$folder/err")" = 1 ] && grep -q "limit on memory" "$folder/err"'
fi
echo "1..$count"
