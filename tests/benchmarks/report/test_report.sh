#!/bin/bash
# `delassus report` from outside: the figures are well-formed, the page holds what the rows
# say, and Chromium loads it without a complaint and obeys its switches.
. tests/support/tap.sh
. tests/support/browser.sh
dir="$folder/a campaign"
page="$dir/report.html"

holds() { grep -qF -- "$1" "$page"; }

# --- a small campaign -------------------------------------------------------------------
# Three problems, four solvers (one crashes, one lies, one relaxes), two tolerances. To 1e-8:
# pgs solves p1 (2 s) and p2 (3 s); newton p1 (4 s) and p2 (1 s); facets and liar nothing.
make_campaign() {
    mkdir -p "$dir/history"
    header=problem,file,contacts,d,m,n,density,solver,options,tol,measure,max_time,status,message
    header+=,iterations,natural,merit,own,relaxes,open,stick,slip,dissipation,free_work,time,products,history,cpu
    header+=,peer,cite,claimed,claim_natural,claim_merit
    local p1='p1,p1.hdf5,4,3,12,6,2' p2='p2,p2.hdf5,9,2,18,36,0.5' nasty='"<i>&""p3",x.dat,2,2,4,0,'
    local ask=natural,10 cpu='"Test, 1 core"' ours=false,Moreau2004,,, theirs=true,Acary2018,false,, lies=true,,true,0.5,0.5
    {
        echo "$header"
        for tol in 1e-4 1e-8; do
            echo "$p1,pgs,,$tol,$ask,converged,,9,$tol,$tol,,,1,2,1,0.5,-1,2,20,history/p1.pgs.csv,$cpu,$ours"
            echo "$p2,pgs,,$tol,$ask,converged,,9,$tol,$tol,,,3,3,3,-0.3,-1,3,30,,$cpu,$ours"
            echo "$nasty,pgs,,$tol,$ask,max_time,out of time,9,0.1,0.1,,,0,1,1,,-1,10,90,,$cpu,$ours"
            echo "$p1,newton,\"function=fb, x\",$tol,$ask,converged,,9,$tol,$tol,,,1,2,1,-1e-9,-1,4,10,history/p1.newton.csv,$cpu,$theirs"
            echo "$p2,newton,\"function=fb, x\",$tol,$ask,converged,,9,$tol,$tol,,,3,3,3,-0.3,-1,1,10,,$cpu,$theirs"
            echo "$nasty,newton,\"function=fb, x\",$tol,$ask,crashed,signal 11 <boom>,,,,,,,,,,,,,,$cpu,$theirs"
            for p in "$p1" "$p2" "$nasty"; do
                echo "$p,facets,,$tol,$ask,finished,short of it,9,1e-2,1e-2,1e-12,8 facets,1,2,1,0.5,-1,1,0,,$cpu,$ours"
                [ "$p" != "$p2" ] || lies=true,,true,0.5,1e-9 # false in the units of the file only
                echo "$p,liar,,$tol,$ask,converged,,9,0.5,0.5,,,1,2,1,,-1,0.001,1,,$cpu,$lies"
                lies=true,,true,0.5,0.5
            done
        done
    } >"$dir/results.csv"
    for solver in pgs newton; do
        printf 'iteration,time,natural,merit\n0,0.01,1,1\n1,0.1,1e-3,1e-3\n2,%s,1e-8,1e-8\n' \
            "$([ $solver = pgs ] && echo 2 || echo 4)" >"$dir/history/p1.$solver.csv"
    done
    echo '{"suite": "small <one>", "repeat": 3}' >"$dir/campaign.json"
}

parse_xml() { # every figure is XML
    $python -c 'import sys, xml.dom.minidom
for name in sys.argv[1:]: xml.dom.minidom.parse(name)' "$@"
}
stands_alone() { # nothing is fetched: no address of a network, no file but its own
    ! grep -oE "(src|href)=[\"'][^\"']*|@import|url\([^)]*" "$page" |
        grep -vE "href=[\"'](#|plots/[A-Za-z0-9_.-]+\.svg$|results\.csv$|data:,)" &&
        ! grep -E 'https?://' "$page" | grep -v 'http://www.w3.org/2000/svg'
}

