# SPDX-License-Identifier: Apache-2.0
"""A ball dropped from 1 m, e = 0.7, step 0.01 s: height and its error by scheme."""
import math

import style

rows = style.read("bouncing_ball")
present = [s for s in style.SCHEMES if any(r["scheme"] == s for r in rows)]
figure, (height, error) = style.panels(2, 3.0)
late = height.inset_axes([0.5, 0.42, 0.48, 0.46], xlim=(1.45, 2), ylim=(0, 0.13),
                         xticks=[1.5, 2], yticks=[0, 0.1])
late.tick_params(labelsize=7)
for axes in (height, late):
    axes.plot(style.column(rows, "t", scheme="event"),
              style.column(rows, "x_exact", scheme="event"), **style.EXACT)
for scheme in present:
    t = style.column(rows, "t", scheme=scheme)
    x = style.column(rows, "x", scheme=scheme)
    exact = style.column(rows, "x_exact", scheme=scheme)
    height.plot(t, x, **style.line_of(scheme))
    late.plot(t, x, **style.line_of(scheme))
    error.plot(t, [100 * (a - b) for a, b in zip(x, exact)], **style.line_of(scheme))

rest = math.sqrt(2 / 9.81) * (1 + 0.7) / (1 - 0.7)  # the bounces add up to it
for axes in (height, error):
    axes.set_xlabel("time (s)")
    axes.set_xlim(0, 2.8)
error.axvline(rest, color=style.GREY, linewidth=0.6, linestyle=":")
error.text(rest + 0.03, 0.98, "rest\nat $t^*$", ha="left", va="top", color=style.GREY,
           transform=error.get_xaxis_transform())
height.set_ylabel("height (m)")
height.set_title("(a) height, steps of 0.01 s")
error.set_ylabel("height − closed form (cm)")
error.set_title("(b) error")
style.legend_below(figure, height)
style.save(figure, "bouncing_ball")
