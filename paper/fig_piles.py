# SPDX-License-Identifier: Apache-2.0
"""Piles: force chains in a poured pile and in a level bed of the same disks, layers of
deposition, and the pressure under conical piles."""
import style

# A sphere of the mean volume has mass 1: pi / 24 (b^4 - a^4) / (b - a), a to b cm.
VOLUME = 3.14159265358979 / 24 * (0.5**4 - 0.25**4) / 0.25

rows = style.read("piles")
figure = style.plt.figure(figsize=(6.5, 4.6))
grid = figure.add_gridspec(3, 2, height_ratios=(1, 0.75, 1.6))


def chains(axes, case):
    """The pile of this case; how many layers it has."""
    disks = [r for r in rows if r["case"] == case and r["what"] == "grain"]
    lines = [r for r in rows if r["case"] == case and r["what"] == "contact"]
    most = sorted(r["value"] for r in lines)[int(0.98 * len(lines))]
    style.chains(axes, disks, lines, [2.5 * min(1, r["value"] / most) for r in lines], 0.2)
    return int(max(r["tag"] for r in disks))


top = figure.add_subplot(grid[0, :])
count = chains(top, "poured")
top.set_title("(a) poured disks, contact forces; colours alternate over the "
              "%d layers of deposition" % count)
bed = figure.add_subplot(grid[1, :])
chains(bed, "level")
bed.set_title("(b) the same disks in a level bed between smooth walls")
looks = {"laid": ("laid down, 280 spheres", style.BLUE, "o-"),
         "rained": ("rained over the base, 280", style.ORANGE, "s--"),
         "laid2000": ("laid down, 2000 spheres", style.RED, "^-")}
axes = figure.add_subplot(grid[2, :])
for case, (label, colour, look) in looks.items():
    r = style.column(rows, "x", case=case, what="pressure")
    p = style.column(rows, "value", case=case, what="pressure")
    if p:  # dyn/cm2 for a density of 1
        axes.plot(r, [VOLUME * x for x in p], look, color=colour, label=label,
                  markersize=3)
axes.set_xlabel("distance from the axis (cm), annuli of three mean diameters")
axes.set_ylabel("pressure on the ground (dPa)")
axes.set_title("(c) conical piles")
axes.set_ylim(bottom=0)
axes.legend()
style.save(figure, "piles")
