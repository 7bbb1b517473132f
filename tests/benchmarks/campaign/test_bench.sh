#!/bin/bash
# Campaigns from outside: `delassus bench` around solvers that crash, hang, lie and eat
# memory, killed at random moments and resumed; `delassus compare` of two campaigns.
# tests/delassus_hostile is the program with one more solver, tests/hostile/hostile.c.
set -u
released=${DLS_BUILD:-build/debug}/delassus
program=${DLS_BUILD:-build/debug}/tests/delassus_hostile
python=/usr/bin/python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0 failures=0

# run ARGS...: leaves the exit code in $code, the output in $folder/out and $folder/err.
run() {
    "$program" "$@" >"$folder/out" 2>"$folder/err"
    code=$?
}
check() { # TEXT COMMAND...: one test, passed when the command succeeds
    local text=$1; shift
    count=$((count + 1))
    if "$@"; then
        echo "ok $count - $text"
    else
        failures=$((failures + 1))
        echo "not ok $count - $text"
        echo "# exit code ${code:-?}; stdout and stderr of the last run:"
        sed 's/^/# | /' "$folder/out" "$folder/err" | tail -n 30
    fi
}
exits() { [ "$code" = "$1" ]; }
prints() { grep -qE -- "$1" "$folder/out"; }
complains() { # exit 2 and exactly one line on stderr, which says so
    [ "$code" = 2 ] && [ "$(wc -l <"$folder/err")" = 1 ] && grep -qE -- "$1" "$folder/err"
}

# rows DIR EXPRESSION: prints the Python expression for each row `r` of the results.
rows() {
    $python -c 'import csv, sys
for r in csv.DictReader(open(sys.argv[1] + "/results.csv", newline="")):
    print(eval(sys.argv[2]))' "$1" "$2"
}
# all DIR EXPRESSION: the expression is true of every row, and there is one.
all() { rows "$1" "bool($2)" | sort -u | grep -qx True && ! rows "$1" "bool($2)" | grep -qx False; }
# verdict DIR OPTIONS TOL: the status of that row.
verdict() { rows "$1" "r['status'] if r['options'] == '$2' and float(r['tol']) == $3 else ''" | grep .; }
# whole DIR N: N rows, all keys different, every line complete.
whole() {
    $python - "$1/results.csv" "$2" <<'PY'
import csv, sys
text = open(sys.argv[1], newline="").read()
rows = list(csv.DictReader(text.splitlines(), strict=True))
keys = [(r["problem"], r["solver"], r["options"], float(r["tol"])) for r in rows]
good = text.endswith("\n") and len(keys) == int(sys.argv[2]) == len(set(keys))
good = good and all(None not in r and None not in r.values() for r in rows)
if not good: print(len(keys), "rows,", len(set(keys)), "keys")
sys.exit(not good)
PY
}
# children DIR: how many processes still work for a campaign.
children() { grep -lza -- "--[h]istory=$1/" /proc/[0-9]*/cmdline 2>/dev/null | wc -l; }

"$program" generate stack "$folder/one.hdf5" --set n=1 >/dev/null
"$program" generate stack "$folder/stack.hdf5" --set n=6 >/dev/null
"$program" generate four-leg-table "$folder/table.hdf5" >/dev/null

