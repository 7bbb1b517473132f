# SPDX-License-Identifier: Apache-2.0
"""Step problems of other engines: MuJoCo and Pinocchio. Neither is needed by the package."""
from __future__ import annotations

import numpy as np

from ._library import DelassusError
from ._problem import Problem
from ._solve import Result, judge


def _mujoco():
    try:
        import mujoco
        return mujoco
    except ImportError:
        raise DelassusError("from_mujoco needs MuJoCo: pip install mujoco") from None


def _contact_rows(mujoco, model, data, c):
    """Rows (N, T1, T2) of the relative velocity at a contact. MuJoCo's frame has the normal first, from geom 1 to geom 2."""
    contact = data.contact[c]
    rows = np.zeros((3, model.nv))
    jacobian = np.zeros((3, model.nv))
    for sign, geom in ((1.0, contact.geom[1]), (-1.0, contact.geom[0])):
        mujoco.mj_jac(model, data, jacobian, None, contact.pos, model.geom_bodyid[geom])
        rows += sign * jacobian
    return contact.frame.reshape(3, 3) @ rows


def from_mujoco(model, data, *, h: float | None = None) -> Problem:
    """The contact problem of MuJoCo's coming step, as Coulomb's: M, H, f, w, mu.

    f = M v + h (all forces but those of constraints); joint limits and equalities are left out. A contact that is apart by a
    distance may close within the step: w_N = dist / h then, and 0 where bodies overlap. Contacts without friction
    (condim 1) get mu = 0. Call mujoco.mj_forward(model, data) first."""
    mujoco = _mujoco()
    h = model.opt.timestep if h is None else h
    M, column = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    for k, unit in enumerate(np.eye(model.nv)):  # how M is stored differs between versions
        mujoco.mj_mulM(model, data, column, unit)
        M[:, k] = column
    M = (M + M.T) / 2
    smooth = data.qfrc_passive + data.qfrc_actuator + data.qfrc_applied - data.qfrc_bias
    cartesian = np.zeros(model.nv)
    for body in range(1, model.nbody):
        wrench = data.xfrc_applied[body]
        if wrench.any():
            mujoco.mj_applyFT(model, data, wrench[:3], wrench[3:], data.xipos[body], body, cartesian)
    f = M @ data.qvel + h * (smooth + cartesian)
    H = np.zeros((3 * data.ncon, model.nv))
    w, mu = np.zeros(3 * data.ncon), np.zeros(data.ncon)
    gap, position = np.zeros(data.ncon), np.zeros((data.ncon, 3))
    for c in range(data.ncon):
        contact = data.contact[c]
        H[3 * c:3 * c + 3] = _contact_rows(mujoco, model, data, c)
        w[3 * c] = max(contact.dist, 0.0) / h
        mu[c] = contact.friction[0] if contact.dim > 1 else 0.0
        gap[c], position[c] = contact.dist, contact.pos
    return Problem(M=M, H=H, f=f, w=w, mu=mu, gap=gap, position=position, step=h, time=float(data.time), title="MuJoCo")


def mujoco_answer(model, data, *, h: float | None = None) -> np.ndarray:
    """The impulses that MuJoCo itself found for this step, h times its contact forces. Its law is another one (regularised, with
    a friction cone that lets sliding contacts part): delassus.judge shows how far its answer is from Coulomb's."""
    mujoco = _mujoco()
    h = model.opt.timestep if h is None else h
    force, r = np.zeros(6), np.zeros(3 * data.ncon)
    for c in range(data.ncon):
        mujoco.mj_contactForce(model, data, c, force)
        r[3 * c:3 * c + 3] = h * force[:3]
    return r


def judge_mujoco(model, data, problem: Problem | None = None) -> Result:
    """MuJoCo's own answer judged as Coulomb's law. result.relaxes says that its law is another one."""
    result = judge(from_mujoco(model, data) if problem is None else problem, mujoco_answer(model, data))
    result.relaxes = "MuJoCo's law: soft contacts; sliding ones may part"
    return result


def from_pinocchio(model, data, contacts, *, q, v, tau=None, h: float = 1e-3) -> Problem:
    """The contact problem of a Pinocchio model in the coming step.

    `contacts` is a list of (frame id, normal, mu) or (frame id, normal, mu, gap): points of frames that touch a fixed
    surface with that outward normal, in world axes. f = M v + h (tau - nonlinear effects)."""
    try:
        import pinocchio
    except ImportError:
        raise DelassusError("from_pinocchio needs Pinocchio: pip install pin") from None
    q, v = np.asarray(q, float), np.asarray(v, float)
    if q.shape != (model.nq,) or v.shape != (model.nv,):
        raise DelassusError(f"q and v: {model.nq} and {model.nv} entries are needed")
    M = np.array(pinocchio.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    bias = np.array(pinocchio.nonLinearEffects(model, data, q, v))
    f = M @ v + h * ((0 if tau is None else np.asarray(tau, float)) - bias)
    pinocchio.computeJointJacobians(model, data, q)
    pinocchio.updateFramePlacements(model, data)
    H, w, mu = np.zeros((3 * len(contacts), model.nv)), np.zeros(3 * len(contacts)), np.zeros(len(contacts))
    for c, (frame, normal, coefficient, *gap) in enumerate(contacts):
        n = np.asarray(normal, float) / np.linalg.norm(normal)
        t = np.cross(n, np.eye(3)[np.argmin(abs(n))])
        t /= np.linalg.norm(t)
        jacobian = pinocchio.getFrameJacobian(model, data, frame, pinocchio.LOCAL_WORLD_ALIGNED)[:3]
        H[3 * c:3 * c + 3] = np.array([n, t, np.cross(n, t)]) @ jacobian
        w[3 * c] = max(gap[0], 0.0) / h if gap else 0.0
        mu[c] = coefficient
    return Problem(M=M, H=H, f=f, w=w, mu=mu, step=h, title="Pinocchio")
