#!/bin/bash
# The two piles, small: poured or laid down from nothing; checks on piles that were built
# before, and the twins without the cause; restarts while bodies come; pages, VTK.
. tests/support/tap.sh run

# 150 disks, 280 spheres: `run NAME --scale S --save-state FILE` with these options.
sand="sandpile-2d --scale 0.05 --set rest=0.03 --check"
run $sand --from "$here/packings/pile-poured.csv"
check "a poured pile carries part of its middle" exits 0
run $sand --from "$here/packings/pile-level.csv" --set level=1
check "a level bed does not" fails "the same, mean over cuts"
cone="conical-pile --scale 0.02 --set rest=0.2 --check"
run $cone --from "$here/packings/pile-laid.csv"
check "a conical pile presses less than a liquid in the middle" exits 0
run $cone --from "$here/packings/pile-rained.csv" --set width=3
check "a pile rained over its base does not" fails "pressure of the inner annulus"

# From nothing, cut while grains come.
fast="sandpile-2d --scale 0.004 --set rate=100 --set step=5e-4 --set rest=0.1 --tol 1e-4"
run $fast --csv "$folder/whole.csv" --page "$folder/page.html" --frames 5 \
    --save-state "$folder/end.csv"
check "poured from nothing" eval 'exits 0 && [ "$(wc -l <"$folder/end.csv")" = 13 ]'
bodies=$(head -n 1 "$folder/whole.csv" | tr , '\n' | grep -nx bodies | cut -d: -f1)
check "the CSV file counts the bodies" [ \
    "$(sed -n '2p;$p' "$folder/whole.csv" | cut -d, -f"$bodies" | tr '\n' ' ')" = "1 12 " ]
check "the page has all, there or not" grep -q '"bodies":12' "$folder/page.html"
run $fast --end 0.06 --csv "$folder/parts.csv" --checkpoint "$folder/c"
run $fast --resume --csv "$folder/parts.csv" --checkpoint "$folder/c"
check "resumed while grains come: the same to the last digit" \
    cmp "$folder/whole.csv" "$folder/parts.csv"
laid="conical-pile --scale 0.0007 --set rest=0 --end 0.03 --set rate=300 --set step=5e-4"
run $laid --vtk "$folder/vtk" --every 20 --observe ground=3,slice=50,track=5 \
    --observe-csv "$folder/seen.csv"
check "laid down from nothing" exits 0
check "VTK files have the bodies that are there" eval \
    '[ "$(grep -l "^VERTICES" "$folder"/vtk/*.vtk | wc -l)" = 3 ]'
check "measures of a heap" eval \
    'head -n 1 "$folder/seen.csv" | grep -q "ground_p1,ground_p2,ground_p3,ground_beyond,slice_lift"'
check "a grain that is not there yet is not tracked" eval \
    'sed -n 2p "$folder/seen.csv" | grep -q ",,$" && tail -n 1 "$folder/seen.csv" | grep -qv ",$"'
run $laid --race pgs-bodies,pgs --apart
check "one population cannot follow two trajectories" eval \
    'exits 2 && grep -q "bodies come and go" "$folder/err"'
run sandpile-2d --scale 0.05 --from "$here/packings/pile-laid.csv" --check
check "a state of other grains is refused" eval 'exits 2 && grep -q "not of these" "$folder/err"'
finish