# --- suites ------------------------------------------------------------------------------
test_suites() {
    mkdir "$folder/set" "$folder/other"
    cp "$folder/stack.hdf5" "$folder/table.hdf5" "$folder/set"
    echo text >"$folder/set/notes.md"
    printf '# a comment\n\n  %s/set/*.hdf5   # a glob\n%s/one.hdf5\n%s/set/stack.hdf5\n' \
        "$folder" "$folder" "$folder" >"$folder/my.txt"
    run bench "$folder/my.txt" --solver pgs -o "$folder/suite"
    check "a suite file: globs, comments, each file once" eval \
        'exits 0 && whole "$folder/suite" 6 && prints "3 of 3 +3 of 3"'
    run bench "$folder/set" --solver pgs -o "$folder/set_campaign"
    check "a folder is a suite" eval 'exits 0 && whole "$folder/set_campaign" 4'
    check "rows carry machine, versions and commit" all "$folder/suite" \
        "r['cpu'] and r['machine'] and r['commit'] and r['compiler'] and 'HDF5' in r['libraries'] and r['residual_version'] and r['started']"
    check "rows carry sizes, density and rank" eval \
        '[ "$(rows "$folder/suite" "r[\"contacts\"], r[\"d\"], r[\"n\"], r[\"density\"], r[\"rank_def\"]" | grep -c "(.4., .3., .6., .2., .6.)")" = 2 ]'
    check "every row has its history, ending at the residual of the row" histories "$folder/suite"
    check "campaign.json tells what was asked" $python -c "import json
d = json.load(open('$folder/suite/campaign.json'))
assert d['files'] == 3 and d['solvers'] == 'pgs' and d['tolerances'] == '1e-4,1e-8' and d['ended']"
    check "a campaign ends with its page" [ -s "$folder/suite/report.html" ]
    cp "$folder/one.hdf5" "$folder/other/stack.hdf5"
    run bench "$folder/set" "$folder/other" -o "$folder/x"; check "two files of one name" complains "same name 'stack'"
    run bench "$folder/nothing" -o "$folder/x"; check "no such suite" complains "nothing: no such"
    echo "$folder/none*.hdf5" >"$folder/empty.txt"
    run bench "$folder/empty.txt" -o "$folder/x"; check "a glob without a match" complains "nothing matches"
    run bench "$folder/one.hdf5" --tol 1e-4,1e-4 -o "$folder/x"; check "a tolerance twice" complains "--tol takes"
    run bench "$folder/one.hdf5" --solver pgs,pgs:omega=1 -o "$folder/x"; check "a solver twice" complains "are the same"
    run bench "$folder/one.hdf5" --solver pgs -o "$folder/one.hdf5/x"; check "a folder that cannot be" complains "one.hdf5"
}
histories() {
    $python - "$1" <<'PY'
import csv, sys
for r in csv.DictReader(open(sys.argv[1] + "/results.csv", newline="")):
    h = list(csv.DictReader(open(sys.argv[1] + "/" + r["history"], newline="")))
    at = [s for s in h if s["iteration"] == r["iterations"]]
    assert len(at) == 1 and at[0]["natural"] == r["natural"] and at[0]["products"] == r["products"], r
    first = next(s for s in h if float(s["natural"]) <= float(r["tol"]))
    assert first is at[0], r
PY
}

# --- hostile solvers ---------------------------------------------------------------------
test_hostile() {
    local all=hostile:deed=hang,hostile:deed=eat,hostile,hostile:deed=lie,hostile:deed=nan
    all=$all,hostile:deed=leave,hostile:deed=late,hostile:deed=chatter,pgs
    # A leak report would drown the last words of the solver that leaves.
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 \
        run bench "$folder/one.hdf5" --solver $all --max-time .1 --max-memory 300 --jobs 3 -o "$folder/hostile"
    check "a campaign completes around hostile solvers" eval 'exits 1 && whole "$folder/hostile" 18'
    check "a crash" [ "$(verdict "$folder/hostile" "" 1e-8 | sort | xargs)" = "converged crashed" ]
    check "the signal is named" eval '[ "$(rows "$folder/hostile" "r[\"message\"]" | grep -c "Segmentation")" -ge 2 ]'
    check "a hang is killed" [ "$(verdict "$folder/hostile" deed=hang 1e-8)" = killed ]
    check "a memory eater is stopped near its limit" eval \
        '[ "$(verdict "$folder/hostile" deed=eat 1e-8)" = out_of_memory ] && all "$folder/hostile" "float(r[\"peak_memory\"]) < 900e6"'
    check "a liar is judged" [ "$(verdict "$folder/hostile" deed=lie 1e-8)" = finished ]
    check "not a number" [ "$(verdict "$folder/hostile" deed=nan 1e-8)" = diverged ]
    check "exit() is no answer, and its words are kept" eval \
        '[ "$(verdict "$folder/hostile" deed=leave 1e-8)" = crashed ] && rows "$folder/hostile" "r[\"message\"]" | grep -q "not what I like"'
    check "what was solved before a crash stays solved" eval \
        '[ "$(verdict "$folder/hostile" deed=late 1e-4) $(verdict "$folder/hostile" deed=late 1e-8)" = "converged crashed" ]'
    check "much output does no harm" [ "$(verdict "$folder/hostile" deed=chatter 1e-8)" = finished ]
    check "the sizes of the problem are there even after a crash" all "$folder/hostile" "r['contacts'] == '1'"
    check "the released program has no hostile solver" eval '! "$released" list solvers | grep -q hostile'
    check "no process is left" [ "$(children "$folder/hostile")" = 0 ]
}

