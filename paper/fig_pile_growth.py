# SPDX-License-Identifier: Apache-2.0
"""The pressure under a conical pile while it grows to 14000 spheres: from 8000 on a plateau
in the middle."""
import math

import style

WIDTH = 1.125  # cm, of an annulus: three mean diameters
rows = style.read("pile_growth")
figure, (profile, dip) = style.panels(2, height=2.8)


def between(low, high):
    """The rows seen while the pile had so many spheres."""
    return [r for r in rows if low < r["grains"] <= high]


def mean(values):
    return sum(values) / len(values)


looks = ((4000, 6000, style.SKY, "o:"), (6000, 8000, style.GREEN, "s-."),
         (8000, 10000, style.ORANGE, "^--"), (10000, 12000, style.RED, "D--"),
         (12000, 14000, style.BLUE, "v-"))
for low, high, colour, look in looks:
    some = between(low, high)
    if some:
        profile.plot([WIDTH * (k + 0.5) for k in range(10)],
                     [mean([r["p%d" % (k + 1)] for r in some]) for k in range(10)],
                     look, color=colour, markersize=3,
                     label="%d to %d spheres" % (low, high))
profile.set(xlabel="distance from the axis (cm)", ylabel="pressure on the ground (dPa)",
            ylim=(0, 2900), title="(a) means over the time that it had so many")
profile.legend(loc="upper right", fontsize=6.5)

sizes, ratios, errors = [], [], []
for low in range(2000, 14000, 2000):
    r = [2 * x["p1"] / (x["p2"] + x["p3"]) for x in between(low, low + 2000)]
    sizes.append(low + 1000)
    ratios.append(mean(r))
    errors.append(math.sqrt(sum((x - mean(r))**2 for x in r) / (len(r) - 1) / len(r)))
dip.axhline(1, color=style.GREY, linewidth=0.6)
dip.errorbar(sizes, ratios, errors, fmt="o-", color=style.BLUE, markersize=3, capsize=2)
dip.set(xlabel="spheres", ylabel="inner annulus / next two", xlim=(0, 14500),
        title="(b) below 1: a minimum in the middle")
style.save(figure, "pile_growth")
