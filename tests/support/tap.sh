# What test scripts share. They source it from the root of the tree, with the subcommand
# that `run` stands for, if one: `. tests/support/tap.sh run`. TAP on standard output.
set -u
build=$(realpath "${DLS_BUILD:-build/debug}")
program=$build/delassus
subcommand=${1:-}
python=${PYTHON:-/usr/bin/python3} # Debian's own, which scripts/setup gives its packages to
here=$(realpath "$(dirname "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0 failures=0

# run ARGS...: leaves the exit code in $code, the output in $folder/out and $folder/err.
run() { "$program" $subcommand "$@" >"$folder/out" 2>"$folder/err"; code=$?; }
exits() { [ "$code" = "$1" ]; }
prints() { grep -qE -- "$1" "$folder/out"; }
says() { grep -qxF -- "$1" "$folder/out"; } # one whole line
fails() { exits 1 && grep -qE "^FAIL  $1" "$folder/out"; } # this row of a table of checks
complains() { exits 2 && [ "$(wc -l <"$folder/err")" = 1 ] && grep -qE -- "$1" "$folder/err"; }

check() { # TEXT COMMAND...: one test, passed when the command succeeds
    local text=$1; shift
    count=$((count + 1))
    if "$@" >"$folder/log" 2>&1; then echo "ok $count - $text"; return; fi
    failures=$((failures + 1))
    echo "not ok $count - $text"
    tail -n 30 "$folder/log" | sed 's/^/# | /'
    [ -e "$folder/out" ] || return 1
    echo "# exit code ${code:-?}; stdout and stderr of the last run:"
    grep -v '^pass' "$folder/out" | cat - "$folder/err" | sed 's/^/# | /' | tail -n 30
    return 1
}
skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; } # TEXT REASON
finish() { echo "1..$count"; [ $failures = 0 ]; } # the last line of a script