# --- bad files ---------------------------------------------------------------------------
test_bad_files() {
    echo garbage >"$folder/bad.hdf5"
    run bench "$folder/bad.hdf5" "$folder/one.hdf5" --solver pgs -o "$folder/badrun"
    check "a bad file costs its own rows, exit 2" eval 'exits 2 && whole "$folder/badrun" 4 &&
        [ "$(rows "$folder/badrun" "r[\"status\"]" | sort | uniq -c | xargs)" = "2 converged 2 io" ]'
}

# --- kill and resume ---------------------------------------------------------------------
campaign=(bench "$folder/one.hdf5" "$folder/stack.hdf5" "$folder/table.hdf5"
    --solver pgs,pgs:omega=1.2,pgs:order=shuffled,pgs-bodies --jobs 2 --repeat 2 --max-time 1)
# sound FILE: its complete lines, of equal ones the last: what must survive.
sound() {
    $python - "$1" <<'PY'
import sys
lines = open(sys.argv[1], newline="").read().split("\n")[:-1]
lines = [line for line in lines if line.count(",") >= 50]
for k, line in enumerate(lines):
    if line not in lines[k + 1:]: print(line)
PY
}
kill_at_random() { # DIR ROUNDS: kill -9 at random moments, then tear or double a row
    local round delay
    for round in $(seq "$2"); do
        delay=$(awk -v r=$RANDOM 'BEGIN { print 0.05 + 0.7 * r / 32768 }')
        "$program" "${campaign[@]}" -o "$1" >/dev/null 2>&1 & local pid=$!
        sleep "$delay"; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
        [ -e "$1/results.csv" ] || continue
        # A torn end is still there where the kill came before the repair: once is enough.
        [ -z "$(tail -c 1 "$1/results.csv")" ] || continue
        sound "$1/results.csv" >"$folder/before"
        # As if the kill had come in the middle of a row, or a row had been doubled.
        case $((round % 3)) in
        0) printf 'one,"torn in a quo' >>"$1/results.csv" ;;
        1) printf 'one,torn,3' >>"$1/results.csv" ;;
        2) tail -n +2 "$1/results.csv" | head -n 1 >>"$1/results.csv" ;;
        esac
    done
}
test_resume() {
    kill_at_random "$folder/killed" 6
    echo "# $(wc -l <"$folder/before") lines after six kills"
    sleep 0.2
    check "children die with a killed campaign" [ "$(children "$folder/killed")" = 0 ]
    run "${campaign[@]}" -o "$folder/killed"
    check "killed six times, then resumed: each key once" eval 'exits 0 && whole "$folder/killed" 24'
    check "the rows that were there are kept, byte for byte" eval \
        'cmp -s -n "$(stat -c %s "$folder/before")" "$folder/before" "$folder/killed/results.csv"'
    cp "$folder/killed/results.csv" "$folder/done.csv"
    run "${campaign[@]}" -o "$folder/killed"
    check "a finished campaign is left as it is" eval 'exits 0 && cmp -s "$folder/done.csv" "$folder/killed/results.csv"'
    head -c 40 "$folder/done.csv" >"$folder/killed/results.csv"
    run bench "$folder/one.hdf5" --solver pgs --max-time 1 -o "$folder/killed"
    check "a torn header is written again" eval 'exits 0 && whole "$folder/killed" 2'
    run bench "$folder/one.hdf5" --solver pgs --max-time 1 --tol 1e-4,1e-6,1e-8 -o "$folder/killed"
    check "a tolerance may be added" eval 'exits 0 && whole "$folder/killed" 3 && prints "^.1/1. one  pgs  1e-6: conv"'
    run bench "$folder/one.hdf5" --solver pgs --max-time 2 -o "$folder/killed"
    check "other limits need another folder" complains "max_time = 1, now it is 2"
    sed -i '1s/problem/Problem/' "$folder/killed/results.csv"
    run bench "$folder/one.hdf5" --solver pgs --max-time 1 -o "$folder/killed"
    check "columns of another version are not mixed in" complains "other columns"
}

