# SPDX-License-Identifier: Apache-2.0
"""The pile of 3000 poured disks: chains of contact forces, and the share of the weight
between two cuts that the rest of the pile carries while it grows."""
import style
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.patches import Circle

rows = style.read("sandpile")
figure, (pile, lift) = style.plt.subplots(
    2, 1, figsize=(6.5, 3.4), gridspec_kw={"height_ratios": (1.35, 1)})
disks = [r for r in rows if r["what"] == "grain"]
pile.add_collection(PatchCollection(
    [Circle((r["x"], r["y"]), r["value"]) for r in disks],
    facecolor=["#dbe7f1" if r["tag"] % 2 else "#f4e3c1" for r in disks],
    edgecolor=style.GREY, linewidth=0.1))
lines = [r for r in rows if r["what"] == "contact"]
pile.add_collection(LineCollection(
    [[(r["to_x"], r["to_y"]), (2 * r["x"] - r["to_x"], 2 * r["y"] - r["to_y"])] for r in lines],
    colors=style.RED, capstyle="round", linewidths=[0.3 * min(6, r["value"]) for r in lines]))
base = sorted(abs(r["x"]) for r in disks)[int(0.98 * len(disks))]
for x in (-0.25 * base, 0.25 * base):
    pile.axvline(x, color=style.BLACK, linewidth=0.6, linestyle=(0, (3, 2)))
pile.set_aspect("equal")
pile.autoscale()
pile.set_axis_off()
pile.set_title("(a) at rest: normal forces above the mean, layers of 301 disks, cuts")
t = style.column(rows, "x", what="lift")
lift.plot(t, style.column(rows, "value", what="lift"), "o-", color=style.BLUE, markersize=2)
lift.axhline(0, color=style.BLACK, linewidth=0.6)
lift.axvline(30, color=style.GREY, linewidth=0.6, linestyle=(0, (1, 1)))
lift.annotate("last disk", (30, 0.5), xytext=(-3, 0), textcoords="offset points", ha="right",
              color=style.GREY)
lift.set_xlabel("time (s), 100 disks a second")
lift.set_ylabel("share of the weight")
lift.set_title("(b) what the rest of the pile carries of the slice between the cuts")
style.save(figure, "sandpile")
