#!/bin/bash
# The `delassus` program from outside: every subcommand, its exit codes and what it prints.
. tests/support/tap.sh
field() { # NAME: its value in each line of JSON
    $python -c 'import json, sys
for line in open(sys.argv[1]): print(json.loads(line)[sys.argv[2]])' "$folder/out" "$1"
}
have_python() { $python -c "import ${1:-json}" 2>/dev/null; }

names_commands() {
    for command in list info solve certify convert generate compare; do
        prints "delassus $command " || return 1
    done
    exits 0
}

# --- help and lists ---------------------------------------------------------------------
test_help() {
    run --help; check "--help names every command" names_commands
    run --version; check "--version tells program, residual and libraries" eval \
        'exits 0 && prints "^delassus [0-9]" && prints "^residual version [0-9]" && prints "^HDF5" && prints "^GSL" && prints "^OpenBLAS" && prints "^CHOLMOD" && prints "^UMFPACK"'
    for command in list info solve certify convert generate compare help; do
        run $command --help
        check "$command --help shows its usage" eval "exits 0 && prints 'delassus $command '"
    done
    run solve --help; check "solve --help shows defaults from the table" prints 'max-time.*default 60'
    run help pgs; check "help pgs shows options, ranges and defaults" prints '\(default 1\)'
    cp "$folder/out" "$folder/help_pgs"
    run solve --help pgs; check "solve --help pgs is help pgs" cmp -s "$folder/out" "$folder/help_pgs"
    run help nobody; check "help on an unknown name" complains "nobody"
    run --man; check "the man page has its sections" eval \
        'exits 0 && prints "^.TH DELASSUS 1" && prints "^.SH SOLVERS" && prints "^.SS pgs"'
    run list; check "list shows solvers, formulations, problems and suites" eval \
        'exits 0 && prints "^ +pgs " && prints "^formulations" && prints "^problems" && prints "^suites"'
    run list solvers; check "list solvers shows formulation and citation" prints 'formulation delassus, cite [A-Z]'
    run list solvers --verbose; check "list --verbose shows options" prints 'omega +over-relaxation'
    run list solver; check "list suggests the nearest topic" complains "did you mean 'solvers'"
}

# --- bad usage --------------------------------------------------------------------------
test_usage() {
    run; check "no command" complains "no command"
    run slove; check "a misspelt command gets a suggestion" complains "did you mean 'solve'"
    run solve; check "solve without a file" complains "missing arguments"
    run solve "$folder/a.hdf5" --tool 1; check "a misspelt flag gets a suggestion" complains "did you mean 'tol'"
    run solve "$folder/a.hdf5" --tol; check "a flag without its value" complains "needs a value"
    run solve "$folder/a.hdf5" --tol zero; check "a value that is no number" complains "--tol takes"
    run solve "$folder/a.hdf5" --max-time=-1; check "a value out of range" complains "--max-time takes"
    run solve "$folder/a.hdf5" --json --csv; check "--json and --csv exclude each other" complains "exclude"
    run solve "$folder/a.hdf5" --solver pgss; check "a misspelt solver gets a suggestion" complains "did you mean 'pgs'"
    run solve "$folder/a.hdf5" --solver pgs:omga=1; check "a misspelt option gets a suggestion" complains "did you mean 'omega'"
    run solve "$folder/a.hdf5" --solver pgs:omega=7; check "an option out of range" complains "omega takes"
    run solve "$folder/a.hdf5" --set newt.x=1; check "--set of a solver that does not run" complains "newt"
    run solve "$folder/a.hdf5" --solver pgs,pgs; check "a solver asked for twice" complains "twice"
    run compare "$folder/a.hdf5"; check "compare needs two files" complains "missing arguments"
    run generate nothing "$folder/x.hdf5"; check "an unknown generator" complains "no generator 'nothing'"
    run generate stack "$folder/x.hdf5" --set m=1; check "an unknown generator option" complains "no option 'm'"
    run generate stack "$folder/x.xyz"; check "an unknown ending" complains "x.xyz"
}

