#!/usr/bin/env python3
"""Measures training steps of two-layer models under memory limits.

  benchmarks/memory.py build/bin/tensorc [--rows=4096] [--dim=256] [--device=cpu]

For each model the limits are 0.75 and 0.5 of the memory that its step needs without a limit, and the smallest feasible
limit. For each limit, prints the bytes, the predicted and the measured time relative to the step without a limit, and
the compiler's decisions. Times are CPU times. Results are compared bit by bit.
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

    def product(self, x, name, k, n):
        w = self.argument(name, k, n)
        types = f"({self.type(self.rows, k)}, {self.type(k, n)}) -> {self.type(self.rows, n)}"
        return self.add(f"tx.dot_general {x}, {w} batch = [] x [] contracting = [1] x [0] : {types}")

    def unary(self, op, x, n):
        return self.add(f"tx.{op} {x} : {self.type(self.rows, n)}")

    def norm(self, x):
        e = self.add("tx.constant dense<0.001> : tensor<f32>")
        kind = self.type(self.rows, self.dim)
        return self.add(f"tx.layer_norm {x}, {e} : ({kind}, tensor<f32>) -> {kind}")

    def sum(self, x, y):
        return self.add(f"tx.add {x}, {y} : {self.type(self.rows, self.dim)}")

    def text(self, x):
        kind = self.type(self.rows, self.dim)
        square = self.add(f"tx.mul {x}, {x} : {kind}")
        loss = self.add(f"tx.sum {square} dims = [0, 1] : {kind} -> tensor<f32>")
        head = f"func.func @main({', '.join(self.arguments)}) -> (tensor<f32> {{tx.name = \"loss\"}}) {{"
        return "\n".join([head, *self.lines, f"  return {loss} : tensor<f32>", "}", ""])


def perceptron(rows, dim):
    """Two layers x + gelu(norm(x) w) v."""
    p = Program(rows, dim)
    x = p.argument("x", rows, dim)
    for layer in range(2):
        h = p.product(p.norm(x), f"w{layer}", dim, 4 * dim)
        x = p.sum(x, p.product(p.unary("gelu", h, 4 * dim), f"v{layer}", 4 * dim, dim))
    return p.text(x)


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
    return p.text(x)


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
    for share in (0.75, 0.5, None):
        limit = int(natural * share) if share else smallest
        if limit < smallest:
            print(f"  {share:4} of {natural / 2**20:.1f} MiB: refused, the smallest is {smallest / natural:.2f}")
            continue
        memory = json.loads(run(tool, "explain", path, f"--device={device}", f"--memory-limit={limit}", "--json")[1])["memory"]
        decisions = [d["decision"] for d in memory.get("decisions", [])]
        added = sum(d["microseconds"] for d in memory.get("decisions", []) if d["decision"] == "repeated") * 1e-6
        # Runs alternate, because the machine's speed drifts.
        pairs = [(bench(tool, path, device, 0), bench(tool, path, device, limit)) for _ in range(2)]
        before, after = (min(side) for side in zip(*pairs))
        before = min(before, whole)
        same = outputs(tool, path, device, folder / f"{limit}", limit) == expected
        print(f"  {limit / natural:4.2f} of {natural / 2**20:.1f} MiB: {memory['fit']['fitted'] / 2**20:.1f} MiB,"
              f" predicted {1 + added / before:.2f}, measured {after / before:.2f} ({after * 1e3:.1f} ms),"
              f" {decisions.count('in place')} in place, {decisions.count('repeated')} repeated,"
              f" {memory['fit']['moved']} moved, {'same bits' if same else 'OTHER BITS'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for model in (perceptron, gated):
            base = pathlib.Path(folder) / model.__name__
            base.mkdir()
            (base / "loss.mlir").write_text(model(options.rows, options.dim))
            status, _, err = run(options.tool, "differentiate", base / "loss.mlir", "-o", base / "step.mlir")
            if status:
                raise SystemExit(err)
            print(model.__name__, model.__doc__)
            measure(options.tool, base / "step.mlir", options.device, base)


if __name__ == "__main__":
    main()
