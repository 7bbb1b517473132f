# SPDX-License-Identifier: Apache-2.0
"""Where beads of a shaken cell went in 60 periods, with rough and with smooth walls."""
import style

rows = style.read("shaken_box")
figure, axes = style.panels(2, height=2.4)
for panel, mu, title in zip(axes, (0.8, 0.0), ("(a) rough walls", "(b) smooth walls")):
    x, y, dx, dy = (style.column(rows, name, wall_mu=mu)
                    for name in ("x", "y", "dx", "dy"))
    panel.quiver(x, y, dx, dy, angles="xy", scale_units="xy", scale=1, width=0.003,
                 color=style.BLUE)
    panel.plot(x, y, ".", color=style.GREY, markersize=1.5)
    panel.plot([0, 0, 3.75, 3.75], [2.6, -0.15, -0.15, 2.6], color=style.GREY,
               linewidth=1.5)
    panel.set_aspect("equal")
    panel.set(xlabel="x (cm)", ylabel="height (cm)", xlim=(-0.1, 3.85),
              ylim=(-0.25, 2.8), title=title)
style.save(figure, "shaken_box")
