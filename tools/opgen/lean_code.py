#!/usr/bin/env python3
"""Copies generated C++ without the parts that cost compile time and are not used. A copy that would be unchanged is not
written.

  lean_code.py FROM TO [FROM TO ...]

- Comments on separate lines, which are the descriptions of ops. Without them, sources are not recompiled when a
description changes. - Builders that take lists of types, of operands and of attributes, which were a third of the code
of all ops. An op with one result is created from its type and its operands.
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"^[ \t]*(//.*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)
# A declaration in a class is one line. A definition ends at the first brace that is not indented.
DECLARATION = re.compile(r"^  static (?:void build|\w+ create)\((.*)\);\n", re.MULTILINE)
DEFINITION = re.compile(r"^(?:void|\w+) (\w+)::(?:build|create)\((.*)\) \{\n(?:.*\n)*?\}\n", re.MULTILINE)
CLASS = re.compile(r"^class (\w+) : public ::mlir::Op<(?:.*\n)*?\};\n", re.MULTILINE)
# Builders that take the type or types of the results, and then an operand or nothing. They are kept.
TYPED = re.compile(r"::mlir::OperationState &odsState, ::mlir::Type \w+")
LISTS = re.compile(r"::mlir::TypeRange resultTypes|::mlir::ValueRange operands, ::llvm::ArrayRef<::mlir::NamedAttribute> attributes")


def serves_nobody(parameters, has_one_result):
    return "const Properties &properties" in parameters or (has_one_result and bool(LISTS.search(parameters)))


def lean_class(match):
    has_one_result = bool(TYPED.search(match[0]))
    return DECLARATION.sub(lambda d: "" if serves_nobody(d[1], has_one_result) else d[0], match[0])


def lean(text):
    text = COMMENT.sub("", text)
    have_one_result = {d[1] for d in DEFINITION.finditer(text) if TYPED.search(d[2])}
    text = DEFINITION.sub(lambda d: "" if serves_nobody(d[2], d[1] in have_one_result) else d[0], text)
    return CLASS.sub(lean_class, text)


for source, copy in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    text, copy = lean(pathlib.Path(source).read_text()), pathlib.Path(copy)
    if not copy.exists() or copy.read_text() != text:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
