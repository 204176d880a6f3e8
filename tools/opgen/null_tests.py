"""Generates null_functions.inc: calls of each function with NULLs, negative counts and invalid enumerators.

It is included by tests/compiler/api/null_test.c, which defines RESETS and REFUSED, the tensors `x`, `out` and `second`,
the key `key`, the lists `ones`, `zeros`, `some` and `none`, and the arguments `one`, `nine` (of no known kind) and
`empty`.
"""

import re

from c_api import GENERATED

VALID = {
    "tensor": "x",
    "handle": "x",
    "optional_tensor": "NULL",
    "key": "key",
    "number": "&one",
    "bound": "&one",
    "int": "0",
    "axis_or_none": "0",
    "real": "1",
    "optional_real": "NULL",
    "flag": "0",
    "text": '"i"',
    "dtype": "TENSORC_F32",
    "ints": "ones",
    "axes": "zeros",
    "numbers": "&one",
    "per_axis": "ones",
    "optional_per_axis": "NULL",
    "tensors": "some",
}
INVALID = {
    "tensor": ["NULL"],
    "handle": ["NULL"],
    "key": ["NULL"],
    "number": ["NULL", "&nine", "&empty"],
    "bound": ["NULL", "&nine", "&empty"],
    "text": ["NULL"],
    "dtype": ["(tensorc_dtype)99"],
    "ints": ["NULL"],
    "axes": ["NULL"],
    "numbers": ["NULL"],
    "per_axis": ["NULL"],
    "tensors": ["NULL", "none"],
}


def valid(p):
    return p.enum.cases[0].constant if p.enum else VALID[p.kind]


def expected(f, values):
    """Returns the beginning of the expected message as C code."""
    if f.selector:
        functions = {case.constant: case.function for case in f.selector.enum.cases}
        return f'"{functions.get(values[f.selector.name], f.called)}"'
    if f.called.isidentifier():
        return f'"{f.called}"'
    flags = [p.name for p in f.parameters if p.kind == "flag"]
    return re.sub(r"\b(" + "|".join(flags) + r")\b", lambda match: values[match[0]], f.called)


def calls(f):
    values = {name: "1" if p is None else valid(p) for _, name, p in f.c_parameters()}

    def line(macro, changed, outs):
        now = {**values, **changed}
        return f"  {macro}({expected(f, now)}, {f.c_name}({', '.join([*now.values(), 'at', *outs])}));"

    outs = ["&out", "&second"][: len(f.outs)]
    result = []
    for _, name, p in f.c_parameters():
        if p is None:
            # In this case the length of an array of results is unknown.
            result.append(line("REFUSED" if f.out_length else "RESETS", {name: "-1"}, outs))
            continue
        bad = [f"({p.enum.name})99"] if p.enum else INVALID.get(p.kind, [])
        result += [line("RESETS", {name: text}, outs) for text in bad]
    return result + [line("REFUSED", {}, [*outs[:i], "NULL", *outs[i + 1 :]]) for i in range(len(outs))]


def generate(api):
    lines = [f"/* {GENERATED} */"]
    for f in api.functions:
        lines += calls(f)
    return "\n".join(lines) + "\n"
