#!/bin/bash
# Solvers from outside: a shared object and programs that speak the protocol, good ones and
# bad ones, under `solve`, `bench` and the driver's judge.
. tests/support/tap.sh
export TMPDIR=$folder/tmp PATH=/usr/bin:$PATH # Debian's own Python
mkdir "$TMPDIR"
snapshot=benchmarks/snapshots/manufactured-2d.hdf5
row() { # DEED PATTERN...: solve prints one JSON row that has all patterns
    local deed=$1 line; shift
    [ -e "$folder/$deed" ] || cp tests/hostile/guest "$folder/$deed"
    line=$("$program" solve $snapshot --solver "$folder/$deed" --max-time "${seconds:-5}" --json) || true
    echo "$line"
    for pattern in "$@"; do grep -q -- "$pattern" <<<"$line" || { echo "lacks $pattern"; return 1; }; done
}
refused() { # TEXT SOLVER: exit 2 and the sentence
    "$program" solve $snapshot --solver "$2" 2>"$folder/err"; [ $? = 2 ] && cat "$folder/err" && grep -q "$1" "$folder/err"
}
deed() { cp tests/hostile/guest "$folder/$1"; }

# --- a shared object -------------------------------------------------------------------
make_object() { # OUT
    ${CC:-cc} -std=c17 -shared -fPIC -I. examples/my_solver.c -o "$1"
}
check "a solver out of tree compiles without the library" make_object "$folder/mine.so"
check "and solves, by default and with an option" "$program" solve $snapshot --tol 1e-6 \
    --solver "$folder/mine.so,$folder/mine.so:omega=0.3"
check "its option has a range" refused 'omega' "$folder/mine.so:omega=99"
check "bench runs it in a child" eval '"$program" bench $snapshot --solver "$folder/mine.so:omega=0.3" --tol 1e-4 -o "$folder/so" &&
    grep -q "my-solver" "$folder/so/results.csv" && grep -q converged "$folder/so/results.csv"'
check "and passes the conformance suite" env DLS_SOLVER="$folder/mine.so" $build/tests/solvers/test_conformance
echo 'int nothing;' >"$folder/empty.c"; ${CC:-cc} -shared -fPIC "$folder/empty.c" -o "$folder/empty.so"
check "an object without a solver is refused" refused "no symbol 'dls_solver'" "$folder/empty.so"
cp README.md "$folder/text.so"
check "what is no object is refused" refused 'text.so' "$folder/text.so"
check "a file that is not there is refused" refused 'no such file' ./none.so

# --- programs --------------------------------------------------------------------------
if $python -c 'import numpy, scipy.io' 2>/dev/null; then
    check "a good program converges" "$program" solve $snapshot --tol 1e-6 --solver examples/jacobi_program:omega=0.4
else
    skip "a good program converges" "python3-scipy is not here"
