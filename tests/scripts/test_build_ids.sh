#!/bin/bash
# Ids of builds: a change of one solver is seen in its own id and in those of the solvers
# that call it, a change of shared code in all.
. tests/support/tap.sh
cp -r base formulations solvers scripts "$folder"
mkdir -p "$folder/benchmarks" && cp -r benchmarks/campaign "$folder/benchmarks"
ids() { (cd "$folder" && scripts/build_ids.sh "$1" pgs newton homotopy prox_newton schwarz auto); }
# changed FILE COMPILER: the solvers whose id changes with that file and that compiler.
changed() {
    ids gcc >"$folder/before"; [ -z "$1" ] || echo "// a remark" >>"$folder/$1"
    ids "$2" | diff "$folder/before" - | sed -n 's/^> *{\([^,]*\),.*/\1/p' | tr -d '"' | xargs
}
check "ids are there, and all different" eval '[ "$(ids gcc | grep -oE "\"[0-9a-f]{16}\"" | sort -u | wc -l)" = 7 ]'
check "nothing changes, no id does" [ -z "$(changed "" gcc)" ]
check "a solver that others call" [ "$(changed solvers/pgs.c gcc)" = "pgs prox-newton schwarz auto" ]
check "a solver that only auto calls, through its table of members" [ "$(changed solvers/homotopy.c gcc)" = "homotopy auto" ]
check "a solver that nobody calls" [ "$(changed solvers/newton.c gcc)" = newton ]
check "the table itself is shared code" [ "$(changed solvers/kernel/policy.c gcc)" = "pgs newton homotopy prox-newton schwarz auto NULL" ]
check "shared code" [ "$(changed base/vec3.h gcc)" = "pgs newton homotopy prox-newton schwarz auto NULL" ]
check "the compiler" [ "$(changed "" clang)" = "pgs newton homotopy prox-newton schwarz auto NULL" ]
check "what no run goes through" [ -z "$(changed benchmarks/campaign/summary.c gcc)" ]
finish
