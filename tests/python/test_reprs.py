"""What Python prints of objects that are no arrays: the same in each run."""

import inspect

import pytest

import tensorc as tc
from tensorc import nn, optim


def half(x):
    return x / 2


def schedule(step):
    return 0.1 / (1 + step)


TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
OBJECTS = {
    "jit": (lambda: tc.jit(half), "<jit of half, traces: 0>"),
    "grad": (lambda: tc.grad(half), "<grad of half>"),
    "value_and_grad": (lambda: tc.value_and_grad(half), "<value_and_grad of half>"),
    "grad of grad": (lambda: tc.grad(tc.grad(half)), "<grad of <grad of half>>"),
    "vmap of jit": (lambda: tc.vmap(tc.jit(half)), "<vmap of <jit of half, traces: 0>>"),
    "jit of vmap": (lambda: tc.jit(tc.vmap(half)), "<jit of <vmap of half>, traces: 0>"),
    "jacobian": (lambda: tc.jacobian(half), "<jacobian of half>"),
    "hessian": (lambda: tc.hessian(half), "<hessian of <grad of half>>"),
    "checkpoint": (lambda: tc.checkpoint(half), "<checkpoint of half>"),
    "vjp": (lambda: tc.vjp(half, tc.ones(2))[1], "<vjp of half>"),
    "shard_map": (lambda: tc.distributed.shard_map(half, tc.Mesh({"x": 2}), [()], ()), "<shard_map of half>"),
    "custom_vjp": (lambda: tc.custom_vjp(half, half), "<custom_vjp of half>"),
    "callable object": (lambda: tc.grad(nn.Flatten()), "<grad of Flatten>"),
    "Tape": (tc.Tape, "Tape()"),
    "Stream": (lambda: tc.Stream("cpu"), "Stream('cpu:0')"),
    "Event": (lambda: tc.Event(), "Event()"),
    "default_dtype": (lambda: tc.default_dtype("float64"), "default_dtype(tensorc.float64)"),
    "program": (lambda: tc.record(half, tc.Input("float32", ("n",))), "<program main("),
    "program that was read": (lambda: tc.read_program(TEXT), "<program main("),
    "SGD": (lambda: optim.SGD(0.1), "SGD(rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False)"),
    "Adam": (lambda: optim.Adam(schedule), "Adam(rate=schedule, beta1=0.9, beta2=0.999, epsilon=1e-08, weight_decay=0.0)"),
    "LossScaler": (optim.LossScaler, "LossScaler(initial=32768.0, growth=2.0, backoff=0.5, interval=2000)"),
    "Flatten": (nn.Flatten, "Flatten()"),
    "Sequential": (lambda: nn.Sequential(half, nn.Flatten()), "Sequential(\n  layers: [half, Flatten()]\n)"),
    "schedule": (lambda: optim.step_schedule(0.1, 10, 0.5), "<step_schedule(0.1, 10, 0.5)>"),
    "rate by a schedule": (lambda: optim.SGD(optim.cosine_schedule(0.1, 9)), "SGD(rate=cosine_schedule(0.1, 9, 0, 0.0), momentum"),
    "array_namespace_info": (tc.__array_namespace_info__, "__array_namespace_info__()"),
    "at": (lambda: tc.asarray([1.5]).at, "array([1.5], dtype=float32).at"),
    "place": (lambda: tc.asarray([1.5]).at[0, ...], "array([1.5], dtype=float32).at[(0, Ellipsis)]"),
    "device": (lambda: tc.device("cpu"), "device('cpu:0')"),
    "Input": (lambda: tc.Input("float32", ("n",)), "Input(float32, ('n',))"),
}  # fmt: skip


@pytest.mark.parametrize("name", OBJECTS)
def test_texts_have_no_addresses(name):
    make, expected = OBJECTS[name]
    text = repr(make())
    assert text.startswith(expected) and "0x" not in text and text == repr(make())


def test_transformed_functions_are_functions():
    class Model:
        scale = 3.0

        gradient = tc.grad(lambda self, x: tc.sum(self.scale * x * x), argnums=1)

    assert Model().gradient(tc.asarray([1.0, 2.0])).tolist() == [6, 12]
    f = tc.grad(half)
    assert f.__name__ == "half" and f.__wrapped__ is half and list(inspect.signature(f).parameters) == ["x"]
    assert tc.vmap(f)(tc.ones(3)).tolist() == [0.5] * 3


def test_text_of_a_package(tmp_path):
    tc.compile_to(half, tmp_path / "half.tcpkg", tc.Input("float32", ("n",)))
    text = repr(tc.load_package(tmp_path / "half.tcpkg"))
    assert text.startswith("<package for cpu") and "arg0: float32['n']" in text and "0x" not in text


def test_programs_are_called():
    program = tc.read_program(TEXT)
    (result,) = program(tc.asarray([1.0, 2.0]))
    assert result.tolist() == [1, 2] and program([3.0, 4.0])[0].tolist() == [3, 4]
    recorded = tc.record(lambda x: {"half": x / 2}, tc.Input("float32", ("n",)))
    assert recorded(tc.ones(4))["half"].tolist() == [0.5] * 4 and recorded(tc.ones(1))["half"].tolist() == [0.5]
    with pytest.raises(ValueError, match="argument"):
        program(tc.ones(3))
