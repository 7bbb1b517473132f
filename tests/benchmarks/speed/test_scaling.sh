#!/bin/bash
# The scaling study from outside, on tiny structures: its table, its CSV, the exponents it
# prints against the same fit by awk, its figures, and what it says of bad input.
. tests/support/tap.sh
program=$build/benchmarks/speed/scaling
cd "$folder" || exit 1
refuses() { complains "$1" && [ ! -s out ]; }

# --- a study -----------------------------------------------------------------------------
# 40 and 126 contacts: a few seconds under sanitizers.
run --min-contacts 40 --max-contacts 130 --tol 1e-6 --max-time 30 --csv rows.csv --svg time.svg
check "tiny structures are solved" exits 0
check "the table names its columns" grep -qE \
    '^family +contacts +m/n +residual +status +generate +build +solve +arena +peak +slip +methods$' out
check "two sizes of each family" eval \
    '[ "$(grep -cE "^(wall|pyramid|packing) .* converged " out)" = 6 ]'
check "auto tells its methods" eval '[ "$(grep -c "converged.*  [a-z-]* [0-9.e+-]* s" out)" = 6 ]'
header=family,contacts,m,n,density,solver,tol,max_time,status,natural,merit,generate_time
header+=,build_time,create_time,solve_time,check_time,time,bytes,peak_memory,idle_memory
header+=,open,stick,slip,factorisations,note
check "the CSV has its header" eval '[ "$(head -n 1 rows.csv)" = "$header" ]'
check "the CSV has a row for each size" eval '[ "$(wc -l <rows.csv)" = 7 ]'
sums() { # sizes grow, densities and statuses agree, memory is above that of doing nothing
    awk -F, 'NR == 1 { next }
        $1 == before && $2 <= contacts { print "no growth"; bad = 1 }
        { before = $1; contacts = $2; d = $3 / $4 - $5 }
        $3 != 3 * $2 || d * d > 1e-20 || $21 + $22 + $23 != $2 { print "sizes"; bad = 1 }
        $10 > 1e-6 || $10 <= 0 { print "residual"; bad = 1 }
        $18 <= 0 || $19 <= 0 || $20 <= 0 { print "memory"; bad = 1 }
        $17 + 1e-12 < $13 + $14 + $15 { print "time"; bad = 1 }
        END { exit bad }' rows.csv >>err
}
check "its numbers agree with each other" sums
check "contacts slide in every structure" eval \
    '[ "$(awk -F, "NR > 1 && \$23 > 0" rows.csv | wc -l)" = 6 ]'

cp time.svg first.svg; cp time-memory.svg first-memory.svg; cp out study; tail -n 6 out >fits
run --from rows.csv --svg time.svg
check "its rows alone give the same exponents and figures" eval \
    'exits 0 && tail -n 6 out | cmp -s - fits && cmp -s time.svg first.svg && cmp -s time-memory.svg first-memory.svg'
run --from nowhere.csv; check "rows that are not there" refuses nowhere.csv
echo family,contacts >few.csv; run --from few.csv; check "rows without a column" refuses "no column 'status'"
cp study out

# Through two points the fit is the line itself. Two digits are printed.
exponents() { # WHAT EXPRESSION: as printed, against the rows
    awk -F, -v what="$1" 'FNR == NR { if (FNR > 1) { n[$1]++
                x[$1, n[$1]] = log($2); y[$1, n[$1]] = log('"$2"') } next }
        { split($0, word, " +") }
        word[2] == what { f = word[1]; printed = word[4]; sub(/contacts\^/, "", printed)
            e = (y[f, 2] - y[f, 1]) / (x[f, 2] - x[f, 1]) - printed
            if (e * e > 0.006^2) { print f, what, printed, e; bad = 1 }
            seen++ }
        END { exit bad || seen != 3 }' rows.csv out >>err
}
check "exponents of time are those of the rows" exponents time '$17'
check "the range of the fit is stated" eval \
    '[ "$(grep -cE "\^-?[0-9.]+ over 2 of 2 sizes, [0-9]+ to [0-9]+ contacts$" out)" -ge 3 ]'
drawn() { grep -q '</svg>' "$1" && [ "$(grep -c '<polyline' "$1")" = "$2" ] && grep -q 'contacts' "$1"; }
check "time is drawn with its fits" drawn time.svg 6
check "memory is drawn" eval "grep -q 'memory, bytes' time-memory.svg"

# --- what does not converge ---------------------------------------------------------------
run --families packing --min-contacts 100 --max-contacts 130 --solver pgs --max-time 0 --csv rows.csv
check "out of time: exit 1" exits 1
check "the row says so" grep -qE '^packing .* max_time ' out
check "and keeps the residual" eval "awk -F, 'NR == 2 { exit !(\$9 == \"max_time\" && \$10 > 0) }' rows.csv"
check "no exponent without sizes that converged" grep -q \
    'packing *time *no exponent: 0 of 1 sizes converged' out

# An interrupted study keeps the rows that were done.
interrupted() {
    "$program" --families packing --min-contacts 40 --max-contacts 100000 --tol 1e-3 \
        --csv kept.csv >out 2>err &
    local child=$! waited=0
    while [ "$(wc -l <kept.csv 2>/dev/null || echo 0)" -lt 2 ] && [ $waited -lt 600 ]; do
        sleep 0.1; waited=$((waited + 1))
    done
    kill "$child"; wait "$child" 2>/dev/null
    [ "$(sed -n 2p kept.csv | cut -d, -f1,9)" = packing,converged ]
}
check "an interrupted study keeps its rows" interrupted

# --- bad input -----------------------------------------------------------------------------
run --families wall,castle; check "unknown family" refuses castle
run --families wall,wall; check "a family twice" refuses 'each once'
run --families ''; check "no family" refuses 'wall, pyramid, packing'
run --solver magic; check "unknown solver" refuses magic
run --tol -1; check "tolerance out of range" refuses "tol takes 0 ... 1, not '-1'"
run --max-contacts many; check "contacts that are no number" refuses "max_contacts takes .*'many'"
run --max-contacts 100; check "largest below least" refuses 'below --min-contacts'
run --max-time; check "a flag without its value" refuses '--max-time: needs a value'
run --fast 1; check "unknown flag" refuses '--fast: no such flag'
run extra; check "a stray word" refuses 'extra: no such flag'
run --families wall --csv nowhere/rows.csv; check "CSV in no folder" refuses 'nowhere/rows.csv: No such file'
run --help; check "help names every flag" eval 'exits 0 &&
    [ "$(grep -oE -- "--(families|solver|csv|svg|min-contacts|max-contacts|tol|max-time|max-memory)\b" out | sort -u | wc -l)" = 9 ]'
finish
