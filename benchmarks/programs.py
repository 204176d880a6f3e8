#!/usr/bin/env python3
"""Compares training steps and loops with JAX and PyTorch on the CPU, in one run.

  PYTHONPATH=build/python python3 benchmarks/programs.py             all rows, as a table
  ... programs.py --only=loop --rounds=9                             some rows
  ... programs.py --memory                                          the memory of training steps
  ... programs.py --output=table.md                                 the table as a file

The Python interpreter needs JAX, and PyTorch for the rows that name it. The libraries take turns. A time is the median
over all rounds of the CPU time of a call on one thread. Results are compared before a row is timed. tensorc and JAX run
the same Python functions; PyTorch runs modules of the same sizes with torch.compile. A first call includes recording
and compilation.

The memory of a step is the peak memory of parameters, data, gradients and temporaries. For tensorc it is the peak of
the allocator, for JAX it is XLA's analysis of the compiled step, and for PyTorch it is the profiler's peak of the
allocator plus the parameters, gradients and data. The steps of tensorc and JAX take parameters as arguments; PyTorch's
step updates its own parameters.
"""

import argparse
import os
import platform
import statistics
import sys
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--only", default="", help="the rows whose name contains this")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--milliseconds", type=float, default=50, help="the least time of a side in a round")
parser.add_argument("--memory", action="store_true", help="the memory of training steps, in place of times")
parser.add_argument("--list", action="store_true", help="the rows' names")
parser.add_argument("--output", help="a file for the table")
options = parser.parse_args()
os.environ["TENSORC_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402

import tensorc as tc  # noqa: E402

torch.set_num_threads(1)
jax.config.update("jax_default_matmul_precision", "highest")
random = np.random.default_rng(0)


def normal(*shape, scale=1.0):
    return (random.standard_normal(shape) * scale).astype(np.float32)


class Ours:
    """Functions whose names or parameters differ between the two libraries. All other functions have the same names."""

    xp, grad, jit = tc, staticmethod(tc.value_and_grad), staticmethod(tc.jit)
    fori, scan, to, map = staticmethod(tc.fori_loop), staticmethod(tc.scan), staticmethod(tc.asarray), staticmethod(tc.tree.map)
    relu, sigmoid, gelu = staticmethod(tc.relu), staticmethod(tc.sigmoid), staticmethod(tc.gelu)
    log_softmax = staticmethod(tc.log_softmax)

    @staticmethod
    def conv(x, w, stride):
        return tc.nn.functional.conv(x, w, stride=stride, padding=w.shape[2] // 2)

    @staticmethod
    def layer_norm(x, scale, bias):
        return tc.nn.functional.layer_norm(x, scale, bias)

    @staticmethod
    def attention(q, k, v):
        return tc.nn.functional.attention(q, k, v, causal=True)

    @staticmethod
    def wait(values):
        tc.eval(*tc.tree.flatten(values)[0])
        return values

    @staticmethod
    def memory(call, step, arguments):
        device = tc.devices()[0]
        call()
        device.reset_peak()
        call()
        return device.memory_stats()["peak"]


class Theirs:
    xp, grad, jit = jnp, staticmethod(jax.value_and_grad), staticmethod(jax.jit)
    fori, scan, to, map = staticmethod(jax.lax.fori_loop), staticmethod(jax.lax.scan), staticmethod(jnp.asarray), staticmethod(jax.tree.map)
    relu, sigmoid = staticmethod(jax.nn.relu), staticmethod(jax.nn.sigmoid)
    log_softmax = staticmethod(jax.nn.log_softmax)

    @staticmethod
    def gelu(x):
        return jax.nn.gelu(x, approximate=False)

    @staticmethod
    def conv(x, w, stride):
        pad = w.shape[2] // 2
        return jax.lax.conv_general_dilated(x, w, (stride, stride), [(pad, pad)] * 2)

    @staticmethod
    def layer_norm(x, scale, bias):
        mean = x.mean(-1, keepdims=True)
        variance = jnp.square(x - mean).mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + bias

    @staticmethod
    def attention(q, k, v):  # N, heads, length, size
        score = jnp.einsum("nhqd,nhkd->nhqk", q, k) / q.shape[-1] ** 0.5
        mask = jnp.tril(jnp.ones(score.shape[-2:], bool))
        return jnp.einsum("nhqk,nhkd->nhqd", jax.nn.softmax(jnp.where(mask, score, -jnp.inf), -1), v)

    @staticmethod
    def wait(values):
        return jax.block_until_ready(values)

    @staticmethod
    def memory(call, step, arguments):
        m = step.lower(*arguments).compile().memory_analysis()
        return m.argument_size_in_bytes + m.output_size_in_bytes + m.temp_size_in_bytes - m.alias_size_in_bytes


def cross_entropy(lib, logits, hot):
    return -(lib.log_softmax(logits) * hot).sum(-1).mean()


def one_hot(count, classes):
    return np.eye(classes, dtype=np.float32)[random.integers(0, classes, count)]


def train(lib, loss, parameters, *data):
    """Returns a step of gradient descent whose results are the arguments of the next step."""
    update = lambda p, *d: (lambda v, g: (v, lib.map(lambda a, b: a - b * 0.01, p, g)))(*lib.grad(lambda p: loss(lib, p, *d))(p))
    step = lib.jit(update, donate_argnums=0)
    state, given = [lib.map(lib.to, parameters)], [lib.to(d) for d in data]

    def call():
        value, state[0] = lib.wait(step(state[0], *given))
        return value

    call.memory = lambda: lib.memory(call, step, (state[0], *given))
    return call


def torch_train(model, loss, data):
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def forward_backward():
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        return value

    def memory():
        forward_backward()
        kept = sum(p.nbytes + p.grad.nbytes for p in model.parameters()) + sum(d.nbytes for d in data)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
            forward_backward()
        now = most = 0
        for event in profile.profiler.kineto_results.events():
            if event.name() == "[memory]":
                now += event.nbytes()
                most = max(most, now)
        return kept + most

    forward_backward.memory = memory
    return forward_backward


# Models: parameters as lists of arrays, a loss of (lib, parameters, data...), and PyTorch's equivalent.


def mlp(sizes, batch):
    parameters = [[normal(a, b, scale=(2 / a) ** 0.5), np.zeros(b, np.float32)] for a, b in zip(sizes, sizes[1:])]

    def loss(lib, p, x, y):
        for w, b in p[:-1]:
            x = lib.relu(x @ w + b)
        return cross_entropy(lib, x @ p[-1][0] + p[-1][1], y)

    def twin(x, y):
        layers = []
        for w, b in parameters:
            layer = torch.nn.Linear(*w.shape)
            with torch.no_grad():
                layer.weight.copy_(torch.from_numpy(w.T.copy()))
                layer.bias.copy_(torch.from_numpy(b))
            layers += [layer, torch.nn.ReLU()]
        model = torch.nn.Sequential(*layers[:-1])
        compiled = torch.compile(model)
        x, y = torch.from_numpy(x), torch.from_numpy(y).argmax(-1)
        return torch_train(model, lambda: torch.nn.functional.cross_entropy(compiled(x), y), (x, y))

    return parameters, loss, (normal(batch, sizes[0]), one_hot(batch, sizes[-1])), twin


def transformer(layers, width, heads, length, batch, classes=64):
    def block():
        scale = width**-0.5
        return {"norm": [np.ones(width, np.float32), np.zeros(width, np.float32)], "in": normal(width, 3 * width, scale=scale),
                "out": normal(width, width, scale=scale), "norm2": [np.ones(width, np.float32), np.zeros(width, np.float32)],
                "up": normal(width, 4 * width, scale=scale), "down": normal(4 * width, width, scale=scale / 2)}  # fmt: skip

    parameters = {"blocks": [block() for _ in range(layers)], "head": normal(width, classes, scale=width**-0.5)}

    def loss(lib, p, x, y):
        for q in p["blocks"]:
            parts = (lib.layer_norm(x, *q["norm"]) @ q["in"]).reshape((batch, length, 3, heads, width // heads))
            a = lib.attention(*(lib.xp.permute_dims(parts[:, :, i], (0, 2, 1, 3)) for i in range(3)))
            x = x + lib.xp.permute_dims(a, (0, 2, 1, 3)).reshape((batch, length, width)) @ q["out"]
            x = x + lib.gelu(lib.layer_norm(x, *q["norm2"]) @ q["up"]) @ q["down"]
        return cross_entropy(lib, x @ p["head"], y)

    class Twin(torch.nn.Module):
        def __init__(self):
            super().__init__()
            flat = [torch.nn.Parameter(torch.from_numpy(a.copy())) for a in jax.tree.leaves(parameters)]
            self.flat = torch.nn.ParameterList(flat)

        def forward(self, x):
            p = jax.tree.unflatten(jax.tree.structure(parameters), list(self.flat))
            F = torch.nn.functional
            for q in p["blocks"]:
                parts = (F.layer_norm(x, (width,), *q["norm"]) @ q["in"]).reshape(batch, length, 3, heads, width // heads)
                a = F.scaled_dot_product_attention(*(parts[:, :, i].permute(0, 2, 1, 3) for i in range(3)), is_causal=True)
                x = x + a.permute(0, 2, 1, 3).reshape(batch, length, width) @ q["out"]
                x = x + F.gelu(F.layer_norm(x, (width,), *q["norm2"]) @ q["up"]) @ q["down"]
            return x @ p["head"]

    def twin(x, y):
        model = Twin()
        compiled = torch.compile(model)
        x, y = torch.from_numpy(x), torch.from_numpy(y).argmax(-1).reshape(-1)
        return torch_train(model, lambda: torch.nn.functional.cross_entropy(compiled(x).reshape(-1, classes), y), (x, y))

    return parameters, loss, (normal(batch, length, width), one_hot((batch, length), classes)), twin


def resnet18(batch):
    """ResNet-18 that uses the statistics of the batch instead of running statistics, as in training."""

    def conv(out, inputs, size):
        return {"w": normal(out, inputs, size, size, scale=(2 / (inputs * size * size)) ** 0.5),
                "scale": np.ones((out, 1, 1), np.float32), "bias": np.zeros((out, 1, 1), np.float32)}  # fmt: skip

    parameters, strides, inputs = {"stem": conv(64, 3, 3), "blocks": []}, [], 64
    for width, stride in ((64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)):
        block = {"a": conv(width, inputs, 3), "b": conv(width, width, 3)}
        if stride == 2:
            block["short"] = conv(width, inputs, 1)
        parameters["blocks"].append(block)
        strides.append(stride)
        inputs = width
    parameters["head"] = normal(512, 10, scale=512**-0.5)

    def model(convolve, normalize, relu, p, x):
        def layer(q, x, stride):
            return normalize(convolve(x, q["w"], stride), q["scale"], q["bias"])

        x = relu(layer(p["stem"], x, 1))
        for q, stride in zip(p["blocks"], strides):
            y = layer(q["b"], relu(layer(q["a"], x, stride)), 1)
            x = relu(y + (layer(q["short"], x, stride) if "short" in q else x))
        return x.mean((2, 3)) @ p["head"]

    def loss(lib, p, x, y):
        def normalize(x, scale, bias):
            mean = x.mean((0, 2, 3), keepdims=True)
            variance = lib.xp.square(x - mean).mean((0, 2, 3), keepdims=True)
            return (x - mean) / lib.xp.sqrt(variance + 1e-5) * scale + bias

        return cross_entropy(lib, model(lib.conv, normalize, lib.relu, p, x), y)

    def twin(x, y):
        F = torch.nn.functional
        flat = torch.nn.ParameterList([torch.nn.Parameter(torch.from_numpy(a.copy())) for a in jax.tree.leaves(parameters)])

        def forward(x):
            p = jax.tree.unflatten(jax.tree.structure(parameters), list(flat))
            convolve = lambda x, w, stride: F.conv2d(x, w, stride=stride, padding=w.shape[2] // 2)
            normalize = lambda x, scale, bias: F.batch_norm(x, None, None, scale.reshape(-1), bias.reshape(-1), training=True)
            return model(convolve, normalize, F.relu, p, x)

        compiled, x, y = torch.compile(forward), torch.from_numpy(x), torch.from_numpy(y).argmax(-1)
        return torch_train(flat, lambda: F.cross_entropy(compiled(x), y), (x, y))

    return parameters, loss, (normal(batch, 3, 32, 32), one_hot(batch, 10)), twin


def training(model, *arguments):
    def sides():
        parameters, loss, data, twin = model(*arguments)
        return train(Ours, loss, parameters, *data), train(Theirs, loss, parameters, *data), twin(*data)

    return sides


# Loops


def both(function, *data):
    """Measures function(lib, data...) with tensorc and JAX."""

    def of(lib):
        compiled, given = lib.jit(lambda *d: function(lib, *d)), [lib.to(d) for d in data]
        return lambda: lib.wait(compiled(*given))

    return lambda: (of(Ours), of(Theirs), None)


def heat(steps):
    def function(lib, u):
        def step(i, u):
            lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
            return lib.xp.pad(u[1:-1, 1:-1] + 0.1 * lap, ((1, 1), (1, 1)))

        return lib.fori(0, steps, step, u)

    return function


def heat_in_a_row(steps):
    def function(lib, u):
        return lib.fori(0, steps, lambda i, u: u + 0.1 * (lib.xp.roll(u, 1) + lib.xp.roll(u, -1) - 2 * u), u)

    return function


def chain(steps, kernels):
    """Returns a step with this number of kernels. Each kernel ends with a sum."""

    def function(lib, x):
        def step(i, x):
            for _ in range(kernels - 1):
                x = x - x.sum() * 0.01
            return x * 0.999 + 0.001

        return lib.fori(0, steps, step, x)

    return function


def lstm(steps, batch, inputs, hidden):
    def sides():
        x, ih, hh, bias = normal(steps, batch, inputs), normal(4 * hidden, inputs, scale=0.1), normal(4 * hidden, hidden, scale=0.1), normal(4 * hidden, scale=0.1)

        def function(lib, x, ih, hh, bias):
            given = x @ ih.T + bias

            def step(state, part):
                h, c = state
                i, f, g, o = lib.xp.split(part + h @ hh.T, 4, axis=-1)
                c = lib.sigmoid(f) * c + lib.sigmoid(i) * lib.xp.tanh(g)
                h = lib.sigmoid(o) * lib.xp.tanh(c)
                return (h, c), h

            zeros = lib.xp.zeros((batch, hidden), dtype=lib.xp.float32)
            return lib.scan(step, (zeros, zeros), given)[1]

        ours, theirs, _ = both(function, x, ih, hh, bias)()
        model = torch.nn.LSTM(inputs, hidden)
        with torch.no_grad():
            for p, v in zip(model.parameters(), (ih, hh, bias, np.zeros_like(bias))):
                p.copy_(torch.from_numpy(v))
        given = torch.from_numpy(x)

        def twin():
            with torch.no_grad():
                return model(given)[0]

        return ours, theirs, twin

    return sides


rows = {
    "train MLP 784-256-256-10, 128 examples": (training(mlp, (784, 256, 256, 10), 128), 1.2),
    "train MLP 8-8-8-8, 4 examples": (training(mlp, (8, 8, 8, 8), 4), 1.2),
    "train transformer, 6 layers of 128, 8×64 tokens": (training(transformer, 6, 128, 4, 64, 8), 1.2),
    "train ResNet-18, 8 images of 32×32": (training(resnet18, 8), 1.2),
    "heat, 10,000 steps of 256": (both(heat_in_a_row(10000), normal(256)), 1.5),
    "heat, 10,000 steps of 32×32": (both(heat(10000), normal(32, 32)), 1.5),
    "heat, 10,000 steps of 128×128": (both(heat(10000), normal(128, 128)), 1.5),
    "LSTM, 512 steps, 1 sequence, 32 -> 64": (lstm(512, 1, 32, 64), 1.5),
    "LSTM, 512 steps, 16 sequences, 128 -> 128": (lstm(512, 16, 128, 128), 1.5),
    "loop, 100,000 steps of 1 kernel on 8 numbers": (both(chain(100000, 1), normal(8)), 1.0),
    "loop, 100,000 steps of 4 kernels on 8 numbers": (both(chain(100000, 4), normal(8)), 1.0),
}


def per_call(call, count):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


def numpy(value):
    return value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)


def measure(name):
    calls, first = [c for c in rows[name][0]() if c], []
    results = []
    for call in calls:
        begin = time.process_time()
        results.append(numpy(call()))
        first.append(time.process_time() - begin)
    for other in results[1:]:
        worst = np.abs(results[0] - other).max() / max(np.abs(other).max(), 1e-30)
        if not worst < 2e-3:
            print(f"{name}: results differ by {worst:.1e}", file=sys.stderr)
    counts = [max(1, int(options.milliseconds * 1e-3 / per_call(call, 1))) for call in calls]
    times = [[] for _ in calls]
    for _ in range(options.rounds):
        for side, call, count in zip(times, calls, counts):
            side.append(per_call(call, count))
    return [statistics.median(t) for t in times], first


def differentiation():
    """Returns the milliseconds to differentiate a function of 1,000 operations. The time includes recording but no
    compilation."""
    x = tc.ones(16).eval()

    def function(x):
        for i in range(250):
            x = tc.sin(x) * 1.01 + x * 0.5
        return x.sum()

    tc.grad(function)(x)
    times = []
    for _ in range(options.rounds):
        begin = time.process_time()
        function(x)
        recording = time.process_time() - begin
        tc.grad(function)(x)
        times.append(time.process_time() - begin - 2 * recording)
    return statistics.median(times) * 1e3


def memory(chosen):
    print("| row | ours, MB | JAX, MB | PyTorch, MB | best peer ÷ ours |\n|---|---|---|---|---|")
    for name in chosen:
        calls = rows[name][0]()
        for call in calls:
            call()
        used = [call.memory() / 1e6 for call in calls]
        print(f"| {name} | {' | '.join(f'{u:.2f}' for u in used)} | {min(used[1:]) / used[0]:.2f} |", flush=True)


def main():
    chosen = [name for name in rows if options.only in name]
    if options.list:
        return print("\n".join(chosen))
    if options.memory:
        return memory([name for name in chosen if name.startswith("train")])
    load = os.getloadavg()[0]
    lines = ["| row | ours, ms | JAX, ms | PyTorch, ms | best peer ÷ ours | target | first call, s: ours, JAX, PyTorch |", "|---|---|---|---|---|---|---|"]
    for name in chosen:
        times, first = measure(name)
        shown = [f"{t * 1e3:.3f}" for t in times] + ["–"] * (3 - len(times))
        lines.append(f"| {name} | {' | '.join(shown)} | {min(times[1:]) / times[0]:.2f} | {rows[name][1]} | {', '.join(f'{f:.2f}' for f in first)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    note = f"{platform.processor() or platform.machine()}, 1 thread, JAX {jax.__version__}, PyTorch {torch.__version__}; load {load:.1f}; processor time, medians of {options.rounds} rounds"
    text = note + "\n\n" + "\n".join(lines) + "\n"
    if options.only in "differentiation":
        text += f"\nTo differentiate a function of 1,000 operations: {differentiation():.1f} ms\n"
    print(text)
    if options.output:
        with open(options.output, "w") as file:
            file.write(text)


main()
