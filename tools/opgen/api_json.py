"""Generates share/tensorc/api.json, which describes the C interface for generators of bindings.

`functions`, `structs` and `enums` contain the whole C interface as listed in docs/abi.txt, with C types. `operations`
describes the parameters of functions that record ops (a list and its length, a selector, a tensor that may be NULL),
and the C++ functions that call them with their default arguments.
"""

import json

import graph_ops
import records

FORMAT = 1


def split_types(text):
    """Splits at commas that are not inside parentheses."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [*parts, part.strip()] if part.strip() not in ("", "void") else parts


def function_type(text):
    """Of `result (parameters)`."""
    result, _, parameters = text.removesuffix(")").partition("(")
    return {"result": result.strip(), "parameters": split_types(parameters)}


def interface(lines):
    """Parses docs/abi.txt. Its lines begin with function, type, struct or enum; indented lines belong to the preceding
    line."""
    found = {"functions": {}, "types": {}, "structs": {}, "enums": {}}
    inner = None
    for line in lines:
        if line.startswith("  "):
            name, _, value = line.strip().partition(" = " if isinstance(inner, dict) else ": ")
            if isinstance(inner, dict):
                inner[name] = int(value)
            else:
                inner.append({"name": name, "type": value})
            continue
        kind, _, rest = line.partition(" ")
        name, _, text = rest.partition(": ")
        if kind == "function":
            found["functions"][name] = function_type(text)
        elif kind == "type":
            found["types"][name] = text
        elif kind in ("struct", "enum"):
            inner = found[kind + "s"][name] = [] if kind == "struct" else {}
        elif kind != "#":
            raise records.Refused(f"docs/abi.txt: cannot read '{line}'")
    return found


def parameter(p):
    result = {"name": p.name, "kind": p.kind}
    if p.fallback:
        result["default"] = p.fallback
    if p.count:
        result["count"] = p.count
    if p.enum:
        result["enum"] = p.enum.name
    return result


def cases(f):
    """Returns the names by which errors and C++ refer to the function that each value of a selector selects."""
    return {case.function: case.constant for case in reversed(f.selector.enum.cases)} if f.selector else {}


def described(f):
    result = {
        "function": f.c_name,
        "comment": f.comment,
        "parameters": [parameter(p) for p in f.parameters],
        "results": list(f.outs),
        "length": f.out_length,
        "calls": [
            {
                "name": w.name,
                "comment": w.comment,
                "parameters": [parameter(p) for p in w.parameters],
                "arguments": list(w.arguments),
            }
            for w in f.wrappers
        ],
    }
    return {**result, "selects": cases(f)} if cases(f) else result


def element_wise(op):
    names = [name for name, _ in op.operands]
    parameters = [
        {"name": name, "kind": "number", **({"default": op.default(name)} if op.default(name) else {})} for name in names
    ]
    call = {"name": graph_ops.api_name(op), "comment": "", "parameters": parameters, "arguments": names}
    return {
        "function": "tensorc_" + graph_ops.api_name(op),
        "comment": f"{op.summary}. {op.meaning}".strip(),
        "parameters": parameters,
        "results": ["out"],
        "length": "",
        "calls": [call],
    }


def generate(api, ops, abi):
    found = interface(abi.splitlines())
    operations = [element_wise(op) for op in graph_ops.generated(ops)] + [described(f) for f in api.functions]
    for operation in operations:
        if operation["function"] not in found["functions"]:
            raise records.Refused(f"docs/abi.txt lacks {operation['function']}: make it anew by tools/docs/abi.py")
    return json.dumps({"format": FORMAT, **found, "operations": operations}, indent=1) + "\n"
