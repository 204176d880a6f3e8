#!/usr/bin/env python3
"""Generates what follows from the definitions of the ops in ir/tx.

  llvm-tblgen --dump-json ir/tx/TxOps.td -o tx.json
  opgen.py tx.json scalar-ops -o ScalarOps.inc
  opgen.py tx.json docs -o docs/ops.md --check
"""

import argparse
import pathlib
import sys

import attributes
import docs
import graph_ops
import records
import scalar_ops

GENERATORS = {
    "scalar-ops": scalar_ops.generate,
    "attribute-structs": attributes.declarations,
    "attribute-conversions": attributes.definitions,
    "graph-kinds": graph_ops.kinds,
    "c-header": graph_ops.c_header,
    "cpp-header": graph_ops.cpp_header,
    "c-functions": graph_ops.c_functions,
    "docs": docs.generate,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("what", choices=GENERATORS)
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True)
    parser.add_argument("--check", action="store_true", help="only compare with OUT; exit status 1 if it differs")
    args = parser.parse_args()
    try:
        text = GENERATORS[args.what](records.read(args.json))
    except records.Refused as refused:
        sys.exit(f"opgen: {refused}")
    old = args.out.read_text(encoding="utf-8") if args.out.exists() else None
    if args.check:
        sys.exit(f"opgen: {args.out} is out of date" if text != old else 0)
    if text != old:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(text, encoding="utf-8")


main()
