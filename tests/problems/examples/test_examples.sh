#!/bin/bash
# Every example of the papers with its checks, and what `delassus run` promises: files,
# checkpoints that go on bit for bit, exit codes.
. tests/support/tap.sh run
. tests/support/quick_examples.sh

# --- checks of every example, with the solver and schemes of its own ---------------------
for name in $(quick_examples); do
    run "$name" --check --scale 0.25
    check "$name passes its checks" eval 'exits 0 && prints "checks passed$"'
done
check "there are examples" [ $count -gt 5 ]

# What --check cannot use it refuses.
for wrong in "--scheme theta" "--step 1e-3" "--end 1"; do
    run bouncing-ball --check $wrong
    check "--check refuses $wrong" complains "leave out"
done
# One sweep a step is not enough for three contacts at once: the run does not count.
run collision-pairs --check --max-time 0
check "steps short of the tolerance fail the checks" eval 'exits 1 && prints "^FAIL  steps short"'

# --- when a step is solved ---------------------------------------------------------------
run incline --tol 1e-8
check "residuals, iterations and contacts by median, 90 % and most" eval \
    'exits 0 && prints "residual +median .*e-.*, 90 % .*, most" && prints "iterations +median [0-9]+, 90 %" && prints "contacts +median [0-9]+, 90 %" && prints "^  0 of .* short"'
run incline --max-iter 1 --start zero
check "one sweep from zero falls short, and the run says so" eval \
    'exits 1 && prints "^  [1-9][0-9]* of .* short" && prints "iterations.*most 1$"'
run incline --measure merit --tol 1e-10
check "the tolerance may apply to the merit" exits 0

run bouncing-ball --halve --step 0.02 --csv "$folder/halve.csv"
long=$(grep -oE 'and [0-9.e+-]+ on average' "$folder/out" | grep -oE '[0-9.]+e[+-][0-9]+')
check "--halve compares the energies of both runs" eval \
    'exits 0 && prints "curves apart" && [ "$(wc -l <"$folder/halve.csv")" = 101 ]'
run bouncing-ball --halve --step 0.002
short=$(grep -oE 'and [0-9.e+-]+ on average' "$folder/out" | grep -oE '[0-9.]+e[+-][0-9]+')
check "a tenth of the step: curves less than half as far apart" \
    awk "BEGIN { exit !($short > 0 && $short < 0.5 * $long) }"
run incline --halve --vtk "$folder/none"
check "--halve refuses files of one run" complains "leave out --vtk"
run incline --measure correction --tol 1e-6
check "Moreau's own stopping test" exits 0

# --- any scheme with any solver ----------------------------------------------------------
for scheme in moreau theta theta:theta=1 schatzman-paoli acd2 alpha alpha:kind=hht event; do
    run oscillator --scheme $scheme --end 1 --csv "$folder/$scheme.csv"
    check "oscillator with $scheme" eval "exits 0 && [ \$(wc -l <'$folder/$scheme.csv') = 501 ]"
done
for solver in pgs pgs-bodies newton uzawa lemke; do
    run rocking-block --solver $solver --end 0.4 --tol 1e-9
    check "rocking block with $solver" eval "exits 0 && prints 'solver $solver'"
done

# --- files -------------------------------------------------------------------------------
run rocking-block --end 0.4 --record "$folder/snap" --every 100 --vtk "$folder/vtk"
check "--record and --vtk write every 100th step" eval \
    '[ "$(ls "$folder/snap" | wc -l) $(ls "$folder/vtk" | wc -l)" = "4 4" ]'
