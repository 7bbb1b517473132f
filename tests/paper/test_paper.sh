#!/bin/bash
# The figures: data files are whole and agree with closed forms, computed here once more;
# runs give the committed data again; every script draws. Only the last needs matplotlib.
. tests/support/tap.sh

# near(x, y, tolerance) complains unless they agree; `n` counts the comparisons, and a
# file in which there were none fails.
awk_tools='function size(x) { return x < 0 ? -x : x }
    function near(x, y, tolerance) {
        n++
        if (size(x - y) <= tolerance) return
        print FILENAME ":" FNR ": " x " where " y " is expected"; bad = 1
    }
    BEGIN { FS = "," }
    END { if (bad || !n) exit 1 }
    FNR == 1 { next }'
agrees() { awk "$awk_tools$2" "paper/data/$1.csv"; }

# --- headers and rows --------------------------------------------------------------------
whole() { # NAME HEADER ROWS: all lines have as many cells as the header
    [ "$(head -n 1 "paper/data/$1.csv")" = "$2" ] &&
        awk -F, -v rows="$3" 'NR == 1 { cells = NF } NF != cells { exit bad = 1 }
            END { exit bad || NR - 1 != rows }' "paper/data/$1.csv"
}
check "bouncing_ball.csv: 5 schemes" whole bouncing_ball scheme,t,x,x_exact 1400
check "oscillator.csv: 6 schemes" whole oscillator scheme,t,energy,energy_exact 600
check "rocking_block.csv" whole rocking_block t,angle,spin_before,spin_after 255
check "rocking_ratio.csv: 2 laws" whole rocking_ratio b_over_h,mu,spin_before,spin_after 30
check "energy_creation.csv: 3 laws" whole energy_creation \
    scheme,e_n,e_t,work_normal,work_tangential,kinetic 32
check "each figure has its data and each data file its figure" eval \
    '[ "$(ls paper/fig_*.py | sed "s/.*fig_//; s/\.py//")" = "$(ls paper/data | sed "s/\.csv//")" ]'

# --- campaigns ---------------------------------------------------------------------------
# Figures and tables of README and docs are what the rows of paper/campaign give.
drawn() {
    mkdir "$folder/drawn" && DELASSUS=$build paper/campaign/draw.sh "$folder/drawn" &&
        cmp "$folder/drawn/profile-corpus.svg" paper/profile-corpus.svg && cmp "$folder/drawn/scaling-auto.svg" paper/scaling-auto.svg
}
tabled() { # every line of the tables stands in the page
    $python paper/campaign/tables.py paper/campaign/corpus >"$folder/tables" && [ "$(wc -l <"$folder/tables")" -gt 10 ] &&
        ! grep -vxFf docs/campaigns.md "$folder/tables" | grep .
}
check "the figures of README and docs are drawn again from their rows, byte for byte" drawn
check "the tables of docs/campaigns.md are those of the rows" tabled
check "every picture of README and docs has its rows" eval \
    '! grep -ohE "paper/[a-z0-9-]+\.svg" README.md docs/*.md | sort -u | grep -vxE "paper/(profile-corpus|scaling-auto)\.svg"'

# --- closed forms ------------------------------------------------------------------------
# Six digits of heights up to 1 m. A scheme may be late by two steps of 0.01 s at the
# impact speed sqrt(2 g).
ball='function height(t,   flight, v) {
        flight = sqrt(2 / 9.81)
        if (t < flight) return 1 - 9.81 * t * t / 2
        t -= flight; v = 0.7 * 9.81 * flight
        while (v > 1e-9 && t > 2 * v / 9.81) { t -= 2 * v / 9.81; v *= 0.7 }
        return v > 1e-9 ? v * t - 9.81 * t * t / 2 : 0
    }
    { near($4, height($2), 2e-6); near($3, $4, $1 == "event" ? 2e-6 : 0.02 * sqrt(2 * 9.81)) }'
check "bouncing ball: heights" agrees bouncing_ball "$ball"

