"""A part of PyTorch's database of operations, where that is installed; opinfo.py runs all of it."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest")  # of PyTorch's own tests

from opinfo import cases  # noqa: E402

NAMES = (
    "add", "addmm", "amax", "argmax", "cat", "clamp", "cumsum", "div", "exp", "gather", "index_select", "log_softmax", "matmul",
    "mean", "nn.functional.conv2d", "nn.functional.cross_entropy", "nn.functional.gelu", "nn.functional.layer_norm",
    "nn.functional.max_pool2d", "pow", "roll", "scatter_add", "softmax", "sort", "sum", "topk", "tril", "var", "where",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_operations(name):
    found = [(dtype, number, *case.run()) for _, dtype, number, case in cases([name], samples=1, dtypes=("float32", "int64"))]
    assert found and all(what in ("agree", "fallback") for _, _, what, _ in found), found
