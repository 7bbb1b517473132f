#!/bin/bash
# make_data.sh [DIR [NAME...]]: runs the examples behind the figures and writes one small
# CSV each to DIR (default paper/data), thinned and to six digits. NAME picks figures.
# DLS_PROGRAM is the program, default build/delassus.
set -eu
cd "$(dirname "$0")/.."
program=${DLS_PROGRAM:-build/delassus}
out=${1:-paper/data}
shift $(($# > 0))
names=${*:-bouncing_ball oscillator rocking_block rocking_ratio energy_creation}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run() { # EXAMPLE ARGUMENT...: its observables in $folder/run.csv
    "$program" run "$@" --csv "$folder/run.csv" >"$folder/log" 2>&1 ||
        { cat "$folder/log" >&2; exit 1; }
}

# get("spin") in an awk program: that column of run.csv; what is below 1e-9 is the noise
# of solvers and would differ from machine to machine.
read_csv='BEGIN { FS = OFS = ","; OFMT = CONVFMT = "%.6g" }
    NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
    function get(name) {
        if (!(name in col)) { print "no column " name >"/dev/stderr"; exit 1 }
        return size($col[name]) < 1e-9 ? 0 : $col[name] + 0
    }
    function size(x) { return x < 0 ? -x : x }'

bouncing_ball() { # a step coarse enough to tell the schemes apart
    echo scheme,t,x,x_exact
    for scheme in moreau theta:theta=1 schatzman-paoli alpha event; do
        run bouncing-ball --set e=0.7 --step 0.01 --end 2.8 --scheme $scheme
        awk -v s=$scheme "$read_csv"'{ print s, get("t"), get("x"), get("x_exact") }' \
            "$folder/run.csv"
    done
}

oscillator() {
    echo scheme,t,energy,energy_exact
    for scheme in moreau theta:theta=1 schatzman-paoli alpha \
        alpha:kind=newmark:gamma=1:beta=0.5 event; do
        run oscillator --step 2e-3 --end 4 --scheme $scheme
        awk -v s=$scheme "$read_csv"'NR % 20 == 1 {
            print s, get("t"), get("energy"), get("energy_exact") }' "$folder/run.csv"
    done
}

# An impact is a step that takes 2 % off the spin; a free swing with a spin above 0.05
# loses under 1 % in a step. Its row carries the spins on both sides, others are empty.
impacts='NR > 1 {
        spin = get("spin")
        hit = size(last) > 0.05 && size(spin) < 0.98 * size(last)
        before = hit ? last : ""; after = hit ? spin : ""
        last = spin
    }'

rocking_block() {
    echo t,angle,spin_before,spin_after
    run rocking-block --step 5e-5 --end 2.5 --tol 1e-10
    awk "$read_csv$impacts"'hit || NR % 200 == 1 {
        print get("t"), get("angle"), before, after }' "$folder/run.csv"
}

rocking_ratio() { # the first impact, by the shape of the block b/h; with friction, without
    echo b_over_h,mu,spin_before,spin_after
    for mu in 2 0; do
        for ratio in 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0 1.1 1.2 1.3 1.4 1.5 1.6; do
            run rocking-block --set half_width=$ratio --set half_height=1 --set mu=$mu \
                --step 5e-5 --end 0.5 --tol 1e-10
            awk -v b=$ratio -v mu=$mu "$read_csv$impacts"'hit {
                print b, mu, before, after; exit }' "$folder/run.csv"
        done
    done
}

energy_creation() { # one step of a collision: the works of the contact, by the law
    echo scheme,e_n,e_t,work_normal,work_tangential,kinetic
    for e_n in 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1; do
        for law in moreau,0 moreau,$e_n acd2,0; do
            run energy-creation --scheme ${law%,*} --set e_n=$e_n --set e_t=${law#*,} \
                --step 1e-9 --end 1e-9
            awk -v s=${law%,*} -v e_n=$e_n -v e_t=${law#*,} "$read_csv"'{ print s, e_n,
                e_t, get("work_normal"), get("work_tangential"), get("kinetic") }' \
                "$folder/run.csv"
        done
    done | awk '!seen[$0]++' # e_n = 0 makes the first two laws one
}

mkdir -p "$out"
for name in $names; do
    "$name" >"$folder/$name.csv"
    mv "$folder/$name.csv" "$out/$name.csv"
    echo "$out/$name.csv: $(($(wc -l <"$out/$name.csv") - 1)) rows"
done
