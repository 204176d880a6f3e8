"""Generates function_examples.inc: the examples of Api.td's functions as blocks of C code.

An example is an equation in Python's syntax, `tril([[1, 2], [3, 4]]) == [[1, 0], [3, 4]]`, over the parameters of the C
function. A list is a tensor of f32, `i64([1, 2])` is a tensor of another dtype, and `key(5)` is a random key.
Enumerators are written without TENSORC_. `f32[2, 3]` on the right stands for any numbers. Omitted arguments have the
default values of C++; if there is no default they are None, no axes, or 0 for a flag.

Included by tests/compiler/api/c_examples_test.c, which defines example_tensor, example_key and expect_example.
"""

import ast
import math

import records
from c_api import GENERATED

DTYPES = ("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "f32", "f64", "c64")
CONSTANTS = {"inf": math.inf, "nan": math.nan}
LEFT_OUT = {"optional_tensor": "NULL", "optional_real": "NULL", "optional_per_axis": "NULL", "axes": "NULL", "flag": "0"}
DEFAULTS = {"true": "1", "false": "0", "{}": "NULL"}


class Malformed(Exception):
    pass


def number(node):
    """Returns a Python number, such as inf, nan, -1 or 3 + 4j."""
    match node:
        case ast.Constant(value=bool() | int() | float() | complex() as value):
            return value
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -number(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return number(left) + number(right)
    raise Malformed(f"'{ast.unparse(node)}' is not a number")


def c_number(value):
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(int(value) if isinstance(value, bool) else value)


def array(kind, values):
    return f"(const {kind}[]){{{', '.join(values) or '0'}}}"


def integers(node):
    return [int(number(each)) for each in node.elts]


class Tensor:
    """A tensor literal: its dtype, its dims and its numbers in row-major order."""

    def __init__(self, node):
        self.dtype = None
        if isinstance(node, ast.Call) and node.func.id in DTYPES:
            self.dtype, node = node.func.id, node.args[0]
        self.dims, level = [], [node]
        while level and isinstance(level[0], ast.List):
            self.dims.append(len(level[0].elts))
            level = [each for inner in level for each in inner.elts]
        self.values = [number(each) for each in level]
        if math.prod(self.dims) != len(self.values):
            raise Malformed("rows of a tensor differ in length")
        first = self.values[0] if self.values else 0.0
        self.dtype = self.dtype or ("i1" if isinstance(first, bool) else "c64" if any(isinstance(v, complex) for v in self.values) else "f32")

    def in_c(self):
        """Returns dtype, rank, dims, real parts and imaginary parts as C code."""
        re, im = [c_number(v.real) for v in self.values], [c_number(v.imag) for v in self.values]
        return ", ".join([f"TENSORC_{self.dtype.upper()}", str(len(self.dims)), array("int64_t", map(str, self.dims)),
                          array("double", re), array("double", im) if self.dtype == "c64" else "NULL"])  # fmt: skip


def left_out(p):
    if p.fallback == "default_dtype()":
        return "TENSORC_F32"
    if p.fallback in DTYPES:
        return f"TENSORC_{p.fallback.upper()}"
    if p.kind in ("int", "real") and p.fallback:
        return p.fallback
    if not (text := DEFAULTS.get(p.fallback) or LEFT_OUT.get(p.kind)):
        raise Malformed(f"'{p.name}' is missing")
    return text


class Call:
    def __init__(self, function):
        self.function = function
        self.tensors = []  # C code that creates each tensor

    def keep(self, made):
        self.tensors.append(made)
        return f"t[{len(self.tensors) - 1}]"

    def tensor(self, node):
        if isinstance(node, ast.Constant) and node.value is None:
            return "NULL"
        if isinstance(node, ast.Call) and node.func.id == "key":
            return self.keep(f"example_key({number(node.args[0])})")
        return self.keep(f"example_tensor({Tensor(node).in_c()})")

    def scalar(self, node):
        if isinstance(node, (ast.List, ast.Call)):
            return f"tensorc_tensor_arg({self.tensor(node)})"
        value = number(node)
        return f"tensorc_{'int' if isinstance(value, int) else 'float'}_arg({c_number(value)})"

    def argument(self, p, node):
        """Returns the C arguments of a parameter, without a length."""
        match p.kind:
            case "tensor" | "handle" | "optional_tensor" | "key":
                return self.tensor(node)
            case "number" | "bound":
                return array("tensorc_arg", [self.scalar(node)])
            case "numbers":
                return array("tensorc_arg", [self.scalar(each) for each in node.elts])
            case "tensors":
                return array("tensorc_tensor *", [self.tensor(each) for each in node.elts]).replace("*[", "*const[")
            case "ints" | "axes" | "per_axis" | "optional_per_axis":
                return array("int64_t", map(str, integers(node)))
            case "axis_or_none" if isinstance(node, ast.Constant) and node.value is None:
                return "TENSORC_NONE"
            case "text":
                return f'"{node.value}"'
            case "dtype" | "choice" | "selector":
                return f"TENSORC_{node.id.upper()}"
            case "optional_real":
                return array("double", [c_number(number(node))])
        return c_number(number(node))

    def arguments(self, given):
        result, counted = [], set()
        for p in self.function.parameters:
            node = given.pop(p.name, None)
            length = len(getattr(node, "elts", ()))
            if p.kind in ("ints", "axes", "numbers") and p.count not in counted:
                counted.add(p.count)
                result.append(str(length))
            result.append(left_out(p) if node is None else self.argument(p, node))
            if p.kind == "tensors":
                result.append(str(length))
        if given:
            raise Malformed(f"there is no parameter '{next(iter(given))}'")
        return result


def expected(node):
    if isinstance(node, ast.Subscript):
        dims = [node.slice] if not isinstance(node.slice, ast.Tuple) else node.slice.elts
        dims = [number(each) for each in dims]
        return f"TENSORC_{node.value.id.upper()}, {len(dims)}, {array('int64_t', map(str, dims))}, NULL, NULL"
    return Tensor(node).in_c()


def block(f, text):
    match ast.parse(text, mode="eval").body:
        case ast.Compare(left=ast.Call(func=ast.Name(id=f.name), args=args, keywords=keywords), ops=[ast.Eq()], comparators=[result]):
            pass
        case _:
            raise Malformed(f"is not {f.name}(...) == ...")
    names = [p.name for p in f.parameters]
    if len(args) > len(names):
        raise Malformed(f"has more than {len(names)} arguments")
    call = Call(f)
    given = {**dict(zip(names, args)), **{k.arg: k.value for k in keywords}}
    arguments = call.arguments(given)
    lines = ["  {", f"    tensorc_tensor *t[{max(1, len(call.tensors))}], *y = NULL;"]
    lines += [f"    t[{i}] = {made};" for i, made in enumerate(call.tensors)]
    lines += [f"    expect_example({f.c_name}({', '.join([*arguments, 'HERE', '&y'])}), &y,",
              f"        \"{text.replace(chr(34), chr(39))}\", {expected(result)});",
              f"    release_all({len(call.tensors)}, t);", "  }"]  # fmt: skip
    return lines


def generate(api):
    lines = [f"/* {GENERATED} */"]
    for f in api.functions:
        for text in f.examples:
            try:
                lines += block(f, text)
            except (Malformed, SyntaxError, AttributeError) as error:
                raise records.Refused(f"{f.where}: example \"{text}\": {error}") from error
    return "\n".join(lines) + "\n"
