# SPDX-License-Identifier: Apache-2.0
"""Spin that a rocking block keeps at its first impact, by its shape b/h."""
import style

rows = style.read("rocking_ratio")
figure, (axes,) = style.panels(1, 3.0)
shapes = [0.002 * k for k in range(851)]
laws = [  # friction in the data, closed form, label and its place
    (2, lambda t: 1 - 1.5 * t**2 / (1 + t**2), style.BLUE, "o",
     "no slip: $1 - \\frac{3}{2}\\,\\sin^2\\alpha$ (Housner),\n"
     "zero from $b/h = \\sqrt{2}$",
     (0.80, 0.50)),
    (0, lambda t: (1 - 2 * t**2) / (1 + 4 * t**2), style.RED, "s",
     "no friction:\n$(h^2 - 2 b^2)/(h^2 + 4 b^2)$,\nzero from $b/h = 1/\\sqrt{2}$",
     (0.02, 0.16)),
]
for mu, ratio, colour, mark, label, place in laws:
    axes.plot(shapes, [max(0, ratio(t)) for t in shapes], color=colour, linewidth=1)
    axes.plot(style.column(rows, "b_over_h", mu=mu),
              [r["spin_after"] / r["spin_before"] for r in rows if r["mu"] == mu],
              mark, color=colour, markersize=4.5, fillstyle="none", clip_on=False)
    axes.text(*place, label, color=colour)
axes.set(xlabel=r"half base over half height, $b/h = \tan\alpha$",
         ylabel=r"spin kept, $\omega^+ / \omega^-$", xlim=(0, 1.7), ylim=(0, 1.02),
         title="lines: closed form; marks: first impact of a run")
style.save(figure, "rocking_ratio")
