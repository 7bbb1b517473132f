#!/bin/bash
# `delassus run --race`: one row a solver and step, the same problems for all, the leader
# moves the system; --apart: trajectories of their own.
. tests/support/tap.sh run

small="incline --end 0.2 --tol 1e-8"
run $small --csv "$folder/alone.csv"
run $small --csv "$folder/raced.csv" --race pgs,newton,uzawa --race-csv "$folder/race.csv"
check "a race of three solves every step" eval \
    '[ $code = 0 ] && [ "$(grep -cE "^(pgs|newton|uzawa) +100 of 100 " "$folder/out")" = 3 ]'
check "the leader moves the system: the same bytes as without a race" cmp -s "$folder/alone.csv" "$folder/raced.csv"
check "one row a solver and step" [ "$(wc -l <"$folder/race.csv")" = 301 ]
# The leader of the race is the solver of the run: same iterations, same residual.
check "the leader's rows are those of the run" $python - "$folder" <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1] + '/race.csv')) if r['solver'] == 'pgs']
steps = list(csv.DictReader(open(sys.argv[1] + '/raced.csv')))
assert len(rows) == len(steps) == 100
assert all(r['iterations'] == s['iterations'] and r['natural'] == s['natural'] for r, s in zip(rows, steps))
PY
check "dissipation agrees between solvers, to the tolerance" $python - "$folder" <<'PY'
import csv, sys
work = {}
for r in csv.DictReader(open(sys.argv[1] + '/race.csv')):
    work[r['solver']] = work.get(r['solver'], 0) + float(r['work_tangential'])
assert max(work.values()) - min(work.values()) < 1e-6 * abs(work['pgs']), work
PY
run $small --race pgs,newton:nothing=1; check "a bad option is one sentence" complains "nothing"
run $small --race pgs --solver newton; check "the race names the solvers" complains "leave out --solver"
run $small --apart; check "--apart needs a race" complains "go with --race"

# Solvers that end elsewhere within the tolerance part; the first one is the measure.
run $small --race pgs,pgs:order=symmetric,uzawa --apart --race-csv "$folder/apart.csv"
check "each solver has its trajectory" eval '[ $code = 0 ] && [ "$(wc -l <"$folder/apart.csv")" = 301 ]'
check "no distance for the first, a small one for others (contacts close a step apart)" $python - "$folder" <<'PY'
import csv, sys
far = {}
for r in csv.DictReader(open(sys.argv[1] + '/apart.csv')):
    far[r['solver']] = max(far.get(r['solver'], 0), float(r['distance']))
assert far['pgs'] == 0 and 0 < far["uzawa"] < 1e-3, far
PY
# --- recorded steps ----------------------------------------------------------------------
run incline --end 0.1 --tol 1e-10 --record "$folder/steps"
"$program" bench --sequence "$folder/sequence.csv" "$folder/steps" --solver pgs,uzawa --tol 1e-8 >"$folder/out" 2>"$folder/err"; code=$?
check "recorded steps in sequence" eval '[ $code = 0 ] && [ "$(wc -l <"$folder/sequence.csv")" = 101 ]'
check "each starts from its last answer: later steps take fewer iterations" $python - "$folder" <<'PY'
import csv, sys
for solver in ('pgs', 'uzawa'):
    n = [int(r['iterations']) for r in csv.DictReader(open(sys.argv[1] + '/sequence.csv')) if r['solver'] == solver]
    assert len(n) == 50 and n[0] > 1 and sum(n[10:]) < 40 * n[0] / 2, n
PY
"$program" bench --sequence "$folder/cold.csv" --cold --clock cpu "$folder/steps" --solver pgs,uzawa --tol 1e-8 >"$folder/out" 2>"$folder/err"; code=$?
check "cold, every step takes as many as the first" /usr/bin/python3 - "$folder" <<'PY'
import csv, sys
for solver in ('pgs', 'uzawa'):
    n = [int(r['iterations']) for r in csv.DictReader(open(sys.argv[1] + '/cold.csv')) if r['solver'] == solver]
    assert len(n) == 50 and min(n) > n[0] / 2, n
PY
"$program" bench --cold "$folder/steps" >"$folder/out" 2>"$folder/err"; code=$?
check "--cold without --sequence" complains "goes with --sequence"
"$program" bench --sequence "$folder/x.csv" benchmarks/snapshots/stack.hdf5 --solver pgs >"$folder/out" 2>"$folder/err"; code=$?
check "files without identities are refused" complains "no identities"
finish