# --- nothing lost, nothing stale ---------------------------------------------------------
test_folders() {
    mkdir -p "$folder/mine/plots"; echo "my notes" >"$folder/mine/notes.txt"; touch "$folder/mine/plots/mine.svg"
    ls -AR "$folder/mine" >"$folder/listing"
    run bench "$folder/one.hdf5" --solver pgs -o "$folder/mine"
    check "somebody's folder is refused" complains "neither empty nor a campaign .'notes.txt'|'plots'"
    check "and nothing is left in it" eval 'ls -AR "$folder/mine" | cmp -s - "$folder/listing"'
    mkdir "$folder/blank"
    run bench "$folder/one.hdf5" --solver pgs -o "$folder/blank"; check "an empty folder is taken" exits 0
    run bench "$folder/nothing" -o "$folder/unmade/deep"
    check "a refused run makes no folder" eval 'exits 2 && [ ! -e "$folder/unmade" ]'
    mkdir "$folder/closed"; chmod 555 "$folder/closed"
    if [ "$(id -u)" != 0 ]; then
        run bench "$folder/one.hdf5" --solver pgs -o "$folder/closed/a/b"
        check "a folder where nothing may be written" complains "Permission denied"
    fi
    echo mine >"$folder/blank/plots/mine.svg"; echo mine >"$folder/blank/mine.txt"
    ls "$folder/blank/plots" | grep -v mine >"$folder/figures"
    run bench "$folder/one.hdf5" "$folder/stack.hdf5" --solver pgs -o "$folder/blank"
    check "files of others in a campaign stay" eval 'exits 0 && [ -e "$folder/blank/plots/mine.svg" ] && [ -e "$folder/blank/mine.txt" ]'
    echo '<!-- a remark -->' >>"$folder/blank/report.html"; cp "$folder/blank/report.html" "$folder/remark"
    run report "$folder/blank" --no-pdf
    check "a page that was changed by hand stays" eval 'complains "report.html was not made" && cmp -s "$folder/remark" "$folder/blank/report.html"'
}
# rebuild DIR SOLVER: as if the rows of this solver were of another build.
rebuild() {
    $python - "$1/results.csv" "$2" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
for r in rows:
    if r["solver"] == sys.argv[2]: r["build"] = "0123456789abcdef"; r["iterations"] = "999999"
out = csv.DictWriter(open(sys.argv[1], "w", newline=""), rows[0].keys(), lineterminator="\n")
out.writeheader(); out.writerows(rows)
PY
}
test_stale() {
    local ask=(bench "$folder/one.hdf5" "$folder/stack.hdf5" --solver pgs,uzawa --max-time 1 -o "$folder/stale")
    run "${ask[@]}"; check "rows carry the build of their solver and the fingerprint of their file" eval \
        'all "$folder/stale" "len(r[\"build\"]) == 16" && [ "$(rows "$folder/stale" "r[\"data\"]" | sort -u | wc -l)" = 2 ] &&
         rows "$folder/stale" "r[\"data\"]" | sort -u | grep -q "^$(sha256sum <"$folder/one.hdf5" | cut -c1-16)$"'
    rebuild "$folder/stale" uzawa
    run "${ask[@]}" --keep; check "--keep keeps rows of another build" eval \
        'exits 0 && prints "8 rows are there" && prints "4 kept: made by another build" && rows "$folder/stale" "r[\"iterations\"]" | grep -q 999999'
    run "${ask[@]}"; check "rows of another build are run again, the others are not" eval \
        'exits 0 && prints "4 run again: made by another build" && prints "^.2/2. stack  uzawa" && ! prints "  pgs  1e" &&
         whole "$folder/stale" 8 && ! rows "$folder/stale" "r[\"iterations\"]" | grep -q 999999'
    check "what they replaced is kept aside" [ "$(grep -c 0123456789abcdef "$folder/stale/replaced.csv")" = 4 ]
    run "${ask[@]}" --redo pgs; check "--redo runs a solver again" eval 'exits 0 && prints "^.2/2. stack  pgs" && prints "4 run again as asked" && whole "$folder/stale" 8'
    run "${ask[@]}" --redo newton; check "--redo of a solver that is not there" complains "'newton' is not among"
    run "${ask[@]}" --fresh; check "--fresh runs all again" eval 'exits 0 && prints "^.4/4." && whole "$folder/stale" 8'
    "$program" generate stack "$folder/stack.hdf5" --set n=5 >/dev/null
    run "${ask[@]}"; check "a file that was changed is run again" eval 'exits 0 && prints "4 run again: their file was another" && prints "^.2/2. stack  uzawa"'
    "$program" generate stack "$folder/stack.hdf5" --set n=6 >/dev/null
}
test_damage() {
    local ask=(bench "$folder/one.hdf5" "$folder/stack.hdf5" --solver pgs,uzawa --max-time 1 -o "$folder/hurt")
    run "${ask[@]}"; tail -n +2 "$folder/hurt/results.csv" | head -n 1 >"$folder/first"
    sed -i '2s/^[^,]*,/\x00,/; 4s/,.*//' "$folder/hurt/results.csv"
    sed -n '6,9p' "$folder/hurt/results.csv" >"$folder/behind"
    run bench "$folder/one.hdf5" --solver uzawa --max-time 1 -o "$folder/hurt"
    check "damaged rows are set aside and named" eval \
        'exits 0 && grep -q "2 damaged lines of .*results.csv (number 2, 4) set aside in .*damaged.csv" "$folder/err" && [ "$(wc -l <"$folder/hurt/damaged.csv")" = 2 ]'
    check "not one row behind them is lost" eval \
        'whole "$folder/hurt" 7 && [ "$(grep -cxFf "$folder/behind" "$folder/hurt/results.csv")" = 4 ]'
    check "their bytes are kept" eval '[ "$(tr -d "\000" <"$folder/hurt/damaged.csv" | head -n 1)" = "$(sed "s/^[^,]*//" "$folder/first")" ]'
    run "${ask[@]}"; check "and their runs are made again" whole "$folder/hurt" 8
    rm "$folder/hurt/history/one.pgs.csv"; ln -s /dev/full "$folder/hurt/history/one.pgs.csv"
    run "${ask[@]}" --redo pgs
    check "a history on a full disk is complained about" eval \
        'complains "1 histories could not be written" && all "$folder/hurt" "(r[\"history\"] == \"\") == (r[\"problem\"] == \"one\" and r[\"solver\"] == \"pgs\")"'
    check "the row says so, and no part of it is left" eval \
        'rows "$folder/hurt" "r[\"message\"]" | grep -q "history was not written: No space" && [ ! -e "$folder/hurt/history/one.pgs.csv" ]'
}
test_names() {
    local long=$(printf 'n%.0s' $(seq 240))
    mkdir "$folder/names"
    cp "$folder/one.hdf5" "$folder/names/x y.hdf5"; cp "$folder/one.hdf5" "$folder/names/x_y.hdf5"
    cp "$folder/one.hdf5" "$folder/names/$long.hdf5"; cp "$folder/one.hdf5" "$folder/names/${long}2.hdf5"
    run bench "$folder/names" --solver pgs -o "$folder/named"
    check "names with blanks and of 240 letters" eval 'exits 0 && whole "$folder/named" 8'
    cp "$folder/one.hdf5" "$folder/=cmd().hdf5"; cp "$folder/one.hdf5" "$folder/$(printf 'a\033[31mb').hdf5"
    run bench "$folder/=cmd().hdf5" "$folder"/a*b.hdf5 --solver pgs -o "$folder/formula"; run bench "$folder/=cmd().hdf5" --solver pgs -o "$folder/formula"
    check "a name that a spreadsheet would run is guarded, and read back" eval 'grep -q "^.=cmd()," "$folder/formula/results.csv" && ! grep -q "^=" "$folder/formula/results.csv" && prints "^2 rows are there"'
    run bench "$folder"/a*b.hdf5 --solver pgs --fresh -o "$folder/formula"
    check "control characters of a name are shown, not sent to the terminal" eval 'prints "a.x1b.31mb" && ! grep -q "$(printf "\033")" "$folder/out"'
    check "each has a history of its own" eval '[ "$(ls "$folder/named/history" | wc -l)" = 4 ] && histories "$folder/named"'
    check "and figures of its own, against time and iterations at least" [ "$(ls "$folder/named/plots" | grep -c '^convergence-.*svg')" -ge 8 ]
}
test_lost() {
    "$program" bench "$folder/one.hdf5" --solver pgs,hostile:deed=hang --max-time 5 -o "$folder/lost" \
        >"$folder/out" 2>"$folder/err" & local pid=$! child
    for _ in $(seq 100); do
        child=$(pgrep -P $pid -f deed=hang) && grep -q '^.1/2' "$folder/out" && break; sleep 0.05
    done
    kill -9 $child; wait $pid; code=$?
    check "a child killed from outside is lost, not a failure of its solver" [ "$(verdict "$folder/lost" deed=hang 1e-8)" = lost ]
    "$program" bench "$folder/one.hdf5" --solver pgs,hostile:deed=hang --max-time 5 -o "$folder/lost" >"$folder/out" 2>&1 & pid=$!
    for _ in $(seq 100); do child=$(pgrep -P $pid -f deed=hang) && break; sleep 0.05; done
    kill -INT $pid; wait $pid
    check "and the next campaign tries it again" eval '[ -n "'$child'" ] && prints "2 run again: lost to something outside"'
}

