#!/bin/bash
# build_ids.sh COMPILER SOLVER...: rows `{"pgs", "0123456789abcdef"},` of C, one for each
# solver (foo_bar for foo-bar), and the last one of a nameless solver. An id is a
# fingerprint of the compiler with its flags, of the sources that every solver runs
# through, of the solver's own file and of the solvers that it calls. So the change of one
# solver is seen in its own id and in those that call it, a change of shared code in all.
set -u
export LC_ALL=C
compiler=$1; shift
all=$(grep -l '^const struct dls_solver ' solvers/*.c solvers/peers/*.c)
peers=$(ls solvers/peers/*.[ch] | grep -vxF "$all")
shared=$(find base formulations solvers benchmarks/campaign/child.c benchmarks/campaign/process.c \
    -name '*.[ch]' -not -path 'solvers/reference/*' | grep -vxF "$all" | grep -vxF "$peers" | sort)
names=$(basename -a -s .c $all)
digest() { sha256sum | cut -c1-16; }
common=$({ echo "$compiler"; sha256sum $shared; } | digest)
peer=$(sha256sum $peers | digest)

file_of() { ls "solvers/$1.c" "solvers/peers/$1.c" 2>/dev/null; }
# The sources of solvers/kernel whose headers a file includes, also through other headers.
kernel_of() {
    local header
    for header in $(grep -hoE '^#include "solvers/kernel/[a-z0-9_]+\.h' "$1" | cut -d'"' -f2); do
        ls "${header%.h}.c" 2>/dev/null
        kernel_of "$header"
    done
}
# The files of a solver and of those that it calls: all of them where names are not plain.
files_of() {
    local found=" " todo=$1 name file
    while [ -n "${todo// /}" ]; do
        name=${todo%% *} todo=${todo#"$name"} todo=${todo# }
        [ -n "$name" ] || continue
        file=$(file_of "$name")
        case $found in *" $file "*) continue ;; esac
        found+="$file "
        # A solver is called by its name, which stands in quotes: in the file itself or in one
        # of those that it shares. Whoever finds it by another name may call them all.
        if grep -qE 'dls_solver_find\([^"]' "$file"; then echo $all; return; fi
        todo+=" $(cat "$file" $(kernel_of "$file") | grep -v '^ *\.name = ' | grep -oE '"[a-z0-9-]+"' |
            tr -d '"' | tr - _ | grep -xF "$names" | tr '\n' ' ')"
        todo=${todo# }
    done
    echo $found
}
for name; do
    files=$(files_of "$name")
    case $files in *solvers/peers/*) extra=$peer ;; *) extra= ;; esac
    id=$({ echo "$common $extra"; sha256sum $files; } | digest)
    echo "    {\"${name//_/-}\", \"$id\"},"
done
echo "    {NULL, \"$common\"},"
