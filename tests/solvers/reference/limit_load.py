# SPDX-License-Identifier: Apache-2.0
"""The linear programs behind plane equilibrium, by HiGHS: limit_load.py NAME-H.mtx NAME-f.mtx NAME-mu.mtx
[NAME-M.mtx AX AY] prints `feasible` or `infeasible`; with M and an acceleration the largest factor of that load."""
import sys
import numpy as np
from scipy.io import mmread
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, hstack, vstack

H = csr_matrix(mmread(sys.argv[1]))
f = np.asarray(mmread(sys.argv[2])).ravel()
mu = np.asarray(mmread(sys.argv[3])).ravel()
if H.shape[0] != 2 * len(mu):
    H = csr_matrix(H.T)
m, n = H.shape
c = np.arange(len(mu))
one = np.ones(len(mu))
# |r_T| <= mu r_N, r_N >= 0
cone = vstack([coo_matrix((np.r_[-mu, s * one], (np.r_[c, c], np.r_[2 * c, 2 * c + 1])), shape=(len(mu), m)) for s in (1, -1)])
scale = np.abs(f).max()
bounds = [(0, None) if k % 2 == 0 else (None, None) for k in range(m)]
A, b, cost = H.T, -f / scale, np.zeros(m)
if len(sys.argv) > 4:
    M = csr_matrix(mmread(sys.argv[4]))
    a = np.zeros(n)
    a[0::3], a[1::3] = float(sys.argv[5]), float(sys.argv[6])
    A = hstack([A, csr_matrix((M @ a / scale).reshape(-1, 1))])
    cone = hstack([cone, csr_matrix((2 * len(mu), 1))])
    cost = np.r_[cost, -1.0]
    bounds.append((0, None))
answer = linprog(cost, A_ub=cone, b_ub=np.zeros(2 * len(mu)), A_eq=A, b_eq=b, bounds=bounds, method="highs")
if answer.status == 2:
    print("infeasible")
elif len(sys.argv) > 4:
    print("%.10g" % -answer.fun)
else:
    print("feasible")
