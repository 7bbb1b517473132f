#!/bin/bash
# `solve` with solvers of others: whatever they do, the rows to come are there, what they
# print stays out of the data, and the answer and its history come back whole.
. tests/support/tap.sh solve
released=$program program=$build/tests/delassus_hostile
row() { grep -q "\"solver\": \"$1[^\"]*\".*\"status\": \"$2\"" "$folder/out"; }
only_json() { ! grep -vq '^{.*}$' "$folder/out"; }
snapshot=benchmarks/snapshots/one-contact.hdf5

for deed in crash leave; do
    run $snapshot --solver hostile:deed=$deed,pgs --json
    check "a solver that does '$deed' loses its own row alone" eval \
        '[ $code = 1 ] && row hostile crashed && row pgs converged && only_json'
done
check "its last words are told" grep -q "matrix is not what I like" "$folder/out"
run $snapshot --solver hostile:deed=hang,pgs --max-time 0.1 --json
check "one that is deaf to its deadline is ended" eval \
    '[ $code = 1 ] && row hostile max_time && row pgs converged'
run $snapshot --solver hostile:deed=chatter,pgs --json
check "what one prints stays out of the data" eval 'only_json && row hostile finished && row pgs converged'
run $snapshot --solver hostile:deed=lie,hostile:deed=nan --json
check "a claim is no verdict" eval '! grep -q "\"status\": \"converged\"" "$folder/out"'

# Interrupted while a deaf solver is at work, in a child of this process.
"$program" solve $snapshot $snapshot --solver hostile:deed=hang --max-time 60 --json >"$folder/out" 2>"$folder/err" &
pid=$!
for _ in $(seq 600); do pgrep -P $pid -f bench-child >/dev/null && break; sleep 0.1; done # not the one that reads
kill -TERM $pid; wait $pid; code=$?
check "a signal ends a deaf solver, and the run" eval \
    '[ $code = 1 ] && row hostile stopped && [ "$(wc -l <"$folder/out")" = 1 ] && grep -q "interrupted" "$folder/err"'

program=$released
if "$program" list | grep -q siconos-nsgs; then
    for place in there here; do # twice, to compare
        run $snapshot --solver siconos-nsgs --save "$folder/$place" --history "$folder/$place.csv" --json
    done
    check "an answer comes back" eval '[ $code = 0 ] && cmp -s "$folder"/{there,here}/one-contact.siconos-nsgs.hdf5 &&
        "$program" solve "$folder/here/one-contact.siconos-nsgs.hdf5" --solver pgs --start solution --max-iter 1 --json | grep -q "\"status\": \"converged\", \"iterations\": 0"'
    check "a history comes back" eval '[ "$(head -1 "$folder/here.csv")" = "problem,solver,iteration,time,natural,merit" ] &&
        grep -q "^one-contact,siconos-nsgs,0,[0-9]" "$folder/here.csv"'
else
    skip "an answer comes back" "Siconos is not in this build"
fi
finish
