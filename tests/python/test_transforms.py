"""Traces, gradients, branches and loops."""

import dataclasses
import inspect
import io
import json
import os
import pathlib
import struct
import zipfile
from collections import namedtuple

import numpy as np
import pytest

import tensorc as tc


@dataclasses.dataclass
class Layer:
    weight: tc.Array
    name: str = "a"


Pair = namedtuple("Pair", "first second")


def test_jit_traces_once_for_a_kind_of_arguments():
    calls = []
    @tc.jit
    def f(x, scale=1.0):
        calls.append(x.shape)
        return x * scale
    for n in (3, 3, 5, 3):
        assert f(tc.ones(n), scale=2.0).tolist() == [2] * n
    assert f(tc.ones(3), scale=3.0).tolist() == [3] * 3 and f(tc.ones(3, dtype=tc.float64)).dtype == tc.float64
    assert len(calls) == f.traces == 4 and f.__name__ == "f"
    assert f(np.ones(3, np.float32)).tolist() == [1] * 3


def test_jit_takes_and_returns_trees():
    @tc.jit
    def f(layers, flag, *, mode):
        assert isinstance(layers["a"], Layer)
        return Pair(tc.tree.map(lambda x: x + 1 if isinstance(x, tc.Array) else x, layers), [flag, None, mode])
    out = f({"a": Layer(tc.zeros(2)), "b": (tc.ones(1), [tc.ones(2)])}, True, mode="x")
    assert isinstance(out, Pair) and out.first["a"].weight.tolist() == [1, 1] and out.first["a"].name == "a"
    assert out.second == [True, None, "x"] and out.first["b"][1][0].tolist() == [2, 2]
    f({"a": Layer(tc.zeros(2), "other"), "b": ()}, True, mode="x")
    f({"a": Layer(tc.zeros(2), "other"), "b": ()}, 1, mode="x")
    assert f.traces == 3
    with pytest.raises(TypeError):
        f({1, 2}, True, mode="x")


def test_jit_of_a_method_and_within_another():
    class Model:
        def __init__(self):
            self.w = tc.ones(2)
        @tc.jit
        def __call__(self, x):
            return x * self.w
    model = Model()
    assert tc.jit(lambda x: model(x) + 1)(tc.ones(2)).tolist() == [2, 2] and model(tc.ones(2)).tolist() == [1, 1]


