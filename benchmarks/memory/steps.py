#!/usr/bin/env python3
"""Measures training steps of two-layer models under memory limits.

  benchmarks/memory/steps.py build/bin/tensorc [--rows=4096] [--dim=256] [--device=cpu] [--only=WORD] [--torch=PYTHON]

For each model the limits are 1.0, 0.75, 0.5 and 0.25 of the memory that its step needs without a limit, and the smallest
feasible limit. For each limit, prints the bytes, the predicted and the measured time relative to the step without a
limit, and the compiler's decisions. Times are CPU times. Results are compared bit by bit. With --torch, a Python that has
PyTorch runs the same step of the decoder, without and with torch.utils.checkpoint for each layer: bytes of values that
autograd keeps at the end of the forward pass, and CPU times, on one thread.
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile


class Program:
    """Builds the text of a function over matrices."""

    def __init__(self, rows, dim):
        self.rows, self.dim = rows, dim
        self.arguments, self.lines, self.last = [], [], 0

    def type(self, *dims):
        return "tensor<" + "".join(f"{d}x" for d in dims) + "f32>"

    def argument(self, name, *dims):
        self.arguments.append(f'%{name}: {self.type(*dims)} {{tx.name = "{name}"}}')
        return f"%{name}"

    def add(self, op):
        self.last += 1
        self.lines.append(f"  %t{self.last} = {op}")
        return f"%t{self.last}"

    def convolution(self, x, name, size, c, o, k):
        """Convolves images of size² with c channels."""
        w, p = self.argument(name, o, c, k, k), k // 2
        types = f"({self.type(self.rows, c, size, size)}, {self.type(o, c, k, k)}) -> {self.type(self.rows, o, size, size)}"
        same = f"strides = [1, 1] dilations = [1, 1] low = [{p}, {p}] high = [{p}, {p}] input_dilations = [1, 1]"
        return self.add(f"tx.conv {x}, {w} groups = 1 sizes = [{k}, {k}] {same} : {types}")

    def product(self, x, name, k, n):
        w = self.argument(name, k, n)
        types = f"({self.type(self.rows, k)}, {self.type(k, n)}) -> {self.type(self.rows, n)}"
        return self.add(f"tx.dot_general {x}, {w} batch = [] x [] contracting = [1] x [0] : {types}")

    def unary(self, op, x, *dims):
        return self.add(f"tx.{op} {x} : {self.type(self.rows, *dims)}")

    def head(self, x, length, heads):
        """Splits rows of sequences into heads and transposes them to [sequences, heads, length, dim / heads]."""
        whole = (self.rows // length, length, heads, self.dim // heads)
        moved = (whole[0], heads, length, whole[3])
        x = self.add(f"tx.reshape {x} : {self.type(self.rows, self.dim)} -> {self.type(*whole)}")
        return self.add(f"tx.transpose {x} permutation = [0, 2, 1, 3] : {self.type(*whole)} -> {self.type(*moved)}")

    def attention(self, q, k, v, length, heads):
        whole = (self.rows // length, length, heads, self.dim // heads)
        of = self.type(whole[0], heads, length, whole[3])
        scale = self.add(f"tx.constant dense<{whole[3] ** -0.5}> : tensor<f32>")
        parts = ", ".join(self.head(x, length, heads) for x in (q, k, v))
        y = self.add(f"tx.attention {parts}, {scale} groups = 1 causal : ({of}, {of}, {of}, tensor<f32>) -> {of}")
        y = self.add(f"tx.transpose {y} permutation = [0, 2, 1, 3] : {of} -> {self.type(*whole)}")
        return self.add(f"tx.reshape {y} : {self.type(*whole)} -> {self.type(self.rows, self.dim)}")

    def norm(self, x):
        e = self.add("tx.constant dense<0.001> : tensor<f32>")
        kind = self.type(self.rows, self.dim)
        return self.add(f"tx.layer_norm {x}, {e} : ({kind}, tensor<f32>) -> {kind}")

    def sum(self, x, y):
        return self.add(f"tx.add {x}, {y} : {self.type(self.rows, self.dim)}")

    def text(self, x, *dims):
        kind = self.type(self.rows, *dims)
        square = self.add(f"tx.mul {x}, {x} : {kind}")
        loss = self.add(f"tx.sum {square} dims = {list(range(len(dims) + 1))} : {kind} -> tensor<f32>")
        head = f"func.func @main({', '.join(self.arguments)}) -> (tensor<f32> {{tx.name = \"loss\"}}) {{"
        return "\n".join([head, *self.lines, f"  return {loss} : tensor<f32>", "}", ""])


def perceptron(rows, dim):
    """Two layers x + gelu(norm(x) w) v."""
    p = Program(rows, dim)
    x = p.argument("x", rows, dim)
    for layer in range(2):
        h = p.product(p.norm(x), f"w{layer}", dim, 4 * dim)
        x = p.sum(x, p.product(p.unary("gelu", h, 4 * dim), f"v{layer}", 4 * dim, dim))
    return p.text(x, dim)


def gated(rows, dim):
    """Two layers x + (silu(norm(x) w) * norm(x) u) v."""
    p = Program(rows, dim)
    x = p.argument("x", rows, dim)
    for layer in range(2):
        n = p.norm(x)
        a = p.unary("silu", p.product(n, f"w{layer}", dim, 2 * dim), 2 * dim)
        b = p.product(n, f"u{layer}", dim, 2 * dim)
        h = p.add(f"tx.mul {a}, {b} : {p.type(rows, 2 * dim)}")
        x = p.sum(x, p.product(h, f"v{layer}", 2 * dim, dim))
    return p.text(x, dim)


def decoder(rows, dim):
    """Two layers like those of GPT-2: attention of 4 heads over 128 rows, gelu."""
    p = Program(rows, dim)
    x = p.argument("x", rows, dim)
    for layer in range(2):
        n = p.norm(x)
        q, k, v = (p.product(n, f"{name}{layer}", dim, dim) for name in "qkv")
        x = p.sum(x, p.product(p.attention(q, k, v, min(rows, 128), 4), f"o{layer}", dim, dim))
        h = p.product(p.norm(x), f"w{layer}", dim, 4 * dim)
        x = p.sum(x, p.product(p.unary("gelu", h, 4 * dim), f"p{layer}", 4 * dim, dim))
    return p.text(x, dim)


def bottleneck(rows, dim):
    """Two blocks as of ResNet-50, without norms: x + v * relu(w * relu(u * x)), and images of 14² in rows / 256."""
    p, size, inner = Program(max(rows // 256, 1), dim), 14, dim // 4
    whole = (dim, size, size)
    x = p.argument("x", p.rows, *whole)
    for block in range(2):
        h = p.unary("relu", p.convolution(x, f"u{block}", size, dim, inner, 1), inner, size, size)
        h = p.unary("relu", p.convolution(h, f"w{block}", size, inner, inner, 3), inner, size, size)
        h = p.convolution(h, f"v{block}", size, inner, dim, 1)
        x = p.unary("relu", p.add(f"tx.add {x}, {h} : {p.type(p.rows, *whole)}"), *whole)
    return p.text(x, *whole)


def run(tool, *arguments):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def bench(tool, path, device, limit):
    options = [f"--memory-limit={limit}"] if limit else []
    status, out, err = run(tool, "bench", path, f"--device={device}", "--json=-", "--cpu-time", *options)
    if status:
        raise SystemExit(err)
    return json.loads(out)["min_seconds"]


def outputs(tool, path, device, folder, limit):
    options = [f"--memory-limit={limit}"] if limit else []
    status, _, err = run(tool, "run", path, f"--device={device}", "--random-inputs", f"--output-dir={folder}", *options)
    if status:
        raise SystemExit(err)
    return {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir()}


def measure(tool, path, device, folder):
    whole = bench(tool, path, device, 0)
    expected = outputs(tool, path, device, folder / "whole", 0)
    facts = json.loads(run(tool, "explain", path, f"--device={device}", "--memory-limit=1000G", "--json")[1])
    natural = facts["memory"]["fit"]["natural"]
    _, _, err = run(tool, "explain", path, f"--device={device}", "--memory-limit=1")
    smallest = int(re.search(r"at least (\d+) are needed", err).group(1))
    for share in (1.0, 0.75, 0.5, 0.25, None):
        limit = int(natural * share) if share else smallest
        if limit < smallest:
            print(f"  {share:4} of {natural / 2**20:.1f} MiB: refused, the smallest is {smallest / natural:.2f}")
            continue
        memory = json.loads(run(tool, "explain", path, f"--device={device}", f"--memory-limit={limit}", "--json")[1])["memory"]
        decisions = [d["decision"] for d in memory.get("decisions", [])]
        added = sum(d["microseconds"] for d in memory.get("decisions", [])) * 1e-6
        # Runs alternate, because the machine's speed drifts.
        pairs = [(bench(tool, path, device, 0), bench(tool, path, device, limit)) for _ in range(2)]
        before, after = (min(side) for side in zip(*pairs))
        before = min(before, whole)
        same = outputs(tool, path, device, folder / f"{limit}", limit) == expected
        print(f"  {limit / natural:4.2f} of {natural / 2**20:.1f} MiB: {memory['fit']['fitted'] / 2**20:.1f} MiB,"
              f" predicted {1 + added / before:.2f}, measured {after / before:.2f} ({after * 1e3:.1f} ms),"
              f" {decisions.count('in place')} in place, {decisions.count('repeated')} repeated, {decisions.count('spilled')} spilled,"
              f" {decisions.count('split')} split,"
              f" {memory['fit']['moved']} moved, {'same bits' if same else 'OTHER BITS'}")


TORCH = """
import sys, time, torch
from torch.utils.checkpoint import checkpoint
rows, dim, length, heads = (int(word) for word in sys.argv[1:])
torch.set_num_threads(1)

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, (k, n) in dict(q=(1, 1), k=(1, 1), v=(1, 1), o=(1, 1), w=(1, 4), p=(4, 1)).items():
            setattr(self, name, torch.nn.Linear(k * dim, n * dim, bias=False))
    def forward(self, x):
        norm = lambda x: torch.nn.functional.layer_norm(x, (dim,), eps=1e-3)
        split = lambda y: y.reshape(rows // length, length, heads, dim // heads).transpose(1, 2)
        n = norm(x)
        y = torch.nn.functional.scaled_dot_product_attention(split(self.q(n)), split(self.k(n)), split(self.v(n)), is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(rows, dim))
        return x + self.p(torch.nn.functional.gelu(self.w(norm(x))))

layers = torch.nn.ModuleList([Layer(), Layer()])
x = torch.rand(rows, dim)
for keeps in (True, False):
    def forward():
        y = x
        for layer in layers:
            y = layer(y) if keeps else checkpoint(layer, y, use_reentrant=False)
        return (y * y).sum()
    kept = {}
    note = lambda t: kept.__setitem__(t.untyped_storage().data_ptr(), t.untyped_storage().nbytes()) or t
    with torch.autograd.graph.saved_tensors_hooks(note, lambda t: t):
        loss = forward()
    weights = {p.untyped_storage().data_ptr() for p in layers.parameters()}
    bytes_ = sum(size for at, size in kept.items() if at not in weights)
    loss.backward()
    times = []
    for _ in range(5):
        begin = time.process_time()
        forward().backward()
        times.append(time.process_time() - begin)
    print(f"  PyTorch {torch.__version__}, {'all kept' if keeps else 'checkpoint'}: {bytes_ / 2**20:.1f} MiB kept, {min(times) * 1e3:.1f} ms")
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", default="")
    parser.add_argument("--torch", help="a Python with PyTorch")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for model in (perceptron, gated, decoder, bottleneck):
            if options.only not in model.__name__:
                continue
            base = pathlib.Path(folder) / model.__name__
            base.mkdir()
            (base / "loss.mlir").write_text(model(options.rows, options.dim))
            status, _, err = run(options.tool, "differentiate", base / "loss.mlir", "-o", base / "step.mlir")
            if status:
                raise SystemExit(err)
            print(model.__name__, model.__doc__)
            measure(options.tool, base / "step.mlir", options.device, base)
            if options.torch and model is decoder:
                rows = options.rows
                subprocess.run([options.torch, "-c", TORCH, *map(str, (rows, options.dim, min(rows, 128), 4))], check=True)


if __name__ == "__main__":
    main()
