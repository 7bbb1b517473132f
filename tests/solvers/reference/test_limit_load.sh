#!/bin/bash
# Arches against a linear program that knows nothing of the program under test: HiGHS, on
# the matrices of the same blocks.
. tests/support/tap.sh equilibrium
if ! $python -c 'import scipy.optimize' 2>/dev/null; then echo "1..0 # SKIP scipy is not here (python3-scipy)"; exit 0; fi
lp() { # SETTINGS... -- MORE: what the linear program says of the arch
    local settings=() more=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do settings+=(--set "$1"); shift; done
    shift; more=("$@")
    "$program" generate arch "$folder/a.hdf5" "${settings[@]}" >/dev/null && "$program" convert "$folder/a.hdf5" "$folder/a.mtx"
    if [ ${#more[@]} -gt 0 ]; then more=("$folder/a-M.mtx" "${more[@]}"); fi
    $python "$here/limit_load.py" "$folder"/a-{H,f,mu}.mtx "${more[@]}"
}
value() { # FIELD: of the last line of JSON
    sed -n 's/.*"'"$1"'": *\([^,}]*\).*/\1/p' "$folder/out" | tr -d '"'
}
# The percussion of the acceleration (1, 0) is 0.01 s times M, that of the file.
for arch in "n=25 mu=0.6" "n=25 mu=0.35 thickness=0.22" "n=101 mu=0.8 thickness=0.12" "n=9 opening=50 thickness=0.1"; do
    expected=$(lp $arch -- 0.01 0)
    run arch $(printf -- '--set %s ' $arch) --push 1,0 --json
    check "arch $arch: horizontal load factor $expected" awk -v a="$expected" -v b="$(value factor)" -v c="$(value factor_bound)" \
        'BEGIN { exit !(a > 0 && (b - a)^2 < (1e-7 * a)^2 && (c - a)^2 < (1e-6 * a)^2) }'
done
# The limit thickness by halving with the linear program, then a thousandth to both sides.
for arch in "n=27 mu=2" "n=16 mu=0.38"; do
    low=0.08 high=0.2
    for k in 1 2 3 4 5 6 7 8; do
        middle=$(awk "BEGIN { print ($low + $high) / 2 }")
        if [ "$(lp $arch thickness=$middle --)" = feasible ]; then high=$middle; else low=$middle; fi
    done
    set_all=$(printf -- '--set %s ' $arch)
    run arch $set_all --set thickness=$(awk "BEGIN { print 1.001 * $high }") --json
    check "arch $arch: holds a thousandth above $high" [ "$(value verdict)" = holds ]
    run arch $set_all --set thickness=$(awk "BEGIN { print 0.999 * $low }") --json
    check "arch $arch: falls a thousandth below $low" [ "$(value verdict)" = falls ]
    # Voussoirs cut from sectors have 0.106776 and 0.121543; straight edges change it little.
    published=$(case $arch in n=27*) echo 0.106776 ;; *) echo 0.121543 ;; esac)
    check "arch $arch: $high is near that of sectors, $published" awk "BEGIN { exit !(($high / $published - 1)^2 < 0.02^2) }"
done
# Bad usage is one sentence and exit 2.
refused() { run "$@"; complains .; }
check "no such name" refused arches
check "a push of one number" refused arch --push 1
check "a contact that is not there" refused arch --contact 52
check "a body that is not there" refused arch --push 1,0 --body 25
finish
