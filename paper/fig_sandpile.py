# SPDX-License-Identifier: Apache-2.0
"""The pile of 3000 poured disks: chains of contact forces, and the share of the weight
between two cuts that the rest of the pile carries while it grows."""
import style

rows = style.read("sandpile")
figure, (pile, lift) = style.plt.subplots(
    2, 1, figsize=(6.5, 3.4), gridspec_kw={"height_ratios": (1.35, 1)})
disks = [r for r in rows if r["what"] == "grain"]
lines = [r for r in rows if r["what"] == "contact"]
style.chains(pile, disks, lines, [0.3 * min(6, r["value"]) for r in lines], 0.1)
base = sorted(abs(r["x"]) for r in disks)[int(0.98 * len(disks))]
for x in (-0.25 * base, 0.25 * base):
    pile.axvline(x, color=style.BLACK, linewidth=0.6, linestyle=(0, (3, 2)))
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
