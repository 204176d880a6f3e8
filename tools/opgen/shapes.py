"""Generates OpShapes.h.inc: the shape rule of each op that has one, as a function of the operands' dims and the
attributes."""

import attributes
from attributes import GENERATED


def operand(op, name, constraint, is_last):
    """Returns C++ code that takes the dims of an operand, or of several operands."""
    optional, cpp = op.optional_operands, attributes.camel(name)
    if name in optional:
        return [
            f"  [[maybe_unused]] shape::OptionalDims {cpp};",
            f"  if (a.present >> {optional.index(name)} & 1)",
            f"    {cpp} = operands[next++];",
        ]
    if constraint.startswith("variadic "):
        # The last operand takes all remaining dims.
        assert is_last, op.where
        return [f"  [[maybe_unused]] shape::Operands {cpp} = operands.drop_front(next);"]
    return [f"  [[maybe_unused]] shape::Dims {cpp} = operands[next++];"]


def function(op):
    struct = attributes.struct_of(op) or "NoAttributes"
    lines = [
        f"inline shape::InferredShape infer{op.kind}([[maybe_unused]] shape::Operands operands,",
        f"    [[maybe_unused]] const {struct} &a, [[maybe_unused]] shape::Dims result) {{",
        "  [[maybe_unused]] size_t next = 0;",
    ]
    for i, (name, constraint) in enumerate(op.operands):
        lines += operand(op, name, constraint, i + 1 == len(op.operands))
    return [*lines, f"  return {op.shape_rule};", "}"]


def generate(ops, table):
    ops = [op for op in ops if op.shape_rule]
    lines = [GENERATED]
    for op in ops:
        lines += function(op)
    rows = [f"  X({op.kind}, {attributes.struct_of(op) or 'NoAttributes'})" for op in ops]
    return "\n".join([*lines, "", f"#define {table}(X) \\", " \\\n".join(rows), ""])
