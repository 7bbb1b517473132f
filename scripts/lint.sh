#!/bin/bash
# The rules that a machine can check: layers, self-contained headers, formatting, both
# compilers without warnings, every citation in the bibliography.
set -u
cd "$(dirname "$0")/.."
bad=0
files=$(find . -path ./build -prune -o -name '*.[ch]' -print | sed 's|^\./||' | sort)
complain() { echo "lint: $*"; bad=1; }

# Layers: what each folder may include (itself and what is left of it).
allowed() {
    case $1 in
    base) echo base ;;
    formulations) echo 'base|formulations' ;;
    solvers) echo 'base|formulations|solvers' ;;
    problems) echo 'base|formulations|problems|solvers/solver\.h' ;;
    benchmarks) echo 'base|formulations|solvers|problems|benchmarks' ;;
    esac
}
for folder in base formulations solvers problems benchmarks; do
    hits=$(grep -rnE '^#include "' "$folder" | grep -vE "#include \"($(allowed $folder))")
    [ -z "$hits" ] || complain "includes against the layers:"$'\n'"$hits"
done
hits=$(grep -rnE '#include "solvers/[a-z_0-9]+\.h"' problems | grep -v solvers/solver.h)
[ -z "$hits" ] || complain "problems/ sees a solver:"$'\n'"$hits"

# Below the program nothing prints or exits.
hits=$(grep -nE '\b(printf|puts|exit|abort)\(' base/*.c formulations/*.c solvers/*.c solvers/local/*.c problems/*.c)
[ -z "$hits" ] || complain "library code prints or exits:"$'\n'"$hits"

# Every file says its licence; every cited key is in the bibliography.
for file in $files; do
    head -1 "$file" | grep -q SPDX-License-Identifier || complain "$file has no SPDX line"
done
for key in $(grep -hoE '\.cite = "[A-Za-z0-9]+"' solvers/*.c problems/*.c | grep -oE '"[^"]+"' | tr -d '"' | sort -u); do
    grep -q "{$key," paper/references.bib || complain "$key is not in paper/references.bib"
done

# Formatting, and both compilers over every header and source.
if command -v clang-format >/dev/null; then
    clang-format --dry-run -Werror $files || complain "run \`make format\`"
else
    echo "lint: clang-format is not here, formatting was not checked"
fi
flags="-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Werror -fsyntax-only $(make -s cppflags)"
for header in $(echo "$files" | grep -E '\.h$' | grep -v '^tests/'); do
    gcc $flags -x c "$header" || complain "$header does not compile alone"
done
if command -v clang >/dev/null; then
    clang $flags $(make -s sources) || complain "clang warns"
else
    echo "lint: clang is not here, only GCC was asked"
fi
[ $bad = 0 ] && echo "lint: clean"
exit $bad
