# SPDX-License-Identifier: Apache-2.0
"""Files: make a snapshot, read it, solve it while watching, start again from the answer, certify it, write it with its answer."""
import tempfile
from pathlib import Path

import numpy as np

import delassus

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "wall.hdf5"
    delassus.generate("brick-wall-2d", courses=4, bricks=3).save(path)  # any file of Siconos or LMGC90 will do
    problem = delassus.load(path)
    print(problem, "mu", problem.mu.min(), "...", problem.mu.max(), "|", delassus.existence(problem).sentence)

    # The monitor sees every check of the judge; a true answer stops the run.
    result = delassus.solve(problem, "pgs", tol=1e-10, max_time=5, monitor=lambda iteration, time, natural, merit: natural < 1e-4)
    print("stopped early:", result)

    result = delassus.solve(problem, "auto", tol=1e-10, r0=result.r)  # a warm start
    print("from there:   ", result, "|", dict(zip(*np.unique(result.contact_status, return_counts=True))))
    print("energy:       ", {name: f"{value:.3g}" for name, value in result.energy.items()})

    certified = delassus.certify(problem, r0=result.r)
    print("certified:    ", certified.certificate)
    problem.save(path, certified.r)
    print("in the file:  ", delassus.judge(problem, delassus.load(path).solution_r))
