#!/bin/bash
# docs.sh: a searchable site of README and docs/ in build/site, by mkdocs where it is installed.
set -eu
cd "$(dirname "$0")/.."
if ! command -v mkdocs >/dev/null; then
    echo "docs: the pages are in docs/; a searchable site needs mkdocs (apt-get install mkdocs)" >&2; exit 2
fi
pages=build/docs
rm -rf "$pages" build/site
mkdir -p "$pages/paper"
cp docs/*.md "$pages"
cp paper/*.svg "$pages/paper"
# Seen from the site, the pages lie beside the front page, and figures below it.
sed -i 's|(\.\./paper/|(paper/|g' "$pages"/*.md
sed 's|(docs/|(|g' README.md >"$pages/index.md"
cat >build/mkdocs.yml <<YML
site_name: Delassus
docs_dir: docs
site_dir: site
theme: readthedocs
plugins: [search]
nav:
  - Delassus: index.md
YML
# The order of the pages is that of the table in README.
grep -oE '^\| \[[^]]+\]\(docs/[a-z-]+\.md\)' README.md |
    sed -E 's/^\| \[([^]]+)\]\(docs\/(.*)\)/  - "\1": \2/' >>build/mkdocs.yml
mkdocs build --quiet --strict --config-file build/mkdocs.yml
echo "the site is in build/site/index.html"