def test_jit_does_not_know_values():
    with pytest.raises((ValueError, TypeError), match=r"test_transforms.py:\d+"):
        tc.jit(lambda x: x if x.sum() > 0 else -x)(tc.ones(2))
    f = tc.jit(lambda x: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        f(tc.ones(1))


def test_captures():
    w = tc.ones(2).eval()
    f = tc.jit(lambda x: x * w)
    f(tc.ones(2))
    assert any(value is not None and where[0].endswith("test_transforms.py") for value, where in f.captures())
    f.rebind(w, tc.full((2,), 3.0))
    assert f(tc.ones(2)).tolist() == [3, 3] and f.traces == 1


def test_rebinds_by_what_was_captured():
    w1, w2, five = tc.ones(2).eval(), tc.full((2,), 2.0).eval(), tc.full((2,), 5.0).eval()
    for steps, expected in (
        ([(w1, w2), (w2, w1)], 12),
        ([(w1, w2), (w2, five)], 52),
        ([(w1, five), (w2, five), (w1, tc.full((2,), 7.0))], 57),
        ([(w1, five), (w2, w1), (w1, w1)], 11),
        ([(w1, five), (five, tc.full((2,), 7.0))], 27),
    ):
        f = tc.jit(lambda x: x * w1 + 10 * w2)
        f(tc.ones((1, 2)))
        f(tc.ones((2, 2)))
        for captured, value in steps:
            f.rebind(captured, value)
        for n in (1, 2, 3):  # traces that exist, and a new one
            assert f(tc.ones((n, 2))).tolist() == [[expected] * 2] * n
        assert f.captures()[0][0].tolist() in ([1, 1], [2, 2])
    f.rebind(w1, five)
    f.rebind(w2, five)
    with pytest.raises(ValueError, match="stands for 2 captured values"):
        f.rebind(five, w1)
    with pytest.raises(ValueError, match=r"no trace has captured what was made at .*test_transforms.py:\d+"):
        f.rebind(tc.ones(2), w1)
    f.clear()
    with pytest.raises(ValueError, match="nothing has been traced yet"):
        f.rebind(w1, w2)
    assert f(tc.ones(2)).tolist() == [21, 21]


def test_named_sizes():
    f = tc.jit(lambda x: x / x.shape[0], inputs=[tc.Input(tc.float32, ("n", 2))])
    assert f(tc.ones((4, 2))).tolist() == [[0.25, 0.25]] * 4 and f(tc.ones((2, 2)))[0, 0].item() == 0.5
    with pytest.raises(ValueError):
        f(tc.ones((4, 3)))


def test_slices_of_named_sizes():
    n = tc.Input(tc.float32, ("n",))
    for part in (np.s_[1:], np.s_[:-1], np.s_[:3], np.s_[-3:], np.s_[5::-1], np.s_[:1:-1], np.s_[0:0], np.s_[4:2]):
        f = tc.jit(lambda x: x[part], inputs=[n])  # noqa: B023
        for size in (6, 7, 150, 2000):
            x = np.arange(size, dtype=np.float32)
            assert f(tc.asarray(x)).tolist() == x[part].tolist()
    # As many elements as sizes that nobody knows yet decide.
    for part in ("[-3:3]", "[-1:1:2]", "[0:-2:-1]"):
        with pytest.raises(ValueError, match="count both bounds from the same end") as caught:
            tc.jit(lambda x: eval("x" + part), inputs=[n])  # noqa: B023
        assert part in str(caught.value) and "axis 0" in str(caught.value)
    for part in ("[:1000]", "[-1000:]", "[1000::-1]", "[5:1000]", "[:-1000]"):
        with pytest.raises(ValueError, match="use bounds of at most") as caught:
            tc.jit(lambda x: eval("x" + part), inputs=[n])  # noqa: B023
        assert part in str(caught.value)
    # A size without a name is what it is; so is a bound that follows the name.
    f = tc.jit(lambda x: x[-3:3] + x[:1000], inputs=[tc.Input(tc.float32, (3,))])
    assert f(tc.ones(3)).tolist() == [2, 2, 2]
    g = tc.jit(lambda x: x[: x.shape[0] - 1], inputs=[n])
    assert g(tc.ones(2000)).shape == (1999,)


@pytest.mark.parametrize("dtype", [tc.float32, tc.bfloat16, tc.int32])
@pytest.mark.parametrize("m,k,n", [(1, 512, 64), (29, 257, 96), (3, 600, 40)])
def test_constant(dtype, m, k, n):
    rng = np.random.default_rng(0)
    x, w, wt = (tc.astype(tc.asarray(3 * rng.standard_normal(s)), dtype) for s in ((m, k), (n, k), (k, n)))
    functions = [lambda x: x @ w.T, lambda x: x @ wt, lambda x: tc.maximum(x @ w.T + w[:, 0], x @ wt), lambda x: tc.sum(x @ w.T)]
    before = [tc.astype(f(x), tc.float64).tolist() for f in functions]
    assert tc.constant({"w": w, "list": [wt]})["w"] is w
    for f, wanted in zip(functions, before):
        assert tc.astype(f(x), tc.float64).tolist() == wanted  # packs
        assert tc.astype(f(x), tc.float64).tolist() == wanted
        assert tc.astype(tc.jit(f)(x), tc.float64).tolist() == wanted


@pytest.mark.parametrize("rows", [1, 5, 40])
def test_constant_of_narrow_dtypes(rows):
    rng = np.random.default_rng(0)
    draw = lambda *shape: tc.asarray(rng.integers(-128, 128, shape).astype(np.int8))  # noqa: E731
    x, w, wt = draw(rows, 192), draw(96, 192), draw(192, 96)
    wide = lambda dtype: [  # noqa: E731
        lambda x: x.astype(dtype) @ w.astype(dtype).T,
        lambda x: x.astype(dtype) @ w.T.astype(dtype),
        lambda x: tc.maximum(x.astype(dtype) @ wt.astype(dtype), 3),
    ]
    functions = wide(tc.int32) + wide(tc.bfloat16)
    before = [tc.astype(f(x), tc.float64).tolist() for f in functions]
    tc.constant([w, wt])
    for f, wanted in zip(functions, before):
        assert tc.astype(f(x), tc.float64).tolist() == wanted  # packs
        assert tc.astype(tc.jit(f)(x), tc.float64).tolist() == wanted


def test_constant_is_packed():
    x, w, b = tc.ones((8, 256)), tc.constant(tc.ones((64, 256))), tc.ones(64)
    assert "tensor<2x256x32xf32>" in tc.record(lambda x: tc.maximum(x @ w.T + b, 0), x).to_mlir()
    # The epilogue is in the product's kernel, and nothing else runs.
    step = tc.jit(lambda x: tc.maximum(x @ w.T + b, 0))
    assert step(x).tolist() == [[257.0] * 64] * 8
    assert len(tc.last_kernels().split()) == 1
    # Gradients still reach it, and an argument is not a constant.
    assert tc.grad(lambda w: tc.sum(x @ w.T))(w).tolist() == [[8.0] * 256] * 64
    with tc.Tape() as tape:
        tape.watch(w)
        y = tc.sum(x @ w.T)
        assert tape.gradient(y, w).tolist() == [[8.0] * 256] * 64
    with pytest.raises(ValueError, match="constant: the value depends on an argument"):
        tc.jit(lambda x: tc.constant(x + 1))(x)


def test_gradients():
    loss = lambda p, x: tc.mean(tc.square(x @ p["w"] + p["b"]))  # noqa: E731
    p = {"w": tc.asarray([[1.0], [2.0]]), "b": tc.asarray([0.5]), "n": tc.asarray([1])}
    value, g = tc.jit(tc.value_and_grad(loss))(p, tc.ones((4, 2)))
    assert value.item() == pytest.approx(12.25) and g["w"].tolist() == [[7.0], [7.0]] and g["b"].tolist() == [7.0] and g["n"] is None
    assert tc.grad(lambda x, y: (x * y).sum(), argnums=(0, 1))(tc.ones(2), tc.zeros(2))[1].tolist() == [1, 1]
    (value, aux), g = tc.value_and_grad(lambda x: (x.sum(), {"y": x * 2}), has_aux=True)(tc.ones(2))
    assert aux["y"].tolist() == [2, 2] and g.tolist() == [1, 1]
    assert tc.grad(lambda x: x * x)(3.0).item() == 6
    assert tc.grad(lambda x: (tc.stop_gradient(x) * x).sum())(tc.asarray([3.0])).tolist() == [3]
    line = inspect.currentframe().f_lineno + 2
    for bad, text in [
        (lambda x: x * 2, f"f32.2., not one float; it is made at .*test_transforms.py:{line}: its sum is one, and jacobian"),
        (lambda x: x.sum() > 0, f"i1.., not one float; it is made at .*test_transforms.py:{line + 1}: its dtype has no derivatives"),
    ]:
        with pytest.raises(ValueError, match=rf"grad: the function's result is {text}.*  at .*test_transforms.py:{line + 4}"):
            tc.grad(bad)(tc.ones(2))
    with pytest.raises(TypeError, match="grad: the function returns float, not an array"):
        tc.grad(lambda x: 1.0)(tc.ones(2))


def test_derivatives():
    x = tc.asarray([1.0, 2.0])
    np.testing.assert_allclose(tc.jacobian(lambda x: tc.sin(x))(x).numpy(), np.diag(np.cos([1, 2])), rtol=1e-6)
    np.testing.assert_allclose(tc.hessian(lambda x: (x**3).sum())(x).numpy(), np.diag([6, 12]), rtol=1e-5)
    y, t = tc.jvp(lambda a, b: a * b, (x, x), (tc.ones(2), tc.zeros(2)))
    assert y.tolist() == [1, 4] and t.tolist() == [1, 2]
    y, pull = tc.vjp(lambda a, b: {"p": a * b}, x, x + 1)
    assert [g.tolist() for g in pull({"p": tc.ones(2)})] == [[2, 3], [1, 2]]
    assert tc.hvp(lambda x: (x**2).sum(), x, tc.ones(2)).tolist() == [2, 2]


def test_derivatives_of_complex_numbers():
    x, z = tc.asarray([1.0, 2.0]), tc.asarray([1 + 2j, 0.5 - 1j, 0])
    assert tc.jacobian(lambda x: x * 1j)(x).tolist() == [[1j, 0], [0, 1j]]
    np.testing.assert_allclose(tc.jacobian(lambda x: tc.exp(x * 1j))(x).numpy(), np.diag(1j * np.exp([1j, 2j])), rtol=1e-6)
    np.testing.assert_allclose(tc.jacobian(tc.fft.fft)(x).numpy(), [[1, 1], [1, -1]])
    y, t = tc.jvp(tc.fft.fft, (x,), (tc.asarray([3.0, 1.0]),))
    assert y.tolist() == [3, -1] and t.tolist() == [4, 2]
    assert tc.jvp(lambda z: z * z, (z,), (z,))[1].tolist() == [2 * w * w for w in z.tolist()]
    assert tc.jvp(tc.conj, (z,), (z,))[1].tolist() == [w.conjugate() for w in z.tolist()]
    # d/dx + i d/dy, with 0 for the length of 0.
    squares = lambda z: tc.sum(tc.square(tc.abs(z)))  # noqa: E731
    assert tc.grad(squares)(z).tolist() == [2 + 4j, 1 - 2j, 0]
    assert tc.grad(lambda z: tc.square(tc.abs(z)))(1 + 2j).item() == 2 + 4j
    assert tc.grad(lambda z: tc.sum(tc.abs(z)))(tc.asarray([3 + 4j, 0])).tolist() == pytest.approx([0.6 + 0.8j, 0])
    assert tc.grad(lambda p: squares(p["z"]) + p["x"].sum())({"x": x, "z": z})["z"].tolist() == [2 + 4j, 1 - 2j, 0]
    assert tc.vjp(lambda z: z * z, z)[1](z)[0].tolist() == [10, 2.5, 0]
    np.testing.assert_allclose(tc.hvp(squares, z, tc.asarray([1j, 1, 0])).numpy(), [2j, 2, 0], rtol=1e-6)
    with tc.Tape() as tape:
        tape.watch({"z": z})
        loss = squares(z * 1j)
        assert loss.item() == 6.25 and tape.gradient(loss, {"z": z})["z"].tolist() == [2 + 4j, 1 - 2j, 0]
    for name in ("jacobian", "hessian"):
        with pytest.raises(ValueError, match=f"{name}: the argument is complex64: take the derivatives by its two parts"):
            getattr(tc, name)(squares)(z)
    by_parts = tc.hessian(lambda p: squares(p[0] + p[1] * 1j))(tc.stack([tc.real(z), tc.imag(z)])[:, :1])
    np.testing.assert_allclose(by_parts.numpy().reshape(2, 2), [[2, 0], [0, 2]], atol=1e-6)
    with pytest.raises(ValueError, match=r"c64\[\], not one float; it is made at .*: the sum of its real or abs"):
        tc.grad(tc.sum)(z)


def by_tape_of(f, *xs):
    with tc.Tape() as tape:
        tape.watch(*xs)
        return tape.gradient(f(*xs), xs)


X, Y, COUNTS = tc.asarray([1.0, 2.0, 3.0]).to("sim:0"), tc.asarray(2.0).to("sim:0"), tc.asarray([1, 2]).to("sim:0")
# name -> (what gives derivatives that read no value, what these are)
CONSTANT = {
    "grad": (lambda: tc.grad(lambda x: tc.sum(x + 1))(X), [1, 1, 1]),
    "of a scalar": (lambda: tc.grad(lambda y: y * 2)(Y), 2),
    "jit": (lambda: tc.jit(tc.grad(lambda x: tc.sum(x + 1)))(X), [1, 1, 1]),
    "unused": (lambda: tc.grad(lambda x, y: tc.sum(x * x), argnums=(0, 1))(X, Y)[1], 0),
    "all unused": (lambda: tc.grad(lambda x: tc.sum(X))(X), [0, 0, 0]),
    "value_and_grad": (lambda: tc.value_and_grad(lambda x, n: (tc.sum(x + 1), n * 0), has_aux=True)(X, COUNTS), None),
    "grad of grad": (lambda: tc.grad(tc.grad(lambda y: y * y))(Y), 2),
    "vjp": (lambda: tc.vjp(lambda x, n: (x * 0 + 1, n * 0), X, COUNTS)[0][1], [0, 0]),
    "jvp": (lambda: tc.jvp(lambda x: X, (X,), (X,))[1], [0, 0, 0]),
    "jvp of squares": (lambda: tc.jvp(lambda x: x * x, (X,), (X,))[1], [2, 8, 18]),
    "jacobian": (lambda: tc.jacobian(lambda x: x[1:] * 2)(X), [[0, 2, 0], [0, 0, 2]]),
    "jacobian of squares": (lambda: tc.jacobian(lambda x: x[1:] * x[1:])(X), [[0, 4, 0], [0, 0, 6]]),
    "hessian": (lambda: tc.hessian(lambda x: tc.sum(x))(X[:2]), [[0, 0], [0, 0]]),
    "hvp": (lambda: tc.hvp(lambda x: tc.sum(x), X, X), [0, 0, 0]),
    "tape": (lambda: by_tape_of(lambda x, y: tc.sum(x + 1), X, Y), None),
    "tape again": (lambda: by_tape_of(lambda x, y: tc.sum(x + 1), X, Y)[1], 0),
    "vmap": (lambda: tc.vmap(tc.grad(lambda y: y + 1))(X), [1, 1, 1]),
    "scan": (lambda: tc.grad(lambda y: tc.scan(lambda s, x: (s + x, s), y, X)[0])(Y), 1),
    "fori_loop": (lambda: tc.grad(lambda y: tc.fori_loop(0, 3, lambda i, s: s + i, y))(Y), 1),
    "while_loop": (lambda: tc.grad(lambda y: tc.while_loop(lambda s: s < 100, lambda s: s + 1, y, most=3))(Y), 1),
    "cond": (lambda: tc.grad(lambda y: tc.cond(Y > 1, lambda a: a + 1, lambda a: a * 2, y))(Y), 1),
    "checkpoint": (lambda: tc.grad(tc.checkpoint(lambda x: tc.sum(x + 1)))(X), [1, 1, 1]),
    "custom_vjp": (lambda: tc.grad(lambda x: tc.sum(tc.custom_vjp(lambda x: (x, ()), lambda _, g: g * 3)(x)))(X), [3, 3, 3]),
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTANT)
def test_derivatives_are_on_the_device_of_the_argument(name):
    made, expected = CONSTANT[name][0](), CONSTANT[name][1]
    assert [x.device for x in tc.tree.leaves(made)] == ["sim:0"] * len(tc.tree.leaves(made))
    assert expected is None or made.tolist() == expected


def test_control_flow():
    assert tc.cond(tc.asarray(False), lambda x: {"y": x + 1}, lambda x: {"y": x - 1}, tc.ones(2))["y"].tolist() == [0, 0]
    i, x = tc.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * 2), (tc.asarray(0), tc.ones(2)))
    assert i.item() == 3 and x.tolist() == [8, 8]
    assert tc.grad(lambda x: tc.fori_loop(0, 3, lambda i, y: y * x, tc.asarray(1.0)))(tc.asarray(2.0)).item() == 12
    last, all_of_them = tc.scan(lambda s, x: (s + x, s * 2), tc.asarray(0.0), tc.ones(4), reverse=True)
    assert last.item() == 4 and all_of_them.tolist() == [6, 4, 2, 0]
    assert tc.map(lambda p: p["a"].sum(), {"a": tc.ones((3, 2))}).tolist() == [2, 2, 2]
    with pytest.raises(ValueError):
        tc.cond(tc.asarray(True), lambda x: x, lambda x: (x, x), tc.ones(1))


