"""Errors of kernels that run asynchronously name the user's line, on the fakes that the build makes beside the package."""

import os
import pathlib
import subprocess
import sys

import pytest
import tensorc as tc

PROGRAM = """import os
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


def test_a_kernel_that_fails_later_is_named_with_its_line(tmp_path):
    fakes = pathlib.Path(tc.__file__).parents[2] / "fakes"
    if not fakes.is_dir():
        pytest.skip("a package without the build's fakes")
    program = tmp_path / "app.py"
    program.write_text(PROGRAM)
    settings = {"LD_LIBRARY_PATH": str(fakes), "TENSORC_EMBED_SIMULATED": "1"}
    done = subprocess.run([sys.executable, program], env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.strip().splitlines()
    assert len(lines) == 2, done.stdout
    for line, device in zip(lines, ("cuda:0", "rocm:0")):
        # The kernel is the one that line 6 ran, too.
        assert device in line and "'cumsum' (" in line and "app.py:9)" in line and "app.py:6)" not in line, line