# --- generate, info, convert ------------------------------------------------------------
test_files() {
    run generate stack "$folder/a.hdf5" --set n=5; check "generate writes a snapshot" eval \
        'exits 0 && prints "5 contacts" && [ -s "$folder/a.hdf5" ]'
    run generate stack "$folder/b.hdf5" --set stack.n=5; check "same options, same bytes" \
        cmp -s "$folder/a.hdf5" "$folder/b.hdf5"
    "$program" generate four-leg-table "$folder/table.hdf5" >/dev/null
    run info "$folder/a.hdf5" "$folder/table.hdf5"; check "info shows sizes of both files" eval \
        'exits 0 && prints "5 contacts" && prints "4 contacts"'
    check "info finds the kernel of the four-leg table (12 rows, 6 velocities)" \
        prints "rank of W +6 of 12"
    run info --json "$folder/table.hdf5"
    check "info --json" eval '[ "$(field contacts) $(field rank_def) $(field n)" = "4 6 6" ]'
    run info "$folder/missing.hdf5" "$folder/a.hdf5"; check "info goes on after a bad file" eval \
        'complains "missing.hdf5" && prints "5 contacts"'
    run convert "$folder/table.hdf5" "$folder/local.hdf5" --form local
    "$program" info "$folder/local.hdf5" >"$folder/out"; check "convert --form local writes W" eval \
        'exits 0 && prints "local problem" && prints "rank of W +6 of 12" && prints "u-"'
    run convert "$folder/local.hdf5" "$folder/x.hdf5" --form global
    check "W does not give M and H back" complains "local.hdf5"
    run convert "$folder/table.hdf5" "$folder/t.dat"
    "$program" convert "$folder/t.dat" "$folder/back.hdf5"
    check ".hdf5 to .dat and back solves alike" same_natural "$folder/table.hdf5" "$folder/back.hdf5"
    run convert "$folder/local.hdf5" "$folder/l.mtx"; check ".mtx export" eval \
        'exits 0 && head -n 1 "$folder/l-W.mtx" | grep -q MatrixMarket && [ -s "$folder/l-q.mtx" ]'
}
same_natural() { # two files that hold one problem; four digits survive any text format
    "$program" solve "$1" "$2" --json --max-iter 4 >"$folder/out" 2>"$folder/err"
    [ "$(field natural | cut -c 1-6 | uniq | wc -l)" = 1 ]
}

