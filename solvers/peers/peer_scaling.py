# SPDX-License-Identifier: Apache-2.0
"""What the peers in Python share: problems without units.

Foreign solvers have absolute tolerances and bounds. With l = the mean of the diagonal of W and c = |q| the data become
W / l and q / c, and r = (c / l) x brings the answer back. A peer's tolerance is a number without units then, like the
judge's `merit` and unlike `natural`, which changes with the units of the file. So a peer tells its verdict, solved or
failed, and no error; a campaign keeps both residuals of the answer that it called solved."""
import os
import time

import numpy as np

# The seconds of a run, as the campaign counts them.
clock = time.process_time if os.environ.get("DELASSUS_CLOCK") == "cpu" else time.monotonic


class Scaled:
    def __init__(self, W, q):
        self.d = W.blocksize[0] if W.shape[0] else 3
        self.length = float(np.mean(W.diagonal())) or 1.0
        self.size = float(np.linalg.norm(q)) or 1.0
        self.W, self.q = (W / self.length).tocsc(), q / self.size

    def back(self, x):
        """Impulses in the units of the problem."""
        return x * (self.size / self.length)

    def forth(self, r):
        return r * (self.length / self.size)


def natural(scaled, mu, x):
    """The residual |x - P_K(x - u~)| of the scaled problem, by which the best of the rounds is chosen."""
    d = scaled.d
    y = (scaled.W @ x + scaled.q).reshape(-1, d)
    y[:, 0] += mu * np.linalg.norm(y[:, 1:], axis=1)
    y = x.reshape(-1, d) - y
    n, t = y[:, 0].copy(), np.linalg.norm(y[:, 1:], axis=1)
    face = np.maximum((n + mu * t) / (1 + mu**2), 0)
    out, free = t > mu * n, mu * t <= -n
    y[:, 1:][out] *= (mu * face / np.where(t > 0, t, 1))[out, None]
    y[out, 0] = face[out]
    y[free] = 0
    return float(np.linalg.norm(x - y.ravel()))


def shift(scaled, mu, x):
    """De Saxcé's shift mu |u_T| at the normal rows, of the impulses x."""
    u = (scaled.W @ x + scaled.q).reshape(-1, scaled.d)
    s = np.zeros_like(u)
    s[:, 0] = mu * np.linalg.norm(u[:, 1:], axis=1)
    return s.ravel()
