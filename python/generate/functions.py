#!/usr/bin/env python3
"""Generates the binding of the functions that share/tensorc/api.json describes.

    functions.py api.json FOLDER PARTS

FOLDER/functions_0.cpp to functions_<PARTS - 1>.cpp bind the functions of the C++ interface, with the same names and
parameters, and those of the C interface that C++ does not have. functions.cpp calls these parts.
"""

import json
import pathlib
import sys

# For each kind of parameter: its type in the binding, and the arguments for C, where a list is preceded by its
# length.
KINDS = {
    "number": ("const Operand &", "&{0}.arg"),
    "bound": ("const Operand &", "&{0}.arg"),
    "tensor": ("const Tensor &", "{0}.raw()"),
    "handle": ("const Tensor &", "{0}.raw()"),
    "key": ("const Tensor &", "{0}.raw()"),
    "optional_tensor": ("const OptionalTensor &", "{0}.raw()"),
    "int": ("int64_t", "{0}"),
    "real": ("double", "{0}"),
    "flag": ("bool", "{0}"),
    "dtype": ("DTypeLike", "{0}.value"),
    "ints": ("const Ints &", "{0}.data()"),
    "axes": ("const Ints &", "{0}.data()"),
    "per_axis": ("PerAxis", "{0}.of({x}.array)"),
    "optional_per_axis": ("OptionalPerAxis", "{0}.of({x}.array)"),
    "numbers": ("const Operands &", "{0}.data()"),
    "tensors": ("const Arrays &", "{0}.data(), {0}.count()"),
    "optional_real": ("OptionalReal", "{0}.data()"),
    "axis_or_none": ("AxisOrNone", "{0}.value"),
    "text": ("const std::string &", "{0}.c_str()"),
    "choice": ("int", "static_cast<{enum}>({0})"),
    "selector": ("int", "static_cast<{enum}>({0})"),
}
LISTS = ("ints", "axes", "numbers")
# Numbers are not converted to the array's dtype, because they may be out of its range.
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
NONE_BY_DEFAULT = ("optional_tensor", "axes", "optional_per_axis", "optional_real", "axis_or_none")


def default(parameter):
    """Returns the default value as a C++ expression for nanobind, or None."""
    kind, value = parameter["kind"], parameter.get("default")
    if value is None:
        return "nb::none()" if kind in ("optional_tensor", "optional_per_axis", "optional_real", "axis_or_none") else None
    if value == "{}":
        return "nb::none()"
    if kind in LISTS:
        return f"nb::make_tuple({value[1:-1]})"
    if kind == "dtype":
        return "nb::none()" if value == "default_dtype()" else f"dtypeObject(TENSORC_{value.upper()})"
    if kind == "real":
        return f"double({value})"
    if kind == "int":
        return f"int64_t({value})"
    return value


def given(parameter, counts):
    """Returns the arguments that a parameter becomes in a call of the C function."""
    kind, name = parameter["kind"], parameter["name"]
    parts = []
    if kind in LISTS and parameter.get("count") not in (None, *counts):
        counts.add(parameter["count"])
        parts.append(f"{name}.count()")
    parts.append(KINDS[kind][1].format(name, x=first_tensor, enum=parameter.get("enum")))
    return ", ".join(parts)


first_tensor = "x"


