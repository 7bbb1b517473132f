# SPDX-License-Identifier: Apache-2.0
"""A solver in Python: damped projected Jacobi. Run it from Python or from the command line, also in a campaign:

    delassus.solve(problem, "python/examples/jacobi.py")
    delassus solve FILE --solver ./python/examples/jacobi.py:omega=0.3,pgs

r <- P_K(r - omega u~ / l),  u = W r + q,  u~ = u + mu |u_T| e_N,  l = trace of W_aa."""
import numpy as np


class Solver:
    name, brief = "jacobi", "projected Jacobi in Python, an example"
    options = {"omega": (0.5, 0, 10, "length of a step")}
    omega = 0.5

    def create(self, W, q, mu):
        if W.blocksize[0] > 3:
            return False
        self.W, self.q, self.mu, self.d = W, q, mu, W.blocksize[0]
        self.l = W.diagonal().reshape(-1, self.d).sum(1)

    def step(self, r):
        for _ in range(20):  # the judge is asked after each step: not too often
            r[:] = self.sweep(r)

    def sweep(self, r):
        y = (self.W @ r + self.q).reshape(-1, self.d)
        y[:, 0] += self.mu * np.linalg.norm(y[:, 1:], axis=1)
        y = r.reshape(-1, self.d) - self.omega / self.l[:, None] * y
        n, t = y[:, 0], np.linalg.norm(y[:, 1:], axis=1)
        face = np.maximum((n + self.mu * t) / (1 + self.mu**2), 0)
        out, free = t > self.mu * n, self.mu * t <= -n
        y[:, 1:][out] *= (self.mu * face / np.where(t > 0, t, 1))[out, None]
        y[out, 0] = face[out]
        y[free] = 0
        return y.ravel()
