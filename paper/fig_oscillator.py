# SPDX-License-Identifier: Apache-2.0
"""A mass on a spring against a stop, e = 0.8, steps of 2 ms: energy by scheme."""
import style

rows = style.read("oscillator")
exact = style.column(rows, "energy_exact", scheme="event")
times = style.column(rows, "t", scheme="event")
hits = [t for t, a, b in zip(times[1:], exact, exact[1:]) if b < 0.99 * a]
present = [s for s in style.SCHEMES if any(r["scheme"] == s for r in rows)]
figure, (energy, error) = style.panels(2, 3.0)
energy.plot(times, exact, **style.EXACT)


def between_impacts(t):
    """Around an impact the error only says that the scheme is early or late there."""
    return all(not -0.1 < t - hit < 0.16 for hit in hits)


for scheme in present:
    t = style.column(rows, "t", scheme=scheme)
    e = style.column(rows, "energy", scheme=scheme)
    energy.plot(t, e, **style.line_of(scheme))
    away = [(s, 100 * (a / b - 1)) for s, a, b in zip(t, e, exact)
            if between_impacts(s)]
    error.plot(*zip(*away), **style.line_of(scheme))
for axes in (energy, error):
    axes.set_xlabel("time (s)")
    axes.set_xlim(0, 4)
energy.set_ylim(0, None)
energy.set_ylabel("total energy (J)")
energy.set_title("(a) energy, steps of 2 ms")
error.set_ylabel("energy / closed form − 1 (%)")
error.set_title("(b) error between impacts")
style.legend_below(figure, energy)
style.save(figure, "oscillator")
