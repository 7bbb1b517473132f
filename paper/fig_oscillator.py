# SPDX-License-Identifier: Apache-2.0
"""A mass on a spring against a stop, e = 0.8, steps of 2 ms: energy by scheme."""
import style

rows = style.read("oscillator")
present = [s for s in style.SCHEMES if any(r["scheme"] == s for r in rows)]
figure, (energy, error) = style.panels(2, 3.0)
energy.plot(style.column(rows, "t", scheme="event"),
            style.column(rows, "energy_exact", scheme="event"), **style.EXACT)
for scheme in present:
    t = style.column(rows, "t", scheme=scheme)
    e = style.column(rows, "energy", scheme=scheme)
    exact = style.column(rows, "energy_exact", scheme=scheme)
    energy.plot(t, e, **style.line_of(scheme))
    error.plot(t, [100 * (a / b - 1) for a, b in zip(e, exact)], **style.line_of(scheme))
for axes in (energy, error):
    axes.set_xlabel("time (s)")
    axes.set_xlim(0, 4)
energy.set_ylim(0, None)
energy.set_ylabel("total energy (J)")
energy.set_title("(a) energy, steps of 2 ms")
error.set_ylabel("energy / closed form − 1 (%)")
error.set_title("(b) error")
style.legend_below(figure, energy)
style.save(figure, "oscillator")
