#!/bin/bash
# The granular examples, small: their checks pass, and the twins that lack the cause fail
# the checks of the effect. States are saved and reused.
. tests/support/tap.sh run

run landslide --scale 0.03 --set duration=1 --check
check "landslide" exits 0
# 100 disks that were compacted before.
disks="biaxial-200 --scale 0.5 --from $here/packings/biaxial-200-packing.csv"
disks="$disks --set inertial=0.01 --set strain=0.02"
run $disks --check
check "biaxial-200" exits 0
run $disks --max-iter 10 --check
check "biaxial-200 with steps left unsolved gains energy" fails "r . u_bar of approached"
# Thresholds that move lead momentum round; found: 1 of 250 steps short, 23 without a reach that shrinks.
run biaxial-200 --scale 0.1 --set mu=0.5 --end 0.5
check "steps of the A-CD2 law are solved where friction is strong" exits 0
# 82 disks that settled before, with the velocities that they had then.
packing=$here/packings/biaxial-packing.csv
run biaxial-1024 --scale 0.08 --from "$packing" --check
check "biaxial-1024" exits 0
run biaxial-1024 --scale 0.08 --from "$packing" --set mu=0 --check
check "biaxial-1024 without friction does not resist" fails "sin phi"
run biaxial-1024 --scale 0.04 --from "$packing" --check
check "a packing of another size is refused" eval 'exits 2 && grep -q "not of these 43 bodies" "$folder/err"'
# Walls and duration follow from the packing, which a resumed run needs again.
run biaxial-1024 --scale 0.016 --end 1e-4 --save-state "$folder/16.csv"
for how in "biaxial-1024 --scale 0.016 --from $folder/16.csv" "biaxial-200 --scale 0.2"; do
    run $how --tol 1e-2 --end 0.01 --csv "$folder/whole.csv"
    run $how --tol 1e-2 --end 0.004 --csv "$folder/part.csv" --checkpoint "$folder/c"
    run $how --tol 1e-2 --end 0.01 --csv "$folder/part.csv" --checkpoint "$folder/c" --resume
    check "${how%% *}: resumed, the same to the last digit" eval 'exits 0 && cmp -s "$folder/whole.csv" "$folder/part.csv"'
done
run biaxial-1024 --scale 0.016 --from "$folder/16.csv" --end 1e-3 --checkpoint "$folder/c"
run biaxial-1024 --scale 0.016 --from "$folder/16.csv" --end 5e-3 --save-state "$folder/17.csv"
run biaxial-1024 --scale 0.016 --from "$folder/17.csv" --end 2e-3 --checkpoint "$folder/c" --resume
check "a run from another packing is another run" eval 'exits 2 && grep -q "of another run" "$folder/err"'
run rocking-block --from "$packing"
check "other examples take no packing" eval 'exits 2 && grep -q "does not start from a packing" "$folder/err"'
finish