fi
check "a liar is not believed, and its claim is kept" row liar '"status": "finished"' '"claimed": 1e-12' 'as easy as that'
check "one that crashes costs a row" row crashing '"status": "io"' 'was killed by signal 6'
seconds=0.5
check "one that hangs is ended" row hanging '"status": "max_time"' 'no answer in the time allowed'
seconds=5
check "garbage is named" row garbage '"status": "io"' 'garbage. is not of the protocol'
check "too few impulses" row short '"status": "io"' 'it wrote less than'
check "too many impulses" row long '"status": "io"' 'it wrote more than'
check "impulses that are no numbers" row nan '"status": "diverged"'
check "one that takes no problem" row refusing '"status": "unsupported"' 'no problem at all'
check "one whose package is missing is left out with a sentence" row absent '"status": "unsupported"' 'wonderland is not installed'
loading() { # a second of loading is in no time of the run
    row slow '"status": "finished"' && "$program" solve $snapshot --solver "$folder/slow" --csv |
        $python -c 'import csv, sys; r = next(csv.DictReader(sys.stdin)); sys.exit(not float(r["solve_time"]) + float(r["create_time"]) < 0.5)'
}
check "loading is not timed" loading
deed dead; check "one that ends at once is refused" refused 'ended with exit code 3 before it said hello' "$folder/dead"
deed babbling; check "one that babbles is refused" refused 'not of the protocol' "$folder/babbling"
check "a campaign keeps the claim of each tolerance" eval '"$program" bench $snapshot --solver "$folder/liar,pgs" --tol 1e-2,1e-4 -o "$folder/campaign" || true;
    [ "$(grep -c liar "$folder/campaign/results.csv")" = 2 ] && ls "$folder"/campaign/history/*liar*'
deed boasting
column() { # DIR NAME: its values, each once
    $python -c 'import csv, sys
print(*sorted({r[sys.argv[2]] for r in csv.DictReader(open(sys.argv[1] + "/results.csv", newline=""))}))' "$folder/$1" "$2"
}
boasts() { # a word is a claim, of each tolerance; who made it and what it cites are in the rows
    "$program" bench $snapshot --solver "$folder/boasting" --tol 1e-2,1e-4 -o "$folder/boasts"
    [ "$(column boasts peer) $(column boasts cite) $(column boasts package) $(column boasts claimed)" = "true Carpentier2024 Wonder 1.2 true" ] &&
        [ "$(column boasts claim_natural)" = "$(column boasts natural)" ] && [ "$(column boasts claim_merit)" = "$(column boasts merit)" ]
}
check "a peer that says solved, what it is and what it cites" boasts
check "the page has its false claims, in both measures" grep -qE "boasting</th><td.*>2</td>|boasting</th>(<td[^>]*>[^<]*(<sup>[^<]*</sup>)?</td>){4}<td class='num'>1</td>" "$folder/boasts/report.html"
stale() { # COMMAND...: a change is seen, and only then
    "$program" bench $snapshot --solver "$folder/guests/mine.py" --tol 1e-2 -o "$folder/stale"; "$@"
    "$program" bench $snapshot --solver "$folder/guests/mine.py" --tol 1e-2 -o "$folder/stale" >"$folder/again"
    cat "$folder/again"
}
if $python -c 'import numpy, scipy.sparse' 2>/dev/null && [ -e build/release/libdelassus.so ]; then
    mkdir "$folder/guests"; export DELASSUS_SERVE=$PWD/python/delassus/serve.py
    { echo "import helper, math"; cat python/examples/jacobi.py; } >"$folder/guests/mine.py"
    echo "from deeper import x" >"$folder/guests/helper.py"; echo "x = 1" >"$folder/guests/deeper.py"; echo >"$folder/guests/other.py"
    check "rows of a solver from a file are kept while nothing changes" eval 'stale true && ! grep -q "another build" "$folder/again"'
    check "a change of its file makes them stale" eval 'stale eval "echo >>$folder/guests/mine.py" && grep -q "another build" "$folder/again"'
    check "so does a module beside it, through another one" eval 'stale eval "echo y = 2 >>$folder/guests/deeper.py" && grep -q "another build" "$folder/again"'
    check "a file that it does not import does not" eval 'stale eval "echo y = 2 >>$folder/guests/other.py" && ! grep -q "another build" "$folder/again"'
else
    skip "stale rows of a Python solver" "python3-scipy or build/release/libdelassus.so are not here"
fi
deed sleepy
naps() { # CLOCK: seconds that the run of one that sleeps for 0.4 s takes by that clock
    "$program" bench $snapshot --solver "$folder/sleepy" --tol 1e-2 --clock "$1" -o "$folder/naps-$1" >"$folder/naps" 2>&1
    [ "$(column "naps-$1" clock)" = "$1" ] && column "naps-$1" time
}
check "sleep counts as time" awk "BEGIN { t = \"$(naps wall)\"; print t; exit !(t >= 0.4) }"
check "and not as work" awk "BEGIN { t = \"$(naps cpu)\"; print t; exit !(t != \"\" && t < 0.3) }"
check "another clock needs another folder" eval '! "$program" bench $snapshot --solver "$folder/sleepy" --tol 1e-2 -o "$folder/naps-cpu" 2>"$folder/err" &&
    grep -q "clock = cpu, now it is wall" "$folder/err"'
check "nothing is left behind" eval 'ls "$TMPDIR"; [ -z "$(ls "$TMPDIR")" ] && ! pgrep -f "$folder/hanging"'
finish