@pytest.mark.parametrize("reverse", [False, True])
def test_scan_in_segments(reverse):
    steps = tc.asarray(np.linspace(0.1, 1.0, 23, dtype=np.float32))

    def of(segment):
        def body(state, x):
            h, sums = state["h"], state["sum"]
            return {"h": tc.sin(h) * x, "sum": sums + h}, (h * x, x)
        return lambda h, xs: tc.scan(body, {"h": h, "sum": h * 0}, xs, reverse=reverse, segment=segment)

    def loss(segment):
        def total(h, xs):
            last, (made, _) = of(segment)(h, xs)
            return tc.sum(last["h"] + last["sum"]) + tc.sum(made * tc.expand_dims(xs, 1))
        return tc.value_and_grad(total, (0, 1))

    h = tc.asarray([0.3, 2.0])
    whole, gradients = tc.tree.leaves(of(None)(h, steps)), tc.tree.leaves(loss(None)(h, steps))
    for segment in [1, 5, 22, 23, 100]:
        for a, b in zip(whole, tc.tree.leaves(of(segment)(h, steps)), strict=True):
            assert a.tolist() == b.tolist()
        for a, b in zip(gradients, tc.tree.leaves(loss(segment)(h, steps)), strict=True):
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-6)
    empty = tc.scan(lambda s, x: (s + x, s), h, tc.ones((0, 2)), segment=1)
    assert empty[0].tolist() == h.tolist() and empty[1].shape == (0, 2)
    with pytest.raises(ValueError, match="scan: a segment of 0 iterations"):
        of(0)(h, steps)


