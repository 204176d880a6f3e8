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


SCAN = """
include "ir/tx/TxDialect.td"
def Tx_TwistOp : Tx_Op<"twist", [Pure]> {
  let category = "scan";
  let summary = "Twist";
  let description = [{
    A twist.
    ```mlir
    %%0 = tx.twist %%x
    ```
  }];
  let arguments = (ins %(arguments)s);
  let results = (outs Tx_Tensor:$result);
  let notDifferentiable = 1;
}
"""


def opgen(what, fields, example=EXAMPLE):
    """(exit status, output text, stderr) of opgen over one element-wise op."""
    return opgen_of(what, TEMPLATE % {"fields": fields, "example": example})


def opgen_of(what, definitions):
    with tempfile.TemporaryDirectory() as folder:
        td, json, out = (pathlib.Path(folder) / name for name in ("Ops.td", "ops.json", "out"))
        td.write_text(definitions)
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

    def refuses_derivative(self, message, text):
        fields = f'let float = "math::CosOp"; let derivatives = ["{text}"];'
        self.refuses(f'derivative "{text}" of tx.cos: {message}', fields)

    def test_refuses_derivatives_that_are_no_expressions(self):
        self.refuses_derivative("expected ',' before the end", "-g * sin(x")
        self.refuses_derivative("it ends where an operand is missing", "g *")
        self.refuses_derivative("unexpected ')'", "g)")
        self.refuses_derivative("unexpected '@'", "g @ x")
        self.refuses_derivative("unexpected 'x'", "g x")

    def test_refuses_unknown_names_in_derivatives(self):
        self.refuses_derivative("unknown name 'y'", "g * y")
        self.refuses_derivative("unknown function 'sinus'", "g * sinus(x)")
        self.refuses_derivative("'dtype' takes 1 arguments, not 2", "dtype(x, g)")

    def test_refuses_constraints_that_it_does_not_know(self):
        status, out, err = opgen_of("graph-kinds", SCAN % {"arguments": "RankedTensorOf<[I8]>:$x"})
        self.assertEqual((status, out), (1, ""))
        self.assertIn("operand 'x' of tx.twist is a anonymous", err)
        status, out, err = opgen_of("attribute-structs", SCAN % {"arguments": "Tx_Tensor:$x, StrAttr:$how"})
        self.assertEqual((status, out), (1, ""))
        self.assertIn("tx.twist is in the API, and its attribute 'how' is a StrAttr", err)

    def test_refuses_a_shape_rule_that_nothing_verifies(self):
        definitions = SCAN % {"arguments": "Tx_Tensor:$x"}
        rule = "let shapeRule = \"shape::inferSame(x)\";\n}"
        status, out, err = opgen_of("shapes", definitions.removesuffix("}\n") + rule)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("tx.twist has a shapeRule and no verifier: derive it from Tx_ShapedOp", err)

    def test_makes_a_struct_of_attributes(self):
        definitions = SCAN % {"arguments": "Tx_Tensor:$x, I64Attr:$dim, DenseI64ArrayAttr:$turn_sizes"}
        status, out, err = opgen_of("attribute-structs", definitions)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("struct TwistAttributes {\n  int64_t dim{};\n  llvm::ArrayRef<int64_t> turnSizes;", out)

    def test_generates_everything_from_one_definition(self):
        fields = 'let float = "math::CosOp"; let derivatives = ["-g * cos(x)"];'
        for what, text in [
            ("scalar-ops", "Value(math::CosOp::create(b, loc, TypeRange(result), operands)->getResult(0))"),
            ("graph-kinds", 'TENSORC_OP(Cos, "cos", "cos", Elementwise, 1, (floatMask, 0, 0), DType::None, false, 1, NoAttributes)'),
            ("c-header", "tensorc_cos("),
            ("cpp-header", "inline Tensor cos(Arg x)"),
            ("c-functions", "recordElementwise(graph::OpKind::Cos, {x}, at, out)"),
            ("docs", "- Derivative: `-g * cos(x)`"),
        ]:
            status, out, err = opgen(what, fields)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(text, out)

    def test_refuses_gradients_by_what_has_none(self):
        fields = 'let float = "math::CosOp"; let derivatives = ["no: stop_gradient(x) keeps it"];'
        for what, text in [("gradient-rules", 'p.refuse(0, "x", "stop_gradient(x) keeps it");'), ("docs", "- Derivative: refused")]:
            status, out, err = opgen(what, fields)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(text, out)


class Api(unittest.TestCase):
    """Over compiler/api/Api.td and one more function."""

    def opgen(self, what, definition):
        return opgen_of(what, f'include "compiler/api/Api.td"\n{definition}')

    def test_refuses_a_wrapper_that_passes_too_much(self):
        wrapper = 'Wrapper<"twist", (params Tensor:$x), ["x", "1"]>'
        status, out, err = self.opgen("functions-header", f'def T : Function<"twist", (params Tensor:$x)> {{ let wrappers = [{wrapper}]; }}')
        self.assertEqual((status, out), (1, ""))
        self.assertIn("Ops.td:2: twist passes 2 arguments to tensorc_twist, which has 1", err)

    def test_refuses_an_example_that_does_not_fit(self):
        for example, message in [
            ("twist([1], 2) == [1]", "has more than 1 arguments"),
            ("twist() == [1]", "'x' is missing"),
            ("twist([1], up=1) == [1]", "there is no parameter 'up'"),
            ("twist([[1], [2, 3]]) == [1]", "rows of a tensor differ in length"),
            ("twist([y]) == [1]", "'y' is not a number"),
            ("turn([1]) == [1]", "is not twist(...) == ..."),
            ("twist([1) == [1]", "does not match"),
        ]:
            definition = f'def T : Function<"twist", (params Tensor:$x)> {{ let examples = ["{example}"]; }}'
            status, out, err = self.opgen("function-examples", definition)
            self.assertEqual((status, out), (1, ""))
            self.assertIn(f'Ops.td:2: example "{example}": ', err)
            self.assertIn(message, err)

    def test_generates_everything_from_one_definition(self):
        definition = """def T : Function<"twist", (params Tensor:$x, Axes<"{}">:$axes, Flag<"true">:$up)> {
          let comment = "Twists x.";
          let examples = ["twist(i8([[1], [2]]), axes=[1]) == f32[2]"];
          let section = "Arrays";
        }"""
        for what, text in [
            ("functions-header", "/* Twists x. */\nTENSORC_API tensorc_status *tensorc_twist("),
            ("c-adapters", "return graph::twist(r, refOf(x), axesChecked, up != 0);"),
            ("cpp-functions", "inline Tensor twist(Arg x, const Axes &axes = {}, bool up = true) {"),
            ("null-tests", 'RESETS("twist", tensorc_twist(NULL, 1, zeros, 0, at, &out));'),
            ("function-examples", "expect_example(tensorc_twist(t[0], 1, (const int64_t[]){1}, 1, HERE, &y), &y,"),
        ]:
            status, out, err = self.opgen(what, definition)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(text, out)


unittest.main(argv=sys.argv[:1])
