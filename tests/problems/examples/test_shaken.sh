#!/bin/bash
# The shaken vessels, small: their checks pass, the twins that lack the cause fail the
# checks of the effect; a check whose run was cut in two gives the same table.
. tests/support/tap.sh run
table() { grep -E '^(pass|FAIL)' "$folder/out"; }

box="shaken-box --set grains=40 --set width=1.2 --set periods=3 --set discard=1 --set steps=200"
run $box --check --every 200 --centres "$folder/centres" --observe circulation --observe-csv "$folder/whole.csv"
check "shaken-box" exits 0
table >"$folder/whole"
check "centres of 40 beads at 4 periods" eval '[ "$(wc -l <"$folder/centres")" = 161 ]'
"$program" run $box --check --every 200 --centres "$folder/centres.part" --observe circulation \
    --observe-csv "$folder/part.csv" --checkpoint "$folder/c" >"$folder/out" 2>"$folder/err" & pid=$!
# After its first row the run is on its way; a run that ends before the signal leaves a
# checkpoint too.
until [ -s "$folder/centres.part" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -INT $pid 2>/dev/null; wait $pid; code=$?
run $box --check --every 200 --centres "$folder/centres.part" --observe circulation \
    --observe-csv "$folder/part.csv" --checkpoint "$folder/c" --resume
table >"$folder/parts"
check "a check cut in two gives the same table" cmp -s "$folder/whole" "$folder/parts"
check "and the same rows" eval 'cmp -s "$folder/whole.csv" "$folder/part.csv" && cmp -s "$folder/centres" "$folder/centres.part"'
run $box --check --checkpoint "$folder/c" --resume
check "a checkpoint of other measures is refused" eval 'exits 2 && grep -q "of another run" "$folder/err"'

# Sweeps are counted here, so that all steps take as many: residuals tell which were hard.
run $box --csv "$folder/box.csv" --record "$folder/hard" --hardest 2
residual=$(head -n 1 "$folder/box.csv" | tr , '\n' | grep -nx natural | cut -d: -f1)
awk -F, -v c="$residual" 'NR > 1 { printf "%s shaken-box-%08d.hdf5\n", $c, NR - 1 }' "$folder/box.csv" |
    sort -g | tail -n 2 | cut -d' ' -f2 | sort >"$folder/hardest"
check "the hardest of equal steps have the largest residuals" eval 'ls "$folder/hard" | cmp -s - "$folder/hardest"'

cylinder="shaken-cylinder --set grains=60 --set width=0.6 --set periods=6 --set discard=2 --set steps=250"
run $cylinder --end 1e-4 --save-state "$folder/spheres"
check "a packing is saved" eval 'exits 0 && [ "$(wc -l <"$folder/spheres")" = 61 ]'
run $cylinder --from "$folder/spheres" --check
# Which way 60 grains drift along the wall in some periods is a matter of the seed: of eight, half pass those two checks.
drift="displacement of a period near the walls|the same in the inner half"
check "shaken-cylinder, but for the drift" eval \
    '[ "$(table | grep -c "^pass")" -ge 8 ] && ! table | grep "^FAIL" | grep -qvE "$drift"'
run $cylinder --from "$folder/spheres" --set wall_mu=0 --check
check "a smooth cylinder does not pull down" fails "mean vertical force of the wall"

nut="brazil-nut --set grains=40 --set width=0.8 --set nut=0.2 --set height=0.3 --set steps=250 --set periods=60"
run $nut --check
check "brazil-nut" exits 0
run brazil-nut --set least=2 --set most=1
check "sizes out of order" eval 'exits 2 && grep -q "above most" "$folder/err"'
finish
