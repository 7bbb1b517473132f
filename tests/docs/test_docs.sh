#!/bin/bash
# README and docs: links lead somewhere, blocks marked `sh run` run as they stand, the page of the solvers is fresh, and README is
# one page.
. tests/support/tap.sh
pages="README.md $(ls docs/*.md)"

# Links to files, from the folder of the page; those to sections must name a heading.
links_lead() { # PAGE
    local good=0 link file section
    for link in $(grep -oE '\]\([^)]+\)' "$1" | sed -E 's/^\]\(//; s/\)$//' | grep -v '^https\?:'); do
        file=${link%%#*} section=; [[ $link != *#* ]] || section=${link#*#}
        [ -n "$file" ] && file=$(dirname "$1")/$file || file=$1
        if [ ! -e "$file" ]; then echo "$1: $link leads nowhere"; good=1; continue; fi
        [ -z "$section" ] || sed -nE 's/^#+ //p' "$file" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9-\n' | grep -qx -- "$section" ||
            { echo "$1: $link names no heading"; good=1; }
    done
    return $good
}

# The commands of a page, one a line. The program of this build stands in for build/delassus; files go to a folder of the test.
commands_of() { sed -nE '/^```sh run$/,/^```$/p' "$1" | grep -v '^```'; }
runs() { # COMMAND
    local command=${1//build\/delassus/@PROGRAM@}
    command=$(sed -E "s#(^| )build/#\1$folder/#g" <<<"$command")
    command=${command//@PROGRAM@/"$program"}
    echo "$command"; bash -c "$command"
}

for page in $pages; do check "$page: links lead somewhere" links_lead "$page"; done
for page in $pages; do
    while read -r command; do check "$page: $command" runs "$command"; done < <(commands_of "$page")
done
check "README has 500 to 700 words" eval 'words=$(wc -w <README.md); echo $words; [ $words -ge 500 ] && [ $words -le 700 ]'
every_page_is_linked() { # from README or from another page
    local good=0 page name
    for page in docs/*.md; do
        name=$(basename "$page")
        grep -q "($page" README.md || grep -lE "\]\($name" docs/*.md | grep -qv "^$page$" || { echo "$page: nothing leads here"; good=1; }
    done
    return $good
}
check "every page is linked from another" every_page_is_linked
check "marked blocks were found" [ "$(for page in $pages; do commands_of "$page"; done | wc -l)" -ge 15 ]
if "$program" list solvers | grep -q 'not in this build'; then
    skip "docs/solvers.md is fresh" "solvers are missing from this build"
else
    check "docs/solvers.md is fresh" eval '"$program" help --markdown | diff - docs/solvers.md'
fi
if command -v mkdocs >/dev/null; then check "the site is built" scripts/docs.sh
else skip "the site is built" "mkdocs is not here"; fi
finish
