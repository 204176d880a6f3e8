"""Reads the ops of the tx dialect from the output of llvm-tblgen --dump-json."""

import dataclasses
import json
import textwrap

import derivatives

KINDS = ("float", "signed", "unsigned", "bool")


class Refused(Exception):
    """An invalid definition. The message contains its location."""


@dataclasses.dataclass
class Op:
    name: str  # "add"
    cls: str  # "AddOp"
    category: str
    summary: str
    meaning: str  # the description without its example
    example: str
    operands: list  # (name, constraint)
    attributes: list  # (name, constraint)
    shared_attributes: str  # the struct shared by several ops; empty if the op has its own
    enums: dict  # constraint -> C++ type, for attributes that are enumerations
    results: list  # (name, constraint)
    scalar: dict  # kind -> scalar op or function, only for kinds that have one
    derivatives: list
    has_gradient_rule: bool
    differentiable: bool
    in_api: bool
    owns_shape: bool  # the operands do not determine the result's shape
    of_complex: bool  # supports only complex numbers: has no scalar op and no derivative
    shape_rule: str  # as C++; empty: none
    combines: str  # for a reduction or scan: the element-wise op; empty for other ops
    neutral: str  # for a reduction or scan: the neutral element
    has_function: bool  # for a composite: C and C++ have a function of its operands
    defaults: list  # default values of its last operands in C++
    elementwise_ops: int  # for a composite of element-wise ops: the number of ops in its expansion
    where: str

    @property
    def kind(self):
        return self.cls.removesuffix("Op")

    @property
    def is_composite(self):
        return self.category == "composite"

    def default(self, operand):
        """Returns the default value of an operand in C++, or an empty string."""
        names = [name for name, _ in self.operands]
        return dict(zip(names[len(names) - len(self.defaults):], self.defaults)).get(operand, "")

    @property
    def optional_operands(self):
        return [name for name, constraint in self.operands if constraint.startswith("optional ")]


def split_description(text):
    """Splits a description with one ```mlir block into (description, example)."""
    text = textwrap.dedent(text or "").strip()
    before, fence, rest = text.partition("```mlir")
    example = textwrap.dedent(rest.partition("```")[0].strip("\n")) if fence else ""
    return " ".join(before.split()), example


def label(constraint):
    """Returns the constraint's name, preceded by its multiplicity."""
    for how in ("Variadic", "Optional"):
        if how in constraint["!superclasses"]:
            return f"{how.lower()} {constraint['baseType']['def']}"
    return constraint["!name"]


def arguments(record, data):
    """Returns the operands and the attributes, each as (name, constraint)."""
    operands, attributes = [], []
    for value, name in record["arguments"]["args"]:
        constraint = data[value["def"]]
        is_attribute = "Attr" in constraint["!superclasses"]
        (attributes if is_attribute else operands).append((name, label(constraint)))
    return operands, attributes


def enums(record, data):
    """Maps constraints to C++ types, for attributes that are enumerations of the dialect."""
    constraints = [data[value["def"]] for value, _ in record["arguments"]["args"]]
    found = {c["!name"]: c["className"] for c in constraints if "I32EnumAttr" in c["!superclasses"]}
    described = [c for c in constraints if "EnumAttr" in c["!superclasses"]]
    return {**found, **{c["!name"]: data[c["enum"]["def"]]["className"] for c in described}}


def read_op(record, data):
    if record["shapeRule"] and not record["hasVerifier"]:
        raise Refused(f"{record['!locs'][0]}: tx.{record['opName']} has a shapeRule and no verifier: derive it from Tx_ShapedOp")
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
        shared_attributes=record["sharedAttributes"],
        enums=enums(record, data),
        results=[(name, label(data[value["def"]])) for value, name in record["results"]["args"]],
        scalar={k: record[k] for k in KINDS if record.get(k)},
        derivatives=record["derivatives"],
        has_gradient_rule=bool(record["gradientRule"]),
        differentiable=not record["notDifferentiable"],
        in_api=bool(record["inApi"]),
        owns_shape=bool(record["ownsShape"]),
        of_complex=bool(record["ofComplex"]),
        shape_rule=" ".join(record["shapeRule"].split()),
        combines=record.get("combines", ""),
        neutral=record.get("neutral", ""),
        has_function=bool(record.get("function")),
        defaults=record.get("defaults", []),
        elementwise_ops=record["elementwiseOps"],
        where=record["!locs"][0] if record["!locs"] else record["!name"],
    )


def check(op):
    """Rejects definitions that would leave gaps in the generated files."""
    if op.is_composite and (op.derivatives or op.has_gradient_rule or not op.differentiable):
        raise Refused(f"{op.where}: tx.{op.name} is a composite, whose derivatives are those of its expansion")
    if op.of_complex:
        if op.derivatives or op.has_gradient_rule or op.scalar:
            raise Refused(f"{op.where}: tx.{op.name} is gone before there are gradients and kernels, and names no op of them")
        return
    field = "derivatives" if op.category == "element-wise" else "gradientRule"
    if op.differentiable and not op.is_composite and not (op.derivatives if op.category == "element-wise" else op.has_gradient_rule):
        raise Refused(f"{op.where}: tx.{op.name} has neither {field} nor notDifferentiable")
    if not op.differentiable and (op.derivatives or op.has_gradient_rule):
        raise Refused(f"{op.where}: tx.{op.name} has {field} and notDifferentiable")
    if op.derivatives and len(op.derivatives) != len(op.operands):
        raise Refused(f"{op.where}: tx.{op.name} has {len(op.derivatives)} derivatives for {len(op.operands)} operands")
    if op.in_api and not op.example:
        raise Refused(f"{op.where}: tx.{op.name} has no example")
    if op.category == "element-wise" and not op.scalar:
        raise Refused(f"{op.where}: tx.{op.name} names no scalar op")


def check_derivatives(op, functions):
    for text in op.derivatives:
        try:
            if text and not derivatives.remedy(text):
                derivatives.check(derivatives.parse(text), derivatives.names_of(op), functions)
        except derivatives.Malformed as malformed:
            raise Refused(f"{op.where}: derivative \"{text}\" of tx.{op.name}: {malformed}") from malformed


def read(path):
    """Returns all ops in the order of their definition, checked."""
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    records = [data[name] for name in data["!instanceof"]["Tx_Op"]]
    order = ["element-wise", "reduction", "scan", "contraction", "shape", "random", "composite", "structure"]

    def key(record):
        file, _, line = (record["!locs"][0] if record["!locs"] else ":0").rpartition(":")
        return order.index(record["category"]), file, int(line), record["opName"]

    ops = [read_op(r, data) for r in sorted(records, key=key)]
    functions = derivatives.arities(ops)
    for op in ops:
        check(op)
        check_derivatives(op, functions)
    return ops