def test_fori_loop_in_segments():
    def of(segment):
        return lambda x: tc.fori_loop(3, 26, lambda i, s: tc.sin(s) + tc.astype(i, tc.float32), x, segment=segment)

    x = tc.asarray([0.3, 2.0])
    for segment in [1, 5, 22, 23, 100]:
        assert of(segment)(x).tolist() == of(None)(x).tolist()
        found, expected = (tc.grad(lambda x, f=of(k): f(x).sum())(x) for k in (segment, None))
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=2e-6)
    with pytest.raises(ValueError, match="fori_loop: a segment of -1 iterations"):
        of(-1)(x)
    assert tc.fori_loop(5, 5, lambda i, s: s + 1, x, segment=2).tolist() == x.tolist()


def test_segments_are_loops_of_loops():
    def shown(segment):
        f = tc.grad(lambda x: tc.fori_loop(0, 400, lambda i, s: s + tc.sin(s), x, segment=segment).sum())
        return str(tc.explain(f, tc.ones(4096)))

    assert "loop_of_loop_of_" in shown(20) and "loop_of_loop_of_" not in shown(None)


def test_switch():
    branches = [lambda x, k: (x + k, k), lambda x, k: (x * k, k + 1), lambda x, k: (x - k, k + 2)]
    f = tc.jit(lambda i, x, k: tc.switch(i, branches, x, k))
    for i, expected in [(-3, [6, 4]), (0, [6, 4]), (1, [8, 5]), (2, [-2, 6]), (9, [-2, 6])]:
        assert [int(y) for y in f(tc.asarray(i), tc.asarray(2), tc.asarray(4))] == expected
    slope = tc.vmap(tc.grad(lambda x, i: tc.switch(i, [lambda x: x, lambda x: x * x], x)), (None, 0))
    assert slope(tc.asarray(3.0), tc.asarray([0, 1, 5])).tolist() == [1, 6, 6]
    with pytest.raises(ValueError, match="switch: the result of branch 0 is .*, that of branch 1 "):
        tc.switch(0, [lambda x: x, lambda x: (x, x)], tc.ones(2))
    with pytest.raises(ValueError, match=r"of branch 1 .*they are made at .*test_transforms.py:\d+ and .*: broadcast_to makes"):
        tc.switch(0, [lambda x: x, lambda x: x.sum()], tc.ones(2))
    with pytest.raises(ValueError, match="no branch"):
        tc.switch(0, [], tc.ones(2))


def test_tape():
    w = {"a": tc.asarray([3.0, 1.0]), "n": tc.asarray([1, 2])}
    square = tc.jit(lambda x: x * x)
    for limit, slope in [(100.0, [6, 2]), (5.0, [7, 3])]:
        with tc.Tape() as tape:
            tape.watch(w)
            loss = square(w["a"]).sum()
            if loss.item() > limit:
                loss = loss + abs(w["a"]).sum()
            made = tape.gradient(loss, w)
        assert made["a"].tolist() == slope and made["n"] is None
    with tc.Tape() as outer:
        x = tc.asarray(2.0)
        outer.watch(x)
        with tc.Tape() as inner:
            inner.watch(x)
            first = inner.gradient(x * x * x, x)
        assert first.item() == 12 and outer.gradient(first, x).item() == 12
    with pytest.raises(ValueError, match="released"):
        tape.gradient(loss, w)
    with tc.Tape() as tape, pytest.raises(ValueError, match="a gradient is by floats"):
        tape.watch(tc.asarray(1))


def by_tape(f, w):
    with tc.Tape() as tape:
        tape.watch(w)
        return tape.gradient(f(w).sum(), w).item()


def test_tape_of_captured_numbers():
    x = tc.asarray([1.0, 2.0, 3.0])
    for f, slope in [
        (lambda w: tc.fori_loop(0, 3, lambda _, s: s * w, w), 32),
        (lambda w: tc.fori_loop(0, 3, lambda _, s: s * w, tc.asarray(3.0)), 36),
        (lambda w: tc.scan(lambda s, e: (s * w, s * e * w), w, x)[1], 124),
        (lambda w: tc.while_loop(lambda s: s < 100, lambda s: s * w, w, most=9), 448),
        (lambda w: tc.vmap(lambda e: e * w)(x), 6),
        (lambda w: tc.map(lambda e: e * w, x), 6),
        (lambda w: tc.cond(x[0] > 0, lambda e: e * w, lambda e: e + w, x), 6),
        (lambda w: tc.switch(1, [lambda e: e, lambda e: e * w * w], x), 24),
        (lambda w: tc.checkpoint(lambda e: e * w)(x), 6),
        (lambda w: w**w, 4 * np.log(2) + 4),
    ]:
        w = tc.asarray(2.0)
        assert by_tape(f, w) == pytest.approx(slope) == tc.grad(lambda w, f=f: f(w).sum())(w).item()


