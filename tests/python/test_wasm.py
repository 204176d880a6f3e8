"""Functions as WebAssembly modules."""

import shutil
import subprocess

import pytest

import tensorc as tc

RUN = """
const { load } = await import(process.argv[1]);
const { y } = (await load()).run({ x: Float32Array.of(1, 2, 3, 4), n: 2 });
console.log(y.constructor.name, String(y.shape), y.join(" "));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js")
def test_module(tmp_path):
    weights = tc.array([[1.0, 2.0], [3.0, 4.0]])
    path = tmp_path / "f.js"
    tc.compile_to(lambda x: x @ weights, path, tc.Input(tc.float32, ("n", 2)), input_names=["x"], output_names=["y"], fast_math=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["f.d.ts", "f.js", "f.wasm"]
    ran = subprocess.run(["node", "--input-type=module", "-e", RUN, path.as_uri()], capture_output=True, text=True, check=True)
    assert ran.stdout == "Float32Array 2,2 7 10 15 22\n"


def test_page(tmp_path):
    """A page has its kind by name, as the suffix is that of reports."""
    tc.compile_to(lambda x: x + 1, tmp_path / "f.html", tc.Input(tc.float32, ("n",)), kind="page")
    assert 'globalThis["f"]' in (tmp_path / "f.html").read_text()


def test_refused(tmp_path):
    with pytest.raises(ValueError, match="of kind js is not available for the target cpu"):
        tc.compile_to(lambda x: x + 1, tmp_path / "f.js", tc.ones(2), target="cpu")
