#!/bin/bash
# What a run shows: the page in a browser, the SVG picture, VTK files.
. tests/support/tap.sh run
. tests/support/browser.sh

# --- files -------------------------------------------------------------------------------
small="--scale 0.2 --tol 1e-4 --set end=0.1"
for dim in 2 3; do
    run vessel --set dim=$dim $small --frames 20 --page "$folder/$dim.html" --svg "$folder/$dim.svg" \
        --vtk "$folder/vtk$dim" --every 50
    check "a page, a picture and VTK files in dimension $dim" eval \
        '[ $code = 0 ] && [ -s "$folder/$dim.html" ] && [ -s "$folder/$dim.svg" ] && [ "$(ls "$folder/vtk$dim" | wc -l)" = 2 ]'
    check "the picture is XML and shows all 12 bodies" $python - "$folder/$dim.svg" <<'PY'
import sys, xml.etree.ElementTree as tree
group = tree.parse(sys.argv[1]).getroot().find('{http://www.w3.org/2000/svg}g')
sys.exit(len(group) < 12)
PY
    check "arrays of the page decompress to the bytes they promise" $python - "$folder/$dim.html" <<'PY'
import base64, re, sys, zlib
arrays = re.findall(r"id='([a-z-]+)' data-bytes='(\d+)'>([^<]*)<", open(sys.argv[1]).read())
assert len(arrays) == 12, len(arrays)
for name, size, text in arrays: assert len(zlib.decompress(base64.b64decode(text))) == int(size), name
PY
    check "VTK: as many values as points, faces within them" $python - "$folder/vtk$dim/vessel-00000100.vtk" <<'PY'
import sys
words = open(sys.argv[1]).read().split('\n', 4)[4].split()
points = int(words[1]); at = 3 + 3 * points
while words[at] in ('VERTICES', 'POLYGONS'):
    cells, numbers = int(words[at + 1]), int(words[at + 2])
    list_ = list(map(int, words[at + 3:at + 3 + numbers])); k = 0
    for _ in range(cells):
        n = list_[k]; assert all(0 <= i < points for i in list_[k + 1:k + 1 + n]); k += n + 1
    assert k == numbers
    at += 3 + numbers
assert words[at] == 'POINT_DATA' and int(words[at + 1]) == points
at += 2 + 6 + points                      # SCALARS part int 1, LOOKUP_TABLE default
assert words[at] == 'FIELD'; fields = int(words[at + 2]); at += 3; names = []
for _ in range(fields):
    names.append(words[at]); size = int(words[at + 1]) * int(words[at + 2])
    list(map(float, words[at + 4:at + 4 + size])); at += 4 + size
assert at == len(words), (at, len(words))
assert {'radius', 'orientation', 'shape', 'tangential', 'normal', 'force'} <= set(names)
PY
done
run bouncing-ball --end 0.1 --page "$folder/point.html"
check "any system has a page" eval '[ $code = 0 ] && [ -s "$folder/point.html" ]'
run vessel $small --svg "$folder/none/x.svg"
check "a picture that cannot be written is one sentence" complains "none/x.svg"

