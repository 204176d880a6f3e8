"""Generates the C++ functions that call the C interface."""

import dataclasses
import textwrap

from c_api import GENERATED

# Maps each kind to (type of the C++ parameter, argument of the C function). {op} is the name of the C++ function.
KINDS = {
    "tensor": ("Arg ", ['{0}.tensor("{op}")']),
    "handle": ("const Tensor &", ['{0}.operand("{op}", at)']),
    "optional_tensor": ("const Tensor &", ['{0}.operand("{op}", at)']),
    "key": ("const RandomKey &", ['{0}.tensor().operand("{op}", at)']),
    "number": ("Arg ", ['{0}.raw("{op}")']),
    "int": ("int64_t ", ["{0}"]),
    "axis_or_none": ("int64_t ", ["{0}"]),
    "real": ("double ", ["{0}"]),
    "flag": ("bool ", ["{0}"]),
    "text": ("const std::string &", ["{0}.c_str()"]),
    "dtype": ("DType ", ["detail::raw({0})"]),
    "ints": ("const Shape &", ["detail::rankOf({0})", "{0}.data()"]),
    "axes": ("const Axes &", ["{0}.size()", "{0}.data()"]),
    "numbers": ("const std::vector<Arg> &", ["static_cast<int32_t>(numbers.size())", "numbers.data()"]),
    "tensors": ("const std::vector<Tensor> &", ["handles.data()", "static_cast<int32_t>(handles.size())"]),
}
CALLED_ARG = ("tensor", "number")
@dataclasses.dataclass(frozen=True)
class Method:
    """A member of Tensor that calls a C++ function whose first parameter is the tensor."""

    name: str
    function: str
    result: str
    parameters: tuple  # (type, name, default, whether it is an Arg)

    @staticmethod
    def of_op(op, name):
        """Returns the method of an op, or None if the tensor is not the first operand."""
        operands = [operand for operand, _ in op.operands]
        if operands[0] != "x":
            return None
        return Method(name, name, "Tensor", tuple(("Arg ", o, "", True) for o in operands[1:]))

    @staticmethod
    def of(w, function=None, result="Tensor"):
        parameters = tuple((KINDS[p.kind][0], p.name, p.fallback, p.kind in CALLED_ARG) for p in w.parameters[1:])
        return Method(w.name, function or w.name, result, parameters)

    def place(self):
        """Returns the source location of the call. It comes from an Arg, or is a separate parameter."""
        return next((f"{name}.at()" for _, name, _, is_arg in self.parameters if is_arg), "at")

    def list(self, with_defaults):
        texts = [t + n + (f" = {d}" if d and with_defaults else "") for t, n, d, _ in self.parameters]
        if self.place() == "at":
            texts.append("Location at" + (" = Location::current()" if with_defaults else ""))
        return ", ".join(texts)

    def declarations(self):
        """Returns the declarations of a method. For a temporary tensor the value is released."""
        return [f"{self.result} {self.name}({self.list(True)}) {ref};" for ref in ("const &", "&&")]

    def definitions(self):
        lines, place = [], self.place()
        for ref, this in ("const &", "*this"), ("&&", "std::move(*this)"):
            arguments = [f"Arg({this}, {place}.file, {place}.line)"]
            arguments += [f"std::move({n})" if is_arg else n for _, n, _, is_arg in self.parameters]
            lines += [
                f"inline {self.result} Tensor::{self.name}({self.list(False)}) {ref} {{",
                f"  return tensorc::{self.function}({', '.join(arguments)});",
                "}",
            ]
        return lines


HEADER = f"""\
//===- functions.hpp - operations over tensors; included by tensorc.hpp ---===//
//
// {GENERATED}
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_FUNCTIONS_HPP
#define TENSORC_FUNCTIONS_HPP

#include "tensorc/arrays.h"
#include "tensorc/devices.hpp"
#include "tensorc/nn.h"
#include "tensorc/random_key.hpp"

namespace tensorc {{
"""


def argument(p, name, op, counts):
    """What the C function gets for the C++ parameter; a length that was passed is not passed again."""
    texts = KINDS[p.kind][1]
    if p.count and p.count in counts:
        texts = texts[1:]
    counts.add(p.count)
    return [text.format(name, op=op) for text in texts]


def op_of(f, w):
    """Returns the name of the function in errors."""
    return f.called if f.called.isidentifier() and not f.selector else w.name


def call(f, w):
    parameters, counts, result = {p.name: p for p in w.parameters}, set(), []
    for target, text in zip(f.parameters, w.arguments):
        if text in parameters:
            # The length is that of the C function's lists.
            source = parameters[text]
            count = target.count or source.count
            result += argument(type(source)(**{**vars(source), "count": count}), text, op_of(f, w), counts)
        else:
            result.append(text)
    return result


