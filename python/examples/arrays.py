# SPDX-License-Identifier: Apache-2.0
"""Arrays of your own: a block of mass 2 slides on a floor with mu = 0.5."""
import numpy as np

import delassus

problem = delassus.Problem(M=2 * np.eye(2), H=np.array([[0.0, 1], [1, 0]]), f=[2.0, -2 * 9.81 * 0.01], mu=[0.5])
result = delassus.solve(problem, "auto", tol=1e-10)
print(result)
print("impulses", result.r, "velocity", result.v, "contact", result.contact_status)
