# browse PAGE WIDTH PROBE [HASH]: the page with the script PROBE at its end, as Chromium
# shows it. What the probe wrote into <pre id="probe"> goes to $folder/out, messages of the
# console to $folder/err. Above tap.sh.
browse() {
    { cat "$1"; echo "<script>$3</script>"; } >"$folder/probed.html"
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" \
        --window-size="$2,900" --enable-logging=stderr --dump-dom "file://$folder/probed.html${4:-}" \
        >"$folder/dom" 2>"$folder/browser"
    code=$?
    grep CONSOLE "$folder/browser" >"$folder/err" # the rest is about buses and screens
    sed -n '/<pre id="probe">/,$p' "$folder/dom" |
        sed 's/<pre id="probe">//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >"$folder/out"
}
