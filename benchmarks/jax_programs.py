"""Compares JAX programs on tensorc with JAX's own CPU backend. Both run alternately in one process.

    JAX_PLATFORMS=tensorc,cpu PYTHONPATH=build/python python3 benchmarks/jax_programs.py [NAME ...]

The script needs Flax and Optax, and also Diffrax and NumPyro for the rows of these libraries. Each row has the time of
the first call, which compiles, and the median of later calls. Times are CPU times of one thread, which other load on
the machine affects little.
"""

import os
import statistics
import sys
import time

os.environ["TENSORC_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false --xla_force_host_platform_device_count=1 intra_op_parallelism_threads=1"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

random = np.random.default_rng(7)
ROUNDS, SECONDS = 15, 0.15  # rounds, and seconds of each library per round


def normal(*shape):
    return random.standard_normal(shape).astype(np.float32)


# Each function returns a function and its arguments. The returned function is then jitted.


def scalar():
    return lambda x: x + 1, [normal(16)]


def twenty_arrays():
    return lambda *arrays: [x * 2 + 1 for x in arrays], [normal(16) for _ in range(20)]


def tanh_chain():
    return lambda x: sum(jnp.tanh(x * k) + k for k in range(1, 6)), [normal(1000)]


def matmul():
    return lambda a: a @ a, [normal(512, 512)]


def elementwise():
    return lambda x: jnp.sin(x) * 2 + x, [normal(1 << 22)]


def perceptron_step():
    def loss(parameters, x, y):
        (a, b), (c, d) = parameters
        return jnp.mean((jax.nn.relu(x @ a + b) @ c + d - y) ** 2)

    def step(parameters, x, y):
        return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, jax.grad(loss)(parameters, x, y))

    return step, [[(normal(784, 128), normal(128)), (normal(128, 10), normal(10))], normal(64, 784), normal(64, 10)]


def initialized(model, *inputs):
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.tree.map(np.asarray, jax.jit(model.init)(jax.random.key(0), *inputs))


