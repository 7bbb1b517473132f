#!/bin/bash
# Names, titles and provenances of others' files: whatever they hold, nothing that has power
# over a terminal comes out of any command, nor stands in any file of a campaign, and
# nothing of them runs in a browser.
. tests/support/tap.sh
. tests/support/browser.sh
if ! $python -c 'import h5py' 2>/dev/null; then skip "others' text" "no h5py"; finish; exit; fi
cd "$folder" || exit 2
mkdir evil
bundled=$OLDPWD/benchmarks/snapshots
# Escape sequences, C1 controls (U+009B), a letter that turns the direction (U+202E), a line
# separator, a formula, an element of a page.
$python - "$bundled" <<'P'
import h5py, shutil, sys
evil = "=T\x1b[31m\x9b1m\u202eX\x07\u2028\x7f<img src=x onerror=hacked=1>"
for source, name in (("stack", "a\x1b[31m\u009b\u202eb"), ("one-contact", "=c\x07<img src=x onerror=hacked=2>\u202e")):
    path = "evil/" + name + ".hdf5"
    shutil.copy(f"{sys.argv[1]}/{source}.hdf5", path)
    with h5py.File(path, "r+") as f:
        top = "fclib_global" if "fclib_global" in f else "fclib_local"
        for key in (top + "/info/title", top + "/info/description", top + "/info/math_info", "delassus/provenance",
                    "certificate/provenance", "certificate/existence"):
            if key in f: del f[key]
            f[key] = evil.encode()
P
# harmless FILE...: no control character but the line break, none that turns the direction
harmless() {
    $python - "$@" <<'P'
import re, sys
unseen = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]")
bad = [(path, ascii(line)) for path in sys.argv[1:] for line in open(path, encoding="utf8", errors="replace", newline="\n") if unseen.search(line)]
print(*bad[:5], sep="\n")
sys.exit(bool(bad))
P
}
shown() { # TEXT ARGS...: a command on both files
    local text=$1; shift
    run "$@"
    check "$text" eval '[ $code -le 2 ] && harmless "$folder/out" "$folder/err"'
}
files=(evil/*.hdf5)
shown "info" info "${files[@]}"
check "info shows the title all the same" prints 'title +=T.\[31m.x9b1m.u202eX..u2028.<img'
shown "info --json" info "${files[@]}" --json
check "JSON keeps its characters" $python -c 'import json, sys
assert all(json.loads(l)["title"].startswith("=T?[31m\x9b1m\u202eX") for l in open(sys.argv[1]))' "$folder/out"
for format in --json --csv; do shown "solve $format" solve "${files[@]}" --solver pgs --tol 1e-2 $format; done
shown "solve" solve "${files[@]}" --solver pgs --tol 1e-2 --save saved --history h.csv
check "a history" harmless h.csv
for file in "${files[@]}"; do
    shown "certify" certify "$file" --max-time 2
    shown "equilibrium" equilibrium "$file"
    shown "convert" convert "$file" "evil/$(printf 'to\033\342\200\256').dat"
    shown "compare" compare "$file" "$file"
    shown "a solver that is not there" solve "$file" --solver "$(printf 'x\033\342\200\256')"
done
camp=evil/$(printf 'camp\033')
shown "bench" bench "${files[@]}" --solver pgs,nncg --max-time 1 --tol 1e-2 -o "$camp"
shown "bench again" bench "${files[@]}" --solver pgs,nncg --max-time 1 --tol 1e-2 -o "$camp"
check "its rows are known by their names" prints '^4 rows are there'
shown "compare of campaigns" compare "$camp" "$camp"
shown "merge" merge "$camp" -o "$camp-merged"
shown "report" report "$camp" --no-pdf
mapfile -d '' made < <(find "$camp" -type f ! -name '*.pdf' -print0)
check "every file of the campaign" harmless "${made[@]}"
# Rows of another program, with raw bytes in a name.
sed -i "s/^a[^,]*,/$(printf 'raw\033[31m\302\233'),/" "$camp/results.csv"
shown "rows that others wrote" compare "$camp" "$camp-merged"
if ! command -v chromium >/dev/null; then
    skip "in a browser" "chromium is not here"
else
    browse "$camp/report.html" 1200 'const p = document.createElement("pre"); p.id = "probe";
p.textContent = "\nimages=" + document.images.length + " hacked=" + window.hacked + "\n"; document.body.append(p);'
    check "the page of names and titles in a browser" says "images=0 hacked=undefined"
    check "which shows the names" grep -q 'onerror=hacked=2&gt;' "$folder/dom"
fi
finish