test_files() {
    make_campaign
    cp "$dir/results.csv" "$folder/before.csv"
    run report "$dir"
    check "a report is made" exits 0
    check "the page names its files" grep -q 'report.html' "$folder/out"
    check "every figure is well-formed XML" parse_xml "$dir"/plots/*.svg
    for name in profile-time-1e-08 profile-products-0.0001 problems-1e-08 work-precision error-at-limit convergence-p1; do
        check "plots/$name.svg is there" test -s "$dir/plots/$name.svg"
    done
    if command -v rsvg-convert >/dev/null; then
        check "PDF figures begin as PDF does" eval '[ "$(head -c 4 "$dir/plots/work-precision.pdf")" = %PDF ]'
    else
        skip "PDF figures" "rsvg-convert is not here"
        check "the lack of PDF is told" grep -q 'no PDF' "$folder/out"
    fi
    check "the page stands alone" stands_alone
    check "the rows are not touched" cmp -s "$dir/results.csv" "$folder/before.csv"
    check "names are escaped" eval 'holds "&lt;i&gt;&amp;&quot;p3" && ! holds "<i>&"'
    check "reasons are escaped" eval 'holds "signal 11 &lt;boom&gt;"'
    check "a liar is named" holds "claims convergence"
    check "a relaxation is labelled" eval 'holds "8 facets</span>" && grep -q "facets †" "$dir/plots/error-at-limit.svg" && holds "solved its own relaxation"'
    check "created energy is told from noise" eval \
        'holds "created, 2 solvers" && holds "within the residual, 1"'
    check "solved counts" holds "solved most: <b>2 of 3</b>"
    # newton is a peer here: 1 s on p2, pgs 3 s; on p1 pgs is faster. Cells of the row, without their tags:
    cells() { sed -n "/id='$1'/,/<\/section>/p" "$page" | grep "$2" | sed -e 's/<sup>/^/g' -e 's/<[^>]*>/ /g' | tr -s ' ' | sed 's/^ //'; }
    check "where we lose: the problem and by how much" eval \
        'cells losses "^<tr><td" | grep -qE "^p2 .*pgs 3\.00 s newton function=fb, x 1\.00 s 3\.00" && ! cells losses "^<tr><td" | grep -q "^p1"'
    check "claims against the judge: false ones, and by merit too; a success that was missed" eval \
        'cells claims "liar</th>" | grep -qE "3 3 0 3 5\S+ 2 5\S+" && cells claims "newton" | grep -qE "3 0 2 0"'
    check "what nobody solves" holds "Solved by nobody: <a href='#problems'>&lt;i&gt;&amp;&quot;p3</a>"
    check "the machine is named" holds "Test, 1 core"
    check "what was asked is named" holds "small &lt;one&gt;"
    cp "$page" "$folder/first.html"
    touch "$dir/plots/convergence-mine.svg"
    echo gone >"$dir/plots/gone.svg"; (cd "$dir" && sha256sum plots/gone.svg >>made.txt)
    run report "$dir" --no-pdf
    check "the same rows make the same page" cmp -s "$page" "$folder/first.html"
    check "figures that an earlier report made go" test ! -e "$dir/plots/gone.svg"
    check "figures that it did not make stay" test -e "$dir/plots/convergence-mine.svg"
    check "made.txt has the fingerprints of all that was made" eval '(cd "$dir" && sha256sum -c --quiet made.txt && grep -q report.html made.txt)'
    check "--no-pdf makes none" eval '! ls "$dir"/plots/*.pdf 2>/dev/null'
    mkdir "$folder/bin"; printf '#!/bin/sh\n: >"$4"\nexit 1\n' >"$folder/bin/rsvg-convert"; chmod +x "$folder/bin/rsvg-convert"
    PATH=$folder/bin:$PATH run report "$dir"
    check "a converter that fails is told from one that is not there, and leaves nothing" eval \
        'exits 0 && prints "rsvg-convert failed" && [ -z "$(find "$dir" -name "*.pdf" -o -name "*.new")" ]'
}

test_bad_input() {
    run report "$folder/nowhere"; check "no such folder" complains "nowhere/results.csv"
    mkdir -p "$folder/empty"; echo problem,solver >"$folder/empty/results.csv"
    run report "$folder/empty"; check "a column is missing" complains "'tol'"
    mkdir -p "$folder/cut"
    { cat "$folder/before.csv"; printf 'p4,p4.hdf5,4,3,12,6,2,pgs,,1e-8,nat'; } >"$folder/cut/results.csv"
    run report "$folder/cut" --no-pdf
    check "a half-written row is left out" eval 'exits 0 && grep -q "Damaged rows" "$folder/cut/report.html"'
    head -n 9 "$folder/before.csv" >"$folder/cut/results.csv"
    run report "$folder/cut" --no-pdf
    check "a campaign under way has a page" eval 'exits 0 && grep -q "Under way" "$folder/cut/report.html"'
    head -n 2 "$folder/before.csv" >"$folder/cut/results.csv"
    run report "$folder/cut" --no-pdf
    check "one row has a page" exits 0
}

# --- in the browser ---------------------------------------------------------------------
# The probe is a script at the end of a copy of the page; it writes `name=value` lines.
probe='
const out = [], say = (name, value) => out.push(name + "=" + value);
const shown = q => [...document.querySelectorAll(q)].filter(e => getComputedStyle(e).display !== "none").length;
const box = name => [...document.querySelectorAll(".legend input")].find(b => b.dataset.n === name);
const style = name => "s" + box(name).id.slice(1);
const cells = (q, k) => [...document.querySelectorAll(q + " tbody tr")].filter(r => !r.hidden).map(r => r.cells[k].textContent.trim());
say("start_hidden", [...document.querySelectorAll(".legend input")].filter(b => !b.checked).map(b => b.dataset.n).join("+"));
say("hidden_curves", shown(".log .c." + style("liar")));
box("liar").checked = true;
say("pgs_before", shown(".log .c." + style("pgs")));
const others = shown(".log .c." + style("liar"));
box("pgs").click();
say("pgs_after", shown("polyline.c." + style("pgs")));
say("others_kept", shown(".log .c." + style("liar")) === others && others > 0);
say("hash", location.hash);
box("pgs").click();
const fig = document.getElementById("profile-time-1e-08");
const visible = c => getComputedStyle(fig.querySelector(c)).display !== "none";
say("log_first", visible(".log") && !visible(".lin"));
fig.querySelector(".linear").click();
say("linear_then", !visible(".log") && visible(".lin"));
fig.querySelector(".linear").click();
const svg = fig.querySelector("svg"), area = svg.getBoundingClientRect(), frame = svg.dataset.frame.split(" ");
const scale = area.width / svg.viewBox.baseVal.width;
svg.dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
  clientX: area.left + (+frame[0] + +frame[2] - 0.5) * scale, clientY: area.top + 50 }));
const tip = document.getElementById("tip");
say("tip", [...tip.querySelectorAll("tr")].map(r => r.cells[1].textContent + ":" + r.cells[2].textContent).join(";"));
svg.dispatchEvent(new PointerEvent("pointerleave"));
say("tip_gone", tip.hidden);
const heads = [...document.querySelectorAll("table.failures thead th")];
heads[4].click(); say("sorted_up", cells("table.failures", 4).join(" "));
heads[4].click(); say("sorted_down", cells("table.failures", 4).join(" "));
const filter = document.querySelector("#failures .filter");
filter.value = "CRASHED newton"; filter.dispatchEvent(new Event("input"));
say("filtered", cells("table.failures", 3).length);
say("overflow", document.documentElement.scrollWidth > innerWidth);
say("width", innerWidth);
const result = document.createElement("pre"); result.id = "probe"; result.textContent = "\n" + out.join("\n") + "\n";
document.body.append(result);
'

test_browser() {
    if ! command -v chromium >/dev/null; then
        skip "the page in a browser" "chromium is not here"
        return
    fi
    browse "$page" 1200 "$probe" '#hide=liar'
    check "the page loads without console messages" eval '[ -s "$folder/out" ] && [ ! -s "$folder/err" ]'
    check "the address hides a solver" eval 'says start_hidden=liar && says hidden_curves=0'
    # Two profiles at two tolerances, medians, errors at the limit, convergence against time
    # and iterations (the histories count no products).
    check "curves are shown at first" says pgs_before=8
    check "switching a solver off hides its curves everywhere" eval 'says pgs_after=0 && says others_kept=true'
    check "and says so in the address" eval 'grep -qE "^hash=#hide=pgs$" "$folder/out"'
    check "the axis switches between log and linear" eval 'says log_first=true && says linear_then=true'
    check "the pointer shows values: two thirds, two thirds, nothing" eval \
        'grep -qE "^tip=.*newton function=fb, x:66.7 %.*facets:0 %" "$folder/out" && grep -qE "^tip=.*pgs:66.7 %" "$folder/out"'
    check "and they go away with it" says tip_gone=true
    check "tables are sorted by value, the unknown last" eval \
        'says "sorted_up=0.01 0.01 0.01 0.01 0.01 0.01 0.1 0.1 0.5 0.5 0.5 0.5 0.5 0.5 – –" && says "sorted_down=0.5 0.5 0.5 0.5 0.5 0.5 0.1 0.1 0.01 0.01 0.01 0.01 0.01 0.01 – –"'
    check "rows are filtered by words" says filtered=2
    check "a wide page does not scroll sideways" says overflow=false
    browse "$page" 500 "$probe" # as narrow as Chromium's window gets
    check "nor does a narrow one" eval 'says width=500 && says overflow=false'
}

# --- for papers -------------------------------------------------------------------------
archive_is_whole() {
    $python - "$1" <<'PY'
import hashlib, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
lines = z.read("SHA256SUMS").decode().splitlines()
names = {line.split("  ", 1)[1] for line in lines}
assert {"results.csv", "campaign.json"} < names == set(z.namelist()) - {"SHA256SUMS"}
for line in lines:
    digest, name = line.split("  ", 1)
    assert hashlib.sha256(z.read(name)).hexdigest() == digest, name
PY
}
test_paper() {
    local out="$folder/paper"
    run report "$dir" --paper "$out"
    check "the export for papers is made" eval 'exits 0 && ls "$out"/tables/standings.tex "$out"/curves/profile-time-1e-08.tex "$out"/figures/work-precision.svg >/dev/null'
    check "tables are booktabs, with names escaped" eval 'grep -q toprule "$out/tables/standings.tex" && grep -q "newton function=fb, x & 2" "$out/tables/standings.tex"'
    check "classes have tables of their own" test -s "$out/tables/standings-sparse.tex"
    check "curves are there as numbers: pgs wins one third, solves two" eval \
        'grep -qx "pgs,1,0.333333333333333[0-9]*" "$out/curves/profile-time-1e-08.csv" && grep -qx "pgs,3,0.666666666666667\|pgs,3,0.66666666666666[0-9]*" "$out/curves/profile-time-1e-08.csv"'
    check "claims are a table too" eval 'grep -q "^liar & .10^{-8}. & 3 & 3 & 0 & 3 & 50000000 & 2 & 50000000" "$out/tables/claims.tex"'
    check "figures need no colour" eval '! grep -oE "stroke=.#[0-9a-f]+" "$out/figures/profile-time-1e-08.svg" | grep -vqE "#(000|999)"'
    check "the solvers that are known are cited, each once" eval '[ "$(grep -c "^@" "$out/solvers.bib")" = 2 ]'
    check "the archive has rows, histories, environment and checksums" archive_is_whole "$out/campaign.zip"
    if command -v pdflatex >/dev/null && kpsewhich pgfplots.sty >/dev/null; then
        printf '%s\n' '\documentclass{article}\usepackage{booktabs,pgfplots}\begin{document}' '\input{tables/standings}' \
            '\input{curves/profile-time-1e-08}\input{curves/work-precision}\end{document}' >"$out/main.tex"
        (cd "$out" && pdflatex -interaction=nonstopmode -halt-on-error main.tex >"$folder/out" 2>&1); code=$?
        check "LaTeX takes tables and curves" exits 0
    else
        skip "LaTeX takes tables and curves" "pdflatex with pgfplots is not here"
    fi
    echo mine >"$out/tables/standings.tex"; run report "$dir" --paper "$out"
    check "a table that was changed by hand stays" eval 'complains "standings.tex was not made" && grep -qx mine "$out/tables/standings.tex"'
}

# --- hostile names ----------------------------------------------------------------------
test_hostile_names() {
    local bad="<img src=x onerror=hacked=1>' onmouseover='hacked=2" hostile="$folder/hostile"
    mkdir "$hostile"
    $python - "$dir" "$hostile" "$bad" <<'PY'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/results.csv", newline="")))
bad = sys.argv[3]
def number(text):
    try: return bool(float(text)) or True
    except ValueError: return False
for r in rows: # every text of it
    r.update({k: v + bad + '"' for k, v in r.items() if not number(v) and k != "measure" and v != "converged"}, history="")
out = csv.DictWriter(open(sys.argv[2] + "/results.csv", "w", newline=""), rows[0].keys(), lineterminator="\n")
out.writeheader(); out.writerows(rows)
json.dump({"suite": bad, bad: bad, "tolerances": "1"}, open(sys.argv[2] + "/campaign.json", "w"))
PY
    run report "$hostile" --no-pdf
    check "hostile names make a page" exits 0
    check "and well-formed figures" eval '$python -c "import glob, sys, xml.dom.minidom as m
for f in glob.glob(sys.argv[1] + \"/plots/*.svg\"): m.parse(f)" "$hostile"'
    if ! command -v chromium >/dev/null; then skip "hostile names in a browser" "chromium is not here"; return; fi
    local probe='for (const e of document.querySelectorAll("*")) e.dispatchEvent(new MouseEvent("mouseover"));
const p = document.createElement("pre"); p.id = "probe"; p.textContent = "\nimages=" + document.images.length + " hacked=" + window.hacked + " handlers=" +
[...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => a.name.startsWith("on"))).length + "\n"; document.body.append(p);'
    browse "$hostile/report.html" 1200 "$probe"
    check "and nothing of them runs in a browser" says "images=0 hacked=undefined handlers=0"
}

test_files
test_bad_input
test_paper
test_hostile_names
test_browser
finish