"$program" solve "$folder"/snap/*.hdf5 --start solution >"$folder/out" 2>"$folder/err"; code=$?
check "recorded snapshots hold their answers" eval 'exits 0 && prints "4 problems"'
check "VTK files have points and forces" eval \
    'grep -q "^POINTS [0-9]* double" "$folder"/vtk/rocking-block-00000100.vtk && grep -q "^POLYGONS 1 5" "$folder"/vtk/rocking-block-00000100.vtk && grep -q "^force 3" "$folder"/vtk/rocking-block-00000100.vtk'
run rocking-block --end 0.4 --record "$folder/hard" --hardest 3
check "--hardest keeps three snapshots" eval '[ "$(ls "$folder/hard" | wc -l)" = 3 ]'

# --- interruption ------------------------------------------------------------------------
for scheme in moreau alpha; do
    run bouncing-ball --scheme $scheme --end 1 --csv "$folder/whole.csv"
    run bouncing-ball --scheme $scheme --end 0.6 --csv "$folder/part.csv" --checkpoint "$folder/c"
    run bouncing-ball --scheme $scheme --end 1 --csv "$folder/part.csv" --checkpoint "$folder/c" --resume
    check "$scheme: resumed run gives the same bytes" cmp -s "$folder/whole.csv" "$folder/part.csv"
done
"$program" run bouncing-ball --end 1000 --csv "$folder/cut.csv" --checkpoint "$folder/d" \
    >"$folder/out" 2>"$folder/err" &
sleep 1; kill -INT $!; wait $!; code=$?
check "Ctrl-C leaves a checkpoint and complete rows" eval \
    'exits 1 && [ -s "$folder/d" ] && [ "$(awk -F, "{ print NF }" "$folder/cut.csv" | sort -u | wc -l)" = 1 ]'
steps=$(($(wc -l <"$folder/cut.csv") - 1))
run bouncing-ball --end "0.$(printf %03d 1)" --csv "$folder/cut.csv" --checkpoint "$folder/d" --resume
check "nothing is left to do before the checkpoint's time" eval \
    "exits 0 && [ $steps = \$((\$(wc -l <'$folder/cut.csv') - 1)) ]"
head -c 100 "$folder/part.csv" >"$folder/short.csv"
run bouncing-ball --scheme $scheme --end 1.1 --csv "$folder/short.csv" --checkpoint "$folder/c" --resume
check "a CSV file that was cut is refused" eval 'complains "cut since" && [ "$(wc -c <"$folder/short.csv")" = 100 ]'
sed 's/1/2/' "$folder/whole.csv" >"$folder/other.csv"; cp "$folder/other.csv" "$folder/other.copy"
run bouncing-ball --scheme $scheme --end 1.1 --csv "$folder/other.csv" --checkpoint "$folder/c" --resume
check "another CSV file is refused and left alone" eval 'complains "not the file" && cmp -s "$folder/other.csv" "$folder/other.copy"'
# One bit turned in some forty places: each such checkpoint is refused with one sentence.
damaged=0 taken=0 size=$(wc -c <"$folder/c")
for at in $(seq 0 $((size / 40 + 1)) $((size - 1))); do
    cp "$folder/c" "$folder/f"
    byte=$(od -An -tu1 -j "$at" -N 1 "$folder/f" | tr -d ' ')
    printf "$(printf '\\%03o' $((byte ^ 4)))" | dd of="$folder/f" bs=1 seek="$at" conv=notrunc 2>/dev/null
    run bouncing-ball --scheme $scheme --end 1.1 --checkpoint "$folder/f" --resume
    damaged=$((damaged + 1)); complains "no checkpoint|of another run|damaged" || taken=$((taken + 1))
done
check "each of $damaged damaged checkpoints is refused" eval '[ $taken = 0 ] && [ $damaged -ge 30 ]'
run bouncing-ball --step 1e-4 --checkpoint "$folder/d" --resume
check "a checkpoint of another run is refused" complains "of another run"
head -c 100 "$folder/d" >"$folder/e"
run bouncing-ball --checkpoint "$folder/e" --resume
check "a cut checkpoint is refused" complains "no checkpoint|not complete"

# --- bad usage ---------------------------------------------------------------------------
run bouncing-bal; check "a misspelt example gets a suggestion" complains "did you mean 'bouncing-ball'"
run bouncing-ball --scheme teta; check "a misspelt scheme gets a suggestion" complains "did you mean 'theta'"
run bouncing-ball --scheme theta:thet=1; check "a misspelt option of a scheme" complains "thet"
run bouncing-ball --solver pgs,newton; check "one solver at a time" complains "one solver"
run bouncing-ball --csv "$folder/none/x.csv"; check "a file that cannot be written" complains "x.csv"
"$program" list schemes >"$folder/out"; check "list schemes" eval 'prints "^  moreau" && prints "cite Moreau2004"'
"$program" help theta >"$folder/out"; check "help of a scheme" prints "implicitness"
"$program" help oscillator >"$folder/out"; check "help of an example" prints "restitution at the stop"
finish
