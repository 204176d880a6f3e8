#!/usr/bin/env python3
"""Generates code and documents from the definitions of the ops in ir/tx.

  llvm-tblgen --dump-json ir/tx/ops/TxOps.td -o tx.json
  opgen.py tx.json scalar-ops -o ScalarOps.inc
  opgen.py tx.json docs -o docs/ops.md --check
  llvm-tblgen --dump-json -I . compiler/api/Api.td -o api.json
  opgen.py api.json nn-header -o tensorc/nn.h
  opgen.py api.json api-json --ops tx.json --abi docs/abi.txt -o share/tensorc/api.json
"""

import argparse
import pathlib
import sys

import api
import api_json
import attributes
import c_api
import combinings
import cpp_api
import docs
import examples
import function_docs
import function_examples
import gradient_rules
import graph_ops
import null_tests
import op_table
import records
import scalar_ops
import shapes

GENERATORS = {
    "scalar-ops": scalar_ops.generate,
    "gradient-rules": gradient_rules.generate,
    "gradient-functions": gradient_rules.functions,
    "attribute-structs": lambda ops: attributes.declarations(attributes.others(ops)),
    "attribute-conversions": lambda ops: attributes.definitions(attributes.others(ops)),
    "composite-structs": lambda ops: attributes.declarations(attributes.composites(ops)),
    "composite-conversions": lambda ops: attributes.definitions(attributes.composites(ops)),
    "composite-shapes": lambda ops: shapes.generate(attributes.composites(ops), "TENSORC_COMPOSITES"),
    "shapes": lambda ops: shapes.generate(attributes.others(ops), "TENSORC_SHAPED_OPS"),
    "combinings": combinings.generate,
    "graph-kinds": graph_ops.kinds,
    "c-header": graph_ops.c_header,
    "cpp-header": graph_ops.cpp_header,
    "cpp-method-declarations": graph_ops.cpp_method_declarations,
    "c-functions": graph_ops.c_functions,
    "op-table": op_table.generate,
    "docs": docs.generate,
    "examples": examples.generate,
}
# Generators that read compiler/api/Api.td.
API_GENERATORS = {
    **{f"{name}-header": lambda functions, name=name: c_api.header(functions, name) for name in c_api.HEADERS},
    "c-adapters": c_api.adapters,
    "cpp-functions": cpp_api.header,
    "method-declarations": cpp_api.method_declarations,
    "method-definitions": cpp_api.method_definitions,
    "function-examples": function_examples.generate,
    "null-tests": null_tests.generate,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("what", choices=[*GENERATORS, *API_GENERATORS, "api-json", "function-docs"])
    parser.add_argument("--ops", type=pathlib.Path, help="api-json: the ops")
    parser.add_argument("--abi", type=pathlib.Path, help="api-json: docs/abi.txt")
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True)
    parser.add_argument("--check", action="store_true", help="only compare with OUT; exit status 1 if it differs")
    args = parser.parse_args()
    try:
        if args.what == "api-json":
            text = api_json.generate(api.read(args.json), records.read(args.ops), args.abi.read_text(encoding="utf-8"))
        elif args.what == "function-docs":
            text = function_docs.generate(api.read(args.json), args.out.read_text(encoding="utf-8"))
        elif args.what in API_GENERATORS:
            text = API_GENERATORS[args.what](api.read(args.json))
        else:
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