def test_captured_by_jit():
    w = tc.asarray(2.0)
    assert tc.grad(lambda w: tc.jit(lambda x: x * w)(tc.asarray(3.0)))(w).item() == 3
    assert tc.jit(lambda w: tc.jit(lambda x: x * w)(tc.asarray(3.0)))(w).item() == 6
    assert tc.fori_loop(0, 3, lambda _, s: tc.jit(lambda x: x * s)(tc.asarray(3.0)), w).item() == 54
    assert tc.vmap(lambda w: tc.jit(lambda: w * 2)())(tc.ones(2)).tolist() == [2, 2]
    f = tc.jit(lambda x: x + 1)
    with pytest.raises(ZeroDivisionError):
        tc.grad(lambda w: w / (1 // 0))(w)
    assert f(w).item() == 3 and f.traces == 1  # the scope of what raised has ended


def test_checkpoint_of_what_it_captures():
    assert tc.grad(lambda w: tc.checkpoint(lambda x: x * w)(tc.asarray(3.0)))(tc.asarray(2.0)).item() == 3
    def deep(w):
        return tc.checkpoint(lambda x: tc.checkpoint(lambda y: tc.sin(y * w))(x * w))(tc.asarray(3.0))

    def plain(w):
        return tc.sin(tc.asarray(3.0) * w * w)

    for order in (tc.grad, lambda f: tc.grad(tc.grad(f))):
        assert order(deep)(tc.asarray(0.5)).item() == pytest.approx(order(plain)(tc.asarray(0.5)).item(), rel=1e-5)


def test_own_gradients():
    clipped = tc.custom_vjp(lambda x: (x, ()), lambda _, g: tc.clip(g, -1.0, 1.0))
    assert tc.grad(lambda x: (clipped(x) * 5).sum())(tc.ones(2)).tolist() == [1, 1]
    f = tc.checkpoint(lambda x: tc.sin(tc.sin(x)))
    assert tc.grad(lambda x: f(x).sum())(tc.ones(1)).item() == pytest.approx(np.cos(np.sin(1)) * np.cos(1))


def test_files(tmp_path):
    tree = {"layers": [{"w": tc.arange(3)}, {"w": tc.ones((2, 2), dtype=tc.bfloat16)}]}
    for suffix in ("npz", "safetensors"):
        path = tmp_path / f"a.{suffix}"
        tc.save(path, tree)
        back = tc.load(path)
        assert set(back) == {"layers.0.w", "layers.1.w"} and back["layers.1.w"].dtype == tc.bfloat16
    tc.save(tmp_path / "a.npy", tc.arange(4))
    assert np.load(tmp_path / "a.npy").tolist() == tc.load(tmp_path / "a.npy").tolist() == [0, 1, 2, 3]
    with pytest.raises(FileNotFoundError):
        tc.load(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"no file")
    with pytest.raises(ValueError, match="bad.npz"):
        tc.load(tmp_path / "bad.npz")


def test_messages_hold_no_bytes_of_files(tmp_path):
    """Names in files may be any bytes; a message is text that a terminal shows."""
    for name in (b"a\x1b[31mred", b"a\0b", b"\xff\xfe", "\u202e".encode()):
        # A tensor of an unknown kind.
        head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + struct.pack("<Q", len(name)) + name
        head += struct.pack("<IQIQ", 1, 4, 99, 0)
        # A member whose dtype is not known, and whose name is the bytes.
        npy = io.BytesIO()
        np.save(npy, np.array(["a", "b"]))
        entry = io.BytesIO()
        with zipfile.ZipFile(entry, "w") as archive:
            archive.writestr("x" * len(name) + ".npy", npy.getvalue())
        zipped = entry.getvalue().replace(b"x" * len(name) + b".npy", name + b".npy")
        text = json.dumps({name.decode("latin-1"): {"dtype": name.decode("latin-1")}}).encode()
        safe = struct.pack("<Q", len(text)) + text
        descr = npy.getvalue().replace(b"<U1", b"<" + name[:2])
        for suffix, data in (("gguf", head), ("npz", zipped), ("safetensors", safe), ("npy", descr)):
            path = tmp_path / f"bad.{suffix}"
            path.write_bytes(data)
            with pytest.raises((ValueError, NotImplementedError)) as caught:
                tc.load(path)
            assert f"bad.{suffix}" in str(caught.value) and str(caught.value).isprintable(), (suffix, name)


def test_packages(tmp_path):
    w = tc.ones((4, 2))
    tc.compile_to(lambda x: {"y": x @ w}, tmp_path / "m.tcpkg", tc.Input(tc.float32, ("n", 4)), input_names=["images"])
    m = tc.load_package(tmp_path / "m.tcpkg")
    assert m.inputs()[0][0] == "images" and m.inputs()[0][2] == ("n", 4) and m(tc.ones((3, 4))).tolist() == [[4, 4]] * 3
    with pytest.raises(ValueError):
        m(tc.ones((3, 5)))
    assert "tx.add" in tc.record(lambda x: x + x, tc.ones(2)).to_mlir()
    with pytest.raises(FileNotFoundError):
        tc.load_package(tmp_path / "none.tcpkg")
    with pytest.raises(ZeroDivisionError):
        tc.compile_to(lambda x: 1 / 0, tmp_path / "n.tcpkg", tc.ones(2))


@pytest.mark.skipif("TENSORC_CHECK" in os.environ, reason="TENSORC_CHECK=memory gives each temporary a block")
def test_plans_for_named_sizes(tmp_path):
    """Under a limit, a package and a function with named sizes run with their plans."""
    w = tc.asarray(np.cos(np.arange(4096, dtype=np.float32)).reshape(64, 64))

    def chain(x):
        a = x @ w
        return tc.sum(a.T * (((a @ w) @ w) @ w).T)

    program = tc.record(chain, tc.Input(tc.float32, ("n", 64)))
    program.save(tmp_path / "m.tcpkg", memory_plans={"n": 1024})
    tc.compile_to(chain, tmp_path / "n.tcpkg", tc.Input(tc.float32, ("n", 64)), memory_plans={"n": 1024})
    planned = [tc.load_package(tmp_path / "m.tcpkg", "cpu"), tc.load_package(tmp_path / "n.tcpkg", "cpu")]
    with tc.device("cpu"):
        planned.append(program.function(memory_plans={"n": 1024}))
        whole = program.function()
        for rows in (1024, 3072):
            x = tc.ones((rows, 64)).eval()
            expected = whole(x).tolist()
            try:
                tc.set_memory_limit(tc.memory_stats("cpu")["allocated"] + rows * 64 * 4 * 5 // 2, "cpu")
                for call in planned:
                    assert call(x).tolist() == expected
                with pytest.raises(MemoryError, match="that main allocates would pass the limit"):
                    whole(x)
                tc.set_memory_limit(tc.memory_stats("cpu")["allocated"] + rows * 64, "cpu")
                with pytest.raises(MemoryError, match="that the smallest plan of main allocates would pass the limit"):
                    planned[0](x)
            finally:
                tc.set_memory_limit(0, "cpu")
    for plans, message in ({"n": 0}, "'n=0' is not of the form"), ({"k": 2}, "no value for the size n"), ({"n": 1, "k": 2}, "no argument has a size k"):
        with pytest.raises(ValueError, match=message):
            program.save(tmp_path / "m.tcpkg", memory_plans=plans)
    with pytest.raises(ValueError, match="memory_plans is for a package"):
        program.save(tmp_path / "m.so", memory_plans={"n": 2})


def test_altered_packages(tmp_path):
    """Constants are compared with their hashes where that is asked for."""
    w = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    tc.compile_to(lambda x: x @ tc.asarray(w), tmp_path / "good.tcpkg", tc.Input(tc.float32, (1, 3)))
    data = bytearray((tmp_path / "good.tcpkg").read_bytes())
    data[data.index(w.tobytes()) + 3] ^= 0x80
    (tmp_path / "altered.tcpkg").write_bytes(data)
    x = tc.ones((1, 3))
    assert tc.load_package(tmp_path / "good.tcpkg", verify=True)(x).tolist() == [[15, 18, 21, 24]]
    altered = tc.load_package(tmp_path / "altered.tcpkg")
    assert altered(x).tolist() == [[13, 18, 21, 24]]
    with pytest.raises(ValueError, match="altered: constant 0 does not have its hash"):
        altered.verify()
    with pytest.raises(ValueError, match="altered.tcpkg: package: altered: constant 0 does not have its hash"):
        tc.load_package(tmp_path / "altered.tcpkg", verify=True)


def test_random():
    key = tc.random.key(7)
    a, b = tc.random.split(key)
    assert tc.random.normal(a, (5,)).tolist() == tc.random.normal(a, (5,)).tolist() != tc.random.normal(b, (5,)).tolist()
    assert sorted(tc.random.permutation(a, 10).tolist()) == list(range(10))
    x = tc.random.randint(a, (100,), -3, 4)
    assert x.dtype == tc.int64 and x.min().item() >= -3 and x.max().item() <= 3
    assert 0.3 < tc.random.bernoulli(a, 0.5, (1000,)).mean().item() < 0.7


def test_a_key_for_each_example():
    keys = tc.random.split(tc.random.key(1), 3)
    assert keys.shape == (3, 2) and len(list(keys)) == 3
    made = tc.vmap(lambda key: tc.random.uniform(key, (4,)))(keys)
    assert made.tolist() == [tc.random.uniform(key, (4,)).tolist() for key in keys]


def test_axes_of_the_parts_of_arguments_and_results():
    x = tc.reshape(tc.arange(6.0), (2, 3))
    same, sums = tc.vmap(lambda x: (x, x.sum()), 0, (1, 0))(x)
    assert same.tolist() == x.T.tolist() and sums.tolist() == [3, 12]
    made = tc.vmap(lambda d: d["a"] * d["b"].sum(), in_axes=({"a": 0, "b": None},))({"b": tc.ones(4), "a": tc.arange(2.0)})
    assert made.tolist() == [0, 4]
    made = tc.vmap(lambda p, y: {"u": p[0] + p[1]["w"], "v": (p[1]["s"] + y, y)}, ((1, {"w": 0, "s": None}), 0),
                   {"u": -1, "v": 0})((x.T, {"w": x, "s": tc.asarray(1.0)}), tc.arange(2.0))  # fmt: skip
    assert made["u"].tolist() == (x + x).T.tolist() and [v.tolist() for v in made["v"]] == [[1, 2], [0, 1]]
    f = tc.vmap(lambda layer: layer.weight * 2, (Layer(0, None),))
    assert f(Layer(tc.arange(3.0))).tolist() == [0, 2, 4]


@pytest.mark.parametrize("in_axes, out_axes, error, text", [
    (({"a": 0},), 0, ValueError, "in_axes has dict of 1 where the value has dict of 2"), (((0, 0),), 0, ValueError, "in_axes has tuple"),
    (({"a": 0, "b": (0,)},), 0, ValueError, "in_axes has tuple of 1 where the value has one array"),
    (({"a": 0, "b": "x"},), 0, TypeError, "in_axes has str"),
    (0, (0, 0), ValueError, "out_axes has tuple of 2 where the value has one array"), (0, "x", TypeError, "out_axes has str"),
])  # fmt: skip
def test_axes_that_fit_no_value(in_axes, out_axes, error, text):
    with pytest.raises(error, match=f"vmap: {text}"):
        tc.vmap(lambda d: d["a"] + d["b"], in_axes, out_axes)({"a": tc.ones(2), "b": tc.ones(2)})


def test_assignments_to_parts_of_arguments():
    def changed(x, *_):
        x[0] = x[1] * 3
        return x

    x, rows = tc.asarray([1.0, 2.0]), tc.asarray([[1.0, 2.0], [3.0, 4.0]])
    results = [
        tc.jit(changed)(x), tc.cond(tc.asarray(True), changed, changed, x), tc.switch(tc.asarray(0), [changed], x),
        tc.fori_loop(0, 1, lambda i, s: changed(s), x), tc.scan(lambda s, part: (changed(s), part), x, rows[:1])[0],
        tc.scan(lambda s, part: (s, changed(part)), x, rows[:1])[1][0], tc.map(changed, rows)[0], tc.vmap(changed)(rows)[0],
        tc.while_loop(lambda s: s[0] < 6, changed, x), tc.while_loop(lambda s: s[0] < 6, changed, x, most=2),
        tc.jvp(changed, (x,), (x,))[0], tc.vjp(changed, x)[0], tc.checkpoint(changed)(x),
        tc.record(changed, tc.Input(tc.float32, (2,))).function()(x),
    ]  # fmt: skip
    assert [r.tolist() for r in results] == [[6, 2]] * len(results)
    assert tc.grad(lambda x: (changed(x) * x).sum())(x).tolist() == [0, 40]
    assert tc.jvp(changed, (x,), (x,))[1].tolist() == [6, 2] and tc.vjp(changed, x)[1](tc.ones(2))[0].tolist() == [0, 4]
    assert tc.grad(lambda x: tc.checkpoint(changed)(x).sum())(x).tolist() == [0, 4]
    assert x.tolist() == [1, 2] and rows.tolist() == [[1, 2], [3, 4]]


def test_gradients_of_products_at_one_place():
    """By an update these are the product of the others, of which some are 0."""
    x, c = tc.asarray([5.0, 7.0, 11.0]), tc.asarray([1.0, 10.0, 100.0])
    f = lambda u, x: (x.at[tc.asarray([0, 0, 1])].multiply(u) * c).sum()
    by = tc.grad(f, argnums=(0, 1))
    assert [g.tolist() for g in by(tc.asarray([2.0, 3.0, 4.0]), x)] == [[15, 10, 70], [6, 40, 100]]
    assert [g.tolist() for g in by(tc.asarray([0.0, 3.0, 0.0]), x)] == [[15, 0, 70], [0, 0, 100]]
    assert [g.tolist() for g in by(tc.asarray([0.0, 0.0, 4.0]), x)] == [[0, 0, 70], [0, 40, 100]]
    assert tc.hessian(lambda u: f(u, x))(tc.asarray([0.0, 3.0, 4.0])).tolist() == [[0, 5, 0], [5, 0, 0], [0, 0, 0]]


def test_gradients_of_complex_products_at_one_place():
    x, c = tc.asarray([5.0 + 1j, 7j, 11.0]), tc.asarray([1.0, 10.0, 100.0])
    at = tc.asarray([0, 0, 1])
    f = lambda u, x: ((x.at[at].multiply(u)) * c).real.sum()  # noqa: E731
    plain = lambda u, x: ((x * tc.stack([u[0] * u[1], u[2], tc.ones((), dtype="complex64")])) * c).real.sum()  # noqa: E731
    for u in ([2.0, 3j, 4.0 - 1j], [0.0, 3j, 0.0], [0.0, 0.0, 1j]):
        u = tc.asarray(u, dtype="complex64")
        for ours, expected in zip(tc.grad(f, argnums=(0, 1))(u, x), tc.grad(plain, argnums=(0, 1))(u, x)):
            np.testing.assert_allclose(ours.numpy(), expected.numpy(), rtol=1e-5)


def test_donated_places_that_no_argument_has():
    for place in (5, 1, -1):
        with pytest.raises(ValueError, match=f"jit: donate_argnums has {place}, and the function takes 1"):
            tc.jit(lambda x: x, donate_argnums=place)
    assert tc.jit(lambda *xs: xs[1] + 1, donate_argnums=1)(tc.ones(2), tc.ones(2)).tolist() == [2, 2]


def test_errors_name_the_function_that_was_called():
    x = tc.asarray([1.0, 2.0])

    def branch(x, *_):
        return x if x.sum() > 0 else -x

    calls = {
        "jit": lambda: tc.jit(branch)(x), "grad": lambda: tc.grad(branch)(x), "vmap": lambda: tc.vmap(branch)(x),
        "scan": lambda: tc.scan(lambda s, part: (branch(s), part), x, x), "fori_loop": lambda: tc.fori_loop(0, 2, lambda i, s: branch(s), x),
        "map": lambda: tc.map(branch, x), "jvp": lambda: tc.jvp(branch, (x,), (x,)), "vjp": lambda: tc.vjp(branch, x),
        "cond": lambda: tc.cond(tc.asarray(True), branch, branch, x), "while_loop": lambda: tc.while_loop(lambda s: s[0] < 0, branch, x),
    }  # fmt: skip
    for name, call in calls.items():
        with pytest.raises(ValueError, match=f"while {name} traces.*test_transforms.py"):
            call()
    for call, text in [
        (lambda: tc.fori_loop(0, 3, lambda i, s: s.sum(), x), "fori_loop: carried"),
        (lambda: tc.fori_loop(0, 3, lambda i, s: (s, s), x), "fori_loop: the state is an array .*, after an iteration a tuple of 2"),
        (lambda: tc.jit(lambda n: tc.fori_loop(0, n, lambda i, s: s + 1, x))(tc.asarray(3)), "fori_loop: the bounds must be numbers.*while_loop"),
        (lambda: tc.vmap(lambda n: tc.fori_loop(n, 3, lambda i, s: s + 1, x))(tc.arange(2)), "fori_loop: the bounds must be numbers.*while_loop"),
        (lambda: tc.fori_loop(-(2**62), 2**62, lambda i, s: s + 1, x), r"from -4611686018427387904 to 4611686018427387904 are more than 2\^63 - 1"),
        (lambda: tc.fori_loop(2**63 - 1, 2**63, lambda i, s: s + 1, x), "fori_loop: from .* int64"),
        (lambda: tc.jvp(lambda x: x * x, (x,), (tc.ones(3),)), "jvp: tangent 0 is float32 of shape \\(3,\\)"),
        (lambda: tc.vjp(lambda x: x * x, x)[1](tc.ones(3)), "vjp: the cotangent"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError, match="fori_loop: a bound must be an integer, not 3.0"):
        tc.fori_loop(0, 3.0, lambda i, s: s + 1, x)
    # What is known is a number, whatever holds it.
    assert tc.fori_loop(tc.asarray(1), np.int64(3), lambda i, s: s + i, tc.asarray(0)).item() == 3


def line_of(part):
    """FILE:LINE of the only line of this file that ends with the mark."""
    found = [i for i, text in enumerate(pathlib.Path(__file__).read_text(encoding="utf-8").splitlines(), 1) if text.endswith(f"# {part}")]
    assert len(found) == 1, part
    return f"{pathlib.Path(__file__).name}:{found[0]}"


def test_donated_arrays_say_what_reads_them():
    gone, x, f = tc.ones(3), tc.ones(3), tc.jit(lambda a, b: a + b, donate_argnums=0)
    f(gone, x)  # the gift

    def update():
        value = gone
        value += 1  # a read

    def write():
        gone[0] = 5  # a read

    calls = {
        "add": update, "index": write, "sum": lambda: gone.sum(), "softmax": lambda: tc.softmax(gone, axis=0), "matmul": lambda: x @ gone,
        "grad": lambda: tc.grad(tc.sum)(gone), "f": lambda: f(gone, x), "bool": lambda: not gone, "float": lambda: float(gone),
        "asarray": lambda: np.asarray(gone), "where": lambda: tc.where(x > 0, gone, x), "less": lambda: gone < 1,
        "concat": lambda: tc.concat(
            [x, gone],
        ),
    }  # fmt: skip
    for name, call in calls.items():
        with pytest.raises(ValueError, match=f"^{name}: the array was donated to the call at .*{line_of('the gift')}, .*: use what .*copy  at"):
            call()
    # Of a program whose text is not there both lines are.
    with pytest.raises(ValueError, match="^the array was donated to the call at .*, .*: use what .*copy  at <string>:1"):
        exec("gone + 1", {"gone": gone})


def test_errors_of_programs_name_both_lines_and_the_remedy():
    x, one = tc.ones(3), tc.asarray(1.0)

    def read(convert):
        def f(v):
            y = tc.sum(v * 2)  # the value
            return y * convert(y)  # its reader

        return f

    def loop(v):
        return tc.while_loop(lambda v: v < 9, lambda v: v * 2, v)  # the loop

    def nearest(v):
        return tc.sum(tc.nextafter(v, v + 1))  # the op

    cases = [
        (ValueError, "while has no gradient, .*: give it a bound, `most`, or use a scan", "the loop", "its grad", lambda: (
            tc.grad(loop)(one))),  # its grad
        (ValueError, "nextafter is not differentiable: stop_gradient .* custom_vjp", "the op", "another grad", lambda: (
            tc.grad(nearest)(x))),  # another grad
        (ValueError, r"^scan: the state is an array made .*, after an iteration a tuple of 2 made .*: give both the same tuples",
            "a carry", "a carry", lambda: tc.scan(lambda h, v: ((h, h * 1), v), one * 1, x)),  # a carry
        (TypeError, r"^scan: the body returns an array made .*, not a pair", "a body", "a body", lambda: tc.scan(lambda h, v: h + v, one, x)),  # a body
        (ValueError, r"^fori_loop: the state is an array made .*, after an iteration a tuple of 2", "a fori", "a fori", lambda: (
            tc.fori_loop(0, 2, lambda i, h: (h + 1, h), one * 2))),  # a fori
        (ValueError, r"^while_loop: the state is .*, after an iteration a list of 1", "a while", "a while", lambda: (
            tc.while_loop(lambda h: h < 3, lambda h: [h + 1], one * 2))),  # a while
        (ValueError, r"^cond: the result of the first branch is a tuple of 2 .*, that of the second an array", "a cond", "a cond", lambda: (
            tc.cond(one > 0, lambda v: (v * 2, v), lambda v: v + 1, x))),  # a cond
        (ValueError, r"^switch: the result of branch 0 is an array .*, that of branch 1 a dict", "a switch", "a switch", lambda: (
            tc.switch(0, [lambda v: v * 2, lambda v: {"a": v + 1}], x))),  # a switch
        (ValueError, "^item: the value of sum is not known while grad .*: choose by it with where, .* Tape", "the value", "its reader", lambda: (
            tc.grad(read(tc.Array.item))(x))),
        (ValueError, "^float: the value of sum is not known while vjp .*: choose by it with where, .* Tape", "the value", "its reader", lambda: (
            tc.vjp(read(float), x))),
        (ValueError, "^bool: the value of sum is not known while jit .*: choose by it with where, cond or while_loop  at", "the value",
            "its reader", lambda: tc.jit(read(bool))(x)),
        (ValueError, "^eval: the value of sum is not known while grad .*: choose by it with where, .* Tape", "the value", "its reader", lambda: (
            tc.grad(read(np.asarray))(x))),
        (ValueError, r"^jit: an array that is donated is an argument twice; .*: give the call a copy", "x", "a gift", lambda: (
            tc.jit(lambda a, b: (a + 1, b + 1), donate_argnums=(0, 1))(x, x))),  # a gift
    ]  # fmt: skip
    for error, text, first, second, call in cases:
        with pytest.raises(error, match=text) as caught:
            call()
        for mark in {first, second} - {"x"}:
            assert line_of(mark) in str(caught.value), str(caught.value)


def test_dicts_are_matched_by_their_keys():
    one, zero = tc.asarray(1.0), tc.asarray(0.0)
    both, turned = {"a": one, "b": one}, {"b": zero, "a": one}
    cubes = lambda d: d["a"] ** 2 + d["b"] ** 3  # noqa: E731
    assert tc.jvp(cubes, (both,), (turned,))[1].item() == 2
    assert {k: v.item() for k, v in tc.hvp(cubes, both, turned).items()} == {"a": 2, "b": 0}
    _, pull = tc.vjp(lambda x: {"a": x * 2, "b": x * 3}, one)
    assert pull(turned)[0].item() == 2
    double = tc.custom_vjp(lambda d: (d["a"] + d["b"], ()), lambda _, g: {"b": g * 20, "a": g * 10})
    assert {k: v.item() for k, v in tc.grad(double)(both).items()} == {"a": 10, "b": 20}
    sgd = tc.optim.SGD(0.5)
    changed, _ = sgd.update({"a": zero, "b": zero}, {"b": one, "a": zero}, sgd.init({"a": zero, "b": zero}))
    assert {k: v.item() for k, v in changed.items()} == {"a": 0, "b": -0.5}
    for wrong in (
        lambda: tc.jvp(cubes, (both,), ({"a": one, "q": one},)),
        lambda: pull((one, one)),
        lambda: sgd.update(both, {"a": one, "c": one}, sgd.init(both)),
        lambda: tc.jvp(lambda x: x[0] + x[1], ((one, one),), ([one, one],)),
    ):
        with pytest.raises(ValueError, match="keys|structures"):
            wrong()


def test_none_stands_for_what_has_no_derivative():
    x, i = tc.asarray([1.0, 2.0, 3.0]), tc.asarray([2, 0])
    assert tc.jvp(lambda x, i: x[i], (x, i), (tc.ones(3), None))[1].tolist() == [1, 1]
    picked = tc.custom_vjp(lambda x, i: (x[i].sum(), i), lambda i, g: (tc.ones(3) * g * 5, None))
    assert tc.grad(picked)(x, i).tolist() == [5, 5, 5]


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0], [-1000.0, 1000.0, 999.0, -np.inf], [-np.inf, -np.inf, 0.5], [4.0]])
def test_cumulative_logarithms_change_along_tangents(values):
    x, n = tc.asarray(values, dtype=tc.float64), len(values)
    forward = np.stack([tc.jvp(lambda x: tc.logcumsumexp(x), (x,), (tc.asarray(row),))[1].numpy() for row in np.eye(n)], 1)
    back = np.asarray(tc.jacobian(lambda x: tc.logcumsumexp(x))(x))
    order = np.array(values)
    with np.errstate(all="ignore"):
        weights = np.exp(order[None, :] - np.logaddexp.accumulate(order)[:, None])
    expected = np.nan_to_num(np.tril(weights))
    assert np.allclose(forward, expected) and np.allclose(back, expected)


def test_cumulative_logarithms_have_second_derivatives():
    x, n = np.array([0.3, -1.0, 2.0, 0.5]), 4
    weight = np.arange(n) - 1.0  # one is 0, where logarithms of weights have no derivative
    loss = lambda x: (tc.logcumsumexp(x) * tc.asarray(weight)).sum() ** 2  # noqa: E731
    second = np.asarray(tc.hessian(loss)(tc.asarray(x)))
    gradient = lambda x: np.asarray(tc.grad(loss)(tc.asarray(x)))  # noqa: E731
    differences = [(gradient(x + 1e-5 * row) - gradient(x - 1e-5 * row)) / 2e-5 for row in np.eye(n)]
    assert np.allclose(second, differences, atol=1e-6)


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "AdamW", "Lion", "Adafactor"])
def test_optimizers_keep_the_dtypes_of_parameters(optimizer):
    made = getattr(tc.optim, optimizer)(0.125)
    parameters = {"w": tc.ones((2, 3), dtype=tc.bfloat16)}
    state = made.init(parameters)
    changed, after = made.update(parameters, {"w": tc.ones((2, 3))}, state)
    assert changed["w"].dtype == tc.bfloat16
    assert [x.dtype for x in tc.tree.leaves(after)] == [x.dtype for x in tc.tree.leaves(state)]


