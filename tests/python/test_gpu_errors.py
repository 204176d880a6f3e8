"""What goes wrong on GPUs: on the fakes that the build makes beside the package, and after lavapipe was used."""

import glob
import os
import pathlib
import subprocess
import sys

import pytest
import tensorc as tc

FAILING = """import os
import tensorc as tc
for device in ("cuda:0", "rocm:0"):
    os.environ.pop("TENSORC_FAKE_STICKY", None)
    x = tc.asarray([1.0, 2.0, 3.0]).to(device)
    tc.cumsum(x, 0).numpy()
    os.environ["TENSORC_FAKE_STICKY"] = "cumsum"
    try:
        y = tc.cumsum(x, 0)
        print((y.eval() + 1).numpy())
    except tc.DeviceError as error:
        print(error)
"""


MULTIPLYING = """import numpy as np
import tensorc as tc
x = (np.arange(192 * 128) % 7 - 3).reshape(192, 128).astype(np.float16)
for _ in range(2):
    y = tc.asarray(x).to("cuda:0")
    print(np.array_equal((y @ y.T).numpy(), x.astype(np.float32) @ x.T.astype(np.float32)))
"""


def run_on_fakes(program, folder, **settings):
    fakes = pathlib.Path(tc.__file__).parents[2] / "fakes"
    if not fakes.is_dir():
        pytest.skip("a package without the build's fakes")
    path = folder / "app.py"
    path.write_text(program)
    settings |= {"LD_LIBRARY_PATH": str(fakes), "TENSORC_EMBED_SIMULATED": "1"}
    done = subprocess.run([sys.executable, path], env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def test_a_kernel_that_fails_later_is_named_with_its_line(tmp_path):
    lines = run_on_fakes(FAILING, tmp_path).stdout.strip().splitlines()
    assert len(lines) == 2, lines
    for line, device in zip(lines, ("cuda:0", "rocm:0")):
        # The kernel is the one that line 6 ran, too.
        assert device in line and "'cumsum' (" in line and "app.py:9)" in line and "app.py:6)" not in line, line


def test_matrix_instructions_that_compute_wrong_numbers_are_not_used(tmp_path):
    done = run_on_fakes(MULTIPLYING, tmp_path, TENSORC_FAKE_BROKEN="wgmma")
    assert done.stdout.split() == ["True", "True"]
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and "Code is compiled for cuda:sm_90," in lines[0], done.stderr


FORKING = """import multiprocessing
import os
import signal
import sys
import tensorc as tc

def compute():
    signal.alarm(100)
    return [(tc.ones((300, 400)).to(device) * 2).sum().item() for device in ("cpu", "sim:0")]

print((tc.ones(4).to("vulkan:0") * 2).sum().item())
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.apply(compute))
child = os.fork()
if not child:
    sys.exit(7 if compute() == [240000.0, 240000.0] else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_of_fork_ends_after_its_parent_used_lavapipe(tmp_path):
    drivers = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
    if not drivers:
        pytest.skip("Mesa's lavapipe is not installed")
    path = tmp_path / "app.py"
    path.write_text(FORKING)
    done = subprocess.run([sys.executable, path], env=os.environ | {"VK_ICD_FILENAMES": drivers[0]}, capture_output=True, text=True)
    assert done.stdout.split("\n") == ["8.0", "[240000.0, 240000.0]", "7", ""], done.stderr