def definition(operation, name, parameters, arguments, comment):
    """Returns the m.def(...) of a function."""
    of_c = {p["name"]: p for p in operation["parameters"]}
    of_call = {p["name"]: p for p in parameters}
    counts, values = set(), []
    for parameter, argument in zip(operation["parameters"], arguments, strict=True):
        if argument in of_call:
            # The C++ wrapper may have another name for a list, but the C name of the count is kept.
            values.append(given({**of_call[argument], **{k: v for k, v in parameter.items() if k in ("count", "enum")}}, counts))
        else:
            values.append(argument)
    kinds = {p["name"]: p["kind"] for p in parameters}
    settles = kinds.get("x") == kinds.get("y") == "number" and name not in COMPARISONS
    declared = ", ".join(f"{'Operand' if settles and p['name'] in ('x', 'y') else KINDS[p['kind']][0]} {p['name']}" for p in parameters)
    names = []
    for p in parameters:
        value = default(p)
        optional = ".none()" if p["kind"] in NONE_BY_DEFAULT or value == "nb::none()" else ""
        names.append(f'nb::arg("{p["name"]}"){optional}' + (f" = {value}" if value else ""))
    checks = "".join(f"      sameCount({a}.count(), {b}.count());\n" for a, b in paired(operation, of_c))
    if settles:
        checks += f"      agree(x, y, here(){', false' if name == 'pow' else ''});\n"
    if operation["function"] == "tensorc_full":
        value, dtype = (next(p["name"] for p in parameters if p["kind"] == kind) for kind in ("number", "dtype"))
        checks += f"      checkRange({value}.arg, {dtype}.value, here());\n"
    tail = "".join(", " + text for text in names) + f",\n        {json.dumps(' '.join(comment.split()))});\n"
    call = ", ".join([*values, "here()"])
    if operation["length"]:
        count = "tensors.count()" if operation["length"] == "count" else f"{parameters[0]['name']}.array.rank()"
        body = (f"      std::vector<tensorc_tensor *> out(static_cast<size_t>({count}));\n"
                f"      check({operation['function']}({call}, out.data()));\n      return toList(out);\n")  # fmt: skip
    elif len(operation["results"]) > 1:
        outs = operation["results"]
        body = "".join(f"      tensorc_tensor *{o} = nullptr;\n" for o in outs)
        body += f"      check({operation['function']}({call}, {', '.join('&' + o for o in outs)}));\n"
        body += f"      return nb::make_tuple({', '.join(f'Array({o})' for o in outs)});\n"
    else:
        body = (f"      tensorc_tensor *out = nullptr;\n      tensorc_status *status = {operation['function']}({call}, &out);\n"
                "      return taken(status, out);\n")  # fmt: skip
    return f'  m.def("{name}", []({declared}) {{\n{checks}{body}    }}{tail}'


def paired(operation, of_c):
    """Returns the lists in C that share one length parameter."""
    seen = {}
    for p in operation["parameters"]:
        if p["kind"] in LISTS and "count" in p:
            if p["count"] in seen:
                yield seen[p["count"]], p["name"]
            seen.setdefault(p["count"], p["name"])


def definitions(api):
    for operation in api["operations"]:
        unknown = {p["kind"] for p in operation["parameters"]} - KINDS.keys()
        if unknown:
            print(f"functions.py: {operation['function']} is left out: parameters of the kind {', '.join(sorted(unknown))}")
        elif operation["calls"]:
            for call in operation["calls"]:
                yield definition(operation, call["name"], call["parameters"], call["arguments"], call["comment"])
        else:
            own = operation["parameters"]
            yield definition(operation, operation["function"].removeprefix("tensorc_"), own, [p["name"] for p in own],
                             operation.get("comment", ""))  # fmt: skip


def main():
    source, folder, parts = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    api = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
    all_of_them = list(definitions(api))
    folder.mkdir(parents=True, exist_ok=True)
    head = '// Written by generate/functions.py.\n#include "core.h"\n\n'
    share = -(-len(all_of_them) // parts)
    for part in range(parts):
        text = head + (
            '#include "tensorc/arrays.h"\n#include "tensorc/nn.h"\n#include "tensorc/random.h"\n\n#include <nanobind/stl/string.h>\n\nnamespace tcpy {\n'
            "[[maybe_unused]] static void sameCount(int32_t a, int32_t b) {\n  if (a != b)\n"
            '    raise(PyExc_ValueError, "two lists of different lengths");\n}\n'
            f"void addFunctions{part}(nb::module_ &m) {{\n"
        )
        text += "".join(all_of_them[part * share : (part + 1) * share]) + "}\n} // namespace tcpy\n"
        write(folder / f"functions_{part}.cpp", text)
    calls = "".join(f"void addFunctions{i}(nb::module_ &m);\n" for i in range(parts))
    calls += "void addFunctions(nb::module_ &m) {\n" + "".join(f"  addFunctions{i}(m);\n" for i in range(parts))
    for name, cases in sorted(api["enums"].items()):
        prefix = "TENSORC_"
        pairs = "".join(f'  {name}_[\"{case.removeprefix(prefix).lower()}\"] = {number};\n' for case, number in cases.items())
        calls += f'  nb::dict {name}_;\n{pairs}  m.attr("{name.removeprefix("tensorc_")}") = {name}_;\n'
    write(folder / "functions.cpp", head + "namespace tcpy {\n" + calls + "}\n} // namespace tcpy\n")


def write(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


main()
