# SPDX-License-Identifier: Apache-2.0
"""Peer: Clarabel [GoulartClarabel2024], an interior point method, on the cone program of scs_rounds.py, in De Saxcé rounds;
`pip install clarabel`. One round is the convex relaxation; plain rounds limit this peer, not Clarabel."""
import numpy as np
import scipy.sparse as sparse

import scs_rounds
from scs_rounds import cones

try:
    import clarabel
    MISSING = None
except ImportError:
    MISSING = "Clarabel is not here: pip install clarabel"


class Solver(scs_rounds.Solver):
    name, brief = "clarabel-rounds", "peer: Clarabel in plain De Saxcé rounds, which limit it"
    cite, version = "GoulartClarabel2024", None if MISSING else "Clarabel " + clarabel.__version__
    missing, one_call = MISSING, True
    loosest = 0.0  # full accuracy costs an interior point method little

    def round(self, x, cost, tol, seconds):
        m, d = len(x), self.scaled.d
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.time_limit = max(seconds, 1e-3)
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tol
        solver = clarabel.DefaultSolver(self.P, cost, sparse.csc_matrix(-cones(self.mu, d)), np.zeros(m),
                                        [clarabel.SecondOrderConeT(d)] * len(self.mu), settings)
        answer = solver.solve()
        y = np.array(answer.x)
        return (y, answer.status == clarabel.SolverStatus.Solved) if np.all(np.isfinite(y)) else (x, False)