test_signals() {
    "$program" bench "$folder/one.hdf5" --solver pgs,hostile:deed=hang --max-time 1 -o "$folder/int" \
        >"$folder/out" 2>"$folder/err" & local pid=$!
    for _ in $(seq 100); do grep -q '^.1/2' "$folder/out" && break; sleep 0.05; done
    run bench "$folder/one.hdf5" --solver pgs --max-time 1 -o "$folder/int"
    check "two campaigns cannot write in one folder" complains "another campaign"
    kill -INT $pid; wait $pid; code=$?
    check "SIGINT ends cleanly: whole rows, no process left, exit 1" eval \
        'exits 1 && whole "$folder/int" 2 && [ "$(children "$folder/int")" = 0 ]'
}

# --- tolerances and repeats --------------------------------------------------------------
test_rows() {
    local list=1e-2,1e-4,1e-6,1e-8
    run bench "$folder/stack.hdf5" --solver pgs,uzawa --tol $list --repeat 5 -o "$folder/together"
    check "four tolerances of one run" eval 'exits 0 && whole "$folder/together" 8'
    run bench "$folder/stack.hdf5" --solver pgs,uzawa --tol $list --separate -o "$folder/separate"
    rows "$folder/together" "r['solver'], r['tol'], r['iterations'], r['natural'], r['products'], r['free_work'], r['slip']" | sort >"$folder/a"
    rows "$folder/separate" "r['solver'], r['tol'], r['iterations'], r['natural'], r['products'], r['free_work'], r['slip']" | sort >"$folder/b"
    check "--separate gives the same answers" cmp -s "$folder/a" "$folder/b"
    check "five repeats, least and median" all "$folder/together" \
        "r['repeats'] == '5' and 0 < float(r['time']) <= float(r['time_median'])"
    check "the times of the fastest run add up" all "$folder/together" \
        "abs(sum(float(r[k + '_time']) for k in ('build', 'create', 'solve')) - float(r['time'])) < 1e-9"
    check "piped output has plain lines" eval 'prints "^.8/8. stack  uzawa  1e-8: converged" && ! grep -q "$(printf "\033")" "$folder/out" "$folder/err"'
    if command -v script >/dev/null; then
        TERM=xterm script -qec "$program bench $folder/table.hdf5 --solver pgs,pgs-bodies -o $folder/tty" /dev/null >"$folder/out" </dev/null
        check "a terminal gets a progress line with an ETA" prints 'eta '
    fi
}

