# What the tests of `delassus run` share; sourced by them. TAP on standard output.
set -u
program=${DLS_BUILD:-build/debug}/delassus
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0
run() { "$program" run "$@" >"$folder/out" 2>"$folder/err"; code=$?; }
check() { # TEXT COMMAND...: one test, passed when the command succeeds
    local text=$1; shift
    count=$((count + 1))
    if "$@"; then echo "ok $count - $text"; return; fi
    echo "not ok $count - $text"
    echo "# exit code ${code:-?}; stdout and stderr of the last run:"
    grep -v '^pass' "$folder/out" | cat - "$folder/err" | sed 's/^/# | /' | tail -n 30
}
exits() { [ "$code" = "$1" ]; }
prints() { grep -qE -- "$1" "$folder/out"; }
fails() { exits 1 && grep -qE "^FAIL  $1" "$folder/out"; }
complains() { exits 2 && [ "$(wc -l <"$folder/err")" = 1 ] && grep -qE -- "$1" "$folder/err"; }
