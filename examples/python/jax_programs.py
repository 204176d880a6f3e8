"""Runs JAX programs on tensorc: trains a perceptron of Flax and compiles it to a package, and simulates planets around
the sun by a scan."""

import os
import tempfile

import jax
import jax.numpy as jnp
from flax import linen

import tensorc as tc
import tensorc.jax


class Perceptron(linen.Module):
    @linen.compact
    def __call__(self, x):
        for width in (64, 64):
            x = linen.relu(linen.Dense(width)(x))
        return linen.Dense(10)(x)


def digits():
    """Returns images [1797, 8, 8] of handwritten digits with values of 0 to 16, and their labels."""
    from sklearn.datasets import load_digits

    data = load_digits()
    return jnp.asarray(data.images.reshape(-1, 64) / 16, jnp.float32), jnp.asarray(data.target, jnp.int32)


def train(steps=200, rate=0.5):
    """Returns (accuracy on images that were not used for training, the model's function, its parameters)."""
    model = Perceptron()
    x, label = digits()
    params = model.init(jax.random.key(0), x[:1])

    def loss(params, x, label):
        logarithms = jax.nn.log_softmax(model.apply(params, x))
        return -jnp.take_along_axis(logarithms, label[:, None], 1).mean()

    @tensorc.jax.jit
    def step(params, x, label):
        value, gradient = jax.value_and_grad(loss)(params, x, label)
        return jax.tree.map(lambda p, g: p - rate * g, params, gradient), value

    for i in range(steps):
        params, value = step(params, x[:1400], label[:1400])
        if i % 100 == 99:
            print(f"step {i + 1}: {value < 0.5}")
    known = tensorc.jax.jit(model.apply)(params, x[1400:]).argmax(1) == label[1400:]
    return float(known.mean()), model.apply, params


@tensorc.jax.jit
def orbits(position, velocity):
    """Returns positions [1000, n, 2] of planets around a sun of mass 1, by leapfrog steps of 0.01."""
    time = 0.01

    def pull(x):
        return -x / jnp.sum(x * x, -1, keepdims=True) ** 1.5

    def step(state, _):
        position, velocity = state
        velocity = velocity + time / 2 * pull(position)
        position = position + time * velocity
        velocity = velocity + time / 2 * pull(position)
        return (position, velocity), position

    return jax.lax.scan(step, (position, velocity), length=1000)[1]


def main():
    right, apply, params = train()
    print("right:", right > 0.9)

    path = os.path.join(tempfile.mkdtemp(), "digits.tcpkg")
    tensorc.jax.export(lambda x: apply(params, x), (jnp.ones((5, 64)),), path)
    package = tc.load_package(path)
    print("package:", package.inputs(), package(tc.ones((5, 64))).shape)

    radius = jnp.asarray([1.0, 1.5, 2.0])
    start = jnp.stack([radius, jnp.zeros(3)], -1)
    path = orbits(start, jnp.stack([jnp.zeros(3), radius**-0.5], -1))
    print("circles:", bool((abs(jnp.linalg.norm(path, axis=-1) - radius) < 1e-3).all()))
    return right, path


if __name__ == "__main__":
    main()
