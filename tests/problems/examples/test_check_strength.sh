#!/bin/bash
# The checks of every example notice what they are there for: an answer that is not
# solved, and a law whose coefficients are off by 1 %.
. tests/support/tap.sh run
. tests/support/quick_examples.sh
notices() { # NAME TEXT OPTION...: the table of checks must not pass
    local name=$1 text=$2; shift 2
    run "$name" --check --scale 0.25 "$@"
    check "$name notices $text" exits 1
}
# One sweep of pgs solves a single contact exactly, whatever the tolerance: half a sweep
# does not.
loose="--tol 0.9 --solver pgs:omega=0.5"
# Nothing but a moving boundary, no coefficient that could be wrong; `vessel` checks shapes and their
# motion, which 1 % of friction does not change.
bare=" sweeping waterstream vessel "
for name in $(quick_examples); do
    notices "$name" "a tolerance of 0.9" $loose
    [[ $bare == *" $name "* ]] || notices "$name" "coefficients off by 1 %" --spoil 0.01
done
finish
