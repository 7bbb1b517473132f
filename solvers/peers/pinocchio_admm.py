# SPDX-License-Identifier: Apache-2.0
"""Peer: the ADMM of Pinocchio [Carpentier2024] on the problem in scaled units; `pip install pin`.

One call at the tolerance of the run, tightened and called again from the start where the judge is not content. Components go
tangents first, normal last. It assumes W symmetric. lanczos_size = 20: its default, all of W, makes 356 spheres
take seconds. `anderson` is the memory of its Anderson acceleration, 0 for none."""
import time

import numpy as np

from peer_scaling import Scaled

try:
    import pinocchio
    MISSING = None if hasattr(pinocchio, "ADMMConstraintSolver") else "its ADMM on data needs Pinocchio 4: pip install pin"
except ImportError:
    MISSING = "Pinocchio is not here: pip install pin"


class Solver:
    name, brief = "pinocchio-admm", "peer: ADMM of Pinocchio, assumes W symmetric"
    missing, one_call = MISSING, True
    options = {"anderson": (0, 0, 100, "memory of its Anderson acceleration, 0 = plain")}
    anderson = 0

    def create(self, W, q, mu):
        if W.shape[0] and W.blocksize[0] != 3:
            return "it takes contact in space only"
        self.scaled, self.tighter = Scaled(W, q), 1.0
        m = len(q)
        self.order = (np.arange(m).reshape(-1, 3)[:, [1, 2, 0]]).ravel()  # tangents first
        self.models, self.datas = pinocchio.StdVec_ConstraintModel(), pinocchio.StdVec_ConstraintData()
        dummy = pinocchio.Model()
        dummy.addJoint(0, pinocchio.JointModelFreeFlyer(), pinocchio.SE3.Identity(), "body")
        for coefficient in mu:
            contact = pinocchio.PointContactConstraintModel(dummy, 1)
            contact.setFriction(float(coefficient))
            model = pinocchio.ConstraintModel(contact)
            self.models.append(model)
            self.datas.append(model.createData())

    def solve(self, r, tol, seconds):
        if len(r) == 0:
            return True
        order, end = self.order, time.monotonic() + seconds
        settings = pinocchio.ADMMSolverSettings()
        for name in ("absolute_complementarity_tol", "absolute_feasibility_tol"):
            setattr(settings, name, tol * self.tighter)
        for name in ("relative_complementarity_tol", "relative_feasibility_tol"):
            setattr(settings, name, 0.0)
        settings.lanczos_size = min(20, len(r))
        settings.anderson_capacity = int(self.anderson)
        W = pinocchio.DelassusOperatorSparse(self.scaled.W[order][:, order].tocsc())
        q = self.scaled.q[order]
        iterations, begun = 1000, time.monotonic()
        while True:  # it cannot be interrupted: from the start with ten times more while there is time
            settings.max_iterations = iterations
            result = pinocchio.ADMMSolverResult()
            solver = pinocchio.ADMMConstraintSolver(len(r))
            converged = solver.solve(W, q, self.models, self.datas, settings, result)
            spent, now = time.monotonic() - begun, time.monotonic()
            if converged or now + 10 * spent > end or iterations >= 10**7:
                break
            iterations, begun = 10 * iterations, now
        x = np.zeros(len(r))
        x[order] = np.array(result.retrieveConstraintImpulses()).ravel()
        self.claimed = max(result.primal_feasibility, result.dual_feasibility, result.complementarity)
        self.note = f"{result.iterations} iterations"
        r[:] = self.scaled.back(x)
        self.tighter *= 0.1
        return not converged or self.tighter < 1e-6