# --- compare -----------------------------------------------------------------------------
test_compare() {
    mkdir -p "$folder/worse"
    $python - "$folder/together/results.csv" "$folder/worse/results.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
out = csv.DictWriter(open(sys.argv[2], "w", newline=""), rows[0].keys(), lineterminator="\n")
out.writeheader()
for r in rows:
    if r["solver"] == "uzawa" and float(r["tol"]) == 1e-2: continue
    r["time"] = 2 * float(r["time"])
    if r["solver"] == "uzawa" and float(r["tol"]) == 1e-8: r["status"] = "stalled"
    out.writerow(r)
PY
    run compare "$folder/together" "$folder/worse"
    check "a lost verdict is shown and fails" eval 'exits 1 && prints "uzawa  1e-8: converged -> stalled"'
    check "twice as slow is shown" prints "pgs +1e-4 +1 +0 +0 +2\.000"
    check "what is in one only is counted" prints "7 rows in both, 1 only in A, 0 only in B"
    run compare "$folder/worse" "$folder/together"
    check "a gained verdict is no failure" eval 'exits 0 && prints "stalled -> converged"'
    run compare "$folder/separate" "$folder/separate" --slower 1.5; check "no change" eval \
        'exits 0 && prints "^0 verdicts changed"'
    run compare "$folder/worse" "$folder/together" --slower .1; check "--slower fails on the mean time" exits 1
    run compare "$folder/together" "$folder/worse" --json
    check "--json, one object per solver and tolerance" eval '[ "$(grep -c "\"time_ratio\": 2[,.]" "$folder/out")" = 6 ]'
    run compare "$folder/together" "$folder/hostile"; check "nothing in common" complains "no row in common"
    run compare "$folder/together" "$folder/one.hdf5"; check "a folder and a file" complains "two files or two campaign"
}

