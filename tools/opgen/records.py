"""The ops of the tx dialect, read from llvm-tblgen --dump-json."""

import dataclasses
import json
import textwrap

KINDS = ("float", "signed", "unsigned", "bool")


class Refused(Exception):
    """A definition that the project does not accept; the message says where."""


@dataclasses.dataclass
class Op:
    name: str  # "add"
    cls: str  # "AddOp"
    category: str
    summary: str
    meaning: str  # description without its example
    example: str
    operands: list  # (name, constraint)
    attributes: list  # (name, constraint)
    results: list  # (name, constraint)
    scalar: dict  # kind -> scalar op or function, only for ops that have one
    derivatives: list
    differentiable: bool
    in_api: bool
    where: str

    def result_is_bool(self):
        return self.results and self.results[0][1] == "Tx_BoolTensor"


def split_description(text):
    """(meaning, example) of a description with one ```mlir block."""
    text = textwrap.dedent(text or "").strip()
    before, fence, rest = text.partition("```mlir")
    example = textwrap.dedent(rest.partition("```")[0].strip("\n")) if fence else ""
    return " ".join(before.split()), example


def arguments(record, data):
    """The operands and the attributes, each as (name, constraint)."""
    operands, attributes = [], []
    for value, name in record["arguments"]["args"]:
        constraint = data[value["def"]]
        is_attribute = "Attr" in constraint["!superclasses"]
        label = value["def"]
        if "Variadic" in constraint["!superclasses"]:
            label = "variadic " + constraint["baseType"]["def"]
        if "Optional" in constraint["!superclasses"]:
            label = "optional " + constraint["baseType"]["def"]
        (attributes if is_attribute else operands).append((name, label))
    return operands, attributes


def read_op(record, data):
    operands, attributes = arguments(record, data)
    meaning, example = split_description(record["description"])
    return Op(
        name=record["opName"],
        cls=record["!name"].removeprefix("Tx_"),
        category=record["category"],
        summary=record["summary"],
        meaning=meaning,
        example=example,
        operands=operands,
        attributes=attributes,
        results=[(name, value["def"]) for value, name in record["results"]["args"]],
        scalar={k: record[k] for k in KINDS if record.get(k)},
        derivatives=record["derivatives"],
        differentiable=not record["notDifferentiable"],
        in_api=bool(record["inApi"]),
        where=record["!locs"][0] if record["!locs"] else record["!name"],
    )


def check(op):
    """Refuses what would leave a gap in what is generated."""
    if op.differentiable and not op.derivatives:
        raise Refused(f"{op.where}: tx.{op.name} has neither derivatives nor notDifferentiable")
    if not op.differentiable and op.derivatives:
        raise Refused(f"{op.where}: tx.{op.name} has derivatives and notDifferentiable")
    tensors = [o for o in op.operands if not o[1].endswith("Index")]
    if op.differentiable and len(op.derivatives) != len(tensors):
        raise Refused(f"{op.where}: tx.{op.name} has {len(op.derivatives)} derivatives for {len(tensors)} operands")
    if op.in_api and not op.example:
        raise Refused(f"{op.where}: tx.{op.name} has no example")
    if op.category == "element-wise" and not op.scalar:
        raise Refused(f"{op.where}: tx.{op.name} names no scalar op")


def read(path):
    """All ops in the order of their definition, checked."""
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    records = [data[name] for name in data["!instanceof"]["Tx_Op"]]
    order = ["element-wise", "reduction", "scan", "contraction", "shape", "random", "structure"]

    def key(record):
        file, _, line = (record["!locs"][0] if record["!locs"] else ":0").rpartition(":")
        return order.index(record["category"]), file, int(line), record["opName"]

    ops = [read_op(r, data) for r in sorted(records, key=key)]
    for op in ops:
        check(op)
    return ops
