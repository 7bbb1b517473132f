# SPDX-License-Identifier: Apache-2.0
"""Your own robot: the contact problem of a MuJoCo step, solved as Coulomb's law, and MuJoCo's own answer judged by it.
Needs `pip install mujoco`."""
import mujoco

import delassus

model = mujoco.MjModel.from_xml_string("""<mujoco><option timestep="0.01" cone="elliptic"/><worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .3"><freejoint/><geom type="capsule" size=".05 .2"/>
      <body pos="0 0 .25" euler="0 70 0"><joint axis="0 1 0"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/></body></body>
    </worldbody></mujoco>""")
data = mujoco.MjData(model)
while data.ncon == 0 or data.time < 0.2:
    mujoco.mj_step(model, data)
mujoco.mj_forward(model, data)
problem = delassus.from_mujoco(model, data)
print(problem)
print("auto  ", delassus.solve(problem))
theirs = delassus.judge_mujoco(model, data)
print(f"MuJoCo  natural {theirs.natural:.1e}, merit {theirs.merit:.1e} as Coulomb's law; it solves another: {theirs.relaxes}")