# --- shards ------------------------------------------------------------------------------
test_shards() {
    local ask=(bench "$folder/one.hdf5" "$folder/stack.hdf5" "$folder/table.hdf5" --solver pgs,uzawa --max-time 1) k
    for k in 1 2 3; do run "${ask[@]}" --shard $k/3 -o "$folder/parts" || break; done
    check "shards share a folder" eval 'exits 0 && [ "$(ls -d "$folder"/parts/shard-?-of-3 | wc -l)" = 3 ]'
    run merge "$folder/parts"
    check "merged, each row is there once, with its history and a page" eval \
        'exits 0 && whole "$folder/parts" 12 && histories "$folder/parts" && [ -s "$folder/parts/report.html" ] && ! prints conflict'
    run "${ask[@]}" -o "$folder/at_once"
    rows "$folder/parts" "r['problem'], r['solver'], r['tol'], r['iterations'], r['natural']" | sort >"$folder/a"
    rows "$folder/at_once" "r['problem'], r['solver'], r['tol'], r['iterations'], r['natural']" | sort >"$folder/b"
    check "shards give what one machine gives" cmp -s "$folder/a" "$folder/b"
    cp "$folder/parts/results.csv" "$folder/done.csv"; run merge "$folder/parts"
    check "merged again, nothing changes" eval 'exits 0 && [ "$(sort "$folder/done.csv" | sha256sum)" = "$(sort "$folder/parts/results.csv" | sha256sum)" ]'
    sleep 1; run "${ask[@]}" --fresh -o "$folder/at_once"
    run merge "$folder/parts" "$folder/at_once" -o "$folder/joined"
    check "conflicts are named, the newer row is taken, the other kept aside" eval \
        'exits 0 && whole "$folder/joined" 12 && prints "^conflict: one  pgs  1e-8: converged in .*/at_once .taken., converged in .*/parts" &&
         [ "$(tail -n +2 "$folder/joined/replaced.csv" | wc -l)" -ge 12 ]'
    run "${ask[@]}" --shard 4/3 -o "$folder/parts"; check "a shard that cannot be" complains "--shard takes K/N"
    run bench "$folder/one.hdf5" --solver pgs --max-time 2 -o "$folder/longer"; run merge "$folder/parts" "$folder/longer" -o "$folder/mixed"
    check "campaigns of other limits are not mixed" eval 'complains "max_time" && [ ! -e "$folder/mixed" ]'
}

test_shards; test_suites; test_hostile; test_bad_files; test_folders; test_stale; test_damage; test_names; test_lost; test_resume; test_signals; test_rows; test_compare
echo "1..$count"
[ $failures = 0 ]
