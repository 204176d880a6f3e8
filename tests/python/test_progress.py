"""Progress lines in notebooks."""

import os
import subprocess
import sys

# A kernel of Jupyter, as far as the package looks at it. Its cells show what is written to sys.stderr.
PROGRAM = """
import io, sys, time, types
shell = types.SimpleNamespace(kernel=None)
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
cell, process = io.StringIO(), sys.stderr
sys.stderr = cell
import tensorc as tc
x = tc.ones((8, 8))
for i in range(3):
    x = tc.tanh(tc.matmul(x, x) + i)
x.eval()
until = time.monotonic() + 600
while not cell.getvalue().endswith("\\r") and time.monotonic() < until:
    time.sleep(0.01)
sys.stdout.write(repr(cell.getvalue()))
"""


def test_notebook():
    """Lines overwrite each other below the cell, and the last one is cleared."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env={**os.environ, "TENSORC_PROGRESS": "0"})
    assert "\\rtensorc: " in ran.stdout and " kernels [" in ran.stdout
    assert ran.stdout.endswith(" \\r'") and "x1b" not in ran.stdout
    assert ran.stderr == ""
