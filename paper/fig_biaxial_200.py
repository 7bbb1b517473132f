# SPDX-License-Identifier: Apache-2.0
"""The biaxial test between flexible sides: strength and volume over the strain."""
import style

rows = style.read("biaxial_200")
figure, (strength, volume) = style.panels(2)
looks = {0.1: dict(color=style.BLUE), 0.5: dict(color=style.RED, linestyle=(0, (5, 1.5)))}
for mu in sorted({r["mu"] for r in rows}):
    strain = [100 * x for x in style.column(rows, "strain", mu=mu)]
    look = dict(looks[mu], label=rf"$\mu$ = {mu:g}")
    strength.plot(strain, style.column(rows, "sin_phi", mu=mu), **look)
    volume.plot(strain, [100 * x for x in style.column(rows, "dilation", mu=mu)], **look)
strength.axhline(0.0995, color=style.GREY, linewidth=0.6)
strength.text(0.3, 0.06, r"$\sin\,\arctan 0.1$", color=style.GREY, ha="left",
              va="top", transform=strength.get_yaxis_transform())
strength.set(xlabel="axial strain (%)", ylabel=r"$(s_1 - s_2) / (s_1 + s_2)$",
             title="(a) strength")
strength.legend()
volume.set(xlabel="axial strain (%)", ylabel="change of area (%)", title="(b) volume")
style.save(figure, "biaxial_200")
