# SPDX-License-Identifier: Apache-2.0
"""Peer: SCS [ODonoghueSCS2016] on the cone program of frozen shifts, in De Saxcé rounds; `pip install scs`.

    min 1/2 x.W x + (q + s).x,  x in K;   then s = mu |u_T| e_N of the answer, and again

One round is the convex relaxation; plain rounds limit this peer, not SCS. It takes W's symmetric part."""
import time

import numpy as np
import scipy.sparse as sparse

from peer_scaling import Scaled, natural, shift

try:
    import scs
    MISSING = None
except ImportError:
    MISSING = "SCS is not here: pip install scs"


def cones(mu, d):
    """A x with (mu x_N, x_T) in the second-order cone of each contact."""
    weights = np.ones((len(mu), d))
    weights[:, 0] = mu
    return sparse.diags(weights.ravel())


class Solver:
    name, brief = "scs-rounds", "peer: SCS in plain De Saxcé rounds, which limit it"
    missing, one_call = MISSING, True

    def create(self, W, q, mu):
        if W.shape[0] and (W.blocksize[0] < 2 or min(mu) <= 0):
            return "it takes contacts with friction"
        self.scaled, self.mu, self.tighter = Scaled(W, q), mu, 1.0
        self.P = sparse.triu((self.scaled.W + self.scaled.W.T) / 2).tocsc()

    def round(self, x, cost, tol, seconds):
        m, d = len(x), self.scaled.d
        data = {"P": self.P, "A": sparse.csc_matrix(-cones(self.mu, d)), "b": np.zeros(m), "c": cost}
        answer = scs.SCS(data, {"q": [d] * len(self.mu)}, verbose=False, eps_abs=tol, eps_rel=0, max_iters=10**7,
                         time_limit_secs=seconds).solve(warm_start=True, x=x)
        return answer["x"]

    def solve(self, r, tol, seconds):
        if len(r) == 0:
            return True
        end, x, rounds, wanted = time.monotonic() + seconds, self.scaled.forth(r), 0, 0.5 * tol * self.tighter
        self.claimed, best = np.inf, x  # the rounds need not come nearer: the best one counts
        while time.monotonic() < end and self.claimed > wanted:
            x = self.round(x, self.scaled.q + shift(self.scaled, self.mu, x), 0.1 * wanted, end - time.monotonic())
            residual = natural(self.scaled, self.mu, x)
            if residual < self.claimed:
                self.claimed, best = residual, x
            rounds += 1
        self.note = f"{rounds} rounds"
        r[:] = self.scaled.back(best)
        self.tighter *= 0.1  # the judge measures in the units of the file
        return self.claimed > wanted or self.tighter < 1e-6
