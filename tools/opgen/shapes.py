"""OpShapes.h.inc: the shape rule of each composite, a function of operands' dims and attributes."""

import attributes
from attributes import GENERATED


def function(op):
    struct = attributes.struct_of(op) or "NoAttributes"
    lines = [
        f"inline shape::InferredShape infer{op.kind}([[maybe_unused]] shape::Operands operands,",
        f"    [[maybe_unused]] const {struct} &a) {{",
        "  size_t next = 0;",
    ]
    optional = op.optional_operands
    for name, _ in op.operands:
        if name in optional:
            lines.append(f"  [[maybe_unused]] shape::OptionalDims {attributes.camel(name)};")
            lines.append(f"  if (a.present >> {optional.index(name)} & 1)")
            lines.append(f"    {attributes.camel(name)} = operands[next++];")
        else:
            lines.append(f"  [[maybe_unused]] shape::Dims {attributes.camel(name)} = operands[next++];")
    return [*lines, f"  return {op.shape_rule};", "}"]


def generate(ops):
    composites = [op for op in ops if op.is_composite]
    lines = [GENERATED]
    for op in composites:
        lines += function(op)
    rows = [f"  X({op.kind}, {attributes.struct_of(op) or 'NoAttributes'})" for op in composites]
    return "\n".join([*lines, "", "#define TENSORC_COMPOSITES(X) \\", " \\\n".join(rows), ""])