# --- solve ------------------------------------------------------------------------------
test_solve() {
    run solve "$folder/a.hdf5" "$folder/table.hdf5" --solver all
    check "solve prints rows, legend and summary" eval \
        'exits 0 && prints "^  pgs +converged" && prints "^natural +" && prints "^2 problems, [0-9]+ solvers: .*pgs solved 2"'
    run solve "$folder/a.hdf5"; check "pgs is the default solver" prints "1 solver: pgs solved 1"
    check "piped output has no control characters" eval '! grep -q "$(printf "\033")" "$folder/out" "$folder/err"'
    run solve "$folder/a.hdf5" --max-iter 1; check "unconverged is exit 1" eval 'exits 1 && prints max_iter'
    run solve "$folder/local.hdf5" --solver pgs-bodies
    check "a single unsupported solver is exit 1" eval 'exits 1 && prints unsupported'
    run solve "$folder/local.hdf5" --solver pgs,pgs-bodies
    check "beside another one it is no failure" eval 'exits 0 && prints unsupported'
    printf '3\n0\n0\n0\n0\n0 0\n' >"$folder/zero.dat"
    run solve "$folder/zero.dat" --kind fc --json
    check "zero contacts converge" eval 'exits 0 && [ "$(field status) $(field contacts)" = "converged 0" ]'
    run solve "$folder/a.hdf5" --measure both --json
    check "--measure both bounds both" eval "$python -c '
import json, sys
row = json.load(open(sys.argv[1])); sys.exit(max(row[\"natural\"], row[\"merit\"]) > 1e-8)' $folder/out"
    run solve "$folder/a.hdf5" --solver pgs --set pgs.omega=1.2 --json
    check "--set reaches the solver" eval '[ "$(field options)" = "omega=1.2" ]'
    head -c 700 "$folder/a.hdf5" >"$folder/cut.hdf5"
    run solve "$folder/cut.hdf5" "$folder/a.hdf5"
    check "a bad file: one sentence, the rest is solved, exit 2" eval \
        'complains "^delassus: .*cut.hdf5: " && prints "pgs +converged"'
    run solve "$folder/a.hdf5" --start solution
    check "a start that the file lacks is told" eval 'exits 0 && grep -q "start is zero" "$folder/err"'
}

# Files that no program writes, made by h5py from good ones.
test_spoiled() {
    have_python h5py || { skip "a singular M" "no h5py"; skip "the mark of doubt" "no h5py"; return; }
    cp "$folder/a.hdf5" "$folder/singular.hdf5"
    spoil "$folder/singular.hdf5" fclib_global/M/x 0
    run solve "$folder/singular.hdf5" "$folder/a.hdf5" --solver all
    check "a singular M: one sentence, the rest is solved, exit 2" eval \
        'complains "singular.hdf5: .*M" && prints "1 file could not be used" && prints "pgs +converged"'
    # On bodies of 1e-8 kg an impulse twice too large passes the natural measure.
    "$program" generate stack "$folder/light.hdf5" --set mass=1e-8 >/dev/null
    "$program" solve "$folder/light.hdf5" --save "$folder/light" >/dev/null
    spoil "$folder/light/light.pgs.hdf5" solution/r 2
    run solve "$folder/light/light.pgs.hdf5" --start solution --tol 1e-6
    check "a row that passes one measure only is marked" eval 'prints "[0-9]! " && prints "^! +passes one"'
    run solve "$folder/light/light.pgs.hdf5" --start solution --tol 1e-6 --measure merit
    check "and a correct one is not" eval 'exits 0 && ! prints "^!"'
}
spoil() { # FILE DATASET FACTOR
    $python -c 'import h5py, sys
with h5py.File(sys.argv[1], "r+") as f: f[sys.argv[2]][...] *= float(sys.argv[3])' "$@"
}

test_formats() {
    run solve "$folder/a.hdf5" "$folder/local.hdf5" --solver all --json
    cp "$folder/out" "$folder/rows.json"
    check "every line of --json is an object with the promised fields" $python - "$folder/out" <<'PY'
import json, sys
need = """problem contacts solver tol status iterations natural merit solve_time check_time dissipation
free_work open stick slip options own relaxes d n build_time create_time bytes products local_solves
factorisations ambiguous seed message residual_version version""".split()
rows = [json.loads(line, parse_constant=lambda c: sys.exit(c)) for line in open(sys.argv[1])]
sys.exit(len(rows) < 4 or any(name not in row for row in rows for name in need))
PY
    run solve "$folder/a.hdf5" "$folder/local.hdf5" --solver all --csv
    check "--csv has the fields of --json" $python - "$folder/out" "$folder/rows.json" <<'PY'
import csv, json, sys
table = list(csv.reader(open(sys.argv[1])))
rows = [json.loads(line) for line in open(sys.argv[2])]
sys.exit(table[0] != list(rows[0]) or len(table) != len(rows) + 1
         or any(len(line) != len(table[0]) for line in table))
PY
    cp "$folder/a.hdf5" "$folder/a \"b\\.hdf5"
    run solve "$folder/a \"b\\.hdf5" --json
    check "names are escaped" eval "[ \"\$(field problem)\" = 'a \"b\\' ]"
    run solve "$folder/a.hdf5" --history "$folder/h.csv"
    check "--history" $python - "$folder/h.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
natural = [float(row["natural"]) for row in rows]
time = [float(row["time"]) for row in rows]
sys.exit(rows[0].keys() != set("problem solver iteration time natural merit".split())
         or rows[0]["iteration"] != "0" or natural[-1] > 1e-8 or natural[0] < 1e-3 or time != sorted(time))
PY
    "$program" solve "$folder/a.hdf5" --json >"$folder/one"; "$program" solve "$folder/a.hdf5" --json >"$folder/two"
    check "two runs differ in times alone" $python - "$folder/one" "$folder/two" <<'PY'
import json, sys
one, two = (json.load(open(name)) for name in sys.argv[1:])
sys.exit(any(one[k] != two[k] for k in one if not k.endswith("_time")))
PY
}

# --- save and compare -------------------------------------------------------------------
test_save() {
    run solve "$folder/table.hdf5" --solver pgs,pgs:omega=1.3 --save "$folder/saved"
    check "--save writes NAME.SOLVER.hdf5" eval \
        '[ -s "$folder/saved/table.pgs.hdf5" ] && [ -s "$folder/saved/table.pgs_omega=1.3.hdf5" ]'
    run compare "$folder/saved/table.pgs.hdf5" "$folder/saved/table.pgs_omega=1.3.hdf5"
    check "the answers of two solvers agree" eval 'exits 0 && prints "The answers agree"'
    run compare --json "$folder/saved/table.pgs.hdf5" "$folder/saved/table.pgs_omega=1.3.hdf5"
    check "compare --json recomputes both residuals" eval "$python -c '
import json, sys
row = json.load(open(sys.argv[1]))
sys.exit(not row[\"agree\"] or max(row[\"natural_a\"], row[\"natural_b\"]) > 1e-8)' $folder/out"
    run solve "$folder/table.hdf5" --max-iter 1 --save "$folder/early"
    check "an unconverged answer is saved too" eval 'exits 1 && [ -s "$folder/early/table.pgs.hdf5" ]'
    run compare "$folder/saved/table.pgs.hdf5" "$folder/early/table.pgs.hdf5"
    check "and differs from the converged one" eval 'exits 1 && prints "The answers differ"'
    run solve "$folder/local.hdf5" --save "$folder/saved"
    run compare "$folder/saved/table.pgs.hdf5" "$folder/saved/local.pgs.hdf5"
    check "the local and the global file of one problem meet" exits 0
    run solve "$folder/a.hdf5" --save "$folder/saved"
    run compare "$folder/saved/table.pgs.hdf5" "$folder/saved/a.pgs.hdf5"
    check "different problems are refused" complains "different problems"
    run compare "$folder/table.hdf5" "$folder/saved/table.pgs.hdf5"
    check "a file without an answer is refused" complains "table.hdf5.*no answer"
    run solve "$folder/saved/table.pgs.hdf5" --start solution --json
    check "started at its solution a run ends at once" eval 'exits 0 && [ "$(field iterations)" = 0 ]'
    mkdir -p "$folder/other"; cp "$folder/table.hdf5" "$folder/other/"
    run solve "$folder/table.hdf5" "$folder/other/table.hdf5" --save "$folder/twice"
    check "two inputs of one name: refused before solving" eval \
        'complains "same name" && [ ! -e "$folder/twice" ]'
    run solve "$folder/a.hdf5" --save "$folder/a.hdf5"
    check "--save into a file is refused before solving" eval 'complains "--save" && [ ! -s "$folder/out" ]'
    run solve "$folder/a.hdf5" --save "$folder/deep/er/still/"
    check "--save makes folders above it too" [ -s "$folder/deep/er/still/a.pgs.hdf5" ]
}

# --- existence and certified solutions --------------------------------------------------
# walls CLOSING FILE: a disk between two walls that approach each other by twice CLOSING.
walls() { printf '2\n2\n0\n4\n4\n4 4\n1 0 -1 0\n0 1 0 1\n-1 0 1 0\n0 1 0 1\n%s 0 %s 0\n.3 .3\n' "$1" "$1" >"$2"; }
test_existence() {
    walls -1 "$folder/closing.dat"; walls 0 "$folder/tight.dat"; walls 1 "$folder/parting.dat"
    run info --existence "$folder/closing.dat"; check "walls that close leave no solution" prints "existence +there is no solution: y >= 0"
    run info --existence "$folder/tight.dat"; check "a tight fit guarantees nothing" prints "existence +existence is not guaranteed"
    run info --existence --json "$folder/parting.dat"
    check "walls that part leave room" eval '[ "$(field existence)" = "a solution exists" ]'
    run info --json "$folder/parting.dat"; check "without --existence nobody looks" eval '[ "$(field existence)" = None ]'
    run solve "$folder/closing.dat" --solver pgs,auto --max-time 0.5
    check "solve tells that no solver is to blame" eval 'exits 1 && [ "$(grep -c "there is no solution (" "$folder/out")" = 2 ]'
    run solve "$folder/closing.dat" --max-iter 3 --json
    check "and so does --json" eval 'field message | grep -q "there is no solution (out of iterations)"'
    run solve "$folder/a.hdf5" --max-iter 1; check "where there is one nothing is told" eval '! prints "solution \("'
    run certify "$folder/closing.dat" --max-time 2
    check "what has no solution is not certified" eval 'exits 1 && prints "there is no solution" && prints "^  short"'
}
test_certify() {
    run certify "$folder/table.hdf5" --output "$folder/certified.hdf5"
    check "certify reports and writes" eval 'exits 0 && prints "^  certified +both residuals" && prints "null space +dimension 6 of 12" && prints "sweeps +of Gauss-Seidel multiply an error by 0" && prints "written" && [ -s "$folder/certified.hdf5" ]'
    run info "$folder/certified.hdf5"
    check "info shows the certificate" eval 'exits 0 && prints "certificate +certified by delassus" && prints "null space +dimension 6 of 12" && prints "4 stick"'
    run info --json "$folder/certified.hdf5"; check "info --json, too" eval '[ "$(field null_space)" = 6 ]'
    run certify --json "$folder/table.hdf5"
    check "certify --json" $python - "$folder/out" <<'PY'
import json, sys
row = json.load(open(sys.argv[1]))
sys.exit(not row["certified"] or max(row["natural"], row["merit"]) > 1e-25 or row["null_space"] != 6
         or row["existence"] != "a solution exists" or row["found_natural"] < row["natural"]
         or not 0 < row["sweep_rate"] < 1 or not row["rate_settled"])
PY
    run solve "$folder/certified.hdf5" --start solution --tol 1e-14 --json
    check "the certified answer needs no iteration" eval 'exits 0 && [ "$(field iterations)" = 0 ]'
    run certify "$folder/table.hdf5" --output "$folder/again.hdf5"
    check "twice the same bytes" cmp -s "$folder/certified.hdf5" "$folder/again.hdf5"
    run certify "$folder/certified.hdf5" --solver newton --output "$folder/certified.hdf5"
    check "a file may be certified in place, by any solver" eval 'exits 0 && "$program" info "$folder/certified.hdf5" | grep -q "0: newton, refined"'
    "$program" generate sphere-packing "$folder/packing.hdf5" >/dev/null
    run certify "$folder/packing.hdf5" --max-time 0 --output "$folder/short.hdf5"
    check "short of the tolerance: exit 1, written all the same" eval 'exits 1 && prints "^  short" && [ -s "$folder/short.hdf5" ]'
    run certify "$folder/again.hdf5" --start solution
    check "certify takes up an answer of the file" eval 'exits 0 && prints "natural [0-9.]+e-1[5-9].*of the solver" && prints "sweeps"'
    run certify "$folder/table.hdf5" --start solution; check "and says where there is none" complains "table.hdf5.*no such answer"
    run certify "$folder/a.hdf5" --output "$folder/a.dat"; check "a certificate needs HDF5" complains "a.dat.*hdf5"
    run certify "$folder/missing.hdf5"; check "certify names a missing file" complains "missing.hdf5"
    run certify "$folder/a.hdf5" --solver pgs,newton; check "certify takes one solver" complains "one solver"
    run certify "$folder/local.hdf5" --solver pgs-bodies; check "a solver that does not take the problem" eval 'exits 1 && grep -q "pgs-bodies" "$folder/err"'
    run certify "$folder/cut.hdf5"; check "a bad file" complains "cut.hdf5"
    certify_stopped
    certify_judged
}
certify_stopped() {
    "$program" certify "$folder/packing.hdf5" --solver extragradient --output "$folder/stopped.hdf5" \
        >"$folder/out" 2>"$folder/err" &
    local job=$!
    sleep 1.5; kill -INT $job; wait $job; code=$?
    check "an interrupted certify writes what it has" eval 'exits 1 && prints "short .*interrupted" && [ -s "$folder/stopped.hdf5" ]'
}
certify_judged() {
    local judge=../shared/judge.py text="an independent program agrees with the certificate"
    [ -e $judge ] || { skip "$text" "no ../shared/judge.py"; return; }
    have_python "numpy, h5py, scipy" || { skip "$text" "no numpy, h5py or scipy"; return; }
    run certify "$folder/local.hdf5" --output "$folder/local_certified.hdf5"
    # It works in doubles, whose round-off stays below 1e-14 here.
    check "$text" eval "$python $judge '$folder/local_certified.hdf5' | awk '{exit !(\$3 < 1e-14)}'"
}

# --- interruption -----------------------------------------------------------------------
test_interrupt() {
    "$program" generate sphere-packing "$folder/packing.hdf5" >/dev/null
    rm -f "$folder/h.csv"
    "$program" solve "$folder/packing.hdf5" "$folder/a.hdf5" --tol 0 --max-time 60 \
        --history "$folder/h.csv" --save "$folder/stopped" >"$folder/out" 2>"$folder/err" &
    local job=$! waited=0
    until [ "$(wc -l 2>/dev/null <"$folder/h.csv" || echo 0)" -gt 3 ] || [ $waited = 200 ]; do
        sleep 0.1; waited=$((waited + 1))
    done
    kill -INT $job; wait $job; code=$?
    check "SIGINT ends the run as stopped, skips the rest, exit 1" eval \
        'exits 1 && prints "pgs +stopped" && grep -q "interrupted after 1 of 2 runs" "$folder/err"'
    check "its answer is saved" [ -s "$folder/stopped/packing.pgs.hdf5" ]
}

# --- on a terminal ----------------------------------------------------------------------
test_terminal() {
    command -v script >/dev/null || { skip "colours and progress on a terminal" "no script(1)"; return; }
    local line="$program solve $folder/packing.hdf5 --max-time 1"
    TERM=xterm script -qec "$line" /dev/null </dev/null >"$folder/out" 2>"$folder/err"
    check "colours and progress on a terminal" eval \
        'grep -q "$(printf "\033\\[1m")" "$folder/out" && grep -q "\[1/1\] packing" "$folder/out"'
    NO_COLOR=1 TERM=xterm script -qec "$line" /dev/null </dev/null >"$folder/out" 2>"$folder/err"
    check "NO_COLOR is obeyed" eval '! grep -q "$(printf "\033\\[1m")" "$folder/out"'
}

# --- an independent residual ------------------------------------------------------------
test_judge() {
    local judge=../shared/judge.py corpus=../shared/corpus/fc3d
    local text="natural agrees with an independent program"
    [ -e $judge ] && [ -d $corpus ] || { skip "$text" "no ../shared/judge.py or corpus"; return; }
    have_python "numpy, h5py, scipy" || { skip "$text" "no numpy, h5py or scipy"; return; }
    run solve $corpus/Rover*.hdf5 $corpus/Confeti-ex03*.hdf5 --json --max-iter 7 --save "$folder/judged"
    $python $judge "$folder"/judged/*.hdf5 >"$folder/theirs"
    # Both print the same number; the other program shows four digits.
    check "$text" $python - "$folder/out" "$folder/theirs" <<'PY'
import json, sys
ours = {row["problem"]: row["natural"] for row in map(json.loads, open(sys.argv[1]))}
theirs = {line.split()[0].split(".pgs")[0]: float(line.split()[2]) for line in open(sys.argv[2])}
sys.exit(len(ours) < 8 or any(abs(ours[k] - theirs[k]) > 1e-3 * ours[k] + 1e-14 for k in ours))
PY
}

# --- rank and condition -----------------------------------------------------------------
test_rank() {
    local corpus=../shared/corpus text="info finds the corpus table's rank, condition and blocks"
    [ -e $corpus/README.md ] || { skip "$text" "no ../shared/corpus"; return; }
    run info --json --rank-size 400 $corpus/fc3d/*.hdf5 $corpus/fc2d/*.hdf5
    # The table shows three digits.
    check "$text" $python - "$folder/out" $corpus/README.md <<'PY'
import json, re, sys
table = {}
for line in open(sys.argv[2]):
    cell = [c.strip() for c in line.split("|")]
    if len(cell) == 9 and re.match(r"[0-9]+ of", cell[4]):
        table[cell[1].split("/")[1]] = int(cell[4].split()[0]), float(cell[5]), float(cell[7])
rows = [row for row in map(json.loads, open(sys.argv[1])) if row["rank_def"] is not None]
good = lambda row, t: (row["rank_def"] == t[0] and abs(row["cond"] / t[1] - 1) < 6e-3
                       and abs(row["blocks_per_row"] / t[2] - 1) < 6e-3)
bad = [row["problem"] for row in rows if not good(row, table[row["problem"]])]
print("\n".join(bad))
sys.exit(len(rows) < 20 or len(bad) > 0)
PY
}
# --- messages that help ------------------------------------------------------------------
test_messages() {
    local stack=benchmarks/snapshots/stack.hdf5
    run help psg; check "a misspelt topic of help" complains "did you mean 'pgs'"
    run generate brickwall "$folder/x.hdf5"; check "a part of a generator's name" complains "did you mean 'brick-wall-2d'"
    run solve $stack --solver PGS; check "capital letters" complains "did you mean 'pgs'"
    run solve $stack --solver pgs,; check "a comma too many" complains "a comma too many"
    run solve $stack --max-time 3s; check "a unit where seconds are meant" complains "not '3s' .seconds"
    run run brick-wall-2d; check "a generator does not run in time" complains "is a generator of single steps"
    run solve benchmarks/snapshots; check "a folder is no snapshot" grep -q "a folder, not a file" "$folder/err"
    run solve nothing; check "a file that is not there" grep -q "nothing: cannot be opened: No such file" "$folder/err"
    run solve $stack --history /dev/full; check "a history on a full disk" complains "history: it could not be written: No space"
    run run bouncing-ball --set height=0.1 --end 0.2 --record "$folder/recorded"; run info "$(ls "$folder"/recorded/*.hdf5 | head -n 1)"
    check "a recorded snapshot knows what was set" prints "provenance .*run bouncing-ball .*height=0.1"
}

test_messages
test_help
test_usage
test_files
test_solve
test_spoiled
test_formats
test_save
test_existence
test_certify
test_interrupt
test_terminal
test_judge
test_rank
finish