# At the stop the kinetic energy, all but k x_0^2 / 2 = 0.8 J, falls by e^2 = 0.64; six
# impacts in 4 s. The bounds are those of the example itself.
check "oscillator: final energies" agrees oscillator '
    $2 == 4 { exact = 0.8 + 19.2 * 0.64^6; near($4, exact, 1e-5) }
    $2 == 4 && $1 == "event" { near($3, exact, 1e-5) }
    $2 == 4 && ($1 == "alpha" || $1 == "moreau") { near($3 / exact, 1, 0.05) }
    $2 == 4 && ($1 ~ /theta=1/ || $1 ~ /newmark/) { lost++; near($3 / exact, 0.5, 0.45) }
    END { if (lost != 2) exit 1 }'

# In the step of the impact the block also swings: 2.8 rad/s^2 for 5e-5 s, of a spin of 0.46.
check "rocking block: Housner at five impacts" agrees rocking_block '
    $3 != "" { near($4 / $3, 1 - 1.5 * 0.04 / 1.04, 5e-4) }
    END { if (n != 5) exit 1 }'
# Likewise 7.4 rad/s^2 at most, of a spin of 0.42 or more.
check "rocking ratio: with friction and without" agrees rocking_ratio '
    { t2 = $1 * $1; k = $2 > 0 ? 1 - 1.5 * t2 / (1 + t2) : (1 - 2 * t2) / (1 + 4 * t2)
      near($4 / $3, k > 0 ? k : 0, 1e-3) }'

# u^- = (-1, -1/2), W = [2.5, 1.5; 1.5, 2.5]; all of Newton'"'"'s impacts stick in the mean
# velocity, u^+ = -(e_n u_N^-, e_t u_T^-). A-CD2: u_N^+ = 0 and slip, r = (1, 0.6) / 3.4. Six digits.
check "energy creation: works of the contact" agrees energy_creation '
    { u_n = 1 + $2; u_t = 0.5 * (1 + $3)
      r_n = (2.5 * u_n - 1.5 * u_t) / 4; r_t = (2.5 * u_t - 1.5 * u_n) / 4
      normal = -r_n * (1 - $2) / 2; tangential = -r_t * (1 - $3) / 4 }
    $1 == "acd2" { normal = -0.5 / 3.4; tangential = 0.6 / 3.4 * (-0.5 + 1.5 / 3.4) }
    { near($4, normal, 1e-6); near($5, tangential, 1e-6) }'
check "energy creation: Newton gains from e_n = 0.9 on, uniform and A-CD2 never" agrees \
    energy_creation '{ gains = $1 == "moreau" && $3 == 0 && $2 >= 0.9
      near($4 + $5 > 1e-9, gains, 0) }'

# --- the program gives the data again ----------------------------------------------------
# Another compiler may round otherwise, which an event near a step could show.
same() {
    DLS_PROGRAM=$program paper/make_data.sh "$folder/data" "$1" &&
        paste -d, "paper/data/$1.csv" "$folder/data/$1.csv" | awk "$awk_tools"'
            { for (i = 1; i <= NF / 2; i++) near($i, $(i + NF / 2), 1e-5) }'
}
check "bouncing_ball.csv is what the program gives" same bouncing_ball
check "energy_creation.csv is what the program gives" same energy_creation

# --- drawing -----------------------------------------------------------------------------
draws() {
    "$python" -B "paper/fig_$1.py" "$folder/drawn" && [ -s "$folder/drawn/$1.pdf" ] &&
        grep -q '</svg>' "$folder/drawn/$1.svg"
}
for figure in paper/fig_*.py; do
    name=${figure#paper/fig_}; name=${name%.py}
    if "$python" -c 'import matplotlib' 2>/dev/null; then check "$name is drawn" draws "$name"
    else skip "$name is drawn" "matplotlib is not here (python3-matplotlib)"; fi
done
lacks() { # -S hides installed packages
    "$python" -BS paper/fig_oscillator.py "$folder/none" 2>"$folder/err"
    [ $? = 2 ] && [ "$(wc -l <"$folder/err")" = 1 ] && grep -q python3-matplotlib "$folder/err"
}
if [ -x "$(command -v "$python")" ]; then check "without matplotlib: one sentence, exit 2" lacks
else skip "without matplotlib: one sentence, exit 2" "$python is not here"; fi
finish