def resnet50():
    import flax.linen as nn

    class Block(nn.Module):
        features: int
        stride: int

        @nn.compact
        def __call__(self, x):
            normalize = lambda y: nn.BatchNorm(use_running_average=True)(y)
            y = nn.relu(normalize(nn.Conv(self.features, (1, 1), use_bias=False)(x)))
            y = nn.relu(normalize(nn.Conv(self.features, (3, 3), strides=self.stride, use_bias=False)(y)))
            y = normalize(nn.Conv(4 * self.features, (1, 1), use_bias=False)(y))
            if x.shape != y.shape:
                x = normalize(nn.Conv(4 * self.features, (1, 1), strides=self.stride, use_bias=False)(x))
            return nn.relu(x + y)

    class ResNet(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.relu(nn.BatchNorm(use_running_average=True)(nn.Conv(64, (7, 7), strides=2, use_bias=False)(x)))
            x = nn.max_pool(x, (3, 3), (2, 2), "SAME")
            for i, count in enumerate((3, 4, 6, 3)):
                for j in range(count):
                    x = Block(64 << i, 2 if i and not j else 1)(x)
            return nn.Dense(1000)(x.mean((1, 2)))

    x = normal(1, 224, 224, 3)
    return ResNet().apply, [initialized(ResNet(), x), x]


def transformer(layers, width, heads, vocabulary, length, batch):
    """Returns a model, its parameters and tokens."""
    import flax.linen as nn

    class Layer(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.LayerNorm()(x + nn.MultiHeadDotProductAttention(heads)(x, x))
            return nn.LayerNorm()(x + nn.Dense(width)(nn.gelu(nn.Dense(4 * width)(x))))

    class Transformer(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(vocabulary, width)(tokens) + self.param("positions", nn.initializers.normal(), (length, width))
            for _ in range(layers):
                x = Layer()(x)
            return nn.Dense(vocabulary)(x)

    tokens = random.integers(0, vocabulary, (batch, length)).astype(np.int32)
    return Transformer(), initialized(Transformer(), tokens), tokens


def bert():
    model, parameters, tokens = transformer(12, 768, 12, 2000, 128, 1)
    return model.apply, [parameters, tokens]


def transformer_step():
    import optax

    model, parameters, tokens = transformer(2, 128, 4, 256, 64, 8)
    optimizer = optax.adamw(1e-3)

    def loss(parameters, tokens):
        logits = model.apply(parameters, tokens)
        return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], tokens[:, 1:]).mean()

    def step(parameters, state, tokens):
        value, gradients = jax.value_and_grad(loss)(parameters, tokens)
        updates, state = optimizer.update(gradients, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    with jax.default_device(jax.devices("cpu")[0]):
        state = jax.tree.map(np.asarray, optimizer.init(parameters))
    return step, [parameters, state, tokens]


def ode(field, solver, start, end):
    import diffrax

    control = diffrax.PIDController(rtol=1e-5, atol=1e-6)

    def solve(y, *arguments):
        return diffrax.diffeqsolve(diffrax.ODETerm(field), getattr(diffrax, solver)(), 0.0, end, 0.01, y, args=arguments,
                                   stepsize_controller=control, max_steps=4096).ys  # fmt: skip

    return solve, [start]


def lotka_volterra():
    return ode(lambda t, y, _: jnp.stack([y[0] * (1 - y[1]), y[1] * (y[0] - 1)]), "Dopri5", np.array([2, 1], np.float32), 20.0)


def van_der_pol_stiff():
    return ode(lambda t, y, _: jnp.stack([y[1], 20 * (1 - y[0] ** 2) * y[1] - y[0]]), "Kvaerno3", np.array([2, 0], np.float32), 10.0)


def neural_ode():
    solve, _ = ode(lambda t, y, w: jnp.tanh(y @ w[0]) @ w[1], "Tsit5", None, 1.0)
    weights = [normal(16, 32) / 8, normal(32, 16) / 8]
    return jax.grad(lambda w, y: jnp.sum(solve(y, *w) ** 2)), [weights, normal(64, 16)]


def nuts(model, *arguments):
    import numpyro

    numpyro.set_host_device_count(1)
    kernel = numpyro.infer.NUTS(model)

    def run(*arguments):
        sampler = numpyro.infer.MCMC(kernel, num_warmup=100, num_samples=100, progress_bar=False)
        sampler.run(jax.random.PRNGKey(0), *arguments)
        return sampler.get_samples()

    run.is_jitted = True
    return run, list(arguments)


def eight_schools():
    import numpyro
    from numpyro import distributions as d

    def model(effects, errors):
        mean, scale = numpyro.sample("mean", d.Normal(0, 5)), numpyro.sample("scale", d.HalfCauchy(5))
        with numpyro.plate("schools", 8):
            z = numpyro.sample("z", d.Normal(0, 1))
            numpyro.sample("effect", d.Normal(mean + scale * z, errors), obs=effects)

    effects = np.array([28, 8, -3, 7, -1, 1, 18, 12], np.float32)
    return nuts(model, effects, np.array([15, 10, 16, 11, 9, 11, 10, 18], np.float32))


def logistic_regression():
    import numpyro
    from numpyro import distributions as d

    def model(x, y):
        weights = numpyro.sample("weights", d.Normal(0, 1).expand([8]).to_event(1))
        numpyro.sample("y", d.Bernoulli(logits=x @ weights), obs=y)

    x = normal(500, 8)
    return nuts(model, x, (x.sum(1) > 0).astype(np.float32))


def gaussian_process():
    def loss(parameters, x, y):
        scale, length = jnp.exp(parameters)
        covariance = scale * jnp.exp(-((x[:, None] - x) ** 2) / length) + 0.1 * jnp.eye(len(x))
        factor = jnp.linalg.cholesky(covariance)
        z = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
        return z @ z / 2 + jnp.log(jnp.diagonal(factor)).sum()

    return jax.value_and_grad(loss), [np.zeros(2, np.float32), normal(100), normal(100)]


CASES = {
    "a call of x + 1, 16 floats": scalar,
    "a call with 20 arrays": twenty_arrays,
    "tanh(x * k) + k, five times": tanh_chain,
    "a @ a, 512 x 512": matmul,
    "sin(x) * 2 + x, 4 million floats": elementwise,
    "a perceptron's training step": perceptron_step,
    "ResNet-50, one image": resnet50,
    "BERT (base), 128 tokens": bert,
    "a transformer's training step (Flax, AdamW)": transformer_step,
    "Diffrax: Lotka-Volterra, Dopri5": lotka_volterra,
    "Diffrax: van der Pol, stiff, Kvaerno3": van_der_pol_stiff,
    "Diffrax: gradient of a neural ODE, Tsit5": neural_ode,
    "NumPyro: eight schools, NUTS": eight_schools,
    "NumPyro: logistic regression, NUTS": logistic_regression,
    "gradient of a Gaussian process": gaussian_process,
}


class Side:
    def __init__(self, platform, function, arguments):
        self.device = jax.devices(platform)[0]
        self.function = function if hasattr(function, "is_jitted") else jax.jit(function)
        self.arguments = jax.device_put(arguments, self.device)
        start = time.process_time()
        self.call()
        self.first = time.process_time() - start
        start = time.process_time()
        self.call()
        self.count = max(1, int(SECONDS / (time.process_time() - start)))
        self.times = []

    def call(self):
        with jax.default_device(self.device):
            return jax.block_until_ready(self.function(*self.arguments))

    def round(self):
        with jax.default_device(self.device):
            start = time.process_time()
            for _ in range(self.count):
                result = self.function(*self.arguments)
            jax.block_until_ready(result)
            self.times.append((time.process_time() - start) / self.count)


def shown(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            break
    return f"{seconds * factor:.3g} {unit}"


def main(names):
    print("| program | first call | JAX's CPU backend | ratio | later calls | JAX's CPU backend | ratio |\n|---|---|---|---|---|---|---|")
    for name, make in CASES.items():
        if names and make.__name__ not in names:
            continue
        function, arguments = make()
        sides = [Side(platform, function, arguments) for platform in ("tensorc", "cpu")]
        slow = max(side.first for side in sides) > 20
        for _ in range(3 if slow else ROUNDS):
            for side in sides:
                side.round()
        (ours, theirs) = (statistics.median(side.times) for side in sides)
        print(f"| {name} | {shown(sides[0].first)} | {shown(sides[1].first)} | {sides[1].first / sides[0].first:.2f} | "
              f"{shown(ours)} | {shown(theirs)} | {theirs / ours:.2f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
