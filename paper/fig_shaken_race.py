# SPDX-License-Identifier: Apache-2.0
"""Solvers on every step of one period of the shaken box: residual, time so far."""
import itertools

import style

rows = style.read("shaken_race")
solvers = list(dict.fromkeys(r["solver"] for r in rows))
looks = zip((style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE, style.SKY),
            ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (4, 1.2, 1, 1.2)), (0, (2, 2)),
             (0, (3, 1, 1, 1, 1, 1))))
figure, (residual, time) = style.panels(2)
for solver, (colour, dashes) in zip(solvers, looks):
    steps = style.column(rows, "step", solver=solver)
    look = dict(color=colour, linestyle=dashes, label=solver, linewidth=1)
    residual.plot(steps, style.column(rows, "natural", solver=solver), **look)
    spent = itertools.accumulate(style.column(rows, "time", solver=solver))
    time.plot(steps, list(spent), **look)
residual.axhline(1e-6, color=style.GREY, linewidth=0.5)
residual.set(yscale="log", xlabel="step of the period", title="(a) natural residual")
time.set(yscale="log", xlabel="step of the period", title="(b) seconds so far")
time.legend(ncol=2)
style.save(figure, "shaken_race")
