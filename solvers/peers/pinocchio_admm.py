# SPDX-License-Identifier: Apache-2.0
"""Peer: the ADMM of Pinocchio [Carpentier2024] on the problem in scaled units; `pip install pin`.

One call at the tolerance of the run (of its three errors: primal, dual, complementarity), tightened and called again from
the start where the judge is not content. Components go tangents first, normal last. It assumes W symmetric.
lanczos_size = 20: its default, all of W, makes 356 spheres take seconds. `anderson` is the memory of its Anderson
acceleration, 0 for none."""
import numpy as np

from peer_scaling import Scaled, clock

try:
    import pinocchio
    MISSING = None if hasattr(pinocchio, "ADMMConstraintSolver") else "its ADMM on data needs Pinocchio 4: pip install pin"
except ImportError:
    MISSING = "Pinocchio is not here: pip install pin"


class Solver:
    name, brief = "pinocchio-admm", "peer: ADMM of Pinocchio, assumes W symmetric"
    cite, version = "Carpentier2024", None if MISSING else "Pinocchio " + pinocchio.__version__
    missing, one_call = MISSING, True
    options = {"anderson": (0, 0, 100, "memory of its Anderson acceleration, 0 = plain")}
    anderson = 0

    def create(self, W, q, mu):
        if W.shape[0] and W.blocksize[0] != 3:
            return "it takes contact in space only"
        self.scaled, self.tighter, self.iterations = Scaled(W, q), 1.0, 1000
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
        order, begun = self.order, clock()
        settings = pinocchio.ADMMSolverSettings()
        for name in ("absolute_complementarity_tol", "absolute_feasibility_tol"):
            setattr(settings, name, tol * self.tighter)
        for name in ("relative_complementarity_tol", "relative_feasibility_tol"):
            setattr(settings, name, 0.0)
        settings.lanczos_size = min(20, len(r))
        settings.anderson_capacity = int(self.anderson)
        settings.max_iterations = self.iterations
        W = pinocchio.DelassusOperatorSparse(self.scaled.W[order][:, order].tocsc())
        result, solver = pinocchio.ADMMSolverResult(), pinocchio.ADMMConstraintSolver(len(r))
        self.claimed = bool(solver.solve(W, self.scaled.q[order], self.models, self.datas, settings, result))
        x = np.zeros(len(r))
        x[order] = np.array(result.retrieveConstraintImpulses()).ravel()
        self.note = f"{result.iterations} iterations, its errors {result.primal_feasibility:.1e}, " \
                    f"{result.dual_feasibility:.1e}, {result.complementarity:.1e}"
        r[:] = self.scaled.back(x)
        return self.prepare_next((clock() - begun) / max(result.iterations, 1), begun + seconds)

    def prepare_next(self, each, end):
        """It cannot be interrupted, nor goes on where it stopped: the next call is a tighter or a longer one, from the start.
        `each` is the time of an iteration. True where no time is left for a call."""
        room = int(0.6 * (end - clock()) / each)  # iterations; 0.6: later ones may cost more
        if self.claimed:
            self.tighter *= 0.1
            self.iterations = min(self.iterations, room)
            return self.tighter < 1e-6 or room < 1
        longer = min(10 * self.iterations, room, 10**8)
        full, self.iterations = longer <= self.iterations, longer
        return full