# --- in a browser ------------------------------------------------------------------------
probe='
const $ = id => document.getElementById(id), result = document.createElement("pre");
const say = (k, v) => (result.textContent += k + "=" + v + "\n");
const ink = () => { // how many pixels are painted
  const c = $("canvas"), all = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  let n = 0;
  for (let i = 3; i < all.length; i += 4) n += all[i] > 0;
  return n;
};
result.id = "probe";
result.textContent = "\n";
say("ready", document.documentElement.dataset.ready);
say("painted", ink() > 500);
say("last", $("slider").max);
const first = $("canvas").toDataURL();
$("slider").value = $("slider").max;
$("slider").dispatchEvent(new Event("input"));
say("frame", document.documentElement.dataset.frame);
say("moved", $("canvas").toDataURL() !== first);
const still = $("canvas").toDataURL();
$("forces").click();
say("forces", $("canvas").toDataURL() !== still);
$("forces").click();
const choose = value => { $("ways").value = value; $("ways").dispatchEvent(new Event("change")); };
choose("way");
const ways = $("canvas").toDataURL();
choose("affine");
say("ways", ways !== still && $("canvas").toDataURL() !== ways && /times/.test($("ways-scale").textContent));
choose("way");
$("from").click(); // no way from the last frame to itself
const none = $("canvas").toDataURL();
$("from").click();
say("from", none !== ways && $("canvas").toDataURL() === ways);
choose("");
const tag = $("colour").querySelector("[value=tag]");
say("tags", !!tag);
say("charts", document.querySelectorAll(".chart").length);
say("empty", [...document.querySelectorAll(".chart path")].filter(p => !p.getAttribute("d")).length);
const edge = $("canvas").getBoundingClientRect(); // the first body that the pointer finds
for (let k = 0; k < 4000 && $("about-body").hidden; k++)
  $("canvas").dispatchEvent(new PointerEvent("pointermove", { clientX: edge.left + edge.width * (k % 63) / 63,
    clientY: edge.top + edge.height * k / 4000 }));
say("hover", $("about-body").textContent);
say("overflow", document.documentElement.scrollWidth > innerWidth);
document.body.append(result);
'
if command -v chromium >/dev/null; then
    for dim in 2 3; do
        browse "$folder/$dim.html" 1280 "$probe"
        check "dimension $dim: loads without console messages" eval 'says ready=yes && [ ! -s "$folder/err" ]'
        check "bodies are painted, and move with the slider" eval \
            'says painted=true && says last=19 && says frame=19 && says moved=true'
        check "force chains can be shown, colours by tag" eval 'says forces=true && says tags=true'
        check "arrows show displacements, whole or less their affine part" says ways=true
        check "displacements begin at the frame that is chosen" says from=true
        check "numbers on hover are those that another decompressor finds" $python - "$folder/$dim.html" "$folder/out" <<'PY'
import base64, json, math, re, sys, zlib
page, said = open(sys.argv[1]).read(), open(sys.argv[2]).read()
body, speed, far = re.search(r'hover=body (\d+): speed (\S+), displacement ([^\s,]+)', said).groups()
meta = json.loads(re.search(r"id='data'>(.*?)</script>", page, re.S)[1])
def array(name): return zlib.decompress(base64.b64decode(re.search(f"id='{name}'[^>]*>([^<]*)<", page)[1]))
def signed(x): return x >> 1 ^ -(x & 1)
n, dim, frames, b = meta['bodies'], meta['dim'], meta['frames'], int(body)
at, v = array('positions'), array('speeds')
def path(i): # changes of one coordinate, all frames
    first = [(f * dim + i) * 2 * n for f in range(frames)]
    return [signed(at[k + b] | at[k + n + b] << 8) for k in first]
wide = [meta['box'][3 + i] - meta['box'][i] for i in range(3)]
moved = math.hypot(*(wide[i] * sum(path(i)[1:]) / 16383 for i in range(dim)))
last = sum(signed(v[f * n + b]) for f in range(frames)) % 256
assert abs(moved - float(far)) <= 1e-3 * moved, (moved, far)
assert abs(meta['speed'] * (last / 255) ** 2 - float(speed)) <= 1e-3 * float(speed) + 1e-9, (last, speed)
PY
        check "six charts, none empty" eval 'says charts=6 && says empty=0'
        browse "$folder/$dim.html" 500 "$probe" # as narrow as Chromium's window gets
        check "a narrow page does not scroll sideways" says overflow=false
    done
    browse "$folder/point.html" 1280 "$probe"
    check "a page of points loads too" eval 'says ready=yes && [ ! -s "$folder/err" ] && says tags=false'
else
    skip "the page in a browser" "chromium is not here"
fi
finish
