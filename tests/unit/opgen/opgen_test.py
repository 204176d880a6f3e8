#!/usr/bin/env python3
"""Definitions with a gap are refused, with the place and the reason.

  opgen_test.py PROJECT LLVM_TBLGEN MLIR_INCLUDE
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT, TBLGEN, INCLUDES = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]

TEMPLATE = """
include "ir/tx/TxDialect.td"
def Tx_CosOp : Tx_UnaryOp<"cos", Tx_FloatTensor> {
  let summary = "Cosine";
  let description = [{The cosine of x. %(example)s}];
  %(fields)s
}
"""
EXAMPLE = """
    ```mlir
    %0 = tx.cos %x : tensor<4xf32>
    ```
"""


def opgen(what, fields, example=EXAMPLE):
    """(exit status, output text, stderr) of opgen over one op."""
    with tempfile.TemporaryDirectory() as folder:
        td, json, out = (pathlib.Path(folder) / name for name in ("Ops.td", "ops.json", "out"))
        td.write_text(TEMPLATE % {"fields": fields, "example": example})
        flags = [flag for i in [PROJECT, *INCLUDES] for flag in ("-I", str(i))]
        subprocess.run([TBLGEN, "--dump-json", *flags, td, "-o", json], check=True)
        script = PROJECT / "tools/opgen/opgen.py"
        run = subprocess.run([sys.executable, script, json, what, "-o", out], capture_output=True, text=True)
        return run.returncode, out.read_text() if out.exists() else "", run.stderr


class Opgen(unittest.TestCase):
    def refuses(self, message, *args, **kwargs):
        status, out, err = opgen("docs", *args, **kwargs)
        self.assertEqual(status, 1)
        self.assertEqual(out, "")
        self.assertIn(message, err)
        self.assertIn("Ops.td:3", err)

    def test_refuses_an_op_without_derivative(self):
        self.refuses("tx.cos has neither derivatives nor notDifferentiable", 'let float = "math::CosOp";')

    def test_refuses_contradictions(self):
        self.refuses("and notDifferentiable", 'let float = "math::CosOp"; let derivatives = ["g"]; let notDifferentiable = 1;')

    def test_refuses_a_derivative_too_many(self):
        self.refuses("2 derivatives for 1 operands", 'let float = "math::CosOp"; let derivatives = ["g", "g"];')

    def test_refuses_an_op_without_scalar_op(self):
        self.refuses("names no scalar op", 'let derivatives = ["g"];')

    def test_refuses_an_op_without_example(self):
        self.refuses("has no example", 'let float = "math::CosOp"; let derivatives = ["g"];', example="")

    def test_generates_everything_from_one_definition(self):
        fields = 'let float = "math::CosOp"; let derivatives = ["-g * sin(x)"];'
        for what, text in [
            ("scalar-ops", "Value(math::CosOp::create(b, loc, TypeRange(result), operands)->getResult(0))"),
            ("graph-kinds", 'TENSORC_OP(Cos, "cos", "cos", Elementwise, 1, (floatMask, 0, 0), false)'),
            ("c-header", "tensorc_cos("),
            ("cpp-header", "inline Tensor cos(Arg x)"),
            ("c-functions", "recordElementwise(graph::OpKind::Cos, {x}, at, out)"),
            ("docs", "- Derivative: `-g * sin(x)`"),
        ]:
            status, out, err = opgen(what, fields)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(text, out)


unittest.main(argv=sys.argv[:1])
