"""Compares models compiled to WebAssembly with the same programs for cpu:x86-64-v2, and prints the sizes of the
modules.

    PYTHONPATH=build/python python3 benchmarks/web.py TENSORC [--only=WORD] [--calls=N] [--exact]

Programs are compiled with fast math. Without it (--exact), matrix products emulate FMA on both targets. Needs NumPy and
Node.js. Weights are part of the module. They are random, except for the weights of digits, which are those of
examples/digits. Times are the minimum CPU time of a call on one thread, including copies of inputs and outputs. The two
targets take turns.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

import tensorc as tc
from tensorc import nn

ROOT = pathlib.Path(__file__).resolve().parents[1]
RANDOM = np.random.default_rng(0)
RUN = """
import { readFileSync } from "node:fs";
const { load, entries: [entry], elementTypes } = await import(process.argv[1]);
const [path, size, calls] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const program = await load(), [input] = entry.inputs, [Type] = elementTypes[input.type];
const given = { [input.name]: new Type(Uint8Array.prototype.slice.call(readFileSync(path)).buffer) };
for (const { name } of entry.sizes)
  given[name] = size;
let least = Infinity;
for (let i = 0; i <= calls; ++i) {
  const before = process.cpuUsage();
  program.run(given);
  const { user, system } = process.cpuUsage(before);
  if (i)  // not the call in which V8 still compiles
    least = Math.min(least, user + system);
}
console.log(least);
"""


def weights(*shape):
    return tc.array((RANDOM.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) or 1)).astype("f4"))


def digits():
    w1, b1, w2, b2 = (tc.array(np.load(ROOT / f"examples/digits/weights/{name}.npy")) for name in ("w1", "b1", "w2", "b2"))
    return lambda x: tc.argmax(tc.maximum(x @ w1 + b1, 0) @ w2 + b2, axis=1), np.load(ROOT / "examples/digits/data/test_images.npy"), "n"


def resnet18():
    """ResNet-18 with its batch norms folded into the convolutions: 11.7 million weights."""

    def conv(a, b, side, stride):
        w, bias = weights(b, a, side, side), weights(b)
        return lambda x: nn.functional.conv(x, w, bias, stride=stride, padding=side // 2)

    def block(a, b, stride):
        first, second = conv(a, b, 3, stride), conv(b, b, 3, 1)
        short = conv(a, b, 1, stride) if stride > 1 else lambda x: x
        return lambda x: nn.functional.relu(second(nn.functional.relu(first(x))) + short(x))

    layers = [conv(3, 64, 7, 2), nn.functional.relu, lambda x: nn.functional.max_pool(x, 3, stride=2, padding=1)]
    for a, b in ((64, 64), (64, 128), (128, 256), (256, 512)):
        layers += [block(a, b, 1 if a == b else 2), block(b, b, 1)]
    head = weights(1000, 512)

    def call(x):
        for layer in layers:
            x = layer(x)
        return tc.mean(x, axis=(2, 3)) @ head.T

    return call, RANDOM.standard_normal((1, 3, 224, 224)).astype("f4"), None


def language_model():
    """A language model with four layers of width 256 for a sequence of 64 of 8,000 tokens: 5.2 million weights."""
    width, heads, length, tokens = 256, 4, 64, 8000
    layers = [[weights(width, width) for _ in range(4)] + [weights(4 * width, width), weights(width, 4 * width)] for _ in range(4)]
    embedding, positions = weights(tokens, width), weights(length, width)
    mask = tc.array(np.tril(np.ones((length, length), bool)))

    def norm(x):
        return (x - tc.mean(x, axis=-1, keepdims=True)) / tc.sqrt(tc.var(x, axis=-1, keepdims=True) + 1e-5)

    def split(x):
        return tc.transpose(tc.reshape(x, (length, heads, width // heads)), (1, 0, 2))

    def call(x):
        y = embedding[x] + positions
        for wq, wk, wv, wo, up, down in layers:
            z = norm(y)
            q, k, v = split(z @ wq.T), split(z @ wk.T), split(z @ wv.T)
            scores = tc.where(mask, q @ tc.transpose(k, (0, 2, 1)) / np.sqrt(width // heads), -1e9)
            mixed = tc.transpose(nn.functional.softmax(scores, -1) @ v, (1, 0, 2))
            y = y + tc.reshape(mixed, (length, width)) @ wo.T
            y = y + nn.functional.gelu(norm(y) @ up.T) @ down.T
        return norm(y) @ embedding.T

    return call, RANDOM.integers(0, tokens, length).astype("i4"), None


def native_time(tool, package, inputs, calls):
    """Microseconds of a call."""
    command = [tool, "bench", package, f"--input={inputs}", f"--iterations={calls}", "--cpu-time", "--json=-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "TENSORC_NUM_THREADS": "1"}).stdout
    return json.loads(text)["min_seconds"] * 1e6


def web_time(module, inputs, size, calls):
    command = ["node", "--input-type=module", "-e", RUN, module.as_uri(), inputs, str(size), str(calls)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(tool, name, make, calls, fast_math, folder):
    call, x, symbol = make()
    shape = (symbol, *x.shape[1:]) if symbol else x.shape
    example = tc.Input(tc.array(x).dtype, shape)
    module, package = folder / f"{name}.js", folder / f"{name}.tcpkg"
    tc.compile_to(call, module, example, fast_math=fast_math)
    tc.compile_to(call, package, example, target="cpu:x86-64-v2", fast_math=fast_math)
    np.save(folder / "x.npy", x)
    x.tofile(folder / "x.bin")
    native, web = [], []
    for _ in range(3):
        native.append(native_time(tool, package, folder / "x.npy", calls))
        web.append(web_time(module, folder / "x.bin", len(x), calls))
    stored = os.path.getsize(folder / f"{name}.wasm") + os.path.getsize(module)
    print(f"| {name} | {stored / 1e6:.2f} | {min(native) / 1000:.2f} | {min(web) / 1000:.2f} | {min(native) / min(web):.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--only", default="")
    parser.add_argument("--calls", type=int, default=10)
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args()
    print("| model | MB | x86-64-v2, ms | WebAssembly, ms | speed |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, make in (("digits", digits), ("resnet18", resnet18), ("language_model", language_model)):
            if options.only in name:
                measure(options.tool, name, make, options.calls, not options.exact, pathlib.Path(folder))


if __name__ == "__main__":
    main()
