#!/bin/bash
# `delassus run --observe`: columns, rows, a resumed run, and bad words.
. tests/support/tap.sh run

run rocking-block --end 0.4 --every 100 --observe stress,obstacle=0,track=0 --observe-csv "$folder/whole.csv"
check "four rows below one line of names" [ "$(wc -l <"$folder/whole.csv")" = 5 ]
check "the names are those of the measures" grep -q '^t,moment_xx,.*,moment_defect,obstacle0_x,obstacle0_y,grain0_x,grain0_y$' "$folder/whole.csv"
# The moment from inside and from outside differ by rounding alone.
check "moments balance" awk -F, 'NR > 1 && $6 > 1e-12 { exit 1 }' "$folder/whole.csv"
run rocking-block --end 0.2 --every 100 --observe stress,obstacle=0,track=0 --observe-csv "$folder/part.csv" --checkpoint "$folder/c"
echo '0.25,cut me' >>"$folder/part.csv"
run rocking-block --end 0.4 --every 100 --observe stress,obstacle=0,track=0 --observe-csv "$folder/part.csv" --checkpoint "$folder/c" --resume
check "a resumed run goes on behind the last row" cmp -s "$folder/whole.csv" "$folder/part.csv"
run rocking-block --observe stresss --observe-csv "$folder/x"
check "an unknown measure" complains "no measure 'stresss'"
run rocking-block --observe track --observe-csv "$folder/x"
check "a number that lacks" complains "form track=K"
run rocking-block --observe stress
check "no file" complains "go together"
run oscillator --observe stress --observe-csv "$folder/whole.csv"
check "not rigid bodies" complains "rigid bodies"
check "the file was left alone" [ "$(wc -l <"$folder/whole.csv")" = 5 ]
finish
