"""Generates OpTable.inc: the properties of ops that tensorc/operations.h provides at run time."""

import json

import docs
import graph_ops
import records

# Bits of tensorc_dtype.
BOOL, SIGNED, UNSIGNED, FLOATS, STORAGE, COMPLEX = 1 << 1, 0b1111 << 2, 0b1111 << 6, 0b1111 << 10, 0b1111 << 14, 0b11 << 18
INTEGERS = SIGNED | UNSIGNED
COMPUTED = BOOL | INTEGERS | FLOATS
MASKS = {
    "Tx_Tensor": COMPUTED | STORAGE | COMPLEX,
    "Tx_ComputeTensor": COMPUTED,
    "Tx_StoredNumberTensor": INTEGERS | FLOATS | STORAGE,
    "Tx_NumberTensor": INTEGERS | FLOATS,
    "Tx_FloatTensor": FLOATS,
    "Tx_ComputeOrComplexTensor": COMPUTED | COMPLEX,
    "Tx_NumberOrComplexTensor": INTEGERS | FLOATS | COMPLEX,
    "Tx_FactorTensor": INTEGERS | FLOATS | 0b11 << 16 | COMPLEX,
    "Tx_FloatOrComplexTensor": FLOATS | COMPLEX,
    "Tx_ComplexTensor": COMPLEX,
    "Tx_PlaneTensor": 0b11 << 12,
    "Tx_BoolTensor": BOOL,
    "Tx_I64Tensor": 1 << 5,
    "Tx_IndexTensor": 1 << 4 | 1 << 5,
    "Tx_BitsTensor": BOOL | INTEGERS,
    "Tx_IntTensor": INTEGERS,
    "Tx_QuantizedTensor": 0b111 << 2 | 0b11 << 6 | STORAGE,
    "Tx_Words": 1 << 8,
    "Tx_WordsOrDoubleWords": 1 << 8 | 1 << 9,
    "Tx_FloatNumber": FLOATS,
    "Tx_IntNumber": INTEGERS,
    "Index": 1 << 5,
}


def text(words):
    return json.dumps(words, ensure_ascii=True)


def value(op, name, constraint):
    how, _, kind = constraint.rpartition(" ")
    if kind not in MASKS:
        raise records.Refused(f"{op.where}: '{name}' of tx.{op.name} is a {kind}, of which no dtypes are known")
    flags = ["TENSORC_OP_VARIADIC" * (how == "variadic"), "TENSORC_OP_OPTIONAL" * (how == "optional"),
             "TENSORC_OP_NUMBER" * kind.endswith("Number")]
    return f"{{{text(name)}, {MASKS[kind]}u, {' | '.join(filter(None, flags)) or '0'}}}"


def attribute(op, name, constraint):
    kinds = {"DenseI64ArrayAttr": "TENSORC_OP_INTEGERS", "I64Attr": "TENSORC_OP_INTEGER", "UnitAttr": "TENSORC_OP_FLAG"}
    kind = kinds.get(constraint, "TENSORC_OP_ENUMERATION")
    return f"{{{text(name)}, {kind}, {text(op.enums.get(constraint, ''))}}}"


def array(kind, name, rows):
    return f"static constexpr {kind} {name}[] = {{{', '.join(rows)}}};" if rows else ""


def generate(ops):
    lines, table = [graph_ops.GENERATED], []
    functions = {op.name for op in graph_ops.generated(ops)}
    for op in ops:
        if op.category == "structure" or not op.in_api:
            continue
        parts = {
            "operands": ("tensorc_op_value", [value(op, *each) for each in op.operands]),
            "attributes": ("tensorc_op_attribute", [attribute(op, *each) for each in op.attributes]),
            "results": ("tensorc_op_value", [value(op, *each) for each in op.results]),
        }
        pointers = []
        for part, (kind, rows) in parts.items():
            name = f"{op.name}_{part}"
            lines.append(array(kind, name, rows))
            pointers += [str(len(rows)), name if rows else "nullptr"]
        calls = ["nullptr"] * 3
        if op.name in functions:
            calls[len(op.operands) - 1] = f"tensorc_{graph_ops.api_name(op)}"
        described = [text(op.name), text(f"tensorc_{graph_ops.api_name(op)}") if op.name in functions else "nullptr",
                     text(op.category), text(op.summary), text(op.meaning), text(op.example), text(docs.derivative(op))]
        table.append(f"    {{{{sizeof(tensorc_op_info), {', '.join(described)}, {', '.join(pointers)}}}, {', '.join(calls)}}},")
    lines += ["static constexpr Row table[] = {", *table, "};"]
    return "\n".join(line for line in lines if line) + "\n"