def test_checks_of_numbers_pass_gradients_through():
    assert tc.grad(lambda x: tc.check_numerics(x * x, "x").sum())(tc.asarray([3.0])).tolist() == [6]


@pytest.mark.parametrize("name, call", [
    ("grad", lambda f, x: tc.grad(f)(x)), ("vmap", lambda f, x: tc.vmap(f)(tc.stack([x, x]))),
    ("scan", lambda f, x: tc.scan(lambda s, v: (f(x * v), s), x[0], x)),
    ("jit", lambda f, x: tc.jit(f)(x)), ("checkpoint", lambda f, x: tc.checkpoint(f)(x)), ("jvp", lambda f, x: tc.jvp(f, (x,), (x,))),
])  # fmt: skip
def test_what_traces_is_named(name, call):
    with pytest.raises(IndexError, match=f"while {name} traces"):
        call(lambda x: x[x > 1].sum(), tc.asarray([1.0, 2.0]))


def test_keyword_arguments_of_transforms():
    x = tc.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert tc.vmap(lambda x, *, k: x * k)(x, k=tc.asarray([1.0, 2.0])).tolist() == [[1, 4], [3, 8]]
    cubes = tc.checkpoint(lambda x, *, k: (x**3 * k).sum())
    assert tc.grad(lambda k: cubes(x[0], k=k))(tc.asarray(2.0)).item() == 9 and tc.grad(cubes)(x[0], k=2).tolist() == [6, 24]


