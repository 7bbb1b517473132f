#!/bin/bash
# The Python package: its own tests under pytest with the release library, a wheel in a fresh environment, a Python class under the
# program and the conformance suite, its examples.
. tests/support/tap.sh
unset LSAN_OPTIONS ASAN_OPTIONS
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD/python DELASSUS_PYTHON=$python DELASSUS_SERVE=$PWD/python/delassus/serve.py
root=$PWD
if ! $python -c 'import numpy, scipy.sparse' 2>/dev/null; then
    skip "the Python package" "python3-numpy and python3-scipy are not here"; finish; exit 0
elif [ ! -e build/release/libdelassus.so ]; then
    skip "the Python package" "build/release/libdelassus.so is not here; run make"; finish; exit 0
fi
if $python -c 'import pytest' 2>/dev/null; then
    check "pytest" $python -m pytest -q -p no:cacheprovider python/tests
else
    skip "pytest" "python3-pytest is not here"
fi
for example in arrays snapshots campaign scene; do check "python/examples/$example.py" $python python/examples/$example.py; done
check "a Python class under the program" "$program" solve benchmarks/snapshots/manufactured-2d.hdf5 \
    --solver python/examples/jacobi.py:omega=0.4 --tol 1e-6
if $python -c 'import mujoco' 2>/dev/null; then check "python/examples/robot.py" $python python/examples/robot.py
else skip "python/examples/robot.py" "mujoco is not here (pip install mujoco)"; fi
check "a Python class passes the conformance suite" env DLS_SOLVER=python/examples/jacobi.py "$build/tests/solvers/test_conformance"
wheel() {
    mkdir "$folder/wheels" && cp -r python "$folder/source" && cd "$folder" &&
        DELASSUS_BUILD=$root/build/release $python -m pip wheel -q --no-deps --no-build-isolation -w wheels ./source &&
        $python -m venv --system-site-packages env && env/bin/pip install -q --no-deps --no-index wheels/*.whl
}
fresh() { # from the wheel alone, anywhere
    (cd "$folder" && unset PYTHONPATH && env/bin/python -c '
import delassus
assert "site-packages" in delassus.__file__, delassus.__file__
assert delassus.solve(delassus.generate("stack", n=4)).converged
assert str(delassus.program()).startswith(delassus.__path__[0])
rows = delassus.bench("bundled", "pgs", tol=1e-2, max_time=1, folder="bundled")
assert len(rows) >= 10 and not any(row["peer"] for row in rows)' &&
        unset DELASSUS_PYTHON DELASSUS_SERVE && env/bin/delassus solve "$root/benchmarks/snapshots/one-contact.hdf5" \
            --solver "$root/python/examples/jacobi.py,auto" --tol 1e-6)
}
if $python -c 'import setuptools, wheel, venv, ensurepip' 2>/dev/null; then
    check "a wheel is built and installed into a fresh environment" eval '(wheel)'
    check "and works from there: solves, bundled snapshots, the command with a class in Python" fresh
    check "the checkout stays as it was" eval '[ ! -e python/build ] && [ -z "$(ls -d python/*.egg-info 2>/dev/null)" ]'
else
    skip "a wheel" "python3-pip, python3-venv or python3-wheel are not here"
fi
for peer in solvers/peers/*_*.py; do
    [ "$(basename "$peer")" != peer_scaling.py ] || continue
    solves() { "$program" solve benchmarks/snapshots/one-contact.hdf5 --solver "$peer" --tol 1e-5 --json | tee "$folder/row"
        grep -qE '"status": "(converged|unsupported)"' "$folder/row"; }
    check "$peer solves, or says what is missing" solves
done
finish
