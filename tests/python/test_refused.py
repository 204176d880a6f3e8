"""What no function takes: an exception of Python's class, in words of the package."""

import ast
import pathlib

import numpy as np
import pytest

import tensorc as tc
from tensorc import _core, fft, linalg, nn, optim, quantization, random, signal, special

MODULES = (tc, fft, linalg, nn, optim, quantization, random, signal, special, tc.tree, tc.cuda)
# They read or write files, or hold their argument for the session.
LEFT_OUT = {"set_disk_cache", "set_device", "set_memory_limit", "save", "load", "load_package", "compile_to", "read_program", "device", "jax", "torch"}
EXPECTED = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError)
X = tc.ones((2, 2))
GIVEN = [("a",), (None,), (object(),), ({},), (X, "a"), (X, None), (X, object()), (X, 1.5), (X, ["a"]), (X, X, "a"), ("a", "b"), ("a", "b", "c")]


def functions():
    for module in MODULES:
        for name in dir(module):
            if name.startswith("_") or name in LEFT_OUT:
                continue
            function = getattr(module, name)
            if callable(function) and (getattr(function, "__module__", None) or "").startswith("tensorc"):
                yield pytest.param(function, id=f"{module.__name__}.{name}")


@pytest.mark.parametrize("function", list(functions()))
def test_arguments_of_no_such_type(function):
    if isinstance(function, type) and issubclass(function, BaseException) or function.__name__ in ("is_float", "is_integer", "is_complex", "unflatten"):
        return
    for arguments in GIVEN:
        try:
            function(*arguments)
        except EXPECTED as error:
            assert "incompatible function arguments" not in str(error) and "nanobind" not in str(error), arguments


def test_words_of_a_wrong_type():
    with pytest.raises(TypeError) as caught:
        random.key("a")
    text, place = str(caught.value).split("  at ")
    assert text == "random_key(seed: Array | float) does not take (str)"
    assert pathlib.Path(place.rsplit(":", 1)[0]).name == "test_refused.py"
    with pytest.raises(TypeError, match=r"^argmax\(x: Array, .*\) does not take \(Array, str, bool\)"):
        _core.argmax(X, "a", False)
    with pytest.raises(TypeError, match=r"^an axis is an integer, not 1\.5"):
        tc.argmax(X, 1.5)


def test_the_extension_has_what_the_package_calls():
    folder = pathlib.Path(tc.__file__).parent
    missing = [
        f"{path.name}:{node.lineno}: {node.attr}"
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_core" and not hasattr(_core, node.attr)
    ]
    assert not missing


def test_numbers_are_looked_at(capfd):
    x = tc.asarray([1.0, float("nan")])
    with pytest.raises(RuntimeError, match="the weights"):
        tc.check_numerics(x, "the weights").eval()
    assert tc.jit(lambda v: tc.check_numerics(v, "sums") + 1)(tc.ones(2)).tolist() == [2, 2]
    assert tc.debug_print(x, "the weights")[0].item() == 1
    assert "the weights" in capfd.readouterr().err


@pytest.mark.parametrize("make", [tc.zeros, tc.ones, tc.arange, tc.empty])
def test_more_than_any_memory(make):
    with pytest.raises(MemoryError):
        make(10**15).eval()
    assert tc.ones(2).sum().item() == 2


def test_dates_have_no_dtype():
    for value in (np.datetime64("2020"), np.timedelta64(1, "s"), np.array(["2020"], dtype="datetime64[D]")):
        with pytest.raises(TypeError, match="datetime64|timedelta64"):
            tc.asarray(value)
