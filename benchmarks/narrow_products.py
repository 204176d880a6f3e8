#!/usr/bin/env python3
"""Products of bytes and of bf16 beside PyTorch's oneDNN, by turns on one thread.

  python3 benchmarks/narrow_products.py [--rounds=5] [--only=bf16] [--packed] [--tensorc=build/bin/tensorc]

Ours is the mean time of all kernels of `tensorc bench`, which copies inputs and outputs besides; PyTorch is torch._int_mm and torch.mm, in
processor time: the median of the calls of a round. Both are the best of the rounds. The ratio is PyTorch's time divided by ours. In rows with y^T, y is stored as [N, K], as
the weight of a linear layer is. With --packed, ours reads y in the words of tile registers, as kernels read a constant. Outputs are i32 and bf16.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

os.environ["TENSORC_NUM_THREADS"] = "1"

SQUARES = [(n, n, n, turned) for n in (256, 512, 1024, 2048, 4096) for turned in (False, True)]
# Sequences of 128 in BERT-base, of 197 in ViT-B/16: projections, both layers of the feed-forward net.
LAYERS = [(rows, k, n, True) for rows in (128, 197) for k, n in ((768, 768), (768, 3072), (3072, 768))]
FEW_ROWS = [(rows, 4096, 4096, True) for rows in (1, 8, 32)]
SHAPES = SQUARES + LAYERS + FEW_ROWS


def program(dtype, m, k, n, turned, packed):
    y, contracting = (f"{n}x{k}", "[1] x [1]") if turned else (f"{k}x{n}", "[1] x [0]")
    wide, out = ("i32", "i32") if dtype == "i8" else ("bf16", "f32")
    x = f"{m}x{k}"
    if packed:
        steps = 4 if dtype == "i8" else 2
        x, y, contracting, n = f"{m}x{k // steps}x{steps}", f"{n // 16}x{k // steps}x16x{steps}", "[1, 2] x [1, 3]", f"{n // 16}x16"
    lines = [f"func.func @main(%x: tensor<{x}x{dtype}>, %y: tensor<{y}x{dtype}>) -> tensor<{m}x{n}x{'i32' if dtype == 'i8' else 'bf16'}> {{"]
    names = ["%x", "%y"]
    if dtype == "i8":
        for i, shape in enumerate((x, y)):
            lines.append(f"  %w{i} = tx.convert {names[i]} : tensor<{shape}xi8> -> tensor<{shape}xi32>")
            names[i] = f"%w{i}"
    types = f"(tensor<{x}x{wide}>, tensor<{y}x{wide}>) -> tensor<{m}x{n}x{out}>"
    lines.append(f"  %p = tx.dot_general {', '.join(names)} batch = [] x [] contracting = {contracting} : {types}")
    result = "%p"
    if dtype == "bf16":
        lines.append(f"  %r = tx.convert %p : tensor<{m}x{n}xf32> -> tensor<{m}x{n}xbf16>")
        result = "%r"
    return "\n".join([*lines, f"  return {result} : tensor<{m}x{n}x{'i32' if dtype == 'i8' else 'bf16'}>", "}", ""])


def ours(tensorc, folder, text):
    path = pathlib.Path(folder) / "product.mlir"
    path.write_text(text)
    done = subprocess.run([tensorc, "bench", path, "--cpu-time", "--random-inputs", "--json=-"], capture_output=True, text=True, check=True)
    return sum(kernel["seconds"] for kernel in json.loads(done.stdout)["kernels"])


def theirs(torch, dtype, m, k, n, turned):
    if dtype == "i8":
        x, y = (torch.randint(-128, 128, shape, dtype=torch.int8) for shape in ((m, k), (n, k) if turned else (k, n)))
        call = torch._int_mm
    else:
        x, y = (torch.randn(shape, dtype=torch.bfloat16) for shape in ((m, k), (n, k) if turned else (k, n)))
        call = torch.mm
    if turned:
        y = y.t()
    call(x, y)
    times, end = [], time.monotonic() + 0.1
    while len(times) < 3 or time.monotonic() < end:
        begin = time.process_time()
        call(x, y)
        times.append(time.process_time() - begin)
    return sorted(times)[len(times) // 2]


def main():
    import torch

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("i8", "bf16"))
    parser.add_argument("--packed", action="store_true")
    parser.add_argument("--shapes", default="", help="a regular expression of M×K×N")
    parser.add_argument("--tensorc", default="build/bin/tensorc")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print("| product | ours, ms | Gop/s | PyTorch, ms | ratio |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for dtype in (options.only,) if options.only else ("i8", "bf16"):
            for m, k, n, turned in SHAPES:
                name = f"{m}×{k}×{n}{' yᵀ' if turned else ''}"
                if not re.search(options.shapes, name):
                    continue
                text = program(dtype, m, k, n, turned, options.packed)
                pairs = []
                for _ in range(options.rounds):
                    try:
                        pairs.append((ours(options.tensorc, folder, text), theirs(torch, dtype, m, k, n, turned)))
                    except RuntimeError as error: # _int_mm refuses few rows
                        pairs.append((ours(options.tensorc, folder, text), float("nan")))
                mine, other = min(a for a, _ in pairs), min(b for _, b in pairs)
                print(f"| {dtype} {name} | {mine * 1e3:.3f} | {2e-9 * m * k * n / mine:.0f} | {other * 1e3:.3f} | {other / mine:.2f} |", flush=True)


main()
