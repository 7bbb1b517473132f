# The examples whose checks run in seconds, one name a line; the rest are statistics of
# chaotic runs, which test_granular.sh, test_pile.sh and test_shaken.sh run small.
quick_examples() {
    "$program" list problems | sed -n '/run in time/,/of one step/s/^  \([a-z][a-z0-9-]*\) .*/\1/p' |
        grep -vE '^(shaken-.*|brazil-nut|biaxial-.*|landslide|.*pile.*)$'
}
