#!/bin/bash
# The same command gives the same verdict, the same iterations and the same bits: twice,
# with one and two threads of BLAS asked for in the environment, beside a busy loop, and in
# campaigns with one and two jobs. Iterations end the runs, not the clock; left out are the
# peers that get one call, whose length is found by a trial that the clock measures.
. tests/support/tap.sh
busy=
trap '[ -z "$busy" ] || kill $busy; rm -rf "$folder"' EXIT
files=(benchmarks/snapshots/{brick-wall-2d,stack}.hdf5)
# The columns that are no times, and the bits of every answer.
solvers=$("$program" list | awk '/^solvers/ {on = 1; next} /^[a-z]/ {on = 0} on && /^  [a-z]/ {print $1}' | grep -vE '^siconos-(admm|cpg)$' | paste -sd,)
solve() { # NAME: all solvers on all files
    name=$1
    "$program" solve "${files[@]}" --solver "$solvers" --max-iter 10 --max-time 1000 --seed 3 --csv --save "$folder/$name" \
        >"$folder/$name.csv" 2>/dev/null
    { $python - "$folder/$name.csv" <<'P'
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print(*(row[k] for k in row if not k.endswith("_time") and k not in ("note", "message")), sep=",")
P
      (cd "$folder/$name" && sha256sum -- *.hdf5); } >"$folder/$name.txt"
}
same() { [ -s "$folder/first.txt" ] && diff "$folder/first.txt" "$folder/$name.txt"; }

OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 solve first
rows=$(grep -c '^[0-9a-f]\{64\}' "$folder/first.txt")
check "there is something to compare: $rows answers" [ "$rows" -ge 25 ]
OPENBLAS_NUM_THREADS=2 OMP_NUM_THREADS=2 solve threads
check "with two threads, every solver: the same verdicts, iterations and bits" same
(while :; do :; done) & busy=$!
solve loaded
check "beside a busy loop, once more" same
for jobs in 1 2; do
    "$program" bench "${files[@]}" --solver "$solvers" --tol 1e-2 --max-time 1000 --repeat 1 --jobs $jobs \
        -o "$folder/campaign$jobs" >/dev/null 2>&1
    $python - "$folder/campaign$jobs/results.csv" >"$folder/jobs$jobs.txt" <<'P'
import csv, sys
keep = ("problem", "solver", "tol", "status", "iterations", "natural", "merit", "products", "local_solves", "factorisations")
print(*sorted(",".join(row[k] for k in keep) for row in csv.DictReader(open(sys.argv[1]))), sep="\n")
P
done
cp "$folder/jobs1.txt" "$folder/first.txt"; name=jobs2
check "campaigns of every solver with one and two jobs: the same $(wc -l <"$folder/first.txt") rows" same
kill $busy; wait $busy 2>/dev/null; busy=
# The test itself: another seed is seen.
"$program" solve benchmarks/snapshots/stack.hdf5 --solver pgs:order=shuffled --max-iter 5 --seed 1 --save "$folder/one" >/dev/null 2>&1
"$program" solve benchmarks/snapshots/stack.hdf5 --solver pgs:order=shuffled --max-iter 5 --seed 2 --save "$folder/two" >/dev/null 2>&1
check "another seed gives other bits" eval '! cmp -s "$folder"/one/*.hdf5 "$folder"/two/*.hdf5 && ls "$folder"/one/*.hdf5 >/dev/null'
finish
