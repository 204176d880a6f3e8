"""Trains a classifier for the points of two spirals, saves it, and compiles it to a package that runs without
Python."""

import os
import tempfile

import tensorc as tc
from tensorc import nn, optim


def spirals(key, count):
    first, second = tc.random.split(key)
    label = tc.arange(count) % 2
    turn = tc.random.uniform(first, (count,)) * 3 + 0.5
    angle = turn * 2 + label * tc.pi
    noise = tc.random.normal(second, (count, 2)) * 0.05
    return tc.stack([turn * tc.cos(angle), turn * tc.sin(angle)], axis=-1) + noise, label


def main(steps=300):
    keys = tc.random.split(tc.random.key(0), 5)
    model = nn.Sequential(nn.Linear(2, 64, key=keys[0]), nn.SiLU(), nn.Linear(64, 64, key=keys[1]), nn.SiLU(),
                          nn.Linear(64, 2, key=keys[2]))  # fmt: skip
    x, label = spirals(keys[3], 512)
    adam = optim.Adam(0.01)

    def loss(model):
        return nn.cross_entropy(model(x), label)

    @tc.jit
    def step(model, state):
        value, gradient = tc.value_and_grad(loss)(model)
        return *adam.update(model, gradient, state), value

    state = adam.init(model)
    for i in range(steps):
        model, state, value = step(model, state)
        if i % 100 == 99:
            print(f"step {i + 1}: {float(value) < 0.5}")
    test, expected = spirals(keys[4], 256)
    right = float(tc.mean((tc.argmax(model(test), axis=-1) == expected).astype(tc.float32)))
    print("right:", right > 0.9)

    path = os.path.join(tempfile.mkdtemp(), "spirals.tcpkg")
    tc.compile_to(lambda x: nn.softmax(model(x)), path, tc.Input(tc.float32, ("n", 2)))
    package = tc.load_package(path)
    print("package:", package.inputs(), package(test).shape)
    return right


if __name__ == "__main__":
    main()
