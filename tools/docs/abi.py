#!/usr/bin/env python3
"""Writes the C interfaces as text with one line per function, enumerator and field, so that changes are visible.

  abi.py -I FOLDER [-I FOLDER ...] -o FILE [--check]

With --check, only compares the text with FILE. Within a minor version, lines may be added, but not changed or removed
(docs/compatibility.md). If FILE differs from the headers, prints the difference and exits with status 1.
"""

import argparse
import difflib
import json
import pathlib
import subprocess
import sys

HEADER = "# The C interfaces of libtensorc and libtensorc_rt. Made by tools/docs/abi.py from the headers.\n"


def declarations(folders, compiler):
    """Returns clang's syntax tree of all C headers."""
    headers = sorted(h.name for folder in folders for h in (folder / "tensorc").glob("*.h"))
    source = "".join(f'#include "tensorc/{name}"\n' for name in headers)
    command = [compiler, "-x", "c", "-std=c99", "-fsyntax-only", "-Xclang", "-ast-dump=json",
               *[f"-I{folder}" for folder in folders], "-"]
    return json.loads(subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout)["inner"]


def fields(inner):
    """Returns the fields of a struct. A member of an unnamed type follows the declaration of this type."""
    texts, nested = [], ""
    for node in inner:
        if node["kind"] == "RecordDecl":
            nested = f"{node['tagUsed']} {{" + ";".join(fields(node.get("inner", []))) + " }"
        elif node["kind"] == "FieldDecl":
            written = node["type"]["qualType"]
            texts.append(f"  {node['name']}: {nested if 'unnamed at' in written else written}")
    return texts


def lines(tree):
    """Returns the lines sorted by name, with the members of a struct or enum in their order."""
    found = {}
    for node in tree:
        name, kind = node.get("name", ""), node["kind"]
        inner = node.get("inner", [])
        if not name.startswith("tensorc"):
            continue
        if kind == "FunctionDecl":
            # Inline functions of the headers are not part of the library.
            if node.get("storageClass") != "static":
                found[name] = [f"function {name}: {node['type']['qualType']}"]
        elif kind == "EnumDecl":
            value, texts = -1, [f"enum {name}"]
            for item in inner:
                if item["kind"] != "EnumConstantDecl":
                    continue
                given = next((c["value"] for c in item.get("inner", []) if "value" in c), None)
                value = int(given) if given is not None else value + 1
                texts.append(f"  {item['name']} = {value}")
            found[name] = texts
        elif kind == "RecordDecl" and inner:
            found[name] = [f"struct {name}", *fields(inner)]
        elif kind == "TypedefDecl" and "(*)" in node["type"]["qualType"]:
            found[name] = [f"type {name}: {node['type']['qualType']}"]
    return [line for name in sorted(found) for line in found[name]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-I", dest="folders", action="append", type=pathlib.Path, required=True)
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="clang-22")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text = HEADER + "\n".join(lines(declarations(args.folders, args.compiler))) + "\n"
    if not args.check:
        args.out.write_text(text, encoding="utf-8")
        return
    old = args.out.read_text(encoding="utf-8")
    if old == text:
        return
    removed = [line for line in difflib.ndiff(old.splitlines(), text.splitlines()) if line[0] in "+-"]
    print(f"abi: {args.out} does not say what the headers say; read docs/compatibility.md, then write it again "
          f"without --check:", *removed, sep="\n")
    sys.exit(1)


main()
