#!/bin/bash
# make_shaken.sh [DIR [NAME...]]: runs the shaken vessels behind the figures and tables of
# docs/granular.md and writes one small CSV each to DIR (default paper/data). NAME picks:
#   shaken_tolerance   wall force and circulation against sweeps and tolerance; minutes
#   shaken_seeds       the checks of every example and its twin over seeds; an hour
#   shaken_race        solvers along 200 steps of shaken-box; minutes
#   shaken_box         where beads went in 60 periods, rough and smooth walls; minutes
#   brazil_nut         the way of the nut, full size and a quarter; half an hour
#   shaken_cylinder    forces of the wall over the period; a minute
# DLS_PROGRAM is the program, default build/delassus. Runs that were cut short are made
# again from their start.
set -eu
cd "$(dirname "$0")/.."
program=${DLS_PROGRAM:-build/delassus}
out=${1:-paper/data}
shift $(($# > 0))
names=${*:-shaken_tolerance shaken_seeds shaken_race shaken_box brazil_nut shaken_cylinder}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() { # the run's output in $folder/log; an exit code of 1 (checks fail) is an answer
    local code=0
    "$program" run "$@" >"$folder/log" 2>&1 || code=$?
    [ $code -le 1 ] || { cat "$folder/log" >&2; exit 1; }
}
value() { # TEXT: the number of the check that begins so; columns are parted by two spaces or more
    grep -E "^(pass|FAIL)  $1" "$folder/log" | awk -F '  +' '{ print $3; exit }'
}
word() { # TEXT N: the Nth word of the first line of the summary that begins so
    awk -v text="$1" -v n="$2" 'index($0, text) == 3 { gsub(",", ""); print $n; exit }' \
        "$folder/log"
}

# 218 spheres and 50 disks, periods of 500 steps: seconds a run. `sweeps` is a
# counted number of them, `tol` what a step is solved to however many that takes.
shaken_tolerance() {
    echo rule,value,seed,wall_force,wall_force_sliding,circulation,residual_median,residual_90,sweeps_median,sweeps_90,penetration
    for rule in max-iter=5 max-iter=10 max-iter=20 max-iter=50 max-iter=200 tol=1e-1 \
        tol=1e-3; do
        for seed in 1 2 3; do
            run shaken-cylinder --set grains=218 --set width=0.857 --set steps=500 \
                --set discard=3 --set periods=10 --set seed=$seed --check \
                --${rule%=*} ${rule#*=}
            local force
            force=$(value "mean vertical force"),$(value "the same between")
            run brazil-nut --set grains=50 --set width=0.79 --set nut=0.16 \
                --set height=0.25 --set steps=500 --set periods=80 --set seed=$seed \
                --check --${rule%=*} ${rule#*=}
            echo "${rule%=*},${rule#*=},$seed,$force,$(value "displacement of a period"),$(word residual 3),$(word residual 6),$(word iterations 3),$(word iterations 6),$(word "deepest penetration" 3)"
        done
    done
}

# One row a check: what was measured with rough walls, and in the twin with smooth ones.
shaken_seeds() {
    echo example,wall_mu,seed,passed,check,value
    for seed in 1 2 3 4 5; do
        for mu in 0.8 0; do
            for example in shaken-cylinder,0.1,2000 brazil-nut,0.25,1000 \
                shaken-box,0.25,1000; do
                local name scale steps
                IFS=, read -r name scale steps <<<"$example"
                run $name --scale $scale --set steps=$steps --set seed=$seed \
                    --set wall_mu=$mu --check
                grep -E '^(pass|FAIL)' "$folder/log" | awk -F '  +' -v head="$name,$mu,$seed" '{
                    gsub(",", "", $2); print head "," $1 "," $2 "," $3 }'
            done
        done
    done
}

shaken_race() { # one period in 200 steps, handed to each solver from the same impulses
    local solvers=pgs-bodies,nncg,anderson,newton,apgd,prox-newton
    run shaken-box --scale 0.1 --set steps=200 --end 0.06666 --tol 1e-6 --max-iter 2000 \
        --max-time 2 --race $solvers --race-csv "$folder/race.csv"
    awk -F, 'NR == 1 { print; next } { printf "%s,%.5g,%s,%s,%s,%.3g,%.3g,%.3g,%s,%.5g,%.5g,%s\n", $1, $2,
        $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 }' "$folder/race.csv"
}

shaken_box() { # places after 20 periods, and displacements over the next 60
    echo wall_mu,x,y,dx,dy
    for mu in 0.8 0; do
        run shaken-box --scale 0.25 --set steps=1000 --set wall_mu=$mu \
            --centres "$folder/centres" --every 1000
        awk -F, -v mu=$mu -v OFMT=%.5g -v T=0.0666666667 'NR > 1 {
            period = int($1 / T + 0.5)
            if (period == 20) { x[$2] = $3; y[$2] = $4 }
            if (period == 80) print mu "," x[$2] + 0 "," y[$2] + 0 "," $3 - x[$2] "," $4 - y[$2]
        }' "$folder/centres"
    done
}

brazil_nut() {
    echo scale,wall_mu,period,x,y
    for of in 0.25,0.8,1000 0.25,0,1000 1,0.8,2000; do
        local scale mu steps
        IFS=, read -r scale mu steps <<<"$of"
        run brazil-nut --scale $scale --set wall_mu=$mu --set steps=$steps \
            --observe track=0 --observe-csv "$folder/nut" --every $steps
        awk -F, -v head="$scale,$mu" -v OFMT=%.4g 'NR > 1 {
            print head "," NR - 1 "," $2 + 0 "," $3 + 0 }' "$folder/nut"
    done
}

shaken_cylinder() { # 50 points a period, each the mean of 40 steps; means of 8 periods
    echo phase,normal,vertical,pressure
    run shaken-cylinder --scale 0.1 --observe obstacle-mean=1,pressure-mean \
        --observe-csv "$folder/wall" --every 40
    awk -F, -v OFMT=%.5g -v weight=$((363 * 981)) 'NR > 401 {
            k = (NR - 2) % 50; n[k]++; normal[k] += $5; up[k] += $4; p[k] += $6 }
        END { for (k = 0; k < 50; k++) print (k + 0.5) / 50 "," normal[k] / n[k] / weight "," \
            up[k] / n[k] / weight "," p[k] / n[k] / weight }' "$folder/wall"
}

mkdir -p "$out"
for name in $names; do
    "$name" >"$folder/$name.csv"
    mv "$folder/$name.csv" "$out/$name.csv"
    echo "$out/$name.csv: $(($(wc -l <"$out/$name.csv") - 1)) rows"
done
