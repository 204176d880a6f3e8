#!/usr/bin/env python3
"""Gradients have the same bits on any number of threads: threads_test.py TENSORC.

The programs are large enough that kernels are divided: contractions, reductions along both dims, a gather whose gradient adds
rows that meet, a sort, a convolution.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

TENSORC = sys.argv[1]
X, ROW = "tensor<600x384xf32>", "tensor<384xf32>"
SUM = f"%s = tx.sum %r dims = [0, 1] : {X} -> tensor<f32>\nreturn %s : tensor<f32>"
PROGRAMS = {
    "layer": f"""func.func @main(%x: {X} {{tx.name = "x"}}, %w: tensor<384x384xf32> {{tx.name = "w"}}) -> tensor<f32> {{
      %m = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : ({X}, tensor<384x384xf32>) -> {X}
      %t = tx.tanh %m : {X}
      %p = tx.softmax %t dim = 1 : {X}
      %q = tx.mul %p, %x : {X}
      %c = tx.sum %q dims = [0] : {X} -> {ROW}
      %b = tx.broadcast %c dims = [1] : {ROW} -> {X}
      %r = tx.mul %b, %t : {X}
      {SUM}
    }}""",
    "rows": f"""func.func @main(%x: {X} {{tx.name = "x"}}, %k: {X} {{tx.name = "k"}}) -> tensor<f32> {{
      %n = tx.constant dense<5.0> : tensor<f32>
      %f = tx.broadcast %n dims = [] : tensor<f32> -> {X}
      %a = tx.mul %k, %f : {X}
      %i = tx.convert %a : {X} -> tensor<600x384xi32>
      %j = tx.reshape %i : tensor<600x384xi32> -> tensor<230400xi32>
      %g = tx.gather %x, %j offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
        slice_sizes = [1, 384] : ({X}, tensor<230400xi32>) -> tensor<230400x384xf32>
      %t = tx.sum %g dims = [1] : tensor<230400x384xf32> -> tensor<230400xf32>
      %u = tx.reshape %t : tensor<230400xf32> -> {X}
      %o = tx.sort %u dim = 1 : {X}
      %r = tx.mul %o, %x : {X}
      {SUM}
    }}""",
}  # fmt: skip


def outputs(folder, program, threads):
    out = folder / f"out{threads}"
    subprocess.run([TENSORC, "run", program, "--random-inputs", f"--output-dir={out}"], check=True,
                   env=os.environ | {"TENSORC_NUM_THREADS": str(threads)})  # fmt: skip
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


failed = 0
for name, text in PROGRAMS.items():
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        (folder / "loss.mlir").write_text(text)
        subprocess.run([TENSORC, "differentiate", folder / "loss.mlir", "--wrt=x", "-o", folder / "step.mlir"], check=True)
        one = outputs(folder, folder / "step.mlir", 1)
        for threads in (2, 16):
            many = outputs(folder, folder / "step.mlir", threads)
            differ = [output for output in one if one[output] != many.get(output)]
            if differ or len(one) != 2:
                failed += 1
                print(f"{name}: {threads} threads give other bits than one in {differ} of {sorted(one)}")
print(f"{len(PROGRAMS)} programs, {failed} differ")
sys.exit(failed > 0)
