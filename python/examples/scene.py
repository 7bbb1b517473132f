# SPDX-License-Identifier: Apache-2.0
"""Thirty disks fall into a box; every tenth step becomes a snapshot, and the last one is raced by four solvers."""
import tempfile

import delassus

scene = delassus.Scene(2, mu=0.3)
scene.plane((0, 0), (0, 1))
scene.plane((0, 0), (1, 0))
scene.plane((1.2, 0), (-1, 0))
for k in range(30):
    row, column = divmod(k, 5)
    scene.ball(0.08 + 0.01 * (k % 3), at=(0.2 + 0.2 * column + (0.03 if row % 2 else -0.03), 0.1 + 0.21 * row))
with tempfile.TemporaryDirectory() as folder:
    for step in scene.run(100, 0.005, record=folder, every=10):
        pass
print(step)
for name in ("pgs", "newton", "admm", "auto"):
    print(f"{name:8}", delassus.solve(scene.problem(), name))
