# SPDX-License-Identifier: Apache-2.0
"""The way of a large disk among small ones in a shaken vessel, at whole periods."""
import style

rows = style.read("brazil_nut")
figure, (way, height) = style.panels(2, height=3.0, width_ratios=[1, 1.5])
x = style.column(rows, "x", scale=1.0, wall_mu=0.8)
y = style.column(rows, "y", scale=1.0, wall_mu=0.8)
way.plot(x, y, color=style.BLUE, linewidth=0.6)
way.plot(x[0], y[0], "o", color=style.BLACK, markersize=4)
way.plot(x[-1], y[-1], "s", color=style.RED, markersize=4)
way.annotate("start", (x[0], y[0]), (x[0] + 0.15, y[0] - 0.25))
way.annotate("end", (x[-1], y[-1]), (x[-1] - 0.1, y[-1] - 0.35), color=style.RED)
way.plot([0, 0, 2.5, 2.5], [3.4, 0, 0, 3.4], color=style.GREY, linewidth=1.5)
way.set_aspect("equal")
way.set(xlabel="x (cm)", ylabel="height (cm)", xlim=(-0.1, 2.6), ylim=(-0.15, 3.4),
        title="(a) its centre, 500 disks")
for mu, colour, dashes, label in ((0.8, style.BLUE, "-", "rough walls"),
                                  (0.0, style.RED, (0, (3, 1.5)), "smooth walls")):
    y = style.column(rows, "y", scale=0.25, wall_mu=mu)
    height.plot(range(1, len(y) + 1), y, color=colour, linestyle=dashes, linewidth=0.9,
                label=label)
height.set(xlabel="periods", ylabel="height of its centre (cm)", xlim=(0, 600), ylim=0,
           title="(b) 125 disks, one start")
height.legend(loc="lower right")
style.save(figure, "brazil_nut")