def checks(f, w):
    """Returns checks that lists with a common length have equal lengths."""
    lines, seen = [], {}
    for p in w.parameters:
        if p.kind not in ("ints", "axes"):
            continue
        if p.count in seen:
            lines += [f"  if ({seen[p.count]}.size() != {p.name}.size())",
                      f'    detail::fail("{op_of(f, w)}", "lists of axes differ in length", at);']  # fmt: skip
        seen[p.count] = p.name
    return lines


def statement(start, opening, arguments, end):
    """Returns a statement on one line, or with the arguments on the following lines, none of them broken."""
    line = f"{start} {opening}{', '.join(arguments)}{end}"
    if len(line) <= 80:
        return [line]
    text = ", ".join(a.replace(" ", "\0") for a in arguments) + end
    rest = textwrap.wrap(text, 80, initial_indent=" " * 6, subsequent_indent=" " * 6, break_long_words=False)
    return [f"{start} {opening}", *(line.replace("\0", " ") for line in rest)]


def wrapper(f, w):
    arg = next((p.name for p in w.parameters if p.kind in CALLED_ARG), None)
    parameters = [f"{KINDS[p.kind][0]}{p.name}" + (f" = {p.fallback}" if p.fallback else "") for p in w.parameters]
    if not arg:
        parameters.append("Location at = Location::current()")
    lines = textwrap.wrap(w.comment, 80, initial_indent="/// ", subsequent_indent="/// ") if w.comment else []
    lines += statement(f"inline {f.result}", f"{w.name}(", parameters, ") {")
    if arg:
        lines.append(f"  Location at = {arg}.at();")
    lines += checks(f, w)
    for p in w.parameters:
        if p.kind == "tensors":
            listed = [f'"{op_of(f, w)}"', p.name, "at"]
            lines += statement("  std::vector<const tensorc_tensor *> handles =", "detail::handlesOf(", listed, ");")
        if p.kind == "numbers":
            lines.append(f'  std::vector<tensorc_arg> numbers = detail::raw("{op_of(f, w)}", {p.name});')
    lines.append("  tensorc_tensor *out = nullptr;")
    lines += statement("  tensorc_status *status =", f"{f.c_name}(", [*call(f, w), "at", "&out"], ");")
    lines += [f"  {p.name}.drop();" for p in w.parameters if p.kind in CALLED_ARG]
    taken = "detail::take(status, out)"
    lines.append(f"  return {taken if f.result == 'Tensor' else f.result + '(' + taken + ')'};")
    return [*lines, "}"]


def with_options(w):
    """Returns a function that creates a tensor from nothing, with TensorOptions instead of a dtype."""
    dtype = next((p for p in w.parameters if p.kind == "dtype"), None)
    if not dtype or any(p.kind in (*CALLED_ARG, "key") for p in w.parameters):
        return []
    parameters = [f"{KINDS[p.kind][0]}{p.name}" for p in w.parameters if p is not dtype]
    arguments = [f"options.dtype.value_or({dtype.fallback})" if p is dtype else p.name for p in w.parameters]
    return [
        *statement("inline Tensor", f"{w.name}(",
                   [*parameters, "const TensorOptions &options", "Location at = Location::current()"], ") {"),  # fmt: skip
        "  detail::DeviceOf scope(options, at);",
        *statement("  return", f"{w.name}(", [*arguments, "at"], ");"),
        "}",
    ]


def methods(api):
    return [Method.of(w) for f in api.functions if f.methods for w in f.wrappers] + [
        Method.of(m, m.function, m.result) for m in api.methods
    ]


def method_declarations(api):
    """Generates tensorc/function_methods.inc, which is included in the class Tensor."""
    lines = [line for method in methods(api) for line in method.declarations()]
    return "\n".join([f"// {GENERATED}", "// clang-format off", *lines]) + "\n"


def method_definitions(api):
    """Generates tensorc/methods.hpp, which is included at the end of tensorc.hpp."""
    lines = [line for method in methods(api) for line in method.definitions()]
    guard = "TENSORC_METHODS_HPP"
    opening = [f"// {GENERATED}", "// clang-format off", f"#ifndef {guard}", f"#define {guard}", "",
               '#include "tensorc/tensorc.hpp"', "", "namespace tensorc {", ""]  # fmt: skip
    return "\n".join([*opening, *lines, "", "} // namespace tensorc", "", "#endif"]) + "\n"


def header(api):
    """tensorc/functions.hpp"""
    lines = [HEADER]
    for f in api.functions:
        for w in f.wrappers:
            lines += wrapper(f, w)
            lines += with_options(w)
    return "\n".join([*lines, "", "} // namespace tensorc", "", "#endif"]) + "\n"