X3 = tc.asarray([1.0, 2.0, 3.0])


@pytest.mark.parametrize("call, error, text", [
    (lambda: tc.custom_vjp(lambda x: x, lambda n, g: g)(X3), TypeError, "custom_vjp: forward returns one array, not a pair"),
    (lambda: tc.custom_vjp(lambda x: (x, x, x), lambda n, g: g)(X3), TypeError, "custom_vjp: forward returns tuple of 3, not a pair"),
    (lambda: tc.grad(lambda x: x.sum(), has_aux=True)(X3), TypeError, "grad: the function returns one array, not a pair"),
    (lambda: tc.jacobian(lambda x: x)((X3, X3)), TypeError, "jacobian: the argument is tuple, not an array"),
    (lambda: tc.jacobian(lambda x: (x, x))(X3), TypeError, "jacobian: the function returns tuple, not an array"),
    (lambda: tc.hessian(lambda x: x)({"a": X3}), TypeError, "hessian: the argument is dict, not an array"),
    (lambda: tc.vmap(lambda x: x, 0.5), TypeError, "vmap: in_axes is float"),
    (lambda: tc.vmap(lambda x: x, 0, 0.5)(X3), TypeError, "vmap: out_axes has float"),
    (lambda: tc.cond(tc.asarray(True), lambda x: {"a": x, "b": x}, lambda x: {"b": x, "a": x}, X3), ValueError, "keys 'a', 'b' .*keys 'b', 'a'"),
    (lambda: tc.fori_loop(0, 2, lambda i, s: {"a": s["a"], "c": s["b"]}, {"a": X3, "b": X3}), ValueError, "keys 'a', 'b' .*keys 'a', 'c'"),
])  # fmt: skip
def test_refusals_say_what_was_given(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_results_of_integers_have_no_cotangent():
    (y, i), pull = tc.vjp(lambda x: (x * x, tc.argmax(x)), X3)
    for nothing in (None, tc.asarray(0), np.zeros((), np.int64)):
        assert pull((tc.ones(3), nothing))[0].tolist() == [2, 4, 6]
    assert i.item() == 2


def test_a_tape_is_asked_within_its_block():
    with tc.Tape() as tape:
        tape.watch(X3)
        y = X3.sum()
    for call in (lambda: tape.gradient(y, X3), lambda: tape.watch(X3)):
        with pytest.raises(ValueError, match="released at the end of its `with` block.*  at .*test_transforms.py"):
            call()


def test_long_chains_are_computed_in_pieces_that_are_alike():
    functions = [tc.sin, tc.cos, tc.tanh, lambda x: x * x, lambda x: x + X3]

    def chain(x):
        for i in range(8300):  # a longer path than the library leaves unevaluated
            x = functions[i % 5](x)
        return x.sum()

    tc.reset_compile_stats()
    assert np.isfinite(tc.grad(chain)(X3).numpy()).all()
    assert tc.compile_stats()["compilations"] < 30
