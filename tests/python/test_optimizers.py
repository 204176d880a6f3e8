"""tc.optim is C++'s: the same bits, states that are saved, and what is refused."""

import gc
import os
import pickle

import numpy as np
import pytest

import tensorc as tc
from tensorc import optim


def bits(x):
    return [int(v) for v in np.asarray(x, dtype=np.float32).view(np.uint32).ravel()]


# OptimTest.cpp has these bits, of C++'s own steps.
STEPS = {
    "sgd": (optim.SGD(0.1, momentum=0.9, dampening=0.25, weight_decay=0.01, nesterov=True), [1033019418, 3250307542, 3171392168, 1035012084]),
    "adam": (optim.Adam(0.1, weight_decay=0.01), [1058756202, 3222908011, 3183715755, 1050529045]),
    "adamw": (optim.AdamW(optim.cosine_schedule(0.1, 10, warmup=2)), [1059572987, 3222650867, 3174158742, 1052181612]),
    "lion": (optim.Lion(optim.linear_schedule(0.1, 0.01, 4)), [1060907254, 3222336963, 1024416814, 1054783569]),
    "adafactor": (optim.Adafactor(0.1, weight_decay=0.01), [1059367601, 3222980640, 3201098732, 1052367161]),
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("jit", [tc.jit, lambda f: f])
def test_bits_of_cpp(name, jit):
    optimizer, expected = STEPS[name]
    w = {"w": tc.asarray([[1.0, -2.0], [0.3, 0.7]]), "name": "w"}
    state = optimizer.init(w)
    step = jit(lambda w, state: optimizer.update(w, {"w": w["w"] * w["w"] + 0.25, "name": None}, state))
    for i in range(4):
        w, state = step(w, state)
        if i == 1:
            state = pickle.loads(pickle.dumps(state))
    assert bits(w["w"]) == expected and w["name"] == "w" and state["step"].item() == 4


def test_gradients_of_other_dtypes_and_none():
    adam = optim.Adam(0.5)
    w = [tc.ones(2), tc.ones(2), 3]
    state = adam.init(w)
    assert [x is None for x in state["first"]] == [False, False, True]
    w, after = adam.update(w, [np.ones(2), None, None], state)
    np.testing.assert_allclose(w[0].numpy(), 0.5, rtol=1e-5)
    assert w[1].tolist() == [1, 1] and w[2] == 3 and after["first"][1].tolist() == [0, 0] and after["step"].item() == 1
    with pytest.raises(ValueError, match=r"adam: a gradient has the shape \[3\], its parameter \[2\]  at .*test_optimizers.py"):
        adam.update(w, [tc.ones(3), None, None], state)
    with pytest.raises(TypeError):
        optim.SGD("fast").update(w, w, optim.SGD(0.1).init(w))


def test_lbfgs_varies_all_floats():
    start = {"x": tc.asarray([1.0, 2.0]), "y": tc.asarray(3.0, dtype=tc.float64), "n": tc.asarray(2), "z": 4.0}
    fit = optim.lbfgs(lambda p: tc.sum(tc.square(p["x"] - 1.0)).astype(tc.float64) + (p["y"] * p["n"] - p["z"]) ** 2 + (p["z"] - 6.0) ** 2, start)
    assert fit.converged and fit.parameters["n"].item() == 2 and fit.parameters["x"].dtype == tc.float32
    assert abs(fit.parameters["y"].item() - 3) < 1e-3 and abs(fit.parameters["z"].item() - 6) < 1e-3
    with pytest.raises(TypeError, match="lbfgs: the function returns float, not an array"):
        optim.lbfgs(lambda p: 1.0, tc.ones(2))
    with pytest.raises(ZeroDivisionError):
        optim.lbfgs(lambda p: 1 / 0, tc.ones(2))


@pytest.mark.parametrize("name", STEPS)
def test_state_on_the_host_has_the_same_bits(name):
    optimizer, expected = STEPS[name]
    hosted = optim.OnHost(optimizer)
    w = {"w": tc.asarray([[1.0, -2.0], [0.3, 0.7]]), "name": "w"}
    state = hosted.init(w)
    for _ in range(4):
        w, state = hosted.update(w, {"w": w["w"] * w["w"] + 0.25, "name": None}, state)
    assert bits(w["w"]) == expected and w["name"] == "w" and state["step"].item() == 4
    assert repr(hosted).startswith("OnHost(optimizer=")
    # Adafactor has no columns of a vector.
    w = alone = [tc.asarray([1.0, -2.0]), tc.asarray([[0.3, 0.7]])]
    state, own = hosted.init(w), optimizer.init(w)
    for _ in range(3):
        w, state = hosted.update(w, [x * x + 0.25 for x in w], state)
        alone, own = optimizer.update(alone, [x * x + 0.25 for x in alone], own)
    assert [bits(x) for x in w] == [bits(x) for x in alone]


@pytest.mark.skipif("TENSORC_CHECK" in os.environ, reason="TENSORC_CHECK=memory widens blocks")
def test_state_on_the_host_leaves_memory_of_the_device():
    """Eight layers on a simulated GPU: the state is twice as large as the parameters, and at most three parts of it are there."""
    device = tc.device("sim:0")
    rng, size = np.random.default_rng(0), 96
    values = [rng.standard_normal((size, size), np.float32) * 0.1 for _ in range(8)]
    x = tc.asarray(rng.standard_normal((16, size), np.float32)).to(device).eval()

    def loss(w):
        h = x
        for each in w:
            h = tc.tanh(tc.matmul(h, each))
        return tc.mean(h * h)

    gradient = tc.jit(tc.grad(loss))

    def train(optimizer):
        w = [tc.asarray(each).to(device).eval() for each in values]
        state = optimizer.init(w)
        tc.synchronize(device)
        gc.collect()
        tc.empty_cache(str(device))
        tc.reset_peak(str(device))
        for _ in range(2):
            w, state = optimizer.update(w, gradient(w), state)
            tc.eval(*w)
        tc.synchronize(device)
        assert state["first"][0].device == tc.device("cpu" if isinstance(optimizer, optim.OnHost) else device)
        return [each.tolist() for each in w], device.memory_stats()["peak"]

    adam = optim.Adam(0.01)
    expected, whole = train(adam)
    actual, less = train(optim.OnHost(adam))
    assert actual == expected
    assert less < whole - 10 * size * size * 4, f"{less} of {whole}"
