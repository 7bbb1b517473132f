#!/bin/bash
# `delassus stress` from outside: auto solves a slice, what a solver does not solve is told
# and saved small, and the file that is saved is the failure.
. tests/support/tap.sh
cd "$folder" || exit 1
refuses() { complains "$1" && [ ! -s out ]; }

run stress --seeds 60 --max-time 20
check "auto solves a slice" exits 0
check "the table counts it" grep -qE '^auto +60 +60 ' out

# Without time every solver fails unless r = 0 is the answer: one contact that closes is
# enough for that, and the rest can be spared.
run stress --solver pgs --seeds 8 --contacts 12 --max-time 0 -o failures
check "failures exit 1" exits 1
check "each is told with the options that make it" eval \
    'grep -qE "^pgs max_time at .*, random-bodies contacts=.* seed=[0-9]+$" out'
saved=$(ls failures/pgs-*.hdf5 2>/dev/null | head -n 1)
check "and saved" [ -n "$saved" ]
check "with one contact" eval 'grep -q "hdf5: 1 of" out && ! grep -q "hdf5: [2-9]" out'
run solve "$saved" --solver pgs --max-time 0
check "that fails again" exits 1
run solve "$saved" --solver auto
check "and that auto solves" exits 0

run stress --solver nonsense
check "an unknown solver is one line" refuses nonsense
run stress --seeds 0
check "no seeds at all are one line" refuses seeds
run stress --help
check "help tells of the generator" grep -q random-bodies out
finish
